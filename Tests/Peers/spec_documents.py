"""Documents with the words of sources, read and written as SPEC.md says."""

import hashlib
import re
from datetime import date, datetime, timedelta, timezone

import rfc8785

from spec_words import (GROUP_OF, GROUPS, REASONS, REQUIRED, UNITS, counting, figures, fold, is_number, join, local,
                        span, word)

FOLD = 1
DERIVER = "5E3A1D0C-7B42-4F6E-9A51-D40E8C27B190"
MAPS = ("metrics", "metric_status", "metric_units")
# 9999-12-31T23:59:59Z, and the digits of an id's suffix in their order.
LAST, DIGITS = 253402300799, "0123456789ABCDEFabcdef"
KNOWN = {"schema_version", "date", "day", "generated_at", "captured_at", "collector", *MAPS, "sources", "parent",
         "digest", "covers", "kept_from"}


def text(moment):
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(moment):
    return int(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp())


def above(one, step):
    """The id above one of the calendar's last second (R21)."""
    for length in (length for length in (32, 233) if length >= len(one) - 17):
        number = step + 1
        for place, digit in enumerate(one[17:].ljust(length, "0")):
            number += DIGITS.index(digit) * 22 ** (length - 1 - place)
        if number < 22 ** length:
            return one[:17] + "".join(DIGITS[number // 22 ** place % 22] for place in reversed(range(length)))
    raise RuntimeError("there is no greater id")


def digest(document):
    rest = {name: value for name, value in document.items() if name != "digest"}
    return "sha256:" + hashlib.sha256(rfc8785.dumps(rest)).hexdigest()


def shown(document, group):
    numbers, reasons = document["metrics"], document["metric_status"]
    return [reasons.get(metric, "no_data") if numbers.get(metric) is None else numbers[metric]
            for metric in GROUPS[group]]


def whole(number):
    assert type(number) in (int, float) and number == int(number)
    return int(number)


def with_numbers(document):
    return {group for group in GROUPS if any(map(is_number, shown(document, group)))}


class Read:
    """The words of a document, its parent, and whether it conforms."""

    def __init__(self, document):
        self.document, self.fold, self.seen, self.conforms = document, FOLD, None, True
        self.undone, self.aside = {}, []
        self.is_damaged = document.get("digest", digest(document)) != digest(document)
        is_derived = document["collector"]["collector_id"] == DERIVER
        has_sources, generated = "sources" in document, seconds(document["generated_at"])
        captured = min(seconds(document.get("captured_at", document["generated_at"])), generated)

        def unnamed(groups, moment):
            return [word("streams" if is_derived else "unknown", group, shown(document, group),
                         document["date"], document["day"]["timezone"], moment) for group in groups]

        # "own" is its id, which a document does not say.
        self.parent = document.get("parent" if has_sources else "kept_from", "" if is_derived else "own")
        try:
            undone = {run: whole(times) for run, times in document["sources"].get("undone", {}).items()}
            assert all(re.fullmatch("[a-z0-9]{1,16}", run) and times > 0 for run, times in undone.items())
            self.words, self.aside = counting(named_words(document, document["sources"]["words"], undone), undone)
            self.undone = undone
            self.fold = whole(document["sources"]["fold"])
        except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
            self.conforms, speaks = not has_sources, [] if has_sources else document.get("covers", GROUPS)
            self.words = unnamed(with_numbers(document) | set(speaks) & set(GROUPS), captured)
            return
        self.parent = document.get("parent", "")
        try:
            self.seen = whole(document["sources"].get("seen"))
        except (AssertionError, TypeError):
            pass
        shows = {metric: reading for group, parts in GROUPS.items()
                 for metric, reading in zip(parts, shown(document, group))}
        said = figures(self.words)
        differ = {group for metric, group in GROUP_OF.items() if shows[metric] != said[metric]
                  and (is_number(shows[metric]) or is_number(said[metric]))}
        if self.fold == FOLD:
            self.conforms = not differ
            changed = with_numbers(document) & (differ if "digest" in document else set(GROUPS))
            self.words = join(self.words, unnamed(changed, min(generated + 1, LAST)))


def named_words(document, entries, undone):
    words, day, generated = {}, document["date"], seconds(document["generated_at"])
    for entry in entries:
        flags = [entry.get(name, True) for name in ("authority", "loose", "timezone_set")]
        assert re.fullmatch("[a-z0-9_.-]{1,40}", entry["source"]) and all(flag is True for flag in flags)
        assert entry.get("rest", "no_data") == "no_data" and set(entry.get("none", {})) <= set(REASONS)
        captured = seconds(entry.get("captured_at", document.get("captured_at", document["generated_at"])))
        zone = entry.get("timezone", document["day"]["timezone"])
        assert re.fullmatch("[A-Za-z0-9_+/-]{1,64}", zone)
        lists = [entry.get("shown", []), *entry.get("none", {}).values()]
        assert all(isinstance(one, str) for names in lists for one in names)
        groups = entry.get("shown", [])
        if len(entries) == 1 and not entry.keys() & {"shown", "values"}:
            groups = with_numbers(document)
        said = {metric: reading for group in groups if group in GROUPS
                for metric, reading in zip(GROUPS[group], shown(document, group))}
        assert all(type(one) in (int, float) and one >= 0 for one in entry.get("values", {}).values())
        said |= entry.get("values", {})
        said |= {metric: reason for reason, of in entry.get("none", {}).items() for metric in of}
        for group in GROUPS if "rest" in entry else {GROUP_OF[one] for one in said if one in GROUP_OF}:
            one = word(entry["source"], group, [said.get(metric, "no_data") for metric in GROUPS[group]], day, zone,
                       min(captured, generated), seconds(entry["from"]) if "from" in entry else None,
                       seconds(entry["to"]) if "to" in entry else span(day, zone, group)[1],
                       is_set="timezone_set" in entry, authority="authority" in entry, loose="loose" in entry,
                       again=whole(entry.get("again", 0)), run=entry.get("run", ""))
            place = one.register, one.run if undone.get(one.run, 0) % 2 else ""
            assert one.again >= 0 and words.setdefault(place, one) is one
            assert "run" not in entry or re.fullmatch("[a-z0-9]{1,16}", one.run)
    return list(words.values())


def named_entries(words, document, captured):
    """The entries of `sources`."""
    entries = {}
    for one in words:
        start, end = text(one.start) if one.register[3] & 2 else "", text(one.end) if one.register[3] & 1 else ""
        key = (one.source, one.zone, text(one.captured), start, end, one.authority, one.is_set, not one.loose,
               str(one.again), one.run)
        entries.setdefault(key, []).append(one)
    return [named_entry(key, entries[key], document, captured, len(entries) == 1) for key in sorted(entries)]


def named_entry(key, words, document, captured, is_alone):
    source, zone, moment, start, end, authority, is_set, reads_all, again, run = key
    equal, values, none = [], {}, {}
    for one in words:
        if one.has_number and list(one.readings) == shown(document, one.group):
            equal.append(one.group)
            continue
        for metric, reading in zip(GROUPS[one.group], one.readings):
            if is_number(reading):
                values[metric] = reading
            elif reading != "no_data" or metric == one.group and not one.has_number:
                none.setdefault(reading, []).append(metric)
    has_rest = len(words) == len(GROUPS) and len(none.get("no_data", [])) * 2 > len(GROUPS)
    if has_rest:
        del none["no_data"]
    members = {"source": source, "timezone": zone if zone != document["day"]["timezone"] else None,
               "captured_at": moment if moment != text(captured) else None, "again": int(again), "from": start,
               "to": end, "authority": authority, "timezone_set": is_set, "loose": not reads_all, "values": values,
               "none": {reason: sorted(metrics) for reason, metrics in none.items()},
               "rest": "no_data" if has_rest else None, "run": run}
    members = {name: value for name, value in members.items() if value}
    if is_alone and (values or set(equal) != with_numbers(document)) or equal and not is_alone:
        members["shown"] = sorted(equal)
    return members


def written(day, words, moment, parent, seen, collector, before, aside=(), undone=None):
    """The document of words under an id of a moment, over the newest one, and the suffix of the id (R21)."""
    zone, said, captured = fold(words)[0], figures(words), max(one.captured for one in words)
    first = date.fromisoformat(day)
    start, end = (local(at, 0, zone).isoformat() for at in (first, first + timedelta(1)))
    document = {"schema_version": "health.v0", "date": day, "generated_at": text(moment), "collector": collector,
                "day": {"timezone": zone, "start": start, "end": end}, **{name: {} for name in MAPS}}
    for metric, unit in UNITS.items():
        if metric in REQUIRED or is_number(said[metric]):
            number, status = (said[metric], "ok") if is_number(said[metric]) else (None, said[metric])
            for name, value in zip(MAPS, (number, status, unit)):
                document[name][metric] = value
    before = before.document if before else {}
    document |= {name: value for name, value in before.items() if name not in KNOWN}
    for name in ("day", "collector", *MAPS):
        kept = {key: value for key, value in before.get(name, {}).items() if key not in UNITS}
        document[name] = kept | document[name]
    document |= {"parent": parent} if parent else {}
    document |= {"captured_at": text(captured)} if captured < moment else {}

    timeless = [one._replace(captured=0, end=0 if one.end == one.captured < one.span[1] else one.end, run="")
                for one in words] + list(aside)
    words = [*words, *aside]
    bare = {name: value for name, value in document.items() if name not in ("collector", "captured_at")}
    sources = {"fold": FOLD} | ({"undone": undone} if undone else {})
    bare |= {"generated_at": text(0), "sources": sources | {"words": named_entries(timeless, document, 0)}}
    bare["digest"] = digest(bare)
    document["sources"] = sources | {"words": named_entries(words, document, captured)}
    document["sources"] |= {"seen": seen} if parent else {}
    document["digest"] = digest(document)
    return document, hashlib.sha256(rfc8785.dumps(bare)).hexdigest()[:8].upper()
