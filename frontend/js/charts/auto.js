// Elements that say which figure they show are drawn without a line of page script.
//   data-chart="ID"        the figure is in <script type="application/json" id="ID">
//   data-chart-url="URL"   the figure is fetched; data-chart-key="KEY" takes one of several in the answer
//   data-chart-link="NAME" charts of the same name share zoom and hover

import { drawChart, showMessage } from "./draw.js";
import { linkCharts } from "./link.js";

const answers = new Map();

function fetchOnce(url) {
  if (!answers.has(url)) {
    const headers = { Accept: "application/json" };
    answers.set(url, fetch(url, { headers }).then((answer) => {
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      return answer.json();
    }));
  }
  return answers.get(url);
}

async function figureOf(element) {
  const { chart, chartUrl, chartKey } = element.dataset;
  if (chartUrl) {
    const answer = await fetchOnce(chartUrl);
    return chartKey ? answer[chartKey] : answer;
  }
  return JSON.parse(document.getElementById(chart).textContent);
}

async function drawOne(element) {
  element.dataset.chartState = "drawing";
  try {
    const figure = await figureOf(element);
    if (!figure) throw new Error("the answer has no such chart");
    await drawChart(element, figure);
    element.dataset.chartState = "drawn";
  } catch (error) {
    element.dataset.chartState = "failed";
    showMessage(element, `This chart could not be drawn: ${error.message}.`);
  }
}

/** Draw every marked element under ``root`` that is not drawn yet. */
export async function drawAll(root = document) {
  const waiting = [...root.querySelectorAll("[data-chart], [data-chart-url]")].filter(
    (element) => !element.dataset.chartState,
  );
  await Promise.all(waiting.map(drawOne));
  const names = new Set(waiting.map((element) => element.dataset.chartLink).filter(Boolean));
  for (const name of names) {
    linkCharts(document.querySelectorAll(`[data-chart-link="${CSS.escape(name)}"]`));
  }
}

drawAll();
document.addEventListener("htmx:afterSwap", (event) => drawAll(event.target));
