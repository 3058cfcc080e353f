"""tests/parity/modules.py - reference results of the modules, from torch.nn if it has them, otherwise from implementations as in
the book Dive into Deep Learning.

The files are named after the module, nn_linear.json for heed_nn_linear."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
from unittest import mock

import torch
import torch.nn.functional as F
from torch import nn

from attention import additive, dot_product, valid
from case import case, integers, lengths, module_case, real, reals, reference
from decoders import alibi, head_shapes, placed_heads, run_heads


def filled(module):
    """Converts the module to f64 and draws its parameters from -1 .. 1."""
    module.double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(real(*parameter.shape, low=-1, high=1))
    return module


def parameters_of(module):
    return dict(module.named_parameters())


def drawn(**shapes):
    """Draws parameters for a reference implemented here; '__' in a name stands for '.'."""
    return {n.replace("__", "."): real(*s, low=-1, high=1).requires_grad_() for n, s in shapes.items()}


def torch_case(module, inputs, training=True, **args):
    module = filled(module).train(training)
    return module_case(module, parameters_of(module), inputs, training, **args)


def layer(name, *cases):
    """A row for data/nn_NAME.json: the module of PyTorch, its arguments, which heed's layer has too, and the shape of x."""
    reference(f"nn_{name}")(lambda: (torch_case(make(**args), [real(*shape)], **args) for make, args, shape in cases))


# -- Building blocks ------------------------------------------------------------------------------------------------


@reference("nn_linear")
def linear():
    for size, out, shape in ((3, 4, (2, 3)), (1, 1, (1,)), (5, 2, (2, 2, 5)), (3, 2, (0, 3))):
        for no_bias in (False, True):
            net = nn.Linear(size, out, bias=not no_bias)
            yield torch_case(net, [real(*shape)], no_bias=no_bias, **{"in": size, "out": out})
    for name, f in {"relu": F.relu, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "gelu": F.gelu}.items():
        net = nn.Linear(3, 2)
        yield module_case(lambda x: f(net(x)), parameters_of(filled(net)), [real(2, 3)], activation=name,
                          **{"in": 3, "out": 2})


@reference("nn_dropout")
def dropout():
    for p, training in ((0.0, True), (1.0, True), (0.5, False), (1.0, False)):
        yield torch_case(nn.Dropout(p), [real(2, 3)], training, p=p)


@reference("nn_layer_norm")
def layer_norm():
    for shape, norm in (((2, 5), [5]), ((2, 3, 4), [3, 4]), ((3, 1), [1]), ((0, 3), [3])):
        yield torch_case(nn.LayerNorm(norm), [real(*shape)], shape=norm)
    yield torch_case(nn.LayerNorm([4], eps=0.25), [real(3, 4)], shape=[4], eps=0.25)
    yield torch_case(nn.LayerNorm([4], elementwise_affine=False), [real(3, 4)], shape=[4], no_affine=True)
    p = drawn(weight=(4,))  # torch 1.13 has no bias=False
    yield module_case(lambda x: F.layer_norm(x, [4], p["weight"]), p, [real(3, 4)], shape=[4], no_bias=True)


def with_buffers(module, inputs, training, **args):
    """Draws the floating-point buffers of a module, with variances above 0."""
    filled(module).train(training)
    for name, t in module.named_buffers():
        t.copy_(real(*t.shape, low=1)) if t.is_floating_point() else t.fill_(4)
    return module_case(module, module.state_dict(keep_vars=True), inputs, training, **args)


def batch_norm(kind, rows):
    for shape in rows:
        features = shape[1]
        yield with_buffers(kind(features), [real(*shape)], True, num_features=features)
        yield with_buffers(kind(features), [real(*shape)], False, num_features=features)
    shape = rows[0]
    for training in (True, False):
        for net, args in ((kind(3, eps=0.25, momentum=0.5), {"eps": 0.25, "momentum": 0.5}), (kind(3, momentum=None), {"cumulative": True}),
                          (kind(3, affine=False), {"no_affine": True}),
                          (kind(3, track_running_stats=False), {"no_running_stats": True})):
            yield with_buffers(net, [real(*shape)], training, num_features=3, **args)


@reference("nn_batch_norm")
def nn_batch_norm():
    yield from batch_norm(nn.BatchNorm1d, [(4, 3), (2, 3, 4), (1, 1, 5)])
    yield with_buffers(nn.BatchNorm1d(3), [real(1, 3)], False, num_features=3)
    yield from batch_norm(nn.BatchNorm2d, [(2, 3, 2, 3), (1, 2, 3, 1)])


@reference("nn_group_norm")
def group_norm():
    for groups, shape in ((2, (2, 4, 3)), (1, (3, 2)), (3, (1, 3, 2, 2))):
        yield torch_case(nn.GroupNorm(groups, shape[1]), [real(*shape)], num_groups=groups, num_channels=shape[1])
    yield torch_case(nn.GroupNorm(2, 4, eps=0.25, affine=False), [real(2, 4)], num_groups=2, num_channels=4, eps=0.25,
                     no_affine=True)


