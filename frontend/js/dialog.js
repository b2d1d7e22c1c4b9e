// Dialogs: [data-dialog="id"] opens one, [data-close] and the backdrop close it, Esc does by itself.
// form[data-confirm="Question?"] asks before it is sent; without JavaScript it is sent at once, so a
// destructive form stands on a page of its own where that matters.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  if (opener) {
    document.getElementById(opener.dataset.dialog)?.showModal();
    opener.closest("details.menu")?.removeAttribute("open");
  }
  const dialog = event.target.closest("dialog");
  if (dialog && (event.target === dialog || event.target.closest("[data-close]"))) dialog.close();
});

function ask(question, action) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "confirm-question");
  const text = document.createElement("p");
  text.id = "confirm-question";
  text.textContent = question;
  const form = document.createElement("form");
  form.method = "dialog";
  form.className = "actions";
  for (const [label, value, style] of [["Cancel", "no", "button"], [action, "yes", "button danger"]]) {
    const button = document.createElement("button");
    Object.assign(button, { textContent: label, value, className: style });
    form.append(button);
  }
  dialog.append(text, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.confirm || form.dataset.confirmed) return;
  event.preventDefault();
  const action = event.submitter?.textContent.trim() || "Yes";
  if (await ask(form.dataset.confirm, action)) {
    form.dataset.confirmed = "yes";
    form.requestSubmit(event.submitter);
    delete form.dataset.confirmed;
  }
});
