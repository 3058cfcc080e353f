# tests/users.R - habits of R's users: formulas, data, methods of models, and copies of fits. The results agree with lm
# and R's conventions, or the error names the repair.
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
of <- function(formula, data = mtcars, ..., bandwidths = 0.5) heed_np(formula, data, ..., bandwidths = bandwidths)
both <- heed_np(mpg ~ wt + hp, data = mtcars, bandwidths = c(0.5, 30))
at <- data.frame(wt = c(2.5, 3.5))
line <- heed_np(mpg ~ wt, data = mtcars, bandwidths = 0.5)
cars_by <- transform(mtcars, cyl = factor(cyl))

# -- Formulas
for (formula in list(mpg ~ wt - 1, mpg ~ 0 + wt, mpg ~ wt:hp, mpg ~ (wt + hp)^2, mpg ~ wt + offset(hp)))
    fails(of(formula), "columns always interact")
fails(of(mpg ~ poly(wt, 2)), "poly(wt, 2) is a matrix")
fails(of(mpg ~ wt | cyl), "write wt + cyl for two columns")
fails(of(mpg ~ mpg), "the response mpg is also a column")
fails(of(log(mpg) ~ wt + log(mpg)), "the response log(mpg) is also a column")
fails(heed_np(mtcars$wt, mtcars$mpg), "formula is of class numeric: must be a formula such as y ~ x + z")
fails(heed_np(mtcars, mpg ~ wt), "formula is of class data.frame")
near(predict(of(mpg ~ I(wt * 1000), bandwidths = 500), at), predict(line, at))
near(predict(of(mpg ~ scale(wt), bandwidths = 0.5 / sd(mtcars$wt)), at), predict(line, at)) # of the fit's mean and sd
either <- of(mpg ~ wt + I(cyl > 4 | hp > 90), bandwidths = c(0.5, 1))
near(predict(either, data.frame(at, cyl = 4, hp = 90)), predict(line, at))
stopifnot(identical(fitted(of("mpg ~ wt")), fitted(line)),
          identical(names(coef(of(mpg ~ ., mtcars[1:3], bandwidths = c(1, 50)))), c("cyl", "disp")),
          identical(fitted(of(reformulate("wt", "mpg"))), fitted(line)))
coded <- cars_by
contrasts(coded$cyl) <- contr.sum(3)
near(fitted(of(mpg ~ cyl, coded)), fitted(of(mpg ~ cyl, cars_by))) # contrasts have no effect

# -- Data: lists, environments, pipes, variables of a function
same <- function(fit) stopifnot(identical(unname(fitted(fit)), unname(fitted(line))))
same(of(mpg ~ wt, as.list(mtcars)))
same(with(mtcars, heed_np(mpg ~ wt, bandwidths = 0.5)))
same(heed_np(mtcars, formula = mpg ~ wt, bandwidths = 0.5)) # as a pipe calls it
fails(of(mpg ~ wt, as.matrix(mtcars)), "must be a data.frame, not a matrix")
weighted <- function(d, w) heed_np(mpg ~ wt, data = d, weights = w, bandwidths = 0.5)
stopifnot(identical(weights(weighted(mtcars, mtcars$hp)), mtcars$hp),
          nobs(heed_np(mpg ~ wt, mtcars, subset = cyl > 4, bandwidths = 0.5)) == 21)
stopifnot(identical(vapply(split(mtcars, mtcars$am), function(d) nobs(of(mpg ~ wt, d)), 1L), c(`0` = 19L, `1` = 13L)))
for (package in c("tibble", "data.table"))
    if (requireNamespace(package, quietly = TRUE)) {
        table <- if (package == "tibble") tibble::as_tibble(mtcars) else data.table::as.data.table(mtcars)
        same(of(mpg ~ wt, table))
        stopifnot(identical(unname(predict(line, table)), unname(predict(line, mtcars))))
    }

# -- Updates
stopifnot(identical(names(coef(update(both, . ~ . - hp, bandwidths = 0.5))), "wt"),
          nobs(update(both, data = mtcars[1:20, ])) == 20)
fails(update(both, . ~ . - hp), "bandwidths must be 1 number, for wt, not 2")

