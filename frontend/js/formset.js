// Adds and removes the rows of a Django formset: [data-formset="prefix"] holds [data-rows], a <template>
// with "__prefix__" in its names, and a hidden [data-add] button. Without this module the page's one extra
// row adds, and a tick box removes.
for (const section of document.querySelectorAll("[data-formset]")) {
  const rows = section.querySelector("[data-rows]");
  const template = section.querySelector("template");
  const add = section.querySelector("[data-add]");
  const total = section.querySelector(`[name="${section.dataset.formset}-TOTAL_FORMS"]`);

  function setRemoved(row, box, removed) {
    box.checked = removed;
    row.classList.toggle("removed", removed);
    row.querySelector("[data-remove]").textContent = removed ? "Keep it" : "Remove";
  }

  function prepare(row) {
    const box = row.querySelector('input[type="checkbox"][name$="-DELETE"]');
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.dataset.remove = "";
    box.closest("label").hidden = true;
    box.closest("label").after(button);
    button.addEventListener("click", () => setRemoved(row, box, !box.checked));
    setRemoved(row, box, box.checked);
  }

  add.hidden = false;
  add.addEventListener("click", () => {
    const holder = document.createElement("template");
    holder.innerHTML = template.innerHTML.replaceAll("__prefix__", total.value);
    const row = holder.content.querySelector("[data-row]");
    rows.append(row);
    total.value = Number(total.value) + 1;
    prepare(row);
    row.querySelector("input:not([type=hidden]), select").focus();
  });

  for (const row of rows.querySelectorAll("[data-row]")) prepare(row);

  // The spare row for browsers without scripts goes, where there is another.
  const last = rows.querySelector("[data-row]:last-child");
  const spare = last && !last.querySelector(".field-error") && !last.querySelector('[name$="-name"]').value;
  if (spare && rows.children.length > 1) {
    last.remove();
    total.value = Number(total.value) - 1;
  }
}
