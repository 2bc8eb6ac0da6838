"""azure-data-tables: entities of every type, conditions, queries, transactions, tables, shared access signatures."""
import datetime
import uuid

from azure.core import MatchConditions
from azure.core.credentials import AzureNamedKeyCredential, AzureSasCredential
from azure.core.exceptions import ResourceExistsError
from azure.data.tables import (AccountSasPermissions, EdmType, EntityProperty, RequestTooLargeError, ResourceTypes,
                               TableAccessPolicy, TableClient, TableCorsRule, TableSasPermissions, TableServiceClient,
                               TableTransactionError, UpdateMode, generate_account_sas, generate_table_sas)

from emulated import ACCOUNT, AWKWARD, CONNECTION, KEY, ONCE, PROTOCOL, TABLES, Case, now


def key(row, partition="p", **properties):
    """An entity."""
    return {"PartitionKey": partition, "RowKey": row, **properties}


class Tables(Case):
    """Each test has a table of its own."""

    def setUp(self):
        self.service = TableServiceClient.from_connection_string(CONNECTION, **ONCE)
        self.addCleanup(self.service.close)
        self.name = self._testMethodName.title().replace("_", "")
        self.table = self.service.create_table(self.name)
        self.addCleanup(self.table.delete_table)


class Entities(Tables):
    def test_types(self):
        when = datetime.datetime(2026, 3, 4, 5, 6, 7, 890123, tzinfo=datetime.timezone.utc)
        guid = uuid.UUID("c9da6455-213d-42c9-9a79-3e9149a57833")
        for name in AWKWARD:
            self.table.create_entity(key(name, name, text="ü", number=1.5, whole=7, yes=True, when=when, guid=guid,
                                         data=b"\0\1\xff", big=EntityProperty(9007199254740993, EdmType.INT64)))
            got = self.table.get_entity(name, name)
            self.assertEqual((got["text"], got["number"], got["whole"], got["yes"], got["guid"], got["data"]),
                             ("ü", 1.5, 7, True, guid, b"\0\1\xff"))
            self.assertEqual((got["when"], got["big"].value, got["big"].edm_type),
                             (when, 9007199254740993, EdmType.INT64))
            self.assertLess(abs(got.metadata["timestamp"] - now()), datetime.timedelta(minutes=5))
        self.assertEqual(len(list(self.table.list_entities())), len(AWKWARD))
        for name in AWKWARD:
            found = list(self.table.query_entities("PartitionKey eq @key and RowKey eq @key", parameters={"key": name},
                                                   select=["whole"]))
            self.assertEqual(found, [{"whole": 7}])
            self.table.delete_entity(name, name)
            self.refused(404, "ResourceNotFound", self.table.get_entity, name, name)

    def test_special_numbers(self):
        self.table.create_entity(key("r", most=float("inf"), least=float("-inf"), none=float("nan"), tiny=5e-324,
                                     large=EntityProperty(-2**63, EdmType.INT64), negative=-2**31))
        got = self.table.get_entity("p", "r")
        self.assertEqual((got["most"], got["least"], got["tiny"], got["large"].value, got["negative"]),
                         (float("inf"), float("-inf"), 5e-324, -2**63, -2**31))
        self.assertNotEqual(got["none"], got["none"])

    def test_conditions(self):
        self.table.create_entity(key("r", a=1))
        error = self.refused(409, "EntityAlreadyExists", self.table.create_entity, key("r", a=2))
        self.assertIsInstance(error, ResourceExistsError)
        before = self.table.get_entity("p", "r")
        here = {"etag": before.metadata["etag"], "match_condition": MatchConditions.IfNotModified}
        after = self.table.update_entity(key("r", b=2), UpdateMode.MERGE, **here)
        merged = self.table.get_entity("p", "r")
        self.assertEqual((merged["a"], merged["b"], merged.metadata["etag"]), (1, 2, after["etag"]))
        self.refused(412, "UpdateConditionNotSatisfied", self.table.update_entity, key("r"), UpdateMode.REPLACE, **here)
        self.refused(412, "UpdateConditionNotSatisfied", self.table.delete_entity, before, **here)
        self.table.update_entity(key("r", c=3), UpdateMode.REPLACE)
        self.assertEqual(self.table.get_entity("p", "r"), key("r", c=3))
        self.refused(404, "ResourceNotFound", self.table.update_entity, key("none"))
        self.table.upsert_entity(key("new", a=1))
        self.table.upsert_entity(key("new", b=2), UpdateMode.MERGE)
        self.assertEqual(self.table.get_entity("p", "new"), key("new", a=1, b=2))
        self.table.upsert_entity(key("new", c=3), UpdateMode.REPLACE)
        self.assertEqual(self.table.get_entity("p", "new", select=["c", "a"]), {"c": 3, "a": None})
        self.table.delete_entity("p", "none")  # the SDK takes what is not there for deleted

    def test_refusals(self):
        self.refused(400, "PropertyNameInvalid", self.table.create_entity, key("r", **{"a-b": 1}))
        self.refused(400, "TooManyProperties", self.table.create_entity, key("r", **{f"p{n}": n for n in range(253)}))
        self.refused(400, "PropertyValueTooLarge", self.table.create_entity, key("r", text="x" * 32769))
        self.refused(400, "KeyValueTooLarge", self.table.create_entity, key("x" * 513))
        missing = self.service.get_table_client("Missing")
        self.refused(404, "TableNotFound", missing.create_entity, key("r"))
        self.refused(404, "TableNotFound", lambda: list(missing.list_entities()))
        self.refused(400, "InvalidInput", lambda: list(self.table.query_entities("number eq")))


