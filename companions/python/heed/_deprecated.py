"""heed/_deprecated.py - warns of calls of deprecated functions: those with HEED_DEPRECATED in the headers."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import sys
import warnings


def deprecated(text: str) -> None:
    """Warns at the program's line. Python shows a DeprecationWarning only if it belongs to the program itself."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "heed":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, DeprecationWarning, stacklevel=level)
