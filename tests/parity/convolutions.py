"""tests/parity/convolutions.py - reference results of convolutions, pooling and their layers from PyTorch, for many
geometries."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import random

import torch
import torch.nn.functional as F
from torch import nn

from case import MOST_ELEMENTS, case, real, reals, reference
from modules import layer, torch_case

GEOMETRIES = 40

_random = random.Random()


def choices(axes, *numbers):
    return [_random.choice(numbers) for _ in range(axes)]


def fits(*tensors):
    return all(0 < t.numel() <= MOST_ELEMENTS for t in tensors)


def geometries(name, draw):
    """Yields cases that fit into a file and that PyTorch accepts. draw() returns None for a refused case."""
    _random.seed(name)
    found = 0
    while found < GEOMETRIES:
        drawn = draw()
        if drawn:
            found += 1
            yield drawn


def attempted(function, *tensors):
    """A case, or None if PyTorch refuses the sizes or the result is too large."""
    try:
        y = function(*tensors)
    except RuntimeError:
        return None
    return y if fits(y) else None


# -- Convolutions ---------------------------------------------------------------------------------------------------


def draw_conv(axes, transposed):
    groups, per_group, out = _random.choice((1, 1, 1, 2, 3)), _random.choice((1, 1, 2, 3)), _random.choice((1, 1, 2, 3))
    kernel, x = choices(axes, 1, 2, 2, 3), choices(axes, 1, 2, 3, 4, 5, 7)
    args = {"stride": choices(axes, 1, 1, 2, 3), "padding": choices(axes, 0, 0, 1, 2), "dilation": choices(axes, 1, 1, 2, 3),
            "groups": groups}
    channels = groups * per_group
    x = torch.zeros(_random.choice((1, 2)), channels, *x, dtype=torch.float64)
    w = torch.zeros(*((channels, out) if transposed else (groups * out, per_group)), *kernel, dtype=torch.float64)
    if transposed:
        args["output_padding"] = [_random.randrange(max(pair)) for pair in zip(args["stride"], args["dilation"])]
    return args, x, w, groups * out


def convolution(axes, transposed):
    name = ("conv_transpose" if transposed else "conv") + f"{axes}d"
    function = getattr(F, name)

    def draw():
        args, x, w, channels = draw_conv(axes, transposed)
        y = attempted(lambda: function(x, w, **args)) if fits(x, w) else None
        return y is not None and (args, x.shape, w.shape, channels, _random.random() < 0.5)

    for args, x, w, channels, bias in geometries(name, draw):
        inputs = [real(*x), real(*w)] + ([real(channels)] if bias else [])
        yield case(lambda x, w, b=None: function(x, w, b, **args), inputs, **args)
    if not transposed:
        for kernel in (1, 2, 3):
            w = real(2, 1, *[kernel] * axes)
            yield case(lambda x, w: function(x, w, padding="same"), [real(1, 1, *(4, 3)[:axes]), w], same=True)


@reference("conv")
def conv():
    for axes in (1, 2):
        yield from convolution(axes, False)


@reference("conv_transpose")
def conv_transpose():
    for axes in (1, 2):
        yield from convolution(axes, True)


def draw_columns():
    """Options, planes and their columns, or None if PyTorch refuses them."""
    kernel, size = choices(2, 1, 2, 3), choices(2, 1, 2, 3, 4, 5)
    args = {"stride": choices(2, 1, 1, 2, 3), "padding": choices(2, 0, 0, 1, 2), "dilation": choices(2, 1, 1, 2)}
    x = torch.zeros(_random.choice((1, 2)), _random.choice((1, 2)), *size, dtype=torch.float64)
    columns = attempted(lambda: F.unfold(x, kernel, **args)) if fits(x) else None
    return columns is not None and (args, kernel, size, x.shape, columns.shape)


@reference("unfold")
def unfold():
    for args, kernel, _, x, _ in geometries("unfold", draw_columns):
        yield case(lambda x: F.unfold(x, kernel, **args), [real(*x)], kernel=kernel, **args)


@reference("fold")
def fold():
    for args, kernel, size, _, columns in geometries("fold", draw_columns):
        yield case(lambda y: F.fold(y, size, kernel, **args), [real(*columns)], kernel=kernel, size=size, **args)


# -- Pooling --------------------------------------------------------------------------------------------------------


def draw_pool(axes, largest):
    kernel = choices(axes, 1, 2, 2, 3, 4)
    args = {"stride": choices(axes, 1, 2, 2, 3), "padding": [_random.randrange(k // 2 + 1) for k in kernel],
            "ceil_mode": _random.random() < 0.4}
    if largest:
        args["dilation"] = choices(axes, 1, 1, 2)
    else:
        args["exclude_pad"] = _random.random() < 0.5
        args["divisor"] = _random.choice((0, 0, 3)) if axes == 2 else 0
    return kernel, args, [*choices(2, 1, 2), *choices(axes, 2, 3, 4, 5, 7)]


def torch_pool(axes, largest, kernel, args):
    args = dict(args)
    if largest:
        return lambda x: getattr(F, f"max_pool{axes}d")(x, kernel, return_indices=True, **args)
    args["count_include_pad"] = not args.pop("exclude_pad")
    divisor = args.pop("divisor")
    if axes == 2:
        args["divisor_override"] = divisor or None
    return lambda x: getattr(F, f"avg_pool{axes}d")(x, kernel, **args)


def pooling(axes, largest):
    def draw():
        kernel, args, x = draw_pool(axes, largest)
        empty = torch.zeros(x, dtype=torch.float64)
        function = torch_pool(axes, largest, kernel, args)
        y = attempted(lambda: function(empty)[0] if largest else function(empty)) if fits(empty) else None
        sees = y is not None and (not largest or torch.isfinite(y).all())
        return sees and (kernel, args, x, function)

    for kernel, args, x, function in geometries(f"pool{axes}{largest}", draw):
        yield case(function, [real(*x)], kernel=kernel, **args)
    if largest:
        equal = reals(1.0, 3.0, 3.0, 3.0, 2.0, 2.0).reshape(1, 1, 1, 6)
        special = reals(1.0, float("nan"), 3.0, float("-inf"), float("-inf"), float("inf")).reshape(1, 1, 1, 6)
        for x in (equal, special):
            x, kernel = (x, [1, 3]) if axes == 2 else (x[0], [3])
            yield case(lambda x: getattr(F, f"max_pool{axes}d")(x, kernel, return_indices=True), [x], kernel=kernel)


def adaptive(axes, largest):
    function = getattr(F, f"adaptive_{'max' if largest else 'avg'}_pool{axes}d")
    for size in (1, 2, 3, 5):
        for x in ((1, 2, 4, 5), (2, 1, 3, 7), (1, 1, 6, 2)):
            x = real(*(x if axes == 2 else x[1:]))
            yield case(lambda x: function(x, size, return_indices=True) if largest else function(x, size), [x], size=[size] * axes)
    if axes == 2:
        yield case(lambda x: function(x, (2, 3), return_indices=True) if largest else function(x, (2, 3)), [real(2, 5, 4)],
                   size=[2, 3])


for _kind in ("max", "avg"):
    for _name, _cases in ((f"{_kind}_pool", pooling), (f"adaptive_{_kind}_pool", adaptive)):
        reference(_name)(lambda cases=_cases, largest=_kind == "max": (c for axes in (1, 2) for c in cases(axes, largest)))


# -- Other sizes ----------------------------------------------------------------------------------------------------


def interpolated(x, mode, gradient=True, **args):
    given = {k: v for k, v in args.items() if k != "scale_factor_w"}
    if "scale_factor_w" in args:
        given["scale_factor"] = (args["scale_factor"], args["scale_factor_w"])
    return case(lambda x: F.interpolate(x, mode=mode, **given), [x], gradient, mode=mode, **args)


@reference("interpolate")
def interpolate():
    for mode, shape in (("nearest", (1, 2, 5)), ("nearest", (1, 2, 3, 2)), ("linear", (1, 2, 5)), ("bilinear", (1, 2, 3, 2))):
        axes = len(shape) - 2
        for size in ([7, 4], [2, 3], [1, 1], [3, 4], [5, 2], [6, 4]):
            yield interpolated(real(*shape), mode, size=size[:axes])
            if mode != "nearest":
                yield interpolated(real(*shape), mode, size=size[:axes], align_corners=True)
        for factor in (1.0, 1.3, 2.0, 2.2, 0.5, 0.7, 1.9):
            # In mode nearest PyTorch's gradient ignores a factor that keeps or doubles a size, unlike its y.
            yield interpolated(real(*shape), mode, mode != "nearest" or factor not in (1.3, 2.2), scale_factor=factor)
            if mode != "nearest":
                yield interpolated(real(*shape), mode, scale_factor=factor, align_corners=True)
        if axes == 2:
            yield interpolated(real(*shape), mode, scale_factor=1.7, scale_factor_w=0.6)
    for size, out in sizes_of_f32():
        yield interpolated(real(1, 1, size).float(), "nearest", size=[out])
    for size, factor in ((9, 1.4), (11, 1.1), (22, 2.2)):
        yield interpolated(real(1, 1, size).float(), "nearest", scale_factor=factor)


def sizes_of_f32():
    """Sizes at which the nearest element depends on the dtype in which positions are rounded."""
    def nearest(size, out, dtype):
        return F.interpolate(torch.arange(size, dtype=dtype).reshape(1, 1, size), size=out, mode="nearest").long()
    pairs = ((size, out) for size in range(2, 48) for out in range(2, 48))
    return [pair for pair in pairs if (nearest(*pair, torch.float32) != nearest(*pair, torch.float64)).any()]


# -- Layers ---------------------------------------------------------------------------------------------------------


def conv_layer(axes, transposed):
    make = getattr(nn, ("ConvTranspose" if transposed else "Conv") + f"{axes}d")
    plane = (3, 2)[:axes] if transposed else (4, 3)[:axes]
    for n, out, kernel, options in ((2, 2, 2, {}), (1, 2, 2, {"stride": 2, "padding": 1}), (4, 2, 2, {"groups": 2}),
                                    (1, 2, 2, {"dilation": 2, "bias": False})):
        net = make(n, out, kernel, **options)
        args = {k: [v] if k in ("stride", "padding", "dilation") else v for k, v in options.items() if k != "bias"}
        yield torch_case(net, [real(1, n, *plane)], kernel_size=[kernel] * axes, out=out, no_bias="bias" in options,
                         **args, **{"in": n})
    net = make(1, 1, 2, stride=2, output_padding=1) if transposed else make(1, 1, 3, padding="same")
    args = {"stride": [2], "output_padding": [1]} if transposed else {"same": True}
    yield torch_case(net, [real(1, 1, *plane)], kernel_size=[2 if transposed else 3] * axes, out=1, **args, **{"in": 1})


@reference("nn_conv")
def nn_conv():
    for axes in (1, 2):
        yield from conv_layer(axes, False)


@reference("nn_conv_transpose")
def nn_conv_transpose():
    for axes in (1, 2):
        yield from conv_layer(axes, True)


def windows(kind, axes, geometries):
    """Cases of a pooling layer on lines or planes, for (kernel, options of heed, options of PyTorch)."""
    for kernel, options, of_torch in geometries:
        args = {k: [v] if k in ("stride", "padding", "dilation") else v for k, v in options.items()}
        net = getattr(nn, f"{kind}{axes}d")(kernel, **(of_torch or options))
        yield torch_case(net, [real(1, 2, *(5, 4)[:axes])], kernel_size=[kernel] * axes, **args)


@reference("nn_max_pool")
def max_pool():
    for axes in (1, 2):
        yield from windows("MaxPool", axes, ((2, {}, None), (3, {"stride": 2, "padding": 1, "dilation": 1}, None),
                                             (2, {"ceil_mode": True}, None)))


@reference("nn_avg_pool")
def avg_pool():
    excluded = {"padding": 1, "exclude_pad": True}, {"padding": 1, "count_include_pad": False}
    for axes in (1, 2):
        yield from windows("AvgPool", axes, ((2, {}, None), (3, {"stride": 2, "padding": 1}, None), (2, {"ceil_mode": True}, None),
                                             (3, *excluded)))


@reference("nn_upsample")
def nn_upsample():
    for shape, args in (((1, 2, 4), {"scale_factor": 2.0}), ((2, 1, 5), {"size": [3], "mode": "linear"}),
                        ((1, 2, 2, 3), {"size": [4, 5], "mode": "bilinear", "align_corners": True})):
        net = nn.Upsample(**args)
        yield torch_case(net, [real(*shape)], **args)
    net = nn.Upsample(scale_factor=(2.0, 1.5), mode="bilinear")
    yield torch_case(net, [real(1, 1, 2, 3)], scale_factor=2.0, scale_factor_w=1.5, mode="bilinear")


layer("adaptive_avg_pool", (nn.AdaptiveAvgPool1d, {"output_size": [1]}, (1, 2, 4)), (nn.AdaptiveAvgPool1d, {"output_size": [2]}, (1, 2, 4)),
      (nn.AdaptiveAvgPool2d, {"output_size": [1, 1]}, (1, 2, 4, 5)), (nn.AdaptiveAvgPool2d, {"output_size": [2, 2]}, (1, 2, 4, 5)))
layer("adaptive_max_pool", (nn.AdaptiveMaxPool1d, {"output_size": [3]}, (2, 2, 7)), (nn.AdaptiveMaxPool2d, {"output_size": [1, 1]}, (1, 2, 4, 5)),
      (nn.AdaptiveMaxPool2d, {"output_size": [2, 3]}, (2, 1, 5, 4)))
