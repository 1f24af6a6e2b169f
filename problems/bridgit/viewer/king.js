// The king himself, as in the interactor, move for move: Maze (rooms, cheapest ways, currents) and King (his styles).
"use strict";

class Maze {
  static SWEEPS = 3;
  static PULL = 1.6;

  constructor(doors) {
    this.doors = doors;
    this.state = Array(doors.count).fill(UNDECIDED);
    this.ends = doors.betweenRooms;
    this.links = linksOf(doors.rooms, this.ends);
    this.undecided = Array.from({length: doors.count}, (_, door) => door);
    this.slots = this.undecided.slice();
    this.joined = new Groups(doors.rooms);
    this.walled = new Groups(doors.posts);
    this.head = Array.from({length: doors.rooms}, (_, room) => room);
    this.members = this.head.map((room) => [room]);
    this.near = this.links.map((links) => links.map(([, other]) => other));
    this.level = this.head.map((room) => 1 - (room % doors.width) / doors.width - 0.5 / doors.width);
    this.level[doors.entrance] = 1.0;
    this.level[doors.exit] = 0.0;
  }

  fix(door) {
    this.decide(door, FIXED);
    const [one, two] = this.ends[door];
    this.joined.join(one, two);
    this.merge(this.head[one], this.head[two], one, two);
  }

  close(door) {
    this.decide(door, CLOSED);
    this.walled.join(...this.doors.betweenPosts[door]);
    const [one, two] = this.ends[door];
    removeOne(this.near[this.head[one]], two);
    removeOne(this.near[this.head[two]], one);
  }

  decide(door, what) {
    this.state[door] = what;
    const slot = this.slots[door], last = this.undecided.pop();
    if (last !== door) {
      this.undecided[slot] = last;
      this.slots[last] = slot;
    }
  }

  merge(one, two, atOne, atTwo) {
    removeOne(this.near[one], atTwo);
    removeOne(this.near[two], atOne);
    if (one === two) return;
    if (this.members[one].length < this.members[two].length) [one, two] = [two, one];
    for (const room of this.members[two]) {
      this.head[room] = one;
      this.level[room] = this.level[one];
    }
    this.members[one].push(...this.members[two]);
    this.near[one].push(...this.near[two]);
    this.near[two] = [];
    this.members[two] = [];
  }

  crossed() {
    return this.joined.find(this.doors.entrance) === this.joined.find(this.doors.exit);
  }

  cutsOff(door) {
    const [one, two] = this.doors.betweenPosts[door].map((post) => this.walled.find(post));
    const top = this.walled.find(TOP), bottom = this.walled.find(BOTTOM);
    return top !== bottom && ((one === top && two === bottom) || (one === bottom && two === top));
  }

  distances(start, links, free, barred) {
    const cost = Array(links.length).fill(FAR), arrival = Array(links.length).fill(-1);
    cost[start] = 0;
    let now = [[0, start]], later = []; // the two ends of a queue: what costs nothing more is taken last in, first out
    while (now.length || later.length) {
      if (!now.length) [now, later] = [later.reverse(), []];
      const [known, here] = now.pop();
      if (cost[here] < known) continue;
      for (const [door, other] of links[here]) {
        const what = this.state[door];
        if (what === free) {
          if (known < cost[other]) {
            cost[other] = known;
            arrival[other] = door;
            now.push([known, other]);
          }
        } else if (what !== barred && known + 1 < cost[other]) {
          cost[other] = known + 1;
          arrival[other] = door;
          later.push([known + 1, other]);
        }
      }
    }
    return [cost, arrival];
  }

  // [cost of a cheapest way, Map {undecided door on one such way: cost of a cheapest way without it}]
  detours() {
    const {doors, ends, state} = this;
    const [toExit] = this.distances(doors.exit, this.links, FIXED, CLOSED);
    const [cost, arrival] = this.distances(doors.entrance, this.links, FIXED, CLOSED);
    let way = [];
    for (let room = doors.exit; arrival[room] >= 0;) {
      const door = arrival[room];
      room = ends[door][0] + ends[door][1] - room;
      way.push(door);
    }
    way = way.reverse().filter((door) => state[door] === UNDECIDED);
    const branch = this.branches(arrival, new Map(way.map((door, at) => [door, at + 1])));
    const best = way.map(() => FAR), used = new Set(arrival);
    ends.forEach(([one, two], door) => {
      if (state[door] === CLOSED || used.has(door) || branch[one] === branch[two]) return;
      const [near, beyond] = branch[one] < branch[two] ? [one, two] : [two, one];
      const total = cost[near] + (state[door] === UNDECIDED ? 1 : 0) + toExit[beyond];
      for (let at = branch[near]; at < branch[beyond]; at++) best[at] = Math.min(best[at], total);
    });
    return [cost[doors.exit], new Map(way.map((door, at) => [door, best[at]]))];
  }

  branches(arrival, place) {
    const branch = Array(arrival.length).fill(-1);
    branch[this.doors.entrance] = 0;
    for (let start = 0; start < arrival.length; start++) {
      const trail = [];
      let room = start;
      while (branch[room] < 0 && arrival[room] >= 0) {
        trail.push(room);
        const [one, two] = this.ends[arrival[room]];
        room = one + two - room;
      }
      let known = Math.max(branch[room], 0);
      for (const back of trail.reverse()) {
        known = place.get(arrival[back]) ?? known;
        branch[back] = known;
      }
    }
    return branch;
  }

