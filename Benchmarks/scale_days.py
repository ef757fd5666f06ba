"""What the people of Benchmarks/scale send: a payload of Health Auto Export by day, and samples of five
minutes. The numbers are a function of person and day."""

import json
from datetime import timedelta

# Names and units as the app writes them, with a usual number.
METRICS = [
    ("step_count", "count", 9000), ("active_energy", "kcal", 500), ("apple_exercise_time", "min", 30),
    ("apple_stand_hour", "count", 11), ("resting_heart_rate", "count/min", 58),
    ("heart_rate_variability", "ms", 50), ("basal_energy_burned", "kcal", 1600),
    ("walking_running_distance", "km", 7), ("flights_climbed", "count", 12),
    ("time_in_daylight", "min", 60), ("physical_effort", "kcal/hr·kg", 4), ("walking_speed", "km/hr", 5),
    ("walking_heart_rate_average", "count/min", 95), ("vo2_max", "ml/(kg·min)", 42),
    ("respiratory_rate", "count/min", 15), ("blood_oxygen_saturation", "%", 78),
    ("weight_body_mass", "kg", 75), ("headphone_audio_exposure", "dBASPL", 70)]


def payload(number, last, days, extra=0):
    """DAYS days up to LAST, whose own numbers are greater by EXTRA."""
    def qty(value, day):
        part = (31 * number + 7 * day.toordinal()) % 97 / 400
        return round(value * (1 + part) + (extra if day == last else 0), 2)

    dates = [last - timedelta(days=back) for back in range(days)]
    return json.dumps({"data": {"metrics": [
        {"name": name, "units": units, "data": [
            {"date": f"{day} 00:00:00 +0000", "qty": qty(value, day), "source": "Watch"}
            for day in dates]}
        for name, units, value in METRICS]}})


def samples(number, at):
    """Ten heart rates within five minutes, as lines for `queue add`."""
    return "".join(json.dumps({
        "timestamp": (at + timedelta(seconds=30 * place)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "sample_type": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min",
        "value": 60 + (number + place) % 40, "source": "Watch"}) + "\n" for place in range(10))
