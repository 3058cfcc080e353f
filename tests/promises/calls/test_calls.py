"""tests/promises/calls/test_calls.py - calls.py fails for functions without cases, arguments that are never NULL,
programs that failed, allocations that never failed, and errors under a different name; slots.py fails for unknown
arguments, and layers without cases."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import calls
import reach
import slots
from headers import Headers

HEADER = """
typedef enum heed_kind { HEED_A, HEED_B } heed_kind;
typedef struct heed_thing_options { double eps, scale; int64_t n; } heed_thing_options;
/* HEED_API void heed_in_a_comment(int n); */
HEED_API heed_tensor *heed_thing(heed_tensor *x, heed_kind kind,
                                 const heed_thing_options *options);
HEED_API heed_status heed_say(heed_status status, const char *format, ...) HEED_PRINTF(2, 3);
"""
THROUGH_A_TABLE = """
static int helper(int n)
{
    return harmless(n);
}

const table heed__table[] = {{.run = helper}};

heed_tensor *heed_thing(int n)
{
    return run(heed__table, n); /* not heed_alloc(n) */
}
"""
ASKING = """
static int helper(int n)
{
    return heed__alloc(n);
}

int heed__deep(int n)
{
    return helper(n);
}

int heed_say(int n)
{
    return n;
}
"""
LAYER = """
typedef struct heed_inner_options { double p; } heed_inner_options;
typedef struct heed_nn_map_options { bool no_bias; heed_tensor *(*f)(heed_tensor *x); const heed_inner_options *inner;
} heed_nn_map_options;
typedef struct heed_nn_map { heed_module base; heed_tensor *weight; } heed_nn_map;
HEED_API heed_nn_map *heed_nn_map_new(int64_t in, const heed_nn_map_options *options);
HEED_API heed_tensor *heed_nn_map_forward(heed_nn_map *net, heed_tensor *x, heed_tensor **state);
HEED_API heed_tensor *heed_nn_leave_new(heed_tensor *x);
"""
NULL, THERE, ALL_TENSORS, OUTSIDE, NAN, COUNTS = 0x1, 0x2, 0xFFF | 1 << 24, 1 << 20, 1 << 17, 0x1E000
GOOD = [ALL_TENSORS, OUTSIDE, NULL | THERE, NAN, NAN, COUNTS]


class Calls(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "heed").mkdir()
        self.header = HEADER.replace("heed_status status", "heed_kind status")
        (self.folder / "heed" / "a.h").write_text(self.header)

    def run_calls(self, command, *arguments):
        """(exit code, output)."""
        printed = io.StringIO()
        sys.argv = ["calls.py", command, *map(str, [self.folder / "heed", *arguments])]
        with contextlib.redirect_stdout(printed):
            try:
                code = calls.main()
            except SystemExit as end:
                return 1, str(end)
        return code, printed.getvalue()

    def report(self, seen=GOOD, cases=20, changed=0, allocations=0, refusals=0, status=0, misnamed=""):
        lines = [f"status {status}"] + [f"misnamed 0 3 {misnamed}"] * bool(misnamed)
        for function, arguments in ((0, seen), (1, [OUTSIDE])):
            words = [f"{a:x}" for a in [*arguments, *[0] * (40 - len(arguments))]]
            hashes = [f"{h:x}" for h in range(1, cases + 1)]
            lines.append(" ".join(["function", str(function), "30", str(allocations), str(refusals), str(changed),
                                   *words, *hashes]))
        path = self.folder / "report.txt"
        path.write_text("\n".join(lines) + "\n")
        return path

    def test_header(self):
        out, names = self.folder / "public_calls.h", self.folder / "public_calls.syms"
        self.assertEqual(self.run_calls("header", out, names), (0, ""))
        self.assertEqual(names.read_text().splitlines(), ["heed_thing noted_heed_thing"])  # heed_say has ...
        text = out.read_text()
        for line in ("call_tensor(&noted, x);", "call_enum(&noted, (long)kind, 2);", "call_int64(&noted, options->n);",
                     "call_real(&noted, options->scale);", "#define heed_thing noted_heed_thing",
                     "#define heed_say(status, ...) (noted_heed_say(status), heed_say(status, __VA_ARGS__))"):
            self.assertIn(line, text)
        self.assertNotIn("heed_in_a_comment", text)

    def test_unknown_kind(self):
        (self.folder / "heed" / "b.h").write_text("HEED_API void heed_new(heed_unheard_of x);")
        code, text = self.run_calls("header", self.folder / "out.h", self.folder / "out.syms")
        self.assertNotEqual(code, 0)
        self.assertIn("heed_unheard_of", text)

    def test_sources(self):
        source = self.folder / "test.c"
        source.write_text("heed_thing(0, 0, 0); heed_say(1, 0);")
        self.assertEqual(self.run_calls("sources", source), (0, ""))
        source.write_text("heed_thing(0, 0, 0); heed_saying();")
        code, text = self.run_calls("sources", source)
        self.assertEqual(code, 1)
        self.assertIn("heed_say: a public function without cases", text)
        self.assertNotIn("heed_thing", text)

    def assert_misuse(self, code, text, **report):
        found = self.run_calls("misuse", self.report(**report))
        self.assertEqual(found[0], code, found[1])
        self.assertIn(text, found[1])

    def test_misuse(self):
        self.assert_misuse(0, "misuse: functions=2/2 cases=40 calls=60 failed programs=0")
        self.assert_misuse(1, "heed_thing: x was never NULL, f32", seen=[0, *GOOD[1:]])
        self.assert_misuse(1, "heed_thing: kind was never outside", seen=[ALL_TENSORS, 0, *GOOD[2:]])
        self.assert_misuse(1, "heed_thing: options->eps was never NaN", seen=[*GOOD[:3], 0, *GOOD[4:]])
        self.assert_misuse(1, "heed_thing: options->n was never negative, 0, 2^31, 2^62", seen=GOOD[:5])
        self.assert_misuse(1, "heed_thing: 19 cases of 20", cases=19)
        self.assert_misuse(1, "30 calls changed the locale or the mode of arithmetic", changed=30)
        self.assert_misuse(1, "failed programs=1", status=1)
        self.assert_misuse(1, 'heed_thing: 3 errors under another name: "inner: no thing"', misnamed="inner: no thing")

    def assert_oom(self, code, text, **report):
        source = self.folder / "src"
        source.mkdir(exist_ok=True)
        found = self.run_calls("oom", source, f"{self.report(**report)}=/bin/true")
        self.assertEqual(found[0], code, found[1])
        self.assertIn(text, found[1])

    def test_oom(self):
        self.assert_oom(0, "oom: functions=2/2 sites=0/0 misnamed=0 bad=0", allocations=3, refusals=1)
        self.assert_oom(0, "oom: functions=0/0 sites=0/0 misnamed=0 bad=0")
        self.assert_oom(1, "heed_thing: can ask for memory, and was never refused", allocations=3)
        self.assert_oom(1, "bad=1", allocations=3, refusals=1, status=1)
        self.assert_oom(1, 'heed_thing: 3 errors under another name: "inner: no"', misnamed="inner: no")

    def slots_of(self, prototype):
        folder = self.folder / "slots"
        folder.mkdir()
        (folder / "ops.h").write_text(f"HEED_API heed_tensor *heed_op({prototype});\n", encoding="utf-8")
        return slots.call(Headers(folder).functions[0])

    def test_slots(self):
        text = self.slots_of("heed_tensor *const *tensors, int n, double p, heed_tensor **other")
        self.assertIn("int n = slot_list(from, \"tensors\", there ? list : NULL);", text)
        self.assertIn("double p = slot_real(from, \"p\");", text)
        self.assertIn("heed_op(there ? list : NULL, n, p, other);", text)

    def test_slot_of_an_unknown_kind(self):
        with self.assertRaisesRegex(SystemExit, r"knows no slot for int \* p"):
            self.slots_of("heed_tensor *x, const int *p")

    def test_slot_of_a_function(self):
        for prototype in ("heed_tensor *(*f)(heed_tensor *x)", "heed_mapping f); typedef heed_tensor *(*heed_mapping)(heed_tensor *"):
            self.assertIn('slot_function_type f = slot_function(from, "f");', self.slots_of(prototype))
            shutil.rmtree(self.folder / "slots")
        with self.assertRaisesRegex(SystemExit, r"knows no slot for"):
            self.slots_of("heed_tensor *(*f)(heed_tensor *x, int n)")

    def layer_headers(self):
        headers = self.folder / "layers"
        headers.mkdir(exist_ok=True)
        (headers / "nn.h").write_text(LAYER, encoding="utf-8")
        return Headers(headers)

    def layers_of(self, *files):
        return slots.layer_calls(self.layer_headers(), files)

    def cases_of(self, *files, **args):
        data = {"cases": [{"args": args, "inputs": [{"float": [0.5, 1.0], "shape": [1, 2]}]}]}
        (self.folder / "nn_map.json").write_text(json.dumps(data), encoding="utf-8")
        return slots.all_derived_cases(self.layer_headers(), self.folder, files)

    def test_layers(self):
        text = self.layers_of("tests/nn/map.c")
        for line in ('options.f = slot_function(from, "f");', 'if (slot_there(from, "inner")) {', "options.inner = &inner;",
                     'inner.p = slot_real(from, "inner.p");', 'heed_tensor **state = slot_out(from, "state");',
                     "return (heed_module *)heed_nn_map_new(in, there ? &options : NULL);",
                     "return heed_nn_map_forward((heed_nn_map *)net, x, state);", "&heed_cases_nn_map}",
                     '"in", "no_bias", "f", "inner", "x", "state", "inner.p", NULL'):
            self.assertIn(line, text)
        self.assertNotIn("heed_nn_leave_new", text)

    def test_layers_and_cases(self):
        with self.assertRaisesRegex(SystemExit, r"tests/nn/old.c: there is no layer with heed_nn_old_new"):
            self.layers_of("tests/nn/map.c", "old.c")

    def test_derived_cases(self):
        text = self.cases_of(no_bias=True, f="relu", **{"in": 2})
        for line in ('.args = {ARG(no_bias, true), ARG_FUNCTION(f, heed_relu), ARG(in, 2)}, .in = {INPUT(x, 1, 2)}',
                     '.args = {ARG(no_bias, true), ARG_FUNCTION(f, heed_relu)}, .in = {INPUT(x, 1, 2)}, .status = HEED_ERR_ARGUMENT, '
                     '.text = "nn_map_new: in is "', '.text = "nn_map_forward: x is NULL"', "heed_cases_nn_map = {cases_map, errors_map}"):
            self.assertIn(line, text)
        self.assertNotIn("map", self.cases_of("tests/nn/map.c"))
        with self.assertRaisesRegex(SystemExit, "write tests/nn/map.c, because inner is a pointer"):
            self.cases_of(inner=True)

    def test_no_derived_cases(self):
        with self.assertRaisesRegex(SystemExit, "the layer map of heed/nn.h has no cases: add it to tests/parity"):
            slots.all_derived_cases(self.layer_headers(), self.folder, [])

    def test_reach(self):
        source = self.folder / "src"
        source.mkdir()
        (source / "a.c").write_text(THROUGH_A_TABLE)
        (source / "b.c").write_text(ASKING)
        self.assertEqual(reach.asking(source), reach.ASK | {"heed__deep"})
        (source / "a.c").write_text(THROUGH_A_TABLE.replace("harmless(n)", "heed__deep(n)"))
        self.assertEqual(reach.asking(source), reach.ASK | {"heed__deep", "heed__table", "heed_thing"})
        self.assert_oom(1, "heed_thing: can ask for memory, and was never refused")

    def test_sites(self):
        source = self.folder / "src"
        source.mkdir()
        (source / "a.c").write_text("/* heed_alloc(1) */\nvoid *p = heed_calloc(1, 2);\n")
        self.assert_oom(1, "src/a.c:2: its allocation never failed")
        self.assert_oom(1, "sites=0/1")


if __name__ == "__main__":
    unittest.main()
