// Keys for every page: "/" goes to the search or first filter, "?" shows the shortcuts, "g" and a letter
// goes to a section, Esc closes. Nothing fires while someone types.
const typing = (element) => element.closest("input, textarea, select, [contenteditable]") !== null;

function focusSearch() {
  const field = document.querySelector(
    'main input[type="search"], main form.filters input:not([type="hidden"]), main form.filters select',
  );
  field?.focus();
  return Boolean(field);
}

function goTo(letter) {
  const link = document.querySelector(`.nav-list a[data-key="${letter}"]`);
  if (link) location.assign(link.href);
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}

let waitingForSection = false;

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    document.querySelector("details.menu[open] > summary")?.focus();
    closeMenus();
    if (typing(event.target)) event.target.blur();
    return;
  }
  if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (waitingForSection) {
    waitingForSection = false;
    goTo(event.key);
  } else if (event.key === "/") {
    if (focusSearch()) event.preventDefault();
  } else if (event.key === "?") {
    document.getElementById("shortcuts")?.showModal();
  } else if (event.key === "g") {
    waitingForSection = true;
    setTimeout(() => { waitingForSection = false; }, 1500);
  }
});

document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));

// A table that scrolls must be reachable by keyboard.
function makeScrollable() {
  for (const wrap of document.querySelectorAll(".table-wrap")) {
    const scrolls = wrap.scrollWidth > wrap.clientWidth || wrap.scrollHeight > wrap.clientHeight;
    if (scrolls) wrap.tabIndex = 0;
    else wrap.removeAttribute("tabindex");
  }
}
makeScrollable();
addEventListener("resize", makeScrollable);
document.addEventListener("htmx:afterSettle", makeScrollable);

// A filter form applies as soon as a choice changes; typing waits for Enter.
document.addEventListener("change", (event) => {
  const form = event.target.closest("form.filters[data-auto]");
  if (form && event.target.matches("select, input[type=checkbox], input[type=radio]")) form.requestSubmit();
});
