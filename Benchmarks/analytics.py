"""Checks the engines of analytics/ on many people with planted faults, and says what each costs:
`analytics.py PROGRAM FOLDER` (called by Benchmarks/analytics).

Every figure of every day is compared with what `s3health export --people` writes, and the revision that
was read with the one that was planted as the greatest readable one. A difference ends it with an error.
"""

import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from people_faults import Planted
from people_store import units_of_schema

HERE = Path(__file__).parent
ANALYTICS = HERE.parent / "analytics"
PEOPLE = int(os.environ.get("PEOPLE", "1000"))
DAYS = int(os.environ.get("DAYS", "365"))
# Two years, so that the Parquet has two parts a person.
LAST = datetime.date(2026, 6, 30)


def usage(session, spent):
    """Megabytes of a session's processes, where what they share counts once. Notes the seconds of CPU
    time that each has spent."""
    total = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(process)) == session:
                text = Path(f"/proc/{process}/smaps_rollup").read_text()
                total += int(text.partition("\nPss:")[2].split()[0])
                fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                spent[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            pass  # It has ended.
    return total / 1024


def run(what, command, allowed, measured, env=None):
    """Runs it, prints its row of the table, and returns what it said on stderr."""
    begin, peak, spent = time.monotonic(), 0, {}
    errors = measured.parent / "errors"
    with open(errors, "wb") as file:
        child = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=file, start_new_session=True, env=env)
        while not os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            peak = max(peak, usage(child.pid, spent))
            time.sleep(0.5)
        _, status, own = os.wait4(child.pid, 0)
    said = errors.read_text()
    code = os.waitstatus_to_exitcode(status)
    assert code in allowed, f"{what}: exit {code}\n{said[-4000:]}"
    size = sum(file.stat().st_size for file in measured.rglob("*") if file.is_file())
    # Not all processes are waited for by their parents.
    cpu = max(own.ru_utime + own.ru_stime, sum(spent.values()))
    print(f"| {what} | {time.monotonic() - begin:.0f} | {cpu:.0f} | "
          f"{max(peak, own.ru_maxrss / 1024):.0f} | {size / 1e6:.1f} |", flush=True)
    return said


def compare(what, parquet, exported, units, planted):
    """Every figure of every day, and which revision it is of."""
    with duckdb.connect() as database:
        columns = {"date": "DATE"} | {
            f"{key}_{unit}" if key in ("resting_hr_avg", "hrv_sdnn_avg", "weight") else key: "DOUBLE"
            for key, unit in units.items()}
        source = "parquet"
        if isinstance(parquet, Path):
            source = (f"read_parquet('{parquet}/**/*.parquet', union_by_name = true, "
                      "hive_partitioning = true)")
        database.sql(f"CREATE TABLE mine AS SELECT *, person || ' ' || date AS key FROM {source}")
        database.execute(
            "CREATE TABLE said AS SELECT *, filename.parse_filename(true) || ' ' || date AS key "
            "FROM read_json($files, columns = $columns, filename = true)",
            {"files": f"{exported}/*.jsonl", "columns": columns})
        winners = dict(database.sql("SELECT key, revision_id FROM mine").fetchall())
        rows = database.sql("SELECT count(*) FROM mine").fetchall()[0][0]
        assert rows == len(winners) and winners == planted.winners, f"{what}: other revisions"
        assert rows == database.sql("SELECT count(*) FROM said JOIN mine USING (key)").fetchall()[0][0]
        assert rows == database.sql("SELECT count(*) FROM said").fetchall()[0][0]
        figures = 0
        for name, key in zip(list(columns)[1:], units):
            other, numbers = database.sql(
                f'SELECT count(*) FILTER (mine.{key} IS DISTINCT FROM said.{name}), count(mine.{key}) '
                "FROM mine JOIN said USING (key)").fetchall()[0]
            assert other == 0, f"{what}: {other} days have another {key}"
            figures += numbers
    print(f"{what}: {rows:,} days and {figures:,} figures are those of export", file=sys.stderr)


def expect_unread(what, said, planted):
    found = {line.partition(":")[0] for line in said.splitlines()
             if line.endswith("no revision can be read")}
    assert found == planted.unread, f"{what}: other days are unreadable"


def main():
    program, folder = sys.argv[1], Path(sys.argv[2]).absolute()
    store, planted, units = folder / "store", Planted(), units_of_schema()
    for number in range(PEOPLE):
        for key, body in planted.objects(number, DAYS, units, LAST).items():
            file = store / key
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.write_bytes(body)
    (store / "people/notes.txt").write_text("not a person")
    units["weight"] = "kg"
    print(f"{PEOPLE:,} people, {len(planted.winners):,} days that can be read, "
          f"{len(planted.unread):,} that cannot, {planted.files:,} files of "
          f"{planted.size / 1e6:.0f} MB, with "
          f"{', '.join(f'{count:,} of: {kind}' for kind, count in planted.kinds.items())}",
          file=sys.stderr)
    people = sorted(str(path) for path in (store / "people").iterdir() if path.is_dir())
    print("| what | s | CPU s | peak MB | MB written |")
    print("|---|---:|---:|---:|---:|")
    home = os.environ | {"HOME": str(folder), "S3HEALTH_TIMEZONE": "Etc/UTC"}
    exported = folder / "export"
    run("s3health export", [
        program, "export", "json", "--people", "--store", str(store), "--out", str(exported)],
        # Exit code 66: somebody has no days.
        (66 if PEOPLE > 19 else 0,), exported, home)
    for what, script, stores in (
            ("DuckDB", "parquet.py", people), ("Spark", "spark_days.py", [f"{store}/people/*"])):
        out = folder / what
        said = run(what, [sys.executable, str(ANALYTICS / script), str(out), *stores], (1,), out)
        expect_unread(what, said, planted)
        compare(what, out, exported, units, planted)
    warehouse = folder / "Iceberg"
    run("Iceberg, of Spark's Parquet", [
        sys.executable, str(ANALYTICS / "iceberg.py"), str(warehouse), str(folder / "Spark")],
        (0,), warehouse)
    from pyiceberg.catalog.sql import SqlCatalog
    catalog = SqlCatalog(
        "health", uri=f"sqlite:///{warehouse}/catalog.db", warehouse=f"file://{warehouse}")
    compare("Iceberg", catalog.load_table("health.days").scan().to_arrow(), exported, units, planted)


main()
