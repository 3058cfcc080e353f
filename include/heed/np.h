/* heed/np.h - kernel regression for data: bandwidths from the data, standard errors, bands.
 *
 *     heed_np *fit = heed_np_fit(times, accel, &(heed_np_options){.degree = 1, .criterion = HEED_NP_AICC});
 *     heed_np_prediction at;
 *     heed_np_predict(fit, grid, &(heed_np_predict_options){.band = HEED_NP_BAND_SIMULTANEOUS}, &at);
 *     ... at.mean, at.lower, at.upper ...
 *     heed_np_free(fit);
 *
 * A fit is y_i = m(x_i) + error, for rows x_i of d columns. Each column c has a kernel and a bandwidth of its own; the
 * weight of row i for a query q is the product of the columns' weights, times the row's own:
 *
 *     continuous    K((x_ic - q_c) / h_c), 0 < h_c
 *     unordered     1 where x_ic = q_c, otherwise l_c, 0 <= l_c <= 1                  (Q. Li, J. Racine 2003), or
 *                   1 - l_c and l_c / (k - 1) of k labels, 0 <= l_c <= (k - 1) / k    (J. Aitchison, C. Aitken 1976)
 *     ordered       l_c^|x_ic - q_c|, 0 <= l_c <= 1                                   (Li and Racine), or
 *                   1 - l_c where equal, otherwise (1 - l_c) l_c^|x_ic - q_c| / 2     (M.-C. Wang, J. van Ryzin 1981)
 *
 * m(q) is the value at q of the polynomial of the continuous columns that fits the rows best in the weighted sum of
 * squares: a constant (Nadaraya and Watson), linear, quadratic or cubic. It is linear in y, m = H y, so that leaving
 * out a row needs no other fit: y_i - m_-i(x_i) = (y_i - m(x_i)) / (1 - H_ii). Bandwidths are those at which a
 * criterion is least, found by a quasi-Newton method over ln h and logit l with exact derivatives, from several starts.
 *
 * Criteria have no graph here, but they are sums of ops that do: of one column, or of several with the Gaussian, CV.LS
 * is the mean of (y - f)^2, f = heed_kernel_regression(x, x, y, ln h, ...) with log_width and leave_one_out. Without
 * leave_one_out its weights (n, n) are H, and heed_diagonal of them H_ii, for AICc and GCV. That is differentiable to
 * any order in ln h, x and y, for Newton's method or for how bandwidths depend on the data, in memory of (n, n):
 * tutorial page 13.
 *
 * All is computed in f64, with the same bits for any number of threads. Tensors given may be f32, f64 or i64; results
 * are f64. With one continuous column the cost of a criterion grows as n log n, otherwise at most as n^2.
 * J. Fan, I. Gijbels: Local Polynomial Modelling (1996). Q. Li, J. Racine: Nonparametric Econometrics (2007).
 */
#ifndef HEED_NP_H
#define HEED_NP_H

#include <heed/comm.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* The label of heed_np_classify if no row is within the window. It differs from all labels, which are below 2^53 in
 * size. */
#define HEED_NP_NO_LABEL INT64_MIN

/* A fit: the rows, copied, and the bandwidths. It is only read by what follows, so threads may share it. */
typedef struct heed_np heed_np;

/* The most columns that a fit takes, and the most powers of a polynomial (10 for three columns and degree 2). */
#define HEED_NP_MAX_COLUMNS 16
#define HEED_NP_MAX_POWERS 100

/* What the numbers of a column are. */
typedef enum heed_np_column {
    HEED_NP_CONTINUOUS = 0, /* numbers */
    HEED_NP_UNORDERED,      /* labels: equal or not */
    HEED_NP_ORDERED,        /* whole numbers whose distance counts: grades, months */
} heed_np_column;

/* The weights of unordered and ordered columns: above. */
typedef enum heed_np_labels {
    HEED_NP_LI_RACINE = 0,
    HEED_NP_CLASSIC, /* Aitchison and Aitken; Wang and van Ryzin */
} heed_np_labels;

