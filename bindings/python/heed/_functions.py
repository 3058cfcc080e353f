"""heed/_functions.py - a function for each of the library's that works on tensors or files. Written by scripts/python from the
headers, whose words about them these are: a NULL there is None here, and an error an exception."""

from typing import Any, List, Optional, Sequence

from heed._call import C, Out, call, call_outs, length
from heed._handles import Handle, Tensor


def sample(logits: Tensor, *, temperature: float = 0.0, top_k: int = 0, top_p: float = 0.0,
    generator: Optional[Handle] = None) -> Tensor:
    """Chooses a token for every row of logits (..., V), f32 or f64, and returns them as i64 (...).
    Tokens are drawn with the probabilities softmax(logits / temperature), restricted to the tokens that top_k and then
    top_p select; among equal logits the first comes first. A token whose logit is -infinity is never drawn. NULL
    options: the most probable token.

    Errors: NULL with HEED_ERR_ARGUMENT for NULL, a negative or non-finite temperature, a top_k below 0, a top_p
    outside [0, 1], logits with NaN or infinity, or only -infinity; HEED_ERR_SHAPE for a scalar or a V of 0,
    HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    Reference: A. Holtzman et al.: The Curious Case of Neural Text Degeneration (ICLR 2020), for top_p."""
    return call(C.heed_sample, logits, dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator))


def set_requires_grad(t: Tensor, requires_grad: bool) -> Tensor:
    """Sets whether a leaf requires a gradient, and returns it: w = heed_set_requires_grad(t, true).

    Errors: NULL with HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_STATE if t is the result of a recorded op.
    torch: torch.Tensor.requires_grad_"""
    return call(C.heed_set_requires_grad, t, requires_grad)


def requires_grad(t: Tensor) -> bool:
    """Returns true for a leaf that requires a gradient and for every tensor computed from one while recording.
    Errors: false with HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.requires_grad"""
    return call(C.heed_requires_grad, t)


def is_leaf(t: Tensor) -> bool:
    """Returns true unless t is the result of a recorded op.
    Errors: false with HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.is_leaf"""
    return call(C.heed_is_leaf, t)


def has_grad(t: Tensor) -> bool:
    """Returns true if a gradient has been accumulated in t.
    Errors: false with HEED_ERR_ARGUMENT for NULL."""
    return call(C.heed_has_grad, t)


def detach(t: Tensor) -> Tensor:
    """Returns a new leaf with the same storage that belongs to no graph.
    Errors: NULL for NULL, and with HEED_ERR_NOMEM.
    torch: torch.Tensor.detach"""
    return call(C.heed_detach, t)


def grad_enabled() -> bool:
    """Returns true if this thread records.
    torch: torch.is_grad_enabled"""
    return call(C.heed_grad_enabled)


def io_csv_write(path: Any, names: Sequence[str], tensors: Sequence[Tensor], *, separator: Optional[str] = None,
    decimal: Optional[str] = None, missing: Optional[str] = None, categories: Any = None) -> None:
    """Writes tensors as named columns of a CSV file, and replaces `path` as the top of heed/io.h describes.
    Every tensor is (n), one column, or (n, m), m columns; the total must equal the number of names:

        heed_io_csv_write("fit.csv", HEED_NAMES("x", "y", "fit"), HEED_TENSORS(x, y, y_hat), NULL);

    Finite numbers are written with the fewest digits (from 6 in f32 and from 15 in f64) that give the same bits when
    read as their dtype, in any locale; bool is written as 0 and 1, infinities as inf and -inf, which heed_io_csv_column
    rejects. A text is quoted if necessary. Lines end in LF.
    Errors: HEED_ERR_ARGUMENT for NULL, k < 1, a wrong number of names, or an invalid separator, decimal sign or text;
    HEED_ERR_SHAPE for other ranks or first axes that differ; HEED_ERR_DTYPE for categories of a tensor other than i64,
    HEED_ERR_INDEX for a code that they lack; HEED_ERR_IO with path and cause, HEED_ERR_NOMEM.
    numpy: numpy.savetxt"""
    call(C.heed_io_csv_write, path, names, length(names), tensors, length(tensors), dict(separator=separator, decimal=decimal,
        missing=missing, categories=categories))


def io_idx_read(path: Any, *, dtype: str = "f32", scale: float = 0.0, max_bytes: int = 0, first: int = 0,
    rows: int = 0) -> Tensor:
    """Reads an IDX file and returns a tensor of its shape, borrowed from the innermost scope. NULL options: f32.
    Errors: NULL with
        HEED_ERR_ARGUMENT       NULL; a non-finite scale, or a scale for i64 or bool
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong: magic number, type, dims, number of bytes, gzip
        HEED_ERR_UNSUPPORTED    more than max_bytes
        HEED_ERR_DTYPE, HEED_ERR_NOMEM"""
    return call(C.heed_io_idx_read, path, dict(dtype=dtype, scale=scale, max_bytes=max_bytes, first=first, rows=rows))


