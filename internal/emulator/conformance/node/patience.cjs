// A server that keeps notes in blobs by @azure/storage-blob, whose retries wait longer each time and follow no header.
// SLEEP is how long, in ms, the server itself waits before it says that the store failed.
const http = require("node:http");
const { setTimeout: sleep } = require("node:timers/promises");
const { BlobServiceClient } = require("@azure/storage-blob");

const retryOptions = { retryDelayInMs: 600, maxRetryDelayInMs: 1800 }; // of 4 tries: 0, 600 and 1800 ms in between
const container = BlobServiceClient.fromConnectionString(process.env.STORAGE, { retryOptions })
  .getContainerClient("notes");
let made;

async function keep() {
  made ??= container.createIfNotExists();
  await made;
  await container.getBlockBlobClient("milk").upload("Buy milk", 8);
}

http.createServer(async (request, response) => {
  try {
    if (request.url !== "/healthz") await keep();
    response.writeHead(200).end();
  } catch {
    await sleep(Number(process.env.SLEEP ?? 0));
    response.writeHead(503).end();
  }
}).listen(process.env.PORT, "127.0.0.1");
