"""manual_form.py - the form of a public function's comment: a part of the rule `manual` of scripts/lint.

    /* Computes the softmax along `axis`.            one complete sentence first
     * x: f32 or f64.                                then prose, formulas and shapes
     *
     * Returns: ...                                  then labelled lines, each at most once, in this order
     * Errors: HEED_ERR_SHAPE if x lacks the axis.
     * Reference: ...
     * torch: torch.nn.functional.softmax */

CHECKS has a row per rule. docs/manual/README.md describes the form.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re

LABELS = ("Returns", "Errors", "Reference", "torch", "numpy")  # in the order in which they may occur
NO_LABELS = ("Error", "Fails", "Failure", "Failures", "Raises", "Throws", "Return", "Result", "Results", "References", "Ref",
             "Source", "Sources", "See", "See also", "Note", "Notes", "Params", "Parameters", "PyTorch", "Pytorch", "Torch",
             "NumPy", "Numpy", "errors", "returns", "reference")
LABELLED = re.compile(rf"({'|'.join(LABELS)}):")
CANNOT_FAIL = re.compile(r"\b(?:cannot|never) fails?\b", re.I)
FIRST_WORD = re.compile(r"(?:[A-Z][a-z]+s|An?|The) ")  # a verb in the third person, or the subject of a sentence


def split_form(comment):
    """The lines of prose before the first label, and [label, lines] for every labelled line with its continuation."""
    prose, labelled = [], []
    for line in comment.split("\n"):
        if found := LABELLED.match(line):
            labelled.append([found[1], [line]])
        else:
            (labelled[-1][1] if labelled else prose).append(line)
    return prose, labelled


def first_sentence(item):
    prose = "\n".join(split_form(item.whole)[0])
    first = re.split(r"\n(?=\n|    )", prose)[0]  # up to the first empty line or formula
    if not FIRST_WORD.match(first):
        return "does not begin with a verb in the third person (\"Returns\") or with a subject (\"The\")"
    if not re.search(r"\S\.(?=\s|$)|:$", first):
        return "its first sentence does not end with a full stop, or with a colon before a formula"
    return None


def known_labels(item):
    if found := re.search(rf"^(?:{'|'.join(NO_LABELS)}):", item.whole, re.M):
        return f"{found[0]} is no label; the labels are {', '.join(LABELS)}"
    return None


def label_begins_a_line(item):
    for line in item.whole.split("\n"):
        if found := re.search(r"\S\s+((?:Returns|Errors|Reference|torch):)(?: |$)", line):
            return f"{found[1]} stands within a line, not at its beginning"
    return None


def order_of_labels(item):
    labels = [label for label, _ in split_form(item.whole)[1]]
    for label in labels:
        if labels.count(label) > 1:
            return f"{label}: is there twice"
    if labels != sorted(labels, key=LABELS.index):
        return f"the order of {', '.join(labels)} is not {', '.join(label for label in LABELS if label in labels)}"
    return None


def prose_comes_first(item):
    for label, lines in split_form(item.whole)[1]:
        if any(not line for line in lines):
            return f"an empty line, and perhaps prose, follows {label}:"
        if label in ("Errors", "Reference") and any(re.match("Returns ", line) for line in lines):
            return f"what it returns is said after {label}:, not before"
    return None


def errors(item):
    labelled = dict(split_form(item.whole)[1])
    result = re.match(r"(?:const )?(\w+) ?(\*)?", item.prototype)
    can_fail = result and (result[1] == "heed_status" or result[2])
    if can_fail and "Errors" not in labelled and not CANNOT_FAIL.search(item.whole):
        return "has no line \"Errors:\", and does not say that it cannot fail"
    text = " ".join(labelled.get("Errors", []))
    is_table = any(line.startswith("    HEED_ERR_") for line in labelled.get("Errors", []))
    if "Errors" in labelled and not text.endswith(".") and not is_table:
        return "the line \"Errors:\" does not end with a full stop"
    if re.search(r"\bas (?:above|below|before)\b", text):
        return "the line \"Errors:\" refers to a different comment; name the function"
    if "Errors" in labelled and not re.search(r"HEED_ERR_\w+|heed_\w+", text):
        return "the line \"Errors:\" names no HEED_ERR_ code, and no function that has the same errors"
    return None


CHECKS = (  # the first of them that is broken is reported
    (first_sentence, "begins with a complete sentence"),
    (known_labels, "has no labels other than LABELS"),
    (label_begins_a_line, "has every label at the beginning of a line"),
    (order_of_labels, "has every label once, in the order of LABELS"),
    (prose_comes_first, "has no prose after the labelled lines"),
    (errors, "names the errors of a function that returns a status or a pointer"),
)


def check_form(header, place):
    for item in header.functions:
        for check, _ in CHECKS:
            if item.comment and (problem := check(item)):
                yield f"{place}:{item.line}: {item.name}: {problem}"
                break
