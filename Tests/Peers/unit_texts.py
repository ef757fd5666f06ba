"""The size of every unit that HealthKit names, by pint: prints {"sizes": [[text, base, ratio]]}.

The texts are those of Apple's documentation of HKUnit's init(from:) with each prefix of HKMetricPrefix,
and the compounds in which its samples come. Each is compared with the plain unit of its dimension.
"""
import json

import pint

registry = pint.UnitRegistry()
for name in ("thing", "part", "dose", "level", "hearing", "score", "prism"):
    registry.define(f"{name} = [{name}]")

PREFIXES = {
    "": "", "f": "femto", "p": "pico", "n": "nano", "mc": "micro", "m": "milli", "c": "centi",
    "d": "deci", "da": "deca", "h": "hecto", "k": "kilo", "M": "mega", "G": "giga", "T": "tera",
}
PREFIXED = {
    "g": "gram", "m": "meter", "L": "liter", "l": "liter", "Pa": "pascal", "s": "second", "J": "joule",
    "K": "kelvin", "S": "siemens", "Hz": "hertz", "V": "volt", "W": "watt", "lx": "lux",
}
PLAIN = {
    "oz": "ounce", "lb": "pound", "st": "stone", "in": "inch", "ft": "foot", "yd": "yard",
    "mi": "mile", "fl_oz_us": "US_fluid_ounce", "fl_oz_imp": "imperial_fluid_ounce",
    "cup_us": "cup", "cup_imp": "imperial_cup", "pt_us": "US_pint", "pt_imp": "imperial_pint",
    "mmHg": "mmHg", "inHg": "inHg", "cmAq": "cmH2O", "atm": "atmosphere", "min": "minute",
    "hr": "hour", "d": "day", "kcal": "kcal", "Cal": "kcal", "cal": "cal", "rad": "radian",
    "deg": "degree", "D": "1/meter", "count": "thing", "%": "part", "IU": "dose",
    "dBASPL": "level", "dBHL": "hearing", "appleEffortScore": "score", "pD": "prism",
    "mol<180.1558800000541>": "180.1558800000541 gram",
    "count/min": "thing/minute", "count/s": "thing/second", "km/hr": "kilometer/hour",
    "mi/hr": "mile/hour", "m/s": "meter/second", "mL/min·kg": "milliliter/minute/kilogram",
    "mL/kg*min": "milliliter/minute/kilogram", "ml/(kg·min)": "milliliter/minute/kilogram",
    "kcal/hr·kg": "kcal/hour/kilogram", "mg/dL": "milligram/deciliter", "mg/dl": "milligram/deciliter",
    "mmol<180.1558800000541>/L": "0.1801558800000541 gram/liter",
    "mmol<180.1558800000541>/l": "0.1801558800000541 gram/liter",
    "mmol<386.65>/L": "0.38665 gram/liter", "mmol/l": "0.1801558800000541 gram/liter",
    "mL/s": "milliliter/second", "L/min": "liter/minute", "ug/mL": "microgram/milliliter",
    "m/s^2": "meter/second**2", "m·s^-2": "meter/second**2", "m²": "meter**2", "kg/m2": "kilogram/meter**2",
    "cmH2O": "cmH2O", "/min": "thing/minute",
}
BASES = [
    "gram", "meter", "meter**2", "meter**3", "pascal", "second", "joule", "kelvin", "siemens", "volt", "watt",
    "lux", "radian", "1/meter", "thing", "thing/second", "part", "dose", "level", "hearing",
    "score", "prism", "meter/second", "meter/second**2", "meter**3/second/gram", "joule/second/gram",
    "gram/meter**3", "meter**3/second", "gram/meter**2",
]
# Hertz are things a second here: pint takes them for a bare number a second.
TEXTS = {p + u: P + U for p, P in PREFIXES.items() for u, U in PREFIXED.items() if u != "Hz"} | PLAIN
OURS = {
    "gram": "g", "meter": "m", "meter**2": "m^2", "meter**3": "m^3", "pascal": "Pa", "second": "s",
    "joule": "J", "kelvin": "K", "siemens": "S", "volt": "V", "watt": "W", "lux": "lx", "radian": "rad",
    "1/meter": "m^-1", "thing": "count", "thing/second": "count/s", "part": "%", "dose": "IU",
    "level": "dBASPL", "hearing": "dBHL", "score": "appleEffortScore", "prism": "pD",
    "meter/second": "m/s", "meter/second**2": "m/s^2", "meter**3/second/gram": "m^3/s·g",
    "joule/second/gram": "J/s·g", "gram/meter**3": "g/m^3", "meter**3/second": "m^3/s",
    "gram/meter**2": "g/m^2",
}
sizes = [
    [p + "Hz", "count/s", registry.Quantity(1, P + "meter").to("meter").magnitude] for p, P in PREFIXES.items()
]
for text, meant in TEXTS.items():
    quantity = registry.Quantity(meant) if meant[0].isdigit() and "/" != meant[1] else 1 * registry(meant)
    base = next(base for base in BASES if quantity.is_compatible_with(registry(base)))
    sizes.append([text, OURS[base], quantity.to(base).magnitude])
print(json.dumps({"sizes": sizes}))
