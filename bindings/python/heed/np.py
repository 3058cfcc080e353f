"""heed/np.py - kernel regression for data: bandwidths from the data, standard errors, bands.

    from heed import np as hnp
    fit = hnp.fit(times, accel, degree=1, criterion="aicc")
    print(fit)
    at = fit.predict(grid, band="simultaneous")
    at.mean, at.lower, at.upper

What is computed, and from which papers, is in heed/np.h.
"""

import ctypes
import weakref
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence, Tuple, TypeVar

import numpy
from ctypes import c_double, c_int, c_void_p

from heed._library import (Array, BootstrapOptions, C, Options, Prediction, PredictOptions, Progress, ProgressFunction, Report,
                           Scope, SignificanceOptions, array_of, check, doubles)

KERNELS = ("gaussian", "boxcar", "triangular", "epanechnikov", "biweight", "triweight", "tricube")
CRITERIA = ("cv", "aicc", "gcv", "rule", "plug-in")
COLUMNS = ("continuous", "unordered", "ordered")
LABELS = ("li-racine", "classic")
BANDS = ("pointwise", "simultaneous", "prediction")
RESAMPLINGS = ("wild", "pairs")


@dataclass(frozen=True)
class Step:
    """How far a search is."""

    start: int
    starts: int
    evaluations: int
    best: float
    bandwidths: Array


@dataclass(frozen=True)
class Minimum:
    """A minimum of the criterion that the search has found."""

    value: float
    bandwidths: Array


@dataclass(frozen=True)
class At:
    """A fit at n queries, of c continuous columns."""

    mean: Array
    se: Array
    lower: Array
    upper: Array
    slopes: Array
    slope_se: Array


@dataclass(frozen=True)
class DensityAt:
    """A density at n queries."""

    density: Array
    se: Array
    lower: Array
    upper: Array


def _number(name: str, text: str, names: Sequence[str]) -> int:
    if text not in names:
        raise ValueError(f"{name} is {text!r}: must be one of {', '.join(names)}")
    return names.index(text)


class _Watch:
    """The C library's callback: exceptions of the program's own function end the search, and are raised after it."""

    def __init__(self, progress: Optional[Callable[[Step], Optional[bool]]], columns: int) -> None:
        self.progress, self.columns = progress, columns
        self.raised: Optional[BaseException] = None
        self.function = ProgressFunction(self.step)

    def step(self, now: Any, _: Any) -> bool:
        try:
            if self.progress is None:
                return True
            p: Progress = now.contents
            return self.progress(Step(p.start, p.starts, p.evaluations, p.best,
                                      numpy.array(p.bandwidths[:self.columns]))) is not False
        except BaseException as raised:  # Ctrl-C, too
            self.raised = raised
            return False


class _Made:
    """What a fit and a density have in common. Numbers are attributes."""

    def __init__(self, pointer: int) -> None:
        self._fit = pointer
        self._finalizer = weakref.finalize(self, C.heed_np_free, pointer)
        self._report: Report = C.heed_np_get_report(pointer)
        check()
        self.rows: int = self._report.rows
        self.columns: int = self._report.columns
        self.criterion: float = self._report.criterion
        self.evaluations: int = self._report.evaluations
        self.stopped: bool = self._report.stopped
        h = (c_double * self.columns)()
        C.heed_np_bandwidths(pointer, h, self.columns)
        self.bandwidths: Array = numpy.array(h)
        self.minima: List[Minimum] = []
        for i in range(self._report.minima):
            value = C.heed_np_minimum(pointer, i, h, self.columns)
            self.minima.append(Minimum(value, numpy.array(h)))
        check()

    def _rows(self, function: Callable[[int], Any]) -> Array:
        with Scope():
            return array_of(function(self._fit))

    def _predict(self, x: Any, options: PredictOptions, names: Sequence[str]) -> List[Array]:
        found = Prediction()
        with Scope() as scope:
            C.heed_np_predict(self._fit, scope.tensor(x, "x", (1, 2)), ctypes.byref(options), ctypes.byref(found))
            check()
            return [array_of(getattr(found, name)) for name in names]

    def _bootstrap(self, x: Any, resampling: str, draws: int, seed: int) -> Array:
        options = BootstrapOptions(resampling=_number("resampling", resampling, RESAMPLINGS), draws=draws, seed=seed)
        with Scope() as scope:
            return array_of(C.heed_np_bootstrap(self._fit, scope.tensor(x, "x", (1, 2)), ctypes.byref(options)))

    def _lines(self) -> List[str]:
        return [f"{self.rows} rows", f"bandwidths {' '.join(f'{h:.6g}' for h in self.bandwidths)}"]


