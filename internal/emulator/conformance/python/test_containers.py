"""azure-storage-blob: the service, containers and their lists, append and page blobs, shared access signatures."""
from azure.core import MatchConditions
from azure.core.credentials import AzureSasCredential
from azure.core.exceptions import ResourceExistsError
from azure.storage.blob import (AccessPolicy, AccountSasPermissions, BlobClient, BlobPrefix, BlobSasPermissions,
                                BlobServiceClient, BlobType, ContainerClient, ContainerSasPermissions, CorsRule,
                                PublicAccess, ResourceTypes, SequenceNumberAction, generate_account_sas,
                                generate_blob_sas, generate_container_sas)

from emulated import ACCOUNT, BLOBS, CONNECTION, KEY, ONCE, PROTOCOL, Case, now


class Service(Case):
    def setUp(self):
        self.service = BlobServiceClient.from_connection_string(CONNECTION, **ONCE)
        self.addCleanup(self.service.close)

    def container(self, name):
        """A new container, which is deleted at the end of the test."""
        container = self.service.create_container(name)
        self.addCleanup(container.delete_container)
        return container


class Containers(Service):
    def test_life(self):
        container = self.service.create_container("life", metadata={"color": "red"})
        error = self.refused(409, "ContainerAlreadyExists", container.create_container)
        self.assertIsInstance(error, ResourceExistsError)
        properties = container.get_container_properties()
        self.assertEqual((properties.name, properties.metadata, properties.public_access, properties.lease.state),
                         ("life", {"color": "red"}, None, "available"))
        etag = container.set_container_metadata({"color": "blue"})["etag"]
        self.assertEqual(container.get_container_properties().etag, etag)
        self.refused(412, "ConditionNotMet", container.delete_container, if_unmodified_since=now(-3600))
        lease = container.acquire_lease(lease_duration=-1)
        self.refused(412, "LeaseIdMissing", container.delete_container)
        container.delete_container(lease=lease)
        self.assertFalse(container.exists())
        self.refused(404, "ContainerNotFound", container.get_container_properties)
        self.refused(404, "ContainerNotFound", container.upload_blob, "a", b"x")
        self.refused(400, "InvalidResourceName", self.service.create_container, "UPPER")

    def test_list_containers(self):
        for number in range(3):
            self.container(f"list-{number}").set_container_metadata({"number": str(number)})
        pages = self.service.list_containers("list-", include_metadata=True, results_per_page=2).by_page()
        found = [[(one.name, one.metadata) for one in page] for page in pages]
        self.assertEqual(found, [[("list-0", {"number": "0"}), ("list-1", {"number": "1"})],
                                 [("list-2", {"number": "2"})]])

    def test_list_blobs(self):
        container = self.container("walk")
        for name in ["a", "b/1", "b/2", "b/c/3", "d"]:
            container.upload_blob(name, b"x", metadata={"name": "of a blob"})
        walked = list(container.walk_blobs())  # the SDK puts the prefixes of a page first
        self.assertEqual([(type(one) is BlobPrefix, one.name) for one in walked],
                         [(True, "b/"), (False, "a"), (False, "d")])
        self.assertEqual([one.name for one in walked[0]], ["b/c/", "b/1", "b/2"])
        self.assertEqual([one.name for one in container.walk_blobs("b/", delimiter="/")], ["b/c/", "b/1", "b/2"])
        self.assertEqual([one.name for one in container.list_blobs(name_starts_with="b/")], ["b/1", "b/2", "b/c/3"])
        pages = container.list_blobs(results_per_page=2, include=["metadata"]).by_page()
        first = list(next(pages))
        self.assertEqual([(one.name, one.size, one.metadata) for one in first],
                         [("a", 1, {"name": "of a blob"}), ("b/1", 1, {"name": "of a blob"})])
        again = container.list_blobs(results_per_page=2).by_page(continuation_token=pages.continuation_token)
        self.assertEqual([one.name for page in again for one in page], ["b/2", "b/c/3", "d"])
        waiting = container.get_blob_client("e")
        waiting.stage_block("1", b"x")
        self.assertEqual([one.name for one in container.list_blobs("d", include=["uncommittedblobs"])], ["d"])
        self.assertEqual([one.name for one in container.list_blobs("e", include=["uncommittedblobs"])], ["e"])

    def test_properties(self):
        before = self.service.get_service_properties()
        rule = CorsRule(["http://a.example"], ["GET", "PUT"], allowed_headers=["x-ms-meta-*"], max_age_in_seconds=5)
        self.service.set_service_properties(cors=[rule])
        got = self.service.get_service_properties()["cors"]
        self.assertEqual([(one.allowed_origins, one.allowed_methods, one.max_age_in_seconds) for one in got],
                         [("http://a.example", "GET,PUT", 5)])
        self.service.set_service_properties(cors=before["cors"])
        self.assertEqual(self.service.get_service_properties()["cors"], before["cors"])
        self.assertEqual(self.service.get_account_information()["account_kind"], "StorageV2")

    def test_the_secondary(self):
        self.container("secondary").upload_blob("note", b"x")
        # The SDK knows a secondary by its host alone: get_service_stats asks one named 127.0.0.1-secondary.
        there = BLOBS.rstrip("/") + "-secondary"
        with BlobServiceClient(there, credential=self.service.credential, **ONCE) as copy:
            self.assertEqual(copy.get_blob_client("secondary", "note").download_blob().readall(), b"x")
            self.refused(403, "WriteOperationNotSupportedOnSecondary", copy.create_container, "never")


