"""docs/figures/bench.py - the tables of speed, made of the files that `bench/compare --json build/figures/W1.json` etc. write.

docs/figures/bench.json is the record of these files: per workload the machine, date, commit and command, and the median of
every figure. A measurement replaces the workloads that it has; the others keep their earlier figures, and a message names
them.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import functools
import json
import re
import statistics
import sys
import textwrap
from collections import defaultdict

import measures
from measures import LOGS, ROOT, Failed

RECORD = ROOT / "docs" / "figures" / "bench.json"
ORIGIN = ("machine", "date", "commit")
COMMAND = "bench/compare --threads 1 --rounds 3 -s 0.15 -w {0} --json build/figures/{0}.json"
WORKLOADS = {
    "W1": "kernel regression", "W2": "masked softmax", "W3": "additive attention", "W4": "dot-product attention",
    "W5": "batches of matrix products", "W6": "an op on a tiny tensor", "W7": "training a multilayer perceptron",
    "W8": "training a character Transformer", "W9": "a process that does one op", "W10": "convolutions",
    "W11": "a layer of an LSTM", "W12": "generating text by a decoder with a cache", "W13": "`index_select`",
    "W14": "a step of a small network", "W15": "inference", "W16": "linear algebra",
}
NAMES = {"pytorch": "PyTorch"}
WORK = {"fwd": "forward", "fwdbwd": "forward and backward", "epoch": "an epoch", "train": "training", "wall": "wall time",
        "fwd no graph": "forward", "fwd with graph": "forward with a graph", "": ""}
UNITS = {"us": "µs", "ns/op": "ns"}
QUIET = 0.1  # cores that other processes may use, as in bench/compare
KEYS = ("case", "metric", "threads", "peer", "version")


# -- The files of bench/compare and their record ------------------------------------------------------------------------


def tell(text):
    print(f"scripts/figures: {text}", file=sys.stderr)


def parsed(path):
    """(head, lines) of a file. A line that an interrupted run left incomplete does not count."""
    objects = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
            if not all(key in line for key in (ORIGIN if number == 1 else (*KEYS, "workload", "value", "foreign"))):
                raise ValueError
            objects.append(line)
        except (TypeError, ValueError):
            if number == 1:
                raise Failed(f"{path.name} does not begin with machine, date and commit: measure again, or put the output of "
                             "`scripts/figures --origin` at its beginning") from None
            tell(f"{path.name}:{number}: not a line of bench/compare, is left out")
    if not objects:
        raise Failed(f"{path.name} is empty")
    return objects[0], objects[1:]


def medians(lines):
    """One line per case, metric and formulation of a library; of its rounds the median, and the largest use of the CPU by others."""
    rounds = defaultdict(list)
    for line in lines:
        rounds[(*(line[key] for key in KEYS), line.get("way", ""))].append(line)
    return [{**dict(zip((*KEYS, "way"), who)), "value": float(f"{statistics.median(line['value'] for line in same):.5g}"),
             "foreign": round(max(line["foreign"] for line in same), 3)} for who, same in rounds.items()]


def measured(workload, path):
    """The record's entry of a file."""
    head, lines = parsed(path)
    lines = [line for line in lines if line["workload"] == workload and line["metric"] != "cpu ms"
             and not line["metric"].endswith(" peak_rss_mb")]
    if not lines:
        raise Failed(f"{path.name} has no figures of {workload}")
    for case in head.get("cases", ()):
        peers = {line["peer"] for line in lines if f"{workload}/{line['case']}" == case}
        if case.startswith(f"{workload}/") and (not peers or peers == {"heed"}):
            tell(f"{path.name} has no figures of " + ("another library for " if peers else "") + case)
    return {**{key: head[key] for key in ORIGIN}, "command": head.get("command", COMMAND.format(workload)),
            "lines": medians(lines)}


def kept():
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def merged(record):
    """The record with the workloads that build/figures has; messages name the others."""
    for workload in WORKLOADS:
        path = LOGS / f"{workload}.json"
        rest = f"keeps its figures of {record[workload]['date']}" if workload in record else "has no figures"
        try:
            if not path.exists():
                raise Failed(f"{path.name} is missing (`{COMMAND.format(workload)}`)")
            new = measured(workload, path)
            if new["date"] < record.get(workload, new)["date"]:
                raise Failed(f"{path.name} of {new['date']} is older than docs/figures/bench.json")
            record[workload] = new
        except Failed as problem:
            tell(f"{workload} {rest}: {problem}")
    return {workload: record[workload] for workload in WORKLOADS if workload in record}


