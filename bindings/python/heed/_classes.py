"""heed/_classes.py - a class for each layer, optimizer, schedule, and other thing that a script holds on to. Written by
scripts/python from the headers, whose words about them these are: a NULL there is None here, and an error an exception."""

from typing import Any, Optional, Sequence

from heed._call import C, Out, call, call_outs, length
from heed._data import DatasetBase, LoaderBase
from heed._handles import Handle, Tensor
from heed._module import Module
from heed._optimizer import Optimizer, Schedule


class Generator(Handle):
    """A generator of that seed at position 0, to be freed by heed_generator_free. NULL with HEED_ERR_NOMEM.
    torch: torch.Generator   numpy: numpy.random.default_rng"""

    _C = "heed_generator"

    def __init__(self, seed: int) -> None:
        self._make(C.heed_generator_new, seed)

    def dropout(self, x: Tensor, p: float, training: bool) -> Tensor:
        """heed_dropout by a generator of yours: while training, each element is 0 with probability p, and x / (1 - p)
        otherwise.
        dx = g, dropped alike. HEED_ERR_ARGUMENT for a NULL generator and unless 0 <= p <= 1; HEED_ERR_DTYPE unless x is f32
        or f64."""
        return call(C.heed_generator_dropout, self, x, p, training)

    def set_state(self, seed: int, position: int) -> None:
        """Goes back to a seed and a position. HEED_ERR_ARGUMENT for NULL.
        torch: torch.Generator.set_state   numpy: numpy.random.set_state"""
        call(C.heed_generator_set_state, self, seed, position)

    def rand(self, shape: Any, dtype: str = "f32") -> Tensor:
        """heed_rand from a generator of your own: uniform in [0, 1), f32 or f64. NULL on failure: HEED_ERR_DTYPE for another
        dtype, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.rand   numpy: numpy.random.Generator.random"""
        return call(C.heed_generator_rand, self, dtype, shape)

    def randn(self, shape: Any, dtype: str = "f32") -> Tensor:
        """heed_randn from a generator of your own: normal, mean 0 and variance 1, f32 or f64. NULL on failure: HEED_ERR_DTYPE
        unless f32 or f64, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.randn   numpy: numpy.random.Generator.standard_normal"""
        return call(C.heed_generator_randn, self, dtype, shape)

    def normal(self, mean: float, std: float, shape: Any, dtype: str = "f32") -> Tensor:
        """heed_normal from a generator of your own. NULL on failure: HEED_ERR_ARGUMENT for a NULL generator, and as there.
        torch: torch.normal   numpy: numpy.random.Generator.normal"""
        return call(C.heed_generator_normal, self, dtype, shape, mean, std)

    def exponential(self, shape: Any, dtype: str = "f32", *, rate: float) -> Tensor:
        """heed_exponential from a generator of your own. NULL on failure: HEED_ERR_ARGUMENT for a NULL generator, and as there.
        torch: torch.Tensor.exponential_   numpy: numpy.random.Generator.exponential"""
        return call(C.heed_generator_exponential, self, dtype, shape, rate)

    def randint(self, low: int, high: int, shape: Any) -> Tensor:
        """heed_randint from a generator of your own: i64, uniform in low .. high - 1. NULL on failure: HEED_ERR_ARGUMENT for a
        NULL generator and unless low < high, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.randint   numpy: numpy.random.Generator.integers"""
        return call(C.heed_generator_randint, self, low, high, shape)

    def permutation(self, n: int) -> Tensor:
        """heed_permutation from a generator of your own: 0 .. n - 1 in random order, i64 (n). NULL on failure:
        HEED_ERR_ARGUMENT for a NULL generator or n < 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.randperm   numpy: numpy.random.Generator.permutation"""
        return call(C.heed_generator_permutation, self, n)

    def bernoulli(self, p: float, shape: Any) -> Tensor:
        """heed_bernoulli from a generator of your own: bool, true with probability p. NULL on failure: HEED_ERR_ARGUMENT for a
        NULL generator and unless 0 <= p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.bernoulli"""
        return call(C.heed_generator_bernoulli, self, p, shape)

    def multinomial(self, weights: Tensor, count: int, replacement: bool = False) -> Tensor:
        """heed_multinomial from a generator of your own. NULL on failure: HEED_ERR_ARGUMENT for a NULL generator, and as there.
        torch: torch.multinomial   numpy: numpy.random.Generator.choice"""
        return call(C.heed_generator_multinomial, self, weights, count, replacement)


class KVCache(Handle):
    """An empty cache, for one model. NULL on failure: HEED_ERR_ARGUMENT for a capacity below 0, HEED_ERR_NOMEM."""

    _C = "heed_kv_cache"

    def __init__(self, *, capacity: int = 0) -> None:
        self._make(C.heed_kv_cache_new, dict(capacity=capacity))

    def clear(self) -> None:
        """Empties the cache, for other sequences, of any batch size; its memory is used again if that stays the same.
        HEED_ERR_ARGUMENT for NULL."""
        call(C.heed_kv_cache_clear, self)

    def pad(self, padding: Tensor) -> None:
        """Texts of unequal lengths that are written on together: prompts are padded on the left, with any token, and
            heed_kv_cache_pad(cache, padding);
        says that sequence i begins with padding[i] steps, i64 (B), that are none. No causal attention that is given the
        cache sees them, and heed_nn_decoder and heed_nn_transformer_decoder count positions from behind them, so each text
        has the numbers it has alone, but for rounding. What comes out at padded steps means nothing. Padding is on the left,
        where it leaves the distances between steps, which RoPE, ALiBi, relative biases and windows go by, and the last step
        of a prompt is the last of all; how much of an encoder's results counts is said by memory_lens. The cache has to be
        empty; heed_kv_cache_clear forgets the padding, heed_kv_cache_select takes its rows along. HEED_ERR_ARGUMENT for
        NULL, and a padding below 0; HEED_ERR_STATE for a cache that has steps; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
        HEED_ERR_NOMEM: then nothing has changed."""
        call(C.heed_kv_cache_pad, self, padding)

    def length(self) -> int:
        """How many steps the cache holds of the attention that used it first: the position at which the next step stands. 0
        with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_kv_cache_length, self)

    def select(self, rows: Tensor) -> None:
        """Sequence i becomes what sequence rows[i] was, in all layers; rows is i64 (n), and n the batch size from then on. So
        beam search goes on from the best of its sequences. HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE,
        HEED_ERR_INDEX, HEED_ERR_NOMEM: then nothing has changed."""
        call(C.heed_kv_cache_select, self, rows)


class Average(Handle):
    """Averages a of the parameters p that the module has at the time, each once, under however many names. They begin as
    copies of p, and heed_average_update n = 1, 2, ... does

        a = p                            n = 1
        a = a + (p - a) / n              with equal weights
        a = a + (1 - decay) (p - a)      with decay

    in p's own dtype. Retains the parameters, not the module. Without `buffers` the module's own stay in force; after
    averages of equal weights they may have to be found again, by running the data once with these swapped in. NULL on
    failure: HEED_ERR_ARGUMENT for a NULL module, a decay out of its range, and nothing to average; HEED_ERR_UNSUPPORTED
    for a parameter that is not contiguous; HEED_ERR_NOMEM.
    P. Izmailov et al.: Averaging Weights Leads to Wider Optima and Better Generalization (UAI 2018).
    torch: torch.optim.swa_utils.AveragedModel"""

    _C = "heed_average"

    def __init__(self, module: Any, *, decay: float = 0.0, buffers: bool = False) -> None:
        self._make(C.heed_average_new, module, dict(decay=decay, buffers=buffers))

    def update(self) -> None:
        """Takes the parameters as they are into their averages: after each heed_optimizer_step, or each epoch.
        HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE while they are swapped, and after 2^63 - 1 updates. After a failure all is
        as it was.
        torch: torch.optim.swa_utils.AveragedModel.update_parameters"""
        call(C.heed_average_update, self)

    def swap(self) -> None:
        """Exchanges the values of the parameters and of their averages, in place: once to evaluate by the averages, or to save
        the module with them, and once more to go on. A step of the optimizer in between would train the averages.
        HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM. After a failure all is as it was."""
        call(C.heed_average_swap, self)

    def state(self) -> Any:
        """The averages: a dict of the tensors themselves, which later updates change, and heed_dict_load and
        heed_checkpoint_load set. "n_averaged" is the number of updates, i64 (); "module." and its path is the average of a
        parameter, under the first of its names. The caller frees the dict. NULL with HEED_ERR_ARGUMENT for NULL,
        HEED_ERR_STATE while they are swapped, HEED_ERR_NOMEM.
        torch: torch.optim.swa_utils.AveragedModel.state_dict"""
        return call(C.heed_average_state, self)


class Dataset(DatasetBase):
    """A dataset of k tensors (n, ...), 1 to HEED_DATASET_MAX, of any dtypes:
    heed_dataset_new(HEED_TENSORS(images, labels)). It shares their elements, without their gradients; a tensor that is
    not contiguous is copied. To be freed by heed_dataset_free. NULL with HEED_ERR_ARGUMENT for another k or a NULL
    tensor, HEED_ERR_SHAPE for a scalar or for first axes that differ, HEED_ERR_NOMEM.
    torch: torch.utils.data.TensorDataset"""

    _C = "heed_dataset"

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self._make(C.heed_dataset_new, tensors, length(tensors))

    def size(self) -> int:
        """n, the number of samples. 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_dataset_size, self)

    def part(self, numbers: Tensor) -> "Dataset":
        """The subset with these numbers, in their order. It keeps the tensors, so `dataset` may be freed before it. NULL with
        HEED_ERR_INDEX for a number that is not in 0 .. n - 1, HEED_ERR_DTYPE or HEED_ERR_SHAPE unless numbers is i64 (m),
        HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
        torch: torch.utils.data.Subset"""
        return Dataset._of(call(C.heed_dataset_part, self, numbers), self, numbers)

    def split(self, fraction: float, generator: Optional[Handle] = None) -> Any:
        """Splits at random into subsets of floor(fraction n + 1/2) samples and of the rest, as into train and test, each in the
        order of the whole. `generator` draws a permutation; NULL: the default generator. HEED_ERR_ARGUMENT for NULL and
        unless fraction is in [0, 1] and first and second are two different places; HEED_ERR_NOMEM. After a failure *first
        and *second are NULL, and the generator has not moved.
        torch: torch.utils.data.random_split"""
        first_ = Out("heed_dataset")
        second_ = Out("heed_dataset")
        return call_outs(C.heed_dataset_split, self, fraction, generator, first_, second_)

    def fold(self, k: int, fold: int, *, shuffle: bool = False, seed: int = 0) -> Any:
        """Fold `fold`, 0 to k - 1, of a k-fold cross-validation: *held_out is that fold, *train all others, each in the order
        of the whole. The first n mod k folds have floor(n / k) + 1 samples, the others floor(n / k); over all folds each
        sample is held out once. With shuffle, fold f is the f-th range of heed_generator_permutation(n) of a new generator
        with `seed`: a function of n, k and the seed alone, whatever else is drawn. scikit-learn:
        sklearn.model_selection.KFold. NULL options: no shuffle. HEED_ERR_ARGUMENT for NULL, and unless 2 <= k <= n,
        0 <= fold < k and train and held_out are two different places; HEED_ERR_NOMEM. After a failure *train and *held_out
        are NULL.

            for (int f = 0; f < 5; f++) {
                heed_dataset *train, *held_out;
                heed_dataset_fold(all, 5, f, &(heed_dataset_fold_options){.shuffle = true}, &train, &held_out);
                ...
            }"""
        train_ = Out("heed_dataset")
        held_out_ = Out("heed_dataset")
        return call_outs(C.heed_dataset_fold, self, k, fold, dict(shuffle=shuffle, seed=seed), train_, held_out_)


