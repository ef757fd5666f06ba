"""Whether an Iceberg table holds what the Parquet has, also after it was replaced, and after runs whose
Parquet was missing or empty: `iceberg_days.py SCRIPT PARQUET WAREHOUSE`. Runs SCRIPT (analytics/iceberg.py) twice, and reads the
table by pyiceberg."""

import json
import pathlib
import subprocess
import sys

import duckdb
from pyiceberg.catalog.sql import SqlCatalog

script, parquet, warehouse = sys.argv[1:]
for _ in range(2):
    subprocess.run([sys.executable, script, warehouse, parquet], check=True, capture_output=True)
for name in "missing", "empty":
    folder = pathlib.Path(warehouse).parent / name
    if name == "empty":
        folder.mkdir()
    done = subprocess.run([sys.executable, script, warehouse, folder], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith(f"{folder}: "), done.stderr
catalog = SqlCatalog("health", uri=f"sqlite:///{warehouse}/catalog.db", warehouse=f"file://{warehouse}")
table = catalog.load_table("health.days")
days = table.scan().to_arrow()
files = duckdb.sql(
    f"SELECT * FROM read_parquet('{parquet}/**/*.parquet', union_by_name = true, "
    "hive_partitioning = true)")
same = "SELECT person, date, revision_id, steps FROM {} ORDER BY ALL"
assert len(table.history()) >= 2, table.history()
assert sorted(days.column_names) == sorted(files.columns), set(days.column_names) ^ set(files.columns)
equal = duckdb.sql(same.format("days")).fetchall() == duckdb.sql(same.format("files")).fetchall()
print(json.dumps({"equal": equal and len(days) > 500}))
