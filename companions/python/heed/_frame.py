"""heed/_frame.py - tables of pandas as the rows of heed.np: columns by name, categories as numbers."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple

import numpy

CONTINUOUS, UNORDERED, ORDERED = "continuous", "unordered", "ordered"


@dataclass(frozen=True)
class Layout:
    """The columns of a table: their names, their kinds, and the levels of categories."""

    names: Sequence[Any]
    kinds: Sequence[str]
    levels: Sequence[Optional[List[Any]]]


def is_frame(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "dtypes") and hasattr(x, "iloc")


def is_series(x: Any) -> bool:
    return hasattr(x, "dtype") and hasattr(x, "name") and hasattr(x, "iloc")


def plain(x: Any) -> Any:
    """A series of one of pandas' own dtypes of numbers as an array; a missing entry is NaN."""
    return x.astype("float64").to_numpy() if is_series(x) and not isinstance(x.dtype, numpy.dtype) else x


def columns_of(x: Any) -> List[Tuple[Any, Any]]:
    """The names and columns of a table, or of one column."""
    return [(name, x.iloc[:, i]) for i, name in enumerate(x.columns)] if is_frame(x) else [(x.name, x)]


def layout_of(name: Any, column: Any) -> Tuple[str, Optional[List[Any]]]:
    """The kind of a column and its levels."""
    if hasattr(column, "cat"):
        return ORDERED if column.cat.ordered else UNORDERED, list(column.cat.categories)
    kind = getattr(column.dtype, "kind", "O")
    if kind in "Mm":
        raise TypeError(f"column {name!r} has dates: convert them to numbers, for example with .astype('int64')")
    if kind == "b" or kind == "O" and not is_numeric(column):
        return UNORDERED, sorted(set(column.dropna()), key=lambda level: (str(type(level)), level))
    return CONTINUOUS, None


def is_numeric(column: Any) -> bool:
    """Whether a column of objects, or of one of pandas' own dtypes, has numbers."""
    return not hasattr(column.dtype, "categories") and all(isinstance(value, (int, float, numpy.number)) and not isinstance(value, bool)
                                                           for value in column.dropna())


def codes_of(name: Any, column: Any, levels: Optional[List[Any]]) -> Any:
    """The column as numbers; a missing entry is NaN."""
    if levels is None:
        return column.astype("float64").to_numpy()
    numbers = {level: float(i) for i, level in enumerate(levels)}
    missing = column.isna().to_numpy()
    unknown = sorted({repr(value) for value, is_missing in zip(column, missing) if not is_missing and value not in numbers})
    if unknown:
        raise ValueError(f"column {name!r} has the level {', '.join(unknown[:5])}, which the fit has not seen: it has seen "
                         f"{', '.join(map(repr, levels[:20]))}")
    return numpy.array([numpy.nan if is_missing else numbers[value] for value, is_missing in zip(column, missing)], numpy.float64)


def rows_of(x: Any) -> Tuple[Any, Optional[Layout]]:
    """Rows for C, and the layout of a table of pandas."""
    if not is_frame(x) and not is_series(x):
        return x, None
    columns = columns_of(x)
    kinds = [layout_of(name, column) for name, column in columns]
    arrays = [codes_of(name, column, levels) for (name, column), (_, levels) in zip(columns, kinds)]
    layout = Layout([name for name, _ in columns], [kind for kind, _ in kinds], [levels for _, levels in kinds])
    return numpy.column_stack(arrays) if is_frame(x) else arrays[0], layout


def queries_of(x: Any, layout: Optional[Layout]) -> Any:
    """Queries for C: the columns of a table in the order of the fit's, which may have more columns."""
    if not is_frame(x) and not is_series(x):
        return x
    if layout is None:
        return x.to_numpy()
    if is_series(x) and len(layout.names) == 1:
        return codes_of(x.name, x, layout.levels[0])
    found = dict(columns_of(x))
    lacking = [repr(name) for name in layout.names if name not in found]
    if lacking:
        raise ValueError(f"the queries lack the column {', '.join(lacking)} of the fit: they have {', '.join(map(repr, found))}")
    return numpy.column_stack([codes_of(name, found[name], levels) for name, levels in zip(layout.names, layout.levels)])
