"""Reads a QR code with ZXing.

On stdin: a JSON array of its lines, of half blocks, with light modules drawn, and the margin. Prints a
JSON array with a text and a level of correction (L, M, Q, H) for each code that was found.
"""

import json
import sys

import numpy
import zxingcpp

BLOCKS = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}

rows = []
for line in json.load(sys.stdin):
    halves = [BLOCKS[character] for character in line]
    rows += [[half[0] for half in halves], [half[1] for half in halves]]
# The number of modules is odd: the last half is not part of the code.
dark = numpy.array(rows[:len(rows[0])], dtype=numpy.uint8)
image = numpy.kron((1 - dark) * 255, numpy.ones((4, 4))).astype(numpy.uint8)
codes = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
print(json.dumps([[code.text, code.ec_level] for code in codes]))
