// Charts over one time axis move together: zooming one zooms all, hovering one points at the same time in all.

import { plotOf } from "./draw.js";

function zoomChange(event) {
  const low = event["xaxis.range[0]"];
  const high = event["xaxis.range[1]"];
  if (low !== undefined && high !== undefined) return { "xaxis.range": [low, high] };
  if (event["xaxis.autorange"]) return { "xaxis.autorange": true };
  return null;
}

/** Link hover and zoom of drawn charts that share their x axis. */
export function linkCharts(elements) {
  const plots = Array.from(elements, plotOf).filter(Boolean);
  let following = false;
  const others = (plot) => plots.filter((other) => other !== plot && other.isConnected);
  for (const plot of plots) {
    plot.on("plotly_relayout", async (event) => {
      const change = zoomChange(event);
      if (following || !change) return;
      following = true;
      await Promise.all(others(plot).map((other) => globalThis.Plotly.relayout(other, change)));
      following = false;
    });
    plot.on("plotly_hover", ({ xvals }) => {
      if (following || !xvals) return;
      following = true;
      for (const other of others(plot)) globalThis.Plotly.Fx.hover(other, { xval: xvals[0] });
      following = false;
    });
    plot.on("plotly_unhover", () => {
      for (const other of others(plot)) globalThis.Plotly.Fx.unhover(other);
    });
  }
}
