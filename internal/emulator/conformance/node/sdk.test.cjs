// The official JavaScript SDKs against the emulator whose connection string is in STORAGE. Run by
// node_test.go with node --test; the SDKs are found by NODE_PATH.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const tables = require("@azure/data-tables");
const blobs = require("@azure/storage-blob");

const connection = process.env.STORAGE;
const insecure = { allowInsecureConnection: true };
const { account, key, tableEndpoint, blobEndpoint } = parse(connection);

function parse(text) {
  const fields = Object.fromEntries(text.split(";").filter(Boolean).map((f) => [f.slice(0, f.indexOf("=")), f.slice(f.indexOf("=") + 1)]));
  return { account: fields.AccountName, key: fields.AccountKey, tableEndpoint: fields.TableEndpoint, blobEndpoint: fields.BlobEndpoint };
}

async function all(pages) {
  const list = [];
  for await (const item of pages) list.push(item);
  return list;
}

// table makes a table of its own for one test.
async function table(name) {
  const client = tables.TableClient.fromConnectionString(connection, name, insecure);
  await client.createTable();
  return client;
}

const awkward = ["plain", "with space", "it's", "a|b", "grün€", "100%", "a;b&c=d+e", "(paren)", '"quoted"', "日本語"];

test("what was read without conversion is written again", async () => {
  const client = await table("Strings");
  await client.createEntity({ partitionKey: "p", rowKey: "r", yes: false, whole: 32 });
  const read = await client.getEntity("p", "r", { disableTypeConversion: true });
  assert.deepEqual([read.yes, read.whole], [{ value: "false", type: "Boolean" }, { value: "32", type: "Int32" }]);
  await client.updateEntity(read, "Replace");
  const again = await client.getEntity("p", "r");
  assert.deepEqual([again.yes, again.whole], [false, 32]);
});

test("entities with awkward keys, every type", async () => {
  const client = await table("Types");
  for (const id of awkward) {
    const entity = {
      partitionKey: id, rowKey: id, text: "ü", number: 1.5, whole: 7, yes: true,
      big: { type: "Int64", value: "9007199254740993" }, when: new Date("2026-03-04T05:06:07.890Z"),
      guid: { type: "Guid", value: "c9da6455-213d-42c9-9a79-3e9149a57833" }, bytes: new Uint8Array([0, 1, 255]),
    };
    await client.createEntity(entity);
    const got = await client.getEntity(id, id);
    assert.equal(got.text, "ü");
    assert.equal(got.number, 1.5);
    assert.equal(got.whole, 7);
    assert.equal(got.yes, true);
    assert.equal(got.big, 9007199254740993n);
    assert.equal(got.when.toISOString(), "2026-03-04T05:06:07.890Z");
    assert.equal(got.guid.value, "c9da6455-213d-42c9-9a79-3e9149a57833");
    assert.deepEqual([...got.bytes], [0, 1, 255]);
    await client.updateEntity({ partitionKey: id, rowKey: id, text: "merged" }, "Merge", { etag: got.etag });
    await assert.rejects(client.updateEntity({ partitionKey: id, rowKey: id }, "Replace", { etag: got.etag }), { statusCode: 412 });
    const merged = await client.getEntity(id, id);
    assert.equal(merged.text, "merged");
    assert.equal(merged.number, 1.5);
    await client.upsertEntity({ partitionKey: id, rowKey: id, other: 1 }, "Replace");
    assert.equal((await client.getEntity(id, id)).text, undefined);
  }
  assert.equal((await all(client.listEntities())).length, awkward.length);
  for (const id of awkward) {
    const found = await all(client.listEntities({ queryOptions: { filter: tables.odata`PartitionKey eq ${id} and RowKey eq ${id}`, select: ["other"] } }));
    assert.equal(found.length, 1);
    assert.equal(found[0].other, 1);
    await client.deleteEntity(id, id);
    await assert.rejects(client.getEntity(id, id), { statusCode: 404 });
  }
});

test("pages", async () => {
  const client = await table("Pages");
  for (let batch = 0; batch < 3; batch++) {
    const actions = [];
    for (let i = 0; i < 100; i++) actions.push(["create", { partitionKey: "p", rowKey: String(batch * 100 + i).padStart(4, "0"), n: i }]);
    const answer = await client.submitTransaction(actions);
    assert.equal(answer.subResponses.length, 100);
  }
  const sizes = [];
  const keys = [];
  for await (const page of client.listEntities().byPage({ maxPageSize: 130 })) {
    sizes.push(page.length);
    keys.push(...page.map((e) => e.rowKey));
  }
  assert.deepEqual(sizes, [130, 130, 40]);
  assert.deepEqual(keys, [...keys].sort());
});

test("transactions are whole or not at all", async () => {
  const client = await table("Together");
  await client.createEntity({ partitionKey: "it's", rowKey: "there" });
  await assert.rejects(
    client.submitTransaction([["create", { partitionKey: "it's", rowKey: "new" }], ["create", { partitionKey: "it's", rowKey: "there" }]]),
    { statusCode: 409, code: "EntityAlreadyExists" },
  );
  await assert.rejects(client.getEntity("it's", "new"), { statusCode: 404 });
  await client.submitTransaction([
    ["upsert", { partitionKey: "it's", rowKey: "new", n: 1 }, "Replace"],
    ["update", { partitionKey: "it's", rowKey: "there", n: 2 }, "Merge"],
  ]);
  assert.equal((await client.getEntity("it's", "new")).n, 1);
});

