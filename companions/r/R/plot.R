# R/plot.R - plots of fits, densities and classes along their columns.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

plot.heed_np <- function(x, which = NULL, interval = "pointwise", level = 0.95, n = 200, points = NULL, col = "firebrick",
                         xlab = NULL, ylab = NULL, main = NULL, ylim = NULL, ...)
{
    interval <- band_of(match.arg(interval, c("none", "confidence", BANDS)))
    n <- a_whole_number(n, "n", 2)
    chosen <- chosen_of(x, which)
    if (is.null(points))
        points <- length(x$kinds) == 1L
    if (is.null(ylab))
        ylab <- if (is.null(x$y)) "density" else name_of_response(x)
    curves <- lapply(chosen, function(name) curve_of(x, name, interval, level, n))
    if (is.null(ylim))
        ylim <- range(lapply(curves, `[`, c("mean", "lower", "upper")), if (points) x$y, na.rm = TRUE)
    old <- set_panels(length(chosen))
    on.exit(par(old))
    for (i in seq_along(chosen)) {
        draw <- if (x$kinds[[chosen[i]]] == "continuous") draw_curve else draw_labels
        draw(x, chosen[i], curves[[i]], interval, points, col, xlab = if (is.null(xlab)) chosen[i] else xlab, ylab = ylab,
             main = main, ylim = ylim, ...)
    }
    invisible(x)
}

lines.heed_np <- function(x, n = 200, col = "firebrick", lwd = 2, ...)
{
    n <- a_whole_number(n, "n", 2)
    if (!identical(unname(x$kinds), "continuous") || inherits(x, "heed_np_classes"))
        stop("lines adds the curve of a regression or density with one continuous column: plot draws other fits",
             call. = FALSE)
    at <- curve_of(x, names(x$kinds), "none", 0.95, n)
    lines(at$along, at$mean, col = col, lwd = lwd, ...)
    invisible(x)
}

plot.heed_np_classes <- function(x, which = NULL, n = 200, col = NULL, xlab = NULL, ylab = "probability", main = NULL,
                                 ylim = c(0, 1), legend = "topright", ...)
{
    n <- a_whole_number(n, "n", 2)
    chosen <- chosen_of(x, which)
    labels <- x$labels[present_of(x)]
    if (is.null(col))
        col <- hcl.colors(length(labels), "Dark 3")
    old <- set_panels(length(chosen))
    on.exit(par(old))
    for (name in chosen) {
        place <- points_along(x, name, n)
        p <- probabilities(x, place$x)
        start_panel(x, name, place$along, xlab = if (is.null(xlab)) name else xlab, ylab = ylab, main = main, ylim = ylim, ...)
        if (x$kinds[[name]] == "continuous")
            matlines(place$along, p, col = col, lty = 1, lwd = 2)
        else
            matpoints(place$along, p, col = col, pch = 19)
        if (name == chosen[1L] && !is.null(legend))
            graphics::legend(legend, labels, col = col, lwd = 2, bty = "n")
    }
    invisible(x)
}

# The names of the columns that `which` selects.
chosen_of <- function(x, which)
{
    names <- names(x$kinds)
    chosen <- if (is.null(which)) names else if (is.numeric(which)) names[which] else which
    if (!all(chosen %in% names))
        stop("which is ", shown(which), ": must be among ", paste(names, collapse = ", "), call. = FALSE)
    chosen
}

# Divides the page into a panel per column, unless it is divided already. Returns the former parameters.
set_panels <- function(count)
{
    if (count > 1L && prod(par("mfrow")) == 1L) {
        panels <- n2mfrow(count) # at least as many rows as columns
        par(mfrow = if (par("din")[1L] >= par("din")[2L]) rev(panels) else panels)
    } else
        par(ask = interactive() && prod(par("mfrow")) < count)
}

# The median or the most frequent label of a column, at which a plot holds the column.
middle_of <- function(values, kind)
{
    if (kind == "continuous")
        return(median(values))
    counts <- table(values)
    as.double(names(counts)[which.max(counts)])
}

# The points along one column, and the queries (d, n) there, with the other columns at their middles.
points_along <- function(object, name, n)
{
    c <- match(name, names(object$kinds))
    values <- object$x[c, ]
    ends <- range(values)
    if (is.null(object$y)) # extend the curve until the density is 0
        ends <- ends + c(-1, 1) * min(3 * object$bandwidths[[c]], diff(ends))
    along <- if (object$kinds[[c]] == "continuous") seq(ends[1L], ends[2L], length.out = n) else sort(unique(values))
    middles <- vapply(seq_along(object$kinds), function(i) middle_of(object$x[i, ], object$kinds[[i]]), 0)
    x <- matrix(middles, length(middles), length(along))
    x[c, ] <- along
    list(along = along, x = x)
}

# The fit along one column.
curve_of <- function(object, name, interval, level, n)
{
    place <- points_along(object, name, n)
    at <- queries(object, place$x, interval, level)
    if (interval == "none")
        at$lower <- at$upper <- at$mean
    c(place["along"], at)
}

# Starts an empty panel whose axis has the labels, dates or times of the column.
start_panel <- function(object, name, along, ...)
{
    ends <- range(along)
    if (object$kinds[[name]] != "continuous") {
        plot(ends + c(-0.5, 0.5), c(0, 0), type = "n", xaxt = "n", ...)
        labels <- object$xlevels[[name]]
        return(axis(1, along, if (is.null(labels)) c("FALSE", "TRUE")[along + 1] else labels[along]))
    }
    if (!is.null(times <- object$times[[name]]))
        attributes(ends) <- attributes(times)
    plot(ends, c(0, 0), type = "n", ...)
}

draw_curve <- function(object, name, at, interval, points, col, ...)
{
    start_panel(object, name, at$along, ...)
    known <- !is.na(at$lower)
    for (part in if (interval != "none") split(which(known), cumsum(!known)[known])) # a polygon on every side of a gap
        polygon(at$along[c(part, rev(part))], c(at$lower[part], rev(at$upper[part])), col = adjustcolor(col, 0.2), border = NA)
    if (points)
        draw_points(object, name)
    lines(at$along, at$mean, col = col, lwd = 2)
}

# Draws the rows; for a density as marks on the axis.
draw_points <- function(object, name)
{
    values <- object$x[match(name, names(object$kinds)), ]
    if (is.null(object$y))
        rug(values, col = adjustcolor("grey40", 0.5))
    else
        graphics::points(values, object$y, col = "grey40")
}

draw_labels <- function(object, name, at, interval, points, col, ...)
{
    start_panel(object, name, at$along, ...)
    if (points)
        draw_points(object, name)
    if (interval != "none")
        segments(at$along, at$lower, at$along, at$upper, col = col, lwd = 2)
    graphics::points(at$along, at$mean, col = col, pch = 19)
}
