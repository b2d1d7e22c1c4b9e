// The upload form: drop a file anywhere on it, see the progress, cancel. Without JavaScript it is a plain form.

const form = document.querySelector("[data-upload]");

function sizeText(bytes) {
  const [size, unit] = bytes >= 1e9 ? [bytes / 1e9, "GB"] : bytes >= 1e6 ? [bytes / 1e6, "MB"] : [bytes / 1e3, "kB"];
  return `${size.toLocaleString("en", { maximumSignificantDigits: 3 })} ${unit}`;
}

function notice(text) {
  const box = form.querySelector("[data-upload-error]");
  box.textContent = text;
  box.hidden = !text;
}

function show(part, visible) {
  form.querySelector(part).hidden = !visible;
}

function finish(request) {
  show("[data-upload-progress]", false);
  let answer = null;
  try {
    answer = JSON.parse(request.responseText);
  } catch {
    notice(`The server answered ${request.status} and said nothing more. Nothing was kept.`);
    return;
  }
  if (answer.url) {
    window.location.assign(answer.url);
    return;
  }
  notice((answer.problems || ["The upload was refused."]).join(" "));
}

function send(file) {
  notice("");
  const limit = Number(form.dataset.limitBytes);
  if (file.size === 0) {
    notice(`${file.name}: the file is empty (0 bytes).`);
    return;
  }
  if (limit && file.size > limit) {
    notice(`${file.name} has ${sizeText(file.size)}; this site takes at most ${sizeText(limit)}. Compress it with gzip, or split it.`);
    return;
  }
  const bar = form.querySelector("progress");
  const words = form.querySelector("[data-upload-words]");
  const body = new FormData(form);
  body.set("file", file);
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRFToken", body.get("csrfmiddlewaretoken"));
  request.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    bar.max = event.total;
    bar.value = event.loaded;
    const whole = event.loaded === event.total;
    words.textContent = whole ? "Looking at the file…" : `${file.name}: ${sizeText(event.loaded)} of ${sizeText(event.total)}`;
  });
  request.addEventListener("load", () => finish(request));
  request.addEventListener("error", () => {
    show("[data-upload-progress]", false);
    notice("The connection was cut while the file was on its way. Nothing was kept; try again.");
  });
  request.addEventListener("abort", () => {
    show("[data-upload-progress]", false);
    notice("Cancelled. Nothing was kept.");
  });
  form.querySelector("[data-upload-cancel]").onclick = () => request.abort();
  bar.removeAttribute("value");
  words.textContent = `${file.name}: ${sizeText(file.size)}`;
  show("[data-upload-progress]", true);
  request.send(body);
}

function start() {
  const input = form.querySelector("input[type=file]");
  const zone = form.querySelector("[data-drop]");
  form.addEventListener("submit", (event) => {
    if (input.files.length === 0) return;
    event.preventDefault();
    send(input.files[0]);
  });
  input.addEventListener("change", () => input.files.length > 0 && send(input.files[0]));
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (event.dataTransfer.files.length > 1) notice("One file at a time; the first was taken.");
    if (file) send(file);
  });
}

if (form) start();
