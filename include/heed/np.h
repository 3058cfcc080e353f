/* heed/np.h - nonparametric regression: kernel estimates with bandwidths from the data, standard errors and bands.
 *
 *     heed_np *fit = heed_np_fit(times, accel, &(heed_np_options){.degree = 1, .criterion = HEED_NP_AICC});
 *     heed_np_prediction at;
 *     heed_np_predict(fit, grid, &(heed_np_predict_options){.band = HEED_NP_BAND_SIMULTANEOUS}, &at);
 *     ... at.mean, at.lower, at.upper ...
 *     heed_np_free(fit);
 *
 * The model is y_i = m(x_i) + error, for rows x_i of d columns; a fit estimates the function m. Every column c has its
 * own kernel and bandwidth. The weight of row i for a query q is the product of the row's own weight and of the
 * columns' weights:
 *
 *     continuous    K((x_ic - q_c) / h_c), 0 < h_c
 *     unordered     1 if x_ic = q_c, otherwise l_c, 0 <= l_c <= 1                  (Q. Li, J. Racine 2003), or
 *                   1 - l_c if equal, otherwise l_c / (k - 1), for k labels,
 *                   0 <= l_c <= (k - 1) / k                                (J. Aitchison, C. Aitken 1976)
 *     ordered       l_c^|x_ic - q_c|, 0 <= l_c <= 1                                   (Li and Racine), or
 *                   1 - l_c if equal, otherwise (1 - l_c) l_c^|x_ic - q_c| / 2     (M.-C. Wang, J. van Ryzin 1981)
 *
 * A polynomial in the continuous columns is fitted around q: the polynomial that minimises the weighted sum of squared
 * residuals of the rows. m(q) is its value at q. The polynomial is a constant (Nadaraya and Watson), linear, quadratic
 * or cubic. The fitted values are linear in y, m = H y, so leaving out row i, which gives m_-i, does not require a
 * second fit: y_i - m_-i(x_i) = (y_i - m(x_i)) / (1 - H_ii). The bandwidths minimise a criterion. A quasi-Newton method
 * with exact derivatives searches for them in the variables ln h and logit l, from several starting points.
 *
 * These functions are not recorded, but you can build the criteria from differentiable ops. For one column, or for
 * several with the Gaussian kernel, HEED_NP_CV_LS is the mean of (y - f)^2 with f = heed_kernel_regression(x, x, y, ln
 * h, ...) and the options log_width and leave_one_out. Without leave_one_out the weights (n, n) of the op are H, and
 * their heed_diagonal is H_ii, which HEED_NP_AICC and HEED_NP_GCV need. Criteria built in this way are differentiable
 * to any order in ln h, x and y, for Newton's method or to see how bandwidths depend on the data. They need memory for
 * n^2 numbers. Tutorial page 13 shows this.
 *
 * Everything is computed in f64, with the same bits for any number of threads. Input tensors may be f32, f64 or i64;
 * results are f64. The cost of evaluating a criterion grows as n log n with one continuous column, otherwise at most as
 * n^2.
 * J. Fan, I. Gijbels: Local Polynomial Modelling (1996). Q. Li, J. Racine: Nonparametric Econometrics (2007).
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_H
#define HEED_NP_H

#include <heed/comm.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* The label that heed_np_classify returns if the window contains no rows. It differs from all labels, whose magnitudes
 * are below 2^53. */
#define HEED_NP_NO_LABEL INT64_MIN

/* A fit: a copy of the rows, and the bandwidths. All functions only read it, so threads may share it. */
typedef struct heed_np heed_np;

/* The maximum number of columns, and of powers of a polynomial (10 for three columns and degree 2). */
#define HEED_NP_MAX_COLUMNS 16
#define HEED_NP_MAX_POWERS 100

/* The type of a column. */
typedef enum heed_np_column {
    HEED_NP_CONTINUOUS = 0, /* numbers */
    HEED_NP_UNORDERED,      /* labels: equal or not */
    HEED_NP_ORDERED,        /* whole numbers whose distance counts: grades, months */
} heed_np_column;

