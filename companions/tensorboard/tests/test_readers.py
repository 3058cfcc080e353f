#!/usr/bin/env python3
"""tensorboard/tests/test_readers.py - independent readers, if installed, find the same events in a log as records.py:
the library of Protocol Buffers for Python, with TensorFlow's message definitions, and TensorBoard itself.

    tensorboard/tests/test_readers.py EVENTS

Exit code: 0 if they do, 1 if one does not, 77 if neither is installed.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from records import message, records

DEBIAN = "/usr/bin/python3"  # Debian's packages belong to it, and it may not be the first Python
try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
except ImportError:
    if os.path.realpath(sys.executable) != os.path.realpath(DEBIAN) and os.path.exists(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    print("readers: skipped: there is neither Protocol Buffers for Python (python3-protobuf) nor TensorBoard, which needs it")
    sys.exit(77)
try:
    from tensorboard.backend.event_processing.event_accumulator import DEFAULT_SIZE_GUIDANCE, EventAccumulator
except ImportError:
    EventAccumulator = None

# From TensorFlow's event.proto, summary.proto, tensor.proto and tensor_shape.proto: number, name, type; * for
# repeated; the fields in brackets are alternatives.
MESSAGES = {
    "Event": "1 wall_time double, 2 step int64, [3 file_version string, 5 summary Summary, 7 session_log SessionLog]",
    "SessionLog": "1 status int32",
    "Summary": "1 value *Value",
    "Value": "1 tag string, [2 simple_value float, 4 image Image, 5 histo Histogram, 8 tensor Tensor], 9 metadata Metadata",
    "Image": "1 height int32, 2 width int32, 3 colorspace int32, 4 encoded_image_string bytes",
    "Histogram": "1 min double, 2 max double, 3 num double, 4 sum double, 5 sum_squares double, 6 bucket_limit *double, "
                 "7 bucket *double",
    "Metadata": "1 plugin_data Plugin",
    "Plugin": "1 plugin_name string",
    "Tensor": "1 dtype int32, 2 tensor_shape Shape, 8 string_val *bytes",
    "Shape": "2 dim *Dim",
    "Dim": "1 size int64",
}


def event_class():
    file = descriptor_pb2.FileDescriptorProto(name="event.proto", package="t", syntax="proto3")
    for name, fields in MESSAGES.items():
        made, inside = file.message_type.add(name=name), False
        for word in fields.split(", "):
            number, field, kind = word.strip("[]").split()
            inside = inside or word.startswith("[")
            new = made.field.add(number=int(number), name=field, label=3 if kind[0] == "*" else 1)
            kind = kind.lstrip("*")
            if kind in MESSAGES:
                new.type, new.type_name = new.TYPE_MESSAGE, ".t." + kind
            else:
                new.type = getattr(new, "TYPE_" + kind.upper())
            if inside:
                if not made.oneof_decl:
                    made.oneof_decl.add(name="what")
                new.oneof_index = 0
            inside = inside and not word.endswith("]")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = pool.FindMessageTypeByName("t.Event")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(found)
    return message_factory.MessageFactory(pool).GetPrototype(found)


def signed(number):
    return number - (number >> 63 << 64)


def doubles(fields, number):
    packed = b"".join(fields.get(number, []))
    return list(struct.unpack(f"<{len(packed) // 8}d", packed))


class Log(unittest.TestCase):
    """A log, and its values as records.py finds them."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.path = cls.write()
        cls.records = list(records(cls.path.read_bytes()))

    @classmethod
    def write(cls):
        done = subprocess.run([PROGRAM, str(cls.folder)], text=True, capture_output=True, check=True)
        return Path(done.stdout.strip())

    def values(self, number):
        """(tag, step, field) of each value that has the field."""
        for event in map(message, self.records):
            for value in map(message, message(event.get(5, [b""])[0]).get(1, [])):
                if number in value:
                    yield value[1][0].decode(), signed(event.get(2, [0])[0]), value[number][0]

    def scalars(self):
        return [(tag, step, struct.unpack("<f", value)[0]) for tag, step, value in self.values(2)]

    def images(self):
        for tag, step, value in self.values(4):
            fields = message(value)
            yield tag, step, fields[1][0], fields[2][0], fields[4][0]

    def histograms(self):
        for tag, step, value in self.values(5):
            fields = message(value)
            numbers = [(doubles(fields, n) or [0.0])[0] for n in range(1, 6)]
            yield tag, step, *numbers, doubles(fields, 6), doubles(fields, 7)


