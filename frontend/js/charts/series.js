// A figure's series → Plotly traces.

import { seriesColour, withOpacity } from "./theme.js";
import { withUnit } from "./axis.js";

const MAX_POINTS = 4000;

/** At most 4,000 points: of each stretch the lowest and the highest stay, so peaks survive. */
export function thin(x, y) {
  if (x.length <= MAX_POINTS) return { x, y };
  const stretch = Math.ceil(x.length / (MAX_POINTS / 2));
  const kept = [];
  for (let start = 0; start < x.length; start += stretch) {
    let low = start;
    let high = start;
    for (let at = start; at < Math.min(start + stretch, x.length); at += 1) {
      if (y[at] < y[low]) low = at;
      if (y[at] > y[high]) high = at;
    }
    kept.push(...(low === high ? [low] : [Math.min(low, high), Math.max(low, high)]));
  }
  return { x: kept.map((at) => x[at]), y: kept.map((at) => y[at]) };
}

const number = (axis) => (axis?.type === "date" ? "" : ":,.4~g");

// Bars laid on their side show the value on x.
function hoverTemplate(figure) {
  const unit = figure.y?.unit ? ` ${figure.y.unit}` : "";
  const lying = figure.orientation === "h";
  return lying ? `%{x${number(figure.y)}}${unit}` : `%{y${number(figure.y)}}${unit}`;
}

function lineTrace(figure, series, colour) {
  const points = thin(series.x, series.y);
  const fill = series.fill === true ? "tozeroy" : series.fill;
  return {
    type: "scatter",
    mode: "lines",
    name: series.name,
    ...points,
    text: series.text,
    connectgaps: false,
    fill,
    fillcolor: fill ? withOpacity(colour, 0.18) : undefined,
    stackgroup: figure.kind === "areas" ? "all" : undefined,
    line: {
      color: colour,
      width: figure.kind === "areas" ? 0.5 : 2,
      dash: series.dash || "solid",
      shape: figure.kind === "steps" ? "hv" : "linear",
    },
    hovertemplate: hoverTemplate(figure),
  };
}

// The interval of a line: two unlabelled edges with a fill between them.
function bandTraces(series, colour) {
  const edge = { type: "scatter", mode: "lines", showlegend: false, hoverinfo: "skip", line: { width: 0 } };
  return [
    { ...edge, x: series.x, y: series.low },
    { ...edge, x: series.x, y: series.high, fill: "tonexty", fillcolor: withOpacity(colour, 0.18) },
  ];
}

function barTrace(figure, series, colour) {
  const lying = figure.orientation === "h";
  return {
    type: "bar",
    name: series.name,
    x: lying ? series.y : series.x,
    y: lying ? series.x : series.y,
    text: series.text,
    textposition: series.text ? "auto" : "none",
    orientation: lying ? "h" : "v",
    marker: {
      color: colour,
      pattern: series.hatched ? { shape: "/", size: 6, solidity: 0.35 } : undefined,
    },
    error_y: series.error ? { type: "data", array: series.error, thickness: 1, width: 3 } : undefined,
    hovertemplate: hoverTemplate(figure),
  };
}

const errorBars = (lengths) => lengths && { type: "data", array: lengths, thickness: 1, width: 3 };

function pointTrace(figure, series, colour) {
  const x = `${withUnit(figure.x)}: %{x${number(figure.x)}}`;
  const y = `${withUnit(figure.y)}: %{y${number(figure.y)}}`;
  return {
    type: "scatter",
    mode: series.text ? "markers+text" : "markers",
    name: series.name,
    x: series.x,
    y: series.y,
    text: series.text,
    textposition: "top center",
    cliponaxis: false,
    marker: { color: colour, size: 10, symbol: series.symbol || "circle" },
    error_x: errorBars(series.x_error),
    error_y: errorBars(series.y_error),
    hovertemplate: `<b>${series.name}</b><br>${x}<br>${y}<extra></extra>`,
  };
}

function heatTrace(figure, series, theme) {
  const unit = figure.z?.unit ? ` ${figure.z.unit}` : "";
  return {
    type: "heatmap",
    name: series.name,
    x: series.x,
    y: series.y,
    z: series.z,
    xgap: 1,
    ygap: 1,
    colorscale: [[0, withOpacity(theme.accent, 0.04)], [1, withOpacity(theme.accent, 1)]],
    zmin: 0,
    colorbar: { title: { text: withUnit(figure.z), side: "right" }, thickness: 10, outlinewidth: 0 },
    hovertemplate: `%{y} %{x}: %{z:,.4~g}${unit}<extra></extra>`,
  };
}

function capacityTrace(figure, theme) {
  const { capacity } = figure;
  const spans = figure.series.filter((series) => series.x?.length).map((series) => series.x);
  const level = typeof capacity === "number";
  if (level && spans.length === 0) return null;
  const longest = spans.reduce((best, x) => (x.length > best.length ? x : best), spans[0]);
  return {
    type: "scatter",
    mode: "lines",
    name: capacity.name || "capacity",
    x: level ? [longest[0], longest[longest.length - 1]] : capacity.x,
    y: level ? [capacity, capacity] : capacity.y,
    line: { color: theme.text, width: 1.5, dash: "dash", shape: "hv" },
    hovertemplate: hoverTemplate(figure),
  };
}

/** The Plotly traces of a figure. */
export function traces(figure, theme) {
  const drawn = figure.series.flatMap((series, index) => {
    const colour = seriesColour(theme, series, index);
    if (figure.kind === "heat") return [heatTrace(figure, series, theme)];
    if (figure.kind === "bars" || figure.kind === "stacked") return [barTrace(figure, series, colour)];
    if (figure.kind === "scatter") return [pointTrace(figure, series, colour)];
    const band = series.low && series.high ? bandTraces(series, colour) : [];
    return [...band, lineTrace(figure, series, colour)];
  });
  const hasCapacity = figure.capacity !== undefined && figure.capacity !== null;
  const line = hasCapacity ? capacityTrace(figure, theme) : null;
  return line ? [...drawn, line] : drawn;
}
