// The king's knowledge, as in the interactor (checkers/bridgit/), move for move: Draws, Doors, Forests.
// Names and order of everything that has an order are the same; a test holds the two against each other.
"use strict";

const TOP = 0, BOTTOM = 1, BOTH = 2, SPARE = 3, GONE = 4;
const UNDECIDED = 0, FIXED = 1, CLOSED = 2, OPEN_DOOR = -1, FAR = 1 << 30;

class Draws {
  constructor(seed) {
    this.state = BigInt(seed);
    this.below(1);
  }

  below(count) {
    this.state = (this.state * 6364136223846793005n + 1442695040888963407n) & 0xFFFFFFFFFFFFFFFFn;
    return Number(this.state >> 33n) % count;
  }

  oneOf(choices) {
    return choices[this.below(choices.length)];
  }
}

class Doors {
  constructor(height, width) {
    this.height = height;
    this.width = width;
    this.count = height * (width + 1) + (height - 1) * width;
    this.rooms = height * width + 2;
    this.entrance = this.rooms - 2;
    this.exit = this.rooms - 1;
    this.posts = (height - 1) * (width + 1) + 2;
    this.places = [];
    for (let i = 1; i <= height; i++) for (let j = 1; j <= width + 1; j++) this.places.push(["|", i, j]);
    for (let i = 1; i < height; i++) for (let j = 1; j <= width; j++) this.places.push(["-", i, j]);
    this.numbers = new Map(this.places.map((place, door) => [place.join(" "), door]));
    this.betweenRooms = this.places.map((place) => this.roomsAt(...place));
    this.betweenPosts = this.places.map((place) => this.postsAt(...place));
  }

  roomsAt(kind, i, j) {
    return kind === "-" ? [this.room(i, j), this.room(i + 1, j)] : [this.room(i, j - 1), this.room(i, j)];
  }

  room(i, j) {
    if (j === 0) return this.entrance;
    return j > this.width ? this.exit : (i - 1) * this.width + j - 1;
  }

  postsAt(kind, i, j) {
    return kind === "-" ? [this.post(i, j), this.post(i, j + 1)] : [this.post(i - 1, j), this.post(i, j)];
  }

  post(i, j) {
    if (i === 0) return TOP;
    return i === this.height ? BOTTOM : 2 + (i - 1) * (this.width + 1) + j - 1;
  }

  named(door) {
    return this.places[door].join(" ");
  }
}

class Groups {
  constructor(size) {
    this.above = Array.from({length: size}, (_, one) => one);
  }

  find(one) {
    const above = this.above;
    while (above[one] !== one) one = above[one] = above[above[one]];
    return one;
  }

  join(one, two) {
    one = this.find(one);
    two = this.find(two);
    this.above[one] = two;
    return one !== two;
  }
}

function linksOf(size, ends) {
  const links = Array.from({length: size}, () => []);
  ends.forEach(([one, two], edge) => {
    links[one].push([edge, two]);
    links[two].push([edge, one]);
  });
  return links;
}

class Forests {
  constructor(doors, state = []) {
    this.ends = [...doors.betweenPosts, [TOP, BOTTOM], [TOP, BOTTOM]];
    this.links = linksOf(doors.posts, this.ends);
    this.extra = [doors.count, doors.count + 1];
    this.where = [...Array(doors.count).fill(SPARE), GONE, GONE];
    state.forEach((what, door) => { this.where[door] = [SPARE, GONE, BOTH][what]; });
    this.tight = new Set();
    this.plant(doors.places.map(([, i, j]) => (i + j) & 1));
    this.settle();
  }

  plant(colours) {
    const groups = [new Groups(this.links.length), new Groups(this.links.length)];
    this.where.forEach((home, door) => {
      if (home === BOTH) for (const forest of groups) forest.join(...this.ends[door]);
    });
    colours.forEach((colour, door) => {
      if (this.where[door] === SPARE && groups[colour].join(...this.ends[door])) this.where[door] = colour;
    });
  }

  settle() {
    for (;;) {
      const spare = [];
      this.where.forEach((home, door) => { if (home === SPARE) spare.push(door); });
      const wanted = this.makeRoom(spare);
      if (wanted !== null) {
        this.tight = new Set(wanted.keys());
        this.exact = true;
        return;
      }
    }
  }

  fix(door) {
    const home = this.where[door];
    this.where[door] = GONE;
    if (home === SPARE) this.exact = false;
    else if (this.tight.has(door)) this.settle();
  }

  close(door) {
    const home = this.where[door], dropped = [];
    for (const forest of [0, 1]) {
      if (forest === home) continue;
      const cycle = this.path(forest, ...this.ends[door]);
      if (cycle !== null && cycle.length) dropped.push(cycle.find((edge) => !this.tight.has(edge)) ?? cycle[0]);
    }
    this.where[door] = BOTH;
    for (const edge of dropped) this.where[edge] = SPARE;
    if (!this.exact) {
      this.settle();
      return;
    }
    for (const edge of dropped) {
      if (this.tight.has(edge)) continue;
      for (const other of (this.makeRoom([edge]) ?? new Map()).keys()) this.tight.add(other);
    }
  }

