"""As words_cas_sparse.py, on a store without compare-and-swap (R24): no pointer is written, and each writer surveys
again after its create, until the newest revision has all that it found.

usage: words_nocas_sparse.py [--all] [--break RULE]
"""

from words_cas_sparse import STARTS, Rules, check, join

# The rules that can be left out: a writer surveys again after its create; the survey reads what is above the newest
# revision's parent, and everything if a pointer names nothing readable.
BREAKS = ["again", "parent", "everything"]


class WithoutSwap(Rules):
    moves_pointer = False

    def steps(self, store, named, writer, place, mine, clock):
        if writer[0] == "again":
            # Without the pointer.
            newest, words, top = self.survey(store, None)
            joined = join(words, mine)
            if newest.words == joined:
                yield store, named, ("acknowledged",), clock
            else:
                yield store, named, self.creating(store, newest, joined, named, top), clock
            return
        for after, moved, next_, later in super().steps(store, named, writer, place, mine, clock):
            # The pointer is not moved.
            yield after, moved, ("acknowledged",) if next_[0] == "moving" else next_, later

    def created(self, one, surveyed):
        return ("acknowledged",) if self.broken == "again" else ("again",)


if __name__ == "__main__":
    # Without a pointer, each writer has looked until the newest revision had all: none came late below it.
    starts = [start for start in STARTS if start != "late below, no pointer"]
    check(WithoutSwap, BREAKS, {
        "usual": [(2, 1, 5, starts), (3, 0, 4, ["empty"])],
        "all": [(2, 2, 6, starts), (3, 0, 6, ["empty", "one revision", "damage on top"]), (3, 1, 5, ["empty"])]})
