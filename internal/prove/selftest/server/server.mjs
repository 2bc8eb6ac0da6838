// The server of storespec selftest for Node 20 or later, without any package: the same words as behavior.go, as far as
// a runtime matters. node server.mjs untraced late=60ms
import { AsyncLocalStorage } from "node:async_hooks";
import cluster from "node:cluster";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const milliseconds = (text) => (text.endsWith("ms") ? parseFloat(text) : 1000 * parseFloat(text));
const words = new Map(process.argv.slice(2).map((word) => word.split("=")));
const is = (word) => words.has(word);
const time = (word) => (is(word) ? milliseconds(words.get(word)) : 0);

const parts = Object.fromEntries(process.env.STORAGE_CONNECTION.split(";").map((part) => part.split(/=(.*)/s)));
const traces = new AsyncLocalStorage(); // the traceparent of the request that is being answered

// A call of the table service ("Authorize with Shared Key", Shared Key Lite).
function call(method, path, body) {
  const url = new URL(parts.TableEndpoint.replace(/\/$/, "") + path);
  const date = new Date().toUTCString();
  const signature = createHmac("sha256", Buffer.from(parts.AccountKey, "base64"))
    .update(`${date}\n/${parts.AccountName}${url.pathname}`)
    .digest("base64");
  const headers = {
    "x-ms-date": date,
    "x-ms-version": "2019-02-02",
    accept: "application/json;odata=nometadata",
    "content-type": "application/json",
    authorization: `SharedKeyLite ${parts.AccountName}:${signature}`,
  };
  const traceparent = traces.getStore();
  if (traceparent && !is("untraced")) headers.traceparent = traceparent;
  return fetch(url, { method, headers, body: body && JSON.stringify(body) });
}

const row = (table, partition, key) =>
  `/${table}(PartitionKey='${encodeURIComponent(partition)}',RowKey='${encodeURIComponent(key)}')`;
const later = (delay, work) => void sleep(delay).then(work).catch(() => {}); // nothing waits for it

async function put(request, response, owner, name) {
  const { text } = JSON.parse(await new Response(request).text());
  const log = () => call("PUT", row("Log", owner, name), { text });
  await prepare();
  await call("PUT", row("Items", owner, name), { text });
  if (!is("late")) await log();
  if (is("drops")) return request.socket.destroy();
  for (const word of ["late", "over"]) if (is(word)) later(time(word), log);
  response.end();
}

async function get(response, owner, name) {
  await prepare();
  const found = await call("GET", row("Items", owner, name));
  const body = await found.text();
  response.setHeader("Content-Type", "application/json");
  response.statusCode = found.status;
  if (is("fails")) {
    response.statusCode = 500;
    return response.end('{"error":"internal","detail":"out of cheese"}');
  }
  response.end(found.status === 200 ? body : "{}");
}

const prepare = async () => is("peeks") && (await call("GET", row("Jobs", "jobs", "next")));

async function answer(request, response) {
  const [, items, name] = request.url.split("/");
  if (request.url === "/healthz") return response.end();
  if (items !== "items") return response.writeHead(404).end();
  const owner = request.headers["x-user"] ?? "";
  if (request.method === "PUT") await put(request, response, owner, name);
  else await get(response, owner, name);
  if (is("prints-late")) later(time("prints-late"), () => console.log("answered", request.method, name));
}

async function main() {
  for (const table of ["Items", "Log", "Jobs"]) await call("POST", "/Tables", { TableName: table }); // or it is there
  if (is("polls")) setInterval(() => call("GET", row("Jobs", "jobs", "next")).catch(() => {}), time("polls"));
  if (is("chatty")) setInterval(() => console.log("all is well. ".repeat(200)), 10);
  if (is("deaf")) process.on("SIGTERM", () => {});
  await sleep(time("slow"));
  const server = createServer((request, response) => {
    traces.run(request.headers.traceparent, () =>
      answer(request, response).catch((error) => response.writeHead(502).end(String(error))),
    );
  });
  if (is("twice")) server.maxRequestsPerSocket = 1; // so that each request may reach another process
  server.listen(process.env.PORT, is("ipv6") ? "::1" : "127.0.0.1");
}

if (is("twice") && cluster.isPrimary) {
  for (let i = 0; i < 2; i++) cluster.fork();
} else await main();
