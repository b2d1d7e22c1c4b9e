// The one chart module of every page. A page draws a *figure*, a plain value that a server can write as JSON:
//
//   kind         lines | steps | areas (stacked lines) | bars | stacked | scatter | heat
//   title        the chart's title; ``note`` is a sentence under it
//   x, y, z      {title, unit, type: linear|log|date|category, range, ticks, ticktext}; z for heat
//   series       [{name, x, y, color, dash, fill, text}]; color is a token: "scenario-1", "account-idle"
//                lines: low, high draw a band; bars: error, hatched; scatter: symbol, x_error, y_error; heat: z
//   capacity     a number, or {x, y}: the dashed line
//   orientation  "h" lays bars on their side (x stays the category axis)
//   logToggle    "x" | "y": a switch between log and linear
//   marks        [{x | y, text}]: dated events and targets
//   height       pixels, default 320

export { drawAll } from "./auto.js";
export { drawChart } from "./draw.js";
export { linkCharts } from "./link.js";
export { figureCsv } from "./table.js";
