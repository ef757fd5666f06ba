"""Parses an exposition on stdin by prometheus_client, and prints its families as JSON.

With the argument "openmetrics" the text is OpenMetrics, whose parser is strict.
"""

import json
import sys

from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser

text = sys.stdin.buffer.read().decode("utf-8")
parse = (
    openmetrics.text_string_to_metric_families
    if sys.argv[1:] == ["openmetrics"]
    else parser.text_string_to_metric_families
)
json.dump(
    [
        {
            "name": family.name, "type": family.type, "help": family.documentation,
            "samples": [
                {
                    "name": sample.name, "labels": sample.labels, "value": sample.value,
                    "time": None if sample.timestamp is None else float(sample.timestamp),
                }
                for sample in family.samples
            ],
        }
        for family in parse(text)
    ],
    sys.stdout,
)
