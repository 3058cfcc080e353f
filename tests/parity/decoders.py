"""tests/parity/decoders.py - reference results of decoder-only Transformers, implemented as in their papers and checkpoints.

The parameters of a model are a dict with the names of the Hugging Face Hub. In addition to nn_decoder.json this
writes data/hub: tiny random models as files of the Hub, with their results, for tests/nn/test_decoder_hub.c."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import math
import struct

import torch
import torch.nn.functional as F

from case import integers, module_case, real, reference, seed

# -- Attention ------------------------------------------------------------------------------------------------------


def llama3(frequency, factor, original_len, low_freq_factor=1.0, high_freq_factor=4.0):
    """A frequency of RoPE, scaled by its wavelength as in the code of Llama 3.1."""
    wavelength = 2 * math.pi / frequency
    if wavelength > original_len / low_freq_factor:
        return frequency / factor
    if wavelength < original_len / high_freq_factor:
        return frequency
    smooth = (original_len / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return (1 - smooth) * frequency / factor + smooth * frequency


def yarn(base, dims, factor, original_len, low_freq_factor=1.0, high_freq_factor=32.0, no_truncate=False):
    """YaRN's frequencies, "NTK-by-parts" in section 3.2 of the paper. As in the code of its authors, the ramp is linear in
    the pair's number, and its ends are the pairs that make beta_fast and beta_slow rotations."""
    frequencies = [base ** (-i / dims) for i in range(0, dims, 2)]

    def pair(rotations):  # 2 pi rotations = original_len base^(-2 pair / dims)
        return -math.log(2 * math.pi * rotations / original_len, base) * dims / 2
    fast, slow = pair(high_freq_factor), pair(low_freq_factor)
    if not no_truncate:
        fast, slow = math.floor(fast), math.ceil(slow)
    fast, slow = max(fast, 0), min(slow, dims - 1)
    mixed = []
    for i, f in enumerate(frequencies):
        interpolated = 0.0 if i <= fast else 1.0 if i >= slow else (i - fast) / (slow - fast)
        mixed.append(interpolated * f / factor + (1 - interpolated) * f)
    return mixed


def frequencies_of(base, dims, length, scaling, attention_factor=None, **options):
    """RoPE's frequencies for a sequence of `length` steps, and the factor of the rotated numbers."""
    factor = options.get("factor", 1.0)
    if scaling == "yarn":
        default = 0.1 * math.log(factor) + 1 if factor > 1 else 1.0
        return yarn(base, dims, **options), attention_factor or default
    if scaling == "dynamic" and dims > 2:  # "Dynamic NTK": the base is that of NTK-aware scaling by the length so far
        ratio = max(length, options["original_len"]) / options["original_len"]
        base *= (factor * ratio - (factor - 1)) ** (dims / (dims - 2))
    frequencies = [base ** (-i / dims) for i in range(0, dims, 2)]
    if scaling == "linear":
        frequencies = [f / factor for f in frequencies]
    if scaling == "llama3":
        frequencies = [llama3(f, **options) for f in frequencies]
    return frequencies, 1.0


