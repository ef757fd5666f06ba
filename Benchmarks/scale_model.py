"""The model of docs/SCALE.md: what each work costs is a sum of terms, each in proportion to a number of
people, days or batches. It is fitted to the smaller steps, compared with the largest, and extrapolated to a million.

    scale_model.py FILE...     # prints the tables again of files that BENCH_KEEP kept
"""

import json
import sys
from pathlib import Path

# What the cost of each work grows with: "once" is a cost of the run itself, "earlier" are the batches that
# the person's day had before.
TERMS = {
    "first write to a store": ["once"],
    "import, first": ["people", "person-days"],
    "import, unchanged": ["people", "person-days"],
    "collect, a new day": ["people"],
    "collect, unchanged": ["people"],
    "collect, a day changed": ["people"],
    "verify --people, no cache": ["once", "people", "person-days"],
    "verify --people, cache filled": ["once", "people", "person-days"],
    "verify --people, no cache, time": ["once", "people", "person-days"],
    "people ls": ["once", "people"],
    "people ls, time": ["once", "people"],
    "people ls --long": ["once", "people", "person-days"],
    "sync, a batch": ["batches"],
    "streams cat of a day": ["people", "batches"],
    "collect --from-streams, a day changed": ["people", "batches"],
    "collect --from-streams, unchanged": ["people", "batches"],
    "a post to the hub, the first": ["batches"],
    "a post to the hub, later": ["batches", "earlier"],
    "the hub without a post": ["people"],
    "stored days": ["person-days"],
    "stored batches": ["batches"],
    "stored by the hub": ["people", "batches"],
    "a listing of all": ["once", "people", "person-days"],
}
KINDS = ["PUT", "GET", "LIST", "DELETE", "sent", "received", "keys", "bytes", "ms", "CPU ms"]
# Of S3 Standard in us-east-1, in dollars: a PUT or LIST, a GET, a GB stored for a month, a GB read from
# outside of AWS. docs/SCALE.md says of when they are.
PRICES = {"PUT": 0.005 / 1000, "LIST": 0.005 / 1000, "GET": 0.0004 / 1000, "GB": 0.023, "read": 0.09}


def value(row, term):
    return 1 if term == "once" else row.get(term, 0)


def least_squares(rows, terms, kind):
    """The coefficients of the terms, by the normal equations; relative errors count, so that small steps
    say as much as large ones."""
    weight = [1 / max(1, row["counts"].get(kind, 0)) for row in rows]
    left = [[sum(w * w * value(r, a) * value(r, b) for r, w in zip(rows, weight)) for b in terms]
            + [sum(w * w * value(r, a) * r["counts"].get(kind, 0) for r, w in zip(rows, weight))]
            for a in terms]
    size = len(terms)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(left[row][at]))
        left[at], left[pivot] = left[pivot], left[at]
        if abs(left[at][at]) < 1e-18:
            return None
        for row in range(size):
            if row != at:
                part = left[row][at] / left[at][at]
                left[row] = [x - part * y for x, y in zip(left[row], left[at])]
    return [left[at][size] / left[at][at] for at in range(size)]


def sizes(rows, flow):
    """The rows of a flow, the largest last."""
    return sorted(
        (row for row in rows if row["flow"] == flow), key=lambda row: (row["people"], row["batches"]))


def fit(rows):
    """(flow, kind) to terms with coefficients, from all steps but the largest of each flow."""
    found = {}
    for flow, terms in TERMS.items():
        own = sizes(rows, flow)
        smaller = own[:-1] if len(own) > len(terms) else own
        for kind in KINDS:
            if any(kind in row["counts"] for row in own):
                numbers = least_squares(smaller, terms, kind)
                if numbers:
                    found[flow, kind] = dict(zip(terms, numbers))
                else:
                    print(f"{flow}, {kind}: too few steps for a model", file=sys.stderr)
    return found


def predict(model, flow, kind, row):
    return sum(number * value(row, term) for term, number in model.get((flow, kind), {}).items())


def short(number):
    if abs(number) < 0.0005:
        return ""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.2f}".rstrip("0").rstrip(".")


def print_coefficients(model, kinds):
    print(f"| what | for each | {' | '.join(kinds)} |")
    print(f"|---|---|{'---:|' * len(kinds)}")
    for flow, terms in TERMS.items():
        shown = flow
        for term in terms:
            cells = [short(model.get((flow, kind), {}).get(term, 0)) for kind in kinds]
            if any(cells):
                print(f"| {shown} | {term} | {' | '.join(cells)} |")
                shown = ""
    print()