Made = TypeVar("Made", bound=_Made)


class Fit(_Made):
    """A fit: made by fit()."""

    def __init__(self, pointer: int) -> None:
        super().__init__(pointer)
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
        options = PredictOptions(band=_number("band", band, BANDS), level=level, local=local, corrected=corrected, seed=seed)
        return At(*self._predict(x, options, ("mean", "se", "lower", "upper", "slopes", "slope_se")))

    def bootstrap(self, x: Any, *, resampling: str = "wild", draws: int = 0, seed: int = 0) -> Array:
        """m at queries x of rows that are drawn again: (draws, n), 999 draws unless said otherwise."""
        return self._bootstrap(x, resampling, draws, seed)

    def quantile(self, x: Any, level: float) -> Array:
        """The quantile of y at queries x, (n) or (n, d), of degree 0 or 1."""
        with Scope() as scope:
            return array_of(C.heed_np_quantile(self._fit, scope.tensor(x, "x", (1, 2)), level))

    def significance(self, column: int, *, draws: int = 0, seed: int = 0) -> float:
        """The p-value of "the column does nothing to m", from 399 draws unless said otherwise."""
        options = SignificanceOptions(draws=draws, seed=seed)
        p: float = C.heed_np_significance(self._fit, column, ctypes.byref(options))
        check()
        return p

    def __str__(self) -> str:
        lines = [f"criterion {self.criterion:.9g}, R2 {self.r2:.6g}, standard deviation of errors {self.sigma:.6g}",
                 f"{self.trace:.6g} equivalent parameters, {len(self.minima)} minima"]
        return "\n".join(self._lines() + lines)


class Density(_Made):
    """A density: made by density(). `criterion` is -mean ln f(x_i), each row left out."""

    @property
    def fitted(self) -> Array:
        return self._rows(C.heed_np_fitted)

    def predict(self, x: Any, *, level: float = 0.95) -> DensityAt:
        """f, its standard errors and a band at queries x, (n) or (n, d)."""
        return DensityAt(*self._predict(x, PredictOptions(level=level), ("mean", "se", "lower", "upper")))

    def bootstrap(self, x: Any, *, draws: int = 0, seed: int = 0) -> Array:
        """f at queries x of rows that are drawn with replacement: (draws, n), 999 draws unless said otherwise."""
        return self._bootstrap(x, "pairs", draws, seed)

    def __str__(self) -> str:
        return "\n".join(self._lines() + [f"-mean log-likelihood {self.criterion:.9g}, {len(self.minima)} minima"])


class Classes(_Made):
    """Labels from rows: made by classes(). `criterion` is -mean ln P(label | row), each row left out; the last of `bandwidths`
    is that of the labels."""

    def __init__(self, pointer: int, labels: Any) -> None:
        super().__init__(pointer)
        self.labels = labels

    def probabilities(self, x: Any) -> Array:
        """Of each of the `labels` at queries x, (n) or (n, d): (n, k); NaN if no row is within the window."""
        found = c_void_p()
        with Scope() as scope:
            C.heed_np_classify(self._fit, scope.tensor(x, "x", (1, 2)), ctypes.byref(found))
            return array_of(found)

    def predict(self, x: Any) -> Any:
        """The likeliest label at queries x: (n). If no row is within the window of some of them, their labels are None, and the
        array is one of objects."""
        p = self.probabilities(x)
        undefined = numpy.isnan(p[:, 0])
        found = self.labels[numpy.where(undefined, 0, p.argmax(1))]
        if undefined.any():
            found = found.astype(object)
            found[undefined] = None
        return found

    def __str__(self) -> str:
        return "\n".join(self._lines() + [f"-mean log-likelihood {self.criterion:.9g}, {len(self.minima)} minima"])


def _options(x: Any, kernel: str, columns: Optional[Sequence[str]], labels: str, bandwidths: Optional[Any], starts: int,
             max_evaluations: int, more: int = 0) -> Tuple[Options, int]:
    """Those that fits and densities have in common, and the number of columns; there are `more` bandwidths than these."""
    shape: Tuple[int, ...] = numpy.shape(x)
    count = shape[1] if len(shape) == 2 else 1
    options = Options(kernel=_number("kernel", kernel, KERNELS), labels=_number("labels", labels, LABELS), starts=starts,
                      max_evaluations=max_evaluations)
    if columns is not None:
        if len(columns) != count:
            raise ValueError(f"{len(columns)} kinds of columns for {count} columns")
        options.columns = (c_int * count)(*(_number("columns", kind, COLUMNS) for kind in columns))
    if bandwidths is not None:
        given = doubles(bandwidths)
        if len(given) != count + more:
            raise ValueError(f"{len(given)} bandwidths for {count} columns{' and the labels' if more else ''}")
        options.bandwidths = given
    return options, count


