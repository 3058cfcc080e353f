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

from heed import _handles, _kinds, _call, _arrays, _functions, _indexing  # noqa: F401, I001
from heed import _dict, _callbacks, _module, _classes  # noqa: F401
from heed._arrays import from_dlpack, tensor
from heed._classes import Generator, KVCache
from heed._derivatives import (beam_search, enable_grad, generate, grad, gradcheck, gradgradcheck, hessian, hvp, jacobian, jvp, no_grad,
                               vjp)
from heed._files import Checkpoint, load, save
from heed._functions import *  # noqa: F401,F403
from heed._handles import Tensor
from heed._library import Error
from heed._lists import *  # noqa: F401,F403
from heed._setup import Memory, __version__, bool_, default_generator, f32, f64, i64, memory, set_matmul_precision
from heed import _spelling
from heed import data, io, nn, np, optim, plot

globals().update(_spelling.FUNCTIONS)  # after the imports above, which tell type checkers the signatures
