# R/predict.R - predictions with standard errors, bands and slopes, and quantiles.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

BANDS <- c("pointwise", "simultaneous", "prediction")

# The band with predict.lm's name "confidence" is the pointwise band.
band_of <- function(interval) if (interval == "confidence") "pointwise" else interval

predict.heed_np <- function(object, newdata, se.fit = FALSE, interval = c("none", "confidence", "pointwise", "simultaneous",
                                                                     "prediction"),
                            level = 0.95, local = FALSE, corrected = FALSE, slopes = FALSE, na.action = stats::na.pass, ...,
                            seed = 0) # after the dots, so that se means se.fit
{
    no_more("predict.heed_np", ...)
    interval <- band_of(match.arg(interval))
    a_flag(se.fit)
    a_flag(slopes)
    place <- places(object, if (!missing(newdata)) newdata, na.action)
    at <- queries(object, place$x, interval, level, local, corrected, seed)
    fit <- if (interval == "none") at$mean else cbind(fit = at$mean, lwr = at$lower, upr = at$upper)
    if (!se.fit && !slopes)
        return(place$named(fit))
    c(list(fit = place$named(fit)), if (se.fit) list(se.fit = place$named(at$se), df = df.residual(object), residual.scale = object$sigma),
      if (slopes) list(slopes = place$named(at$slopes), slope.se = place$named(at$slope_se)))
}

predict.heed_np_density <- function(object, newdata, se.fit = FALSE, interval = c("none", "confidence", "pointwise"),
                                    level = 0.95, na.action = stats::na.pass, ...)
{
    no_more("predict.heed_np_density", ...)
    interval <- band_of(match.arg(interval))
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
        x <- matrix_of(frame, names(object$kinds), object$xlevels, object$times)
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
    if (!is.list(newdata) && !is.environment(newdata))
        stop("newdata is of class ", class(newdata)[1L], ": must be a data frame for ", paste(names(object$kinds), collapse = ", "),
             call. = FALSE)
    frame <- model.frame(terms, newdata, na.action = na.action, xlev = object$xlevels)
    rows <- nrow(frame) + length(attr(frame, "na.action"))
    if (is.data.frame(newdata) && rows != nrow(newdata)) # variables that newdata lacks come from the formula's environment
        stop("newdata has ", nrow(newdata), " rows, but ", paste(names(object$kinds), collapse = ", "), " has ", rows,
             " from elsewhere: newdata must contain ", paste(all.vars(terms), collapse = ", "), call. = FALSE)
    for (name in names(object$times)) # .checkMFClasses calls all times "other"
        as_fitted(frame[[name]], object$times[[name]], name)
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
