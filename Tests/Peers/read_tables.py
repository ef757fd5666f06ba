"""Reads one table as CSV and as JSON lines with pandas and with DuckDB, and prints what they find:
the type of each column and its values, null where there is none.

read_tables.py TABLE.csv TABLE.jsonl
"""

import json
import math
import sys

import duckdb
import pandas


def plain(value):
    """A value as JSON has it."""
    if value is None or value is pandas.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value.item() if hasattr(value, "item") else value


def with_moments(table, moments):
    return table.assign(**{name: pandas.to_datetime(table[name]) for name in moments})


def frame(table):
    kinds = {"O": "text", "U": "text", "T": "text", "i": "number", "f": "number", "M": "moment"}
    return {
        name: {
            "type": kinds.get(getattr(table[name].dtype, "kind", "O"), str(table[name].dtype)),
            "values": [plain(value) for value in table[name].tolist()],
        }
        for name in table.columns
    }


def relation(table):
    kinds = {"VARCHAR": "text", "DATE": "date", "BIGINT": "number", "DOUBLE": "number",
             "JSON": "text", "UUID": "text"}
    columns = {}
    rows = table.fetchall()
    for place, (name, kind) in enumerate(zip(table.columns, table.types)):
        kind = str(kind)
        columns[name] = {
            "type": "moment" if kind.startswith("TIMESTAMP") else kinds.get(kind, kind),
            "values": [
                str(row[place]) if kind == "UUID" else plain(row[place]) for row in rows
            ],
        }
    return columns


def main():
    csv, lines = sys.argv[1:3]
    moments = [name for name in pandas.read_csv(csv, nrows=0).columns
               if name in ("date", "start", "end")]
    print(json.dumps({
        "pandas_csv": frame(pandas.read_csv(csv, parse_dates=moments)),
        "pandas_json": frame(
            with_moments(pandas.read_json(lines, lines=True, dtype=False), moments)),
        "duckdb_csv": relation(duckdb.sql(f"SET TimeZone='UTC'; SELECT * FROM read_csv('{csv}')")),
        "duckdb_json": relation(duckdb.sql(f"SELECT * FROM read_json('{lines}')")),
    }))


main()
