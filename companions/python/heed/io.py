"""heed/io.py - files of one specific format; heed.load and heed.save choose the format by the file's name."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import List

from heed import _functions

__all__: List[str] = [name[3:] for name in vars(_functions) if name.startswith("io_")]
globals().update({name: getattr(_functions, f"io_{name}") for name in __all__})
