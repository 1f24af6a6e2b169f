// The board as a picture that can be played on: every door is a button, its place a diamond.
"use strict";

class BoardView {
  static CELL = 48;
  static SIDE = 40;
  static HEAD = 30;

  // `chosen(door)` is called when a door is clicked, tapped, or fixed by key.
  constructor(svg, chosen) {
    this.svg = svg;
    this.chosen = chosen;
    this.doors = null;
    this.cursor = 0;
    const frame = svg.parentElement; // an SVG element that listens for focus would itself be a stop of the Tab key
    frame.addEventListener("click", (event) => {
      const door = this.doorOf(event.target);
      if (door !== null) {
        this.point(door, false);
        chosen(door);
      }
    });
    frame.addEventListener("keydown", (event) => this.key(event));
    frame.addEventListener("focusin", (event) => {
      const door = this.doorOf(event.target);
      if (door !== null) this.point(door, false);
    });
  }

  doorOf(target) {
    const group = target.closest(".door");
    return group === null ? null : Number(group.dataset.door);
  }

  // The lines of the grid: x of the doors `| i j`, y of the upper end of row i.
  x(j) { return BoardView.SIDE + (j - 1) * BoardView.CELL; }
  y(i) { return BoardView.HEAD + (i - 1) * BoardView.CELL; }

  lay(doors) {
    this.doors = doors;
    const {height, width} = doors, cell = BoardView.CELL;
    const wide = 2 * BoardView.SIDE + width * cell, high = BoardView.HEAD + height * cell + 8;
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.svg.replaceChildren(...this.ground(wide), ...this.allDoors(), ...this.posts());
    this.cursor = 0;
    this.fit();
  }

  // As large as there is room for, but no door too small for a finger or a mouse; then the board scrolls.
  fit() {
    const {height, width} = this.doors, room = this.svg.parentElement.clientWidth;
    const wide = 2 * BoardView.SIDE + width * BoardView.CELL, high = BoardView.HEAD + height * BoardView.CELL + 8;
    const tall = Math.max(window.innerHeight - 300, 320), least = matchMedia("(pointer: fine)").matches ? 26 : 40;
    const scale = Math.min(Math.max(Math.min(room / wide, tall / high), least / BoardView.CELL), 2);
    this.svg.style.setProperty("--label", `${Math.min(14 / scale, 15)}px`);
    this.svg.setAttribute("width", Math.round(wide * scale));
    this.svg.setAttribute("height", Math.round(high * scale));
  }

  ground(wide) {
    const {height, width} = this.doors, cell = BoardView.CELL, left = this.x(1), top = this.y(1), right = this.x(width + 1);
    const bottom = this.y(height + 1), parts = [
      shape("rect", {class: "outside", x: 4, y: top, width: wide - 8, height: bottom - top, rx: 10}),
    ];
    for (let i = 1; i <= height; i++) {
      for (let j = 1; j <= width; j++) {
        parts.push(shape("rect", {class: "room", x: this.x(j) + 3, y: this.y(i) + 3, width: cell - 6, height: cell - 6, rx: 6}));
      }
    }
    this.entrance = shape("text", {class: "label", x: 4, y: top - 11});
    this.exit = shape("text", {class: "label", x: wide - 4, y: top - 11, "text-anchor": "end"});
    return [...parts, this.entrance, this.exit,
      shape("path", {class: "rim", d: `M${left} ${top}H${right}M${left} ${bottom}H${right}`})];
  }

  posts() {
    const {height, width} = this.doors, parts = [];
    for (let i = 2; i <= height; i++) {
      for (let j = 1; j <= width + 1; j++) parts.push(shape("circle", {class: "post", cx: this.x(j), cy: this.y(i), r: 4}));
    }
    return parts;
  }

  allDoors() {
    this.groups = this.doors.places.map((place, door) => this.oneDoor(place, door));
    const order = this.groups.map((group, door) => [this.lattice(door), group]);
    order.sort(([a], [b]) => a[1] - b[1] || a[0] - b[0]);
    return order.map(([, group]) => group); // read row by row
  }

