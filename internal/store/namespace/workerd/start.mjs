// Runs worker.mjs on miniflare with some namespaces of Workers KV, in memory, and says where it listens. It ends with
// its standard input or a signal. Usage: TOKEN=… node start.mjs MODULES NAMESPACES-AS-JSON
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Miniflare } = createRequire(`${process.argv[2]}/`)("miniflare");
const ids = JSON.parse(process.argv[3]);
const runtime = new Miniflare({
  host: "127.0.0.1",
  port: 0,
  modules: true,
  script: readFileSync(new URL("worker.mjs", import.meta.url), "utf8"),
  kvNamespaces: Object.fromEntries(ids.map((id) => [id, id])),
  bindings: { TOKEN: process.env.TOKEN },
  compatibilityDate: "2026-04-01",
});
console.log(`listening at ${(await runtime.ready).origin}`);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => runtime.dispose().then(() => process.exit(0)));
