# tests/np/oracle.R - computes the numbers of heed/np.h in R: tests/np/oracle.csv, for test_np_oracle.c. From the
# repository's root, with Debian's r-cran-kernsmooth, r-cran-locfit and r-cran-sm:
#
#     Rscript tests/np/oracle.R
#
# If a package has a different definition, its numbers are converted to heed's here:
#   loess      its span is heed's `nearest`, iterations = 1 + `robust`; surface = "direct" is the fit itself, otherwise R
#              interpolates between few points. Its enp is tr H H'. Its se with family = "symmetric" are of pseudovalues,
#              and are left out.
#   lowess     counts `iter` without the first fit. Weights are 1 below 0.001 h and 0 above 0.999 h.
#   locfit     its Gaussian is exp(-(2.5 u)^2 / 2), truncated at small values; df1 and df2 are tr H and tr H H'. It
#              drops small terms of the eigenvectors of higher degrees. Its sigma of slopes comes from a different fit, so
#              the norms of the shares are compared, se / sigma. Its "trwt" is computed as "tcub", and is left out.
#   sm         its sigma is from differences of neighbours: here se / sigma is compared, the norm of the rows' shares.
#   locpoly    bins the rows and ends the Gaussian at 4 h, which a quadratic or cubic shows in the third digit (lm with the
#              Gaussian ended there gives locpoly's numbers, lm with all of it heed's): lines only.
#   dpill      bins the rows and ends the Gaussian at 4 h: heed's is plug_in below, to which dpill is 0.1 % near, for the 50
#              rows of cars 0.4 %; 0.1 to 0.2 % with 20001 points instead of 401.
#   bw.nrd     is 1.06 times the deviation, where the rule is (4 / 3)^(1 / 5) times it, and divides by 1.34: made so here.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
suppressMessages({
    library(KernSmooth)
    library(locfit)
    library(sm)
})

read <- function(path, x, y) {
    rows <- read.csv(path)
    data.frame(x = as.double(rows[[x]]), y = as.double(rows[[y]]))
}
DATA <- list(mcycle = read("examples/data/mcycle.csv", "times", "accel"),
             faithful = read("examples/data/faithful.csv", "waiting", "eruptions"),
             cars = read("tests/np/cars.csv", "speed", "dist"))
ROWS <- list(mcycle = c(30, 60, 110), faithful = c(2, 100, 260), cars = c(5, 25, 45))
BETWEEN <- list(mcycle = c(11.3, 30.7, 48.1), faithful = c(50.3, 66.6, 85.2), cars = c(7.5, 14.2, 21.9))

found <- NULL
add <- function(name, data, degree, kernel, numbers, tolerance, why, h = 0, nearest = 0, robust = 0, at = NULL)
    for (quantity in names(numbers))
        found <<- rbind(found, data.frame(name, data, degree, kernel, bandwidth = h, nearest, robust, quantity,
                                          at = if (length(numbers[[quantity]]) == 1 || is.null(at)) 0 else at,
                                          value = numbers[[quantity]], tolerance, why))

# -- Least squares of lm, weighted by kernels written here: values, slopes, standard errors, traces

KERNELS <- list(gaussian = function(u) exp(-u^2 / 2), boxcar = function(u) 1 * (u <= 1),
                triangular = function(u) pmax(0, 1 - u), epanechnikov = function(u) pmax(0, 1 - u^2),
                biweight = function(u) pmax(0, 1 - u^2)^2, triweight = function(u) pmax(0, 1 - u^2)^3,
                tricube = function(u) pmax(0, 1 - u^3)^3)

# The polynomial's coefficients at q, and of how much of each row each is.
local <- function(d, q, degree, kernel, h) {
    w <- kernel(abs(d$x - q) / h)
    seen <- w > 0
    powers <- outer((d$x[seen] - q) / h, 0:degree, `^`) # of u: of the size of 1
    shares <- matrix(0, degree + 1, nrow(d))
    shares[, seen] <- qr.coef(qr(sqrt(w[seen]) * powers), diag(sqrt(w[seen]), sum(seen))) / h^(0:degree)
    line <- lm.wfit(powers, d$y[seen], w[seen])
    list(beta = line$coefficients / h^(0:degree), shares = shares)
}

