#!/usr/bin/env python3
"""Writes what PyTorch's layers compute, f64: outputs and gradients, for tests/test_nn_{layers,transformer,recurrent}.c.

    /usr/bin/python3 tests/reference/layers_reference.py

writes {layers,transformer,recurrent}_reference.h beside itself. Inputs and parameters are made by a formula on both
sides: element i of tensor k is sin(1.3 i + 0.9 k + 0.4) times a scale. The inputs of a case are the tensors 0, 1, ...,
its parameters 10, 11, ... in PyTorch's order, and what the outputs are multiplied with for the loss, whose gradients are
taken, 50, 51, .... Where PyTorch has no such layer, the book's model is written out here in PyTorch.
"""
import pathlib
import textwrap

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def made(k, *shape, scale=1.0):
    i = torch.arange(torch.Size(shape).numel())
    return (torch.sin(1.3 * i + 0.9 * k + 0.4) * scale).reshape(shape)


def numbers(tensors):
    flat = torch.cat([t.detach().reshape(-1) for t in tensors])
    return ", ".join("%.15g" % v for v in flat.tolist())


def shapes(module):
    named = ["%s (%s)" % (n, ", ".join(map(str, p.shape))) for n, p in module.named_parameters()]
    return " ".join(named)


def wrapped(text, before, after, end):
    """Lines of C: parts of a string constant when there are quotes around them."""
    lines = textwrap.wrap(text, 108, break_long_words=False)
    if not lines:
        return before + after.strip() + end
    return "\n".join(before + line + after for line in lines) + end


def case(name, module, run, *inputs):
    """run(*inputs) gives the outputs; the numbers are these and the gradients by inputs and parameters."""
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(made(10 + k, *p.shape, scale=0.7))
    inputs = [t.requires_grad_() if t.is_floating_point() else t for t in inputs]
    outputs = run(*inputs)
    loss = sum((y * made(50 + j, *y.shape)).sum() for j, y in enumerate(outputs) if y.requires_grad)
    leaves = [t for t in inputs if t.requires_grad] + list(module.parameters())
    gradients = torch.autograd.grad(loss, leaves)
    return '    {"%s",\n%s\n     (const double[]){\n%s}},' % (
        name, wrapped(shapes(module), '     "', ' "', ","), wrapped(numbers([*outputs, *gradients]), "      ", "", ""))


# -- Layers --------------------------------------------------------------------------------------------------------


def layers():
    x = made(0, 2, 2, 3)
    for bias in (True, False):
        linear = nn.Linear(3, 2, bias=bias)
        yield case("linear" if bias else "linear without bias", linear, lambda x: [linear(x)], x.clone())
    norm = nn.LayerNorm(3)
    yield case("norm", norm, lambda x: [norm(x)], x.clone())
    norm2 = nn.LayerNorm((2, 3), eps=0.1)
    yield case("norm of two axes", norm2, lambda x: [norm2(x)], x.clone())
    plain = nn.LayerNorm(3, elementwise_affine=False)
    yield case("plain norm", plain, lambda x: [plain(x)], x.clone())
    table = nn.Embedding(5, 3)
    yield case("embedding", table, lambda: [table(torch.tensor([[4, 0, 2], [2, 2, 1]]))])


# -- Transformer -----------------------------------------------------------------------------------------------------


def block(**options):
    return nn.TransformerEncoderLayer(4, 2, 3, dropout=0.0, batch_first=True, **options)


def transformer():
    causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
    padding = torch.tensor([[False, False, True], [False, False, False]])
    x = made(0, 2, 3, 4)
    for name, options, masks in (
            ("post-norm relu", {}, {}),
            ("pre-norm relu", {"norm_first": True}, {}),
            ("post-norm gelu", {"activation": "gelu", "layer_norm_eps": 0.01}, {}),
            ("pre-norm gelu causal", {"activation": "gelu", "norm_first": True}, {"src_mask": causal}),
            ("post-norm relu padding", {}, {"src_key_padding_mask": padding}),
            ("pre-norm gelu causal padding", {"activation": "gelu", "norm_first": True},
             {"src_mask": causal, "src_key_padding_mask": padding})):
        layer = block(**options)
        yield case(name, layer, lambda x: [layer(x, **masks)], x.clone())


