// The compare page: choices apply as they are made; what was zoomed, opened or scrolled stays when the page
// fills in. Without this module the form has its button and every link works.

const choices = () => document.getElementById("choices");

/** The chosen form as the shortest URL: defaults and empty values are left out, scenarios joined by commas. */
function chosenUrl(form) {
  const data = new FormData(form);
  const defaults = { baseline: "0", metric: "share_within_target", by: "size" };
  const query = new URLSearchParams();
  for (const name of new Set(data.keys())) {
    const value = data.getAll(name).join(",");
    if (value && value !== defaults[name]) query.set(name, value);
  }
  // Scenarios that nobody ticked or unticked stay as the address has them, chosen or by default.
  const boxes = [...form.querySelectorAll('[name="show"]')];
  if (boxes.every((box) => box.checked === box.defaultChecked)) {
    const shown = new URLSearchParams(location.search).get("show");
    if (shown) query.set("show", shown);
    else query.delete("show");
  }
  const text = query.toString();
  return text ? `?${text}` : location.pathname;
}

function apply(form) {
  location.assign(chosenUrl(form));
}

document.addEventListener("change", (event) => {
  const form = choices();
  if (form?.contains(event.target) && event.target.name !== "show") apply(form);
});

document.addEventListener("submit", (event) => {
  if (event.target !== choices()) return;
  event.preventDefault();
  apply(event.target);
});

// Choosing scenarios: the page follows when the menu closes, so that several can be ticked in a row.
document.addEventListener("toggle", (event) => {
  const form = choices();
  if (!form?.contains(event.target) || event.target.open) return;
  const before = new URLSearchParams(location.search).get("show") ?? "";
  const after = new URLSearchParams(chosenUrl(form)).get("show") ?? "";
  if (before !== after) apply(form);
}, true);

// While results arrive the page is replaced every second; a person who is using the choices is left alone.
document.addEventListener("htmx:beforeRequest", (event) => {
  const busy = choices()?.contains(document.activeElement) || document.querySelector("#comparison details[open]");
  if (event.target.closest("#comparison") && busy) event.preventDefault();
});