by_lm <- function(name, degree, kernel, h) {
    d <- DATA[[name]]
    H <- t(vapply(d$x, function(q) local(d, q, degree, KERNELS[[kernel]], h)$shares[1, ], d$x))
    trace <- sum(diag(H))
    sigma <- sqrt(sum((d$y - H %*% d$y)^2) / (nrow(d) - 2 * trace + sum(H^2)))
    at <- lapply(BETWEEN[[name]], function(q) local(d, q, degree, KERNELS[[kernel]], h))
    numbers <- list(trace = trace, trace_squared = sum(H^2), sigma = sigma,
                    mean = vapply(at, function(a) a$beta[[1]], 0),
                    se = sigma * vapply(at, function(a) sqrt(sum(a$shares[1, ]^2)), 0))
    if (degree > 0) { # that of a local constant is the derivative of m, which lm has not
        numbers$slope <- vapply(at, function(a) a$beta[[2]], 0)
        numbers$slope_se <- sigma * vapply(at, function(a) sqrt(sum(a$shares[2, ]^2)), 0)
    }
    add("lm", name, degree, kernel, numbers, 1e-9, "exact", h = h, at = BETWEEN[[name]])
}

for (degree in 0:3)
    for (kernel in names(KERNELS))
        by_lm("mcycle", degree, kernel, if (kernel == "gaussian") 1.53 else 7.03)
for (degree in 0:2) {
    by_lm("faithful", degree, "gaussian", 3.51)
    by_lm("faithful", degree, "epanechnikov", 9.03)
    by_lm("cars", degree, "gaussian", 2.03)
}

# -- loess

by_loess <- function(name, degree, span, robust = 0) {
    d <- DATA[[name]]
    fit <- loess(y ~ x, d, span = span, degree = degree, family = if (robust) "symmetric" else "gaussian",
                 control = loess.control(surface = "direct", statistics = "exact", iterations = 1 + robust))
    at <- d$x[ROWS[[name]]]
    if (robust)
        numbers <- list(mean = predict(fit, data.frame(x = at)))
    else {
        p <- predict(fit, data.frame(x = at), se = TRUE)
        numbers <- list(trace = fit$trace.hat, trace_squared = fit$one.delta + 2 * fit$trace.hat - nrow(d),
                        sigma = fit$s, mean = p$fit, se = p$se.fit)
    }
    add("loess", name, degree, "tricube", numbers, if (robust) 1e-5 else 1e-9,
        if (robust) "its bisquare is 1 below 0.001 and 0 above 0.999 of its end" else "exact", nearest = span,
        robust = robust, at = at)
}

for (robust in c(0, 1, 3)) {
    by_loess("mcycle", 1, 0.3, robust)
    by_loess("mcycle", 2, 0.4, robust)
    by_loess("faithful", 1, 0.5, robust)
    by_loess("faithful", 2, 0.75, robust)
    by_loess("cars", 1, 0.5, robust)
    by_loess("cars", 2, 0.75, robust)
}
printed <- loess(dist ~ speed, cars)
stopifnot(round(printed$enp, 2) == 4.78, round(printed$s, 2) == 15.29)
add("loess as printed", "cars", 2, "tricube", list(trace_squared = printed$enp), 0.03, "interpolated between few points",
    nearest = 0.75)
add("loess as printed", "cars", 2, "tricube", list(sigma = printed$s), 1e-3, "interpolated between few points",
    nearest = 0.75)

# -- lowess

by_lowess <- function(name, f, robust) {
    d <- DATA[[name]]
    sorted <- d[order(d$x), ]
    fit <- lowess(sorted$x, sorted$y, f = f, iter = robust, delta = 0)
    at <- d$x[ROWS[[name]]]
    add("lowess", name, 1, "tricube", list(mean = fit$y[match(at, fit$x)]), if (robust) 1e-5 else 1e-6,
        if (robust) "its kernels are cut at 0.001 and 0.999" else "its kernel is cut at 0.001 and 0.999", nearest = f,
        robust = robust, at = at)
}