class Queries(Tables):
    def setUp(self):
        super().setUp()
        for start in range(0, 300, 100):
            self.table.submit_transaction([("create", key(f"{number:04}", number=number, even=number % 2 == 0))
                                           for number in range(start, start + 100)])

    def test_pages(self):
        pages = self.table.list_entities(results_per_page=130).by_page()
        first = [one["RowKey"] for one in next(pages)]
        again = self.table.list_entities(results_per_page=130).by_page(continuation_token=pages.continuation_token)
        rest = [[one["RowKey"] for one in page] for page in again]
        self.assertEqual([len(page) for page in [first, *rest]], [130, 130, 40])
        self.assertEqual(first + rest[0] + rest[1], [f"{number:04}" for number in range(300)])

    def test_filters(self):
        for text, parameters, want in [
                ("number ge 10 and number lt @end", {"end": 13}, [10, 11, 12]),
                ("even and number lt 5", {}, [0, 2, 4]),
                ("not even and number lt 5", {}, [1, 3]),
                ("PartitionKey eq @p and (RowKey lt @row or number eq 7)", {"p": "p", "row": "0002"}, [0, 1, 7]),
                ("even eq @yes and number gt @least", {"yes": True, "least": 295}, [296, 298]),
                ("Timestamp gt @then and number le 1", {"then": now(-3600)}, [0, 1]),
                ("number gt @big", {"big": 2**40}, []),
                ("PartitionKey eq @p", {"p": "it's"}, [])]:
            with self.subTest(text):
                found = self.table.query_entities(text, parameters=parameters, select="number")
                self.assertEqual([one["number"] for one in found], want)


class Transactions(Tables):
    def test_whole(self):
        self.table.create_entity(key("there"))
        answers = self.table.submit_transaction([
            ("create", key("new", n=1)), ("update", key("there", n=2)),
            ("upsert", key("other", n=3), {"mode": UpdateMode.REPLACE})])
        self.assertEqual([one["etag"] for one in answers],
                         [self.table.get_entity("p", row).metadata["etag"] for row in ["new", "there", "other"]])
        self.table.submit_transaction([("delete", key("new")), ("delete", key("other"))])
        self.assertEqual(list(self.table.list_entities()), [key("there", n=2)])

    def test_or_not_at_all(self):
        self.table.create_entity(key("there"))
        with self.assertRaises(TableTransactionError) as caught:
            self.table.submit_transaction([("create", key("new")), ("create", key("there"))])
        self.assertEqual((caught.exception.status_code, caught.exception.error_code, caught.exception.index),
                         (409, "EntityAlreadyExists", 1))
        self.assertEqual(list(self.table.list_entities()), [key("there")])
        stale = {"etag": "W/\"datetime'2020-01-01T00%3A00%3A00Z'\"", "match_condition": MatchConditions.IfNotModified}
        with self.assertRaises(TableTransactionError) as caught:
            self.table.submit_transaction([("update", key("there"), stale)])
        self.assertEqual((caught.exception.status_code, caught.exception.error_code, caught.exception.index),
                         (412, "UpdateConditionNotSatisfied", 0))
        with self.assertRaises(TableTransactionError) as caught:
            self.table.submit_transaction([("upsert", key("twice")), ("upsert", key("twice"))])
        self.assertEqual((caught.exception.error_code, caught.exception.index), ("InvalidDuplicateRow", 1))
        with self.assertRaises(TableTransactionError) as caught:
            self.table.submit_transaction([("upsert", key(str(number))) for number in range(101)])
        self.assertEqual(caught.exception.error_code, "InvalidInput")
        with self.assertRaises(RequestTooLargeError):
            self.table.submit_transaction([("upsert", key(str(number), data=b"x" * 60000, more=b"x" * 60000))
                                           for number in range(40)])
        self.assertEqual(list(self.table.list_entities()), [key("there")])


