"""Publishes what inputs say of days, written from SPEC.md and docs/spec and nothing else.

The first line of stdin is JSON with the store: a folder, or the settings of a bucket (see `spec_stores.py`). Each
further line is what an input says of a day (see `spoken`). Stdout has a line for each: how the publish ended (R27).
"""

import json
import random
import re
import sys
import time
import uuid
from datetime import datetime

import rfc8785

from spec_documents import FOLD, LAST, Read, above, seconds, text, written
from spec_stores import opened
from spec_words import GROUPS, LATEST, NIGHTS, UNITS, counting, figures, is_number, join, span, word

ID = re.compile(r"(\d{8}T\d{6}Z-[0-9A-Fa-f]{6,233})\.json")
COLLECTOR = {name: str(uuid.uuid4()).upper() for name in ("collector_id", "device_id")}
ATTEMPTS = 16


def moment_of(one):
    return int(datetime.strptime(one[:16] + "+0000", "%Y%m%dT%H%M%SZ%z").timestamp())


def pointer_to(one, day):
    return rfc8785.dumps({"date": day, "revision_id": one, "latest_generated_at": text(moment_of(one)),
                          "revision_relpath": f"revisions/{one}.json"})


class Survey:
    """What the revisions of a day say (R20)."""

    def __init__(self, store, day, is_first):
        self.folder = f"health/v0/data/{day.replace('-', '/')}/"
        self.named, self.etag = "", None
        if store.swaps or is_first:
            pointer, self.etag = store.get(self.folder + "latest.json")
            try:
                one = json.loads(pointer)["revision_id"]
                self.named = one if pointer == pointer_to(one, day) else ""
            except (KeyError, TypeError, ValueError):
                pass
        ids = {match[1] for match in map(ID.fullmatch, store.list(self.folder + "revisions/")) if match}
        self.greatest = max(ids | {self.named})
        # What hides words that count again is read with all that is below it.
        if self.look(store, ids, False):
            self.look(store, ids, True)
        self.seen = sum(one <= self.newest for one in (ids | {self.named}) - {""})
        above = max(self.damaged | self.unreadable & {self.named}, default="")
        self.is_obstructed = above > self.newest

    def look(self, store, ids, is_all):
        """Reads what is needed, or all; whether a word that was read is of a run that another one says is undone."""
        self.newest, self.read, self.undone, parent, found = "", None, {}, "", []
        unreadable, damaged = self.unreadable, self.damaged = set(), set()
        for one in [self.named] * bool(self.named) + sorted(ids - {self.named}, reverse=True):
            is_known = self.named not in unreadable | damaged if self.named else not store.swaps
            seen = self.read.seen if self.read and self.read.seen is not None else len(ids) + 1
            is_known = is_known and sum(other <= parent for other in (ids | {self.named}) - {""}) <= seen
            if not is_all and is_known and one < self.newest and one <= parent:
                continue
            body, _ = store.get(f"{self.folder}revisions/{one}.json")
            assert body or one not in ids, "a listed revision is not there"
            try:
                read = Read(json.loads(body))
                # One that agrees with its key.
                read.conforms &= seconds(read.document["generated_at"]) == moment_of(one)
            except (AttributeError, KeyError, TypeError, ValueError):
                unreadable.add(one)
                continue
            if read.is_damaged:
                damaged.add(one)
                continue
            found.append(read)
            self.undone |= {run: max(times, self.undone.get(run, 0)) for run, times in read.undone.items()}
            if one > self.newest:
                self.newest, self.read, parent = one, read, one if read.parent == "own" else read.parent or ""
        said = [one for read in found for one in read.words + read.aside]
        self.words, self.aside = counting(said, self.undone)
        return any(self.undone.get(one.run, 0) % 2 for read in found for one in read.words)

    def has(self, document, words, mine):
        """Whether the newest revision is this already."""
        said, there = ({one._replace(run="") for one in of} for of in (words, self.read.words if self.read else []))
        if not self.read or self.is_obstructed or said != there:
            return False
        if (set(self.aside), self.undone) != (set(self.read.aside), self.read.undone):
            return False
        if not mine or not self.read.conforms:
            return not mine
        own = {"generated_at", "captured_at", "collector", "digest", "parent", "sources", "covers", "kept_from"}
        new, there = ({name: value for name, value in of.items() if name not in own}
                      for of in (document, self.read.document))
        return new == there and self.read.fold == FOLD


