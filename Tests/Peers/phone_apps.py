"""Posts to s3healthd as phones do: Overland, OwnTracks and Health Auto Export, from what their
authors and users say of them, and with what goes wrong on the way. Then reads the store's folder
and reports whether all that was acknowledged is there, once.

usage: phone_apps.py S3HEALTHD S3HEALTH FOLDER SEED
Starts the server on the store FOLDER/store, with tokens of its own, and stops it at the end.
Prints one JSON object: what was sent, and `problems`, a list of sentences.
"""

import base64
import datetime
import gzip
import http.client
import json
import random
import socket
import subprocess
import sys
import time
import urllib.parse

from hub_server import HubServer

program, seed = sys.argv[2], int(sys.argv[4])
hub = HubServer(sys.argv[1], sys.argv[3])
folder = hub.folder
dice = random.Random(seed)
problems = []
day = datetime.date(2026, 3, 2)


def problem(text):
    problems.append(text)


def token(app):
    """A token for an app, as its set-up link brings it to the phone."""
    made = hub.token(app, "--app", app, "--url", "https://hub.test:8443")
    link = urllib.parse.urlsplit(made["setup"]["set-up link"])
    query = {name: values[0] for name, values in urllib.parse.parse_qs(link.query).items()}
    if app == "owntracks":
        settings = json.loads(base64.b64decode(query["inline"]))
        address, found = settings["url"], settings["password"]
    elif app == "overland":
        address, found = query["url"], query["token"]
    else:
        address, found = query["url"], query["headers"].removeprefix("Authorization,Bearer ")
    if address != f"https://hub.test:8443/{app}" or found != made["token"]:
        problem(f"the link of {app} is wrong")
    return found


def figures():
    """What the day says, as the person's tool reads it."""
    try:
        return json.loads(hub.run(program, "get", str(day), "--store", str(folder), "-o", "json"))
    except subprocess.CalledProcessError:
        return {}


def connection():
    return http.client.HTTPConnection(address.hostname, address.port, timeout=60)


def request(method, path, body, headers):
    """Status, content type and body; None where no answer was read."""
    link = connection()
    try:
        link.request(method, path, body=body, headers=headers)
        answer = link.getresponse()
        return answer.status, answer.getheader("Content-Type", ""), answer.read()
    finally:
        link.close()


