"""heed in Python: tensors, automatic differentiation, layers and optimizers; heed.np fits kernel regressions.

    import heed
    from heed import nn, optim

    net = nn.Sequential(nn.Linear(784, 256), heed.relu, nn.Linear(256, 10))
    sgd = optim.SGD(net, lr=0.1)
    loss = heed.cross_entropy(net(heed.tensor(images)), heed.tensor(labels))
    loss.backward()
    sgd.step()
    sgd.zero_grad()
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import TYPE_CHECKING

from heed import _handles, _kinds, _call, _arrays, _functions, _indexing  # noqa: F401, I001
from heed import _convert, _promotion, _dict, _callbacks, _module, _classes, _copying, _inspect, _show  # noqa: F401
from heed._arrays import from_dlpack, tensor
from heed._classes import Comm, DataParallel, Generator, KVCache
from heed._derivatives import (beam_search, enable_grad, generate, grad, gradcheck, gradgradcheck, hessian, hvp, jacobian, jvp, no_grad,
                               vjp)
from heed._files import Checkpoint, load, save
from heed._functions import *  # noqa: F401,F403
from heed._handles import Tensor
from heed._inspect import *  # noqa: F403
from heed._library import Error
from heed import _lists
from heed._lists import *  # noqa: F401,F403
from heed._setup import Memory, __version__, bool_, default_generator, f32, f64, i64, memory, set_matmul_precision
from heed import _habits, _spelling, data, io, nn, np, optim, plot

__all__ = ["Checkpoint", "Comm", "DataParallel", "Error", "Generator", "KVCache", "Memory", "Tensor", "__version__", "beam_search", "bool_", "data",
           "default_generator", "enable_grad", "f32", "f64", "from_dlpack", "generate", "grad", "gradcheck", "gradgradcheck",
           "hessian", "hvp", "i64", "io", "jacobian", "jvp", "load", "memory", "nn", "no_grad", "np", "optim", "plot", "save",
           "set_matmul_precision", "tensor", "vjp"]
__all__ += _functions.__all__
__all__ += _lists.__all__
__all__ += _inspect.__all__

if TYPE_CHECKING:  # the names that the next line adds
    from heed.names import *  # noqa: F403
globals().update({**_habits.CONSTANTS, **_spelling.FUNCTIONS, **_habits.FUNCTIONS})
for _names in (globals(), vars(nn), vars(optim), vars(data)):
    _names["__getattr__"] = _habits.module_getattr(_names)