  flow(sweeps) {
    const {level, near, members, doors} = this;
    const entrance = this.head[doors.entrance], exit = this.head[doors.exit];
    for (; sweeps > 0; sweeps--) {
      near.forEach((around, room) => {
        if (!around.length || room === entrance || room === exit) return;
        let total = 0.0;
        for (const other of around) total += level[other];
        const value = level[room] + Maze.PULL * (total / around.length - level[room]);
        for (const other of members[room]) level[other] = value;
      });
    }
  }

  strongest(skip = -1) {
    let best = -1.0, chosen = OPEN_DOOR;
    for (const door of this.undecided) {
      const [one, two] = this.ends[door], current = Math.abs(this.level[one] - this.level[two]);
      if (current > best && door !== skip) [best, chosen] = [current, door];
    }
    return chosen;
  }
}

function removeOne(list, value) {
  list.splice(list.indexOf(value), 1);
}

function firstBest(choices, worth) {
  let best = -Infinity, chosen;
  for (const one of choices) {
    const value = worth(one);
    if (value > best) [best, chosen] = [value, one];
  }
  return chosen;
}

class King {
  static LOOKS = 1200;

  constructor(doors, style, seed) {
    this.doors = doors;
    this.style = style;
    this.draws = new Draws(seed);
    this.maze = new Maze(doors);
    this.forests = new Forests(doors);
    this.links = linksOf(doors.posts, doors.betweenPosts);
    this.mirror = style === "mirror" ? this.draws.below(3) + 1 : 3;
    this.credit = {path: 3, current: 3, mirror: 1, random: 1};
    this.played = null;
    this.cost = 0;
    this.styles = {
      path: () => this.longestDetour(),
      current: () => this.strongest(),
      random: () => this.random(),
      mirror: (last) => this.mirrored(last),
      mixed: (last) => this.mixed(last),
      trap: (last) => this.trap(last),
    };
  }

  sees(door) {
    this.maze.fix(door);
    this.forests.fix(door);
  }

  closes(door) {
    this.maze.close(door);
    this.forests.close(door);
  }

  // [lead, door]: who wins, as `Forests.replies` tells, and what to close. `last`: the contestant's door.
  choice(last) {
    const [lead, winning] = this.forests.replies();
    return lead === 0 ? [0, this.styles[this.style](last)] : [lead, this.shortestWall(winning)];
  }

  shortestWall(winning) {
    const [below] = this.maze.distances(TOP, this.links, CLOSED, FIXED);
    const [above] = this.maze.distances(BOTTOM, this.links, CLOSED, FIXED);
    return firstBest(winning, (door) => {
      const [one, two] = this.doors.betweenPosts[door];
      return -Math.min(below[one] + above[two], below[two] + above[one]);
    });
  }

  longestDetour() {
    const [, detours] = this.maze.detours(), longest = Math.max(...detours.values());
    return this.draws.oneOf([...detours.keys()].filter((door) => detours.get(door) === longest));
  }

  strongest() {
    this.maze.flow(Maze.SWEEPS);
    return this.maze.strongest();
  }

  random() {
    return this.draws.oneOf(this.maze.undecided);
  }

  mirrored(last) {
    if (last === OPEN_DOOR) return this.random();
    let [kind, i, j] = this.doors.places[last];
    if (this.mirror & 1) i = this.doors.height + (kind === "|" ? 1 : 0) - i;
    if (this.mirror & 2) j = this.doors.width + (kind === "|" ? 2 : 1) - j;
    const door = this.doors.numbers.get([kind, i, j].join(" "));
    return this.maze.state[door] === UNDECIDED ? door : this.beside(last);
  }

  beside(last) {
    if (last === OPEN_DOOR) return this.random();
    const around = this.doors.betweenRooms[last].flatMap((room) => this.maze.links[room].map(([door]) => door));
    const free = around.filter((door) => this.maze.state[door] === UNDECIDED);
    return free.length ? this.draws.oneOf(free) : this.random();
  }

  mixed(last) {
    const [cost] = this.maze.detours(), credit = this.credit;
    if (this.played !== null) {
      const change = cost >= this.cost ? 1 : -1;
      credit[this.played] = Math.min(Math.max(credit[this.played] + change, 1), 6);
    }
    const names = Object.keys(credit).sort().flatMap((name) => Array(credit[name]).fill(name));
    this.played = this.draws.oneOf(names);
    this.cost = cost;
    return this.styles[this.played](last);
  }

  trap(last) {
    let styles = [
      () => this.longestDetour(), () => this.strongest(), () => this.random(),
      () => this.mirrored(last), () => this.beside(last), () => this.random(),
    ];
    styles = styles.slice(this.draws.below(2)).slice(0, Math.floor(King.LOOKS / this.doors.count));
    if (styles.length < 2) return styles[0]();
    let best = -1, chosen = OPEN_DOOR;
    for (const style of styles) {
      const door = style(), worth = this.worth(door);
      if (worth > best) [best, chosen] = [worth, door];
    }
    return chosen;
  }

  worth(door) {
    const snapshot = this.forests.snapshot();
    this.forests.close(door);
    const keepers = this.forests.replies()[0] ? this.forests.keepers() : [];
    this.forests.restore(snapshot);
    if (!keepers.length) return 0;
    const [, detours] = this.maze.detours();
    const obvious = new Set([this.maze.strongest(door), firstBest(detours.keys(), (one) => detours.get(one))]);
    obvious.delete(door);
    return 1000 * [...obvious].filter((one) => !keepers.includes(one)).length + this.doors.count - keepers.length;
  }
}
