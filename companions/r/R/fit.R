# R/fit.R - heed_np: reads a formula and data, and fits in the C library.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

KERNELS <- c("gaussian", "boxcar", "triangular", "epanechnikov", "biweight", "triweight", "tricube")
KINDS <- c("continuous", "unordered", "ordered")
LABELS <- c("li-racine", "classic")
CRITERIA <- c("cv", "aicc", "gcv", "rule", "plug-in")

heed_np <- function(formula, data, subset, weights, na.action, degree = 0, kernel = "gaussian", labels = "li-racine",
                    criterion = "cv", bandwidths = NULL, nearest = 0, robust = 0, starts = 5, max_evaluations = 3000,
                    model = TRUE)
{
    call <- match.call()
    if (!inherits(formula, "formula") && !is.character(formula))
        stop("formula is of class ", class(formula)[1L], ": must be a formula such as y ~ x + z; data is the second argument",
             call. = FALSE)
    frame <- call[c(1L, match(c("formula", "data", "subset", "weights", "na.action"), names(call), 0L))]
    frame$drop.unused.levels <- TRUE
    frame[[1L]] <- quote(stats::model.frame)
    frame <- eval(frame, parent.frame())
    if (nrow(frame) == 0L)
        stop("no rows are left: subset and na.action leave out all of them", call. = FALSE)
    a_flag(model)
    names <- columns_of(terms(frame))
    kinds <- vapply(names, function(name) kind_of(frame[[name]], name), "")
    times <- lapply(Filter(is_time, as.list(frame)[names]), `[`, 0L)
    response <- model.response(frame)
    object <- list(call = call, terms = terms(frame), xlevels = .getXlevels(terms(frame), frame),
                   na.action = attr(frame, "na.action"), kinds = kinds, times = times,
                   row_names = row.names(frame), x = matrix_of(frame, names), y = response_of(response),
                   labels = if (is_label(response)) levels(as.factor(response)), response = class(response)[1L],
                   weights = model.weights(frame),
                   options = list(degree = degree, kernel = one_of(kernel, KERNELS), labels = one_of(labels, LABELS),
                                  criterion = one_of(criterion, CRITERIA), robust = robust, nearest = nearest,
                                  fixed = !is.null(bandwidths)))
    if (model)
        object$model <- frame
    if (!is.null(object$labels)) # the labels of the response have a bandwidth, too
        kinds[name_of_response(object)] <- "unordered"
    given <- if (!is.null(bandwidths)) in_order(bandwidths, kinds)
    check_rows(object, frame, is.null(given) && identical(nearest, 0))
    found <- fit_by_c(object, given, starts, max_evaluations)
    object$pointer <- found[[1L]]
    object <- structure(c(object, numbers_of(object, names(kinds))), class = class_of(object))
    warn_of_search(object, found[[2L]])
    object
}

class_of <- function(object)
    if (is.null(object$y)) "heed_np_density" else if (is.null(object$labels)) "heed_np" else "heed_np_classes"

name_of_response <- function(object) paste(deparse(attr(object$terms, "variables")[[2L]], 500L), collapse = " ")

warn_of_search <- function(object, interrupted)
{
    if (interrupted)
        warning("the search was interrupted: the bandwidths are the best of ", object$evaluations, " evaluations",
                call. = FALSE)
    else if (object$stopped)
        warning("the search has not converged after ", object$evaluations, " evaluations: the bandwidths are the best ",
                "so far; raise max_evaluations", call. = FALSE)
}

# Numbers that the C library leaves undefined are NA.
defined <- function(values) replace(values, is.nan(values), NA_real_)

# The results of a fit or a density from the C library.
numbers_of <- function(object, names)
{
    of_rows <- function(what) defined(.Call(C_of_rows, pointer, what))
    pointer <- object$pointer
    minima <- t(.Call(C_minima, pointer))
    colnames(minima) <- c("criterion", names)
    report <- as.list(defined(.Call(C_report, pointer)))
    names(report)[names(report) == "criterion"] <- "value"
    report$stopped <- report$stopped > 0
    if (length(unique(object$y)) == 1L)
        report$r2 <- NA_real_
    h <- .Call(C_bandwidths, pointer)
    found <- list(bandwidths = setNames(if (object$options$nearest > 0) NA_real_ else h, names), minima = minima,
                  fitted.values = if (is.null(object$labels)) of_rows(0L))
    if (is.null(object$y) || !is.null(object$labels))
        return(c(report[c("value", "evaluations", "stopped")], found))
    c(report, found, list(residuals = of_rows(1L), leverages = of_rows(2L), robust_weights = of_rows(3L)))
}