def rope(x, length, base=0.0, dims=0, interleaved=False, scaling="unscaled", **options):
    """RoPE of x (B, H, T, d), pair by pair as in the formula of the paper, in a sequence of `length` steps."""
    base, dims = base or 10000.0, dims or x.shape[-1]
    frequencies, scale = frequencies_of(base, dims, length, scaling, **options)
    angles = torch.arange(x.shape[2])[:, None] * torch.tensor(frequencies, dtype=torch.float64)
    first = slice(0, dims, 2) if interleaved else slice(0, dims // 2)
    second = slice(1, dims, 2) if interleaved else slice(dims // 2, dims)
    a, b, y = x[..., first], x[..., second], x.clone()
    y[..., first] = scale * (a * angles.cos() - b * angles.sin())
    y[..., second] = scale * (b * angles.cos() + a * angles.sin())
    return y


def slopes(heads):
    """ALiBi's slopes, as in the code of its authors."""
    def of_power(n):
        start = 2 ** (-2 ** -(math.log2(n) - 3))
        return [start * start ** i for i in range(n)]
    if math.log2(heads).is_integer():
        return of_power(heads)
    n = 2 ** math.floor(math.log2(heads))
    return of_power(n) + of_power(2 * n)[0::2][:heads - n]


def alibi(heads, steps):
    """The bias that is added to the scores."""
    return -torch.tensor(slopes(heads)).double()[:, None, None] * (torch.arange(steps) - torch.arange(steps)[:, None]).abs()


def attend(q, k, v, seen, bias=0.0):
    """The concatenated results of the heads, and the weights. q: (B, H, Q, d); k, v: (B, G, K, d), where G divides H."""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + bias
    weights = torch.softmax(scores.masked_fill(~seen, -math.inf), -1)
    return (weights @ v).transpose(1, 2).flatten(2), weights


def sees(steps, window=0):
    back = torch.arange(steps)[:, None] - torch.arange(steps)
    return (back >= 0) & (back < (window or steps))


def heads_of(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def rms_norm(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight


def rope_of(options):
    """The arguments of rope() from a layer's options."""
    return {n.removeprefix("rope_"): o for n, o in options.items() if n.startswith("rope_")}


def head_shapes(h, heads, kv_heads, size, options):
    """The shapes of the parameters of heed's multi-head attention, in heed's order."""
    n, g = heads * size, kv_heads * size
    shapes = {"in_proj_weight": (n + 2 * g, h), "in_proj_bias": (n + 2 * g,), "out_proj.weight": (h, n),
              "out_proj.bias": (h,)}
    if "qk_norm" in options:
        shapes |= {"q_norm.weight": (size,), "k_norm.weight": (size,)}
    if "no_bias" in options:
        shapes = {name: s for name, s in shapes.items() if "weight" in name}
    if "no_out_bias" in options:
        del shapes["out_proj.bias"]
    if "relative_positions" in options:
        shapes["relative_bias"] = (heads, 2 * options["relative_positions"] + 1)
    return shapes


def run_heads(p, inputs, heads, kv_heads, size, options):
    """The result and the weights of multi-head attention with options that torch.nn lacks."""
    split = [heads * size, kv_heads * size, kv_heads * size]
    weights, biases = p["in_proj_weight"].split(split), [None] * 3
    if "in_proj_bias" in p:
        biases = p["in_proj_bias"].split(split)
    q, k, v = (heads_of(F.linear(x, w, b), of) for x, w, b, of in zip(inputs, weights, biases, (heads, kv_heads, kv_heads)))
    if "qk_norm" in options:
        q, k = (rms_norm(t, p[f"{name}_norm.weight"], options.get("qk_norm_eps", 1e-5)) for t, name in ((q, "q"), (k, "k")))
    if "rope" in options:
        length = max(q.shape[2], k.shape[2])
        q, k = (rope(t, length, **rope_of(options)) for t in (q, k))
    ahead = torch.arange(k.shape[2]) - torch.arange(q.shape[2])[:, None]
    seen = ahead.abs() < options.get("window", k.shape[2] + q.shape[2])
    if "causal" in options:
        seen = seen & (ahead <= 0)
    bias = alibi(heads, k.shape[2]) if "alibi" in options else 0.0
    if "relative_positions" in options:
        most = options["relative_positions"]
        bias = p["relative_bias"][:, ahead.clamp(-most, most) + most]
    y, looks = attend(q, k, v, seen, bias)
    return F.linear(y, p["out_proj.weight"], p.get("out_proj.bias")), looks


def placed_heads():
    """Cases of nn_multi_head_attention with options that torch.nn lacks."""
    for heads, kv_heads, size, options in ((4, 2, 1, {}), (2, 1, 2, {"rope": True, "no_bias": True}),
                                           (2, 2, 2, {"rope": True, "rope_interleaved": True, "rope_base": 100.0}),
                                           (1, 1, 4, {"rope": True, "rope_dims": 2, "no_out_bias": True}),
                                           (3, 1, 1, {"alibi": True}), (4, 4, 1, {"alibi": True, "window": 2}),
                                           (2, 1, 1, {"window": 2, "causal": True}), (2, 1, 3, {"head_dim": 3}),
                                           (1, 1, 4, {"head_dim": 4, "rope": True, "rope_scaling": "linear",
                                                      "rope_factor": 3.0}),
                                           (2, 2, 1, {"relative_positions": 1}),
                                           (2, 1, 1, {"relative_positions": 4, "causal": True, "no_bias": True}),
                                           (2, 1, 2, {"qk_norm": True, "rope": True, "qk_norm_eps": 0.125}),
                                           (1, 1, 8, {"head_dim": 8, "rope": True, "rope_scaling": "llama3",
                                                      "rope_factor": 8.0, "rope_original_len": 40}),
                                           (1, 1, 4, {"head_dim": 4, "rope": True, "rope_scaling": "dynamic",
                                                      "rope_factor": 2.0, "rope_original_len": 2}),
                                           (1, 1, 2, {"head_dim": 2, "rope": True, "rope_scaling": "dynamic",
                                                      "rope_factor": 2.0, "rope_original_len": 1}),
                                           (1, 1, 8, {"head_dim": 8, "rope": True, "rope_scaling": "yarn", "rope_dims": 6,
                                                      "rope_factor": 4.0, "rope_original_len": 300,
                                                      "rope_interleaved": True}),
                                           (1, 1, 8, {"head_dim": 8, "rope": True, "rope_scaling": "yarn",
                                                      "rope_base": 100.0, "rope_factor": 4.0, "rope_original_len": 90,
                                                      "rope_low_freq_factor": 2.0, "rope_high_freq_factor": 8.0,
                                                      "rope_attention_factor": 1.5, "rope_no_truncate": True})):
        h = 2 if "head_dim" in options else heads * size
        p = {name: real(*s, low=-1, high=1).requires_grad_()
             for name, s in head_shapes(h, heads, kv_heads, size, options).items()}

        def forward(*inputs):
            return run_heads(p, inputs, heads, kv_heads, size, options)
        yield module_case(forward, p, [real(1, 3, h), real(1, 3, h), real(1, 3, h), None], no_grad_outputs=(1,),
                          hidden_size=h, num_heads=heads, kv_heads=kv_heads, **options)


# -- Models ---------------------------------------------------------------------------------------------------------


def gpt2(w, tokens, layers, heads, eps=1e-5):
    """The logits, and the weights of all attention layers. Matrices are (in, out). Without learned positions it is MPT."""
    def norm(name, x):
        return F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w.get(name + ".bias"), eps)

    def conv1d(name, x):
        return x @ w[name + ".weight"] + w.get(name + ".bias", 0.0)
    steps, looks, bias = tokens.shape[1], [], 0.0
    x = w["wte.weight"][tokens]
    if "wpe.weight" in w:
        x = x + w["wpe.weight"][:steps]
    else:
        bias = alibi(heads, steps)
    for i in range(layers):
        q, k, v = (heads_of(t, heads) for t in conv1d(f"h.{i}.attn.c_attn", norm(f"h.{i}.ln_1", x)).chunk(3, -1))
        y, weights = attend(q, k, v, sees(steps), bias)
        looks.append(weights)
        x = x + conv1d(f"h.{i}.attn.c_proj", y)
        x = x + conv1d(f"h.{i}.mlp.c_proj", F.gelu(conv1d(f"h.{i}.mlp.c_fc", norm(f"h.{i}.ln_2", x)), approximate="tanh"))
    return F.linear(norm("ln_f", x), w.get("lm_head.weight", w["wte.weight"])), torch.stack(looks)


def llama(w, tokens, layers, heads, kv_heads, base=10000.0, eps=1e-5, window=0, bias=0.0, **scaling):
    """Llama; with a window it is Mistral, with biases of queries, keys and values Qwen2, with norms of queries and keys
    Qwen3."""
    def norm(name, x):
        return rms_norm(x, w[name], eps)

    def placed(name, x):
        return rope(norm(name, x) if name in w else x, steps, base, **scaling)

    def linear(name, x):
        return F.linear(x, w[name + ".weight"], w.get(name + ".bias"))
    steps, looks = tokens.shape[1], []
    x = w["model.embed_tokens.weight"][tokens]
    for i in range(layers):
        at = f"model.layers.{i}."
        normed = norm(at + "input_layernorm.weight", x)
        q, k, v = (heads_of(linear(f"{at}self_attn.{n}_proj", normed), g)
                   for n, g in (("q", heads), ("k", kv_heads), ("v", kv_heads)))
        q, k = (placed(f"{at}self_attn.{n}_norm.weight", t) for n, t in (("q", q), ("k", k)))
        y, weights = attend(q, k, v, sees(steps, window), bias)
        looks.append(weights)
        x = x + linear(at + "self_attn.o_proj", y)
        normed = norm(at + "post_attention_layernorm.weight", x)
        gate = F.silu(linear(at + "mlp.gate_proj", normed))
        x = x + linear(at + "mlp.down_proj", gate * linear(at + "mlp.up_proj", normed))
    output = w.get("lm_head.weight", w["model.embed_tokens.weight"])
    return F.linear(norm("model.norm.weight", x), output), torch.stack(looks)


# -- The layer ------------------------------------------------------------------------------------------------------


def decoder_shapes(vocab, h, heads, ffn, layers, o):
    """The parameters of heed's layer, in heed's order."""
    norm = ("weight",) if "rms_norm" in o or "no_bias" in o else ("weight", "bias")
    maps = ("weight",) if "no_bias" in o else ("weight", "bias")
    d = o.get("head_dim", h // heads)
    n, rows = heads * d, (heads + 2 * o.get("kv_heads", heads)) * d
    shapes = {"embedding.weight": (vocab, h)}
    if "rope" not in o and "alibi" not in o:
        shapes["positions.weight"] = (o["max_len"], h)
    for i in range(layers):
        at = f"layers.{i}."
        shapes |= {f"{at}norm1.{kind}": (h,) for kind in norm} | {at + "self_attn.in_proj_weight": (rows, h)}
        if "no_bias" not in o or "qkv_bias" in o:
            shapes[at + "self_attn.in_proj_bias"] = (rows,)
        shapes |= {f"{at}self_attn.out_proj.{kind}": (h, n)[:2 if kind == "weight" else 1] for kind in maps}
        if "qk_norm" in o:
            shapes |= {f"{at}self_attn.{kind}_norm.weight": (d,) for kind in "qk"}
        shapes |= {f"{at}norm2.{kind}": (h,) for kind in norm}
        for name, out, size in ((("gate", ffn, h),) if "gated" in o else ()) + (("linear1", ffn, h), ("linear2", h, ffn)):
            shapes |= {f"{at}{name}.{kind}": (out, size)[:2 if kind == "weight" else 1] for kind in maps}
    shapes |= {f"norm.{kind}": (h,) for kind in norm}
    return shapes if "tied" in o else shapes | {"dense.weight": (vocab, h)}


def as_gpt2(p):
    """heed's parameters by the Hub's names."""
    names = {"norm1": "ln_1", "norm2": "ln_2", "self_attn.in_proj": "attn.c_attn", "self_attn.out_proj": "attn.c_proj",
             "linear1": "mlp.c_fc", "linear2": "mlp.c_proj", "embedding": "wte", "positions": "wpe", "norm": "ln_f",
             "dense": "lm_head"}
    w = {}
    for name, t in p.items():
        layer, rest = name.split(".", 2)[1:] if name.startswith("layers.") else (None, name)
        module, kind = rest.replace("in_proj_", "in_proj.").rsplit(".", 1)
        at = f"h.{layer}." if layer is not None else ""
        w[f"{at}{names[module]}.{kind}"] = t.T if at and t.dim() == 2 else t
    return w


def as_llama(p, n, g):
    """Shapes of the parameters, for n features of queries and g features of keys over all heads."""
    names = {"norm1": "input_layernorm", "norm2": "post_attention_layernorm", "self_attn.out_proj": "self_attn.o_proj",
             "linear1": "mlp.up_proj", "linear2": "mlp.down_proj", "gate": "mlp.gate_proj", "embedding": "embed_tokens",
             "norm": "norm", "self_attn.q_norm": "self_attn.q_norm", "self_attn.k_norm": "self_attn.k_norm"}
    w = {}
    for name, t in p.items():
        at = "model." + (name[:9] if name.startswith("layers.") else "")
        module, kind = name[len(at) - 6:].replace("in_proj_", "in_proj.").rsplit(".", 1)
        if module == "self_attn.in_proj":
            w |= {f"{at}self_attn.{of}_proj.{kind}": part for of, part in zip("qkv", t.split([n, g, g]))}
        elif module == "dense":
            w["lm_head.weight"] = t
        else:
            w[f"{at}{names[module]}.{kind}"] = t
    return w


LLAMA = {"rope": True, "rms_norm": True, "gated": True, "no_bias": True}


@reference("nn_decoder")
def decoder():
    for vocab, h, heads, ffn, layers, options in (
            (5, 4, 1, 3, 2, {"max_len": 4, "tied": True}), (3, 4, 2, 5, 1, {"max_len": 3, "eps": 0.125}),
            (5, 4, 2, 3, 1, {**LLAMA, "kv_heads": 1, "rope_base": 100.0}), (3, 4, 2, 5, 1, {**LLAMA, "window": 2}),
            (4, 4, 1, 3, 2, {**LLAMA, "qkv_bias": True, "tied": True, "eps": 0.125}),
            (3, 3, 2, 3, 1, {**LLAMA, "kv_heads": 1, "head_dim": 4, "qk_norm": True, "rope_scaling": "llama3", "rope_factor": 4.0,
                             "rope_original_len": 30, "rope_low_freq_factor": 2.0, "rope_high_freq_factor": 8.0}),
            (3, 4, 1, 2, 1, {**LLAMA, "rope_interleaved": True, "rope_scaling": "yarn", "rope_factor": 4.0,
                             "rope_original_len": 200, "rope_attention_factor": 1.25}),
            (4, 3, 3, 4, 1, {"alibi": True, "no_bias": True, "tied": True}), (4, 2, 1, 3, 2, {"alibi": True}),
            (3, 4, 2, 5, 1, {**LLAMA, "alibi": True, "window": 2})):
        p = {n: real(*s, low=-1, high=1).requires_grad_()
             for n, s in decoder_shapes(vocab, h, heads, ffn, layers, options).items()}
        kv_heads, eps = options.get("kv_heads", heads), options.get("eps", 1e-5)

        def forward(tokens):
            if "rope" not in options:
                return gpt2(as_gpt2(p), tokens, layers, heads, eps)
            d = options.get("head_dim", h // heads)
            return llama(as_llama(p, heads * d, kv_heads * d), tokens, layers, heads, kv_heads, eps=eps,
                         window=options.get("window", 0), bias=alibi(heads, 3) if "alibi" in options else 0.0,
                         **rope_of(options))
        yield module_case(forward, p, [integers(2, 3, high=vocab)], no_grad_outputs=(1,), vocab_size=vocab,
                          hidden_size=h, num_heads=heads, ffn_size=ffn, num_layers=layers, **options)


# -- Files of the Hub -----------------------------------------------------------------------------------------------

TYPES = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64"}


def safetensors(tensors):
    """The bytes of a file."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, t in tensors.items():
        raw = (t.view(torch.int16) if t.dtype == torch.bfloat16 else t).contiguous().numpy().tobytes()
        header[name] = {"dtype": TYPES[t.dtype], "shape": list(t.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text)) + text + data


def alike(a, b):
    """Whether two files are equal, except for the last digits of a model's results (F64)."""
    if a == b or len(a) != len(b) or not b"\"logits\"" in a:
        return a == b
    size = 8 + struct.unpack("<Q", b[:8])[0]
    begin, end = (size + at for at in json.loads(b[8:size])["logits"]["data_offsets"])
    close = all(abs(x - y) <= 1e-12 * (1 + abs(y)) for (x,), (y,) in
                zip(struct.iter_unpack("<d", a[begin:end]), struct.iter_unpack("<d", b[begin:end])))
    return close and a[:begin] + a[end:] == b[:begin] + b[end:]


def gpt2_weights(vocab, h, ffn, layers, most):
    shapes = {"wte.weight": (vocab, h), "wpe.weight": (most, h)}
    for i in range(layers):
        for name, *shape in (("ln_1", h), ("attn.c_attn", h, 3 * h), ("attn.c_proj", h, h), ("ln_2", h),
                             ("mlp.c_fc", h, ffn), ("mlp.c_proj", ffn, h)):
            shapes |= {f"h.{i}.{name}.weight": shape, f"h.{i}.{name}.bias": shape[-1:]}
    return {n: real(*s, low=-1, high=1) for n, s in (shapes | {"ln_f.weight": (h,), "ln_f.bias": (h,)}).items()}


def llama_weights(vocab, h, n, g, ffn, layers, biases, tied, d=0):
    """Shapes of the parameters, for n features of queries and g features of keys over all heads, and d per head if they have
    norms."""
    shapes = {"model.embed_tokens.weight": (vocab, h)}
    for i in range(layers):
        at = f"model.layers.{i}."
        shapes |= {at + "input_layernorm.weight": (h,), at + "post_attention_layernorm.weight": (h,)}
        shapes |= {f"{at}self_attn.{of}_proj.weight": s
                   for of, s in (("q", (n, h)), ("k", (g, h)), ("v", (g, h)), ("o", (h, n)))}
        shapes |= {f"{at}self_attn.{of}_proj.bias": (s,) for of, s in (("q", n), ("k", g), ("v", g)) if biases}
        shapes |= {f"{at}self_attn.{of}_norm.weight": (d,) for of in "qk" if d}
        shapes |= {f"{at}mlp.{of}_proj.weight": s for of, s in (("gate", (ffn, h)), ("up", (ffn, h)), ("down", (h, ffn)))}
    shapes["model.norm.weight"] = (h,)
    shapes |= {} if tied else {"lm_head.weight": (vocab, h)}
    return {n: real(*s, low=-0.5, high=0.5) for n, s in shapes.items()}


def expected(model, prompt, more=6):
    """The model's result for the prompt, and the most probable tokens after it. Every token is computed from all tokens
    before it, with the frequencies of their number if scaling is dynamic."""
    tokens = prompt
    for _ in range(more):
        tokens = torch.cat([tokens, model(tokens)[0][:, -1].argmax(-1, keepdim=True)], 1)
    return {"prompt": prompt, "logits": model(prompt)[0], "greedy": tokens[:, prompt.shape[1]:]}


def shards(tensors, n):
    """Splits a model into n files with an index."""
    names, files = list(tensors), {}
    places = {name: f"model-{i * n // len(names) + 1:05}-of-{n:05}.safetensors" for i, name in enumerate(names)}
    for file in sorted(set(places.values())):
        files[file] = safetensors({name: t for name, t in tensors.items() if places[name] == file})
    index = {"metadata": {"total_size": sum(t.numel() * t.element_size() for t in tensors.values())}, "weight_map": places}
    return files | {"model.safetensors.index.json": json.dumps(index, indent=1).encode() + b"\n"}


def hub_files():
    """The files of some models and their results, by path. Models of a different precision are computed in f64 from
    rounded parameters."""
    seed("hub")
    files, prompt = {}, torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]])
    w = gpt2_weights(11, 8, 12, 2, 10)
    stored = {"transformer." + n: t.float() for n, t in w.items()}
    masks = {f"transformer.h.{i}.attn.bias": torch.ones(1, 1, 10, 10).tril() for i in range(2)}
    files["gpt2/model.safetensors"] = safetensors(stored | masks | {"lm_head.weight": w["wte.weight"].float()})
    files["gpt2/expected.safetensors"] = safetensors(expected(lambda t: gpt2(w, t, 2, 2), prompt))
    for name, dtype, layers, biases, tied, options in (
            ("llama", torch.bfloat16, 2, False, False, {"base": 500000.0}),
            ("mistral", torch.float16, 1, False, False, {"window": 3}),
            ("qwen2", torch.float32, 1, True, True, {"base": 1000000.0, "eps": 1e-6})):
        stored = {n: t.to(dtype) for n, t in llama_weights(11, 16, 16, 8, 12, layers, biases, tied).items()}
        w = {n: t.double() for n, t in stored.items()}
        made = shards(stored, 3) if name == "llama" else {"model.safetensors": safetensors(stored)}
        files |= {f"{name}/{n}": data for n, data in made.items()}
        files[f"{name}/expected.safetensors"] = safetensors(
            expected(lambda t: llama(w, t, layers, 4, 2, **options), prompt))
    for name, n, g, d, options in (
            ("llama31", 16, 8, 0, {"base": 500000.0, "scaling": "llama3", "factor": 8.0, "original_len": 64}),
            ("linear", 16, 8, 0, {"scaling": "linear", "factor": 4.0}),
            ("nemo", 32, 16, 0, {"base": 1000000.0}),
            ("qwen3", 32, 16, 8, {"base": 1000000.0, "eps": 1e-6}),
            ("dynamic", 16, 8, 0, {"scaling": "dynamic", "factor": 2.0, "original_len": 6}),
            ("yarn", 32, 16, 0, {"scaling": "yarn", "factor": 4.0, "original_len": 96})):
        w = {t: p.float() for t, p in llama_weights(11, 16, n, g, 12, 1, False, name == "qwen3", d).items()}
        files[f"{name}/model.safetensors"] = safetensors(w)
        w = {t: p.double() for t, p in w.items()}
        files[f"{name}/expected.safetensors"] = safetensors(expected(lambda t: llama(w, t, 1, 4, 2, **options), prompt))
    return files