def write(record):
    entries = []
    for workload, entry in record.items():
        head = [f"{json.dumps(key)}: {json.dumps(entry[key], ensure_ascii=False)}" for key in (*ORIGIN, "command")]
        lines = ",\n".join(json.dumps(line, ensure_ascii=False) for line in entry["lines"])
        entries.append(f'"{workload}": {{{", ".join(head)}, "lines": [\n{lines}]}}')
    RECORD.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


@functools.cache
def results():
    """The record after the files of build/figures are merged into it; a trial does not write it."""
    record = merged(kept())
    if record and not measures.trial:
        write(record)
    return record


@functools.cache
def figures(workload):
    """{(case, threads): {metric: {(peer, version, way): line}}} in the order of the cases."""
    if workload not in results():
        raise Failed(f"docs/figures/bench.json and build/figures lack {workload}")
    cases = {}
    for line in results()[workload]["lines"]:
        metrics = cases.setdefault((line["case"], line["threads"]), {})
        metrics.setdefault(line["metric"], {})[line["peer"], line["version"], line["way"]] = line
    return cases


def origin(*workloads):
    """A function that returns machine, date and commit of workloads; several ones are joined."""
    def measure():
        entries = [results()[workload] for workload in workloads or results() if workload in results()]
        return {key: " and ".join(dict.fromkeys(entry[key] for entry in entries)) for key in ORIGIN}
    return measure


# -- A figure ---------------------------------------------------------------------------------------------------------


def short(number):
    """Two or three digits: 0.33, 3.1, 15.6, 123,000."""
    if number >= 100:
        return f"{int(float(f'{number:.3g}')):,}"
    return f"{number:.3g}" if number >= 9.95 else f"{number:#.2g}"


def times(number):
    return f"{number:,.{0 if number >= 9.95 else 1 if number >= 0.995 else 2}f}"


def version(text):
    """2.14.1 of 2.14.1+debian"""
    return re.split(r"[+~]", text)[0]


class Figure:
    """A metric of a case: heed, heed op by op, and the best other library. Memory is that of the same formulation."""

    def __init__(self, workload, case, metric, threads=1):
        self.name, self.metric = f"{workload} {case}", metric
        self.all = figures(workload).get((case, threads), {})
        self.peers = self.all.get(metric, {})
        heed = sorted(who for who in self.peers if who[0] == "heed")
        if not heed:
            raise Failed(f"bench/compare has no figure of heed for {self.name}, {metric}, with {threads} threads")
        self.choose = max if metric.endswith("/s") else min
        self.heed, self.ops = heed[0], heed[1] if len(heed) > 1 else None
        others = [who for who in self.peers if who[0] != "heed"]
        self.other = self.choose(others, key=self.value) if others else None

    def value(self, who, metric=None):
        return self.all[metric or self.metric][who]["value"]

    def memory(self, who):
        metric = "peak_rss_mb" if self.metric == "wall ms" else f"{self.metric.split()[0]} peak_extra_mb"
        return self.value(who, metric) if who in self.all.get(metric, {}) else None

    def text(self, who, unit=None, scale=1):
        """1.1 ms, 0.40 MB"""
        if not who:
            return ""
        memory = self.memory(who)
        unit = unit or UNITS.get(own := self.metric.split()[-1], own)
        return f"{short(scale * self.value(who))} {unit}" + (f", {short(max(memory, 0.0))} MB" if memory is not None else "")

    def speed(self):
        """How many times better heed is than the best other library."""
        if not self.other:
            raise Failed(f"bench/compare has no figure of another library for {self.name}, {self.metric}")
        ours, theirs = self.value(self.heed), self.value(self.other)
        return ours / theirs if self.choose is max else theirs / ours

    def is_slower(self):
        return bool(self.other) and self.speed() < 0.995

    def ratio(self):
        if not self.other:
            return ""
        loud = any(self.peers[who]["foreign"] > QUIET for who in (self.heed, self.other))
        text = times(self.speed()) + " ×"
        return (f"**{text}**" if self.is_slower() else text) + (r" \*" if loud else "")

    def formulation(self):
        if not self.other:
            return "not measured"
        peer, number, way = self.other
        return f"{NAMES.get(peer, peer)} {version(number)}" + (f", `{way}`" if way else "")


