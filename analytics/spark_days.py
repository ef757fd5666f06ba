#!/usr/bin/env python3
"""The days of many people as Parquet, by person and year, made by Spark: spark_days.py OUT STORE...

    spark-submit analytics/spark_days.py days-parquet /data/people/*
    spark-submit analytics/spark_days.py s3a://study/days 's3a://study/people/*'

Each STORE is a folder or bucket that holds `health/v0`, perhaps with wildcards; its last part is the
person. Each day is its readable revision with the greatest id (SPEC R30). Days whose revisions are all
unreadable go to stderr, and the exit code is 1; all other days are written. People that are written
replace those that OUT has of them; others stay."""

import argparse
import json
import os
import pathlib
import sys

from pyspark.sql import SparkSession, Window, functions

HERE = pathlib.Path(__file__).resolve().parent
KEY = (r"(?:([^/]+)/)?health/v0/data/(\d{4})/(\d{2})/(\d{2})/revisions/"
       r"((\d{8})T(\d{6})Z-[0-9A-Fa-f]{6,233})\.json$")


def schema_of(units):
    """The columns of a day, as Spark spells them."""
    names = ("person string, date string, revision_id string, is_readable boolean, "
             "generated_at timestamp, timezone string, day_start timestamp, day_end timestamp, "
             "is_damaged boolean")
    return ", ".join([names, *(f"`{name}` double" for name in units)])


def reader(units, required):
    """Reads documents, a batch at a time, on whichever machine has them."""

    def read_all(batches):
        import document
        import pyarrow

        moment = pyarrow.timestamp("us", tz="UTC")
        schema = pyarrow.schema([
            ("person", pyarrow.string()), ("date", pyarrow.string()),
            ("revision_id", pyarrow.string()), ("is_readable", pyarrow.bool_()),
            ("generated_at", moment), ("timezone", pyarrow.string()), ("day_start", moment),
            ("day_end", moment), ("is_damaged", pyarrow.bool_()),
            *((name, pyarrow.float64()) for name in units)])
        for batch in batches:
            rows = []
            for row in batch.to_pylist():
                content = row.pop("content")
                if not document.is_id(row["revision_id"]):
                    continue
                try:
                    day = document.read(content, row["date"], units, required)
                    rows.append(row | {"is_readable": True} | day)
                except document.UNREADABLE:
                    rows.append(row | {"is_readable": False})
            yield pyarrow.RecordBatch.from_pylist(rows, schema)

    return read_all


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("stores", nargs="+", metavar="store")
    given = parser.parse_args()
    sys.path.insert(0, str(HERE))
    import document

    # On one machine the workers have what this interpreter has.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    units, required = document.catalogue(
        json.loads((HERE.parent / "schema/health.v0.schema.json").read_text()))
    spark = SparkSession.builder.appName("health/v0 days").config(
        "spark.sql.session.timeZone", "UTC").config(
        "spark.sql.sources.partitionOverwriteMode", "dynamic").config(
        "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS").config(
        "spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.addPyFile(str(HERE / "document.py"))
    files = spark.read.format("binaryFile").load(
        [f"{store.rstrip('/')}/health/v0/data/*/*/*/revisions/*.json" for store in given.stores])
    part = {name: functions.regexp_extract("path", KEY, place)
            for place, name in enumerate(["person", "year", "month", "day", "revision_id"], start=1)}
    # A file that is too large for a document is known to be unreadable: its content stays where it is.
    revisions = files.where(functions.col("path").rlike(KEY)).select(
        part["person"].alias("person"),
        functions.concat_ws("-", part["year"], part["month"], part["day"]).alias("date"),
        part["revision_id"].alias("revision_id"),
        functions.when(functions.col("length") <= 65_536, functions.col("content")).otherwise(
            functions.lit(b"")).alias("content")
    ).where("try_to_date(date, 'yyyy-MM-dd') IS NOT NULL")
    found = revisions.mapInArrow(reader(units, required), schema_of(units)).persist()
    newest = Window.partitionBy("person", "date").orderBy(
        functions.col("is_readable").desc(), functions.col("revision_id").desc())
    days = found.withColumn("place", functions.row_number().over(newest)).where("place = 1")
    days.where("is_readable").drop("place", "is_readable").withColumn(
        "date", functions.to_date("date")).withColumn(
        "year", functions.year("date")).repartition("person").write.mode("overwrite").partitionBy(
        "person", "year").parquet(given.out)
    unread = days.where("NOT is_readable").select("person", "date").orderBy("person", "date").collect()
    for row in unread:
        print(f"{row.person} {row.date}: no revision can be read", file=sys.stderr)
    spark.stop()
    sys.exit(bool(unread))


main()
