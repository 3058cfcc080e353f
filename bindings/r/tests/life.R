# tests/life.R - errors, interrupts, memory, and objects from files.
library(heed)

fails <- function(expression, text)
{
    message <- tryCatch({ expression; "no error" }, error = conditionMessage)
    if (!grepl(text, message, fixed = TRUE))
        stop("'", message, "' is not '", text, "'")
}

# -- Errors: the library's message, or what is wrong with the call
fails(heed_np(dist ~ speed, data = cars, degree = 7), "np_fit: degree is 7")
fails(heed_np(dist ~ speed, data = cars, degree = 1.5), "degree is 1.5: must be a whole number")
fails(heed_np(dist ~ speed, data = cars, degree = 1:2), "one whole number each")
fails(heed_np(dist ~ speed, data = cars, kernel = "cosine"), "kernel is \"cosine\": must be one of gaussian")
fails(heed_np(dist ~ speed, data = cars, bandwidths = 1:2), "2 bandwidths for 1 columns")
fails(heed_np(dist ~ speed, data = cars, bandwidths = c(width = 1)), "bandwidths are of width, columns are speed")
fails(heed_np(dist ~ speed, data = cars, bandwidths = -1), "np_fit: ")
fails(heed_np(dist ~ speed, data = cars, weights = -speed), "np_fit: ")
fails(heed_np(dist ~ speed, data = cars, subset = speed < 0), "np_fit: ")
fails(heed_np(log(dist - 2) ~ speed, data = cars), "np_fit: y is -inf in row 0")
fails(heed_np(mpg ~ wt * hp, data = mtcars), "neither interactions nor offsets")
fails(heed_np(mpg ~ 1, data = mtcars), "no columns")
fails(heed_np(mpg ~ poly(wt, 2), data = mtcars), "is a matrix")
fails(heed_np(factor(cyl) ~ wt, data = mtcars), "numeric vector")
cubic <- heed_np(dist ~ speed, data = cars, degree = 3, bandwidths = 5)
fails(predict(cubic, corrected = TRUE), "np_predict: corrected")
fails(predict(cubic, cars, level = 2), "level must be")
fails(predict(cubic, data.frame(other = 1)), "speed")
colours <- heed_np(mpg ~ factor(cyl), data = mtcars, bandwidths = 0.5)
fails(predict(colours, data.frame(cyl = 5)), "new level")
stopifnot(abs(predict(cubic, data.frame(speed = 15)) - 40) < 10) # no error is left behind

# -- A search that is left
left <- tryCatch(heed_np(accel ~ times, data = mcycle, max_evaluations = 3), warning = conditionMessage)
stopifnot(grepl("not at its end after 3 evaluations", left))

# Ctrl-C: the best so far, with a warning, and R goes on.
if (.Platform$OS.type == "unix") {
    set.seed(1)
    long <- data.frame(x = runif(3000), z = runif(3000), y = rnorm(3000))
    told <- NULL
    system(sprintf("(sleep 2; kill -INT %d)", Sys.getpid()), wait = FALSE)
    best <- withCallingHandlers(heed_np(y ~ x + z, data = long, degree = 2, starts = 500, max_evaluations = 1e6),
                                warning = function(w) { told <<- conditionMessage(w); invokeRestart("muffleWarning") })
    stopifnot(grepl("interrupted", told), best$stopped, all(coef(best) > 0), is.finite(best$value))
    # Draws: after the column at hand.
    both <- heed_np(y ~ x + z, data = long[1:1500, ], bandwidths = c(0.2, 0.2))
    system(sprintf("(sleep 0.3; kill -INT %d)", Sys.getpid()), wait = FALSE)
    stopped <- tryCatch({ heed_np_significance(both, draws = 9999); FALSE }, interrupt = function(c) TRUE)
    stopifnot(stopped)
}

# -- Objects from files fit again
fit <- heed_np(accel ~ times, data = mcycle, degree = 1)
nearest <- heed_np(accel ~ times, data = mcycle, degree = 1, kernel = "tricube", nearest = 0.3, robust = 2)
path <- tempfile()
saveRDS(list(fit, nearest), path)
read <- readRDS(path)
stopifnot(identical(predict(read[[1]], mcycle), predict(fit, mcycle)),
          identical(predict(read[[2]], mcycle), predict(nearest, mcycle)))

# -- Finalizers: what fits hold goes
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
