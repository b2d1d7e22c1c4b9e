// The what-if slider: each move asks anew and the latest answer wins. At most one request is under way; the one
// before is aborted here, and the server stops its replay when it hears of the newer question.

import { drawChart } from "./charts/index.js";

const panel = document.getElementById("what-if");
if (panel) start(panel);

function start(panel) {
  const pool = panel.querySelector("#what-if-pool");
  const nodes = panel.querySelector("#what-if-nodes");
  const told = panel.querySelector("#what-if-told");
  const status = panel.querySelector("#what-if-status");
  const result = panel.querySelector("#what-if-result");
  const keep = panel.querySelector("#what-if-keep");
  const tab = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  let sequence = 0;
  let underWay = null;
  let frame = 0;

  const chosenPool = () => pool.selectedOptions[0].dataset;

  function tell() {
    const { nodes: own, gpus } = chosenPool();
    const percent = Math.round((100 * nodes.value) / own);
    told.textContent = `${nodes.value} (${percent} %, ${(nodes.value * gpus).toLocaleString("en")} GPUs)`;
  }

  function choosePool() {
    const own = Number(chosenPool().nodes);
    nodes.min = own;
    nodes.max = 2 * own;
    nodes.value = own;
    tell();
  }

  function moved() {
    tell();
    if (keep) keep.disabled = nodes.value === chosenPool().nodes;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(ask);
  }

  function question() {
    const { scenario, size, group } = panel.dataset;
    const query = { scenario, pool: pool.value, nodes: nodes.value, tab, sequence, size, group };
    return `${panel.dataset.url}?${new URLSearchParams(query)}`;
  }

  async function ask() {
    underWay?.abort();
    underWay = new AbortController();
    sequence += 1;
    const own = sequence;
    const began = performance.now();
    result.classList.add("stale");
    status.textContent = "Replaying…";
    try {
      const reply = await fetch(question(), { signal: underWay.signal, headers: { Accept: "application/json" } });
      if (own !== sequence || reply.status === 409) return;
      const answer = await reply.json();
      if (own !== sequence) return;
      if (!reply.ok) throw new Error(answer.problem || `the server answered ${reply.status}`);
      await show(answer, began, () => own === sequence);
    } catch (error) {
      if (error.name === "AbortError" || own !== sequence) return;
      status.textContent = `No answer: ${error.message}`;
    }
  }

  async function show(answer, began, wanted) {
    result.hidden = false;
    panel.querySelector("#what-if-rows").replaceChildren(...answer.rows.map(row));
    await Promise.all([
      drawChart(panel.querySelector("#what-if-waits"), answer.figures.waits),
      drawChart(panel.querySelector("#what-if-queued"), answer.figures.queued),
    ]);
    if (!wanted()) return;
    result.classList.remove("stale");
    const replay = (answer.timing_ms.replay / 1000).toFixed(2);
    const whole = ((performance.now() - began) / 1000).toFixed(2);
    status.textContent =
      `Changed: ${answer.changed.join("; ")}. ` +
      `${answer.jobs.toLocaleString("en")} jobs replayed in ${replay} s, shown after ${whole} s. Nothing is stored.`;
  }

  pool.addEventListener("change", () => {
    choosePool();
    moved();
  });
  nodes.addEventListener("input", moved);
  choosePool();
}

function cell(kind, text, style) {
  const made = document.createElement(kind);
  made.textContent = text;
  if (style) made.className = style;
  return made;
}

function row({ label, unit, start, tried, delta, direction, tone }) {
  const made = document.createElement("tr");
  const head = cell("th", label);
  head.scope = "row";
  if (unit) head.append(" ", cell("span", unit, "unit"));
  const last = cell("td", tried, "num");
  if (delta) last.append(" ", cell("span", delta, `delta ${direction} ${tone}`));
  made.append(head, cell("td", start, "num"), last);
  return made;
}