  // [lead, doors] with the king to move: 0 he has lost; 1 one of `doors` must be closed; 2 any door will do.
  replies() {
    const where = this.where, [first, second] = this.extra;
    const apart = [0, 1].filter((forest) => this.path(forest, TOP, BOTTOM) === null);
    if (apart.length === 2) return [0, []];
    try {
      if (apart.length) where[first] = apart[0];
      else {
        const wanted = this.makeRoom([first]);
        if (wanted !== null) return [2, [...wanted.keys()].filter((door) => door !== first)];
      }
      const wanted = this.makeRoom([second]);
      return wanted === null ? [0, []] : [1, this.rejoining(first, wanted)];
    } finally {
      where[first] = where[second] = GONE;
    }
  }

  rejoining(first, wanted) {
    const home = this.where[first];
    this.where[first] = GONE;
    const upper = this.reached(home, TOP);
    return [...wanted.keys()].filter((door) => {
      const [one, two] = this.ends[door];
      return this.where[door] === 1 - home && upper[one] !== upper[two];
    });
  }

  // With the contestant to move and the king threatening: the doors to fix that take the threat away.
  keepers() {
    const where = this.where, [first, second] = this.extra;
    if (!this.exact) this.settle();
    try {
      if (this.makeRoom([first]) !== null) return [];
      const wanted = this.makeRoom([second]) ?? new Map();
      return [...wanted.keys()].filter((door) => !this.extra.includes(door) && !this.tight.has(door));
    } finally {
      where[first] = where[second] = GONE;
    }
  }

  makeRoom(newcomers) {
    const {ends, where} = this, trees = [this.rooted(0), this.rooted(1)];
    const wanted = new Map(newcomers.map((edge) => [edge, -1])), queue = [...newcomers];
    for (const edge of queue) {
      const home = where[edge];
      for (const forest of [0, 1]) {
        if (forest === home) continue;
        const {root, up, via, depth, top} = trees[forest];
        let [one, two] = ends[edge];
        if (root[one] !== root[two]) {
          this.move(edge, forest, wanted);
          return null;
        }
        while (top[one] !== one) one = top[one] = top[top[one]];
        while (top[two] !== two) two = top[two] = top[top[two]];
        while (one !== two) {
          if (depth[one] < depth[two]) [one, two] = [two, one];
          const other = via[one];
          if (!wanted.has(other)) {
            wanted.set(other, edge);
            queue.push(other);
          }
          one = top[one] = up[one];
          while (top[one] !== one) one = top[one] = top[top[one]];
        }
      }
    }
    for (const edge of newcomers) wanted.delete(edge);
    return wanted;
  }

  move(edge, forest, wanted) {
    while (edge >= 0) {
      const left = this.where[edge];
      this.where[edge] = forest;
      [edge, forest] = [wanted.get(edge), left];
    }
  }

  rooted(forest) {
    const {where, links} = this, size = links.length;
    const root = Array(size).fill(-1), up = Array(size).fill(-1), via = Array(size).fill(-1);
    const depth = Array(size).fill(0), top = Array.from({length: size}, (_, one) => one);
    for (let start = 0; start < size; start++) {
      if (root[start] >= 0) continue;
      root[start] = start;
      const order = [start];
      for (const post of order) {
        for (const [edge, other] of links[post]) {
          const home = where[edge];
          if (root[other] >= 0 || (home !== forest && home !== BOTH)) continue;
          root[other] = start;
          up[other] = post;
          via[other] = edge;
          depth[other] = depth[post] + 1;
          if (home === BOTH) top[other] = top[post];
          order.push(other);
        }
      }
    }
    return {root, up, via, depth, top};
  }

  path(forest, start, end) {
    const {where, links} = this, came = new Map([[start, null]]), order = [start];
    for (const post of order) {
      if (post === end) break;
      for (const [edge, other] of links[post]) {
        if ((where[edge] === forest || where[edge] === BOTH) && !came.has(other)) {
          came.set(other, [edge, post]);
          order.push(other);
        }
      }
    }
    if (!came.has(end)) return null;
    const path = [];
    for (let step = came.get(end); step !== null; step = came.get(step[1])) {
      if (where[step[0]] !== BOTH) path.push(step[0]);
    }
    return path;
  }

  reached(forest, start) {
    const {where, links} = this, reached = Array(links.length).fill(false), order = [start];
    reached[start] = true;
    for (const post of order) {
      for (const [edge, other] of links[post]) {
        if ((where[edge] === forest || where[edge] === BOTH) && !reached[other]) {
          reached[other] = true;
          order.push(other);
        }
      }
    }
    return reached;
  }

  snapshot() {
    return [this.where.slice(), new Set(this.tight), this.exact];
  }

  restore([where, tight, exact]) {
    where.forEach((home, edge) => { this.where[edge] = home; });
    this.tight = new Set(tight);
    this.exact = exact;
  }
}
