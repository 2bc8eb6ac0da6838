"""azure-identity: DefaultAzureCredential, with the endpoint of a managed identity that this test plays."""
import base64
import json
import threading
import time
import unittest
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

from azure.core.credentials import AccessToken
from azure.data.tables import TableServiceClient
from azure.identity import DefaultAzureCredential
from azure.storage.blob import BlobClient, BlobServiceClient, generate_blob_sas

from emulated import ACCOUNT, BLOBS, ONCE, SECURE, TABLES, Case, now

TENANT = "ab1f708d-50f6-404c-a006-d71b2ac7a606"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(audience, lasts=3600):
    """A token as Microsoft Entra ID makes them for an audience, valid for some seconds; nobody signed it."""
    seconds = int(time.time())
    claims = {"aud": audience, "iss": f"https://sts.windows.net/{TENANT}/", "nbf": seconds - 300,
              "exp": seconds + lasts, "oid": "11111111-1111-4111-8111-111111111111", "tid": TENANT}
    parts = [{"typ": "JWT", "alg": "RS256"}, claims]
    return ".".join([encoded(json.dumps(part).encode()) for part in parts] + [encoded(b"signature")])


class Identity(BaseHTTPRequestHandler):
    """The endpoint that App Service gives to a managed identity.

    https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
    """
    asked = []

    def do_GET(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        known = self.headers["X-IDENTITY-HEADER"] == "secret" and query["api-version"] == "2019-08-01"
        self.asked.append(query["resource"])
        body = {"access_token": token(query["resource"]), "expires_on": str(int(time.time()) + 3600),
                "resource": query["resource"], "token_type": "Bearer"}
        content = json.dumps(body if known else {"statusCode": 401}).encode()
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Says nothing."""


class Static:
    """A TokenCredential with a token of its own."""

    def __init__(self, audience="https://storage.azure.com", lasts=3600):
        self.token = AccessToken(token(audience, lasts), int(time.time()) + 3600)

    def get_token(self, *_, **__):
        return self.token


@unittest.skipUnless(SECURE, "the SDKs send no token over http")
class Tokens(Case):
    def setUp(self):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Identity)
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        self.addCleanup(server.server_close)
        self.addCleanup(serving.join)
        self.addCleanup(server.shutdown)
        Identity.asked.clear()
        environment = {"IDENTITY_ENDPOINT": f"http://127.0.0.1:{server.server_port}/msi/token",
                       "IDENTITY_HEADER": "secret"}
        patch = mock.patch.dict("os.environ", environment)
        patch.start()
        self.addCleanup(patch.stop)
        self.credential = self.enterContext(DefaultAzureCredential())

    def test_the_default_credential(self):
        with BlobServiceClient(BLOBS, credential=self.credential, **ONCE) as service:
            container = service.create_container("by-token")
            container.upload_blob("note", b"content", metadata={"a": "1"})
            self.assertEqual(container.download_blob("note").readall(), b"content")
            self.assertEqual([part.status_code for part in container.delete_blobs("note")], [202])
        with TableServiceClient(TABLES, credential=self.credential, **ONCE) as service:
            table = service.create_table("ByToken")
            entity = {"PartitionKey": "p", "RowKey": "r", "n": 1}
            table.create_entity(entity)
            table.submit_transaction([("upsert", dict(entity, n=2))])
            self.assertEqual(table.get_entity("p", "r"), dict(entity, n=2))
            self.refused(403, "AuthorizationFailure", table.get_table_access_policy)
        self.assertEqual(set(Identity.asked), {"https://storage.azure.com"})

    def test_user_delegation(self):
        with BlobServiceClient(BLOBS, credential=self.credential, **ONCE) as service:
            blob = service.create_container("delegated").upload_blob("note", b"content")
            key = service.get_user_delegation_key(now(-60), now(3600))
            self.assertEqual(key.signed_tid, TENANT)
            sas = generate_blob_sas(ACCOUNT, "delegated", "note", user_delegation_key=key, permission="r",
                                    expiry=now(3000))
            with BlobClient.from_blob_url(blob.url, credential=sas, **ONCE) as reader:
                self.assertEqual(reader.download_blob().readall(), b"content")
                self.refused(403, "AuthorizationPermissionMismatch", reader.delete_blob)

    def test_refused_tokens(self):
        for name, credential in [("of another audience", Static("https://vault.azure.net")),
                                 ("that has expired", Static(lasts=-60))]:
            with self.subTest(name):
                with BlobServiceClient(BLOBS, credential=credential, **ONCE) as service:
                    self.refused(401, "InvalidAuthenticationInfo", service.create_container, "never")
                with TableServiceClient(TABLES, credential=credential, **ONCE) as service:
                    self.refused(403, "AuthenticationFailed", service.create_table, "Never")


@unittest.skipIf(SECURE, "https may have tokens")
class WithoutSecurity(Case):
    def test_no_token_is_sent(self):
        with self.assertRaisesRegex(ValueError, "only supported with HTTPS"):
            BlobServiceClient(BLOBS, credential=Static(), **ONCE)
