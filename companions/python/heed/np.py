"""heed/np.py - kernel regression with bandwidths chosen from the data, standard errors and bands.

    from heed import np as hnp
    fit = hnp.fit(times, accel, degree=1, criterion="aicc")
    print(fit)
    at = fit.predict(grid, band="simultaneous")
    at.mean, at.lower, at.upper

heed/np.h documents the methods and their papers.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import html
from ctypes import POINTER, c_bool, c_char, c_double, c_int, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Type, TypeVar

import numpy

from heed._arrays import numbers_of, numpy_of, on_memory_of
from heed._call import C, Out, call, call_outs
from heed._callbacks import CallbackType
from heed._frame import Layout, is_series, plain, queries_of, rows_of
from heed._handles import Handle, Tensor, own, retain
from heed._library import Array, ByValue, declared, QUICK, text
from heed._prototypes import ENUMS
from heed._show import html_table

KERNELS = ("gaussian", "boxcar", "triangular", "epanechnikov", "biweight", "triweight", "tricube")
CRITERIA = ("cv", "aicc", "gcv", "rule", "plug-in")
COLUMNS = ("continuous", "unordered", "ordered")
LABELS = ("li-racine", "classic")
BANDS = ("pointwise", "simultaneous", "prediction")
NUMBERS = ("rows", "criterion", "r2", "rss", "sigma", "trace", "evaluations")  # of a fit, in its table
RESAMPLINGS = ("wild", "pairs")


@dataclass(frozen=True)
class Step:
    """Progress of a bandwidth search."""

    start: int
    starts: int
    evaluations: int
    best: float
    bandwidths: Array


@dataclass(frozen=True)
class Minimum:
    """A minimum of the criterion that the search found."""

    value: float
    bandwidths: Array


class _Table:
    """Values at queries, shown as a table in notebooks."""

    def _repr_html_(self) -> str:
        columns = {name: values for name, values in vars(self).items() if values.ndim == 1}
        for name, values in vars(self).items():
            columns.update({f"{name} {i}": values[:, i] for i in range(values.shape[1])} if values.ndim == 2 else {})
        rows = list(zip(*columns.values()))
        shown = rows if len(rows) <= 20 else [*rows[:10], ["..."] * len(columns), *rows[-10:]]
        return html_table(shown, list(columns))


@dataclass(frozen=True)
class At(_Table):
    """The values of a fit at n queries, with slopes of c continuous columns."""

    mean: Array
    se: Array
    lower: Array
    upper: Array
    slopes: Array
    slope_se: Array


@dataclass(frozen=True)
class DensityAt(_Table):
    """The values of a density at n queries."""

    density: Array
    se: Array
    lower: Array
    upper: Array


class Progress(ctypes.Structure):
    _fields_ = [("start", c_int), ("starts", c_int), ("evaluations", c_int), ("best", c_double),
                ("bandwidths", POINTER(c_double))]


class Report(ctypes.Structure):
    _fields_ = [("rows", c_int64), ("rows_with_weight", c_int64), ("columns", c_int), ("criterion", c_double), ("r2", c_double),
                ("rss", c_double), ("sigma", c_double), ("trace", c_double), ("trace_squared", c_double),
                ("evaluations", c_int), ("minima", c_int), ("stopped", c_bool), ("undefined", c_int64), ("notice", c_char * 512)]


class Prediction(ctypes.Structure):
    _fields_ = [*((name, c_void_p) for name in ("mean", "se", "lower", "upper", "slopes", "slope_se")),
                ("undefined", c_int64)]


report_of = declared(QUICK, "heed_np_get_report", Report, c_void_p)
OfProgress = CallbackType(c_bool, POINTER(Progress), c_void_p)


def _array(t: Tensor) -> Array:
    found: Array = numpy_of(t)
    return found


class _Predicted(Out):
    """The tensors of a prediction that have these names."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names, self.place = names, Prediction()

    def take(self) -> List[Array]:
        return [numpy_of(own(retain(getattr(self.place, name)))) for name in self.names]


def _number(name: str, text: str, names: Sequence[str]) -> int:
    if text not in names:
        raise ValueError(f"{name} is {text!r}: must be one of {', '.join(names)}")
    return names.index(text)


