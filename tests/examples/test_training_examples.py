"""tests/examples/test_training_examples.py - runs the large training examples as a user would, on small data made here.

    python3 tests/examples/test_training_examples.py FOLDER_OF_PROGRAMS PROJECT
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import collections
import gzip
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import pictures

PROGRAMS, PROJECT = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
MPIRUN = os.environ.get("HEED_MPIRUN")
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
FASHION = Path("/usr/share/datasets/fashion-mnist")
LEXICON = Path("/usr/share/festival/dicts/cmu/cmudict-0.4.out")
CLDR = Path("/usr/share/unicode/cldr/common")
FILES = ["train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
         "t10k-labels-idx1-ubyte.gz"]
PROGRESS = re.compile(r"^epoch (\d+)/(\d+)  step (\d+)/(\d+)  loss (\d\.\d+(?:e-\d\d)?)  [\d,.]+ (\w+)/s  \d+:\d\d:\d\d "
                      r"(left|in all) *$", re.M)  # blanks go over a longer line: mpirun may give a terminal


def idx(shape, values):
    """An IDX file of unsigned bytes."""
    return gzip.compress(struct.pack(f">BBBB{len(shape)}I", 0, 0, 8, len(shape), *shape) + bytes(values))


def picture(number):
    """28 x 28 pixels of class number % 10: a bright bar of two rows at a height of its own."""
    rows = range(2 * (number % 10) + 4, 2 * (number % 10) + 6)
    return [200 + number % 50 if y in rows else (7 * number + 3 * x + y) % 60 for y in range(28) for x in range(28)]


class Example(unittest.TestCase):
    program = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-training-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAMS / self.program, *map(str, arguments)], cwd=self.folder, capture_output=True,
                              text=True)

    def train(self, *arguments):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def assert_refused(self, text, *arguments, code=2):
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(text, done.stderr)

    def assert_progress(self, output, epochs, steps, unit):
        """The last line of each epoch; others depend on how fast the machine is."""
        lines = [m for m in PROGRESS.findall(output) if m[2] == m[3]]
        self.assertEqual([m[0] for m in lines], [str(e + 1) for e in range(epochs)])
        for line in lines:
            self.assertEqual((line[1], line[3], line[5]), (str(epochs), str(steps), unit))
        self.assertEqual(lines[-1][6], "in all")
        return [float(m[4]) for m in lines]

    def assert_picture(self, path, width, height):
        self.assertEqual(pictures.decode(path)[:2], (width, height))
        pictures.assert_picture(self, path)

    def assert_pictures(self, *names):
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()), sorted(names))

    def what_does_not_depend_on_time(self, output):
        return [line[:5] for line in PROGRESS.findall(output) if line[2] == line[3]], PROGRESS.sub("", output).split("\n")

    def assert_reproducible(self, *arguments):
        def run(*more):
            output = self.train(*arguments, *more)
            pictures = sorted((self.folder / "out").iterdir())
            return *self.what_does_not_depend_on_time(output), [p.read_bytes() for p in pictures]
        first = run("--seed", 3, "--threads", 1)
        self.assertEqual(first, run("--seed", 3, "--threads", 2))
        self.assertNotEqual(first, run("--seed", 4, "--threads", 2))

    def interrupt(self, number, delay, *arguments):
        """Sends the signal `delay` seconds after a file was saved; returns how the program ended."""
        with subprocess.Popen([PROGRAMS / self.program, *map(str, arguments)], cwd=self.folder, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            while not (self.folder / "run.heed").exists() and process.poll() is None:
                time.sleep(0.001)
            time.sleep(delay)
            process.send_signal(number)
            error = process.communicate()[1]
        return process.returncode, error

    def assert_resumes(self, *arguments, signals=("SIGINT", "SIGTERM", "SIGKILL")):
        """A run that was stopped by a signal and resumed ends as one that was never stopped: all of its state, its
        last line, and its pictures."""
        def run(file, *more):
            output = self.train(*arguments, "--checkpoint", file, *more)
            pictures = [p.read_bytes() for p in sorted((self.folder / "out").iterdir())]
            return (self.folder / file).read_bytes(), output.splitlines()[-1], pictures
        whole = run("whole.heed")
        for name in signals:
            code = {"SIGINT": 130, "SIGTERM": 143, "SIGKILL": -9}[name]
            file = self.folder / "run.heed"
            file.unlink(missing_ok=True)
            for delay in (0.04, 0.01, 0):  # a fast machine may have done all by then
                ended, error = self.interrupt(signal.Signals[name], delay, *arguments, "--checkpoint", "run.heed", "--every", 0)
                if ended != 0:
                    break
                file.unlink()
            self.assertEqual(ended, code, error)
            if code > 0:
                self.assertRegex(error, rf"^{self.program}: stopped by {name} after step \d+ of \d+; --checkpoint run.heed "
                                        r"--resume goes on\n$")
            self.assertTrue(run("run.heed", "--resume") == whole)
        self.assertTrue(run("run.heed", "--resume") == whole)  # there is nothing left to train
        self.assert_refuses_checkpoints(file, *arguments)

    def assert_refuses_checkpoints(self, file, *arguments):
        arguments = *arguments, "--checkpoint", "run.heed", "--resume"
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        self.assert_refused("run.heed is not a checkpoint, or is damaged", *arguments, code=1)
        self.assert_refused("--resume needs --checkpoint FILE", *arguments[:-3], "--resume")
        self.assert_refused("--checkpoint run.heed: not a folder", *arguments[:-3], "--checkpoint", "run.heed/file")
        self.assert_refused("the path has no file name", *arguments[:-3], "--checkpoint", "new/", code=1)
        self.train(*arguments[:-3], "--checkpoint", "new/of/file.heed", "--out", "new/pictures/of//it/")
        self.assertTrue((self.folder / "new/of/file.heed").is_file() and any((self.folder / "new/pictures/of/it").iterdir()))

    def assert_keeps(self, path, *arguments, picture="loss.png"):
        """No output replaces a file that is read, whatever name leads to it."""
        content = path.read_bytes()
        names = {"same": path, "link": self.folder / "link", "hard": self.folder / "hard"}
        names["link"].symlink_to(path)
        os.link(path, names["hard"])
        for name in names.values():
            self.assert_refused(f"--checkpoint {name}: this is the input file", *arguments, "--checkpoint", name)
        (self.folder / "pictures").mkdir()
        if picture:
            os.link(path, self.folder / "pictures" / picture)
            self.assert_refused("--out pictures/", *arguments, "--out", "pictures")
        self.assertEqual(path.read_bytes(), content)
        for name in names["link"], names["hard"]:
            name.unlink()
        shutil.rmtree(self.folder / "pictures")

    def assert_common_refusals(self):
        self.assert_refused("surplus: not an option", "surplus")
        self.assert_refused("--nonsense", "--nonsense")
        self.assert_refused("requires an argument", "--epochs")
        for number in ("0", "-1", "1.5", "many", "99999999999999999999", ""):
            self.assert_refused(f"--epochs {number}: must be a whole number, 1 or more", "--epochs", number)
        for number in ("-1", "257"):
            self.assert_refused(f"--threads {number}: must be", "--threads", number)
        self.assert_refused("--seed x: must be", "--seed", "x")
        (self.folder / "file").write_text("")
        self.assert_refused("not a folder", "--out", "file")
        self.assert_refused("--out file: not a folder", "--out", "file/below")
        self.assert_refused("too long", "--out", "x" * 3000)


class FashionMnist(Example):
    program = "fashion_mnist"

    def setUp(self):
        super().setUp()
        self.write(300, 100)

    def write(self, train, test, pixels=28 * 28, label=lambda i: i % 10):
        for (images, labels), n in ((FILES[:2], train), (FILES[2:], test)):
            content = [p for i in range(n) for p in picture(i)[:pixels]]
            (self.folder / images).write_bytes(idx((n, pixels // 28, 28), content))
            (self.folder / labels).write_bytes(idx((n,), map(label, range(n))))

    def check(self, *arguments, epochs, steps, accuracy):
        output = self.train(*arguments, "--epochs", epochs)
        losses = self.assert_progress(output, epochs, steps, "samples")
        self.assertLess(losses[-1], 3)
        self.assertGreaterEqual(float(re.search(r"^test accuracy (\d+\.\d\d) %$", output, re.M)[1]), accuracy)
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()), ["confusion.png", "loss.png"])
        self.assert_picture(self.folder / "out" / "confusion.png", 640, 560)
        self.assert_picture(self.folder / "out" / "loss.png", 640, 480)
        return losses

    def test_mlp(self):
        losses = self.check("--data", ".", epochs=8, steps=3, accuracy=90)
        self.assertLess(losses[-1], losses[0])

    def test_cnn(self):
        losses = self.check("--data", ".", "--model", "cnn", epochs=3, steps=3, accuracy=90)
        self.assertLess(losses[-1], losses[0])

    def test_vit(self):
        losses = self.check("--data", ".", "--model", "vit", epochs=2, steps=3, accuracy=10)
        self.assertLess(losses[-1], losses[0])

    def test_resumes(self):
        self.assert_resumes("--data", ".", "--epochs", 10)

    def test_shards(self):
        losses = self.check("--data", ".", "--shards", 5, epochs=8, steps=3, accuracy=90)
        self.assertLess(losses[-1], losses[0])
        self.assert_resumes("--data", ".", "--epochs", 10, "--shards", 5)

    def mpirun(self, processes, *arguments):
        command = [MPIRUN, "-n", processes, PROGRAMS / self.program, "--data", ".", "--epochs", 2, *arguments]
        return subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **OPEN_MPI}, timeout=120)

    @unittest.skipUnless(MPIRUN, "heed was built without MPI")
    def test_mpirun(self):
        done = self.mpirun(2)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--shards N is required under mpirun", done.stderr)
        accuracies = set()
        for processes in 1, 2, 3:
            done = self.mpirun(processes, "--shards", 5, "--checkpoint", f"run{processes}.heed")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_progress(done.stdout, 2, 3, "samples")
            said = re.findall("^test accuracy .*$", done.stdout, re.M)
            self.assertEqual(len(said), 1)
            accuracies.update(said)
        accuracies.update(re.findall("^test accuracy .*$", self.train("--data", ".", "--epochs", 2, "--shards", 5,
                                                                      "--checkpoint", "run0.heed"), re.M))
        self.assertEqual(len(accuracies), 1)
        saved = [(self.folder / f"run{processes}.heed").read_bytes() for processes in range(4)]
        self.assertEqual(len(set(saved)), 1)

    def test_keeps_its_files(self):
        for name in FILES:
            self.assert_keeps(self.folder / name, "--data", ".", "--epochs", 1)

    def test_resumes_only_its_own(self):
        saved = "--data", ".", "--epochs", 2, "--checkpoint", "run.heed"
        self.train(*saved)
        self.assert_refused("extra.losses is f64 (2): must be f64 (3)", *saved, "--resume", "--epochs", 3, code=1)
        self.assert_refused("299 in batches of 128", *saved, "--resume", "--limit", 299, code=1)
        self.assert_refused("missing: module.class_token", *saved, "--resume", "--model", "vit", code=1)

    def test_reproducible(self):
        for model in ("mlp", "cnn", "vit"):
            self.assert_reproducible("--data", ".", "--model", model, "--limit", 40, "--epochs", 2)

    @unittest.skipUnless(FASHION.is_dir(), "dataset-fashion-mnist is not installed")
    def test_real_data(self):
        self.check("--limit", 3000, epochs=1, steps=24, accuracy=65)
        self.check("--limit", 200, "--model", "vit", epochs=1, steps=2, accuracy=0)

    def test_refused(self):
        self.assert_common_refusals()
        self.assert_refused("--model rnn: must be mlp, cnn or vit", "--data", ".", "--model", "rnn")
        self.assert_refused("cannot open nowhere/train-", "--data", "nowhere", code=1)

    def test_damaged_data(self):
        self.write(20, 20, label=lambda i: 10)
        self.assert_refused("cross_entropy", "--data", ".", code=1)
        self.write(20, 20, pixels=27 * 28)
        self.assert_refused("reshape", "--data", ".", code=1)
        self.write(0, 20)
        self.assert_refused("0 samples are too few for a batch of 128", "--data", ".", code=1)
        path = self.folder / FILES[0]
        path.write_bytes(path.read_bytes()[:-4])
        self.assert_refused("the gzip stream is broken", "--data", ".", code=1)

    def test_help(self):
        output = self.train("--help")
        for option in ("--data", "--model", "--epochs", "--limit", "--seed", "--threads", "--checkpoint", "--resume", "--every", "--out"):
            self.assertIn(option, output)
        self.assertFalse((self.folder / "out").exists())


class NwRegression(Example):
    program = "nw_regression"

    def test_keeps_its_table(self):
        table = self.folder / "t.csv"
        table.write_text("x,y,z\n" + "".join(f"{i},{i * i % 7},{i}\n" for i in range(20)))
        self.assert_keeps(table, "--data", table, "--x", "x", "--y", "y", "--epochs", 1)

    def test_resumes(self):
        self.assert_resumes("--data", PROJECT / "examples" / "data" / "faithful.csv", "--x", "eruptions", "--y", "waiting",
                            "--log-width", "--epochs", 200)


class CharTransformer(Example):
    program = "char_transformer"

    def setUp(self):
        super().setUp()
        self.text = self.folder / "text.txt"
        self.text.write_text("the cat sat on the mat, and the rat ate the bat.\n" * 60)

    def test_learns(self):
        output = self.train("--text", self.text, "--epochs", 3, "--steps", 10, "--length", 100, "--temperature", 0)
        losses = self.assert_progress(output, 3, 10, "bytes")
        found = re.findall(r"^validation loss (\d\.\d{4}) nats, (\d\.\d{4}) bits per byte$", output, re.M)
        self.assertEqual(len(found), 3)
        for nats, bits in found:
            self.assertAlmostEqual(float(nats) / 0.693147, float(bits), places=3)
        self.assertLess(float(found[-1][0]), 1.5)
        self.assertLess(losses[-1], losses[0])
        written = output[output.rindex("per byte\n") + 9:-1]
        self.assertEqual(len(written), 100)
        self.assertLessEqual(set(written), set(self.text.read_text()))
        self.assertIn("the ", written)
        self.assert_picture(self.folder / "out" / "loss.png", 640, 480)

    def test_keeps_its_text(self):
        self.assert_keeps(self.text, "--text", self.text, "--epochs", 1, "--steps", 2, "--length", 20, "--layers", 1)

    def test_resumes(self):
        self.assert_resumes("--text", self.text, "--epochs", 1, "--steps", 6, "--length", 20, "--layers", 1,
                            signals=["SIGINT"])

    def test_two_signals(self):
        """The second one does not wait for the end of the step."""
        with subprocess.Popen([PROGRAMS / self.program, "--text", self.text, "--checkpoint", "run.heed", "--every", "0"],
                              cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while not (self.folder / "run.heed").exists() and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            time.sleep(0.002)
            process.send_signal(signal.SIGTERM)
        self.assertIn(process.returncode, (-signal.SIGTERM, 130))

    def test_reproducible(self):
        self.assert_reproducible("--text", self.text, "--epochs", 1, "--steps", 2, "--length", 20, "--layers", 1)

    def test_default_text(self):
        (self.folder / "examples").symlink_to(PROJECT / "examples")
        output = self.train("--epochs", 1, "--steps", 1, "--length", 0, "--layers", 3)
        self.assert_progress(output, 1, 1, "bytes")
        self.assertTrue(output.endswith("per byte\n\n"))

    def test_any_bytes(self):
        self.text.write_bytes(bytes(range(256)) * 8)
        done = subprocess.run([PROGRAMS / self.program, "--text", self.text, "--epochs", "1", "--steps", "1", "--length",
                               "200"], cwd=self.folder, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(len(done.stdout[done.stdout.rindex(b"per byte\n") + 9:]), 201)

    def test_refused(self):
        self.assert_common_refusals()
        self.assert_refused("nowhere.txt: No such file", "--text", "nowhere.txt")
        self.assert_refused("examples/data/genesis.txt: No such file")
        self.assert_refused(".: not a regular file", "--text", ".")
        self.text.write_text("short")
        self.assert_refused("text.txt: has 5 bytes: must have 1280", "--text", self.text)
        for number in ("-1", "nan", "inf", "warm", "1x", ""):
            self.assert_refused(f"--temperature {number}: must be", "--temperature", number)
        self.assert_refused("--length -1: must be", "--length", -1)
        self.assert_refused("--layers 0: must be", "--layers", 0)
        self.assert_refused("dropout", "--text", PROJECT / "examples" / "data" / "genesis.txt", "--dropout", 2, code=1)

    def test_help(self):
        output = self.train("--help")
        for option in ("--text", "--layers", "--epochs", "--steps", "--dropout", "--length", "--temperature", "--seed",
                       "--out"):
            self.assertIn(option, output)


class Pronunciation(Example):
    program = "pronunciation"
    sounds = dict(a="aa", e="eh", i="ih", o="ao", b="b", d="d", k="k", m="m", s="s", t="t")

    def setUp(self):
        super().setUp()
        self.dict = self.folder / "dict.out"
        self.write(self.entry(c1 + v1 + c2 + v2) for c1 in "bdkmst" for v1 in "aeio" for c2 in "bdkmst" for v2 in "aeio")

    def entry(self, word):
        """Each letter has a sound of its own."""
        return f'("{word}" nil ((({" ".join(self.sounds[c] for c in word)}) 1)))'

    def write(self, lines):
        self.dict.write_text("MNCL\n" + "\n".join(lines) + "\n")

    def test_learns(self):
        output = self.train("--dict", self.dict, "--epochs", 12, "--word", "toma")
        losses = self.assert_progress(output, 12, 9, "words")
        self.assertLess(losses[-1], 0.1)
        found = re.search(r"^held out: 29 words, (\d+\.\d) % with an error; (\d+\.\d) % of their sounds wrong$", output, re.M)
        self.assertLess(float(found[1]), 20)
        self.assertLess(float(found[2]), 10)
        self.assertTrue(output.endswith("\ntoma: t ao m aa\n"), output)
        self.assert_picture(self.folder / "out" / "alignment.png", 400, 400)

    def test_transformer(self):
        output = self.train("--dict", self.dict, "--model", "transformer", "--epochs", 6, "--word", "toma")
        self.assertLess(self.assert_progress(output, 6, 9, "words")[-1], 0.1)
        self.assertRegex(output, r"\nheld out: 29 words, \d\.\d % with an error; \d\.\d % of their sounds wrong\n")
        self.assertTrue(output.endswith("\ntoma: t ao m aa\n"), output)
        self.assert_pictures("alignment.png", "source.png", "target.png")

    def test_ctc(self):
        output = self.train("--dict", self.dict, "--model", "ctc", "--epochs", 8, "--word", "toma")
        self.assertLess(self.assert_progress(output, 8, 9, "words")[-1], 0.1)
        self.assertIn("\nheld out: 29 words, 0.0 % with an error; 0.0 % of their sounds wrong\n", output)
        self.assertTrue(output.endswith("\ntoma: t ao m aa\n"), output)
        self.assert_pictures("alignment.png")
        self.assert_picture(self.folder / "out" / "alignment.png", 560, 340)

    def test_ctc_counts(self):
        """Two sounds of one letter, none of another, one sound twice; and words of more sounds than they have frames."""
        self.sounds = {**self.sounds, "x": "k s", "h": ""}
        self.write([self.entry(a + b + c) for a in "abdikoxh" for b in "abdikoxh" for c in "bdkmst"] +
                   [f'("{letter}" nil (((d ah b ax l) 1) ((y uw) 0)))' for letter in "uvw"])
        output = self.train("--dict", self.dict, "--model", "ctc", "--epochs", 15, "--word", "xxd")
        self.assertLess(self.assert_progress(output, 15, 6, "words")[-1], 0.1)
        self.assertLess(float(re.search(r"held out: 20 words, .*; (\d+\.\d) % of their sounds wrong", output)[1]), 5)
        self.assertTrue(output.endswith("\nxxd: k s k s d\n"), output)

    def test_keeps_its_dictionary(self):
        self.assert_keeps(self.dict, "--dict", self.dict, "--words", 50, "--epochs", 1, "--word", "toma",
                          picture="alignment.png")

    def test_resumes(self):
        for model in ("gru", "ctc"):
            (self.folder / "run.heed").unlink(missing_ok=True)
            self.assert_resumes("--dict", self.dict, "--model", model, "--words", 100, "--epochs", 3, "--word", "toma",
                                signals=["SIGKILL"])

    def test_resumes_only_its_own(self):
        saved = "--dict", self.dict, "--words", 100, "--epochs", 1, "--word", "toma", "--checkpoint", "run.heed"
        self.train(*saved, "--model", "ctc")
        self.assert_refused("missing: module.encoder.", *saved, "--resume", code=1)

    def test_reproducible(self):
        for model in ("gru", "transformer", "ctc"):
            self.assert_reproducible("--dict", self.dict, "--model", model, "--words", 100, "--epochs", 1)

    def test_what_is_left_out(self):
        """Other characters, words and pronunciations that are too long, further entries of a word, other lines."""
        self.write([self.entry("tab"), self.entry("tab"), '("o\'b" nil (((ao b) 1)))', self.entry("sa"), "; nothing",
                    self.entry("a" * 17), '("m" nil (((' + "m " * 17 + ') 1)))', '("k" nil ())', self.entry("dim")])
        output = self.train("--dict", self.dict, "--epochs", 1, "--word", "tab")
        self.assertIn("held out: 1 words", output)
        self.assert_progress(output, 1, 1, "words")

    @unittest.skipUnless(LEXICON.is_file(), "festlex-cmu is not installed")
    def test_real_data(self):
        output = self.train("--words", 200, "--epochs", 1)
        self.assert_progress(output, 1, 3, "words")
        self.assertIn("held out: 10 words", output)

    def test_refused(self):
        self.assert_common_refusals()
        for word in ("Heed", "", "co-op", "a" * 17):
            self.assert_refused(f'lexicon_spell: "{word}"', "--dict", self.dict, "--word", word, code=1)
        self.assert_refused("nowhere: No such file", "--dict", "nowhere", code=1)
        self.assert_refused("--model rnn: must be gru, transformer or ctc", "--dict", self.dict, "--model", "rnn")
        self.write([self.entry("tab")])
        self.assert_refused("must contain two words or more", "--dict", self.dict)

    def test_help(self):
        output = self.train("--help")
        for option in ("--dict", "--model", "--word", "--epochs", "--words", "--seed", "--out"):
            self.assertIn(option, output)


class Translate(Example):
    program = "translate"
    nouns = dict(cat="chat", dog="chien", fox="renard", lion="lion", duck="canard", bear="ours", horse="cheval")
    colours = dict(black="noir", white="blanc", red="rouge", green="vert", brown="brun")
    sizes = dict(small="petit", big="grand", old="vieux")

    def setUp(self):
        super().setUp()
        self.write((f"{s} {c} {n}", f"{self.sizes[s]} {self.nouns[n]} {self.colours[c]}")
                   for s in self.sizes for c in self.colours for n in self.nouns)

    def write(self, pairs):
        (self.folder / "phrases.csv").write_text("en,fr\n" + "".join(f'"{a}","{b}"\n' for a, b in pairs))

    def check(self, *arguments, epochs):
        output = self.train(*arguments, "--epochs", epochs, "--phrase", "old green bear")
        losses = self.assert_progress(output, epochs, 2, "phrases")
        self.assertLess(losses[-1], losses[0])
        self.assertRegex(output, r"^105 phrases of 15 and 15 different words, [\d]+ parameters\n")
        found = re.search(r"^held out: 11 phrases, BLEU (\d\.\d{3}), (\d+\.\d) % without an error$", output, re.M)
        return float(found[1]), float(found[2]), output

    def test_transformer(self):
        bleu, exact, output = self.check(epochs=15)
        self.assertEqual((bleu, exact), (1, 100))
        self.assertTrue(output.endswith("\nold green bear -> vieux ours vert\n"), output)
        self.assert_pictures("alignment.png", "source.png", "target.png")
        self.assert_picture(self.folder / "out" / "alignment.png", 1000, 500)

    def test_gru(self):
        self.assertGreater(self.check("--model", "gru", epochs=50)[0], 0.8)
        self.assert_pictures("alignment.png")
        self.assert_picture(self.folder / "out" / "alignment.png", 400, 400)

    def test_beams(self):
        for model, epochs in (("gru", 40), ("transformer", 15)):
            said = self.train("--model", model, "--beams", 3, "--epochs", epochs, "--phrase", "big red fox").splitlines()[-1]
            self.assertEqual(said, "big red fox -> grand renard rouge")

    def bleu(self, made, right):
        """The book's, by its words; a "?" is right nowhere."""
        score = math.exp(min(0, 1 - len(right) / len(made))) if made else 0
        for k in range(1, min(2, len(made)) + 1):
            grams, there = ([tuple(words[i:i + k]) for i in range(len(words) - k + 1)] for words in (made, right))
            found = collections.Counter(grams) & collections.Counter(g for g in there if "?" not in g)
            score *= (sum(found.values()) / len(grams)) ** 0.5 ** k
        return score

    def test_bleu(self):
        """Few phrases held out are all printed, with what would have been right."""
        self.write((f"a{i}", f"s{i} t") if i % 3 == 0 else ("a b c d e"[:2 * i % 9 + 1], "s t u s t u"[:2 * i % 11 + 1])
                   for i in range(80))
        for epochs in (2, 10):
            output = self.train("--epochs", epochs, "--phrase", "a")
            lines = [line.partition(" -> ")[2] for line in output.splitlines() if " -> " in line][:-1]
            scores = []
            for line in lines:
                made, _, right = line.removesuffix(")").partition("  (")
                scores.append(self.bleu(made.split(), (right or made).split()))
            self.assertEqual(len(scores), 8)
            found = re.search(r"^held out: 8 phrases, BLEU (\d\.\d{3})", output, re.M)
            self.assertAlmostEqual(float(found[1]), sum(scores) / len(scores), delta=0.0006)

    def test_keeps_its_table(self):
        self.assert_keeps(self.folder / "phrases.csv", "--epochs", 1, picture=None)

    def test_words_seen_once(self):
        """They are unknown, in both languages, and match nothing; what is beyond 20 words is cut."""
        self.write([("a b", "c d")] * 30 + [("once", "jamais")] * 1 + [("a " * 30, "c " * 30)] * 2)
        output = self.train("--epochs", 1, "--phrase", "a never")
        self.assertRegex(output, r"^33 phrases of 2 and 2 different words")

    def test_reproducible(self):
        for model in ("gru", "transformer"):
            self.assert_reproducible("--model", model, "--epochs", 1)

    def phrases(self, *arguments):
        return subprocess.run([PROJECT / "scripts" / "phrases", *map(str, arguments)], capture_output=True, text=True)

    def test_table(self):
        """Names that are missing or inherited are left out; of two that are the same the first is taken."""
        for language, emoji, derived, names in (
                ("en", "cp='a'>open book<", "cp='b'>Man: bald<", "<language type='br'>Breton</language>"
                 "<territory type='RE'>Reunion</territory><territory type='AX'>Open  Book</territory>"),
                ("fr", "cp='a'>livre ouvert<", "cp='b'>l’homme : chauve<", "<language type='br'>↑↑↑</language>"
                 "<territory type='RE'>La\u200b Réunion</territory><territory type='AX'>autre</territory>")):
            for part, text in (("annotations", emoji), ("annotationsDerived", derived)):
                (self.folder / part).mkdir(exist_ok=True)
                text = text.replace(">", " type='tts'>", 1)
                (self.folder / part / f"{language}.xml").write_text(
                    f"<ldml><annotation cp='a'>open | book</annotation><annotation {text}/annotation></ldml>")
            (self.folder / "main").mkdir(exist_ok=True)
            (self.folder / "main" / f"{language}.xml").write_text(f"<ldml>{names}</ldml>")
        done = self.phrases("--cldr", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "en,fr\nopen book,livre ouvert\nman : bald,l’ homme : chauve\nreunion,la réunion\n")
        done = self.phrases("--cldr", self.folder, "--to", "xx")
        self.assertEqual(done.returncode, 2)
        self.assertIn("xx.xml: not there; scripts/setup --examples installs unicode-cldr-core", done.stderr)

    @unittest.skipUnless(CLDR.is_dir(), "unicode-cldr-core is not installed")
    def test_real_data(self):
        table = self.phrases().stdout
        self.assertIn("\nlight skin tone,peau claire\n", table)
        self.assertGreater(table.count("\n"), 4000)
        (self.folder / "phrases.csv").write_text("".join(table.splitlines(keepends=True)[:301]))
        self.assertIn("held out: 30 phrases", self.train("--epochs", 1))

    def test_refused(self):
        self.assert_common_refusals()
        self.assert_refused("nowhere.csv: No such file or directory; scripts/phrases writes such a table", "--pairs", "nowhere.csv")
        self.assert_refused("--model ctc: must be gru or transformer", "--model", "ctc")
        self.assert_refused("--beams 0: must be", "--beams", 0)
        self.assert_refused('" ": has no words to translate', "--phrase", " ")
        self.write([("a", "b")])
        self.assert_refused("phrases.csv: must have two columns and at least two rows")
        (self.folder / "phrases.csv").write_text("en\na\nb\nc\n")
        self.assert_refused("phrases.csv: must have two columns and at least two rows")

    def test_help(self):
        output = self.train("--help")
        for option in ("--pairs", "--model", "--phrase", "--epochs", "--beams", "--seed", "--checkpoint", "--out"):
            self.assertIn(option, output)


if __name__ == "__main__":
    unittest.main()