class Loader(LoaderBase):
    """A loader at the beginning of epoch 0; `dataset` must outlive it. NULL options: batches of 1, in order. To be freed by
    heed_loader_free. NULL with HEED_ERR_ARGUMENT for NULL, for a negative batch_size and when an epoch would have no
    batch; HEED_ERR_NOMEM.
    torch: torch.utils.data.DataLoader"""

    _C = "heed_loader"

    def __init__(self, dataset: Handle, *, batch_size: int = 0, shuffle: bool = False, drop_last: bool = False,
        generator: Optional[Handle] = None) -> None:
        self._make(C.heed_loader_new, dataset, dict(batch_size=batch_size, shuffle=shuffle, drop_last=drop_last,
            generator=generator))

    def batches(self) -> int:
        """Batches of an epoch: ceil(n / batch_size), or floor(n / batch_size) with drop_last. 0 with HEED_ERR_ARGUMENT for
        NULL."""
        return call(C.heed_loader_batches, self)

    def next_numbers(self) -> Tensor:
        """The numbers of the next batch's samples, i64 (m), instead of the samples: for who takes only some of them, with
        heed_dataset_take from heed_loader_dataset. The loader has moved on then, as after heed_loader_next. Borrowed from
        the innermost scope. NULL with the errors of heed_loader_next.
        torch: torch.utils.data.BatchSampler"""
        return call(C.heed_loader_next_numbers, self)

    def epoch(self) -> int:
        """Complete epochs. 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_loader_epoch, self)

    def batch(self) -> int:
        """Batches taken of the current epoch. 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_loader_batch, self)


class Scaler(Handle):
    """Mean and standard deviation of x (n, ...), f32 or f64, over its first axis:

        mean = sum x / n    std = sqrt(sum (x - mean)^2 / n)

    both (...), of x's dtype, computed in f64, also if sums of numbers or of squares overflow or underflow. NaN is left
    out, and counted out of n. Where all numbers of a column are equal, mean is that number and std 1, so that applying
    gives 0. NULL options: NaN stays NaN. To be freed by
    heed_scaler_free. NULL with HEED_ERR_SHAPE for a scalar or no samples, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL
    and for a column that is all NaN or has an infinity: its first number is given; HEED_ERR_NOMEM."""

    _C = "heed_scaler"

    def __init__(self, x: Tensor, *, fill_nan: bool = False) -> None:
        self._make(C.heed_scaler_new, x, dict(fill_nan=fill_nan))

    def apply(self, x: Tensor) -> Tensor:
        """(x - mean) / std, for x (m, ...) of any m, or one sample (...), of the scaler's dtype. Differentiable. NULL with
        HEED_ERR_SHAPE or HEED_ERR_DTYPE for what does not fit the scaler, HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM."""
        return call(C.heed_scaler_apply, self, x)

    def undo(self, x: Tensor) -> Tensor:
        """x std + mean, which undoes heed_scaler_apply up to rounding: for predictions of a standardised target.
        Differentiable. NULL with the errors of heed_scaler_apply."""
        return call(C.heed_scaler_undo, self, x)

    def mean(self) -> Tensor:
        """The means (...). They belong to the scaler. NULL with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_scaler_mean, self)

    def std(self) -> Tensor:
        """What apply divides by, (...): the standard deviations, 1 where all numbers were equal. They belong to the scaler.
        NULL with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_scaler_std, self)


class Categories(Handle):
    """The different ones of n texts (copied): as np.unique. To be freed by heed_categories_free. NULL with
    HEED_ERR_ARGUMENT for NULL or a negative n, HEED_ERR_NOMEM.
    numpy: numpy.unique"""

    _C = "heed_categories"

    def __init__(self, texts: Sequence[str]) -> None:
        self._make(C.heed_categories_new, texts, length(texts))

    def count(self) -> int:
        """How many there are: the classes of a softmax, the rows of an embedding. 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_categories_count, self)

    def name(self, code: int) -> str:
        """The text of a code. It belongs to the categories. NULL with HEED_ERR_INDEX unless code is in 0 .. count - 1,
        HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_categories_name, self, code)

    def find(self, text: str) -> int:
        """The code of a text, or -1 where it is none of them, which is no error. -1 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_categories_find, self, text)


class SGD(Optimizer):
    """Stochastic gradient descent by PyTorch's rule. b is the momentum buffer, first equal to g:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        b = momentum b + (1 - dampening) g         when momentum is not 0
        g = nesterov ? g + momentum b : b
        p = p - lr g

    of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
    option out of its range, no such parameter, and NULL options: there is no default rate; HEED_ERR_STATE for one that
    is not a leaf, HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM.
    torch: torch.optim.SGD"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_sgd, C.heed_optim_sgd_tensors, parameters, dict(lr=lr, momentum=momentum, dampening=dampening,
            weight_decay=weight_decay, nesterov=nesterov, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_sgd or
        heed_optim_sgd_tensors. NULL options are refused here, too. Errors as heed_optim_sgd_tensors; HEED_ERR_ARGUMENT also
        for a tensor that is in a group already, and an optimizer of another kind. After a failure the optimizer is as it
        was.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_sgd_add_group, parameters, dict(lr=lr, momentum=momentum, dampening=dampening,
            weight_decay=weight_decay, nesterov=nesterov, maximize=maximize))


class Adam(Optimizer):
    """Adam by PyTorch's rule. m and v start at 0, t counts a parameter's updates from 1:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        m = beta1 m + (1 - beta1) g
        v = beta2 v + (1 - beta2) g^2              with amsgrad its largest value so far is used from here on
        p = p - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps)

    of those parameters of the module that require a gradient. NULL options: lr 1e-3, betas 0.9 and 0.999, eps 1e-8.
    NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, no such parameter; HEED_ERR_STATE
    for one that is not a leaf, HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM.
    D. P. Kingma, J. Ba: Adam: A Method for Stochastic Optimization (ICLR 2015).
    torch: torch.optim.Adam"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_adam, C.heed_optim_adam_tensors, parameters, dict(lr=lr, beta1=beta1, beta2=beta2,
            no_momentum=no_momentum, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_adam or
        heed_optim_adam_tensors. Errors as heed_optim_adam_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a group
        already, and an optimizer of another kind, AdamW too. After a failure the optimizer is as it was.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_adam_add_group, parameters, dict(lr=lr, beta1=beta1, beta2=beta2, no_momentum=no_momentum,
            eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))


class AdamW(Optimizer):
    """AdamW: Adam with weight decay apart from the gradient. It is p = p - lr weight_decay p before the update, and not in
    g. (PyTorch decays by 0.01 unless told otherwise; here nothing is decayed that you did not write.)
    Parameters, NULL options and errors as heed_optim_adam.
    I. Loshchilov, F. Hutter: Decoupled Weight Decay Regularization (ICLR 2019).
    torch: torch.optim.AdamW"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_adamw, C.heed_optim_adamw_tensors, parameters, dict(lr=lr, beta1=beta1, beta2=beta2,
            no_momentum=no_momentum, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of
        heed_optim_adamw or heed_optim_adamw_tensors. So weights may decay beside biases that do not. Errors as
        heed_optim_adam_add_group. After a failure the optimizer is as it was.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_adamw_add_group, parameters, dict(lr=lr, beta1=beta1, beta2=beta2, no_momentum=no_momentum,
            eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))


class RMSprop(Optimizer):
    """RMSprop by PyTorch's rule. The averages v and a and the momentum buffer b start at 0:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        v = alpha v + (1 - alpha) g^2
        a = alpha a + (1 - alpha) g                when centered: s = max(v - a^2, 0); else s = v
        b = momentum b + g / (sqrt(s) + eps)       without momentum b is the new term alone
        p = p - lr b

    of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
    option out of its range, no such parameter; HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one
    that is not contiguous, HEED_ERR_NOMEM.
    (In PyTorch s may be below 0 by rounding, which makes p NaN.)
    T. Tieleman, G. Hinton: Lecture 6.5, Neural Networks for Machine Learning (2012); centered: A. Graves: Generating
    Sequences With Recurrent Neural Networks (2013).
    torch: torch.optim.RMSprop"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, alpha: float = 0.0, eps: float = 0.0, weight_decay: float = 0.0,
        momentum: float = 0.0, centered: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_rmsprop, C.heed_optim_rmsprop_tensors, parameters, dict(lr=lr, alpha=alpha, eps=eps,
            weight_decay=weight_decay, momentum=momentum, centered=centered, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, alpha: float = 0.0, eps: float = 0.0, weight_decay: float = 0.0,
        momentum: float = 0.0, centered: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_rmsprop or
        heed_optim_rmsprop_tensors. Errors as heed_optim_rmsprop_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a
        group already, and an optimizer of another kind. After a failure the optimizer is as it was.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_rmsprop_add_group, parameters, dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay,
            momentum=momentum, centered=centered, maximize=maximize))


class Adagrad(Optimizer):
    """Adagrad by PyTorch's rule. s starts at initial_accumulator_value, t counts a parameter's updates from 1:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        s = s + g^2
        p = p - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)

    of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
    option out of its range, no such parameter; HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one
    that is not contiguous, HEED_ERR_NOMEM.
    J. Duchi, E. Hazan, Y. Singer: Adaptive Subgradient Methods for Online Learning and Stochastic Optimization (JMLR
    2011).
    torch: torch.optim.Adagrad"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, lr_decay: float = 0.0, weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0, eps: float = 0.0, maximize: bool = False) -> None:
        self._begin(C.heed_optim_adagrad, C.heed_optim_adagrad_tensors, parameters, dict(lr=lr, lr_decay=lr_decay,
            weight_decay=weight_decay, initial_accumulator_value=initial_accumulator_value, eps=eps, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, lr_decay: float = 0.0, weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0, eps: float = 0.0, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_adagrad or
        heed_optim_adagrad_tensors. Errors as heed_optim_adagrad_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a
        group already, and an optimizer of another kind. After a failure the optimizer is as it was.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_adagrad_add_group, parameters, dict(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value, eps=eps, maximize=maximize))


class Lion(Optimizer):
    """Lion: every element moves by lr, in the direction that an average of its gradients has. m starts at 0:

        g = maximize ? -grad : grad
        p = p - lr (sign(beta1 m + (1 - beta1) g) + weight_decay p)
        m = beta2 m + (1 - beta2) g

    of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
    option out of its range, no such parameter; HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one
    that is not contiguous, HEED_ERR_NOMEM.
    X. Chen et al.: Symbolic Discovery of Optimization Algorithms (NeurIPS 2023)."""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, weight_decay: float = 0.0,
        maximize: bool = False) -> None:
        self._begin(C.heed_optim_lion, C.heed_optim_lion_tensors, parameters, dict(lr=lr, beta1=beta1, beta2=beta2,
            weight_decay=weight_decay, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, weight_decay: float = 0.0,
        maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_lion or
        heed_optim_lion_tensors. Errors as heed_optim_lion_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a group
        already, and an optimizer of another kind. After a failure the optimizer is as it was.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_lion_add_group, parameters, dict(lr=lr, beta1=beta1, beta2=beta2, weight_decay=weight_decay,
            maximize=maximize))


class Muon(Optimizer):
    """Muon, for matrices: momentum whose singular values are all brought near 1. The momentum buffer b starts at 0:

        g = maximize ? -grad : grad
        b = b + (1 - momentum) (g - b)
        O = g + momentum (b - g)                       Nesterov's
        X = O / (|O| + 1e-7)                           by the 2-norm of all elements
        X = a X + (b A + c A A) X,  A = X X^T          `steps` times, with 3.4445, -4.7750 and 2.0315 for a, b and c
        p = p - lr (sqrt(max(1, rows / columns)) X + weight_decay p)

    of those parameters of the module that require a gradient. The iteration is in the parameter's own dtype, where the
    reference implementation has bfloat16. As there, biases, gains, embeddings and the last layer are for AdamW: what is
    not a matrix is refused, so that a module with biases needs heed_optim_muon_tensors, and an optimizer beside it. A
    process that has parts of the state (heed/data_parallel.h) is refused, too. NULL on failure: HEED_ERR_ARGUMENT for a
    NULL module, an option out of its range, no such parameter; HEED_ERR_SHAPE for one that is not a matrix;
    HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM.
    K. Jordan et al.: Muon: An optimizer for hidden layers in neural networks (2024)."""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, weight_decay: float = 0.0, steps: int = 0,
        no_nesterov: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_muon, C.heed_optim_muon_tensors, parameters, dict(lr=lr, momentum=momentum,
            weight_decay=weight_decay, steps=steps, no_nesterov=no_nesterov, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, weight_decay: float = 0.0, steps: int = 0,
        no_nesterov: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_muon or
        heed_optim_muon_tensors. Errors as heed_optim_muon_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a group
        already, and an optimizer of another kind. After a failure the optimizer is as it was.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_muon_add_group, parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay,
            steps=steps, no_nesterov=no_nesterov, maximize=maximize))


