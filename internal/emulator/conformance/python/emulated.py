"""The emulator whose connection string is in STORAGE, and what the tests of both services need."""
import datetime
import json
import os
import unittest

from azure.core.exceptions import HttpResponseError

CONNECTION = os.environ["STORAGE"]
FIELDS = dict(field.split("=", 1) for field in CONNECTION.split(";") if field)
ACCOUNT, KEY = FIELDS["AccountName"], FIELDS["AccountKey"]
BLOBS, TABLES = FIELDS["BlobEndpoint"], FIELDS["TableEndpoint"]
# The SDKs make signatures for https alone, unless they are told to allow http.
SECURE = BLOBS.startswith("https://")
PROTOCOL = "https" if SECURE else "https,http"

# An unexpected error must show, not be repeated for a minute.
ONCE = {"retry_total": 0}

AWKWARD = ["plain", "with space", "it's", "a|b", "grün€", "100%", "a;b&c=d+e", "(paren)", '"quoted"', "日本語"]


def now(seconds=0):
    """A time some seconds from now, in UTC."""
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)


class Case(unittest.TestCase):
    """A test that expects answers of the store."""

    def refused(self, status, code, call, *args, **kwargs):
        """Expects that a call fails with a status and the store's error code. Returns the exception."""
        with self.assertRaises(HttpResponseError) as caught:
            call(*args, **kwargs)
        error = caught.exception
        self.assertEqual((error.status_code, code_of(error)), (status, code), error)
        return error


def code_of(error):
    """The store's code, which create_entity of azure-data-tables 12.4.2 leaves in the body."""
    code = getattr(error, "error_code", None)
    if code is None:
        code = json.loads(error.response.text())["odata.error"]["code"]
    return getattr(code, "value", code)
