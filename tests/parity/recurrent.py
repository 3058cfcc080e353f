"""tests/parity/recurrent.py - reference results of recurrences and recurrent layers, from torch, and of the book's
sequence-to-sequence model with Bahdanau attention, implemented here."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention import additive
from case import case, integers, lengths, module_case, real, reference
from modules import filled, parameters_of


# Lengths by batch size and number of steps; the shorter sequences are not the last ones.
LENGTHS = {(2, 3): lengths(1, 3), (1, 1): lengths(1), (1, 4): lengths(3), (3, 2): lengths(1, 2, 1), (2, 2): lengths(1, 2),
           (1, 5): lengths(2)}


def recurrent(kind, states, **more):
    """Cases of a torch.nn layer with this number of states, in and out."""
    deep, first = {"num_layers": 2}, {"batch_first": True, "num_layers": 3}
    evaluated = {"training": False, "dropout": 0.5}
    both = {"bidirectional": True}
    for size, hidden, options, (steps, batch) in ((3, 2, {}, (3, 2)), (1, 1, {}, (1, 1)), (2, 3, deep, (4, 1)),
                                                  (2, 2, first, (2, 3)), (2, 2, {**deep, **evaluated}, (2, 2)),
                                                  (3, 2, {"no_bias": True}, (5, 1)), (2, 2, both, (3, 2)),
                                                  (1, 2, {**both, **deep, **evaluated}, (2, 2)),
                                                  (2, 1, {**both, **first, "no_bias": True}, (2, 2))):
        for with_state, lens in ((False, None), (True, None), (True, LENGTHS[batch, steps])):
            layers, directions = options.get("num_layers", 1), 1 + ("bidirectional" in options)
            net = filled(kind(size, hidden, layers, bias="no_bias" not in options, batch_first="batch_first" in options,
                              dropout=options.get("dropout", 0.0), bidirectional="bidirectional" in options,
                              **more)).train(options.get("training", True))
            shape = (batch, steps, size) if net.batch_first else (steps, batch, size)
            before = [real(directions * layers, batch, hidden) if with_state else None for _ in range(states)]

            def forward(x, lens, *h):
                given = (h[0] if states == 1 else h) if with_state else None
                if lens is None:
                    y, after = net(x, given)
                else:
                    packed = pack_padded_sequence(x, lens, net.batch_first, enforce_sorted=False)
                    y, after = net(packed, given)
                    y, _ = pad_packed_sequence(y, net.batch_first, total_length=steps)
                return y, *([after] if states == 1 else after)
            yield module_case(forward, parameters_of(net), [real(*shape), lens, *before], input_size=size,
                              hidden_size=hidden, **options)


@reference("nn_gru")
def gru():
    yield from recurrent(nn.GRU, 1)


@reference("nn_rnn")
def rnn():
    yield from recurrent(nn.RNN, 1)
    for case in recurrent(nn.RNN, 1, nonlinearity="relu"):
        case["args"]["activation"] = "relu"
        yield case


@reference("nn_lstm")
def lstm():
    yield from recurrent(nn.LSTM, 2)


def cell_of(kind, x, w, b, before):
    """Runs a torch layer whose gates have the inputs x. Returns y (T, 1, h) and the states (S, 1, h)."""
    weights = [torch.eye(w.shape[0], dtype=x.dtype), w, torch.zeros_like(b), b]
    if kind == "lstm":
        y, *after = torch.lstm(x, [before[:1], before[1:]], weights, True, 1, 0.0, False, False, False)
        return y, torch.cat(after)
    run = {"tanh": torch.rnn_tanh, "relu": torch.rnn_relu, "gru": torch.gru}[kind]
    return run(x, before, weights, True, 1, 0.0, False, False, False)


def recur(kind, reverse, x, w, before, b=None, valid_lens=None):
    """Runs every sequence separately, with its length, reversed before and after if `reverse`."""
    outputs, states = [], []
    b = torch.zeros(w.shape[0], dtype=x.dtype) if b is None else b
    for i in range(x.shape[1]):
        length = x.shape[0] if valid_lens is None else int(valid_lens[i])
        own, after = x[:length, i:i + 1], before[:, i:i + 1]
        if length:
            own, after = cell_of(kind, own.flip(0) if reverse else own, w, b, after)
            own = own.flip(0) if reverse else own
        else:
            own = x.new_zeros(0, 1, w.shape[1])
        outputs.append(torch.cat([own, x.new_zeros(x.shape[0] - length, 1, w.shape[1])]))
        states.append(after)
    return torch.cat(outputs, 1), torch.cat(states, 1)


@reference("recurrence")
def recurrence():
    for kind, gates, states in (("tanh", 1, 1), ("relu", 1, 1), ("gru", 3, 1), ("lstm", 4, 2)):
        for steps, batch, h, lens in ((3, 1, 2, None), (2, 2, 1, None), (3, 2, 1, lengths(1, 3)), (2, 3, 1, lengths(2, 0, 1))):
            for reverse in (False, True):
                x, w, before = real(steps, batch, gates * h), real(gates * h, h), real(states, batch, h)
                b = real(gates * h) if reverse else None
                yield case(lambda x, w, b, before, lens: recur(kind, reverse, x, w, before, b, lens),
                           [x, w, b, before, lens], cell=kind, reverse=reverse)


class Encoder(nn.Module):
    def __init__(self, vocab, embed, hidden, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embed)
        self.rnn = nn.GRU(embed, hidden, layers, batch_first=True)

    def forward(self, tokens):
        return self.rnn(self.embedding(tokens))


class Attention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.W_k, self.W_q = nn.Linear(hidden, hidden, False), nn.Linear(hidden, hidden, False)
        self.w_v = nn.Linear(hidden, 1, False)

    def forward(self, queries, memory, valid_lens):
        return additive(queries, memory, memory, valid_lens, self.W_q.weight, self.W_k.weight, self.w_v.weight)


class Decoder(nn.Module):
    def __init__(self, vocab, embed, hidden, layers):
        super().__init__()
        self.attention = Attention(hidden)
        self.embedding = nn.Embedding(vocab, embed)
        self.rnn = nn.GRU(embed + hidden, hidden, layers, batch_first=True)
        self.dense = nn.Linear(hidden, vocab)

    def forward(self, tokens, memory, valid_lens, state):
        """The logits, the state after the last token, and the weights of all steps."""
        outputs, weights = [], []
        for x in self.embedding(tokens).split(1, 1):
            context, w = self.attention(state[-1][:, None], memory, valid_lens)
            output, state = self.rnn(torch.cat([context, x], -1), state)
            outputs.append(output)
            weights.append(w)
        return self.dense(torch.cat(outputs, 1)), state, torch.cat(weights, 1)


SIZES = [(5, 3, 2, 1), (4, 1, 3, 2), (2, 2, 1, 1)]  # vocabulary, embedding, hidden units, layers


def sizes(vocab, embed, hidden, layers):
    return dict(vocab_size=vocab, embed_size=embed, hidden_size=hidden, num_layers=layers)


@reference("nn_seq2seq_encoder")
def seq2seq_encoder():
    for numbers, (batch, steps) in zip(SIZES, ((2, 3), (1, 4), (3, 1))):
        net = filled(Encoder(*numbers))
        yield module_case(net, parameters_of(net), [integers(batch, steps, high=numbers[0])], **sizes(*numbers))


@reference("nn_bahdanau_decoder")
def bahdanau_decoder():
    for numbers, (batch, steps), lens in zip(SIZES, ((2, 3), (1, 4), (3, 1)), (lengths(2, 4), None, lengths(1, 3, 0))):
        for weights in (False, True):
            net = filled(Decoder(*numbers))
            inputs = [integers(batch, steps, high=numbers[0]), real(batch, 4, numbers[2]), lens,
                      real(numbers[3], batch, numbers[2])]
            yield module_case(lambda *t: net(*t)[:3 if weights else 2], parameters_of(net), inputs,
                              no_grad_outputs=(2,), **sizes(*numbers))
