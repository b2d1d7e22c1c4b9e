"""What the product is for, done by hand in a real Chromium: from the demo to one's own comparison."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import look
from tests.stack import ROOT
from twin.workload import demo_mix, generate

DATA = Path(os.environ.get("FLEET_TWIN_DATA", ROOT.parent / "shared" / "data"))
PHILLY = DATA / "traces" / "philly" / "philly_sia.csv"
IN_A_WHILE_MS = 180_000


@pytest.fixture(scope="session")
def trace(tmp_path_factory) -> Path:
    """The public Philly trace where it is at hand; else a week of the generator's jobs as a plain CSV."""
    if PHILLY.exists():
        return PHILLY
    jobs = generate(demo_mix(days=7), seed=7)
    path = tmp_path_factory.mktemp("trace") / "week.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["job_id", "submit", "duration", "gpus"])
        table = zip(jobs.submit_ms / 1000, np.maximum(jobs.run_ms, 1) / 1000, jobs.gpus, strict=True)
        rows.writerows((f"job-{row}", *values) for row, values in enumerate(table))
    return path


def open_finished_comparison(site: Page, study: str) -> None:
    """From the study's page, once all its runs have succeeded, to its comparison."""
    site.get_by_role("navigation").get_by_role("link", name="Studies").click()
    site.get_by_role("link", name=study).first.click()
    expect(site.locator("#progress .badge").first).to_have_text("finished", timeout=IN_A_WHILE_MS)
    site.get_by_role("link", name="Compare").first.click()


def test_the_first_page_shows_the_demo_and_its_comparison(site: Page):
    site.goto("/")
    expect(site).to_have_url(re.compile(r"/w/demo/$"))
    open_finished_comparison(site, "Which cluster, which policy?")
    expect(site.locator(".js-plotly-plot").first).to_be_visible(timeout=IN_A_WHILE_MS)
    assert site.locator(".js-plotly-plot").count() >= 4
    assert look(site, "demo-compare") == []


def test_from_an_uploaded_trace_to_a_downloaded_comparison(site: Page, trace: Path):
    site.goto("/")
    upload_trace(site, trace)
    make_larger_candidate(site)
    ask_study(site, trace.stem)
    open_finished_comparison(site, "Do 16 nodes more pay?")
    expect(site.locator("#comparison")).to_contain_text("replay")
    with site.expect_download() as waiting:
        site.get_by_role("link", name="CSV", exact=True).first.click()
    rows = list(csv.reader(waiting.value.path().open(newline="")))
    assert len(rows) > 5
    assert look(site, "own-compare") == []


def upload_trace(site: Page, trace: Path) -> None:
    """Upload, look at what was understood, import, wait for the profile."""
    site.get_by_role("navigation").get_by_role("link", name="Workloads").click()
    site.get_by_role("link", name=re.compile("Upload")).first.click()
    site.get_by_label(re.compile("Drop a trace here")).set_input_files(trace)
    expect(site.get_by_role("heading", name="What was understood")).to_be_visible(timeout=IN_A_WHILE_MS)
    site.get_by_role("button", name="Import").click()
    expect(site.locator(".js-plotly-plot").first).to_be_visible(timeout=IN_A_WHILE_MS)
    assert look(site, "profile") == []


def make_larger_candidate(site: Page) -> None:
    """Derive a candidate of 80 nodes from the demo's real cluster."""
    site.get_by_role("navigation").get_by_role("link", name="Inventory").click()
    site.get_by_role("link", name="64 A100 nodes", exact=True).first.click()
    site.get_by_role("button", name="Derive a candidate").click()
    site.get_by_label("Name").first.fill("16 nodes more")
    site.get_by_label(re.compile("^Nodes")).first.fill("80")
    site.get_by_role("button", name="Save").click()
    expect(site.get_by_role("heading", level=1)).to_contain_text("16 nodes more")


def ask_study(site: Page, workload: str) -> None:
    """A study of the uploaded trace on the real cluster and the new candidate."""
    site.get_by_role("navigation").get_by_role("link", name="Studies").click()
    site.get_by_role("link", name="New study").first.click()
    site.get_by_label("Name").fill("Do 16 nodes more pay?")
    site.get_by_label("Workload").select_option(label=workload)
    site.get_by_label("Baseline cluster").select_option(label="64 A100 nodes")
    site.get_by_label("16 nodes more").check()
    site.get_by_label("FIFO, EASY backfill").check()
    site.get_by_role("button", name="Run study").click()