class LBFGS(Optimizer):
    """L-BFGS by PyTorch's rule, with a line search for the strong Wolfe conditions: for a loss that is the same function at
    each evaluation, as of all data at once. heed_optimizer_step_closure does up to max_iter iterations of

        p = p + t d,  d = -H g

    where H approximates the inverse of the matrix of second derivatives, by what the last history_size iterations have
    changed. The step t that is tried first is lr, and in the very first iteration lr min(1, 1 / sum |g|). All of it is
    computed in f64, whatever the parameters are. Further groups and teams (heed/data_parallel.h) are refused. Parameters
    and errors as heed_optim_adam.
    D. C. Liu, J. Nocedal: On the limited memory BFGS method for large scale optimization (Math. Programming 1989).
    torch: torch.optim.LBFGS"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, max_iter: int = 0, max_eval: int = 0, tolerance_grad: float = 0.0,
        tolerance_change: float = 0.0, history_size: int = 0, no_line_search: bool = False) -> None:
        self._begin(C.heed_optim_lbfgs, C.heed_optim_lbfgs_tensors, parameters, dict(lr=lr, max_iter=max_iter,
            max_eval=max_eval, tolerance_grad=tolerance_grad, tolerance_change=tolerance_change, history_size=history_size,
            no_line_search=no_line_search))


class StepSchedule(Schedule):
    """A rate that falls in steps: lr gamma^floor(t / step_size), with step_size >= 1 and gamma >= 0. NULL on failure:
    HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an optimizer that has a schedule already,
    HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.StepLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, step_size: int, gamma: float) -> None:
        self._make(C.heed_schedule_new_step, optimizer, step_size, gamma)


class ExponentialSchedule(Schedule):
    """A rate that falls exponentially: lr gamma^t, with gamma >= 0. NULL on failure: HEED_ERR_ARGUMENT for a gamma out of
    its range, HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.ExponentialLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, gamma: float) -> None:
        self._make(C.heed_schedule_new_exponential, optimizer, gamma)


class CosineSchedule(Schedule):
    """A rate that follows a cosine: eta_min + (lr - eta_min) (1 + cos(pi t / t_max)) / 2, up again after t_max, where
    t_max >= 1, eta_min >= 0. NULL on failure: HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an
    optimizer that has a schedule already, HEED_ERR_NOMEM.
    I. Loshchilov, F. Hutter: SGDR: Stochastic Gradient Descent with Warm Restarts (ICLR 2017).
    torch: torch.optim.lr_scheduler.CosineAnnealingLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, t_max: int, eta_min: float) -> None:
        self._make(C.heed_schedule_new_cosine, optimizer, t_max, eta_min)


class LinearSchedule(Schedule):
    """A rate on a straight line, for warm-up: lr (start + (end - start) min(t, total) / total); start, end >= 0,
    total >= 1. NULL on failure: HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an optimizer that
    has a schedule already, HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.LinearLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, start: float, end: float, total: int) -> None:
        self._make(C.heed_schedule_new_linear, optimizer, start, end, total)


class OneCycleSchedule(Schedule):
    """A rate that goes up to lr and far down again, once, in `total` >= 1 steps, a step being a batch: from lr / div_factor
    at t = 0 to lr at t = pct_start total - 1, and to lr / (div_factor final_div_factor) at t = total - 1, where it
    stays. The momentum is left alone, as with PyTorch's cycle_momentum=False. NULL on failure: HEED_ERR_ARGUMENT for a
    number out of its range, HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
    L. N. Smith, N. Topin: Super-Convergence: Very Fast Training of Neural Networks Using Large Learning Rates (2018).
    torch: torch.optim.lr_scheduler.OneCycleLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, total: int, *, pct_start: float = 0.0, div_factor: float = 0.0,
        final_div_factor: float = 0.0, linear: bool = False, three_phase: bool = False) -> None:
        self._make(C.heed_schedule_new_one_cycle, optimizer, total, dict(pct_start=pct_start, div_factor=div_factor,
            final_div_factor=final_div_factor, linear=linear, three_phase=three_phase))