def _word(name: str, text: str, names: Sequence[str], enum: str) -> str:
    """The name in the header of a name of this module."""
    return ENUMS[enum][_number(name, text, names)]


def _tensor(values: Any, name: str, rank: Tuple[int, ...]) -> Tensor:
    """Numbers as a tensor on the array's own memory, if the library has its dtype, otherwise on the memory of a copy."""
    array = numbers_of(plain(values), name)
    if array.ndim not in rank:
        raise ValueError(f"{name} has the shape {array.shape}: it must have {' or '.join(map(str, rank))} axes")
    return on_memory_of(array)


def _coded(labels: Any, weights: Any) -> Tuple[Any, Any]:
    """The distinct labels of rows with a weight, in order, and the number of every row's label. A row of weight 0 has
    an arbitrary number."""
    present = numpy.broadcast_to(True, labels.shape) if weights is None else numbers_of(weights, "weights") > 0
    names = numpy.unique(labels[present] if present.shape == labels.shape else labels)
    return names, numpy.minimum(numpy.searchsorted(names, labels), max(len(names) - 1, 0))


def _columns(x: Tensor) -> int:
    return x.shape[1] if x.ndim == 2 else 1


def _present(labels: Any) -> Any:
    """Labels as an array; refuses missing ones."""
    labels = labels.astype(object).where(labels.notna(), None).to_numpy() if is_series(labels) else labels
    array = numpy.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"labels has the shape {array.shape}: it must have 1 axis")
    missing = numpy.broadcast_to(getattr(labels, "mask", False), array.shape) | [label is None or bool(label != label) for label in array]
    if missing.any():
        raise ValueError(f"classes: the label of row {missing.argmax()} is missing: leave the row out")
    return array


def _queries(made: Any, x: Any) -> Tensor:
    return _tensor(queries_of(x, made._layout), "x", (1, 2))


def _rows_of(x: Any, columns: Optional[Sequence[str]]) -> Tuple[Tensor, Optional[Layout], Optional[Sequence[str]]]:
    """The rows, and for a table of pandas its layout and the kinds of its columns."""
    rows, layout = rows_of(x)
    kinds = layout.kinds if columns is None and layout is not None and set(layout.kinds) != {"continuous"} else columns
    return _tensor(rows, "x", (1, 2)), layout, kinds


def _refitted(kind: Any, function: str, rows: Sequence[Array], options: Any) -> Any:
    """A fit of the same rows with the same bandwidths."""
    names = {name: (_tensor(options[name], name, (1,)) if name == "weights" else _array_of_c(options[name]))
             for name in ("columns", "bandwidths", "weights") if options[name] is not None}
    watched = _watched(None, 1)
    made = kind._of(call(getattr(C, function), *map(on_memory_of, rows), {**options, **names, "progress": watched}))
    made._recipe = function, rows, options
    return made


def _array_of_c(values: Sequence[Any]) -> Any:
    kind: Any = c_int if isinstance(values[0], int) else c_double
    return (kind * len(values))(*values)


