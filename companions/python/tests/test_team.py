#!/usr/bin/env python3
"""companions/python/tests/test_team.py - training in several processes over MPI has the bits of training in one. Debian's
mpi4py is built with Open MPI; libheed-mpi with MPICH is compiled here for the test of different MPIs."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import setting
import heed
import numpy
from heed import data, nn, optim

try:
    import mpi4py
except ImportError:
    mpi4py = None

PROCESS = '''
import sys
from mpi4py import MPI
sys.path[:0] = [{tests!r}]
import test_team
import heed
world = heed.Comm(MPI.COMM_WORLD, timeout=60)
print(world, test_team.train(world))
'''


def train(world, path=None):
    """Ten steps of a small network with dropout; the bits of its parameters, as text."""
    heed.manual_seed(7)
    draw = numpy.random.default_rng(1)
    rows = data.Dataset([draw.normal(size=(100, 5)).astype(numpy.float32), draw.integers(0, 3, 100)])
    net = nn.Sequential(nn.Linear(5, 8), heed.tanh, nn.Dropout(0.3), nn.Linear(8, 3))
    adam = optim.Adam(net, lr=0.01)
    loader = data.Loader(rows, batch_size=32, shuffle=True)
    team = heed.DataParallel(world, adam, shards=8)
    while team.steps() < 10:
        for x, y in team.shards(loader):
            team.backward(heed.cross_entropy(net(x), y, reduction="sum"), len(x))
        team.step()
    if path is not None:
        team.save(path, heed.Checkpoint(module=net, optimizer=adam, loader=loader))
    return b"".join(p.numpy().tobytes() for p in net.parameters()).hex()


def mpirun():
    """The mpirun of mpi4py's MPI, or None."""
    from mpi4py import MPI
    is_open = "Open MPI" in MPI.Get_library_version()
    found = [name for name in (("mpirun.openmpi", "mpirun") if is_open else ("mpirun.mpich", "mpiexec.hydra", "mpirun")) if shutil.which(name)]
    return [found[0], *(["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"] if is_open else [])] if found else None


def run(*command, **variables):
    return subprocess.run([*map(str, command)], check=False, text=True, capture_output=True, timeout=300, env={
        **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "HEED_NUM_THREADS": "1", **variables})


class Alone(setting.Case):
    def test_one_process(self):
        world = heed.Comm()
        self.assertEqual((repr(world), world.rank(), world.size(), world.bytes_sent()), ("Comm(rank 0 of 1)", 0, 1, 0))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "run.heed")
            self.assertEqual(train(world, path), train(world))
            self.assertIn("0.weight", "".join(heed.load(path)))

    def test_shards_are_the_batch(self):
        rows, net = data.Dataset([numpy.arange(10.0)]), nn.ParameterList([heed.tensor([1.0], requires_grad=True)])
        team = heed.DataParallel(heed.Comm(), optim.SGD(net, lr=1.0), shards=3)
        loader = data.Loader(rows, batch_size=5)
        found = []
        for x, in team.shards(loader):
            found += x.tolist()
            team.backward((net.find("0") * x.to_dtype("f32")).sum(), len(x))
        team.step()
        self.assertEqual(found, [0, 1, 2, 3, 4])
        self.assertEqual(net.find("0").item(), 1 - 2)
        self.assertIn("shards=3", repr(team))

    def test_refusals(self):
        self.raises(TypeError, "communicator must be a communicator of mpi4py, such as mpi4py.MPI.COMM_WORLD, or None, not int 3", heed.Comm, 3)
        team = heed.DataParallel(heed.Comm(), optim.SGD(nn.Linear(1, 1), lr=1.0), shards=3)
        self.raises(TypeError, "loader must be a heed.data.Loader, not list", lambda: next(team.shards([])))


@unittest.skipIf(mpi4py is None, "there is no mpi4py (python3-mpi4py)")
class Mpi(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.script = Path(self.folder, "process.py")
        self.script.write_text(PROCESS.format(tests=str(Path(__file__).parent)), encoding="utf-8")

    @unittest.skipUnless(os.environ.get("HEED_MPI_LIBRARY"), "there is no libheed-mpi")
    def test_the_bits_of_one_process(self):
        if mpirun() is None:
            self.skipTest("there is no mpirun of mpi4py's MPI")
        expected = train(heed.Comm())
        for processes in (2, 3):
            done = run(*mpirun(), "-n", processes, sys.executable, self.script)
            self.assertEqual(sorted(done.stdout.splitlines()), [f"Comm(rank {r} of {processes}) {expected}" for r in range(processes)], done.stderr)

    def fails(self, what, **variables):
        done = run(sys.executable, self.script, **variables)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(what, done.stderr)

    def test_without_the_library(self):
        self.fails("Comm: /nowhere/libheed-mpi.so cannot be loaded", HEED_MPI_LIBRARY="/nowhere/libheed-mpi.so")
        self.fails("libc.so.6 cannot be loaded", HEED_MPI_LIBRARY="libc.so.6")

    @unittest.skipIf(shutil.which("mpicc.mpich") is None, "there is no MPICH")
    def test_a_different_mpi(self):
        from mpi4py import MPI
        if "MPICH" in MPI.Get_library_version():
            self.skipTest("mpi4py uses MPICH")
        made, root = Path(self.folder, "libheed-mpi.so"), setting.ROOT
        subprocess.run(["mpicc.mpich", "-shared", "-fPIC", "-I", root / "include", "-I", root / "companions/mpi/include",
                        root / "companions/mpi/src/mpi.c", os.environ["HEED_LIBRARY"], "-o", made], check=True, env={**os.environ, "MPICH_CC": "gcc"})
        self.fails("Comm: mpi4py uses Open MPI", HEED_MPI_LIBRARY=str(made))


if __name__ == "__main__":
    unittest.main()
