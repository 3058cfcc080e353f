# tests/habits.R - compares classes, dates, rules, tables and tests with sums computed by R and with R's conventions.
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

# -- Classes: probabilities from sums, for a factor, an ordered factor, text and a logical vector
h <- c(Petal.Length = 0.5, Petal.Width = 0.3, Species = 0.1)
fit <- heed_np(Species ~ Petal.Length + Petal.Width, data = iris, bandwidths = h)
at <- data.frame(Petal.Length = c(1.5, 4.9, NA, 5.2), Petal.Width = c(0.3, 1.65, 1, 1.7))
wanted <- sapply(levels(iris$Species), function(label) sapply(c(1, 2, 4), function(i) {
    w <- dnorm(iris$Petal.Length, at[i, 1], 0.5) * dnorm(iris$Petal.Width, at[i, 2], 0.3)
    sum(w * ifelse(iris$Species == label, 1, 0.1) / 1.2) / sum(w)
}))
p <- predict(fit, at, type = "prob")
near(p[c(1, 2, 4), ], wanted)
stopifnot(identical(colnames(p), levels(iris$Species)), is.na(p[3, ]), identical(rownames(p), as.character(1:4)))
found <- predict(fit, at)
stopifnot(is.factor(found), identical(levels(found), levels(iris$Species)), identical(names(found), as.character(1:4)),
          identical(as.character(found[-3]), levels(iris$Species)[max.col(wanted)]), is.na(found[3]))
stopifnot(identical(names(coef(fit)), names(h)), nobs(fit) == 150, class(fit) == "heed_np_classes",
          identical(predict(fit, type = "prob"), fitted(fit)))
searched <- heed_np(Species ~ Petal.Length + Petal.Width, data = iris)
stopifnot(mean(predict(searched) == iris$Species) > 0.95, searched$value < fit$value)
shown <- capture.output(print(searched), print(summary(searched)))
for (text in c("Classes, gaussian kernel", "Species +response", "Mean leave-one-out", "predicted label", "virginica +0 "))
    stopifnot(any(grepl(text, shown)))
cut_iris <- transform(iris, size = cut(Sepal.Length, c(0, 5.2, 6.2, 9), labels = c("S", "M", "L"), ordered_result = TRUE),
                      long = Sepal.Length > 6, text = as.character(Species))
of <- function(formula, ...) predict(heed_np(formula, data = cut_iris, bandwidths = c(0.4, 0.1), ...))
stopifnot(is.ordered(of(size ~ Petal.Length)), is.logical(of(long ~ Petal.Length)), is.character(of(text ~ Petal.Length)),
          identical(unname(of(text ~ Petal.Length)), as.character(of(Species ~ Petal.Length))))
weighted <- heed_np(Species ~ Petal.Length, data = iris, weights = as.numeric(Species != "setosa"), bandwidths = c(0.4, 0.1))
stopifnot(identical(colnames(fitted(weighted)), c("versicolor", "virginica")), nobs(weighted) == 100)
far <- heed_np(Species ~ Petal.Length, data = iris, kernel = "boxcar", bandwidths = c(0.4, 0.1))
stopifnot(is.na(suppressWarnings(predict(far, data.frame(Petal.Length = 50)))))
path <- tempfile()
saveRDS(fit, path)
stopifnot(identical(predict(readRDS(path), at), found))
fails(heed_np(Species ~ Petal.Length, data = iris, degree = 1), "np_fit_classes: ")
fails(heed_np(Species ~ Petal.Length, data = iris, bandwidths = 1), "must be 2 numbers, for Petal.Length, Species, not 1")
fails(predict(fit, at, type = "link"), "should be one of")
fails(predict(fit, at, types = 1), "predict.heed_np_classes has no argument \"types\"")
fails(heed_np_significance(fit), "object is of class heed_np_classes: must be heed_np")

