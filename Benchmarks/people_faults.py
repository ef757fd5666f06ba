"""Plants faults in the days of people_store.py, and says what a reader must make of them.

Three days of ten have a fault of one kind, chosen at random but the same on every machine. `Planted` says of each
day which revision counts (R30), and which days have revisions that nobody can read. Every twentieth person
has no days.
"""

import hashlib
import json
import random
from dataclasses import dataclass, field
from datetime import timedelta

from people_store import canonical, documents, person


def changed(body, change, sealed=True):
    """A document with a change; its digest is right again unless it is to be wrong."""
    document = json.loads(body)
    digest = document.pop("digest")
    change(document)
    if sealed:
        digest = "sha256:" + hashlib.sha256(canonical(document)).hexdigest()
    return canonical(document | {"digest": digest})


def steps(value, status):
    def change(document):
        document["metrics"]["steps"], document["metric_status"]["steps"] = value, status
    return change


def weight(unit):
    def change(document):
        document["metrics"]["weight"] = 71.25
        document["metric_status"]["weight"], document["metric_units"]["weight"] = "ok", unit
    return change


# What makes a revision unreadable (R41).
UNREADABLE = {
    "cut short": lambda body: body[: len(body) // 2],
    "empty": lambda body: b"",
    "not UTF-8": lambda body: body.replace(b"Etc/UTC", b"Etc/\xff"),
    "a key twice": lambda body: b'{"date":"2026-01-01",' + body[1:],
    "too large": lambda body: body + b" " * 65_536,
    "of another version": lambda body: changed(
        body, lambda document: document.update(schema_version="health.v1")),
    "of another date": lambda body: changed(body, lambda document: document.update(date="2026-01-99")),
    "a number with no_data": lambda body: changed(body, steps(1, "no_data")),
    "no number with ok": lambda body: changed(body, steps(None, "ok")),
}
# What leaves it readable, and changes what it says.
READABLE = {
    "another digest": lambda body: changed(
        body, lambda document: document["metrics"].update(steps=1), sealed=False),
    "no data": lambda body: changed(body, steps(None, "no_data")),
    "zero": lambda body: changed(body, steps(0, "ok")),
    "optional": lambda body: changed(body, weight("kg")),
    "optional, in another unit": lambda body: changed(body, weight("lb")),
}
POINTERS = {
    "no pointer": lambda older: None,
    "pointer to an older one": lambda older: older,
    "pointer into nothing": lambda older: older.replace(b"T0", b"T9"),
    "pointer that is no JSON": lambda older: b"{",
}
STRANGERS = ["notes.txt", "revisions/x.json", "revisions/.DS_Store", "revisions/20260101T000000Z-XYZ.json"]
KINDS = [*UNREADABLE, *READABLE, *POINTERS, "several", "all unreadable", "foreign files", "missing"]


@dataclass
class Planted:
    """What a store holds, as `PERSON DATE`."""
    winners: dict = field(default_factory=dict)  # The id of the revision that counts.
    unread: set = field(default_factory=set)
    kinds: dict = field(default_factory=dict)  # How often each fault is there.
    files: int = 0
    size: int = 0

    def objects(self, number, days, units, last):
        """Every key of a person below the store, with its bytes."""
        place = f"people/{person(number)}"
        found = {f"{place}/person.json": canonical(
            {"format": "person.v0", "added_at": "2026-01-01T00:00:00Z"})}
        for back in range(days if number % 20 != 19 else 0):
            day = last - timedelta(days=back)
            for name, body in self._day(number, day, units).items():
                found[f"{place}/health/v0/data/{day:%Y/%m/%d}/{name}"] = body
        self.files += len(found)
        self.size += sum(len(body) for body in found.values())
        return found

    def _day(self, number, day, units):
        lot = random.Random(f"{number} {day}")
        kind = lot.choice(KINDS) if lot.random() < 0.3 else None
        if kind:
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
        (first, body, older), (second, other, newer) = (
            documents(number, day, units, place) for place in (0, 1))
        key, wins, found = f"{person(number)} {day}", first, {first: body, "latest.json": older}
        if kind in UNREADABLE:
            # The pointer names what cannot be read, or the one below it.
            found |= {second: UNREADABLE[kind](other), "latest.json": lot.choice([older, newer])}
        elif kind in READABLE:
            found[first] = READABLE[kind](body)
        elif kind in POINTERS:
            wins, found[second], found["latest.json"] = second, other, POINTERS[kind](older)
        elif kind == "several":
            third, last, newest = documents(number, day, units, 2)
            wins, found = third, {first: body, second: other, third: last, "latest.json": newest}
        elif kind == "all unreadable":
            damages = [UNREADABLE[name] for name in lot.sample(list(UNREADABLE), 2)]
            wins, found = None, {
                first: damages[0](body), second: damages[1](other), "latest.json": newer}
            self.unread.add(key)
        elif kind == "foreign files":
            found |= {name: b"{}" for name in STRANGERS}
        elif kind == "missing":
            return {}
        if wins:
            self.winners[key] = wins.removeprefix("revisions/").removesuffix(".json")
        return {name: content for name, content in found.items() if content is not None}
