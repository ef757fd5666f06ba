"""What every client of the Model Context Protocol is to do, whatever it is made of."""

import anyio

DAILY = "health.read_daily_metrics"
RANGE = "health.read_range_metrics"
LIST = "health.list_metrics"
SUMMARY = "health.summarize_range"

#: Name of the step, tool, arguments.
CALLS = [
    ("day", DAILY, {"date": "2026-02-08"}),
    ("day_underscore", "health_read_daily_metrics", {"date": "2026-02-08"}),
    ("missing_day", DAILY, {"date": "2026-02-01"}),
    ("today", DAILY, {"date": "today", "timezone": "Pacific/Kiritimati"}),
    ("range", RANGE, {"start_date": "2026-02-05", "end_date": "2026-02-09"}),
    ("compact", RANGE,
     {"start_date": "2026-02-05", "end_date": "2026-02-09", "format": "compact",
      "metrics": ["hrv_sdnn_avg", "steps"]}),
    ("empty_range", RANGE, {"start_date": "2020-01-01", "end_date": "2020-12-31"}),
    ("bad_date", DAILY, {"date": "2026-02-30"}),
    ("bad_zone", DAILY, {"date": "2026-02-08", "timezone": "PST"}),
    ("no_date", DAILY, {}),
    ("unknown_argument", DAILY, {"date": "2026-02-08", "metric": "steps"}),
    ("too_long", RANGE, {"start_date": "2025-01-01", "end_date": "2026-01-02"}),
    ("backwards", RANGE, {"start_date": "2026-02-09", "end_date": "2026-02-05"}),
    ("list", LIST, {"start_date": "2026-02-01", "end_date": "2026-02-10"}),
    ("list_all", "health_list_metrics", {}),
    ("summary", SUMMARY,
     {"start_date": "2026-02-05", "end_date": "2026-02-09", "metrics": ["steps"], "by": "week",
      "compare_start_date": "2026-01-05", "compare_end_date": "2026-01-09"}),
    ("bad_period", SUMMARY,
     {"start_date": "2026-02-05", "end_date": "2026-02-09", "by": "day"}),
    ("unknown_metric", RANGE, {"start_date": "2026-02-05", "end_date": "2026-02-09", "metrics": ["mood"]}),
]

#: Calls that one client has in flight at once.
AT_ONCE = 60


def answer(is_error, structured, content):
    """A result in the form that all clients report."""
    return {"error": is_error, "structured": structured, "text": [block.text for block in content]}


async def ask(report, call, watched=None):
    """Makes the calls in their order, then many at once. `call` takes a tool and its arguments;
    `watched` also what is to be reported about the progress.
    """
    for name, tool, arguments in CALLS:
        report["answers"][name] = await call(tool, arguments)
    if watched:
        report["progress"] = []

        async def on_progress(done, total, _message):
            report["progress"].append([done, total])

        await watched(
            RANGE, {"start_date": "2025-03-01", "end_date": "2026-02-28"}, on_progress)
    report["together"] = []

    async def one():
        report["together"].append(await call(DAILY, {"date": "2026-02-08"}))

    async with anyio.create_task_group() as group:
        for _ in range(AT_ONCE):
            group.start_soon(one)