/* The kernel of unordered and ordered columns; the formulas are at the top of this file. */
typedef enum heed_np_labels {
    HEED_NP_LI_RACINE = 0,
    HEED_NP_CLASSIC, /* Aitchison and Aitken; Wang and van Ryzin */
} heed_np_labels;

/* The criterion that the bandwidths minimise. n is the number of rows whose weight is above 0, RSS the weighted sum of
 * squared residuals. */
typedef enum heed_np_criterion {
    /* Leave-one-out cross-validation: the mean of ((y_i - m_i) / (1 - H_ii))^2, where m_i = m(x_i). It is infinite if
     * the window of a row contains no other row. */
    HEED_NP_CV_LS = 0,
    /* ln(RSS / n) + (1 + tr H / n) / (1 - (tr H + 2) / n); infinite if tr H is n - 2 or more (C. Hurvich, J. Simonoff,
     * C.-L. Tsai 1998). An RSS smaller than the rounding errors of y is replaced by the size of these errors. */
    HEED_NP_AICC,
    /* (RSS / n) / (1 - tr H / n)^2   (P. Craven, G. Wahba 1978). */
    HEED_NP_GCV,
    /* No search, but a rule of thumb: h_c = (4 / (d + 2))^(1 / (d + 4)) s_c n^(-1 / (d + 4)) for d continuous columns,
     * which is optimal for the density of independent normal columns (D. Scott 1992); used for any degree. s_c is the
     * lesser of the standard deviation and the interquartile range / 1.349, both without weights. For a kernel other
     * than the Gaussian, h is multiplied by the kernel's (R^d / m^2)^(1 / (d + 4)) and divided by the Gaussian's, where
     * R is the integral of K^2 and m the integral of u^2 K(u). The bandwidths l of columns with labels are 0. */
    HEED_NP_RULE,
    /* No search: the direct plug-in of D. Ruppert, S. Sheather, M. Wand (1995), which inserts estimates into the
     * formula of the optimal h for degree 1 and one continuous column. It sums over the rows themselves, whereas R's
     * dpill puts the rows into bins. Its pilot fits use the Gaussian; for other kernels the bandwidth is converted as
     * in HEED_NP_RULE. It requires degree 1 and no weights, and assumes that all errors have the same variance. */
    HEED_NP_PLUG_IN,
} heed_np_criterion;

/* Progress of a bandwidth search. */
typedef struct heed_np_progress {
    int start, starts;        /* index of the current start, from 0, and number of starts */
    int evaluations;          /* number of evaluations of the criterion so far */
    double best;              /* least value of the criterion so far; infinite before the first evaluation */
    const double *bandwidths; /* the d bandwidths at which the criterion is `best` */
} heed_np_progress;

/* Options of heed_np_fit; NULL: degree 0 with a Gaussian kernel, all columns continuous, bandwidths that minimise
 * HEED_NP_CV_LS. */
typedef struct heed_np_options {
    int degree;                    /* 0 to 3 */
    heed_nw_kernel kernel;         /* kernel of continuous columns; not HEED_NW_CONSTANT. All except the Gaussian are 0
                                      for |u| > 1 */
    const heed_np_column *columns; /* types of the d columns; NULL: all continuous */
    heed_np_labels labels;
    heed_np_criterion criterion; /* with HEED_NP_RULE or HEED_NP_PLUG_IN, the report gives HEED_NP_CV_LS */
    const double *bandwidths;    /* d fixed bandwidths, without a search; NULL: they minimise the criterion */
    /* (n), weights of the rows: inverse variances up to a common factor, because they are scaled so that their sum is
     * the number of rows with a weight above 0. NULL means 1. A row of weight 0 never affects the fit; only m and the
     * residual are reported for it. */
    heed_tensor *weights;
    /* For one continuous column, instead of a bandwidth: the share of all rows that lie in a query's window, up to 1,
     * like the span of R's loess; h is the distance to the farthest row in the window. With weights it is the share of
     * the total weight, and a row of weight 2 counts as two rows (unlike in loess). The share is then rounded down to a
     * multiple of the largest number that divides all weights. If no number above 1 / 10,000 of the largest weight
     * divides them, the share is not rounded. 0 disables it. */
    double nearest;
    /* Number of robust rounds, 0 to 100: each fits again, at the same bandwidths, with bisquare weights computed from
     * the residuals (W. Cleveland 1979). In the median of the absolute residuals, a row of weight 2 counts as two
     * rows. */
    int robust;
    /* Number of starting points of the search; 0 means 5. The first is the rule of thumb and the last has wide windows.
     * The others are the best of 100 to 600 trial points (fewer for many rows) over the whole range of bandwidths. */
    int starts;
    int max_evaluations; /* maximum number of evaluations of the criterion, after which the best bandwidths so far are
                            used; 0: 3000 */
    /* Called after every evaluation. If it returns false, the search ends with the best bandwidths so far. */
    bool (*progress)(const heed_np_progress *now, void *user);
    void *user;
    /* Processes that share the starts of the search. All of them must call heed_np_fit with the same rows and options,
     * and all receive the same fit. It is identical to the fit of a single process unless `progress` or max_evaluations
     * ends the search; these two apply to every process separately. NULL: this process runs all starts. */
    heed_comm *comm;
    HEED_RESERVED;
} heed_np_options;

