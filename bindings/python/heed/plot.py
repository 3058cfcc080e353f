"""heed/plot.py - curves and heatmaps as PNG and SVG files.

    plot.lines([dict(x=x, y=y, style="none", marker="circle", label="data"), dict(x=x, y=fit, label="fit")], "fit.svg")
    plot.heatmap(weights, "weights.png", xlabel="key", ylabel="query")
"""

from functools import wraps
from typing import Any

from heed._functions import plot_heatmap, plot_lines as lines
from heed._handles import Tensor


@wraps(plot_heatmap)
def heatmap(matrices: Tensor, path: Any, **options: Any) -> None:
    if isinstance(matrices, Tensor) and matrices.ndim in (2, 3, 4):  # C is not told how many names there are
        *panels, rows, columns = matrices.shape
        number = 1
        for n in panels:
            number *= n
        for name, count in (("titles", number), ("xticks", columns), ("yticks", rows)):
            given = options.get(name)
            if given is not None and len(given) != count:
                raise ValueError(f"heatmap: {len(given)} {name} for {count}")
    plot_heatmap(matrices, path, **options)


__all__ = ["heatmap", "lines"]