def left_out(said, group):
    """The metrics of a group that an input leaves as they are (R19)."""
    if "format" not in said:
        return set()
    parts, speaks = set(GROUPS[group]), speaks_of(said)
    left = parts - set(said.get("metrics", UNITS))
    if said["format"] == "metrics_json" and group != "blood_pressure_systolic" or not speaks & parts:
        left |= parts - speaks
    return left


def speaks_of(said):
    return set(UNITS) if said.get("replace") else set(said.get("speaks", said["readings"]))


def within(days, there):
    """From the first to the last moment of a span that an input's days have."""
    found = [one for one in days if one[1] > there[0] and one[0] < there[1]]
    return (min(found)[0], max(one[1] for one in found)) if found else (there[0], there[0])


def spoken(said, known, captured):
    """The words of an input (R19). What is forced is captured now, and ends where the input's own capture was."""
    day, readings, zone = said["date"], said["readings"], said["timezone"]
    source, is_forced = said.get("source", said["format"]), said.get("force") or said.get("replace")
    speaks, read = speaks_of(said), min(captured, seconds(said.get("captured_at", text(captured))))
    is_authority = is_forced or said["format"] == "metrics_json" or (
        said["format"] == "apple_health_export" and "source" not in said and captured >= span(day, zone, "steps")[1])
    shown, knows = figures(known), {one.group for one in known}
    for group, parts in GROUPS.items():
        is_spoken = bool(speaks & set(parts))
        left = left_out(said, group)
        if not is_spoken and not readings.keys() & set(parts) or left == set(parts) and group in knows:
            continue
        values = {part: readings.get(part, "no_data") for part in parts}
        is_other = any(values[part] != shown[part] for part in set(parts) - left)
        filled = values | {part: shown[part] for part in left - (LATEST if is_other else set())
                           if left != set(parts)}
        stages = sum(filled[part] for part in parts[1:4] if is_number(filled[part]))
        if group not in NIGHTS or not is_number(filled[group]) or stages <= filled[group]:
            values = filled
        is_part = is_spoken and "days" in said and not set(said["whole"]) & set(parts)
        start, end = within(said["days"], span(day, zone, group)) if is_part else (None, read)
        yield word(source, group, values.values(), day, zone, captured, start, min(end, read),
                   is_set=said["set"], authority=bool(is_authority and is_spoken), loose=is_part,
                   run=said.get("run", ""))


def retracted(said, known, captured):
    """Of what the source has no data on this date any more, because its zone was corrected (R19)."""
    day, source, zone = said["date"], said.get("source", said.get("format")), said["timezone"]
    for group, (first, last) in said.get("reach", {}).items():
        own = [one for one in known if (one.source, one.group) == (source, group)]
        is_spoken = bool(set(GROUPS[group]) & {*speaks_of(said), *said["readings"]})
        numbers = [one for one in own if one.has_number]
        is_elsewhere = all(one.zone != zone and (one.captured == captured or first <= one.start and one.end <= last)
                           for one in numbers)
        if is_elsewhere and numbers and not is_spoken:
            times = max((one.again + 1 for one in own if one.captured == captured), default=0)
            for there in sorted({zone} | {one.zone for one in own}):
                yield word(source, group, ["no_data"] * len(GROUPS[group]), day, there, captured, again=times,
                           is_set=there == zone and any(one.is_set for one in own),
                           authority=any(one.authority for one in own), loose=all(one.loose for one in own),
                           run=said.get("run", ""))


def in_place(one, known):
    """A word that is said now, which reaches over that of its source in its place (R20)."""
    there = next((old for old in known if old.register == one.register), one)
    return one._replace(start=min(one.start, there.start), end=max(one.end, there.end))


def again(one, known, left):
    """How often its source has said otherwise of a word's moment (R20)."""
    parts = GROUPS[one.group]
    own = [old for old in known
           if (one.source, one.group, one.captured) == (old.source, old.group, old.captured)
           and (one.is_set if one.zone != old.zone else not one.loose and (one.start, one.end) == (old.start, old.end)
                and any(a != b for part, a, b in zip(parts, one.readings, old.readings) if part not in left))]
    return max((old.again + 1 for old in own), default=0)