# -- New data
near(predict(both), fitted(both))
stopifnot(identical(names(predict(both)), names(fitted(both))), length(predict(both, mtcars[0, ])) == 0)
fails(predict(line, 3), "newdata is of class numeric: must be a data frame for wt")
fails(predict(line, as.matrix(at)), "newdata is of class matrix: must be a data frame for wt")
wt <- mtcars$wt
elsewhere <- function(expression, text)
    fails(suppressWarnings(expression), paste("32 from elsewhere: newdata must contain", text))
elsewhere(predict(line, data.frame(weight = 1:2)), "wt")
elsewhere(predict(heed_np(mtcars$mpg ~ mtcars$wt, bandwidths = 0.5), at), "mtcars")
stopifnot(length(predict(line, data.frame(wt = c(3, NA)), na.action = na.omit)) == 1)
fails(predict(of(mpg ~ cyl, cars_by), data.frame(cyl = "5")), "new level 5")
fails(suppressWarnings(predict(of(mpg ~ cyl, cars_by), data.frame(cyl = 4))), "type \"factor\" but type \"numeric\"")

# -- Methods of lm: with a wide window a local line is the line of lm, also with weights
for (w in list(NULL, replace(mtcars$hp / 100, 3, 0))) {
    mine <- heed_np(mpg ~ wt, data = mtcars, weights = w, degree = 1, kernel = "epanechnikov", bandwidths = 1e6)
    theirs <- lm(mpg ~ wt, mtcars, weights = w)
    near(deviance(mine), deviance(theirs), 1e-7)
    near(c(logLik(mine)), c(logLik(theirs)), 1e-7)
    near(c(AIC(mine), BIC(mine)), c(AIC(theirs), BIC(theirs)), 1e-7)
}
stopifnot(identical(rownames(AIC(line, both)), c("line", "both")), inherits(terms(line), "terms"),
          identical(model.frame(line)$wt, mtcars$wt), identical(dim(model.frame(update(line, model = FALSE))), c(32L, 2L)),
          identical(resid(line), residuals(line)), is.call(getCall(line)))
fails(residuals(line, type = "pearson"), "residuals.heed_np has no argument \"type\"")
fails(model.matrix(line), "a fit of class heed_np has no model matrix: model.frame returns its columns")
density <- of(~ wt)
classes <- of(cyl ~ wt, cars_by, bandwidths = c(0.5, 0.1))
for (other in list(density, classes)) {
    fails(residuals(other), "has no residuals")
    fails(deviance(other), "has no deviance")
    fails(sigma(other), "has no residual standard error")
    fails(quantile(other), "has no quantiles")
    fails(logLik(other), "logLik")
}
excluded <- heed_np(cut(Ozone, c(0, 50, 200)) ~ Wind, data = airquality, na.action = na.exclude, bandwidths = c(2, 0.1))
stopifnot(identical(dim(fitted(excluded)), c(153L, 2L)), sum(is.na(predict(excluded))) == 37)

# -- lines: the curve of predict
pdf(NULL)
plot(mpg ~ wt, mtcars)
stopifnot(identical(lines(line, lty = 2), line), inherits(lines(density), "heed_np_density"))
fails(lines(both), "lines adds the curve of a regression or density with one continuous column")
fails(lines(classes), "plot draws other fits")
invisible(dev.off())

# -- Copies: equal fits, files, processes
again <- heed_np(mpg ~ wt, data = mtcars, bandwidths = 0.5)
stopifnot(isTRUE(all.equal(again, line)), identical(unserialize(serialize(predict(line), NULL)), predict(line)))
path <- tempfile()
saveRDS(list(density, classes), path)
read <- readRDS(path)
stopifnot(identical(predict(read[[1]], at), predict(density, at)), identical(predict(read[[2]], at), predict(classes, at)))
if (.Platform$OS.type == "unix")
    for (f in list(function(i) predict(line, mtcars[i, ]), function(i) fitted(of(mpg ~ wt, mtcars[-i, ]))))
        stopifnot(identical(parallel::mclapply(1:3, f, mc.cores = 2), lapply(1:3, f)))