class _Made(ByValue, Handle):
    """The base class of fits and densities, whose results are attributes."""

    _C = "heed_np"
    _instead = "fit again, or send the rows and the bandwidths"
    _layout: Optional[Layout] = None  # of a table of pandas

    def _describe(self) -> None:
        report: Report = report_of(self)
        self._report = report
        self.rows: int = report.rows
        self.columns: int = report.columns
        self.criterion: float = report.criterion
        self.evaluations: int = report.evaluations
        self.stopped: bool = report.stopped
        self.notice: str = text(report.notice)  # why numbers are NaN or infinite
        h = (c_double * self.columns)()
        call(C.heed_np_bandwidths, self, h, self.columns)
        self.bandwidths: Array = numpy.array(h)
        self.minima: List[Minimum] = []
        for i in range(report.minima):
            value = call(C.heed_np_minimum, self, i, h, self.columns)
            self.minima.append(Minimum(value, numpy.array(h)))

    def _reduced(self) -> Any:
        function, rows, options = self._recipe
        state = {name: value for name, value in self.__dict__.items() if name not in ("_as_parameter_", "_recipe")}
        searched = options.get("criterion") not in [_word("criterion", name, CRITERIA, "heed_np_criterion") for name in ("rule", "plug-in")]
        return _refitted, (type(self), function, rows, dict(options, **{"bandwidths": list(map(float, self.bandwidths))} if searched else {})), state

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)

    def _rows(self, function: Any) -> Array:
        return _array(call(function, self))

    def _predict(self, x: Any, options: Any, names: Sequence[str]) -> List[Array]:
        found: List[Array] = call_outs(C.heed_np_predict, self, _queries(self, x), options, _Predicted(names))
        return found

    def _bootstrap(self, x: Any, resampling: str, draws: int, seed: int) -> Array:
        options = dict(resampling=resampling, draws=draws, seed=seed)
        return _array(call(C.heed_np_bootstrap, self, _queries(self, x), options))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(str(self).splitlines())}>"

    def _repr_html_(self) -> str:
        """The fit as tables, for notebooks: its numbers, and the bandwidths of its columns."""
        more = isinstance(self, Classes)  # the bandwidth of the labels
        kinds = self._recipe[2].get("columns") or [0] * (self.columns - more)
        names = self._layout.names if self._layout else range(self.columns)
        columns: List[Tuple[Any, str, float]] = [(n, COLUMNS[kind], h) for n, kind, h in zip(names, kinds, self.bandwidths)]
        columns += [("labels", "unordered", self.bandwidths[-1])] if more else []
        numbers = [(name, getattr(self, name)) for name in NUMBERS if hasattr(self, name)]
        notice = f"<p>{html.escape(self.notice)}</p>" if self.notice else ""
        return html_table(numbers, (type(self).__name__, "")) + html_table(columns, ("column", "kind", "bandwidth")) + notice

    def _text(self, lines: List[str]) -> str:
        head = [f"{self.rows} rows", f"bandwidths {' '.join(f'{h:.6g}' for h in self.bandwidths)}"]
        return "\n".join(head + lines + self.notice.splitlines())


Made = TypeVar("Made", bound=_Made)


class Fit(_Made):
    """A fit, returned by fit()."""

    def _describe(self) -> None:
        super()._describe()
        self.r2: float = self._report.r2
        self.rss: float = self._report.rss
        self.sigma: float = self._report.sigma
        self.trace: float = self._report.trace
        self.trace_squared: float = self._report.trace_squared

    @property
    def fitted(self) -> Array:
        return self._rows(C.heed_np_fitted)

    @property
    def residuals(self) -> Array:
        return self._rows(C.heed_np_residuals)

    @property
    def leverages(self) -> Array:
        return self._rows(C.heed_np_leverages)

    @property
    def robust_weights(self) -> Array:
        return self._rows(C.heed_np_robust_weights)

    def predict(self, x: Any, *, band: str = "pointwise", level: float = 0.95, local: bool = False, corrected: bool = False,
                seed: int = 0) -> At:
        """m, its standard errors, slopes and a band at queries x, (n) or (n, d)."""
        options = dict(band=band, level=level, local=local, corrected=corrected, seed=seed)
        return At(*self._predict(x, options, ("mean", "se", "lower", "upper", "slopes", "slope_se")))

    def bootstrap(self, x: Any, *, resampling: str = "wild", draws: int = 0, seed: int = 0) -> Array:
        """m at queries x for resampled rows: (draws, n), by default with 999 draws."""
        return self._bootstrap(x, resampling, draws, seed)

    def quantile(self, x: Any, level: float) -> Array:
        """The quantile of y at queries x, (n) or (n, d), for degree 0 or 1."""
        return _array(call(C.heed_np_quantile, self, _queries(self, x), level))

    def significance(self, column: int, *, draws: int = 0, seed: int = 0) -> float:
        """The p-value of the hypothesis that the column has no effect on m, by default from 399 draws."""
        p: float = call(C.heed_np_significance, self, column, dict(draws=draws, seed=seed))
        return p

    def __str__(self) -> str:
        lines = [f"criterion {self.criterion:.9g}, R2 {self.r2:.6g}, standard deviation of errors {self.sigma:.6g}",
                 f"{self.trace:.6g} equivalent parameters, {len(self.minima)} minima"]
        return self._text(lines)


