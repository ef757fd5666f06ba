"""Holds QR codes against qrcode, module by module, and reads each with ZXing.

On stdin: a JSON array of objects with `text`, `lines` (half blocks, light modules drawn, with the
margin), `version`, `level` (L or M) and `mask`; `is_chosen` says that no mask is read more easily.
Prints a JSON array of what is wrong.
"""

import json
import re
import sys

import numpy
import qrcode
import zxingcpp

LEVELS = {"L": qrcode.ERROR_CORRECT_L, "M": qrcode.ERROR_CORRECT_M}
BLOCKS = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def square(code, mask):
    """The modules as qrcode makes them, with the margin."""
    made = qrcode.QRCode(
        version=code["version"], error_correction=LEVELS[code["level"]], border=4, mask_pattern=mask)
    made.add_data(qrcode.util.QRData(code["text"].encode(), mode=qrcode.util.MODE_8BIT_BYTE))
    made.make(fit=False)
    return numpy.array(made.get_matrix(), dtype=numpy.uint8)


def penalty(modules):
    """ISO/IEC 18004, 7.8.3.1."""
    size = len(modules)
    found = 0
    lines = ["".join(map(str, line)) for line in [*modules, *modules.T]]
    for line in lines:
        found += sum(len(run.group()) - 2 for run in re.finditer("0{5,}|1{5,}", line))
        found += 40 * len(re.findall("(?=10111010000|00001011101)", line))
    sums = modules[:-1, :-1] + modules[1:, :-1] + modules[:-1, 1:] + modules[1:, 1:]
    found += 3 * int(((sums == 0) | (sums == 4)).sum())
    return found + 10 * int(abs(modules.sum() * 100 / size**2 - 50) // 5)


problems = []
for code in json.load(sys.stdin):
    name = f"{code['version']}-{code['level']}-{code['mask']} {code['text'][:40]!r}"
    rows = []
    for line in code["lines"]:
        halves = [BLOCKS[character] for character in line]
        rows += [[half[0] for half in halves], [half[1] for half in halves]]
    # The number of modules is odd: the last half is not part of the code.
    dark = numpy.array(rows[:len(rows[0])], dtype=numpy.uint8)
    if (dark != square(code, code["mask"])).any():
        problems.append(f"{name}: not as qrcode makes it")
    if code["is_chosen"]:
        penalties = [penalty(square(code, mask)[4:-4, 4:-4]) for mask in range(8)]
        if penalties.index(min(penalties)) != code["mask"]:
            problems.append(f"{name}: the penalties are {penalties}")
    image = numpy.kron((1 - dark) * 255, numpy.ones((4, 4))).astype(numpy.uint8)
    found = zxingcpp.read_barcodes(image)
    if [one.bytes for one in found] != [code["text"].encode()]:
        problems.append(f"{name}: read as {[one.text for one in found]}")
print(json.dumps(problems))
