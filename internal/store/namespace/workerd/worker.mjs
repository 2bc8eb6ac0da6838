// Workers KV by two dialects, on the namespaces that the Worker is bound to: Cloudflare's REST API at
// /client/v4/accounts/{any}/storage/kv/namespaces/{id}/…, and the protocol of a binding below /binding/{id}. What a
// namespace does is the runtime's own; its errors keep their status.
const envelope = (result, info) =>
  Response.json({ success: true, errors: [], messages: [], result, ...(info && { result_info: info }) });

class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

// The runtime reports "KV PUT failed: 413 Value length of …"; what it refuses by itself is a TypeError.
const refusalOf = (error) => {
  if (error instanceof Refused) return error;
  const [, status, text] = error.message.match(/failed: (\d{3}) (.*)/s) ?? [];
  return new Refused(status ? Number(status) : error instanceof TypeError ? 400 : 500, 10029, text ?? error.message);
};

const number = (text) => (text === null ? undefined : Number(text));

const bytes = async (kv, key) => kv.getWithMetadata(key, "arrayBuffer");

// A put's expiration and TTL, as numbers.
const lifetime = (query) => ({
  expiration: number(query.get("expiration")),
  expirationTtl: number(query.get("expiration_ttl")),
});

const listed = (kv, query, limit) =>
  kv.list({ prefix: query.get("prefix") || undefined, cursor: query.get("cursor") || undefined,
    limit: number(query.get(limit)) });

const each = async (list, run) => {
  for (let i = 0; i < list.length; i += 50) await Promise.all(list.slice(i, i + 50).map(run));
};

const base64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

const bulkGet = async (kv, { keys, type, withMetadata }) => {
  const found = await (withMetadata ? kv.getWithMetadata(keys, type) : kv.get(keys, type));
  const plain = ([key, one]) => [key, withMetadata && one?.value == null ? null : one];
  return Object.fromEntries([...found].map(plain));
};

// The REST API.
const noKey = () => new Refused(404, 10009, "get: 'key not found'");

const restPut = async (kv, key, request, query) => {
  let value = request.body ?? "";
  let metadata;
  if (request.headers.get("content-type")?.startsWith("multipart/form-data")) {
    const form = await request.formData();
    const given = form.get("value");
    if (given === null) throw new Refused(400, 10012, "the form has no part value");
    value = typeof given === "string" ? given : await given.arrayBuffer();
    if (form.has("metadata")) metadata = JSON.parse(form.get("metadata"));
  } else if (request.body) {
    value = await request.arrayBuffer();
  }
  await kv.put(key, value, { ...lifetime(query), metadata });
  return envelope({});
};

const restGet = async (kv, key) => {
  const { value } = await bytes(kv, key);
  if (value === null) throw noKey();
  return new Response(value, { headers: { "content-type": "application/octet-stream" } });
};

const restMetadata = async (kv, key) => {
  const { value, metadata } = await kv.getWithMetadata(key, "stream");
  if (value === null) throw noKey();
  await value.cancel();
  return envelope(metadata);
};

const restList = async (kv, query, short) => {
  if (query.has("limit") && !short && Number(query.get("limit")) < 10) throw new Refused(400, 10028, "Invalid limit.");
  const page = await listed(kv, query, "limit");
  return envelope(page.keys, { count: page.keys.length, cursor: page.cursor ?? "" });
};

const written = (list) => envelope({ successful_key_count: list.length, unsuccessful_keys: [] });

const restBulk = async (kv, method, what, request) => {
  const body = await request.json().catch(() => { throw new Refused(400, 10012, "the body is not JSON"); });
  switch (`${method} ${what}`) {
    case "PUT ":
      await each(body, (pair) => kv.put(pair.key, pair.base64 ? base64(pair.value) : pair.value, {
        expiration: pair.expiration, expirationTtl: pair.expiration_ttl, metadata: pair.metadata }));
      return written(body);
    case "DELETE ":
    case "POST delete":
      await each(body, (key) => kv.delete(key));
      return written(body);
    case "POST get":
      return envelope({ values: await bulkGet(kv, body) });
  }
  throw new Refused(404, 7003, "Could not route.");
};

const rest = async (kv, request, what, rest, query) => {
  const key = rest && decodeURIComponent(rest);
  switch (`${request.method} ${what}`) {
    case "GET keys": return restList(kv, query, request.headers.has("storespec-short-pages"));
    case "GET values": return restGet(kv, key);
    case "GET metadata": return restMetadata(kv, key);
    case "PUT values": return restPut(kv, key, request, query);
    case "DELETE values": return kv.delete(key).then(() => envelope({}));
  }
  if (what === "bulk") return restBulk(kv, request.method, rest ?? "", request);
  throw new Refused(404, 7003, "Could not route.");
};

// The protocol of a binding.
const binding = async (kv, request, path, query) => {
  if (path === "bulk/get" && request.method === "POST") return Response.json(await bulkGet(kv, await request.json()));
  if (path === "") {
    const page = await listed(kv, query, "key_count_limit");
    const text = (key) => (key.metadata === undefined ? key : { ...key, metadata: JSON.stringify(key.metadata) });
    return Response.json({ ...page, keys: page.keys.map(text) });
  }
  if (path.includes("/")) throw new Refused(404, 0, "Not Found");
  const key = decodeURIComponent(path);
  switch (request.method) {
    case "GET": {
      const { value, metadata } = await kv.getWithMetadata(key, { type: "arrayBuffer",
        cacheTtl: number(query.get("cache_ttl")) });
      if (value === null) throw new Refused(404, 0, "Not Found");
      const headers = new Headers({ "content-type": "application/octet-stream" });
      if (metadata !== null) headers.set("cf-kv-metadata", JSON.stringify(metadata));
      return new Response(value, { headers });
    }
    case "PUT": {
      const metadata = request.headers.get("cf-kv-metadata");
      await kv.put(key, await request.arrayBuffer(),
        { ...lifetime(query), metadata: metadata === null ? undefined : JSON.parse(metadata) });
      return new Response();
    }
    case "DELETE":
      await kv.delete(key);
      return new Response();
  }
  throw new Refused(405, 0, "Method Not Allowed");
};

const paths = {
  rest: /^\/client\/v4\/accounts\/[^/]+\/storage\/kv\/namespaces\/([^/]+)\/([^/]+)(?:\/(.*))?$/,
  binding: /^\/binding\/([^/]+)\/(.*)$/,
};

const answer = async (request, env) => {
  const { pathname, searchParams } = new URL(request.url);
  const named = pathname.match(paths.rest);
  const bound = pathname.match(paths.binding);
  if (!named && !bound) throw new Refused(404, 7003, "Could not route.");
  if (named && request.headers.get("authorization") !== `Bearer ${env.TOKEN}`)
    throw new Refused(401, 10000, "Authentication error");
  const kv = env[(named ?? bound)[1]];
  if (!kv) throw new Refused(404, 10013, "namespace not found");
  return named ? rest(kv, request, named[2], named[3], searchParams) : binding(kv, request, bound[2], searchParams);
};

export default {
  async fetch(request, env) {
    try {
      return await answer(request, env);
    } catch (error) {
      const { status, code, message } = refusalOf(error);
      if (new URL(request.url).pathname.startsWith("/binding/")) return new Response(message, { status });
      return Response.json({ success: false, errors: [{ code, message }], messages: [], result: null }, { status });
    }
  },
};