def io_npy_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Tensor:
    """Reads the tensor of an .npy file (numpy.lib.format): versions 1 to 3, C or Fortran order, either byte order.
    The result is borrowed from the innermost scope.
    Errors: NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong
        HEED_ERR_UNSUPPORTED    an unsupported type or version; more than max_bytes
        HEED_ERR_NOMEM
    numpy: numpy.load"""
    return call(C.heed_io_npy_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_npy_write(path: Any, t: Tensor) -> None:
    """Writes a tensor as .npy, version 1.0, with its own dtype and shape, and replaces `path`.
    Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_IO with path and cause, HEED_ERR_UNSUPPORTED for an expanded view with
    more elements than a file can hold, HEED_ERR_NOMEM.
    numpy: numpy.save"""
    call(C.heed_io_npy_write, path, t)


def io_npz_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """Reads the tensors of an .npz file as a dict, to be freed by heed_dict_free.
    The file is a zip archive of .npy files, as numpy.savez and numpy.savez_compressed write it. A member's name is the
    tensor's name with ".npy". Members may be stored or deflated; their checksums are verified.
    Errors: NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, the member, and what is wrong
        HEED_ERR_UNSUPPORTED    an unsupported type, version or feature; more than max_bytes
        HEED_ERR_NOMEM
    numpy: numpy.load"""
    return call(C.heed_io_npz_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_npz_write(path: Any, dict_: Any, *, compressed: bool = False) -> None:
    """Writes the tensors of a dict, without its texts, as .npz, and replaces `path`.
    The same tensors give the same bytes. NULL options: stored.
    Errors: HEED_ERR_ARGUMENT for NULL or a name that the format does not allow, HEED_ERR_IO with path and cause,
    HEED_ERR_UNSUPPORTED for an expanded view with more elements than a file can hold, HEED_ERR_NOMEM.
    numpy: numpy.savez"""
    call(C.heed_io_npz_write, path, dict_, dict(compressed=compressed))


def io_safetensors_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """Reads the tensors of a .safetensors file as a dict, to be freed by heed_dict_free; its texts are the __metadata__.
    The file is checked strictly: the header has at most 100 MB, a tensor's description at most 2 KB, names are unique
    and not empty, texts lack U+0000, sizes fit the shapes, and every byte after the header is used exactly once.
    Errors: NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong
        HEED_ERR_UNSUPPORTED    an unsupported type; more than max_bytes
        HEED_ERR_NOMEM"""
    return call(C.heed_io_safetensors_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_safetensors_write(path: Any, dict_: Any) -> None:
    """Writes the tensors of a dict, and its texts as `__metadata__`, and replaces `path`.
    Errors: HEED_ERR_ARGUMENT for NULL and for a tensor named __metadata__, HEED_ERR_IO with path and cause,
    HEED_ERR_UNSUPPORTED for an expanded view with more elements than a file can hold, HEED_ERR_NOMEM."""
    call(C.heed_io_safetensors_write, path, dict_)


def io_safetensors_read_shards(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """Reads the tensors of several .safetensors files as one dict, by their index, "model.safetensors.index.json" of the
    Hugging Face Hub.
    The index's weight_map names the file in the same folder that contains each tensor. Their __metadata__ is ignored.
    Errors: NULL as heed_io_safetensors_read, and with HEED_ERR_FORMAT for a tensor that is in the index but not in its
    file, or in a file but not in the index, and for a file in a different folder."""
    return call(C.heed_io_safetensors_read_shards, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_gguf_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """Reads the tensors of a .gguf file of version 2 or 3 as a dict, to be freed by heed_dict_free. F32, F64 and I64 are
    read unchanged, I8 to I32 as i64, F16, BF16 and Q8_0 as f32. A Q8_0 block of 32 elements is a scale in f16 and 32
    bytes, which the scale multiplies. Axes are in PyTorch's order: the file's first size, the fastest axis, is the last
    dim of the shape. The dict's texts are the file's keys: strings unchanged, numbers in decimal, true and false; arrays
    are ignored, including the vocabulary. The file is checked strictly: keys and names are unique and not empty, texts
    lack U+0000, and tensors do not overlap; unused bytes are ignored. options.rows for a Q8_0 with one axis must be
    whole blocks.
    Errors: NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong
        HEED_ERR_UNSUPPORTED    a different version; big-endian; a tensor of a different type (the first, with its name
                                and type, before reading any); arrays nested deeper than 4; more than max_bytes
        HEED_ERR_NOMEM"""
    return call(C.heed_io_gguf_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def nn_init_uniform_(t: Tensor, low: float, high: float) -> None:
    """Fills t with U(low, high).

    Errors: HEED_ERR_ARGUMENT for NULL, and unless low <= high, and both and their difference are finite in the dtype of
    t; HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
    torch: torch.nn.init.uniform_"""
    call(C.heed_nn_init_uniform_, t, low, high)


def nn_init_normal_(t: Tensor, mean: float, std: float) -> None:
    """Fills t with N(mean, std^2).

    Errors: HEED_ERR_ARGUMENT for NULL, and unless both are finite in the dtype of t, and std is 0 or more;
    HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
    torch: torch.nn.init.normal_"""
    call(C.heed_nn_init_normal_, t, mean, std)


def nn_init_xavier_uniform_(t: Tensor) -> None:
    """Fills t (out, in, ...) with U(-a, a), a = sqrt(6 / (in + out)); the product of the sizes after `in` multiplies both.

    Errors: HEED_ERR_SHAPE for a rank below 2; HEED_ERR_ARGUMENT for NULL; HEED_ERR_DTYPE unless f32 or f64;
    HEED_ERR_NOMEM.
    Reference: X. Glorot, Y. Bengio: Understanding the difficulty of training deep feedforward neural networks (AISTATS
    2010).
    torch: torch.nn.init.xavier_uniform_"""
    call(C.heed_nn_init_xavier_uniform_, t)


def nn_init_kaiming_uniform_(t: Tensor) -> None:
    """Fills t (out, in, ...) with U(-a, a), a = sqrt(6 / in), for ReLU; the product of the sizes after `in` multiplies it.

    Errors: HEED_ERR_SHAPE for a rank below 2; HEED_ERR_ARGUMENT for NULL; HEED_ERR_DTYPE unless f32 or f64;
    HEED_ERR_NOMEM.
    Reference: K. He, X. Zhang, S. Ren, J. Sun: Delving Deep into Rectifiers (ICCV 2015).
    torch: torch.nn.init.kaiming_uniform_"""
    call(C.heed_nn_init_kaiming_uniform_, t)


def nn_nw_kernel_regression_new(*, kernel: str = "gaussian", non_parametric: bool = False, log_width: bool = False,
    width: float = 0.0, dim: int = 0, dtype: str = "f32", leave_one_out: bool = False, degree: int = 0) -> Any:
    """Makes a kernel regression module with the parameter "w" = 1 / h, or "log_h" = ln h, (1) or (dim). NULL options:
    Gaussian, parametric, one width, f32.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for a negative or non-finite width, a width whose 1 / h^2 the dtype cannot hold, a negative
    dim, an unknown kernel or degree; HEED_ERR_SHAPE for a dim too large; HEED_ERR_DTYPE for a dtype other than f32 or
    f64; HEED_ERR_NOMEM."""
    return call(C.heed_nn_nw_kernel_regression_new, dict(kernel=kernel, non_parametric=non_parametric, log_width=log_width,
        width=width, dim=dim, dtype=dtype, leave_one_out=leave_one_out, degree=degree))


def nn_nw_kernel_regression_forward(net: Any, queries: Tensor, keys: Tensor, values: Tensor, *,
    return_weights: bool = False) -> Any:
    """Computes f(q) = sum_i a_i(q) v_i for every query. queries (n) or (n, d); keys (m) or (m, d), shared by all queries,
    or (n, m) or (n, m, d), one set per query; values (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise. The
    result is (n) or (n, v). *weights, unless `weights` is NULL, receives a (n, m), differentiable.

    Returns NULL on failure.
    Errors: as heed_kernel_regression: HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all have the module's dtype;
    HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM."""
    weights_ = Out("out") if return_weights else None
    return call_outs(C.heed_nn_nw_kernel_regression_forward, net, queries, keys, values, weights_)


def nn_leave_one_out(x: Tensor) -> Tensor:
    """Makes row i of the result x without x[i]: x (n) or (n, d) -> (n, n-1) or (n, n-1, d), the book's X_tile. The option
    leave_one_out has the same effect without copies.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different rank; HEED_ERR_NOMEM."""
    return call(C.heed_nn_leave_one_out, x)


def nn_silverman_width(x: Tensor) -> float:
    """Computes the width for x (n) by Silverman's rule of thumb: 0.9 min(sd, IQR / 1.34) n^(-1/5), R's bw.nrd0; without the
    IQR if it is 0.

    Returns NaN on failure.
    Errors: HEED_ERR_SHAPE unless x has rank 1 with n >= 2; HEED_ERR_DTYPE unless x is f32 or f64; HEED_ERR_ARGUMENT for
    NULL, if all elements are equal, if one is infinite or NaN, or if the width would not be finite and above 0;
    HEED_ERR_NOMEM.
    Reference: B. W. Silverman: Density Estimation (1986), eq. 3.31."""
    return call(C.heed_nn_silverman_width, x)


def dot_product_attention(q: Tensor, k: Tensor, v: Tensor, *, valid_lens: Optional[Tensor] = None, causal: bool = False,
    heads_inner: bool = False, scale: float = 0.0, dropout: float = 0.0, generator: Optional[Handle] = None,
    mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, slopes: Optional[Tensor] = None, window: int = 0,
    query_offset: int = 0, relative_bias: Optional[Tensor] = None, return_weights: bool = False) -> Any:
    """Computes dot-product attention: softmax(q k^T scale + biases) v.

    q (B, Q, d), k (B, K, d), v (B, K, e) -> (B, Q, e). H heads at once are q (B, H, Q, d) and so on, or with heads_inner
    q (B, Q, H, d), the layout that a linear map returns; the heads share the lengths. k and v may then have fewer heads
    G, if H is a multiple of G: each serves H / G consecutive heads of q (grouped queries). The results and gradients
    have the same bits as with keys and values repeated by heed_repeat_interleave, without the copies. *weights, unless
    NULL, receives the weights, (B, Q, K) or (B, H, Q, K), and NULL on failure. Differentiable in q, k, v, bias, slopes
    and relative_bias, to any order.

    If `weights` is NULL, forward and first derivatives take memory for O(Q d) extra numbers, and for O(Q + K) per head
    with slopes or a relative bias. Masked keys take no time if a whole block of 112 is masked for some 16 queries; a
    window makes the time O(Q window). In this case a weight too small for a normal number relative to the largest of its
    row is 0, and non-adjacent rows, such as the rows of a head, are not copied.

    Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT for a
    non-finite scale or slope, a dropout outside [0, 1], a negative window, a query_offset outside 0 .. 2^53.
    Reference: Ainslie et al.: GQA (2023). Jiang et al.: Mistral 7B (2023). Press et al.: Train Short, Test Long (2022),
    ALiBi. Shaw et al.: Self-Attention with Relative Position Representations (2018). Raffel et al.: T5 (2020).
    torch: torch.nn.functional.scaled_dot_product_attention"""
    weights_ = Out("out") if return_weights else None
    return call_outs(C.heed_dot_product_attention, q, k, v, dict(valid_lens=valid_lens, causal=causal, heads_inner=heads_inner,
        scale=scale, dropout=dropout, generator=generator, mask=mask, bias=bias, slopes=slopes, window=window,
        query_offset=query_offset, relative_bias=relative_bias), weights_)


def additive_attention(q: Tensor, k: Tensor, v: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor, *,
    valid_lens: Optional[Tensor] = None, causal: bool = False, heads_inner: bool = False, scale: float = 0.0,
    dropout: float = 0.0, generator: Optional[Handle] = None, mask: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    slopes: Optional[Tensor] = None, window: int = 0, query_offset: int = 0, relative_bias: Optional[Tensor] = None,
    return_weights: bool = False) -> Any:
    """Computes additive attention: softmax(w_v^T tanh(W_q q + W_k k) + biases) v.

    q (B, Q, dq), k (B, K, dk), v (B, K, e), W_q (h, dq), W_k (h, dk), w_v (h) or (1, h) -> (B, Q, e). *weights, unless
    NULL, receives the weights (B, Q, K), and NULL on failure. Differentiable in all six, bias, slopes and relative_bias,
    to any order.

    It takes memory for (B, Q, K) and for the maps, but not for the features tanh(...), (B, Q, K, h). Only a gradient of
    a gradient builds the features.

    Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT if a scale is
    given, for a non-finite slope, a dropout outside [0, 1], a negative window, a query_offset outside 0 .. 2^53.
    Reference: D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
    (2014)."""
    weights_ = Out("out") if return_weights else None
    return call_outs(C.heed_additive_attention, q, k, v, W_q, W_k, w_v, dict(valid_lens=valid_lens, causal=causal,
        heads_inner=heads_inner, scale=scale, dropout=dropout, generator=generator, mask=mask, bias=bias, slopes=slopes,
        window=window, query_offset=query_offset, relative_bias=relative_bias), weights_)


def rope(x: Tensor, positions: Optional[Tensor] = None, *, base: float = 0.0, offset: int = 0, dims: int = 0,
    interleaved: bool = False, heads_inner: bool = False, frequencies: Optional[Tensor] = None) -> Tensor:
    """Applies rotary position embedding to queries or keys x.

    At position p, pair i of dims / 2 pairs (a, b) of numbers is rotated by the angle p base^(-2i / dims) to (a cos - b
    sin, b cos + a sin). The product q . k then depends only on the distance between their positions.
    dx = g rotated back, differentiable to any order.

    x is f32 or f64 (HEED_ERR_DTYPE), (B, T, d) or (B, H, T, d) or, with heads_inner, (B, T, H, d). Positions are i64
    (T), or (B, T) if the sequences start at different positions; NULL: 0 .. T - 1. The offset is added to the positions.
    Cosines and sines are computed in f64 and rounded to the dtype of x.

    Errors: HEED_ERR_SHAPE, also if the number of rotated dims is odd or above d; HEED_ERR_ARGUMENT for a negative or
    non-finite base; HEED_ERR_DTYPE.
    Reference: J. Su et al.: RoFormer: Enhanced Transformer with Rotary Position Embedding (2021)."""
    return call(C.heed_rope, x, positions, dict(base=base, offset=offset, dims=dims, interleaved=interleaved,
        heads_inner=heads_inner, frequencies=frequencies))


def kernel_regression(queries: Tensor, keys: Tensor, values: Tensor, width: Tensor, *, kernel: str = "gaussian",
    log_width: bool = False, leave_one_out: bool = False, degree: int = 0, return_weights: bool = False) -> Any:
    """Computes kernel regression, the average of the values weighted by the distances of the keys.

        f(q) = sum_j K(u_j) v_j / sum_l K(u_l), with u_j = |(q - k_j) w|

    queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or (n, m) or (n, m, d), one set per query; values
    (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise; width w (1), or (d), one per component. The result is
    (n) or (n, v). Differentiable in all four, to any order. *weights, unless NULL, receives the weights (n, m),
    differentiable too, and NULL on failure. A query without a key in its window (every kernel except the Gaussian and
    the constant) has weights 0 and the result 0; if there are no keys at all, every result is 0.

    The Gaussian takes memory for inputs, results and up to eight copies of gradients: it builds nothing of size (n, m),
    forward or backward, except the weights if they are requested, and for derivatives of the second order. Weights below
    the smallest normal number count as 0. The other kernels build (n, m, d).

    With a degree above 0, f(q) is the value at q of the polynomial of that total degree in k that fits the values best,
    by least squares weighted by a_j(q): local linear, quadratic and cubic regression. It is linear in the values too;
    the returned weights are the factors of the values, sum to 1, and may be negative. A power is left out if the keys in
    a window do not distinguish it from lower ones, such as a square for two keys, or if only keys with less than 1e-20
    (f32) or 1e-160 (f64) of the weight do. (n, m) is built for every pair of powers.

    Any finite width and any finite ln h are valid: if f is finite, so are the result and its gradients, even if the
    square of the width, or of distances times widths, is not. 1 / h beyond the largest number counts as the largest
    number.

    Errors: HEED_ERR_SHAPE, also for leave_one_out unless the keys are shared and their number equals the number of
    queries; HEED_ERR_DTYPE unless all have one dtype; HEED_ERR_ARGUMENT for an unknown kernel or degree;
    HEED_ERR_UNSUPPORTED for more than 1,000 powers.
    Reference: W. S. Cleveland: Robust Locally Weighted Regression (1979). J. Fan, I. Gijbels: Local Polynomial Modelling
    (1996)."""
    weights_ = Out("out") if return_weights else None
    return call_outs(C.heed_kernel_regression, queries, keys, values, width, dict(kernel=kernel, log_width=log_width,
        leave_one_out=leave_one_out, degree=degree), weights_)


def conv1d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    dilation: Any = None, groups: int = 0, same: bool = False) -> Tensor:
    """Computes a convolution along one axis: x (B, C, L), w (O, C / groups, k), bias (O) or NULL -> (B, O, M).

        y[b, o, p] = bias[o] + sum over c, t of w[o, c, t] x[b, c, p stride - padding + t dilation]
        M = (L + 2 padding - dilation (k - 1) - 1) / stride + 1, rounded down

    Channel o uses the channels c of its group. Differentiable in x, w and bias.

    Errors: HEED_ERR_SHAPE unless the shapes fit, and for a kernel that is empty or longer than x with its padding;
    HEED_ERR_ARGUMENT for an invalid stride, padding, dilation or number of groups; HEED_ERR_DTYPE unless all are f32 or
    all f64.
    torch: torch.nn.functional.conv1d"""
    return call(C.heed_conv1d, x, w, bias, dict(stride=stride, padding=padding, dilation=dilation, groups=groups, same=same))


def conv2d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    dilation: Any = None, groups: int = 0, same: bool = False) -> Tensor:
    """Computes a convolution over a plane: x (B, C, H, W), w (O, C / groups, kh, kw), bias (O) or NULL -> (B, O, M, N).

        y[b, o, p, q] = bias[o] + sum over c, t, u of
            w[o, c, t, u] x[b, c, p stride - padding + t dilation, q stride - padding + u dilation]

    dx = heed_conv_transpose2d(g, w), dw = heed_conv2d_weight(x, g). Sizes are as in heed_conv1d.

    Errors: as heed_conv1d.
    torch: torch.nn.functional.conv2d"""
    return call(C.heed_conv2d, x, w, bias, dict(stride=stride, padding=padding, dilation=dilation, groups=groups, same=same))


def conv_transpose1d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    output_padding: Any = None, dilation: Any = None, groups: int = 0) -> Tensor:
    """Computes the transpose of heed_conv1d, the gradient of heed_conv1d by x: x (B, O, M), w (O, C / groups, k), bias (C)
    or NULL -> (B, C, L), L = (M - 1) stride - 2 padding + dilation (k - 1) + output_padding + 1.

    Positions outside x count as zeros here too: 0 times an infinite w is NaN; PyTorch skips such terms. Differentiable
    in x, w and bias.

    Errors: as heed_conv1d; HEED_ERR_SHAPE if L is less than 1; HEED_ERR_ARGUMENT unless output_padding is less than
    stride or dilation.
    torch: torch.nn.functional.conv_transpose1d"""
    return call(C.heed_conv_transpose1d, x, w, bias, dict(stride=stride, padding=padding, output_padding=output_padding,
        dilation=dilation, groups=groups))


def conv_transpose2d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    output_padding: Any = None, dilation: Any = None, groups: int = 0) -> Tensor:
    """Computes the transpose of heed_conv2d: x (B, O, M, N), w (O, C / groups, kh, kw), bias (C) or NULL -> (B, C, H, W).

    dx = heed_conv2d(g, w), dw = heed_conv2d_weight(g, x). Sizes are as in heed_conv_transpose1d.

    Errors: as heed_conv_transpose1d.
    torch: torch.nn.functional.conv_transpose2d"""
    return call(C.heed_conv_transpose2d, x, w, bias, dict(stride=stride, padding=padding, output_padding=output_padding,
        dilation=dilation, groups=groups))


def unfold(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None) -> Tensor:
    """Returns every window of x as a column: x (B, C, H, W), kernel (kh, kw) or one number for both -> (B, C kh kw, M N).
    dx = heed_fold(g).

        y[b, (c kh + t) kw + u, p N + q] = x[b, c, p stride - padding + t dilation, ...], 0 outside x

    M and N are the sizes of heed_conv2d.

    Errors: HEED_ERR_SHAPE for x of a different rank, and if the kernel does not fit; HEED_ERR_ARGUMENT for an invalid
    kernel, stride, padding or dilation; HEED_ERR_DTYPE unless f32 or f64.
    torch: torch.nn.functional.unfold"""
    return call(C.heed_unfold, x, kernel, dict(stride=stride, padding=padding, dilation=dilation))


def fold(columns: Tensor, size: Any, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None) -> Tensor:
    """Computes the transpose of heed_unfold: columns (B, C kh kw, M N) -> (B, C, H, W), where size is (H, W) or one number
    for both. Elements of overlapping windows are added.  dcolumns = heed_unfold(g).
    Errors: HEED_ERR_SHAPE unless unfolding such planes gives columns of the same number and height; others as
    heed_unfold.
    torch: torch.nn.functional.fold"""
    return call(C.heed_fold, columns, size, kernel, dict(stride=stride, padding=padding, dilation=dilation))


def conv2d_weight(x: Tensor, g: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
    groups: int = 0, same: bool = False) -> Tensor:
    """Computes the gradient of heed_conv2d by w: x (B, C, H, W), g (B, O, M, N), kernel (kh, kw) or one number for both ->
    (O, C / groups, kh, kw). It is the sum over b, p, q of g[b, o, p, q] x[b, c, ...] with the indices of heed_conv2d.
    Errors: HEED_ERR_SHAPE unless a convolution of x has the sizes of g; others as heed_conv2d.
    torch: torch.nn.grad.conv2d_weight"""
    return call(C.heed_conv2d_weight, x, g, kernel, dict(stride=stride, padding=padding, dilation=dilation, groups=groups,
        same=same))


def add(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Adds two tensors: a + b, elementwise with broadcasting.  da = g, db = g.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.add   numpy: numpy.add"""
    return call(C.heed_add, a, b)


def sub(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Subtracts two tensors: a - b, elementwise with broadcasting.  da = g, db = -g.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.sub   numpy: numpy.subtract"""
    return call(C.heed_sub, a, b)


def mul(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Multiplies two tensors: a b, elementwise with broadcasting.  da = g b, db = g a.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.mul   numpy: numpy.multiply"""
    return call(C.heed_mul, a, b)


def div(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Divides two tensors: a / b, elementwise with broadcasting; x / 0 is infinite and 0 / 0 is NaN.  da = g / b,
    db = -g a / b^2.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.div   numpy: numpy.divide"""
    return call(C.heed_div, a, b)


def maximum(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Returns the larger of a and b, elementwise with broadcasting; NaN if either is NaN. heed_max reduces one tensor.
    da = g if a > b, db = g if b > a; both are g / 2 if a = b.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.maximum   numpy: numpy.maximum"""
    return call(C.heed_maximum, a, b)


def minimum(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Returns the smaller of a and b, elementwise with broadcasting; NaN if either is NaN. heed_min reduces one tensor.
    da = g if a < b, db = g if b < a; both are g / 2 if a = b.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.minimum   numpy: numpy.minimum"""
    return call(C.heed_minimum, a, b)


def floor_divide(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Returns the largest whole number that is at most the exact quotient of a and b, elementwise with broadcasting.
    da = 0, db = 0.

    The result is not floor(a / b), which rounds a / b first: 1 // 0.1 is 9, because 0.1 in binary is a little more than
    1/10. A result that f32 or f64 cannot hold is rounded. x / 0 is infinite, 0 / 0 and infinity / b are NaN, and a
    finite a divided by an infinity is 0 or -1.

    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
    HEED_ERR_ARGUMENT for an i64 divided by 0.
    torch: torch.floor_divide   numpy: numpy.floor_divide"""
    return call(C.heed_floor_divide, a, b)


def remainder(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Returns the remainder of a divided by b, with the sign of b, elementwise with broadcasting.

        y = a - b heed_floor_divide(a, b)     da = g, db = -g heed_floor_divide(a, b)

    It is computed exactly by fmod: remainder(1e9, pi) is 1.02 in f32. For an infinite b it is a if a is 0 or has the
    sign of b, and b otherwise. For b = 0 and for an infinite a it is NaN.

    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
    HEED_ERR_ARGUMENT for an i64 divided by 0.
    torch: torch.remainder   numpy: numpy.remainder"""
    return call(C.heed_remainder, a, b)


def atan2(y: Tensor, x: Tensor) -> Tensor:
    """Returns the angle of the point (x, y) in radians, from -pi to pi, elementwise with broadcasting.

        dy = g x / (x^2 + y^2), dx = -g y / (x^2 + y^2)

    The signs of both count, also the signs of zeros: y = -0 and x < 0 give -pi. No square overflows in the gradients;
    they are NaN at the origin.

    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.atan2   numpy: numpy.arctan2"""
    return call(C.heed_atan2, y, x)


def where(condition: Tensor, a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Selects elements of a where condition is true and of b where it is false; all three broadcast.
    da = g where condition is true, db = g where it is false, and exactly 0 elsewhere, whatever is stored there.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless condition is bool and a, b are both f32,
    both f64 or both i64.
    torch: torch.where   numpy: numpy.where"""
    return call(C.heed_where, condition, a, b)


def compare(a: Tensor, comparison: str, b: Optional[Tensor] = None) -> Tensor:
    """Compares a and b of the same dtype, elementwise with broadcasting, and returns a bool tensor. No gradient. Any dtype
    is accepted. A comparison with NaN is false, except that HEED_COMPARE_NE is true.
    Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE if the dtypes differ; HEED_ERR_ARGUMENT if
    `comparison` is not one of HEED_COMPARE_*.
    torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
    numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal"""
    return call(C.heed_compare, a, comparison, b)


def compare_scalar(x: Tensor, comparison: str, c: float) -> Tensor:
    """Compares every element of x with the number c and returns a bool tensor. No gradient. If x is f32, c is rounded to
    f32.
    Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds, if x is bool and c is neither 0 nor
    1, and if `comparison` is not one of HEED_COMPARE_*.
    torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
    numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal"""
    return call(C.heed_compare_scalar, x, comparison, c)


def mul_scalar(x: Tensor, c: float) -> Tensor:
    """Multiplies x by a number: c x, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = c g.
    Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds.
    torch: torch.mul   numpy: numpy.multiply"""
    return call(C.heed_mul_scalar, x, c)


def add_scalar(x: Tensor, c: float) -> Tensor:
    """Adds a number to x: x + c, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = g.
    Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds.
    torch: torch.add   numpy: numpy.add"""
    return call(C.heed_add_scalar, x, c)


def rsub_scalar(x: Tensor, c: float) -> Tensor:
    """Subtracts x from a number: c - x, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = -g.
    Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds.
    torch: torch.rsub   numpy: numpy.subtract"""
    return call(C.heed_rsub_scalar, x, c)


def pow_scalar(x: Tensor, p: float) -> Tensor:
    """Raises x to the power p: x^p, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = g p x^(p-1), and 0 for p = 0. A
    float x < 0 gives NaN unless p is whole. 0^0 is 1.
    Errors: HEED_ERR_ARGUMENT if x is i64, unless p is a whole number of i64 and at least 0.
    torch: torch.pow   numpy: numpy.power"""
    return call(C.heed_pow_scalar, x, p)


def clamp(x: Tensor, low: float, high: float) -> Tensor:
    """Limits x to the interval low .. high: min(max(x, low), high), elementwise; x is f32, f64 or i64.  dx = g if low <= x
    <= high, else 0. NaN stays NaN. A low of -infinity or a high of infinity is no limit.
    Errors: HEED_ERR_ARGUMENT unless low <= high, and if x is i64 and a finite limit is not a whole number that i64
    holds.
    torch: torch.clamp   numpy: numpy.clip"""
    return call(C.heed_clamp, x, low, high)


def neg(x: Tensor) -> Tensor:
    """Negates x: -x, elementwise; x is f32, f64 or i64. -2^63 of i64 stays -2^63.  dx = -g.
    Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
    torch: torch.neg   numpy: numpy.negative"""
    return call(C.heed_neg, x)


def square(x: Tensor) -> Tensor:
    """Squares x: x^2, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = 2 g x.
    Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
    torch: torch.square   numpy: numpy.square"""
    return call(C.heed_square, x)


def sqrt(x: Tensor) -> Tensor:
    """Computes the square root: y = x^(1/2), elementwise; NaN for x < 0.  dx = g / (2 y), infinite at 0.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.sqrt   numpy: numpy.sqrt"""
    return call(C.heed_sqrt, x)


def exp(x: Tensor) -> Tensor:
    """Computes the exponential: y = e^x, elementwise.  dx = g y.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.exp   numpy: numpy.exp"""
    return call(C.heed_exp, x)


def log(x: Tensor) -> Tensor:
    """Computes the natural logarithm: ln x, elementwise; -infinity at 0, NaN for x < 0.  dx = g / x.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.log   numpy: numpy.log"""
    return call(C.heed_log, x)


def expm1(x: Tensor) -> Tensor:
    """Computes y = e^x - 1, elementwise, exact to the last digits for small x too.  dx = g (y + 1).
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.expm1   numpy: numpy.expm1"""
    return call(C.heed_expm1, x)


def log1p(x: Tensor) -> Tensor:
    """Computes ln(1 + x), elementwise, exact to the last digits for small x too.  dx = g / (1 + x). The result is -infinity
    at -1 and NaN for x < -1.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.log1p   numpy: numpy.log1p"""
    return call(C.heed_log1p, x)


def sin(x: Tensor) -> Tensor:
    """Computes the sine of x in radians, elementwise.  dx = g cos x.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.sin   numpy: numpy.sin"""
    return call(C.heed_sin, x)


def cos(x: Tensor) -> Tensor:
    """Computes the cosine of x in radians, elementwise.  dx = -g sin x.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.cos   numpy: numpy.cos"""
    return call(C.heed_cos, x)


def asin(x: Tensor) -> Tensor:
    """Computes the arcsine of x in radians, from -pi / 2 to pi / 2, elementwise; NaN for |x| > 1.  dx = g / sqrt(1 - x^2),
    infinite at -1 and 1.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.asin   numpy: numpy.arcsin"""
    return call(C.heed_asin, x)


def acos(x: Tensor) -> Tensor:
    """Computes the arccosine of x in radians, from 0 to pi, elementwise; NaN for |x| > 1.  dx = -g / sqrt(1 - x^2),
    infinite at -1 and 1.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.acos   numpy: numpy.arccos"""
    return call(C.heed_acos, x)


def atan(x: Tensor) -> Tensor:
    """Computes the arctangent of x in radians, from -pi / 2 to pi / 2, elementwise.  dx = g / (1 + x^2). heed_atan2 takes
    two tensors.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.atan   numpy: numpy.arctan"""
    return call(C.heed_atan, x)


def sinh(x: Tensor) -> Tensor:
    """Computes the hyperbolic sine: sinh x = (e^x - e^-x) / 2, elementwise.  dx = g cosh x.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.sinh   numpy: numpy.sinh"""
    return call(C.heed_sinh, x)


def cosh(x: Tensor) -> Tensor:
    """Computes the hyperbolic cosine: cosh x = (e^x + e^-x) / 2, elementwise.  dx = g sinh x.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.cosh   numpy: numpy.cosh"""
    return call(C.heed_cosh, x)


def tanh(x: Tensor) -> Tensor:
    """Computes the hyperbolic tangent: y = tanh x, elementwise.  dx = g (1 - y^2).
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.tanh   numpy: numpy.tanh"""
    return call(C.heed_tanh, x)


def sigmoid(x: Tensor) -> Tensor:
    """Computes the logistic sigmoid: y = 1 / (1 + e^-x), elementwise, without overflow for any x.  dx = g y (1 - y).
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.sigmoid"""
    return call(C.heed_sigmoid, x)


def relu(x: Tensor) -> Tensor:
    """Computes the rectified linear unit: max(x, 0), elementwise; NaN stays NaN.  dx = g if x > 0, else 0.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.nn.functional.relu"""
    return call(C.heed_relu, x)


def abs(x: Tensor) -> Tensor:
    """Computes the absolute value: |x|, elementwise; x is f32, f64 or i64. -2^63 of i64 stays -2^63.  dx = g sign x, which
    is 0 at 0.
    Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
    torch: torch.abs   numpy: numpy.absolute"""
    return call(C.heed_abs, x)


def sign(x: Tensor) -> Tensor:
    """Returns the sign of x as -1, 0 or 1, elementwise; x is f32, f64 or i64.  dx = 0. NaN stays NaN, as in NumPy (PyTorch
    makes it 0).
    Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
    torch: torch.sign   numpy: numpy.sign"""
    return call(C.heed_sign, x)


def floor(x: Tensor) -> Tensor:
    """Rounds x down to a whole number, elementwise.  dx = 0.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.floor   numpy: numpy.floor"""
    return call(C.heed_floor, x)


def ceil(x: Tensor) -> Tensor:
    """Rounds x up to a whole number, elementwise.  dx = 0.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.ceil   numpy: numpy.ceil"""
    return call(C.heed_ceil, x)


def round(x: Tensor) -> Tensor:
    """Rounds x to the nearest whole number, elementwise, and halves to the even one: 0.5 gives 0 and 1.5 gives 2.  dx = 0.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.round   numpy: numpy.round"""
    return call(C.heed_round, x)


def erf(x: Tensor) -> Tensor:
    """Computes the error function, 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x, elementwise.
    dx = g 2 / sqrt(pi) e^(-x^2).
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.erf"""
    return call(C.heed_erf, x)


def gelu(x: Tensor) -> Tensor:
    """Computes the Gaussian error linear unit in its exact form, not the tanh approximation, elementwise.

        y = x Phi(x) = x (1 + erf(x / sqrt 2)) / 2     dx = g (Phi(x) + x phi(x))

    where Phi and phi are the distribution function and the density of the standard normal distribution.

    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    Reference: Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
    torch: torch.nn.functional.gelu"""
    return call(C.heed_gelu, x)


def gelu_tanh(x: Tensor) -> Tensor:
    """Computes the tanh approximation of the Gaussian error linear unit, as GPT-2 does, elementwise.

        y = x (1 + tanh(u)) / 2     with u = sqrt(2 / pi) (x + 0.044715 x^3)
        dx = g (s + 2 x s (1 - s) du/dx)     with s = (1 + tanh(u)) / 2

    The result is NaN for -infinity, and derivatives are NaN if x^3 overflows.

    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    Reference: Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
    torch: torch.nn.functional.gelu"""
    return call(C.heed_gelu_tanh, x)


def softplus(x: Tensor) -> Tensor:
    """Computes softplus, a smooth relu: ln(1 + e^x), elementwise, without overflow for any x.  dx = g / (1 + e^-x).
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    Reference: Dugas et al.: Incorporating Second-Order Functional Knowledge (2001).
    torch: torch.nn.functional.softplus"""
    return call(C.heed_softplus, x)


def silu(x: Tensor) -> Tensor:
    """Computes the sigmoid linear unit, also called swish: x s with s = 1 / (1 + e^-x), elementwise.  dx = g s (1 + x (1 -
    s)).
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    Reference: Elfwing, Uchibe and Doya: Sigmoid-Weighted Linear Units (2018).
    torch: torch.nn.functional.silu"""
    return call(C.heed_silu, x)


def leaky_relu(x: Tensor, slope: float) -> Tensor:
    """Computes the leaky rectified linear unit: x for x > 0, else slope x, elementwise.  dx = g for x > 0, else slope g.
    PyTorch's default slope is 0.01.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    Reference: Maas, Hannun and Ng: Rectifier Nonlinearities Improve Neural Network Acoustic Models (2013).
    torch: torch.nn.functional.leaky_relu"""
    return call(C.heed_leaky_relu, x, slope)


def elu(x: Tensor, alpha: float) -> Tensor:
    """Computes the exponential linear unit: x for x > 0, else alpha (e^x - 1), elementwise.  dx = g for x > 0, else g alpha
    e^x. PyTorch's default alpha is 1.
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    Reference: Clevert, Unterthiner and Hochreiter: Exponential Linear Units (2016).
    torch: torch.nn.functional.elu"""
    return call(C.heed_elu, x, alpha)


def hardtanh(x: Tensor, low: float, high: float) -> Tensor:
    """Limits x to the interval low .. high with gradient 0 at the limits: min(max(x, low), high), elementwise.
    dx = g if low < x < high, else 0. Only the gradient at the limits differs from heed_clamp. NaN stays NaN. PyTorch's
    default limits are -1 and 1.
    Errors: HEED_ERR_ARGUMENT unless low <= high.
    torch: torch.nn.functional.hardtanh"""
    return call(C.heed_hardtanh, x, low, high)


def clone(x: Tensor) -> Tensor:
    """Copies x, of any dtype, into a new contiguous tensor; the copy is recorded, unlike heed_detach.  dx = g.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
    torch: torch.clone   numpy: numpy.copy"""
    return call(C.heed_clone, x)


def contiguous(x: Tensor) -> Tensor:
    """Returns x itself if its elements lie in row-major order without gaps, else a contiguous copy; any dtype.  dx = g.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
    torch: torch.Tensor.contiguous   numpy: numpy.ascontiguousarray"""
    return call(C.heed_contiguous, x)


def to_dtype(x: Tensor, dtype: str) -> Tensor:
    """Converts x to the given dtype; returns x itself if it already has that dtype.  dx = g, between f32 and f64. Floats
    become i64 by truncation; any number becomes bool by x != 0.
    Errors: HEED_ERR_ARGUMENT if a float does not fit i64 (NaN, infinity, 2^63 and beyond); HEED_ERR_DTYPE if `dtype` is
    not one of heed_dtype.
    torch: torch.Tensor.to   numpy: numpy.ndarray.astype"""
    return call(C.heed_to_dtype, x, dtype)


def sort(x: Tensor) -> Tensor:
    """Sorts x (..., n) in ascending order along its last axis, stably, with NaN last. x is f32, f64 or i64. The gradient
    goes back to the element that each value came from.
    Errors: HEED_ERR_SHAPE for a scalar; HEED_ERR_DTYPE for bool.
    torch: torch.sort   numpy: numpy.sort"""
    return call(C.heed_sort, x)


def sort_axis(x: Tensor, axis: int, *, descending: bool = False, return_indices: bool = False) -> Any:
    """Sorts x along `axis`, ascending with NaN last or descending with NaN first; both are stable. x is f32, f64 or i64.
    *indices, unless NULL, receives the original indices of the values, i64 of the shape of x, and NULL on failure. The
    gradient goes back to these indices.
    Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis; HEED_ERR_DTYPE for bool.
    torch: torch.sort, torch.argsort   numpy: numpy.sort, numpy.argsort"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_sort_axis, x, axis, descending, indices_)


def argsort(x: Tensor, axis: int, *, descending: bool = False) -> Tensor:
    """Returns the indices that sort x along the axis, those of heed_sort_axis: i64 of the shape of x. No gradient.
    Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis; HEED_ERR_DTYPE for bool.
    torch: torch.argsort   numpy: numpy.argsort"""
    return call(C.heed_argsort, x, axis, descending)


def topk(x: Tensor, k: int, axis: int = -1, largest: bool = True, *, return_indices: bool = False) -> Any:
    """Returns the k largest elements along the axis, largest first, or the k smallest, smallest first. The order is the
    order of heed_sort_axis: NaN is the largest, and the first of equal elements counts. *indices, unless NULL, receives
    the original indices, i64, and NULL on failure. The gradient goes back to these indices.
    Errors: HEED_ERR_ARGUMENT unless k is between 0 and the size of the axis; HEED_ERR_SHAPE, HEED_ERR_DTYPE as in
    heed_sort_axis.
    torch: torch.topk"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_topk, x, axis, k, largest, indices_)


def unique(x: Tensor, *, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """Returns the distinct elements of x in ascending order, (m). No gradient. x has any dtype and shape. Every NaN is
    distinct, and NaN is last. *inverse, unless NULL, receives the index in the result of every element of x, i64 of the
    shape of x. *counts, unless NULL, receives the number of occurrences, i64 (m). Both are NULL on failure.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
    torch: torch.unique   numpy: numpy.unique"""
    inverse_ = Out("out") if return_inverse else None
    counts_ = Out("out") if return_counts else None
    return call_outs(C.heed_unique, x, inverse_, counts_)


def searchsorted(sorted: Tensor, values: Tensor, *, right: bool = False) -> Tensor:
    """Returns the first index of the ascending row `sorted` at which every value can be inserted, or with `right` the last.
    No gradient. The index is the number of elements below the value, or with `right` the number of elements not above
    it: i64 of the shape of `values`. A vector is one row for all values; (..., n) are the rows for values (..., m). NaN
    is above every number. Both are f32, both f64 or both i64 (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE for a scalar `sorted`, and unless the leading axes are the same.
    torch: torch.searchsorted   numpy: numpy.searchsorted"""
    return call(C.heed_searchsorted, sorted, values, right)


def bincount(x: Tensor, weights: Optional[Tensor] = None, min_length: int = 0) -> Tensor:
    """Counts how often 0, 1, ... occur in x, i64 of rank 1; with weights, shaped like x, sums the weights instead.
    dweights = g at x. The counts are i64, the sums have the dtype of the weights. The result is long enough for the
    largest element of x, and at least min_length long.
    Errors: HEED_ERR_INDEX for a negative element; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for min_length < 0.
    torch: torch.bincount   numpy: numpy.bincount"""
    return call(C.heed_bincount, x, weights, min_length)


def masked_fill(x: Tensor, mask: Optional[Tensor] = None, value: float = 0.0) -> Tensor:
    """Replaces the elements of x, f32, f64 or i64, where the mask, bool, is true by `value`; the mask broadcasts to x.
    dx = g, exactly 0 where the mask is true, whatever g is there.
    Errors: HEED_ERR_SHAPE unless the mask broadcasts to the shape of x; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT if x is i64,
    unless the value is a whole number that i64 holds.
    torch: torch.masked_fill"""
    return call(C.heed_masked_fill, x, mask, value)


def gather(x: Tensor, axis: int, index: Tensor) -> Tensor:
    """Gathers elements of x by index: y[i, j] = x[index[i, j], j] for axis 0, x[i, index[i, j]] for axis 1, and so on.
    dx = scatter_sum(g). y has the shape of index, which is i64, has the rank of x and is no larger than x on the other
    axes. x has any dtype.
    Errors: HEED_ERR_INDEX for an index out of range, also a negative one; HEED_ERR_SHAPE if the shapes do not fit.
    torch: torch.gather   numpy: numpy.take_along_axis"""
    return call(C.heed_gather, x, axis, index)


def scatter_sum(src: Tensor, axis: int, index: Tensor, shape: Any) -> Tensor:
    """Adds the elements of src into zeros of `shape` by index: y[index[i, j], j] += src[i, j] for axis 0, and so on.
    dsrc = gather(g, index). It is the adjoint of heed_gather. index is i64 and has the shape of src; src is not bool.
    PyTorch and NumPy add to a given tensor: use heed_add for that.
    Errors: HEED_ERR_INDEX for an index out of range; HEED_ERR_SHAPE if the shapes do not fit.
    torch: torch.scatter_add   numpy: numpy.add.at"""
    return call(C.heed_scatter_sum, src, axis, index, shape)


def index_select(x: Tensor, axis: int, index: Tensor) -> Tensor:
    """Selects the slices of x at index (n), i64, along `axis`: x (A, B, C) gives (A, n, C) for axis 1.  dx = index_sum(g).
    Indices may repeat; x has any dtype.
    Errors: HEED_ERR_INDEX for an index out of range, also a negative one; HEED_ERR_SHAPE unless index has rank 1.
    torch: torch.index_select   numpy: numpy.take"""
    return call(C.heed_index_select, x, axis, index)


def index_sum(x: Tensor, axis: int, index: Tensor, size: int) -> Tensor:
    """Adds the n slices of x along `axis` into zeros of size `size` at index (n), i64: the adjoint of heed_index_select.
    dx = index_select(g, index). x is not bool.
    Errors: HEED_ERR_INDEX for an index outside 0 .. size - 1; HEED_ERR_SHAPE if the shapes do not fit.
    torch: torch.index_add   numpy: numpy.add.at"""
    return call(C.heed_index_sum, x, axis, index, size)


def embedding(indices: Tensor, weight: Optional[Tensor] = None) -> Tensor:
    """Looks up rows of weight (V, d) by indices of any shape (...), i64: the result is (..., d).  dweight: the sum of g
    over all occurrences of a row.
    Errors: HEED_ERR_INDEX for an index outside 0 .. V - 1; HEED_ERR_SHAPE unless weight has rank 2.
    torch: torch.nn.functional.embedding   numpy: numpy.take"""
    return call(C.heed_embedding, indices, weight)


def one_hot(indices: Tensor, classes: int, dtype: str = "f32") -> Tensor:
    """Encodes indices (...), i64, as one-hot vectors (..., classes) of `dtype`: 1 at the index and 0 elsewhere. No
    gradient.
    Errors: HEED_ERR_INDEX for an index outside 0 .. classes - 1; HEED_ERR_ARGUMENT for classes < 0.
    torch: torch.nn.functional.one_hot"""
    return call(C.heed_one_hot, indices, classes, dtype)


def isnan(x: Tensor) -> Tensor:
    """Tests which elements of x, of any dtype and shape, are NaN; the result is a bool tensor of the same shape. No
    gradient.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
    torch: torch.isnan   numpy: numpy.isnan"""
    return call(C.heed_isnan, x)


def isinf(x: Tensor) -> Tensor:
    """Tests which elements of x, of any dtype and shape, are infinite, of either sign; the result is a bool tensor of the
    same shape. No gradient.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
    torch: torch.isinf   numpy: numpy.isinf"""
    return call(C.heed_isinf, x)


def isfinite(x: Tensor) -> Tensor:
    """Tests which elements of x, of any dtype and shape, are neither NaN nor infinite; the result is a bool tensor of the
    same shape. No gradient.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
    torch: torch.isfinite   numpy: numpy.isfinite"""
    return call(C.heed_isfinite, x)


def isclose(a: Tensor, b: Optional[Tensor] = None, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Tests which elements of a and b are close, elementwise with broadcasting: |a - b| <= atol + rtol |b|, computed in
    their dtype. No gradient. Two equal infinities are close, and with equal_nan two NaN. PyTorch's default rtol is 1e-5,
    its default atol 1e-8.
    Errors: HEED_ERR_ARGUMENT unless rtol and atol are at least 0; HEED_ERR_SHAPE unless the shapes broadcast;
    HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.isclose   numpy: numpy.isclose"""
    return call(C.heed_isclose, a, b, rtol, atol, equal_nan)


def allclose(a: Tensor, b: Optional[Tensor] = None, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Returns true if all elements of a and b are close, as in heed_isclose, and for empty tensors. No gradient. Returns
    false on failure too.
    Errors: as heed_isclose, and HEED_ERR_NOMEM.
    torch: torch.allclose   numpy: numpy.allclose"""
    return call(C.heed_allclose, a, b, rtol, atol, equal_nan)


def logical_and(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Returns true where a and b are both true, elementwise with broadcasting. No gradient.
    Errors: HEED_ERR_DTYPE unless both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
    torch: torch.logical_and   numpy: numpy.logical_and"""
    return call(C.heed_logical_and, a, b)


def logical_or(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Returns true where a or b or both are true, elementwise with broadcasting. No gradient.
    Errors: HEED_ERR_DTYPE unless both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
    torch: torch.logical_or   numpy: numpy.logical_or"""
    return call(C.heed_logical_or, a, b)


def logical_xor(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Returns true where exactly one of a and b is true, elementwise with broadcasting. No gradient.
    Errors: HEED_ERR_DTYPE unless both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
    torch: torch.logical_xor   numpy: numpy.logical_xor"""
    return call(C.heed_logical_xor, a, b)


def logical_not(x: Tensor) -> Tensor:
    """Returns true where x is false, elementwise. No gradient.
    Errors: HEED_ERR_DTYPE unless x is bool.
    torch: torch.logical_not   numpy: numpy.logical_not"""
    return call(C.heed_logical_not, x)


def any(x: Tensor) -> Tensor:
    """Returns true, a bool scalar, if any element of x, bool, is true; an empty tensor gives false. No gradient.
    Errors: HEED_ERR_DTYPE unless x is bool.
    torch: torch.any   numpy: numpy.any"""
    return call(C.heed_any, x)


def any_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Returns true where any element over some axes of x, bool, is true; keepdim keeps these axes with size 1. An empty
    axis gives false. No gradient.
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.any   numpy: numpy.any"""
    return call(C.heed_any_axes, x, axes, keepdim)


def all(x: Tensor) -> Tensor:
    """Returns true, a bool scalar, if all elements of x, bool, are true; an empty tensor gives true. No gradient.
    Errors: HEED_ERR_DTYPE unless x is bool.
    torch: torch.all   numpy: numpy.all"""
    return call(C.heed_all, x)


def all_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Returns true where all elements over some axes of x, bool, are true; keepdim keeps these axes with size 1. An empty
    axis gives true. No gradient.
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.all   numpy: numpy.all"""
    return call(C.heed_all_axes, x, axes, keepdim)


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Computes the squared error (input - target)^2 of every element, reduced.
    dinput = 2 g (input - target), dtarget = -dinput.
    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.mse_loss"""
    return call(C.heed_mse_loss, input, target, reduction)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Computes the absolute error |input - target| of every element, reduced.
    dinput = g sign(input - target), dtarget = -dinput.
    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.l1_loss"""
    return call(C.heed_l1_loss, input, target, reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, *, beta: float, reduction: str = "mean") -> Tensor:
    """Computes the smooth L1 loss of every d = input - target, reduced: d^2 / (2 beta) if |d| < beta, else |d| - beta / 2.
    With beta 0 it is |d|.
    dinput = g d / beta if |d| < beta, else g sign d; dtarget = -dinput.
    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless beta is finite and 0
    or more.
    torch: torch.nn.functional.smooth_l1_loss"""
    return call(C.heed_smooth_l1_loss, input, target, beta, reduction)


def huber_loss(input: Tensor, target: Tensor, *, delta: float, reduction: str = "mean") -> Tensor:
    """Computes the Huber loss of every d = input - target, reduced: d^2 / 2 if |d| < delta, else delta (|d| - delta / 2).
    It is delta times heed_smooth_l1_loss.
    dinput = g d if |d| < delta, else g delta sign d; dtarget = -dinput.
    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless delta is finite and
    above 0.
    torch: torch.nn.functional.huber_loss"""
    return call(C.heed_huber_loss, input, target, delta, reduction)


def hinge_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Computes the hinge loss of scores: max(0, 1 - t x) of every input x and target t, which is 1 or -1, reduced.
    dx = -g t if t x < 1, else 0; dt = -g x if t x < 1, else 0.
    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT."""
    return call(C.heed_hinge_loss, input, target, reduction)


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float, reduction: str = "mean") -> Tensor:
    """Computes the hinge loss of distances, reduced: for every input x and target t it is x if t is 1, max(0, margin - x)
    if t is -1, and 0 for any other t.
    dx = g if t is 1; dx = -g if t is -1 and x < margin; else 0. dt = 0.
    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless the margin is finite.
    torch: torch.nn.functional.hinge_embedding_loss"""
    return call(C.heed_hinge_embedding_loss, input, target, margin, reduction)


def kl_div(input: Tensor, target: Tensor, *, log_target: bool = False, reduction: str = "mean") -> Tensor:
    """Computes the Kullback-Leibler divergence t (ln t - x) of every input x and target t, reduced.  dx = -g t,
    dt = g (ln t + 1 - x).

    x is the logarithm of a probability; t is a probability, or with log_target the logarithm of one. If t is the
    probability 0, the loss and its gradients are 0, whatever x is. The mean is over all elements; the divergence of a
    batch of B distributions, PyTorch's batchmean, is the sum divided by B.

    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.kl_div"""
    return call(C.heed_kl_div, input, target, log_target, reduction)


def poisson_nll_loss(input: Tensor, target: Tensor, *, reduction: str = "mean", no_log_input: bool = False, full: bool = False,
    eps: float = 0.0) -> Tensor:
    """Computes the negative log-likelihood of counts under Poisson distributions: e^x - t x of every input x and target t,
    reduced.
    dx = g (e^x - t), dt = -g x.

    x is the logarithm of a rate and t a count. The constant ln t! is left out unless `full` is set.

    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a negative, non-finite
    or unused eps.
    torch: torch.nn.functional.poisson_nll_loss"""
    return call(C.heed_poisson_nll_loss, input, target, dict(reduction=reduction, no_log_input=no_log_input, full=full,
        eps=eps))


def gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor, *, reduction: str = "mean", full: bool = False,
    eps: float = 0.0) -> Tensor:
    """Computes the negative log-likelihood of targets under normal distributions: (ln v + (x - t)^2 / v) / 2, reduced.
    dx = g (x - t) / v, dt = -dx, dvar = g (1 - (x - t)^2 / v) / (2 v), 0 below eps (PyTorch: the gradient at eps).

    x is the input, a mean, t the target, and v = max(var, eps). var holds the variances: var (...) of an input (..., d)
    is one per row, as in PyTorch; any other var broadcasts to the input.

    Errors: HEED_ERR_SHAPE unless the shapes fit; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_ARGUMENT for a
    negative variance or eps.
    torch: torch.nn.functional.gaussian_nll_loss"""
    return call(C.heed_gaussian_nll_loss, input, target, var, dict(reduction=reduction, full=full, eps=eps))


def cosine_similarity(a: Tensor, b: Tensor, axis: int) -> Tensor:
    """Computes the cosine of the angle between a and b along `axis`, which the result lacks; a and b broadcast.
    da = g (b / |b| - cos a / |a|) / |a|, db likewise.

    The cosine is the dot product divided by the lengths, which are at least 1e-8. The result and gradients are right
    even if squares overflow.

    Errors: HEED_ERR_SHAPE unless a and b broadcast, and if they lack the axis; HEED_ERR_DTYPE unless both are f32 or
    both f64.
    torch: torch.nn.functional.cosine_similarity"""
    return call(C.heed_cosine_similarity, a, b, axis)


def cosine_embedding_loss(a: Tensor, b: Tensor, target: Tensor, margin: float, reduction: str = "mean") -> Tensor:
    """Computes a loss of the cosine similarity c of the rows of a and b (..., d), with targets (...), reduced: 1 - c if the
    target is 1, max(0, c - margin) if it is -1, and 0 for any other target. da, db: as heed_cosine_similarity.
    Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_ARGUMENT unless the margin is finite.
    torch: torch.nn.functional.cosine_embedding_loss"""
    return call(C.heed_cosine_embedding_loss, a, b, target, margin, reduction)


def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, *, swap: bool = False,
    reduction: str = "mean") -> Tensor:
    """Computes the triplet loss max(0, |a - p| - |a - n| + margin) of the rows of anchor, positive and negative (..., d),
    reduced.
    da = g (u - w), dp = -g u, dn = g w, where u and w are the directions from p and n to a.

    With `swap` the smaller of |a - n| and |p - n| is used. Every length is the norm of the difference plus 1e-6 per
    component, and is right even if its square overflows.

    Errors: HEED_ERR_SHAPE unless the shapes are the same, and for scalars; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless the
    margin is finite.
    torch: torch.nn.functional.triplet_margin_loss"""
    return call(C.heed_triplet_margin_loss, anchor, positive, negative, margin, swap, reduction)


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Computes the binary cross entropy of logits x and targets t in 0 .. 1, reduced: max(x, 0) - x t + ln(1 + e^-|x|).
    dx = g (sigmoid(x) - t), dt = -g x.

    This is -ln of the probability of t under sigmoid(x), without overflow.

    Errors: HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.binary_cross_entropy_with_logits"""
    return call(C.heed_binary_cross_entropy_with_logits, input, target, reduction)


def nll_loss(input: Tensor, targets: Tensor, *, reduction: str = "mean", has_ignore_index: bool = False,
    ignore_index: Optional[int] = None, label_smoothing: float = 0.0) -> Tensor:
    """Computes the negative log-likelihood -input[target] of every row of input (..., C), targets i64 (...), reduced.
    dinput = -g at the target, 0 elsewhere.

    input holds logarithms of probabilities. Only the entries at the targets are read.

    Errors: HEED_ERR_INDEX for a target outside 0 .. C - 1 unless it is ignored; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
    HEED_ERR_ARGUMENT for a label smoothing.
    torch: torch.nn.functional.nll_loss"""
    return call(C.heed_nll_loss, input, targets, dict(reduction=reduction, has_ignore_index=has_ignore_index,
        ignore_index=ignore_index, label_smoothing=label_smoothing))


def cross_entropy(input: Tensor, targets: Tensor, *, reduction: str = "mean", has_ignore_index: bool = False,
    ignore_index: Optional[int] = None, label_smoothing: float = 0.0) -> Tensor:
    """Computes the cross entropy of every row x of logits, input (..., C), and its class, targets i64 (...), reduced.

        y = logsumexp(x) - sum_c t_c x_c,   t = (1 - s) onehot(target) + s / C     dx = g (softmax(x) - t)

    where s is the label smoothing. It is heed_nll_loss of heed_log_softmax, in one op.

    Errors: HEED_ERR_INDEX for a target outside 0 .. C - 1 unless it is ignored; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
    HEED_ERR_ARGUMENT for a smoothing outside 0 .. 1.
    torch: torch.nn.functional.cross_entropy"""
    return call(C.heed_cross_entropy, input, targets, dict(reduction=reduction, has_ignore_index=has_ignore_index,
        ignore_index=ignore_index, label_smoothing=label_smoothing))


def sequence_loss(losses: Tensor, valid_lens: Optional[Tensor] = None, reduction: str = "mean") -> Tensor:
    """Reduces losses (B, T) of sequences of unequal lengths; steps past a sequence's length do not count, whatever they
    hold.

    valid_lens, i64 (B), are the lengths. HEED_REDUCTION_SUM returns the sum; HEED_REDUCTION_MEAN the sum divided by the
    number of valid steps, NaN if their number is 0; HEED_REDUCTION_NONE returns (B), the sum of every sequence divided
    by T, the book's masked loss.  dlosses = g times the same factor, 0 past a length.

    Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T."""
    return call(C.heed_sequence_loss, losses, valid_lens, reduction)


def ctc_loss(log_probs: Tensor, targets: Tensor, input_lens: Tensor, target_lens: Tensor, *, reduction: str = "mean",
    blank: int = 0, zero_infinity: bool = False) -> Tensor:
    """Computes the loss of connectionist temporal classification (CTC), reduced: -ln of the probability of the labels,
    given log_probs.

    log_probs (T, B, C) are results of heed_log_softmax, one distribution per step. A path through the steps yields the
    labels targets (B, S), i64, after repeated classes are merged and blanks are removed. input_lens and target_lens, i64
    (B), are the numbers of steps and labels that count; NULL: all. Steps and labels past the lengths are not read.

    dlog_probs = -g times the probability that step t is used for class c, and 0 if no path yields the target (PyTorch:
    NaN). PyTorch's gradient is the gradient of the logits, which is right only after log_softmax.

    Errors: HEED_ERR_INDEX for a length out of range, and for a label that counts but is the blank or no class;
    HEED_ERR_ARGUMENT for a blank outside 0 .. C - 1; HEED_ERR_SHAPE; HEED_ERR_DTYPE.
    torch: torch.nn.functional.ctc_loss"""
    return call(C.heed_ctc_loss, log_probs, targets, input_lens, target_lens, dict(reduction=reduction, blank=blank,
        zero_infinity=zero_infinity))


def layer_norm(x: Tensor, shape: Any, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    eps: float = 1e-05) -> Tensor:
    """Normalises over the last axes of x: y = (x - mean) / sqrt(variance + eps) weight + bias. Differentiable in x, weight
    and bias.

    The last axes must have the sizes `shape` (rank 1 at least); the variance is divided by n. weight and bias have that
    shape, or are NULL. An eps between 0 and the smallest normal number of the dtype counts as the latter. Numbers whose
    squares overflow or underflow are first scaled by a power of two: y and dx are right for all finite x.

    Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless eps is finite and 0 or more.
    Reference: J. L. Ba, J. R. Kiros, G. E. Hinton: Layer Normalization (2016).
    torch: torch.nn.functional.layer_norm"""
    return call(C.heed_layer_norm, x, shape, weight, bias, eps)


def rms_norm(x: Tensor, shape: Any, weight: Optional[Tensor] = None, eps: float = 1e-05) -> Tensor:
    """Divides by the root mean square over the last axes of x: y = x / sqrt(mean of x^2 + eps) weight. Differentiable in x
    and weight.

    The last axes must have the sizes `shape` (rank 1 at least). weight has that shape, or is NULL. eps and extreme
    numbers are as in heed_layer_norm; eps 0 adds 0. PyTorch's default eps, which heed_nn_rms_norm and Python's
    heed.rms_norm share, is the machine epsilon of the dtype of x: 2^-23 for f32, 2^-52 for f64. PyTorch has the function
    as nn.functional.rms_norm from 2.4 on.

    Errors: as heed_layer_norm.
    Reference: B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019)."""
    return call(C.heed_rms_norm, x, shape, weight, eps)


def batch_norm(x: Tensor, mean: Tensor, variance: Tensor, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, *,
    eps: float = 1e-05, return_statistics: bool = False) -> Any:
    """Normalises every channel, axis 1 of x (B, C, ...): y = (x - mean) / sqrt(variance + eps) weight + bias.
    Differentiable in all tensors.

    weight and bias are (C), or NULL for 1 and 0. If mean and variance are NULL, as in training, they are computed per
    channel over all other axes, with the variance divided by n. *statistics, unless `statistics` is NULL, then receives
    them, (2, C) without a gradient, NaN if x is empty. Otherwise mean and variance (C) are the running statistics; give
    both or neither.

    Channels whose squares overflow or underflow are scaled as in heed_layer_norm: y and dx are right, and the variance
    in *statistics is inf or 0 if the dtype of x cannot hold it.

    Errors: HEED_ERR_SHAPE for other shapes, and for a single number per channel, which has no variance; HEED_ERR_DTYPE;
    HEED_ERR_ARGUMENT for mean without variance, and for eps as in heed_layer_norm.
    Reference: S. Ioffe, C. Szegedy: Batch Normalization (2015).
    torch: torch.nn.functional.batch_norm"""
    statistics_ = Out("out") if return_statistics else None
    return call_outs(C.heed_batch_norm, x, mean, variance, weight, bias, eps, statistics_)


def group_norm(x: Tensor, groups: int, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    eps: float = 1e-05) -> Tensor:
    """Normalises groups of channels of every sample of x (B, C, ...): y = (x - mean) / sqrt(variance + eps) weight + bias.
    Differentiable in x, weight and bias.

    mean and variance (divided by n) are taken over all elements of a sample's group of C / groups consecutive channels.
    weight and bias are (C), or NULL for 1 and 0. Extreme numbers are handled as in heed_layer_norm.

    Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless groups divides C, and for eps as in heed_layer_norm.
    Reference: Y. Wu, K. He: Group Normalization (2018).
    torch: torch.nn.functional.group_norm"""
    return call(C.heed_group_norm, x, groups, weight, bias, eps)


def instance_norm(x: Tensor, *, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, eps: float = 1e-05) -> Tensor:
    """Normalises every channel of every sample: heed_group_norm with one channel per group, x (B, C, ...).
    Errors: as heed_group_norm; HEED_ERR_SHAPE also for a channel of one number, which has no variance.
    Reference: D. Ulyanov, A. Vedaldi, V. Lempitsky: Instance Normalization (2016).
    torch: torch.nn.functional.instance_norm"""
    return call(C.heed_instance_norm, x, weight, bias, eps)


def dropout(x: Tensor, p: float, training: bool) -> Tensor:
    """Drops elements at random while training: every element is 0 with probability p, and x times 1 / (1 - p) (rounded to
    the dtype of x) otherwise. If not training, or for p = 0, the result is x itself.  dx = g, dropped alike. x is f32 or
    f64 (HEED_ERR_DTYPE), of any shape. The default generator decides: heed_manual_seed.
    Errors: HEED_ERR_ARGUMENT unless 0 <= p <= 1, training or not.
    torch: torch.nn.functional.dropout"""
    return call(C.heed_dropout, x, p, training)


def max_pool1d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
    ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """Returns the largest element of every window: x (..., L), windows of `kernel` elements -> (..., M), M = (L + 2 padding
    - dilation (kernel - 1) - 1) / stride + 1, rounded down or, with ceil_mode, up.  dx = g at the largest elements.

    The first of equal elements counts; a window with NaN gives NaN. *indices, unless `indices` is NULL, receives the
    positions on the axis, i64 (..., M), and NULL on failure.

    Errors: HEED_ERR_SHAPE if x lacks the axis, if no window fits, and if a window has padding only; HEED_ERR_ARGUMENT
    for an invalid kernel, stride, padding or dilation; HEED_ERR_DTYPE.
    torch: torch.nn.functional.max_pool1d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_max_pool1d, x, kernel, dict(stride=stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode),
        indices_)


def max_pool2d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
    ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """Returns the largest element of every window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N). Sizes
    and gradient are as in heed_max_pool1d. *indices receives i W + j for the element (i, j).
    Errors: as heed_max_pool1d.
    torch: torch.nn.functional.max_pool2d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_max_pool2d, x, kernel, dict(stride=stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode),
        indices_)


def avg_pool1d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, ceil_mode: bool = False,
    exclude_pad: bool = False, divisor: int = 0) -> Tensor:
    """Returns the mean of every window: x (..., L) -> (..., M). Sizes are as in heed_max_pool1d. Sums are computed in f64.
    Differentiable.
    Errors: as heed_max_pool1d, and HEED_ERR_ARGUMENT for a divisor below 0.
    torch: torch.nn.functional.avg_pool1d"""
    return call(C.heed_avg_pool1d, x, kernel, dict(stride=stride, padding=padding, ceil_mode=ceil_mode, exclude_pad=exclude_pad,
        divisor=divisor))


def avg_pool2d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, ceil_mode: bool = False,
    exclude_pad: bool = False, divisor: int = 0) -> Tensor:
    """Returns the mean of every window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N). Differentiable.
    Errors: as heed_avg_pool1d.
    torch: torch.nn.functional.avg_pool2d"""
    return call(C.heed_avg_pool2d, x, kernel, dict(stride=stride, padding=padding, ceil_mode=ceil_mode, exclude_pad=exclude_pad,
        divisor=divisor))


def adaptive_max_pool1d(x: Tensor, size: Any, *, return_indices: bool = False) -> Any:
    """Returns the largest element of every one of `size` windows: x (..., L) -> (..., size). Window p has the elements p L
    / size, rounded down, to (p + 1) L / size, rounded up. *indices and the gradient are as in heed_max_pool1d.
    Errors: HEED_ERR_SHAPE if x lacks the axis or is empty on it; HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_DTYPE.
    torch: torch.nn.functional.adaptive_max_pool1d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_adaptive_max_pool1d, x, size, indices_)


def adaptive_max_pool2d(x: Tensor, size: Any, *, return_indices: bool = False) -> Any:
    """Returns the largest element of every one of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]).
    Windows are as in heed_adaptive_max_pool1d, *indices and the gradient as in heed_max_pool2d.
    Errors: as heed_adaptive_max_pool1d.
    torch: torch.nn.functional.adaptive_max_pool2d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_adaptive_max_pool2d, x, size, indices_)


def adaptive_avg_pool1d(x: Tensor, size: Any) -> Tensor:
    """Returns the mean of every one of `size` windows: x (..., L) -> (..., size). Windows are as in
    heed_adaptive_max_pool1d. Differentiable.
    Errors: as heed_adaptive_max_pool1d.
    torch: torch.nn.functional.adaptive_avg_pool1d"""
    return call(C.heed_adaptive_avg_pool1d, x, size)


def adaptive_avg_pool2d(x: Tensor, size: Any) -> Tensor:
    """Returns the mean of every one of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]); HEED_SHAPE(1)
    is the mean of every plane. Windows are as in heed_adaptive_max_pool1d. Differentiable.
    Errors: as heed_adaptive_max_pool1d.
    torch: torch.nn.functional.adaptive_avg_pool2d"""
    return call(C.heed_adaptive_avg_pool2d, x, size)


def matmul(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Multiplies matrices or vectors by NumPy's rules: a (..., M, K) x b (..., K, N) -> (..., M, N).
    da = g b^T, db = a^T g. Leading axes broadcast. A vector (K) is a row on the left and a column on the right, and the
    result lacks its axis.
    Errors: HEED_ERR_SHAPE for a scalar, and unless the sizes K agree and the leading axes broadcast; HEED_ERR_DTYPE
    unless both are f32 or both f64.
    torch: torch.matmul   numpy: numpy.matmul"""
    return call(C.heed_matmul, a, b)


def bmm(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Multiplies matrices, one product per batch element: a (B, M, K) x b (B, K, N) -> (B, M, N), or (M, K) x (K, N) ->
    (M, N).
    da = g b^T, db = a^T g. K = 0 gives zeros.
    Errors: HEED_ERR_SHAPE unless both have rank 3 or both rank 2, and B and K agree; HEED_ERR_DTYPE unless both are f32
    or both f64.
    torch: torch.bmm, torch.mm   numpy: numpy.matmul"""
    return call(C.heed_bmm, a, b)


def linear(x: Tensor, w: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Applies a linear map to the last axis: y = x w^T + b, with x (..., in), w (out, in), b (out) or NULL -> (..., out).
    dx = g w, dw = g^T x, db = the sum of the rows of g.
    Errors: HEED_ERR_SHAPE unless the sizes agree; HEED_ERR_DTYPE unless all are f32 or all f64.
    torch: torch.nn.functional.linear"""
    return call(C.heed_linear, x, w, b)


def outer(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Computes the outer product of two vectors: a (n), b (m) -> (n, m), y[i, j] = a[i] b[j].  da = g b, db = a g.
    Errors: HEED_ERR_SHAPE unless both have rank 1; HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.outer   numpy: numpy.outer"""
    return call(C.heed_outer, a, b)


def einsum(equation: str, operands: Sequence[Tensor]) -> Tensor:
    """Computes sums of products in Einstein notation: heed_einsum("bqd,bkd->bqk", HEED_TENSORS(q, k)).

    Letters name the axes of every operand. Axes of the same letter are matched; a letter that occurs twice in an operand
    takes its diagonal, and a letter that is missing in the output is summed over. "..." stands for any axes, which
    broadcast, as do axes of size 1. Without an arrow the output is "..." followed by the letters that occur once, A to Z
    and then a to z. The products are computed by heed_bmm, from the left; without a computation the result is a view.
    Differentiable in every operand.

    Errors: HEED_ERR_ARGUMENT if `equation` is not valid, or not for n operands; HEED_ERR_SHAPE if ranks or the sizes of
    a letter differ; HEED_ERR_DTYPE unless all are f32 or all f64.
    torch: torch.einsum   numpy: numpy.einsum"""
    return call(C.heed_einsum, equation, operands, length(operands))


def bmm_t(a: Tensor, transpose_a: bool, b: Tensor, transpose_b: bool) -> Tensor:
    """Multiplies matrices that may be stored transposed: heed_bmm with a given as (B, K, M) if transpose_a, and b as
    (B, N, K) if transpose_b. The numbers are the same as with heed_transpose before heed_bmm, and nothing is copied.
    Errors: as heed_bmm."""
    return call(C.heed_bmm_t, a, transpose_a, b, transpose_b)


def linear_activated(x: Tensor, w: Tensor, b: Tensor, activation: Any) -> Tensor:
    """Applies a linear map and an activation: y = activation(x w^T + b), with x (..., in), w (out, in), b (out) or NULL.
    The numbers and gradients are the same as of activation(heed_linear(x, w, b)). With heed_relu, heed_tanh and
    heed_sigmoid it saves one pass over memory, and the value before the activation is not kept. A NULL activation
    applies only the map. Your own function runs as heed/scope.h describes.
    Errors: as heed_linear, and HEED_ERR_STATE if the activation returns NULL without an error."""
    return call(C.heed_linear_activated, x, w, b, activation)


def recurrence(cell: str, x: Tensor, w: Tensor, b: Tensor, state: Tensor, valid_lens: Optional[Tensor] = None,
    reverse: bool = False, *, return_final_state: bool = False) -> Any:
    """Computes the states y_t = h after every step t, for all T steps in one op.

    x (T, B, gates h) is usually W_i x + b_i of a layer; w is (gates h, h); b is (gates h) or NULL for 0. `state`
    (1, B, h), for the LSTM (2, B, h) with h followed by c, is the state before the first step; NULL: zeros. y is
    (T, B, h). *final_state, unless `final_state` is NULL, becomes the state after the last step, shaped like `state`,
    and NULL on failure. Differentiable in x, w, b and state.

    valid_lens, i64 (B) in any order, are the lengths of the sequences; NULL: T. x past a length is not read, y is 0
    there, and the last step is the one before the length. With `reverse`, steps are taken from the last to the first;
    the order of y does not change.

    Backward takes one pass back through the steps, and two products for w. Recording keeps 5 h numbers per step of the
    LSTM, and 4 h of the GRU.

    Returns NULL on failure.
    Errors: HEED_ERR_ARGUMENT for NULL x or w, or an unknown cell; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a
    length outside 0 .. T; HEED_ERR_NOMEM."""
    final_state_ = Out("out") if return_final_state else None
    return call_outs(C.heed_recurrence, cell, x, w, b, state, valid_lens, reverse, final_state_)


def sum(x: Tensor) -> Tensor:
    """Sums all elements to a scalar; the sum of an empty tensor is 0.  dx = g, expanded. The sum of i64 is i64, modulo
    2^64, as in PyTorch. The sum of bool is i64 too: the number of true elements. Neither has a gradient.
    Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
    torch: torch.sum   numpy: numpy.sum"""
    return call(C.heed_sum, x)


def sum_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Sums x over some axes; keepdim keeps them with size 1. An empty sum is 0.  dx = g, expanded. The sum of i64 is i64,
    modulo 2^64, as in PyTorch. The sum of bool is i64 too: the number of true elements. Neither has a gradient.
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice.
    torch: torch.sum   numpy: numpy.sum"""
    return call(C.heed_sum_axes, x, axes, keepdim)


def mean(x: Tensor) -> Tensor:
    """Computes the mean of all n elements, a scalar: sum / n; NaN for an empty tensor.  dx = g / n. x is f32 or f64
    (HEED_ERR_DTYPE).
    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.mean   numpy: numpy.mean"""
    return call(C.heed_mean, x)


def mean_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Computes the mean over some axes of x, f32 or f64: sum / n; NaN if n is 0.  dx = g / n. keepdim keeps the axes with
    size 1.
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.mean   numpy: numpy.mean"""
    return call(C.heed_mean_axes, x, axes, keepdim)


def var(x: Tensor, correction: int = 1) -> Tensor:
    """Computes the variance of all n elements, a scalar: sum((x - mean)^2) / (n - correction).
    dx = 2 g (x - mean) / (n - correction).

    Correction 1, PyTorch's default, makes the variance unbiased; correction 0, NumPy's default, gives the mean square.
    The divisor is at least 0: one element with correction 1 gives NaN. x is f32 or f64 (HEED_ERR_DTYPE). The result is
    right if the dtype of x can hold it, even if the sum of squares overflows. For the deviation of numbers beyond 1e19
    in f32, whose variance overflows, use heed_std.

    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.var   numpy: numpy.var"""
    return call(C.heed_var, x, correction)


def var_axes(x: Tensor, axes: Any, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Computes the variance over some axes of x, f32 or f64, as heed_var does; keepdim keeps the axes with size 1.
    dx = 2 g (x - mean) / (n - correction).
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.var   numpy: numpy.var"""
    return call(C.heed_var_axes, x, axes, correction, keepdim)


def std(x: Tensor, correction: int = 1) -> Tensor:
    """Computes the standard deviation y of all elements, a scalar: the square root of heed_var.
    dx = g (x - mean) / (y (n - correction)), and 0 if y is 0.

    If y is 0, higher derivatives are 0 too. The second derivative of y^2 differs from 0 there, so use heed_var for y^2.
    x is f32 or f64 (HEED_ERR_DTYPE). If squares overflow or underflow, y and dx are computed in f64 from x times a power
    of two. They are right wherever the dtype can hold them, from the smallest x to the largest.

    Errors: HEED_ERR_DTYPE unless x is f32 or f64.
    torch: torch.std   numpy: numpy.std"""
    return call(C.heed_std, x, correction)


def std_axes(x: Tensor, axes: Any, correction: int = 1, keepdim: bool = False) -> Tensor:
    """Computes the standard deviation over some axes of x, f32 or f64, as heed_std does; keepdim keeps the axes with size
    1.
    dx = g (x - mean) / (y (n - correction)), and 0 if y is 0.
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.std   numpy: numpy.std"""
    return call(C.heed_std_axes, x, axes, correction, keepdim)


def norm(x: Tensor, p: float) -> Tensor:
    """Computes the p-norm y of all elements, a scalar: (sum |x|^p)^(1/p).
    dx = g sign(x) (|x| / y)^(p - 1), 0 if x or y is 0; elements that share an extreme share the gradient evenly.

    p = INFINITY gives the largest |x|, -INFINITY the smallest, and p = 0 the number of nonzero elements. The norm of an
    empty tensor is 0 for other p. x is f32 or f64 (HEED_ERR_DTYPE). If powers overflow or underflow, y and dx are
    computed in f64 from x times a power of two; they are right wherever the dtype can hold them. There is one exception:
    in f64, for p < 0 or p > 500, dx needs |x| in 1e-290 .. 1e290. If y is 0, higher derivatives are 0. The second
    derivative of y^2 differs from 0 there, so use heed_sum of heed_square for y^2.

    Errors: HEED_ERR_ARGUMENT if p is NaN; HEED_ERR_SHAPE for an empty tensor if p is INFINITY or below 0.
    torch: torch.linalg.vector_norm   numpy: numpy.linalg.norm"""
    return call(C.heed_norm, x, p)


def norm_axes(x: Tensor, p: float, axes: Any, keepdim: bool = False) -> Tensor:
    """Computes the p-norms over some axes of x, f32 or f64, as heed_norm does; keepdim keeps the axes with size 1.
    dx = g sign(x) (|x| / y)^(p - 1), 0 if x or y is 0.
    Errors: HEED_ERR_SHAPE, also if x lacks an axis or an axis is given twice; HEED_ERR_ARGUMENT; HEED_ERR_DTYPE.
    torch: torch.linalg.vector_norm   numpy: numpy.linalg.norm"""
    return call(C.heed_norm_axes, x, p, axes, keepdim)


def prod(x: Tensor) -> Tensor:
    """Multiplies all elements to a scalar; the product of an empty tensor is 1.  dx = g times the product of the other
    elements, also if x is 0. x is f32, f64 or i64 (HEED_ERR_DTYPE); products of i64 are taken modulo 2^64. Halves of the
    tensor are multiplied by each other: with factors of 1e200 and 1e-200, intermediate products may overflow.
    Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
    torch: torch.prod   numpy: numpy.prod"""
    return call(C.heed_prod, x)


def prod_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Multiplies the elements of x, f32, f64 or i64, over some axes; keepdim keeps them with size 1. An empty product is 1.
    dx = g times the product of the other elements, also if x is 0.
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.prod   numpy: numpy.prod"""
    return call(C.heed_prod_axes, x, axes, keepdim)


def cumsum(x: Tensor, axis: int) -> Tensor:
    """Computes the cumulative sums along an axis: y[i] = x[0] + ... + x[i].  dx[i] = g[i] + g[i + 1] + ... x is f32, which
    is summed in f64, or f64, or i64, modulo 2^64 (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE if x lacks the axis.
    torch: torch.cumsum   numpy: numpy.cumsum"""
    return call(C.heed_cumsum, x, axis)


def trapezoid(y: Tensor, x: Tensor, *, axis: int) -> Tensor:
    """Integrates y along an axis by the trapezoidal rule: the sum of (y[i] + y[i - 1]) (x[i] - x[i - 1]) / 2, without the
    axis. Differentiable in both. x holds the positions of the n points of the axis, (n), or has the rank of y and
    broadcasts. Fewer than two points give 0. x and y are both f32 or both f64 (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE if x does not fit or y lacks the axis.
    torch: torch.trapezoid   numpy: numpy.trapz"""
    return call(C.heed_trapezoid, y, x, axis)


def trapezoid_scalar(y: Tensor, dx: float, *, axis: int) -> Tensor:
    """Integrates y along an axis by the trapezoidal rule for points at distance dx: dx (y[0] / 2 + y[1] + ... + y[n - 1] /
    2). Differentiable. y is f32 or f64 (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE if y lacks the axis.
    torch: torch.trapezoid   numpy: numpy.trapz"""
    return call(C.heed_trapezoid_scalar, y, dx, axis)


def max(x: Tensor) -> Tensor:
    """Returns the largest element, a scalar; NaN if x contains NaN.  dx = g, shared evenly by equal largest elements. x is
    f32, f64 or i64 (HEED_ERR_DTYPE). heed_maximum compares two tensors.
    Errors: HEED_ERR_SHAPE for an empty tensor.
    torch: torch.max   numpy: numpy.max"""
    return call(C.heed_max, x)


def max_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Returns the largest elements over some axes of x, f32, f64 or i64; keepdim keeps the axes with size 1.  dx = g,
    shared evenly by equal largest elements. The result is NaN if there is a NaN among the elements.
    Errors: HEED_ERR_SHAPE if an axis to reduce is empty, if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.amax   numpy: numpy.max"""
    return call(C.heed_max_axes, x, axes, keepdim)


def min(x: Tensor) -> Tensor:
    """Returns the smallest element, a scalar; NaN if x contains NaN.  dx = g, shared evenly by equal smallest elements. x
    is f32, f64 or i64 (HEED_ERR_DTYPE). heed_minimum compares two tensors.
    Errors: HEED_ERR_SHAPE for an empty tensor.
    torch: torch.min   numpy: numpy.min"""
    return call(C.heed_min, x)


def min_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Returns the smallest elements over some axes of x, f32, f64 or i64; keepdim keeps the axes with size 1.  dx = g,
    shared evenly by equal smallest elements. The result is NaN if there is a NaN among the elements.
    Errors: HEED_ERR_SHAPE if an axis to reduce is empty, if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
    torch: torch.amin   numpy: numpy.min"""
    return call(C.heed_min_axes, x, axes, keepdim)


def argmax(x: Tensor) -> Tensor:
    """Returns the index of the largest element in the flattened tensor, an i64 scalar. No gradient. The first of equal
    elements counts; if x contains NaN it is the index of the first NaN. x is f32, f64 or i64 (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE for an empty tensor.
    torch: torch.argmax   numpy: numpy.argmax"""
    return call(C.heed_argmax, x)


def argmax_axis(x: Tensor, axis: int, keepdim: bool = False) -> Tensor:
    """Returns the indices of the largest elements along an axis, i64; keepdim keeps the axis with size 1. No gradient. The
    first of equal elements counts, and a NaN, the first one, counts as the largest. x is f32, f64 or i64
    (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE if the axis is empty or x lacks it.
    torch: torch.argmax   numpy: numpy.argmax"""
    return call(C.heed_argmax_axis, x, axis, keepdim)


def argmin(x: Tensor) -> Tensor:
    """Returns the index of the smallest element in the flattened tensor, an i64 scalar. No gradient. The first of equal
    elements counts; if x contains NaN it is the index of the first NaN. x is f32, f64 or i64 (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE for an empty tensor.
    torch: torch.argmin   numpy: numpy.argmin"""
    return call(C.heed_argmin, x)


def argmin_axis(x: Tensor, axis: int, keepdim: bool = False) -> Tensor:
    """Returns the indices of the smallest elements along an axis, i64; keepdim keeps the axis with size 1. No gradient. The
    first of equal elements counts, and a NaN, the first one, counts as the smallest. x is f32, f64 or i64
    (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE if the axis is empty or x lacks it.
    torch: torch.argmin   numpy: numpy.argmin"""
    return call(C.heed_argmin_axis, x, axis, keepdim)


def sum_to(x: Tensor, shape: Any) -> Tensor:
    """Sums x, f32 or f64, down to a shape that broadcasts to the shape of x: the adjoint of heed_expand.  dx = expand(g).
    Returns x itself if it already has that shape.
    Errors: HEED_ERR_SHAPE unless `shape` broadcasts to the shape of x; HEED_ERR_DTYPE.
    torch: torch.Tensor.sum_to_size"""
    return call(C.heed_sum_to, x, shape)


def reshape(x: Tensor, shape: Any) -> Tensor:
    """Returns the elements of x, row-major, in a new shape; one dim may be -1 and is computed: x (2, 6) as HEED_SHAPE(-1,
    4) is (3, 4).  dx = g, reshaped. The result is a view, or a copy if the layout of x does not allow a view.
    Errors: HEED_ERR_SHAPE if the number of elements differs.
    torch: torch.reshape   numpy: numpy.reshape"""
    return call(C.heed_reshape, x, shape)


def transpose(x: Tensor, axis_a: int, axis_b: int) -> Tensor:
    """Returns a view with two axes swapped: x (2, 3, 4) with axes 0 and -1 gives (4, 3, 2).  dx = g, swapped back.
    Errors: HEED_ERR_SHAPE if x lacks an axis.
    torch: torch.transpose   numpy: numpy.swapaxes"""
    return call(C.heed_transpose, x, axis_a, axis_b)


def permute(x: Tensor, order: Any) -> Tensor:
    """Returns a view whose axis i is axis order.dims[i] of x: x (2, 3, 4) in the order HEED_AXES(2, 0, 1) is (4, 2, 3).
    dx = g, permuted back.
    Errors: HEED_ERR_SHAPE unless the order names every axis once.
    torch: torch.permute   numpy: numpy.transpose"""
    return call(C.heed_permute, x, order)


def squeeze(x: Tensor, axis: int) -> Tensor:
    """Returns a view without an axis of size 1: x (2, 1, 3) without axis 1 is (2, 3).  dx = g, reshaped.
    Errors: HEED_ERR_SHAPE if x lacks the axis or its size differs from 1.
    torch: torch.squeeze   numpy: numpy.squeeze"""
    return call(C.heed_squeeze, x, axis)


def unsqueeze(x: Tensor, axis: int) -> Tensor:
    """Returns a view with a new axis of size 1 before `axis`; -1 appends it: x (2, 3) at 1 is (2, 1, 3).  dx = g, reshaped.
    Errors: HEED_ERR_SHAPE at rank 8, the largest supported rank.
    torch: torch.unsqueeze   numpy: numpy.expand_dims"""
    return call(C.heed_unsqueeze, x, axis)


def flatten(x: Tensor, start_axis: int, end_axis: int) -> Tensor:
    """Merges the axes start_axis .. end_axis of x into one: x (2, 3, 4) from 1 to -1 is (2, 12).  dx = g, reshaped. The
    result is a view if x is contiguous. A scalar becomes (1).
    Errors: HEED_ERR_SHAPE if x lacks an axis, or if the end is before the start.
    torch: torch.flatten"""
    return call(C.heed_flatten, x, start_axis, end_axis)


def expand(x: Tensor, shape: Any) -> Tensor:
    """Returns a view of x broadcast to `shape`, with stride 0: x (3, 1) becomes (2, 3, 4) by HEED_SHAPE(2, 3, 4).
    dx = heed_sum_to(g). Do not write to the view.
    Errors: HEED_ERR_SHAPE unless x broadcasts to the shape.
    torch: torch.Tensor.expand   numpy: numpy.broadcast_to"""
    return call(C.heed_expand, x, shape)


def slice(x: Tensor, axis: int, start: int, stop: int, step: int) -> Tensor:
    """Returns a view, x[start:stop:step] on one axis by Python's rules: negative start and stop count from the end, both
    are clipped, and HEED_END is the end.  dx = heed_unslice(g).
    Errors: HEED_ERR_ARGUMENT unless step >= 1; HEED_ERR_SHAPE if x lacks the axis.
    torch: torch.narrow"""
    return call(C.heed_slice, x, axis, start, stop, step)


def unslice(x: Tensor, axis: int, start: int, step: int, size: int) -> Tensor:
    """Returns zeros of size `size` on `axis`, with the slices of x at start, start + step, ...: the adjoint of heed_slice,
    a copy.  dx = g, sliced.
    Errors: HEED_ERR_INDEX if x does not fit; HEED_ERR_ARGUMENT unless step >= 1.
    torch: torch.slice_scatter"""
    return call(C.heed_unslice, x, axis, start, step, size)


def select(x: Tensor, axis: int, index: int) -> Tensor:
    """Returns a view, x[..., index, ...], without the axis: x (2, 3, 4) at axis 1 is (2, 4); index -1 is the last.
    dx = g at the index, 0 elsewhere.
    Errors: HEED_ERR_INDEX if the index is out of range; HEED_ERR_SHAPE if x lacks the axis.
    torch: torch.select   numpy: numpy.take"""
    return call(C.heed_select, x, axis, index)


def diagonal(x: Tensor, offset: int, axis_a: int, axis_b: int) -> Tensor:
    """Returns a view of a diagonal of two axes, as the last axis: x (2, 3, 3) with axes 1 and 2 gives (2, 3), x[b, i, i +
    offset].  dx = g on the diagonal, 0 elsewhere. A negative offset is below the main diagonal; a diagonal outside x has
    no elements.
    Errors: HEED_ERR_SHAPE if x lacks an axis or the two axes are the same.
    torch: torch.diagonal   numpy: numpy.diagonal"""
    return call(C.heed_diagonal, x, offset, axis_a, axis_b)


def diag(x: Tensor, offset: int = 0) -> Tensor:
    """Makes a matrix with a given diagonal, or returns the diagonal of a matrix.  dx = g on the diagonal.
    A vector x (n) becomes the matrix (n + |offset|, n + |offset|) with x on the diagonal and 0 elsewhere. For a matrix
    the result is a view of the diagonal.
    Errors: HEED_ERR_SHAPE for any other rank.
    torch: torch.diag   numpy: numpy.diag"""
    return call(C.heed_diag, x, offset)


def tril(x: Tensor, diagonal: int = 0) -> Tensor:
    """Returns the lower triangle of every matrix of x (..., n, m): x where column - row <= diagonal, 0 above.
    dx = tril(g). heed_tril of ones, bool, is the mask of causal attention.
    Errors: HEED_ERR_SHAPE if the rank is below 2.
    torch: torch.tril   numpy: numpy.tril"""
    return call(C.heed_tril, x, diagonal)


def triu(x: Tensor, diagonal: int = 0) -> Tensor:
    """Returns the upper triangle of every matrix of x (..., n, m): x where column - row >= diagonal, 0 below.
    dx = triu(g).
    Errors: HEED_ERR_SHAPE if the rank is below 2.
    torch: torch.triu   numpy: numpy.triu"""
    return call(C.heed_triu, x, diagonal)


def concat(tensors: Sequence[Tensor], axis: int) -> Tensor:
    """Concatenates tensors along an existing axis: heed_concat(HEED_TENSORS(x, y), 0) of (2, 3) and (4, 3) is (6, 3). The
    gradient of every tensor is its part of g.
    Errors: HEED_ERR_SHAPE unless the shapes agree except on the axis; HEED_ERR_DTYPE unless all have one dtype;
    HEED_ERR_ARGUMENT unless n >= 1.
    torch: torch.cat   numpy: numpy.concatenate"""
    return call(C.heed_concat, tensors, length(tensors), axis)


def stack(tensors: Sequence[Tensor], axis: int) -> Tensor:
    """Concatenates tensors along a new axis: heed_stack(HEED_TENSORS(x, y), 0) of two (3) is (2, 3). The gradient of every
    tensor is its part of g.
    Errors: HEED_ERR_SHAPE unless all have one shape, of rank 7 at most; HEED_ERR_DTYPE unless all have one dtype;
    HEED_ERR_ARGUMENT unless n >= 1.
    torch: torch.stack   numpy: numpy.stack"""
    return call(C.heed_stack, tensors, length(tensors), axis)


def repeat_interleave(x: Tensor, repeats: int, axis: int) -> Tensor:
    """Repeats every element of the axis `repeats` times in a row: [a b] twice is [a a b b].
    dx = the sum of g over the copies.
    Errors: HEED_ERR_ARGUMENT for repeats < 0; HEED_ERR_SHAPE if x lacks the axis.
    torch: torch.repeat_interleave   numpy: numpy.repeat"""
    return call(C.heed_repeat_interleave, x, axis, repeats)


def tile(x: Tensor, repeats: Any) -> Tensor:
    """Repeats the whole tensor repeats.dims[i] times on axis i: [a b] twice is [a b a b].
    dx = the sum of g over the copies. If the ranks of x and repeats differ, the shorter one is padded with ones in
    front.
    Errors: HEED_ERR_ARGUMENT for a negative number of repeats.
    torch: torch.tile   numpy: numpy.tile"""
    return call(C.heed_tile, x, repeats)


def flip(x: Tensor, axes: Any) -> Tensor:
    """Reverses the order of the elements along the listed axes.  dx = g, flipped. An empty list flips nothing, as in
    PyTorch; HEED_ALL_AXES is the empty list too, so list every axis to flip all.
    Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is listed twice.
    torch: torch.flip   numpy: numpy.flip"""
    return call(C.heed_flip, x, axes)


def roll(x: Tensor, shift: int, axis: int) -> Tensor:
    """Shifts x by `shift` elements along the axis; elements that leave at the end return at the beginning: [a b c] by 1 is
    [c a b].  dx = g, shifted back.
    Errors: HEED_ERR_SHAPE if x lacks the axis.
    torch: torch.roll   numpy: numpy.roll"""
    return call(C.heed_roll, x, axis, shift)


def pad(x: Tensor, pads: Any, mode: str = "constant", value: float = 0.0) -> Tensor:
    """Adds elements before and after the last axes of x, or removes some.  dx = g where x is, and the sum over the copies
    of every element.

    pads are, as in PyTorch, two numbers for the last axis, two for the axis before it, and so on; negative numbers
    remove elements. pads is a heed_shape of at most 8 numbers, so one call pads at most the last 4 axes; transpose x to
    pad others.

    Errors: HEED_ERR_SHAPE unless pads has two numbers per axis for at most all axes of x, or if more elements are
    removed or mirrored than x has; HEED_ERR_ARGUMENT for an unknown mode, and for a nonzero value in a mode other than
    HEED_PAD_CONSTANT.
    torch: torch.nn.functional.pad   numpy: numpy.pad"""
    return call(C.heed_pad, x, pads, mode, value)


def softmax(x: Tensor, axis: int) -> Tensor:
    """Computes the softmax along `axis`: y = exp(x - max) / sum exp(x - max), weights that sum to 1.
    dx = y (g - sum(g y)). x is f32 or f64 (HEED_ERR_DTYPE), of rank 1 or more. NaN or +inf makes its row NaN; -inf has
    weight 0.
    Errors: HEED_ERR_SHAPE if x lacks the axis.
    torch: torch.nn.functional.softmax"""
    return call(C.heed_softmax, x, axis)


def log_softmax(x: Tensor, axis: int) -> Tensor:
    """Computes the logarithm of heed_softmax along `axis`: y = x - logsumexp(x), exact even if the softmax is 0.
    dx = g - exp(y) sum(g).
    x is f32 or f64 (HEED_ERR_DTYPE).
    Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis.
    torch: torch.nn.functional.log_softmax"""
    return call(C.heed_log_softmax, x, axis)


def logsumexp(x: Tensor, axis: int, keepdim: bool = False) -> Tensor:
    """Computes y = ln sum exp(x) along `axis`; keepdim keeps the axis with size 1.  dx = g softmax(x).
    x is f32 or f64 (HEED_ERR_DTYPE). An empty row, or a row of only -inf, gives -inf with gradient NaN; +inf gives +inf.
    Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis.
    torch: torch.logsumexp"""
    return call(C.heed_logsumexp, x, axis, keepdim)


def masked_softmax(x: Tensor, valid_lens: Optional[Tensor] = None) -> Tensor:
    """Computes heed_softmax along the last axis of x over the visible entries of every row.  dx = y (g - sum(g y)).

    The dtype of valid_lens selects its meaning. Lengths, i64, are (B), one for all rows of a batch element, or (B, Q),
    one per row of x (B, Q, K): the first entries of a row are visible. A mask, bool, is true for visible entries of x of
    any rank; it broadcasts to x, like attention masks: (Q, K) is one mask for all of (B, H, Q, K). If valid_lens is NULL
    all of x (B, Q, K) is visible.

    Hidden entries are not read: weight and gradient are exactly 0, and NaN there has no effect, unlike with adding -1e9
    or multiplying by 0. A row without visible entries is zeros. This is masked_softmax of the book.

    Errors: HEED_ERR_SHAPE unless valid_lens fits x, and unless x has rank 3 or valid_lens is a mask; HEED_ERR_DTYPE;
    HEED_ERR_INDEX for a length outside 0 .. K."""
    return call(C.heed_masked_softmax, x, valid_lens)


def sequence_mask(x: Tensor, valid_lens: Optional[Tensor] = None, value: float = 0.0) -> Tensor:
    """Replaces the elements of x (n, T, ...) past the valid lengths by `value`: those at t >= valid_lens[i] of row i.
    dx = g, 0 for replaced elements.

    x is f32 or f64. valid_lens is i64 (n), or (n, Q), whose longest length per row counts. The result is a new tensor;
    sequence_mask of the book writes to x.

    Errors: HEED_ERR_SHAPE if the rank of x is below 2, or if valid_lens does not fit; HEED_ERR_INDEX for a length
    outside 0 .. T; HEED_ERR_DTYPE."""
    return call(C.heed_sequence_mask, x, valid_lens, value)


def optim_clip_grad_norm_(module: Any, max_norm: float) -> Any:
    """Scales the gradients of a module's parameters so that their norm is at most max_norm. They become g min(1, max_norm /
    (norm + 1e-6)), where norm is the 2-norm of all of them together, summed in f64. *total_norm, unless `total_norm` is
    NULL, receives the norm. Gradients whose squares overflow or underflow are scaled first.

    Errors: HEED_ERR_STATE if the norm is infinite or NaN (it is still written); the message names the first parameter
    with such a gradient; HEED_ERR_ARGUMENT for a NULL module, and unless max_norm is finite and above 0; HEED_ERR_NOMEM.
    After a failure all gradients are unchanged.
    Reference: R. Pascanu, T. Mikolov, Y. Bengio: On the difficulty of training recurrent neural networks (ICML 2013).
    torch: torch.nn.utils.clip_grad_norm_"""
    total_norm_ = Out("f64_out")
    return call_outs(C.heed_optim_clip_grad_norm_, module, max_norm, total_norm_)


def optim_clip_grad_value_(module: Any, limit: float) -> None:
    """Limits the gradients of a module's parameters to max(-limit, min(g, limit)), elementwise; NaN stays NaN.

    Errors: HEED_ERR_ARGUMENT for a NULL module, and unless limit is finite and above 0; HEED_ERR_NOMEM. After a failure
    all gradients are unchanged.
    torch: torch.nn.utils.clip_grad_value_"""
    call(C.heed_optim_clip_grad_value_, module, limit)


def optim_clip_grad_norm_tensors_(parameters: Sequence[Tensor], max_norm: float) -> Any:
    """Scales the gradients of n tensors so that their norm is at most max_norm, as heed_optim_clip_grad_norm_ does.

    Errors: as heed_optim_clip_grad_norm_; HEED_ERR_ARGUMENT also for a NULL or repeated tensor. After a failure all
    gradients are unchanged.
    torch: torch.nn.utils.clip_grad_norm_"""
    total_norm_ = Out("f64_out")
    return call_outs(C.heed_optim_clip_grad_norm_tensors_, parameters, length(parameters), max_norm, total_norm_)


def optim_clip_grad_value_tensors_(parameters: Sequence[Tensor], limit: float) -> None:
    """Limits the gradients of n tensors elementwise, as heed_optim_clip_grad_value_ does.

    Errors: as heed_optim_clip_grad_value_; HEED_ERR_ARGUMENT also for a NULL or repeated tensor. After a failure all
    gradients are unchanged.
    torch: torch.nn.utils.clip_grad_value_"""
    call(C.heed_optim_clip_grad_value_tensors_, parameters, length(parameters), limit)


def set_num_threads(n: int) -> None:
    """Sets the maximum number of threads, 1 to 256, that kernels use for calls of this thread.
    The default is HEED_NUM_THREADS, else OMP_NUM_THREADS, if it (or the first entry of its list) is a valid number;
    otherwise the number of processors on which the thread that first needs the number may run, limited by the CPU quota
    of the process's control groups (rounded up; Linux). Small work is always done by the calling thread.
    Errors: HEED_ERR_ARGUMENT for a number outside 1 to 256.
    torch: torch.set_num_threads"""
    call(C.heed_set_num_threads, n)


def num_threads() -> int:
    """Returns the maximum number of threads that kernels use for calls of this thread.
    torch: torch.get_num_threads"""
    return call(C.heed_num_threads)


def plot_lines(series: Any, path: Any, *, title: Optional[str] = None, xlabel: Optional[str] = None,
    ylabel: Optional[str] = None, xlim: Any = None, ylim: Any = None, xscale: str = "linear", yscale: str = "linear",
    width: int = 0, height: int = 0, scale: float = 0.0, no_grid: bool = False, no_legend: bool = False,
    xticks: Optional[Sequence[str]] = None) -> None:
    """Draws n series on common axes, later series on top, histograms and bars below all curves.
    The legend is placed where it hides least. NULL options: the defaults.
    Errors:
        HEED_ERR_ARGUMENT    series, path, or a y without low and high is NULL; n < 1; low without high; an option out of
                             its range or for a different kind of series; limits that are not finite, too close to each
                             other (1e-300, or 1e-13 of their size), or up to 0 on a log axis; names without a count, or
                             on a log axis; a picture that would be too large
        HEED_ERR_SHAPE       an x, y, low or high that is not (n), an error neither (n) nor (2, n), different lengths,
                             more than 2^26 points in all
        HEED_ERR_DTYPE       bool
        HEED_ERR_IO          the file cannot be written: path and cause
        HEED_ERR_NOMEM"""
    call(C.heed_plot_lines, series, length(series), path, dict(title=title, xlabel=xlabel, ylabel=ylabel, xlim=xlim, ylim=ylim,
        xscale=xscale, yscale=yscale, width=width, height=height, scale=scale, no_grid=no_grid, no_legend=no_legend,
        xticks=xticks))


def plot_heatmap(matrices: Tensor, path: Any, *, xlabel: Optional[str] = None, ylabel: Optional[str] = None,
    titles: Optional[Sequence[str]] = None, xticks: Optional[Sequence[str]] = None, yticks: Optional[Sequence[str]] = None,
    colormap: str = "reds", vmin: float = 0.0, vmax: float = 0.0, panel_width: int = 0, panel_height: int = 0,
    scale: float = 0.0, no_colorbar: bool = False, separate_scales: bool = False, cell_values: Optional[Tensor] = None,
    digits: int = 0) -> None:
    """Draws every matrix of `matrices` as a panel of coloured cells, with one colour scale and one colour bar for all.
    matrices: f32 or f64, (q, k), (columns, q, k) or (rows, columns, q, k); a panel has q x k cells. Element [0, 0] is at
    the top left; cells are square and not interpolated. Values outside vmin .. vmax, including infinities, have the
    colour of the nearest end; NaN is light grey. If vmin = vmax, the scale is widened by a tenth in both directions. If
    a panel has more rows or columns of cells than pixels, each pixel shows the cell in it whose value is farthest from
    the mean of the panel, so that single outliers remain visible; it shows NaN if all its cells are NaN. NULL options:
    the defaults.
    Errors:
        HEED_ERR_ARGUMENT    matrices or path is NULL, or a tick's name; title_count, xtick_count or ytick_count differs
                             from the panels, columns or rows; an unknown colormap; vmin > vmax, or one of them not
                             finite, or given with separate_scales; a negative size; scale not positive and finite;
                             digits not in -1 .. 17
        HEED_ERR_SHAPE       a different rank; an empty tensor; more than 2^28 elements; cell_values of a different
                             shape; a picture that would be too large; more than 64 panels of less than 16 pixels each
        HEED_ERR_DTYPE       neither f32 nor f64; bool cell_values
        HEED_ERR_IO          the file cannot be written: path and cause
        HEED_ERR_NOMEM"""
    call(C.heed_plot_heatmap, matrices, path, dict(xlabel=xlabel, ylabel=ylabel, titles=titles, xticks=xticks, yticks=yticks,
        colormap=colormap, vmin=vmin, vmax=vmax, panel_width=panel_width, panel_height=panel_height, scale=scale,
        no_colorbar=no_colorbar, separate_scales=separate_scales, cell_values=cell_values, digits=digits))


def matmul_precision() -> str:
    """Returns the current precision of the calling thread.
    torch: torch.get_float32_matmul_precision"""
    return call(C.heed_matmul_precision)


def manual_seed(seed: int) -> None:
    """Resets the default generator to `seed`, position 0.
    torch: torch.manual_seed   numpy: numpy.random.seed"""
    call(C.heed_manual_seed, seed)


def rand(shape: Any, dtype: str = "f32") -> Tensor:
    """Returns numbers uniform in [0, 1), with 24 random bits for f32 and 53 for f64.
    Errors: NULL with HEED_ERR_DTYPE for a different dtype, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.rand   numpy: numpy.random.rand"""
    return call(C.heed_rand, dtype, shape)


def randn(shape: Any, dtype: str = "f32") -> Tensor:
    """Returns normal numbers with mean 0 and variance 1, by the method of Box and Muller.
    Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.randn   numpy: numpy.random.randn"""
    return call(C.heed_randn, dtype, shape)


def rand_like(t: Tensor) -> Tensor:
    """Draws as heed_rand does, with t's dtype and shape: uniform in [0, 1).
    Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_NOMEM.
    torch: torch.rand_like"""
    return call(C.heed_rand_like, t)


def randn_like(t: Tensor) -> Tensor:
    """Draws as heed_randn does, with t's dtype and shape: normal, mean 0 and variance 1.
    Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_NOMEM.
    torch: torch.randn_like"""
    return call(C.heed_randn_like, t)


def normal(mean: float, std: float, shape: Any, dtype: str = "f32") -> Tensor:
    """Returns normal numbers with the given mean and standard deviation: mean + std times the numbers of heed_randn.
    Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT unless both are finite and std >= 0,
    HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.normal   numpy: numpy.random.normal"""
    return call(C.heed_normal, dtype, shape, mean, std)


def randint(low: int, high: int, shape: Any) -> Tensor:
    """Returns i64 numbers uniform in low .. high - 1.
    A number is the high word of 64 random bits times the range, so its probability is off by at most 2^-64.
    Errors: NULL with HEED_ERR_ARGUMENT unless low < high, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.randint   numpy: numpy.random.randint"""
    return call(C.heed_randint, low, high, shape)


def permutation(n: int) -> Tensor:
    """Returns 0 .. n - 1 in random order, i64 (n), by the method of Fisher and Yates.
    Errors: NULL with HEED_ERR_ARGUMENT for n < 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.randperm   numpy: numpy.random.permutation"""
    return call(C.heed_permutation, n)


def bernoulli(p: float, shape: Any) -> Tensor:
    """Returns a bool tensor whose elements are true with probability p: never for p = 0 and always for p = 1.
    Errors: NULL with HEED_ERR_ARGUMENT unless 0 <= p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.bernoulli"""
    return call(C.heed_bernoulli, p, shape)


def multinomial(weights: Tensor, count: int, replacement: bool = False) -> Tensor:
    """Draws `count` numbers of 0 .. C - 1 for every row of weights (..., C), f32 or f64; returns i64 (..., count).
    The probability of a number is its weight divided by the row's sum. With `replacement` the numbers are drawn one by
    one, from cumulative sums of the weights in f64. Without it they are the indices of the count smallest exponential
    numbers divided by the weights, in this order; no number comes twice, and numbers of weight 0 never come.
    Errors: NULL with HEED_ERR_ARGUMENT for a weight that is negative, infinite or NaN, for a row whose sum is 0 or
    overflows, for count < 0, or without replacement for a count above the number of weights above 0; HEED_ERR_SHAPE for
    a scalar; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.multinomial   numpy: numpy.random.choice"""
    return call(C.heed_multinomial, weights, count, replacement)


def exponential(shape: Any, dtype: str = "f32", *, rate: float) -> Tensor:
    """Returns exponential numbers with mean 1 / rate: -ln(1 - u) / rate, never negative.
    Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT unless rate is finite and above 0,
    HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.Tensor.exponential_   numpy: numpy.random.exponential"""
    return call(C.heed_exponential, dtype, shape, rate)


def zeros(shape: Any, dtype: str = "f32") -> Tensor:
    """Returns a tensor of zeros (of false for bool).
    Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.zeros   numpy: numpy.zeros"""
    return call(C.heed_zeros, dtype, shape)


def ones(shape: Any, dtype: str = "f32") -> Tensor:
    """Returns a tensor of ones (of true for bool).
    Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.ones   numpy: numpy.ones"""
    return call(C.heed_ones, dtype, shape)


def full(shape: Any, value: float = 0.0, dtype: str = "f32") -> Tensor:
    """Returns a tensor whose elements all equal `value`.
    Errors: HEED_ERR_ARGUMENT for a value that an i64 cannot hold, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.full   numpy: numpy.full"""
    return call(C.heed_full, dtype, shape, value)


def arange(start: float, stop: float, step: float, dtype: str = "f32") -> Tensor:
    """Returns the numbers start, start + step, ... below stop (above stop for a negative step), as a vector.
    It has ceil((stop - start) / step) elements, or 0 if the quotient is negative.
    Errors: HEED_ERR_ARGUMENT for step 0, a non-finite number, or one that an i64 cannot hold; HEED_ERR_DTYPE,
    HEED_ERR_NOMEM.
    torch: torch.arange   numpy: numpy.arange"""
    return call(C.heed_arange, dtype, start, stop, step)


def linspace(start: float, stop: float, n: int, dtype: str = "f32") -> Tensor:
    """Returns n evenly spaced numbers from start to stop, both included; n = 1 gives start.
    Errors: HEED_ERR_ARGUMENT for n < 0, a non-finite number, or one that an i64 cannot hold; HEED_ERR_DTYPE,
    HEED_ERR_NOMEM.
    torch: torch.linspace   numpy: numpy.linspace"""
    return call(C.heed_linspace, dtype, start, stop, n)


def eye(n: int, m: int, dtype: str = "f32") -> Tensor:
    """Returns a matrix (n, m) with ones on the diagonal and zeros elsewhere.
    Errors: HEED_ERR_SHAPE for a negative size, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.eye   numpy: numpy.eye"""
    return call(C.heed_eye, dtype, n, m)


def zeros_like(t: Tensor) -> Tensor:
    """Returns a tensor of zeros with t's dtype and shape, which requires no gradient.
    Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
    torch: torch.zeros_like   numpy: numpy.zeros_like"""
    return call(C.heed_zeros_like, t)


def ones_like(t: Tensor) -> Tensor:
    """Returns a tensor of ones with t's dtype and shape, which requires no gradient.
    Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
    torch: torch.ones_like   numpy: numpy.ones_like"""
    return call(C.heed_ones_like, t)


def full_like(t: Tensor, value: float = 0.0) -> Tensor:
    """Returns a tensor with t's dtype and shape whose elements all equal `value`, which requires no gradient.
    Errors: HEED_ERR_ARGUMENT for NULL or a value that an i64 cannot hold, HEED_ERR_NOMEM.
    torch: torch.full_like   numpy: numpy.full_like"""
    return call(C.heed_full_like, t, value)


def empty(shape: Any, dtype: str = "f32") -> Tensor:
    """Returns an uninitialised tensor: write every element before you read it.
    Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.empty   numpy: numpy.empty"""
    return call(C.heed_empty, dtype, shape)


def empty_like(t: Tensor) -> Tensor:
    """Returns an uninitialised tensor with t's dtype and shape: write every element before you read it.
    Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
    torch: torch.empty_like   numpy: numpy.empty_like"""
    return call(C.heed_empty_like, t)


def dim(t: Tensor, axis: int) -> int:
    """Returns the size of an axis, or 0 on failure. A negative axis counts from the end.
    Errors: HEED_ERR_SHAPE for an axis that does not exist, HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.size   numpy: numpy.size"""
    return call(C.heed_dim, t, axis)


def numel(t: Tensor) -> int:
    """Returns the number of elements, or 0 on failure.
    Errors: HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.numel   numpy: numpy.ndarray.size"""
    return call(C.heed_numel, t)


def dtype_of(t: Tensor) -> str:
    """Returns the dtype of t, or HEED_F32 on failure.
    Errors: HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.dtype   numpy: numpy.ndarray.dtype"""
    return call(C.heed_dtype_of, t)


def item(t: Tensor) -> float:
    """Returns the element of a tensor that has exactly one element (0 or 1 for bool), or NaN on failure.
    Errors: HEED_ERR_SHAPE for any other number of elements, HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.item   numpy: numpy.ndarray.item"""
    return call(C.heed_item, t)


def item_i64(t: Tensor) -> int:
    """Returns the element of an i64 or bool tensor that has exactly one element, with all 64 bits, or 0 on failure.
    Errors: HEED_ERR_SHAPE for any other number of elements, HEED_ERR_DTYPE for floats, HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.item   numpy: numpy.ndarray.item"""
    return call(C.heed_item_i64, t)


def fill_(t: Tensor, value: float = 0.0) -> None:
    """Writes `value` to every element, converted as in heed_set_.
    Errors: HEED_ERR_ARGUMENT for NULL or a value that an i64 cannot hold; HEED_ERR_STATE and HEED_ERR_UNSUPPORTED as
    heed_set_.
    torch: torch.Tensor.fill_   numpy: numpy.ndarray.fill"""
    call(C.heed_fill_, t, value)


def is_contiguous(t: Tensor) -> bool:
    """Returns true if the elements lie in row-major order without gaps; false on failure.
    Errors: HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.is_contiguous"""
    return call(C.heed_is_contiguous, t)


def stride(t: Tensor, axis: int) -> int:
    """Returns the distance, in elements, between neighbours on an axis, or 0 on failure. A negative axis counts from the
    end.
    Errors: HEED_ERR_SHAPE for an axis that does not exist, HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.stride   numpy: numpy.ndarray.strides"""
    return call(C.heed_stride, t, axis)


def shares_storage(a: Tensor, b: Optional[Tensor] = None) -> bool:
    """Returns true if a and b are views of the same storage; false on failure.
    Errors: HEED_ERR_ARGUMENT for NULL."""
    return call(C.heed_shares_storage, a, b)


__all__: List[str] = ["sample", "set_requires_grad", "requires_grad", "is_leaf", "has_grad", "detach", "grad_enabled",
    "dot_product_attention", "additive_attention", "rope", "kernel_regression", "conv1d", "conv2d", "conv_transpose1d",
    "conv_transpose2d", "unfold", "fold", "conv2d_weight", "add", "sub", "mul", "div", "maximum", "minimum", "floor_divide",
    "remainder", "atan2", "where", "compare", "compare_scalar", "mul_scalar", "add_scalar", "rsub_scalar", "pow_scalar",
    "clamp", "neg", "square", "sqrt", "exp", "log", "expm1", "log1p", "sin", "cos", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "sigmoid", "relu", "abs", "sign", "floor", "ceil", "round", "erf", "gelu", "gelu_tanh", "softplus", "silu",
    "leaky_relu", "elu", "hardtanh", "clone", "contiguous", "to_dtype", "sort", "sort_axis", "argsort", "topk", "unique",
    "searchsorted", "bincount", "masked_fill", "gather", "scatter_sum", "index_select", "index_sum", "embedding", "one_hot",
    "isnan", "isinf", "isfinite", "isclose", "allclose", "logical_and", "logical_or", "logical_xor", "logical_not", "any",
    "any_axes", "all", "all_axes", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "hinge_loss", "hinge_embedding_loss",
    "kl_div", "poisson_nll_loss", "gaussian_nll_loss", "cosine_similarity", "cosine_embedding_loss", "triplet_margin_loss",
    "binary_cross_entropy_with_logits", "nll_loss", "cross_entropy", "sequence_loss", "ctc_loss", "layer_norm", "rms_norm",
    "batch_norm", "group_norm", "instance_norm", "dropout", "max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "matmul", "bmm", "linear",
    "outer", "einsum", "bmm_t", "linear_activated", "recurrence", "sum", "sum_axes", "mean", "mean_axes", "var", "var_axes",
    "std", "std_axes", "norm", "norm_axes", "prod", "prod_axes", "cumsum", "trapezoid", "trapezoid_scalar", "max", "max_axes",
    "min", "min_axes", "argmax", "argmax_axis", "argmin", "argmin_axis", "sum_to", "reshape", "transpose", "permute", "squeeze",
    "unsqueeze", "flatten", "expand", "slice", "unslice", "select", "diagonal", "diag", "tril", "triu", "concat", "stack",
    "repeat_interleave", "tile", "flip", "roll", "pad", "softmax", "log_softmax", "logsumexp", "masked_softmax",
    "sequence_mask", "set_num_threads", "num_threads", "matmul_precision", "manual_seed", "rand", "randn", "rand_like",
    "randn_like", "normal", "randint", "permutation", "bernoulli", "multinomial", "exponential", "zeros", "ones", "full",
    "arange", "linspace", "eye", "zeros_like", "ones_like", "full_like", "empty", "empty_like", "dim", "numel", "dtype_of",
    "item", "item_i64", "fill_", "is_contiguous", "stride", "shares_storage"]
# Those of a tensor's methods.
METHODS: List[str] = ["sample", "set_requires_grad", "requires_grad", "is_leaf", "has_grad", "detach", "dot_product_attention",
    "additive_attention", "rope", "kernel_regression", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d", "unfold",
    "fold", "conv2d_weight", "add", "sub", "mul", "div", "maximum", "minimum", "floor_divide", "remainder", "atan2", "where",
    "compare", "compare_scalar", "mul_scalar", "add_scalar", "rsub_scalar", "pow_scalar", "clamp", "neg", "square", "sqrt",
    "exp", "log", "expm1", "log1p", "sin", "cos", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sigmoid", "relu", "abs",
    "sign", "floor", "ceil", "round", "erf", "gelu", "gelu_tanh", "softplus", "silu", "leaky_relu", "elu", "hardtanh", "clone",
    "contiguous", "to_dtype", "sort", "sort_axis", "argsort", "topk", "unique", "searchsorted", "bincount", "masked_fill",
    "gather", "scatter_sum", "index_select", "index_sum", "embedding", "one_hot", "isnan", "isinf", "isfinite", "isclose",
    "allclose", "logical_and", "logical_or", "logical_xor", "logical_not", "any", "any_axes", "all", "all_axes", "mse_loss",
    "l1_loss", "smooth_l1_loss", "huber_loss", "hinge_loss", "hinge_embedding_loss", "kl_div", "poisson_nll_loss",
    "gaussian_nll_loss", "cosine_similarity", "cosine_embedding_loss", "triplet_margin_loss",
    "binary_cross_entropy_with_logits", "nll_loss", "cross_entropy", "sequence_loss", "ctc_loss", "layer_norm", "rms_norm",
    "batch_norm", "group_norm", "instance_norm", "dropout", "max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "matmul", "bmm", "linear",
    "outer", "bmm_t", "linear_activated", "sum", "sum_axes", "mean", "mean_axes", "var", "var_axes", "std", "std_axes", "norm",
    "norm_axes", "prod", "prod_axes", "cumsum", "trapezoid", "trapezoid_scalar", "max", "max_axes", "min", "min_axes", "argmax",
    "argmax_axis", "argmin", "argmin_axis", "sum_to", "reshape", "transpose", "permute", "squeeze", "unsqueeze", "flatten",
    "expand", "slice", "unslice", "select", "diagonal", "diag", "tril", "triu", "repeat_interleave", "tile", "flip", "roll",
    "pad", "softmax", "log_softmax", "logsumexp", "masked_softmax", "sequence_mask", "rand_like", "randn_like", "multinomial",
    "zeros_like", "ones_like", "full_like", "empty_like", "dim", "numel", "dtype_of", "item", "item_i64", "fill_",
    "is_contiguous", "stride", "shares_storage"]