class Case:
    """The cells of a row of README.md."""

    def __init__(self, workload, case, metric, unit=None, scale=1):
        self.workload, self.key, self.unit, self.scale = workload, (workload, case, metric), unit, scale
        self.origin = origin(workload)

    def text(self, figure, who):
        if not who:
            raise Failed(f"bench/compare has no such figure for {figure.name}, {figure.metric}")
        return figure.text(who, self.unit, self.scale)

    def heed(self):
        return self.text(figure := Figure(*self.key), figure.heed)

    def op_by_op(self):
        return self.text(figure := Figure(*self.key), figure.ops)

    def other(self):
        return self.text(figure := Figure(*self.key), figure.other)

    def ratio(self):
        return times(Figure(*self.key).speed()) + " ×"


def torch_versions(workloads):
    """version 2.14, or the faster of versions 1.13 and 2.14"""
    def measure():
        found = {who[1] for workload in workloads for case in figures(workload).values() for peers in case.values()
                 for who in peers if who[0] == "pytorch"}
        pairs = sorted({tuple(map(int, version(text).split(".")[:2])) for text in found})
        if not pairs:
            raise Failed("bench/compare has no figure of PyTorch for the README's cases")
        names = " and ".join(f"{major}.{minor}" for major, minor in pairs)
        return f"version {names}" if len(pairs) == 1 else f"the faster of versions {names}"
    return measure


# -- The tables of docs/performance.md --------------------------------------------------------------------------------


def rows_of(workload):
    """[(label, Figure), ...] in the order of the cases; memory stands next to its time."""
    rows = []
    for (case, threads), metrics in figures(workload).items():
        for metric in metrics:
            if "peak_" in metric or not any(who[0] == "heed" for who in metrics[metric]):
                continue
            what = " ".join(metric.split()[:-1])
            label = ", ".join(filter(None, (case, WORK.get(what, what), f"{threads} threads" if threads != 1 else "")))
            rows.append((label, Figure(workload, case, metric, threads)))
    return rows


def table(rows):
    """The rows in Markdown; a table without fused ops has no column for heed op by op."""
    fused = any(figure.ops for _, figure in rows)
    columns = ["case", "heed", *(["heed, op by op"] if fused else []), "best other library", "ratio", "library and formulation"]
    lines = [columns]
    for label, figure in rows:
        ops = [figure.text(figure.ops)] if fused else []
        lines.append([label, figure.text(figure.heed), *ops, figure.text(figure.other), figure.ratio(), figure.formulation()])
    texts = ["|" + "".join(f" {cell} |" if cell else " |" for cell in cells) for cells in lines]
    return "\n".join([texts[0], "|" + "---|" * len(columns), *texts[1:]])


def filled(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def header():
    """Machine, date, commit and command, per group of workloads that have them in common; and the other libraries."""
    groups, peers = defaultdict(list), set()
    for workload, entry in results().items():
        command = re.sub(rf"\b{workload}\b", "W", entry["command"])
        groups[tuple(entry[key] for key in ORIGIN), command].append(workload)
        peers |= {(NAMES.get(line["peer"], line["peer"]), version(line["version"])) for line in entry["lines"]
                  if line["peer"] != "heed"}
    parts = []
    for ((machine, date, commit), command), workloads in groups.items():
        which = "All workloads" if len(workloads) == len(WORKLOADS) else ", ".join(workloads)
        parts.append(filled(f"{which}: {machine}, {date}, commit {commit}. The command, where W is the name of a workload:"))
        parts.append(f"```\n{command}\n```")
    parts.append(filled(f"Other libraries: {', '.join(' '.join(peer) for peer in sorted(peers)) or 'none'}."))
    missing = [workload for workload in WORKLOADS if workload not in results()]
    if missing:
        parts.append(filled(f"Not measured: {', '.join(missing)}."))
    return "\n\n".join(parts)


def slower(rows):
    """The rows in which another library is faster."""
    found = [(label, figure) for label, figure in rows if figure.is_slower()]
    count = sum(bool(figure.other) for _, figure in rows)
    lines = [filled(f"Another library is faster in {len(found)} of {count} rows" + (":" if found else "."))]
    if found:
        lines.append("\n".join(f"- {label}: {times(figure.speed())} ×, {figure.formulation()}" for label, figure in found))
    return "\n\n".join(lines)


def page():
    """The text below a heading of docs/performance.md, up to the next heading of its level."""
    if not results():
        raise Failed("build/figures has no file of bench/compare")
    parts, every = [header()], []
    for workload in results():
        rows = rows_of(workload)
        every += [(f"{workload} {label}", figure) for label, figure in rows]
        parts.append(f"### {workload}: {WORKLOADS[workload]}\n\n{table(rows)}")
    return "\n\n".join([*parts, f"### Rows below 1\n\n{slower(every)}"])