class OtherBlobs(Service):
    def test_append_blobs(self):
        log = self.container("append").get_blob_client("log")
        log.create_append_blob(metadata={"a": "1"})
        for number, line in enumerate([b"one\n", b"two\n"]):
            answer = log.append_block(line, validate_content=True)
            self.assertEqual(answer["blob_committed_block_count"], number + 1)
        self.refused(412, "AppendPositionConditionNotMet", log.append_block, b"x", appendpos_condition=0)
        self.refused(412, "MaxBlobSizeConditionNotMet", log.append_block, b"xx", maxsize_condition=9)
        log.upload_blob(b"three\n", blob_type=BlobType.APPENDBLOB)
        self.assertEqual(log.download_blob().readall(), b"one\ntwo\nthree\n")
        log.seal_append_blob()
        self.refused(409, "BlobIsSealed", log.append_block, b"x")
        self.refused(409, "InvalidBlobType", log.stage_block, "1", b"x")
        self.assertEqual(log.get_blob_properties().blob_type, BlobType.APPENDBLOB)

    def test_page_blobs(self):
        disk = self.container("pages").get_blob_client("disk")
        disk.create_page_blob(2048, sequence_number=1)
        disk.upload_page(b"a" * 1024, offset=512, length=1024, validate_content=True)
        before = disk.create_snapshot()
        disk.clear_page(offset=512, length=512)
        disk.upload_page(b"b" * 512, offset=1536, length=512)
        self.assertEqual(disk.get_page_ranges()[0], [{"start": 1024, "end": 2047}])
        self.assertEqual([(one.start, one.end, one.cleared) for one in disk.list_page_ranges(
            previous_snapshot=before["snapshot"])], [(512, 1023, True), (1536, 2047, False)])
        self.assertEqual(disk.download_blob(offset=1023, length=2).readall(), b"\0a")
        self.refused(416, "InvalidPageRange", disk.upload_page, b"c" * 512, offset=2048, length=512)
        disk.resize_blob(1024)
        disk.set_sequence_number(SequenceNumberAction.Max, 7)
        properties = disk.get_blob_properties()
        self.assertEqual((properties.size, properties.page_blob_sequence_number), (1024, 7))
        self.refused(412, "SequenceNumberConditionNotMet", disk.clear_page, offset=0, length=512,
                     if_sequence_number_lt=7)
        disk.delete_blob(delete_snapshots="include")
        disk.upload_blob(b"d" * 1024, blob_type=BlobType.PAGEBLOB)
        self.assertEqual(disk.download_blob().readall(), b"d" * 1024)