test("tables, their policies and signatures", async () => {
  const service = tables.TableServiceClient.fromConnectionString(connection, insecure);
  const client = await table("Shared");
  assert.ok((await all(service.listTables())).some((t) => t.name === "Shared"));
  await client.createEntity({ partitionKey: "p", rowKey: "r" });
  const credential = new tables.AzureNamedKeyCredential(account, key);
  const expiresOn = new Date(Date.now() + 3600e3);
  const sas = (options) => new tables.TableClient(tableEndpoint, "Shared", new (require("@azure/core-auth").AzureSASCredential)(tables.generateTableSas("Shared", credential, options)), insecure);
  const reader = sas({ permissions: { query: true }, expiresOn });
  assert.equal((await reader.getEntity("p", "r")).rowKey, "r");
  await assert.rejects(reader.upsertEntity({ partitionKey: "p", rowKey: "r" }), { statusCode: 403 });
  await client.setAccessPolicy([{ id: "adder", accessPolicy: { permission: "a", start: new Date(Date.now() - 60e3), expiry: expiresOn } }]);
  assert.equal((await client.getAccessPolicy())[0].id, "adder");
  const adder = sas({ identifier: "adder" });
  await adder.createEntity({ partitionKey: "p", rowKey: "by policy" });
  await assert.rejects(adder.getEntity("p", "r"), { statusCode: 403 });
  const expired = sas({ permissions: { query: true }, expiresOn: new Date(Date.now() - 1000), startsOn: new Date(Date.now() - 3600e3) });
  await assert.rejects(expired.getEntity("p", "r"), { statusCode: 403 });
  await service.deleteTable("Shared");
});

test("a wrong key", async () => {
  const wrong = new tables.AzureNamedKeyCredential(account, Buffer.from("wrong").toString("base64"));
  await assert.rejects(new tables.TableServiceClient(tableEndpoint, wrong, insecure).createTable("Never"), { statusCode: 403 });
  const blobWrong = new blobs.StorageSharedKeyCredential(account, Buffer.from("wrong").toString("base64"));
  await assert.rejects(new blobs.BlobServiceClient(blobEndpoint, blobWrong).createContainer("never"), { statusCode: 403 });
});

test("service properties", async () => {
  const service = tables.TableServiceClient.fromConnectionString(connection, insecure);
  const cors = [{ allowedOrigins: "http://a.example", allowedMethods: "GET", allowedHeaders: "*", exposedHeaders: "*", maxAgeInSeconds: 5 }];
  await service.setProperties({ cors });
  assert.equal((await service.getProperties()).cors[0].allowedOrigins, "http://a.example");
  const blobService = blobs.BlobServiceClient.fromConnectionString(connection);
  await blobService.setProperties({ cors });
  assert.equal((await blobService.getProperties()).cors.length, 1);
});

test("blobs with awkward names, conditions and ranges", async () => {
  const service = blobs.BlobServiceClient.fromConnectionString(connection);
  const container = service.getContainerClient("box");
  await container.create();
  for (const name of [...awkward, "dir/file.txt", "dir//file", "?query", "#fragment", "~tilde^caret`tick"]) {
    const blob = container.getBlockBlobClient(name);
    const put = await blob.upload(name, Buffer.byteLength(name), { blobHTTPHeaders: { blobContentType: "text/plain" }, metadata: { color: "blue" } });
    assert.equal((await blob.downloadToBuffer()).toString(), name);
    const properties = await blob.getProperties();
    assert.equal(properties.contentType, "text/plain");
    assert.equal(properties.metadata.color, "blue");
    assert.equal(properties.etag, put.etag);
    await assert.rejects(blob.upload("x", 1, { conditions: { ifNoneMatch: "*" } }), { statusCode: 409 });
    await assert.rejects(blob.upload("x", 1, { conditions: { ifMatch: '"0x8D"' } }), { statusCode: 412 });
  }
  const listed = await all(container.listBlobsFlat());
  assert.equal(listed.length, awkward.length + 5);
  const prefixes = (await all(container.listBlobsByHierarchy("/"))).filter((b) => b.kind === "prefix").map((b) => b.name);
  assert.deepEqual(prefixes, ["dir/"]);
  for (const item of listed) await container.deleteBlob(item.name);
  await assert.rejects(container.getBlobClient("plain").download(), { statusCode: 404, code: "BlobNotFound" });
});

