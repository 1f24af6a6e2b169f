const { Worker, isMainThread, parentPort } = require("worker_threads");
if (isMainThread) new Worker(__filename).on("message", (x) => console.log(x));
else parentPort.postMessage(42);
