"""heed/_classes.py - a class for each layer, optimizer, schedule, and other thing that a script holds on to. Written by
scripts/python from the headers, whose words about them these are: a NULL there is None here, and an error an exception."""

from typing import Any, Optional, Sequence

from heed._call import C, Out, call, call_outs, length
from heed._data import DatasetBase, LoaderBase
from heed._handles import Handle, Tensor
from heed._module import Module
from heed._optimizer import Optimizer, Schedule


class Generator(Handle):
    """Returns a generator with that seed at position 0, to be freed by heed_generator_free.
    Errors: NULL with HEED_ERR_NOMEM.
    torch: torch.Generator   numpy: numpy.random.default_rng"""

    _C = "heed_generator"

    def __init__(self, seed: int) -> None:
        self._make(C.heed_generator_new, seed)

    def dropout(self, x: Tensor, p: float, training: bool) -> Tensor:
        """Drops elements like heed_dropout, with a given generator: while training, every element is 0 with probability p, and
        x / (1 - p) otherwise.  dx = g, dropped alike.
        Errors: HEED_ERR_ARGUMENT for a NULL generator and unless 0 <= p <= 1; HEED_ERR_DTYPE unless x is f32 or f64."""
        return call(C.heed_generator_dropout, self, x, p, training)

    def set_state(self, seed: int, position: int) -> None:
        """Sets the seed and the position of a generator.
        Errors: HEED_ERR_ARGUMENT for NULL.
        torch: torch.Generator.set_state   numpy: numpy.random.set_state"""
        call(C.heed_generator_set_state, self, seed, position)

    def rand(self, shape: Any, dtype: str = "f32") -> Tensor:
        """Draws as heed_rand does, from a given generator: uniform in [0, 1), f32 or f64.
        Errors: NULL with HEED_ERR_DTYPE for a different dtype, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE,
        HEED_ERR_NOMEM.
        torch: torch.rand   numpy: numpy.random.Generator.random"""
        return call(C.heed_generator_rand, self, dtype, shape)

    def randn(self, shape: Any, dtype: str = "f32") -> Tensor:
        """Draws as heed_randn does, from a given generator: normal, mean 0 and variance 1, f32 or f64.
        Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE,
        HEED_ERR_NOMEM.
        torch: torch.randn   numpy: numpy.random.Generator.standard_normal"""
        return call(C.heed_generator_randn, self, dtype, shape)

    def normal(self, mean: float, std: float, shape: Any, dtype: str = "f32") -> Tensor:
        """Draws as heed_normal does, from a given generator.
        Errors: NULL as heed_normal, and with HEED_ERR_ARGUMENT for a NULL generator.
        torch: torch.normal   numpy: numpy.random.Generator.normal"""
        return call(C.heed_generator_normal, self, dtype, shape, mean, std)

    def randint(self, low: int, high: int, shape: Any) -> Tensor:
        """Draws as heed_randint does, from a given generator: i64, uniform in low .. high - 1.
        Errors: NULL with HEED_ERR_ARGUMENT for a NULL generator and unless low < high, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.randint   numpy: numpy.random.Generator.integers"""
        return call(C.heed_generator_randint, self, low, high, shape)

    def permutation(self, n: int) -> Tensor:
        """Draws as heed_permutation does, from a given generator: 0 .. n - 1 in random order, i64 (n).
        Errors: NULL with HEED_ERR_ARGUMENT for a NULL generator or n < 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.randperm   numpy: numpy.random.Generator.permutation"""
        return call(C.heed_generator_permutation, self, n)

    def bernoulli(self, p: float, shape: Any) -> Tensor:
        """Draws as heed_bernoulli does, from a given generator: bool, true with probability p.
        Errors: NULL with HEED_ERR_ARGUMENT for a NULL generator and unless 0 <= p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
        torch: torch.bernoulli"""
        return call(C.heed_generator_bernoulli, self, p, shape)

    def multinomial(self, weights: Tensor, count: int, replacement: bool = False) -> Tensor:
        """Draws as heed_multinomial does, from a given generator.
        Errors: NULL as heed_multinomial, and with HEED_ERR_ARGUMENT for a NULL generator.
        torch: torch.multinomial   numpy: numpy.random.Generator.choice"""
        return call(C.heed_generator_multinomial, self, weights, count, replacement)

    def exponential(self, shape: Any, dtype: str = "f32", *, rate: float) -> Tensor:
        """Draws as heed_exponential does, from a given generator.
        Errors: NULL as heed_exponential, and with HEED_ERR_ARGUMENT for a NULL generator.
        torch: torch.Tensor.exponential_   numpy: numpy.random.Generator.exponential"""
        return call(C.heed_generator_exponential, self, dtype, shape, rate)


class KVCache(Handle):
    """Makes an empty cache for one model.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a capacity below 0; HEED_ERR_NOMEM."""

    _C = "heed_kv_cache"

    def __init__(self, *, capacity: int = 0) -> None:
        self._make(C.heed_kv_cache_new, dict(capacity=capacity))

    def clear(self) -> None:
        """Empties the cache for new sequences, of any batch size; it reuses its memory if the batch size stays the same.

        Errors: HEED_ERR_ARGUMENT for NULL."""
        call(C.heed_kv_cache_clear, self)

    def length(self) -> int:
        """Returns the number of steps that the cache holds for the attention that used it first: the position of the next step.
        Returns 0 on failure.

        Errors: HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_kv_cache_length, self)

    def pad(self, padding: Tensor) -> None:
        """Declares the padding of prompts of unequal lengths for joint prediction. Prompts are padded on the left, with any
        token, and
            heed_kv_cache_pad(cache, padding);
        states that sequence i begins with padding[i] padded steps, i64 (B). Every causal attention that uses the cache hides
        them, and heed_nn_decoder and heed_nn_transformer_decoder count positions from the first step after them, so the
        results for every text are the same as for the text alone, except for rounding. Results at padded steps are
        meaningless. Padding is on the left because there it preserves the distances between steps, which RoPE, ALiBi,
        relative biases and windows use, and the last step of every prompt is the last step of all. memory_lens states the
        valid lengths of an encoder's results. The cache must be empty; heed_kv_cache_clear removes the padding, and
        heed_kv_cache_select carries its rows along. After a failure the cache is unchanged.

        Errors: HEED_ERR_ARGUMENT for NULL, and for a padding below 0; HEED_ERR_STATE for a cache with steps; HEED_ERR_SHAPE;
        HEED_ERR_DTYPE; HEED_ERR_NOMEM."""
        call(C.heed_kv_cache_pad, self, padding)

    def select(self, rows: Tensor) -> None:
        """Replaces sequence i by the former sequence rows[i], in all layers; rows is i64 (n), and n becomes the batch size.
        Beam search continues from its best sequences this way. After a failure the cache is unchanged.

        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX; HEED_ERR_NOMEM."""
        call(C.heed_kv_cache_select, self, rows)


class Average(Handle):
    """Makes averages a of the current parameters p of the module, one per parameter even if it has several names. They
    begin as copies of p, and heed_average_update n = 1, 2, ... does

        a = p                            n = 1
        a = a + (p - a) / n              with equal weights
        a = a + (1 - decay) (p - a)      with decay

    in the dtype of p. It retains the parameters, not the module. Without `buffers` the module keeps its own buffers;
    after averages of equal weights, running statistics may have to be computed again, by running the data once with the
    averages swapped in.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL module, a decay out of its range, and a module without tensors to average;
    HEED_ERR_UNSUPPORTED for a non-contiguous parameter; HEED_ERR_NOMEM.
    Reference: P. Izmailov et al.: Averaging Weights Leads to Wider Optima and Better Generalization (UAI 2018).
    torch: torch.optim.swa_utils.AveragedModel"""

    _C = "heed_average"

    def __init__(self, module: Any, *, decay: float = 0.0, buffers: bool = False) -> None:
        self._make(C.heed_average_new, module, dict(decay=decay, buffers=buffers))

    def update(self) -> None:
        """Adds the current parameters to their averages. Call it after every heed_optimizer_step, or after every epoch. After a
        failure the averages are unchanged.

        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE while they are swapped, and after 2^63 - 1 updates.
        torch: torch.optim.swa_utils.AveragedModel.update_parameters"""
        call(C.heed_average_update, self)

    def swap(self) -> None:
        """Exchanges the values of the parameters and of their averages, in place. Call it once to evaluate with the averages,
        or to save the module with them, and once more to continue. A step of the optimizer in between would train the
        averages. After a failure all values are unchanged.

        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM."""
        call(C.heed_average_swap, self)

    def state(self) -> Any:
        """Returns the averages: a dict of the tensors themselves, which later updates change, and which heed_dict_load and
        heed_checkpoint_load set. "n_averaged" is the number of updates, i64 (); "module." and a path is the average of a
        parameter, under the first of its names. The caller frees the dict.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE while they are swapped; HEED_ERR_NOMEM.
        torch: torch.optim.swa_utils.AveragedModel.state_dict"""
        return call(C.heed_average_state, self)


class Dataset(DatasetBase):
    """Returns a dataset of k tensors (n, ...), 1 to HEED_DATASET_MAX, of any dtypes: heed_dataset_new(HEED_TENSORS(images,
    labels)).
    It shares their elements, without their gradients; a non-contiguous tensor is copied. Free it with heed_dataset_free.
    Errors: NULL with HEED_ERR_ARGUMENT for k out of range or a NULL tensor, HEED_ERR_SHAPE for a scalar or if the first
    axes differ, HEED_ERR_NOMEM.
    torch: torch.utils.data.TensorDataset"""

    _C = "heed_dataset"

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self._make(C.heed_dataset_new, tensors, length(tensors))

    def size(self) -> int:
        """Returns n, the number of samples.
        Errors: 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_dataset_size, self)

    def split(self, fraction: float, generator: Optional[Handle] = None) -> Any:
        """Splits a dataset at random into a subset of floor(fraction n + 1/2) samples and a subset of the others, such as train
        and test.
        Both keep the order of the whole dataset. `generator` draws a permutation; NULL uses the default generator. After a
        failure *first and *second are NULL, and the generator's position is unchanged.
        Errors: HEED_ERR_ARGUMENT for NULL, for a fraction outside [0, 1], and if first and second are the same pointer;
        HEED_ERR_NOMEM.
        torch: torch.utils.data.random_split"""
        first_ = Out("heed_dataset")
        second_ = Out("heed_dataset")
        return call_outs(C.heed_dataset_split, self, fraction, generator, first_, second_)

    def subset(self, numbers: Tensor) -> "Dataset":
        """Returns the subset with these sample numbers, in their order.
        It keeps the tensors, so `dataset` may be freed before it.
        Errors: NULL with HEED_ERR_INDEX for a number outside 0 .. n - 1, HEED_ERR_DTYPE or HEED_ERR_SHAPE unless numbers is
        i64 (m), HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
        torch: torch.utils.data.Subset"""
        return Dataset._of(call(C.heed_dataset_subset, self, numbers), self, numbers)

    def fold(self, k: int, fold: int, *, shuffle: bool = False, seed: int = 0) -> Any:
        """Returns fold `fold`, 0 to k - 1, of a k-fold cross-validation: *held_out is that fold, *train all other samples.
        Both keep the order of the whole dataset. The first n mod k folds have floor(n / k) + 1 samples, the others floor(n /
        k); every sample is held out in exactly one fold. With shuffle, fold f is the f-th range of
        heed_generator_permutation(n) of a new generator with `seed`, so it depends only on n, k and the seed, and not on
        other random numbers. NULL options: no shuffle. After a failure *train and *held_out are NULL. scikit-learn:
        sklearn.model_selection.KFold.

            for (int f = 0; f < 5; f++) {
                heed_dataset *train, *held_out;
                heed_dataset_fold(all, 5, f, &(heed_dataset_fold_options){.shuffle = true}, &train, &held_out);
                ...
            }

        Errors: HEED_ERR_ARGUMENT for NULL, unless 2 <= k <= n and 0 <= fold < k, and if train and held_out are the same
        pointer; HEED_ERR_NOMEM."""
        train_ = Out("heed_dataset")
        held_out_ = Out("heed_dataset")
        return call_outs(C.heed_dataset_fold, self, k, fold, dict(shuffle=shuffle, seed=seed), train_, held_out_)


