# R/predict.R - predictions with standard errors, bands and slopes, quantiles, and plots.

BANDS <- c("pointwise", "simultaneous", "prediction")

predict.heed_np <- function(object, newdata, se.fit = FALSE, interval = c("none", "pointwise", "simultaneous", "prediction"),
                            level = 0.95, local = FALSE, corrected = FALSE, slopes = FALSE, na.action = stats::na.pass, ...,
                            seed = 0) # after the dots, so that se means se.fit
{
    no_more("predict.heed_np", ...)
    interval <- match.arg(interval)
    a_flag(se.fit)
    a_flag(slopes)
    place <- places(object, if (!missing(newdata)) newdata, na.action)
    at <- queries(object, place$x, interval, level, local, corrected, seed)
    fit <- if (interval == "none") at$mean else cbind(fit = at$mean, lwr = at$lower, upr = at$upper)
    if (!se.fit && !slopes)
        return(place$named(fit))
    c(list(fit = place$named(fit)), if (se.fit) list(se.fit = place$named(at$se), residual.scale = object$sigma),
      if (slopes) list(slopes = place$named(at$slopes), slope.se = place$named(at$slope_se)))
}

predict.heed_np_density <- function(object, newdata, se.fit = FALSE, interval = c("none", "pointwise"), level = 0.95,
                                    na.action = stats::na.pass, ...)
{
    no_more("predict.heed_np_density", ...)
    interval <- match.arg(interval)
    a_flag(se.fit)
    place <- places(object, if (!missing(newdata)) newdata, na.action)
    at <- queries(object, place$x, interval, level)
    fit <- place$named(if (interval == "none") at$mean else cbind(fit = at$mean, lwr = at$lower, upr = at$upper))
    if (se.fit) list(fit = fit, se.fit = place$named(at$se)) else fit
}

quantile.heed_np <- function(x, probs = c(0.25, 0.5, 0.75), newdata, na.action = stats::na.pass, ...)
{
    no_more("quantile.heed_np", ...)
    if (!is.numeric(probs) || length(probs) == 0L || !all(is.finite(probs)))
        stop("probs must be numbers between 0 and 1", call. = FALSE)
    place <- places(x, if (!missing(newdata)) newdata, na.action)
    found <- where_known(place$x, function(at)
        do.call(cbind, lapply(probs, function(level) .Call(C_quantile, pointer_of(x), at, as.double(level)))))
    place$named(`colnames<-`(found, paste0(formatC(100 * probs, format = "fg", width = 1, digits = 7), "%")))
}

# Returns the queries (d, n), and a function that names results and inserts NA for rows that na.exclude left out.
places <- function(object, newdata, na.action)
{
    pad <- identity
    if (is.null(newdata)) {
        x <- object$x
        rows <- object$row_names
        pad <- function(values) napredict(object$na.action, values)
    } else {
        frame <- frame_of(object, newdata, na.action)
        x <- matrix_of(frame, names(object$kinds), object$xlevels)
        rows <- row.names(frame)
        for (c in seq_along(object$kinds))
            stop_at(is.infinite(x[c, ]), x[c, ], names(object$kinds)[c], rows, "must be finite or NA")
    }
    list(x = x, named = function(values)
        pad(if (is.matrix(values)) `rownames<-`(values, rows) else setNames(values, rows)))
}

# Returns the result of `find` for the columns of x, (d, n), as a matrix with n rows. It is NA for a column with a
# missing number, and for a column whose window contains no rows of the fit.
where_known <- function(x, find)
{
    seen <- !is.na(colSums(x))
    found <- find(x[, seen, drop = FALSE])
    gaps <- sum(is.nan(found[, 1L]))
    if (gaps > 0L)
        warning(gaps, " of ", nrow(found), if (nrow(found) == 1L) " point has" else " points have",
                " no row within the window: the results there are NA", call. = FALSE)
    found <- defined(found)
    all <- matrix(NA_real_, length(seen), ncol(found))
    all[seen, ] <- found
    all
}

frame_of <- function(object, newdata, na.action)
{
    terms <- delete.response(object$terms)
    frame <- model.frame(terms, newdata, na.action = na.action, xlev = object$xlevels)
    if (!is.null(classes <- attr(terms, "dataClasses")))
        .checkMFClasses(classes, frame)
    frame
}