def repeats(one, there):
    return (one.readings, one.authority, one.loose, one.is_set) == (
        there.readings, there.authority, there.loose, there.is_set)


def news(known, mine, aside=()):
    """Those of my words that are no repeats (R20)."""
    standing, before, after = {one.register: one for one in known}, figures(known), figures(join(known, mine))
    for one in mine:
        there = standing.get(one.register, one)
        is_repeat = there is not one and repeats(one, there)
        if any((one.register, one.start, one.end, one.captured) == (old.register, old.start, old.end, old.captured)
               and repeats(one, old) for old in aside):
            continue
        has_moved = any((other.source, other.group) == (one.source, one.group)
                        and (other.zone != one.zone or other.authority and other.register[-1])
                        and there.said < other.said < one.said for other in known)
        changes = any(before[metric] != after[metric] for metric in GROUPS[one.group])
        if not is_repeat or has_moved or one.authority and one.rank > there.rank and changes:
            yield one


def publish(store, said, speak=spoken):
    """How the publish of what an input says of a day ended."""
    day, captured, stored, times = said["date"], None, None, {}
    is_read_now = not said.get("captured_at") or said.get("force") or said.get("replace")
    for _ in range(ATTEMPTS):
        survey, now = Survey(store, day, not stored), int(time.time() + store.ahead)
        if survey.read and survey.read.fold > FOLD:
            raise RuntimeError("the newest revision is of a later fold")
        latest = max((one.captured for one in survey.words), default=0)
        if captured is None:
            captured = min(seconds(said.get("captured_at", text(now))), now)
            if is_read_now:
                captured = min(max(now, latest + 1), LAST)
                # No second follows the calendar's last one.
                for old in (old for old in survey.words if old.captured == captured):
                    times[old.source, old.group] = max(old.again + 1, times.get((old.source, old.group), 0))
            else:
                # As the input has them: without what the day shows of the rest of a group.
                times = {one.register: again(one, survey.words, left_out(said, one.group))
                         for one in speak(said, [], captured)}
        mine = [one._replace(again=times.get(one.register, times.get((one.source, one.group), 0)))
                for one in speak(said, survey.words, captured)]
        mine = [in_place(one, survey.words) for one in mine] if is_read_now else mine
        mine += retracted(said, survey.words, captured)
        words = join(survey.words, news(survey.words, mine, survey.aside))
        if not words or not mine and not survey.newest:
            return "unchanged"
        # Not before my capture either: `now` was later, or what was found.
        moment = min(LAST, max([now, latest + 1] + [moment_of(one) + 1 for one in [survey.greatest] if one]))
        document, suffix = written(day, words, moment, survey.newest, survey.seen, COLLECTOR, survey.read,
                                   survey.aside, survey.undone)
        target = survey.newest if survey.has(document, words, mine) else create(store, survey, document, moment, suffix)
        if target and target != survey.newest:
            stored = target
        elif target and (survey.named >= target or not store.swaps):
            return ("published" if store.swaps else "pointer_skipped") if stored else "unchanged"
        if target and store.swaps and store.put(survey.folder + "latest.json", pointer_to(target, day), survey.etag):
            return "published" if stored else "unchanged"
        time.sleep(random.random() / 5)
    raise RuntimeError("the day never settled")


def create(store, survey, document, moment, suffix):
    """The id of the document, once it is certainly stored (R21 to R23); None if the id is taken."""
    ending = suffix if store.swaps else f"{random.getrandbits(32):08X}"
    one = f"{datetime.fromisoformat(text(moment)[:19]):%Y%m%dT%H%M%SZ}-{ending}"
    if survey.greatest and moment_of(survey.greatest) == LAST:
        one = above(survey.greatest, int(ending, 16))
    key, body = f"{survey.folder}revisions/{one}.json", rfc8785.dumps(document)
    for _ in range(ATTEMPTS):
        if store.put(key, body, None):
            return one
        there = json.loads(store.get(key)[0] or b"{}")
        # Equal suffixes, so equal words but for their moments.
        origin = ("collector", "captured_at", "digest", "sources")
        if there:
            return one if all(there.get(name) == document[name] for name in document if name not in origin) else None
        time.sleep(random.random() / 5)
    raise RuntimeError(f"{one} could not be confirmed")


if __name__ == "__main__":
    store = opened(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        print(publish(store, json.loads(line)))
