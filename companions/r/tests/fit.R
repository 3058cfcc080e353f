# tests/fit.R - compares heed_np with results of np, loess, lm and sums computed by R.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
library(heed)

near <- function(got, want, tolerance = 1e-9)
    stopifnot(length(got) == length(want), abs(got - want) <= tolerance * (1 + abs(want)))

# -- Stored results of R's np
fit <- heed_np(accel ~ times, data = mcycle, degree = 1)
near(coef(fit), 1.475794, 1e-6)
stopifnot(identical(names(coef(fit)), "times"))
near(fit$value, 561.339453528)
near(fit$minima[1, ], c(fit$value, coef(fit)))
near(heed_np(accel ~ times, data = mcycle, criterion = "aicc")$value, 7.525150003)
near(residuals(fit), mcycle$accel - fitted(fit))
near(sum(hatvalues(fit)), fit$trace)
near(predict(fit), fitted(fit))
near(sigma(fit), sqrt(sum(residuals(fit)^2) / (nobs(fit) - 2 * fit$trace + fit$trace_squared)))

# -- loess
exact <- loess(dist ~ speed, cars, control = loess.control(surface = "direct", statistics = "exact"))
ours <- heed_np(dist ~ speed, data = cars, degree = 2, kernel = "tricube", nearest = 0.75)
near(fitted(ours), fitted(exact))
near(sigma(ours), exact$s)
stopifnot(is.na(coef(ours)))

# -- Mixed columns: weighted least squares by lm
set.seed(1)
d <- data.frame(x = runif(80, 1, 5), g = factor(sample(c("a", "b", "c"), 80, TRUE)), o = ordered(sample(4, 80, TRUE)),
                s = sample(c("left", "right"), 80, TRUE), w = runif(80))
d$y <- sin(d$x) + as.integer(d$g) + rnorm(80)
h <- c(s = 0.5, `log(x)` = 0.3, g = 0.2, o = 0.6)
mixed <- heed_np(y ~ log(x) + g + o + s, data = d, weights = w, degree = 1, bandwidths = h)
stopifnot(identical(unname(mixed$kinds), c("continuous", "unordered", "ordered", "unordered")))
at <- data.frame(x = 2, g = "b", o = ordered(2, levels = 1:4), s = "right")
kernel <- dnorm((log(d$x) - log(2)) / 0.3) * ifelse(d$g == "b", 1, 0.2) * 0.6^abs(as.integer(d$o) - 2) *
    ifelse(d$s == "right", 1, 0.5)
line <- lm(y ~ I(log(x) - log(2)), d, weights = kernel * w)
p <- predict(mixed, at, se.fit = TRUE, slopes = TRUE)
near(p$fit, coef(line)[1], 1e-10)
near(p$slopes, coef(line)[2], 1e-9)
stopifnot(identical(colnames(p$slopes), "log(x)"), p$se.fit > 0)

# -- subset, missing values, names, a different order of columns
d$y[c(3, 7)] <- NA
d$`my x` <- d$x
some <- heed_np(y ~ `my x` + (x > 2), data = d, subset = w > 0.2, na.action = na.exclude, bandwidths = c(1, 0.5))
stopifnot(length(fitted(some)) == sum(d$w > 0.2), sum(is.na(residuals(some))) == sum(d$w[c(3, 7)] > 0.2),
          identical(names(coef(some)), c("my x", "x > 2")), identical(names(fitted(some)), row.names(d)[d$w > 0.2]))
whole <- heed_np(y ~ x, data = d, bandwidths = 0.5, na.action = na.omit)
stopifnot(nobs(whole) == 78, identical(is.na(unname(predict(whole, data.frame(x = c(2, NA, 3))))), c(FALSE, TRUE, FALSE)))

higher <- update(fit, . ~ log(times), degree = 2, bandwidths = 0.1)
stopifnot(identical(deparse(formula(higher)), "accel ~ log(times)"), higher$options$degree == 2)

# -- Bands
grid <- data.frame(times = seq(5, 50, 5))
one <- predict(fit, grid, se.fit = TRUE, interval = "pointwise", level = 0.9)
near(one$fit[, "upr"] - one$fit[, "fit"], qnorm(0.95) * one$se.fit)
near(one$residual.scale, sigma(fit))
all <- predict(fit, grid, interval = "simultaneous", level = 0.9)
new <- predict(fit, grid, interval = "prediction", level = 0.9)
stopifnot(all[, "upr"] > one$fit[, "upr"], new[, "lwr"] < all[, "lwr"])
quadratic <- heed_np(accel ~ times, data = mcycle, degree = 2, bandwidths = coef(fit))
near(predict(fit, grid, corrected = TRUE), predict(quadratic, grid))
stopifnot(predict(fit, grid, se.fit = TRUE, local = TRUE)$se.fit != one$se.fit)

# -- Printing and plots
shown <- capture.output(print(summary(fit)))
for (text in c("times continuous", "CV.LS: 561.33", "R-squared: 0.8053", "Residual standard error: 23.3", "tr H\\): 16.61"))
    stopifnot(any(grepl(text, shown)))
stopifnot(any(grepl("Local linear, gaussian kernel", capture.output(print(fit)))))
pdf(NULL)
plot(fit, interval = "simultaneous")
plot(mixed)
plot(some, which = "x > 2", points = TRUE, interval = "none")
invisible(dev.off())

# -- Robust rounds
far <- transform(cars, dist = replace(dist, 25, 1000))
robust <- heed_np(dist ~ speed, data = far, degree = 1, bandwidths = 3, robust = 3)
stopifnot(robust$robust_weights[25] == 0, abs(predict(robust, data.frame(speed = 15)) - 40) < 10)