class Loader(LoaderBase):
    """Returns a loader at the beginning of epoch 0; `dataset` must outlive it.
    NULL options: batches of 1, in order. Free it with heed_loader_free.
    Errors: NULL with HEED_ERR_ARGUMENT for NULL, for a negative batch_size, and if an epoch would have no batch;
    HEED_ERR_NOMEM.
    torch: torch.utils.data.DataLoader"""

    _C = "heed_loader"

    def __init__(self, dataset: Handle, *, batch_size: int = 0, shuffle: bool = False, drop_last: bool = False,
        generator: Optional[Handle] = None) -> None:
        self._make(C.heed_loader_new, dataset, dict(batch_size=batch_size, shuffle=shuffle, drop_last=drop_last,
            generator=generator))

    def batches(self) -> int:
        """Returns the number of batches per epoch: ceil(n / batch_size), or floor(n / batch_size) with drop_last.
        Errors: 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_loader_batches, self)

    def epoch(self) -> int:
        """Returns the number of complete epochs.
        Errors: 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_loader_epoch, self)

    def batch(self) -> int:
        """Returns the number of batches read in the current epoch.
        Errors: 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_loader_batch, self)

    def next_numbers(self) -> Tensor:
        """Returns the sample numbers of the next batch, i64 (m), instead of the samples, and advances the loader as
        heed_loader_next does.
        Use it to read only some of the samples, with heed_dataset_take from heed_loader_dataset. The result is borrowed from
        the innermost scope.
        Errors: NULL as heed_loader_next.
        torch: torch.utils.data.BatchSampler"""
        return call(C.heed_loader_next_numbers, self)


class Scaler(Handle):
    """Computes the mean and standard deviation of x (n, ...), f32 or f64, over its first axis:

        mean = sum x / n    std = sqrt(sum (x - mean)^2 / n)

    Both are (...), of x's dtype, and computed in f64, without overflow or underflow of the sums. NaN elements are
    ignored and not counted in n. If all numbers of a column are equal, mean is that number and std 1, so that applying
    the scaler gives 0. NULL options: NaN stays NaN. Free the scaler with heed_scaler_free.

    Errors: NULL with HEED_ERR_SHAPE for a scalar or no samples; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for NULL and for a
    column with only NaN or an infinity (the message gives the first such column); HEED_ERR_NOMEM."""

    _C = "heed_scaler"

    def __init__(self, x: Tensor, *, fill_nan: bool = False) -> None:
        self._make(C.heed_scaler_new, x, dict(fill_nan=fill_nan))

    def transform(self, x: Tensor) -> Tensor:
        """Returns (x - mean) / std, for x (m, ...) with any m, or one sample (...), of the scaler's dtype. Differentiable.
        Errors: NULL with HEED_ERR_SHAPE or HEED_ERR_DTYPE if x does not fit the scaler, HEED_ERR_ARGUMENT for NULL,
        HEED_ERR_NOMEM."""
        return call(C.heed_scaler_transform, self, x)

    def inverse_transform(self, x: Tensor) -> Tensor:
        """Returns x std + mean, which inverts heed_scaler_transform up to rounding: for predictions of a standardised target.
        Differentiable.
        Errors: NULL as heed_scaler_transform."""
        return call(C.heed_scaler_inverse_transform, self, x)

    def mean(self) -> Tensor:
        """Returns the means (...), which belong to the scaler.
        Errors: NULL with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_scaler_mean, self)

    def std(self) -> Tensor:
        """Returns the divisors (...) of heed_scaler_transform, which belong to the scaler: the standard deviations, or 1 if all
        numbers of a column were equal.
        Errors: NULL with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_scaler_std, self)


class Categories(Handle):
    """Returns the different texts among n texts, which are copied, like np.unique.
    Free the result with heed_categories_free.
    Errors: NULL with HEED_ERR_ARGUMENT for NULL or a negative n, HEED_ERR_NOMEM.
    numpy: numpy.unique"""

    _C = "heed_categories"

    def __init__(self, texts: Sequence[str]) -> None:
        self._make(C.heed_categories_new, texts, length(texts))

    def count(self) -> int:
        """Returns the number of categories: the classes of a softmax, the rows of an embedding.
        Errors: 0 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_categories_count, self)

    def name(self, code: int) -> str:
        """Returns the text of a code, which belongs to the categories.
        Errors: NULL with HEED_ERR_INDEX for a code outside 0 .. count - 1, HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_categories_name, self, code)

    def find(self, text: str) -> int:
        """Returns the code of a text, or -1 without an error for an unknown text.
        Errors: -1 with HEED_ERR_ARGUMENT for NULL."""
        return call(C.heed_categories_find, self, text)


class SGD(Optimizer):
    """Makes an optimizer for stochastic gradient descent by PyTorch's rule. The momentum buffer b is first equal to g:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        b = momentum b + (1 - dampening) g         when momentum is not 0
        g = nesterov ? g + momentum b : b
        p = p - lr g

    It updates the parameters of the module that require a gradient. The options are required, because lr has no default.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, NULL options, or a module without parameters
    that require a gradient; HEED_ERR_STATE for a non-leaf parameter; HEED_ERR_UNSUPPORTED for a non-contiguous
    parameter; HEED_ERR_NOMEM.
    torch: torch.optim.SGD"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_sgd, C.heed_optim_sgd_tensors, parameters, dict(lr=lr, momentum=momentum, dampening=dampening,
            weight_decay=weight_decay, nesterov=nesterov, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with its own options. `optimizer` was made by heed_optim_sgd or
        heed_optim_sgd_tensors. NULL options are an error here too. After a failure the optimizer is unchanged.

        Errors: as heed_optim_sgd_tensors; HEED_ERR_ARGUMENT also for a tensor in a group already, and for an optimizer of a
        different kind.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_sgd_add_group, parameters, dict(lr=lr, momentum=momentum, dampening=dampening,
            weight_decay=weight_decay, nesterov=nesterov, maximize=maximize))


class Adam(Optimizer):
    """Makes an Adam optimizer by PyTorch's rule. m and v start at 0, and t counts the updates of a parameter from 1:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        m = beta1 m + (1 - beta1) g
        v = beta2 v + (1 - beta2) g^2              with amsgrad its largest value so far is used from here on
        p = p - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps)

    It updates the parameters of the module that require a gradient. NULL options: lr 1e-3, betas 0.9 and 0.999, eps
    1e-8.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
    a gradient; HEED_ERR_STATE for a non-leaf parameter; HEED_ERR_UNSUPPORTED for a non-contiguous parameter;
    HEED_ERR_NOMEM.
    Reference: D. P. Kingma, J. Ba: Adam: A Method for Stochastic Optimization (ICLR 2015).
    torch: torch.optim.Adam"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_adam, C.heed_optim_adam_tensors, parameters, dict(lr=lr, beta1=beta1, beta2=beta2,
            no_momentum=no_momentum, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with its own options. `optimizer` was made by heed_optim_adam or
        heed_optim_adam_tensors. After a failure the optimizer is unchanged.

        Errors: as heed_optim_adam_tensors; HEED_ERR_ARGUMENT also for a tensor in a group already, and for an optimizer of a
        different kind, AdamW too.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_adam_add_group, parameters, dict(lr=lr, beta1=beta1, beta2=beta2, no_momentum=no_momentum,
            eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))


class AdamW(Optimizer):
    """Makes an AdamW optimizer: Adam with weight decay apart from the gradient. The decay is p = p - lr weight_decay p
    before the update, and is not in g. (PyTorch's default decay is 0.01; the default here is 0.) Parameters and NULL
    options are as in heed_optim_adam.

    Errors: as heed_optim_adam.
    Reference: I. Loshchilov, F. Hutter: Decoupled Weight Decay Regularization (ICLR 2019).
    torch: torch.optim.AdamW"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_adamw, C.heed_optim_adamw_tensors, parameters, dict(lr=lr, beta1=beta1, beta2=beta2,
            no_momentum=no_momentum, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, no_momentum: bool = False,
        eps: float = 0.0, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with its own options, for example biases without weight decay. `optimizer`
        was made by heed_optim_adamw or heed_optim_adamw_tensors. After a failure the optimizer is unchanged.

        Errors: as heed_optim_adam_add_group.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_adamw_add_group, parameters, dict(lr=lr, beta1=beta1, beta2=beta2, no_momentum=no_momentum,
            eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize))