class Signatures(Service):
    def setUp(self):
        super().setUp()
        self.box = self.container(self._testMethodName.replace("_", "-"))
        self.blob = self.box.upload_blob("a b/ü", b"content")

    def of_the_blob(self, **options):
        return generate_blob_sas(ACCOUNT, self.box.container_name, self.blob.blob_name, account_key=KEY,
                                 protocol=PROTOCOL, **options)

    def test_of_a_blob(self):
        sas = self.of_the_blob(permission=BlobSasPermissions(read=True), expiry=now(3600), start=now(-60),
                               content_type="text/csv", cache_control="no-store", ip="127.0.0.1")
        reader = BlobClient.from_blob_url(self.blob.url + "?" + sas, **ONCE)
        download = reader.download_blob()
        self.assertEqual((download.readall(), download.properties.content_settings.content_type,
                          download.properties.content_settings.cache_control), (b"content", "text/csv", "no-store"))
        self.refused(403, "AuthorizationPermissionMismatch", reader.delete_blob)
        other = BlobClient(BLOBS, self.box.container_name, "other", credential=AzureSasCredential(sas), **ONCE)
        self.refused(403, "AuthenticationFailed", other.download_blob)
        expired = self.of_the_blob(permission="r", expiry=now(-60))
        late = BlobClient.from_blob_url(self.blob.url, credential=expired, **ONCE)
        self.refused(403, "AuthenticationFailed", late.download_blob)
        nobody = BlobClient.from_blob_url(self.blob.url, **ONCE)
        self.refused(401, "NoAuthenticationInformation", nobody.download_blob)
        elsewhere = self.of_the_blob(permission="r", expiry=now(3600), ip="10.0.0.1")
        away = BlobClient.from_blob_url(self.blob.url, credential=elsewhere, **ONCE)
        self.refused(403, "AuthorizationSourceIPMismatch", away.download_blob)

    def test_of_a_snapshot(self):
        snapshot = self.blob.create_snapshot()["snapshot"]
        self.addCleanup(self.blob.delete_blob, delete_snapshots="include")
        sas = self.of_the_blob(permission="r", expiry=now(3600), snapshot=snapshot)
        reader = BlobClient.from_blob_url(self.blob.url, credential=sas, snapshot=snapshot, **ONCE)
        self.assertEqual(reader.download_blob().readall(), b"content")
        current = BlobClient.from_blob_url(self.blob.url, credential=sas, **ONCE)
        self.refused(403, "AuthenticationFailed", current.download_blob)

    def test_of_a_container(self):
        sas = generate_container_sas(ACCOUNT, self.box.container_name, account_key=KEY, expiry=now(3600),
                                     permission=ContainerSasPermissions(read=True, list=True, delete=True),
                                     protocol=PROTOCOL)
        client = ContainerClient(BLOBS, self.box.container_name, credential=sas, **ONCE)
        self.assertEqual([one.name for one in client.list_blobs()], ["a b/ü"])
        self.refused(403, "AuthorizationPermissionMismatch", client.upload_blob, "new", b"x")
        self.assertEqual([part.status_code for part in client.delete_blobs("a b/ü")], [202])

    def test_of_a_policy(self):
        policy = AccessPolicy(permission=ContainerSasPermissions(read=True), start=now(-60), expiry=now(3600))
        self.box.set_container_access_policy({"reader": policy})
        got = self.box.get_container_access_policy()
        self.assertEqual([(one.id, one.access_policy.permission) for one in got["signed_identifiers"]],
                         [("reader", "r")])
        self.assertIsNone(got["public_access"])
        reader = BlobClient.from_blob_url(self.blob.url, credential=self.of_the_blob(policy_id="reader"), **ONCE)
        self.assertEqual(reader.download_blob().readall(), b"content")
        self.refused(403, "AuthorizationPermissionMismatch", reader.delete_blob)
        self.box.set_container_access_policy({}, public_access=PublicAccess.BLOB)
        self.refused(403, "AuthenticationFailed", reader.download_blob)
        anybody = BlobClient.from_blob_url(self.blob.url, **ONCE)
        self.assertEqual(anybody.download_blob().readall(), b"content")

    def test_of_an_account(self):
        sas = generate_account_sas(ACCOUNT, KEY, ResourceTypes(service=True, container=True), expiry=now(3600),
                                   permission=AccountSasPermissions(read=True, list=True), protocol=PROTOCOL)
        client = BlobServiceClient(BLOBS, credential=sas, **ONCE)
        self.assertIn(self.box.container_name, [one.name for one in client.list_containers()])
        blob = client.get_blob_client(self.box.container_name, self.blob.blob_name)
        self.refused(403, "AuthorizationResourceTypeMismatch", blob.download_blob)
        missing = {"match_condition": MatchConditions.IfMissing}
        self.refused(403, "AuthorizationResourceTypeMismatch", blob.upload_blob, b"x", overwrite=True, **missing)

    def test_a_wrong_key(self):
        stranger = BlobServiceClient(BLOBS, credential={"account_name": ACCOUNT, "account_key": "d3Jvbmc="}, **ONCE)
        self.refused(403, "AuthenticationFailed", stranger.create_container, "never")
