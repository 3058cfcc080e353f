"""heed/_functions.py - a function for each of the library's that works on tensors or files. Written by scripts/python from the
headers, whose words about them these are: a NULL there is None here, and an error an exception."""

from typing import Any, List, Optional, Sequence

from heed._call import C, Out, call, call_outs, length
from heed._handles import Handle, Tensor


def sample(logits: Tensor, *, temperature: float = 0.0, top_k: int = 0, top_p: float = 0.0,
    generator: Optional[Handle] = None) -> Tensor:
    """A token for each row of logits (..., V), f32 or f64, as i64 (...): drawn with the probabilities softmax(logits /
    temperature) of those that top_k and then top_p leave; among equals the first comes first. A token whose logit is
    -infinity is never drawn.
    NULL options: the likeliest. NULL on failure: HEED_ERR_ARGUMENT for NULL, a temperature that is negative or not
    finite, a top_k below 0, a top_p outside [0, 1], logits with NaN or infinity, or of -infinity only; HEED_ERR_SHAPE
    for a scalar or a V of 0, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    A. Holtzman et al.: The Curious Case of Neural Text Degeneration (ICLR 2020), of top_p."""
    return call(C.heed_sample, logits, dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator))


def set_requires_grad(t: Tensor, requires_grad: bool) -> Tensor:
    """Marks a leaf as requiring a gradient (or no longer), and returns it: w = heed_set_requires_grad(t, true).
    NULL with HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_STATE when t is the result of a recorded op.
    torch: torch.Tensor.requires_grad_"""
    return call(C.heed_set_requires_grad, t, requires_grad)


def requires_grad(t: Tensor) -> bool:
    """True for leaves that require a gradient and for everything computed from them while recording. False with
    HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.requires_grad"""
    return call(C.heed_requires_grad, t)


def is_leaf(t: Tensor) -> bool:
    """True when t is not the result of a recorded op. False with HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.is_leaf"""
    return call(C.heed_is_leaf, t)


def has_grad(t: Tensor) -> bool:
    """Whether a gradient has been accumulated in t. False with HEED_ERR_ARGUMENT for NULL."""
    return call(C.heed_has_grad, t)


def detach(t: Tensor) -> Tensor:
    """The same data as a new leaf that is in no graph. Shares storage. NULL for NULL, with HEED_ERR_NOMEM.
    torch: torch.Tensor.detach"""
    return call(C.heed_detach, t)


def grad_enabled() -> bool:
    """Whether this thread records.
    torch: torch.is_grad_enabled"""
    return call(C.heed_grad_enabled)


def io_csv_write(path: Any, names: Sequence[str], tensors: Sequence[Tensor], *, separator: Optional[str] = None,
    decimal: Optional[str] = None, missing: Optional[str] = None, categories: Any = None) -> None:
    """Writes tensors as columns with names, and replaces `path` (above). Each of the k tensors is (n), one column, or
    (n, m), m of them; in all they are as many as there are names:

        heed_io_csv_write("fit.csv", HEED_NAMES("x", "y", "fit"), HEED_TENSORS(x, y, y_hat), NULL);

    Finite numbers are written with as few digits (from 6 in f32 and from 15 in f64) as give the same bits when read as
    their dtype, in any locale; bool as 0 and 1, infinities as inf and -inf, which heed_io_csv_column refuses. A text is
    quoted where it needs it. Lines end in LF. HEED_ERR_ARGUMENT for NULL, no tensors, another number of names, or a
    separator, decimal sign or text that cannot be one; HEED_ERR_SHAPE for other ranks or first axes that differ;
    HEED_ERR_DTYPE for categories of what is not i64, HEED_ERR_INDEX for a code that they lack; HEED_ERR_IO with path and
    cause, HEED_ERR_NOMEM.
    numpy: numpy.savetxt"""
    call(C.heed_io_csv_write, path, names, length(names), tensors, length(tensors), dict(separator=separator, decimal=decimal,
        missing=missing, categories=categories))


def io_idx_read(path: Any, *, dtype: str = "f32", scale: float = 0.0, max_bytes: int = 0, first: int = 0,
    rows: int = 0) -> Tensor:
    """Reads a file: a tensor of the file's shape, borrowed from the innermost scope. NULL options: f32. NULL with
        HEED_ERR_ARGUMENT       NULL; a scale that is not finite, or is given for i64 or bool
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong: magic number, type, dims, number of bytes, gzip
        HEED_ERR_UNSUPPORTED    more than max_bytes
        HEED_ERR_DTYPE, HEED_ERR_NOMEM"""
    return call(C.heed_io_idx_read, path, dict(dtype=dtype, scale=scale, max_bytes=max_bytes, first=first, rows=rows))


