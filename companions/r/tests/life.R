# tests/life.R - errors, interrupts, memory, and objects from files.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
library(heed)

fails <- function(expression, text)
{
    message <- tryCatch({ expression; "no error" }, error = conditionMessage)
    if (!grepl(text, message, fixed = TRUE))
        stop("'", message, "' is not '", text, "'")
}

# -- Errors: messages of the library, and mistakes in the call
fails(heed_np(dist ~ speed, data = cars, degree = 7), "np_fit: degree is 7")
fails(heed_np(dist ~ speed, data = cars, degree = 1.5), "degree is 1.5: must be a whole number")
for (wrong in list(1:2, "1", TRUE, NA, NULL, -1, list(1)))
    for (name in c("degree", "robust", "starts", "max_evaluations"))
        fails(do.call(heed_np, c(list(dist ~ speed, data = cars), setNames(list(wrong), name))), "must be a whole number, 0 or more")
fails(heed_np(dist ~ speed, data = cars, nearest = "0.5"), "nearest is \"0.5\": must be one number")
fails(heed_np(dist ~ speed, data = cars, model = "no"), "model is \"no\": must be TRUE or FALSE")
fails(heed_np(dist ~ speed, data = cars, kernel = "cosine"), "kernel is \"cosine\": must be one of gaussian")
fails(heed_np(dist ~ speed, data = cars, bandwidths = 1:2), "bandwidths must be 1 number, for speed, not 2")
fails(heed_np(dist ~ speed, data = cars, bandwidths = "1"), "bandwidths is \"1\": must be numbers, for speed")
fails(heed_np(dist ~ speed, data = cars, bandwidths = c(width = 1)), "bandwidths are named width: must be named speed")
fails(heed_np(dist ~ speed, data = cars, bandwidths = -1), "the bandwidth of speed is -1: must be above 0")
fails(heed_np(mpg ~ wt + factor(cyl), data = mtcars, bandwidths = c(1, 2)), "the bandwidth of factor(cyl) is 2: must be from 0 to 1")
fails(heed_np(dist ~ speed, data = cars, weights = -speed), "the weight is -4 in row 1: must not be negative")
fails(heed_np(dist ~ speed, data = cars, weights = as.character(speed)), "weights are of class character: must be numeric")
fails(heed_np(dist ~ speed, data = cars, weights = factor(speed)), "numeric")
fails(heed_np(dist ~ speed, data = cars, weights = 0 * speed), "all weights are 0")
fails(heed_np(dist ~ speed, data = cars, subset = speed < 0), "no rows are left")
fails(heed_np(log(dist - 2) ~ speed, data = cars), "log(dist - 2) is -Inf in row 1: must be finite")
odd <- data.frame(y = 1:6, x = c(1, NA, 3, 0, 5, 6), z = 2, row.names = letters[1:6])
fails(heed_np(y ~ log(x), data = odd), "log(x) is -Inf in row d: must be finite; leave such rows out")
fails(heed_np(y ~ x, data = odd, na.action = na.pass), "x is NA in row b")
fails(heed_np(~ log(x), data = odd), "log(x) is -Inf in row d")
fails(heed_np(y ~ x + z, data = odd), "z is 2 in every row")
fails(heed_np(mpg ~ wt * hp, data = mtcars), "neither interactions nor offsets")
fails(heed_np(mpg ~ 1, data = mtcars), "no columns")
fails(heed_np(mpg ~ poly(wt, 2), data = mtcars), "is a matrix")
fails(heed_np(as.Date(cyl, "1970-01-01") ~ wt, data = mtcars), "the response is of class Date: must be")
cubic <- heed_np(dist ~ speed, data = cars, degree = 3, bandwidths = 5)
fails(predict(cubic, corrected = TRUE), "np_predict: corrected")
fails(predict(cubic, cars, level = 2), "level must be")
fails(predict(cubic, cars, level = "0.9"), "level must be")
fails(predict(cubic, data.frame(speed = c(4, Inf))), "speed is Inf in row 2: must be finite")
for (wrong in list("yes", 1, NA, c(TRUE, TRUE)))
    for (name in c("se.fit", "slopes", "local", "corrected"))
        fails(do.call(predict, c(list(cubic, cars), setNames(list(wrong), name))), paste0(name, " is ", deparse(wrong), ": must be TRUE or FALSE"))