/* Fits y (n) to x, (n) for one column or (n, d); free the fit with heed_np_free.
 * Errors: NULL with HEED_ERR_SHAPE, also for zero rows; HEED_ERR_DTYPE for bool; HEED_ERR_ARGUMENT for NULL, an option
 * out of range, a non-finite number (which the message names, with advice), labels other than whole numbers below 2^53,
 * weights that are negative or all 0, a continuous column with a single value unless its bandwidth is given, and if the
 * criterion is infinite at every point tried; errors of `progress`; HEED_ERR_UNSUPPORTED for too many columns or
 * powers;
 * HEED_ERR_IO for a process that does not answer or has failed; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_np *heed_np_fit(heed_tensor *x, heed_tensor *y, const heed_np_options *options);

/* Frees the fit. NULL is ignored. */
HEED_API void heed_np_free(heed_np *fit);

/* -- Results ------------------------------------------------------------------------------------------------ */

/* The size of the notice in a report. */
#define HEED_NP_NOTICE 512

/* Statistics of a fit. */
typedef struct heed_np_report {
    int64_t rows;             /* number of rows given */
    int64_t rows_with_weight; /* number of rows whose weight is above 0: n in the criteria and sigma */
    int columns;
    double criterion; /* the criterion at the bandwidths, before robust rounds */
    /* Weighted squared correlation of y and m, both centred at the mean of y, as in R's package np. NaN if y varies by
     * no more than its rounding errors. */
    double r2;
    double rss; /* sum of w_i (y_i - m_i)^2 */
    /* Standard deviation of the error, sqrt(RSS / (n - 2 tr H + tr H H')). NaN if the fit goes through all rows, which
     * leaves no degrees of freedom; standard errors and bands that use sigma are then NaN, too. */
    double sigma;
    double trace;         /* tr H, the equivalent number of parameters */
    double trace_squared; /* tr H H' */
    int evaluations;      /* evaluations of the criterion */
    int minima;           /* number of different minima that the search found; heed_np_minimum returns them */
    bool stopped;         /* the search was ended by progress or max_evaluations */
    int64_t undefined;    /* number of rows of a weight above 0 at which m is undefined, because the window contains no
                             rows */
    /* One line of text for every field above that is undefined (NaN), infinite, or too small for a double. Empty for an
     * ordinary fit. */
    char notice[HEED_NP_NOTICE];
} heed_np_report;

/* Returns the statistics of a fit; all are 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_np_report heed_np_get_report(const heed_np *fit);

/* Writes the bandwidths of the d columns (h of a continuous column, l of a column of labels) to `bandwidths`, which has
 * `count` elements.
 * Errors: HEED_ERR_ARGUMENT for NULL or a wrong count. */
HEED_API heed_status heed_np_bandwidths(const heed_np *fit, double *bandwidths, int count);

/* Returns m(x_i) of every row, or for a fit by heed_np_fit_density the density f(x_i): (n), f64. Rows of weight 0 are
 * included, as in heed_np_residuals, heed_np_leverages and heed_np_robust_weights. m(x_i) is NaN if the window around
 * x_i contains no row of a weight above 0.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_fitted(const heed_np *fit);

/* Returns the residuals y_i - m(x_i): (n), f64.
 * Errors: as heed_np_fitted; HEED_ERR_UNSUPPORTED for a density. */