  oneDoor([kind, i, j], door) {
    const cell = BoardView.CELL, half = cell / 2, upright = kind === "|";
    const cx = this.x(j) + (upright ? 0 : half), cy = this.y(i) + (upright ? half : cell);
    const along = upright ? `M${cx} ${cy - half + 8}v${cell - 16}` : `M${cx - half + 8} ${cy}h${cell - 16}`;
    const across = upright ? `M${cx - half} ${cy}h${cell}` : `M${cx} ${cy - half}v${cell}`;
    const group = shape("g", {class: "door", "data-door": door, role: "button", tabindex: -1});
    group.append(
      shape("path", {class: "hit", d: `M${cx} ${cy - half}l${half} ${half}l${-half} ${half}l${-half} ${-half}z`}),
      shape("path", {class: "wall undecided", d: along}), shape("path", {class: "wall closed", d: along}),
      shape("path", {class: "way", d: across}), shape("circle", {class: "dot", cx, cy, r: 5.5}),
    );
    return group;
  }

  // Doors lie on the odd points of a grid of half rooms; arrow keys go along it.
  lattice(door) {
    const [kind, i, j] = this.doors.places[door];
    return kind === "|" ? [2 * j - 2, 2 * i - 1] : [2 * j - 1, 2 * i];
  }

  doorAt(x, y) {
    const name = y % 2 ? `| ${(y + 1) / 2} ${x / 2 + 1}` : `- ${y / 2} ${(x + 1) / 2}`;
    return this.doors.numbers.get(name);
  }

  key(event) {
    const door = this.doorOf(event.target);
    if (door === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.chosen(door);
      return;
    }
    const next = this.neighbour(door, event.key);
    if (next === undefined) return;
    event.preventDefault();
    this.point(next, true);
  }

  neighbour(door, key) {
    const [x, y] = this.lattice(door), last = 2 * this.doors.width - (y % 2 ? 0 : 1);
    switch (key) {
      case "ArrowLeft": return this.doorAt(x - 2, y);
      case "ArrowRight": return this.doorAt(x + 2, y);
      case "ArrowUp": return this.doorAt(x + (y % 2 ? 1 : -1), y - 1) ?? this.doorAt(x - 1, y - 1);
      case "ArrowDown": return this.doorAt(x + (y % 2 ? 1 : -1), y + 1) ?? this.doorAt(x - 1, y + 1);
      case "Home": return this.doorAt(y % 2 ? 0 : 1, y);
      case "End": return this.doorAt(last, y);
      default: return undefined;
    }
  }

  // The one door that the Tab key comes to.
  point(door, focus) {
    this.groups[this.cursor].setAttribute("tabindex", -1);
    this.cursor = door;
    this.groups[door].setAttribute("tabindex", 0);
    if (focus) this.groups[door].focus();
  }

  // Bring a door into sight, by the board's own scroll bars only.
  reveal(door) {
    const frame = this.svg.parentElement, view = frame.getBoundingClientRect();
    const box = this.groups[door].getBoundingClientRect(), rim = 24;
    frame.scrollLeft += Math.min(box.left - rim - view.left, 0) + Math.max(box.right + rim - view.right, 0);
    frame.scrollTop += Math.min(box.top - rim - view.top, 0) + Math.max(box.bottom + rim - view.bottom, 0);
  }

  // state: per door; latest, keeps, decisive: sets of doors; playable: whether it is the person's turn.
  show({state, latest, keeps, decisive, playable, words}) {
    this.entrance.textContent = words.entrance;
    this.exit.textContent = words.exit;
    this.svg.setAttribute("aria-label", words.boardLabel(this.doors.height, this.doors.width));
    this.groups.forEach((group, door) => {
      const open = state[door] === UNDECIDED, marks = ["door", ["open", "fixed", "closed"][state[door]]];
      for (const [name, set] of Object.entries({latest, keeps, decisive})) if (set.has(door)) marks.push(name);
      const word = [words.undecided, words.fixed, words.closed][state[door]];
      const label = [this.spoken(door, words), word, ...(keeps.has(door) ? [words.keeps] : [])].join(", ");
      if (group.getAttribute("class") !== marks.join(" ")) group.setAttribute("class", marks.join(" "));
      if (group.getAttribute("aria-label") !== label) group.setAttribute("aria-label", label);
      group.setAttribute("aria-disabled", String(!(open && playable)));
    });
    this.point(this.cursor, false);
  }

  spoken(door, words) {
    const [kind, i, j] = this.doors.places[door];
    return kind === "|" ? words.upright(i, j, this.doors.width + 1) : words.flat(i, j);
  }
}

function shape(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
