#!/usr/bin/env python3
"""Writes sample_reference.h: probabilities of sampled tokens, and sequences of a small model with a penalty for repetitions,
float64, for tests/nn/test_sample.c.

    /usr/bin/python3 tests/reference/sample_reference.py | clang-format > tests/reference/sample_reference.h

The steps follow the definitions of Hugging Face's RepetitionPenaltyLogitsProcessor, TemperatureLogitsWarper,
TopKLogitsWarper, TopPLogitsWarper and MinPLogitsWarper, in the order in which its generate() applies them. In its beam
search, the penalty acts on the logarithms of probabilities.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import itertools

import numpy

LOGITS = [[1.5, -0.25, 2.0, 0.5, -1.0, 1.75, 0.0, -3.0], [-1.0, -0.5, -2.0, -0.75, -1.5, -4.0, -0.625, -0.875]]
HISTORY = [[2, 5, 2, -1, 7], [1, -1, -1, 0, 6]]
CASES = [  # penalty, temperature, top_k, top_p, min_p
    (1.0, 1.0, 0, 0.0, 0.3), (1.0, 0.5, 0, 0.0, 0.3), (1.0, 2.0, 0, 0.0, 0.55), (1.0, 1.0, 4, 0.0, 0.5),
    (1.0, 1.0, 0, 0.8, 0.1), (1.0, 0.7, 5, 0.9, 0.2), (1.0, 1.0, 0, 0.0, 1.0), (1.3, 1.0, 0, 0.0, 0.0),
    (2.0, 1.0, 3, 0.0, 0.0), (1.5, 0.8, 6, 0.95, 0.15), (0.5, 1.5, 0, 0.9, 0.0), (4.0, 1.0, 0, 0.0, 0.9)]
MODEL = (numpy.random.RandomState(3).normal(1.0, 0.4, (6, 6)) * 64).round() / 64  # the logits after every token
PROMPTS, EARLIER = [[0, 1], [3, 3]], [[2, -1], [-1, 5]]
STEPS, BEAM_STEPS = 12, 3


def log_softmax(z):
    z = numpy.asarray(z, float)
    return z - z.max() - numpy.log(numpy.exp(z - z.max()).sum())


def penalised(scores, tokens, penalty):
    scores = numpy.array(scores, float)
    for token in {t for t in tokens if t >= 0}:
        scores[token] = scores[token] / penalty if scores[token] > 0 else scores[token] * penalty
    return scores


def probabilities(logits, tokens, penalty, temperature, top_k, top_p, min_p):
    z = penalised(logits, tokens, penalty) / temperature
    if top_k:
        z = numpy.where(z < numpy.sort(z)[-top_k], -numpy.inf, z)
    if top_p:
        ascending = numpy.argsort(z, kind="stable")
        cumulative = numpy.cumsum(numpy.exp(log_softmax(z[ascending])))
        removed = cumulative <= 1 - top_p
        removed[-1] = False
        z[ascending[removed]] = -numpy.inf
    if min_p:
        p = numpy.exp(log_softmax(z))
        z = numpy.where(p < min_p * p.max(), -numpy.inf, z)
    return numpy.exp(log_softmax(z))


def greedy(tokens, earlier, penalty):
    tokens = list(tokens)
    for _ in range(STEPS):
        tokens.append(int(penalised(MODEL[tokens[-1]], earlier + tokens, penalty).argmax()))
    return tokens[-STEPS:]


def beams(prompt, earlier, penalty):
    """All sequences with their sums of penalised logarithms, best first."""
    found = []
    for tokens in itertools.product(range(len(MODEL)), repeat=BEAM_STEPS):
        before, total = list(prompt), 0.0
        for token in tokens:
            total += penalised(log_softmax(MODEL[before[-1]]), earlier + before, penalty)[token]
            before.append(token)
        found.append((-total, tokens))
    return [(t, -total) for total, t in sorted(found)]


def main():
    print("/* tests/reference/sample_reference.h - written by sample_reference.py. */\n#ifndef SAMPLE_REFERENCE_H\n"
          "#define SAMPLE_REFERENCE_H\n\n#include <stdint.h>\n")

    def show(kind, name, numbers):
        text = ", ".join(str(int(n)) if kind == "int64_t" else float(n).hex() for n in numpy.ravel(numbers))
        print(f"static const {kind} {name}[] = {{{text}}};")
    print(f"enum {{ SAMPLE_VOCABULARY = {len(LOGITS[0])}, MODEL_VOCABULARY = {len(MODEL)}, GREEDY_STEPS = {STEPS}, "
          f"BEAM_STEPS = {BEAM_STEPS} }};\n")
    show("double", "sample_logits", LOGITS)
    show("int64_t", "sample_history", HISTORY)
    print("static const struct sample_case {\n    double penalty, temperature;\n    int64_t top_k;\n    double top_p, min_p;\n"
          "    double p[2][SAMPLE_VOCABULARY];\n} sample_cases[] = {")
    for case in CASES:
        rows = ["{" + ", ".join(f"{p:.17g}" for p in probabilities(z, h, *case)) + "}" for z, h in zip(LOGITS, HISTORY)]
        print("    {" + ", ".join(map(str, case)) + ", {" + ", ".join(rows) + "}},")
    print("};")
    show("double", "model_logits", MODEL)
    show("int64_t", "model_prompts", PROMPTS)
    show("int64_t", "model_earlier", EARLIER)
    show("int64_t", "greedy_tokens", [greedy(p, [], 2.0) for p in PROMPTS])
    show("int64_t", "greedy_tokens_earlier", [greedy(p, e, 2.0) for p, e in zip(PROMPTS, EARLIER)])
    ranked = [beams(p, e, 1.5) for p, e in zip(PROMPTS, EARLIER)]
    show("int64_t", "beam_tokens", [[t for t, _ in r] for r in ranked])
    show("double", "beam_scores", [[score for _, score in r] for r in ranked])
    print("\n#endif")


if __name__ == "__main__":
    main()
