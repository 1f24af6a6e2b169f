console.log(2 * Number(require("fs").readFileSync(0, "utf8")));
