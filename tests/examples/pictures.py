"""tests/examples/pictures.py - decodes the PNG files that programs draw, by the format's own rules."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import struct
import zlib


class Damaged(Exception):
    """The file is no PNG picture, or a damaged one."""


def chunks(content):
    """(kind, data) of every chunk, whose checksum is right."""
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        raise Damaged("the signature of PNG is missing")
    at = 8
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8].ljust(8, b"\0"))
        data, check = content[at + 8:at + 8 + length], content[at + 8 + length:at + 12 + length]
        if len(check) != 4:
            raise Damaged("the file ends within a chunk")
        if struct.unpack(">I", check)[0] != zlib.crc32(kind + data):
            raise Damaged(f"the checksum of {kind.decode()} is wrong")
        yield kind, data
        at += 12 + length


def unfilter(kind, line, above, width):
    """A row of bytes from a filtered one (PNG, section 9)."""
    for i, byte in enumerate(line):
        left, up, corner = line[i - width] if i >= width else 0, above[i], above[i - width] if i >= width else 0
        if kind == 4:
            estimate = left + up - corner
            nearest = min((abs(estimate - left), 0, left), (abs(estimate - up), 1, up), (abs(estimate - corner), 2, corner))
            line[i] = byte + nearest[2] & 255
        else:
            line[i] = byte + (0, left, up, (left + up) // 2)[kind] & 255


def decode(path):
    """(width, height, rows of RGB or RGBA or grey bytes) of a picture with 8 bits per sample and no interlacing."""
    parts = list(chunks(path.read_bytes()))
    if not parts or parts[0][0] != b"IHDR" or parts[-1][0] != b"IEND":
        raise Damaged("IHDR or IEND is missing")
    width, height, depth, color, *rest = struct.unpack(">IIBBBBB", parts[0][1])
    if depth != 8 or any(rest):
        raise Damaged(f"depth {depth}, {rest}: only 8 bits without interlacing are read")
    size = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    raw = zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT"))
    if len(raw) != height * (1 + width * size):
        raise Damaged(f"{len(raw)} bytes of pixels, not {height * (1 + width * size)}")
    rows, above = [], bytearray(width * size)
    for y in range(height):
        line = bytearray(raw[y * (1 + width * size) + 1:(y + 1) * (1 + width * size)])
        unfilter(raw[y * (1 + width * size)], line, above, size)
        rows.append(bytes(line))
        above = line
    return width, height, rows


def assert_picture(test, path, least=100):
    """The file is a picture of at least that many pixels on each side, and shows something."""
    width, height, rows = decode(path)
    test.assertGreaterEqual(min(width, height), least, path.name)
    test.assertGreater(len(set(rows)), 10, f"{path.name} is blank")
