# R/predict.R - m anywhere: standard errors, bands, slopes, pictures.

BANDS <- c("pointwise", "simultaneous", "prediction")

predict.heed_np <- function(object, newdata, se.fit = FALSE, interval = c("none", "pointwise", "simultaneous", "prediction"),
                            level = 0.95, local = FALSE, corrected = FALSE, slopes = FALSE, seed = 0, na.action = stats::na.pass,
                            ...)
{
    interval <- match.arg(interval)
    if (missing(newdata) || is.null(newdata)) {
        x <- object$x
        rows <- object$row_names
        pad <- function(values) napredict(object$na.action, values)
    } else {
        frame <- frame_of(object, newdata, na.action)
        x <- matrix_of(frame, names(object$kinds), object$xlevels)
        rows <- row.names(frame)
        pad <- identity
    }
    at <- queries(object, x, interval, level, local, corrected, seed)
    fit <- if (interval == "none") at$mean else cbind(fit = at$mean, lwr = at$lower, upr = at$upper)
    named <- function(values)
        pad(if (is.matrix(values)) `rownames<-`(values, rows) else setNames(values, rows))
    if (!se.fit && !slopes)
        return(named(fit))
    c(list(fit = named(fit)), if (se.fit) list(se.fit = named(at$se), residual.scale = object$sigma),
      if (slopes) list(slopes = named(at$slopes), slope.se = named(at$slope_se)))
}

frame_of <- function(object, newdata, na.action)
{
    terms <- delete.response(object$terms)
    frame <- model.frame(terms, newdata, na.action = na.action, xlev = object$xlevels)
    if (!is.null(classes <- attr(terms, "dataClasses")))
        .checkMFClasses(classes, frame)
    frame
}

# The C library's prediction at the rows of x, (d, n), slopes as (n, c). A row with a missing number has NA throughout.
queries <- function(object, x, interval = "none", level = 0.95, local = FALSE, corrected = FALSE, seed = 0)
{
    for (flag in list(local, corrected))
        if (!is.logical(flag) || length(flag) != 1L || is.na(flag))
            stop("local and corrected must be TRUE or FALSE", call. = FALSE)
    if (!is.numeric(level) || length(level) != 1L || !is.finite(level) || level <= 0 || level >= 1)
        stop("level must be between 0 and 1", call. = FALSE)
    if (!is.numeric(seed) || length(seed) != 1L || !is.finite(seed) || seed < 0 || seed > 2^53)
        stop("seed must be a whole number from 0 to 2^53", call. = FALSE)
    continuous <- names(object$kinds)[object$kinds == "continuous"]
    seen <- !is.na(colSums(x))
    band <- max(match(interval, BANDS), 1L, na.rm = TRUE) - 1L
    at <- .Call(C_predict, pointer_of(object), x[, seen, drop = FALSE], length(continuous),
                as.integer(c(band, local, corrected)), as.double(level), as.double(seed))
    fill <- function(values) {
        all <- matrix(NA_real_, length(seen), NCOL(values))
        all[seen, ] <- values
        all
    }
    vectors <- lapply(at[1:4], function(values) fill(values)[, 1L])
    matrices <- lapply(at[5:6], function(values) `colnames<-`(fill(t(values)), continuous))
    c(vectors, matrices)
}

# -- Pictures -------------------------------------------------------------------------------------------------------

# The middle of a column: the other columns stay there.
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
    names <- names(x$kinds)
    chosen <- if (is.null(which)) names else if (is.numeric(which)) names[which] else which
    if (!all(chosen %in% names))
        stop("which must be among ", paste(names, collapse = ", "), call. = FALSE)
    if (is.null(points))
        points <- length(names) == 1L
    if (length(chosen) > 1L) {
        old <- par(ask = interactive() && prod(par("mfcol")) < length(chosen))
        on.exit(par(old))
    }
    response <- if (is.null(ylab)) deparse(attr(x$terms, "variables")[[2L]])[1L] else ylab
    for (name in chosen) {
        at <- curve_of(x, name, interval, level, n)
        limits <- if (is.null(ylim)) range(at$mean, at$lower, at$upper, if (points) x$y) else ylim
        label <- if (is.null(xlab)) name else xlab
        if (x$kinds[[name]] == "continuous")
            draw_curve(x, name, at, interval, points, col, xlab = label, ylab = response, main = main, ylim = limits, ...)
        else
            draw_labels(x, name, at, interval, points, col, xlab = label, ylab = response, main = main, ylim = limits, ...)
    }
    invisible(x)
}

# The fit along one column.
curve_of <- function(object, name, interval, level, n)
{
    c <- match(name, names(object$kinds))
    values <- object$x[c, ]
    along <- if (object$kinds[[c]] == "continuous") seq(min(values), max(values), length.out = n) else sort(unique(values))
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
    plot(range(at$along), range(at$mean), type = "n", ...)
    if (interval != "none")
        polygon(c(at$along, rev(at$along)), c(at$lower, rev(at$upper)), col = adjustcolor(col, 0.2), border = NA)
    if (points)
        graphics::points(object$x[match(name, names(object$kinds)), ], object$y, col = "grey40")
    lines(at$along, at$mean, col = col, lwd = 2)
}

draw_labels <- function(object, name, at, interval, points, col, ...)
{
    labels <- object$xlevels[[name]]
    if (is.null(labels))
        labels <- c("FALSE", "TRUE")[at$along + 1]
    else
        labels <- labels[at$along]
    plot(range(at$along) + c(-0.5, 0.5), range(at$mean), type = "n", xaxt = "n", ...)
    axis(1, at$along, labels)
    if (points)
        graphics::points(object$x[match(name, names(object$kinds)), ], object$y, col = "grey40")
    if (interval != "none")
        segments(at$along, at$lower, at$along, at$upper, col = col, lwd = 2)
    graphics::points(at$along, at$mean, col = col, pch = 19)
}
