# R/draws.R - resampling: the bootstrap, and tests of significance of columns.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

RESAMPLINGS <- c("wild", "pairs")

heed_np_bootstrap <- function(object, newdata, resampling = NULL, draws = 999, seed = 0, na.action = stats::na.pass)
{
    a_fit(object, c("heed_np", "heed_np_density"))
    if (is.null(resampling))
        resampling <- if (is.null(object$y)) "pairs" else "wild"
    kind <- match(one_of(resampling, RESAMPLINGS), RESAMPLINGS) - 1L
    draws <- a_whole_number(draws, "draws", 1)
    place <- places(object, if (!missing(newdata)) newdata, na.action)
    t(place$named(where_known(place$x, function(at)
        .Call(C_bootstrap, pointer_of(object), at, kind, draws, seed_of(seed)))))
}

heed_np_significance <- function(object, draws = 399, seed = 0)
{
    a_fit(object, "heed_np")
    draws <- a_whole_number(draws, "draws", 1)
    p <- vapply(seq_along(object$kinds) - 1L, function(column)
        .Call(C_significance, pointer_of(object), column, draws, seed_of(seed)), 0)
    structure(cbind(table_of(object), p.value = p), draws = draws, class = c("heed_np_significance", "data.frame"))
}

print.heed_np_significance <- function(x, digits = max(3L, getOption("digits") - 3L), ...)
{
    if (!all(c("Kind", "Bandwidth", "p.value") %in% names(x))) # only some columns of the table
        return(NextMethod())
    cat("\nSignificance of columns, from ", attr(x, "draws"), " wild draws\n\n", sep = "")
    shown <- as.matrix(data.frame(x[c("Bandwidth", "p.value")], check.names = FALSE))
    rownames(shown) <- paste0(row.names(x), " (", x$Kind, ")")
    printCoefmat(shown, digits = digits, cs.ind = NULL, tst.ind = NULL, has.Pvalue = TRUE, P.values = TRUE, ...)
    invisible(x)
}

a_fit <- function(object, classes)
    if (!inherits(object, classes))
        stop("object is of class ", class(object)[1L], ": must be ", paste(classes, collapse = " or "), call. = FALSE)