class RMSprop(Optimizer):
    """Makes an RMSprop optimizer by PyTorch's rule. The averages v and a and the momentum buffer b start at 0:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        v = alpha v + (1 - alpha) g^2
        a = alpha a + (1 - alpha) g                when centered: s = max(v - a^2, 0); else s = v
        b = momentum b + g / (sqrt(s) + eps)       without momentum b is the new term alone
        p = p - lr b

    It updates the parameters of the module that require a gradient. (In PyTorch s may be negative by rounding, which
    makes p NaN.)

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
    a gradient; HEED_ERR_STATE for a non-leaf parameter; HEED_ERR_UNSUPPORTED for a non-contiguous parameter;
    HEED_ERR_NOMEM.
    Reference: T. Tieleman, G. Hinton: Lecture 6.5, Neural Networks for Machine Learning (2012); centered: A. Graves:
    Generating Sequences With Recurrent Neural Networks (2013).
    torch: torch.optim.RMSprop"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, alpha: float = 0.0, eps: float = 0.0, weight_decay: float = 0.0,
        momentum: float = 0.0, centered: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_rmsprop, C.heed_optim_rmsprop_tensors, parameters, dict(lr=lr, alpha=alpha, eps=eps,
            weight_decay=weight_decay, momentum=momentum, centered=centered, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, alpha: float = 0.0, eps: float = 0.0, weight_decay: float = 0.0,
        momentum: float = 0.0, centered: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with its own options. `optimizer` was made by heed_optim_rmsprop or
        heed_optim_rmsprop_tensors. After a failure the optimizer is unchanged.

        Errors: as heed_optim_rmsprop_tensors; HEED_ERR_ARGUMENT also for a tensor in a group already, and for an optimizer
        of a different kind.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_rmsprop_add_group, parameters, dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay,
            momentum=momentum, centered=centered, maximize=maximize))


class Adagrad(Optimizer):
    """Makes an Adagrad optimizer by PyTorch's rule. s starts at initial_accumulator_value, and t counts the updates of a
    parameter from 1:

        g = maximize ? -grad : grad
        g = g + weight_decay p
        s = s + g^2
        p = p - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)

    It updates the parameters of the module that require a gradient.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
    a gradient; HEED_ERR_STATE for a non-leaf parameter; HEED_ERR_UNSUPPORTED for a non-contiguous parameter;
    HEED_ERR_NOMEM.
    Reference: J. Duchi, E. Hazan, Y. Singer: Adaptive Subgradient Methods for Online Learning and Stochastic
    Optimization (JMLR 2011).
    torch: torch.optim.Adagrad"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, lr_decay: float = 0.0, weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0, eps: float = 0.0, maximize: bool = False) -> None:
        self._begin(C.heed_optim_adagrad, C.heed_optim_adagrad_tensors, parameters, dict(lr=lr, lr_decay=lr_decay,
            weight_decay=weight_decay, initial_accumulator_value=initial_accumulator_value, eps=eps, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, lr_decay: float = 0.0, weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0, eps: float = 0.0, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with its own options. `optimizer` was made by heed_optim_adagrad or
        heed_optim_adagrad_tensors. After a failure the optimizer is unchanged.

        Errors: as heed_optim_adagrad_tensors; HEED_ERR_ARGUMENT also for a tensor in a group already, and for an optimizer
        of a different kind.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_adagrad_add_group, parameters, dict(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value, eps=eps, maximize=maximize))


class Lion(Optimizer):
    """Makes a Lion optimizer: every element moves by lr in the direction of an average of its gradients. m starts at 0:

        g = maximize ? -grad : grad
        p = p - lr (sign(beta1 m + (1 - beta1) g) + weight_decay p)
        m = beta2 m + (1 - beta2) g

    It updates the parameters of the module that require a gradient.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
    a gradient; HEED_ERR_STATE for a non-leaf parameter; HEED_ERR_UNSUPPORTED for a non-contiguous parameter;
    HEED_ERR_NOMEM.
    Reference: X. Chen et al.: Symbolic Discovery of Optimization Algorithms (NeurIPS 2023)."""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, weight_decay: float = 0.0,
        maximize: bool = False) -> None:
        self._begin(C.heed_optim_lion, C.heed_optim_lion_tensors, parameters, dict(lr=lr, beta1=beta1, beta2=beta2,
            weight_decay=weight_decay, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, beta1: float = 0.0, beta2: float = 0.0, weight_decay: float = 0.0,
        maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with its own options. `optimizer` was made by heed_optim_lion or
        heed_optim_lion_tensors. After a failure the optimizer is unchanged.

        Errors: as heed_optim_lion_tensors; HEED_ERR_ARGUMENT also for a tensor in a group already, and for an optimizer of a
        different kind.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_lion_add_group, parameters, dict(lr=lr, beta1=beta1, beta2=beta2, weight_decay=weight_decay,
            maximize=maximize))


class Muon(Optimizer):
    """Makes a Muon optimizer for matrices: momentum with all singular values brought near 1. The momentum buffer b starts
    at 0:

        g = maximize ? -grad : grad
        b = b + (1 - momentum) (g - b)
        O = g + momentum (b - g)                       Nesterov's
        X = O / (|O| + 1e-7)                           by the 2-norm of all elements
        X = a X + (b A + c A A) X,  A = X X^T          `steps` times, with 3.4445, -4.7750 and 2.0315 for a, b and c
        p = p - lr (sqrt(max(1, rows / columns)) X + weight_decay p)

    It updates the parameters of the module that require a gradient. The iteration uses the dtype of the parameter; the
    reference implementation uses bfloat16. As in the reference, AdamW should train biases, gains, embeddings and the
    last layer. Only matrices are accepted, so a module with biases needs heed_optim_muon_tensors and a second optimizer.
    A process that holds a shard of the state (heed/data_parallel.h) is an error too.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
    a gradient; HEED_ERR_SHAPE for a non-matrix; HEED_ERR_STATE for a non-leaf parameter; HEED_ERR_UNSUPPORTED for a
    non-contiguous parameter; HEED_ERR_NOMEM.
    Reference: K. Jordan et al.: Muon: An optimizer for hidden layers in neural networks (2024)."""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, weight_decay: float = 0.0, steps: int = 0,
        no_nesterov: bool = False, maximize: bool = False) -> None:
        self._begin(C.heed_optim_muon, C.heed_optim_muon_tensors, parameters, dict(lr=lr, momentum=momentum,
            weight_decay=weight_decay, steps=steps, no_nesterov=no_nesterov, maximize=maximize))

    def add_group(self, parameters: Any, *, lr: float = 0.0, momentum: float = 0.0, weight_decay: float = 0.0, steps: int = 0,
        no_nesterov: bool = False, maximize: bool = False) -> None:
        """Adds n tensors to an optimizer as a group with its own options. `optimizer` was made by heed_optim_muon or
        heed_optim_muon_tensors. After a failure the optimizer is unchanged.

        Errors: as heed_optim_muon_tensors; HEED_ERR_ARGUMENT also for a tensor in a group already, and for an optimizer of a
        different kind.
        torch: torch.optim.Optimizer.add_param_group"""
        self._add(C.heed_optim_muon_add_group, parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay,
            steps=steps, no_nesterov=no_nesterov, maximize=maximize))


class LBFGS(Optimizer):
    """Makes an L-BFGS optimizer by PyTorch's rule, with a line search for the strong Wolfe conditions. The loss must be the
    same function at every evaluation, such as the loss of all data at once. heed_optimizer_step_closure does up to
    max_iter iterations of

        p = p + t d,  d = -H g

    where H approximates the inverse of the matrix of second derivatives, from the changes of the last history_size
    iterations. The first trial step t is lr, and in the very first iteration lr min(1, 1 / sum |g|). All computation is
    in f64, whatever the dtype of the parameters. Additional groups and teams (heed/data_parallel.h) are errors.
    Parameters are as in heed_optim_adam.

    Errors: as heed_optim_adam.
    Reference: D. C. Liu, J. Nocedal: On the limited memory BFGS method for large scale optimization (Math. Programming
    1989).
    torch: torch.optim.LBFGS"""

    _C = "heed_optimizer"

    def __init__(self, parameters: Any, *, lr: float = 0.0, max_iter: int = 0, max_eval: int = 0, tolerance_grad: float = 0.0,
        tolerance_change: float = 0.0, history_size: int = 0, no_line_search: bool = False) -> None:
        self._begin(C.heed_optim_lbfgs, C.heed_optim_lbfgs_tensors, parameters, dict(lr=lr, max_iter=max_iter,
            max_eval=max_eval, tolerance_grad=tolerance_grad, tolerance_change=tolerance_change, history_size=history_size,
            no_line_search=no_line_search))


class StepSchedule(Schedule):
    """Makes a schedule that falls in steps: lr gamma^floor(t / step_size), with step_size >= 1 and gamma >= 0.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
    HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.StepLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, step_size: int, gamma: float) -> None:
        self._make(C.heed_schedule_new_step, optimizer, step_size, gamma)


class ExponentialSchedule(Schedule):
    """Makes a schedule that falls exponentially: lr gamma^t, with gamma >= 0.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a gamma out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
    HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.ExponentialLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, gamma: float) -> None:
        self._make(C.heed_schedule_new_exponential, optimizer, gamma)


class CosineSchedule(Schedule):
    """Makes a schedule that follows a cosine: eta_min + (lr - eta_min) (1 + cos(pi t / t_max)) / 2, with t_max >= 1 and
    eta_min >= 0. It rises again after t_max.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
    HEED_ERR_NOMEM.
    Reference: I. Loshchilov, F. Hutter: SGDR: Stochastic Gradient Descent with Warm Restarts (ICLR 2017).
    torch: torch.optim.lr_scheduler.CosineAnnealingLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, t_max: int, eta_min: float) -> None:
        self._make(C.heed_schedule_new_cosine, optimizer, t_max, eta_min)


class LinearSchedule(Schedule):
    """Makes a linear schedule, for warm-up: lr (start + (end - start) min(t, total) / total), with start, end >= 0 and
    total >= 1.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
    HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.LinearLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, start: float, end: float, total: int) -> None:
        self._make(C.heed_schedule_new_linear, optimizer, start, end, total)


