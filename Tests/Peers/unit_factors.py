"""Converts between all units of exports by pint and prints {"pairs": [[from, to, number, result]]}.

Each unit is described for itself; whether two convert into each other pint decides by their
dimensions, but for those that are numbers of different things to a person and not to pint.
"""
import json

import pint

registry = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
# A mole of glucose, and what pint holds for plain numbers: none of these is any other.
registry.define("glucose_mole = 180.1558800000541 * gram")
for name in ("part", "dose", "level", "thing", "score"):
    registry.define(f"{name} = [{name}]")

UNITS = {
    "count": "thing", "kcal": "kcal", "Cal": "kcal", "cal": "cal", "kJ": "kJ", "min": "minute",
    "hr": "hour", "s": "second", "ms": "millisecond", "count/min": "thing/minute",
    "count/s": "thing/second", "%": "part", "kg": "kilogram", "g": "gram", "mg": "milligram",
    "mcg": "microgram", "lb": "pound", "st": "stone", "oz": "ounce", "km": "kilometer",
    "m": "meter", "cm": "centimeter", "mi": "mile", "in": "inch", "ft": "foot", "yd": "yard",
    "km/hr": "kilometer/hour", "mi/hr": "mile/hour", "m/s": "meter/second",
    "mL/min·kg": "milliliter/minute/kilogram", "kcal/hr·kg": "kcal/hour/kilogram", "W": "watt",
    "degC": "degC", "degF": "degF", "K": "kelvin", "mmHg": "mmHg", "kPa": "kilopascal",
    "mg/dL": "milligram/deciliter", "mmol/L": "milliglucose_mole/liter", "L": "liter",
    "mL": "milliliter", "fl_oz_us": "US_fluid_ounce", "fl_oz_imp": "imperial_fluid_ounce",
    "cup_us": "cup", "pt_us": "US_pint", "pt_imp": "imperial_pint", "L/min": "liter/minute",
    "IU": "dose", "dBASPL": "level", "appleEffortScore": "score", "S": "siemens",
    "mcS": "microsiemens", "J": "joule", "d": "day", "count/hr": "thing/hour", "mm": "millimeter",
    "m/min": "meter/minute", "cm/s": "centimeter/second", "ft/s": "foot/second",
    "ft/min": "foot/minute", "kW": "kilowatt", "g/L": "gram/liter", "dL": "deciliter",
    "cL": "centiliter", "cup_imp": "imperial_cup", "L/s": "liter/second",
    "mL/min": "milliliter/minute",
}

pairs = []
for one, name in UNITS.items():
    for other, target in UNITS.items():
        for number in (0.0, 1.0, 37.5, 98.6, 1234.5678):
            try:
                result = registry.Quantity(number, name).to(target).magnitude
            except pint.DimensionalityError:
                break
            pairs.append([one, other, number, result])
print(json.dumps({"units": list(UNITS), "pairs": pairs}))
