"""heed/plot.py - curves, heatmaps and images as PNG and SVG files.

    plot.lines([dict(x=x, y=y, style="none", marker="circle", label="data"), dict(x=x, y=fit, label="fit")], "fit.svg")
    plot.heatmap(weights, "weights.png", xlabel="key", ylabel="query")
    plot.image(batch, "batch.png", columns=4)
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from heed._functions import plot_heatmap as heatmap, plot_image as image, plot_lines as lines

__all__ = ["heatmap", "image", "lines"]