def hang_up(path, body, headers):
    """Sends all of a request, and goes away without reading the answer: the app's time is over."""
    lines = [f"POST {path} HTTP/1.1", f"Host: {address.hostname}:{address.port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "", ""]
    with socket.create_connection((address.hostname, address.port), timeout=60) as plug:
        plug.sendall("\r\n".join(lines).encode() + body)


# Overland: the same batch again at the next interval until the answer is {"result": "ok"}.

class Overland:
    path = "/overland"

    def __init__(self, token):
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.queue, self.points, self.asides = [], set(), 0

    def point(self, minute, **members):
        moment = datetime.datetime(day.year, day.month, day.day, 6, tzinfo=datetime.timezone.utc)
        moment += datetime.timedelta(minutes=minute)
        properties = {
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "altitude": 40, "speed": -1,
            "horizontal_accuracy": 8, "vertical_accuracy": -1, "motion": ["walking"],
            "battery_state": "unplugged", "battery_level": 0.8, "wifi": "", "device_id": "phone",
        } | members
        return {
            "type": "Feature", "properties": properties,
            "geometry": {"type": "Point", "coordinates": [13.4 + minute / 1e4, 52.5]},
        }

    def send(self, batch):
        body = {"locations": batch, "current": {"battery": dice.random()}}
        data = json.dumps(body).encode()
        for attempt in range(5):
            if dice.random() < 0.3:
                hang_up(self.path, data, self.headers)
                continue
            found = request("POST", self.path, data, self.headers)
            status, kind, text = found
            if 200 <= status < 300 and "json" in kind and json.loads(text) == {"result": "ok"}:
                return True
            problem(f"Overland was answered {status} {kind} {text[:200]}")
        return request("POST", self.path, data, self.headers)[0] == 200

    def run(self):
        status, _, text = request("GET", self.path, None, self.headers)
        if status != 200 or "name" not in json.loads(text):
            problem(f"GET /overland was answered {status}")
        if not self.send([]):
            problem("an empty batch was not confirmed")
        minute = 0
        for _ in range(6):
            batch = [self.point(minute + step) for step in range(dice.randint(1, 20))]
            good = list(batch)
            minute += len(batch)
            odd = dice.choice(["none", "bad", "event", "null"])
            if odd == "bad":
                broken = self.point(minute)
                broken["geometry"]["coordinates"] = {"latitude": 52.5, "longitude": 13.4}
                batch.insert(dice.randrange(len(batch) + 1), broken)
            if odd == "event":
                batch.append({"type": "Feature", "properties": {
                    "timestamp": "2026-03-02T06:00:00Z", "action": f"paused_{minute}"}})
            if odd == "null":
                batch.append(self.point(minute, timestamp=None))
            minute += 1
            self.asides += odd != "none"
            if self.send(batch):
                self.points |= {feature["properties"]["timestamp"] for feature in good}
            # The app sends a batch again that it believes unconfirmed, with more behind it.
            if dice.random() < 0.5:
                more = self.point(minute)
                minute += 1
                if self.send(good + [more]):
                    self.points.add(more["properties"]["timestamp"])


# OwnTracks: one message a request; 4xx deletes it, 5xx keeps it.

class OwnTracks:
    path = "/owntracks"

    def __init__(self, token):
        basic = base64.b64encode(f"phone:{token}".encode()).decode()
        self.headers = {
            "Authorization": f"Basic {basic}", "Content-Type": "application/json",
            "X-Limit-U": "user", "X-Limit-D": "device"}
        self.points, self.others = set(), []

    def send(self, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        for _ in range(5):
            if dice.random() < 0.2:
                hang_up(self.path, data, self.headers)
                continue
            status, kind, text = request("POST", self.path, data, self.headers)
            if 200 <= status < 300 and "json" in kind and json.loads(text) == []:
                return True
            problem(f"OwnTracks was answered {status} {kind} {text[:200]} to {data[:60]}")
        return request("POST", self.path, data, self.headers)[0] == 200

    def run(self):
        start = int(datetime.datetime(2026, 3, 2, 6, tzinfo=datetime.timezone.utc).timestamp())
        for step in range(25):
            place = {"_type": "location", "lat": 52.5, "lon": 13.4 + step / 1e4, "acc": 8,
                     "tst": start + 60 * step, "batt": 80, "bs": 1, "tid": "ph", "conn": "w"}
            if step % 3 == 0:
                place["vel"] = 36
            if self.send(place):
                self.points.add((place["tst"], None))
            if step == 10 and self.send(place | {"acc": 5}):
                pass
        crossing = {"_type": "transition", "event": "enter", "desc": "home", "lat": 52.5,
                    "lon": 13.4, "acc": 6, "t": "c", "tid": "ph", "tst": start + 60,
                    "wtst": start - 999}
        if self.send(crossing):
            self.points.add((crossing["tst"], "transition"))
        for other in [
            {"_type": "waypoint", "desc": "home", "lat": 52.5, "lon": 13.4, "rad": 50, "tst": start},
            {"_type": "lwt", "tst": start}, {"_type": "status", "iOS": {"version": "17.2.3"}},
            {"_type": "encrypted", "data": "YWJjZGUK"},
            {"_type": "steps", "from": start, "to": start + 60, "steps": -1, "tst": start + 61},
            {"_type": "location", "lon": 13.4, "tst": start}, {"_type": "card", "name": "Ann"},
            {}, b'{"_type":"cmd","tst":010}', b"\xff\xfe not json",
        ]:
            if self.send(other):
                self.others.append(other)
        for empty in [b"", b" \n", b"[]"]:
            self.send(empty)


# Health Auto Export: windows that overlap, several requests of one session, keys in any order.

class HealthAutoExport:
    path = "/health-auto-export"

    def __init__(self, token):
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json",
                        "automation-name": "Daily", "automation-id": "A1",
                        "automation-aggregation": "days", "automation-period": "default"}
        self.payloads, self.steps = set(), None

    def shuffled(self, value):
        if isinstance(value, dict):
            keys = list(value)
            dice.shuffle(keys)
            return {key: self.shuffled(value[key]) for key in keys}
        return [self.shuffled(each) for each in value] if isinstance(value, list) else value

    def send(self, payload, session):
        headers = self.headers | {"session-id": session}
        for _ in range(5):
            # Each send writes its keys in another order.
            data = json.dumps(self.shuffled(payload)).encode()
            if dice.random() < 0.3:
                hang_up(self.path, data, headers)
                continue
            status, _, text = request("POST", self.path, data, headers)
            if 200 <= status < 300:
                self.payloads.add((session, json.dumps(payload, sort_keys=True)))
                if dice.random() < 0.3:
                    request("POST", self.path, json.dumps(self.shuffled(payload)).encode(), headers)
                return True
            problem(f"Health Auto Export was answered {status} {text[:200]}")
        return False

    def rows(self, number):
        return [{"date": f"2026-03-0{each} 00:00:00 +0000", "qty": number + each, "source": "A|B"}
                for each in (1, 2)]

    def metric(self, name, units, rows):
        return {"name": name, "units": units, "data": rows}

    def run(self):
        for capture in range(4):
            # Receipts are told apart by the second.
            time.sleep(1.1)
            number = dice.randint(1000, 9000)
            payload = {"data": {"metrics": [
                self.metric("step_count", "count", self.rows(number)),
                self.metric("heart_rate", "count/min", [
                    {"date": "2026-03-02 08:00:00 +0000", "Min": 51, "Avg": 58.5, "Max": 70}]),
                self.metric("resting_heart_rate", "count/min", [
                    {"date": "2026-03-02 07:57:00\u202fam +0000", "qty": 52},
                    {"date": "not a date", "qty": 1}]),
            ], "workouts": []}}
            if self.send(payload, f"session-{capture}"):
                self.steps = number + 2
        # One session of two requests.
        halves = [{"data": {"metrics": [self.metric("flights_climbed", "count", [
            {"date": f"2026-03-02 1{half}:00:00 +0000", "qty": 3 + half}])]}} for half in (0, 1)]
        for half in halves:
            self.send(half, "session-halves")
        self.send({"data": {}}, "session-empty")
        status, _, _ = request("POST", self.path, b"date,qty\n2026-03-02,1\n", self.headers)
        if status != 400:
            problem(f"CSV was answered {status}, not 400")


def stored(stream):
    """The batches of a stream, each checked: its digest, its place and its total."""
    batches = []
    for file in sorted((folder / "streams/v0" / stream).rglob("*.json.gz")):
        value = json.loads(gzip.decompress(file.read_bytes()))
        body = {name: value[name] for name in ("batch_metadata", "data", "device_id", "stream_name")}
        if file.name != value["batch_id"] + ".json.gz" or value["stream_name"] != stream:
            problem(f"{file} is misplaced")
        if value["batch_metadata"]["total_records"] != len(value["data"]):
            problem(f"{file} has a wrong total")
        batches.append((file, body, value))
    return batches


def check(overland, owntracks, exporter):
    places = stored("apple_ios_core_location")
    for feed, wanted in [("overland", {(text[:-1] + ".000Z", None) for text in overland.points}),
                         ("owntracks", {(moment(seconds), kind) for seconds, kind in owntracks.points})]:
        found = {(entry["timestamp"], entry.get("kind"))
                 for _, body, value in places if value["feed"] == feed for entry in body["data"]}
        if found != wanted:
            problem(f"{feed}: {len(wanted - found)} acknowledged points are missing, "
                    f"{len(found - wanted)} were never sent")
    contents = [json.dumps(body, sort_keys=True) for _, body, _ in places]
    if len(set(contents)) != len(contents):
        problem("a batch of points is stored twice")
    for _, body, value in places:
        for entry in body["data"]:
            if value["feed"] == "owntracks" and entry["owntracks"].get("vel") == 36 and entry["speed"] != 10:
                problem("36 km/h are not 10 m/s")
    messages = [entry for _, body, _ in stored("app_messages") for entry in body["data"]]
    asides = [entry for entry in messages if entry["app"] == "overland"]
    if len({json.dumps(entry["message"], sort_keys=True) for entry in asides}) != overland.asides:
        problem(f"{len(asides)} messages of Overland are kept instead of {overland.asides}")
    kept = [entry["message"] for entry in messages if entry["app"] == "owntracks"]
    for other in owntracks.others:
        text = other.decode("utf-8", "replace") if isinstance(other, bytes) else other
        if isinstance(other, bytes) and b"\xff" in other:
            text = other.decode("latin-1")
        # What has no time of its own is one entry an hour.
        most = 1 if isinstance(other, dict) and "tst" in other else 2
        if not 1 <= kept.count(text) <= most:
            problem(f"{other} is kept {kept.count(text)} times")
    payloads = [(body["batch_metadata"]["session"], json.dumps(body["data"][0]["payload"], sort_keys=True))
                for _, body, _ in stored("health_auto_export")]
    if sorted(payloads) != sorted(exporter.payloads):
        problem(f"{len(payloads)} payloads are stored, {len(exporter.payloads)} were acknowledged")
    if any(token in file.read_text(errors="replace") for token in tokens.values()
           for file in (folder / "streams").rglob("*") if file.is_file() and file.suffix != ".gz"):
        problem("a token is in the store")


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


tokens = {app: token(app) for app in ("overland", "owntracks", "health-auto-export")}
address = hub.start()
try:
    overland = Overland(tokens["overland"])
    owntracks = OwnTracks(tokens["owntracks"])
    exporter = HealthAutoExport(tokens["health-auto-export"])
    for app in (overland, owntracks, exporter):
        app.run()
    # Days follow shortly after what was acknowledged.
    end = time.monotonic() + 90
    while time.monotonic() < end:
        metrics = figures().get("metrics", {})
        if metrics.get("steps") == exporter.steps and metrics.get("flights_climbed") == 7:
            break
        time.sleep(0.5)
    for app, other in [(overland, owntracks), (exporter, overland)]:
        status, _, _ = request("POST", other.path, b"{}", app.headers)
        if status != 403:
            problem(f"a token of another app was answered {status}")
finally:
    code, log = hub.stop()
if code != 0:
    problem(f"the server ended with {code}")
check(overland, owntracks, exporter)
for secret in list(tokens.values()) + ["52.5", "13.4"]:
    if secret in log:
        problem("the log holds a token or a place")
print(json.dumps({
    "overland_points": len(overland.points), "owntracks_points": len(owntracks.points),
    "payloads": len(exporter.payloads), "steps": exporter.steps, "day": figures(),
    "problems": problems}))
