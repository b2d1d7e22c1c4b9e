"""The frame of every page in a real browser: themes, keys, dialogs, narrow screens, no scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looks import NARROW, look

GPUS = "/w/demo/inventory/gpus/"
CLUSTERS = "/w/demo/inventory/clusters/"


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object], base_url: str) -> dict[str, object]:
    return {**browser_context_args, "base_url": base_url}


def colour(page: Page, name: str) -> str:
    return page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('{name}')")


def test_a_theme_is_chosen_kept_and_told_to_the_charts(site: Page):
    site.goto(GPUS)
    light = colour(site, "--scenario-1")
    assert light.startswith("rgb(")  # resolved, so that charts can use it
    site.evaluate("document.addEventListener('themechange', () => { window.told = true })")
    site.locator(".header-end details.menu:not(.nav-narrow) > summary").click()
    site.get_by_role("button", name="Dark").click()
    assert site.evaluate("window.told")
    assert colour(site, "--scenario-1") != light
    site.reload()
    assert site.locator("html").get_attribute("data-theme") == "dark"
    assert colour(site, "--scenario-1") != light


def test_the_system_decides_where_nothing_is_chosen(site: Page):
    site.emulate_media(color_scheme="dark")
    site.goto(GPUS)
    dark = colour(site, "--bg")
    site.emulate_media(color_scheme="light")
    assert colour(site, "--bg") != dark


def test_print_is_light_and_without_the_header(site: Page):
    site.emulate_media(color_scheme="dark")
    site.goto(GPUS)
    dark = colour(site, "--bg")
    site.emulate_media(media="print", color_scheme="dark")
    assert colour(site, "--bg") != dark
    expect(site.locator(".site-header")).to_be_hidden()


def test_keys_search_help_and_sections(site: Page):
    site.goto(GPUS)
    site.keyboard.press("/")
    expect(site.get_by_label("Search")).to_be_focused()
    site.keyboard.press("?")  # typed into the field, opens nothing
    expect(site.get_by_label("Search")).to_have_value("?")
    site.keyboard.press("Escape")
    site.keyboard.press("?")
    expect(site.get_by_role("dialog", name="Keys")).to_be_visible()
    site.keyboard.press("Escape")
    expect(site.get_by_role("dialog", name="Keys")).to_be_hidden()
    site.keyboard.press("g")
    site.keyboard.press("e")
    site.wait_for_url("**/settings/members/")


def test_the_first_tab_skips_to_the_content(site: Page):
    site.goto(GPUS)
    site.keyboard.press("Tab")
    expect(site.get_by_role("link", name="Skip to the content")).to_be_focused()
    site.keyboard.press("Enter")
    expect(site.locator("main")).to_be_focused()


def test_sections_are_reached_on_a_phone_without_scripts(browser: Browser, base_url: str):
    context = browser.new_context(base_url=base_url, viewport=NARROW, java_script_enabled=False)
    page = context.new_page()
    page.goto(GPUS)
    page.get_by_text("Sections").click()
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Members of")
    context.close()


def test_a_choice_in_a_filter_applies_at_once_and_is_in_the_address(site: Page):
    site.goto(GPUS)
    site.get_by_label("Vendor").select_option("AMD")
    site.wait_for_url("**vendor=AMD**")
    site.get_by_role("link", name="TDP").click()
    site.wait_for_url("**sort=tdp_w**")
    assert "vendor=AMD" in site.url


def test_pools_are_added_and_removed_in_the_form(site: Page):
    site.goto(CLUSTERS + "new/")
    site.get_by_label("Name").first.fill("made in a browser")
    for name, nodes in (("first", "2"), ("second", "3"), ("third", "4")):
        if name != "first":
            site.get_by_role("button", name="Add a pool").click()
        row = site.locator("[data-row]").last
        row.get_by_label("Name").fill(name)
        row.get_by_label("Nodes", exact=False).first.fill(nodes)
        row.get_by_label("GPU model").select_option(label="A100-SXM-80GB")
        row.get_by_label("GPUs a node").fill("8")
    site.locator("[data-row]").nth(1).get_by_role("button", name="Remove").click()
    site.get_by_role("button", name="Save").click()
    expect(site.get_by_role("heading", level=1)).to_contain_text("made in a browser")
    expect(site.get_by_role("rowheader", name="first")).to_be_visible()
    expect(site.get_by_role("rowheader", name="third")).to_be_visible()
    expect(site.get_by_role("rowheader", name="second")).to_have_count(0)
    site.get_by_role("link", name="Delete").click()
    site.get_by_role("button", name="Delete").click()
    expect(site.get_by_role("status")).to_contain_text("made in a browser is deleted.")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("clusters", CLUSTERS),
        ("cluster-new", CLUSTERS + "new/"),
        ("gpu-models", GPUS),
        ("members", "/w/demo/settings/members/"),
        ("changes", "/w/demo/settings/changes/"),
        ("sign-in", "/accounts/login/"),
    ],
)
def test_the_page_is_calm_in_both_themes_and_widths(site: Page, name: str, path: str):
    site.goto(path)
    assert look(site, name) == []


def test_a_cluster_is_calm_in_both_themes_and_widths(site: Page):
    site.goto(CLUSTERS)
    site.locator("table.data tbody th a").first.click()
    assert look(site, "cluster") == []