/* What is least at the bandwidths. n is the number of rows with a weight, RSS the weighted sum of squared residuals. */
typedef enum heed_np_criterion {
    /* Mean of ((y_i - m_i) / (1 - H_ii))^2: least squares with each row left out. Infinite where a row has no other in
     * its window. */
    HEED_NP_CV_LS = 0,
    /* ln(RSS / n) + (1 + tr H / n) / (1 - (tr H + 2) / n); infinite from tr H = n - 2 on
     * (C. Hurvich, J. Simonoff, C.-L. Tsai 1998). An RSS below the rounding of y counts as that rounding. */
    HEED_NP_AICC,
    /* (RSS / n) / (1 - tr H / n)^2   (P. Craven, G. Wahba 1978). */
    HEED_NP_GCV,
    /* No search, a rule of thumb: h_c = (4 / (d + 2))^(1 / (d + 4)) s_c n^(-1 / (d + 4)) of d continuous columns, the
     * best for the density of independent normal ones (D. Scott 1992), whatever the degree. s_c is the lesser of the
     * standard deviation and the interquartile range / 1.349, both without weights; other kernels than the Gaussian see
     * as far as it does, by the ratio of their (R^d / m^2)^(1 / (d + 4)), R the integral of K^2 and m that of u^2 K(u).
     * Labels have l = 0. */
    HEED_NP_RULE,
    /* No search, but estimates put into the formula of the best h for a line of one continuous column: the direct
     * plug-in of D. Ruppert, S. Sheather, M. Wand (1995), in sums over the rows themselves, where R's dpill bins them.
     * Its own pilot fits have a Gaussian; other kernels as above. Degree 1, without weights, and errors of one
     * variance. */
    HEED_NP_PLUG_IN,
} heed_np_criterion;

/* How far a search is. */
typedef struct heed_np_progress {
    int start, starts;        /* from 0 */
    int evaluations;          /* of the criterion so far */
    double best;              /* least value so far; infinite before the first */
    const double *bandwidths; /* where that was, d of them */
} heed_np_progress;

/* Options of heed_np_fit; NULL: local constant with a Gaussian, all columns continuous, bandwidths by CV.LS. */
typedef struct heed_np_options {
    int degree;                    /* 0 to 3 */
    heed_nw_kernel kernel;         /* of continuous columns, on |u| <= 1 but for the Gaussian; not HEED_NW_CONSTANT */
    const heed_np_column *columns; /* d of them; NULL: continuous all */
    heed_np_labels labels;
    heed_np_criterion criterion; /* by a rule it is CV.LS that is reported */
    const double *bandwidths;    /* d of them, not to be searched for; NULL: those at which the criterion is least */
    /* (n), of rows: inverse variances up to a factor, which is chosen so that they add up to as many rows as have one.
     * NULL means 1. A row of weight 0 never affects the fit. Only m and its residual are reported there. */
    heed_tensor *weights;
    /* Of one continuous column, instead of a bandwidth: the share of rows that a query sees, up to 1, as loess's span;
     * h is the distance to the last of them. With weights, it is the share of the weight, and a row of weight 2 counts
     * as two rows (not so loess's): the share is rounded down to a multiple of the largest number of which all weights
     * are multiples. If the weights have no such number above 1 / 10,000 of the largest, the share is not rounded. 0:
     * no. */
    double nearest;
    /* Rounds, to 100, of bisquare weights of the residuals (W. Cleveland 1979), at the same bandwidths. In the median
     * of the residuals' sizes, too, a row of weight 2 counts as two rows. */
    int robust;
    /* Descents of the search; 0 means 5. One starts at the rule of thumb. Several start at the lowest of 100 to 600
     * points (fewer for many rows) all over the range of bandwidths, and the last one at wide windows. */
    int starts;
    int max_evaluations; /* of the criterion, in all; 0: 3000. Then the best so far is taken */
    /* After each evaluation; false ends the search with the best so far. */
    bool (*progress)(const heed_np_progress *now, void *user);
    void *user;
    /* Processes that share the starts of the search, with the same rows and options each: every one of them calls, and
     * receives the same fit, whose numbers are those of one process by itself, unless the search is ended by `progress`
     * or max_evaluations, which count in each process for itself. NULL: this one runs them all. */
    heed_comm *comm;
    HEED_RESERVED;
} heed_np_options;