def io_npy_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Tensor:
    """The tensor of an .npy file (numpy.lib.format): versions 1 to 3, C or Fortran order, either byte order. Borrowed from
    the innermost scope. NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong
        HEED_ERR_UNSUPPORTED    a type or version that is not supported; more than max_bytes
        HEED_ERR_NOMEM
    numpy: numpy.load"""
    return call(C.heed_io_npy_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_npy_write(path: Any, t: Tensor) -> None:
    """Writes a tensor as .npy, version 1.0, of its own dtype and shape, and replaces `path`. HEED_ERR_ARGUMENT for NULL,
    HEED_ERR_IO with path and cause, HEED_ERR_UNSUPPORTED for an expanded view of more elements than a file holds,
    HEED_ERR_NOMEM.
    numpy: numpy.save"""
    call(C.heed_io_npy_write, path, t)


def io_npz_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """The tensors of an .npz file as a dict, to be freed by heed_dict_free: a zip archive of .npy files, as numpy.savez and
    numpy.savez_compressed write. A member's name is the tensor's and ".npy". Members may be stored or deflated, and
    their checksums are compared. NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, the member, and what is wrong
        HEED_ERR_UNSUPPORTED    a type, version or feature that is not supported; more than max_bytes
        HEED_ERR_NOMEM
    numpy: numpy.load"""
    return call(C.heed_io_npz_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_npz_write(path: Any, dict_: Any, *, compressed: bool = False) -> None:
    """Writes the tensors of a dict, not its texts, as .npz, and replaces `path`. The same tensors give the same bytes. NULL
    options: stored. HEED_ERR_ARGUMENT for NULL or a name that the format does not allow, HEED_ERR_IO with path and
    cause, HEED_ERR_UNSUPPORTED for an expanded view of more elements than a file holds, HEED_ERR_NOMEM.
    numpy: numpy.savez"""
    call(C.heed_io_npz_write, path, dict_, dict(compressed=compressed))


def io_safetensors_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """The tensors of a .safetensors file as a dict, to be freed by heed_dict_free; its texts are the file's __metadata__.
    Read strictly: a header of at most 100 MB, a tensor described in at most 2 KB, no name twice or empty, no U+0000 in a
    text, sizes that fit the shapes, and all bytes after the header used exactly once. NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong
        HEED_ERR_UNSUPPORTED    a type that is not supported; more than max_bytes
        HEED_ERR_NOMEM"""
    return call(C.heed_io_safetensors_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_safetensors_read_shards(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """The tensors of many .safetensors files as one dict, by their index, "model.safetensors.index.json" of the Hugging
    Face Hub: its weight_map says of each tensor which of the files beside it has it. Their __metadata__ is left out.
    NULL as heed_io_safetensors_read, and with HEED_ERR_FORMAT for a tensor that is not where the
    index says, or is there and not in it, and for a file elsewhere."""
    return call(C.heed_io_safetensors_read_shards, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def io_safetensors_write(path: Any, dict_: Any) -> None:
    """Writes the tensors of a dict, and its texts as __metadata__, and replaces `path`. HEED_ERR_ARGUMENT for NULL and for
    a tensor named __metadata__, HEED_ERR_IO with path and cause, HEED_ERR_UNSUPPORTED for an expanded view of more
    elements than a file holds, HEED_ERR_NOMEM."""
    call(C.heed_io_safetensors_write, path, dict_)


def io_gguf_read(path: Any, *, max_bytes: int = 0, first: int = 0, rows: int = 0) -> Any:
    """The tensors of a .gguf file of version 2 or 3 as a dict, to be freed by heed_dict_free. F32, F64, and I8 to I64 are
    read as above, F16 and BF16 as f32, and so is Q8_0: each block of 32 elements is a scale in f16 and 32 bytes, which
    it multiplies. An axis is where PyTorch has it: the file's first size, of the axis that runs fastest, is the shape's
    last. The dict's texts are the file's keys: strings as they are, numbers in decimal, true and false; arrays are left
    out, a vocabulary among them. Read strictly: no key or name twice or empty, no U+0000 in a text, no tensor that
    overlaps another; bytes that belong to none are passed over. options.rows of a Q8_0 with one axis must be whole
    blocks. NULL with
        HEED_ERR_ARGUMENT       NULL
        HEED_ERR_IO             path and cause
        HEED_ERR_FORMAT         path, and what is wrong
        HEED_ERR_UNSUPPORTED    another version; big-endian; the first tensor of another type, with its name and the
                                type's, before any is read; arrays nested deeper than 4; more than max_bytes
        HEED_ERR_NOMEM"""
    return call(C.heed_io_gguf_read, path, dict(max_bytes=max_bytes, first=first, rows=rows))


def nn_init_uniform_(t: Tensor, low: float, high: float) -> None:
    """Fills t with U(low, high). HEED_ERR_ARGUMENT for NULL, and unless low <= high, and both and their difference are
    finite in t's dtype; HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
    torch: torch.nn.init.uniform_"""
    call(C.heed_nn_init_uniform_, t, low, high)


def nn_init_normal_(t: Tensor, mean: float, std: float) -> None:
    """Fills t with N(mean, std^2). HEED_ERR_ARGUMENT for NULL, and unless both are finite in t's dtype, and std is 0 or
    more; HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
    torch: torch.nn.init.normal_"""
    call(C.heed_nn_init_normal_, t, mean, std)


def nn_init_xavier_uniform_(t: Tensor) -> None:
    """Fills t (out, in, ...) with U(-a, a), a = sqrt(6 / (in + out)); the product of the sizes after `in` multiplies both.
    HEED_ERR_SHAPE for a rank below 2, HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_NOMEM.
    X. Glorot, Y. Bengio: Understanding the difficulty of training deep feedforward neural networks (AISTATS 2010).
    torch: torch.nn.init.xavier_uniform_"""
    call(C.heed_nn_init_xavier_uniform_, t)


def nn_init_kaiming_uniform_(t: Tensor) -> None:
    """Fills t (out, in, ...) with U(-a, a), a = sqrt(6 / in), for ReLU; the product of the sizes after `in` multiplies it.
    HEED_ERR_SHAPE for a rank below 2, HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_NOMEM.
    K. He, X. Zhang, S. Ren, J. Sun: Delving Deep into Rectifiers (ICCV 2015).
    torch: torch.nn.init.kaiming_uniform_"""
    call(C.heed_nn_init_kaiming_uniform_, t)


def nn_nw_kernel_regression_new(*, kernel: str = "gaussian", non_parametric: bool = False, log_width: bool = False,
    width: float = 0.0, dim: int = 0, dtype: str = "f32", leave_one_out: bool = False, degree: int = 0) -> Any:
    """Kernel regression with parameter "w" = 1 / h, or "log_h" = ln h, (1) or (dim). NULL options: Gaussian,
    parametric, one width, f32. NULL on failure: HEED_ERR_ARGUMENT for a width that is negative, not finite, or for
    which the dtype cannot hold 1 / h^2, a negative dim, an unknown kernel or degree; HEED_ERR_SHAPE for a dim too large;
    HEED_ERR_DTYPE for a dtype that is not floating-point; HEED_ERR_NOMEM."""
    return call(C.heed_nn_nw_kernel_regression_new, dict(kernel=kernel, non_parametric=non_parametric, log_width=log_width,
        width=width, dim=dim, dtype=dtype, leave_one_out=leave_one_out, degree=degree))


def nn_nw_kernel_regression_forward(net: Any, queries: Tensor, keys: Tensor, values: Tensor, *,
    return_weights: bool = False) -> Any:
    """f(q) = sum_i a_i(q) v_i for each query. queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or
    (n, m) or (n, m, d), one set per query; values (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise.
    Returns (n) or (n, v). *weights receives a (n, m), differentiable; NULL: not wanted. NULL on failure, errors as
    heed_kernel_regression: HEED_ERR_SHAPE, HEED_ERR_DTYPE unless all have the module's dtype, HEED_ERR_ARGUMENT for
    NULL, HEED_ERR_NOMEM."""
    weights_ = Out("out") if return_weights else None
    return call_outs(C.heed_nn_nw_kernel_regression_forward, net, queries, keys, values, weights_)


def nn_leave_one_out(x: Tensor) -> Tensor:
    """x (n) or (n, d) -> (n, n-1) or (n, n-1, d): row i is x without x[i], the book's X_tile. The option leave_one_out
    does the same without copies. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another rank,
    HEED_ERR_NOMEM."""
    return call(C.heed_nn_leave_one_out, x)


def nn_silverman_width(x: Tensor) -> float:
    """Silverman's rule of thumb for x (n): 0.9 min(sd, IQR / 1.34) n^(-1/5), R's bw.nrd0; without the IQR where that is 0.
    NaN on failure: HEED_ERR_SHAPE unless rank 1 with n >= 2, HEED_ERR_DTYPE unless floating-point, HEED_ERR_ARGUMENT
    for NULL, when all are equal, one is not finite, or the width would not be finite and above 0; HEED_ERR_NOMEM.
    B. W. Silverman: Density Estimation (1986), eq. 3.31."""
    return call(C.heed_nn_silverman_width, x)


def dot_product_attention(q: Tensor, k: Tensor, v: Tensor, *, valid_lens: Optional[Tensor] = None, causal: bool = False,
    heads_inner: bool = False, scale: float = 0.0, dropout: float = 0.0, generator: Optional[Handle] = None,
    mask: Optional[Tensor] = None, bias: Optional[Tensor] = None, slopes: Optional[Tensor] = None, window: int = 0,
    query_offset: int = 0, relative_bias: Optional[Tensor] = None, return_weights: bool = False) -> Any:
    """softmax(q k^T scale + biases) v: q (B, Q, d), k (B, K, d), v (B, K, e) -> (B, Q, e). Also of H heads at once, q (B,
    H, Q, d) and so on, or with heads_inner q (B, Q, H, d), as a map leaves them, with the lengths shared by the heads.
    Then k and v may have fewer heads G, of which H is a multiple, each for H / G heads of q, one after another (grouped
    queries): the same bits as of keys and values repeated by heed_repeat_interleave, and of their gradients, without the
    copies. *weights, unless NULL, receives the weights, (B, Q, K) or (B, H, Q, K), and NULL on failure. Differentiable
    in q, k, v, bias, slopes and relative_bias, to any order.

    Unless the weights are wanted, forward and first derivatives take memory for O(Q d) numbers besides, and for O(Q + K)
    each head with slopes or a relative bias. Masked keys take no time, where all of a block of 112 is masked for some 16
    queries; a window makes time O(Q window). A weight too small for a normal number beside the row's largest is then 0,
    and rows that lie apart, as those of a head do, are not copied.
    HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT for a scale or slope
    that is not finite, a dropout outside [0, 1], a negative window, a query_offset outside 0 .. 2^53.
    Ainslie et al.: GQA (2023). Jiang et al.: Mistral 7B (2023). Press et al.: Train Short, Test Long (2022), ALiBi.
    Shaw et al.: Self-Attention with Relative Position Representations (2018). Raffel et al.: T5 (2020).
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
    """softmax(w_v^T tanh(W_q q + W_k k) + biases) v: q (B, Q, dq), k (B, K, dk), v (B, K, e), W_q (h, dq), W_k (h, dk), w_v
    (h) or (1, h) -> (B, Q, e). *weights, unless NULL, receives the weights (B, Q, K), and NULL on failure.
    Differentiable in all six, bias, slopes and relative_bias, to any order.

    Takes memory for (B, Q, K) and for the maps, but not for the features tanh(...), (B, Q, K, h), which only a gradient
    that is to be differentiated again builds. HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside
    0 .. K; HEED_ERR_ARGUMENT for a scale, a slope that is not finite, a dropout outside [0, 1], a negative window, a
    query_offset outside 0 .. 2^53.
    D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate (2014)."""
    weights_ = Out("out") if return_weights else None
    return call_outs(C.heed_additive_attention, q, k, v, W_q, W_k, w_v, dict(valid_lens=valid_lens, causal=causal,
        heads_inner=heads_inner, scale=scale, dropout=dropout, generator=generator, mask=mask, bias=bias, slopes=slopes,
        window=window, query_offset=query_offset, relative_bias=relative_bias), weights_)


def rope(x: Tensor, positions: Optional[Tensor] = None, *, base: float = 0.0, offset: int = 0, dims: int = 0,
    interleaved: bool = False, heads_inner: bool = False, frequencies: Optional[Tensor] = None) -> Tensor:
    """Rotary position embedding of queries or keys x: at position p each pair (a, b) of its numbers, pair i of dims / 2,
    turns by the angle p base^(-2i / dims) to (a cos - b sin, b cos + a sin), so that q . k depends on the distance of
    their positions alone.  dx = g turned back. x is f32 or f64 (HEED_ERR_DTYPE), (B, T, d) or (B, H, T, d) or, with
    heads_inner, (B, T, H, d). Positions are i64 (T), or (B, T) for texts that begin elsewhere; NULL: 0 .. T - 1; the
    offset is added. Cosines and sines are computed in f64 and rounded to x's dtype. Differentiable in x, to any order.

    HEED_ERR_SHAPE, also where an odd number, or more than d, would be turned; HEED_ERR_ARGUMENT for a base that is
    negative or not finite; HEED_ERR_DTYPE.
    J. Su et al.: RoFormer: Enhanced Transformer with Rotary Position Embedding (2021)."""
    return call(C.heed_rope, x, positions, dict(base=base, offset=offset, dims=dims, interleaved=interleaved,
        heads_inner=heads_inner, frequencies=frequencies))


def kernel_regression(queries: Tensor, keys: Tensor, values: Tensor, width: Tensor, *, kernel: str = "gaussian",
    log_width: bool = False, leave_one_out: bool = False, degree: int = 0, return_weights: bool = False) -> Any:
    """f(q) = sum_j K(u_j) v_j / sum_l K(u_l), with u_j = |(q - k_j) w|: queries (n) or (n, d); keys (m) or (m, d), shared
    by all queries, or (n, m) or (n, m, d), one set for each query; values (m) or (m, v) with shared keys, (n, m) or (n,
    m, v) otherwise; width w (1), or (d), one for each component. Returns (n) or (n, v). A query with no key in its
    window (every kernel but the Gaussian and the constant) has weights 0 and gives 0; with no keys at all every query
    gives 0. Differentiable in all four, to any order. *weights, unless NULL, receives the weights (n, m),
    differentiable too, and NULL on failure.

    The Gaussian takes memory for inputs, results and up to eight copies of gradients: nothing of the size (n, m) is
    made, forward or backward, but for the weights when they are asked for, and for derivatives of the second order.
    Weights below the smallest normal number count as 0. The other kernels make (n, m, d).

    Of a degree above 0 f(q) is the value at q of the polynomial of k, of that degree in all components together, that
    fits the values best in the sum of squares weighted by a_j(q): local linear, quadratic and cubic regression. It is
    linear in the values too, and the weights returned are theirs; they sum to 1, and some may be negative. Powers that
    the keys in a window do not tell from lower ones, as of two keys a square, or only keys with less than 1e-20 (f32) or
    1e-160 (f64) of the weight, are left out. (n, m) is made for each pair of powers.
    W. S. Cleveland: Robust Locally Weighted Regression (1979). J. Fan, I. Gijbels: Local Polynomial Modelling (1996).

    Any finite width will do, and any finite ln h: where f is finite so are f and its gradients, though the square of
    the width, or of distances times widths, may not be. 1 / h beyond the largest number counts as that.

    HEED_ERR_SHAPE, also for leave_one_out unless the keys are shared and as many as the queries; HEED_ERR_DTYPE
    unless all have one dtype; HEED_ERR_ARGUMENT for an unknown kernel or degree; HEED_ERR_UNSUPPORTED for more than
    1,000 powers."""
    weights_ = Out("out") if return_weights else None
    return call_outs(C.heed_kernel_regression, queries, keys, values, width, dict(kernel=kernel, log_width=log_width,
        leave_one_out=leave_one_out, degree=degree), weights_)


def conv1d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    dilation: Any = None, groups: int = 0, same: bool = False) -> Tensor:
    """y[b, o, p] = bias[o] + sum over c, t of w[o, c, t] x[b, c, p stride - padding + t dilation]: x (B, C, L),
    w (O, C / groups, k), bias (O) or NULL -> (B, O, M), M = (L + 2 padding - dilation (k - 1) - 1) / stride + 1, rounded
    down. Channel o sees the channels c of its group. HEED_ERR_SHAPE unless the shapes fit, and for a kernel that is
    empty or longer than x with its padding; HEED_ERR_ARGUMENT for a stride, padding, dilation or number of groups that
    there cannot be; HEED_ERR_DTYPE unless all are f32 or all f64.
    torch: torch.nn.functional.conv1d"""
    return call(C.heed_conv1d, x, w, bias, dict(stride=stride, padding=padding, dilation=dilation, groups=groups, same=same))


def conv2d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    dilation: Any = None, groups: int = 0, same: bool = False) -> Tensor:
    """y[b, o, p, q] = bias[o] + sum over c, t, u of
        w[o, c, t, u] x[b, c, p stride - padding + t dilation, q stride - padding + u dilation]
    x (B, C, H, W), w (O, C / groups, kh, kw), bias (O) or NULL -> (B, O, M, N), the sizes and errors as of heed_conv1d.
    dx = heed_conv_transpose2d(g, w), dw = heed_conv2d_weight(x, g).
    torch: torch.nn.functional.conv2d"""
    return call(C.heed_conv2d, x, w, bias, dict(stride=stride, padding=padding, dilation=dilation, groups=groups, same=same))


def conv_transpose1d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    output_padding: Any = None, dilation: Any = None, groups: int = 0) -> Tensor:
    """The transpose of heed_conv1d, what its gradient by x is: x (B, O, M), w (O, C / groups, k), bias (C) or NULL ->
    (B, C, L), L = (M - 1) stride - 2 padding + dilation (k - 1) + output_padding + 1. Errors as of heed_conv1d;
    HEED_ERR_SHAPE where L is less than 1; HEED_ERR_ARGUMENT for an output_padding that is not less than stride or
    dilation. Places outside of x count as zeros here, too: 0 times an infinite w is NaN, where PyTorch leaves it out.
    torch: torch.nn.functional.conv_transpose1d"""
    return call(C.heed_conv_transpose1d, x, w, bias, dict(stride=stride, padding=padding, output_padding=output_padding,
        dilation=dilation, groups=groups))


def conv_transpose2d(x: Tensor, w: Tensor, bias: Optional[Tensor] = None, *, stride: Any = None, padding: Any = None,
    output_padding: Any = None, dilation: Any = None, groups: int = 0) -> Tensor:
    """The transpose of heed_conv2d: x (B, O, M, N), w (O, C / groups, kh, kw), bias (C) or NULL -> (B, C, H, W), the sizes
    and errors as of heed_conv_transpose1d. dx = heed_conv2d(g, w), dw = heed_conv2d_weight(g, x).
    torch: torch.nn.functional.conv_transpose2d"""
    return call(C.heed_conv_transpose2d, x, w, bias, dict(stride=stride, padding=padding, output_padding=output_padding,
        dilation=dilation, groups=groups))


def conv2d_weight(x: Tensor, g: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
    groups: int = 0, same: bool = False) -> Tensor:
    """The gradient of heed_conv2d by w: x (B, C, H, W), g (B, O, M, N), kernel (kh, kw) or one number for both ->
    (O, C / groups, kh, kw), the sum over b, p, q of g[b, o, p, q] x[b, c, ...] as heed_conv2d has it. HEED_ERR_SHAPE
    unless a convolution of x gives g's sizes; other errors as of heed_conv2d.
    torch: torch.nn.grad.conv2d_weight"""
    return call(C.heed_conv2d_weight, x, g, kernel, dict(stride=stride, padding=padding, dilation=dilation, groups=groups,
        same=same))


def unfold(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None) -> Tensor:
    """Every window of x as a column: x (B, C, H, W), kernel (kh, kw) or one number for both -> (B, C kh kw, M N), M and N
    as those of heed_conv2d: y[b, (c kh + t) kw + u, p N + q] = x[b, c, p stride - padding + t dilation, ...], 0 outside
    of x. dx = heed_fold(g). HEED_ERR_SHAPE for x of another rank, and where the kernel does not fit; HEED_ERR_ARGUMENT
    for a kernel, stride, padding or dilation that there cannot be; HEED_ERR_DTYPE unless f32 or f64.
    torch: torch.nn.functional.unfold"""
    return call(C.heed_unfold, x, kernel, dict(stride=stride, padding=padding, dilation=dilation))


def fold(columns: Tensor, size: Any, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None) -> Tensor:
    """The transpose of heed_unfold: columns (B, C kh kw, M N) -> (B, C, H, W), size being (H, W) or one number for both;
    where windows overlap, their elements are added up.  dcolumns = heed_unfold(g). HEED_ERR_SHAPE unless unfolding such
    planes gives as many columns of that height; else as heed_unfold.
    torch: torch.nn.functional.fold"""
    return call(C.heed_fold, columns, size, kernel, dict(stride=stride, padding=padding, dilation=dilation))


def add(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """a + b, elementwise with broadcasting.  da = g, db = g.
    HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.add   numpy: numpy.add"""
    return call(C.heed_add, a, b)


def sub(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """a - b, elementwise with broadcasting.  da = g, db = -g.
    HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.sub   numpy: numpy.subtract"""
    return call(C.heed_sub, a, b)


def mul(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """a b, elementwise with broadcasting.  da = g b, db = g a.
    HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
    torch: torch.mul   numpy: numpy.multiply"""
    return call(C.heed_mul, a, b)


def div(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """a / b, elementwise with broadcasting; x / 0 is infinite and 0 / 0 NaN.  da = g / b, db = -g a / b^2.
    HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.div   numpy: numpy.divide"""
    return call(C.heed_div, a, b)


def maximum(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """The larger of a and b, elementwise with broadcasting; NaN where either is NaN.  da = g where a > b, db = g where
    b > a, and each gets g / 2 where they are equal. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless
    both are f32, both f64 or both i64. Of one tensor: heed_max.
    torch: torch.maximum   numpy: numpy.maximum"""
    return call(C.heed_maximum, a, b)


def minimum(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """The smaller of a and b, elementwise with broadcasting; NaN where either is NaN.  da = g where a < b, db = g where
    b < a, and each gets g / 2 where they are equal. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless
    both are f32, both f64 or both i64. Of one tensor: heed_min.
    torch: torch.minimum   numpy: numpy.minimum"""
    return call(C.heed_minimum, a, b)


def floor_divide(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """The largest whole number that is at most the exact quotient of a and b, elementwise with broadcasting. It is not
    floor(a / b), whose a / b is rounded first: 1 // 0.1 is 9, because 0.1 in binary is a little more than 1/10. A result
    that f32 or f64 cannot hold is rounded. x / 0 is infinite, 0 / 0 and infinity / b are NaN, and a finite a divided by
    an infinity is 0 or -1.  da = 0, db = 0.
    HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
    HEED_ERR_ARGUMENT for an i64 divided by 0.
    torch: torch.floor_divide   numpy: numpy.floor_divide"""
    return call(C.heed_floor_divide, a, b)


def remainder(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """The rest of a after division by b, elementwise with broadcasting: a - b heed_floor_divide(a, b), computed exactly by
    fmod, with the sign of b: remainder(1e9, pi) is 1.02 in f32. For an infinite b it is a if a has the sign of b or is
    0, and b otherwise. For b = 0 and for an infinite a it is NaN.  da = g, db = -g heed_floor_divide(a, b).
    HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
    HEED_ERR_ARGUMENT for an i64 divided by 0.
    torch: torch.remainder   numpy: numpy.remainder"""
    return call(C.heed_remainder, a, b)


def atan2(y: Tensor, x: Tensor) -> Tensor:
    """The angle of the point (x, y) in radians, from -pi to pi, elementwise with broadcasting; by the signs of both, so
    that y = -0 and x < 0 give -pi.  dy = g x / (x^2 + y^2), dx = -g y / (x^2 + y^2), without overflow of a
    square; NaN at the origin. HEED_ERR_SHAPE unless
    the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.atan2   numpy: numpy.arctan2"""
    return call(C.heed_atan2, y, x)


def where(condition: Tensor, a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """condition ? a : b elementwise; condition is bool, and all three broadcast.  da = g where true, db = g where false,
    and exactly 0 elsewhere, whatever is stored there. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless
    condition is bool and a, b both f32, both f64 or both i64.
    torch: torch.where   numpy: numpy.where"""
    return call(C.heed_where, condition, a, b)


def compare(a: Tensor, comparison: str, b: Optional[Tensor] = None) -> Tensor:
    """A bool tensor, a ? b elementwise with broadcasting, for two tensors of one dtype (any). Comparing with NaN is false
    but for HEED_COMPARE_NE. No gradient. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE for two dtypes;
    HEED_ERR_ARGUMENT for a number that is no comparison.
    torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
    numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal"""
    return call(C.heed_compare, a, comparison, b)


def compare_scalar(x: Tensor, comparison: str, c: float) -> Tensor:
    """The same with one number c, which is rounded to x's dtype where that is f32. No gradient. HEED_ERR_ARGUMENT for a c
    that is no whole number that i64 holds, where x is i64, or not 0 or 1, where it is bool, and for a number that is no
    comparison.
    torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
    numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal"""
    return call(C.heed_compare_scalar, x, comparison, c)


def mul_scalar(x: Tensor, c: float) -> Tensor:
    """c x, elementwise, of f32, f64 or i64 (modulo 2^64).  dx = c g. HEED_ERR_ARGUMENT for a c that is no whole number
    that i64 holds, where x is i64.
    torch: torch.mul   numpy: numpy.multiply"""
    return call(C.heed_mul_scalar, x, c)


def add_scalar(x: Tensor, c: float) -> Tensor:
    """x + c, elementwise, of f32, f64 or i64 (modulo 2^64).  dx = g. HEED_ERR_ARGUMENT for a c that is no whole number of
    i64, where x is i64.
    torch: torch.add   numpy: numpy.add"""
    return call(C.heed_add_scalar, x, c)


def rsub_scalar(x: Tensor, c: float) -> Tensor:
    """c - x, elementwise, of f32, f64 or i64 (modulo 2^64): the subtraction the other way round.  dx = -g.
    HEED_ERR_ARGUMENT for a c that is no whole number that i64 holds, where x is i64.
    torch: torch.rsub   numpy: numpy.subtract"""
    return call(C.heed_rsub_scalar, x, c)


def pow_scalar(x: Tensor, p: float) -> Tensor:
    """x^p, elementwise, of f32, f64 or i64 (modulo 2^64); NaN for a float x < 0 unless p is whole. 0^0 is 1.
    dx = g p x^(p-1), and 0 for p = 0. HEED_ERR_ARGUMENT for a p that is no whole number of i64 or below 0, where x is
    i64.
    torch: torch.pow   numpy: numpy.power"""
    return call(C.heed_pow_scalar, x, p)


def clamp(x: Tensor, low: float, high: float) -> Tensor:
    """min(max(x, low), high), elementwise, of f32, f64 or i64; NaN stays NaN, and a low of -infinity or a high of infinity
    is no limit.  dx = g where low <= x <= high, else 0. HEED_ERR_ARGUMENT unless low <= high, and for another limit that
    is no whole number of i64, where x is i64.
    torch: torch.clamp   numpy: numpy.clip"""
    return call(C.heed_clamp, x, low, high)


def neg(x: Tensor) -> Tensor:
    """-x, elementwise, of f32, f64 or i64, where that of -2^63 is itself.  dx = -g
    torch: torch.neg   numpy: numpy.negative"""
    return call(C.heed_neg, x)


def square(x: Tensor) -> Tensor:
    """x^2, elementwise, of f32, f64 or i64 (modulo 2^64).  dx = 2 g x
    torch: torch.square   numpy: numpy.square"""
    return call(C.heed_square, x)


def sqrt(x: Tensor) -> Tensor:
    """y = x^(1/2), elementwise, of f32 or f64; NaN for x < 0.  dx = g / (2 y), infinite at 0
    torch: torch.sqrt   numpy: numpy.sqrt"""
    return call(C.heed_sqrt, x)


def exp(x: Tensor) -> Tensor:
    """y = e^x, elementwise, of f32 or f64.  dx = g y
    torch: torch.exp   numpy: numpy.exp"""
    return call(C.heed_exp, x)


def log(x: Tensor) -> Tensor:
    """ln x, elementwise, of f32 or f64; -infinity at 0, NaN for x < 0.  dx = g / x
    torch: torch.log   numpy: numpy.log"""
    return call(C.heed_log, x)


def expm1(x: Tensor) -> Tensor:
    """y = e^x - 1, elementwise, of f32 or f64; exact to the last digits for small x, too.  dx = g (y + 1)
    torch: torch.expm1   numpy: numpy.expm1"""
    return call(C.heed_expm1, x)


def log1p(x: Tensor) -> Tensor:
    """ln(1 + x), elementwise, of f32 or f64; exact to the last digits for small x, too. -infinity at -1, NaN for x < -1.
    dx = g / (1 + x)
    torch: torch.log1p   numpy: numpy.log1p"""
    return call(C.heed_log1p, x)


def sin(x: Tensor) -> Tensor:
    """sin x, elementwise, of f32 or f64, x in radians.  dx = g cos x
    torch: torch.sin   numpy: numpy.sin"""
    return call(C.heed_sin, x)


def cos(x: Tensor) -> Tensor:
    """cos x, elementwise, of f32 or f64, x in radians.  dx = -g sin x
    torch: torch.cos   numpy: numpy.cos"""
    return call(C.heed_cos, x)


def asin(x: Tensor) -> Tensor:
    """arcsin x in radians, from -pi / 2 to pi / 2, elementwise, of f32 or f64; NaN for |x| > 1.  dx = g / sqrt(1 - x^2),
    infinite at -1 and 1
    torch: torch.asin   numpy: numpy.arcsin"""
    return call(C.heed_asin, x)


def acos(x: Tensor) -> Tensor:
    """arccos x in radians, from 0 to pi, elementwise, of f32 or f64; NaN for |x| > 1.  dx = -g / sqrt(1 - x^2), infinite at
    -1 and 1
    torch: torch.acos   numpy: numpy.arccos"""
    return call(C.heed_acos, x)


def atan(x: Tensor) -> Tensor:
    """arctan x in radians, from -pi / 2 to pi / 2, elementwise, of f32 or f64.  dx = g / (1 + x^2). Of two: heed_atan2.
    torch: torch.atan   numpy: numpy.arctan"""
    return call(C.heed_atan, x)


def sinh(x: Tensor) -> Tensor:
    """sinh x = (e^x - e^-x) / 2, elementwise, of f32 or f64.  dx = g cosh x
    torch: torch.sinh   numpy: numpy.sinh"""
    return call(C.heed_sinh, x)


def cosh(x: Tensor) -> Tensor:
    """cosh x = (e^x + e^-x) / 2, elementwise, of f32 or f64.  dx = g sinh x
    torch: torch.cosh   numpy: numpy.cosh"""
    return call(C.heed_cosh, x)


def tanh(x: Tensor) -> Tensor:
    """y = tanh x, elementwise, of f32 or f64.  dx = g (1 - y^2)
    torch: torch.tanh   numpy: numpy.tanh"""
    return call(C.heed_tanh, x)


def sigmoid(x: Tensor) -> Tensor:
    """y = 1 / (1 + e^-x), elementwise, of f32 or f64; without overflow for any x.  dx = g y (1 - y)
    torch: torch.sigmoid"""
    return call(C.heed_sigmoid, x)


def relu(x: Tensor) -> Tensor:
    """max(x, 0), elementwise, of f32 or f64; NaN stays NaN.  dx = g where x > 0, else 0
    torch: torch.nn.functional.relu"""
    return call(C.heed_relu, x)


def abs(x: Tensor) -> Tensor:
    """|x|, elementwise, of f32, f64 or i64, where that of -2^63 is itself.  dx = g sign x, which is 0 at 0
    torch: torch.abs   numpy: numpy.absolute"""
    return call(C.heed_abs, x)


def sign(x: Tensor) -> Tensor:
    """-1, 0 or 1 by the sign of x, elementwise, of f32, f64 or i64; NaN stays NaN, as in NumPy (PyTorch makes it 0).  dx =
    0
    torch: torch.sign   numpy: numpy.sign"""
    return call(C.heed_sign, x)


def floor(x: Tensor) -> Tensor:
    """The largest whole number that is at most x, elementwise, of f32 or f64.  dx = 0
    torch: torch.floor   numpy: numpy.floor"""
    return call(C.heed_floor, x)


def ceil(x: Tensor) -> Tensor:
    """The smallest whole number that is at least x, elementwise, of f32 or f64.  dx = 0
    torch: torch.ceil   numpy: numpy.ceil"""
    return call(C.heed_ceil, x)


def round(x: Tensor) -> Tensor:
    """The whole number nearest to x, elementwise, of f32 or f64; of two that are equally near the even one, so 0.5 gives 0
    and 1.5 gives 2.  dx = 0
    torch: torch.round   numpy: numpy.round"""
    return call(C.heed_round, x)


def erf(x: Tensor) -> Tensor:
    """The error function, elementwise, of f32 or f64: 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x.
    dx = g 2 / sqrt(pi) e^(-x^2)
    torch: torch.erf"""
    return call(C.heed_erf, x)


def gelu(x: Tensor) -> Tensor:
    """x Phi(x) = x (1 + erf(x / sqrt 2)) / 2, elementwise, of f32 or f64: the exact form, not the one by tanh.
    dx = g (Phi(x) + x phi(x)), Phi and phi being distribution and density of the standard normal.
    Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
    torch: torch.nn.functional.gelu"""
    return call(C.heed_gelu, x)


def gelu_tanh(x: Tensor) -> Tensor:
    """x (1 + tanh(u)) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3), elementwise, of f32 or f64: gelu by tanh, as GPT-2 has
    it. NaN for -infinity.  dx = g (s + 2 x s (1 - s) du/dx) with s = (1 + tanh(u)) / 2; derivatives are NaN if x^3
    overflows.
    Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
    torch: torch.nn.functional.gelu"""
    return call(C.heed_gelu_tanh, x)


def softplus(x: Tensor) -> Tensor:
    """ln(1 + e^x), elementwise, of f32 or f64: a smooth relu, without overflow for any x.  dx = g / (1 + e^-x).
    Dugas et al.: Incorporating Second-Order Functional Knowledge (2001).
    torch: torch.nn.functional.softplus"""
    return call(C.heed_softplus, x)


def silu(x: Tensor) -> Tensor:
    """x s with s = 1 / (1 + e^-x), elementwise, of f32 or f64; also called swish.  dx = g s (1 + x (1 - s)).
    Elfwing, Uchibe and Doya: Sigmoid-Weighted Linear Units (2018).
    torch: torch.nn.functional.silu"""
    return call(C.heed_silu, x)


def leaky_relu(x: Tensor, slope: float) -> Tensor:
    """x for x > 0, else slope x, elementwise, of f32 or f64; PyTorch's slope is 0.01 by default.  dx = g for x > 0, else
    slope g. Maas, Hannun and Ng: Rectifier Nonlinearities Improve Neural Network Acoustic Models (2013).
    torch: torch.nn.functional.leaky_relu"""
    return call(C.heed_leaky_relu, x, slope)


def elu(x: Tensor, alpha: float) -> Tensor:
    """x for x > 0, else alpha (e^x - 1), elementwise, of f32 or f64; PyTorch's alpha is 1 by default.  dx = g for x > 0,
    else g alpha e^x. Clevert, Unterthiner and Hochreiter: Exponential Linear Units (2016).
    torch: torch.nn.functional.elu"""
    return call(C.heed_elu, x, alpha)


def hardtanh(x: Tensor, low: float, high: float) -> Tensor:
    """min(max(x, low), high), elementwise, of f32 or f64; NaN stays NaN. As heed_clamp, but dx = g where low < x < high,
    else 0, also at the limits; PyTorch's are -1 and 1 by default. HEED_ERR_ARGUMENT unless low <= high.
    torch: torch.nn.functional.hardtanh"""
    return call(C.heed_hardtanh, x, low, high)


def clone(x: Tensor) -> Tensor:
    """A contiguous copy of x, of any dtype; recorded, unlike heed_detach.  dx = g
    torch: torch.clone   numpy: numpy.copy"""
    return call(C.heed_clone, x)


def contiguous(x: Tensor) -> Tensor:
    """x itself when its elements lie in row-major order without gaps, else a copy that does; any dtype.  dx = g
    torch: torch.Tensor.contiguous   numpy: numpy.ascontiguousarray"""
    return call(C.heed_contiguous, x)


def to_dtype(x: Tensor, dtype: str) -> Tensor:
    """x itself when it has that dtype, else converted.  dx = g, between f32 and f64. Floats become i64 by truncation,
    HEED_ERR_ARGUMENT when one does not fit (NaN, infinite, 2^63 and beyond); anything becomes bool by x != 0.
    HEED_ERR_DTYPE for a number that is no dtype.
    torch: torch.Tensor.to   numpy: numpy.ndarray.astype"""
    return call(C.heed_to_dtype, x, dtype)


def sort(x: Tensor) -> Tensor:
    """x (..., n) in ascending order along its last axis: stable, NaN last. f32, f64 or i64.  The gradient goes back to
    where each value came from. HEED_ERR_SHAPE for a scalar, HEED_ERR_DTYPE for bool.
    torch: torch.sort   numpy: numpy.sort"""
    return call(C.heed_sort, x)


def sort_axis(x: Tensor, axis: int, *, descending: bool = False, return_indices: bool = False) -> Any:
    """x in order along `axis`, ascending with NaN last or descending with NaN first; stable both ways. f32, f64 or i64.
    *indices, unless NULL, receives where each value came from: i64, of x's shape, NULL on failure.  The gradient goes
    back there. HEED_ERR_SHAPE for a scalar or an axis that is not there, HEED_ERR_DTYPE for bool.
    torch: torch.sort, torch.argsort   numpy: numpy.sort, numpy.argsort"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_sort_axis, x, axis, descending, indices_)


def argsort(x: Tensor, axis: int, *, descending: bool = False) -> Tensor:
    """Where the elements of x are in order along the axis: the indices of heed_sort_axis. i64, of x's shape. No gradient.
    HEED_ERR_SHAPE for a scalar or an axis that is not there, HEED_ERR_DTYPE for bool.
    torch: torch.argsort   numpy: numpy.argsort"""
    return call(C.heed_argsort, x, axis, descending)


def topk(x: Tensor, k: int, axis: int = -1, largest: bool = True, *, return_indices: bool = False) -> Any:
    """The k largest elements along the axis, the largest first, or the k smallest, the smallest first: as heed_sort_axis
    has them, so NaN is the largest and of equals the first counts. *indices, unless NULL, receives where each came from:
    i64, NULL on failure.  The gradient goes back there. HEED_ERR_ARGUMENT unless k is in 0 .. the axis's size;
    HEED_ERR_SHAPE, HEED_ERR_DTYPE as there.
    torch: torch.topk"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_topk, x, axis, k, largest, indices_)


def unique(x: Tensor, *, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """The different elements of x in ascending order, (m); of any dtype and shape. Each NaN is one of its own, last.
    *inverse, unless NULL, receives for each element of x which of them it is, i64 of x's shape; *counts, unless NULL,
    how often each comes, i64 (m). Both are NULL on failure. No gradient.
    torch: torch.unique   numpy: numpy.unique"""
    inverse_ = Out("out") if return_inverse else None
    counts_ = Out("out") if return_counts else None
    return call_outs(C.heed_unique, x, inverse_, counts_)


def searchsorted(sorted: Tensor, values: Tensor, *, right: bool = False) -> Tensor:
    """How many elements of the row `sorted`, ascending, are below each value: the first place where the value can be put
    in; with `right` how many are not above it, the last such place. i64 of the values' shape. A vector is the row of all
    values; (..., n) are the rows of values (..., m). NaN is above every number. No gradient. f32, f64 or i64, both alike
    (HEED_ERR_DTYPE); HEED_ERR_SHAPE for a scalar `sorted`, and unless the leading axes are the same.
    torch: torch.searchsorted   numpy: numpy.searchsorted"""
    return call(C.heed_searchsorted, sorted, values, right)


def bincount(x: Tensor, weights: Optional[Tensor] = None, min_length: int = 0) -> Tensor:
    """How often each of 0, 1, ... comes in x, i64 of rank 1: i64 as long as x's largest element asks for, and at least
    min_length; with weights, shaped like x, the sums of those, in their dtype.  dweights = g at x. HEED_ERR_INDEX for a
    negative element; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for min_length < 0.
    torch: torch.bincount   numpy: numpy.bincount"""
    return call(C.heed_bincount, x, weights, min_length)


def masked_fill(x: Tensor, mask: Optional[Tensor] = None, value: float = 0.0) -> Tensor:
    """x, f32, f64 or i64, with `value` where the mask, bool, is true; the mask broadcasts to x.  dx = g, exactly 0 where
    the mask is true, whatever g is there. HEED_ERR_SHAPE unless the mask broadcasts to x's shape; HEED_ERR_DTYPE;
    HEED_ERR_ARGUMENT for a value that is no whole number that i64 holds, where x is i64.
    torch: torch.masked_fill"""
    return call(C.heed_masked_fill, x, mask, value)


def gather(x: Tensor, axis: int, index: Tensor) -> Tensor:
    """y[i, j] = x[index[i, j], j] for axis 0, x[i, index[i, j]] for axis 1, and so on: y is shaped like index, which is i64
    of x's rank and no larger than x on the other axes. x of any dtype.  dx = scatter_sum(g). HEED_ERR_INDEX for an index
    outside, negative ones too; HEED_ERR_SHAPE when the shapes do not fit.
    torch: torch.gather   numpy: numpy.take_along_axis"""
    return call(C.heed_gather, x, axis, index)


def scatter_sum(src: Tensor, axis: int, index: Tensor, shape: Any) -> Tensor:
    """y = zeros of `shape`, then y[index[i, j], j] += src[i, j] for axis 0, and so on: the adjoint of heed_gather. index is
    i64, shaped like src; src is not bool.  dsrc = gather(g, index). HEED_ERR_INDEX for an index outside; HEED_ERR_SHAPE
    when the shapes do not fit. PyTorch's and NumPy's add to a tensor that is given: heed_add does that.
    torch: torch.scatter_add   numpy: numpy.add.at"""
    return call(C.heed_scatter_sum, src, axis, index, shape)


def index_select(x: Tensor, axis: int, index: Tensor) -> Tensor:
    """The slices of x at index (n), i64, along `axis`: x (A, B, C) gives (A, n, C) for axis 1. Repeats are legal; x of any
    dtype.  dx = index_sum(g). HEED_ERR_INDEX for an index outside, negative ones too; HEED_ERR_SHAPE unless index has
    rank 1.
    torch: torch.index_select   numpy: numpy.take"""
    return call(C.heed_index_select, x, axis, index)


def index_sum(x: Tensor, axis: int, index: Tensor, size: int) -> Tensor:
    """Zeros of size `size` on `axis`, to which the slices of x are added at index (n), i64, with n the size of x there: the
    adjoint of heed_index_select. x is not bool.  dx = index_select(g, index). HEED_ERR_INDEX for an index outside
    0 .. size - 1; HEED_ERR_SHAPE when the shapes do not fit.
    torch: torch.index_add   numpy: numpy.add.at"""
    return call(C.heed_index_sum, x, axis, index, size)


def embedding(indices: Tensor, weight: Optional[Tensor] = None) -> Tensor:
    """Rows of weight (V, d) for indices of any shape (...), i64: (..., d).  dweight: the sum of the g of each row's places.
    HEED_ERR_INDEX for an index outside 0 .. V - 1; HEED_ERR_SHAPE unless weight has rank 2.
    torch: torch.nn.functional.embedding   numpy: numpy.take"""
    return call(C.heed_embedding, indices, weight)


def one_hot(indices: Tensor, classes: int, dtype: str = "f32") -> Tensor:
    """indices (...), i64 -> (..., classes) of `dtype`: 1 at the index and 0 elsewhere. No gradient. HEED_ERR_INDEX for an
    index outside 0 .. classes - 1; HEED_ERR_ARGUMENT for classes < 0.
    torch: torch.nn.functional.one_hot"""
    return call(C.heed_one_hot, indices, classes, dtype)


def isnan(x: Tensor) -> Tensor:
    """Where x, of any dtype and shape, is NaN: a bool tensor of its shape. No gradient.
    torch: torch.isnan   numpy: numpy.isnan"""
    return call(C.heed_isnan, x)


def isinf(x: Tensor) -> Tensor:
    """Where x, of any dtype and shape, is infinite, of either sign: a bool tensor of its shape. No gradient.
    torch: torch.isinf   numpy: numpy.isinf"""
    return call(C.heed_isinf, x)


def isfinite(x: Tensor) -> Tensor:
    """Where x, of any dtype and shape, is neither NaN nor infinite: a bool tensor of its shape. No gradient.
    torch: torch.isfinite   numpy: numpy.isfinite"""
    return call(C.heed_isfinite, x)


def isclose(a: Tensor, b: Optional[Tensor] = None, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Where a and b are close, elementwise with broadcasting: |a - b| <= atol + rtol |b|, computed in their dtype, or both
    the same infinity, or, with equal_nan, both NaN. No gradient. PyTorch's rtol is 1e-5 by default, its atol 1e-8.
    HEED_ERR_ARGUMENT unless rtol and atol are at least 0; HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE
    unless both are f32 or both f64.
    torch: torch.isclose   numpy: numpy.isclose"""
    return call(C.heed_isclose, a, b, rtol, atol, equal_nan)


def allclose(a: Tensor, b: Optional[Tensor] = None, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements of a and b are close, as heed_isclose has it; so of nothing. No gradient. False on failure, too,
    with the errors of heed_isclose, and HEED_ERR_NOMEM.
    torch: torch.allclose   numpy: numpy.allclose"""
    return call(C.heed_allclose, a, b, rtol, atol, equal_nan)


def logical_and(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Where a and b are both true, elementwise with broadcasting. No gradient. HEED_ERR_DTYPE unless both are bool;
    HEED_ERR_SHAPE unless the shapes broadcast.
    torch: torch.logical_and   numpy: numpy.logical_and"""
    return call(C.heed_logical_and, a, b)


def logical_or(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Where a or b or both are true, elementwise with broadcasting. No gradient. HEED_ERR_DTYPE unless both are bool;
    HEED_ERR_SHAPE unless the shapes broadcast.
    torch: torch.logical_or   numpy: numpy.logical_or"""
    return call(C.heed_logical_or, a, b)


def logical_xor(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """Where one of a and b is true and the other is not, elementwise with broadcasting. No gradient. HEED_ERR_DTYPE unless
    both are bool; HEED_ERR_SHAPE unless the shapes broadcast.
    torch: torch.logical_xor   numpy: numpy.logical_xor"""
    return call(C.heed_logical_xor, a, b)


def logical_not(x: Tensor) -> Tensor:
    """Where x is false, elementwise. No gradient. HEED_ERR_DTYPE unless x is bool.
    torch: torch.logical_not   numpy: numpy.logical_not"""
    return call(C.heed_logical_not, x)


def any(x: Tensor) -> Tensor:
    """Whether an element of x, bool, is true: a bool scalar; of nothing false. No gradient. HEED_ERR_DTYPE unless x is
    bool.
    torch: torch.any   numpy: numpy.any"""
    return call(C.heed_any, x)


def any_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Whether an element over some axes of x, bool, is true; keepdim leaves these axes as size 1. Of nothing false. No
    gradient. HEED_ERR_SHAPE for an axis that is not there or is given twice; HEED_ERR_DTYPE.
    torch: torch.any   numpy: numpy.any"""
    return call(C.heed_any_axes, x, axes, keepdim)


def all(x: Tensor) -> Tensor:
    """Whether all elements of x, bool, are true: a bool scalar; of nothing true. No gradient. HEED_ERR_DTYPE unless x is
    bool.
    torch: torch.all   numpy: numpy.all"""
    return call(C.heed_all, x)


def all_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """Whether all elements over some axes of x, bool, are true; keepdim leaves these axes as size 1. Of nothing true. No
    gradient. HEED_ERR_SHAPE for an axis that is not there or is given twice; HEED_ERR_DTYPE.
    torch: torch.all   numpy: numpy.all"""
    return call(C.heed_all_axes, x, axes, keepdim)


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """(input - target)^2 of each element, reduced.  dinput = 2 g (input - target), dtarget = -dinput; of the mean divided
    by the number of elements. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.mse_loss"""
    return call(C.heed_mse_loss, input, target, reduction)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """|input - target| of each element, reduced.  dinput = g sign(input - target), dtarget = -dinput; of the mean divided
    by the number of elements. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.l1_loss"""
    return call(C.heed_l1_loss, input, target, reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, *, beta: float, reduction: str = "mean") -> Tensor:
    """d^2 / (2 beta) where |d| < beta, |d| - beta / 2 elsewhere, of each d = input - target, reduced; beta 0 is |d|.
    dinput = g d / beta, and g sign d elsewhere; dtarget = -dinput. HEED_ERR_SHAPE unless the shapes are the same;
    HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless beta is finite and not negative.
    torch: torch.nn.functional.smooth_l1_loss"""
    return call(C.heed_smooth_l1_loss, input, target, beta, reduction)


def huber_loss(input: Tensor, target: Tensor, *, delta: float, reduction: str = "mean") -> Tensor:
    """d^2 / 2 where |d| < delta, delta (|d| - delta / 2) elsewhere, of each d = input - target, reduced: delta times
    heed_smooth_l1_loss.  dinput = g d, and g delta sign d elsewhere; dtarget = -dinput. HEED_ERR_SHAPE unless the shapes
    are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless delta is finite and above 0.
    torch: torch.nn.functional.huber_loss"""
    return call(C.heed_huber_loss, input, target, delta, reduction)


def hinge_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """max(0, 1 - t x) of each input x and target t, which is 1 or -1, reduced: a margin for scores.  dx = -g t where t x <
    1, else 0; dt likewise. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT."""
    return call(C.heed_hinge_loss, input, target, reduction)


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float, reduction: str = "mean") -> Tensor:
    """x where t is 1, max(0, margin - x) where t is -1, 0 elsewhere, of each input x, a distance, and target t, reduced.
    dx = g, or -g where x < margin; dt = 0. HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE;
    HEED_ERR_ARGUMENT unless the margin is finite.
    torch: torch.nn.functional.hinge_embedding_loss"""
    return call(C.heed_hinge_embedding_loss, input, target, margin, reduction)


def kl_div(input: Tensor, target: Tensor, *, log_target: bool = False, reduction: str = "mean") -> Tensor:
    """t (ln t - x) of each input x, the logarithm of a probability, and target t, a probability or with log_target its
    logarithm, reduced; 0 with gradients 0 where t is the probability 0, whatever x is. The divergence of a batch of B
    distributions, PyTorch's batchmean, is the sum divided by B; the mean is over all elements.  dx = -g t,
    dt = g (ln t + 1 - x). HEED_ERR_SHAPE unless the shapes are the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.kl_div"""
    return call(C.heed_kl_div, input, target, log_target, reduction)


def poisson_nll_loss(input: Tensor, target: Tensor, *, reduction: str = "mean", no_log_input: bool = False, full: bool = False,
    eps: float = 0.0) -> Tensor:
    """e^x - t x of each input x, the logarithm of a rate, and target t, a count, reduced: -ln of the probability that a
    Poisson distribution gives to t, but for ln t!.  dx = g (e^x - t), dt = -g x. HEED_ERR_SHAPE unless the shapes are
    the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for an eps that is negative, not finite, or not used.
    torch: torch.nn.functional.poisson_nll_loss"""
    return call(C.heed_poisson_nll_loss, input, target, dict(reduction=reduction, no_log_input=no_log_input, full=full,
        eps=eps))


def gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor, *, reduction: str = "mean", full: bool = False,
    eps: float = 0.0) -> Tensor:
    """(ln v + (x - t)^2 / v) / 2 of each input x, a mean, and target t, with v = max(var, eps), reduced. var holds
    the variances: var (...) of an input (..., d) is one per row, as in PyTorch; any other var broadcasts to the input.
    dx = g (x - t) / v, dt = -dx, dvar = g (1 - (x - t)^2 / v) / (2 v), 0 below eps (PyTorch: the gradient at eps).
    HEED_ERR_SHAPE unless the shapes fit; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_ARGUMENT for a negative
    variance or eps.
    torch: torch.nn.functional.gaussian_nll_loss"""
    return call(C.heed_gaussian_nll_loss, input, target, var, dict(reduction=reduction, full=full, eps=eps))


def cosine_similarity(a: Tensor, b: Tensor, axis: int) -> Tensor:
    """The cosine of the angle between a and b along the axis, which is left out: their product divided by their lengths,
    which count as 1e-8 at least. a and b broadcast.  da = g (b / |b| - cos a / |a|) / |a|, db likewise; all are right
    also if squares overflow. HEED_ERR_SHAPE unless they
    broadcast, or for an axis that is not there; HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.nn.functional.cosine_similarity"""
    return call(C.heed_cosine_similarity, a, b, axis)


def cosine_embedding_loss(a: Tensor, b: Tensor, target: Tensor, margin: float, reduction: str = "mean") -> Tensor:
    """1 - c where the target is 1, max(0, c - margin) where it is -1, 0 elsewhere, with c the cosine similarity of the rows
    of a and b (..., d), reduced; targets (...).  da, db: as heed_cosine_similarity's. HEED_ERR_SHAPE; HEED_ERR_DTYPE
    unless all are f32 or all f64; HEED_ERR_ARGUMENT unless the margin is finite.
    torch: torch.nn.functional.cosine_embedding_loss"""
    return call(C.heed_cosine_embedding_loss, a, b, target, margin, reduction)


def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, *, swap: bool = False,
    reduction: str = "mean") -> Tensor:
    """max(0, |a - p| - |a - n| + margin) of the rows of anchor, positive and negative (..., d), reduced; with `swap` the
    smaller of |a - n| and |p - n|. Each length is the norm of a difference plus 1e-6 in each place, also if its square
    overflows. da = g (u - w), dp = -g u, dn = g w, with u and w the directions from p and n to a. HEED_ERR_SHAPE unless
    the shapes are the same, and for scalars; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless the margin is finite.
    torch: torch.nn.functional.triplet_margin_loss"""
    return call(C.heed_triplet_margin_loss, anchor, positive, negative, margin, swap, reduction)


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """max(x, 0) - x t + ln(1 + e^-|x|) of each input x and target t in 0 .. 1, reduced: -ln of the probability that
    sigmoid(x) gives to t, without overflow.  dx = g (sigmoid(x) - t), dt = -g x. HEED_ERR_SHAPE unless the shapes are
    the same; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT.
    torch: torch.nn.functional.binary_cross_entropy_with_logits"""
    return call(C.heed_binary_cross_entropy_with_logits, input, target, reduction)


def nll_loss(input: Tensor, targets: Tensor, *, reduction: str = "mean", has_ignore_index: bool = False,
    ignore_index: Optional[int] = None, label_smoothing: float = 0.0) -> Tensor:
    """-input[target] of each row of input (..., C), targets i64 (...), reduced: of logarithms of probabilities. What is not
    a target's is not read.  dinput = -g at the target, 0 elsewhere. HEED_ERR_INDEX for a target outside 0 .. C - 1 that
    counts; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a label smoothing.
    torch: torch.nn.functional.nll_loss"""
    return call(C.heed_nll_loss, input, targets, dict(reduction=reduction, has_ignore_index=has_ignore_index,
        ignore_index=ignore_index, label_smoothing=label_smoothing))


def cross_entropy(input: Tensor, targets: Tensor, *, reduction: str = "mean", has_ignore_index: bool = False,
    ignore_index: Optional[int] = None, label_smoothing: float = 0.0) -> Tensor:
    """logsumexp(x) - sum_c t_c x_c of each row x of input (..., C), targets i64 (...), reduced, with
    t = (1 - s) onehot(target) + s / C and s the smoothing: nll_loss of log_softmax, in one op.  dx = g (softmax(x) - t).
    HEED_ERR_INDEX for a target outside 0 .. C - 1 that counts; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a
    smoothing outside 0 .. 1.
    torch: torch.nn.functional.cross_entropy"""
    return call(C.heed_cross_entropy, input, targets, dict(reduction=reduction, has_ignore_index=has_ignore_index,
        ignore_index=ignore_index, label_smoothing=label_smoothing))


def sequence_loss(losses: Tensor, valid_lens: Optional[Tensor] = None, reduction: str = "mean") -> Tensor:
    """Losses (B, T) of sequences of the lengths valid_lens (B), i64: what lies past a length does not count, whatever is
    there.  HEED_REDUCTION_SUM: the sum; HEED_REDUCTION_MEAN: the sum divided by the number of valid steps, NaN when
    there is none; HEED_REDUCTION_NONE: (B), each sequence's sum divided by T, the book's masked loss.  dlosses = g times
    the same factor, 0 past a length. HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T."""
    return call(C.heed_sequence_loss, losses, valid_lens, reduction)


def ctc_loss(log_probs: Tensor, targets: Tensor, input_lens: Tensor, target_lens: Tensor, *, reduction: str = "mean",
    blank: int = 0, zero_infinity: bool = False) -> Tensor:
    """Connectionist temporal classification: -ln of the probability that log_probs (T, B, C), as heed_log_softmax gives
    them, read step by step, make the labels targets (B, S), i64, when repeated classes are made one and blanks left out;
    reduced. The lengths input_lens and target_lens, i64 (B), say how many steps and labels count, NULL that all do: what
    is behind is not looked at.  dlog_probs = -g times the probability that step t is used for class c, 0 where no path
    can give the target (PyTorch: NaN; and its gradient is that of the logits, to be used behind log_softmax only).
    HEED_ERR_INDEX for a length that is not there, or a label that counts and is the blank or no class; HEED_ERR_ARGUMENT
    for a blank that is no class; HEED_ERR_SHAPE; HEED_ERR_DTYPE.
    torch: torch.nn.functional.ctc_loss"""
    return call(C.heed_ctc_loss, log_probs, targets, input_lens, target_lens, dict(reduction=reduction, blank=blank,
        zero_infinity=zero_infinity))


def layer_norm(x: Tensor, shape: Any, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    eps: float = 1e-05) -> Tensor:
    """y = (x - mean) / sqrt(variance + eps) weight + bias over the last axes of x, which must be `shape` (rank 1 at least);
    the variance is by n. weight and bias have that shape, or are NULL.  Differentiable in x, weight and bias.
    HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless eps is finite and not negative; between 0 and the smallest
    normal number of the dtype it counts as that. Numbers whose squares overflow or underflow are scaled first, by a
    power of two: y and dx are right for all finite x. J. L. Ba, J. R. Kiros, G. E. Hinton: Layer Normalization (2016).
    torch: torch.nn.functional.layer_norm"""
    return call(C.heed_layer_norm, x, shape, weight, bias, eps)


def rms_norm(x: Tensor, shape: Any, weight: Optional[Tensor] = None, eps: float = 1e-05) -> Tensor:
    """y = x / sqrt(mean of x^2 + eps) weight over the last axes of x, which must be `shape` (rank 1 at least). weight has
    that shape, or is NULL.  Differentiable in x and weight. Errors, eps and extreme numbers as of heed_layer_norm; eps 0
    adds nothing. PyTorch's default, which heed_nn_rms_norm and Python's heed.rms_norm share, is the machine epsilon of
    x's dtype: 2^-23 for f32, 2^-52 for f64. PyTorch has it as nn.functional.rms_norm from 2.4 on.
    B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019)."""
    return call(C.heed_rms_norm, x, shape, weight, eps)


def batch_norm(x: Tensor, mean: Tensor, variance: Tensor, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, *,
    eps: float = 1e-05, return_statistics: bool = False) -> Any:
    """y = (x - mean) / sqrt(variance + eps) weight + bias for each channel, which is axis 1: x (B, C, ...), weight and bias
    (C) or NULL, 1 and 0. With mean and variance NULL, as in training, they are those of the channel over all other axes,
    the variance by n; *statistics, unless it is NULL, gets them, (2, C) without a gradient, NaN where x is empty.
    Channels whose squares overflow or underflow are scaled as in heed_layer_norm: y and dx are right, and the variance
    that *statistics gets is inf or 0 if x's dtype cannot hold it. Else mean and variance (C)
    are what was gathered before, both or none.  Differentiable in all tensors. HEED_ERR_SHAPE for other shapes, and for
    a single number in each channel, which has no variance; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for mean without variance,
    and for eps as of heed_layer_norm. S. Ioffe, C. Szegedy: Batch Normalization (2015).
    torch: torch.nn.functional.batch_norm"""
    statistics_ = Out("out") if return_statistics else None
    return call_outs(C.heed_batch_norm, x, mean, variance, weight, bias, eps, statistics_)


def group_norm(x: Tensor, groups: int, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    eps: float = 1e-05) -> Tensor:
    """y = (x - mean) / sqrt(variance + eps) weight + bias, where mean and variance (by n) are those of a sample's group of
    C / groups channels next to each other, over all of their elements: x (B, C, ...), weight and bias (C) or NULL, 1 and
    0. Differentiable in x, weight and bias. Extreme numbers as in heed_layer_norm. HEED_ERR_SHAPE; HEED_ERR_DTYPE;
    HEED_ERR_ARGUMENT unless groups divides C, and for eps as of heed_layer_norm. Y. Wu, K. He: Group Normalization
    (2018).
    torch: torch.nn.functional.group_norm"""
    return call(C.heed_group_norm, x, groups, weight, bias, eps)


def instance_norm(x: Tensor, *, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, eps: float = 1e-05) -> Tensor:
    """heed_group_norm with a group for each channel, x (B, C, ...). HEED_ERR_SHAPE, too, for a channel of one number, which
    has no variance. D. Ulyanov, A. Vedaldi, V. Lempitsky: Instance Normalization (2016).
    torch: torch.nn.functional.instance_norm"""
    return call(C.heed_instance_norm, x, weight, bias, eps)


def dropout(x: Tensor, p: float, training: bool) -> Tensor:
    """While training, each element is 0 with probability p, and x times 1 / (1 - p) (rounded to x's dtype) otherwise; not
    training, or for p = 0, x itself.  dx = g, dropped alike. x is f32 or f64 (HEED_ERR_DTYPE), of any shape. The default
    generator decides: heed_manual_seed. HEED_ERR_ARGUMENT unless 0 <= p <= 1, training or not.
    torch: torch.nn.functional.dropout"""
    return call(C.heed_dropout, x, p, training)


def max_pool1d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
    ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """y[..., p] = the largest x in window p: x (..., L), windows of `kernel` elements -> (..., M),
    M = (L + 2 padding - dilation (kernel - 1) - 1) / stride + 1, rounded down or, with ceil_mode, up. The first of
    equals, and NaN where there is one. *indices, unless NULL, receives i64 (..., M), where it lies on the axis, and NULL
    on failure. dx = g at those places. HEED_ERR_SHAPE for an x without that axis, where no window fits, and where one
    sees padding alone; HEED_ERR_ARGUMENT for a kernel, stride, padding or dilation that there cannot be; HEED_ERR_DTYPE.
    torch: torch.nn.functional.max_pool1d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_max_pool1d, x, kernel, dict(stride=stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode),
        indices_)


def max_pool2d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, dilation: Any = None,
    ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The largest of each window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N), the sizes and errors as
    of heed_max_pool1d. *indices receives i W + j of the element (i, j).
    torch: torch.nn.functional.max_pool2d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_max_pool2d, x, kernel, dict(stride=stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode),
        indices_)


def avg_pool1d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, ceil_mode: bool = False,
    exclude_pad: bool = False, divisor: int = 0) -> Tensor:
    """y[..., p] = the mean of x in window p: x (..., L) -> (..., M), the sizes and errors as of heed_max_pool1d. Sums are
    made in f64. HEED_ERR_ARGUMENT also for a divisor below 0.
    torch: torch.nn.functional.avg_pool1d"""
    return call(C.heed_avg_pool1d, x, kernel, dict(stride=stride, padding=padding, ceil_mode=ceil_mode, exclude_pad=exclude_pad,
        divisor=divisor))


def avg_pool2d(x: Tensor, kernel: Any, *, stride: Any = None, padding: Any = None, ceil_mode: bool = False,
    exclude_pad: bool = False, divisor: int = 0) -> Tensor:
    """The mean of each window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N). Errors as of
    heed_avg_pool1d.
    torch: torch.nn.functional.avg_pool2d"""
    return call(C.heed_avg_pool2d, x, kernel, dict(stride=stride, padding=padding, ceil_mode=ceil_mode, exclude_pad=exclude_pad,
        divisor=divisor))


def adaptive_max_pool1d(x: Tensor, size: Any, *, return_indices: bool = False) -> Any:
    """The largest of each of `size` windows: x (..., L) -> (..., size); window p has the elements p L / size, rounded down,
    to (p + 1) L / size, rounded up. *indices as of heed_max_pool1d. HEED_ERR_SHAPE for an x without that axis or empty
    on it; HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_DTYPE.
    torch: torch.nn.functional.adaptive_max_pool1d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_adaptive_max_pool1d, x, size, indices_)


def adaptive_max_pool2d(x: Tensor, size: Any, *, return_indices: bool = False) -> Any:
    """The largest of each of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]). Windows and errors as of
    heed_adaptive_max_pool1d, *indices as of heed_max_pool2d.
    torch: torch.nn.functional.adaptive_max_pool2d"""
    indices_ = Out("out") if return_indices else None
    return call_outs(C.heed_adaptive_max_pool2d, x, size, indices_)


def adaptive_avg_pool1d(x: Tensor, size: Any) -> Tensor:
    """The mean of each of `size` windows: x (..., L) -> (..., size). Windows and errors as of heed_adaptive_max_pool1d.
    torch: torch.nn.functional.adaptive_avg_pool1d"""
    return call(C.heed_adaptive_avg_pool1d, x, size)


def adaptive_avg_pool2d(x: Tensor, size: Any) -> Tensor:
    """The mean of each of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]); HEED_SHAPE(1) is the mean of
    each plane. Windows and errors as of heed_adaptive_max_pool1d.
    torch: torch.nn.functional.adaptive_avg_pool2d"""
    return call(C.heed_adaptive_avg_pool2d, x, size)


def bmm(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """a (B, M, K) x b (B, K, N) -> (B, M, N), one product for each batch element, or (M, K) x (K, N) -> (M, N); K = 0 gives
    zeros.  da = g b^T, db = a^T g. HEED_ERR_SHAPE unless both have rank 3 or both rank 2, and B and K agree;
    HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.bmm, torch.mm   numpy: numpy.matmul"""
    return call(C.heed_bmm, a, b)


def bmm_t(a: Tensor, transpose_a: bool, b: Tensor, transpose_b: bool) -> Tensor:
    """heed_bmm with a given as (B, K, M) when transpose_a, and b as (B, N, K) when transpose_b: the same numbers as of
    heed_transpose before it, and nothing is copied. Fails as heed_bmm does."""
    return call(C.heed_bmm_t, a, transpose_a, b, transpose_b)


def matmul(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """a (..., M, K) x b (..., K, N) -> (..., M, N), by NumPy's rules: leading axes broadcast; (K) is a row on the left and
    a column on the right, and its axis goes from the result.  da = g b^T, db = a^T g. HEED_ERR_SHAPE for a scalar, and
    unless the sizes K agree and the leading axes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.matmul   numpy: numpy.matmul"""
    return call(C.heed_matmul, a, b)


def outer(a: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """a (n), b (m) -> (n, m), y[i, j] = a[i] b[j].  da = g b, db = a g. HEED_ERR_SHAPE unless both have rank 1;
    HEED_ERR_DTYPE unless both are f32 or both f64.
    torch: torch.outer   numpy: numpy.outer"""
    return call(C.heed_outer, a, b)


def einsum(equation: str, operands: Sequence[Tensor]) -> Tensor:
    """Sums of products, as the equation says: heed_einsum("bqd,bkd->bqk", HEED_TENSORS(q, k)). Each operand's axes are
    named by letters; axes of one letter go together, twice in one operand they are its diagonal, and a letter that is
    not in the output is summed over. "..." stands for any axes, which broadcast, as do axes of size 1. Without an arrow
    the output is "..." and the letters that come once, A to Z and then a to z. The products are heed_bmm's, from the
    left; a view where nothing is computed.  Differentiable in every operand. HEED_ERR_ARGUMENT for what is no equation,
    or not for n operands; HEED_ERR_SHAPE where ranks or the sizes of a letter differ; HEED_ERR_DTYPE unless all are f32
    or all f64.
    torch: torch.einsum   numpy: numpy.einsum"""
    return call(C.heed_einsum, equation, operands, length(operands))


def linear(x: Tensor, w: Tensor, b: Optional[Tensor] = None) -> Tensor:
    """y = x w^T + b: x (..., in), w (out, in), b (out) or NULL -> (..., out).  dx = g w, dw = g^T x, db = the sum of g's
    rows. HEED_ERR_SHAPE unless the sizes agree; HEED_ERR_DTYPE unless all are f32 or all f64.
    torch: torch.nn.functional.linear"""
    return call(C.heed_linear, x, w, b)


def linear_activated(x: Tensor, w: Tensor, b: Tensor, activation: Any) -> Tensor:
    """y = activation(x w^T + b), for x (..., in), w (out, in), b (out) or NULL: the same numbers as
    heed_relu(heed_linear(x, w, b)). With heed_relu, heed_tanh and heed_sigmoid it takes one pass over memory less, and
    nothing before the activation is kept. NULL: none. A function of yours runs as heed/scope.h says; HEED_ERR_STATE when
    it returns NULL without an error. Otherwise as heed_linear."""
    return call(C.heed_linear_activated, x, w, b, activation)


def recurrence(cell: str, x: Tensor, w: Tensor, b: Tensor, before: Tensor, valid_lens: Optional[Tensor] = None,
    reverse: bool = False, *, return_after: bool = False) -> Any:
    """y_t = the state h after step t, for all T steps in one op. x (T, B, gates h), mostly W_i x + b_i of a layer; w
    (gates h, h); b (gates h) or NULL for 0; before (1, B, h) is the state before the first step, (2, B, h) of the LSTM:
    h, then c; NULL: zeros. y is (T, B, h); *after becomes the state after the last step, shaped like before, and NULL on
    failure; NULL: not wanted.

    valid_lens, i64 (B) in any order, are the steps that each sequence has, NULL: T. What x holds past a length is not
    read, y is 0 there, and the last step is that before the length. With `reverse` steps are taken from the last to the
    first, which stays y's order.

    Backward needs one walk back through the steps, and two products for w. Recording keeps 5 h numbers of each step of
    the LSTM, 4 of the GRU. NULL on failure: HEED_ERR_ARGUMENT for NULL x or w, or another cell; HEED_ERR_SHAPE,
    HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. T, HEED_ERR_NOMEM."""
    after_ = Out("out") if return_after else None
    return call_outs(C.heed_recurrence, cell, x, w, b, before, valid_lens, reverse, after_)


def sum(x: Tensor) -> Tensor:
    """The sum of all elements, a scalar; of nothing 0.  dx = g, expanded. Of i64 the sum is i64, modulo 2^64, as in
    PyTorch; of bool it is i64, too: how many are true. Neither has a gradient.
    torch: torch.sum   numpy: numpy.sum"""
    return call(C.heed_sum, x)


def sum_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """The sum over some axes of x, which keepdim leaves as size 1; of nothing 0.  dx = g, expanded. Of i64 the sum is i64,
    modulo 2^64, as in PyTorch; of bool it is i64, too: how many are true. Neither has a gradient. HEED_ERR_SHAPE for an
    axis that is not there or is given twice.
    torch: torch.sum   numpy: numpy.sum"""
    return call(C.heed_sum_axes, x, axes, keepdim)


def mean(x: Tensor) -> Tensor:
    """The mean of all n elements, a scalar: sum / n; of nothing NaN. x is f32 or f64 (HEED_ERR_DTYPE).  dx = g / n
    torch: torch.mean   numpy: numpy.mean"""
    return call(C.heed_mean, x)


def mean_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """The mean over some axes of x, f32 or f64, which keepdim leaves as size 1: sum / n; of nothing NaN.  dx = g / n.
    HEED_ERR_SHAPE for an axis that is not there or is given twice; HEED_ERR_DTYPE.
    torch: torch.mean   numpy: numpy.mean"""
    return call(C.heed_mean_axes, x, axes, keepdim)


def var(x: Tensor, correction: int = 1) -> Tensor:
    """The variance of all n elements, a scalar: sum((x - mean)^2) / (n - correction), where 1, PyTorch's default, makes it
    unbiased, and 0, NumPy's, is the mean square. The divisor is at least 0: of one element with correction 1 NaN. x is
    f32 or f64 (HEED_ERR_DTYPE).  dx = 2 g (x - mean) / (n - correction). A sum of squares may overflow: the result is
    right if x's dtype can hold it. For the deviation of numbers beyond 1e19 in f32 take heed_std, whose square
    overflows.
    torch: torch.var   numpy: numpy.var"""
    return call(C.heed_var, x, correction)


def var_axes(x: Tensor, axes: Any, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The variance over some axes of x, f32 or f64, which keepdim leaves as size 1, as heed_var has it.
    dx = 2 g (x - mean) / (n - correction). HEED_ERR_SHAPE for an axis that is not there or is given twice;
    HEED_ERR_DTYPE.
    torch: torch.var   numpy: numpy.var"""
    return call(C.heed_var_axes, x, axes, correction, keepdim)


def std(x: Tensor, correction: int = 1) -> Tensor:
    """The standard deviation y of all elements, the square root of heed_var: a scalar. x is f32 or f64 (HEED_ERR_DTYPE).
    dx = g (x - mean) / (y (n - correction)), and 0 where y is 0. Higher derivatives are 0 there, too; the second
    derivative of y^2 is not, so use heed_var for y^2. If squares overflow or underflow, y and dx are computed in
    f64 and of x times a power of two: they are right wherever the dtype can hold them, from the smallest x to the
    largest.
    torch: torch.std   numpy: numpy.std"""
    return call(C.heed_std, x, correction)


def std_axes(x: Tensor, axes: Any, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation over some axes of x, f32 or f64, which keepdim leaves as size 1, as heed_std has it.
    dx = g (x - mean) / (y (n - correction)), and 0 where y is 0. HEED_ERR_SHAPE for an axis that is not there or is
    given twice; HEED_ERR_DTYPE.
    torch: torch.std   numpy: numpy.std"""
    return call(C.heed_std_axes, x, axes, correction, keepdim)


def norm(x: Tensor, p: float) -> Tensor:
    """The norm y of all elements, a scalar: (sum |x|^p)^(1/p); the largest |x| for p = INFINITY, the smallest for
    -INFINITY, how many are not 0 for p = 0. x is f32 or f64 (HEED_ERR_DTYPE).  dx = g sign(x) (|x| / y)^(p - 1), 0 where
    x or y is 0, shared evenly by equal extremes. If powers overflow or underflow, y and dx are computed in f64 and of x
    times a power of two: they are right wherever the dtype can hold them. Only in f64, for p < 0 or p > 500, dx needs
    |x| in 1e-290 .. 1e290. Higher derivatives are 0 if y is 0; the second derivative of y^2 is not, so use heed_sum of
    heed_square for y^2. HEED_ERR_ARGUMENT for a p that is NaN; HEED_ERR_SHAPE for nothing where p is INFINITY or below
    0; else its norm is 0.
    torch: torch.linalg.vector_norm   numpy: numpy.linalg.norm"""
    return call(C.heed_norm, x, p)


def norm_axes(x: Tensor, p: float, axes: Any, keepdim: bool = False) -> Tensor:
    """The norms over some axes of x, f32 or f64, which keepdim leaves as size 1, as heed_norm has them.
    dx = g sign(x) (|x| / y)^(p - 1), 0 where x or y is 0. HEED_ERR_SHAPE, also for an axis that is not there or is given
    twice; HEED_ERR_ARGUMENT; HEED_ERR_DTYPE.
    torch: torch.linalg.vector_norm   numpy: numpy.linalg.norm"""
    return call(C.heed_norm_axes, x, p, axes, keepdim)


def prod(x: Tensor) -> Tensor:
    """The product of all elements, a scalar; of nothing 1. x is f32, f64 or i64 (HEED_ERR_DTYPE), whose product is taken
    modulo 2^64.  dx = g times the product of the others, also where x is 0. Halves are multiplied by each other: where
    factors of 1e200 meet those of 1e-200, products on the way may overflow.
    torch: torch.prod   numpy: numpy.prod"""
    return call(C.heed_prod, x)


def prod_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """The product over some axes of x, f32, f64 or i64, which keepdim leaves as size 1; of nothing 1.  dx = g times the
    product of the others, also where x is 0. HEED_ERR_SHAPE for an axis that is not there or is given twice;
    HEED_ERR_DTYPE.
    torch: torch.prod   numpy: numpy.prod"""
    return call(C.heed_prod_axes, x, axes, keepdim)


def cumsum(x: Tensor, axis: int) -> Tensor:
    """The sums of what precedes on one axis: y[i] = x[0] + ... + x[i]. x is f32, which is summed in f64, f64 or i64, modulo
    2^64 (HEED_ERR_DTYPE).  dx[i] = g[i] + g[i + 1] + ... HEED_ERR_SHAPE for an axis that is not there.
    torch: torch.cumsum   numpy: numpy.cumsum"""
    return call(C.heed_cumsum, x, axis)


def trapezoid(y: Tensor, x: Tensor, *, axis: int) -> Tensor:
    """The integral of y over one axis by the trapezoidal rule: the sum of (y[i] + y[i - 1]) (x[i] - x[i - 1]) / 2, without
    the axis; 0 of less than two points. x holds the places, (n) for the n points of the axis, or has y's rank and
    broadcasts. Both f32 or both f64 (HEED_ERR_DTYPE). Differentiable in both. HEED_ERR_SHAPE for an x that does not fit
    or an axis that is not there.
    torch: torch.trapezoid   numpy: numpy.trapz"""
    return call(C.heed_trapezoid, y, x, axis)


def trapezoid_scalar(y: Tensor, dx: float, *, axis: int) -> Tensor:
    """The same of points that lie dx apart: dx (y[0] / 2 + y[1] + ... + y[n - 1] / 2). y is f32 or f64 (HEED_ERR_DTYPE).
    Differentiable. HEED_ERR_SHAPE for an axis that is not there.
    torch: torch.trapezoid   numpy: numpy.trapz"""
    return call(C.heed_trapezoid_scalar, y, dx, axis)


def max(x: Tensor) -> Tensor:
    """The largest element, a scalar; NaN if there is one.  dx = g, shared evenly by equal largest elements. x is f32, f64
    or i64 (HEED_ERR_DTYPE). HEED_ERR_SHAPE for the max of nothing. Of two tensors: heed_maximum.
    torch: torch.max   numpy: numpy.max"""
    return call(C.heed_max, x)


def max_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """The largest elements over some axes of x, f32, f64 or i64, which keepdim leaves as size 1; NaN where there is one.
    dx = g, shared evenly by equal largest elements. HEED_ERR_SHAPE for the max of nothing, or an axis that is not there
    or is given twice; HEED_ERR_DTYPE.
    torch: torch.amax   numpy: numpy.max"""
    return call(C.heed_max_axes, x, axes, keepdim)


def min(x: Tensor) -> Tensor:
    """The smallest element, a scalar; NaN if there is one.  dx = g, shared evenly by equal smallest elements. x is f32,
    f64 or i64 (HEED_ERR_DTYPE). HEED_ERR_SHAPE for the min of nothing. Of two tensors: heed_minimum.
    torch: torch.min   numpy: numpy.min"""
    return call(C.heed_min, x)


def min_axes(x: Tensor, axes: Any, keepdim: bool = False) -> Tensor:
    """The smallest elements over some axes of x, f32, f64 or i64, which keepdim leaves as size 1; NaN where there is one.
    dx = g, shared evenly by equal smallest elements. HEED_ERR_SHAPE for the min of nothing, or an axis that is not there
    or is given twice; HEED_ERR_DTYPE.
    torch: torch.amin   numpy: numpy.min"""
    return call(C.heed_min_axes, x, axes, keepdim)


def argmax(x: Tensor) -> Tensor:
    """Where the largest element is in the flattened tensor: an i64 scalar, the first of several, the first NaN if any. x is
    f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmax of nothing.
    torch: torch.argmax   numpy: numpy.argmax"""
    return call(C.heed_argmax, x)


def argmax_axis(x: Tensor, axis: int, keepdim: bool = False) -> Tensor:
    """Where the largest elements are on one axis, which keepdim leaves as size 1: i64, the first of several, the first NaN
    if any. x is f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmax of nothing, or an axis that
    is not there.
    torch: torch.argmax   numpy: numpy.argmax"""
    return call(C.heed_argmax_axis, x, axis, keepdim)


def argmin(x: Tensor) -> Tensor:
    """Where the smallest element is in the flattened tensor: an i64 scalar, the first of several, the first NaN if any. x
    is f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmin of nothing.
    torch: torch.argmin   numpy: numpy.argmin"""
    return call(C.heed_argmin, x)


def argmin_axis(x: Tensor, axis: int, keepdim: bool = False) -> Tensor:
    """Where the smallest elements are on one axis, which keepdim leaves as size 1: i64, the first of several, the first NaN
    if any. x is f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmin of nothing, or an axis that
    is not there.
    torch: torch.argmin   numpy: numpy.argmin"""
    return call(C.heed_argmin_axis, x, axis, keepdim)


def sum_to(x: Tensor, shape: Any) -> Tensor:
    """x, f32 or f64, summed down to a shape that broadcasts to x's: the adjoint of heed_expand.  dx = expand(g). x itself
    when it has that shape. HEED_ERR_SHAPE unless `shape` broadcasts to x's; HEED_ERR_DTYPE.
    torch: torch.Tensor.sum_to_size"""
    return call(C.heed_sum_to, x, shape)


def reshape(x: Tensor, shape: Any) -> Tensor:
    """The elements of x, row-major, as `shape`; one dim may be -1 and is worked out: x (2, 6) as HEED_SHAPE(-1, 4) is (3,
    4). A view, or a copy where x's layout does not allow one.  dx = g, reshaped. HEED_ERR_SHAPE when the number of
    elements differs.
    torch: torch.reshape   numpy: numpy.reshape"""
    return call(C.heed_reshape, x, shape)


def transpose(x: Tensor, axis_a: int, axis_b: int) -> Tensor:
    """A view with two axes swapped: x (2, 3, 4) with axes 0 and -1 gives (4, 3, 2).  dx = g, swapped back. HEED_ERR_SHAPE
    for an axis that is not there.
    torch: torch.transpose   numpy: numpy.swapaxes"""
    return call(C.heed_transpose, x, axis_a, axis_b)


def permute(x: Tensor, order: Any) -> Tensor:
    """A view whose axis i is axis order.dims[i] of x: x (2, 3, 4) in the order HEED_AXES(2, 0, 1) is (4, 2, 3).  dx = g,
    permuted back. HEED_ERR_SHAPE unless the order names each axis once.
    torch: torch.permute   numpy: numpy.transpose"""
    return call(C.heed_permute, x, order)


def squeeze(x: Tensor, axis: int) -> Tensor:
    """A view without an axis of size 1: x (2, 1, 3) without axis 1 is (2, 3).  dx = g, reshaped. HEED_ERR_SHAPE when its
    size is not 1, or when it is not there.
    torch: torch.squeeze   numpy: numpy.squeeze"""
    return call(C.heed_squeeze, x, axis)


def unsqueeze(x: Tensor, axis: int) -> Tensor:
    """A view with an axis of size 1 more, before `axis`; -1 appends: x (2, 3) at 1 is (2, 1, 3).  dx = g, reshaped.
    HEED_ERR_SHAPE at rank 8, the greatest there is.
    torch: torch.unsqueeze   numpy: numpy.expand_dims"""
    return call(C.heed_unsqueeze, x, axis)


def flatten(x: Tensor, start_axis: int, end_axis: int) -> Tensor:
    """x with the axes start_axis .. end_axis as one: x (2, 3, 4) from 1 to -1 is (2, 12). A view where x is contiguous; a
    scalar becomes (1).  dx = g, reshaped. HEED_ERR_SHAPE for axes that are not there, or an end before the start.
    torch: torch.flatten"""
    return call(C.heed_flatten, x, start_axis, end_axis)


def expand(x: Tensor, shape: Any) -> Tensor:
    """A view of x broadcast to `shape`, with stride 0: x (3, 1) is (2, 3, 4) by HEED_SHAPE(2, 3, 4). Not to be written to.
    dx = heed_sum_to(g). HEED_ERR_SHAPE unless x broadcasts to the shape.
    torch: torch.Tensor.expand   numpy: numpy.broadcast_to"""
    return call(C.heed_expand, x, shape)


def slice(x: Tensor, axis: int, start: int, stop: int, step: int) -> Tensor:
    """A view, x[start:stop:step] on one axis by Python's rules: negative start and stop count from the end, both are
    clipped, and HEED_END is the end.  dx = heed_unslice(g). HEED_ERR_ARGUMENT unless step >= 1; HEED_ERR_SHAPE for an
    axis that is not there.
    torch: torch.narrow"""
    return call(C.heed_slice, x, axis, start, stop, step)


def unslice(x: Tensor, axis: int, start: int, step: int, size: int) -> Tensor:
    """Zeros of size `size` on `axis`, with the slices of x at start, start + step, ...: the adjoint of heed_slice, a copy.
    dx = g, sliced. HEED_ERR_INDEX when x does not fit; HEED_ERR_ARGUMENT unless step >= 1.
    torch: torch.slice_scatter"""
    return call(C.heed_unslice, x, axis, start, step, size)


def select(x: Tensor, axis: int, index: int) -> Tensor:
    """A view, x[..., index, ...] without the axis: x (2, 3, 4) at axis 1 is (2, 4); index -1 is the last.  dx = g there, 0
    elsewhere. HEED_ERR_INDEX for an index outside; HEED_ERR_SHAPE for an axis that is not there.
    torch: torch.select   numpy: numpy.take"""
    return call(C.heed_select, x, axis, index)


def diagonal(x: Tensor, offset: int, axis_a: int, axis_b: int) -> Tensor:
    """A view of a diagonal of two axes, which comes last: x (2, 3, 3) with axes 1 and 2 gives (2, 3), x[b, i, i + offset].
    A negative offset is below the main diagonal; one that is outside gives no elements.  dx = g there, 0 elsewhere.
    HEED_ERR_SHAPE for an axis that is not there, or twice the same.
    torch: torch.diagonal   numpy: numpy.diagonal"""
    return call(C.heed_diagonal, x, offset, axis_a, axis_b)


def diag(x: Tensor, offset: int = 0) -> Tensor:
    """Of a vector x (n) the matrix with x on that diagonal and 0 elsewhere, (n + |offset|, n + |offset|); of a matrix that
    diagonal, a view.  dx = g there. HEED_ERR_SHAPE for another rank.
    torch: torch.diag   numpy: numpy.diag"""
    return call(C.heed_diag, x, offset)


def tril(x: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of each matrix of x (..., n, m): x where column - row <= diagonal, 0 above.  dx = tril(g).
    heed_tril of ones, bool, is the mask of causal attention. HEED_ERR_SHAPE below rank 2.
    torch: torch.tril   numpy: numpy.tril"""
    return call(C.heed_tril, x, diagonal)


def triu(x: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of each matrix of x (..., n, m): x where column - row >= diagonal, 0 below.  dx = triu(g).
    HEED_ERR_SHAPE below rank 2.
    torch: torch.triu   numpy: numpy.triu"""
    return call(C.heed_triu, x, diagonal)


def concat(tensors: Sequence[Tensor], axis: int) -> Tensor:
    """The tensors one after another on an axis that they have: heed_concat(HEED_TENSORS(x, y), 0) of (2, 3) and (4, 3) is
    (6, 3).  Each gets its part of g. HEED_ERR_SHAPE unless their shapes agree but for the axis; HEED_ERR_DTYPE unless
    they have one dtype; HEED_ERR_ARGUMENT unless n >= 1.
    torch: torch.cat   numpy: numpy.concatenate"""
    return call(C.heed_concat, tensors, length(tensors), axis)


def stack(tensors: Sequence[Tensor], axis: int) -> Tensor:
    """The tensors one after another on a new axis: heed_stack(HEED_TENSORS(x, y), 0) of two (3) is (2, 3).  Each gets its
    part of g. HEED_ERR_SHAPE unless they have one shape, of rank 7 at most; HEED_ERR_DTYPE unless they have one dtype;
    HEED_ERR_ARGUMENT unless n >= 1.
    torch: torch.stack   numpy: numpy.stack"""
    return call(C.heed_stack, tensors, length(tensors), axis)


def repeat_interleave(x: Tensor, repeats: int, axis: int) -> Tensor:
    """Each element of the axis `repeats` times in a row: [a b] twice is [a a b b].  dx = the sum of g over the copies.
    HEED_ERR_ARGUMENT for repeats < 0; HEED_ERR_SHAPE for an axis that is not there.
    torch: torch.repeat_interleave   numpy: numpy.repeat"""
    return call(C.heed_repeat_interleave, x, axis, repeats)


def tile(x: Tensor, repeats: Any) -> Tensor:
    """The whole tensor repeats.dims[i] times on axis i: [a b] twice is [a b a b]. The shorter of the two ranks is filled
    with ones in front.  dx = the sum of g over the copies. HEED_ERR_ARGUMENT for a number of times below 0.
    torch: torch.tile   numpy: numpy.tile"""
    return call(C.heed_tile, x, repeats)


def flip(x: Tensor, axes: Any) -> Tensor:
    """x with the elements of the listed axes in reverse order.  dx = g, flipped. An empty list flips nothing, as in
    PyTorch; so does HEED_ALL_AXES, which is the empty list: list every axis to flip all. HEED_ERR_SHAPE if x lacks an
    axis or an axis is listed twice.
    torch: torch.flip   numpy: numpy.flip"""
    return call(C.heed_flip, x, axes)


def roll(x: Tensor, shift: int, axis: int) -> Tensor:
    """x, moved by `shift` elements along the axis; what leaves at its end comes in at its beginning: [a b c] by 1 is [c a
    b]. dx = g, moved back. HEED_ERR_SHAPE for an axis that is not there.
    torch: torch.roll   numpy: numpy.roll"""
    return call(C.heed_roll, x, axis, shift)


def pad(x: Tensor, pads: Any, mode: str = "constant", value: float = 0.0) -> Tensor:
    """x with more elements before and behind its last axes, or fewer: pads are, as PyTorch has them, two numbers for the
    last axis, two for the one before it, and so on; negative ones cut off.  dx = g where x is, and the sum over the
    copies of each element. pads is a heed_shape of at most 8 numbers, so one call pads at most the last 4 axes;
    transpose x to pad others. HEED_ERR_SHAPE unless there are two numbers for at most each axis, or where more is cut
    off, or mirrored, than there is; HEED_ERR_ARGUMENT for another mode, and for a value but 0 where no constant is asked
    for.
    torch: torch.nn.functional.pad   numpy: numpy.pad"""
    return call(C.heed_pad, x, pads, mode, value)


def softmax(x: Tensor, axis: int) -> Tensor:
    """y = exp(x - max) / sum exp(x - max) along `axis`: weights that sum to 1.  dx = y (g - sum(g y)).
    x is f32 or f64 (HEED_ERR_DTYPE), of any shape but a scalar's. NaN or +inf makes its row NaN; -inf has weight 0.
    HEED_ERR_SHAPE for an axis that is not there.
    torch: torch.nn.functional.softmax"""
    return call(C.heed_softmax, x, axis)


def log_softmax(x: Tensor, axis: int) -> Tensor:
    """y = x - logsumexp(x) along `axis`, the logarithm of heed_softmax, exact where that is 0.  dx = g - exp(y) sum(g).
    x is f32 or f64 (HEED_ERR_DTYPE). HEED_ERR_SHAPE for a scalar or an axis that is not there.
    torch: torch.nn.functional.log_softmax"""
    return call(C.heed_log_softmax, x, axis)


def logsumexp(x: Tensor, axis: int, keepdim: bool = False) -> Tensor:
    """y = ln sum exp(x) along `axis`, which keepdim leaves as size 1.  dx = g softmax(x).
    Of nothing, or of only -inf, it is -inf, whose gradient is NaN; +inf gives +inf. x is f32 or f64 (HEED_ERR_DTYPE).
    HEED_ERR_SHAPE for a scalar or an axis that is not there.
    torch: torch.logsumexp"""
    return call(C.heed_logsumexp, x, axis, keepdim)


def masked_softmax(x: Tensor, seen: Optional[Tensor] = None) -> Tensor:
    """heed_softmax along the last axis of x, over what is seen of each row only.  dx = y (g - sum(g y)).
    By lengths, i64, each row of x (B, Q, K) sees its first entries: `seen` is (B), one length for all rows of a batch
    element, or (B, Q), one for each row. By a mask, bool, rows of x of any rank see where it is true; it broadcasts to
    x, as attention's do: (Q, K) is one for all of (B, H, Q, K). Its dtype tells which, so both are the same call. NULL:
    all of x (B, Q, K).
    What is not seen is not read: weight and gradient are exactly 0, and NaN there harms nothing, where adding -1e9 or
    multiplying by 0 would let it through. A row that sees nothing is zeros. HEED_ERR_SHAPE unless `seen` fits x, which
    has rank 3 but with a mask; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K. The book's masked_softmax."""
    return call(C.heed_masked_softmax, x, seen)


def sequence_mask(x: Tensor, valid_lens: Optional[Tensor] = None, value: float = 0.0) -> Tensor:
    """x (n, T, ...), f32 or f64, with `value` at t >= valid_lens[i] of row i; valid_lens, i64, is (n), or (n, Q), of which
    the longest counts.  dx = g, 0 where masked. A new tensor: the book's sequence_mask writes to x. HEED_ERR_SHAPE below
    rank 2 or unless valid_lens fits; HEED_ERR_INDEX for a length outside 0 .. T; HEED_ERR_DTYPE."""
    return call(C.heed_sequence_mask, x, valid_lens, value)


def optim_clip_grad_norm_(module: Any, max_norm: float) -> Any:
    """Scales the gradients of a module's parameters so that their norm is at most max_norm. They become g min(1, max_norm
    / (norm + 1e-6)), where norm is the 2-norm of all of them together, summed in f64, which is written to *total_norm
    unless that is NULL. Gradients whose squares overflow or underflow are scaled first. HEED_ERR_STATE if the norm is
    not finite (it is written all the same); the message names the first parameter whose gradient is infinite or NaN.
    HEED_ERR_ARGUMENT for a NULL module, and unless max_norm is finite and above 0; HEED_ERR_NOMEM. After a failure no
    gradient has changed.
    R. Pascanu, T. Mikolov, Y. Bengio: On the difficulty of training recurrent neural networks (ICML 2013).
    torch: torch.nn.utils.clip_grad_norm_"""
    total_norm_ = Out("f64_out")
    return call_outs(C.heed_optim_clip_grad_norm_, module, max_norm, total_norm_)


def optim_clip_grad_norm_tensors_(parameters: Sequence[Tensor], max_norm: float) -> Any:
    """heed_optim_clip_grad_norm_ of n tensors. Errors as there; HEED_ERR_ARGUMENT also for a tensor that is NULL or given
    twice. After a failure no gradient has changed.
    torch: torch.nn.utils.clip_grad_norm_"""
    total_norm_ = Out("f64_out")
    return call_outs(C.heed_optim_clip_grad_norm_tensors_, parameters, length(parameters), max_norm, total_norm_)


def optim_clip_grad_value_(module: Any, limit: float) -> None:
    """Limits the gradients of a module's parameters to max(-limit, min(g, limit)), elementwise; NaN stays.
    HEED_ERR_ARGUMENT for a NULL module, and unless limit is finite and above 0; HEED_ERR_NOMEM. After a failure no
    gradient has changed.
    torch: torch.nn.utils.clip_grad_value_"""
    call(C.heed_optim_clip_grad_value_, module, limit)


def optim_clip_grad_value_tensors_(parameters: Sequence[Tensor], limit: float) -> None:
    """heed_optim_clip_grad_value_ of n tensors. Errors as there; HEED_ERR_ARGUMENT also for a tensor that is NULL or given
    twice. After a failure no gradient has changed.
    torch: torch.nn.utils.clip_grad_value_"""
    call(C.heed_optim_clip_grad_value_tensors_, parameters, length(parameters), limit)


def set_num_threads(n: int) -> None:
    """Sets how many threads a kernel may use at most, for the calling thread's calls: 1 to 256, HEED_ERR_ARGUMENT
    otherwise. Default: HEED_NUM_THREADS, else OMP_NUM_THREADS, where that (or the first of its list) is a valid number;
    else the processors that the thread which first needs the number may run on, as many as the CPU quota of the
    process's control groups pays for (rounded up; Linux). Small work is always done by the calling thread.
    torch: torch.set_num_threads"""
    call(C.heed_set_num_threads, n)


def num_threads() -> int:
    """How many threads a kernel may use at most, for the calling thread's calls.
    torch: torch.get_num_threads"""
    return call(C.heed_num_threads)


def plot_heatmap(matrices: Tensor, path: Any, *, xlabel: Optional[str] = None, ylabel: Optional[str] = None,
    titles: Optional[Sequence[str]] = None, xticks: Optional[Sequence[str]] = None, yticks: Optional[Sequence[str]] = None,
    colormap: str = "reds", vmin: float = 0.0, vmax: float = 0.0, panel_width: int = 0, panel_height: int = 0,
    scale: float = 0.0, no_colorbar: bool = False, own_scales: bool = False, cell_values: Optional[Tensor] = None,
    digits: int = 0) -> None:
    """Draws each matrix of `matrices`, f32 or f64 of shape (q, k), (columns, q, k) or (rows, columns, q, k), as a panel of
    q x k coloured cells, with one colour scale and one colour bar for all. Element [0, 0] is at the top left; cells are
    square and not interpolated. Values outside vmin .. vmax, infinities too, have the colour at that end; NaN is light
    grey. If vmin = vmax, the scale is widened by a tenth in both directions. If a panel has more rows or columns of
    cells than pixels, each pixel shows the one of its cells whose value is farthest from the mean of the panel, so that
    a single cell that stands out is seen; NaN is shown if all of them are NaN. NULL options: the defaults.
        HEED_ERR_ARGUMENT    matrices or path is NULL, or a tick's name; title_count, xtick_count or ytick_count differs
                             from the panels, columns or rows; an unknown colormap; vmin > vmax, or one of them not
                             finite, or given with own_scales; a negative size; scale not positive and finite; digits not
                             in -1 .. 17
        HEED_ERR_SHAPE       another rank; an empty tensor; more than 2^28 elements; cell_values of another shape; a
                             picture that would be too large; more than 64 panels of less than 16 pixels each
        HEED_ERR_DTYPE       neither f32 nor f64; cell_values that are bool
        HEED_ERR_IO          the file cannot be written: path and cause
        HEED_ERR_NOMEM"""
    call(C.heed_plot_heatmap, matrices, path, dict(xlabel=xlabel, ylabel=ylabel, titles=titles, xticks=xticks, yticks=yticks,
        colormap=colormap, vmin=vmin, vmax=vmax, panel_width=panel_width, panel_height=panel_height, scale=scale,
        no_colorbar=no_colorbar, own_scales=own_scales, cell_values=cell_values, digits=digits))


def plot_lines(series: Any, path: Any, *, title: Optional[str] = None, xlabel: Optional[str] = None,
    ylabel: Optional[str] = None, xlim: Any = None, ylim: Any = None, xscale: str = "linear", yscale: str = "linear",
    width: int = 0, height: int = 0, scale: float = 0.0, no_grid: bool = False, no_legend: bool = False,
    xticks: Optional[Sequence[str]] = None) -> None:
    """Draws n series on common axes, later ones on top, histograms and bars below all curves; the legend is placed where it
    hides least. NULL options: the defaults.
        HEED_ERR_ARGUMENT    series, path, or a y without low and high is NULL; n < 1; low without high; an option out of
                             its range or of another kind of series; limits that are not finite, too close to each other
                             (1e-300, or 1e-13 of their size), or 0 and less on a log axis; names without a count, or on
                             a log axis; a picture that would be too large
        HEED_ERR_SHAPE       an x, y, low or high that is not (n), an error neither (n) nor (2, n), different lengths,
                             more than 2^26 points in all
        HEED_ERR_DTYPE       bool
        HEED_ERR_IO          the file cannot be written: path and cause
        HEED_ERR_NOMEM"""
    call(C.heed_plot_lines, series, length(series), path, dict(title=title, xlabel=xlabel, ylabel=ylabel, xlim=xlim, ylim=ylim,
        xscale=xscale, yscale=yscale, width=width, height=height, scale=scale, no_grid=no_grid, no_legend=no_legend,
        xticks=xticks))


def matmul_precision() -> str:
    """The precision in force in the calling thread.
    torch: torch.get_float32_matmul_precision"""
    return call(C.heed_matmul_precision)


def manual_seed(seed: int) -> None:
    """Starts the default generator again at `seed`, position 0.
    torch: torch.manual_seed   numpy: numpy.random.seed"""
    call(C.heed_manual_seed, seed)


def rand(shape: Any, dtype: str = "f32") -> Tensor:
    """A tensor of numbers uniform in [0, 1): 24 random bits for f32, 53 for f64. NULL on failure: HEED_ERR_DTYPE for
    another dtype, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.rand   numpy: numpy.random.rand"""
    return call(C.heed_rand, dtype, shape)


def randn(shape: Any, dtype: str = "f32") -> Tensor:
    """A tensor of normal numbers, mean 0 and variance 1, by Box and Muller. NULL on failure: HEED_ERR_DTYPE unless f32 or
    f64, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.randn   numpy: numpy.random.randn"""
    return call(C.heed_randn, dtype, shape)


def normal(mean: float, std: float, shape: Any, dtype: str = "f32") -> Tensor:
    """A tensor of normal numbers of that mean and standard deviation: mean + std times what heed_randn draws. NULL on
    failure: HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT unless both are finite and std >= 0, HEED_ERR_SHAPE,
    HEED_ERR_NOMEM.
    torch: torch.normal   numpy: numpy.random.normal"""
    return call(C.heed_normal, dtype, shape, mean, std)


def exponential(shape: Any, dtype: str = "f32", *, rate: float) -> Tensor:
    """A tensor of exponential numbers, of mean 1 / rate: -ln(1 - u) / rate, never negative. NULL on failure: HEED_ERR_DTYPE
    unless f32 or f64, HEED_ERR_ARGUMENT unless rate is finite and above 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.Tensor.exponential_   numpy: numpy.random.exponential"""
    return call(C.heed_exponential, dtype, shape, rate)


def rand_like(t: Tensor) -> Tensor:
    """heed_rand of t's dtype and shape: uniform in [0, 1). NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE
    unless t is f32 or f64, HEED_ERR_NOMEM.
    torch: torch.rand_like"""
    return call(C.heed_rand_like, t)


def randn_like(t: Tensor) -> Tensor:
    """heed_randn of t's dtype and shape: normal, mean 0 and variance 1. NULL on failure: HEED_ERR_ARGUMENT for NULL,
    HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_NOMEM.
    torch: torch.randn_like"""
    return call(C.heed_randn_like, t)


def randint(low: int, high: int, shape: Any) -> Tensor:
    """An i64 tensor, uniform in low .. high - 1: the high word of 64 random bits times the range, so a number's
    probability is off by at most 2^-64. NULL on failure: HEED_ERR_ARGUMENT unless low < high, HEED_ERR_SHAPE,
    HEED_ERR_NOMEM.
    torch: torch.randint   numpy: numpy.random.randint"""
    return call(C.heed_randint, low, high, shape)


def permutation(n: int) -> Tensor:
    """0 .. n - 1 in random order, i64 (n), by Fisher and Yates. NULL on failure: HEED_ERR_ARGUMENT for n < 0,
    HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.randperm   numpy: numpy.random.permutation"""
    return call(C.heed_permutation, n)


def bernoulli(p: float, shape: Any) -> Tensor:
    """A bool tensor: true with probability p, never for 0 and always for 1. NULL on failure: HEED_ERR_ARGUMENT unless 0 <=
    p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
    torch: torch.bernoulli"""
    return call(C.heed_bernoulli, p, shape)


def multinomial(weights: Tensor, count: int, replacement: bool = False) -> Tensor:
    """Of each row of weights (..., C), f32 or f64, `count` numbers of 0 .. C - 1, i64 (..., count): each with the
    probability that its weight has of the row's sum. With `replacement` they are drawn one by one, from the weights'
    sums in f64; without, the count smallest of exponential numbers divided by the weights, in this order: no number
    comes twice, and none of weight 0 comes at all. NULL on failure: HEED_ERR_ARGUMENT for a negative or infinite weight
    or NaN, for a row that adds up to 0 or beyond all numbers, for count < 0, or without replacement above the number of
    weights above 0; HEED_ERR_SHAPE for a scalar; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.multinomial   numpy: numpy.random.choice"""
    return call(C.heed_multinomial, weights, count, replacement)


def zeros(shape: Any, dtype: str = "f32") -> Tensor:
    """A tensor of zeros (of bool: false). NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.zeros   numpy: numpy.zeros"""
    return call(C.heed_zeros, dtype, shape)


def ones(shape: Any, dtype: str = "f32") -> Tensor:
    """A tensor of ones (of bool: true). NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.ones   numpy: numpy.ones"""
    return call(C.heed_ones, dtype, shape)


def full(shape: Any, value: float = 0.0, dtype: str = "f32") -> Tensor:
    """A tensor with `value` everywhere. NULL with HEED_ERR_ARGUMENT for a value that an i64 does not hold, HEED_ERR_SHAPE,
    HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.full   numpy: numpy.full"""
    return call(C.heed_full, dtype, shape, value)


def empty(shape: Any, dtype: str = "f32") -> Tensor:
    """A tensor that is not initialised: read it only after writing it. NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE,
    HEED_ERR_NOMEM.
    torch: torch.empty   numpy: numpy.empty"""
    return call(C.heed_empty, dtype, shape)


def zeros_like(t: Tensor) -> Tensor:
    """A tensor of zeros of t's dtype and shape, which requires no gradient. NULL with HEED_ERR_ARGUMENT for NULL,
    HEED_ERR_NOMEM.
    torch: torch.zeros_like   numpy: numpy.zeros_like"""
    return call(C.heed_zeros_like, t)


def ones_like(t: Tensor) -> Tensor:
    """A tensor of ones of t's dtype and shape, which requires no gradient. NULL with HEED_ERR_ARGUMENT for NULL,
    HEED_ERR_NOMEM.
    torch: torch.ones_like   numpy: numpy.ones_like"""
    return call(C.heed_ones_like, t)


def full_like(t: Tensor, value: float = 0.0) -> Tensor:
    """A tensor of t's dtype and shape with `value` everywhere, which requires no gradient. NULL with HEED_ERR_ARGUMENT for
    NULL or a value that an i64 does not hold, HEED_ERR_NOMEM.
    torch: torch.full_like   numpy: numpy.full_like"""
    return call(C.heed_full_like, t, value)


def empty_like(t: Tensor) -> Tensor:
    """A tensor of t's dtype and shape that is not initialised: read it only after writing it. NULL with HEED_ERR_ARGUMENT
    for NULL, HEED_ERR_NOMEM.
    torch: torch.empty_like   numpy: numpy.empty_like"""
    return call(C.heed_empty_like, t)


def arange(start: float, stop: float, step: float, dtype: str = "f32") -> Tensor:
    """start, start + step, ... below stop (above it for a negative step): ceil((stop - start) / step) elements, none when
    that is negative. NULL with HEED_ERR_ARGUMENT for step 0, a number that is not finite, or one that an i64 does not
    hold; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.arange   numpy: numpy.arange"""
    return call(C.heed_arange, dtype, start, stop, step)


def linspace(start: float, stop: float, n: int, dtype: str = "f32") -> Tensor:
    """n numbers from start to stop, both included; n = 1 gives start. NULL with HEED_ERR_ARGUMENT for n < 0, a number that
    is not finite, or one that an i64 does not hold; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.linspace   numpy: numpy.linspace"""
    return call(C.heed_linspace, dtype, start, stop, n)


def eye(n: int, m: int, dtype: str = "f32") -> Tensor:
    """A matrix (n, m) with ones on the diagonal, zeros elsewhere. NULL with HEED_ERR_SHAPE for a negative size,
    HEED_ERR_DTYPE, HEED_ERR_NOMEM.
    torch: torch.eye   numpy: numpy.eye"""
    return call(C.heed_eye, dtype, n, m)


def dtype_of(t: Tensor) -> str:
    """The dtype of t. HEED_F32 with HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.dtype   numpy: numpy.ndarray.dtype"""
    return call(C.heed_dtype_of, t)


def numel(t: Tensor) -> int:
    """The number of elements. 0 with HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.numel   numpy: numpy.ndarray.size"""
    return call(C.heed_numel, t)


def dim(t: Tensor, axis: int) -> int:
    """The size of an axis; a negative one counts from the end. 0 with HEED_ERR_SHAPE for an axis that does not exist,
    HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.size   numpy: numpy.size"""
    return call(C.heed_dim, t, axis)


def stride(t: Tensor, axis: int) -> int:
    """How many elements lie between neighbours on an axis; a negative one counts from the end. 0 with HEED_ERR_SHAPE for
    an axis that does not exist, HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.stride   numpy: numpy.ndarray.strides"""
    return call(C.heed_stride, t, axis)


def is_contiguous(t: Tensor) -> bool:
    """True when the elements lie in row-major order without gaps. False with HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.is_contiguous"""
    return call(C.heed_is_contiguous, t)


def shares_storage(a: Tensor, b: Optional[Tensor] = None) -> bool:
    """True when a and b are views of the same storage. False with HEED_ERR_ARGUMENT for NULL."""
    return call(C.heed_shares_storage, a, b)


def item(t: Tensor) -> float:
    """The one element of a tensor with one element (bool: 0 or 1). NaN with HEED_ERR_SHAPE when there are more or none,
    HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.item   numpy: numpy.ndarray.item"""
    return call(C.heed_item, t)


def item_i64(t: Tensor) -> int:
    """The one element of an i64 or bool tensor with one element, with all 64 bits. 0 with HEED_ERR_SHAPE when there are
    more or none, HEED_ERR_DTYPE for floats, HEED_ERR_ARGUMENT for NULL.
    torch: torch.Tensor.item   numpy: numpy.ndarray.item"""
    return call(C.heed_item_i64, t)


def fill_(t: Tensor, value: float = 0.0) -> None:
    """Writes value to every element, converted as heed_set_ does. HEED_ERR_ARGUMENT for NULL, and for a value that an i64
    does not hold; HEED_ERR_STATE and HEED_ERR_UNSUPPORTED as above.
    torch: torch.Tensor.fill_   numpy: numpy.ndarray.fill"""
    call(C.heed_fill_, t, value)


__all__: List[str] = ["sample", "set_requires_grad", "requires_grad", "is_leaf", "has_grad", "detach", "grad_enabled",
    "dot_product_attention", "additive_attention", "rope", "kernel_regression", "conv1d", "conv2d", "conv_transpose1d",
    "conv_transpose2d", "conv2d_weight", "unfold", "fold", "add", "sub", "mul", "div", "maximum", "minimum", "floor_divide",
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
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "bmm", "bmm_t", "matmul",
    "outer", "einsum", "linear", "linear_activated", "recurrence", "sum", "sum_axes", "mean", "mean_axes", "var", "var_axes",
    "std", "std_axes", "norm", "norm_axes", "prod", "prod_axes", "cumsum", "trapezoid", "trapezoid_scalar", "max", "max_axes",
    "min", "min_axes", "argmax", "argmax_axis", "argmin", "argmin_axis", "sum_to", "reshape", "transpose", "permute", "squeeze",
    "unsqueeze", "flatten", "expand", "slice", "unslice", "select", "diagonal", "diag", "tril", "triu", "concat", "stack",
    "repeat_interleave", "tile", "flip", "roll", "pad", "softmax", "log_softmax", "logsumexp", "masked_softmax",
    "sequence_mask", "set_num_threads", "num_threads", "matmul_precision", "manual_seed", "rand", "randn", "normal",
    "exponential", "rand_like", "randn_like", "randint", "permutation", "bernoulli", "multinomial", "zeros", "ones", "full",
    "empty", "zeros_like", "ones_like", "full_like", "empty_like", "arange", "linspace", "eye", "dtype_of", "numel", "dim",
    "stride", "is_contiguous", "shares_storage", "item", "item_i64", "fill_"]
# Those of a tensor's methods.
METHODS: List[str] = ["sample", "set_requires_grad", "requires_grad", "is_leaf", "has_grad", "detach", "dot_product_attention",
    "additive_attention", "rope", "kernel_regression", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d",
    "conv2d_weight", "unfold", "fold", "add", "sub", "mul", "div", "maximum", "minimum", "floor_divide", "remainder", "atan2",
    "where", "compare", "compare_scalar", "mul_scalar", "add_scalar", "rsub_scalar", "pow_scalar", "clamp", "neg", "square",
    "sqrt", "exp", "log", "expm1", "log1p", "sin", "cos", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sigmoid", "relu",
    "abs", "sign", "floor", "ceil", "round", "erf", "gelu", "gelu_tanh", "softplus", "silu", "leaky_relu", "elu", "hardtanh",
    "clone", "contiguous", "to_dtype", "sort", "sort_axis", "argsort", "topk", "unique", "searchsorted", "bincount",
    "masked_fill", "gather", "scatter_sum", "index_select", "index_sum", "embedding", "one_hot", "isnan", "isinf", "isfinite",
    "isclose", "allclose", "logical_and", "logical_or", "logical_xor", "logical_not", "any", "any_axes", "all", "all_axes",
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "hinge_loss", "hinge_embedding_loss", "kl_div", "poisson_nll_loss",
    "gaussian_nll_loss", "cosine_similarity", "cosine_embedding_loss", "triplet_margin_loss",
    "binary_cross_entropy_with_logits", "nll_loss", "cross_entropy", "sequence_loss", "ctc_loss", "layer_norm", "rms_norm",
    "batch_norm", "group_norm", "instance_norm", "dropout", "max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "bmm", "bmm_t", "matmul",
    "outer", "linear", "linear_activated", "sum", "sum_axes", "mean", "mean_axes", "var", "var_axes", "std", "std_axes", "norm",
    "norm_axes", "prod", "prod_axes", "cumsum", "trapezoid", "trapezoid_scalar", "max", "max_axes", "min", "min_axes", "argmax",
    "argmax_axis", "argmin", "argmin_axis", "sum_to", "reshape", "transpose", "permute", "squeeze", "unsqueeze", "flatten",
    "expand", "slice", "unslice", "select", "diagonal", "diag", "tril", "triu", "repeat_interleave", "tile", "flip", "roll",
    "pad", "softmax", "log_softmax", "logsumexp", "masked_softmax", "sequence_mask", "rand_like", "randn_like", "multinomial",
    "zeros_like", "ones_like", "full_like", "empty_like", "dtype_of", "numel", "dim", "stride", "is_contiguous",
    "shares_storage", "item", "item_i64", "fill_"]
