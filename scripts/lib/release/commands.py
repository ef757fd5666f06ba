"""The page of all commands and options, from what the programs say of themselves (see manual.py).

`commands.py s3health s3healthd s3race`, each with its path, prints docs/COMMANDS.md.
"""

import json
import subprocess
import sys

import manual

HEAD = """# Commands

Every command and option of the programs, as their `--help` has them: `scripts/lib/release/commands.py` makes this page, and a test holds it against the programs. Settings are in [SETTINGS.md](SETTINGS.md). An option that six commands of a program or more describe alike stands at the end of the program's part. All have `--help` and `--version`.
"""


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def spelled(argument):
    if argument["kind"] == "positional":
        return f"`{argument['valueName'].upper()}`"
    names = sorted(argument["names"], key=lambda name: name["kind"] == "long")
    text = ", ".join(("--" if name["kind"] == "long" else "-") + name["name"] for name in names)
    return f"`{text} {argument['valueName'].upper()}`" if argument["kind"] == "option" else f"`{text}`"


def table(arguments):
    if not arguments:
        return []
    return ["", "| | |", "|---|---|"] + [
        f"| {spelled(one)} | {cell(one.get('abstract', ''))} |" for one in arguments]


def shown(command):
    return [one for one in manual.shown(command) if one["valueName"] not in ("help", "version")]


def part(program):
    said = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(said)["command"]
    common, shared = manual.common_arguments(root), {}
    for one in (one for _, command in manual.walk(root) for one in shown(command)):
        if manual.identity(one) in common and one["kind"] != "positional":
            shared[manual.identity(one)] = one
    for path, command in manual.walk(root):
        own = [one for one in shown(command) if manual.identity(one) not in shared]
        yield from ["", "#" * min(len(path) + 1, 4) + f" `{' '.join(path)}`", "", cell(command.get("abstract", ""))]
        yield from table(own)
    if shared:
        yield from ["", f"### Options of many commands of `{root['commandName']}`"]
    yield from table(sorted(shared.values(), key=spelled))


def main(*programs):
    print(HEAD.rstrip("\n"))
    for program in programs:
        print("\n".join(part(program)))


if __name__ == "__main__":
    main(*sys.argv[1:])