# -- Dates and times: the fit to the days or seconds since 1970
air <- transform(airquality, day = as.Date(sprintf("1973-%d-%d", Month, Day)))
air$time <- as.POSIXct(air$day, tz = "UTC")
air$days <- as.numeric(air$day)
air$since <- air$day - as.Date("1973-05-01")
days <- heed_np(Temp ~ days, data = air, bandwidths = 5)
dates <- heed_np(Temp ~ day, data = air, bandwidths = 5)
seconds <- heed_np(Temp ~ time, data = air, bandwidths = 5 * 86400)
near(fitted(dates), fitted(days))
near(fitted(seconds), fitted(days))
near(fitted(heed_np(Temp ~ since, data = air, bandwidths = 5)), fitted(days))
new <- as.Date(c("1973-06-10", NA, "1973-08-01"))
wanted <- predict(days, data.frame(days = as.numeric(new)))
stopifnot(identical(is.na(unname(wanted)), c(FALSE, TRUE, FALSE)))
near(predict(dates, data.frame(day = new))[-2], wanted[-2])
near(predict(seconds, data.frame(time = as.POSIXct(new, tz = "UTC")))[-2], wanted[-2])
hours <- as.difftime(as.numeric(new[1] - as.Date("1973-05-01")) * 24, units = "hours") # converted to the fit's days
near(predict(heed_np(Temp ~ since, data = air, bandwidths = 5), data.frame(since = hours)), wanted[1])
fails(predict(dates, data.frame(day = as.POSIXct(new))), "day is of class POSIXct: must be Date, as in the fit")
fails(predict(dates, data.frame(day = "1973-06-10")), "day is of class character: must be Date, as in the fit")
stopifnot(any(grepl("day +continuous \\(days\\)", capture.output(print(summary(dates))))),
          any(grepl("time +continuous \\(seconds\\)", capture.output(print(summary(seconds))))))

# -- Rules: R's bw.nrd with its constants replaced; the direct plug-in of exact sums, stored in tests/np/oracle.csv
scale <- min(sd(mcycle$times), IQR(mcycle$times) / 1.349)
rule <- heed_np(accel ~ times, data = mcycle, degree = 1, criterion = "rule")
near(coef(rule), (4 / 3)^(1 / 5) * scale * 133^(-1 / 5))
near(heed_np(accel ~ times, data = mcycle, degree = 1, bandwidths = coef(rule))$value, rule$value)
near(coef(heed_np(~ times, data = mcycle, criterion = "rule")), coef(rule))
plug_in <- heed_np(accel ~ times, data = mcycle, degree = 1, criterion = "plug-in")
near(coef(plug_in), 1.44692142811949)
stopifnot(any(grepl("bandwidths by the rule of thumb", capture.output(print(rule)))),
          any(grepl("bandwidth by the plug-in rule", capture.output(print(summary(plug_in))))))
fails(heed_np(accel ~ times, data = mcycle, criterion = "plug-in"), "np_fit: ")
fails(heed_np(accel ~ times, data = mcycle, criterion = "aic"), "must be one of cv, aicc, gcv, rule, plug-in")

# -- ksmooth: its bandwidth puts the quartiles of the kernel at a quarter of it. It ends the Gaussian at 4 deviations.
smooth <- ksmooth(cars$speed, cars$dist, "normal", 8, x.points = c(10, 15, 20))
near(predict(heed_np(dist ~ speed, data = cars, bandwidths = 8 / 4 / qnorm(0.75)), data.frame(speed = c(10, 15, 20))),
     smooth$y, 1e-4)

# -- predict.lm: with a wide window a local line is the line of lm, and so are its standard errors and intervals
line <- lm(dist ~ speed, cars)
wide <- heed_np(dist ~ speed, data = cars, degree = 1, kernel = "epanechnikov", bandwidths = 1e6)
new <- data.frame(speed = c(5, 15, 25))
ours <- predict(wide, new, se = TRUE, interval = "confidence", level = 0.9)
theirs <- predict(line, new, se.fit = TRUE, interval = "confidence", level = 0.9)
stopifnot(setequal(names(ours), names(theirs)), identical(dimnames(ours$fit), dimnames(theirs$fit)))
for (name in c("se.fit", "df", "residual.scale"))
    near(ours[[name]], theirs[[name]], 1e-7)
