"""Runs statements by psycopg. stdin: {"url": ..., "statements": [...]}; stdout: the rows of each."""

import datetime
import json
import sys

import psycopg


def plain(value):
    if isinstance(value, datetime.datetime):
        moment = value.astimezone(datetime.timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return value


order = json.load(sys.stdin)
answers = []
with psycopg.connect(order["url"], autocommit=True, connect_timeout=20) as connection:
    for statement in order["statements"]:
        cursor = connection.execute(statement)
        rows = cursor.fetchall() if cursor.description else []
        answers.append([[plain(value) for value in row] for row in rows])
json.dump(answers, sys.stdout)