class ProtocolBuffers(Log):
    def setUp(self):
        self.events = [event_class().FromString(data) for data in self.records]
        self.pairs = [(event.step, value) for event in self.events for value in event.summary.value]

    def found(self, field):
        return [(v.tag, step, getattr(v, field)) for step, v in self.pairs if v.WhichOneof("what") == field]

    def test_every_byte_belongs_to_a_field(self):
        for event, data in zip(self.events, self.records):
            event.DiscardUnknownFields()
            self.assertEqual(event.SerializeToString(), data)

    def test_the_beginning(self):
        self.assertEqual(self.events[0].file_version, "brain.Event:2")
        self.assertEqual((self.events[1].step, self.events[1].session_log.status), (5, 1))

    def test_scalars(self):
        self.assertEqual(repr(self.found("simple_value")), repr(self.scalars()))

    def test_images(self):
        found = [(tag, step, i.height, i.width, i.encoded_image_string) for tag, step, i in self.found("image")]
        self.assertEqual(found, list(self.images()))

    def test_histograms(self):
        found = [(tag, step, h.min, h.max, h.num, h.sum, h.sum_squares, list(h.bucket_limit), list(h.bucket))
                 for tag, step, h in self.found("histo")]
        self.assertEqual(found, list(self.histograms()))

    def test_text(self):
        (tag, step, tensor), empty = self.found("tensor")
        self.assertEqual((tag, step, tensor.dtype, [d.size for d in tensor.tensor_shape.dim]), ("note", 5, 7, [1]))
        self.assertEqual(([b.decode() for b in tensor.string_val], list(empty[2].string_val)), (["**fett** \U0001F600\n"], [b""]))
        self.assertEqual([v.metadata.plugin_data.plugin_name for _, v in self.pairs if v.HasField("metadata")], ["text"] * 2)


@unittest.skipUnless(EventAccumulator, "there is no TensorBoard (Python's package tensorboard)")
class TensorBoard(Log):
    def load(self):
        found = EventAccumulator(str(self.folder), size_guidance=dict.fromkeys(DEFAULT_SIZE_GUIDANCE, 0))
        found.Reload()
        return found

    def test_all_of_it(self):
        board = self.load()
        tags = board.Tags()
        scalars = [(tag, e.step, e.value) for tag in tags["scalars"] for e in board.Scalars(tag)]
        self.assertEqual(repr(scalars), repr(self.scalars()))
        images = [(tag, e.step, e.height, e.width, e.encoded_image_string) for tag in tags["images"] for e in board.Images(tag)]
        self.assertEqual(images, list(self.images()))
        histograms = [(tag, e.step, h.min, h.max, h.num, h.sum, h.sum_squares, list(h.bucket_limit), list(h.bucket))
                      for tag in tags["histograms"] for e in board.Histograms(tag) for h in [e.histogram_value]]
        self.assertEqual(histograms, list(self.histograms()))
        texts = [(tag, e.step, list(e.tensor_proto.string_val)) for tag in tags["tensors"] for e in board.Tensors(tag)]
        self.assertEqual(texts, [("note", 5, ["**fett** \U0001F600\n".encode()]), ("note", 6, [b""])])

    def test_purged_steps(self):
        """A second file whose steps begin again at 5."""
        time.sleep(1.1)  # files are ordered by the seconds in their names
        second = self.write()
        self.addCleanup(second.unlink)
        self.assertEqual([e.step for e in self.load().Scalars("loss/train")], [*range(5), *range(10)])


del Log  # the base class has no tests
if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(argv=["test_readers.py"], verbosity=2)
