#!/usr/bin/env python3
"""Writes the days of many people as Parquet, by person and year: parquet.py OUT STORE...

    analytics/parquet.py days-parquet people/*

Each STORE is a folder that holds `health/v0`; its last part is the person. A few people are read at
a time, so that memory stays bounded. What could not be read is named on stderr, and the exit code is
1; the days of all other people are written. A person whose days exist already is replaced."""

import argparse
import pathlib
import shutil
import sys

import duckdb

HERE = pathlib.Path(__file__).parent
PEOPLE_AT_ONCE = 4


def write(out, stores):
    """Writes these people's days, and returns what was passed over."""
    with duckdb.connect() as database:
        database.execute("SET enable_external_file_cache = false")
        database.execute("SET VARIABLE stores = $stores", {"stores": stores})
        database.execute("SET VARIABLE schema = $schema",
                         {"schema": str(HERE.parent / "schema/health.v0.schema.json")})
        database.execute((HERE / "days.sql").read_text())
        for store in stores:
            shutil.rmtree(out / f"person={pathlib.Path(store).name}", ignore_errors=True)
        database.sql("SELECT *, year(date) AS year FROM days").write_parquet(
            str(out), partition_by=["person", "year"], append=True)
        return database.sql("FROM unread_days").fetchall()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("stores", nargs="+", metavar="store")
    given = parser.parse_args()
    failed = False
    given.out.mkdir(parents=True, exist_ok=True)
    stores = [store.rstrip("/") for store in given.stores]
    for first in range(0, len(stores), PEOPLE_AT_ONCE):
        batch = stores[first:first + PEOPLE_AT_ONCE]
        try:
            unread = write(given.out, batch)
        except duckdb.Error:
            # One person's broken store stops nobody else's.
            unread = []
            for store in batch:
                try:
                    unread += write(given.out, [store])
                except duckdb.Error as error:
                    failed = True
                    print(f"{store}: {error}", file=sys.stderr)
        for person, date in unread:
            failed = True
            print(f"{person} {date}: no revision can be read", file=sys.stderr)
    sys.exit(failed)


main()
