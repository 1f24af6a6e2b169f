// A game: its moves, who has won, which move lost it; and how one is read from a judged game.
"use strict";

class Game {
  constructor(height, width, contestantFirst, style, seed) {
    this.doors = new Doors(height, width);
    this.contestantFirst = contestantFirst;
    this.style = style;
    this.seed = seed;
    this.moves = []; // {door, mine, atS?}
    this.forget();
  }

  forget() {
    this.king = new King(this.doors, this.style, this.seed);
    this.made = 0;
  }

  // The king's knowledge after `count` moves.
  kingAt(count) {
    if (count < this.made) this.forget();
    for (; this.made < count; this.made++) {
      const {door, mine} = this.moves[this.made];
      if (mine) this.king.sees(door);
      else this.king.closes(door);
    }
    return this.king;
  }

  mineNext(count) {
    return (count % 2 === 0) === this.contestantFirst;
  }

  stateAt(count) {
    const state = Array(this.doors.count).fill(UNDECIDED);
    for (const {door, mine} of this.moves.slice(0, count)) state[door] = mine ? FIXED : CLOSED;
    return state;
  }

  // "won", "lost" or null, after `count` moves.
  resultAt(count) {
    const state = this.stateAt(count), {doors} = this, fixed = new Groups(doors.rooms), passable = new Groups(doors.rooms);
    doors.betweenRooms.forEach(([one, two], door) => {
      if (state[door] === FIXED) fixed.join(one, two);
      if (state[door] !== CLOSED) passable.join(one, two);
    });
    if (fixed.find(doors.entrance) === fixed.find(doors.exit)) return "won";
    return passable.find(doors.entrance) === passable.find(doors.exit) ? null : "lost";
  }

  // The doors of a shortest fixed way, or of a shortest wall: what decided the game.
  decisiveAt(count) {
    const result = this.resultAt(count), {doors} = this, state = this.stateAt(count);
    if (result === null) return new Set();
    const won = result === "won", what = won ? FIXED : CLOSED;
    const links = won ? linksOf(doors.rooms, doors.betweenRooms) : linksOf(doors.posts, doors.betweenPosts);
    const [start, end] = won ? [doors.entrance, doors.exit] : [TOP, BOTTOM];
    const came = new Map([[start, null]]), order = [start], way = new Set();
    for (const here of order) {
      for (const [door, other] of links[here]) {
        if (state[door] === what && !came.has(other)) {
          came.set(other, [door, here]);
          order.push(other);
        }
      }
    }
    for (let step = came.get(end); step; step = came.get(step[1])) way.add(step[0]);
    return way;
  }

  fix(door) {
    this.moves.push({door, mine: true});
  }

  kingMoves() {
    const count = this.moves.length, last = count ? this.moves[count - 1].door : OPEN_DOOR;
    const [, door] = this.kingAt(count).choice(last);
    this.moves.push({door, mine: false});
  }

  // With the person to move: {lead, doors, all}: `doors` keep the win, maybe `all` of those that are left.
  hintsAt(count) {
    const {forests} = this.kingAt(count), [lead] = forests.replies();
    const state = this.stateAt(count);
    const open = this.doors.places.map((_, door) => door).filter((door) => state[door] === UNDECIDED);
    const doors = lead === 0 ? open : lead === 1 ? forests.keepers() : [];
    return {lead, doors, all: doors.length === open.length};
  }

  // The first of my moves among the first `count` after which the king can win: {at, number, door, instead}, or null.
  blunder(count) {
    if (!this.winnable()) return null;
    let mine = 0;
    for (let at = 0; at < count; at++) {
      if (!this.moves[at].mine) continue;
      mine += 1;
      const ended = this.resultAt(at + 1) === "won";
      if (!ended && this.kingAt(at + 1).forests.replies()[0] > 0) {
        const keepers = new Forests(this.doors, this.stateAt(at)).keepers();
        return {at, number: mine, door: this.moves[at].door, instead: keepers.length ? keepers[0] : null};
      }
    }
    return null;
  }

  winnable() {
    return this.doors.height >= this.doors.width + (this.contestantFirst ? 1 : 2);
  }
}

const MOST_SIDE = Number("{{max_side}}");

// {height, width, contestantFirst} of an input, or null.
function readInput(text) {
  const found = /^([1-9][0-9]?) ([1-9][0-9]?) (First|Second)\s*$/.exec(text ?? "");
  if (found === null || Number(found[1]) > MOST_SIDE || Number(found[2]) > MOST_SIDE) return null;
  return {height: Number(found[1]), width: Number(found[2]), contestantFirst: found[3] === "First"};
}

// {style, seed} of an answer file.
function readAnswer(text) {
  const found = /^Yes (path|current|random|mirror|mixed|trap) ([0-9]{1,13})\s*$/.exec(text ?? "");
  return found === null ? {style: "mixed", seed: 0} : {style: found[1], seed: Number(found[2])};
}

// The moves of a judged game in the order of play, as far as they are legal; what the programs said is not believed.
function readMoves(game, lines, message) {
  const said = lines.filter((line) => line.by === "submission").slice(1);
  const heard = lines.filter((line) => line.by === "interactor").slice(1);
  for (;;) {
    const mine = game.mineNext(game.moves.length), line = (mine ? said : heard).shift();
    const move = line === undefined ? null : legalDoor(game, String(line.text));
    if (move === null) break;
    game.moves.push({door: move, mine, atS: Number(line.at_s)});
    if (game.resultAt(game.moves.length) !== null) return;
  }
  const closing = /the king closes `([|-] [0-9]+ [0-9]+)`/.exec(message ?? "");
  if (closing !== null && !game.mineNext(game.moves.length)) {
    const door = legalDoor(game, closing[1]); // the door that ended the game is never said
    if (door !== null) game.moves.push({door, mine: false});
  }
}

function legalDoor(game, text) {
  const name = text.trim().split(/[ \t]+/).join(" "), door = game.doors.numbers.get(name);
  return door === undefined || game.stateAt(game.moves.length)[door] !== UNDECIDED ? null : door;
}
