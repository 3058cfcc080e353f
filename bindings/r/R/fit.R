# R/fit.R - heed_np: from a formula to the C library.

KERNELS <- c("gaussian", "boxcar", "triangular", "epanechnikov", "biweight", "triweight", "tricube")
KINDS <- c("continuous", "unordered", "ordered")
LABELS <- c("li-racine", "classic")
CRITERIA <- c("cv", "aicc", "gcv")

heed_np <- function(formula, data, subset, weights, na.action, degree = 0, kernel = "gaussian", labels = "li-racine",
                    criterion = "cv", bandwidths = NULL, nearest = 0, robust = 0, starts = 5, max_evaluations = 1000,
                    model = TRUE)
{
    call <- match.call()
    frame <- call[c(1L, match(c("formula", "data", "subset", "weights", "na.action"), names(call), 0L))]
    frame$drop.unused.levels <- TRUE
    frame[[1L]] <- quote(stats::model.frame)
    frame <- eval(frame, parent.frame())
    names <- columns_of(terms(frame))
    kinds <- vapply(names, function(name) kind_of(frame[[name]], name), "")
    object <- list(call = call, terms = terms(frame), xlevels = .getXlevels(terms(frame), frame),
                   na.action = attr(frame, "na.action"), kinds = kinds, row_names = row.names(frame),
                   x = matrix_of(frame, names), y = response_of(frame), weights = model.weights(frame),
                   options = list(degree = degree, kernel = one_of(kernel, KERNELS), labels = one_of(labels, LABELS),
                                  criterion = one_of(criterion, CRITERIA), robust = robust, nearest = nearest))
    if (model)
        object$model <- frame
    given <- if (!is.null(bandwidths)) in_order(bandwidths, names)
    found <- fit_by_c(object, given, starts, max_evaluations)
    object$pointer <- found[[1L]]
    object <- structure(c(object, numbers_of(object, names)),
                        class = if (is.null(object$y)) "heed_np_density" else "heed_np")
    if (found[[2L]])
        warning("interrupted: the bandwidths are the best of ", object$evaluations, " evaluations", call. = FALSE)
    else if (object$stopped)
        warning("not at its end after ", object$evaluations, " evaluations: the bandwidths are the best so far; ",
                "raise max_evaluations", call. = FALSE)
    object
}

# The C library's numbers of a fit, or of a density.
numbers_of <- function(object, names)
{
    pointer <- object$pointer
    minima <- t(.Call(C_minima, pointer))
    colnames(minima) <- c("criterion", names)
    report <- as.list(.Call(C_report, pointer))
    names(report)[names(report) == "criterion"] <- "value"
    report$stopped <- report$stopped > 0
    h <- .Call(C_bandwidths, pointer)
    found <- list(bandwidths = setNames(if (object$options$nearest > 0) NA_real_ else h, names), minima = minima,
                  fitted.values = .Call(C_of_rows, pointer, 0L))
    if (is.null(object$y))
        return(c(report[c("value", "evaluations", "stopped")], found))
    c(report, found, list(residuals = .Call(C_of_rows, pointer, 1L), leverages = .Call(C_of_rows, pointer, 2L),
                          robust_weights = .Call(C_of_rows, pointer, 3L)))
}

fit_by_c <- function(object, bandwidths, starts, max_evaluations)
{
    o <- object$options
    numbers <- c(o$degree, match(o$kernel, KERNELS) - 1, match(o$labels, LABELS) - 1, match(o$criterion, CRITERIA) - 1,
                 o$robust, starts, max_evaluations)
    whole <- c("degree", "kernel", "labels", "criterion", "robust", "starts", "max_evaluations")
    wrong <- !is.finite(numbers) | numbers != round(numbers) | abs(numbers) > .Machine$integer.max
    if (length(numbers) != 7L || !is.numeric(numbers))
        stop("degree, robust, starts and max_evaluations are one whole number each", call. = FALSE)
    if (any(wrong))
        stop(whole[wrong][1L], " is ", numbers[wrong][1L], ": must be a whole number", call. = FALSE)
    if (!is.numeric(o$nearest) || length(o$nearest) != 1L)
        stop("nearest must be one number", call. = FALSE)
    .Call(C_fit, object$x, object$y, if (!is.null(object$weights)) as.double(object$weights),
          match(object$kinds, KINDS) - 1L, bandwidths, as.integer(numbers), as.double(o$nearest))
}

# The fit in C: again at its bandwidths, where the object comes from a file or another process.
pointer_of <- function(object)
{
    if (.Call(C_is_alive, object$pointer))
        return(object$pointer)
    fit_by_c(object, if (object$options$nearest == 0) unname(object$bandwidths), 0, 0)[[1L]]
}

# -- From a model frame ---------------------------------------------------------------------------------------------

# The names of a formula's columns. Columns interact in any case, so that x:z or an offset say nothing here.
columns_of <- function(terms)
{
    if (any(attr(terms, "order") > 1L) || !is.null(attr(terms, "offset")) || attr(terms, "intercept") == 0L)
        stop("the formula may have neither interactions nor offsets, and keeps its intercept: columns interact anyway",
             call. = FALSE)
    if (length(attr(terms, "term.labels")) == 0L)
        stop("the formula has no columns on its right side", call. = FALSE)
    # By their names in the frame, where a term is of that one variable: its label may have backquotes.
    variables <- vapply(as.list(attr(terms, "variables"))[-1L], function(v) paste(deparse(v, 500L), collapse = " "), "")
    variables[apply(attr(terms, "factors") > 0, 2L, which)]
}

kind_of <- function(column, name)
{
    if (is.matrix(column) && ncol(column) > 1L)
        stop(name, " is a matrix: give its columns one by one", call. = FALSE)
    if (is.ordered(column))
        "ordered"
    else if (is.factor(column) || is.character(column) || is.logical(column))
        "unordered"
    else if (is.numeric(column))
        "continuous"
    else
        stop(name, " is of class ", class(column)[1L], ": must be numeric, logical, a factor or text", call. = FALSE)
}

# (d, n): C's order of rows. Labels by their number.
matrix_of <- function(frame, names, xlevels = NULL)
{
    rows <- lapply(names, function(name) {
        column <- frame[[name]]
        if (is.character(column))
            column <- if (is.null(xlevels[[name]])) factor(column) else factor(column, levels = xlevels[[name]])
        as.double(column)
    })
    matrix(unlist(rows), nrow = length(names), byrow = TRUE)
}

# NULL for a density, whose formula has no left side.
response_of <- function(frame)
{
    y <- model.response(frame)
    if (is.null(y))
        return(NULL)
    if (!is.numeric(y) || is.matrix(y))
        stop("the response must be a numeric vector", call. = FALSE)
    as.double(y)
}

one_of <- function(given, names)
{
    if (!is.character(given) || length(given) != 1L || !given %in% names)
        stop(deparse(substitute(given)), " is ", paste(deparse(given), collapse = ""), ": must be one of ",
             paste(names, collapse = ", "), call. = FALSE)
    given
}

# Bandwidths by the names of the columns, if they have names.
in_order <- function(bandwidths, names)
{
    if (!is.numeric(bandwidths) || length(bandwidths) != length(names))
        stop("there are ", length(bandwidths), " bandwidths for ", length(names), " columns", call. = FALSE)
    if (!is.null(names(bandwidths))) {
        if (!setequal(names(bandwidths), names))
            stop("bandwidths are of ", paste(names(bandwidths), collapse = ", "), ", columns are ",
                 paste(names, collapse = ", "), call. = FALSE)
        bandwidths <- bandwidths[names]
    }
    as.double(bandwidths)
}
