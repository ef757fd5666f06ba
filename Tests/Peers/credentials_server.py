"""STS, a container's agent and the instance metadata service on one free port of 127.0.0.1.

Prints the port, then serves until its standard input ends. What it expects and gives is in the
JSON object of its argument: webToken, authorization, accessKey and secretKey (who may assume a
role), failures (answers of status 503 before the first good one), expiration. GET /log gives the
requests so far, one `METHOD path` per line.
"""

import datetime
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

EXPECTED = json.loads(sys.argv[1])
IMDS_TOKEN = "imds-token-AQAEAPr"
LOG = []
ISSUED = [0]


def keys(prefix):
    ISSUED[0] += 1
    return (
        f"{prefix}{ISSUED[0]}",
        f"issued/secret/{prefix}/{ISSUED[0]}",
        f"issued+token+{prefix}==",
    )


def sts_answer(action, values):
    key, secret, token = values
    return f"""<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <{action}Result>
    <AssumedRoleUser><Arn>arn:x</Arn></AssumedRoleUser>
    <Credentials>
      <AccessKeyId>{key}</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey>
      <SessionToken>{token}</SessionToken><Expiration>{EXPECTED["expiration"]}</Expiration>
    </Credentials>
  </{action}Result>
  <ResponseMetadata><RequestId>r</RequestId></ResponseMetadata>
</{action}Response>"""


def sts_error(code, message):
    return f"""<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error><Type>Sender</Type><Code>{code}</Code><Message>{message}</Message></Error>
</ErrorResponse>"""


def document(prefix):
    key, secret, token = keys(prefix)
    return json.dumps(
        {
            "Code": "Success",
            "Type": "AWS-HMAC",
            "AccessKeyId": key,
            "SecretAccessKey": secret,
            "Token": token,
            "Expiration": EXPECTED["expiration"],
        }
    )


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if self.path == "/log":
            return self.answer(200, "\n".join(LOG))
        LOG.append(f"{self.command} {self.path}")
        if EXPECTED.get("failures", 0) > 0:
            EXPECTED["failures"] -= 1
            return self.answer(503, "busy")
        if self.command == "POST":
            return self.sts(body)
        if self.path == "/container?id=1":
            if self.headers.get("Authorization") != EXPECTED.get("authorization"):
                return self.answer(401, "who are you")
            return self.answer(200, document("AKCONTAINER"))
        if self.path == "/garbage":
            return self.answer(200, "<html>secret-garbage</html>")
        if self.path == "/endless":
            return self.answer(200, "x" * 1_000_000)
        return self.metadata()

    do_GET = do_PUT = do_POST = handle_request

    def metadata(self):
        if self.path == "/latest/api/token":
            ttl = self.headers.get("X-aws-ec2-metadata-token-ttl-seconds")
            if self.command != "PUT" or ttl != "21600":
                return self.answer(400, "")
            return self.answer(200, IMDS_TOKEN)
        if self.headers.get("X-aws-ec2-metadata-token") != IMDS_TOKEN:
            return self.answer(401, "")
        path = "/latest/meta-data/iam/security-credentials/"
        if self.path == path:
            return self.answer(200, "my-role")
        if self.path == path + "my-role":
            return self.answer(200, document("AKMETADATA"))
        return self.answer(404, "")

    def sts(self, body):
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        action = form.get("Action")
        if action == "AssumeRoleWithWebIdentity":
            if form.get("WebIdentityToken") != EXPECTED.get("webToken"):
                given = form.get("WebIdentityToken")
                return self.answer(400, sts_error("InvalidIdentityToken", f"bad token {given}"))
            if "Authorization" in self.headers:
                return self.answer(400, sts_error("Signed", "needs no signature"))
            return self.answer(200, sts_answer(action, keys("AKWEB")))
        if action == "AssumeRole":
            if not self.is_signed(body):
                return self.answer(403, sts_error("SignatureDoesNotMatch", "bad signature"))
            return self.answer(200, sts_answer(action, keys("AKROLE")))
        return self.answer(400, sts_error("InvalidAction", "unknown"))

    def is_signed(self, body):
        """Signs what came once more, with botocore."""
        request = AWSRequest(
            method="POST", url=f"http://{self.headers['Host']}{self.path}", data=body
        )
        request.headers["Content-Type"] = self.headers["Content-Type"]
        now = datetime.datetime.strptime(self.headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
        botocore.auth.get_current_datetime = lambda: now
        credentials = Credentials(EXPECTED["accessKey"], EXPECTED["secretKey"])
        botocore.auth.SigV4Auth(credentials, "sts", EXPECTED["region"]).add_auth(request)
        return request.headers["Authorization"] == self.headers["Authorization"]


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