fit_by_c <- function(object, bandwidths, starts, max_evaluations)
{
    o <- object$options
    whole <- list(degree = o$degree, robust = o$robust, starts = starts, max_evaluations = max_evaluations)
    for (name in names(whole))
        a_whole_number(whole[[name]], name)
    if (!is.numeric(o$nearest) || length(o$nearest) != 1L || is.na(o$nearest))
        stop("nearest is ", shown(o$nearest), ": must be one number, from 0 to 1", call. = FALSE)
    numbers <- c(o$degree, match(o$kernel, KERNELS) - 1, match(o$labels, LABELS) - 1, match(o$criterion, CRITERIA) - 1,
                 o$robust, starts, max_evaluations, !is.null(object$labels))
    .Call(C_fit, object$x, object$y, if (!is.null(object$weights)) as.double(object$weights),
          match(object$kinds, KINDS) - 1L, bandwidths, as.integer(numbers), as.double(o$nearest))
}

# The fit in C; it is fitted again at its bandwidths if the object comes from a file or a different process.
pointer_of <- function(object)
{
    if (.Call(C_is_alive, object$pointer))
        return(object$pointer)
    fit_by_c(object, if (object$options$nearest == 0) unname(object$bandwidths), 0, 0)[[1L]]
}

# -- From a model frame ---------------------------------------------------------------------------------------------

# The names of the columns of a formula. Columns always interact, so x:z has no meaning here; neither has an offset.
columns_of <- function(terms)
{
    if (any(attr(terms, "order") > 1L) || !is.null(attr(terms, "offset")) || attr(terms, "intercept") == 0L)
        stop("the formula must keep its intercept and have neither interactions nor offsets: columns always interact",
             call. = FALSE)
    if (length(attr(terms, "term.labels")) == 0L)
        stop("the formula has no columns on its right side", call. = FALSE)
    parts <- as.list(attr(terms, "variables"))[-1L]
    for (part in parts)
        if (is.call(part) && identical(part[[1L]], quote(`|`)))
            stop("the column ", deparse(part), " would be TRUE or FALSE: write ", deparse(part[[2L]]), " + ", deparse(part[[3L]]),
                 " for two columns, which always interact, or I(", deparse(part), ")", call. = FALSE)
    # A term is a single variable. Its column in the frame has the name of the variable; its label may have backquotes.
    variables <- vapply(parts, function(v) paste(deparse(v, 500L), collapse = " "), "")
    columns <- variables[apply(attr(terms, "factors") > 0, 2L, which)]
    if (attr(terms, "response") > 0L && variables[[1L]] %in% columns)
        stop("the response ", variables[[1L]], " is also a column: leave it out of the right side", call. = FALSE)
    columns
}

kind_of <- function(column, name)
{
    if (is.matrix(column) && ncol(column) > 1L)
        stop(name, " is a matrix: name its columns as separate terms", call. = FALSE)
    if (is.ordered(column))
        "ordered"
    else if (is.factor(column) || is.character(column) || is.logical(column))
        "unordered"
    else if (is.numeric(column) || is_time(column))
        "continuous"
    else
        stop(name, " is of class ", class(column)[1L], ": must be numeric, a date or time, logical, a factor or text",
             call. = FALSE)
}

is_time <- function(column) inherits(column, c("Date", "POSIXct", "difftime"))

is_label <- function(y) is.factor(y) || is.character(y) || is.logical(y)

# Returns a column of times in the class and the unit of the fit's column.
as_fitted <- function(column, times, name)
{
    if (class(column)[1L] != class(times)[1L])
        stop(name, " is of class ", class(column)[1L], ": must be ", class(times)[1L], ", as in the fit", call. = FALSE)
    if (inherits(times, "difftime"))
        units(column) <- units(times)
    column
}

# Returns (d, n), which is (n, d) in the row-major order of C. Labels become their numbers, dates become days and times
# seconds since 1970.
matrix_of <- function(frame, names, xlevels = NULL, times = NULL)
{
    rows <- lapply(names, function(name) {
        column <- frame[[name]]
        if (!is.null(times[[name]]))
            column <- as_fitted(column, times[[name]], name)
        if (is.character(column))
            column <- if (is.null(xlevels[[name]])) factor(column) else factor(column, levels = xlevels[[name]])
        as.double(column)
    })
    matrix(unlist(rows), nrow = length(names), byrow = TRUE)
}

