"""The chart module: every kind is drawn, its numbers are a CSV too, and it follows numbers and theme."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

DRAW = """async (figure) => {
    const charts = await import("/static/js/charts/index.js");
    let element = document.getElementById("drawn");
    if (!element) {
        element = document.createElement("div");
        element.id = "drawn";
        document.querySelector("main").replaceChildren(element);
    }
    await charts.drawChart(element, figure);
    return charts.figureCsv(figure);
}"""
COLOUR = "document.querySelector('#drawn .js-plotly-plot')._fullData[0].line.color"


def figure(kind: str, **changes: Any) -> dict[str, Any]:
    return {
        "kind": kind,
        "title": f"A chart of {kind}",
        "x": {"title": "wait", "unit": "h"},
        "y": {"title": "share", "unit": "%"},
        "series": [
            {"name": "=A", "x": [1, 2, 3], "y": [10, None, 30]},
            {"name": "B", "x": [1, 2, 3], "y": [5, 6, 7]},
        ],
    } | changes


HEAT = {
    "z": {"title": "jobs", "unit": "jobs"},
    "series": [{"name": "j", "x": [0, 1], "y": ["Mon"], "z": [[1, 2]]}],
}


@pytest.fixture
def blank(site: Page) -> Page:
    site.goto("/w/demo/workloads/mixes/")
    return site


@pytest.mark.parametrize("kind", ["lines", "steps", "areas", "bars", "stacked", "scatter", "heat"])
def test_every_kind_is_drawn(blank: Page, kind: str):
    blank.evaluate(DRAW, figure(kind, **(HEAT if kind == "heat" else {"capacity": 20})))
    chart = blank.get_by_role("group", name=f"A chart of {kind}")
    expect(chart.locator("svg.main-svg").first).to_be_visible()
    expect(chart.get_by_role("button", name="Download SVG")).to_be_visible()


def test_the_csv_has_units_and_no_formulas(blank: Page):
    text = blank.evaluate(DRAW, figure("lines"))
    assert text.split("\r\n")[:3] == ["wait (h),'=A (%),B (%)", "1,10,5", "2,,6"]


def test_a_chart_drawn_again_keeps_its_open_table(blank: Page):
    blank.evaluate(DRAW, figure("lines"))
    blank.get_by_role("button", name="Table: A chart of lines").click()
    blank.evaluate(DRAW, figure("lines", title="Other numbers", series=[{"name": "A", "x": [1], "y": [77]}]))
    expect(blank.get_by_role("cell", name="77")).to_be_visible()
    expect(blank.get_by_role("group", name="Other numbers")).to_be_visible()


def test_nothing_to_show_is_a_sentence(blank: Page):
    blank.evaluate(DRAW, figure("lines", series=[]))
    expect(blank.get_by_text("A chart of lines: nothing to show.")).to_be_visible()


def test_long_series_are_thinned_and_keep_their_peak(blank: Page):
    values = [0] * 30_000
    values[12_345] = 9
    series = [{"name": "A", "x": list(range(30_000)), "y": values}]
    blank.evaluate(DRAW, figure("lines", series=series))
    drawn = blank.evaluate("document.querySelector('#drawn .js-plotly-plot')._fullData[0].y")
    assert len(drawn) <= 4_000
    assert max(drawn) == 9


def test_colours_follow_the_theme(blank: Page):
    blank.evaluate(DRAW, figure("lines"))
    light = blank.evaluate(COLOUR)
    blank.evaluate("document.querySelector('[data-set-theme=dark]').click()")
    blank.wait_for_function(f"(before) => {COLOUR} !== before", arg=light)
