"""pages.py PROGRAM SECTION FOLDER: writes the program's man pages into the folder."""

import json
import os
import pathlib
import subprocess
import sys
import time

import manual


def main(program, section, folder):
    def said(*arguments):
        return subprocess.run(
            [program, *arguments], check=True, capture_output=True, text=True).stdout

    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or None))
    pages = manual.pages(
        json.loads(said("--experimental-dump-help")), said("--version").strip(), date, section)
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (target / name).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
