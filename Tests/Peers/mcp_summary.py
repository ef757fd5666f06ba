"""What summarize_range and list_metrics must answer, by pandas and statistics alone.

Reads {"days": {DATE: {KEY: NUMBER}}, "over": DATE, "asks": [ARGUMENTS]} on stdin: dates up to `over`
are over. Prints, for each of the arguments, the members metrics, periods, compared and change of a
summary, and counts of each metric as a list has them.
"""

import json
import statistics
import sys

import pandas

asked = json.load(sys.stdin)
frame = pandas.DataFrame.from_dict(asked["days"], orient="index")
frame.index = pandas.to_datetime(frame.index)
frame = frame.sort_index()


def figures(dates, metrics):
    rows = frame[frame.index.isin(dates) & (frame.index <= asked["over"])]
    answer = {}
    for metric in metrics:
        numbers = list(rows[metric].dropna()) if metric in rows else []
        answer[metric] = {
            "days": len(numbers),
            "mean": statistics.fmean(numbers) if numbers else None,
            "median": statistics.median(numbers) if numbers else None,
            "least": min(numbers, default=None), "most": max(numbers, default=None)}
    return answer


def change(new, old):
    if new["mean"] is None or old["mean"] is None:
        return {"mean": None, "percent": None}
    difference = new["mean"] - old["mean"]
    return {"mean": difference,
            "percent": difference / abs(old["mean"]) * 100 if old["mean"] else None}


def told(ask):
    dates = pandas.date_range(ask["start_date"], ask["end_date"])
    answer = {"metrics": figures(dates, ask["metrics"])}
    if "by" in ask:
        rule = {"week": "W-SUN", "month": "M"}[ask["by"]]
        answer["periods"] = []
        for _, group in dates.to_series().groupby(dates.to_period(rule)):
            answer["periods"].append({
                "start_date": f"{group.iloc[0]:%Y-%m-%d}", "end_date": f"{group.iloc[-1]:%Y-%m-%d}",
                "metrics": figures(group, ask["metrics"])})
    if "compare_start_date" in ask:
        others = pandas.date_range(ask["compare_start_date"], ask["compare_end_date"])
        answer["compared"] = figures(others, ask["metrics"])
        answer["change"] = {
            metric: change(answer["metrics"][metric], answer["compared"][metric])
            for metric in ask["metrics"]}
    rows = frame[frame.index.isin(dates)]
    answer["list"] = {
        metric: {"days": len(found), "first_date": f"{found.index[0]:%Y-%m-%d}",
                 "last_date": f"{found.index[-1]:%Y-%m-%d}"}
        for metric in rows if len(found := rows[metric].dropna())}
    return answer


print(json.dumps([told(ask) for ask in asked["asks"]]))