near(ours$fit[, "fit"], theirs$fit[, "fit"], 1e-7)
half <- function(fit) fit[, "upr"] - fit[, "fit"]
near(half(ours$fit) / qnorm(0.95), half(theirs$fit) / qt(0.95, 48), 1e-7) # the normal distribution instead of Student's
stopifnot(identical(ours$fit, predict(wide, new, interval = "pointwise", level = 0.9)), df.residual(wide) == ours$df)
density <- heed_np(~ eruptions, data = faithful, bandwidths = 0.3)
stopifnot(identical(predict(density, interval = "confidence"), predict(density, interval = "pointwise")))

# -- anova: of lm for wide windows, and the table of heed_np_significance
curve <- heed_np(dist ~ speed, data = cars, degree = 2, kernel = "epanechnikov", bandwidths = 1e6)
ours <- anova(wide, curve)
theirs <- anova(line, lm(dist ~ poly(speed, 2), cars))
stopifnot(identical(dim(ours), dim(theirs)), identical(names(ours), names(theirs)), inherits(ours, "anova"))
near(unlist(ours[2, ]), unlist(theirs[2, ]), 1e-5)
both <- heed_np(Ozone ~ Wind + Temp, data = airquality, degree = 1, bandwidths = c(3, 8))
near(anova(both, draws = 99)[["Pr(boot)"]], heed_np_significance(both, draws = 99)$p.value)
shown <- capture.output(print(anova(both, draws = 99)))
stopifnot(any(grepl("99 wild draws", shown)), any(grepl("^Wind .*\\*", shown)))
shown <- capture.output(print(anova(update(wide, bandwidths = 3), wide)))
stopifnot(any(grepl("Model 1: dist ~ speed; Local linear, epanechnikov kernel; speed 3", shown, fixed = TRUE)))
fails(anova(wide, both), "the fits must have the same response")
fails(anova(wide, line), "object is of class lm: must be heed_np")

# -- Data frames with broom's names
rows <- as.data.frame(both)
near(rows$.fitted + rows$.resid, rows$Ozone)
near(rows$.se.fit, predict(both, se.fit = TRUE)$se.fit)
near(rows$.hat, hatvalues(both))
stopifnot(identical(names(rows), c("Ozone", "Wind", "Temp", ".fitted", ".se.fit", ".resid", ".hat")), class(rows) == "data.frame",
          nrow(rows) == 116, identical(row.names(rows), names(fitted(both))), is.null(attr(rows, "terms")))
columns <- as.data.frame(both, what = "columns")
stopifnot(identical(columns$term, c("Wind", "Temp")), identical(columns$bandwidth, c(3, 8)))
one <- as.data.frame(both, what = "fit")
near(unlist(one[c("r.squared", "sigma", "df", "df.residual", "nobs")]), c(both$r2, sigma(both), both$trace, df.residual(both), 116))
classes <- as.data.frame(fit)
stopifnot(identical(classes$.class, unname(predict(fit))), all(c("Species", ".prob.setosa") %in% names(classes)),
          identical(names(as.data.frame(density)), c("eruptions", ".fitted", ".se.fit")),
          identical(names(as.data.frame(update(both, model = FALSE))), c(".fitted", ".se.fit", ".resid", ".hat")),
          identical(row.names(as.data.frame(density, row.names = paste0("r", 1:272)))[2], "r2"))
fails(as.data.frame(fit, what = "all"), "should be one of")

# -- Plots: a panel per column, which a layout of the user replaces; dates on the axis
pdf(path)
plot(both)
stopifnot(par("mfrow") == 1, par("page"))
par(mfrow = c(1, 2))
plot(fit)
stopifnot(par("mfrow") == c(1, 2))
par(mfrow = c(1, 1))
plot(heed_np(long ~ Petal.Length + Species, data = cut_iris, bandwidths = c(0.4, 0.2, 0.1)), legend = NULL)
plot(dates, interval = "confidence")
stopifnot(abs(par("usr")[1:2] - extendrange(as.numeric(air$day), f = 0.04)) < 1e-6)
plot(seconds, points = FALSE)
invisible(dev.off())
pages <- readBin(path, "raw", file.size(path))
stopifnot(length(grepRaw("/Type /Page /", pages, all = TRUE, fixed = TRUE)) == 5)
fails(plot(fit, which = "Species"), "which is \"Species\": must be among Petal.Length, Petal.Width")
