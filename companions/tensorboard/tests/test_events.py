#!/usr/bin/env python3
"""tensorboard/tests/test_events.py - the contents of the events: the field numbers are those of TensorFlow's messages,
and the intervals of histograms are those of PyTorch's SummaryWriter, computed independently here.

    tensorboard/tests/test_events.py EVENTS
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import bisect
import importlib.util
import math
import os
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path

from records import crc32c, message, records

DEBIAN = "/usr/bin/python3"  # Debian's NumPy belongs to it, and it may not be the first Python
OTHER = os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN)
if OTHER and not importlib.util.find_spec("numpy"):
    os.execv(DEBIAN, [DEBIAN, *sys.argv])
PROGRAM = sys.argv.pop(1)
FLOAT_MAX = 1.7976931348623157e308


def default_bins():
    positive, edge = [], 1e-12
    while edge < 1e20:
        positive.append(edge)
        edge *= 1.1
    return [-edge for edge in reversed(positive)] + [0.0] + positive


def histogram(values):
    """(limits, counts) of an array with at least one element."""
    edges = [-FLOAT_MAX] + default_bins() + [FLOAT_MAX]
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[bisect.bisect_right(edges, value) - 1] += 1
    used = [i for i, count in enumerate(counts) if count]
    first, last = used[0], used[-1]
    return edges[first:last + 2], [0] + counts[first:last + 1]


def doubles(fields, number):
    packed = b"".join(fields.get(number, []))
    return list(struct.unpack(f"<{len(packed) // 8}d", packed))


def signed(number):
    return number - (number >> 63 << 64)


def pixels(png, channels):
    """The pixels of a PNG file as bytes; refuses filters that need the row above."""
    data, at, header = b"", 8, None
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        body = png[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack_from(">I", png, at + 8 + size)[0]
        header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    width, height = header[:2]
    raw, rows, above = zlib.decompress(data), [], bytes(width * channels)
    for y in range(height):
        line = raw[y * (width * channels + 1):(y + 1) * (width * channels + 1)]
        above = unfiltered(line[0], line[1:], above, channels)
        rows.append(above)
    return width, height, b"".join(rows)


def unfiltered(kind, line, above, step):
    out = bytearray()
    for i, byte in enumerate(line):
        left, up = out[i - step] if i >= step else 0, above[i]
        corner = above[i - step] if i >= step else 0
        guess = left + up - corner
        paeth = min((left, up, corner), key=lambda v: abs(guess - v))
        out.append((byte + (0, left, up, (left + up) // 2, paeth)[kind]) & 255)
    return bytes(out)


class Events(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        before = time.time()
        done = subprocess.run([PROGRAM, folder.name], text=True, capture_output=True, check=True)
        cls.path = Path(done.stdout.strip())
        cls.times = before, time.time()
        cls.events = [message(data) for data in records(cls.path.read_bytes())]
        cls.figure = (Path(folder.name) / "figure.png").read_bytes()

    def values(self, number):
        """(tag, step, field) of all values that have this field."""
        for event in self.events:
            for value in message(event.get(5, [b""])[0]).get(1, []):
                fields = message(value)
                if number in fields:
                    yield fields[1][0].decode(), signed(event.get(2, [0])[0]), fields[number][0], fields

    def test_the_checksum(self):
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)

    def test_the_file(self):
        self.assertRegex(self.path.name, r"^events\.out\.tfevents\.\d{10}\..+\.\d+\.0$")
        self.assertEqual(self.events[0].keys(), {1, 3})
        self.assertEqual(self.events[0][3], [b"brain.Event:2"])
        self.assertEqual((self.events[1][2], self.events[1][7]), ([5], [b"\x08\x01"]))
        times = [struct.unpack("<d", event[1][0])[0] for event in self.events]
        self.assertTrue(self.times[0] - 0.1 <= times[0] and times[-1] <= self.times[1] + 0.1)
        self.assertEqual(times, sorted(times))

    def test_scalars(self):
        found = [(tag, step, struct.unpack("<f", value)[0]) for tag, step, value, _ in self.values(2)]
        inf = math.inf
        wanted = [0, 0.5, -1, math.nan, inf, -inf, inf, -inf, 0, 3.3999999521443642e38]
        self.assertEqual(repr([value for _, _, value in found[:10]]), repr([float(value) for value in wanted]))
        self.assertEqual([step for _, step, _ in found[:10]], list(range(10)))
        self.assertEqual(found[10:], [("größe \U0001F600", -2**63, 1.0), ("steps", 2**63 - 1, 2.0)])

    def test_histograms(self):
        numbers = range(-1000, 1001)
        wanted = {"cubes": [i**3 for i in numbers], "f32": list(numbers), "turned": list(range(12)), "zeros": [0] * 7,
                  "bool": [1, 0, 0, 0, 1, 0, 0, 0, 1], "scalar": [-2.5], "long": list(range(200000)),
                  "edges": [1e-12, -1e-12, 1e-13, -1e-13, 0, 1, -1e20, 9e19], "vast": [1e300, -1e300, 1],
                  "not finite": [3, 4], "nothing finite": [], "empty": []}
        found = {tag: message(value) for tag, _, value, _ in self.values(5)}
        self.assertEqual(list(found), list(wanted))
        for tag, values in wanted.items():
            with self.subTest(tag=tag):
                values = [float(value) for value in values]
                limits, counts = histogram(values) if values else ([], [])
                self.assertEqual((doubles(found[tag], 6), doubles(found[tag], 7)), (limits, counts))
                least, greatest, count, total, squares = [(doubles(found[tag], n) or [0.0])[0] for n in range(1, 6)]
                self.assertEqual((least, greatest, count), (min(values, default=0), max(values, default=0), len(values)))
                self.assertAlmostEqual(total, math.fsum(values), delta=1e-13 * math.fsum(map(abs, values)))
                exact = math.inf if tag == "vast" else math.fsum(value * value for value in values)
                self.assertTrue(squares == exact or abs(squares - exact) <= 1e-13 * exact, (squares, exact))

    def test_intervals_are_numpys(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no NumPy")
        values = numpy.arange(-1000.0, 1001) ** 3
        counts, edges = numpy.histogram(values, bins=default_bins())
        limits, ours = histogram(list(values))
        used = numpy.nonzero(counts)[0]
        self.assertEqual(ours[1:], counts[used[0]:used[-1] + 1].tolist())
        self.assertEqual(limits, edges[used[0]:used[-1] + 2].tolist())

    def test_images(self):
        found = {tag: message(value) for tag, _, value, _ in self.values(4)}
        self.assertEqual(list(found), ["gray", "rgb", "rgba", "figure"])
        for tag, channels in (("gray", 1), ("rgb", 3), ("rgba", 4)):
            self.assertEqual([found[tag][n][0] for n in (1, 2, 3)], [5, 7, channels])
            self.assertEqual(pixels(found[tag][4][0], channels), (7, 5, bytes(range(35 * channels))))
        self.assertEqual([found["figure"][n][0] for n in (1, 2, 3)], [400, 480, 3])
        self.assertEqual(found["figure"][4][0], self.figure)

    def test_text(self):
        found = list(self.values(8))
        self.assertEqual([(tag, step) for tag, step, _, _ in found], [("note", 5), ("note", 6)])
        for (_, _, tensor, value), text in zip(found, ("**fett** \U0001F600\n", "")):
            fields = message(tensor)
            self.assertEqual((fields[1], fields[8]), ([7], [text.encode()]))
            self.assertEqual(message(message(fields[2][0])[2][0]), {1: [1]})
            self.assertEqual(message(message(value[9][0])[1][0]), {1: [b"text"]})


if __name__ == "__main__":
    unittest.main(argv=["test_events.py"], verbosity=2)