HEED_API heed_tensor *heed_np_residuals(const heed_np *fit);

/* -- Predictions --------------------------------------------------------------------------------------------------- */

/* The type of interval around m(q). */
typedef enum heed_np_band {
    HEED_NP_BAND_POINTWISE = 0, /* m(q) +- z se(q), z a quantile of the normal distribution */
    HEED_NP_BAND_SIMULTANEOUS, /* m(q) +- c se(q): contains the curve at all queries at once with probability `level`; c
                                  is estimated from 10,000 draws of a normal process */
    HEED_NP_BAND_PREDICTION,   /* m(q) +- z sqrt(sigma^2 + se(q)^2): for a new y */
} heed_np_band;

/* Options of heed_np_predict; NULL: pointwise 95 % bands, the same error variance for all rows. */
typedef struct heed_np_predict_options {
    heed_np_band band;
    double level; /* 0: 0.95 */
    /* Use the squared residual of every row, ((y_i - m_i) / (1 - H_ii))^2, as its error variance, instead of sigma^2:
     * for errors whose variance changes (H. White 1980, HC3). A row without other rows in its window has the variance
     * sigma^2. */
    bool local;
    /* Computes mean, se and band with a polynomial one degree higher, at the same bandwidths. Without this correction,
     * at bandwidths that minimise a criterion, the bias of m is about as large as its standard error, and a 95 % band
     * contains the curve only about 90 times of 100. The bias of the corrected mean is of a higher order (S. Calonico,
     * M. Cattaneo, M. Farrell 2018). Not allowed at degree 3. */
    bool corrected;
    uint64_t seed; /* seed of the draws */
    HEED_RESERVED;
} heed_np_predict_options;

/* Predictions at n queries with c continuous columns; f64, borrowed from the innermost scope. Degree 0 also has slopes,
 * the derivatives of m. */
typedef struct heed_np_prediction {
    heed_tensor *mean, *se;         /* (n): m(q) and its standard error, sqrt(sum_i l_i(q)^2 sigma_i^2) for m(q) = sum_i
                                       l_i(q) y_i */
    heed_tensor *lower, *upper;     /* (n): the band */
    heed_tensor *slopes, *slope_se; /* (n, c): the slopes dm / dq of the continuous columns, and their standard errors;
                                       from degree 1 on the slope of the local polynomial, as is usual. NULL for a
                                       density */
    int64_t undefined; /* number of queries whose window contains no rows; all results for them are NaN. 0 for a
                          density */
} heed_np_prediction;

/* Computes m, its standard errors and bands at queries x, (n) or (n, d) like the fit's x.
 * All results are NaN for a query whose window contains no rows, and `undefined` counts it. If the rows in a window do
 * not determine the polynomial, a lower degree is used there. A slope that the rows do not determine, as with a single
 * row, is NaN. For a density it computes f and its pointwise band, cut at 0, with se^2 = (mean of g_i(q)^2 - f(q)^2) /
 * n, where g_i is the density of row i alone. After a failure all tensors are NULL.
 * Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL, unknown options or a non-finite number;
 * HEED_ERR_UNSUPPORTED if `corrected` needs too many powers, and for other bands of a density; HEED_ERR_NOMEM. */
HEED_API heed_status heed_np_predict(const heed_np *fit, heed_tensor *x, const heed_np_predict_options *options,
                                     heed_np_prediction *prediction);

/* Returns quantiles of y at queries x, (n) or (n, d): numbers such that a share `level` of the values of y at the query
 * is not above them; (n), f64. The quantile is the value at q of the constant or linear function b of the continuous
 * columns that minimises
 *
 *     sum_i w_i K_i(q) rho(y_i - b(x_i)),   rho(r) = level r if r > 0, else (level - 1) r
 *
 * with the fit's weights and bandwidths; among several best constants the least is used. Extreme quantiles need wider
 * windows than the mean: for normal errors (level (1 - level) / phi(z)^2)^(1/5) times as wide, where z is the quantile
 * and phi the density of the standard normal distribution (K. Yu, M. Jones 1998). Quantiles of different levels may
 * cross where rows are sparse. A query whose window contains no rows has NaN.
 * Errors: NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL, a level outside 0 .. 1, or a non-finite
 * number; HEED_ERR_UNSUPPORTED above degree 1 and for a density; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_quantile(const heed_np *fit, heed_tensor *x, double level);

/* -- Densities and classes ----------------------------------------------------------------------------------------- */

