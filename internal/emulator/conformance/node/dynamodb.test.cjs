// AWS's official JavaScript SDK against the emulator at AWS_ENDPOINT_URL_DYNAMODB, with the credentials of the
// environment: nothing else is set. Run by node_test.go with node --test; the SDK is found by NODE_PATH.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const aws = require("@aws-sdk/client-dynamodb");

const db = new aws.DynamoDB({});
const s = (text) => ({ S: text });
const n = (number) => ({ N: String(number) });

// table makes a table with an index for one test.
async function table(name) {
  await db.createTable({
    TableName: name, BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
    AttributeDefinitions: ["pk", "sk", "kind"].map((name) => ({ AttributeName: name, AttributeType: "S" })),
    GlobalSecondaryIndexes: [{ IndexName: "kinds", KeySchema: [{ AttributeName: "kind", KeyType: "HASH" }], Projection: { ProjectionType: "ALL" } }],
  });
  await aws.waitUntilTableExists({ client: db, maxWaitTime: 60 }, { TableName: name });
  return name;
}

test("tables: create, describe, list, update, tag, delete", async () => {
  const TableName = await table("Lifecycle");
  const { Table } = await db.describeTable({ TableName });
  assert.equal(Table.TableStatus, "ACTIVE");
  assert.ok(Table.CreationDateTime instanceof Date);
  await assert.rejects(table("Lifecycle"), aws.ResourceInUseException);
  assert.ok((await db.listTables({})).TableNames.includes(TableName));
  await db.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "kinds" } }] });
  await db.tagResource({ ResourceArn: Table.TableArn, Tags: [{ Key: "stage", Value: "test" }] });
  assert.deepEqual((await db.listTagsOfResource({ ResourceArn: Table.TableArn })).Tags, [{ Key: "stage", Value: "test" }]);
  await db.untagResource({ ResourceArn: Table.TableArn, TagKeys: ["stage"] });
  await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: "until" } });
  assert.equal((await db.describeTimeToLive({ TableName })).TimeToLiveDescription.AttributeName, "until");
  assert.ok((await db.describeLimits({})).AccountMaxReadCapacityUnits > 0);
  assert.equal((await db.describeContinuousBackups({ TableName })).ContinuousBackupsDescription.ContinuousBackupsStatus, "ENABLED");
  await db.deleteTable({ TableName });
  await aws.waitUntilTableNotExists({ client: db, maxWaitTime: 60 }, { TableName });
  await assert.rejects(db.describeTable({ TableName }), aws.ResourceNotFoundException);
});

