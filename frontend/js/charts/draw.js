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

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (globalThis.Plotly && target.data && target.offsetWidth > 0) globalThis.Plotly.Plots.resize(target);
  }
});

function isEmpty(figure) {
  return figure.series.every((series) => !(series.x?.length > 0));
}

function frame(element, figure) {
  element.classList.add("chart");
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", figure.title);
  const caption = document.createElement("p");
  caption.className = "chart-title";
  caption.textContent = figure.title;
  const plot = document.createElement("div");
  plot.className = "chart-plot";
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${figure.title}. The table below has its numbers.`);
  element.replaceChildren(caption, plot);
  if (figure.note) {
    const note = document.createElement("p");
    note.className = "chart-note muted";
    note.textContent = figure.note;
    element.append(note);
  }
  return plot;
}

/** A sentence where the chart would stand. */
export function showMessage(element, text) {
  const message = document.createElement("p");
  message.className = "chart-message muted";
  message.textContent = text;
  element.replaceChildren(message);
}

/** Draw ``figure`` in ``element``, or draw it anew with other numbers. */
export async function drawChart(element, figure) {
  await plotly();
  const before = charts.get(element);
  if (before) resized.unobserve(before.plot);
  if (isEmpty(figure)) {
    charts.delete(element);
    showMessage(element, `${figure.title}: nothing to show.`);
    return;
  }
  const plot = frame(element, figure);
  const scales = before?.scales ?? { x: figure.x?.type === "log", y: figure.y?.type === "log" };
  const redraw = () => {
    const theme = readTheme(element);
    return globalThis.Plotly.react(plot, traces(figure, theme), layout(figure, theme, scales), CONFIG);
  };
  const chart = { element, figure, plot, scales, redraw };
  charts.set(element, chart);
  element.append(toolbar(chart));
  await redraw();
  resized.observe(plot);
}

/** The plot of an element that was drawn, for linking. */
export const plotOf = (element) => charts.get(element)?.plot;

document.addEventListener("themechange", () => {
  for (const [element, chart] of charts) {
    if (element.isConnected) chart.redraw();
    else charts.delete(element);
  }
});