class PlateauSchedule(Schedule):
    """Rates that fall when a metric gets no better: they become max(factor lr, min_lr), from the rate in force, when more
    than `patience` metrics in a row, told by heed_schedule_step_metric, were no better than the best one by `threshold`.
    Nothing is set before. It is no function of t: heed_schedule_step and heed_schedule_set_steps fail, and it is never a
    part. A checkpoint stores what it has seen. NULL on failure: HEED_ERR_ARGUMENT for a NULL optimizer and a number out
    of its range, HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.ReduceLROnPlateau"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, *, factor: float = 0.0, patience: int = 0, no_patience: bool = False,
        max: bool = False, threshold: float = 0.0, absolute: bool = False, cooldown: int = 0, min_lr: float = 0.0,
        eps: float = 0.0) -> None:
        self._make(C.heed_schedule_new_plateau, optimizer, dict(factor=factor, patience=patience, no_patience=no_patience,
            max=max, threshold=threshold, absolute=absolute, cooldown=cooldown, min_lr=min_lr, eps=eps))


class AdaptiveAvgPool2d(Module):
    """The mean of each of output_size[0] x output_size[1] windows; HEED_SHAPE(1) is that of each plane. NULL on failure:
    HEED_ERR_ARGUMENT for sizes that there cannot be, HEED_ERR_NOMEM.
    torch: torch.nn.AdaptiveAvgPool2d"""

    _C = "adaptive_avg_pool2d"

    def __init__(self, output_size: Any) -> None:
        self._make(C.heed_nn_adaptive_avg_pool2d_new, output_size)

    def forward(self, x: Tensor) -> Tensor:
        """x (..., H, W) -> (..., output_size), as heed_adaptive_avg_pool2d. NULL on failure: HEED_ERR_ARGUMENT for NULL, and
        what heed_adaptive_avg_pool2d fails with.
        torch: torch.nn.AdaptiveAvgPool2d.forward"""
        return call(C.heed_nn_adaptive_avg_pool2d_forward, self, x)


class AdditiveAttention(Module):
    """Additive attention, AdditiveAttention of the book, MLPAttention in its older editions. Parameters "W_k.weight"
    (h, key_size), "W_q.weight" (h, query_size), "w_v.weight" (1, h), drawn as heed_nn_linear_new does; no biases. NULL
    on failure: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE,
    HEED_ERR_NOMEM.
    D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
    (ICLR 2015)."""

    _C = "additive_attention"

    def __init__(self, key_size: int, query_size: int, hidden_size: int, *, dropout: float = 0.0, dtype: str = "f32") -> None:
        self._make(C.heed_nn_additive_attention_new, key_size, query_size, hidden_size, dict(dropout=dropout, dtype=dtype))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """Softmax over the keys of w_v^T tanh(W_q q + W_k k), times the values: queries (B, Q, query_size), keys
        (B, K, key_size), values (B, K, v) -> (B, Q, v). valid_lens i64 (B) or (B, Q), or NULL. *weights receives
        (B, Q, K), before dropout; NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE,
        HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. K, HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_additive_attention_forward, self, queries, keys, values, valid_lens, weights_)

    def masked(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None,
        mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """The same where a query sees a key only if mask and bias let it, too: mask, bool, is true where it sees it; bias, of
        the layer's dtype, is added to the scores and differentiable, -inf where it does not see it. Both broadcast to
        (B, Q, K), or are NULL. NULL on failure: as there."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_additive_attention_masked, self, queries, keys, values, valid_lens, mask, bias, weights_)


class AvgPool2d(Module):
    """The mean of each window, without parameters. NULL options: windows side by side. NULL on failure, as
    heed_nn_max_pool2d_new.
    torch: torch.nn.AvgPool2d"""

    _C = "avg_pool2d"

    def __init__(self, kernel_size: Any, *, stride: Any = None, padding: Any = None, ceil_mode: bool = False,
        exclude_pad: bool = False, divisor: int = 0) -> None:
        self._make(C.heed_nn_avg_pool2d_new, kernel_size, dict(stride=stride, padding=padding, ceil_mode=ceil_mode,
            exclude_pad=exclude_pad, divisor=divisor))

    def forward(self, x: Tensor) -> Tensor:
        """x (..., H, W) -> (..., M, N), as heed_avg_pool2d. NULL on failure: HEED_ERR_ARGUMENT for NULL, and what
        heed_avg_pool2d fails with.
        torch: torch.nn.AvgPool2d.forward"""
        return call(C.heed_nn_avg_pool2d_forward, self, x)


class BahdanauDecoder(Module):
    """A decoder with additive attention, the book's Seq2SeqAttentionDecoder. At each step the last layer's state is the
    query of an additive attention over the encoder's states, and the GRU reads the context so found beside the embedded
    token. "attention. ...", "embedding.weight", "rnn. ..." with inputs (context, embedding), "dense.weight",
    "dense.bias". NULL on failure: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE,
    HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
    (ICLR 2015)."""

    _C = "bahdanau_decoder"

    def __init__(self, vocab_size: int, embed_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_bahdanau_decoder_new, vocab_size, embed_size, hidden_size, dict(num_layers=num_layers,
            dropout=dropout, dtype=dtype))

    def forward(self, tokens: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, state: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """Logits for the token after each of the given ones. tokens i64 (B, T), the encoder's states memory
        (B, K, hidden_size) and lengths valid_lens i64 (B) or NULL -> logits (B, T, vocab_size). *state (num_layers, B,
        hidden_size) is the state before the first token (the encoder's, at first) and becomes the one after the last, so
        a sentence may be decoded token by token. It must not be NULL, and is left as it was on failure. *weights
        receives the attention's weights (B, T, K), before dropout, and NULL on failure; NULL: they are not wanted. NULL
        on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token or a length
        out of range, HEED_ERR_UNSUPPORTED for more than 2^20 steps, HEED_ERR_NOMEM."""
        state_ = Out("state", state)
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_bahdanau_decoder_forward, self, tokens, memory, valid_lens, state_, weights_)


class BatchNorm1d(Module):
    """Batch norm of num_features channels: parameters "weight", ones, and "bias", zeros, buffers "running_mean", zeros, and
    "running_var", ones, all (C), and "num_batches_tracked", i64 (). NULL on failure: HEED_ERR_ARGUMENT for a size below
    1, an eps that is negative or not finite, a momentum outside [0, 1] or given with cumulative, HEED_ERR_SHAPE for more
    elements than can be counted, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.nn.BatchNorm1d"""

    _C = "batch_norm1d"

    def __init__(self, num_features: int, *, eps: float = 0.0, momentum: float = 0.0, cumulative: bool = False,
        no_affine: bool = False, no_running_stats: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_batch_norm1d_new, num_features, dict(eps=eps, momentum=momentum, cumulative=cumulative,
            no_affine=no_affine, no_running_stats=no_running_stats, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, C) or (B, C, L) to the same shape, as heed_batch_norm; moves the running statistics while training. NULL on
        failure, and nothing has moved: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for other shapes, and while training for a
        single number in each channel, which has no variance; HEED_ERR_DTYPE unless x has the layer's dtype, HEED_ERR_NOMEM.
        torch: torch.nn.BatchNorm1d.forward"""
        return call(C.heed_nn_batch_norm1d_forward, self, x)


class BatchNorm2d(Module):
    """The same for planes, with the same parameters and buffers. NULL on failure, as heed_nn_batch_norm1d_new.
    torch: torch.nn.BatchNorm2d"""

    _C = "batch_norm2d"

    def __init__(self, num_features: int, *, eps: float = 0.0, momentum: float = 0.0, cumulative: bool = False,
        no_affine: bool = False, no_running_stats: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_batch_norm2d_new, num_features, dict(eps=eps, momentum=momentum, cumulative=cumulative,
            no_affine=no_affine, no_running_stats=no_running_stats, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, C, H, W) to the same shape. NULL on failure, as heed_nn_batch_norm1d_forward.
        torch: torch.nn.BatchNorm2d.forward"""
        return call(C.heed_nn_batch_norm2d_forward, self, x)


class Conv1d(Module):
    """A convolution from `in` to `out` channels with k = kernel_size: parameters "weight" (out, in / groups, k) and "bias"
    (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = in / groups k. NULL options: f32, a bias, stride 1, no
    padding. NULL on failure: HEED_ERR_ARGUMENT for a size below 1, groups that do not divide in and out, and a stride,
    padding or dilation that there cannot be, HEED_ERR_SHAPE for a weight too large to be counted, HEED_ERR_DTYPE unless
    f32 or f64, HEED_ERR_NOMEM.
    torch: torch.nn.Conv1d"""

    _C = "conv1d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
        groups: int = 0, same: bool = False, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv1d_new, in_, out, kernel_size, dict(stride=stride, padding=padding, dilation=dilation,
            groups=groups, same=same, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, in, L) -> (B, out, M), as heed_conv1d. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for other
        channels and where the kernel does not fit, HEED_ERR_DTYPE unless x has the layer's dtype, HEED_ERR_NOMEM.
        torch: torch.nn.Conv1d.forward"""
        return call(C.heed_nn_conv1d_forward, self, x)


class Conv2d(Module):
    """A convolution from `in` to `out` channels with a kernel of kh x kw: parameters "weight" (out, in / groups, kh, kw)
    and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = in / groups kh kw. NULL on failure, as
    heed_nn_conv1d_new.
    torch: torch.nn.Conv2d"""

    _C = "conv2d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
        groups: int = 0, same: bool = False, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv2d_new, in_, out, kernel_size, dict(stride=stride, padding=padding, dilation=dilation,
            groups=groups, same=same, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, in, H, W) -> (B, out, M, N), as heed_conv2d. NULL on failure, as heed_nn_conv1d_forward.
        torch: torch.nn.Conv2d.forward"""
        return call(C.heed_nn_conv2d_forward, self, x)


class ConvTranspose1d(Module):
    """A transposed convolution from `in` to `out` channels with k = kernel_size: parameters "weight" (in, out / groups, k)
    and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = out / groups k. NULL on failure, as
    heed_nn_conv1d_new.
    torch: torch.nn.ConvTranspose1d"""

    _C = "conv_transpose1d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None,
        output_padding: Any = None, dilation: Any = None, groups: int = 0, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv_transpose1d_new, in_, out, kernel_size, dict(stride=stride, padding=padding,
            output_padding=output_padding, dilation=dilation, groups=groups, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, in, M) -> (B, out, L), as heed_conv_transpose1d. NULL on failure, as heed_nn_conv1d_forward.
        torch: torch.nn.ConvTranspose1d.forward"""
        return call(C.heed_nn_conv_transpose1d_forward, self, x)


class ConvTranspose2d(Module):
    """A transposed convolution from `in` to `out` channels with a kernel of kh x kw: parameters "weight" (in, out / groups,
    kh, kw) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = out / groups kh kw. NULL on failure, as
    heed_nn_conv1d_new.
    torch: torch.nn.ConvTranspose2d"""

    _C = "conv_transpose2d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None,
        output_padding: Any = None, dilation: Any = None, groups: int = 0, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv_transpose2d_new, in_, out, kernel_size, dict(stride=stride, padding=padding,
            output_padding=output_padding, dilation=dilation, groups=groups, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, in, M, N) -> (B, out, H, W), as heed_conv_transpose2d. NULL on failure, as heed_nn_conv1d_forward.
        torch: torch.nn.ConvTranspose2d.forward"""
        return call(C.heed_nn_conv_transpose2d_forward, self, x)


class Decoder(Module):
    """A decoder-only Transformer. Parameters, with h = hidden_size:

        embedding.weight (vocab_size, h)    positions.weight (max_len, h), with neither rope nor alibi
        layers.0.norm1.weight, .bias        layers.0.self_attn. ..., of heed_nn_multi_head_attention_new
        layers.0.norm2.weight, .bias        layers.0.gate.weight (ffn_size, h), .bias, where it is gated
        layers.0.linear1.weight (ffn_size, h), .bias    layers.0.linear2.weight (h, ffn_size), .bias
        ...
        norm.weight, .bias                  dense.weight (vocab_size, h), unless it is tied

    Matrices are N(0, 0.02^2), those of out_proj and linear2, whose results are added to x, N(0, 0.02^2 / (2
    num_layers)), biases 0. RoPE and ALiBi have no parameters, and a decoder may have both, as its attentions may. NULL
    on failure: HEED_ERR_ARGUMENT for a size below 1, more than 2^12 layers, unless num_heads divides hidden_size or
    head_dim is given, unless kv_heads divides num_heads, for heads of odd size with rope, a dropout outside [0, 1], a
    bad eps, a window below 0 and RoPE as heed_nn_multi_head_attention_new; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
    HEED_ERR_NOMEM. A. Radford et al.: Language Models are Unsupervised Multitask Learners (2019). H. Touvron et al.:
    LLaMA (2023). O. Press, N. Smith, M. Lewis: Train Short, Test Long (ICLR 2022), of ALiBi."""

    _C = "decoder"

    def __init__(self, vocab_size: int, hidden_size: int, num_heads: int, ffn_size: int, num_layers: int, *,
        dropout: float = 0.0, eps: float = 0.0, activation: Any = None, rms_norm: bool = False, gated: bool = False,
        no_bias: bool = False, qkv_bias: bool = False, rope: bool = False, alibi: bool = False, rope_base: float = 0.0,
        max_len: int = 0, kv_heads: int = 0, window: int = 0, tied: bool = False, dtype: str = "f32", head_dim: int = 0,
        qk_norm: bool = False, rope_factor: float = 0.0, rope_original_len: int = 0, rope_low_freq_factor: float = 0.0,
        rope_high_freq_factor: float = 0.0) -> None:
        self._make(C.heed_nn_decoder_new, vocab_size, hidden_size, num_heads, ffn_size, num_layers, dict(dropout=dropout,
            eps=eps, activation=activation, rms_norm=rms_norm, gated=gated, no_bias=no_bias, qkv_bias=qkv_bias, rope=rope,
            alibi=alibi, rope_base=rope_base, max_len=max_len, kv_heads=kv_heads, window=window, tied=tied, dtype=dtype,
            head_dim=head_dim, qk_norm=qk_norm, rope_factor=rope_factor, rope_original_len=rope_original_len,
            rope_low_freq_factor=rope_low_freq_factor, rope_high_freq_factor=rope_high_freq_factor))

    def forward(self, tokens: Tensor, *, return_weights: bool = False) -> Any:
        """What follows each step of `tokens`, i64 (B, T), as logits (B, T, vocab_size):
            x = dropout(embedding(tokens) + positions(0 .. T - 1)),
            x = x + dropout(attention(norm1(x))),   x = x + dropout(feed_forward(norm2(x)))   for each block,
            y = norm(x) dense^T
        where feed_forward(x) is linear2(activation(linear1(x))), or linear2(activation(gate(x)) linear1(x)). A step sees
        those before it and itself. *weights receives (num_layers, B, num_heads, T, T), NULL: not wanted; heed_module_forward
        passes NULL. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also for more than max_len steps where
        positions are learned, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token outside the vocabulary, what the activation fails
        with, HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_decoder_forward, self, tokens, weights_)

    def masked(self, tokens: Tensor, mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """The same where a step sees another only if mask and bias let it, too, in all blocks: mask, bool, is true where it
        sees it; bias, of the decoder's dtype, is added to the scores and differentiable, -inf where it does not see it. Both
        broadcast to (B, num_heads, T, T), or are NULL; one for each sequence is (B, 1, T, T), as
        heed_nn_multi_head_attention_masked has it. A step still sees no later one. So one row may be several texts, of which
        a mask lets each see itself alone: with rope or alibi, which go by distances, each has the numbers that it has by
        itself, but for rounding; learned positions count from the row's beginning. NULL on failure: as
        heed_nn_decoder_forward."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_decoder_masked, self, tokens, mask, bias, weights_)

    def cached(self, tokens: Tensor, cache: Handle, *, return_weights: bool = False) -> Any:
        """The decoder for prediction: `tokens` are the steps that follow those in the cache, which then has them too. The
        numbers are those of heed_nn_decoder_forward, at the cost of the new steps. *weights receives
        (num_layers, B, num_heads, T, all steps), NULL: not wanted. No graph is recorded. NULL on failure, which leaves the
        cache as it was: as there, and HEED_ERR_SHAPE for another B than the cache has."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_decoder_cached, self, tokens, cache, weights_)

    def load(self, from_: Any) -> None:
        """Copies a checkpoint of the Hugging Face Hub into the decoder: `from` has the names of GPT-2 ("h.0.attn.c_attn.weight"
        and so on, behind "transformer." or not), whose matrices are transposed, or those that Llama, Mistral and Qwen share
        ("model.layers.0.self_attn.q_proj.weight" and so on), as read by heed_io_safetensors_read or, of many files,
        heed_io_safetensors_read_shards. Which of these it is follows from the names. Numbers of another floating-point dtype
        are converted to the decoder's. What such files also have, causal masks and RoPE's frequencies, is passed over, and
        so is "lm_head.weight" where the output is tied and it equals the embedding. HEED_ERR_ARGUMENT for NULL, for names
        missing or unexpected and other shapes, which the message lists as heed_dict_load does, and for a file whose output
        map is tied if the decoder's is not, or the reverse: the message says how to set .tied. HEED_ERR_NOMEM. After a
        failure nothing has changed."""
        call(C.heed_nn_decoder_load, self, from_)


class DotProductAttention(Module):
    """Scaled dot-product attention, DotProductAttention of the book. It has no parameters, and takes f32 and f64. NULL
    options: scale 1 / sqrt(d), no dropout, not causal. NULL on failure: HEED_ERR_ARGUMENT for a scale that is not
    finite or a dropout outside [0, 1], HEED_ERR_NOMEM."""

    _C = "dot_product_attention"

    def __init__(self, *, dropout: float = 0.0, scale: float = 0.0, causal: bool = False) -> None:
        self._make(C.heed_nn_dot_product_attention_new, dict(dropout=dropout, scale=scale, causal=causal))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """Softmax over the keys of q^T k scale, 1 / sqrt(d) by default, times the values: queries (B, Q, d), keys
        (B, K, d), values (B, K, v) -> (B, Q, v); or with heads, (B, H, Q, d) and so on. valid_lens i64 (B) or (B, Q), or
        NULL. *weights receives (B, Q, K) or (B, H, Q, K), before dropout; NULL: not wanted. NULL on failure:
        HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE unless all are f32 or all f64, HEED_ERR_INDEX for a
        length outside 0 .. K, HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_dot_product_attention_forward, self, queries, keys, values, valid_lens, weights_)

    def masked(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None,
        mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """The same where a query sees a key only if mask and bias let it, too: mask, bool, is true where it sees it; bias, of
        the inputs' dtype, is added to the scores after the scale and differentiable, -inf where it does not see it. Both
        broadcast to (B, Q, K), or with heads (B, H, Q, K), or are NULL; with heads one for each batch element is (B, 1, Q,
        K), and three axes are one for each head. NULL on failure: as there.
        torch: torch.nn.functional.scaled_dot_product_attention"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_dot_product_attention_masked, self, queries, keys, values, valid_lens, mask, bias, weights_)


class Dropout(Module):
    """A layer without parameters that drops elements with probability p. NULL on failure: HEED_ERR_ARGUMENT unless p is in
    [0, 1], HEED_ERR_NOMEM.
    torch: torch.nn.Dropout"""

    _C = "dropout"

    def __init__(self, p: float) -> None:
        self._make(C.heed_nn_dropout_new, p)

    def forward(self, x: Tensor) -> Tensor:
        """Drops elements of x while base.training: each is 0 with probability p and x / (1 - p) otherwise, drawn from the
        default generator (heed_dropout). After heed_module_eval: x itself. x is f32 or f64 of any shape. NULL on failure:
        HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
        torch: torch.nn.Dropout.forward"""
        return call(C.heed_nn_dropout_forward, self, x)


class Embedding(Module):
    """A table of `count` vectors of size `dim`: parameter "weight" (count, dim), drawn from N(0, 1). NULL on failure:
    HEED_ERR_ARGUMENT for a size below 1, HEED_ERR_SHAPE for more elements than can be counted, HEED_ERR_DTYPE unless
    f32 or f64, HEED_ERR_NOMEM.
    torch: torch.nn.Embedding"""

    _C = "embedding"

    def __init__(self, count: int, dim: int, *, dtype: str = "f32") -> None:
        self._make(C.heed_nn_embedding_new, count, dim, dict(dtype=dtype))

    def forward(self, indices: Tensor) -> Tensor:
        """y[...] = weight[indices[...]]: indices i64 (...), each in 0 .. count - 1 -> (..., dim). NULL on failure:
        HEED_ERR_ARGUMENT for NULL, HEED_ERR_INDEX for an index out of range, HEED_ERR_DTYPE unless i64, HEED_ERR_SHAPE,
        HEED_ERR_NOMEM.
        torch: torch.nn.Embedding.forward"""
        return call(C.heed_nn_embedding_forward, self, indices)


class FeedForward(Module):
    """Two linear maps with an activation between them, the book's PositionWiseFFN. Children "linear1", with a weight
    (ffn_size, hidden_size), and "linear2", (hidden_size, ffn_size), as heed_nn_linear_new makes them; where it is gated
    "gate", of linear1's shape, comes before these, and Llama calls the three gate_proj, up_proj and down_proj. With
    heed_silu, which is then the default, this is SwiGLU, with heed_gelu GEGLU, with heed_relu ReGLU, with heed_sigmoid
    GLU; two thirds of the ffn_size then make as many parameters as without a gate. NULL on failure: HEED_ERR_ARGUMENT
    for a size below 1 or a dropout outside [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    N. Shazeer: GLU Variants Improve Transformer (2020)."""

    _C = "feed_forward"

    def __init__(self, hidden_size: int, ffn_size: int, *, activation: Any = None, dropout: float = 0.0, no_bias: bool = False,
        gated: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_feed_forward_new, hidden_size, ffn_size, dict(activation=activation, dropout=dropout,
            no_bias=no_bias, gated=gated, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (..., hidden_size) to the same shape, each position alike:
            y = linear2(dropout(activation(linear1(x))))
            y = linear2(dropout(activation(gate(x)) linear1(x)))   where it is gated
        NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another last axis, HEED_ERR_DTYPE, HEED_ERR_STATE if
        the activation returns NULL and does not say why, HEED_ERR_NOMEM."""
        return call(C.heed_nn_feed_forward_forward, self, x)


class Flatten(Module):
    """A layer without parameters that makes one axis of start_axis .. end_axis: heed_nn_flatten_new(1, -1) makes (B, ...)
    to (B, n). NULL on failure: HEED_ERR_NOMEM.
    torch: torch.nn.Flatten"""

    _C = "flatten"

    def __init__(self, start_axis: int, end_axis: int) -> None:
        self._make(C.heed_nn_flatten_new, start_axis, end_axis)

    def forward(self, x: Tensor) -> Tensor:
        """x with these axes as one, as heed_flatten. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for axes that
        x has not, HEED_ERR_NOMEM.
        torch: torch.nn.Flatten.forward"""
        return call(C.heed_nn_flatten_forward, self, x)


class Function(Module):
    """A function as a module without parameters: heed_nn_function_new("relu", heed_relu). `name` is the module's type,
    in messages, and must outlive it. The function runs as heed/scope.h says of functions of others. NULL on failure:
    HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM."""

    _C = "function"

    def forward(self, x: Tensor) -> Tensor:
        """function(x), of whatever shape and dtype the function takes. NULL on failure: HEED_ERR_ARGUMENT for NULL, what
        the function fails with, or HEED_ERR_STATE if it returns NULL without an error."""
        return call(C.heed_nn_function_forward, self, x)


class GroupNorm(Module):
    """Group norm: parameters "weight", ones, and "bias", zeros, (C). NULL on failure: HEED_ERR_ARGUMENT for a size below 1,
    groups that do not divide the channels, or an eps that is negative or not finite, HEED_ERR_SHAPE for more elements
    than can be counted, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.nn.GroupNorm"""

    _C = "group_norm"

    def __init__(self, num_groups: int, num_channels: int, *, eps: float = 0.0, no_affine: bool = False,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_group_norm_new, num_groups, num_channels, dict(eps=eps, no_affine=no_affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, C, ...) to the same shape, as heed_group_norm. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for
        other channels, HEED_ERR_DTYPE unless x has the parameters' dtype, HEED_ERR_NOMEM.
        torch: torch.nn.GroupNorm.forward"""
        return call(C.heed_nn_group_norm_forward, self, x)


class GRU(Module):
    """Gated recurrent units, of three gates in the order r, z, n: "weight_ih_l0" (3 h, input_size), "weight_hh_l0"
    (3 h, h), "bias_ih_l0" and "bias_hh_l0" (3 h), and so on for each layer. NULL options: one layer, f32. NULL on
    failure: HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0, 1];
    HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    K. Cho et al.: Learning Phrase Representations using RNN Encoder-Decoder (EMNLP 2014).
    torch: torch.nn.GRU"""

    _C = "gru"

    def __init__(self, input_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0, no_bias: bool = False,
        batch_first: bool = False, bidirectional: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_gru_new, input_size, hidden_size, dict(num_layers=num_layers, dropout=dropout, no_bias=no_bias,
            batch_first=batch_first, bidirectional=bidirectional, dtype=dtype))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, state: Optional[Tensor] = None) -> Any:
        """Runs the layer over sequences. For each step:
            r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
            z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
            n = tanh(W_in x + b_in + r (W_hn h + b_hn))
            h = (1 - z) n + z h
        x (T, B, input_size) -> h of each step (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h).
        valid_lens i64 (B), the steps of each sequence, or NULL for T. *state (num_layers, B, h), with bidirectional
        (2 num_layers, B, h), or NULL for zeros, becomes the state after the last step; NULL: not wanted. NULL on failure:
        HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. T,
        HEED_ERR_NOMEM. Then *state is as it was.
        torch: torch.nn.GRU.forward"""
        state_ = Out("state", state)
        return call_outs(C.heed_nn_gru_forward, self, x, valid_lens, state_)


class InstanceNorm1d(Module):
    """Instance norm of num_features channels; affine: parameters "weight", ones, and "bias", zeros, (C). NULL on failure,
    as heed_nn_group_norm_new.
    torch: torch.nn.InstanceNorm1d"""

    _C = "instance_norm1d"

    def __init__(self, num_features: int, *, eps: float = 0.0, affine: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_instance_norm1d_new, num_features, dict(eps=eps, affine=affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, C, L) to the same shape, as heed_instance_norm, training or not. NULL on failure: HEED_ERR_ARGUMENT for NULL,
        HEED_ERR_SHAPE for other shapes and for L = 1, HEED_ERR_DTYPE unless x has the parameters' dtype, HEED_ERR_NOMEM.
        torch: torch.nn.InstanceNorm1d.forward"""
        return call(C.heed_nn_instance_norm1d_forward, self, x)


class InstanceNorm2d(Module):
    """The same for planes, with the same parameters. NULL on failure, as heed_nn_group_norm_new.
    torch: torch.nn.InstanceNorm2d"""

    _C = "instance_norm2d"

    def __init__(self, num_features: int, *, eps: float = 0.0, affine: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_instance_norm2d_new, num_features, dict(eps=eps, affine=affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, C, H, W) to the same shape. NULL on failure, as heed_nn_instance_norm1d_forward.
        torch: torch.nn.InstanceNorm2d.forward"""
        return call(C.heed_nn_instance_norm2d_forward, self, x)


class LayerNorm(Module):
    """Normalisation over last axes of the given shape (rank 1 or more): parameters "weight", ones, and "bias", zeros, of
    that shape. NULL options: f32, eps 1e-5. NULL on failure: HEED_ERR_ARGUMENT for rank 0, a size below 1, or an eps
    that is negative or not finite, HEED_ERR_SHAPE for more elements than can be counted, HEED_ERR_DTYPE,
    HEED_ERR_NOMEM.
    torch: torch.nn.LayerNorm"""

    _C = "layer_norm"

    def __init__(self, shape: Any, *, eps: float = 0.0, no_affine: bool = False, no_bias: bool = False,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_layer_norm_new, shape, dict(eps=eps, no_affine=no_affine, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """y = (x - mean) / sqrt(variance + eps) weight + bias. Mean and variance are those over the last axes of x, which must
        be the layer's shape: x (..., shape) to the same shape. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE
        for other last axes, HEED_ERR_DTYPE unless x has the parameters' dtype, HEED_ERR_NOMEM.
        torch: torch.nn.LayerNorm.forward"""
        return call(C.heed_nn_layer_norm_forward, self, x)


class Linear(Module):
    """A layer from `in` to `out` features: parameters "weight" (out, in) and "bias" (out), both drawn from
    U(-1/sqrt(in), 1/sqrt(in)). NULL options: f32, a bias, no activation. NULL on failure: HEED_ERR_ARGUMENT for a size
    below 1, HEED_ERR_SHAPE for a weight too large to be counted, HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_NOMEM.
    torch: torch.nn.Linear"""

    _C = "linear"

    def __init__(self, in_: int, out: int, *, no_bias: bool = False, dtype: str = "f32", activation: Any = None) -> None:
        self._make(C.heed_nn_linear_new, in_, out, dict(no_bias=no_bias, dtype=dtype, activation=activation))

    def forward(self, x: Tensor) -> Tensor:
        """y = activation(x W^T + b): x (..., in) -> (..., out). NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE
        unless the last axis of x is `in`, HEED_ERR_DTYPE unless x has the layer's dtype, HEED_ERR_STATE if the activation
        returns NULL and does not say why, HEED_ERR_NOMEM.
        torch: torch.nn.Linear.forward"""
        return call(C.heed_nn_linear_forward, self, x)


class LSTM(Module):
    """Long short-term memory, of four gates in the order i, f, g, o: "weight_ih_l0" (4 h, input_size), "weight_hh_l0"
    (4 h, h), "bias_ih_l0" and "bias_hh_l0" (4 h), and so on for each layer. NULL options: one layer, f32. NULL on
    failure: HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0, 1];
    HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    S. Hochreiter, J. Schmidhuber: Long Short-Term Memory (Neural Computation 1997); with the forget gate f of F. Gers,
    J. Schmidhuber, F. Cummins: Learning to Forget (Neural Computation 2000).
    torch: torch.nn.LSTM"""

    _C = "lstm"

    def __init__(self, input_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0, no_bias: bool = False,
        batch_first: bool = False, bidirectional: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_lstm_new, input_size, hidden_size, dict(num_layers=num_layers, dropout=dropout, no_bias=no_bias,
            batch_first=batch_first, bidirectional=bidirectional, dtype=dtype))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, h: Optional[Tensor] = None,
        c: Optional[Tensor] = None) -> Any:
        """Runs the layer over sequences. For each step:
            i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)
            f = sigmoid(W_if x + b_if + W_hf h + b_hf)
            g = tanh(W_ig x + b_ig + W_hg h + b_hg)
            o = sigmoid(W_io x + b_io + W_ho h + b_ho)
            c = f c + i g,   h = o tanh(c)
        x (T, B, input_size) -> h of each step (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h).
        valid_lens i64 (B), the steps of each sequence, or NULL for T. *h and *c, two states (num_layers, B, h), with
        bidirectional (2 num_layers, B, h), or NULL for zeros, become those after the last step; NULL: not wanted. NULL on
        failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. T,
        HEED_ERR_NOMEM. Then both are as they were.
        torch: torch.nn.LSTM.forward"""
        h_ = Out("state", h)
        c_ = Out("state", c)
        return call_outs(C.heed_nn_lstm_forward, self, x, valid_lens, h_, c_)


class MaxPool2d(Module):
    """The largest of each window, without parameters. NULL options: windows side by side. NULL on failure:
    HEED_ERR_ARGUMENT for a kernel or stride that there cannot be, HEED_ERR_NOMEM. The rest of the options is looked at
    by forward.
    torch: torch.nn.MaxPool2d"""

    _C = "max_pool2d"

    def __init__(self, kernel_size: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
        ceil_mode: bool = False) -> None:
        self._make(C.heed_nn_max_pool2d_new, kernel_size, dict(stride=stride, padding=padding, dilation=dilation,
            ceil_mode=ceil_mode))

    def forward(self, x: Tensor) -> Tensor:
        """x (..., H, W) -> (..., M, N), as heed_max_pool2d. NULL on failure: HEED_ERR_ARGUMENT for NULL, and what
        heed_max_pool2d fails with.
        torch: torch.nn.MaxPool2d.forward"""
        return call(C.heed_nn_max_pool2d_forward, self, x)


class MultiHeadAttention(Module):
    """Multi-head attention with the parameters of torch.nn.MultiheadAttention. These are "in_proj_weight" (3 h, h), the
    maps of queries, keys and values one above the other, or "q_proj_weight" (h, query_size), "k_proj_weight"
    (h, key_size) and "v_proj_weight" (h, value_size) when the sizes are not all h = hidden_size, each Glorot-uniform;
    "in_proj_bias" (3 h), zeros; "out_proj.weight" (h, h), as heed_nn_linear_new, "out_proj.bias" (h), zeros. The book's
    layer is this one with no_bias; its W_q, W_k, W_v, W_o are these.

    With head_dim queries are maps to n = num_heads head_dim, with kv_heads keys and values to g = kv_heads head_dim, so
    in_proj is (n + 2 g, h) and out_proj (h, n). With qk_norm there are "q_norm.weight" and "k_norm.weight" (head_dim),
    ones. RoPE turns each head's mapped queries and keys, ALiBi's slope of head i of a power of two n is 2^(-8 (i + 1) /
    n), of another number as Press et al. have it; slopes are no parameters. With relative_positions R there is
    "relative_bias" (num_heads, 2 R + 1), zeros, of distances -R .. R, as heed_attention_options has it.

    A rope_factor s divides RoPE's frequencies f, for texts s times as long as those that a model was trained on. With
    rope_original_len L, the length of these, it leaves alone the pairs that turn often in L steps, as Llama 3.1 has it:
        f' = f (r + (1 - r) / s),   r = (L f / 2 pi - low) / (high - low), but at least 0 and at most 1
    where low and high are rope_low_freq_factor and rope_high_freq_factor.

    NULL on failure: HEED_ERR_ARGUMENT for a size below 1, unless num_heads divides hidden_size or head_dim is given,
    unless kv_heads divides num_heads, for a dropout outside [0, 1], a window below 0, a rope_base or rope_factor that is
    negative or not finite, a rope_original_len below 0, unless low is below high, for rope_dims that are odd or no part
    of a head, and for relative_positions outside 0 .. 2^32; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017); heed/ops/attention.h and heed_rope have the others.
    torch: torch.nn.MultiheadAttention"""

    _C = "multi_head_attention"

    def __init__(self, hidden_size: int, num_heads: int, *, query_size: int = 0, key_size: int = 0, value_size: int = 0,
        dropout: float = 0.0, causal: bool = False, no_bias: bool = False, no_out_bias: bool = False, rope: bool = False,
        rope_interleaved: bool = False, alibi: bool = False, rope_base: float = 0.0, rope_dims: int = 0, kv_heads: int = 0,
        window: int = 0, dtype: str = "f32", head_dim: int = 0, qk_norm: bool = False, qk_norm_eps: float = 0.0,
        rope_factor: float = 0.0, rope_original_len: int = 0, rope_low_freq_factor: float = 0.0,
        rope_high_freq_factor: float = 0.0, relative_positions: int = 0) -> None:
        self._make(C.heed_nn_multi_head_attention_new, hidden_size, num_heads, dict(query_size=query_size, key_size=key_size,
            value_size=value_size, dropout=dropout, causal=causal, no_bias=no_bias, no_out_bias=no_out_bias, rope=rope,
            rope_interleaved=rope_interleaved, alibi=alibi, rope_base=rope_base, rope_dims=rope_dims, kv_heads=kv_heads,
            window=window, dtype=dtype, head_dim=head_dim, qk_norm=qk_norm, qk_norm_eps=qk_norm_eps, rope_factor=rope_factor,
            rope_original_len=rope_original_len, rope_low_freq_factor=rope_low_freq_factor,
            rope_high_freq_factor=rope_high_freq_factor, relative_positions=relative_positions))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """num_heads attentions of size hidden_size / num_heads side by side, mapped by out_proj: queries (B, Q, query_size),
        keys (B, K, key_size), values (B, K, value_size) -> (B, Q, hidden_size). valid_lens i64 (B) or (B, Q), or NULL.
        *weights receives (B, num_heads, Q, K), before dropout; NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for
        NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. K, HEED_ERR_NOMEM.
        torch: torch.nn.MultiheadAttention.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_multi_head_attention_forward, self, queries, keys, values, valid_lens, weights_)

    def masked(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None,
        mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """The same where a query sees a key only if a mask or a bias lets it, too. mask, bool, true where it sees it (PyTorch's
        attn_mask is true where not), and bias, of the layer's dtype, added to the scores and differentiable, -inf where it
        does not: both broadcast to (B, num_heads, Q, K) from the last axis on, or are NULL. So one for all is (Q, K), and
        one for each batch element (B, 1, Q, K), which heed_unsqueeze(mask, 1) makes of (B, Q, K). Three axes are one for
        each head, (num_heads, Q, K) or (1, Q, K): (B, Q, K) is HEED_ERR_SHAPE where B is neither 1 nor num_heads, and where
        B is num_heads it is read as one for each head, without an error. NULL on failure: as there.
        torch: torch.nn.MultiheadAttention.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_multi_head_attention_masked, self, queries, keys, values, valid_lens, mask, bias, weights_)

    def cached(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor, cache: Handle, *,
        return_weights: bool = False) -> Any:
        """Appends new keys (B, K, key_size) and values (B, K, value_size) to those in the cache, unless both are NULL, and
        returns the attention of queries (B, Q, query_size) to all that are then there, (B, Q, hidden_size). In an attention
        that is causal or goes by distances (as before) the queries are the last Q of these steps, and a causal query
        sees the steps up to its own. In one that is not causal valid_lens, i64 (B), may come with the first keys, and says
        how many of them are seen; it is kept with them, and no further keys can follow. *weights receives (B, num_heads, Q,
        steps), NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, for one of keys and values without the other,
        for lengths in a causal attention or without keys; HEED_ERR_STATE for no keys at all, and for keys after lengths;
        HEED_ERR_SHAPE, also for another B than the cache has, and for more queries than steps, whose last ones they would
        be; HEED_ERR_DTYPE, HEED_ERR_INDEX, HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_multi_head_attention_cached, self, queries, keys, values, valid_lens, cache, weights_)


class NWKernelRegression(Module):
    """Kernel regression with parameter "w" = 1 / h, or "log_h" = ln h, (1) or (dim). NULL options: Gaussian,
    parametric, one width, f32. NULL on failure: HEED_ERR_ARGUMENT for a width that is negative, not finite, or for
    which the dtype cannot hold 1 / h^2, a negative dim, an unknown kernel or degree; HEED_ERR_SHAPE for a dim too large;
    HEED_ERR_DTYPE for a dtype that is not floating-point; HEED_ERR_NOMEM."""

    _C = "nw_kernel_regression"

    def __init__(self, *, kernel: str = "gaussian", non_parametric: bool = False, log_width: bool = False, width: float = 0.0,
        dim: int = 0, dtype: str = "f32", leave_one_out: bool = False, degree: int = 0) -> None:
        self._make(C.heed_nn_nw_kernel_regression_new, dict(kernel=kernel, non_parametric=non_parametric, log_width=log_width,
            width=width, dim=dim, dtype=dtype, leave_one_out=leave_one_out, degree=degree))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, *, return_weights: bool = False) -> Any:
        """f(q) = sum_i a_i(q) v_i for each query. queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or
        (n, m) or (n, m, d), one set per query; values (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise.
        Returns (n) or (n, v). *weights receives a (n, m), differentiable; NULL: not wanted. NULL on failure, errors as
        heed_kernel_regression: HEED_ERR_SHAPE, HEED_ERR_DTYPE unless all have the module's dtype, HEED_ERR_ARGUMENT for
        NULL, HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_nw_kernel_regression_forward, self, queries, keys, values, weights_)


class PositionalEncoding(Module):
    """Sines and cosines of the position, added to a sequence. A layer without parameters, for up to max_len steps of size
    h = hidden_size, which may be odd. P is computed in f64, and is not part of the module's state. NULL on failure:
    HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017), 3.5; PositionalEncoding of the book."""

    _C = "positional_encoding"

    def __init__(self, hidden_size: int, *, dropout: float = 0.0, max_len: int = 0, dtype: str = "f32") -> None:
        self._make(C.heed_nn_positional_encoding_new, hidden_size, dict(dropout=dropout, max_len=max_len, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """y = dropout(x + P[:T]): x (B, T, h) -> (B, T, h), where
            P[i, 2j] = sin(i / 10000^(2j/h)),   P[i, 2j+1] = cos(i / 10000^(2j/h))
        NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another shape or T > max_len, HEED_ERR_DTYPE,
        HEED_ERR_NOMEM."""
        return call(C.heed_nn_positional_encoding_forward, self, x)

    def at(self, x: Tensor, first: int) -> Tensor:
        """The same for a part of a sequence that begins at its step `first`: y = dropout(x + P[first:first+T]). In prediction
        with a cache, first is heed_kv_cache_length. NULL on failure: also HEED_ERR_ARGUMENT for a first below 0."""
        return call(C.heed_nn_positional_encoding_at, self, x, first)


class Residual(Module):
    """n modules one after another, and a way around them: heed_nn_residual_new(HEED_MODULES(a, b)). They are those of the
    child "net", a heed_nn_sequential, so that their parameters are "net.0.weight" and so on. Takes ownership of them,
    and fails and frees them, as heed_nn_sequential_new."""

    _C = "residual"

    def forward(self, x: Tensor) -> Tensor:
        """y = x + net(x), of x's shape. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE where net(x) has another
        shape than x, HEED_ERR_NOMEM, and what a module fails with."""
        return call(C.heed_nn_residual_forward, self, x)


class RMSNorm(Module):
    """RMS norm over last axes of the given shape (rank 1 or more): parameter "weight", ones, of that shape. NULL on
    failure, as heed_nn_layer_norm_new. B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019)."""

    _C = "rms_norm"

    def __init__(self, shape: Any, *, eps: float = 0.0, no_affine: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_rms_norm_new, shape, dict(eps=eps, no_affine=no_affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """x (..., shape) to the same shape, as heed_rms_norm. NULL on failure, as heed_nn_layer_norm_forward."""
        return call(C.heed_nn_rms_norm_forward, self, x)


class RNN(Module):
    """The plain recurrent layer, of one gate: "weight_ih_l0" (h, input_size), "weight_hh_l0" (h, h), "bias_ih_l0" and
    "bias_hh_l0" (h), and so on for each layer. NULL options: one layer, tanh, f32. NULL on failure: HEED_ERR_ARGUMENT
    for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0, 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
    HEED_ERR_NOMEM.
    J. Elman: Finding Structure in Time (Cognitive Science 1990).
    torch: torch.nn.RNN"""

    _C = "rnn"

    def __init__(self, input_size: int, hidden_size: int, *, activation: Any = None, num_layers: int = 0, dropout: float = 0.0,
        no_bias: bool = False, batch_first: bool = False, bidirectional: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_rnn_new, input_size, hidden_size, dict(activation=activation, num_layers=num_layers,
            dropout=dropout, no_bias=no_bias, batch_first=batch_first, bidirectional=bidirectional, dtype=dtype))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, state: Optional[Tensor] = None) -> Any:
        """h = activation(W_i x + b_i + W_h h + b_h) for each step: x (T, B, input_size) -> (T, B, h), or (B, T, .) with
        batch_first; with bidirectional (T, B, 2 h). valid_lens i64 (B), the steps of each sequence, or NULL for T. *state
        (num_layers, B, h), with bidirectional (2 num_layers, B, h), or NULL for zeros, becomes the one after the last step;
        NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a
        length outside 0 .. T, HEED_ERR_NOMEM; with an activation other than heed_tanh and heed_relu HEED_ERR_UNSUPPORTED for
        more than 2^20 steps, and HEED_ERR_STATE when it returns NULL and does not say why. Then *state is as it was.
        torch: torch.nn.RNN.forward"""
        state_ = Out("state", state)
        return call_outs(C.heed_nn_rnn_forward, self, x, valid_lens, state_)


class Seq2SeqEncoder(Module):
    """Embeds tokens and runs them through a GRU, the book's Seq2SeqEncoder. Children "embedding", with a weight
    (vocab_size, embed_size), and "rnn", from embed_size to hidden_size. NULL on failure: HEED_ERR_ARGUMENT for a
    size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM."""

    _C = "seq2seq_encoder"

    def __init__(self, vocab_size: int, embed_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_seq2seq_encoder_new, vocab_size, embed_size, hidden_size, dict(num_layers=num_layers,
            dropout=dropout, dtype=dtype))

    def forward(self, tokens: Tensor, state: Optional[Tensor] = None) -> Any:
        """tokens i64 (B, T) -> the last layer's states (B, T, hidden_size). *state, when `state` is not NULL, becomes the
        GRU's state after the last step, (num_layers, B, hidden_size); it need not be set before. NULL on failure:
        HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE unless i64, HEED_ERR_INDEX for a token outside the
        vocabulary, HEED_ERR_NOMEM."""
        state_ = Out("state", state)
        return call_outs(C.heed_nn_seq2seq_encoder_forward, self, tokens, state_)


class Sequential(Module):
    """n modules one after another, n = 0 the identity: heed_nn_sequential_new(HEED_MODULES(a, b)). Takes ownership of
    them, and frees them on failure: so constructors may be written in the list. NULL on failure: HEED_ERR_ARGUMENT when
    a module is NULL, given twice, or has a parent (which keeps it), HEED_ERR_UNSUPPORTED when one takes more than one
    tensor, HEED_ERR_NOMEM.
    torch: torch.nn.Sequential"""

    _C = "sequential"

    def forward(self, x: Tensor) -> Tensor:
        """x through all modules in turn; x itself where there is none. NULL on failure: HEED_ERR_ARGUMENT for NULL,
        HEED_ERR_NOMEM, and what a module fails with.
        torch: torch.nn.Sequential.forward"""
        return call(C.heed_nn_sequential_forward, self, x)


class Transformer(Module):
    """The Transformer: children "encoder", heed_nn_transformer_encoder_new, and "decoder", heed_nn_transformer_decoder_new;
    with vocabularies of 0, torch.nn.Transformer with its parameters. NULL on failure: as these.
    A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017).
    torch: torch.nn.Transformer"""

    _C = "transformer"

    def __init__(self, src_vocab: int, tgt_vocab: int, hidden_size: int, num_heads: int, ffn_size: int, num_layers: int, *,
        dropout: float = 0.0, eps: float = 0.0, activation: Any = None, pre_norm: bool = False, no_bias: bool = False,
        gated: bool = False, no_final_norm: bool = False, tied: bool = False, no_positions: bool = False,
        decoder_layers: int = 0, max_len: int = 0, dtype: str = "f32", attention: Any = None) -> None:
        self._make(C.heed_nn_transformer_new, src_vocab, tgt_vocab, hidden_size, num_heads, ffn_size, num_layers,
            dict(dropout=dropout, eps=eps, activation=activation, pre_norm=pre_norm, no_bias=no_bias, gated=gated,
            no_final_norm=no_final_norm, tied=tied, no_positions=no_positions, decoder_layers=decoder_layers, max_len=max_len,
            dtype=dtype, attention=attention))

    def forward(self, src: Tensor, tgt: Tensor, src_lens: Optional[Tensor] = None, tgt_lens: Optional[Tensor] = None, *,
        return_encoder_weights: bool = False, return_self_weights: bool = False, return_weights: bool = False) -> Any:
        """What follows each step of tgt (B, T), given src (B, S), as logits (B, T, tgt_vocab): the decoder's forward with the
        encoder's as memory. src_lens, i64 (B) or NULL, hold for both; tgt_lens i64 (B) or (B, T), or NULL: a causal decoder
        can do without them. *encoder_weights receives (num_layers, B, num_heads, S, S), *self_weights
        (decoder_layers, B, num_heads, T, T), *weights (decoder_layers, B, num_heads, T, S), NULL: not wanted. NULL on
        failure: as the encoder's forward and the decoder's.
        torch: torch.nn.Transformer.forward"""
        encoder_weights_ = Out("out") if return_encoder_weights else None
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_forward, self, src, tgt, src_lens, tgt_lens, encoder_weights_, self_weights_,
            weights_)

    def masked(self, src: Tensor, tgt: Tensor, src_lens: Optional[Tensor] = None, tgt_lens: Optional[Tensor] = None,
        masks: Any = None, *, return_encoder_weights: bool = False, return_self_weights: bool = False,
        return_weights: bool = False) -> Any:
        """heed_nn_transformer_forward where what is seen must be so by masks and biases, too, in all blocks; NULL: none. What
        src_mask hides the decoder sees all the same, unless memory_mask hides it, too. NULL on failure: as there.
        torch: torch.nn.Transformer.forward"""
        encoder_weights_ = Out("out") if return_encoder_weights else None
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_masked, self, src, tgt, src_lens, tgt_lens, masks, encoder_weights_,
            self_weights_, weights_)


class TransformerDecoder(Module):
    """A Transformer's decoder: as heed_nn_transformer_encoder_new, of decoder blocks, with "dense.weight"
    (vocab_size, hidden_size) and "dense.bias" behind it, unless tied. For a vocab_size of 0 it has no dense either:
    torch.nn.TransformerDecoder. NULL on failure: as there. The book: TransformerDecoder, with no_final_norm.
    torch: torch.nn.TransformerDecoder"""

    _C = "transformer_decoder"

    def __init__(self, vocab_size: int, hidden_size: int, num_heads: int, ffn_size: int, num_layers: int, *,
        dropout: float = 0.0, eps: float = 0.0, activation: Any = None, pre_norm: bool = False, no_bias: bool = False,
        gated: bool = False, no_final_norm: bool = False, tied: bool = False, no_positions: bool = False,
        decoder_layers: int = 0, max_len: int = 0, dtype: str = "f32", attention: Any = None) -> None:
        self._make(C.heed_nn_transformer_decoder_new, vocab_size, hidden_size, num_heads, ffn_size, num_layers,
            dict(dropout=dropout, eps=eps, activation=activation, pre_norm=pre_norm, no_bias=no_bias, gated=gated,
            no_final_norm=no_final_norm, tied=tied, no_positions=no_positions, decoder_layers=decoder_layers, max_len=max_len,
            dtype=dtype, attention=attention))

    def forward(self, tokens: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, memory_lens: Optional[Tensor] = None,
        *, return_self_weights: bool = False, return_weights: bool = False) -> Any:
        """What follows each step of `tokens`, i64 (B, T), or for a vocab_size of 0 (B, T, hidden_size), as logits
        (B, T, vocab_size), or (B, T, hidden_size). memory (B, S, hidden_size), valid_lens and memory_lens as
        heed_nn_transformer_decoder_block_forward has them. *self_weights receives (num_layers, B, num_heads, T, T), *weights
        (num_layers, B, num_heads, T, S), NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also
        for more than max_len steps where positions are added, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token outside the
        vocabulary or a length outside 0 .. T, or 0 .. S, what the activation fails with, HEED_ERR_NOMEM.
        torch: torch.nn.TransformerDecoder.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_forward, self, tokens, memory, valid_lens, memory_lens, self_weights_,
            weights_)

    def masked(self, tokens: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, memory_lens: Optional[Tensor] = None,
        masks: Any = None, *, return_self_weights: bool = False, return_weights: bool = False) -> Any:
        """The same where what is seen must be so by masks and biases, too, in all blocks; NULL: none. A step still sees no
        later one. NULL on failure: as there.
        torch: torch.nn.TransformerDecoder.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_masked, self, tokens, memory, valid_lens, memory_lens, masks,
            self_weights_, weights_)

    def cached(self, tokens: Tensor, memory: Tensor, memory_lens: Tensor, cache: Handle, *, return_self_weights: bool = False,
        return_weights: bool = False) -> Any:
        """The decoder for prediction: `tokens` are the steps that follow those in the cache, which then has them too. memory
        and memory_lens, i64 (B) or NULL, are read at the first call only: their keys and values stay in the cache, and later
        both may be NULL. The numbers are those of heed_nn_transformer_decoder_forward, at the cost of the new steps.
        *self_weights receives (num_layers, B, num_heads, T, all steps), *weights (num_layers, B, num_heads, T, S), NULL:
        not wanted. No graph is recorded. NULL on failure, which leaves the cache as it was: as there, and HEED_ERR_SHAPE
        for another B than the cache has."""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_cached, self, tokens, memory, memory_lens, cache, self_weights_,
            weights_)


class TransformerDecoderBlock(Module):
    """A Transformer's decoder block, with the parameters of torch.nn.TransformerDecoderLayer: "self_attn. ...",
    "multihead_attn. ...", "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ...", "norm3. ..."; where it is gated,
    which PyTorch's is not, "gate. ..." before "linear1. ...". Unless told otherwise its self-attention is causal, and
    its dropout 0. `attention` is as in heed_nn_transformer_encoder_block_new. Attention to the memory has the same heads
    (head_dim, kv_heads, qk_norm, qk_norm_eps, no_out_bias), but goes by no positions, for there is no distance between a
    step of x and a place in the memory. NULL on failure: as an encoder block. The book: TransformerDecoderBlock.
    torch: torch.nn.TransformerDecoderLayer"""

    _C = "transformer_decoder_block"

    def __init__(self, hidden_size: int, num_heads: int, ffn_size: int, *, dropout: float = 0.0, eps: float = 0.0,
        activation: Any = None, pre_norm: bool = False, not_causal: bool = False, no_bias: bool = False, gated: bool = False,
        dtype: str = "f32", attention: Any = None) -> None:
        self._make(C.heed_nn_transformer_decoder_block_new, hidden_size, num_heads, ffn_size, dict(dropout=dropout, eps=eps,
            activation=activation, pre_norm=pre_norm, not_causal=not_causal, no_bias=no_bias, gated=gated, dtype=dtype,
            attention=attention))

    def forward(self, x: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, memory_lens: Optional[Tensor] = None, *,
        return_self_weights: bool = False, return_weights: bool = False) -> Any:
        """Sequences that look at themselves and at the results of an encoder. x (B, T, hidden_size) to the same shape, memory
        (B, S, hidden_size):
            post-norm:  x = norm1(x + attention(x)),   x = norm2(x + attention(x, memory)),   x = norm3(x + feed_forward(x))
            pre-norm:   x = x + attention(norm1(x)),   x = x + attention(norm2(x), memory),   x = x + feed_forward(norm3(x))
        with dropout of what is added to x. valid_lens and memory_lens, i64 (B) or (B, T) or NULL, say how much of x and of
        the memory is seen. *self_weights receives (B, num_heads, T, T), *weights (B, num_heads, T, S), NULL: not wanted.
        NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside
        0 .. T, or 0 .. S, what the activation fails with, HEED_ERR_NOMEM.
        torch: torch.nn.TransformerDecoderLayer.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_block_forward, self, x, memory, valid_lens, memory_lens, self_weights_,
            weights_)

    def masked(self, x: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, memory_lens: Optional[Tensor] = None,
        masks: Any = None, *, return_self_weights: bool = False, return_weights: bool = False) -> Any:
        """heed_nn_transformer_decoder_block_forward where what is seen must be so by masks and biases, too; NULL: none. NULL on
        failure: as there.
        torch: torch.nn.TransformerDecoderLayer.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_block_masked, self, x, memory, valid_lens, memory_lens, masks,
            self_weights_, weights_)

    def cached(self, x: Tensor, memory: Tensor, memory_lens: Tensor, cache: Handle, *, return_self_weights: bool = False,
        return_weights: bool = False) -> Any:
        """The block for prediction: x (B, T, hidden_size) are the steps that follow those in the cache, which then has them
        too. memory and memory_lens, i64 (B) or NULL, are read at the first call only: their keys and values stay in the
        cache, and later both may be NULL. *self_weights receives (B, num_heads, T, all steps), *weights
        (B, num_heads, T, S), NULL: not wanted. No graph is recorded. NULL on failure, which leaves the cache as it was: as
        heed_nn_transformer_decoder_block_forward, and HEED_ERR_SHAPE for another B than the cache has."""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_block_cached, self, x, memory, memory_lens, cache, self_weights_,
            weights_)


class TransformerEncoder(Module):
    """A Transformer's encoder. Parameters "layers.0. ..." and so on as heed_nn_transformer_encoder_block_new names them,
    but with all matrices Glorot-uniform, as torch.nn.Transformer draws them; "norm. ..."; "embedding.weight"
    (vocab_size, hidden_size), normal of variance 1 / hidden_size, so that what is scaled by sqrt(hidden_size) is as
    large as what is added for the position. For a vocab_size of 0 there are neither embedding nor positions, and x comes
    embedded: torch.nn.TransformerEncoder. NULL on failure: as a block, and HEED_ERR_ARGUMENT for another of these sizes
    below 1 and more than 2^12 layers. The book: TransformerEncoder, with no_final_norm.
    torch: torch.nn.TransformerEncoder"""

    _C = "transformer_encoder"

    def __init__(self, vocab_size: int, hidden_size: int, num_heads: int, ffn_size: int, num_layers: int, *,
        dropout: float = 0.0, eps: float = 0.0, activation: Any = None, pre_norm: bool = False, no_bias: bool = False,
        gated: bool = False, no_final_norm: bool = False, tied: bool = False, no_positions: bool = False,
        decoder_layers: int = 0, max_len: int = 0, dtype: str = "f32", attention: Any = None) -> None:
        self._make(C.heed_nn_transformer_encoder_new, vocab_size, hidden_size, num_heads, ffn_size, num_layers,
            dict(dropout=dropout, eps=eps, activation=activation, pre_norm=pre_norm, no_bias=no_bias, gated=gated,
            no_final_norm=no_final_norm, tied=tied, no_positions=no_positions, decoder_layers=decoder_layers, max_len=max_len,
            dtype=dtype, attention=attention))

    def forward(self, tokens: Tensor, valid_lens: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """tokens i64 (B, S), or for a vocab_size of 0 (B, S, hidden_size) -> (B, S, hidden_size):
            x = dropout(embedding(tokens) sqrt(hidden_size) + P[:S]),   the blocks one after another,   norm
        without P if no_positions. valid_lens i64 (B) or (B, S), or NULL, say how much is seen. *weights receives
        (num_layers, B, num_heads, S, S), NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also
        for more than max_len steps where positions are added, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token outside the
        vocabulary or a length outside 0 .. S, what the activation fails with, HEED_ERR_NOMEM.
        torch: torch.nn.TransformerEncoder.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_forward, self, tokens, valid_lens, weights_)

    def masked(self, tokens: Tensor, valid_lens: Optional[Tensor] = None, mask: Optional[Tensor] = None,
        bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """The same where a step sees another only if mask and bias let it, too, in all blocks: they are as in
        heed_nn_transformer_encoder_block_masked. NULL on failure: as there.
        torch: torch.nn.TransformerEncoder.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_masked, self, tokens, valid_lens, mask, bias, weights_)


class TransformerEncoderBlock(Module):
    """A Transformer's encoder block, with the parameters of torch.nn.TransformerEncoderLayer. These are "self_attn. ...",
    "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ..."; where it is gated, which PyTorch's is not, "gate. ..."
    before "linear1. ...". Where PyTorch's dropout is 0.1 unless told otherwise, it is 0 here. Of `attention`, which is
    not kept, self-attention has what heed_nn_multi_head_attention_new says: RoPE, ALiBi, relative_positions, a window,
    kv_heads, head_dim, qk_norm, no_out_bias. Dropout, causal, no_bias, dtype and sizes the block says itself: there they
    must be 0. NULL on failure: HEED_ERR_ARGUMENT for a size below 1, unless num_heads divides hidden_size or head_dim is
    given, for a dropout outside [0, 1], a bad eps, and for `attention` as here and there; HEED_ERR_SHAPE,
    HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.nn.TransformerEncoderLayer"""

    _C = "transformer_encoder_block"

    def __init__(self, hidden_size: int, num_heads: int, ffn_size: int, *, dropout: float = 0.0, eps: float = 0.0,
        activation: Any = None, pre_norm: bool = False, causal: bool = False, no_bias: bool = False, gated: bool = False,
        dtype: str = "f32", attention: Any = None) -> None:
        self._make(C.heed_nn_transformer_encoder_block_new, hidden_size, num_heads, ffn_size, dict(dropout=dropout, eps=eps,
            activation=activation, pre_norm=pre_norm, causal=causal, no_bias=no_bias, gated=gated, dtype=dtype,
            attention=attention))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """Self-attention and feed-forward over sequences. x (B, T, hidden_size) to the same shape:
            post-norm:  x = norm1(x + attention(x)),   x = norm2(x + feed_forward(x))
            pre-norm:   x = x + attention(norm1(x)),   x = x + feed_forward(norm2(x))
        with dropout of what is added to x. valid_lens i64 (B) or (B, T), or NULL; *weights receives (B, num_heads, T, T),
        NULL: not wanted; heed_module_forward passes NULL for both. NULL on failure: HEED_ERR_ARGUMENT for NULL,
        HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. T, what the activation fails with,
        HEED_ERR_NOMEM.
        torch: torch.nn.TransformerEncoderLayer.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_block_forward, self, x, valid_lens, weights_)

    def masked(self, x: Tensor, valid_lens: Optional[Tensor] = None, mask: Optional[Tensor] = None,
        bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """The same where a step sees another only if mask and bias let it, too: mask, bool, is true where it sees it
        (PyTorch's src_mask is true where not); bias, of the block's dtype, is added to the scores and differentiable, -inf
        where it does not see it. Both broadcast to (B, num_heads, T, T), or are NULL; one for each sequence is (B, 1, T, T),
        as heed_nn_multi_head_attention_masked has it. NULL on failure: as there.
        torch: torch.nn.TransformerEncoderLayer.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_block_masked, self, x, valid_lens, mask, bias, weights_)

    def cached(self, x: Tensor, cache: Handle, *, return_weights: bool = False) -> Any:
        """The block for prediction: x (B, T, hidden_size) are the steps that follow those in the cache, which then has them
        too. Causal blocks give what the forward of the whole sequence gives; in others a step has still not seen those
        of later calls. *weights receives (B, num_heads, T, all steps), NULL: not wanted. No graph is recorded. NULL on
        failure, which leaves the cache as it was: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also for another B than the
        cache has, HEED_ERR_DTYPE, what the activation fails with, HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_block_cached, self, x, cache, weights_)


class VisionTransformer(Module):
    """A Vision Transformer for pictures of image_size (C, H, W), cut into n patches of patch_size, one number or two, which
    must divide H and W. Parameters "class_token", zeros, "positions", N(0, 0.02^2), "patches.weight" (h, C, height,
    width), "patches.bias" (h), "blocks.0. ..." as heed_nn_transformer_encoder_block_new names them, "norm. ...",
    "head.weight" (num_classes, h), "head.bias". NULL on failure: HEED_ERR_ARGUMENT for NULL options, unless image_size
    has three numbers of at least 1 and patches tile it, for a size below 1, a dropout outside [0, 1], too many layers,
    and as heed_nn_transformer_encoder_block_new; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE,
    HEED_ERR_NOMEM. To what goes by distances the patches are a row, one line of the picture after another, behind the
    token. A. Dosovitskiy et al.: An Image is Worth 16x16 Words (ICLR 2021); the book: ViT."""

    _C = "vision_transformer"

    def __init__(self, image_size: Any, patch_size: Any, num_classes: int, *, hidden_size: int = 0, num_layers: int = 0,
        num_heads: int = 0, ffn_size: int = 0, dropout: float = 0.0, eps: float = 0.0, embedding_dropout: float = 0.0,
        activation: Any = None, dtype: str = "f32", gated: bool = False, attention: Any = None) -> None:
        self._make(C.heed_nn_vision_transformer_new, image_size, patch_size, num_classes, dict(hidden_size=hidden_size,
            num_layers=num_layers, num_heads=num_heads, ffn_size=ffn_size, dropout=dropout, eps=eps,
            embedding_dropout=embedding_dropout, activation=activation, dtype=dtype, gated=gated, attention=attention))

    def forward(self, x: Tensor) -> Tensor:
        """The classes' logits: x (B, C, H, W) -> (B, num_classes). With t the class token and e the vectors of the n patches,
            z = dropout([t, e_1, ..., e_n] + positions),   z = block(z) for each,   y = head(norm(z_0))
        NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, what the activation fails with,
        HEED_ERR_NOMEM."""
        return call(C.heed_nn_vision_transformer_forward, self, x)
