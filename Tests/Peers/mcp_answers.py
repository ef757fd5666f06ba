"""Asks /mcp of s3healthd for many answers at once, and holds each against its output schema; what
ranges, summaries and lists say also against pandas over what `s3health export csv` writes.

mcp_answers.py URL TOKEN EXPORT.csv COUNT SEED

Prints JSON: how many answers there were, how many of them errors, how often it was told to ask later,
how many figures were compared, and the first problems.
"""

import concurrent.futures
import datetime
import http.client
import json
import math
import random
import sys
import threading
import urllib.parse

import jsonschema
import pandas

url, token, table, count, seed = sys.argv[1:]
address = urllib.parse.urlsplit(url)
local = threading.local()
lock = threading.Lock()
report = {"answers": 0, "errors": 0, "waits": 0, "figures": 0, "problems": []}
KEYS = ["steps", "resting_hr_avg", "sleep_asleep_minutes", "weight", "vo2_max"]
frame = pandas.read_csv(table, index_col="date", parse_dates=["date"])
# A column's name has the unit at its end, where the metric's own has none.
frame = frame.rename(columns={
    column: key for key in KEYS for column in frame if column.startswith(key)})
FIRST = datetime.date(2024, 1, 1)


def ask(method, parameters):
    """The result of one request, over a connection that each thread keeps."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters})
    if not hasattr(local, "connection"):
        local.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
    while True:
        local.connection.request(
            "POST", address.path, body,
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json",
             "Accept": "application/json", "MCP-Protocol-Version": "2025-11-25"})
        answer = local.connection.getresponse()
        text = answer.read()
        if answer.status != 503:
            break
        # A busy machine took longer than the server waits.
        with lock:
            report["waits"] += 1
    assert answer.status == 200, (answer.status, text[:300])
    return json.loads(text)["result"]


tools = {tool["name"]: tool for tool in ask("tools/list", {})["tools"]}
schemas = {name: jsonschema.Draft202012Validator(tool["outputSchema"])
           for name, tool in tools.items()}


def arguments(chance):
    """A tool and what it is asked; now and then what it must refuse."""
    start = chance.randrange(-40, 760)
    length = chance.choice([1, 7, 31, 90, 366, 367 if chance.random() < 0.2 else 60])
    date = lambda offset: (FIRST + datetime.timedelta(days=offset)).isoformat()
    metrics = chance.sample(KEYS, chance.randint(1, len(KEYS)))
    ends = {"start_date": date(start), "end_date": date(start + length - 1)}
    kind = chance.randrange(12)
    sources = {"include_sources": True} if chance.random() < 0.3 else {}
    if kind < 3:
        return "health.read_daily_metrics", {
            **sources,
            "date": chance.choice([date(start), "today", "yesterday", f"-{chance.randrange(999)}d",
                                   "2024-02-30", ""])}
    if kind < 6:
        asked = {**ends, **(sources or {"format": chance.choice(["daily", "compact"])})}
        if chance.random() < 0.7:
            asked["metrics"] = metrics + (["mood"] if chance.random() < 0.1 else [])
        return "health.read_range_metrics", asked
    if kind < 7:
        return "health.list_metrics", ends if chance.random() < 0.7 else {}
    asked = {**ends, "metrics": metrics}
    if chance.random() < 0.5:
        asked["by"] = chance.choice(["week", "month"])
    if chance.random() < 0.5:
        asked |= {"compare_start_date": date(start - length), "compare_end_date": date(start - 1)}
    return "health.summarize_range", asked


def same(ours, theirs):
    """Whether a figure is what pandas has; numbers have six decimals."""
    with lock:
        report["figures"] += 1
    if ours is None or theirs is None or math.isnan(theirs):
        return ours is None and (theirs is None or math.isnan(theirs))
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-6)


def rows(start, end):
    return frame[start:end]


def figures(content, start, end):
    """What is wrong with the figures of a summary's range."""
    for metric, ours in content["metrics"].items():
        numbers = rows(start, end)[metric].dropna()
        has = len(numbers) > 0
        wanted = {"days": len(numbers), "mean": numbers.mean() if has else None,
                  "median": numbers.median() if has else None,
                  "least": numbers.min() if has else None, "most": numbers.max() if has else None}
        for name, number in wanted.items():
            if not same(ours[name], number):
                yield f"{metric} {name} of {start}/{end}: {ours[name]} and {number}"


