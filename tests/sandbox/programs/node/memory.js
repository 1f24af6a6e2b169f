const data = Buffer.alloc(100 << 20, 1);
console.log(data[12345]);