/* Fits y (n) by x (n), one column, or (n, d). To be freed by heed_np_free. NULL with HEED_ERR_SHAPE, also for no rows;
 * HEED_ERR_DTYPE for bool; HEED_ERR_ARGUMENT for NULL, for an option out of range, a number that is not finite (which
 * is named; the message says what to do), labels that are no whole numbers below 2^53, weights that are negative or all
 * 0, and for a continuous column with one value only, unless its bandwidth is given, and where the criterion is
 * infinite wherever it was tried; what `progress` fails with; HEED_ERR_UNSUPPORTED for too many columns or powers;
 * HEED_ERR_IO for a process that does not answer, also as it has failed; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_np *heed_np_fit(heed_tensor *x, heed_tensor *y, const heed_np_options *options);

/* The density f of x, (n) or (n, d), from which the rows are drawn:
 *
 *     f(q) = sum_i w_i prod_c K_c(x_ic, q_c) / sum_i w_i,   each K_c integrated or summed over its column being 1
 *
 * Labels' weights are divided by their sum: over all k labels, of ordered ones over all whole numbers. Bandwidths are
 * those of least -mean ln f_-i(x_i), the likelihood with each row left out (R. Duin 1976), which is `criterion` of the
 * report; its other numbers are 0. With HEED_NP_CLASSIC, that of Q. Li and J. Racine for labels and numbers (2003).
 * What a fit says of regressions, residuals and the like, fails with HEED_ERR_UNSUPPORTED. Options as heed_np_fit's,
 * but that degree, criterion (or HEED_NP_RULE), nearest and robust must be 0; errors too. */
HEED_API HEED_NODISCARD heed_np *heed_np_fit_density(heed_tensor *x, const heed_np_options *options);

/* Which label a row has, by its columns x, (n) or (n, d): the probability of label c of k for a query q,
 *
 *     P(c | q) = sum_i w_i K_i(q) L(y_i, c) / sum_i w_i K_i(q),   L = 1 / (1 + (k - 1) l) if y_i = c, else l times that
 *
 * K_i being the product of the columns' weights, and L with HEED_NP_CLASSIC 1 - l and l / (k - 1). `labels` (n) are
 * whole numbers, and after x a column more, in bandwidths and messages: options.bandwidths, heed_np_bandwidths and the
 * report have d + 1, the last being l; options.columns has d. l keeps a far row of another label from counting for
 * everything. Bandwidths are those of least -mean ln P_-i(y_i | x_i), each row left out, which is `criterion` of the
 * report (P. Hall, J. Racine, Q. Li 2004 have the density of any y given x so). Cost: n^2 at most, also of one column.
 * A fit of classes is for heed_np_classify and heed_np_classes: others but the report's, bandwidths and minima fail
 * with HEED_ERR_UNSUPPORTED. Options and errors as of heed_np_fit_density. */
HEED_API HEED_NODISCARD heed_np *heed_np_fit_classes(heed_tensor *x, heed_tensor *labels,
                                                     const heed_np_options *options);

/* Frees the fit. NULL is ignored. */
HEED_API void heed_np_free(heed_np *fit);

/* -- What was found ------------------------------------------------------------------------------------------------ */

/* The size of the notice in a report. */
#define HEED_NP_NOTICE 512

/* Numbers about a fit. */
typedef struct heed_np_report {
    int64_t rows;     /* as given */
    int64_t weighted; /* those with a weight: n of the criteria and of sigma */
    int columns;
    double criterion; /* its value at the bandwidths, before robust rounds */
    /* Squared correlation of y and m, both around the mean of y (R np's), weighted. NaN if y varies by no more than its
     * rounding. */
    double r2;
    double rss; /* sum of w_i (y_i - m_i)^2 */
    /* Standard deviation of the error, sqrt(RSS / (n - 2 tr H + tr H H')). NaN if the fit goes through all rows, which
     * leaves no degrees of freedom; then standard errors and bands of one error variance are NaN, too. */
    double sigma;
    double trace;         /* tr H, the equivalent number of parameters */
    double trace_squared; /* tr H H' */
    int evaluations;      /* of the criterion */
    int minima;           /* that the search found: heed_np_minimum */
    bool stopped;         /* by progress or max_evaluations, before it had ended */
    int64_t undefined;    /* rows with a weight at which m is undefined, because no row is within the window */
    /* A sentence, on a line of its own, about every number above that is undefined (NaN), infinite, or too small for a
     * double. Empty for an ordinary fit. */
    char notice[HEED_NP_NOTICE];
} heed_np_report;

/* The numbers; all 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_np_report heed_np_get_report(const heed_np *fit);

/* Writes the bandwidths of the d columns, h or l, to `bandwidths`, `count` of them. HEED_ERR_ARGUMENT for NULL or
 * another count. */
HEED_API heed_status heed_np_bandwidths(const heed_np *fit, double *bandwidths, int count);

/* The minimum i of the search, the least first (0 is the fit's): writes its bandwidths as heed_np_bandwidths does, and
 * returns the criterion there. A bandwidth far above the range of its column says that the column is of no use: h stops
 * at 1000 times the range, l near 1. NaN with HEED_ERR_INDEX where there is none, HEED_ERR_ARGUMENT as above. */