class OneCycleSchedule(Schedule):
    """Makes a one-cycle schedule, which rises to lr and falls far below its start, once, in `total` >= 1 steps of one batch
    each. It goes from lr / div_factor at t = 0 to lr at t = pct_start total - 1, and to lr / (div_factor
    final_div_factor) at t = total - 1, where it stays. The momentum does not change, as with PyTorch's
    cycle_momentum=False.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
    HEED_ERR_NOMEM.
    Reference: L. N. Smith, N. Topin: Super-Convergence: Very Fast Training of Neural Networks Using Large Learning Rates
    (2018).
    torch: torch.optim.lr_scheduler.OneCycleLR"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, total: int, *, pct_start: float = 0.0, div_factor: float = 0.0,
        final_div_factor: float = 0.0, linear: bool = False, three_phase: bool = False) -> None:
        self._make(C.heed_schedule_new_one_cycle, optimizer, total, dict(pct_start=pct_start, div_factor=div_factor,
            final_div_factor=final_div_factor, linear=linear, three_phase=three_phase))


class PlateauSchedule(Schedule):
    """Makes a schedule that reduces the rates when a metric stops improving. The rates become max(factor lr, min_lr), from
    the rate in force, if more than `patience` metrics in a row, passed to heed_schedule_step_metric, were not better
    than the best one by `threshold`. It sets no rate before. It is not a function of t: heed_schedule_step and
    heed_schedule_set_steps fail, and it cannot be a part. A checkpoint stores its state.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a NULL optimizer and a number out of its range; HEED_ERR_STATE for an optimizer that
    has a schedule already; HEED_ERR_NOMEM.
    torch: torch.optim.lr_scheduler.ReduceLROnPlateau"""

    _C = "heed_schedule"

    def __init__(self, optimizer: Handle, *, factor: float = 0.0, patience: int = 0, no_patience: bool = False,
        max: bool = False, threshold: float = 0.0, absolute: bool = False, cooldown: int = 0, min_lr: float = 0.0,
        eps: float = 0.0) -> None:
        self._make(C.heed_schedule_new_plateau, optimizer, dict(factor=factor, patience=patience, no_patience=no_patience,
            max=max, threshold=threshold, absolute=absolute, cooldown=cooldown, min_lr=min_lr, eps=eps))


class AdaptiveAvgPool2d(Module):
    """Makes a layer that returns the mean of every one of output_size[0] x output_size[1] windows; HEED_SHAPE(1) is the
    mean of every plane.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for invalid sizes; HEED_ERR_NOMEM.
    torch: torch.nn.AdaptiveAvgPool2d"""

    _C = "adaptive_avg_pool2d"

    def __init__(self, output_size: Any) -> None:
        self._make(C.heed_nn_adaptive_avg_pool2d_new, output_size)

    def forward(self, x: Tensor) -> Tensor:
        """Applies the pooling: x (..., H, W) -> (..., output_size), as heed_adaptive_avg_pool2d does.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_adaptive_avg_pool2d.
        torch: torch.nn.AdaptiveAvgPool2d.forward"""
        return call(C.heed_nn_adaptive_avg_pool2d_forward, self, x)


class AdditiveAttention(Module):
    """Makes an additive attention layer: AdditiveAttention of the book, MLPAttention in its older editions. The parameters
    are "W_k.weight" (h, key_size), "W_q.weight" (h, query_size) and "w_v.weight" (1, h), drawn as in heed_nn_linear_new,
    without biases.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
    HEED_ERR_NOMEM.
    Reference: D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
    (ICLR 2015)."""

    _C = "additive_attention"

    def __init__(self, key_size: int, query_size: int, hidden_size: int, *, dropout: float = 0.0, dtype: str = "f32") -> None:
        self._make(C.heed_nn_additive_attention_new, key_size, query_size, hidden_size, dict(dropout=dropout, dtype=dtype))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """Computes additive attention: softmax over the keys of w_v^T tanh(W_q q + W_k k), times the values. queries (B, Q,
        query_size), keys (B, K, key_size), values (B, K, v) -> (B, Q, v). valid_lens is i64 (B) or (B, Q), or NULL.
        *weights, unless `weights` is NULL, receives (B, Q, K), before dropout.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K;
        HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_additive_attention_forward, self, queries, keys, values, valid_lens, weights_)

    def masked(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None,
        mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """Computes heed_nn_additive_attention_forward with a mask and a bias, which can hide keys too. mask is bool, true if a
        query sees a key; bias, of the layer's dtype, is added to the scores and differentiable, and -inf hides a key. Both
        broadcast to (B, Q, K), or are NULL.
        Errors: as heed_nn_additive_attention_forward."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_additive_attention_masked, self, queries, keys, values, valid_lens, mask, bias, weights_)


class AvgPool2d(Module):
    """Makes a layer without parameters that returns the mean of every window. NULL options: adjacent windows.

    Returns NULL on failure.
    Errors: as heed_nn_max_pool2d_new.
    torch: torch.nn.AvgPool2d"""

    _C = "avg_pool2d"

    def __init__(self, kernel_size: Any, *, stride: Any = None, padding: Any = None, ceil_mode: bool = False,
        exclude_pad: bool = False, divisor: int = 0) -> None:
        self._make(C.heed_nn_avg_pool2d_new, kernel_size, dict(stride=stride, padding=padding, ceil_mode=ceil_mode,
            exclude_pad=exclude_pad, divisor=divisor))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the pooling: x (..., H, W) -> (..., M, N), as heed_avg_pool2d does.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_avg_pool2d.
        torch: torch.nn.AvgPool2d.forward"""
        return call(C.heed_nn_avg_pool2d_forward, self, x)


class BahdanauDecoder(Module):
    """Creates a decoder with additive attention, the book's Seq2SeqAttentionDecoder.
    At every step the last layer's state is the query of an additive attention over the encoder's states, and the GRU
    reads the resulting context concatenated with the embedded token. Its parameters are "attention. ...",
    "embedding.weight", "rnn. ..." with inputs (context, embedding), "dense.weight", "dense.bias".

    Errors: NULL with HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
    HEED_ERR_NOMEM.
    Reference: D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
    (ICLR 2015)."""

    _C = "bahdanau_decoder"

    def __init__(self, vocab_size: int, embed_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_bahdanau_decoder_new, vocab_size, embed_size, hidden_size, dict(num_layers=num_layers,
            dropout=dropout, dtype=dtype))

    def forward(self, tokens: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, state: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """Computes the logits (B, T, vocab_size) for the token after every one of tokens i64 (B, T).
        memory (B, K, hidden_size) are the encoder's states, valid_lens i64 (B) their lengths, or NULL. *state (num_layers,
        B, hidden_size) is the state before the first token (initially the encoder's) and becomes the state after the last,
        so a sentence may be decoded token by token. It must not be NULL, and is unchanged on failure. Unless `weights` is
        NULL, *weights receives the attention's weights (B, T, K), before dropout, or NULL on failure.

        Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token or a length
        out of range, HEED_ERR_UNSUPPORTED for more than 2^20 steps, HEED_ERR_NOMEM."""
        state_ = Out("state", state)
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_bahdanau_decoder_forward, self, tokens, memory, valid_lens, state_, weights_)


class BatchNorm1d(Module):
    """Makes a batch norm of num_features channels, for (B, C) and (B, C, L). The parameters are "weight", ones, and "bias",
    zeros; the buffers are "running_mean", zeros, and "running_var", ones, all (C), and "num_batches_tracked", i64 ().

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1, a negative or non-finite eps, a momentum outside [0, 1] or given with
    cumulative; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
    torch: torch.nn.BatchNorm1d"""

    _C = "batch_norm1d"

    def __init__(self, num_features: int, *, eps: float = 0.0, momentum: float = 0.0, cumulative: bool = False,
        no_affine: bool = False, no_running_stats: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_batch_norm1d_new, num_features, dict(eps=eps, momentum=momentum, cumulative=cumulative,
            no_affine=no_affine, no_running_stats=no_running_stats, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Normalises x (B, C) or (B, C, L) to the same shape, as heed_batch_norm does, and updates the running statistics while
        training.

        Returns NULL on failure; the statistics are then unchanged.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for other shapes, and while training for a single number per
        channel, which has no variance; HEED_ERR_DTYPE unless x has the dtype of the layer; HEED_ERR_NOMEM.
        torch: torch.nn.BatchNorm1d.forward"""
        return call(C.heed_nn_batch_norm1d_forward, self, x)


class BatchNorm2d(Module):
    """Makes a batch norm of planes (B, C, H, W), with the same parameters and buffers as heed_nn_batch_norm1d_new.

    Returns NULL on failure.
    Errors: as heed_nn_batch_norm1d_new.
    torch: torch.nn.BatchNorm2d"""

    _C = "batch_norm2d"

    def __init__(self, num_features: int, *, eps: float = 0.0, momentum: float = 0.0, cumulative: bool = False,
        no_affine: bool = False, no_running_stats: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_batch_norm2d_new, num_features, dict(eps=eps, momentum=momentum, cumulative=cumulative,
            no_affine=no_affine, no_running_stats=no_running_stats, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Normalises x (B, C, H, W) to the same shape, as heed_nn_batch_norm1d_forward does.

        Returns NULL on failure.
        Errors: as heed_nn_batch_norm1d_forward.
        torch: torch.nn.BatchNorm2d.forward"""
        return call(C.heed_nn_batch_norm2d_forward, self, x)


class Conv1d(Module):
    """Makes a convolution layer from `in` to `out` channels with k = kernel_size. The parameters are "weight" (out, in /
    groups, k) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = in / groups k. NULL options: f32, a
    bias, stride 1, no padding.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1, unless groups divides in and out, and for an invalid stride, padding or
    dilation; HEED_ERR_SHAPE for a weight with more elements than can be counted; HEED_ERR_DTYPE unless f32 or f64;
    HEED_ERR_NOMEM.
    torch: torch.nn.Conv1d"""

    _C = "conv1d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
        groups: int = 0, same: bool = False, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv1d_new, in_, out, kernel_size, dict(stride=stride, padding=padding, dilation=dilation,
            groups=groups, same=same, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the convolution: x (B, in, L) -> (B, out, M), as heed_conv1d does.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different number of channels, and if the kernel does not
        fit; HEED_ERR_DTYPE unless x has the dtype of the layer; HEED_ERR_NOMEM.
        torch: torch.nn.Conv1d.forward"""
        return call(C.heed_nn_conv1d_forward, self, x)


class Conv2d(Module):
    """Makes a convolution layer from `in` to `out` channels with a kernel of kh x kw. The parameters are "weight" (out, in
    / groups, kh, kw) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = in / groups kh kw.

    Returns NULL on failure.
    Errors: as heed_nn_conv1d_new.
    torch: torch.nn.Conv2d"""

    _C = "conv2d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
        groups: int = 0, same: bool = False, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv2d_new, in_, out, kernel_size, dict(stride=stride, padding=padding, dilation=dilation,
            groups=groups, same=same, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the convolution: x (B, in, H, W) -> (B, out, M, N), as heed_conv2d does.

        Returns NULL on failure.
        Errors: as heed_nn_conv1d_forward.
        torch: torch.nn.Conv2d.forward"""
        return call(C.heed_nn_conv2d_forward, self, x)


class ConvTranspose1d(Module):
    """Makes a transposed convolution layer from `in` to `out` channels with k = kernel_size. The parameters are "weight"
    (in, out / groups, k) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = out / groups k.

    Returns NULL on failure.
    Errors: as heed_nn_conv1d_new.
    torch: torch.nn.ConvTranspose1d"""

    _C = "conv_transpose1d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None,
        output_padding: Any = None, dilation: Any = None, groups: int = 0, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv_transpose1d_new, in_, out, kernel_size, dict(stride=stride, padding=padding,
            output_padding=output_padding, dilation=dilation, groups=groups, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the transposed convolution: x (B, in, M) -> (B, out, L), as heed_conv_transpose1d does.

        Returns NULL on failure.
        Errors: as heed_nn_conv1d_forward.
        torch: torch.nn.ConvTranspose1d.forward"""
        return call(C.heed_nn_conv_transpose1d_forward, self, x)


class ConvTranspose2d(Module):
    """Makes a transposed convolution layer from `in` to `out` channels with a kernel of kh x kw. The parameters are
    "weight" (in, out / groups, kh, kw) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = out / groups
    kh kw.

    Returns NULL on failure.
    Errors: as heed_nn_conv1d_new.
    torch: torch.nn.ConvTranspose2d"""

    _C = "conv_transpose2d"

    def __init__(self, in_: int, out: int, kernel_size: Any, *, stride: Any = None, padding: Any = None,
        output_padding: Any = None, dilation: Any = None, groups: int = 0, no_bias: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_conv_transpose2d_new, in_, out, kernel_size, dict(stride=stride, padding=padding,
            output_padding=output_padding, dilation=dilation, groups=groups, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the transposed convolution: x (B, in, M, N) -> (B, out, H, W), as heed_conv_transpose2d does.

        Returns NULL on failure.
        Errors: as heed_nn_conv1d_forward.
        torch: torch.nn.ConvTranspose2d.forward"""
        return call(C.heed_nn_conv_transpose2d_forward, self, x)


class Decoder(Module):
    """Makes a decoder-only Transformer. Its parameters, with h = hidden_size:

        embedding.weight (vocab_size, h)    positions.weight (max_len, h), without rope and alibi
        layers.0.norm1.weight, .bias        layers.0.self_attn. ..., of heed_nn_multi_head_attention_new
        layers.0.norm2.weight, .bias        layers.0.gate.weight (ffn_size, h), .bias, if gated
        layers.0.linear1.weight (ffn_size, h), .bias    layers.0.linear2.weight (h, ffn_size), .bias
        ...
        norm.weight, .bias                  dense.weight (vocab_size, h), unless tied

    Matrices are N(0, 0.02^2), but out_proj and linear2, whose results are added to x, are N(0, 0.02^2 / (2 num_layers));
    biases are 0. RoPE and ALiBi have no parameters, and a decoder may use both.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1, more than 2^12 layers, unless num_heads divides hidden_size or head_dim
    is given, unless kv_heads divides num_heads, for heads of odd size with rope, a dropout outside [0, 1], an invalid
    eps, a window below 0, and for RoPE as in heed_nn_multi_head_attention_new; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
    HEED_ERR_NOMEM.
    Reference: A. Radford et al.: Language Models are Unsupervised Multitask Learners (2019). H. Touvron et al.: LLaMA
    (2023). O. Press, N. Smith, M. Lewis: Train Short, Test Long (ICLR 2022), for ALiBi."""

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

    def load(self, from_: Any) -> None:
        """Copies a checkpoint of the Hugging Face Hub into the decoder. `from` has the names of GPT-2 ("h.0.attn.c_attn.weight"
        and so on, with or without "transformer." in front), whose matrices are transposed, or the names that Llama, Mistral
        and Qwen share ("model.layers.0.self_attn.q_proj.weight" and so on); the names decide. Read it with
        heed_io_safetensors_read, or heed_io_safetensors_read_shards for several files. Numbers of a different floating-point
        dtype are converted to the decoder's. The causal masks and RoPE frequencies in such files are ignored, and so is
        "lm_head.weight" if the output is tied and it equals the embedding. After a failure the decoder is unchanged.

        Errors: HEED_ERR_ARGUMENT for NULL, for missing or unexpected names and different shapes, which the message lists as
        heed_dict_load does, and if only one of the file and the decoder has a tied output map: the message says how to set
        .tied; HEED_ERR_NOMEM."""
        call(C.heed_nn_decoder_load, self, from_)

    def forward(self, tokens: Tensor, *, return_weights: bool = False) -> Any:
        """Predicts the token after every step of `tokens`, i64 (B, T), as logits (B, T, vocab_size):
            x = dropout(embedding(tokens) + positions(0 .. T - 1)),
            x = x + dropout(attention(norm1(x))),   x = x + dropout(feed_forward(norm2(x)))   for every block,
            y = norm(x) dense^T
        where feed_forward(x) is linear2(activation(linear1(x))), or linear2(activation(gate(x)) linear1(x)). A step sees
        itself and earlier steps. *weights, unless `weights` is NULL, receives (num_layers, B, num_heads, T, T);
        heed_module_forward passes NULL.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE, also for more than max_len steps if positions are learned;
        HEED_ERR_DTYPE; HEED_ERR_INDEX for a token outside the vocabulary; the errors of the activation; HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_decoder_forward, self, tokens, weights_)

    def masked(self, tokens: Tensor, mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """Computes heed_nn_decoder_forward with a mask and a bias in all blocks, which can hide steps from each other too. mask
        is bool, true if a step sees another; bias, of the decoder's dtype, is added to the scores and differentiable, and
        -inf hides a step. Both broadcast to (B, num_heads, T, T), or are NULL; one per sequence is (B, 1, T, T), as in
        heed_nn_multi_head_attention_masked. A step still never sees a later one.

        One row may hold several texts if a mask hides them from each other. With rope or alibi, which use distances, the
        numbers of every text are then the same as for the text alone, except for rounding; learned positions count from the
        beginning of the row.
        Errors: as heed_nn_decoder_forward."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_decoder_masked, self, tokens, mask, bias, weights_)

    def cached(self, tokens: Tensor, cache: Handle, *, return_weights: bool = False) -> Any:
        """Applies the decoder to the next steps in prediction, and appends them to the cache. `tokens` are the steps that
        follow the steps in the cache. The numbers are the same as in heed_nn_decoder_forward, at the cost of the new steps.
        *weights, unless `weights` is NULL, receives (num_layers, B, num_heads, T, all steps). No graph is recorded.

        Returns NULL on failure; the cache is then unchanged.
        Errors: as heed_nn_decoder_forward, and HEED_ERR_SHAPE if B differs from the cache."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_decoder_cached, self, tokens, cache, weights_)


class DotProductAttention(Module):
    """Makes a scaled dot-product attention layer, DotProductAttention of the book. It has no parameters and accepts f32 and
    f64. NULL options: scale 1 / sqrt(d), no dropout, not causal.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a non-finite scale or a dropout outside [0, 1]; HEED_ERR_NOMEM."""

    _C = "dot_product_attention"

    def __init__(self, *, dropout: float = 0.0, scale: float = 0.0, causal: bool = False) -> None:
        self._make(C.heed_nn_dot_product_attention_new, dict(dropout=dropout, scale=scale, causal=causal))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None, *,
        return_weights: bool = False) -> Any:
        """Computes dot-product attention: softmax over the keys of q^T k scale, 1 / sqrt(d) by default, times the values.
        queries (B, Q, d), keys (B, K, d), values (B, K, v) -> (B, Q, v); or with heads, (B, H, Q, d) and so on. valid_lens
        is i64 (B) or (B, Q), or NULL. *weights, unless `weights` is NULL, receives (B, Q, K) or (B, H, Q, K), before
        dropout.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_INDEX for
        a length outside 0 .. K; HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_dot_product_attention_forward, self, queries, keys, values, valid_lens, weights_)

    def masked(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None,
        mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """Computes heed_nn_dot_product_attention_forward with a mask and a bias, which can hide keys too. mask is bool, true if
        a query sees a key; bias, of the dtype of the inputs, is added to the scores after the scale and differentiable, and
        -inf hides a key. Both broadcast to (B, Q, K), or with heads to (B, H, Q, K), or are NULL; with heads, one per batch
        element is (B, 1, Q, K), and three axes mean one per head.

        Errors: as heed_nn_dot_product_attention_forward.
        torch: torch.nn.functional.scaled_dot_product_attention"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_dot_product_attention_masked, self, queries, keys, values, valid_lens, mask, bias, weights_)


class Dropout(Module):
    """Makes a layer without parameters that drops elements with probability p.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT unless p is in [0, 1]; HEED_ERR_NOMEM.
    torch: torch.nn.Dropout"""

    _C = "dropout"

    def __init__(self, p: float) -> None:
        self._make(C.heed_nn_dropout_new, p)

    def forward(self, x: Tensor) -> Tensor:
        """Drops elements of x while base.training: every element is 0 with probability p and x / (1 - p) otherwise. The default
        generator decides (heed_dropout). After heed_module_eval the result is x itself. x is f32 or f64 of any shape.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
        torch: torch.nn.Dropout.forward"""
        return call(C.heed_nn_dropout_forward, self, x)


class Embedding(Module):
    """Makes a table of `count` vectors of size `dim`. The parameter is "weight" (count, dim), drawn from N(0, 1).

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE
    unless f32 or f64; HEED_ERR_NOMEM.
    torch: torch.nn.Embedding"""

    _C = "embedding"

    def __init__(self, count: int, dim: int, *, dtype: str = "f32") -> None:
        self._make(C.heed_nn_embedding_new, count, dim, dict(dtype=dtype))

    def forward(self, indices: Tensor) -> Tensor:
        """Looks up vectors: y[...] = weight[indices[...]], indices i64 (...), all in 0 .. count - 1 -> (..., dim).

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_INDEX for an index out of range; HEED_ERR_DTYPE unless i64;
        HEED_ERR_SHAPE; HEED_ERR_NOMEM.
        torch: torch.nn.Embedding.forward"""
        return call(C.heed_nn_embedding_forward, self, indices)


class FeedForward(Module):
    """Makes a feed-forward layer of two linear maps with an activation between them, the book's PositionWiseFFN. The
    children are "linear1", with a weight (ffn_size, hidden_size), and "linear2", (hidden_size, ffn_size), made as by
    heed_nn_linear_new.

    If `gated` is set, "gate", of the shape of linear1, comes before them; Llama calls the three gate_proj, up_proj and
    down_proj. With heed_silu, which is then the default, the layer is SwiGLU, with heed_gelu GEGLU, with heed_relu
    ReGLU, with heed_sigmoid GLU. Two thirds of the ffn_size then give the same number of parameters as without a gate.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
    HEED_ERR_NOMEM.
    Reference: N. Shazeer: GLU Variants Improve Transformer (2020)."""

    _C = "feed_forward"

    def __init__(self, hidden_size: int, ffn_size: int, *, activation: Any = None, dropout: float = 0.0, no_bias: bool = False,
        gated: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_feed_forward_new, hidden_size, ffn_size, dict(activation=activation, dropout=dropout,
            no_bias=no_bias, gated=gated, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the layer to every position of x (..., hidden_size); the result has the same shape.

            y = linear2(dropout(activation(linear1(x))))
            y = linear2(dropout(activation(gate(x)) linear1(x)))   if gated

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different last axis; HEED_ERR_DTYPE; HEED_ERR_STATE if the
        activation returns NULL without an error; HEED_ERR_NOMEM."""
        return call(C.heed_nn_feed_forward_forward, self, x)


class Flatten(Module):
    """Makes a layer without parameters that merges the axes start_axis .. end_axis into one: heed_nn_flatten_new(1, -1)
    turns (B, ...) into (B, n).

    Returns NULL on failure.
    Errors: HEED_ERR_NOMEM.
    torch: torch.nn.Flatten"""

    _C = "flatten"

    def __init__(self, start_axis: int, end_axis: int) -> None:
        self._make(C.heed_nn_flatten_new, start_axis, end_axis)

    def forward(self, x: Tensor) -> Tensor:
        """Merges the axes of x into one, as heed_flatten does.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE if x lacks an axis; HEED_ERR_NOMEM.
        torch: torch.nn.Flatten.forward"""
        return call(C.heed_nn_flatten_forward, self, x)


class Function(Module):
    """Makes a module without parameters from a function: heed_nn_function_new("relu", heed_relu). `name` is the module's
    type in messages and must outlive the module. The function runs as heed/scope.h describes for user functions.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM."""

    _C = "function"

    def forward(self, x: Tensor) -> Tensor:
        """Returns function(x). The function determines the shape and dtype of x.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; the errors of the function; HEED_ERR_STATE if the function returns NULL without
        an error."""
        return call(C.heed_nn_function_forward, self, x)


class GroupNorm(Module):
    """Makes a group norm. The parameters are "weight", ones, and "bias", zeros, (C).

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1, unless num_groups divides num_channels, and for a negative or
    non-finite eps; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
    torch: torch.nn.GroupNorm"""

    _C = "group_norm"

    def __init__(self, num_groups: int, num_channels: int, *, eps: float = 0.0, no_affine: bool = False,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_group_norm_new, num_groups, num_channels, dict(eps=eps, no_affine=no_affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Normalises x (B, C, ...) to the same shape, as heed_group_norm does.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different number of channels; HEED_ERR_DTYPE unless x has
        the dtype of the parameters; HEED_ERR_NOMEM.
        torch: torch.nn.GroupNorm.forward"""
        return call(C.heed_nn_group_norm_forward, self, x)


class GRU(Module):
    """Creates a layer of gated recurrent units, with three gates in the order r, z, n.
    Its parameters are "weight_ih_l0" (3 h, input_size), "weight_hh_l0" (3 h, h), "bias_ih_l0" and "bias_hh_l0" (3 h),
    and so on for every layer. NULL options: one layer, f32.

    Errors: NULL with HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0,
    1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    Reference: K. Cho et al.: Learning Phrase Representations using RNN Encoder-Decoder (EMNLP 2014).
    torch: torch.nn.GRU"""

    _C = "gru"

    def __init__(self, input_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0, no_bias: bool = False,
        batch_first: bool = False, bidirectional: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_gru_new, input_size, hidden_size, dict(num_layers=num_layers, dropout=dropout, no_bias=no_bias,
            batch_first=batch_first, bidirectional=bidirectional, dtype=dtype))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, state: Optional[Tensor] = None) -> Any:
        """Runs the layer over sequences. Every step computes
            r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
            z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
            n = tanh(W_in x + b_in + r (W_hn h + b_hn))
            h = (1 - z) n + z h
        x (T, B, input_size) -> h of each step (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h).
        valid_lens i64 (B) are the lengths of the sequences; NULL means T. *state (num_layers, B, h), with bidirectional
        (2 num_layers, B, h), or NULL for zeros, becomes the state after the last step; a NULL `state` discards it.

        Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside
        0 .. T, HEED_ERR_NOMEM. *state is then unchanged.
        torch: torch.nn.GRU.forward"""
        state_ = Out("state", state)
        return call_outs(C.heed_nn_gru_forward, self, x, valid_lens, state_)


class InstanceNorm1d(Module):
    """Makes an instance norm of num_features channels, for (B, C, L). If affine, the parameters are "weight", ones, and
    "bias", zeros, (C).

    Returns NULL on failure.
    Errors: as heed_nn_group_norm_new.
    torch: torch.nn.InstanceNorm1d"""

    _C = "instance_norm1d"

    def __init__(self, num_features: int, *, eps: float = 0.0, affine: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_instance_norm1d_new, num_features, dict(eps=eps, affine=affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Normalises x (B, C, L) to the same shape, as heed_instance_norm does, training or not.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for other shapes and for L = 1; HEED_ERR_DTYPE unless x has the
        dtype of the parameters; HEED_ERR_NOMEM.
        torch: torch.nn.InstanceNorm1d.forward"""
        return call(C.heed_nn_instance_norm1d_forward, self, x)


class InstanceNorm2d(Module):
    """Makes an instance norm of planes (B, C, H, W), with the same parameters as heed_nn_instance_norm1d_new.

    Returns NULL on failure.
    Errors: as heed_nn_group_norm_new.
    torch: torch.nn.InstanceNorm2d"""

    _C = "instance_norm2d"

    def __init__(self, num_features: int, *, eps: float = 0.0, affine: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_instance_norm2d_new, num_features, dict(eps=eps, affine=affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Normalises x (B, C, H, W) to the same shape, as heed_nn_instance_norm1d_forward does.

        Returns NULL on failure.
        Errors: as heed_nn_instance_norm1d_forward.
        torch: torch.nn.InstanceNorm2d.forward"""
        return call(C.heed_nn_instance_norm2d_forward, self, x)


class LayerNorm(Module):
    """Makes a layer that normalises over last axes of the given shape (rank 1 or more). The parameters are "weight", ones,
    and "bias", zeros, of that shape. NULL options: f32, eps 1e-5.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for rank 0, a size below 1, or a negative or non-finite eps; HEED_ERR_SHAPE for more
    elements than can be counted; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
    torch: torch.nn.LayerNorm"""

    _C = "layer_norm"

    def __init__(self, shape: Any, *, eps: float = 0.0, no_affine: bool = False, no_bias: bool = False,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_layer_norm_new, shape, dict(eps=eps, no_affine=no_affine, no_bias=no_bias, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Normalises x: y = (x - mean) / sqrt(variance + eps) weight + bias. The mean and variance are taken over the last axes
        of x, which must have the layer's shape: x (..., shape) to the same shape.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for different last axes; HEED_ERR_DTYPE unless x has the dtype of
        the parameters; HEED_ERR_NOMEM.
        torch: torch.nn.LayerNorm.forward"""
        return call(C.heed_nn_layer_norm_forward, self, x)


class Linear(Module):
    """Makes a linear layer from `in` to `out` features. The parameters are "weight" (out, in) and "bias" (out), both drawn
    from U(-1/sqrt(in), 1/sqrt(in)). NULL options: f32, a bias, no activation.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_SHAPE for a weight with more elements than can be counted;
    HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
    torch: torch.nn.Linear"""

    _C = "linear"

    def __init__(self, in_: int, out: int, *, no_bias: bool = False, dtype: str = "f32", activation: Any = None) -> None:
        self._make(C.heed_nn_linear_new, in_, out, dict(no_bias=no_bias, dtype=dtype, activation=activation))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the layer: y = activation(x W^T + b), x (..., in) -> (..., out).

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE unless the last axis of x is `in`; HEED_ERR_DTYPE unless x has the
        dtype of the layer; HEED_ERR_STATE if the activation returns NULL without an error; HEED_ERR_NOMEM.
        torch: torch.nn.Linear.forward"""
        return call(C.heed_nn_linear_forward, self, x)


class LSTM(Module):
    """Creates a long short-term memory layer, with four gates in the order i, f, g, o.
    Its parameters are "weight_ih_l0" (4 h, input_size), "weight_hh_l0" (4 h, h), "bias_ih_l0" and "bias_hh_l0" (4 h),
    and so on for every layer. NULL options: one layer, f32.

    Errors: NULL with HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0,
    1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    Reference: S. Hochreiter, J. Schmidhuber: Long Short-Term Memory (Neural Computation 1997); with the forget gate f of
    F. Gers, J. Schmidhuber, F. Cummins: Learning to Forget (Neural Computation 2000).
    torch: torch.nn.LSTM"""

    _C = "lstm"

    def __init__(self, input_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0, no_bias: bool = False,
        batch_first: bool = False, bidirectional: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_lstm_new, input_size, hidden_size, dict(num_layers=num_layers, dropout=dropout, no_bias=no_bias,
            batch_first=batch_first, bidirectional=bidirectional, dtype=dtype))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, h: Optional[Tensor] = None,
        c: Optional[Tensor] = None) -> Any:
        """Runs the layer over sequences. Every step computes
            i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)
            f = sigmoid(W_if x + b_if + W_hf h + b_hf)
            g = tanh(W_ig x + b_ig + W_hg h + b_hg)
            o = sigmoid(W_io x + b_io + W_ho h + b_ho)
            c = f c + i g,   h = o tanh(c)
        x (T, B, input_size) -> h of each step (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h).
        valid_lens i64 (B) are the lengths of the sequences; NULL means T. *h and *c, two states (num_layers, B, h), with
        bidirectional (2 num_layers, B, h), or NULL for zeros, become the states after the last step; a NULL `h` or `c`
        discards it.

        Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside
        0 .. T, HEED_ERR_NOMEM. *h and *c are then unchanged.
        torch: torch.nn.LSTM.forward"""
        h_ = Out("state", h)
        c_ = Out("state", c)
        return call_outs(C.heed_nn_lstm_forward, self, x, valid_lens, h_, c_)


class MaxPool2d(Module):
    """Makes a layer without parameters that returns the largest element of every window. NULL options: adjacent windows.
    Forward checks the options other than the stride.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for an invalid kernel or stride; HEED_ERR_NOMEM.
    torch: torch.nn.MaxPool2d"""

    _C = "max_pool2d"

    def __init__(self, kernel_size: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
        ceil_mode: bool = False) -> None:
        self._make(C.heed_nn_max_pool2d_new, kernel_size, dict(stride=stride, padding=padding, dilation=dilation,
            ceil_mode=ceil_mode))

    def forward(self, x: Tensor) -> Tensor:
        """Applies the pooling: x (..., H, W) -> (..., M, N), as heed_max_pool2d does.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_max_pool2d.
        torch: torch.nn.MaxPool2d.forward"""
        return call(C.heed_nn_max_pool2d_forward, self, x)


class MultiHeadAttention(Module):
    """Makes a multi-head attention layer with the parameters of torch.nn.MultiheadAttention. If all sizes are h =
    hidden_size, there is "in_proj_weight" (3 h, h), the maps of queries, keys and values stacked in this order;
    otherwise "q_proj_weight" (h, query_size), "k_proj_weight" (h, key_size) and "v_proj_weight" (h, value_size). All are
    Glorot-uniform. "in_proj_bias" (3 h) is zeros, "out_proj.weight" (h, h) is drawn as in heed_nn_linear_new, and
    "out_proj.bias" (h) is zeros. The book's layer is this one with no_bias; its W_q, W_k, W_v, W_o are these parameters.

    With head_dim, queries are mapped to n = num_heads head_dim, and with kv_heads, keys and values to g = kv_heads
    head_dim; in_proj is then (n + 2 g, h) and out_proj (h, n). With qk_norm there are "q_norm.weight" and
    "k_norm.weight" (head_dim), ones. RoPE rotates the mapped queries and keys of every head. ALiBi's slope of head i of
    n heads is 2^(-8 (i + 1) / n) if n is a power of two, and as in Press et al. otherwise; slopes are not parameters.
    With relative_positions R there is "relative_bias" (num_heads, 2 R + 1), zeros, for distances -R .. R, as in
    heed_attention_options.

    A rope_factor s divides RoPE's frequencies f, for texts s times longer than the training texts of a model. With
    rope_original_len L, the length of the training texts, pairs that rotate often within L steps keep their frequency,
    as in Llama 3.1:
        f' = f (r + (1 - r) / s),   r = (L f / 2 pi - low) / (high - low), but at least 0 and at most 1
    where low and high are rope_low_freq_factor and rope_high_freq_factor.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1, unless num_heads divides hidden_size or head_dim is given, unless
    kv_heads divides num_heads, for a dropout outside [0, 1], a window below 0, a negative or non-finite rope_base or
    rope_factor, a rope_original_len below 0, unless low is below high, for odd or out-of-range rope_dims, and for
    relative_positions outside 0 .. 2^32; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
    Reference: A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017); heed/ops/attention.h and heed_rope list the
    others.
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
        """Computes num_heads attentions of size hidden_size / num_heads side by side, mapped by out_proj. queries (B, Q,
        query_size), keys (B, K, key_size), values (B, K, value_size) -> (B, Q, hidden_size). valid_lens is i64 (B) or
        (B, Q), or NULL. *weights, unless `weights` is NULL, receives (B, num_heads, Q, K), before dropout.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K;
        HEED_ERR_NOMEM.
        torch: torch.nn.MultiheadAttention.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_multi_head_attention_forward, self, queries, keys, values, valid_lens, weights_)

    def masked(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Optional[Tensor] = None,
        mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """Computes heed_nn_multi_head_attention_forward with a mask and a bias, which can hide keys too. mask is bool, true if
        a query sees a key (PyTorch's attn_mask is true if a key is hidden); bias, of the layer's dtype, is added to the
        scores and differentiable, and -inf hides a key.

        Both broadcast to (B, num_heads, Q, K) from the last axis on, or are NULL. One for all is (Q, K), and one per batch
        element is (B, 1, Q, K), made from (B, Q, K) by heed_unsqueeze(mask, 1). Three axes mean one per head, (num_heads, Q,
        K) or (1, Q, K). Do not pass (B, Q, K): it is HEED_ERR_SHAPE if B is neither 1 nor num_heads, but if B equals
        num_heads it is read as one per head, without an error.

        Errors: as heed_nn_multi_head_attention_forward.
        torch: torch.nn.MultiheadAttention.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_multi_head_attention_masked, self, queries, keys, values, valid_lens, mask, bias, weights_)

    def cached(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor, cache: Handle, *,
        return_weights: bool = False) -> Any:
        """Appends new keys (B, K, key_size) and values (B, K, value_size) to the cache, unless both are NULL, and returns the
        attention of queries (B, Q, query_size) to all keys in the cache, (B, Q, hidden_size).

        If the attention is causal or uses distances, the queries are the last Q of these steps, and a causal query sees the
        steps up to its own. If the attention is not causal, valid_lens, i64 (B), may accompany the first keys and limits how
        many of them are visible; it is kept with them, and further keys are an error. *weights, unless `weights` is NULL,
        receives (B, num_heads, Q, steps).

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL, for keys without values or values without keys, and for lengths in a causal
        attention or without keys; HEED_ERR_STATE if there are no keys at all, and for keys after lengths; HEED_ERR_SHAPE,
        also if B differs from the cache, and for more queries than steps; HEED_ERR_DTYPE; HEED_ERR_INDEX; HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_multi_head_attention_cached, self, queries, keys, values, valid_lens, cache, weights_)


class NWKernelRegression(Module):
    """Makes a kernel regression module with the parameter "w" = 1 / h, or "log_h" = ln h, (1) or (dim). NULL options:
    Gaussian, parametric, one width, f32.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a negative or non-finite width, a width whose 1 / h^2 the dtype cannot hold, a negative
    dim, an unknown kernel or degree; HEED_ERR_SHAPE for a dim too large; HEED_ERR_DTYPE for a dtype other than f32 or
    f64; HEED_ERR_NOMEM."""

    _C = "nw_kernel_regression"

    def __init__(self, *, kernel: str = "gaussian", non_parametric: bool = False, log_width: bool = False, width: float = 0.0,
        dim: int = 0, dtype: str = "f32", leave_one_out: bool = False, degree: int = 0) -> None:
        self._make(C.heed_nn_nw_kernel_regression_new, dict(kernel=kernel, non_parametric=non_parametric, log_width=log_width,
            width=width, dim=dim, dtype=dtype, leave_one_out=leave_one_out, degree=degree))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, *, return_weights: bool = False) -> Any:
        """Computes f(q) = sum_i a_i(q) v_i for every query. queries (n) or (n, d); keys (m) or (m, d), shared by all queries,
        or (n, m) or (n, m, d), one set per query; values (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise. The
        result is (n) or (n, v). *weights, unless `weights` is NULL, receives a (n, m), differentiable.

        Returns NULL on failure.
        Errors: as heed_kernel_regression: HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all have the module's dtype;
        HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_nw_kernel_regression_forward, self, queries, keys, values, weights_)


class PositionalEncoding(Module):
    """Makes a layer that adds sines and cosines of the position to a sequence. It has no parameters and is for up to
    max_len steps of size h = hidden_size, which may be odd. P is computed in f64, and is not part of the module's state.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
    HEED_ERR_NOMEM.
    Reference: A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017), 3.5; PositionalEncoding of the book."""

    _C = "positional_encoding"

    def __init__(self, hidden_size: int, *, dropout: float = 0.0, max_len: int = 0, dtype: str = "f32") -> None:
        self._make(C.heed_nn_positional_encoding_new, hidden_size, dict(dropout=dropout, max_len=max_len, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Adds the positional encoding: y = dropout(x + P[:T]), x (B, T, h) -> (B, T, h).

            P[i, 2j] = sin(i / 10000^(2j/h)),   P[i, 2j+1] = cos(i / 10000^(2j/h))

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different shape or T > max_len; HEED_ERR_DTYPE;
        HEED_ERR_NOMEM."""
        return call(C.heed_nn_positional_encoding_forward, self, x)

    def at(self, x: Tensor, first: int) -> Tensor:
        """Adds the positional encoding to the part of a sequence that begins at step `first`: y = dropout(x +
        P[first:first+T]). For prediction with a cache, first is heed_kv_cache_length.
        Errors: as heed_nn_positional_encoding_forward, and HEED_ERR_ARGUMENT for a negative first."""
        return call(C.heed_nn_positional_encoding_at, self, x, first)


class Residual(Module):
    """Makes a residual connection around n modules applied in turn: heed_nn_residual_new(HEED_MODULES(a, b)). The modules
    belong to the child "net", a heed_nn_sequential, so their parameters are named "net.0.weight" and so on. Ownership is
    as in heed_nn_sequential_new.
    Errors: as heed_nn_sequential_new."""

    _C = "residual"

    def forward(self, x: Tensor) -> Tensor:
        """Computes y = x + net(x), of the shape of x.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE if the shape of net(x) differs from the shape of x;
        HEED_ERR_NOMEM; the errors of the modules."""
        return call(C.heed_nn_residual_forward, self, x)


class RMSNorm(Module):
    """Makes an RMS norm over last axes of the given shape (rank 1 or more). The parameter is "weight", ones, of that shape.

    Returns NULL on failure.
    Errors: as heed_nn_layer_norm_new.
    Reference: B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019)."""

    _C = "rms_norm"

    def __init__(self, shape: Any, *, eps: float = 0.0, no_affine: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_rms_norm_new, shape, dict(eps=eps, no_affine=no_affine, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """Normalises x (..., shape) to the same shape, as heed_rms_norm does.

        Returns NULL on failure.
        Errors: as heed_nn_layer_norm_forward."""
        return call(C.heed_nn_rms_norm_forward, self, x)


class RNN(Module):
    """Creates a plain recurrent layer with one gate.
    Its parameters are "weight_ih_l0" (h, input_size), "weight_hh_l0" (h, h), "bias_ih_l0" and "bias_hh_l0" (h), and so
    on for every layer. NULL options: one layer, tanh, f32.

    Errors: NULL with HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0,
    1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    Reference: J. Elman: Finding Structure in Time (Cognitive Science 1990).
    torch: torch.nn.RNN"""

    _C = "rnn"

    def __init__(self, input_size: int, hidden_size: int, *, activation: Any = None, num_layers: int = 0, dropout: float = 0.0,
        no_bias: bool = False, batch_first: bool = False, bidirectional: bool = False, dtype: str = "f32") -> None:
        self._make(C.heed_nn_rnn_new, input_size, hidden_size, dict(activation=activation, num_layers=num_layers,
            dropout=dropout, no_bias=no_bias, batch_first=batch_first, bidirectional=bidirectional, dtype=dtype))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, state: Optional[Tensor] = None) -> Any:
        """Runs the layer over sequences, with h = activation(W_i x + b_i + W_h h + b_h) at every step.
        x (T, B, input_size) -> (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h). valid_lens i64 (B)
        are the lengths of the sequences; NULL means T. *state (num_layers, B, h), with bidirectional (2 num_layers, B, h),
        or NULL for zeros, becomes the state after the last step; a NULL `state` discards it.

        Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0
        .. T, HEED_ERR_NOMEM; with an activation other than heed_tanh and heed_relu HEED_ERR_UNSUPPORTED for more than 2^20
        steps, and HEED_ERR_STATE if it returns NULL without an error. *state is then unchanged.
        torch: torch.nn.RNN.forward"""
        state_ = Out("state", state)
        return call_outs(C.heed_nn_rnn_forward, self, x, valid_lens, state_)


class Seq2SeqEncoder(Module):
    """Creates an encoder that embeds tokens and runs them through a GRU, the book's Seq2SeqEncoder.
    Its children are "embedding", with a weight (vocab_size, embed_size), and "rnn", from embed_size to hidden_size.

    Errors: NULL with HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
    HEED_ERR_NOMEM."""

    _C = "seq2seq_encoder"

    def __init__(self, vocab_size: int, embed_size: int, hidden_size: int, *, num_layers: int = 0, dropout: float = 0.0,
        dtype: str = "f32") -> None:
        self._make(C.heed_nn_seq2seq_encoder_new, vocab_size, embed_size, hidden_size, dict(num_layers=num_layers,
            dropout=dropout, dtype=dtype))

    def forward(self, tokens: Tensor, state: Optional[Tensor] = None) -> Any:
        """Encodes tokens i64 (B, T) and returns the last layer's states (B, T, hidden_size).
        Unless `state` is NULL, *state receives the GRU's state after the last step, (num_layers, B, hidden_size); its old
        value is ignored.

        Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE unless i64, HEED_ERR_INDEX for a token
        outside the vocabulary, HEED_ERR_NOMEM."""
        state_ = Out("state", state)
        return call_outs(C.heed_nn_seq2seq_encoder_forward, self, tokens, state_)


class Sequential(Module):
    """Makes a module that applies n modules in turn: heed_nn_sequential_new(HEED_MODULES(a, b)). With n = 0 it is the
    identity. It takes ownership of the modules and frees them on failure, so constructors may be written in the list.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT if a module is NULL, given twice, or has a parent (which keeps it); HEED_ERR_UNSUPPORTED if
    a module takes more than one tensor; HEED_ERR_NOMEM.
    torch: torch.nn.Sequential"""

    _C = "sequential"

    def forward(self, x: Tensor) -> Tensor:
        """Passes x through all modules in turn; returns x itself if the list is empty.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM; the errors of the modules.
        torch: torch.nn.Sequential.forward"""
        return call(C.heed_nn_sequential_forward, self, x)


class Transformer(Module):
    """Makes a Transformer with the children "encoder", made by heed_nn_transformer_encoder_new, and "decoder", made by
    heed_nn_transformer_decoder_new. With vocabularies of 0 it is torch.nn.Transformer with its parameters.

    Returns NULL on failure.
    Errors: as heed_nn_transformer_encoder_new and heed_nn_transformer_decoder_new.
    Reference: A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017).
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
        """Predicts the token after every step of tgt (B, T), given src (B, S), as logits (B, T, tgt_vocab): the decoder's
        forward with the encoder's result as memory. src_lens, i64 (B) or NULL, applies to both; tgt_lens is i64 (B) or
        (B, T), or NULL, because a causal decoder does not need them. *encoder_weights receives (num_layers, B, num_heads, S,
        S), *self_weights (decoder_layers, B, num_heads, T, T) and *weights (decoder_layers, B, num_heads, T, S), unless the
        pointers are NULL.

        Returns NULL on failure.
        Errors: as heed_nn_transformer_encoder_forward and heed_nn_transformer_decoder_forward.
        torch: torch.nn.Transformer.forward"""
        encoder_weights_ = Out("out") if return_encoder_weights else None
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_forward, self, src, tgt, src_lens, tgt_lens, encoder_weights_, self_weights_,
            weights_)

    def masked(self, src: Tensor, tgt: Tensor, src_lens: Optional[Tensor] = None, tgt_lens: Optional[Tensor] = None,
        masks: Any = None, *, return_encoder_weights: bool = False, return_self_weights: bool = False,
        return_weights: bool = False) -> Any:
        """Computes heed_nn_transformer_forward with masks and biases in all blocks, which can hide steps too; NULL masks:
        without them. The decoder sees source steps that src_mask hides, unless memory_mask hides them too.

        Errors: as heed_nn_transformer_forward.
        torch: torch.nn.Transformer.forward"""
        encoder_weights_ = Out("out") if return_encoder_weights else None
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_masked, self, src, tgt, src_lens, tgt_lens, masks, encoder_weights_,
            self_weights_, weights_)


class TransformerDecoder(Module):
    """Makes a Transformer decoder, like heed_nn_transformer_encoder_new but of decoder blocks, followed by "dense.weight"
    (vocab_size, hidden_size) and "dense.bias" unless tied. With a vocab_size of 0 it lacks dense too, as
    torch.nn.TransformerDecoder. With no_final_norm it is the book's TransformerDecoder.

    Returns NULL on failure.
    Errors: as heed_nn_transformer_encoder_new.
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
        """Predicts the token after every step of `tokens`, i64 (B, T), or for a vocab_size of 0 (B, T, hidden_size). The result
        is logits (B, T, vocab_size), or (B, T, hidden_size). memory (B, S, hidden_size), valid_lens and memory_lens are as
        in heed_nn_transformer_decoder_block_forward. *self_weights receives (num_layers, B, num_heads, T, T) and *weights
        (num_layers, B, num_heads, T, S), unless the pointers are NULL.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE, also for more than max_len steps if positions are added;
        HEED_ERR_DTYPE; HEED_ERR_INDEX for a token outside the vocabulary or a length outside 0 .. T, or 0 .. S; the errors
        of the activation; HEED_ERR_NOMEM.
        torch: torch.nn.TransformerDecoder.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_forward, self, tokens, memory, valid_lens, memory_lens, self_weights_,
            weights_)

    def masked(self, tokens: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, memory_lens: Optional[Tensor] = None,
        masks: Any = None, *, return_self_weights: bool = False, return_weights: bool = False) -> Any:
        """Computes heed_nn_transformer_decoder_forward with masks and biases in all blocks, which can hide steps and memory
        too; NULL masks: without them. A step still never sees a later one.

        Errors: as heed_nn_transformer_decoder_forward.
        torch: torch.nn.TransformerDecoder.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_masked, self, tokens, memory, valid_lens, memory_lens, masks,
            self_weights_, weights_)

    def cached(self, tokens: Tensor, memory: Tensor, memory_lens: Tensor, cache: Handle, *, return_self_weights: bool = False,
        return_weights: bool = False) -> Any:
        """Applies the decoder to the next steps in prediction, and appends them to the cache. `tokens` are the steps that
        follow the steps in the cache. memory and memory_lens, i64 (B) or NULL, are read only at the first call; their keys
        and values stay in the cache, and later both may be NULL. The numbers are the same as in
        heed_nn_transformer_decoder_forward, at the cost of the new steps. *self_weights receives (num_layers, B, num_heads,
        T, all steps) and *weights (num_layers, B, num_heads, T, S), unless the pointers are NULL. No graph is recorded.

        Returns NULL on failure; the cache is then unchanged.
        Errors: as heed_nn_transformer_decoder_forward, and HEED_ERR_SHAPE if B differs from the cache."""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_cached, self, tokens, memory, memory_lens, cache, self_weights_,
            weights_)


class TransformerDecoderBlock(Module):
    """Makes a Transformer decoder block with the parameters of torch.nn.TransformerDecoderLayer. These are "self_attn.
    ...", "multihead_attn. ...", "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ..." and "norm3. ..."; if gated,
    which PyTorch's is not, "gate. ..." comes before "linear1. ...". By default self-attention is causal and dropout is
    0. It is the book's TransformerDecoderBlock.

    `attention` is as in heed_nn_transformer_encoder_block_new. Attention to the memory has the same heads (head_dim,
    kv_heads, qk_norm, qk_norm_eps, no_out_bias), but does not use positions, because there is no distance between a step
    of x and a position in the memory.

    Returns NULL on failure.
    Errors: as heed_nn_transformer_encoder_block_new.
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
        """Applies self-attention, attention to the memory and feed-forward to sequences; x is (B, T, hidden_size), memory (B,
        S, hidden_size), and the result has the shape of x:
            post-norm:  x = norm1(x + attention(x)),   x = norm2(x + attention(x, memory)),   x = norm3(x + feed_forward(x))
            pre-norm:   x = x + attention(norm1(x)),   x = x + attention(norm2(x), memory),   x = x + feed_forward(norm3(x))
        with dropout of the residual terms. valid_lens and memory_lens, i64 (B) or (B, T) or NULL, limit the visible steps of
        x and of the memory. *self_weights receives (B, num_heads, T, T) and *weights (B, num_heads, T, S), unless the
        pointers are NULL.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T, or
        0 .. S; the errors of the activation; HEED_ERR_NOMEM.
        torch: torch.nn.TransformerDecoderLayer.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_block_forward, self, x, memory, valid_lens, memory_lens, self_weights_,
            weights_)

    def masked(self, x: Tensor, memory: Tensor, valid_lens: Optional[Tensor] = None, memory_lens: Optional[Tensor] = None,
        masks: Any = None, *, return_self_weights: bool = False, return_weights: bool = False) -> Any:
        """Computes heed_nn_transformer_decoder_block_forward with masks and biases, which can hide steps and memory too; NULL
        masks: without them.

        Errors: as heed_nn_transformer_decoder_block_forward.
        torch: torch.nn.TransformerDecoderLayer.forward"""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_block_masked, self, x, memory, valid_lens, memory_lens, masks,
            self_weights_, weights_)

    def cached(self, x: Tensor, memory: Tensor, memory_lens: Tensor, cache: Handle, *, return_self_weights: bool = False,
        return_weights: bool = False) -> Any:
        """Applies the block to the next steps of a sequence in prediction, and appends them to the cache. x (B, T, hidden_size)
        are the steps that follow the steps in the cache. memory and memory_lens, i64 (B) or NULL, are read only at the first
        call; their keys and values stay in the cache, and later both may be NULL. *self_weights receives (B, num_heads, T,
        all steps) and *weights (B, num_heads, T, S), unless the pointers are NULL. No graph is recorded.

        Returns NULL on failure; the cache is then unchanged.
        Errors: as heed_nn_transformer_decoder_block_forward, and HEED_ERR_SHAPE if B differs from the cache."""
        self_weights_ = Out("out") if return_self_weights else None
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_decoder_block_cached, self, x, memory, memory_lens, cache, self_weights_,
            weights_)


class TransformerEncoder(Module):
    """Makes a Transformer encoder. The parameters are "layers.0. ..." and so on as in
    heed_nn_transformer_encoder_block_new, but with all matrices Glorot-uniform, as in torch.nn.Transformer; "norm. ...";
    and "embedding.weight" (vocab_size, hidden_size), normal of variance 1 / hidden_size, so that the embeddings, scaled
    by sqrt(hidden_size), are about as large as the positional encoding. With a vocab_size of 0 there is no embedding and
    there are no positions, and x is already embedded, as in torch.nn.TransformerEncoder. With no_final_norm it is the
    book's TransformerEncoder.

    Returns NULL on failure.
    Errors: as heed_nn_transformer_encoder_block_new, and HEED_ERR_ARGUMENT for any other of these sizes below 1 and for
    more than 2^12 layers.
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
        """Encodes sequences: tokens i64 (B, S), or for a vocab_size of 0 (B, S, hidden_size) -> (B, S, hidden_size):
            x = dropout(embedding(tokens) sqrt(hidden_size) + P[:S]),   the blocks one after another,   norm
        without P if no_positions. valid_lens, i64 (B) or (B, S), or NULL, limits the visible steps. *weights, unless
        `weights` is NULL, receives (num_layers, B, num_heads, S, S).

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE, also for more than max_len steps if positions are added;
        HEED_ERR_DTYPE; HEED_ERR_INDEX for a token outside the vocabulary or a length outside 0 .. S; the errors of the
        activation; HEED_ERR_NOMEM.
        torch: torch.nn.TransformerEncoder.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_forward, self, tokens, valid_lens, weights_)

    def masked(self, tokens: Tensor, valid_lens: Optional[Tensor] = None, mask: Optional[Tensor] = None,
        bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """Computes heed_nn_transformer_encoder_forward with a mask and a bias in all blocks, as in
        heed_nn_transformer_encoder_block_masked.

        Errors: as heed_nn_transformer_encoder_forward.
        torch: torch.nn.TransformerEncoder.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_masked, self, tokens, valid_lens, mask, bias, weights_)


class TransformerEncoderBlock(Module):
    """Makes a Transformer encoder block with the parameters of torch.nn.TransformerEncoderLayer. These are "self_attn.
    ...", "linear1. ...", "linear2. ...", "norm1. ..." and "norm2. ..."; if gated, which PyTorch's is not, "gate. ..."
    comes before "linear1. ...". The default dropout is 0, not 0.1 as in PyTorch.

    `attention` sets the options of self-attention described at heed_nn_multi_head_attention_new: RoPE, ALiBi,
    relative_positions, a window, kv_heads, head_dim, qk_norm, no_out_bias. It is not kept. Dropout, causal, no_bias,
    dtype and sizes come from the block and must be 0 in `attention`.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a size below 1, unless num_heads divides hidden_size or head_dim is given, for a
    dropout outside [0, 1], an invalid eps, and an invalid `attention`; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
    torch: torch.nn.TransformerEncoderLayer"""

    _C = "transformer_encoder_block"

    def __init__(self, hidden_size: int, num_heads: int, ffn_size: int, *, dropout: float = 0.0, eps: float = 0.0,
        activation: Any = None, pre_norm: bool = False, causal: bool = False, no_bias: bool = False, gated: bool = False,
        dtype: str = "f32", attention: Any = None) -> None:
        self._make(C.heed_nn_transformer_encoder_block_new, hidden_size, num_heads, ffn_size, dict(dropout=dropout, eps=eps,
            activation=activation, pre_norm=pre_norm, causal=causal, no_bias=no_bias, gated=gated, dtype=dtype,
            attention=attention))

    def forward(self, x: Tensor, valid_lens: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """Applies self-attention and feed-forward to sequences; x is (B, T, hidden_size), and the result has the same shape:
            post-norm:  x = norm1(x + attention(x)),   x = norm2(x + feed_forward(x))
            pre-norm:   x = x + attention(norm1(x)),   x = x + feed_forward(norm2(x))
        with dropout of the residual terms. valid_lens is i64 (B) or (B, T), or NULL. *weights, unless `weights` is NULL,
        receives (B, num_heads, T, T). heed_module_forward passes NULL for both.

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T; the
        errors of the activation; HEED_ERR_NOMEM.
        torch: torch.nn.TransformerEncoderLayer.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_block_forward, self, x, valid_lens, weights_)

    def masked(self, x: Tensor, valid_lens: Optional[Tensor] = None, mask: Optional[Tensor] = None,
        bias: Optional[Tensor] = None, *, return_weights: bool = False) -> Any:
        """Computes heed_nn_transformer_encoder_block_forward with a mask and a bias, which can hide steps from each other too.
        mask is bool, true if a step sees another (PyTorch's src_mask is true if it does not); bias, of the block's dtype, is
        added to the scores and differentiable, and -inf hides a step. Both broadcast to (B, num_heads, T, T), or are NULL;
        one per sequence is (B, 1, T, T), as in heed_nn_multi_head_attention_masked.

        Errors: as heed_nn_transformer_encoder_block_forward.
        torch: torch.nn.TransformerEncoderLayer.forward"""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_block_masked, self, x, valid_lens, mask, bias, weights_)

    def cached(self, x: Tensor, cache: Handle, *, return_weights: bool = False) -> Any:
        """Applies the block to the next steps of a sequence in prediction, and appends them to the cache. x (B, T, hidden_size)
        are the steps that follow the steps in the cache. Causal blocks return the same as the forward of the whole sequence;
        in other blocks a step does not see the steps of later calls. *weights, unless `weights` is NULL, receives (B,
        num_heads, T, all steps). No graph is recorded.

        Returns NULL on failure; the cache is then unchanged.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE, also if B differs from the cache; HEED_ERR_DTYPE; the errors of
        the activation; HEED_ERR_NOMEM."""
        weights_ = Out("out") if return_weights else None
        return call_outs(C.heed_nn_transformer_encoder_block_cached, self, x, cache, weights_)


class VisionTransformer(Module):
    """Makes a Vision Transformer, the book's ViT, for images of image_size (C, H, W) in n patches.

    patch_size, one number or two, must divide both height and width. The parameters are "class_token", zeros,
    "positions", N(0, 0.02^2), "patches.weight" (h, C, height, width), "patches.bias" (h), "blocks.0. ..." as in
    heed_nn_transformer_encoder_block_new, "norm. ...", "head.weight" (num_classes, h) and "head.bias". For options that
    use distances, the sequence is the token followed by the patches, one row of the image after another.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for NULL options, unless image_size has three numbers of at least 1 and patches tile the
    image, for a size below 1, a dropout outside [0, 1], too many layers, and as heed_nn_transformer_encoder_block_new;
    HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
    Reference: A. Dosovitskiy et al.: An Image is Worth 16x16 Words (ICLR 2021)."""

    _C = "vision_transformer"

    def __init__(self, image_size: Any, patch_size: Any, num_classes: int, *, hidden_size: int = 0, num_layers: int = 0,
        num_heads: int = 0, ffn_size: int = 0, dropout: float = 0.0, eps: float = 0.0, embedding_dropout: float = 0.0,
        activation: Any = None, dtype: str = "f32", gated: bool = False, attention: Any = None) -> None:
        self._make(C.heed_nn_vision_transformer_new, image_size, patch_size, num_classes, dict(hidden_size=hidden_size,
            num_layers=num_layers, num_heads=num_heads, ffn_size=ffn_size, dropout=dropout, eps=eps,
            embedding_dropout=embedding_dropout, activation=activation, dtype=dtype, gated=gated, attention=attention))

    def forward(self, x: Tensor) -> Tensor:
        """Computes the logits of the classes: x (B, C, H, W) -> (B, num_classes). With t the class token and e the vectors of
        the n patches,
            z = dropout([t, e_1, ..., e_n] + positions),   z = block(z) for every block,   y = head(norm(z_0))

        Returns NULL on failure.
        Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; the errors of the activation; HEED_ERR_NOMEM."""
        return call(C.heed_nn_vision_transformer_forward, self, x)
