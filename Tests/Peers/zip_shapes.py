"""Writes zips of an export in every shape that a reader must take or refuse, by Python's zipfile.

usage: zip_shapes.py FOLDER SHAPE
"""

import io
import struct
import sys
import zipfile
import zlib

HEAD = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (Record)>
]>
<HealthData locale="en_FR">
"""
RECORD = b"""<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
startDate="2024-06-15 20:30:00 +0200" endDate="2024-06-15 20:31:00 +0200" value="%d"/>
"""
TAIL = b"</HealthData>\n"
EXPORT = HEAD + b"".join(RECORD % value for value in range(1, 4001)) + TAIL
SMALL = HEAD + b"".join(RECORD % value for value in range(1, 41)) + TAIL
CDA = b'<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>' * 3000
NAME = "apple_health_export/export.xml"


class Pipe(io.RawIOBase):
    """A file without places, so that zipfile writes the sizes after the data."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


def usual(file, name=NAME, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(file, "w", method) as zip_file:
        zip_file.writestr("__MACOSX/apple_health_export/._export.xml", EXPORT)
        zip_file.writestr("apple_health_export/._export.xml", EXPORT)
        zip_file.writestr("apple_health_export/export_cda.xml", CDA)
        zip_file.writestr("apple_health_export/workout-routes/route.gpx", b"<gpx/>" * 99)
        zip_file.writestr(name, EXPORT)


def localised(file):
    usual(file, "apple_health_export/\u044d\u043a\u0441\u043f\u043e\u0440\u0442.xml")


def stored(file):
    usual(file, method=zipfile.ZIP_STORED)


def other_method(file):
    usual(file, method=zipfile.ZIP_BZIP2)


def outside(file):
    usual(file, "../../outside.xml")


def streamed(file):
    usual(Pipe(file))


def wide(file):
    """The fields of zip64 though nothing needs them."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zip_file:
        with zip_file.open(NAME, "w", force_zip64=True) as entry:
            entry.write(EXPORT)


def over_4gb(file):
    """A deflated entry of 4.5 GB: one packed megabyte of text 4,400 times, each whole in itself."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    seed = zlib.crc32(b"seed")
    noise = bytearray()
    while len(noise) < 9000:
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        noise.append(97 + (seed >> 16) % 26)
    text = bytes(noise) + b" " * ((1 << 20) - len(noise))
    parts = [(HEAD + RECORD % 1, 1), (text, 4400), (RECORD % 2 + TAIL, 1)]
    # What zlib.crc32 makes of these parts; working it out anew takes seconds.
    checksum, size, packed_size = 0x0BF35832, 0, 0
    name = NAME.encode()
    file.write(struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 8, 8, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF,
                           len(name), 20) + name + struct.pack("<HHQQ", 1, 16, 0, 0))
    for index, (part, times) in enumerate(parts):
        packed = packer.compress(part)
        packed += packer.flush(zlib.Z_FINISH if index == 2 else zlib.Z_FULL_FLUSH)
        for _ in range(times):
            file.write(packed)
        size += len(part) * times
        packed_size += len(packed) * times
    file.write(struct.pack("<IIQQ", 0x08074B50, checksum, packed_size, size))
    place = file.tell()
    extra = struct.pack("<HHQQ", 1, 16, size, packed_size)
    file.write(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 8, 8, 0, 0, checksum,
                           0xFFFFFFFF, 0xFFFFFFFF, len(name), len(extra), 0, 0, 0, 0, 0))
    file.write(name + extra)
    end = file.tell()
    file.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 1, 1, end - place, place))
    file.write(struct.pack("<IIQI", 0x07064B50, 0, end, 1))
    file.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF,
                           0))


def bomb(file):
    """Blanks that unpack to 1,000 times their size."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zip_file:
        with zip_file.open(NAME, "w") as entry:
            entry.write(HEAD + RECORD % 1)
            for _ in range(400):
                entry.write(b" " * (1 << 20))
            entry.write(TAIL)


def changed(change):
    def write(file):
        whole = io.BytesIO()
        usual(whole)
        file.write(change(bytearray(whole.getvalue())))

    return write


def central(data):
    """Where the export's header stands in the directory: it is the last of it."""
    return data.rindex(b"PK\1\2")


def set_bytes(data, place, value):
    data[place:place + len(value)] = value
    return data


def encrypted(data):
    place = 0
    while (place := data.find(b"PK\3\4", place)) >= 0:
        data[place + 6] |= 1
        place += 4
    place = 0
    while (place := data.find(b"PK\1\2", place)) >= 0:
        data[place + 8] |= 1
        place += 4
    return data


def damaged(data):
    """Other bytes in the middle of the export's packed data."""
    local = struct.unpack_from("<I", data, central(data) + 42)[0]
    return set_bytes(data, local + 30 + len(NAME) + 5000, b"\xff" * 64)


def not_deflate(data):
    """A block of the type that there is none of, at the beginning of the export's packed data."""
    local = struct.unpack_from("<I", data, central(data) + 42)[0]
    return set_bytes(data, local + 30 + len(NAME), b"\xff")


def listed(*files):
    def write(file):
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zip_file:
            for name, data in files:
                zip_file.writestr(name, data)

    return write


def inner():
    whole = io.BytesIO()
    usual(whole)
    return whole.getvalue()


SHAPES = {
    "usual": usual, "localised": localised, "stored": stored, "other_method": other_method,
    "outside": outside, "streamed": streamed, "wide": wide, "over_4gb": over_4gb, "bomb": bomb,
    "without_end": changed(lambda data: data[:-30]),
    "half": changed(lambda data: data[:len(data) // 2]),
    "encrypted": changed(encrypted),
    "damaged": changed(damaged),
    "not_deflate": changed(not_deflate),
    "wrong_checksum": changed(lambda data: set_bytes(data, central(data) + 16, b"\0\1\2\3")),
    "wrong_size": changed(lambda data: set_bytes(data, central(data) + 24, b"\1\0\0\0")),
    "wrong_place": changed(lambda data: set_bytes(data, central(data) + 42, b"\7\0\0\0")),
    "wrong_packed_size": changed(
        lambda data: set_bytes(data, central(data) + 20, b"\xf0\xff\xff\x7f")),
    "wrong_directory": changed(
        lambda data: set_bytes(data, data.rindex(b"PK\5\6") + 16, b"\0\0\0\x70")),
    "empty": listed(),
    "nested": lambda file: listed(("export.zip", inner()))(file),
    "two": listed(("a/export.xml", EXPORT), ("b/export.xml", EXPORT)),
    "no_export": listed(("export.xml", CDA), ("b.xml", b"<x/>")),
    "small": listed((NAME, SMALL)),
    "cut_xml": listed((NAME, EXPORT[:-30])),
    "many": listed(*((f"{i}.xml", b"<x/>") for i in range(300)), (NAME, EXPORT)),
}


def main():
    with open(f"{sys.argv[1]}/{sys.argv[2]}.zip", "wb") as file:
        SHAPES[sys.argv[2]](file)


main()
