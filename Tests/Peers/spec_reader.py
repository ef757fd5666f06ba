"""Reads days of a folder store, written from the page at the top of SPEC.md and nothing else.
`spec_reader.py FOLDER DATE...` prints a line of JSON for each date: its numbers and the id that
they are from, or why there are none."""

import hashlib
import json
import pathlib
import re
import stat
import sys
import unicodedata
from contextlib import suppress
from datetime import datetime
from decimal import Decimal

METRICS = ("steps active_energy_kcal exercise_minutes stand_hours resting_hr_avg hrv_sdnn_avg "
           "sleep_asleep_minutes sleep_in_bed_minutes").split()
STATUSES = ["ok", "no_data", "unauthorized", "unsupported"]
KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder"}
ID = re.compile(r"\d{8}T(?!24)\d{6}Z-[0-9A-Fa-f]{6,233}", re.ASCII)
ZONE = re.compile(r"[A-Za-z0-9_+/-]{1,64}")
MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d)(?:\.\d+)?"
                    r"(Z|[+-]\d\d(?::?[0-5]\d|:[0-5]\d:[0-5]\d)?)", re.ASCII)
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def is_id(name):
    with suppress(ValueError):
        return ID.fullmatch(name) and datetime.fromisoformat(name[:15])


def kind(path):
    """What lies at a path: a file, a folder or nothing. Anything else hides the answer."""
    try:
        found = KINDS.get(stat.S_IFMT(path.lstat().st_mode))
    except FileNotFoundError:
        found = None if path.with_name(f".{path.name}.icloud").exists() else "nothing"
    if not found:
        raise OSError(f"{path} is neither a file nor a folder of this machine")
    return found


def canonical(value, depth=64):
    """RFC 8785. Every number is a double, and is spelled as ECMAScript does."""
    if isinstance(value, (dict, list)) and depth == 0:
        raise ValueError("nested too deep")
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(
            f"{canonical(key)}:{canonical(value[key], depth - 1)}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item, depth - 1) for item in value) + "]"
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if isinstance(value, float) and (value == 0 or 1e-6 <= abs(value) < 1e21):
        return f"{Decimal(text) + 0:f}".removesuffix(".0")
    return re.sub(r"e([+-])0", r"e\1", text) if isinstance(value, float) else text


def once(members):
    if len({unicodedata.normalize("NFC", key) for key, _ in members}) < len(members):
        raise ValueError("a key twice")
    return dict(members)


def read(body, date):
    """The day that a readable document tells; another document raises one of UNREADABLE."""
    document = json.loads(body.decode(), parse_int=float, object_pairs_hook=once)
    canonical(document).encode("utf-8")  # Fails for half of a surrogate pair.
    day, values, statuses = (document[name] for name in ("day", "metrics", "metric_status"))
    start, end, _ = (datetime.fromisoformat("".join(MOMENT.fullmatch(text).groups()))
                     for text in (day["start"], day["end"], document["generated_at"]))
    if (len(body) > 65_536 or document["schema_version"] != "health.v0" or end <= start
            or document["date"] != date or not ZONE.fullmatch(day["timezone"])):
        raise ValueError("too large, of another version or date, or not a day")
    shown = {}
    for name in METRICS:
        value, status = values.get(name), statuses.get(name, "no_data")
        fits = isinstance(value, float) if status == "ok" else value is None
        if status not in STATUSES or not fits:
            raise ValueError(f"{name} contradicts its status")
        shown[name] = value if status == "ok" else status
    others = canonical({key: document[key] for key in document if key != "digest"})
    right = "sha256:" + hashlib.sha256(others.encode("utf-8")).hexdigest()
    return {"metrics": shown, "day": day, "damaged": document.get("digest", right) != right}


def named(body, date):
    """The id that latest.json names, or None where it is to be ignored."""
    with suppress(*UNREADABLE):
        pointer = json.loads(body if len(body) <= 4096 else "")
        name, digits = pointer["revision_id"], re.sub("[-:]", "", pointer["latest_generated_at"])
        agrees = pointer["date"] == date and pointer["revision_relpath"] == f"revisions/{name}.json"
        return name if agrees and is_id(name) and name[:16] == digits else None


def answer(folder, date):
    for part in ("health", "v0", "data", *date.split("-")):
        folder = folder / part
        if kind(folder) != "folder":
            return {"none": "no revision"}
    latest, folder = folder / "latest.json", folder / "revisions"
    pointer = named(latest.read_bytes() if latest.is_file() and not latest.is_symlink() else b"", date)
    paths = folder.iterdir() if kind(folder) == "folder" else []
    names = {re.sub(r"^\.(.+)\.icloud$", r"\1", path.name) for path in paths}
    rejected = [pointer] if pointer else []
    for name in sorted((name.removesuffix(".json") for name in names), reverse=True):
        path = folder / f"{name}.json"
        if is_id(name) and kind(path) == "file":
            rejected.append(name)
            with suppress(*UNREADABLE):
                return {"revision_id": name, **read(path.read_bytes(), date)}
    return {"none": "no readable revision" if rejected else "no revision"}


for asked in sys.argv[2:] if __name__ == "__main__" else []:
    try:
        print(json.dumps({"date": asked, **answer(pathlib.Path(sys.argv[1]), asked)}))
    except OSError as error:
        print(json.dumps({"date": asked, "error": str(error)}))
