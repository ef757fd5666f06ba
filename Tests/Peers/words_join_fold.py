"""What R20 says of joining and folding, on random words and on days whose figures are known.

usage: words_join_fold.py [--all] [--break RULE]

Joining is commutative, associative and idempotent, and keeps at most four words of a source, group and zone; the
figures do not depend on the order of publishes; no figure mixes sources or counts a moment twice. With a rule broken
the script fails. Its join and fold are those of spec_writer.py, which is held against the program.
"""

import argparse
import collections
import itertools
import random
import sys

import spec_words
from spec_words import GROUPS, REASONS, Word, counting, fold, figures, join, span, word
from spec_writer import news

DAY, ZONES = "2026-02-08", ["Europe/Berlin", "Asia/Tokyo", "America/New_York"]
SOME = ["steps", "weight", "sleep_asleep_minutes", "blood_pressure_systolic"]
rank, ends = Word.rank, Word.ends
BREAKS = {
    # The latest of a register stands, however short.
    "longest": lambda: setattr(Word, "rank", property(lambda one: (one.captured, *rank.fget(one)))),
    # What was joined first stands.
    "total": lambda: setattr(Word, "rank", property(lambda one: (*rank.fget(one)[:2], ()))),
    "ends": lambda: setattr(Word, "ends", lambda one, other: False),
    # What a source says of one zone's day ends what it has said of another's.
    "zones": lambda: setattr(Word, "ends", lambda one, other: ends(one._replace(zone=other.zone), other)),
    "authority": lambda: setattr(Word, "ends", lambda one, other: ends(one._replace(authority=False), other)),
    "overlap": lambda: setattr(spec_words, "NIGHTS", set()),
    "loose": lambda: setattr(Word, "loose", False),
    # What a run hid is not read again.
    "undone": lambda: globals().update(counting=lambda words, undone: (
        [one for one in join(words) if undone.get(one.run, 0) % 2 == 0], [])),
    "repeat": lambda: globals().update(news=lambda known, mine: mine)}


def some_word(r, groups=SOME):
    group, zone = r.choice(groups), r.choice(ZONES[:2])
    first, last = span(DAY, zone, group)
    start, end = sorted(r.choice([first, last, first + 3600 * r.randint(0, 24)]) for _ in range(2))
    numbers = sorted((r.randint(0, 3) for _ in GROUPS[group]), reverse=True)
    if group == "sleep_asleep_minutes":
        numbers[0] = sum(numbers[1:4]) + r.randint(0, 2)
    readings = [number if r.random() < 0.8 or r.random() < 0.5 and place == 0 else r.choice(REASONS)
                for place, number in enumerate(numbers)]
    captured = first + 3600 * r.randint(0, 40)
    return word(r.choice(["a", "b", "unknown"]), group, readings, DAY, zone, captured, start, end,
                is_set=r.random() < 0.2, authority=r.random() < 0.15, loose=r.random() < 0.4,
                again=r.choice([0, 0, 0, 1]))


def algebra(r):
    a, b, c = ([some_word(r) for _ in range(r.randint(0, 8))] for _ in range(3))
    same = [set(join(join(a, b), c)), set(join(a, join(b, c))), set(join(c, b, a)), set(join(a, a, b, c, c)),
            set(join(join(a, b, c)))]
    assert all(one == same[0] for one in same), "joining depends on the order"
    counts = collections.Counter((one.source, one.group, one.zone) for one in same[0])
    assert max(counts.values(), default=0) <= 4, "a fifth word"


def order_of_publishes(r):
    """No source says again what it has said."""
    said = {(one.register, one.readings): one for one in (some_word(r) for _ in range(r.randint(2, 10)))}
    days = []
    for _ in range(2):
        known = []
        for one in r.sample(list(said.values()), len(said)):
            known = join(known, news(known, [one]))
        days.append((fold(known)[0], figures(known)))
    assert days[0] == days[1], "figures depend on the order of publishes"


def undoing(r):
    """A day whose runs are undone, or taken back, is the join of all that the others said."""
    runs = ["a", "b", "c"]
    said = [some_word(r)._replace(run=r.choice(runs)) for _ in range(r.randint(1, 12))]
    undone = {run: r.randint(1, 3) for run in r.sample(runs, r.randint(0, 3))}
    live, aside = counting(said, undone)
    assert set(live) == set(join(one for one in said if undone.get(one.run, 0) % 2 == 0)), "another join"
    order = r.sample(said, len(said))
    assert [set(one) for one in counting(order, undone)] == [set(live), set(aside)], "undoing depends on the order"
    assert [set(one) for one in counting(live + aside, undone)] == [set(live), set(aside)], "a document is not its join"
    back = {run: times + times % 2 for run, times in undone.items()}
    assert set(counting(said, back)[0]) == set(join(said)), "an undo cannot be taken back"


def soundness(r):
    words = [some_word(r) for _ in range(r.randint(1, 12))]
    zone, said = fold(join(words))
    for group, figure in said.items():
        sources = {one.source for one in figure.words}
        assert len(sources) == 1, "a figure of two sources"
        assert all(a.end <= b.start for a, b in itertools.combinations(figure.words, 2)), "counted twice"
        assert set(figure.words) <= set(words), "a word that nobody has said"
        if group == "weight":
            assert figure.readings == list(figure.words[0].readings), "the latest value of another mean"
        asleep, *stages = figure.readings
        if group == "sleep_asleep_minutes" and isinstance(asleep, (int, float)):
            stages = sum(one for one in stages[:3] if not isinstance(one, str))
            # Only where each word kept to it.
            assert stages <= asleep or any(isinstance(one.readings[0], str) for one in figure.words), "more stages"
    # An export that was made last, of a zone that a person set, is what the day shows.
    last = word("z", "steps", [5], DAY, ZONES[2], max(one.captured for one in words) + 1, end=2**40, is_set=True,
                authority=True)
    assert figures(join(words, [last]))["steps"] == 5, "the last authority does not count"