def _search(watch: _Watch, options: Options, weights: Optional[Any], make: Callable[[Scope], Any],
            kind: Callable[[int], Made]) -> Made:
    """What the C library makes; what `progress` raised goes before the library's own error."""
    options.progress = watch.function
    with Scope() as scope:
        options.weights = None if weights is None else scope.tensor(weights, "weights", (1,))
        pointer = make(scope)
        made = kind(pointer) if pointer else None
        if watch.raised is not None:
            C.heed_error_clear()
            raise watch.raised
        check()
        assert made is not None
        return made


def fit(x: Any, y: Any, *, degree: int = 0, kernel: str = "gaussian", columns: Optional[Sequence[str]] = None,
        labels: str = "li-racine", criterion: str = "cv", bandwidths: Optional[Any] = None, weights: Optional[Any] = None,
        nearest: float = 0.0, robust: int = 0, starts: int = 0, max_evaluations: int = 0,
        progress: Optional[Callable[[Step], Optional[bool]]] = None) -> Fit:
    """Fits y (n) by x (n) or (n, d).

    criterion: what is least at the bandwidths, or "rule" (of thumb) or "plug-in", without a search. columns: "continuous",
    "unordered" or "ordered" for each; `progress` is called after each evaluation and ends the search by returning False. ValueError, TypeError, MemoryError or heed.Error with the library's message.
    """
    options, count = _options(x, kernel, columns, labels, bandwidths, starts, max_evaluations)
    options.degree, options.criterion = degree, _number("criterion", criterion, CRITERIA)
    options.nearest, options.robust = nearest, robust
    return _search(_Watch(progress, count), options, weights,
                   lambda scope: C.heed_np_fit(scope.tensor(x, "x", (1, 2)), scope.tensor(y, "y", (1,)),
                                               ctypes.byref(options)), Fit)


def density(x: Any, *, kernel: str = "gaussian", columns: Optional[Sequence[str]] = None, labels: str = "li-racine",
            criterion: str = "likelihood", bandwidths: Optional[Any] = None, weights: Optional[Any] = None, starts: int = 0,
            max_evaluations: int = 0, progress: Optional[Callable[[Step], Optional[bool]]] = None) -> Density:
    """The density of x, (n) or (n, d), with bandwidths of the highest likelihood, or by the "rule" of thumb. As fit()."""
    options, count = _options(x, kernel, columns, labels, bandwidths, starts, max_evaluations)
    options.criterion = CRITERIA.index("rule") * _number("criterion", criterion, ("likelihood", "rule"))
    return _search(_Watch(progress, count), options, weights,
                   lambda scope: C.heed_np_fit_density(scope.tensor(x, "x", (1, 2)), ctypes.byref(options)), Density)


def classes(x: Any, labels: Any, *, kernel: str = "gaussian", columns: Optional[Sequence[str]] = None,
            weighing: str = "li-racine", bandwidths: Optional[Any] = None, weights: Optional[Any] = None, starts: int = 0,
            max_evaluations: int = 0, progress: Optional[Callable[[Step], Optional[bool]]] = None) -> Classes:
    """Labels (n), of any kind that NumPy sorts, by x, (n) or (n, d), with bandwidths of the highest likelihood.

    As fit(), whose `labels` are `weighing` here; bandwidths are one more than columns, the last for the labels.
    """
    options, count = _options(x, kernel, columns, weighing, bandwidths, starts, max_evaluations, 1)
    all_labels = numpy.asarray(labels)
    present = numpy.broadcast_to(True, all_labels.shape) if weights is None else numpy.asarray(weights) > 0
    names = numpy.unique(all_labels[present] if present.shape == all_labels.shape else all_labels)
    codes = numpy.minimum(numpy.searchsorted(names, all_labels), max(len(names) - 1, 0))  # of weight 0: any
    return _search(_Watch(progress, count + 1), options, weights,
                   lambda scope: C.heed_np_fit_classes(scope.tensor(x, "x", (1, 2)), scope.tensor(codes, "labels", (1,)),
                                                 ctypes.byref(options)), lambda pointer: Classes(pointer, names))
