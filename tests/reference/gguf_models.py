#!/usr/bin/env python3
"""Writes tests/reference/gguf_models: small random language models as .gguf files, and gguf_models_reference.h, the tokens
that llama.cpp generates from them with the logarithms of their probabilities, for tests/nn/test_decoder_gguf.c.

Needs llama.cpp and python3-gguf of Debian sid, in which heed's folder build is /mnt:

    tar c -C tests/reference gguf_models.py | tar x -C build
    bench/peers run python3 /mnt/gguf_models.py /mnt/gguf_models
    clang-format build/gguf_models/gguf_models_reference.h > tests/reference/gguf_models_reference.h
    cp build/gguf_models/*.gguf tests/reference/gguf_models

llama.cpp rounds the inputs of products to the type of the weights. The maps are therefore F16, and a model is drawn again, with
a different seed, until the most probable token leads by LEAD at every step.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import gguf
import numpy

VOCABULARY, SIZE, HEADS, GROUPS, FFN, LAYERS = 64, 32, 4, 2, 32, 2
PROMPT, TOKENS, LEAD, DISTINCT, PORT = [5, 33, 12, 60, 7, 19], 48, 0.06, 12, 9931
F32, F16, BF16, Q8_0 = (getattr(gguf.GGMLQuantizationType, name) for name in ("F32", "F16", "BF16", "Q8_0"))


def llama3_divisors(base, dims, factor=8.0, original=128.0, low=1.0, high=4.0):
    """The tensor rope_freqs.weight of Llama 3.1: the numbers by which RoPE's frequencies are divided."""
    divisors = []
    for i in range(0, dims, 2):
        wavelength = 2 * math.pi * base ** (i / dims)
        smooth = min(max((original / wavelength - low) / (high - low), 0.0), 1.0)
        divisors.append(1 / ((1 - smooth) / factor + smooth))
    return numpy.array(divisors, numpy.float32)


def yarn(writer):
    writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    writer.add_rope_scaling_factor(4.0)
    writer.add_rope_scaling_orig_ctx_len(128)


def linear(writer):
    writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    writer.add_rope_scaling_factor(2.5)


MODELS = {  # architecture, type of the embedding, size of a head, base, whether the output map is separate, scaling
    "llama": ("llama", Q8_0, 8, 10000.0, True, None),
    "mistral": ("llama", F32, 16, 1000.0, True, linear),
    "qwen2": ("qwen2", F16, 8, 1000.0, False, yarn),
    "qwen3": ("qwen3", BF16, 16, 1000000.0, False, None),
}