def instance_norm(kind, shape):
    for training in (True, False):
        yield torch_case(kind(2), [real(*shape)], training, num_features=2)
    yield torch_case(kind(2, eps=0.25, affine=True), [real(*shape)], num_features=2, eps=0.25, affine=True)


@reference("nn_instance_norm")
def nn_instance_norm():
    yield from instance_norm(nn.InstanceNorm1d, (2, 2, 4))
    yield from instance_norm(nn.InstanceNorm2d, (2, 2, 2, 3))


@reference("nn_rms_norm")
def rms_norm():
    for shape, norm in (((2, 5), [5]), ((2, 3, 4), [3, 4])):
        p, axes = drawn(weight=norm), tuple(range(-len(norm), 0))
        yield module_case(lambda x: x / (x.square().mean(axes, keepdim=True) + 0.25).sqrt() * p["weight"], p, [real(*shape)],
                          shape=norm, eps=0.25)


@reference("nn_flatten")
def flatten():
    for start, end in ((1, -1), (0, 1)):
        yield torch_case(nn.Flatten(start, end), [real(2, 3, 2)], start_axis=start, end_axis=end)


@reference("nn_unflatten")
def unflatten():
    for axis, sizes, shape in ((1, [3, 2], (2, 6)), (0, [2, -1], (4, 3)), (-2, [1, 2], (2, 2, 3))):
        yield torch_case(nn.Unflatten(axis, tuple(sizes)), [real(*shape)], axis=axis, sizes=sizes)


layer("identity", (nn.Identity, {}, (2, 3)), (nn.Identity, {}, (0, 2)))


@reference("nn_residual")
def residual():
    inner = nn.ModuleDict({"net": nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))})
    modules = [{"layer": "linear", "in": 3, "out": 4}, {"layer": "function", "name": "tanh", "function": "tanh"},
               {"layer": "linear", "in": 4, "out": 3}]
    p = parameters_of(filled(inner))
    yield module_case(lambda x: x + inner["net"](x), p, [real(2, 3)], modules=modules)


@reference("nn_embedding")
def embedding():
    for count, dim, indices in ((5, 3, integers(4, high=5)), (2, 1, integers(2, 3, high=2)), (1, 2, integers(high=1)),
                                (3, 2, integers(0, high=1))):
        yield torch_case(nn.Embedding(count, dim), [indices], count=count, dim=dim)
    for padding in (0, 2, -1, -3):
        yield torch_case(nn.Embedding(4, 2, padding_idx=padding), [lengths(0, 1, 2, 3, 1, 2)], count=4, dim=2,
                         has_padding_idx=True, padding_idx=padding)


layer("prelu", (nn.PReLU, {"num_parameters": 1}, (2, 3)), (nn.PReLU, {"num_parameters": 1}, (4,)),
      (nn.PReLU, {"num_parameters": 3}, (2, 3)), (nn.PReLU, {"num_parameters": 2}, (3, 2, 2, 3)),
      (nn.PReLU, {"num_parameters": 3}, (0, 3)))


@reference("nn_function")
def function():
    for shape in ((2, 3), (), (0,)):
        yield torch_case(nn.Tanh(), [real(*shape)], name="tanh", function="tanh")


@reference("nn_sequential")
def sequential():
    for size, hiddens, out, shape in ((3, 4, 2, (2, 3)), (1, 1, 1, (1,)), (2, 5, 3, (2, 2, 2))):
        modules = [{"layer": "linear", "in": size, "out": hiddens}, {"layer": "function", "name": "tanh", "function": "tanh"},
                   {"layer": "linear", "in": hiddens, "out": out}]
        net = nn.Sequential(nn.Linear(size, hiddens), nn.Tanh(), nn.Linear(hiddens, out))
        yield torch_case(net, [real(*shape)], modules=modules)
    inner = [{"layer": "layer_norm", "shape": [3]}, {"layer": "linear", "in": 3, "out": 2}]
    net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.LayerNorm(3), nn.Linear(3, 2)))
    yield torch_case(net, [real(2, 2)],
                     modules=[{"layer": "linear", "in": 2, "out": 3}, {"layer": "sequential", "modules": inner}])


# -- Attention ------------------------------------------------------------------------------------------------------

# queries, keys, their size, the size of the values, lengths
SIZES = [(3, 4, 2, 3, lambda: None), (3, 4, 2, 3, lambda: lengths(2, 4)), (2, 5, 1, 1, lambda: integers(2, 2, high=6)),
         (1, 3, 3, 2, lambda: lengths(0, 1))]
MODES = [{"training": True}, {"training": False, "dropout": 0.5}]


def modes(options):
    """Tests both modes of a module without options, and one mode of the others, to keep the files small."""
    return MODES[:1] if options else MODES


def arguments(options):
    """The arguments of the constructor: all options except `weights`, which says whether weights are compared."""
    return {name: value for name, value in options.items() if name != "weights"}