def hours(source, group, number, start, end, at, **traits):
    """A word of some hours of a day, captured in an hour of it."""
    readings = number if isinstance(number, list) else [number]
    readings = readings + ["no_data"] * (len(GROUPS[group]) - len(readings))
    first, _ = span(DAY, ZONES[0], group)
    return word(source, group, readings, DAY, traits.pop("zone", ZONES[0]), first + round(at * 3600),
                first + round(start * 3600), first + round(end * 3600), **traits)


def stories():
    """Words in the order of their publishes, and the figure that the day must show."""
    def night(*said):
        return [hours("hae", "sleep_asleep_minutes", *one, loose=True) for one in said]

    def steps(*said, source="hae", **traits):
        return [hours(source, "steps", *one, **{"loose": True, **traits}) for one in said]

    def whole(source, number, at, group="steps", **traits):
        return [hours(source, group, number, 0, 24, at, **traits)]

    export = {"source": "export", "authority": True}
    yield "a traveller's file begins later", 8000, steps((8000, 0, 20, 20), (4000, 9, 24, 33))
    yield "beside streams", 8000, steps((8000, 0, 20, 20), (4000, 9, 24, 33)) + whole("streams", 8000, 34, loose=True)
    yield "two halves of a night", 420, night((240, 0, 6, 30), (180, 6, 24, 31))
    yield "that overlap", 240, night((240, 0, 8, 30), (180, 6, 24, 31))
    yield "one half corrected", 410, night((240, 0, 6, 30), (230, 0, 6, 31), (180, 6, 24, 40))
    yield "the night's first hours are kept", 420, night((420, 0, 14, 14), (180, 6, 24, 31))
    hourly = [(100 * hour, 0, hour, hour) for hour in range(1, 21)]
    yield "hourly files that are cleaned away", 2400, steps(*hourly, (400, 20, 24, 30))
    yield "a sliding window", 9000, steps(*((9000 - 30 * i, i / 12, 24, 24 + i / 12) for i in range(280)))
    yield "a phone that goes on", 9000, steps((8000, 0, 20, 20), (9000, 0, 24, 30))
    yield "a duplicate was cleared", 8700, steps((9000, 0, 12, 13), (8700, 0, 12, 14), (4000, 11, 24, 26),
                                                 (500, 20, 24, 27))
    made = whole(number=12000, at=30, **export)
    yield "late steps of a stream", 12000, made + whole("streams", 40, 40, loose=True)
    yield "more of them than before", 13000, made + whole("streams", 13000, 40, loose=True)
    yield "a late mean of a stream", 52, (whole(group="resting_hr_avg", number=52, at=30, **export)
                                          + whole("streams", 61, 40, "resting_hr_avg", loose=True))
    yield "an export after a deletion", "no_data", whole("hae", 9000, 30) + whole(number="no_data", at=31, **export)
    older = whole(number=9000, at=28, **export)
    yield "an export that is older than a payload", 9000, steps((8000, 0, 24, 30)) + older
    yield "of which the payload has all", 8000, whole("hae", 8000, 30) + older
    payload = steps((8000, 0, 24, 30))
    corrected = whole("json", 7000, 40, authority=True)
    yield "a correction", 7000, payload + corrected
    yield "and the same payload again", 7000, payload + corrected + steps((8000, 0, 24, 50))
    yield "and another one", 7500, payload + corrected + steps((7500, 0, 24, 50))
    yield "who said it is not known", 12000, whole("unknown", 12000, 25) + whole("streams", 40, 40, loose=True)
    yield "until one who reads all says it", 11000, whole("unknown", 12000, 25) + whole("healthkit", 11000, 40)
    yield "no pressures of two sources", 118, (whole("a", [118, 79], 30, "blood_pressure_systolic")
                                               + whole("b", ["no_data", 85], 29, "blood_pressure_systolic"))
    there = {"zone": ZONES[1], "is_set": True}
    day = -8, 16
    yield "a corrected zone", 300, whole("hae", 9000, 30) + steps((300, *day, 31), loose=False, **there)
    yield "of which a part is known", 9000, whole("hae", 9000, 30) + steps((300, 0, 16, 31), loose=False, **there)
    yield "and no day as a whole", 300, steps((9000, 0, 24, 30)) + steps((300, 0, 16, 31), **there)
    yield "two days of one source", 8000, steps((8000, 0, 10, 10), is_set=True) + steps((100, *day, 20), zone=ZONES[1])
    yield "a deletion, in another zone", "no_data", whole("hae", 9000, 30) + steps(
        ("no_data", *day, 31), source="export", authority=True, loose=False, **there)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--break", dest="broken", choices=BREAKS)
    asked = parser.parse_args()
    if asked.broken:
        BREAKS[asked.broken]()
    faults = []
    for name, expected, said in stories():
        known = []
        for one in said:
            known = join(known, news(known, [one]))
        number = figures(known)[said[0].group]
        if number != expected:
            faults.append(f"{name}: {number} instead of {expected}")
    for count, law in ((20000, algebra), (4000, order_of_publishes), (4000, undoing), (8000, soundness)):
        for number in range(count if asked.all else count // 40):
            try:
                law(random.Random(f"{asked.seed} {number}"))
            except AssertionError as fault:
                faults.append(f"{law.__name__} {number}: {fault}")
                break
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
