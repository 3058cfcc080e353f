# R/methods.R - methods that print, summarize and return the results of a heed_np fit.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

TITLES <- c(cv = "CV.LS", aicc = "AICc", gcv = "GCV", rule = "CV.LS", `plug-in` = "CV.LS")
RULES <- c(rule = "bandwidths by the rule of thumb", `plug-in` = "bandwidth by the plug-in rule")
POLYNOMIALS <- c("constant", "linear", "quadratic", "cubic")

by_row <- function(object, values) naresid(object$na.action, setNames(values, object$row_names))

coef.heed_np <- function(object, ...) object$bandwidths

fitted.heed_np <- function(object, ...) by_row(object, object$fitted.values)

residuals.heed_np <- function(object, ...)
{
    no_more("residuals.heed_np", ...)
    by_row(object, object$residuals)
}

# object$rss has weights of mean 1; these are the user's, as in lm.
deviance.heed_np <- function(object, ...)
    sum(object$residuals^2 * if (is.null(object$weights)) 1 else object$weights)

# The Gaussian log-likelihood in the form of lm, with tr H for the number of coefficients.
logLik.heed_np <- function(object, ...)
{
    n <- nobs(object)
    w <- if (is.null(object$weights)) 1 else object$weights[object$weights > 0]
    structure((sum(log(w)) - n * (log(2 * pi) + 1 - log(n) + log(deviance(object)))) / 2, df = object$trace + 1, nobs = n,
              class = "logLik")
}

# Methods of regressions that other fits lack. The default methods would return NULL, or fail with an unrelated message.
lacks <- function(what) function(object, ...) stop("a fit of class ", class(object)[1L], " has no ", what, call. = FALSE)

no_residuals <- lacks("residuals")

no_deviance <- lacks("deviance")

no_sigma <- lacks("residual standard error")

no_quantiles <- function(x, ...) lacks("quantiles")(x)

no_model_matrix <- lacks("model matrix: model.frame returns its columns")

hatvalues.heed_np <- function(model, ...) by_row(model, model$leverages)

nobs.heed_np <- function(object, ...)
    if (is.null(object$weights)) ncol(object$x) else sum(object$weights != 0)

formula.heed_np <- function(x, ...) formula(x$terms)

sigma.heed_np <- function(object, ...) object$sigma

# The first lines of print and summary.
show_call <- function(call) cat("\nCall:\n", paste(deparse(call), collapse = "\n"), "\n\n", sep = "")

table_of <- function(object)
{
    names <- names(object$bandwidths)
    kinds <- ifelse(names %in% names(object$kinds), object$kinds[names], "response")
    timed <- match(names(object$times), names)
    kinds[timed] <- paste0(kinds[timed], " (", vapply(object$times, unit_of, ""), ")")
    data.frame(Kind = unname(kinds), Bandwidth = unname(object$bandwidths), row.names = names)
}

# The unit of the bandwidth of a column of times.
unit_of <- function(times)
    if (inherits(times, "Date")) "days" else if (inherits(times, "POSIXct")) "seconds" else units(times)

show_bandwidths <- function(table, digits)
{
    cat("\nBandwidths:\n")
    table$Bandwidth <- formatC(table$Bandwidth, digits = digits, format = "g")
    print(table)
}

show_search <- function(x)
    if (nrow(x$minima) > 0L)
        sprintf(" (%d minima, %d evaluations%s)", nrow(x$minima), as.integer(x$evaluations),
                if (x$stopped) ", not converged" else "")

show_missing <- function(x)
    if (length(x$na.action))
        cat("  (", length(x$na.action), " observations deleted due to missingness)\n", sep = "")

describe <- function(object)
{
    o <- object$options
    paste0(switch(class_of(object), heed_np_density = "Density", heed_np_classes = "Classes",
                  paste("Local", POLYNOMIALS[o$degree + 1])), ", ", o$kernel, " kernel",
           if (!o$fixed && o$criterion %in% names(RULES)) paste0(", ", RULES[[o$criterion]]),
           if (o$nearest > 0) paste0(", nearest ", format(o$nearest)),
           if (o$robust > 0) paste0(", ", o$robust, " robust rounds"))
}

print.heed_np <- function(x, digits = max(3L, getOption("digits") - 3L), ...)
{
    show_call(x$call)
    cat(describe(x), "\n\nBandwidths:\n", sep = "")
    print(x$bandwidths, digits = digits)
    cat("\nResidual standard error: ", format(x$sigma, digits = digits), ", equivalent parameters: ",
        format(x$trace, digits = digits), "\n", sep = "")
    invisible(x)
}

summary.heed_np <- function(object, ...)
{
    structure(c(object[c("call", "na.action", "residuals", "minima", "value", "r2", "sigma", "trace", "trace_squared",
                         "evaluations", "stopped")],
                list(bandwidths = table_of(object), description = describe(object), rows = nobs(object),
                     df.residual = df.residual(object), criterion = TITLES[[object$options$criterion]])), class = "summary.heed_np")
}

print.summary.heed_np <- function(x, digits = max(3L, getOption("digits") - 3L), ...)
{
    show_call(x$call)
    cat(x$description, "\n\nResiduals:\n", sep = "")
    print(setNames(quantile(x$residuals, names = FALSE, na.rm = TRUE), c("Min", "1Q", "Median", "3Q", "Max")), digits = digits)
    show_bandwidths(x$bandwidths, digits)
    cat("\n", x$criterion, ": ", format(x$value, digits = digits + 3L), show_search(x), "\nR-squared: ",
        format(x$r2, digits = digits), "\nResidual standard error: ", format(x$sigma, digits = digits),
        " on ", format(x$df.residual, digits = digits), " degrees of freedom\n",
        "Equivalent parameters (tr H): ", format(x$trace, digits = digits), ", of ", x$rows, " rows\n", sep = "")
    show_missing(x)
    if (anyNA(x$residuals))
        cat("  (", sum(is.na(x$residuals)), " of ", length(x$residuals), " rows have a window without rows)\n", sep = "")
    invisible(x)
}

# -- Densities ------------------------------------------------------------------------------------------------------

print.heed_np_density <- function(x, digits = max(3L, getOption("digits") - 3L), ...)
{
    show_call(x$call)
    cat(describe(x), "\n\nBandwidths:\n", sep = "")
    print(x$bandwidths, digits = digits)
    cat("\nMean leave-one-out log-likelihood: ", format(-x$value, digits = digits), "\n", sep = "")
    invisible(x)
}

summary.heed_np_density <- function(object, ...)
{
    structure(c(object[c("call", "na.action", "minima", "value", "evaluations", "stopped")],
                list(bandwidths = table_of(object), description = describe(object), rows = nobs(object))),
              class = "summary.heed_np_density")
}

print.summary.heed_np_density <- function(x, digits = max(3L, getOption("digits") - 3L), ...)
{
    show_call(x$call)
    cat(x$description, "\n", sep = "")
    show_bandwidths(x$bandwidths, digits)
    cat("\nMean leave-one-out log-likelihood: ", format(-x$value, digits = digits + 3L), show_search(x), "\n",
        x$rows, " rows\n", sep = "")
    show_missing(x)
    invisible(x)
}
