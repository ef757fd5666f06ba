#!/usr/bin/env python3
"""The days of many people as Parquet, by person and year, made by Spark: spark_days.py OUT STORE...

    analytics/spark_days.py days-parquet people/*
    spark-submit analytics/spark_days.py days-parquet 's3://study/people/*'

Each STORE is a folder or bucket that holds `health/v0`, or with `*` at its end all that are there; its
last part is the person. Each day is its readable revision with the greatest id (SPEC R30). Days whose
revisions are all unreadable go to stderr, as do stores that cannot be read whole, and the exit code is 1;
all other days are written. People that are written replace those that OUT has of them; others stay."""

import argparse
import json
import os
import pathlib
import re
import sys

from pyspark.sql import SparkSession, Window, functions, types

HERE = pathlib.Path(__file__).resolve().parent
KEY = re.compile(r"(?:([^/]+)/)?health/v0/data/(\d{4})/(\d{2})/(\d{2})/revisions/([^/]+)\.json$",
                 re.ASCII)
FILES_AT_ONCE = 2_000


def schema_of(units):
    """The columns of a day, as Spark spells them."""
    names = ("person string, date string, revision_id string, is_readable boolean, "
             "generated_at timestamp, timezone string, day_start timestamp, day_end timestamp, "
             "is_damaged boolean")
    return ", ".join([names, *(f"`{name}` double" for name in units)])


def reader(units, required, columns):
    """Reads files, a part at a time, on whichever machine has them."""

    def read_all(files):
        import document

        for path, content in files:
            found = KEY.search(path)
            if not found:
                continue
            person, year, month, day, name = found.groups()
            date = f"{year}-{month}-{day}"
            if not document.is_id(name) or not document.is_date(date):
                continue
            row = {"person": person, "date": date, "revision_id": name, "is_readable": False}
            try:
                row |= document.read(content, date, units, required)
                row["is_readable"] = True
            except document.UNREADABLE:
                pass
            yield tuple(row.get(column) for column in columns)

    return read_all


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("stores", nargs="+", metavar="store")
    given = parser.parse_args()
    sys.path.insert(0, str(HERE))
    import document
    import folders
    import stores

    failed = False
    named = []
    for store in given.stores:
        try:
            people = stores.people(store)
        except OSError as error:
            people, store = [], f"{store}: {error}"
        if not people:
            failed = True
            print(f"{store}: there is no person", file=sys.stderr)
        named += people
    if mixed := folders.twins(named):
        parser.error(mixed)
    readable = folders.whole(named)
    failed |= len(readable) < len(named)
    # On one machine the workers have what this interpreter has.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    units, required = document.catalogue(
        json.loads((HERE.parent / "schema/health.v0.schema.json").read_text()))
    spark = SparkSession.builder.appName("health/v0 days").config(
        "spark.sql.session.timeZone", "UTC").config(
        "spark.sql.sources.partitionOverwriteMode", "dynamic").config(
        "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS").config(
        "spark.ui.showConsoleProgress", "false").getOrCreate()
    for name in "document.py", "folders.py", "stores.py":
        spark.sparkContext.addPyFile(str(HERE / name))
    # Not Spark's binaryFiles, which parses the names of a part's files anew for each of them.
    found = stores.revisions(list(readable))
    paths = [path for of_store in found.values() for path in of_store]
    files = spark.sparkContext.parallelize(
        paths, len(paths) // FILES_AT_ONCE + 1).mapPartitions(stores.contents)
    schema = types.StructType.fromDDL(schema_of(units))
    read = spark.createDataFrame(
        files.mapPartitions(reader(units, required, schema.names)), schema,
        verifySchema=False).persist()
    newest = Window.partitionBy("person", "date").orderBy(
        functions.col("is_readable").desc(), functions.col("revision_id").desc())
    days = read.withColumn("place", functions.row_number().over(newest)).where("place = 1")
    days.where("is_readable").drop("place", "is_readable").withColumn(
        "date", functions.to_date("date")).withColumn(
        "year", functions.year("date")).repartition("person").write.mode("overwrite").partitionBy(
        "person", "year").parquet(given.out)
    unread = days.where("NOT is_readable").select("person", "date").orderBy("person", "date").collect()
    for row in unread:
        failed = True
        print(f"{row.person} {row.date}: no revision can be read", file=sys.stderr)
    for store, of_store in found.items():
        if not of_store:
            text, is_error = folders.complaint(given.out, store)
            failed |= is_error
            print(text, file=sys.stderr)
    spark.stop()
    sys.exit(failed)


main()
