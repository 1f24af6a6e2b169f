const submissionOf = (id) => id && document.getElementById(id);

function open(id) {
  const details = submissionOf(id);
  if (details instanceof HTMLDetailsElement) details.open = true;
}

addEventListener("hashchange", () => open(location.hash.slice(1)));
open(location.hash.slice(1));
for (const link of document.querySelectorAll(".matrix .name a")) {
  link.addEventListener("click", () => open(link.hash.slice(1)));
}

for (const hint of document.querySelectorAll(".filters, .keys, .steps")) hint.hidden = false;

const search = document.querySelector(".filters input");
let verdict = "";

function filter() {
  const text = search.value.trim().toLowerCase();
  for (const shown of document.querySelectorAll("main [data-verdict]:not(button)")) {
    const name = shown.querySelector("th, h3").textContent.toLowerCase();
    shown.hidden = (verdict !== "" && shown.dataset.verdict !== verdict) || !name.includes(text);
  }
}

search.addEventListener("input", filter);
const filters = [...document.querySelectorAll(".filters button")];
for (const button of filters) {
  button.addEventListener("click", () => {
    for (const other of filters) other.setAttribute("aria-pressed", String(other === button));
    verdict = button.dataset.verdict;
    filter();
  });
}

for (const head of document.querySelectorAll('.matrix thead th[scope="col"]')) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = "sort";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => sort(head));
}

function sort(head) {
  const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const text = (row) => row.cells[head.cellIndex].textContent.trim();
  const body = head.closest("table").tBodies[0];
  const rows = [...body.rows].sort((a, b) => text(a).localeCompare(text(b), "en", { numeric: true }));
  body.append(...(order === "ascending" ? rows : rows.reverse()));
}

for (const table of document.querySelectorAll(".matrix")) {
  const first = table.querySelector("tbody td");
  if (first) first.tabIndex = 0;
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("th, td");
    if (!cell || event.target.closest("a")) return;
    if (event.key === "Enter") {
      cell.parentElement.querySelector("a").click();
      return;
    }
    const next = neighbour(cell, event.key);
    if (!next) return;
    event.preventDefault();
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td.cell");
    if (cell) cell.parentElement.querySelector("a").click();
  });
}

function neighbour(cell, key) {
  const row = cell.parentElement;
  if (key === "ArrowRight") return cell.nextElementSibling;
  if (key === "ArrowLeft") return cell.previousElementSibling?.matches("td") ? cell.previousElementSibling : null;
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[key];
  let other = step && row[step];
  while (other && other.hidden) other = other[step];
  return other ? other.cells[cell.cellIndex] ?? null : null;
}

for (const game of document.querySelectorAll(".game")) {
  const range = game.querySelector("input");
  const moves = [...game.querySelectorAll(".moves li")];
  const show = () => {
    const shown = Number(range.value);
    moves.forEach((move, place) => { move.hidden = place >= shown; });
    game.querySelector("output").textContent = `${shown} of ${moves.length} moves`;
    moves[shown - 1]?.scrollIntoView({ block: "nearest" });
  };
  range.addEventListener("input", show);
  for (const button of game.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      range.value = String(Number(range.value) + Number(button.dataset.step));
      show();
    });
  }
  game.querySelector("output").textContent = `${moves.length} of ${moves.length} moves`;
}
