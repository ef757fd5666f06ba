"""Times readers of one Apple Health export, in one run.

usage: import_compare.py EXPORT_BENCHMARK FOLDER MEGABYTES (called by Benchmarks/import)

The contestants take turns, so that a drift of the machine meets all alike; medians are told.
Speeds are megabytes of XML in a second of CPU time and of wall time.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from measure import median, run_once

RUNS = int(os.environ.get("BENCH_RUNS", "3"))
HERE = Path(__file__).parent
SCRIPTS = Path(sys.executable).parent

LXML = """
import sys
from lxml import etree
count = 0
for _, element in etree.iterparse(sys.argv[1], tag="Record", recover=True, huge_tree=True):
    count += 1
    element.get("startDate"), element.get("value")
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]
print(count)
"""

APPLE_HEALTH_PARSER = """
import sys
from apple_health_parser.utils.parser import Parser
parser = Parser(export_file=sys.argv[1], output_dir=sys.argv[2], overwrite=True)
print(len(parser.get_flag_records(flag="HKQuantityTypeIdentifierStepCount").records))
"""


def make_export(folder, megabytes):
    """An export of about so many megabytes, three years at most, and the zip of it."""
    xml, archive = folder / "export.xml", folder / "export.zip"
    # The generator's records are a ninth smaller than it counts with.
    subprocess.run(
        [sys.executable, HERE.parent / "Tests/Peers/gen_export.py", xml, "--mb",
         str(megabytes * 1.125), "--days", str(min(1095, round(megabytes * 11))), "--zip", archive],
        check=True, stderr=subprocess.DEVNULL)
    return xml, archive


def main():
    program, folder, megabytes = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    xml, archive = make_export(folder, megabytes)
    size = xml.stat().st_size / 1e6
    print(f"{size:.0f} MB of XML, {archive.stat().st_size / 1e6:.0f} MB zipped\n", flush=True)

    def fresh(name):
        path = folder / name
        shutil.rmtree(path, ignore_errors=True)
        return str(path)

    fast = {
        "s3health's scan of export.xml": lambda: [program, xml],
        "s3health's scan of export.zip": lambda: [program, archive],
        "`unzip -p export.zip`, no reading": lambda: ["unzip", "-p", archive, "*/export.xml"],
    }
    slow = {
        "lxml iterparse, export.xml": lambda: [sys.executable, "-c", LXML, xml],
        "apple-health-parser, export.zip": lambda: [
            sys.executable, "-c", APPLE_HEALTH_PARSER, archive, fresh("parsed")],
        "healthkit-to-sqlite, export.xml": lambda: [
            SCRIPTS / "healthkit-to-sqlite", "--xml", xml, fresh("health") + ".db"],
    }
    figures = {name: [] for name in [*fast, *slow]}
    for turn in range(RUNS + 1):
        for name, command in fast.items():
            result = run_once([str(word) for word in command()])
            # The first turn only brings the files into memory.
            if turn:
                figures[name].append(result)
    for name, command in slow.items():
        (folder / "health.db").unlink(missing_ok=True)
        figures[name].append(run_once([str(word) for word in command()]))

    print("| reader | wall s | CPU s | MB/s, wall | MB/s, CPU | peak memory MB |")
    print("|---|---|---|---|---|---|")
    for name, results in figures.items():
        one = median(results)
        print(f"| {name} | {one.wall:.2f} | {one.cpu:.2f} | {size / one.wall:.0f} | "
              f"{size / one.cpu:.0f} | {one.peak:.0f} |")


main()
