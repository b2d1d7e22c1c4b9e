"""The import wizard, the charts and the mixes in a real Chromium."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import axe_problems, look

ROWS = ["id;begin;minutes;n"] + [
    f"{n};2024-01-{1 + n % 28:02d} {n % 24:02d}:00;{5 + n % 90};{1 + n % 8}" for n in range(400)
]
IN_A_WHILE_MS = 180_000  # on a fresh machine the workers compile the engine first
DROP = """([zone, name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    document.querySelector(zone).dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "scheduler export.csv"
    path.write_text("\n".join(ROWS) + "\n")
    return path


def open_upload(site: Page) -> None:
    site.goto("/w/demo/workloads/")
    site.get_by_role("link", name="Upload a trace").click()
    site.wait_for_url("**/workloads/upload/")  # loaded: its script takes what is dropped


def test_a_dropped_file_is_mapped_imported_and_profiled(site: Page):
    open_upload(site)
    site.evaluate(DROP, ["[data-drop]", "scheduler export.csv", "\n".join(ROWS)])
    expect(site.get_by_text("no column says how long jobs ran")).to_be_visible(timeout=IN_A_WHILE_MS)
    assert look(site, "upload-mapping") == []
    for field, column in {"submit time": "begin", "run time": "minutes", "GPUs": "n"}.items():
        site.get_by_label(field, exact=True).select_option(column)
    site.get_by_label("start time", exact=True).select_option("")
    site.get_by_label("unit of run time").select_option("min")
    site.get_by_role("button", name="Update the preview").click()
    expect(site.get_by_text("400 rows read, 400 jobs")).to_be_visible()
    assert "column-submit=begin" in site.url
    assert look(site, "upload-review") == []
    site.get_by_label("Name").fill("dropped")
    site.get_by_role("button", name="Import").click()
    expect(site.get_by_role("heading", name="When jobs come")).to_be_visible(timeout=IN_A_WHILE_MS)
    charts_work(site)


def charts_work(site: Page) -> None:
    """Every chart of the page is drawn; one of them gives its table, CSV, PNG and other scale."""
    expect(site.locator("[data-chart-state='drawn']")).to_have_count(7, timeout=IN_A_WHILE_MS)
    run_times = site.get_by_role("group", name="Run time by GPU size")
    run_times.get_by_role("button", name="Log scale: Run time by GPU size").click()
    expect(run_times.get_by_role("button", name="Log scale")).to_have_attribute("aria-pressed", "false")
    run_times.get_by_role("button", name="Table").click()
    expect(run_times.get_by_role("region", name="Run time by GPU size, table")).to_be_visible()
    with site.expect_download() as waiting:
        run_times.get_by_role("button", name="Download CSV").click()
    header, *rows = csv.reader(waiting.value.path().open(newline=""))
    assert header == ["series", "run time at most (h)", "share of jobs (%)"]
    assert len(rows) > 50
    with site.expect_download() as waiting:
        run_times.get_by_role("button", name="Download PNG").click()
    assert waiting.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_cancelled_upload_leaves_nothing(site: Page, trace: Path):
    open_upload(site)
    site.get_by_label("Drop a trace here, or choose a file").set_input_files(trace)
    site.get_by_role("button", name="Cancel upload").click(timeout=IN_A_WHILE_MS)
    expect(site.get_by_text("The upload was cancelled; nothing was kept.")).to_be_visible()


def test_an_empty_file_is_refused_without_sending_it(site: Page, tmp_path: Path):
    (tmp_path / "empty.csv").touch()
    open_upload(site)
    site.get_by_label("Drop a trace here, or choose a file").set_input_files(tmp_path / "empty.csv")
    expect(site.get_by_role("alert")).to_contain_text("empty.csv: the file is empty (0 bytes).")


def test_a_mix_is_made_edited_and_put_to_use(site: Page):
    site.goto("/w/demo/workloads/mixes/new/")
    assert axe_problems(site) == []
    site.get_by_role("button", name="Start from the demo month").click()
    expect(site.locator("[data-chart-state='drawn']")).to_have_count(3, timeout=IN_A_WHILE_MS)
    assert look(site, "mix") == []
    site.get_by_role("link", name="Edit").click()
    assert look(site, "mix-edit") == []
    site.locator("#id_name").fill("a short demo")
    site.locator("#id_days").fill("7")
    site.get_by_role("button", name="Save").click()
    site.get_by_role("button", name="Use as workload").click()
    expect(site.get_by_role("heading", name="a short demo")).to_be_visible()
    expect(site.locator("[data-chart-state='drawn']")).to_have_count(8, timeout=IN_A_WHILE_MS)


def test_the_list_and_the_tokens_look_right(site: Page):
    site.goto("/w/demo/workloads/")
    assert look(site, "workloads") == []
    site.goto("/w/demo/settings/tokens/")
    assert look(site, "tokens") == []