GROUPS = {
    "requests": ["PUT", "GET", "LIST", "DELETE"], "bytes over the wire": ["sent", "received"],
    "keys": ["keys"], "bytes stored": ["bytes"], "ms": ["ms"], "CPU ms": ["CPU ms"]}


def print_errors(rows, model):
    """The largest step beside what the smaller ones say of it, and the largest error within those."""
    print("| what | of | people | the model says | measured | error | largest error below |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for flow in TERMS:
        own = sizes(rows, flow)
        for group, kinds in GROUPS.items():
            pairs = [(sum(predict(model, flow, kind, row) for kind in kinds),
                      sum(row["counts"].get(kind, 0) for kind in kinds)) for row in own]
            errors = [100 * (said - found) / found for said, found in pairs if found]
            if len(errors) > 1:
                said, found = pairs[-1]
                print(f"| {flow} | {group} | {own[-1]['people']:,} | {said:,.0f} | {found:,.0f} "
                      f"| {errors[-1]:+.1f} % | {max(map(abs, errors[:-1])):.1f} % |")
    print()


# What one person does in a month of 30 days: (work, what it is of, how often).
DAY = {"once": 0, "people": 1, "person-days": 1, "batches": 1}
UPLOADS = 288
MONTHS = {
    "days, once a night": [("collect, a new day", DAY, 30)],
    "raw data to the bucket every 5 minutes, days once a night": [
        ("sync, a batch", DAY, 30 * UPLOADS),
        ("collect --from-streams, a day changed", {**DAY, "batches": UPLOADS}, 30)],
    "raw data to a hub every 5 minutes": [
        ("a post to the hub, later", {**DAY, "earlier": UPLOADS / 2}, 30 * UPLOADS),
        ("the hub without a post", DAY, 30 * UPLOADS)],
    "raw data to a hub every hour": [
        ("a post to the hub, later", {**DAY, "earlier": 12}, 30 * 24),
        ("the hub without a post", DAY, 30 * UPLOADS)],
}
# Bytes that a year leaves: (what is stored, batches or days of it a day).
YEARS = {
    "days, once a night": [("stored days", 1)],
    "raw data to the bucket every 5 minutes, days once a night": [
        ("stored days", 1), ("stored batches", UPLOADS)],
    "raw data to a hub every 5 minutes": [("stored by the hub", UPLOADS)],
    "raw data to a hub every hour": [("stored by the hub", 24)],
}
CHECK = ("verify --people, no cache", {**DAY, "person-days": 365}, 1)


def month(model, use):
    """Requests, bytes and dollars of one person in a month, with a year stored, checked once."""
    counts = {kind: sum(times * predict(model, flow, kind, of) for flow, of, times in MONTHS[use] + [CHECK])
              for kind in ("PUT", "GET", "LIST", "received")}
    stored = 365 / 1e9 * sum(
        predict(model, flow, "bytes", {**DAY, "batches": number}) for flow, number in YEARS[use])
    requests = sum(PRICES[kind] * counts[kind] for kind in ("PUT", "GET", "LIST"))
    return counts, stored, requests, stored * PRICES["GB"], counts["received"] / 1e9 * PRICES["read"]


def print_months(model):
    print("| a month of | people | PUT | LIST | GET | GB stored after a year | requests, $ | storage, $ "
          "| reading from outside, $ |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for use in MONTHS:
        counts, stored, *dollars = month(model, use)
        for people in (1, 1000, 1_000_000):
            cells = [short(people * counts[kind]) for kind in ("PUT", "LIST", "GET")]
            cells.append(f"{people * stored:,.3f}" if people == 1 else f"{people * stored:,.0f}")
            cells += [f"{people * d:,.4f}" if people == 1 else f"{people * d:,.2f}" if people == 1000
                      else f"{people * d:,.0f}" for d in dollars]
            print(f"| {use} | {people:,} | {' | '.join(cells)} |")
    print()


def report(rows):
    for row in rows:  # What the hub is asked in five minutes of the seconds that it was watched.
        if "seconds" in row:
            row["counts"] = {kind: n * 300 / row["seconds"] for kind, n in row["counts"].items()}
    model = fit(rows)
    print_coefficients(model, KINDS[:6])
    print_coefficients({key: model[key] for key in model if key[1] in KINDS[6:]}, KINDS[6:])
    print_errors(rows, model)
    print_months(model)


if __name__ == "__main__":
    report([row for name in sys.argv[1:] for row in json.loads(Path(name).read_text())])
