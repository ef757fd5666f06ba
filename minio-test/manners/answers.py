"""What the server says: MinIO's status, code and message of each refusal, and its XML."""

import uuid
from xml.sax.saxutils import escape

NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

REFUSALS = {
    "AccessDenied": (403, "Access Denied."),
    "AuthorizationHeaderMalformed": (
        400, "The authorization header is malformed; the region is wrong; expecting '{}'."),
    "BucketAlreadyOwnedByYou": (
        409, "Your previous request to create the named bucket succeeded and you already own it."),
    "BucketNotEmpty": (409, "The bucket you tried to delete is not empty"),
    "InvalidAccessKeyId": (403, "The Access Key Id you provided does not exist in our records."),
    "InvalidArgument": (400, "{}"),
    "InvalidBucketName": (400, "The specified bucket is not valid."),
    "InvalidRange": (416, "The requested range is not satisfiable"),
    "KeyTooLongError": (400, "Your key is too long"),
    "MalformedXML": (
        400,
        "The XML you provided was not well-formed or did not validate against our published schema."),
    "MethodNotAllowed": (405, "The specified method is not allowed against this resource."),
    "MissingFields": (400, "Missing fields in request."),
    "NoSuchBucket": (404, "The specified bucket does not exist"),
    "NoSuchBucketPolicy": (404, "The bucket policy does not exist"),
    "NoSuchKey": (404, "The specified key does not exist."),
    "NoSuchVersion": (404, "The specified version does not exist."),
    "NotImplemented": (501, "{}"),
    "PreconditionFailed": (
        412, "At least one of the pre-conditions you specified did not hold"),
    "RequestTimeTooSkewed": (
        403, "The difference between the request time and the server's time is too large."),
    "SignatureDoesNotMatch": (
        403,
        "The request signature we calculated does not match the signature you provided."
        " Check your key and signing method."),
    "XAmzContentChecksumMismatch": (
        400, "The provided 'x-amz-checksum' header does not match what was computed."),
    "XAmzContentSHA256Mismatch": (
        400, "The provided 'x-amz-content-sha256' header does not match what was computed."),
    "XMinioInvalidObjectName": (400, "Object name contains unsupported characters."),
    "XMinioInvalidResourceName": (
        400, 'Resource name contains bad components such as ".." or ".".'),
}
# Said before the path is taken apart.
ABOUT_NO_KEY = {"RequestTimeTooSkewed", "XMinioInvalidResourceName", "NotImplemented"}
UNSIGNED_HEADERS = "There were headers present in the request which were not signed"
NO_FEATURE = "A header you provided implies functionality that is not implemented"
NO_KMS = (
    "Server side encryption specified but KMS is not configured"
    " (KMS not configured for a server side encrypted objects)")


class Refusal(Exception):
    """A request that ends here; `closes` where the connection does too, without a word."""

    def __init__(self, code, *details, status=None, message=None, fields=(), closes=False):
        super().__init__(code)
        self.code = code
        known, text = REFUSALS[code]
        self.status = status or known
        self.message = message or text.format(*details)
        self.fields = list(fields)
        self.closes = closes
        self.names_key = code not in ABOUT_NO_KEY or details == (NO_KMS,)
        self.region = details[0] if code == "AuthorizationHeaderMalformed" else None


class Answer:
    def __init__(self, status=200, body=b"", fields=(), length=None):
        self.status = status
        self.body = body.encode() if isinstance(body, str) else body
        self.fields = list(fields)
        # What a HEAD's Content-Length says of the body that is not sent.
        self.length = length


def request_id():
    return uuid.uuid4().hex[:16].upper()


def element(name, text):
    return f"<{name}>{escape(str(text), {chr(34): '&#34;', chr(39): '&#39;'})}</{name}>"


def error(refusal, path, bucket, key, identity):
    body = DECLARATION + "<Error>" + element("Code", refusal.code)
    body += element("Message", refusal.message)
    if key and refusal.names_key:
        body += element("Key", key)
    if bucket and refusal.names_key:
        body += element("BucketName", bucket)
    body += element("Resource", path)
    if refusal.region:
        body += element("Region", refusal.region)
    body += element("RequestId", identity) + element("HostId", "0d819a49446a16c1") + "</Error>"
    return body.encode()


def document(root, *parts):
    return DECLARATION + f"<{root} {NAMESPACE}>" + "".join(parts) + f"</{root}>"
