"""Times tables: of ten years of days in a folder store, and of a whole export, in one run.

usage: tables.py S3HEALTH FOLDER MEGABYTES (called by Benchmarks/tables)
"""

import json
import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

from measure import median, run_once

RUNS = int(os.environ.get("BENCH_RUNS", "3"))
HERE = Path(__file__).parent
SCRIPTS = Path(sys.executable).parent
DAYS = int(os.environ.get("BENCH_DAYS", "3653"))


def ten_years(program, folder):
    """A folder store with ten years of days, the eight required metrics and twenty optional ones."""
    keys = ["weight", "body_fat", "vo2_max", "basal_energy", "flights_climbed", "heart_rate_min",
            "heart_rate_max", "heart_rate_avg", "respiratory_rate", "oxygen_saturation",
            "sleep_core_minutes", "sleep_deep_minutes", "sleep_rem_minutes", "walking_speed",
            "walking_step_length", "daylight_minutes", "environmental_sound", "water",
            "protein", "distance_walking_running"]
    eight = ["steps", "active_energy_kcal", "exercise_minutes", "stand_hours", "resting_hr_avg",
             "hrv_sdnn_avg", "sleep_asleep_minutes", "sleep_in_bed_minutes"]
    first = date(2016, 1, 1)
    days = [{"date": str(first + timedelta(days=number)),
             "metrics": {key: number % 97 + place + 0.25
                         for place, key in enumerate(eight + keys) if key != "stand_hours"}}
            for number in range(DAYS)]
    source, store = folder / "days.json", folder / "store"
    source.write_text(json.dumps({"days": days}))
    store.mkdir()
    subprocess.run(
        [program, "put", "--date", "all", "--input", source, "--store", store, "--timezone", "UTC",
         "--quiet", "--output", "json"], check=True, stdout=subprocess.DEVNULL)
    return store


def main():
    program, folder, megabytes = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    os.environ["HOME"] = str(folder)
    store = ten_years(program, folder)
    xml = folder / "export.xml"
    subprocess.run(
        [sys.executable, HERE.parent / "Tests/Peers/gen_export.py", xml, "--mb",
         str(megabytes * 1.125), "--days", str(min(1095, round(megabytes * 11)))], check=True, stderr=subprocess.DEVNULL)
    size = xml.stat().st_size / 1e6

    def table(name):
        return [program, "export", "csv", "--table", name, "--input", xml, "--out",
                folder / f"{name}.csv", "--quiet", "--no-progress"]

    contest = {
        f"`export csv` of {DAYS} days, folder store": [
            program, "export", "csv", "--store", store, "--out", folder / "ten.csv", "--quiet"],
        f"`export csv --table days --input`, {size:.0f} MB of XML": table("days"),
        "`export csv --table workouts --input`, the same": table("workouts"),
        "`export csv --table sleep --input`, the same": table("sleep"),
    }
    figures = {name: [] for name in contest}
    for turn in range(RUNS + 1):
        for name, command in contest.items():
            result = run_once([str(word) for word in command])
            # The first turn only brings the files into memory.
            if turn:
                figures[name].append(result)
    rows = (folder / "ten.csv").read_text().count("\n") - 1
    if rows != DAYS:
        sys.exit(f"the table has {rows} rows")
    figures["healthkit-to-sqlite, the same"] = [
        run_once([str(SCRIPTS / "healthkit-to-sqlite"), "--xml", str(xml), str(folder / "all.db")])]
    print("| tables | wall s | CPU s | peak memory MB |")
    print("|---|---|---|---|")
    for name, results in figures.items():
        one = median(results)
        print(f"| {name} | {one.wall:.2f} | {one.cpu:.2f} | {one.peak:.0f} |")


main()
