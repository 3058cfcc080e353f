"""tests/parity/recurrent.py - references of the recurrent layers: torch.nn's, and the book's sequence-to-sequence
model with Bahdanau attention, written out."""
import torch
from torch import nn

from attention import additive
from case import integers, lengths, module_case, real, reference
from modules import filled, parameters_of


def recurrent(kind, states, **more):
    """Cases of a torch.nn layer with that many states, in and out."""
    deep, first = {"num_layers": 2}, {"batch_first": True, "num_layers": 3}
    evaluated = {"training": False, "dropout": 0.5}
    for size, hidden, options, (steps, batch) in ((3, 2, {}, (3, 2)), (1, 1, {}, (1, 1)), (2, 3, deep, (4, 1)),
                                                  (2, 2, first, (2, 3)), (2, 2, {**deep, **evaluated}, (2, 2)),
                                                  (3, 2, {"no_bias": True}, (5, 1))):
        for with_state in (False, True):
            layers = options.get("num_layers", 1)
            net = filled(kind(size, hidden, layers, bias="no_bias" not in options, batch_first="batch_first" in options,
                              dropout=options.get("dropout", 0.0), **more)).train(options.get("training", True))
            shape = (batch, steps, size) if net.batch_first else (steps, batch, size)
            before = [real(layers, batch, hidden) if with_state else None for _ in range(states)]

            def forward(x, *h):
                given = h[0] if states == 1 else h
                y, after = net(x, given if with_state else None)
                return y, *([after] if states == 1 else after)
            yield module_case(forward, parameters_of(net), [real(*shape), *before], input_size=size,
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
        """Logits, the state after the last token, the weights of all steps."""
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
