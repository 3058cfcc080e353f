"""tensorboard/tests/records.py - reads event files by their formats only: records of TFRecord, fields of Protocol
Buffers."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import struct


def crc32c(data):
    """Bit by bit, from the polynomial."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(content):
    """The bytes of every record; a ValueError for incomplete or other content."""
    at = 0
    while at < len(content):
        if len(content) < at + 12 or struct.unpack_from("<I", content, at + 8)[0] != masked(content[at:at + 8]):
            raise ValueError(f"byte {at}: no length")
        size = struct.unpack_from("<Q", content, at)[0]
        data, end = content[at + 12:at + 12 + size], at + 12 + size
        if len(content) < end + 4 or struct.unpack_from("<I", content, end)[0] != masked(data):
            raise ValueError(f"byte {at}: no record of {size} bytes")
        yield data
        at = end + 4


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def message(data):
    """{number: [value]}: for fields of 8 and 4 bytes the bytes, for varints a number, for others the bytes."""
    fields, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError("a field is cut off")
        fields.setdefault(key >> 3, []).append(value)
    return fields
