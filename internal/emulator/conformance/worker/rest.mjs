// Cloudflare's own client of the REST API against an emulator: every call of its Workers KV, and what it makes of
// errors. Usage: node rest.mjs MODULES BASE-URL TOKEN ACCOUNT NAMESPACE
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const [modules, baseURL, apiToken, account_id, namespace_id] = process.argv.slice(2);
const Cloudflare = createRequire(`${modules}/`)("cloudflare").default;
const client = (options) => new Cloudflare({ baseURL, apiToken, maxRetries: 0, ...options });
const { namespaces } = client().kv;
const { keys, metadata, values } = namespaces;
const here = { account_id, namespace_id };
const all = async (pages) => {
  const found = [];
  for await (const one of pages) found.push(one);
  return found;
};
const refused = async (promise, status, code) => {
  const error = await promise.then(() => assert.fail(`${status} was expected`), (error) => error);
  assert.deepEqual([error.status, error.errors?.[0]?.code], [status, code], error.message);
};

// Values and metadata. The client sends every put as a form of several parts, an object as one part for each member:
// metadata is given as JSON.
for (const key of ["plain", "a/b ü%?#", "gc:conn:-100:1"]) {
  await values.update(key, { ...here, value: "v", metadata: '{"n":1}', expiration_ttl: 60 });
  const answer = await values.get(key, here);
  assert.equal(await answer.text(), "v");
  const left = Number(answer.headers.get("expiration")) - Date.now() / 1000;
  assert.ok(left > 50 && left <= 60, `it expires in ${left} s`);
  assert.deepEqual(await metadata.get(key, here), { n: 1 });
  await values.delete(key, here);
  await refused(values.get(key, here), 404, 10009);
}

// Bulk.
const pairs = Array.from({ length: 25 }, (_, i) => ({ key: `p:${String(i).padStart(2, "0")}`, value: `{"i":${i}}`, metadata: { i } }));
pairs.push({ key: "bytes", value: "/wA=", base64: true });
assert.deepEqual(await namespaces.bulkUpdate(namespace_id, { account_id, body: pairs }),
  { successful_key_count: 26, unsuccessful_keys: [] });
assert.deepEqual(new Uint8Array(await (await values.get("bytes", here)).arrayBuffer()), new Uint8Array([255, 0]));
assert.deepEqual(await namespaces.bulkGet(namespace_id, { account_id, keys: ["p:01", "none"] }),
  { values: { "p:01": '{"i":1}', none: null } });
assert.deepEqual(await namespaces.bulkGet(namespace_id, { account_id, keys: ["p:01"], type: "json", withMetadata: true }),
  { values: { "p:01": { value: { i: 1 }, metadata: { i: 1 } } } });
assert.deepEqual(await keys.bulkUpdate(namespace_id, { account_id, body: [{ key: "q", value: "1" }] }),
  { successful_key_count: 1, unsuccessful_keys: [] });

// Lists, in pages of ten.
const listed = await all(keys.list(namespace_id, { account_id, prefix: "p:", limit: 10 }));
assert.deepEqual(listed.map((key) => [key.name, key.metadata]), pairs.slice(0, 25).map((pair) => [pair.key, pair.metadata]));
assert.deepEqual(await namespaces.bulkDelete(namespace_id, { account_id, body: [...listed.map((key) => key.name), "q"] }),
  { successful_key_count: 26, unsuccessful_keys: [] });
assert.deepEqual((await all(keys.list(namespace_id, { account_id }))).map((key) => key.name), ["bytes"]);

// Namespaces.
const before = (await all(namespaces.list({ account_id }))).length;
const made = [];
for (const title of ["C", "A", "B"]) made.push(await namespaces.create({ account_id, title }));
assert.match(made[0].id, /^[0-9a-f]{32}$/);
const titles = async (query) => (await all(namespaces.list({ account_id, per_page: 2, ...query }))).map((one) => one.title);
assert.deepEqual((await titles({ order: "title" })).slice(0, 3), ["A", "B", "C"]);
assert.equal((await titles({ direction: "desc" })).length, before + 3);
await refused(namespaces.create({ account_id, title: "A" }), 400, 10014);
await namespaces.update(made[0].id, { account_id, title: "D" });
assert.equal((await namespaces.get(made[0].id, { account_id })).title, "D");
await values.update("k", { account_id, namespace_id: made[0].id, value: "v" });
await refused(values.get("k", here), 404, 10009);
for (const { id } of made) await namespaces.delete(id, { account_id });
await refused(values.get("k", { account_id, namespace_id: made[0].id }), 404, 10013);

// What is refused.
await refused(values.update("k", { ...here, value: "v", expiration_ttl: 59 }), 400, 10034);
await refused(values.update("k".repeat(513), { ...here, value: "v" }), 414, 10030);
await refused(values.update("k", { ...here, value: "v".repeat(25 * 1024 * 1024 + 1) }), 413, 10024);
await refused(values.update("k", { ...here, value: "v", metadata: JSON.stringify("m".repeat(1023)) }), 413, 10047);
await refused(keys.list(namespace_id, { account_id, limit: 9 }).then((page) => page), 400, 10028);
await refused(keys.list(namespace_id, { account_id, cursor: "made up" }).then((page) => page), 400, 10041);
await refused(namespaces.bulkGet(namespace_id, { account_id, keys: Array.from({ length: 101 }, (_, i) => `${i}`) }), 400, 10029);
await refused(client({ apiToken: "other" }).kv.namespaces.values.get("bytes", here), 401, 10000);
console.log("ok");