test("items: put, get, update, delete, every type", async () => {
  const TableName = await table("Items");
  const Key = { pk: s("p"), sk: s("日本語 %'") };
  const Item = {
    ...Key, n: n("12345678901234567890123456789012345678"), b: { B: new Uint8Array([0, 1, 255]) }, yes: { BOOL: true }, none: { NULL: true },
    l: { L: [s("x"), { M: { y: n(1) } }] }, m: { M: {} }, ss: { SS: ["a"] }, ns: { NS: ["1"] }, bs: { BS: [new Uint8Array([7])] },
  };
  await db.putItem({ TableName, Item });
  assert.deepEqual((await db.getItem({ TableName, Key, ConsistentRead: true })).Item, Item);
  const updated = await db.updateItem({
    TableName, Key, UpdateExpression: "SET #n = :one ADD ss :more", ExpressionAttributeNames: { "#n": "n" },
    ExpressionAttributeValues: { ":one": n(1), ":more": { SS: ["b"] } }, ReturnValues: "UPDATED_NEW",
  });
  assert.deepEqual(updated.Attributes, { n: n(1), ss: { SS: ["a", "b"] } });
  await assert.rejects(
    db.deleteItem({ TableName, Key, ConditionExpression: "attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
    (error) => error instanceof aws.ConditionalCheckFailedException && error.Item.n.N === "1");
  const deleted = await db.deleteItem({ TableName, Key, ReturnValues: "ALL_OLD", ReturnConsumedCapacity: "TOTAL" });
  assert.equal(deleted.Attributes.n.N, "1");
  assert.equal(deleted.ConsumedCapacity.CapacityUnits, 1);
  assert.equal((await db.getItem({ TableName, Key })).Item, undefined);
});

test("queries and scans in pages", async () => {
  const TableName = await table("Pages");
  for (let i = 0; i < 2; i++) {
    const { UnprocessedItems } = await db.batchWriteItem({ RequestItems: { [TableName]: Array.from({ length: 25 }, (_, k) =>
      ({ PutRequest: { Item: { pk: s("p"), sk: s(String(100 + i * 25 + k)), kind: s(k % 2 ? "odd" : "even") } } })) } });
    assert.deepEqual(UnprocessedItems, {});
  }
  const keys = { KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": s("p") } };
  let found = [];
  for await (const page of aws.paginateQuery({ client: db, pageSize: 7 }, { TableName, ...keys, ScanIndexForward: false })) found.push(...page.Items);
  assert.deepEqual(found.map((item) => item.sk.S), Array.from({ length: 50 }, (_, i) => String(149 - i)));
  found = [];
  for (let Segment = 0; Segment < 3; Segment++)
    for await (const page of aws.paginateScan({ client: db, pageSize: 7 }, { TableName, Segment, TotalSegments: 3 })) found.push(...page.Items);
  assert.equal(new Set(found.map((item) => item.sk.S)).size, 50);
  const odd = await db.query({ TableName, IndexName: "kinds", KeyConditionExpression: "kind = :k", ExpressionAttributeValues: { ":k": s("odd") }, Select: "COUNT" });
  assert.equal(odd.Count, 24);
  const got = await db.batchGetItem({ RequestItems: { [TableName]: { Keys: [{ pk: s("p"), sk: s("100") }, { pk: s("p"), sk: s("none") }] } } });
  assert.equal(got.Responses[TableName].length, 1);
});

test("transactions, with the reasons of a cancellation", async () => {
  const TableName = await table("Transactions");
  const put = (sk, more) => ({ Put: { TableName, Item: { pk: s("p"), sk: s(sk) }, ...more } });
  const once = { ClientRequestToken: "once", TransactItems: [{ Update: { TableName, Key: { pk: s("p"), sk: s("counter") },
    UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": n(1) } } }, put("1")] };
  await db.transactWriteItems(once);
  await db.transactWriteItems(once);
  const { Responses } = await db.transactGetItems({ TransactItems: ["counter", "1", "none"].map((sk) => ({ Get: { TableName, Key: { pk: s("p"), sk: s(sk) } } })) });
  assert.deepEqual(Responses.map((r) => r.Item?.n?.N ?? Boolean(r.Item)), ["1", true, false]);
  await assert.rejects(db.transactWriteItems({ TransactItems: [put("2"), put("1", { ConditionExpression: "attribute_not_exists(pk)" })] }),
    (error) => error instanceof aws.TransactionCanceledException &&
      error.CancellationReasons.map((reason) => reason.Code).join() === "None,ConditionalCheckFailed");
  await assert.rejects(db.transactWriteItems({ ...once, TransactItems: [put("3")] }), aws.IdempotentParameterMismatchException);
});

test("PartiQL: statements, batches, transactions", async () => {
  const TableName = await table("Statements");
  const insert = (sk) => `INSERT INTO "${TableName}" VALUE {'pk':'p','sk':'${sk}','n':1}`;
  await db.executeStatement({ Statement: insert("1") });
  await assert.rejects(db.executeStatement({ Statement: insert("1") }), aws.DuplicateItemException);
  await db.executeStatement({ Statement: `UPDATE "${TableName}" SET n = n + ? WHERE pk = 'p' AND sk = '1'`, Parameters: [n(2)] });
  const read = await db.executeStatement({ Statement: `SELECT n FROM "${TableName}" WHERE pk = ?`, Parameters: [s("p")] });
  assert.deepEqual(read.Items, [{ n: n(3) }]);
  const batch = await db.batchExecuteStatement({ Statements: [{ Statement: insert("2") }, { Statement: insert("1") }] });
  assert.deepEqual(batch.Responses.map((r) => r.Error?.Code), [undefined, "DuplicateItem"]);
  await db.executeTransaction({ TransactStatements: [{ Statement: insert("3") }, { Statement: insert("4") }] });
  await assert.rejects(db.executeTransaction({ TransactStatements: [{ Statement: insert("5") }, { Statement: insert("4") }] }), aws.TransactionCanceledException);
});

test("errors: words, wrong signatures, what is not built", async () => {
  await assert.rejects(db.getItem({ TableName: "None", Key: { pk: s("p") } }), { name: "ResourceNotFoundException", message: "Requested resource not found" });
  await assert.rejects(db.query({ TableName: "None" }), { name: "ValidationException" });
  await assert.rejects(db.listBackups({}), { name: "UnknownOperationException" });
  const stranger = new aws.DynamoDB({ credentials: { accessKeyId: "storespec", secretAccessKey: "wrong" } });
  await assert.rejects(stranger.listTables({}), { name: "InvalidSignatureException" });
});
