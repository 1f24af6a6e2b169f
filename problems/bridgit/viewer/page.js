// The page: what is shown when, and what each button and key does.
"use strict";

const KING_THINKS_MS = 350, REPLAY_STEP_MS = 900;
const element = (id) => document.getElementById(id);

class Page {
  constructor(data) {
    this.language = (location.hash.slice(1) || navigator.language || "en").startsWith("ja") ? "ja" : "en";
    this.board = new BoardView(element("board"), (door) => this.fix(door));
    this.hints = false;
    this.seed = 0;
    this.timer = null;
    this.judged = data.game && Array.isArray(data.game.lines) && data.game.lines.length ? data.game : null;
    this.given = readInput(data.input);
    this.plays = readAnswer(data.answer);
    for (const id of ["rows", "columns"]) {
      for (let side = 1; side <= MOST_SIDE; side++) element(id).append(new Option(side, side));
    }
    this.setUp(this.given ?? {height: 5, width: 4, contestantFirst: true});
    this.listen();
    if (this.judged !== null && this.given !== null) this.replay();
    else this.start();
  }

  get words() { return WORDS[this.language]; }

  setUp({height, width, contestantFirst}) {
    element("rows").value = height;
    element("columns").value = width;
    element("begins").value = contestantFirst ? "First" : "Second";
    element("style").value = this.plays.style;
  }

  listen() {
    const on = (id, act) => element(id).addEventListener("click", act);
    element("setup").addEventListener("submit", (event) => { event.preventDefault(); this.start(); });
    element("setup").addEventListener("change", () => this.forecast());
    element("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    on("hint", () => this.toggleHints());
    on("undo", () => this.undo());
    on("to-start", () => this.go(0));
    on("back", () => this.go(this.at - 1));
    on("forward", () => this.go(this.at + 1));
    on("to-end", () => this.go(this.game.moves.length));
    on("again", () => this.replay());
    on("run", () => this.run());
    on("blunder", () => this.go(this.loss.at + 1));
    for (const button of document.querySelectorAll("[data-language]")) {
      button.addEventListener("click", () => { this.language = button.dataset.language; this.speak(); });
    }
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => this.board.fit());
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const act = {
      h: () => this.toggleHints(), u: () => this.undo(), n: () => this.start(),
      ",": () => this.go(this.at - 1), ".": () => this.go(this.at + 1),
    }[event.key.toLowerCase()];
    if (act) act();
  }

  // A new game by the form; each one has a seed of its own, so that the king differs.
  start() {
    const side = (id) => Number(element(id).value);
    this.begin(new Game(side("rows"), side("columns"), element("begins").value === "First", element("style").value,
      this.plays.seed + this.seed++), false);
    this.kingsTurn();
  }

  // The judged game from its start.
  replay() {
    const {height, width, contestantFirst} = this.given;
    this.begin(new Game(height, width, contestantFirst, this.plays.style, this.plays.seed), true);
    readMoves(this.game, this.judged.lines, this.judged.message);
    this.loss = this.game.blunder(this.game.moves.length);
    this.go(this.game.moves.length);
  }

  begin(game, judged) {
    this.stop();
    this.game = game;
    this.isReplay = judged;
    this.at = 0;
    this.loss = null;
    this.busy = false;
    this.event = null;
    this.board.lay(game.doors);
    this.speak();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.running = false;
    this.busy = false;
  }

  get live() { return !this.isReplay && this.at === this.game.moves.length; }

  get myTurn() { return !this.busy && this.game.mineNext(this.at) && this.game.resultAt(this.at) === null; }

  // The person fixes a door. In the middle of a game, or of a replay, the game goes on from there.
  fix(door) {
    if (!this.myTurn || this.game.stateAt(this.at)[door] !== UNDECIDED) return;
    this.stop();
    this.game.moves.length = this.at;
    this.game.forget();
    this.isReplay = false;
    this.game.fix(door);
    this.at += 1;
    this.loss = this.game.blunder(this.at);
    this.event = ["youFixed", door];
    this.kingsTurn();
  }

  kingsTurn() {
    if (this.game.mineNext(this.at) || this.game.resultAt(this.at) !== null) {
      this.show();
      return;
    }
    this.busy = true;
    this.show();
    this.timer = setTimeout(() => {
      this.busy = false;
      this.game.kingMoves();
      this.at += 1;
      this.event = ["kingClosed", this.game.moves[this.at - 1].door];
      this.show();
      this.board.reveal(this.event[1]);
    }, KING_THINKS_MS);
  }

  // Back to where the person last had a choice.
  undo() {
    this.stop();
    let at = this.at;
    do at -= 1; while (at > 0 && !this.game.mineNext(at));
    if (at < 0 || !this.game.mineNext(at)) return;
    this.game.moves.length = at;
    this.game.forget();
    this.isReplay = false;
    this.at = at;
    this.loss = this.game.blunder(at);
    this.event = null;
    this.show();
  }

  go(at) {
    if (this.busy) return;
    this.stop();
    this.step(at);
  }

  step(at) {
    this.at = Math.min(Math.max(at, 0), this.game.moves.length);
    this.event = null;
    this.show();
    if (this.at > 0) this.board.reveal(this.game.moves[this.at - 1].door);
  }

  run() {
    if (this.running) {
      this.stop();
      this.show();
      return;
    }
    if (this.at === this.game.moves.length) this.at = 0;
    this.running = true;
    const next = () => {
      this.step(this.at + 1);
      if (this.at === this.game.moves.length) {
        this.stop();
        this.show();
      } else this.timer = setTimeout(next, REPLAY_STEP_MS);
    };
    this.show();
    this.timer = setTimeout(next, REPLAY_STEP_MS);
  }