test("a large blob in blocks, and a range of it", async () => {
  const container = blobs.BlobServiceClient.fromConnectionString(connection).getContainerClient("large");
  await container.create();
  const content = Buffer.alloc(9 << 20, "0123456789");
  const blob = container.getBlockBlobClient("content");
  await blob.uploadData(content, { blockSize: 2 << 20, maxSingleShotSize: 1 << 20, concurrency: 4 });
  assert.equal(Buffer.compare(await blob.downloadToBuffer(), content), 0);
  assert.equal((await blob.downloadToBuffer(2097150, 5)).toString(), content.subarray(2097150, 2097155).toString());
  const snapshot = await blob.createSnapshot();
  await blob.upload("short", 5);
  assert.equal((await blob.withSnapshot(snapshot.snapshot).getProperties()).contentLength, content.length);
  await blob.delete({ deleteSnapshots: "include" });
});

test("append blobs, leases, copies and batches", async () => {
  const service = blobs.BlobServiceClient.fromConnectionString(connection);
  const container = service.getContainerClient("more");
  await container.create();
  const log = container.getAppendBlobClient("log");
  await log.create();
  for (const line of ["a", "b", "c"]) await log.appendBlock(line, 1);
  assert.equal((await log.downloadToBuffer()).toString(), "abc");
  const lease = log.getBlobLeaseClient();
  await lease.acquireLease(15);
  await assert.rejects(log.delete(), { statusCode: 412 });
  await lease.releaseLease();
  const copy = container.getBlobClient("copy");
  await (await copy.beginCopyFromURL(log.url)).pollUntilDone();
  assert.equal((await copy.downloadToBuffer()).toString(), "abc");
  const answer = await service.getBlobBatchClient().deleteBlobs([log, copy]);
  assert.equal(answer.subResponsesSucceededCount, 2);
});

test("signatures for blobs", async () => {
  const credential = new blobs.StorageSharedKeyCredential(account, key);
  const container = new blobs.BlobServiceClient(blobEndpoint, credential).getContainerClient("signed");
  await container.create();
  await container.getBlockBlobClient("a b").upload("content", 7);
  const url = await container.getBlobClient("a b").generateSasUrl({ permissions: blobs.BlobSASPermissions.parse("r"), expiresOn: new Date(Date.now() + 3600e3), contentType: "text/csv" });
  const reader = new blobs.BlockBlobClient(url);
  assert.equal((await reader.download()).contentType, "text/csv");
  await assert.rejects(reader.upload("x", 1), { statusCode: 403 });
  await assert.rejects(new blobs.BlobClient(url.replace("a%20b", "other")).download(), { statusCode: 403 });
  await assert.rejects(new blobs.BlobClient(url.slice(0, url.indexOf("?"))).download(), { statusCode: 401 });
});

test("a batch with a part that fails, tags and conditions", async () => {
  const service = blobs.BlobServiceClient.fromConnectionString(connection);
  const container = service.getContainerClient("parts");
  await container.create();
  const there = container.getBlockBlobClient("there");
  await there.upload("x", 1, { tags: { color: "red", size: "1" } });
  const answer = await service.getBlobBatchClient().deleteBlobs([container.getBlobClient("none"), there]);
  assert.equal(answer.subResponsesSucceededCount, 1);
  assert.equal(answer.subResponsesFailedCount, 1);
  assert.equal(answer.subResponses[0].errorCode, "BlobNotFound");
  assert.equal(answer.subResponses[1].errorCode, undefined);

  const { etag } = await there.upload("y", 1, { tags: { color: "red" } });
  assert.deepEqual((await there.getTags()).tags, { color: "red" });
  await assert.rejects(there.setTags({ color: "blue" }, { conditions: { tagConditions: "color = 'green'" } }), { statusCode: 412 });
  await there.setTags({ color: "blue" }, { conditions: { tagConditions: "(color = 'red' OR color = 'green')" } });
  assert.equal((await there.getProperties()).etag, etag);
  const found = await all(service.findBlobsByTags("@container = 'parts' AND color = 'blue'"));
  assert.deepEqual(found.map((b) => b.name), ["there"]);
  await assert.rejects(there.setMetadata({ a: "1" }, { conditions: { ifMatch: '"0x8D"' } }), { statusCode: 412, code: "ConditionNotMet" });
  await there.setMetadata({ a: "1" }, { conditions: { ifMatch: etag } });
  await assert.rejects(there.upload("z", 1, { conditions: { ifMatch: etag } }), { statusCode: 412 });

  await there.setAccessTier("Archive");
  await there.setAccessTier("Hot", { rehydratePriority: "High" });
  const pending = await there.getProperties();
  assert.equal(pending.accessTier, "Archive");
  assert.equal(pending.archiveStatus, "rehydrate-pending-to-hot");
});

test("booleans and numbers as strings", async () => {
  const client = await table("Edm");
  await client.createEntity({
    partitionKey: "p", rowKey: "r", yes: { type: "Boolean", value: "true" }, no: { type: "Boolean", value: "false" },
    whole: { type: "Int32", value: "32" }, big: { type: "Int64", value: "64" }, number: { type: "Double", value: "1.5" },
  });
  const got = await client.getEntity("p", "r");
  assert.deepEqual([got.yes, got.no, got.whole, got.big, got.number], [true, false, 32, 64n, 1.5]);
  assert.equal((await all(client.listEntities({ queryOptions: { filter: "yes eq true and not no" } }))).length, 1);
});
