// The row under a chart: scale switch, table, CSV, PNG, SVG.

import { layout } from "./axis.js";
import { traces } from "./series.js";
import { figureCsv, figureTable } from "./table.js";
import { readTheme } from "./theme.js";

const EXPORT_WIDTH = 1000;

const fileName = (figure, ending) =>
  `${figure.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "chart"}.${ending}`;

function save(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

function saveText(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// The exported picture carries its title and a solid ground, which the page's chart takes from the page.
async function savePicture(chart, format) {
  const { figure, scales, plot } = chart;
  const theme = readTheme(plot);
  const frame = layout(figure, theme, scales, EXPORT_WIDTH);
  const titled = {
    ...frame,
    title: { text: figure.title, x: 0.01, xanchor: "left", y: 0.97, yanchor: "top", font: { size: 15 } },
    margin: { ...frame.margin, t: 72 },
    paper_bgcolor: theme.surface,
    plot_bgcolor: theme.surface,
  };
  const size = { width: EXPORT_WIDTH, height: Math.max(520, frame.height + 200), scale: format === "png" ? 2 : 1 };
  const picture = { data: traces(figure, theme), layout: titled };
  save(await globalThis.Plotly.toImage(picture, { format, ...size }), fileName(figure, format));
}

function button(text, label, onClick) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button small";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", onClick);
  return made;
}

function scaleButton(chart, axis) {
  const switchScale = () => {
    chart.scales[axis] = !chart.scales[axis];
    show();
    chart.redraw();
  };
  const made = button("Log scale", `Log scale: ${chart.figure.title}`, switchScale);
  const show = () => made.setAttribute("aria-pressed", String(chart.scales[axis]));
  show();
  return made;
}

function tableButton(chart) {
  const made = button("Table", `Table: ${chart.figure.title}`, () => {
    if (chart.table) {
      chart.table.remove();
      chart.table = null;
    } else {
      chart.showTable();
    }
    made.setAttribute("aria-expanded", String(chart.table !== null));
  });
  chart.showTable = () => {
    const table = figureTable(chart.figure);
    if (chart.table) chart.table.replaceWith(table);
    else chart.element.append(table);
    chart.table = table;
  };
  made.setAttribute("aria-expanded", "false");
  return made;
}

/** The buttons of one chart; they always act on the figure that it shows now. */
export function toolbar(chart) {
  const { title, logToggle } = chart.figure;
  const saveCsv = () => saveText(figureCsv(chart.figure), fileName(chart.figure, "csv"), "text/csv");
  const bar = document.createElement("div");
  bar.className = "chart-tools";
  if (logToggle) bar.append(scaleButton(chart, logToggle));
  bar.append(
    tableButton(chart),
    button("CSV", `Download CSV: ${title}`, saveCsv),
    button("PNG", `Download PNG: ${title}`, () => savePicture(chart, "png")),
    button("SVG", `Download SVG: ${title}`, () => savePicture(chart, "svg")),
  );
  return bar;
}