  toggleHints() {
    this.hints = !this.hints;
    this.show();
  }

  // Every fixed word of the page, then what depends on the game.
  speak() {
    document.documentElement.lang = this.language;
    for (const one of document.querySelectorAll("[data-word]")) one.textContent = this.words[one.dataset.word];
    for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", this.words[one.dataset.label]);
    for (const one of document.querySelectorAll("button[data-label]")) one.title = this.words[one.dataset.label];
    for (const one of document.querySelectorAll("[data-language]")) {
      one.setAttribute("aria-pressed", String(one.dataset.language === this.language));
    }
    this.forecast();
    this.show();
  }

  forecast() {
    const [rows, columns] = ["rows", "columns"].map((id) => Number(element(id).value));
    const winnable = rows >= columns + (element("begins").value === "First" ? 1 : 2);
    element("forecast").textContent = winnable ? this.words.canWin : this.words.cannotWin;
  }

  show() {
    const {game, at} = this, result = game.resultAt(at), hints = this.hints && this.myTurn ? game.hintsAt(at) : null;
    const latest = new Set(game.moves.slice(Math.max(at - (at && !game.moves[at - 1].mine ? 2 : 1), 0), at).map(({door}) => door));
    this.board.show({
      state: game.stateAt(at), latest, keeps: new Set(hints?.doors ?? []), decisive: game.decisiveAt(at),
      playable: this.myTurn, words: this.words,
    });
    element("board").classList.toggle("busy", this.busy);
    element("hint-legend").hidden = !this.hints;
    element("hint").setAttribute("aria-pressed", String(this.hints));
    this.showStatus(result, hints);
    this.showSteps();
    this.showMoves();
    this.showReplay();
  }

  showStatus(result, hints) {
    element("status").className = `status ${result ?? ""}`;
    say(element("said"), this.saying(result));
    say(element("judged"), this.judgement(result, hints));
  }

  saying(result) {
    const {words} = this;
    if (result !== null) return words[result];
    if (this.event !== null) return words[this.event[0]](this.quoted(this.event[1]));
    if (!this.live && this.at < this.game.moves.length) return words.viewing(this.numberAt(this.at));
    if (this.isReplay) return words.stops;
    return this.myTurn ? words.yourTurn : words.kingsTurn;
  }

  judgement(result, hints) {
    const {words, loss} = this;
    if (loss !== null && loss.at < this.at && (result !== null || this.hints || this.isReplay)) {
      return words.lostBy(loss.number, this.quoted(loss.door), loss.instead === null ? "" : this.quoted(loss.instead));
    }
    if (hints !== null) {
      if (hints.lead === 2) return words.noneKeeps;
      return hints.all ? words.anyKeeps : words.someKeep(hints.doors.length);
    }
    return this.at === 0 ? (this.game.winnable() ? words.canWin : words.cannotWin) : "";
  }

  // A door's name in a sentence; it is not broken over two lines.
  quoted(door) { return this.words.quoted(this.game.doors.named(door).replaceAll(" ", "\u00a0")); }

  // The number of my move that the move before `at` is, or answers.
  numberAt(at) { return this.game.moves.slice(0, at).filter(({mine}) => mine).length; }

  showSteps() {
    const length = this.game.moves.length, slider = element("slider");
    slider.max = length;
    slider.value = this.at;
    slider.setAttribute("aria-valuetext", `${this.at} / ${length}`);
    slider.hidden = length === 0;
    element("place").textContent = `${this.at} / ${length}`;
    element("to-start").disabled = element("back").disabled = this.busy || this.at === 0;
    element("to-end").disabled = element("forward").disabled = this.busy || this.at === length;
    element("undo").disabled = !this.game.moves.slice(0, this.at).some(({mine}) => mine);
  }

  showMoves() {
    const list = element("moves");
    element("no-moves").hidden = this.game.moves.length > 0;
    list.replaceChildren(...this.game.moves.map((move, place) => this.oneMove(move, place)));
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = Math.max(current.offsetTop - list.offsetTop - list.clientHeight / 2, 0);
  }

  oneMove({door, mine, atS}, place) {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    if (place + 1 === this.at) button.setAttribute("aria-current", "step");
    const who = mine ? `${this.numberAt(place + 1)}. ${this.words.you}` : this.words.king;
    button.append(span("who", who), span("name", this.game.doors.named(door)),
      span("time", Number.isFinite(atS) ? this.words.seconds(atS) : ""));
    if (this.loss !== null && this.loss.at === place && (this.isReplay || this.hints)) {
      button.append(span("note", this.words.losingMove));
    }
    button.className = mine ? "mine" : "his";
    button.addEventListener("click", () => this.go(place + 1));
    item.append(button);
    return item;
  }

  showReplay() {
    element("replay").hidden = this.judged === null || this.given === null;
    if (element("replay").hidden) return;
    const {submission, case: place, verdict, message} = this.judged;
    element("replay-of").textContent = this.words.player(submission, place, verdict ?? "");
    element("replay-why").textContent = this.loss === null ? String(message ?? "").split("\n")[0] : "";
    element("run").textContent = this.running ? this.words.pause : this.words.run;
    element("run").hidden = !this.isReplay;
    element("blunder").hidden = !this.isReplay || this.loss === null;
    element("again").hidden = this.isReplay;
  }
}

// Only what changed is written, so that a screen reader says it once.
function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function span(name, text) {
  const one = document.createElement("span");
  one.className = name;
  one.textContent = text;
  return one;
}

const page = new Page(DATA);
