"""What objects need of corelibs Foundation and of ICU beyond FoundationEssentials.

Argument: the folder of the toolchain's static libraries. Stdin: paths of all objects of a program, a
line each. Prints a line per need: module and file, symbol.
"""

import subprocess
import sys

HEAVY = ("Foundation", "FoundationInternationalization", "_FoundationICU")
LIGHT = (
    "FoundationEssentials", "_FoundationCollections", "_FoundationCShims", "swiftCore",
    "swift_Concurrency", "swift_StringProcessing", "swiftSynchronization", "swiftDispatch",
    "swiftGlibc", "dispatch", "BlocksRuntime",
)


def symbols(files):
    """File, name and type of each symbol; names with blanks are texts of one object."""
    output = subprocess.run(
        ["nm", "-A", "-P", *files], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        place, _, rest = line.partition(": ")
        fields = rest.split(" ")
        if len(fields) > 1 and len(fields[1]) == 1:
            yield place, fields[0], fields[1]


def defined(found):
    """A small letter is a symbol that only its own object sees, or a weak one without a definition."""
    return {name for _, name, kind in found if kind.isupper() and kind != "U"}


def libraries(names):
    return defined(symbols([f"{sys.argv[1]}/lib{name}.a" for name in names]))


own = list(symbols([line.strip() for line in sys.stdin]))
avoided = libraries(HEAVY) - libraries(LIGHT) - defined(own)
for place, name, kind in own:
    if kind == "U" and name in avoided:
        print("/".join(place.split("/")[-2:]), name)