class Density(_Made):
    """A density, returned by density(). `criterion` is -mean ln f(x_i), leave-one-out."""

    @property
    def fitted(self) -> Array:
        return self._rows(C.heed_np_fitted)

    def predict(self, x: Any, *, level: float = 0.95) -> DensityAt:
        """f, its standard errors and a band at queries x, (n) or (n, d)."""
        return DensityAt(*self._predict(x, dict(level=level), ("mean", "se", "lower", "upper")))

    def bootstrap(self, x: Any, *, draws: int = 0, seed: int = 0) -> Array:
        """f at queries x for rows drawn with replacement: (draws, n), by default with 999 draws."""
        return self._bootstrap(x, "pairs", draws, seed)

    def __str__(self) -> str:
        return self._text([f"-mean log-likelihood {self.criterion:.9g}, {len(self.minima)} minima"])


class Classes(_Made):
    """A classifier, returned by classes(). `criterion` is -mean ln P(label | row), leave-one-out; the last of
    `bandwidths` is the bandwidth of the labels."""

    labels: Any

    def probabilities(self, x: Any) -> Array:
        """The probability of each of the `labels` at queries x, (n) or (n, d): (n, k); NaN if the window contains no
        rows."""
        return _array(call_outs(C.heed_np_classify, self, _queries(self, x), Out("out"))[1])

    def predict(self, x: Any) -> Any:
        """The most probable label at queries x: (n). The label of a query whose window contains no rows is None; the array then
        has dtype object."""
        p = self.probabilities(x)
        undefined = numpy.isnan(p[:, 0])
        found = self.labels[numpy.where(undefined, 0, p.argmax(1))]
        if undefined.any():
            found = found.astype(object)
            found[undefined] = None
        return found

    def __str__(self) -> str:
        return self._text([f"-mean log-likelihood {self.criterion:.9g}, {len(self.minima)} minima"])


def _given_bandwidths(values: Any, columns: int, more: int) -> Any:
    """There are `more` bandwidths than columns."""
    given = numpy.ascontiguousarray(numbers_of(values, "bandwidths"), dtype=numpy.float64).ravel()
    if len(given) != columns + more:
        raise ValueError(f"{len(given)} bandwidths for {columns} columns{' and the labels' if more else ''}")
    return (c_double * len(given))(*given)


def _kinds_of_columns(kinds: Sequence[str], columns: int) -> Any:
    if isinstance(kinds, str) or len(kinds) != columns:
        raise ValueError(f"{1 if isinstance(kinds, str) else len(kinds)} kinds of columns for {columns} columns: must be a sequence")
    return (c_int * columns)(*(_number("columns", kind, COLUMNS) for kind in kinds))


def _watched(progress: Optional[Callable[[Step], Optional[bool]]], bandwidths: int) -> Any:
    """The function that C calls after every evaluation. It is also set without a `progress`, so that Ctrl-C ends a
    search."""
    def step(now: Any, _: Any) -> bool:
        if progress is None:
            return True
        p: Progress = now.contents
        return progress(Step(p.start, p.starts, p.evaluations, p.best,
                             numpy.array(p.bandwidths[:bandwidths]))) is not False
    return OfProgress(step)


def _plain(option: Any) -> Any:
    """An option as a value that pickle can store."""
    return numpy_of(option).copy() if isinstance(option, Tensor) else list(option) if isinstance(option, ctypes.Array) else option


def _search(kind: Type[Made], function: Any, more: int, x: Any, others: Sequence[Tensor], kernel: str,
            options: Dict[str, Any]) -> Made:
    """The result of the C function for the rows. There are `more` bandwidths than columns."""
    first, layout, options["columns"] = _rows_of(x, options["columns"])
    rows, columns = (first, *others), _columns(first)
    if options["columns"] is not None:
        options["columns"] = _kinds_of_columns(options["columns"], columns)
    if options["bandwidths"] is not None:
        options["bandwidths"] = _given_bandwidths(options["bandwidths"], columns, more)
    if options["weights"] is not None:
        options["weights"] = _tensor(options["weights"], "weights", (1,))
    _number("kernel", kernel, KERNELS)
    watched = _watched(options.pop("progress"), columns + more)
    options = dict(options, kernel=kernel)
    made = kind._of(call(function, *rows, dict(options, progress=watched)))
    made._recipe = function.__name__, [numpy_of(row).copy() for row in rows], {
        name: _plain(value) for name, value in options.items()}
    made._layout = layout
    made._describe()
    return made