# Returns predictions of the C library at the columns of x, (d, n), with slopes as (n, c). A column with a missing
# number has NA everywhere.
queries <- function(object, x, interval = "none", level = 0.95, local = FALSE, corrected = FALSE, seed = 0)
{
    a_flag(local)
    a_flag(corrected)
    if (!is.numeric(level) || length(level) != 1L || !is.finite(level) || level <= 0 || level >= 1)
        stop("level must be between 0 and 1", call. = FALSE)
    continuous <- names(object$kinds)[object$kinds == "continuous" & !is.null(object$y)] # a density has no slopes
    band <- max(match(interval, BANDS), 1L, na.rm = TRUE) - 1L
    columns <- where_known(x, function(at) {
        found <- .Call(C_predict, pointer_of(object), at, length(continuous), as.integer(c(band, local, corrected)),
                       as.double(level), seed_of(seed))
        cbind(do.call(cbind, found[1:4]), t(found$slopes), t(found$slope_se))
    })
    slopes <- function(first) `colnames<-`(columns[, first + seq_along(continuous), drop = FALSE], continuous)
    list(mean = columns[, 1L], se = columns[, 2L], lower = columns[, 3L], upper = columns[, 4L], slopes = slopes(4L),
         slope_se = slopes(4L + length(continuous)))
}

seed_of <- function(seed)
{
    if (!is.numeric(seed) || length(seed) != 1L || !is.finite(seed) || seed < 0 || seed > 2^53)
        stop("seed must be a whole number from 0 to 2^53", call. = FALSE)
    as.double(seed)
}

# -- Plots ----------------------------------------------------------------------------------------------------------

# The median or the most frequent label of a column, at which a plot holds the column.
middle_of <- function(values, kind)
{
    if (kind == "continuous")
        return(median(values))
    counts <- table(values)
    as.double(names(counts)[which.max(counts)])
}

plot.heed_np <- function(x, which = NULL, interval = "pointwise", level = 0.95, n = 200, points = NULL, col = "firebrick",
                         xlab = NULL, ylab = NULL, main = NULL, ylim = NULL, ...)
{
    interval <- match.arg(interval, c("none", BANDS))
    n <- a_whole_number(n, "n", 2)
    names <- names(x$kinds)
    chosen <- if (is.null(which)) names else if (is.numeric(which)) names[which] else which
    if (!all(chosen %in% names))
        stop("which is ", shown(which), ": must be among ", paste(names, collapse = ", "), call. = FALSE)
    if (is.null(points))
        points <- length(names) == 1L
    if (length(chosen) > 1L) {
        old <- par(ask = interactive() && prod(par("mfcol")) < length(chosen))
        on.exit(par(old))
    }
    if (is.null(ylab))
        ylab <- if (is.null(x$y)) "density" else deparse(attr(x$terms, "variables")[[2L]])[1L]
    for (name in chosen) {
        at <- curve_of(x, name, interval, level, n)
        limits <- if (is.null(ylim)) range(at$mean, at$lower, at$upper, if (points) x$y, na.rm = TRUE) else ylim
        label <- if (is.null(xlab)) name else xlab
        if (x$kinds[[name]] == "continuous")
            draw_curve(x, name, at, interval, points, col, xlab = label, ylab = ylab, main = main, ylim = limits, ...)
        else
            draw_labels(x, name, at, interval, points, col, xlab = label, ylab = ylab, main = main, ylim = limits, ...)
    }
    invisible(x)
}

# The fit along one column.
curve_of <- function(object, name, interval, level, n)
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
    at <- queries(object, x, interval, level)
    if (interval == "none")
        at$lower <- at$upper <- at$mean
    c(list(along = along), at)
}

draw_curve <- function(object, name, at, interval, points, col, ...)
{
    plot(range(at$along), range(at$mean, na.rm = TRUE), type = "n", ...)
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
    labels <- object$xlevels[[name]]
    if (is.null(labels))
        labels <- c("FALSE", "TRUE")[at$along + 1]
    else
        labels <- labels[at$along]
    plot(range(at$along) + c(-0.5, 0.5), range(at$mean, na.rm = TRUE), type = "n", xaxt = "n", ...)
    axis(1, at$along, labels)
    if (points)
        draw_points(object, name)
    if (interval != "none")
        segments(at$along, at$lower, at$along, at$upper, col = col, lwd = 2)
    graphics::points(at$along, at$mean, col = col, pch = 19)
}
