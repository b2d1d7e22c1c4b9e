// The colours of the page, read from its custom properties, so that charts follow light and dark.

const PROPERTIES = {
  surface: "--surface",
  text: "--text",
  muted: "--text-muted",
  line: "--line",
  accent: "--accent",
  error: "--error",
};

const FALLBACK = {
  surface: "#ffffff",
  text: "#222222",
  muted: "#666666",
  line: "#dddddd",
  accent: "#0072b2",
  error: "#b3261e",
};

// Okabe–Ito, for a page without tokens.
const SCENARIOS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"];

/** What a chart needs to know of the page it stands on: its colours and its font. */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (property) => style.getPropertyValue(property).trim();
  const theme = { font: style.fontFamily, read };
  for (const [name, property] of Object.entries(PROPERTIES)) {
    theme[name] = read(property) || FALLBACK[name];
  }
  return theme;
}

/** The colour of a series: a token name ("scenario-1", "account-idle"), or by its place in the figure. */
export function seriesColour(theme, series, index) {
  const place = index % SCENARIOS.length;
  const token = series.color || `scenario-${place + 1}`;
  return theme.read(`--${token}`) || theme[token] || (CSS.supports("color", token) ? token : SCENARIOS[place]);
}

/** A colour with an opacity, as Plotly wants it; the page resolves names and colour functions. */
export function withOpacity(colour, opacity) {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
}
