"""Every interleaving of writers that publish one day as the join of its sources' words (R20 to R26), on a store with
compare-and-swap: ids with room between them, deaths, a damaged revision, a pointer that is lost.

usage: words_cas_sparse.py [--all] [--break RULE]

A writer's word is a number that it raises, and a revision the greatest of each: a join as any other. Nothing
acknowledged may be missing from what the next publish would make; without deaths, nor from the newest revision. With
a rule broken an acknowledged word is lost, and the script fails. --all has three writers with a death among them.
"""

import argparse
import sys
from typing import NamedTuple

# The rules that can be left out: the survey reads what the pointer names; it reads everything where that is nothing
# readable, or where there are ids that the newest revision's writer did not see; the pointer is only moved from what
# was surveyed.
BREAKS = ["pointer", "everything", "seen", "swap"]


class Revision(NamedTuple):
    id: int
    parent: int
    words: tuple
    is_readable: bool = True
    # How many ids its writer saw up to the parent; None of a writer that did not say it.
    seen: int = None


class Rules:
    """What a writer does between two requests. `broken` names a rule that is left out."""

    moves_pointer = True

    def __init__(self, broken=None):
        self.broken = broken

    def survey(self, store, named):
        """The newest revision, all words that the next publish takes, and the greatest id."""
        readable = [one for one in store if one.is_readable]
        top = max([one.id for one in store] + [named or 0])
        if not readable:
            return None, (), top
        newest, words = max(readable), ()
        is_known = any(one.id == named for one in readable) or self.broken == "everything"
        is_known = is_known or not named and not self.moves_pointer
        if newest.seen is not None and sum(one.id <= newest.parent for one in store) > newest.seen:
            is_known = is_known and self.broken == "seen"
        for one in readable:
            if (one == newest or not is_known or one.id == named and self.broken != "pointer"
                    or one.id > newest.parent and self.broken != "parent"):
                words = join(words, one.words)
        return newest, words, top

    def steps(self, store, named, writer, place, mine, clock):
        """What the store, its pointer and the writer may be after the writer's next request, and the clock."""
        kind = writer[0]
        if kind == "start":
            yield store, named, ("listing", named), clock
        elif kind == "listing":
            surveyed = writer[1]
            newest, words, top = self.survey(store, surveyed)
            joined = join(words, mine)
            if newest and newest.words == joined and not self.is_obstructed(store, newest, surveyed):
                if surveyed >= newest.id:
                    yield store, named, ("acknowledged",), clock
                else:
                    yield store, named, ("moving", newest.id, surveyed), clock
            else:
                yield store, named, self.creating(store, newest, joined, surveyed, top), clock
        elif kind == "creating":
            _, parent, words, surveyed, top, seen = writer
            # By a clock that is right, and by one that is behind: there is room below the next one's id.
            for one in sorted({max(clock, top) + 100, top + 1 + place}):
                one += 10 * any(there.id == one for there in store)
                if not any(there.id == one for there in store):
                    after = tuple(sorted(store + (Revision(one, parent, words, True, seen),)))
                    yield after, named, self.created(one, surveyed), max(clock, one)
        else:
            yield from self.last(store, named, writer, mine, clock)

    @staticmethod
    def is_obstructed(store, newest, named):
        return named > newest.id or any(not one.is_readable and one.id > newest.id for one in store)

    @staticmethod
    def creating(store, newest, words, named, top):
        parent = newest.id if newest else 0
        return "creating", parent, words, named, top, sum(one.id <= parent for one in store)

    def created(self, one, surveyed):
        return "moving", one, surveyed

    def last(self, store, named, writer, mine, clock):
        _, target, surveyed = writer
        if (named == surveyed or self.broken == "swap") and target > named:
            yield store, target, ("acknowledged",), clock
        else:
            yield store, named, ("start",), clock


def join(words, others):
    joined = dict(words)
    for source, number in others:
        joined[source] = max(joined.get(source, 0), number)
    return tuple(sorted(joined.items()))


def has(words, mine):
    return join(words, mine) == words