@reference("nn_additive_attention")
def additive_attention():
    for n, m, d, e, lens in SIZES:
        for mode in MODES:
            for weights in (False, True):
                p = drawn(W_k__weight=(3, d + 1), W_q__weight=(3, d), w_v__weight=(1, 3))

                def forward(q, k, v, valid_lens):
                    both = additive(q, k, v, valid_lens, p["W_q.weight"], p["W_k.weight"], p["w_v.weight"])
                    return both if weights else both[0]
                yield module_case(forward, p, [real(2, n, d), real(2, m, d + 1), real(2, m, e), lens()],
                                  no_grad_outputs=(1,), key_size=d + 1, query_size=d, hidden_size=3, **mode)


@reference("nn_dot_product_attention")
def dot_product_attention():
    for n, m, d, e, lens in SIZES:
        for mode, options in ((MODES[0], {}), (MODES[1], {"weights": True}),
                              (MODES[0], {"causal": True, "scale": 0.5})):
            def forward(q, k, v, valid_lens):
                both = dot_product(q, k, v, valid_lens, options.get("causal", False), options.get("scale", 0.0))
                return both if "weights" in options else both[0]
            yield module_case(forward, {}, [real(2, n, d), real(2, m, d), real(2, m, e), lens()], no_grad_outputs=(1,),
                              **mode, **arguments(options))


def hidden(batch, heads, queries, keys, valid_lens, causal):
    """torch's attn_mask, True for hidden keys: (batch heads, queries, keys)."""
    return ~valid((batch, heads, queries, keys), valid_lens, causal).reshape(-1, queries, keys)


def attend(net, q, k, v, valid_lens, causal):
    mask = hidden(q.shape[0], net.num_heads, q.shape[1], k.shape[1], valid_lens, causal)
    return net(q, k, v, attn_mask=mask, average_attn_weights=False)


# hidden_size, heads, queries, keys, lengths (at least 1, because torch has NaN otherwise), options
HEADS = [(4, 2, 3, 4, lambda: None, {}), (4, 2, 3, 4, lambda: lengths(2, 4), {"no_bias": True, "weights": True}),
         (3, 3, 2, 3, lambda: integers(2, 2, low=1, high=4), {"weights": True}),
         (2, 1, 3, 3, lambda: lengths(1, 3), {"causal": True}), (4, 4, 1, 1, lambda: None, {}),
         (3, 1, 2, 3, lambda: None, {"key_size": 2, "value_size": 4}),
         (2, 2, 2, 2, lambda: lengths(2, 1), {"key_size": 1, "no_bias": True})]


@reference("nn_multi_head_attention")
def multi_head_attention():
    for h, heads, n, m, lens, options in HEADS:
        k, v = options.get("key_size", h), options.get("value_size", h)
        for mode in modes(options):
            net = filled(nn.MultiheadAttention(h, heads, mode.get("dropout", 0.0), "no_bias" not in options, kdim=k,
                                               vdim=v, batch_first=True)).train(mode["training"])

            def forward(queries, keys, values, valid_lens):
                both = attend(net, queries, keys, values, valid_lens, "causal" in options)
                return both if "weights" in options else both[0]
            yield module_case(forward, parameters_of(net), [real(2, n, h), real(2, m, k), real(2, m, v), lens()],
                              no_grad_outputs=(1,), hidden_size=h, num_heads=heads, **arguments(options), **mode)
    yield queries_of_another_size()
    yield from placed_heads()


def queries_of_another_size():
    """torch requires queries of hidden_size: its own map, which it then omits, converts them."""
    p = drawn(q_proj_weight=(4, 3), k_proj_weight=(4, 4), v_proj_weight=(4, 4), in_proj_bias=(12,),
              out_proj__weight=(4, 4), out_proj__bias=(4,))

    def forward(q, k, v):
        q = (q @ p["q_proj_weight"].T).transpose(0, 1)
        out, _ = F.multi_head_attention_forward(
            q, k.transpose(0, 1), v.transpose(0, 1), 4, 2, None, p["in_proj_bias"], None, None, False, 0.0,
            p["out_proj.weight"], p["out_proj.bias"], use_separate_proj_weight=True,
            q_proj_weight=torch.eye(4, dtype=torch.float64), k_proj_weight=p["k_proj_weight"],
            v_proj_weight=p["v_proj_weight"])
        return out.transpose(0, 1)
    case = module_case(forward, p, [real(2, 2, 3), real(2, 3, 4), real(2, 3, 4)], hidden_size=4, num_heads=2,
                       query_size=3)
    case["inputs"].append(None)
    case["input_grads"].append(None)
    return case


