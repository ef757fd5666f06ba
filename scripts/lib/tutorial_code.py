"""tutorial_code.py ARTICLE SOURCE: the code of the article, piece by piece, is the whole of the source
in its order, so that what readers copy is what is built and run."""

import pathlib
import re
import sys

article, source = (pathlib.Path(name).read_text() for name in sys.argv[1:])
pieces = re.findall(r"```swift\n(.*?)```", article, re.DOTALL)
lines = [line for line in "\n".join(pieces).split("\n") if line.strip()]
wanted = [line for line in source.split("\n") if line.strip()]
for number, (line, other) in enumerate(zip(lines, wanted)):
    if line != other:
        sys.exit(f"line {number + 1} of the code is {line!r} in the article, and {other!r} in the source")
if len(lines) != len(wanted):
    sys.exit(f"{len(lines)} lines in the article, {len(wanted)} in the source")
print(f"{len(pieces)} pieces, {len(lines)} lines")
