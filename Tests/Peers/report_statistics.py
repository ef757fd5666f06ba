"""Means and medians by Python's statistics module alone.

Reads a list of objects on stdin: values (one for each day of a range, null where there is none) and
before (the same of the days directly before it). Prints a list of objects: mean, median, least and
greatest of the range; before, the mean of as many days before it; and for the last 7 and 30 days
up to its end last, counts, and rolling, which has for each day the mean of the days that end on it
where at least three of them have a number.
"""

import json
import statistics
import sys


def mean(days):
    numbers = [number for number in days if number is not None]
    return statistics.fmean(numbers) if numbers else None


def told(ask):
    values, before = ask["values"], ask["before"]
    numbers = sorted(number for number in values if number is not None)
    known = dict(enumerate(values)) | {-place: number for place, number in
                                       enumerate(reversed(before), start=1)}
    rolling = []
    for days in (7, 30):
        means = []
        for end in range(len(values)):
            window = [known.get(place) for place in range(end - days + 1, end + 1)]
            enough = sum(number is not None for number in window) >= 3
            means.append(mean(window) if enough else None)
        rolling.append(means)
    ends = [[known.get(len(values) - place) for place in range(1, days + 1)] for days in (7, 30)]
    return {
        "mean": mean(values), "median": statistics.median(numbers) if numbers else None,
        "least": numbers[0] if numbers else None, "greatest": numbers[-1] if numbers else None,
        "before": mean([known.get(-place) for place in range(1, len(values) + 1)]),
        "last": [mean(window) for window in ends],
        "counts": [sum(number is not None for number in window) for window in ends],
        "rolling": rolling,
    }


print(json.dumps([told(ask) for ask in json.load(sys.stdin)]))