def explore(rules, words, deaths, store, named, promised, most):
    """The faults of all orders, by kind, with the steps of one of each."""
    most += len(store)
    clock = max([one.id for one in store], default=0)
    stack = [(store, named, (("start",),) * len(words), clock, deaths, None)]
    seen, faults, ends = set(), {}, 0
    while stack:
        state = stack.pop()
        if state[:5] in seen:
            continue
        seen.add(state[:5])
        store, named, writers, clock, deaths, steps = state
        is_end = True
        for place, writer in enumerate(writers):
            if writer[0] in ("acknowledged", "dead"):
                continue
            is_end = False
            for after, moved, next_, later in rules.steps(store, named, writer, place, words[place], clock):
                # Who meets others for ever creates one revision after the other.
                if len(after) <= most:
                    others = writers[:place] + (next_,) + writers[place + 1:]
                    stack.append((after, moved, others, later, deaths, (steps, f"{place}: {next_}, pointer {moved}")))
            if deaths:
                others = writers[:place] + (("dead",),) + writers[place + 1:]
                stack.append((store, named, others, clock, deaths - 1, (steps, f"{place}: dies")))
        if is_end:
            ends += 1
            newest, taken, _ = rules.survey(store, named)
            kept = newest.words if newest else ()
            has_died = ("dead",) in writers
            for mine in [promised] + [mine for mine, writer in zip(words, writers) if writer[0] == "acknowledged"]:
                if not has(taken, mine):
                    faults.setdefault("lost for good", (store, named, steps))
                elif not has_died and not has(kept, mine):
                    faults.setdefault("lacking although nobody died", (store, named, steps))
    return len(seen), ends, faults


BASE = (Revision(100, 0, (("x", 1),)),)
DAMAGED = BASE + (Revision(150, 100, (("y", 1),), False),)
# 101 was acknowledged after 200 was created, by a writer whose clock is behind: 300 lacks its word.
LATE = BASE + (Revision(101, 100, (("l", 1), ("x", 1))), Revision(200, 100, (("x", 1), ("y", 1))),
               Revision(300, 200, (("x", 2), ("y", 1))))
# The same words in a copy of the folder, whose pointer was replaced by the other's when they were joined again.
COPIED = BASE + (Revision(101, 100, (("l", 1), ("x", 1)), True, 1), Revision(200, 100, (("x", 1), ("y", 1)), True, 1),
                 Revision(300, 200, (("x", 2), ("y", 1)), True, 2))
# The revisions, the pointer, and what was acknowledged.
STARTS = {"empty": ((), 0, ()), "one revision": (BASE, 100, (("x", 1),)), "no pointer": (BASE, 0, (("x", 1),)),
          "damage on top": (DAMAGED, 100, (("x", 1),)), "pointer to damage": (DAMAGED, 150, (("x", 1),)),
          "late below": (LATE, 101, (("l", 1), ("x", 1))), "late below, no pointer": (LATE, 0, (("l", 1), ("x", 1))),
          "copied": (COPIED, 300, (("l", 1), ("x", 1))),
          "pointer to nothing": (LATE, 400, (("l", 1), ("x", 1)))}


def check(rules, breaks, sizes):
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--break", dest="broken", choices=breaks)
    asked = parser.parse_args()
    for writers, deaths, most, starts in sizes["all" if asked.all else "usual"]:
        for start in starts:
            words = [((source, 5),) for source in "abc"[:writers]]
            states, ends, faults = explore(rules(asked.broken), words, deaths, *STARTS[start], most)
            print(f"{start}: {writers} writers, {deaths} deaths: {states} states, {ends} ends", flush=True)
            assert ends > 1, "nothing ends"
            for fault, (store, named, steps) in faults.items():
                print(f"{fault}, from {start}: {store}, pointer {named}", file=sys.stderr)
                path = []
                while steps:
                    steps, step = steps
                    path.insert(0, step)
                print("  " + "\n  ".join(path), file=sys.stderr)
            if faults:
                sys.exit(1)


if __name__ == "__main__":
    check(Rules, BREAKS, {
        "usual": [(2, 1, 7, STARTS), (3, 0, 7, ["empty", "late below"])],
        "all": [(2, 2, 8, STARTS), (3, 0, 8, STARTS), (3, 1, 7, ["empty", "late below"])]})
