"""tests/examples/test_manual_search.py - the manual's search finds heed's functions by PyTorch's spellings, and alternatives to
functions that heed lacks. Runs docs/manual/search.js with Node.js on the index of the headers and of search-words.txt.

    python3 tests/examples/test_manual_search.py

Exit code 77 without Node.js (nodejs). Without Doxygen the index has no addresses; the test of these is skipped.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import collections
import importlib.util
import inspect
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DEBIAN = "/usr/bin/python3"  # its packages belong to it, and it need not be the first Python
NODE, DOXYGEN = shutil.which("node"), shutil.which("doxygen")
PROJECT = Path(__file__).resolve().parents[2]

sys.path.insert(0, str(PROJECT / "docs" / "manual" / "make"))

import pages  # noqa: E402
from library import Library  # noqa: E402

# The first result of each query.
FIRST = """
F.softmax                     heed_softmax
F.softmax(x, dim=-1)          heed_softmax
torch.nn.functional.softmax   heed_softmax
softmax                       heed_softmax
heed_softmax                  heed_softmax
nn.ReLU                       heed_relu
nn.ReLU()                     heed_relu
torch.nn.ReLU                 heed_relu
F.relu                        heed_relu
x.shape                       heed_shape_of
x.shape[0]                    heed_shape_of
tensor.shape                  heed_shape_of
shape                         heed_shape_of
x.size(0)                     heed_dim
model.eval                    heed_module_eval
model.eval()                  heed_module_eval
eval                          heed_module_eval
net.train()                   heed_module_train
.item()                       heed_item
item                          heed_item
loss.item()                   heed_item
leak                          heed_memory_report
memory leak                   heed_memory_report
memory                        heed_memory_report
debug                         heed_set_debug
numpy                         heed_data_f32
x.numpy()                     heed_data_f32
torch.from_numpy              heed_from_buffer
device                        torch.cuda.*
cuda                          torch.cuda.*
gpu                           torch.cuda.*
x.cuda()                      torch.cuda.*
x.to(device)                  torch.cuda.*
model.to('cuda')              torch.cuda.*
torch.cuda.is_available()     torch.cuda.*
torch.device("cuda:0")        torch.cuda.*
x.to(torch.float64)           heed_to_dtype
x.double()                    heed_to_dtype
DataLoader                    heed_loader_new
torch.utils.data.DataLoader   heed_loader_new
num_workers                   heed_loader_options
collate_fn                    collate_fn
zero_grad                     heed_optimizer_zero_grad
opt.zero_grad()               heed_optimizer_zero_grad
model.zero_grad()             heed_module_zero_grad
no_grad                       heed_no_grad_begin
torch.no_grad()               heed_no_grad_begin
detach                        heed_detach
x.detach()                    heed_detach
state_dict                    heed_module_state
model.state_dict()            heed_module_state
optimizer.state_dict()        heed_optimizer_state
model.load_state_dict(s)      heed_module_load_state
backward                      heed_backward
loss.backward()               heed_backward
optimizer.step()              heed_optimizer_step
scheduler.step()              heed_schedule_step
lr_scheduler.StepLR           heed_schedule_new_step
optim.AdamW                   heed_optim_adamw
view                          heed_reshape
x.view(-1, 3)                 heed_reshape
permute                       heed_permute
unsqueeze                     heed_unsqueeze
cat                           heed_concat
torch.cat([a, b], 1)          heed_concat
np.concatenate                heed_concat
einsum                        heed_einsum
torch.max                     heed_max
x.T                           heed_transpose
a @ b                         heed_matmul
a == b                        heed_compare
x[0]                          heed_select
x[0] = 1                      heed_set_
x[x > 0]                      heed_masked_select
x[x > 0] = 0                  heed_masked_fill
x += y                        in place
x.add_(y)                     in place
x.copy_(y)                    heed_copy_
x.requires_grad_()            heed_set_requires_grad
nn.init.xavier_uniform_       heed_nn_init_xavier_uniform_
nn.Sequential                 heed_nn_sequential_new
nn.Linear(4, 8)               heed_nn_linear_new
nn.Dropout                    heed_nn_dropout_new
F.dropout                     heed_dropout
nn.LayerNorm                  heed_nn_layer_norm_new
layer norm                    heed_layer_norm
nn.CrossEntropyLoss()         heed_cross_entropy
nn.ModuleList                 heed_module_child
nn.Parameter                  heed_module_parameter
nn.Conv3d                     torch.nn.Conv3d
torch.compile                 torch.compile
torch.compile(model)          torch.compile
autocast                      torch.autocast
torch.cuda.amp.GradScaler()   torch.autocast
sparse                        torch.sparse.*
torch.sparse.mm               torch.sparse.*
torch.fft.rfft                torch.fft.*
torch.linalg.svd              torch.linalg.*
torch.complex64               torch.complex
torch.save                    heed_checkpoint_save
torch.load                    heed_checkpoint_load
pickle                        pickle
.pth                          pickle
torch.onnx.export             torch.onnx.*
torch.vmap                    torch.vmap
x.float().half()              heed_to_dtype
with torch.no_grad():         heed_no_grad_begin
class Net(nn.Module):         heed_module_new
y = x.view(2, -1)             heed_reshape
x.requires_grad = True        heed_requires_grad
retain_graph=True             heed_backward_options
model(x)                      heed_module_forward
model.parameters()            heed_module_walk
mean squared error            heed_mse_loss
clear gradients               heed_optimizer_zero_grad
gradient clipping             heed_optim_clip_grad_norm_
learning rate                 heed_optimizer_lr
freeze                        heed_module_set_requires_grad
data loader                   heed_loader_new
torch.distributed.all_to_all  torch.distributed.*
leaky                         heed_leaky_relu
F.leaky_relu                  heed_leaky_relu
kernel regression             heed_kernel_regression
"""

# Names of PyTorch that are no part of its interface: imports of the modules, and functions that its own code calls.
INTERNAL = re.compile(r"Callable|List|Optional|Tuple|Union|Set|Counter|obj|candidate|Container|\w*(?:_copy|_torch_function\w*)|"
                      r"(?:native|batch_norm|import_ir|parse|rnn|merge_type|unify|DFIter)_?\w*|RNNCellBase|assert_int_or_pair|"
                      r"boolean_dispatch|classproperty|compiled_with_cxx11_abi|get_file_path|prepare_multiprocessing_environment|"
                      r"\w*vitals?\w*|\w*warn_always\w*|reinforce|storage_type")
# Names without an underscore at the end, which PyTorch has deprecated, or removed since.
DEPRECATED = {"torch.nn.init." + name for name in ("constant", "dirac", "kaiming_normal", "kaiming_uniform", "orthogonal", "sparse",
                                                   "uniform", "xavier_normal", "xavier_uniform", "normal", "eye")}
FUNCTIONS = ("torch", "torch.Tensor", "torch.nn.functional", "torch.nn.Module", "torch.nn.init", "torch.nn.utils", "torch.linalg",
             "torch.fft")
CLASSES = ("torch.nn", "torch.optim", "torch.optim.lr_scheduler", "torch.utils.data")


def calls_of_torch():
    """The full names of PyTorch's functions, methods, modules, optimizers and data sets, but for internal ones."""
    for module in FUNCTIONS + CLASSES:
        thing = pkgutil.resolve_name(module)
        for name in dir(thing):
            value = getattr(thing, name)
            public = callable(value) and not name.startswith("_") and not INTERNAL.fullmatch(name)
            if public and inspect.isclass(value) == (module in CLASSES) and f"{module}.{name}" not in DEPRECATED:
                yield f"{module}.{name}"


