"""The hub's work as a FastAPI server of Python's fastest parts: what Benchmarks/hub-load measures
s3healthd against.

It checks a batch, files it under its digest with a marker before it, and acknowledges it when both are
in the bucket; records go to the bucket and then into PostgreSQL. It packs at zlib's level 1, and makes no
days.
"""

import asyncio
import contextlib
import datetime
import gzip
import hashlib
import hmac
import json
import os
import secrets
from contextlib import asynccontextmanager
from typing import Literal

import obstore
from fastapi import FastAPI, Header, HTTPException
from obstore.exceptions import AlreadyExistsError, PreconditionError
from obstore.store import S3Store
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel, ConfigDict, Field

TOKEN = os.environ["TOKEN"]
POSTGRES = os.environ.get("POSTGRES")
FOLDER = None if os.environ["ENDPOINT"] else os.path.join(os.environ["HOME"], os.environ["PREFIX"])
store = None if FOLDER else S3Store(
    os.environ["BUCKET"], prefix=os.environ["PREFIX"], endpoint=os.environ["ENDPOINT"],
    region="us-east-1", client_options={"allow_http": True}, virtual_hosted_style_request=False)


class Sample(BaseModel):
    model_config = ConfigDict(extra="allow")
    uuid: str = Field(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
    sample_type: str = Field(min_length=1, max_length=100)
    unit: str = Field(max_length=50)
    value: float
    timestamp: datetime.datetime
    end_timestamp: datetime.datetime
    source: str = ""


class Point(BaseModel):
    model_config = ConfigDict(extra="allow")
    timestamp: datetime.datetime
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)


class Metadata(BaseModel):
    total_records: int
    app_version: str
    session: str


class Batch(BaseModel):
    stream_name: Literal["apple_ios_healthkit", "apple_ios_core_location"]
    device_id: str
    data: list[Sample] | list[Point]
    batch_metadata: Metadata


class Metric(BaseModel):
    healthkit_uuid: str
    date: datetime.datetime
    type: str = Field(min_length=1, max_length=50)
    value: float
    unit: str | None = None
    timezone: str | None = None


class Metrics(BaseModel):
    records: list[Metric]


pool = AsyncConnectionPool(POSTGRES, open=False, max_size=8) if POSTGRES else None


@asynccontextmanager
async def lifespan(_):
    if pool:
        await pool.open()
    yield


app = FastAPI(lifespan=lifespan)


def check(token):
    if not hmac.compare_digest(token or "", TOKEN):
        raise HTTPException(401)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def write(key, content):
    """Writes a file to the disk under another name, and then gives it its own."""
    path = os.path.join(FOLDER, key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}-{secrets.token_hex(8)}"
    with open(temporary, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileExistsError):
        os.link(temporary, path)
    os.unlink(temporary)
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


async def keep(key, document):
    content = gzip.compress(canonical(document), 1)
    if FOLDER:
        return await asyncio.to_thread(write, key, content)
    try:
        await obstore.put_async(store, key, content, mode="create")
    except (AlreadyExistsError, PreconditionError):
        pass


@app.post("/api/ingest")
async def ingest(batch: Batch, x_device_token: str | None = Header(default=None)):
    check(x_device_token)
    if batch.batch_metadata.total_records != len(batch.data):
        raise HTTPException(400, "wrong total")
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    days = {}
    for sample in batch.data:
        days.setdefault(sample.timestamp.strftime("%Y/%m/%d"), []).append(
            sample.model_dump(mode="json"))
    for day, data in days.items():
        body = {"stream_name": batch.stream_name, "device_id": batch.device_id, "data": data,
                "batch_metadata": {**batch.batch_metadata.model_dump(), "total_records": len(data)}}
        name = hashlib.sha256(canonical(body)).hexdigest()
        if batch.stream_name == "apple_ios_healthkit":
            spans = [[min(s["timestamp"] for s in data), max(s["end_timestamp"] for s in data)]]
            await obstore.put_async(
                store, f"streams/v0/.pending/{name}-{secrets.token_hex(8)}",
                canonical({"batch_id": name, "received_at": now, "spans": spans}))
        await keep(
            f"streams/v0/{batch.stream_name}/{batch.device_id}/{day}/{name}.json.gz",
            {**body, "format": "streams.v0", "batch_id": name, "received_at": now, "feed": "peer",
             "canonicaliser": 1})
    return {"received": len(batch.data)}


@app.post("/api/ingest/health-metrics")
async def metrics(body: Metrics, authorization: str = Header(default="")):
    check(authorization.removeprefix("Bearer "))
    rows = [row.model_dump(mode="json") for row in body.records]
    await keep(f"records/{hashlib.sha256(canonical(rows)).hexdigest()}.json.gz", {"records": rows})
    async with pool.connection() as connection, connection.cursor() as cursor:
        await cursor.executemany(
            "INSERT INTO ios_apple_health_metrics (healthkit_uuid, date, type, value, unit, timezone)"
            " VALUES (%(healthkit_uuid)s, %(date)s, %(type)s, %(value)s, %(unit)s, %(timezone)s)"
            " ON CONFLICT (healthkit_uuid) DO UPDATE SET value = excluded.value", rows)
    return {"received": len(rows)}