# -- Recurrent -------------------------------------------------------------------------------------------------------


class Encoder(nn.Module):
    """The book's Seq2SeqEncoder."""

    def __init__(self, vocab, embed, hiddens, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embed)
        self.rnn = nn.GRU(embed, hiddens, layers)

    def forward(self, tokens):
        outputs, state = self.rnn(self.embedding(tokens).permute(1, 0, 2))
        return outputs.permute(1, 0, 2), state


class AdditiveAttention(nn.Module):
    def __init__(self, hiddens):
        super().__init__()
        self.W_k = nn.Linear(hiddens, hiddens, bias=False)
        self.W_q = nn.Linear(hiddens, hiddens, bias=False)
        self.w_v = nn.Linear(hiddens, 1, bias=False)

    def forward(self, query, memory, lengths):
        scores = self.w_v(torch.tanh(self.W_q(query).unsqueeze(2) + self.W_k(memory).unsqueeze(1))).squeeze(-1)
        if lengths is not None:
            beyond = torch.arange(memory.shape[1]) >= lengths[:, None]
            scores = scores.masked_fill(beyond[:, None, :], float("-inf"))
        weights = torch.softmax(scores, -1)
        return weights @ memory, weights


class Decoder(nn.Module):
    """The book's Seq2SeqAttentionDecoder."""

    def __init__(self, vocab, embed, hiddens, layers):
        super().__init__()
        self.attention = AdditiveAttention(hiddens)
        self.embedding = nn.Embedding(vocab, embed)
        self.rnn = nn.GRU(embed + hiddens, hiddens, layers)
        self.dense = nn.Linear(hiddens, vocab)

    def forward(self, tokens, memory, state, lengths):
        outputs, weights = [], []
        for x in self.embedding(tokens).permute(1, 0, 2):
            context, w = self.attention(state[-1].unsqueeze(1), memory, lengths)
            out, state = self.rnn(torch.cat((context, x.unsqueeze(1)), -1).permute(1, 0, 2), state)
            outputs.append(out)
            weights.append(w.detach())
        return self.dense(torch.cat(outputs).permute(1, 0, 2)), state, torch.cat(weights, 1)


def recurrent():
    x, h = made(0, 4, 2, 3), made(1, 2, 2, 2)
    for name, options in (("gru", {}), ("gru of one layer", {"num_layers": 1}),
                          ("gru without bias", {"bias": False}), ("gru batch first", {"batch_first": True})):
        gru = nn.GRU(3, 2, **{"num_layers": 2, **options})
        given = [x.transpose(0, 1).contiguous() if gru.batch_first else x.clone()]
        if gru.num_layers == 2:
            given.append(h.clone())
        yield case(name, gru, lambda *given: gru(*given), *given)
    encoder = Encoder(5, 2, 3, 2)
    tokens = torch.tensor([[1, 0, 4, 1], [3, 3, 2, 0]])
    yield case("encoder", encoder, lambda: encoder(tokens))
    decoder = Decoder(5, 2, 3, 2)
    memory, state = made(0, 2, 4, 3), made(1, 2, 2, 3)
    for name, lengths in (("decoder", None), ("decoder with lengths", torch.tensor([3, 1]))):
        yield case(name, decoder, lambda m, s: decoder(tokens[:, :3], m, s, lengths), memory.clone(), state.clone())


def write(name, cases):
    path = pathlib.Path(__file__).with_name(name + "_reference.h")
    guard = name.upper() + "_REFERENCE_H"
    lines = ["/* tests/reference/%s - written by layers_reference.py with PyTorch %s. */" % (path.name, torch.__version__),
             "/* clang-format off */", "#ifndef " + guard, "#define " + guard, "",
             "/* Parameters in PyTorch's order; outputs, gradients by inputs, gradients by parameters. */",
             "static const layer_reference %s_references[] = {" % name, *cases, "};", "", "#endif", ""]
    path.write_text("\n".join(lines))


for subject in (layers, transformer, recurrent):
    write(subject.__name__, subject())