HEED_API double heed_np_minimum(const heed_np *fit, int i, double *bandwidths, int count);

/* m(x_i) of the rows, or f(x_i): (n), f64, rows of weight 0 included, in this function and the next ones. m is NaN if
 * no row with a weight is within the window. NULL with HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_fitted(const heed_np *fit);

/* y_i - m(x_i): (n), f64. Errors as heed_np_fitted; HEED_ERR_UNSUPPORTED for a density, here and below. */
HEED_API heed_tensor *heed_np_residuals(const heed_np *fit);

/* H_ii, how much of its own fit a row is: (n), f64, in 0 .. 1, and 0 for a row of weight 0. The change of m(x_i) when
 * row i is left out is -H_ii (y_i - m_i) / (1 - H_ii). Errors as heed_np_fitted. */
HEED_API heed_tensor *heed_np_leverages(const heed_np *fit);

/* The weights of the rows after the last robust round, all 1 without robust rounds, and 1 for a row of weight 0. (n),
 * f64.
 * Errors as heed_np_fitted. */
HEED_API heed_tensor *heed_np_robust_weights(const heed_np *fit);

/* -- Anywhere ------------------------------------------------------------------------------------------------------ */

/* The kind of interval around m(q). */
typedef enum heed_np_band {
    HEED_NP_BAND_POINTWISE = 0, /* m(q) +- z se(q), z a quantile of the normal distribution */
    HEED_NP_BAND_SIMULTANEOUS,  /* m(q) +- c se(q): holds at all queries at once; c from 10,000 draws of the bands' own
                                   normal process with the rows' errors */
    HEED_NP_BAND_PREDICTION,    /* m(q) +- z sqrt(sigma^2 + se(q)^2): of a new y */
} heed_np_band;

/* Options of heed_np_predict; NULL: pointwise 95 % bands, one error variance for all rows. */
typedef struct heed_np_predict_options {
    heed_np_band band;
    double level; /* 0: 0.95 */
    /* Standard errors from the rows' own squared residuals, ((y_i - m_i) / (1 - H_ii))^2, instead of sigma^2: for
     * errors whose variance changes (H. White 1980, HC3). A row that no other is seen from has sigma^2. */
    bool local;
    /* Mean, se and band are those of the polynomial one degree higher, at the same bandwidths. At those that a
     * criterion finds, m is about as biased as it is uncertain, and a band of 95 % around it holds the curve some 90
     * times of 100; this one's bias is of a higher order (S. Calonico, M. Cattaneo, M. Farrell 2018). Not at degree
     * 3. */
    bool corrected;
    uint64_t seed; /* of the draws */
    HEED_RESERVED;
} heed_np_predict_options;

/* Of n queries and c continuous columns; f64, borrowed from the scope. Degree 0 has slopes too: the derivative of m. */
typedef struct heed_np_prediction {
    heed_tensor *mean, *se;         /* (n): m(q) and its standard error, sqrt(sum_i l_i(q)^2 sigma_i^2) */
    heed_tensor *lower, *upper;     /* (n): the band */
    heed_tensor *slopes, *slope_se; /* (n, c): dm / dq of each continuous column, in order; from degree 1 on that of the
                                       local polynomial, as is usual. NULL of a density */
    int64_t undefined; /* queries without any row in their window: all their numbers are NaN. 0 of a density */
} heed_np_prediction;

/* m, its standard errors and bands at queries x, (n) or (n, d) as the fit's. A query without any row in its window has
 * NaN everywhere, and is counted in `undefined`. If the rows in its window do not determine the polynomial, its degree
 * is lower there; a slope that they do not determine, as one row alone for a line, is NaN.
 * Of a density, f and its pointwise band from 0 on, with se^2 = (mean of g_i(q)^2 - f(q)^2) / n, g_i the density of row
 * i alone. HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL, unknown options or a number that is not finite;
 * HEED_ERR_UNSUPPORTED for `corrected` where that needs too many powers, and other bands of a density; HEED_ERR_NOMEM.
 * After a failure all tensors are NULL. */
HEED_API heed_status heed_np_predict(const heed_np *fit, heed_tensor *x, const heed_np_predict_options *options,
                                     heed_np_prediction *prediction);

