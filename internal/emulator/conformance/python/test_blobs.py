"""azure-storage-blob: block, append and page blobs, conditions, leases, snapshots, copies, tags, batches."""
import io

from azure.core import MatchConditions
from azure.core.exceptions import ResourceExistsError, ResourceModifiedError
from azure.storage.blob import (BlobBlock, BlobClient, BlobLeaseClient, BlobServiceClient, BlobType, ContentSettings,
                                PartialBatchErrorException, RehydratePriority, StandardBlobTier, generate_blob_sas)

from emulated import ACCOUNT, AWKWARD, CONNECTION, KEY, ONCE, Case, now


class Blobs(Case):
    """Each test has a container of its own."""

    def setUp(self):
        self.service = BlobServiceClient.from_connection_string(CONNECTION, **ONCE)
        name = self._testMethodName.removeprefix("test_").replace("_", "-")
        self.container = self.service.create_container(name)

    def tearDown(self):
        self.container.delete_container()
        self.service.close()

    def blob(self, name, content=None):
        """A client of a blob, which is written first if it has a content."""
        blob = self.container.get_blob_client(name)
        if content is not None:
            blob.upload_blob(content)
        return blob

    def content(self, blob, **options):
        return blob.download_blob(**options).readall()


class BlockBlobs(Blobs):
    def test_awkward_names(self):
        names = AWKWARD + ["dir/file.txt", "dir//file", "?query", "#fragment", "~tilde^caret`tick"]
        for name in names:
            blob = self.container.upload_blob(name, name, metadata={"color": "blue"}, encoding="utf-8",
                                              content_settings=ContentSettings(content_type="text/plain"))
            self.assertEqual(blob.download_blob(encoding="utf-8").readall(), name)
            properties = blob.get_blob_properties()
            self.assertEqual((properties.name, properties.content_settings.content_type, properties.metadata),
                             (name, "text/plain", {"color": "blue"}))
            self.assertEqual((properties.blob_type, properties.size), (BlobType.BLOCKBLOB, len(name.encode())))
            with BlobClient.from_blob_url(blob.url, credential=self.service.credential, **ONCE) as same:
                self.assertTrue(same.exists(), blob.url)
        self.assertCountEqual([blob.name for blob in self.container.list_blobs()], names)
        self.assertCountEqual(self.container.list_blob_names(), names)
        for name in names:
            self.container.delete_blob(name)
        self.assertFalse(self.container.get_blob_client("plain").exists())
        self.refused(404, "BlobNotFound", self.container.download_blob, "plain")

    def test_overwrite(self):
        blob = self.blob("note", b"first")
        error = self.refused(409, "BlobAlreadyExists", blob.upload_blob, b"second")
        self.assertIsInstance(error, ResourceExistsError)
        blob.upload_blob(b"second", overwrite=True)
        self.assertEqual(self.content(blob), b"second")
        self.assertEqual(blob.upload_blob(b"", overwrite=True)["content_md5"],
                         bytearray.fromhex("d41d8cd98f00b204e9800998ecf8427e"))
        self.assertEqual(self.content(blob), b"")

    def test_conditions(self):
        blob = self.blob("note", b"first")
        before = blob.get_blob_properties()
        here = {"etag": before.etag, "match_condition": MatchConditions.IfNotModified}
        changed = {"etag": before.etag, "match_condition": MatchConditions.IfModified}
        self.assertEqual(self.content(blob, **here), b"first")
        self.refused(304, "ConditionNotMet", blob.get_blob_properties, **changed)
        self.refused(304, "ConditionNotMet", blob.download_blob, **changed)
        after = blob.set_blob_metadata({"a": "1"}, **here)
        self.assertNotEqual(after["etag"], before.etag)
        error = self.refused(412, "ConditionNotMet", blob.upload_blob, b"second", overwrite=True, **here)
        self.assertIsInstance(error, ResourceModifiedError)
        self.refused(412, "ConditionNotMet", blob.delete_blob, **here)
        self.refused(412, "ConditionNotMet", blob.get_blob_properties, if_unmodified_since=now(-3600))
        self.refused(304, "ConditionNotMet", blob.get_blob_properties, if_modified_since=now(3600))
        missing = {"match_condition": MatchConditions.IfMissing}
        self.refused(409, "BlobAlreadyExists", blob.upload_blob, b"x", overwrite=True, **missing)
        present = {"match_condition": MatchConditions.IfPresent}
        blob.set_http_headers(ContentSettings(content_type="text/csv", cache_control="no-store"), **present)
        properties = blob.get_blob_properties()
        self.assertEqual((properties.content_settings.content_type, properties.content_settings.cache_control),
                         ("text/csv", "no-store"))
        blob.delete_blob(**present)
        self.refused(404, "BlobNotFound", blob.get_blob_properties, **present)

    def test_staged_blocks(self):
        blob = self.blob("parts")
        parts = [b"one,", b"two,", b"three"]
        names = [f"{number:03}" for number in range(len(parts))]
        for name, part in zip(names, parts):
            blob.stage_block(name, part, validate_content=True)
        committed, waiting = blob.get_block_list("all")
        self.assertEqual((committed, [(block.id, block.size) for block in waiting]),
                         ([], [(name, len(part)) for name, part in zip(names, parts)]))
        self.refused(404, "BlobNotFound", blob.get_blob_properties)
        answer = blob.commit_block_list([BlobBlock(block_id=name) for name in reversed(names)], metadata={"a": "b"},
                                        content_settings=ContentSettings(content_language="en"), tags={"kind": "parts"})
        self.assertEqual(answer["etag"], blob.get_blob_properties().etag)
        self.assertEqual(self.content(blob), b"threetwo,one,")
        blob.stage_block("new", b"four")
        blob.commit_block_list([BlobBlock(block_id=names[0]), BlobBlock(block_id="new")])
        self.assertEqual(self.content(blob), b"one,four")
        committed, waiting = blob.get_block_list("all")
        self.assertEqual(([block.id for block in committed], waiting), ([names[0], "new"], []))
        self.refused(400, "InvalidBlockList", blob.commit_block_list, [BlobBlock(block_id=names[1])])
        # The SDK encodes an id in base64; all that are not committed must have one length.
        blob.stage_block("one", b"five")
        self.refused(400, "InvalidBlobOrBlock", blob.stage_block, "a longer name", b"five")

    def test_a_large_blob(self):
        client = BlobServiceClient.from_connection_string(
            CONNECTION, max_single_put_size=1 << 20, max_block_size=2 << 20, max_single_get_size=1 << 20,
            max_chunk_get_size=1 << 20, **ONCE).get_container_client(self.container.container_name)
        content = b"0123456789" * (1 << 20)
        blob = client.get_blob_client("large")
        seen = []
        blob.upload_blob(io.BytesIO(content), max_concurrency=4, validate_content=True,
                         progress_hook=lambda at, total: seen.append((at, total)))
        self.assertIn((len(content), len(content)), seen)
        self.assertGreater(len(blob.get_block_list()[0]), 1)
        self.assertEqual(blob.download_blob(max_concurrency=4).readall(), content)
        self.assertEqual(b"".join(blob.download_blob(validate_content=True).chunks()), content)
        self.assertEqual(blob.download_blob(offset=2097150, length=5).readall(), content[2097150:2097155])
        self.assertEqual(blob.download_blob(offset=len(content) - 3).readall(), content[-3:])
        self.refused(416, "InvalidRange", blob.download_blob, offset=len(content), length=1)
        into = io.BytesIO()
        self.assertEqual(blob.download_blob().readinto(into), len(content))
        self.assertEqual(into.getvalue(), content)

        def parts():
            yield b"of a generator, "
            yield b"whose length nobody knows"
        blob.upload_blob(parts(), overwrite=True)
        self.assertEqual(self.content(blob), b"of a generator, whose length nobody knows")

    def test_tiers(self):
        blob = self.container.upload_blob("note", b"x", standard_blob_tier=StandardBlobTier.COOL)
        properties = blob.get_blob_properties()
        self.assertEqual((properties.blob_tier, properties.blob_tier_inferred), ("Cool", None))
        blob.set_standard_blob_tier(StandardBlobTier.ARCHIVE)
        self.refused(409, "BlobArchived", blob.download_blob)
        blob.set_standard_blob_tier(StandardBlobTier.HOT, rehydrate_priority=RehydratePriority.high)
        properties = blob.get_blob_properties()
        self.assertEqual((properties.blob_tier, properties.archive_status, properties.rehydrate_priority),
                         ("Archive", "rehydrate-pending-to-hot", "High"))
        other = self.blob("other", b"y")
        inferred = other.get_blob_properties()
        self.assertEqual((inferred.blob_tier, inferred.blob_tier_inferred), ("Hot", True))
        answers = list(self.container.set_standard_blob_tier_blobs("Cool", "other"))
        self.assertEqual([answer.status_code for answer in answers], [200])
        self.assertEqual(other.get_blob_properties().blob_tier, "Cool")

    def test_tags(self):
        blob = self.container.upload_blob("note", b"x", tags={"color": "red", "size": "1 / 2"})
        self.container.upload_blob("other", b"x", tags={"color": "green"})
        self.assertEqual(blob.get_blob_tags(), {"color": "red", "size": "1 / 2"})
        self.assertEqual(blob.get_blob_properties().tag_count, 2)
        self.refused(412, "ConditionNotMet", blob.set_blob_tags, {}, if_tags_match_condition="color = 'green'")
        blob.set_blob_tags({"color": "blue"}, if_tags_match_condition="color = 'red' OR color = 'green'")
        self.assertEqual(self.content(blob, if_tags_match_condition="color = 'blue'"), b"x")
        self.refused(412, "ConditionNotMet", blob.delete_blob, if_tags_match_condition="color <> 'blue'")
        found = list(self.service.find_blobs_by_tags("@container = 'tags' AND color >= 'blue' AND color < 'green'"))
        self.assertEqual([(one.name, one.container_name, one.tags) for one in found],
                         [("note", "tags", {"color": "blue"})])
        self.assertEqual([one.name for one in self.container.find_blobs_by_tags("color = 'green'")], ["other"])
        listed = {one.name: one.tags for one in self.container.list_blobs(include=["tags"])}
        self.assertEqual(listed, {"note": {"color": "blue"}, "other": {"color": "green"}})
        blob.set_blob_tags()
        self.assertEqual(blob.get_blob_tags(), {})
        self.refused(400, "InvalidTag", blob.set_blob_tags, {"k": "a#b"})

    def test_leases(self):
        blob = self.blob("note", b"x")
        lease = blob.acquire_lease(lease_duration=15, lease_id="11111111-1111-1111-1111-111111111111")
        self.assertEqual(lease.id, "11111111-1111-1111-1111-111111111111")
        properties = blob.get_blob_properties()
        self.assertEqual((properties.lease.status, properties.lease.state, properties.lease.duration),
                         ("locked", "leased", "fixed"))
        self.refused(412, "LeaseIdMissing", blob.delete_blob)
        self.refused(412, "LeaseIdMismatchWithBlobOperation", blob.set_blob_metadata, {},
                     lease="22222222-2222-2222-2222-222222222222")
        self.refused(409, "LeaseAlreadyPresent", blob.acquire_lease, lease_duration=15)
        blob.upload_blob(b"y", overwrite=True, lease=lease)
        lease.renew()
        lease.change("33333333-3333-3333-3333-333333333333")
        self.assertEqual(lease.id, "33333333-3333-3333-3333-333333333333")
        stranger = BlobLeaseClient(blob, lease_id="22222222-2222-2222-2222-222222222222")
        self.refused(409, "LeaseIdMismatchWithLeaseOperation", stranger.release)
        self.assertEqual(lease.break_lease(lease_break_period=0), 0)
        self.assertEqual(blob.get_blob_properties().lease.state, "broken")
        self.refused(409, "LeaseIsBrokenAndCannotBeRenewed", lease.renew)
        with blob.acquire_lease() as infinite:
            self.assertEqual(blob.get_blob_properties().lease.duration, "infinite")
            blob.set_blob_metadata({"a": "1"}, lease=infinite)
        self.assertEqual(blob.get_blob_properties().lease.state, "available")

    def test_snapshots(self):
        blob = self.blob("note", b"first")
        first = blob.create_snapshot(metadata={"number": "1"})
        blob.upload_blob(b"second", overwrite=True)
        old = self.container.get_blob_client("note", snapshot=first)
        self.assertEqual(self.content(old), b"first")
        properties = old.get_blob_properties()
        self.assertEqual((properties.snapshot, properties.metadata), (first["snapshot"], {"number": "1"}))
        listed = [one.snapshot for one in self.container.list_blobs(include="snapshots")]
        self.assertEqual(listed, [first["snapshot"], None])
        self.refused(409, "SnapshotsPresent", blob.delete_blob)
        blob.delete_blob(delete_snapshots="only")
        self.refused(404, "BlobNotFound", old.get_blob_properties)
        blob.create_snapshot()
        blob.delete_blob(delete_snapshots="include")
        self.assertFalse(blob.exists())

    def test_copies(self):
        source = self.container.upload_blob("source", b"content", metadata={"a": "1"},
                                            content_settings=ContentSettings(content_type="text/csv"))
        copy = self.blob("copy")
        answer = copy.start_copy_from_url(source.url)
        properties = copy.get_blob_properties()
        self.assertEqual((answer["copy_status"], properties.copy.status, properties.copy.id, properties.copy.source),
                         ("success", "success", answer["copy_id"], source.url))
        self.assertEqual((properties.copy.progress, properties.metadata, properties.content_settings.content_type),
                         ("7/7", {"a": "1"}, "text/csv"))
        self.assertEqual(self.content(copy), b"content")
        self.refused(409, "NoPendingCopyOperation", copy.abort_copy, answer["copy_id"])
        signed = self.signed(source)
        other = self.blob("other")
        other.start_copy_from_url(signed, requires_sync=True, metadata={"b": "2"}, tags={"kind": "copy"})
        self.assertEqual((other.get_blob_properties().metadata, other.get_blob_tags()), ({"b": "2"}, {"kind": "copy"}))
        self.refused(404, "CannotVerifyCopySource", copy.start_copy_from_url, self.blob("none").url)
        here = {"source_etag": '"0x8D"', "source_match_condition": MatchConditions.IfNotModified}
        self.refused(412, "SourceConditionNotMet", copy.start_copy_from_url, source.url, **here)
        put = self.blob("put")
        put.upload_blob_from_url(signed, include_source_blob_properties=False)
        self.assertEqual(put.get_blob_properties().content_settings.content_type, "application/octet-stream")
        self.refused(409, "BlobAlreadyExists", put.upload_blob_from_url, signed)
        put.upload_blob_from_url(signed, overwrite=True)
        put.stage_block_from_url("1", signed, source_offset=3, source_length=4)
        put.commit_block_list([BlobBlock(block_id="1")])
        self.assertEqual(self.content(put), b"tent")

    def signed(self, blob):
        """The address of a blob with a signature to read it."""
        return blob.url + "?" + generate_blob_sas(ACCOUNT, blob.container_name, blob.blob_name, account_key=KEY,
                                                  permission="r", expiry=now(3600))

    def test_batches(self):
        blobs = [self.blob(name, b"x") for name in AWKWARD]
        blobs[0].create_snapshot()
        first = self.container.delete_blobs(blobs[1].blob_name, blobs[2].blob_name)
        self.assertEqual([part.status_code for part in first], [202, 202])
        parts = self.container.delete_blobs("none", *[blob.blob_name for blob in blobs[3:]], raise_on_any_failure=False)
        self.assertEqual([part.status_code for part in parts], [404] + [202] * len(blobs[3:]))
        with self.assertRaises(PartialBatchErrorException) as caught:
            self.container.delete_blobs("none", {"name": blobs[0].blob_name, "delete_snapshots": "include"})
        self.assertEqual([(part.status_code, part.headers.get("x-ms-error-code")) for part in caught.exception.parts],
                         [(404, "BlobNotFound"), (202, None)])
        self.assertEqual(list(self.container.list_blobs(include="snapshots")), [])
