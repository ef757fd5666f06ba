"""The halves of the day in languages, by Babel's copy of CLDR: day_halves.py LANGUAGE ... prints as JSON, by language,
the words of `am` and `pm`, wide and abbreviated."""

import json
import sys

from babel import Locale

found = {}
for name in sys.argv[1:]:
    periods = Locale.parse(name).day_periods["format"]
    found[name] = {half: sorted({periods[width][half] for width in ("wide", "abbreviated") if half in periods[width]})
                   for half in ("am", "pm")}
print(json.dumps(found))
