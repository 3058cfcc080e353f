#!/usr/bin/env python3
"""Writes dates_reference.h: dates and their times as parsed by Python's datetime, for tests/io/test_csv_dates.c.

    /usr/bin/python3 tests/reference/dates_reference.py | clang-format > tests/reference/dates_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import random
import sys
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
FIXED = ["1970-01-01", "1969-12-31", "2000-02-29", "1900-02-28", "1900-03-01", "2100-12-31", "0001-01-01", "9999-12-31",
         "1972-06-30T23:59:59Z", "2024-02-29 13:45", "2024-02-29T13:45:07.25", "2024-02-29T13:45:07+05:30",
         "2024-02-29T00:00:00-11:00", "1969-12-31T23:59:59.5", "1600-02-29", "1800-03-01", "2200-12-31", "2001-09-09T01:46:40Z"]


def seconds(text):
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    microseconds = (moment - EPOCH) // timedelta(microseconds=1)
    return microseconds / 1000000  # one division of integers: correctly rounded


def drawn():
    random.seed(14)
    for i in range(60):
        moment = datetime(1, 1, 2) + timedelta(days=random.randrange(3652000), seconds=random.randrange(86400))
        text = moment.isoformat(sep=random.choice("T "))
        if i % 3 == 0:
            text = text[:10]
        elif i % 3 == 1:
            text += random.choice(["", "Z", "+01:00", "-03:30", "+14:00"])
        else:
            text += f".{random.randrange(1000000):06d}"
        yield text


def main():
    print(f"/* tests/reference/dates_reference.h - written by dates_reference.py with Python {sys.version.split()[0]}. */")
    print("#ifndef DATES_REFERENCE_H\n#define DATES_REFERENCE_H\n")
    print("static const struct {\n    const char *text;\n    double seconds;\n} dates_reference[] = {")
    for text in [*FIXED, *drawn()]:
        print(f'    {{"{text}", {seconds(text).hex()}}},')
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
