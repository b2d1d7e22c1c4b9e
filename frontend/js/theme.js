// Light, dark or as the system. Loaded in <head> and run before the first paint, so nothing flashes.
// Charts redraw on the document's "themechange" event.
(function () {
  const root = document.documentElement;
  const stored = () => localStorage.getItem("theme") || "system";
  const tell = () => document.dispatchEvent(new CustomEvent("themechange"));

  function apply(theme) {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of document.querySelectorAll("[data-set-theme]")) {
      button.setAttribute("aria-pressed", String(button.dataset.setTheme === theme));
    }
  }

  apply(stored());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  addEventListener("storage", (event) => {
    if (event.key !== "theme") return;
    apply(stored());
    tell();
  });
  document.addEventListener("DOMContentLoaded", () => apply(stored()));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-set-theme]");
    if (!button) return;
    localStorage.setItem("theme", button.dataset.setTheme);
    apply(button.dataset.setTheme);
    tell();
  });
})();