def add_vocabulary(writer):
    texts = ["<unk>", "<s>", "</s>", "<0x0A>"] + [f"t{i}" for i in range(4, VOCABULARY)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(texts)
    writer.add_token_scores([0.0] * VOCABULARY)
    writer.add_token_types([2, 3, 3, 6] + [1] * (VOCABULARY - 4))


def write_model(path, name, seed):
    arch, embedding, head, base, separate, scaling = MODELS[name]
    random, writer = numpy.random.default_rng(seed), gguf.GGUFWriter(path, arch)
    writer.add_context_length(256)
    writer.add_embedding_length(SIZE)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FFN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_key_length(head)
    writer.add_value_length(head)
    writer.add_layer_norm_rms_eps(1e-5 if arch == "llama" else 1e-6)
    writer.add_rope_freq_base(base)
    if arch == "llama":
        writer.add_rope_dimension_count(head)
    if scaling:
        scaling(writer)
    add_vocabulary(writer)

    def matrix(name, rows, columns, spread, kind=F16):
        values = (spread * random.standard_normal((rows, columns))).astype(numpy.float32)
        writer.add_tensor(f"{name}.weight", gguf.quants.quantize(values, kind), raw_dtype=kind)

    def vector(name, size, middle):
        writer.add_tensor(name, (middle + 0.3 * random.standard_normal(size)).astype(numpy.float32))
    matrix("token_embd", VOCABULARY, SIZE, 1.0, embedding)
    if separate:
        matrix("output", VOCABULARY, SIZE, 1.0)
    vector("output_norm.weight", SIZE, 1.0)
    if name == "llama":
        writer.add_tensor("rope_freqs.weight", llama3_divisors(base, head))
    for i in range(LAYERS):
        at, n, g = f"blk.{i}.", HEADS * head, GROUPS * head
        vector(at + "attn_norm.weight", SIZE, 1.0)
        vector(at + "ffn_norm.weight", SIZE, 1.0)
        for of, rows, columns in (("attn_q", n, SIZE), ("attn_k", g, SIZE), ("attn_v", g, SIZE), ("attn_output", SIZE, n),
                                  ("ffn_gate", FFN, SIZE), ("ffn_up", FFN, SIZE), ("ffn_down", SIZE, FFN)):
            matrix(at + of, rows, columns, 0.3)
        for of, size in (("attn_q", n), ("attn_k", g), ("attn_v", g)) if arch == "qwen2" else ():
            vector(f"{at}{of}.bias", size, 0.0)
        for of in ("attn_q_norm", "attn_k_norm") if arch == "qwen3" else ():
            vector(f"{at}{of}.weight", head, 1.5)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def complete(request):
    """The answer of llama-server, once it has loaded the model."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(urllib.request.Request(
                    f"http://127.0.0.1:{PORT}/completion", json.dumps(request).encode(),
                    {"Content-Type": "application/json"}), timeout=60) as answer:
                return json.load(answer)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise SystemExit("gguf_models.py: llama-server does not answer")


def generate(path):
    """The tokens that llama.cpp generates, the logarithms of their probabilities, and the smallest lead of one of them."""
    server = subprocess.Popen(["llama-server", "-m", path, "--port", str(PORT), "-fa", "off", "-ctk", "f32", "-ctv", "f32", "-c",
                               "256", "-t", "1", "-np", "1", "--no-warmup"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        answer = complete({"prompt": PROMPT, "n_predict": TOKENS, "temperature": 0.0, "top_k": 1, "n_probs": 2,
                           "return_tokens": True, "cache_prompt": False})
    finally:
        server.terminate()
        server.wait()
    steps = [[entry["logprob"] for entry in step["top_logprobs"]] for step in answer["completion_probabilities"]]
    return answer["tokens"], [step[0] for step in steps], min(step[0] - step[1] for step in steps)


def main(folder):
    folder.mkdir(exist_ok=True)
    text = ("/* tests/reference/gguf_models_reference.h - written by gguf_models.py. */\n#ifndef GGUF_MODELS_REFERENCE_H\n"
            "#define GGUF_MODELS_REFERENCE_H\n\n#include <stdint.h>\n\n"
            f"enum {{ GGUF_PROMPT = {len(PROMPT)}, GGUF_TOKENS = {TOKENS} }};\n\n"
            f"static const int64_t gguf_prompt[GGUF_PROMPT] = {{{', '.join(map(str, PROMPT))}}};\n"
            "static const struct gguf_model {\n    const char *name;\n    int64_t tokens[GGUF_TOKENS];\n"
            "    double log_p[GGUF_TOKENS];\n} gguf_models[] = {\n")
    for name in MODELS:
        for seed in range(1000):
            with tempfile.TemporaryDirectory() as scratch:
                path = f"{scratch}/{name}.gguf"
                write_model(path, name, seed)
                tokens, log_p, lead = generate(path)
                print(f"{name}, seed {seed}: {len(tokens)} tokens, {len(set(tokens))} distinct, lead {lead:.3f}", flush=True)
                if len(tokens) == TOKENS and len(set(tokens)) >= DISTINCT and lead >= LEAD:
                    (folder / f"{name}.gguf").write_bytes(pathlib.Path(path).read_bytes())
                    break
        text += f"{{\"{name}\", {{{', '.join(map(str, tokens))}}}, {{{', '.join(f'{p:.7g}' for p in log_p)}}}}},\n"
    (folder / "gguf_models_reference.h").write_text(text + "};\n\n#endif\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
