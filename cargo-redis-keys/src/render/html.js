"use strict";
const rows = () => document.querySelectorAll("tbody tr");

// A click on the head of a column sorts its table: texts from the first, numbers from the largest, then the other way round.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), body = head.closest("table").tBodies[0], isNumber = head.classList.contains("number");
    const down = head.ariaSort ? head.ariaSort === "ascending" : isNumber;
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => {
      const cell = row.cells[head.cellIndex], text = cell.dataset.value ?? cell.textContent;
      return isNumber ? Number(text) : text;
    };
    const order = (one, other) => isNumber ? one - other : one < other ? -1 : Number(one > other);
    const sorted = [...body.rows].sort((one, other) => order(value(one), value(other)) * (down ? -1 : 1));
    body.append(...sorted);
  });
}

// The search hides the rows that do not have all of its words.
const search = document.querySelector(".search");
if (search) {
  const input = search.querySelector("input"), found = search.querySelector("output");
  search.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(word => word);
    let count = 0;
    for (const row of rows()) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      count += Number(!row.hidden);
    }
    found.textContent = words.length ? `${count} rows` : "";
  });
}
