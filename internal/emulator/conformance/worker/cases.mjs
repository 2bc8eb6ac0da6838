// What a Worker can ask of a KV binding, each case by name. What differs from run to run is left out of the answers.
const long = (n) => "k".repeat(n);

const cases = {
  async putAndGet(kv) {
    await kv.put("a/b ü%", "v1", { metadata: { n: 1 }, expirationTtl: 120 });
    const { value, metadata } = await kv.getWithMetadata("a/b ü%");
    return [value, metadata, await kv.get("none"), (await kv.getWithMetadata("none")).metadata];
  },
  async replace(kv) {
    await kv.put("r", "1", { metadata: 1 });
    await kv.put("r", "2");
    const { value, metadata } = await kv.getWithMetadata("r");
    return [value, metadata];
  },
  async json(kv) {
    await kv.put("j", '{"x":1}');
    return kv.get("j", "json");
  },
  async bytes(kv) {
    await kv.put("b", new Uint8Array([0, 255]));
    await kv.put("e", "");
    return [[...new Uint8Array(await kv.get("b", "arrayBuffer"))], await kv.get("e")];
  },
  async stream(kv) {
    await kv.put("s", new Blob(["x".repeat(300000)]).stream());
    return (await kv.get("s")).length;
  },
  async lists(kv) {
    for (const key of ["p:b", "p:a", "p:", "q", "p:ü", "P:"]) await kv.put(key, "v", { metadata: { key } });
    const names = [];
    const pages = [];
    for (let cursor; ; ) {
      const page = await kv.list({ prefix: "p:", limit: 2, cursor });
      names.push(...page.keys.map((key) => [key.name, key.metadata, key.expiration ?? null]));
      pages.push([page.keys.length, page.list_complete, typeof page.cursor]);
      cursor = page.cursor;
      if (page.list_complete) break;
    }
    return [names, pages, (await kv.list({ prefix: "none" })).keys];
  },
  async exactPage(kv) {
    await kv.put("x:1", "");
    await kv.put("x:2", "");
    const page = await kv.list({ prefix: "x:", limit: 2 });
    return [page.list_complete, page.cursor ?? null];
  },
  async bulk(kv) {
    await kv.put("m", '{"x":1}', { metadata: { n: 1 } });
    return [
      Object.fromEntries(await kv.get(["m", "none"])),
      Object.fromEntries(await kv.get(["m"], "json")),
      Object.fromEntries(await kv.getWithMetadata(["m", "none"])),
    ];
  },
  async deletes(kv) {
    await kv.put("d", "1");
    await kv.delete("d");
    await kv.delete("d");
    return kv.get("d");
  },
  async expiration(kv) {
    const at = Math.floor(Date.now() / 1000) + 100;
    await kv.put("ex", "v", { expiration: at });
    return (await kv.list({ prefix: "ex" })).keys[0].expiration === at;
  },
  // Refused, with the status that the runtime reports.
  ttl59: (kv) => kv.put("x", "y", { expirationTtl: 59 }),
  ttl0: (kv) => kv.put("x", "y", { expirationTtl: 0 }),
  past: (kv) => kv.put("x", "y", { expiration: 1 }),
  soon: (kv) => kv.put("x", "y", { expiration: Math.floor(Date.now() / 1000) + 30 }),
  longest: (kv) => kv.put(long(512), "y"),
  tooLong: (kv) => kv.put(long(513), "y"),
  tooLongPrefix: (kv) => kv.list({ prefix: long(513) }),
  empty: (kv) => kv.put("", "y"),
  dot: (kv) => kv.put(".", "y"),
  dots: (kv) => kv.get(".."),
  metadata: (kv) => kv.put("x", "y", { metadata: "m".repeat(1023) }),
  value: (kv) => kv.put("x", "y".repeat(26214401)),
  bulk101: (kv) => kv.get(Array.from({ length: 101 }, (_, i) => `k${i}`)),
  bulk0: (kv) => kv.get([]),
  bulkNoJSON: async (kv) => (await kv.put("t", "{"), Object.fromEntries(await kv.get(["t"], "json"))),
  limit1001: (kv) => kv.list({ limit: 1001 }),
  cacheTtl: (kv) => kv.get("x", { cacheTtl: 10 }),
  cursor: async (kv) => (await kv.list({ cursor: "made up" })).keys.length,
};

// The runtime repeats the reason phrase, for which a server in Go has only the standard texts.
const status = (error) => error.message.replace(/( failed: \d{3}).*/s, "$1");

export default {
  async fetch(request, env) {
    const answers = {};
    for (const [name, run] of Object.entries(cases)) {
      try {
        answers[name] = (await run(env.KV)) ?? null;
      } catch (error) {
        answers[name] = status(error);
      }
    }
    return Response.json(answers);
  },
};
