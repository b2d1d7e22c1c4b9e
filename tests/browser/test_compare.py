"""The compare page and its slider in a real Chromium, on the demo study."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import look

IN_A_WHILE_MS = 240_000


@pytest.fixture
def compare(site: Page) -> Page:
    """The demo's compare page once all its runs are done and its charts are drawn."""
    site.goto("/w/demo/studies/?q=Which")
    site.get_by_role("link", name="Which cluster, which policy?", exact=True).click()
    expect(site.locator("#progress .badge").first).to_have_text("finished", timeout=IN_A_WHILE_MS)
    site.get_by_role("link", name="Compare", exact=True).click()
    expect(site.locator("[data-chart-state='drawn']")).to_have_count(5, timeout=IN_A_WHILE_MS)
    return site


def test_choices_go_into_the_address_and_the_page_follows(compare: Page):
    compare.get_by_label("GPU size").select_option("17-64")
    compare.wait_for_url("**/compare/?size=17-64")
    compare.get_by_label("Differences only").check()
    compare.wait_for_url("**only=differences**")
    expect(compare.get_by_text("Metrics of 17–64 GPUs;")).to_be_visible()
    compare.get_by_role("link", name="Wait, p95").click()
    compare.wait_for_url("**metric=wait_p95**")
    expect(compare.get_by_role("heading", name="Wait, p95 by GPU size")).to_be_visible()
    compare.reload()
    expect(compare.get_by_label("GPU size")).to_have_value("17-64")


def test_scenarios_are_chosen_in_a_menu(compare: Page):
    compare.get_by_text("6 of 12 scenarios").click()
    for position in (1, 2, 3, 6):
        compare.locator(f".scenario-choice input[value='{position}']").uncheck()
    compare.get_by_text("6 of 12 scenarios").click()
    compare.wait_for_url("**show=**")
    expect(compare.locator("table.compare").first.locator("thead th")).to_have_count(3)


def test_the_slider_replays_at_once_and_the_latest_move_wins(compare: Page):
    slider = compare.get_by_role("slider", name="Nodes")
    slider.focus()
    for _ in range(8):
        slider.press("ArrowRight")
    told = compare.locator("#what-if-status")
    expect(told).to_contain_text("nodes: 64 → 72", timeout=IN_A_WHILE_MS)
    expect(told).to_contain_text("jobs replayed in")
    rows = compare.locator("#what-if-rows tr")
    expect(rows.filter(has_text="Offered load")).to_contain_text("points")
    expect(compare.locator("#what-if-waits svg").first).to_be_visible()
    expect(compare.get_by_role("button", name="Keep as a candidate")).to_be_enabled()


def test_a_drawn_chart_switches_from_log_to_linear(compare: Page):
    waits = compare.locator("[data-chart-key='waits']")
    expect(waits.get_by_text("10 min", exact=True)).to_be_visible()
    waits.get_by_role("button", name="Log scale").click()
    expect(waits.get_by_text("10 min", exact=True)).to_have_count(0)


def test_the_page_is_accessible_and_fits_every_screen(compare: Page):
    for details in compare.locator("main details:not(.menu)").all():
        details.locator("summary").click()
    assert look(compare, "compare-open") == []


def test_policies_and_a_new_study_are_accessible(site: Page):
    for name, path in (("policy", "policies/new/"), ("study", "studies/new/"), ("overview", "")):
        site.goto(f"/w/demo/{path}")
        assert look(site, f"planning-{name}") == []
