# tests/draws.R - compares densities, quantiles, bootstrap and significance with sums computed by R.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
library(heed)

near <- function(got, want, tolerance = 1e-9)
    stopifnot(length(got) == length(want), abs(got - want) <= tolerance * (1 + abs(want)))
fails <- function(expression, text)
{
    message <- tryCatch({ expression; "no error" }, error = conditionMessage)
    if (!grepl(text, message, fixed = TRUE))
        stop("'", message, "' is not '", text, "'")
}

# -- Densities: means of kernels, and the leave-one-out likelihood
q <- c(1.75, 3)
of <- heed_np(~ eruptions, data = faithful, bandwidths = 0.2)
near(predict(of, data.frame(eruptions = q)), sapply(q, function(at) mean(dnorm(at, faithful$eruptions, 0.2))))
near(predict(of), fitted(of))
x <- faithful$eruptions
found <- heed_np(~ eruptions, data = faithful)
left_out <- function(h) -mean(log((rowSums(dnorm(outer(x, x, "-"), 0, h)) - dnorm(0, 0, h)) / (length(x) - 1)))
near(found$value, left_out(coef(found)))
near(coef(found), optimize(left_out, c(0.05, 0.3), tol = 1e-9)$minimum, 1e-5)
near(heed_np(~ eruptions, data = faithful, weights = rep(1:2, 136), bandwidths = 0.2)$fitted.values[1],
     weighted.mean(dnorm(x[1], x, 0.2), rep(1:2, 136)))
mixed <- heed_np(~ Wind + factor(Month), data = airquality, bandwidths = c(2, 0.3))
near(predict(mixed, data.frame(Wind = 9, Month = 6)),
     mean(dnorm(9, airquality$Wind, 2) * ifelse(airquality$Month == 6, 1, 0.3) / (1 + 4 * 0.3)))
at <- predict(of, data.frame(eruptions = c(q, NA)), se.fit = TRUE, interval = "pointwise", level = 0.9)
near(at$fit[1:2, "upr"] - at$fit[1:2, "fit"], qnorm(0.95) * at$se.fit[1:2])
stopifnot(is.na(at$fit[3, ]), is.na(at$se.fit[3]), at$fit[1:2, "lwr"] >= 0)
stopifnot(inherits(of, "heed_np_density"), !inherits(of, "heed_np"), nobs(of) == 272,
          identical(deparse(formula(update(of, ~ log(waiting)))), "~log(waiting)"))
shown <- capture.output(print(of), print(summary(found)))
for (text in c("Density, gaussian kernel", "Mean leave-one-out log-likelihood: ", "1 minima", "272 rows"))
    stopifnot(any(grepl(text, shown)))
fails(heed_np(~ eruptions, data = faithful, degree = 1), "np_fit_density: ")
fails(predict(of, faithful, interval = "simultaneous"), "should be one of")
path <- tempfile()
saveRDS(of, path)
stopifnot(identical(predict(readRDS(path), faithful), predict(of, faithful)))
pdf(NULL)
plot(of)
plot(mixed, interval = "none")
invisible(dev.off())

# -- Quantiles: the least value with at least a share of the weight up to it
fit <- heed_np(accel ~ times, data = mcycle, bandwidths = 3)
of_weights <- function(at, p)
{
    w <- dnorm(mcycle$times, at, 3)
    by <- order(mcycle$accel)
    mcycle$accel[by][which(cumsum(w[by]) >= p * sum(w))[1]]
}
times <- c(12, 20, 40)
got <- quantile(fit, c(0.1, 0.5, 0.995), data.frame(times = c(times, NA)))
near(got[1:3, ], outer(times, c(0.1, 0.5, 0.995), Vectorize(of_weights)))
stopifnot(identical(colnames(got), c("10%", "50%", "99.5%")), is.na(got[4, ]), dim(quantile(fit)) == c(133, 3))
line <- quantile(heed_np(accel ~ times, data = mcycle, degree = 1, bandwidths = 3), c(0.05, 0.95))
stopifnot(mean(line[, 1] <= mcycle$accel & mcycle$accel <= line[, 2]) > 0.8)
fails(quantile(fit, 1.5), "np_quantile: level is 1.5")
fails(quantile(fit, "half"), "probs must be")
fails(quantile(heed_np(dist ~ speed, data = cars, degree = 2, bandwidths = 5)), "np_quantile: ")

# -- Bootstrap: the standard deviations of the draws are standard errors
grid <- data.frame(times = c(10, 20, NA, 45))
draws <- heed_np_bootstrap(fit, grid, draws = 4000, seed = 2)
stopifnot(dim(draws) == c(4000, 4), is.na(draws[, 3]),
          identical(draws, heed_np_bootstrap(fit, grid, draws = 4000, seed = 2)),
          !identical(draws[1:9, ], heed_np_bootstrap(fit, grid, draws = 9)),
          identical(colnames(draws), as.character(1:4)))
near(apply(draws[, -3], 2, sd), predict(fit, grid, se.fit = TRUE, local = TRUE)$se.fit[-3], 0.05)
pairs <- heed_np_bootstrap(of, data.frame(eruptions = q), draws = 4000)
near(apply(pairs, 2, sd), predict(of, data.frame(eruptions = q), se.fit = TRUE)$se.fit, 0.01)
stopifnot(dim(heed_np_bootstrap(fit, draws = 2)) == c(2, 133),
          !identical(heed_np_bootstrap(fit, grid, "pairs", 9), heed_np_bootstrap(fit, grid, draws = 9)))
fails(heed_np_bootstrap(of, resampling = "wild"), "np_bootstrap: ")
fails(heed_np_bootstrap(fit, grid, "tame"), "resampling is \"tame\": must be one of wild, pairs")
fails(heed_np_bootstrap(fit, grid, draws = 0), "draws is 0: must be a whole number, 1 or more")
fails(heed_np_bootstrap(fit, grid, seed = -1), "seed must be")
fails(heed_np_bootstrap(cars), "object is of class data.frame: must be heed_np or heed_np_density")

# -- Significance: columns that matter, and a column that does not
set.seed(4)
d <- data.frame(x = runif(100), noise = runif(100), g = factor(sample(c("a", "b"), 100, TRUE)))
d$y <- sin(6 * d$x) + (d$g == "b") + 0.3 * rnorm(100)
table <- heed_np_significance(heed_np(y ~ x + noise + g, data = d, degree = 1), draws = 99)
stopifnot(is.data.frame(table), identical(row.names(table), c("x", "noise", "g")), table$p.value[c(1, 3)] == 0.01,
          table$p.value[2] > 0.05, identical(table$Kind, c("continuous", "continuous", "unordered")))
shown <- capture.output(print(table))
stopifnot(any(grepl("99 wild draws", shown)), any(grepl("^noise \\(continuous\\)", shown)),
          any(grepl("0.01 \\*\\*|0.01 \\* ", shown)))
stopifnot(any(grepl("unordered", capture.output(print(table["Kind"])))))
fails(heed_np_significance(of), "object is of class heed_np_density: must be heed_np")
fails(heed_np_significance(fit, draws = 1.5), "draws is 1.5: must be")
