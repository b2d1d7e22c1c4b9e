// The numbers behind a figure: as rows, as CSV, and as an HTML table for who cannot see the chart.

import { withUnit } from "./axis.js";

const ROWS_SHOWN = 200;

function sharesX(series) {
  const [first] = series;
  return series.every(({ x }) => x.length === first.x.length && x.every((value, at) => value === first.x[at]));
}

function heatRows(figure) {
  const [series] = figure.series;
  const header = [withUnit(figure.y), withUnit(figure.x), withUnit(figure.z) || series.name];
  const rows = series.y.flatMap((y, row) => series.x.map((x, column) => [y, x, series.z[row][column]]));
  return { header, rows };
}

/** A figure's header (with units) and rows: side by side when all series share their x, else one below another. */
export function figureRows(figure) {
  const capacity = figure.capacity && typeof figure.capacity === "object" ? [{ name: "capacity", ...figure.capacity }] : [];
  const series = [...figure.series, ...capacity].filter(({ x }) => x);
  if (series.length === 0) return { header: [], rows: [] };
  if (figure.kind === "heat") return heatRows(figure);
  const unit = figure.y?.unit ? ` (${figure.y.unit})` : "";
  const horizontal = withUnit(figure.x) || "x";
  if (sharesX(series)) {
    const rows = series[0].x.map((x, at) => [x, ...series.map(({ y }) => y[at])]);
    return { header: [horizontal, ...series.map(({ name }) => `${name}${unit}`)], rows };
  }
  const rows = series.flatMap(({ name, x, y }) => x.map((value, at) => [name, value, y[at]]));
  return { header: ["series", horizontal, withUnit(figure.y) || "y"], rows };
}

// A leading =, +, - or @ in a text would be run as a formula by a spreadsheet.
function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A figure as CSV text. */
export function figureCsv(figure) {
  const { header, rows } = figureRows(figure);
  return [header, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

function cell(kind, value) {
  const made = document.createElement(kind);
  if (typeof value === "number") {
    made.className = "num";
    made.textContent = value.toLocaleString("en", { maximumSignificantDigits: 6 });
  } else {
    made.textContent = value ?? "—";
  }
  return made;
}

function row(kind, values) {
  const made = document.createElement("tr");
  made.append(...values.map((value) => cell(kind, value)));
  return made;
}

/** The figure as an HTML table, its first 200 rows; the CSV has them all. */
export function figureTable(figure) {
  const { header, rows } = figureRows(figure);
  const table = document.createElement("table");
  table.className = "data";
  table.createCaption().textContent =
    rows.length > ROWS_SHOWN ? `First ${ROWS_SHOWN} of ${rows.length} rows; the CSV has all.` : `${rows.length} rows`;
  const head = table.createTHead();
  head.append(row("th", header));
  for (const th of head.querySelectorAll("th")) th.scope = "col";
  const body = table.createTBody();
  body.append(...rows.slice(0, ROWS_SHOWN).map((values) => row("td", values)));
  const wrap = document.createElement("div");
  wrap.className = "table-wrap";
  wrap.tabIndex = 0;
  wrap.setAttribute("role", "region");
  wrap.setAttribute("aria-label", `${figure.title}, table`);
  wrap.append(table);
  return wrap;
}