def changes(content, asked):
    """What is wrong with how the means of two ranges differ."""
    def mean(start, end, metric):
        numbers = rows(start, end)[metric].dropna()
        return numbers.mean() if len(numbers) else None

    for metric, ours in content["change"].items():
        new = mean(asked["start_date"], asked["end_date"], metric)
        old = mean(asked["compare_start_date"], asked["compare_end_date"], metric)
        difference = None if new is None or old is None else new - old
        percent = difference / abs(old) * 100 if difference is not None and old else None
        if not (same(ours["mean"], difference) and same(ours["percent"], percent)):
            yield f"change of {metric} in {asked}: {ours}, not {difference} and {percent}"


def periods(content, asked):
    """What is wrong with the periods of a summary."""
    dates = pandas.date_range(asked["start_date"], asked["end_date"])
    rule = {"week": "W-SUN", "month": "M"}[asked["by"]]
    wanted = [(f"{group.iloc[0]:%Y-%m-%d}", f"{group.iloc[-1]:%Y-%m-%d}")
              for _, group in dates.to_series().groupby(dates.to_period(rule))]
    if [(found["start_date"], found["end_date"]) for found in content["periods"]] != wanted:
        yield f"periods of {asked}"
    for found in content["periods"]:
        yield from figures(found, found["start_date"], found["end_date"])


def listed(content):
    """What is wrong with a list of metrics."""
    there = rows(content["start_date"], content["end_date"])
    wanted = {
        metric: {"days": len(found), "first_date": f"{found.index[0]:%Y-%m-%d}",
                 "last_date": f"{found.index[-1]:%Y-%m-%d}"}
        for metric in KEYS if len(found := there[metric].dropna())}
    ours = {metric: {name: told[name] for name in ["days", "first_date", "last_date"]}
            for metric, told in content["metrics"].items()}
    held = {"days": len(frame), "first_date": f"{frame.index[0]:%Y-%m-%d}",
            "last_date": f"{frame.index[-1]:%Y-%m-%d}"}
    if ours != wanted or content["held"] != held:
        yield f"{ours} and {content['held']}, not {wanted} and {held}"


def values(content, asked):
    """What is wrong with the values of a range."""
    if asked.get("format") == "compact":
        found = {date: dict(zip(content["columns"], row)) for date, row in content["days"].items()}
    else:
        found = {day["date"]: day["metrics"] for day in content["data"]}
    wanted = rows(asked["start_date"], asked["end_date"])
    if sorted(found) != [f"{date:%Y-%m-%d}" for date in wanted.index]:
        yield f"dates of {asked}"
        return
    for date, metrics in found.items():
        for metric, number in metrics.items():
            there = wanted.loc[date].get(metric)
            if metric in KEYS and not same(number, there):
                yield f"{metric} on {date}: {number} and {there}"


def one(number):
    chance = random.Random(f"{seed} {number}")
    name, asked = arguments(chance)
    problems = []
    try:
        result = ask("tools/call", {"name": name, "arguments": asked})
        content = result["structuredContent"]
        problems += [error.message for error in schemas[name].iter_errors(content)]
        if json.loads(result["content"][0]["text"]) != content:
            problems.append("the text is not the structured answer")
        failed = "error" in content
        if failed != result.get("isError", False):
            problems.append("isError")
        if not failed and name == "health.summarize_range":
            problems += figures(content, asked["start_date"], asked["end_date"])
            if "by" in asked:
                problems += periods(content, asked)
            if "compared" in content:
                problems += changes(content, asked)
                problems += figures(
                    content["compared"], asked["compare_start_date"], asked["compare_end_date"])
        if not failed and name == "health.list_metrics":
            problems += listed(content)
        if not failed and name == "health.read_range_metrics":
            problems += values(content, asked)
    except Exception as error:
        failed, problems = True, problems + [repr(error)]
    with lock:
        report["answers"] += 1
        report["errors"] += failed
        report["problems"] += [f"{name} {asked}: {problem}"[:400] for problem in problems]


with concurrent.futures.ThreadPoolExecutor(8) as pool:
    list(pool.map(one, range(int(count))))
report["problems"] = report["problems"][:20]
print(json.dumps(report))