class Anywhere(dict):
    """Addresses for an index that Doxygen has made no pages for."""
    def __contains__(self, name):
        return True

    def __missing__(self, name):
        return f"{name}.html"


class Search(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heed-search-")
        cls.addClassCleanup(folder.cleanup)
        cls.library = Library(PROJECT)
        cls.html = Path(folder.name) / "html"
        if DOXYGEN:
            subprocess.run([sys.executable, PROJECT / "scripts" / "manual", "build", "--strict", folder.name], check=True)
        else:
            cls.html.mkdir()
            pages.write_index(cls.library, Anywhere(), cls.html / "search-index.js")

    def search(self, queries):
        """What is found, by query: lists of [name, address, whether its name is exactly the query's]."""
        queries = list(queries)
        done = subprocess.run([NODE, Path(__file__).with_name("run_search.js"), self.html / "search-index.js",
                               PROJECT / "docs" / "manual" / "search.js"], input=json.dumps(queries), text=True,
                              capture_output=True, check=True)
        return dict(zip(queries, json.loads(done.stdout)))

    def assert_first(self, expected):
        """The first result of each query is one of the names that are expected of it."""
        found = self.search(expected)
        wrong = {query: [name for name, *_ in found[query][:3]] for query, names in expected.items()
                 if not found[query] or found[query][0][0] not in names}
        self.assertEqual(wrong, {})

    def test_first_results(self):
        expected = dict(re.split(r" {2,}", line) for line in FIRST.strip().splitlines())
        self.assertGreater(len(expected), 60)
        self.assert_first({query: [name] for query, name in expected.items()})

    def test_every_function_by_its_name(self):
        self.assert_first({spelling: [name] for name in self.library.functions for spelling in (name, f"{name}(x, 1)")})

    def named(self):
        """What has each of PyTorch's and NumPy's names: the items of the headers, then those of the table's row."""
        found = collections.defaultdict(list)
        for header in self.library.headers:
            for item in header.items:
                for name in item.torch + item.numpy:
                    found[name].append(item.name)
        for row in self.library.words:
            for word in row.words:
                found[word] += row.names or [row.words[0]]
        return found

    def test_every_name_of_a_header(self):
        """By PyTorch's and NumPy's full names, as a call, and without the first part."""
        full = {name: items for name, items in self.named().items() if re.match(r"(?:torch|numpy)\.[\w.]+$", name)}
        expected = {spelling: items for name, items in full.items() for spelling in (name, f"{name}(x)")}
        for name, items in full.items():
            spelling = name.partition(".")[2]
            if "." in spelling:
                expected[spelling] = expected.get(spelling, []) + items
        self.assertGreater(len(expected), 2000)
        self.assert_first(expected)

    def test_every_word_of_the_table(self):
        named = self.named()
        words = [word for row in self.library.words for word in row.words]
        self.assert_first({word: named[word] for word in words if not re.search(r"\w.*\*$|^\*\w", word)})
        self.assert_first({word[:-1] + "zzz": named[word] for word in words if word.endswith(".*")})

    def test_nothing_is_nothing(self):
        self.assertEqual(self.search(["zzqqzz", "torch.zzqqzz", "q_zzqqzz", " ", "("])["torch.zzqqzz"], [])

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is missing (scripts/setup --parity)")
    def test_every_call_of_pytorch(self):
        """Each leads to a function or to what to do instead, and not only to texts that contain its letters."""
        found = self.search(calls_of_torch())
        self.assertGreater(len(found), 1000)
        self.assertEqual([name for name, results in found.items() if not results or not results[0][2]], [])

    @unittest.skipUnless(DOXYGEN, "Doxygen is missing (scripts/setup --manual)")
    def test_addresses(self):
        """Each entry leads to an anchor of a page that exists."""
        text = (self.html / "search-index.js").read_text(encoding="utf-8")
        entries = json.loads(text.partition("=")[2].strip().removesuffix(";"))
        known = {}
        for name, address, *_ in entries:
            page, _, anchor = address.partition("#")
            if page not in known:
                self.assertTrue((self.html / page).exists(), f"{name}: {address}")
                known[page] = set(re.findall(r'\bid="([^"]+)"', (self.html / page).read_text(encoding="utf-8")))
            self.assertTrue(not anchor or anchor in known[page], f"{name}: {address}")


if __name__ == "__main__":
    if not NODE:
        print("test_manual_search: skipped: Node.js is missing (nodejs), which runs the manual's search")
        sys.exit(77)
    other = os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN)
    if other and not importlib.util.find_spec("torch"):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    unittest.main()
