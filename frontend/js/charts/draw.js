// One chart in one element: caption, plot, toolbar; it follows the theme and the width of its element.

import { layout } from "./axis.js";
import { traces } from "./series.js";
import { readTheme } from "./theme.js";
import { toolbar } from "./toolbar.js";

const PLOTLY = new URL("../../vendor/plotly-cartesian.min.js", import.meta.url).href;
const CONFIG = { displayModeBar: false, responsive: false, showTips: false };

const charts = new Map();
let loading = null;

/** Plotly, loaded once: from the page's own script tag, or from beside this module. */
function plotly() {
  if (globalThis.Plotly) return Promise.resolve(globalThis.Plotly);
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = PLOTLY;
    script.onload = () => resolve(globalThis.Plotly);
    script.onerror = () => reject(new Error("The chart library did not load."));
    document.head.append(script);
  });
  return loading;
}

// A plot of another width is drawn anew, since its legend may need more rows or fewer.
const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const chart = charts.get(target.parentElement);
    if (!chart || target.offsetWidth === 0 || target.offsetWidth === chart.width) continue;
    chart.redraw();
  }
});

function isEmpty(figure) {
  return figure.series.every((series) => !(series.x?.length > 0));
}

function frame(element) {
  element.classList.add("chart");
  element.setAttribute("role", "group");
  const title = document.createElement("p");
  title.className = "chart-title";
  const plot = document.createElement("div");
  plot.className = "chart-plot";
  plot.setAttribute("role", "img");
  const note = document.createElement("p");
  note.className = "chart-note muted";
  element.replaceChildren(title, plot, note);
  return plot;
}

/** A sentence where the chart would stand. */
export function showMessage(element, text) {
  const message = document.createElement("p");
  message.className = "chart-message muted";
  message.textContent = text;
  element.replaceChildren(message);
}

function caption(element, figure) {
  element.setAttribute("aria-label", figure.title);
  element.querySelector(".chart-title").textContent = figure.title;
  element.querySelector(".chart-plot").setAttribute("aria-label", `${figure.title}. The table below has its numbers.`);
  const note = element.querySelector(".chart-note");
  note.textContent = figure.note || "";
  note.hidden = !figure.note;
}

function makeChart(element, figure) {
  const plot = frame(element);
  const scales = { x: figure.x?.type === "log", y: figure.y?.type === "log" };
  const chart = { element, figure, plot, scales, table: null, width: 0 };
  chart.redraw = () => {
    const theme = readTheme(element);
    chart.width = plot.offsetWidth;
    const picture = layout(chart.figure, theme, scales, chart.width);
    return globalThis.Plotly.react(plot, traces(chart.figure, theme), picture, CONFIG);
  };
  element.append(toolbar(chart));
  return chart;
}

function forget(element) {
  const chart = charts.get(element);
  if (chart) resized.unobserve(chart.plot);
  charts.delete(element);
}

/** Draw ``figure`` in ``element``. Drawn again with other numbers, the chart keeps its zoom, its hidden series, its
 * scale and its open table. */
export async function drawChart(element, figure) {
  await plotly();
  if (isEmpty(figure)) {
    forget(element);
    showMessage(element, `${figure.title}: nothing to show.`);
    return;
  }
  const before = charts.get(element);
  const again = before && before.plot.isConnected && before.figure.kind === figure.kind;
  if (before && !again) forget(element);
  const chart = again ? before : makeChart(element, figure);
  chart.figure = figure;
  caption(element, figure);
  if (!again) charts.set(element, chart);
  await chart.redraw();
  if (chart.table) chart.showTable();
  resized.observe(chart.plot);
}

/** The plot of an element that was drawn, for linking. */
export const plotOf = (element) => charts.get(element)?.plot;

document.addEventListener("themechange", () => {
  for (const [element, chart] of charts) {
    if (element.isConnected) chart.redraw();
    else charts.delete(element);
  }
});
