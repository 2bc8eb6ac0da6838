// Runs cases.mjs on miniflare's own KV and writes its answers. Usage: node miniflare.mjs MODULES
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Miniflare } = createRequire(`${process.argv[2]}/`)("miniflare");
const runtime = new Miniflare({
  modules: true,
  script: readFileSync(new URL("cases.mjs", import.meta.url), "utf8"),
  kvNamespaces: ["KV"],
  compatibilityDate: "2026-04-01",
});
try {
  process.stdout.write(await (await runtime.dispatchFetch("http://worker/")).text());
} finally {
  await runtime.dispose();
}