fails(predict(cubic, data = cars), "predict.heed_np has no argument \"data\"; its arguments are object, newdata, se.fit")
fails(predict(cubic, cars, local = FALSE, seeds = 1), "has no argument \"seeds\"")
fails(quantile(heed_np(dist ~ speed, data = cars, bandwidths = 5), 0.5, type = 7), "quantile.heed_np has no argument \"type\"")
fails(predict(heed_np(~ speed, data = cars, bandwidths = 5), data = cars), "predict.heed_np_density has no argument \"data\"")
fails(plot(cubic, n = "20"), "n is \"20\": must be a whole number, 2 or more")
fails(plot(cubic, which = 2), "which is 2: must be among speed")
# Unambiguous prefixes of the arguments before the dots are accepted.
short <- predict(cubic, cars, se = TRUE)
stopifnot(identical(short, predict(cubic, cars, se.fit = TRUE)), identical(short$fit, predict(cubic, new = cars)))
fails(predict(cubic, data.frame(other = 1)), "speed")
colours <- heed_np(mpg ~ factor(cyl), data = mtcars, bandwidths = 0.5)
fails(predict(colours, data.frame(cyl = 5)), "new level")
stopifnot(abs(predict(cubic, data.frame(speed = 15)) - 40) < 10) # no error is pending

# -- The result of a point whose window contains no rows is NA, and a warning counts such points
holes <- data.frame(x = c(0:3, 7:10), y = 100 + c(1, 3, 2, 4, 2, 3, 1, 2))
apart <- heed_np(y ~ x, data = holes, kernel = "epanechnikov", bandwidths = 1.5)
told <- NULL
at <- data.frame(x = c(1, 5, NA, 9))
gap <- withCallingHandlers(predict(apart, at, se.fit = TRUE, interval = "prediction", slopes = TRUE),
                           warning = function(w) { told <<- c(told, conditionMessage(w)); invokeRestart("muffleWarning") })
stopifnot(identical(told, "1 of 3 points have no row within the window: the results there are NA"),
          identical(unname(is.na(gap$fit[, "fit"])), c(FALSE, TRUE, TRUE, FALSE)), !is.nan(gap$fit), !is.nan(gap$se.fit),
          is.na(gap$fit[2, ]), is.na(gap$slopes[2]))
for (find in list(function() quantile(apart, 0.5, at), function() t(heed_np_bootstrap(apart, at, draws = 5)))) {
    found <- suppressWarnings(find())
    stopifnot(is.na(found[2, ]), !is.nan(found[2, ]), !is.na(found[c(1, 4), ]))
}
pdf(NULL)
suppressWarnings(plot(apart))
invisible(dev.off())
flat <- heed_np(rep(3, 8) ~ x, data = holes, bandwidths = 2)
stopifnot(is.na(flat$r2), !is.nan(flat$r2), any(grepl("R-squared: NA", capture.output(print(summary(flat))))))

# -- A search that ends early
left <- tryCatch(heed_np(accel ~ times, data = mcycle, max_evaluations = 3), warning = conditionMessage)
stopifnot(grepl("not converged after 3 evaluations", left))

# Ctrl-C ends a search with the best bandwidths found and a warning; R continues.
if (.Platform$OS.type == "unix") {
    set.seed(1)
    long <- data.frame(x = runif(3000), z = runif(3000), y = rnorm(3000))
    told <- NULL
    system(sprintf("(sleep 2; kill -INT %d)", Sys.getpid()), wait = FALSE)
    best <- withCallingHandlers(heed_np(y ~ x + z, data = long, degree = 2, starts = 500, max_evaluations = 1e6),
                                warning = function(w) { told <<- conditionMessage(w); invokeRestart("muffleWarning") })
    stopifnot(grepl("interrupted", told), best$stopped, all(coef(best) > 0), is.finite(best$value))
    # Ctrl-C ends heed_np_significance after the current column.
    both <- heed_np(y ~ x + z, data = long[1:1500, ], bandwidths = c(0.2, 0.2))
    system(sprintf("(sleep 0.3; kill -INT %d)", Sys.getpid()), wait = FALSE)
    stopped <- tryCatch({ heed_np_significance(both, draws = 9999); FALSE }, interrupt = function(c) TRUE)
    stopifnot(stopped)
}

# -- Objects read from a file fit again
fit <- heed_np(accel ~ times, data = mcycle, degree = 1)
nearest <- heed_np(accel ~ times, data = mcycle, degree = 1, kernel = "tricube", nearest = 0.3, robust = 2)
path <- tempfile()
saveRDS(list(fit, nearest), path)
read <- readRDS(path)
stopifnot(identical(predict(read[[1]], mcycle), predict(fit, mcycle)),
          identical(predict(read[[2]], mcycle), predict(nearest, mcycle)))

# -- Finalizers: fits release their memory
before <- NULL
for (i in 1:30) {
    for (k in 1:10)
        predict(heed_np(dist ~ speed, data = cars, bandwidths = 3), cars)
    invisible(gc())
    used <- sum(gc()[, 2])
    if (i == 10)
        before <- used
}
stopifnot(used < before + 5)