@reference("nn_positional_encoding")
def positional_encoding():
    def forward(x):
        steps, h = x.shape[1:]
        pairs = (torch.arange(h) // 2).double()
        angles = torch.arange(steps)[:, None] / 10000 ** (2 * pairs / h)
        return x + torch.where(torch.arange(h) % 2 == 0, angles.sin(), angles.cos())
    for shape, mode in (((2, 3, 4), MODES[0]), ((1, 7, 5), MODES[1]), ((2, 1, 1), MODES[0]), ((0, 2, 2), MODES[0]),
                        ((1, 20, 2), MODES[0])):
        yield module_case(forward, {}, [real(*shape)], hidden_size=shape[2], **mode)
    yield module_case(forward, {}, [real(1, 3, 2)], hidden_size=2, max_len=3)


# -- Transformer ----------------------------------------------------------------------------------------------------


def gated(d, hiddens, no_bias=False):
    """Parameters of a gated feed-forward."""
    shapes = {"gate": (hiddens, d), "linear1": (hiddens, d), "linear2": (d, hiddens)}
    return drawn(**{f"{n}__{kind}": s if kind == "weight" else s[:1] for n, s in shapes.items()
                    for kind in ("weight", "bias")[:1 if no_bias else 2]})


def glu(p, name, x):
    """(act(x Wg) * (x Wu)) Wd, as in the paper, with optional biases."""
    def mapped(x, name):
        return x @ p[name + ".weight"].T + p.get(name + ".bias", 0.0)
    return mapped(getattr(torch if name == "sigmoid" else F, name)(mapped(x, "gate")) * mapped(x, "linear1"), "linear2")


def gated_block(layer):
    """A torch.nn block with SwiGLU, and its parameters in heed's order."""
    layer.gate = nn.Linear(layer.linear1.in_features, layer.linear1.out_features)
    layer._ff_block = lambda x: layer.linear2(F.silu(layer.gate(x)) * layer.linear1(x))
    p = list(parameters_of(filled(layer)).items())
    first = [name for name, _ in p].index("linear1.weight")
    return layer, dict(p[:first] + p[-2:] + p[first:-2])


class Heads(nn.Module):
    """Multi-head attention with heed's options."""
    def __init__(self, h, heads, options):
        super().__init__()
        self.batch_first, self.options = True, options
        self.sizes = heads, options.get("kv_heads", heads), options.get("head_dim", h // heads)
        for name, shape in head_shapes(h, *self.sizes, options).items():
            module, _, last = name.rpartition(".")
            if module and not hasattr(self, module):
                self.add_module(module, nn.Module())
            setattr(getattr(self, module) if module else self, last, nn.Parameter(torch.zeros(*shape)))

    def forward(self, x, memory):
        return run_heads(parameters_of(self), (x, memory, memory), *self.sizes, self.options)[0]


class PlacedEncoderLayer(nn.TransformerEncoderLayer):
    """PyTorch's block with a different self-attention."""
    def __init__(self, d, heads, ffn, options, **layer):
        super().__init__(d, heads if d % heads == 0 else 1, ffn, 0.0, batch_first=True, **layer)
        self.self_attn = Heads(d, heads, options)

    def _sa_block(self, x, *_):
        return self.self_attn(x, x)


class PlacedDecoderLayer(nn.TransformerDecoderLayer):
    """The same for a block of the decoder; the memory has no positions."""
    def __init__(self, d, heads, ffn, options, **layer):
        super().__init__(d, heads if d % heads == 0 else 1, ffn, 0.0, batch_first=True, **layer)
        self.self_attn = Heads(d, heads, {**options, "causal": True})
        self.multihead_attn = Heads(d, heads, {n: o for n, o in options.items()
                                               if n in ("kv_heads", "head_dim", "qk_norm", "no_out_bias")})

    def _sa_block(self, x, *_):
        return self.self_attn(x, x)

    def _mha_block(self, x, memory, *_):
        return self.multihead_attn(x, memory)


def told(options):
    """The options of heed's attention, as arguments of the enclosing layer."""
    return {"attention": True, **{f"attention.{name}": value for name, value in options.items()}}


# hidden_size, heads, options of self-attention
PLACED = [(4, 2, {"rope": True, "window": 2, "kv_heads": 1}), (3, 2, {"head_dim": 2, "qk_norm": True, "alibi": True}),
          (4, 2, {"rope": True, "rope_interleaved": True, "rope_base": 100.0, "no_out_bias": True})]


def block_parameters(net, options):
    """Sets biases to 0 and omits them from the parameters, because torch 1.13 lacks bias=False."""
    listed = parameters_of(net)
    if "no_bias" in options:
        listed = {n: t for n, t in listed.items() if not n.endswith("bias")}
        for name, bias in net.named_parameters():
            if name not in listed:
                nn.init.zeros_(bias)
    return listed


def with_looks(net, *inputs, **masks):
    """The result of net, and the weights of all its attention layers in the order of the calls."""
    looks, of_torch = [], nn.MultiheadAttention.forward

    def forward(*given, **options):
        y, weights = of_torch(*given, **{**options, "need_weights": True, "average_attn_weights": False})
        looks.append(weights)
        return y, weights
    with mock.patch.object(nn.MultiheadAttention, "forward", forward):
        return net(*inputs, **masks), looks


@reference("nn_feed_forward")
def feed_forward():
    for d, hiddens, shape, name in ((3, 4, (2, 3), "relu"), (2, 5, (2, 2, 2), "gelu"), (1, 1, (1,), "relu")):
        for no_bias in (False, True):
            for mode in MODES:
                net = nn.ModuleDict({"linear1": nn.Linear(d, hiddens, not no_bias),
                                     "linear2": nn.Linear(hiddens, d, not no_bias)})
                p = parameters_of(filled(net))
                yield module_case(lambda x: net["linear2"](getattr(F, name)(net["linear1"](x))), p, [real(*shape)], hidden_size=d,
                                  ffn_size=hiddens, no_bias=no_bias, activation=name, **mode)
    for name, shape, no_bias in (("silu", (2, 3), True), ("gelu", (2, 2, 3), False), ("relu", (3,), True),
                                 ("sigmoid", (2, 3), False)):
        p = gated(3, 4, no_bias)
        yield module_case(lambda x: glu(p, name, x), p, [real(*shape)], hidden_size=3, ffn_size=4, no_bias=no_bias, gated=True,
                          activation=name)
    p = gated(2, 3, True)
    yield module_case(lambda x: glu(p, "silu", x), p, [real(2, 2)], hidden_size=2, ffn_size=3, no_bias=True, gated=True)


@reference("nn_transformer_encoder_block")
def transformer_encoder_block():
    for pre_norm in (False, True):
        for d, heads, ffn, steps, lens, options in ((4, 2, 5, 3, lambda: None, {}),
                                                    (4, 1, 3, 3, lambda: lengths(2, 3), {"activation": "gelu"}),
                                                    (2, 2, 3, 4, lambda: None, {"causal": True, "eps": 0.125}),
                                                    (3, 3, 1, 2, lambda: lengths(1, 2), {"no_bias": True})):
            for mode in modes(options):
                net = filled(nn.TransformerEncoderLayer(
                    d, heads, ffn, mode.get("dropout", 0.0), options.get("activation", "relu"),
                    options.get("eps", 1e-5), batch_first=True, norm_first=pre_norm)).train(mode["training"])

                def forward(x, valid_lens):
                    return net(x, src_mask=hidden(len(x), heads, steps, steps, valid_lens, "causal" in options))
                yield module_case(forward, block_parameters(net, options), [real(2, steps, d), lens()], hidden_size=d,
                                  num_heads=heads, ffn_size=ffn, pre_norm=pre_norm, **options, **mode)
    net, p = gated_block(nn.TransformerEncoderLayer(4, 2, 3, 0.0, batch_first=True))
    yield module_case(lambda x, _: net(x), p, [real(2, 3, 4), None], hidden_size=4, num_heads=2, ffn_size=3, gated=True)
    for window in (3, 2):  # PyTorch's own attention can add ALiBi and a window
        layer = filled(nn.TransformerEncoderLayer(4, 2, 3, 0.0, batch_first=True))
        far = (torch.arange(3) - torch.arange(3)[:, None]).abs() >= window
        added = alibi(2, 3).masked_fill(far, -math.inf).repeat(2, 1, 1)
        yield module_case(lambda x, _: layer(x, src_mask=added), parameters_of(layer), [real(2, 3, 4), None], hidden_size=4,
                          num_heads=2, ffn_size=3, **told({"alibi": True, "window": window}))
    for d, heads, options in PLACED:
        layer = filled(PlacedEncoderLayer(d, heads, 3, options, norm_first=d == 3))
        yield module_case(lambda x, _: layer(x), parameters_of(layer), [real(2, 3, d), None], hidden_size=d, num_heads=heads,
                          ffn_size=3, pre_norm=d == 3, **told(options))


@reference("nn_transformer_decoder_block")
def transformer_decoder_block():
    for pre_norm in (False, True):
        for d, heads, ffn, lens, memory_lens, options in (
                (4, 2, 5, lambda: None, lambda: None, {}),
                (4, 1, 3, lambda: lengths(2, 3), lambda: lengths(1, 2), {"activation": "gelu"}),
                (2, 2, 3, lambda: None, lambda: lengths(2, 1), {"not_causal": True, "eps": 0.125}),
                (4, 2, 3, lambda: lengths(3, 2), lambda: lengths(2, 1), {"no_bias": True, "weights": True})):
            for mode in modes(options):
                net = filled(nn.TransformerDecoderLayer(
                    d, heads, ffn, mode.get("dropout", 0.0), options.get("activation", "relu"),
                    options.get("eps", 1e-5), batch_first=True, norm_first=pre_norm)).train(mode["training"])

                def forward(x, memory, valid_lens, memory_lens):
                    own = hidden(len(x), heads, x.shape[1], x.shape[1], valid_lens, "not_causal" not in options)
                    other = hidden(len(x), heads, x.shape[1], memory.shape[1], memory_lens, False)
                    y, looks = with_looks(net, x, memory, tgt_mask=own, memory_mask=other)
                    return [y] + looks if "weights" in options else y
                yield module_case(forward, block_parameters(net, options),
                                  [real(2, 3, d), real(2, 2, d), lens(), memory_lens()], hidden_size=d,
                                  num_heads=heads, ffn_size=ffn, pre_norm=pre_norm, **arguments(options), **mode)
    net, p = gated_block(nn.TransformerDecoderLayer(4, 2, 3, 0.0, batch_first=True))
    yield module_case(lambda x, memory, *_: net(x, memory, tgt_mask=hidden(2, 2, 3, 3, None, True)), p,
                      [real(2, 3, 4), real(2, 2, 4), None, None], hidden_size=4, num_heads=2, ffn_size=3, gated=True)
    for d, heads, options in PLACED:
        layer = filled(PlacedDecoderLayer(d, heads, 3, options, norm_first=d == 3))
        yield module_case(lambda x, memory, *_: layer(x, memory), parameters_of(layer), [real(2, 3, d), real(2, 2, d), None, None],
                          hidden_size=d, num_heads=heads, ffn_size=3, pre_norm=d == 3, **told(options))


def with_ends(half, vocab, d, output=True, positions=True):
    """A TransformerEncoder or TransformerDecoder with heed's layers before and after it, and its use."""
    if vocab == 0:
        return lambda x: x, lambda y: y
    half.embedding = nn.Embedding(vocab, d, dtype=torch.float64)
    if output:
        half.dense = nn.Linear(d, vocab, dtype=torch.float64)

    def embed(tokens):
        if not positions:
            return half.embedding(tokens) * d ** 0.5
        pairs = (torch.arange(d) // 2).double()
        angles = torch.arange(tokens.shape[1])[:, None] / 10000 ** (2 * pairs / d)
        return half.embedding(tokens) * d ** 0.5 + torch.where(torch.arange(d) % 2 == 0, angles.sin(), angles.cos())
    return embed, half.dense if output else lambda y: y


@reference("nn_transformer_encoder")
def transformer_encoder():
    for vocab, lens in ((0, lambda: lengths(3, 1)), (4, lambda: lengths(2, 3))):
        layer = nn.TransformerEncoderLayer(4, 2, 5, 0.0, batch_first=True)
        net = nn.TransformerEncoder(layer, 2, nn.LayerNorm(4) if vocab else None)
        embed, _ = with_ends(net, vocab, 4, output=False)
        p = parameters_of(filled(net))
        yield module_case(lambda x, n: net(embed(x), mask=hidden(len(x), 2, 3, 3, n, False)), p,
                          [integers(2, 3, high=vocab) if vocab else real(2, 3, 4), lens()], vocab_size=vocab, hidden_size=4,
                          num_heads=2, ffn_size=5, num_layers=2, no_final_norm=vocab == 0)
    for positions in (False, True):
        net = nn.TransformerEncoder(PlacedEncoderLayer(4, 2, 3, {"rope": True}), 2, nn.LayerNorm(4))
        embed, _ = with_ends(net, 4, 4, output=False, positions=positions)
        p = parameters_of(filled(net))
        yield module_case(lambda x, _: net(embed(x)), p, [integers(2, 3, high=4), None], vocab_size=4, hidden_size=4, num_heads=2,
                          ffn_size=3, num_layers=2, no_positions=not positions, **told({"rope": True}))


@reference("nn_transformer_decoder")
def transformer_decoder():
    for vocab, heads, tied in ((0, 2, False), (3, 1, False), (5, 1, True)):  # two sets of weights would be large
        layer = nn.TransformerDecoderLayer(4, heads, 3, 0.0, batch_first=True, norm_first=tied)
        net = nn.TransformerDecoder(layer, 2, nn.LayerNorm(4))
        embed, logits = with_ends(net, vocab, 4, output=not tied)
        p = parameters_of(filled(net))

        def forward(tokens, memory, valid_lens, memory_lens):
            y, looks = with_looks(net, embed(tokens), memory, tgt_mask=hidden(2, heads, 3, 3, valid_lens, True),
                                  memory_mask=hidden(2, heads, 3, 2, memory_lens, False))
            y = F.linear(y, net.embedding.weight) if tied else logits(y)
            return [y, torch.stack(looks[0::2]), torch.stack(looks[1::2])] if heads == 1 else y
        yield module_case(forward, p, [integers(2, 3, high=vocab) if vocab else real(2, 3, 4), real(2, 2, 4), lengths(3, 2),
                                       lengths(1, 2)], vocab_size=vocab, hidden_size=4, num_heads=heads, ffn_size=3,
                          num_layers=2, tied=tied, pre_norm=tied)
    options = {"alibi": True, "kv_heads": 1}
    net = nn.TransformerDecoder(PlacedDecoderLayer(4, 2, 3, options), 2, nn.LayerNorm(4))
    embed, logits = with_ends(net, 3, 4, positions=False)
    p = parameters_of(filled(net))
    yield module_case(lambda tokens, memory, *_: logits(net(embed(tokens), memory)), p,
                      [integers(2, 3, high=3), real(2, 2, 4), None, None], vocab_size=3, hidden_size=4, num_heads=2, ffn_size=3,
                      num_layers=2, no_positions=True, **told(options))


@reference("nn_transformer")
def transformer():
    d, heads, ffn, places, steps, ahead = 4, 2, 3, 2, 3, torch.ones(3, 3, dtype=torch.bool).triu(1)
    for pre_norm in (False, True):
        for vocabs, layers, decoder_layers, src_lens, name in (((0, 0), 1, 1, lambda: lengths(2, 1), "relu"),
                                                               ((5, 3), 1, 1, lambda: lengths(1, 2), "gelu")):
            net = nn.Transformer(d, heads, layers, decoder_layers, ffn, 0.0, name, batch_first=True, norm_first=pre_norm)
            embed_src, _ = with_ends(net.encoder, vocabs[0], d, output=False)
            embed_tgt, logits = with_ends(net.decoder, vocabs[1], d)
            p = parameters_of(filled(net))

            def forward(src, tgt, lens):
                padding = torch.arange(places) >= lens[:, None]
                y, looks = with_looks(net, embed_src(src), embed_tgt(tgt), tgt_mask=ahead, src_key_padding_mask=padding,
                                      memory_key_padding_mask=padding)
                return logits(y), *(w[None] for w in looks)
            tokens = [real(2, n, d) if v == 0 else integers(2, n, high=v) for v, n in zip(vocabs, (places, steps))]
            yield module_case(forward, p, tokens + [src_lens()], src_vocab=vocabs[0], tgt_vocab=vocabs[1], hidden_size=d,
                              num_heads=heads, ffn_size=ffn, num_layers=layers, decoder_layers=decoder_layers,
                              pre_norm=pre_norm, activation=name)
    options = {"rope": True, "window": 2}
    net = nn.Transformer(d, heads, 1, 1, ffn, 0.0, batch_first=True, custom_encoder=nn.TransformerEncoder(
        PlacedEncoderLayer(d, heads, ffn, options), 1, nn.LayerNorm(d)), custom_decoder=nn.TransformerDecoder(
            PlacedDecoderLayer(d, heads, ffn, options), 1, nn.LayerNorm(d)))
    embed_src, _ = with_ends(net.encoder, 3, d, output=False, positions=False)
    embed_tgt, logits = with_ends(net.decoder, 3, d, positions=False)
    p = parameters_of(filled(net))
    yield module_case(lambda src, tgt: logits(net(embed_src(src), embed_tgt(tgt))), p,
                      [integers(2, 3, high=3), integers(2, 3, high=3)], src_vocab=3, tgt_vocab=3, hidden_size=d, num_heads=heads,
                      ffn_size=ffn, num_layers=1, no_positions=True, **told(options))


# -- Nadaraya-Watson kernel regression ------------------------------------------------------------------------------


class VisionTransformer(nn.Module):
    """The book's ViT, built from torch.nn layers, with a linear head."""
    def __init__(self, image, patch, classes, hidden, heads, ffn, layers, activation="gelu", eps=1e-5, blocks=()):
        super().__init__()
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden))
        patches = image[1] // patch[0] * (image[2] // patch[1])
        self.positions = nn.Parameter(torch.zeros(1, patches + 1, hidden))
        self.patches = nn.Conv2d(image[0], hidden, patch, patch)
        self.blocks = nn.Sequential(*(blocks or (nn.TransformerEncoderLayer(
            hidden, heads, ffn, 0.0, activation, eps, batch_first=True, norm_first=True) for _ in range(layers))))
        self.norm = nn.LayerNorm(hidden, eps)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        patches = self.patches(x).flatten(2).transpose(1, 2)
        token = self.class_token.expand(len(x), -1, -1)
        return self.head(self.norm(self.blocks(torch.cat([token, patches], 1) + self.positions)[:, 0]))


@reference("nn_vision_transformer")
def vision_transformer():
    for image, patch, classes, hidden, heads, ffn, layers, options in (
            ((1, 2, 2), (1, 1), 2, 4, 2, 3, 1, {}),
            ((2, 2, 6), (2, 3), 3, 3, 1, 12, 2, {"eps": 0.125}),
            ((1, 3, 2), (3, 1), 1, 2, 2, 2, 1, {"activation": "relu"})):
        net = VisionTransformer(image, patch, classes, hidden, heads, ffn, layers, **options)
        yield torch_case(net, [real(2, *image)], image_size=list(image), patch_size=list(patch), num_classes=classes,
                         hidden_size=hidden, num_heads=heads, ffn_size=ffn, num_layers=layers, **options)
    placed = {"rope": True, "window": 2, "kv_heads": 1}
    block = PlacedEncoderLayer(4, 2, 3, placed, activation="gelu", norm_first=True)
    yield torch_case(VisionTransformer((1, 2, 2), (1, 1), 2, 4, 2, 3, 1, blocks=[block]), [real(2, 1, 2, 2)],
                     image_size=[1, 2, 2], patch_size=[1, 1], num_classes=2, hidden_size=4, num_heads=2, ffn_size=3, num_layers=1,
                     **told(placed))
    block, p = gated_block(nn.TransformerEncoderLayer(4, 2, 3, 0.0, batch_first=True, norm_first=True))
    net = filled(VisionTransformer((1, 2, 2), (1, 1), 2, 4, 2, 3, 1, blocks=[block]))
    first = {n: t for n, t in parameters_of(net).items() if not n.startswith(("blocks.", "norm.", "head."))}
    last = {n: t for n, t in parameters_of(net).items() if n.startswith(("norm.", "head."))}
    yield module_case(net, first | {"blocks.0." + n: t for n, t in p.items()} | last, [real(2, 1, 2, 2)], image_size=[1, 2, 2],
                      patch_size=[1, 1], num_classes=2, hidden_size=4, num_heads=2, ffn_size=3, num_layers=1, gated=True)


def window(kernel, u):
    """K(u), not normalised; u = |(q - k) w| squared for the Gaussian kernel."""
    return {"boxcar": lambda: (u <= 1).double(), "triangular": lambda: F.relu(1 - u),
            "epanechnikov": lambda: 0.75 * F.relu(1 - u * u), "constant": lambda: torch.ones_like(u)}[kernel]()


def nw(q, keys, values, w, kernel):
    """q (n) or (n, d); keys and values shared by the queries, or a set per query."""
    shared = keys.dim() == q.dim()
    d = (q[:, None] - (keys[None] if shared else keys)) * w
    squares = d * d if q.dim() == 1 else (d * d).sum(-1)
    if kernel == "gaussian":
        weights = torch.softmax(-squares / 2, 1)
    else:
        k = window(kernel, d.abs() if q.dim() == 1 else squares.sqrt())
        total = k.sum(1, keepdim=True)
        weights = k / torch.where(total == 0, torch.ones_like(total), total)
    return torch.einsum("nm,m...->n..." if shared else "nm,nm...->n...", weights, values), weights


def nw_left_out(q, keys, values, w, kernel):
    """The result for query i with all keys except i, tiled as in the book, and the weights with zeros at i."""
    n = len(q)
    others = ~torch.eye(n, dtype=torch.bool)

    def tiled(x):
        return x.expand(n, *x.shape)[others].reshape(n, n - 1, *x.shape[1:])
    y, weights = nw(q, tiled(keys), tiled(values), w, kernel)
    return y, torch.zeros(n, n, dtype=weights.dtype).masked_scatter(others, weights)


@reference("kernel_regression")
def kernel_regression():
    # queries, keys, values, widths, other options
    shapes = [((3,), (4,), (4,), 1, {}), ((2,), (2, 3), (2, 3, 2), 1, {"log_width": True}),
              ((3, 2), (4, 2), (4, 2), 2, {}), ((2, 2), (2, 3, 2), (2, 3), 2, {"log_width": True}),
              ((2, 3), (4, 3), (4,), 1, {"weights": True}), ((4,), (4,), (4,), 1, {"leave_one_out": True}),
              ((3, 2), (3, 2), (3, 2), 2, {"leave_one_out": True, "weights": True}),
              ((3,), (3,), (3,), 1, {"leave_one_out": True, "log_width": True})]
    for kernel in ("gaussian", "boxcar", "triangular", "epanechnikov", "constant"):
        for q, k, v, widths, options in shapes:
            def function(queries, keys, values, width):
                w = torch.exp(-width) if "log_width" in options else width
                both = (nw_left_out if "leave_one_out" in options else nw)(queries, keys, values, w, kernel)
                return both if "weights" in options else both[0]
            low, high = (-0.5, 1.5) if "log_width" in options else (0.25, 1.5)
            yield case(function, [real(*q), real(*k), real(*v), real(widths, low=low, high=high)], kernel=kernel,
                       **options)


@reference("nn_nw_kernel_regression")
def nw_kernel_regression():
    # queries, keys, values, number of widths
    shapes = [((3,), (4,), (4,), 0), ((2,), (2, 3), (2, 3), 0), ((3, 2), (4, 2), (4, 2), 2),
              ((2, 2), (2, 3, 2), (2, 3), 0), ((2,), (1,), (1, 2), 1), ((2, 3), (4, 3), (4,), 0)]
    for kernel in ("gaussian", "boxcar", "triangular", "epanechnikov", "constant"):
        for (q, k, v, dim), option in zip(shapes, [{}, {}, {}, {"log_width": True}, {"log_width": True},
                                                   {"non_parametric": True}]):
            name = "log_h" if "log_width" in option else "w"
            width = real(dim or 1, low=0.25, high=1.5)
            p = {name: width if "non_parametric" in option else width.requires_grad_()}

            def forward(queries, keys, values):
                w = torch.exp(-p[name]) if name == "log_h" else p[name]
                return nw(queries, keys, values, w, kernel)
            yield module_case(forward, p, [real(*q), real(*k), real(*v)], no_grad_outputs=(1,),
                              kernel=kernel, dim=dim, **option)
    p = {"w": reals(4.0).requires_grad_()}  # the second query has no nearby key
    yield module_case(lambda *t: nw(*t, p["w"], "epanechnikov"), p, [reals(0.0, 9.0), reals(0.125, -0.0625), real(2)],
                      no_grad_outputs=(1,), kernel="epanechnikov", dim=0)
    for training in (True, False):
        p = {"w": reals(0.75).requires_grad_()}
        yield module_case(lambda *t: (nw_left_out if training else nw)(*t, p["w"], "gaussian"), p,
                          [real(4), real(4), real(4)], training, no_grad_outputs=(1,),
                          kernel="gaussian", dim=0, leave_one_out=True)