/* The quantile of y at queries x, (n) or (n, d), that a share `level` of the values is not above: (n), f64. It is the
 * value at q of the constant or plane b of the continuous columns with the least
 *
 *     sum_i w_i K_i(q) rho(y_i - b(x_i)),   rho(r) = level r above 0, (level - 1) r below
 *
 * with the fit's weights and bandwidths; of several best constants the least. Towards the ends quantiles need wider
 * windows than the mean: for normal errors (level (1 - level) / phi(z)^2)^(1/5) times as wide, z being the normal
 * distribution's own quantile (K. Yu, M. Jones 1998). Quantiles of several levels may cross where rows are few. A query
 * without any row in its window has NaN.
 * NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL, a level not in 0 .. 1, or a number that is not
 * finite; HEED_ERR_UNSUPPORTED above degree 1 and for a density; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_quantile(const heed_np *fit, heed_tensor *x, double level);

/* The k labels of heed_np_fit_classes, ascending, without labels that only rows of weight 0 have: (k), i64. NULL with
 * HEED_ERR_ARGUMENT for NULL, HEED_ERR_UNSUPPORTED for another fit, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_classes(const heed_np *fit);

/* The likeliest label at queries x, (n) or (n, d): (n), i64; of several the least. Unless `probabilities` is NULL, it
 * receives P(c | q), (n, k) in the order of heed_np_classes, f64. A query without any row in its window has the label
 * HEED_NP_NO_LABEL, and its probabilities are NaN. NULL, and so *probabilities, with HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_ARGUMENT for NULL or a number that is not finite, HEED_ERR_UNSUPPORTED for another fit; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_classify(const heed_np *fit, heed_tensor *x, heed_tensor **probabilities);

/* -- Rows drawn again ---------------------------------------------------------------------------------------------- */

/* What is drawn. */
typedef enum heed_np_resampling {
    /* y_i = m(x_i) + s_i e_i / (1 - H_ii) at the same x, e_i the residual, s_i = 1 or -1: for errors whose variance
     * changes (R. Davidson, E. Flachaire 2008). */
    HEED_NP_WILD = 0,
    HEED_NP_PAIRS, /* n rows of the n, with replacement: x too is random (B. Efron 1979) */
} heed_np_resampling;

/* Options of heed_np_bootstrap; NULL: 999 wild draws with seed 0. */
typedef struct heed_np_bootstrap_options {
    heed_np_resampling resampling;
    int draws; /* 0: 999 */
    uint64_t seed;
    /* Processes that share the draws, with the same fit, queries and options each: every one of them calls, and
     * receives all draws. NULL: this one makes them all. */
    heed_comm *comm;
    HEED_RESERVED;
} heed_np_bootstrap_options;

/* Draws rows again and fits them with the fit's bandwidths and robust weights: m at queries x, (n) or (n, d), of each
 * draw: (draws, n), f64. The deviation of a column is a standard error of m(q), its quantiles are an interval. Draws
 * spread around what the fit makes of the fit itself, whose bias comes twice: an interval for the curve is m(q) plus
 * the quantiles of draws less their mean. The same bits for any number of threads, and of processes. Of a density,
 * pairs only. NaN if no row, or no drawn row, is within the window of the query.
 * NULL with HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL, unknown options or a number that is not finite;
 * HEED_ERR_UNSUPPORTED for wild draws of a density; HEED_ERR_STATE where processes differ in their draws or queries,
 * HEED_ERR_IO for one that does not answer, also as it has failed; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_np_bootstrap(const heed_np *fit, heed_tensor *x, const heed_np_bootstrap_options *options);

/* Options of heed_np_significance; NULL: 399 draws with seed 0. */
typedef struct heed_np_significance_options {
    int draws; /* 0: 399 */
    uint64_t seed;
    HEED_RESERVED;
} heed_np_significance_options;

/* The p-value of "column c does nothing to m": the share of draws, y counted as one of them, whose statistic is not
 * below that of y. The statistic is the mean over rows of (dm / dx_c)^2 by its variance, or of (m at another label less
 * m at the first)^2 summed over the labels, either by the residuals' sum of squares. Draws are wild ones around the fit
 * with x_c at the median of its values (J. Racine 1997; Racine, J. Hart, Q. Li 2006), at the same bandwidths. Memory is
 * that of (draws + 1) n numbers. The p-value is 1 if y varies by no more than its rounding.
 * NaN with HEED_ERR_INDEX where there is no such column, HEED_ERR_ARGUMENT for NULL, negative draws, a fit without
 * residuals, or rows without any row in their window when x_c is at its median, HEED_ERR_UNSUPPORTED for a density,
 * HEED_ERR_NOMEM. */
HEED_API double heed_np_significance(const heed_np *fit, int column, const heed_np_significance_options *options);

HEED_END_DECLS

#endif
