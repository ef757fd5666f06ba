"""Which stores may be read at all. A store that looks empty may be a disk that is not mounted, and what is
neither file nor folder hides data (R29). Engines would take both for "no data"."""

import os
import pathlib
import re
import stat
import sys
import urllib.parse

from document import is_id

LEVELS = [re.compile(pattern, re.ASCII) for pattern in (
    "health", "v0", "data", r"\d{4}", r"0[1-9]|1[0-2]", r"0[1-9]|[12]\d|3[01]", "revisions")]
PLACEHOLDER = re.compile(r"\.(.+)\.icloud")


def is_bucket(store):
    return store.startswith("s3://")


def spelled(store):
    """The store's path, always written the same way. Its last part is the person."""
    return store.rstrip("/") if is_bucket(store) else os.path.abspath(store)


def person(store):
    return store.rpartition("/")[2]


def twins(stores):
    """Why two of the stores would become one person; None if there are no such two."""
    owners = {}
    for store in stores:
        name = person(store)
        if name in owners:
            return (f"{owners[name]} and {store} would both be the person {name}: "
                    "leave one out, or give it another last part")
        owners[name] = store
    return None


def whole(stores):
    """The stores that can be read whole, with the number of revisions of each folder. The others are
    named on stderr."""
    found = {}
    for store in stores:
        try:
            found[store] = 0 if is_bucket(store) else _below(store, 0)
        except OSError as error:
            print(f"{store}: {error}", file=sys.stderr)
    return found


def _below(folder, level):
    """How many revisions a folder of this level holds. Raises OSError for what may hide some."""
    count = 0
    with os.scandir(folder) as entries:
        found = {entry.name: entry for entry in entries}
    for name, entry in found.items():
        placeholder = PLACEHOLDER.fullmatch(name)
        name = placeholder[1] if placeholder else name
        is_file = level == len(LEVELS)
        if not (name.endswith(".json") and is_id(name[:-5]) if is_file
                else LEVELS[level].fullmatch(name)):
            continue
        mode = entry.stat(follow_symlinks=False).st_mode
        if placeholder:
            if name not in found:
                raise OSError(f"{folder}/{name} is not downloaded yet")
        elif stat.S_ISLNK(mode):
            raise OSError(f"{entry.path} is a link, and links inside a store are not followed")
        elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError(f"{entry.path} is a pipe or device where data should be")
        elif is_file:
            count += stat.S_ISREG(mode)
        elif stat.S_ISDIR(mode):
            count += _below(entry.path, level + 1)
    return count


def parquet_of(out, name):
    """The folders of a person's Parquet. Engines write some letters of a name differently."""
    return [folder for folder in pathlib.Path(out).glob("person=*")
            if urllib.parse.unquote(folder.name.removeprefix("person=")) == name]


def complaint(out, store):
    """The message about a store without a readable day, and whether it is an error: if there were days."""
    if "://" in str(out) or any(
            True for folder in parquet_of(out, person(store)) for _ in folder.rglob("*.parquet")):
        return f"{store}: no day can be read; its Parquet is kept", True
    return f"{store}: no day can be read", False
