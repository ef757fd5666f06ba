#!/usr/bin/env python3
"""Puts the Parquet of parquet.py or spark_days.py into an Iceberg table: iceberg.py WAREHOUSE PARQUET

    analytics/iceberg.py warehouse days-parquet

WAREHOUSE is a folder, with its catalogue in a SQLite file beside the data. The table is `health.days`.
Each run replaces its content as one snapshot; older snapshots stay readable. A metric that is new is
added as a column. Parquet that is missing or holds no day replaces nothing: it may be a disk that is not
mounted."""

import pathlib
import sys

import pyarrow.dataset
from pyiceberg.catalog.sql import SqlCatalog


def main():
    warehouse, parquet = (pathlib.Path(text).absolute() for text in sys.argv[1:])
    if not any(parquet.rglob("*.parquet")):
        sys.exit(f"{parquet}: there is no Parquet")
    # A fragment may lack a metric that another one has.
    found = pyarrow.dataset.dataset(parquet, partitioning="hive")
    schema = pyarrow.unify_schemas(
        [fragment.physical_schema for fragment in found.get_fragments()] + [found.schema],
        promote_options="permissive")
    days = pyarrow.dataset.dataset(parquet, schema=schema, partitioning="hive").to_table()
    if not len(days):
        sys.exit(f"{parquet}: has no day")
    warehouse.mkdir(parents=True, exist_ok=True)
    catalog = SqlCatalog(
        "health", uri=f"sqlite:///{warehouse}/catalog.db", warehouse=f"file://{warehouse}")
    catalog.create_namespace_if_not_exists("health")
    table = catalog.create_table_if_not_exists("health.days", schema=days.schema)
    with table.update_schema() as update:
        update.union_by_name(days.schema)
    table.overwrite(days)
    print(f"health.days: {len(days)} days, snapshot {table.current_snapshot().snapshot_id}")


main()