class Services(Tables):
    def test_tables(self):
        error = self.refused(409, "TableAlreadyExists", self.service.create_table, self.name)
        self.assertIsInstance(error, ResourceExistsError)
        self.service.create_table_if_not_exists(self.name)
        self.assertIn(self.name, [one.name for one in self.service.list_tables()])
        found = self.service.query_tables("TableName eq @name", parameters={"name": self.name})
        self.assertEqual([one.name for one in found], [self.name])
        self.service.delete_table("Missing")  # the SDK takes what is not there for deleted

    def test_properties(self):
        before = self.service.get_service_properties()
        self.service.set_service_properties(cors=[TableCorsRule(["http://a.example"], ["GET"], max_age_in_seconds=5)])
        got = self.service.get_service_properties()["cors"]
        self.assertEqual([(one.allowed_origins, one.allowed_methods, one.max_age_in_seconds) for one in got],
                         [(["http://a.example"], ["GET"], 5)])
        self.service.set_service_properties(cors=before["cors"])
        self.assertEqual(self.service.get_service_properties()["cors"], before["cors"])

    def signed(self, **options):
        """A client of the test's table with a signature alone."""
        sas = generate_table_sas(AzureNamedKeyCredential(ACCOUNT, KEY), self.name, protocol=PROTOCOL, **options)
        return TableClient(TABLES, self.name, credential=AzureSasCredential(sas), **ONCE)

    def test_signatures(self):
        for row in "abc":
            self.table.create_entity(key(row))
        with self.signed(permission=TableSasPermissions(read=True), expiry=now(3600)) as reader:
            self.assertEqual(reader.get_entity("p", "a"), key("a"))
            self.refused(403, "AuthorizationPermissionMismatch", reader.upsert_entity, key("a"))
            other = TableClient(TABLES, "Other", credential=reader.credential, **ONCE)
            self.refused(403, "AuthorizationFailure", other.get_entity, "p", "a")
        with self.signed(permission="r", expiry=now(3600), start_pk="p", start_rk="b", end_pk="p", end_rk="b") as part:
            self.assertEqual([one["RowKey"] for one in part.list_entities()], ["b"])
            self.refused(403, "AuthorizationFailure", part.get_entity, "p", "c")
        with self.signed(permission="r", expiry=now(-60)) as late:
            self.refused(403, "AuthenticationFailed", late.get_entity, "p", "a")
        policy = TableAccessPolicy(permission=TableSasPermissions(add=True), start=now(-60), expiry=now(3600))
        self.table.set_table_access_policy({"adder": policy})
        self.assertEqual(self.table.get_table_access_policy()["adder"].permission, "a")
        with self.signed(policy_id="adder") as adder:
            adder.create_entity(key("by policy"))
            self.refused(403, "AuthorizationPermissionMismatch", adder.get_entity, "p", "a")
            self.table.set_table_access_policy({})
            self.refused(403, "AuthenticationFailed", adder.create_entity, key("later"))

    def test_account_signatures(self):
        sas = generate_account_sas(AzureNamedKeyCredential(ACCOUNT, KEY), ResourceTypes(service=True, object=True),
                                   AccountSasPermissions(read=True, list=True, add=True), now(3600), protocol=PROTOCOL)
        with TableServiceClient(TABLES, credential=AzureSasCredential(sas), **ONCE) as service:
            table = service.get_table_client(self.name)
            table.create_entity(key("r"))
            self.assertEqual(table.get_entity("p", "r"), key("r"))
            self.refused(403, "AuthorizationPermissionMismatch", table.delete_entity, "p", "r")
            self.refused(403, "AuthorizationResourceTypeMismatch", table.create_table)

    def test_a_wrong_key(self):
        with TableServiceClient(TABLES, credential=AzureNamedKeyCredential(ACCOUNT, "d3Jvbmc="), **ONCE) as stranger:
            self.refused(403, "AuthenticationFailed", stranger.create_table, "Never")
