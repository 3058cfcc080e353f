# R/table.R - results as data frames, and tests in the form of anova.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

as.data.frame.heed_np <- function(x, row.names = NULL, optional = FALSE, ..., what = c("rows", "columns", "fit"))
{
    no_more("as.data.frame.heed_np", ...)
    found <- switch(match.arg(what), columns = columns_frame(x), fit = fit_frame(x), rows = rows_frame(x))
    if (!is.null(row.names))
        row.names(found) <- row.names
    found
}

columns_frame <- function(x)
{
    table <- table_of(x)
    data.frame(term = row.names(table), kind = table$Kind, bandwidth = table$Bandwidth)
}

fit_frame <- function(x)
{
    common <- list(criterion = x$options$criterion, value = x$value, nobs = nobs(x))
    if (!inherits(x, "heed_np"))
        return(data.frame(common))
    data.frame(r.squared = x$r2, sigma = x$sigma, df = x$trace, df.residual = df.residual(x), common)
}

# The model frame, and the results of every row with broom's names.
rows_frame <- function(x)
{
    frame <- if (is.null(x$model)) data.frame(row.names = x$row_names) else plain_frame(x$model)
    if (inherits(x, "heed_np_classes")) {
        p <- probabilities(x, x$x)
        frame$.class <- unname(class_with(x, p))
        return(cbind(frame, `colnames<-`(p, paste0(".prob.", colnames(p)))))
    }
    frame$.fitted <- x$fitted.values
    frame$.se.fit <- queries(x, x$x)$se
    if (inherits(x, "heed_np")) {
        frame$.resid <- x$residuals
        frame$.hat <- x$leverages
    }
    frame
}

# A model frame without its terms, so that it is an ordinary data frame.
plain_frame <- function(frame)
{
    attr(frame, "terms") <- attr(frame, "na.action") <- NULL
    frame
}

df.residual.heed_np <- function(object, ...) nobs(object) - 2 * object$trace + object$trace_squared

anova.heed_np <- function(object, ..., draws = 399, seed = 0)
{
    if (...length() > 0L)
        return(compare(list(object, ...)))
    table <- heed_np_significance(object, draws, seed)
    structure(data.frame(Bandwidth = table$Bandwidth, `Pr(boot)` = table$p.value, row.names = row.names(table),
                         check.names = FALSE),
              heading = c(paste0("Significance of columns, from ", draws, " wild draws\n"),
                          paste("Response:", name_of_response(object))),
              class = c("anova", "data.frame"))
}

in_one_line <- function(fit)
    paste0(paste(deparse(formula(fit)), collapse = " "), "; ", describe(fit), if (!anyNA(fit$bandwidths)) "; ",
           if (!anyNA(fit$bandwidths)) paste(names(fit$bandwidths), format(fit$bandwidths, digits = 4), collapse = ", "))

# Approximate F tests between fits of the same rows, in the order of their degrees of freedom.
compare <- function(fits)
{
    for (fit in fits)
        a_fit(fit, "heed_np")
    if (any(vapply(fits, function(fit) !identical(fit$y, fits[[1L]]$y) || !identical(fit$weights, fits[[1L]]$weights), NA)))
        stop("the fits must have the same response and weights in the same rows", call. = FALSE)
    df <- vapply(fits, df.residual, 0)
    rss <- vapply(fits, function(fit) fit$rss, 0)
    gained <- c(NA, -diff(df))
    f <- c(NA, -diff(rss)) / gained / (rss / df)[which.min(df)]
    p <- ifelse(abs(gained) > 1e-6, pf(f, abs(gained), min(df), lower.tail = FALSE), NA)
    structure(data.frame(Res.Df = df, RSS = rss, Df = gained, `Sum of Sq` = c(NA, -diff(rss)), F = f, `Pr(>F)` = p,
                         check.names = FALSE),
              heading = c("Approximate F tests\n", paste0("Model ", seq_along(fits), ": ", vapply(fits, in_one_line, ""), collapse = "\n")),
              class = c("anova", "data.frame"))
}
