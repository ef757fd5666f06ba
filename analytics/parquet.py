#!/usr/bin/env python3
"""Writes the days of many people as Parquet, by person and year: parquet.py OUT STORE...

    analytics/parquet.py days-parquet people/*

Each STORE is a folder or `s3://` of a bucket that holds `health/v0`; its last part is the person. A
bucket is only read, with DuckDB's httpfs; AWS's variables say who asks and where. A few people are
read at a time, so that memory stays bounded. What could not be read is named on stderr, and the exit code is
1; the days of all other people are written. A person whose days exist already is replaced, but never by
a store that is missing or holds no day."""

import argparse
import glob
import os
import pathlib
import shutil
import sys
import urllib.parse

import duckdb

import folders

try:
    import duckdb_extension_httpfs as httpfs
except ImportError:
    httpfs = None  # Then `INSTALL httpfs` must have been run once.

HERE = pathlib.Path(__file__).parent
PEOPLE_AT_ONCE = 4


def open_buckets(database):
    """Loads DuckDB's S3 client, and gives it the settings that AWS's tools take."""
    extension = "httpfs"
    if httpfs:
        extension = (pathlib.Path(httpfs.__file__).parent
                     / f"extensions/v{duckdb.__version__}/httpfs.duckdb_extension")
    database.execute(f"LOAD '{extension}'")
    settings = {"region": os.environ.get("AWS_REGION", "us-east-1")}
    for setting, variable in ("key_id", "AWS_ACCESS_KEY_ID"), ("secret", "AWS_SECRET_ACCESS_KEY"), (
            "session_token", "AWS_SESSION_TOKEN"):
        if value := os.environ.get(variable):
            settings[setting] = value
    if url := os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"):
        scheme, endpoint = urllib.parse.urlsplit(url)[:2]
        settings |= {"endpoint": endpoint, "use_ssl": scheme == "https", "url_style": "path"}
    database.execute(
        f"CREATE SECRET (TYPE s3, {', '.join(f'{name} ${name}' for name in settings)})", settings)


def write(out, stores):
    """Writes these people's days, and returns what was passed over, and the stores of which nothing can
    be read. Of a folder, `stores` has the number of revisions."""
    with duckdb.connect() as database:
        database.execute("SET enable_external_file_cache = false")
        if any(folders.is_bucket(store) for store in stores):
            open_buckets(database)
        database.execute("SET VARIABLE stores = $stores",
                         {"stores": [glob.escape(store) for store in stores]})
        database.execute("SET VARIABLE schema = $schema",
                         {"schema": str(HERE.parent / "schema/health.v0.schema.json")})
        database.execute((HERE / "days.sql").read_text())
        found = dict(database.sql("SELECT person, count(*) FROM revision_files GROUP BY ALL").fetchall())
        if any(found.get(folders.person(store), 0) < count for store, count in stores.items()):
            raise duckdb.IOException("changed while it was read")
        people = {person for person, in database.sql("SELECT DISTINCT person FROM answers").fetchall()}
        empty = [store for store in stores if folders.person(store) not in people]
        for store in stores:
            if store not in empty:
                for folder in folders.parquet_of(out, folders.person(store)):
                    shutil.rmtree(folder)
        database.sql("SELECT *, year(date) AS year FROM days").write_parquet(
            str(out), partition_by=["person", "year"], append=True)
        return database.sql("FROM unread_days").fetchall(), empty


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("stores", nargs="+", metavar="store")
    given = parser.parse_args()
    stores = [folders.spelled(store) for store in given.stores]
    if mixed := folders.twins(stores):
        parser.error(mixed)
    given.out.mkdir(parents=True, exist_ok=True)
    readable = folders.whole(stores)
    failed = len(readable) < len(stores)
    stores = list(readable)
    for first in range(0, len(stores), PEOPLE_AT_ONCE):
        batch = {store: readable[store] for store in stores[first:first + PEOPLE_AT_ONCE]}
        try:
            unread, empty = write(given.out, batch)
        except duckdb.Error:
            # One person's broken store stops nobody else's.
            unread, empty = [], []
            for store, count in batch.items():
                try:
                    passed, missing = write(given.out, {store: count})
                    unread += passed
                    empty += missing
                except duckdb.Error as error:
                    failed = True
                    print(f"{store}: {error}", file=sys.stderr)
        for person, date in unread:
            failed = True
            print(f"{person} {date}: no revision can be read", file=sys.stderr)
        for store in empty:
            text, is_error = folders.complaint(given.out, store)
            failed |= is_error
            print(text, file=sys.stderr)
    sys.exit(failed)


main()