for (robust in c(0, 3)) {
    by_lowess("mcycle", 0.3, robust)
    by_lowess("faithful", 0.5, robust)
    by_lowess("cars", 2 / 3, robust)
}

# -- locfit

LOCFIT <- c(gaussian = "gauss", boxcar = "rect", epanechnikov = "epan", biweight = "bisq", tricube = "tcub")

by_locfit <- function(name, degree, kernel, h = 0, nearest = 0) {
    d <- DATA[[name]]
    scale <- if (kernel == "gaussian") 2.5 else 1
    fit <- function(...) {
        f <- locfit(y ~ lp(x, h = scale * h, nn = nearest, deg = degree), data = d, kern = LOCFIT[[kernel]], ev = dat(),
                    maxk = 1000, ...)
        p <- predict(f, where = "fitp", se.fit = TRUE)
        list(dp = f$dp, fit = p$fit[ROWS[[name]]], norm = p$se.fit[ROWS[[name]]] / p$residual.scale)
    }
    m <- fit()
    numbers <- list(trace = m$dp[["df1"]], trace_squared = m$dp[["df2"]], sigma = sqrt(m$dp[["rv"]]), mean = m$fit,
                    norm = m$norm)
    if (degree > 0) {
        slope <- fit(deriv = 1)
        numbers$slope <- slope$fit
        numbers$slope_norm <- slope$norm
    }
    tolerance <- if (kernel == "gaussian") 1e-6 else if (degree > 1) 1e-7 else 1e-9
    why <- if (kernel == "gaussian") "its Gaussian ends" else if (degree > 1) "it drops small eigenvectors" else "exact"
    add("locfit", name, degree, kernel, numbers, tolerance, why, h = h, nearest = nearest, at = d$x[ROWS[[name]]])
}

for (degree in 0:3)
    for (kernel in names(LOCFIT))
        by_locfit("mcycle", degree, kernel, h = if (kernel == "gaussian") 1.53 else 7.03)
for (degree in 0:2) {
    by_locfit("faithful", degree, "tricube", nearest = 0.4)
    by_locfit("cars", degree, "biweight", nearest = 0.6)
}

# -- sm

by_sm <- function(name, degree, h) {
    d <- DATA[[name]]
    at <- BETWEEN[[name]]
    fit <- sm.regression(d$x, d$y, h = h, eval.points = at, poly.index = degree, nbins = 0, display = "none")
    H <- sm.weight(d$x, d$x, h = h, options = list(poly.index = degree))
    add("sm", name, degree, "gaussian",
        list(mean = as.vector(fit$estimate), norm = as.vector(fit$se) / fit$sigma, trace = sum(diag(H)),
             trace_squared = sum(H^2)), 1e-9, "exact", h = h, at = at)
}

for (degree in 0:1) {
    by_sm("mcycle", degree, 2.07)
    by_sm("faithful", degree, 4.02)
    by_sm("cars", degree, 3.01)
}

# -- locpoly

by_locpoly <- function(name, degree, h, range) {
    d <- DATA[[name]]
    at <- BETWEEN[[name]]
    numbers <- lapply(c(mean = 0, slope = 1), function(derivative) {
        fit <- locpoly(d$x, d$y, drv = derivative, degree = degree, bandwidth = h, gridsize = 10001, range.x = range)
        approx(fit$x, fit$y, at)$y
    })
    add("locpoly", name, degree, "gaussian", numbers, 1e-3, "binned; its Gaussian ends at 4 h", h = h, at = at)
}

by_locpoly("mcycle", 1, 2.07, c(0, 60))
by_locpoly("faithful", 1, 4.02, c(40, 100))
by_locpoly("cars", 1, 3.01, c(0, 30))

# -- Bandwidths by rules: their own, of rows of no bandwidth

