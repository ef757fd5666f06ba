"""The clients of boto3 and obstore as the benchmarks use them, for the endpoint and bucket of AWS_*
and BENCH_BUCKET. Each library is loaded only where its client is made."""

import os

BUCKET = os.environ["BENCH_BUCKET"]
ENDPOINT = os.environ["AWS_ENDPOINT_URL"]


def boto3_client(width):
    import boto3
    from botocore.config import Config

    return boto3.client(
        "s3",
        endpoint_url=ENDPOINT,
        config=Config(
            max_pool_connections=width,
            s3={"addressing_style": "path"},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )


def obstore_store():
    from obstore.store import S3Store

    return S3Store(
        BUCKET,
        endpoint=ENDPOINT,
        region=os.environ["AWS_REGION"],
        access_key_id=os.environ["AWS_ACCESS_KEY_ID"],
        secret_access_key=os.environ["AWS_SECRET_ACCESS_KEY"],
        virtual_hosted_style_request=False,
        client_options={"allow_http": True},
    )


def leave():
    """obstore's own threads now and then abort while the interpreter goes: all is done by then."""
    os._exit(0)
