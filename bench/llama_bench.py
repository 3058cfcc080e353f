#!/usr/bin/env python3
"""llama_bench.py - W12 in llama.cpp, with the names and lines of heed_bench.

Writes a Llama of W12's sizes with random f32 weights as a GGUF file, and times it by llama-bench (one text) and
llama-batched-bench (several texts). The cache is f16, llama.cpp's default; llama-bench has no f32. Needs llama.cpp and python3-gguf of Debian sid:

    bench/peers run python3 - -w W12 < bench/llama_bench.py
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import argparse
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time

VOCABULARY, PROMPT, TOKENS = 4096, 32, 64
CASES = [  # as in w12_decoder.c: texts, d, heads, key-value heads, feed-forward size, layers
    ("W12", "llama d512 h8 kv4 L6 B1", (1, 512, 8, 4, 1376, 6), True),
    ("W12", "llama d512 h8 kv4 L6 B16", (16, 512, 8, 4, 1376, 6), True),
    ("N12", "llama d64 h4 kv2 L2 B1", (1, 64, 4, 2, 172, 2), False),
    ("N12", "llama d272 h8 kv1 L4 B5", (5, 272, 8, 1, 731, 4), True),
]
WAYS = {"": "off", "flash": "on"}  # of attention


def write_model(path, d, heads, groups, ffn, layers):
    import gguf
    import numpy
    random = numpy.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(PROMPT + TOKENS)
    writer.add_embedding_length(d)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(ffn)
    writer.add_head_count(heads)
    writer.add_head_count_kv(groups)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(d // heads)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("no_vocab")

    def matrix(name, rows, columns):
        writer.add_tensor(f"{name}.weight", (0.02 * random.standard_normal((rows, columns))).astype(numpy.float32))

    def norm(name):
        writer.add_tensor(f"{name}.weight", numpy.ones(d, numpy.float32))
    matrix("token_embd", VOCABULARY, d)
    matrix("output", VOCABULARY, d)
    norm("output_norm")
    inner = d // heads * groups
    for i in range(layers):
        norm(f"blk.{i}.attn_norm")
        norm(f"blk.{i}.ffn_norm")
        for name, rows, columns in (("attn_q", d, d), ("attn_k", inner, d), ("attn_v", inner, d), ("attn_output", d, d),
                                    ("ffn_gate", ffn, d), ("ffn_up", ffn, d), ("ffn_down", d, ffn)):
            matrix(f"blk.{i}.{name}", rows, columns)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def busy():
    """CPU seconds that all processes have used so far on the processors that this one may use."""
    ours = [f"cpu{i}" for i in os.sched_getaffinity(0)]
    with open("/proc/stat") as f:
        ticks = [[int(x) for x in words[1:8]] for words in map(str.split, f) if words[0] in ours]
    return sum(sum(v) - v[3] - v[4] for v in ticks) / os.sysconf("SC_CLK_TCK")


def children():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def lines(command):
    """The JSON lines that a command prints, and the CPU use of other processes meanwhile."""
    begin, before = time.perf_counter(), busy() - children()
    p = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    foreign = max(0.0, (busy() - children() - before) / (time.perf_counter() - begin))
    return [json.loads(line) for line in p.stdout.splitlines() if line.startswith("{")], foreign


def generate(model, texts, attention, a):
    """Seconds of every generation of TOKENS tokens after a prompt, and the CPU use of other processes meanwhile."""
    common = ["-m", model, "-t", str(a.threads), "-fa", attention]
    repeats = 1 if a.quick else max(3, round(a.seconds / 0.3))
    if texts == 1:
        found, foreign = lines(["llama-bench", *common, "-p", "0", "-n", "0", "-pg", f"{PROMPT},{TOKENS}", "-r", str(repeats),
                                "-o", "jsonl"])
        return [1e-9 * ns for ns in found[0]["samples_ns"]], foreign
    counts = ",".join([str(texts)] * repeats)
    found, foreign = lines(["llama-batched-bench", *common, "-c", str(texts * (PROMPT + TOKENS)), "-npp", str(PROMPT), "-ntg",
                            str(TOKENS), "-npl", counts, "--output-format", "jsonl"])
    return [line["t_pp"] + line["t_tg"] for line in found], foreign


def version():
    p = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "llama.cpp-tools"], capture_output=True, text=True)
    return p.stdout.split(":")[-1].split("+")[0]


def measure(workload, name, sizes, way, a):
    with tempfile.TemporaryDirectory() as folder:
        write_model(f"{folder}/model.gguf", *sizes[1:])
        seconds, foreign = generate(f"{folder}/model.gguf", sizes[0], WAYS[way], a)
    rates = sorted(sizes[0] * TOKENS / s for s in seconds)
    print(json.dumps({"peer": "llama.cpp", "version": version(), "workload": workload, "case": name, "way": way,
                      "threads": a.threads, "metric": "tokens/s", "value": rates[len(rates) // 2], "min": rates[0],
                      "max": rates[-1], "n": len(rates), "foreign": round(foreign, 3)}), flush=True)


def main():
    parser = argparse.ArgumentParser(description="Times llama.cpp on W12 of heed_bench.")
    parser.add_argument("-w", "--workloads", default="", help="W12, N12")
    parser.add_argument("-c", "--case", default="", help="only cases whose name contains this")
    parser.add_argument("-e", "--exact", action="store_true", help="only the case with exactly this name")
    parser.add_argument("-t", "--threads", type=int, default=1)
    parser.add_argument("-s", "--seconds", type=float, default=1.2, help="time per figure")
    parser.add_argument("-q", "--quick", action="store_true", help="one sample per figure and no large cases, to see that it works")
    a = parser.parse_args()
    if not shutil.which("llama-bench"):
        raise SystemExit("llama_bench.py: llama-bench is missing")
    for workload, name, sizes, heavy in CASES:
        if (a.workloads and workload not in a.workloads.split(",")) or (name != a.case if a.exact else a.case not in name) or \
           (heavy and a.quick):
            continue
        for way in WAYS:
            measure(workload, name, sizes, way, a)


if __name__ == "__main__":
    main()
