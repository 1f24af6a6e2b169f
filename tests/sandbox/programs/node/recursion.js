function deep(n) { return n === 0 ? 0 : 1 + deep(n - 1); }
console.log(deep(5000));