def fit(x: Any, y: Any, *, degree: int = 0, kernel: str = "gaussian", columns: Optional[Sequence[str]] = None,
        labels: str = "li-racine", criterion: str = "cv", bandwidths: Optional[Any] = None, weights: Optional[Any] = None,
        nearest: float = 0.0, robust: int = 0, starts: int = 0, max_evaluations: int = 0,
        progress: Optional[Callable[[Step], Optional[bool]]] = None) -> Fit:
    """Fits y (n) as a function of x (n) or (n, d), or of the columns of a DataFrame of pandas.

    `criterion` is minimised by the bandwidths; "rule" (of thumb) and "plug-in" need no search. `columns` has
    "continuous", "unordered" or "ordered" for every column; categories, texts and bools of a DataFrame are "unordered",
    ordered categories "ordered". The queries of a fit of a DataFrame may be a DataFrame, too. `progress` is called after
    every evaluation and ends the search by returning False. Masked entries of a numpy.ma array are missing, like NaN.
    Raises ValueError, TypeError, MemoryError or heed.Error with the library's message."""
    return _search(Fit, C.heed_np_fit, 0, x, [_tensor(y, "y", (1,))], kernel, dict(
        degree=degree, columns=columns, labels=_word("labels", labels, LABELS, "heed_np_labels"),
        criterion=_word("criterion", criterion, CRITERIA, "heed_np_criterion"), bandwidths=bandwidths, weights=weights,
        nearest=nearest, robust=robust, starts=starts, max_evaluations=max_evaluations, progress=progress))


def density(x: Any, *, kernel: str = "gaussian", columns: Optional[Sequence[str]] = None, labels: str = "li-racine",
            criterion: str = "likelihood", bandwidths: Optional[Any] = None, weights: Optional[Any] = None, starts: int = 0,
            max_evaluations: int = 0, progress: Optional[Callable[[Step], Optional[bool]]] = None) -> Density:
    """Estimates the density of x, (n) or (n, d), with the bandwidths that maximise the likelihood, or those of the "rule" of
    thumb. Options as for fit()."""
    rule = ("cv_ls", "rule")[_number("criterion", criterion, ("likelihood", "rule"))]
    return _search(Density, C.heed_np_fit_density, 0, x, [], kernel, dict(
        columns=columns, labels=_word("labels", labels, LABELS, "heed_np_labels"), criterion=rule,
        bandwidths=bandwidths,
        weights=weights, starts=starts, max_evaluations=max_evaluations, progress=progress))


def classes(x: Any, labels: Any, *, kernel: str = "gaussian", columns: Optional[Sequence[str]] = None,
            weighing: str = "li-racine", bandwidths: Optional[Any] = None, weights: Optional[Any] = None, starts: int = 0,
            max_evaluations: int = 0, progress: Optional[Callable[[Step], Optional[bool]]] = None) -> Classes:
    """Fits a classifier of labels (n), of any type that NumPy sorts, by x, (n) or (n, d), with the bandwidths that maximise
    the likelihood.

    Options as for fit(), whose `labels` are called `weighing` here. The labels have the last of the bandwidths. A missing
    label (NaN or masked) raises a ValueError."""
    names, codes = _coded(_present(labels), weights)
    made = _search(Classes, C.heed_np_fit_classes, 1, x, [_tensor(codes, "labels", (1,))], kernel, dict(
        columns=columns, labels=_word("weighing", weighing, LABELS, "heed_np_labels"), bandwidths=bandwidths,
        weights=weights,
        starts=starts, max_evaluations=max_evaluations, progress=progress))
    made.labels = names
    return made
