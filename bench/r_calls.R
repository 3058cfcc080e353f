# bench/r_calls.R - times of a fit and a prediction from R, next to R's own smoothers on the same data.
#
#     Rscript bench/r_calls.R [--rows 100,1000,10000] [--markdown]
#
# Needs the package heed (companions/r), and locfit for its rows. A time is the processor time of one thread, the least
# mean of 5 samples; a sample has enough calls to last 50 ms. A ratio is the time of the other function divided by
# heed's: above 1, heed is faster. heed predicts by exact sums. loess and locfit interpolate between exact points, unless
# the row says otherwise. All use one smoothing parameter, without a search, and predict at 100 points.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
Sys.setenv(HEED_NUM_THREADS = 1)
library(heed)

arguments <- commandArgs(trailingOnly = TRUE)
at <- match("--rows", arguments)
sizes <- if (is.na(at)) c(100, 1000, 10000) else as.numeric(strsplit(arguments[at + 1L], ",")[[1L]])
SPAN <- 0.3
BANDWIDTH <- 0.05
points <- data.frame(x = seq(0.01, 0.99, length.out = 100))

seconds <- function(f, calls) sum(system.time(for (i in seq_len(calls)) f())[c("user.self", "sys.self")])

# Returns the microseconds of a call of `f`.
time_of <- function(f)
{
    f()
    calls <- 1
    while ((elapsed <- seconds(f, calls)) < 0.05)
        calls <- 2 * calls
    if (elapsed < 0.5)
        elapsed <- min(replicate(5, seconds(f, calls)))
    1e6 * elapsed / calls
}

ours_of <- function(d, ...) function() heed_np(y ~ x, data = d, model = FALSE, ...)

# The functions of a row: fits of heed and of a peer with the same kernel, and a peer whose fit includes the prediction.
rows_of <- function(d)
{
    local <- ours_of(d, degree = 2, kernel = "tricube", nearest = SPAN)
    rows <- list(loess = list(ours = local, other = function() loess(y ~ x, d, span = SPAN)),
                 `loess, direct` = list(ours = local, other = function()
                     loess(y ~ x, d, span = SPAN, surface = "direct", statistics = "approximate")),
                 ksmooth = list(ours = ours_of(d, bandwidths = BANDWIDTH), once = function()
                     ksmooth(d$x, d$y, "normal", 4 * qnorm(0.75) * BANDWIDTH, x.points = points$x)))
    if (requireNamespace("locfit", quietly = TRUE))
        rows$locfit <- list(ours = local, other = function()
            locfit::locfit(y ~ locfit::lp(x, nn = SPAN, deg = 2), data = d))
    rows
}

times_of <- function(row)
{
    fit <- row$ours()
    predicted <- function() predict(fit, points)
    ours <- c(fit = time_of(row$ours), predict = time_of(predicted))
    if (!is.null(row$once))
        return(c(ours, other_fit = NA, other_predict = time_of(row$once)))
    other <- row$other()
    c(ours, other_fit = time_of(row$other), other_predict = time_of(function() predict(other, points)))
}

set.seed(1)
table <- do.call(rbind, lapply(sizes, function(n) {
    x <- runif(n)
    d <- data.frame(x = x, y = sin(6 * x) + rnorm(n, sd = 0.3))
    rows <- rows_of(d)
    times <- t(vapply(rows, times_of, numeric(4)))
    data.frame(rows = n, peer = names(rows), times, fit_ratio = times[, 3L] / times[, 1L],
               predict_ratio = times[, 4L] / times[, 2L], row.names = NULL)
}))
shown <- table
for (name in names(table)[-2L])
    shown[[name]] <- ifelse(is.na(table[[name]]), "-",
                            sprintf(if (grepl("ratio", name)) "%.2f" else "%.0f", table[[name]]))
if ("--markdown" %in% arguments) {
    writeLines(c("| rows | other | fit, µs | predict, µs | other fit, µs | other predict, µs | fit | predict |",
                 paste0("|", strrep("---|", ncol(shown)))))
    writeLines(paste("|", do.call(paste, c(unname(shown), sep = " | ")), "|"))
} else
    print(shown, row.names = FALSE)
