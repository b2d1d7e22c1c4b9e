// A figure's axes and frame → a Plotly layout.

/** "wait (h)": an axis title with its unit. */
export function withUnit(axis) {
  if (!axis) return "";
  return axis.unit && axis.unit !== axis.title ? `${axis.title || ""} (${axis.unit})`.trim() : axis.title || "";
}

function plotlyAxis(axis, theme, logarithmic) {
  const made = axis?.type;
  const switchedOff = made === "log" && !logarithmic;
  const type = logarithmic ? "log" : switchedOff ? "linear" : made;
  // Ticks that come with the figure suit the scale it was made with, not the other one.
  const asMade = Boolean(logarithmic) === (made === "log");
  return {
    title: { text: withUnit(axis), standoff: 8 },
    type: type === undefined || (type === "linear" && !switchedOff) ? undefined : type,
    range: logarithmic ? undefined : axis?.range,
    tickvals: asMade ? axis?.ticks : undefined,
    ticktext: asMade ? axis?.ticktext : undefined,
    automargin: true,
    gridcolor: theme.line,
    linecolor: theme.line,
    zerolinecolor: theme.line,
    hoverformat: type === "date" ? "%a %Y-%m-%d %H:%M" : undefined,
    dtick: type === "log" ? 1 : undefined,
    exponentformat: "none",
    separatethousands: true,
  };
}

const LEGEND_LETTER = 5.7; // pixels, at the legend's size of text
const LEGEND_MARK = 52; // the line before a name, and the gap after it
const LEGEND_ROW = 19;

/** Pixels that the legend's rows after the first take: Plotly sets its entries in columns as wide as the longest. */
function legendRoom(figure, width) {
  const names = figure.series.map(({ name }) => String(name ?? ""));
  if (figure.capacity !== undefined && figure.capacity !== null) names.push("capacity");
  const longest = Math.max(...names.map((name) => name.length)) * LEGEND_LETTER + LEGEND_MARK;
  const columns = Math.max(1, Math.floor((width - 72) / longest));
  return (Math.ceil(names.length / columns) - 1) * LEGEND_ROW;
}

/** The layout of a figure in a plot ``width`` pixels wide; ``scales`` says which axes are logarithmic just now. */
export function layout(figure, theme, scales, width) {
  const x = plotlyAxis(figure.x, theme, scales.x);
  const y = plotlyAxis(figure.y, theme, scales.y);
  const lying = figure.orientation === "h";
  if (figure.kind !== "scatter" && figure.kind !== "heat" && !scales.y && !figure.y?.range) y.rangemode = "tozero";
  if (figure.kind === "heat") y.autorange = "reversed";
  if (lying) x.autorange = "reversed";
  const several = figure.series.length > 1 || (figure.capacity !== undefined && figure.capacity !== null);
  const unified = figure.kind !== "scatter" && figure.kind !== "heat";
  return {
    xaxis: lying ? y : x,
    yaxis: lying ? x : y,
    barmode: figure.kind === "stacked" ? "relative" : "group",
    bargap: 0.2,
    hovermode: unified ? (lying ? "y unified" : "x unified") : "closest",
    showlegend: several && figure.kind !== "heat",
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", traceorder: "normal", bgcolor: "rgba(0,0,0,0)", font: { size: 11 } },
    margin: { l: 56, r: 16, t: 8, b: 44 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: theme.font, size: 12, color: theme.text },
    hoverlabel: { bgcolor: theme.surface, bordercolor: theme.line, font: { color: theme.text } },
    shapes: (figure.marks || []).map((mark) => markLine(mark, theme)),
    annotations: (figure.marks || []).map((mark) => markLabel(mark, theme)),
    height: (figure.height || 320) + (several && figure.kind !== "heat" ? legendRoom(figure, width) : 0),
    autosize: true,
    uirevision: `${scales.x} ${scales.y}`, // zoom and hidden series outlive new numbers, not another scale
    dragmode: "zoom",
  };
}

// A mark is a dated event or a target: {x or y, text}.
function markLine(mark, theme) {
  const upright = mark.x !== undefined;
  const across = { type: "line", line: { color: theme.muted, width: 1, dash: "dot" } };
  return upright
    ? { ...across, x0: mark.x, x1: mark.x, yref: "paper", y0: 0, y1: 1 }
    : { ...across, y0: mark.y, y1: mark.y, xref: "paper", x0: 0, x1: 1 };
}

function markLabel(mark, theme) {
  const upright = mark.x !== undefined;
  const place = upright ? { x: mark.x, yref: "paper", y: 1 } : { xref: "paper", x: 1, y: mark.y };
  return { ...place, text: mark.text, showarrow: false, xanchor: "right", yanchor: "bottom", font: { color: theme.muted } };
}