by_rule <- function(name, h, what, tolerance, why, degree = 0, kernel = "gaussian")
    add(what, name, degree, kernel, list(h = h), tolerance, why)

# dpill in sums over the rows, by lm.
plug_in <- function(d) {
    d <- d[order(d$x), ]
    off <- floor(0.01 * nrow(d))
    d <- d[(off + 1):(nrow(d) - off), ]
    n <- nrow(d)
    range <- max(d$x) - min(d$x)
    of_blocks <- function(blocks) {
        parts <- split(d, pmin((seq_len(n) - 1) %/% (n %/% blocks) + 1, blocks))
        fits <- lapply(parts, function(p) {
            u <- p$x - mean(p$x)
            fit <- lm.fit(outer(u, 0:4, `^`), p$y)
            b <- fit$coefficients
            list(rss = sum(fit$residuals^2), theta = sum((2 * b[3] + 6 * b[4] * u + 12 * b[5] * u^2) * 24 * b[5]))
        })
        list(rss = sum(vapply(fits, `[[`, 0, "rss")), theta = sum(vapply(fits, `[[`, 0, "theta")) / n)
    }
    most <- max(min(floor(n / 20), 5), 1)
    cp <- vapply(seq_len(most), function(b) of_blocks(b)$rss * (n - 5 * most) / of_blocks(most)$rss + 10 * b - n, 0)
    blocks <- which.min(cp)
    first <- of_blocks(blocks)
    s2 <- first$rss / (n - 5 * blocks)
    h <- ((if (first$theta < 0) 6 else 15) * s2 * range / (16 * sqrt(pi) * abs(first$theta) * n))^(1 / 7)
    curve <- vapply(d$x, function(q) 2 * local(d, q, 3, KERNELS$gaussian, h)$beta[[3]], 0)
    inner <- d$x >= min(d$x) + 0.05 * range & d$x <= max(d$x) - 0.05 * range
    theta <- sum(curve[inner]^2) / n
    h <- (4 * (1 / 2 + 2 * sqrt(2) - 4 / 3 * sqrt(3)) / sqrt(2 * pi) * s2^2 * range / (theta * n)^2)^(1 / 9)
    H <- t(vapply(d$x, function(q) local(d, q, 1, KERNELS$gaussian, h)$shares[1, ], d$x))
    s2 <- sum((d$y - H %*% d$y)^2) / (n - 2 * sum(diag(H)) + sum(H^2))
    (s2 * range / (2 * sqrt(pi) * theta * n))^(1 / 5)
}

for (name in names(DATA)) {
    d <- DATA[[name]]
    deviation <- min(sd(d$x), IQR(d$x) / 1.349)
    stopifnot(all.equal(bw.nrd(d$x), 1.06 * min(sd(d$x), IQR(d$x) / 1.34) * nrow(d)^-0.2))
    by_rule(name, (4 / 3)^0.2 * deviation * nrow(d)^-0.2, "rule", 1e-12, "exact")
    # by the integrals R of K^2 and m of u^2 K
    for (kernel in names(KERNELS)[-1]) {
        k <- KERNELS[[kernel]]
        total <- integrate(k, 0, 1)$value * 2
        r <- integrate(function(u) k(u)^2, 0, 1, rel.tol = 1e-10)$value * 2 / total^2
        m <- integrate(function(u) u^2 * k(u), 0, 1, rel.tol = 1e-10)$value * 2 / total
        by_rule(name, (8 * sqrt(pi) * r / (3 * m^2))^0.2 * deviation * nrow(d)^-0.2, "rule", 1e-9, "exact", 0, kernel)
    }
    for (gridsize in c(401L, 20001L))
        by_rule(name, dpill(d$x, d$y, gridsize = gridsize), paste("dpill", gridsize), 3e-3,
                "binned; its Gaussian ends at 4 h", 1)
    by_rule(name, plug_in(d), "dpill of rows", 1e-9, "exact", 1)
}

found$value <- sprintf("%.15g", found$value)
write.csv(found, "tests/np/oracle.csv", row.names = FALSE, quote = FALSE)