# Returns the response, with labels as their numbers, or NULL for a density, whose formula lacks a left side.
response_of <- function(y)
{
    if (is.null(y))
        return(NULL)
    if (is_label(y))
        return(as.double(as.factor(y)))
    if (!is.numeric(y) || is.matrix(y))
        stop("the response is of class ", class(y)[1L], ": must be a numeric or logical vector, a factor or text",
             call. = FALSE)
    as.double(y)
}

# -- Checks of arguments --------------------------------------------------------------------------------------------

shown <- function(value)
{
    text <- paste(deparse(value, 60L), collapse = " ")
    if (nchar(text) > 60L) paste0(substr(text, 1L, 57L), "...") else text
}

one_of <- function(given, names)
{
    if (!is.character(given) || length(given) != 1L || !given %in% names)
        stop(deparse(substitute(given)), " is ", shown(given), ": must be one of ", paste(names, collapse = ", "),
             call. = FALSE)
    given
}

a_whole_number <- function(given, name, least = 0)
{
    if (!is.numeric(given) || length(given) != 1L || !is.finite(given) || given != round(given) || given < least ||
        given > .Machine$integer.max)
        stop(name, " is ", shown(given), ": must be a whole number, ", least, " or more", call. = FALSE)
    as.integer(given)
}

a_flag <- function(given)
    if (!is.logical(given) || length(given) != 1L || is.na(given))
        stop(deparse(substitute(given)), " is ", shown(given), ": must be TRUE or FALSE", call. = FALSE)

# Refuses arguments in the dots: a misspelt argument would have no effect.
no_more <- function(method, ...)
{
    given <- names(list(...))
    if (...length() > 0L)
        stop(method, " has no argument ", if (is.null(given)) "at this position" else shown(given[[1L]]),
             "; its arguments are ", paste(setdiff(names(formals(method)), "..."), collapse = ", "), call. = FALSE)
}

# Returns the bandwidths in the order of the columns. They may have the names of the columns.
in_order <- function(bandwidths, kinds)
{
    names <- names(kinds)
    columns <- paste(names, collapse = ", ")
    if (!is.numeric(bandwidths))
        stop("bandwidths is ", shown(bandwidths), ": must be numbers, for ", columns, call. = FALSE)
    if (length(bandwidths) != length(names))
        stop("bandwidths must be ", length(names), if (length(names) > 1L) " numbers" else " number", ", for ", columns,
             ", not ", length(bandwidths), call. = FALSE)
    if (!is.null(names(bandwidths))) {
        if (!setequal(names(bandwidths), names))
            stop("bandwidths are named ", paste(names(bandwidths), collapse = ", "), ": must be named ", columns,
                 call. = FALSE)
        bandwidths <- bandwidths[names]
    }
    smooth <- kinds == "continuous"
    wrong <- which(!is.finite(bandwidths) | bandwidths < 0 | (smooth & bandwidths == 0) | (!smooth & bandwidths > 1))
    if (length(wrong))
        stop("the bandwidth of ", names[wrong[1L]], " is ", bandwidths[[wrong[1L]]], ": must be ",
             if (smooth[[wrong[1L]]]) "above 0" else "from 0 to 1", call. = FALSE)
    as.double(bandwidths)
}

# -- Checks of rows -------------------------------------------------------------------------------------------------

# Stops at the first wrong value and names its column and its row in the user's data.
stop_at <- function(wrong, values, name, rows, advice)
    if (any(wrong)) {
        i <- which(wrong)[1L]
        stop(name, " is ", format(values[i]), " in row ", rows[i], ": ", advice, call. = FALSE)
    }

check_rows <- function(object, frame, is_searched)
{
    rows <- row.names(frame)
    finite <- "must be finite; leave such rows out, by subset or na.action"
    if (!is.null(object$y))
        stop_at(!is.finite(object$y), object$y, name_of_response(object), rows, finite)
    if (!is.null(object$weights)) {
        if (!is.numeric(object$weights))
            stop("weights are of class ", class(object$weights)[1L], ": must be numeric", call. = FALSE)
        stop_at(!is.finite(object$weights), object$weights, "the weight", rows, finite)
        stop_at(object$weights < 0, object$weights, "the weight", rows, "must not be negative")
        if (all(object$weights == 0))
            stop("all weights are 0", call. = FALSE)
    }
    names <- names(object$kinds)
    for (c in seq_along(names)) {
        values <- object$x[c, ]
        stop_at(!is.finite(values), values, names[c], rows, finite)
        if (is_searched && object$kinds[[c]] == "continuous" && all(values == values[1L]))
            stop(names[c], " is ", format(values[1L]), " in every row: a constant column explains nothing, leave it out",
                 call. = FALSE)
    }
}
