"""Units of HealthKit by pint. Run, it prints {"units", "pairs": [[from, to, number, result]], "sizes": [[text,
base, ratio]]}: how the units of exports convert into each other, and the size of every unit that is named.

Each unit is described for itself; whether two convert into each other pint decides by their dimensions, but for
those that are numbers of different things to a person and not to pint. Texts are those of Apple's documentation of
HKUnit's init(from:) with each prefix of HKMetricPrefix, and the compounds in which its samples come.
"""
import json

import pint

REGISTRY = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
REGISTRY.define("glucose_mole = 180.1558800000541 * gram")
REGISTRY.define("cholesterol_mole = 386.65 * gram")
for dimension in ("thing", "part", "dose", "level", "hearing", "score", "prism"):
    REGISTRY.define(f"{dimension} = [{dimension}]")

# As exports write units.
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
# Names as people write them.
SPELLED = ("millisecond kilocalorie kilojoule mile yard kilometer kilometre meter metre centimeter pound ounce kilogram "
           "gram milligram microgram liter litre milliliter inches foot feet").split()
# What else is named.
PREFIXES = {
    "": "", "f": "femto", "p": "pico", "n": "nano", "mc": "micro", "m": "milli", "c": "centi",
    "d": "deci", "da": "deca", "h": "hecto", "k": "kilo", "M": "mega", "G": "giga", "T": "tera",
}
PREFIXED = {
    "g": "gram", "m": "meter", "L": "liter", "l": "liter", "Pa": "pascal", "s": "second", "J": "joule",
    "K": "kelvin", "S": "siemens", "V": "volt", "W": "watt", "lx": "lux",
}
NAMED = UNITS | {p + u: P + U for p, P in PREFIXES.items() for u, U in PREFIXED.items()} | {
    "inHg": "inHg", "cmAq": "cmH2O", "cmH2O": "cmH2O", "atm": "atmosphere", "rad": "radian", "deg": "degree",
    "D": "1/meter", "dBHL": "hearing", "pD": "prism", "mol<180.1558800000541>": "glucose_mole",
    "mL/kg*min": "milliliter/minute/kilogram", "ml/(kg·min)": "milliliter/minute/kilogram",
    "mg/dl": "milligram/deciliter", "mmol<180.1558800000541>/L": "milliglucose_mole/liter",
    "mmol<180.1558800000541>/l": "milliglucose_mole/liter", "mmol/l": "milliglucose_mole/liter",
    "mmol<386.65>/L": "millicholesterol_mole/liter", "mL/s": "milliliter/second", "ug/mL": "microgram/milliliter",
    "m/s^2": "meter/second**2", "m·s^-2": "meter/second**2", "m²": "meter**2", "kg/m2": "kilogram/meter**2",
    "/min": "thing/minute",
} | {name: name for name in SPELLED} | {name + "s": name for name in SPELLED if name[-1] not in "ts"}
# Hertz are things a second here: pint takes them for a bare number a second.
BASES = {
    "gram": "g", "meter": "m", "meter**2": "m^2", "meter**3": "m^3", "pascal": "Pa", "second": "s",
    "joule": "J", "kelvin": "K", "siemens": "S", "volt": "V", "watt": "W", "lux": "lx", "radian": "rad",
    "1/meter": "m^-1", "thing": "count", "thing/second": "count/s", "part": "%", "dose": "IU",
    "level": "dBASPL", "hearing": "dBHL", "score": "appleEffortScore", "prism": "pD",
    "meter/second": "m/s", "meter/second**2": "m/s^2", "meter**3/second/gram": "m^3/s·g",
    "joule/second/gram": "J/s·g", "gram/meter**3": "g/m^3", "meter**3/second": "m^3/s",
    "gram/meter**2": "g/m^2",
}


def convert(number, unit, target):
    """A number in one unit as one in another; None if there is no such unit, or pint can't convert it."""
    if unit == target:
        return number
    try:
        return REGISTRY.Quantity(number, NAMED[unit]).to(NAMED[target]).magnitude
    except (KeyError, pint.DimensionalityError):
        return None


def pairs():
    for one in UNITS:
        for other in UNITS:
            if convert(1.0, one, other) is not None:
                for number in (0.0, 1.0, 37.5, 98.6, 1234.5678):
                    yield one, other, number, convert(number, one, other)


def sizes():
    for prefix, name in PREFIXES.items():
        yield prefix + "Hz", "count/s", convert(1, prefix + "m", "m")
    for text, meant in NAMED.items():
        # A degree of a scale has no size.
        if meant not in ("degC", "degF"):
            unit = 1 * REGISTRY(meant)
            base = next(base for base in BASES if unit.is_compatible_with(REGISTRY(base)))
            yield text, BASES[base], unit.to(base).magnitude


if __name__ == "__main__":
    print(json.dumps({"units": list(UNITS), "pairs": list(pairs()), "sizes": list(sizes())}))