/* Estimates the density f of rows x, (n) or (n, d):
 *
 *     f(q) = sum_i w_i prod_c K_c(x_ic, q_c) / sum_i w_i,   each K_c integrated or summed over its column being 1
 *
 * The kernel weights of unordered labels are divided by their sum over all k labels, and the weights of ordered labels
 * by their sum over all whole numbers. The bandwidths minimise -mean ln f_-i(x_i), the negative leave-one-out
 * log-likelihood (R. Duin 1976), where f_-i is the density without row i. It is the `criterion` of the report; the
 * report's other statistics are 0. With HEED_NP_CLASSIC it is the estimator of Q. Li and J. Racine for labels and
 * numbers (2003). Functions for regressions, such as heed_np_residuals, fail with HEED_ERR_UNSUPPORTED. Options are as
 * for heed_np_fit, but degree, nearest and robust must be 0, and criterion must be 0 or HEED_NP_RULE.
 * Errors: as heed_np_fit. */
HEED_API HEED_NODISCARD heed_np *heed_np_fit_density(heed_tensor *x, const heed_np_options *options);

/* Fits a classifier of rows x, (n) or (n, d), which predicts the probability that a query q has label c of the k
 * labels.
 *
 *     P(c | q) = sum_i w_i K_i(q) L(y_i, c) / sum_i w_i K_i(q),   L = 1 / (1 + (k - 1) l) if y_i = c, else l times that
 *
 * where K_i is the product of the columns' weights. With HEED_NP_CLASSIC, L is 1 - l if y_i = c, otherwise l / (k - 1).
 * `labels` (n) are whole numbers and count as an additional column after x: options.bandwidths, heed_np_bandwidths and
 * the report have d + 1 columns, and the last bandwidth is l. options.columns has d elements. l limits the influence of
 * distant rows with a different label. The bandwidths minimise the leave-one-out -mean ln P_-i(y_i | x_i), which is
 * `criterion` of the report (P. Hall, J. Racine, Q. Li 2004 do so for the density of any y given x). The cost is at
 * most n^2, even for one column. Use the fit with heed_np_classify and heed_np_classes; other functions except the
 * report, bandwidths and minima fail with HEED_ERR_UNSUPPORTED. Options are as for heed_np_fit_density.
 * Errors: as heed_np_fit_density. */
HEED_API HEED_NODISCARD heed_np *heed_np_fit_classes(heed_tensor *x, heed_tensor *labels,
                                                     const heed_np_options *options);

/* Returns the k labels of heed_np_fit_classes, ascending: (k), i64.
 * Labels that occur only in rows of weight 0 are omitted.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_UNSUPPORTED for a different type of fit, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_classes(const heed_np *fit);

/* Returns the most probable label at queries x, (n) or (n, d): (n), i64. Among equally probable labels it is the least.
 * Unless `probabilities` is NULL, it receives P(c | q), (n, k) in the order of heed_np_classes, f64. A query whose
 * window contains no rows has the label HEED_NP_NO_LABEL, and its probabilities are NaN. After a failure *probabilities
 * is NULL.
 * Errors: NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL or a non-finite number,
 * HEED_ERR_UNSUPPORTED for a different type of fit; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_classify(const heed_np *fit, heed_tensor *x, heed_tensor **probabilities);

/* -- Expert calls: the search, and the rows of the fit ------------------------------------------------------------- */

/* Writes the bandwidths at minimum i of the search, as heed_np_bandwidths does, and returns the criterion there.
 * Minima are sorted, the least first; the fit uses minimum 0. A column is not useful if h is far above the column's
 * range, or if l is near 1: the search limits h to 1000 times the range.
 * Errors: NaN with HEED_ERR_INDEX for a minimum that does not exist, HEED_ERR_ARGUMENT as heed_np_bandwidths. */
