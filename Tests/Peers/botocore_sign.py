"""Signs requests with botocore, as its S3 client would.

Reads one JSON object per line: method, host, path and query (decoded), headers, body (hex),
accessKey, secretKey, token or null, region, seconds. Writes one JSON object per line:
canonicalRequest, stringToSign, the added headers and the query.
"""

import datetime
import json
import sys
from urllib.parse import urlsplit

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.utils import percent_encode

ADDED = ("x-amz-date", "x-amz-content-sha256", "x-amz-security-token", "authorization")


def recording(signer_class):
    """The signer, which also keeps what it signs."""

    class Recording(signer_class):
        def canonical_request(self, request):
            self.canonical = super().canonical_request(request)
            return self.canonical

        def string_to_sign(self, request, canonical_request):
            self.to_sign = super().string_to_sign(request, canonical_request)
            return self.to_sign

    return Recording


SIGNER = recording(botocore.auth.S3SigV4Auth)


def sign(case):
    now = datetime.datetime.fromtimestamp(case["seconds"], datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda: now
    credentials = Credentials(case["accessKey"], case["secretKey"], case["token"])
    query = "&".join(
        percent_encode(name, safe="-_.~") + "=" + percent_encode(value or "", safe="-_.~")
        for name, value in case["query"]
    )
    url = "https://" + case["host"] + percent_encode(case["path"], safe="/~")
    request = AWSRequest(
        method=case["method"],
        url=url + ("?" + query if query else ""),
        data=bytes.fromhex(case["body"]),
    )
    for name, value in case["headers"]:
        request.headers.add_header(name, value)
    signer = SIGNER(credentials, "s3", case["region"])
    signer.add_auth(request)
    return {
        "canonicalRequest": signer.canonical,
        "stringToSign": signer.to_sign,
        "headers": {
            name.lower(): value for name, value in request.headers.items() if name.lower() in ADDED
        },
        "query": urlsplit(request.url).query,
    }


for line in sys.stdin:
    print(json.dumps(sign(json.loads(line))))