HEED_API double heed_np_minimum(const heed_np *fit, int i, double *bandwidths, int count);

/* Returns the leverages H_ii, (n), f64: the weight of y_i in m(x_i). They are in 0 .. 1, and 0 for a row of weight 0.
 * Leaving out row i changes m(x_i) by -H_ii (y_i - m_i) / (1 - H_ii).
 * Errors: as heed_np_residuals. */
HEED_API heed_tensor *heed_np_leverages(const heed_np *fit);

/* Returns the weights of the rows after the last robust round: (n), f64.
 * They are 1 if there were no robust rounds, and always 1 for rows of weight 0.
 * Errors: as heed_np_residuals. */
HEED_API heed_tensor *heed_np_robust_weights(const heed_np *fit);

/* -- Expert calls: resampling -------------------------------------------------------------------------------------- */

/* The resampling method. */
typedef enum heed_np_resampling {
    /* Keeps x and draws y_i = m(x_i) + s_i e_i / (1 - H_ii), where e_i is the residual and s_i is 1 or -1 at random:
     * for errors whose variance changes (R. Davidson, E. Flachaire 2008). */
    HEED_NP_WILD = 0,
    HEED_NP_PAIRS, /* draws n of the n rows with replacement, so x is random too (B. Efron 1979) */
} heed_np_resampling;

/* Options of heed_np_bootstrap; NULL: 999 draws by HEED_NP_WILD with seed 0. */
typedef struct heed_np_bootstrap_options {
    heed_np_resampling resampling;
    int draws; /* 0: 999 */
    uint64_t seed;
    /* Processes that share the draws. All of them must call heed_np_bootstrap with the same fit, queries and options;
     * all receive all draws. NULL: this process makes all draws. */
    heed_comm *comm;
    HEED_RESERVED;
} heed_np_bootstrap_options;

/* Resamples the rows `draws` times. For every draw, makes a new fit with the bandwidths and robust weights of `fit`,
 * and evaluates its m at the queries x. x: (n) or (n, d); the result is (draws, n), f64.
 * The standard deviation of a column is a standard error of m(q), and its quantiles give an interval. The draws lie
 * around a second fit, made to the values of the first, so their mean contains the bias twice. An interval for the
 * curve is therefore m(q) + (quantile of the column - mean of the column).
 * Results are bit-identical for any number of threads and processes. A density allows only HEED_NP_PAIRS. An element is
 * NaN if the window of the query contains no rows, or no drawn rows.
 * Errors: NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL, unknown options or a non-finite number;
 * HEED_ERR_UNSUPPORTED for HEED_NP_WILD with a density; HEED_ERR_STATE if processes differ in their draws or queries,
 * HEED_ERR_IO for a process that does not answer or has failed; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_bootstrap(const heed_np *fit, heed_tensor *x, const heed_np_bootstrap_options *options);

/* Options of heed_np_significance; NULL: 399 draws with seed 0. */
typedef struct heed_np_significance_options {
    int draws; /* 0: 399 */
    uint64_t seed;
    HEED_RESERVED;
} heed_np_significance_options;

/* Returns the p-value of the hypothesis that column c has no effect on m.
 * It is the share of draws, counting y as a draw, whose statistic is at least the statistic of y. For a continuous
 * column the statistic is the mean over rows of (dm / dx_c)^2 divided by its variance. For labels it is the mean over
 * rows of (m at a label minus m at the first label)^2, summed over the labels. Both are divided by the residuals' sum
 * of squares. Draws are made by HEED_NP_WILD around the fit with x_c at its median (J. Racine 1997; Racine, J. Hart, Q.
 * Li 2006), at the same bandwidths. It needs memory for (draws + 1) n numbers. The p-value is 1 if y varies by no more
 * than its rounding errors.
 * Errors: NaN with HEED_ERR_INDEX for a column that does not exist, HEED_ERR_ARGUMENT for NULL, negative draws, a fit
 * without residuals, or a row whose window is empty when x_c is at its median, HEED_ERR_UNSUPPORTED for a density,
 * HEED_ERR_NOMEM. */
HEED_API double heed_np_significance(const heed_np *fit, int column, const heed_np_significance_options *options);

HEED_END_DECLS

#endif
