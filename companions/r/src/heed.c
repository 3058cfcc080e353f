/* companions/r/src/heed.c - makes heed/np.h available to R, through .Call.
 *
 * R's errors and its allocations leave a function by longjmp, which would leave a scope of heed open. A function
 * here therefore allocates its result first, then works in a scope without calling R, and raises heed's error after
 * the scope.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>

#include <heed/heed.h>

#define R_NO_REMAP
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

/* -- Errors, scopes, memory ---------------------------------------------------------------------------------------- */

/* Ends the scope. The pending error of this thread becomes an error of R; so does Ctrl-C, which is now safe. */
static void leave(heed_scope *scope)
{
    char message[HEED_ERROR_MESSAGE_MAX] = "";
    const bool failed = heed_error_code() != HEED_OK;
    if (failed)
        strncpy(message, heed_error_message(), sizeof message - 1);
    heed_error_clear();
    if (scope)
        (void)heed_scope_end(scope);
    if (failed)
        Rf_error("%s", message);
    R_CheckUserInterrupt();
}

/* A tensor on an R array, with the axes in reverse order; NULL for NULL. R keeps the arrays of a call until its end. */
static heed_tensor *tensor_of(SEXP values, int rows, int columns)
{
    if (values == R_NilValue)
        return NULL;
    const heed_shape shape = columns ? HEED_SHAPE(rows, columns) : HEED_SHAPE(rows);
    return heed_from_buffer(HEED_F64, shape, REAL(values), Rf_xlength(values), NULL, NULL);
}

static void copy(heed_tensor *from, double *to)
{
    const double *data = from ? heed_data_f64(from) : NULL;
    if (data && heed_numel(from) > 0)
        memcpy(to, data, (size_t)heed_numel(from) * sizeof *to);
}

static void free_fit(SEXP pointer)
{
    heed_np_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

/* Returns NULL for an object that was saved and read again; heed's functions then fail. */
static heed_np *fit_of(SEXP pointer)
{
    return TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
}

/* -- Fits ---------------------------------------------------------------------------------------------------------- */

static void check_interrupt(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

/* An interrupt by the user ends the search: its longjmp does not leave R_ToplevelExec. */
static bool go_on(const heed_np_progress *now, void *interrupted)
{
    (void)now;
    *(bool *)interrupted |= !R_ToplevelExec(check_interrupt, NULL);
    return !*(bool *)interrupted;
}

/* Fits a regression, a classifier, or a density if y is NULL. */
static heed_np *fit_rows(heed_tensor *x, heed_tensor *y, bool has_classes, const heed_np_options *options)
{
    if (heed_error_code() != HEED_OK)
        return NULL;
    return has_classes ? heed_np_fit_classes(x, y, options)
           : y         ? heed_np_fit(x, y, options)
                       : heed_np_fit_density(x, options);
}

/* x is (d, n), y NULL for a density; `numbers`: degree, kernel, labels, criterion, robust, starts, max_evaluations, and
 * whether y has labels of classes.
 * Returns the fit, and whether the user interrupted the search. */
static SEXP fit(SEXP x, SEXP y, SEXP weights, SEXP kinds, SEXP bandwidths, SEXP numbers, SEXP nearest)
{
    const int *n = INTEGER(numbers), columns = Rf_nrows(x);
    bool interrupted = false;
    heed_np_column *of_column = (heed_np_column *)R_alloc((size_t)columns, sizeof *of_column);
    for (int c = 0; c < columns; c++)
        of_column[c] = (heed_np_column)INTEGER(kinds)[c];
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, free_fit, TRUE);
    SEXP result = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(result, 0, pointer);
    heed_scope *scope = heed_scope_begin();
    const heed_np_options options = {.degree = n[0],
                                     .kernel = (heed_nw_kernel)n[1],
                                     .columns = of_column,
                                     .labels = (heed_np_labels)n[2],
                                     .criterion = (heed_np_criterion)n[3],
                                     .bandwidths = bandwidths == R_NilValue ? NULL : REAL(bandwidths),
                                     .weights = tensor_of(weights, Rf_length(weights), 0),
                                     .nearest = Rf_asReal(nearest),
                                     .robust = n[4],
                                     .starts = n[5],
                                     .max_evaluations = n[6],
                                     .progress = go_on,
                                     .user = &interrupted};
    heed_tensor *rows = tensor_of(x, Rf_ncols(x), columns), *values = tensor_of(y, Rf_length(y), 0);
    R_SetExternalPtrAddr(pointer, fit_rows(rows, values, n[7], &options));
    leave(scope);
    SET_VECTOR_ELT(result, 1, Rf_ScalarLogical(interrupted));
    UNPROTECT(2);
    return result;
}

static SEXP is_alive(SEXP pointer)
{
    return Rf_ScalarLogical(fit_of(pointer) != NULL);
}

/* Returns the numbers of heed_np_report that R shows. */
static SEXP report(SEXP pointer)
{
    static const char *const names[] = {"criterion",     "r2",          "rss",     "sigma", "trace",
                                        "trace_squared", "evaluations", "stopped", ""};
    SEXP result = PROTECT(Rf_mkNamed(REALSXP, (const char **)names));
    const heed_np_report r = heed_np_get_report(fit_of(pointer));
    leave(NULL);
    const double numbers[] = {r.criterion, r.r2, r.rss, r.sigma, r.trace, r.trace_squared, r.evaluations, r.stopped};
    memcpy(REAL(result), numbers, sizeof numbers);
    UNPROTECT(1);
    return result;
}

static SEXP bandwidths(SEXP pointer)
{
    const heed_np *f = fit_of(pointer);
    const int columns = heed_np_get_report(f).columns;
    leave(NULL);
    SEXP result = PROTECT(Rf_allocVector(REALSXP, columns));
    (void)heed_np_bandwidths(f, REAL(result), columns);
    leave(NULL);
    UNPROTECT(1);
    return result;
}

/* Returns (1 + d, minima): the criterion, then the bandwidths. */
static SEXP minima(SEXP pointer)
{
    const heed_np *f = fit_of(pointer);
    const heed_np_report r = heed_np_get_report(f);
    leave(NULL);
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, 1 + r.columns, r.minima));
    for (int i = 0; i < r.minima; i++) {
        double *at = REAL(result) + (R_xlen_t)i * (1 + r.columns);
        at[0] = heed_np_minimum(f, i, at + 1, r.columns);
    }
    leave(NULL);
    UNPROTECT(1);
    return result;
}

/* Returns the fitted values, residuals, leverages or robust weights of the rows. */
static SEXP of_rows(SEXP pointer, SEXP what)
{
    static heed_tensor *(*const functions[])(const heed_np *) = {heed_np_fitted, heed_np_residuals, heed_np_leverages,
                                                                 heed_np_robust_weights};
    const heed_np *f = fit_of(pointer);
    const int64_t rows = heed_np_get_report(f).rows;
    leave(NULL);
    SEXP result = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)rows));
    heed_scope *scope = heed_scope_begin();
    copy(functions[Rf_asInteger(what)](f), REAL(result));
    leave(scope);
    UNPROTECT(1);
    return result;
}

/* -- Predictions --------------------------------------------------------------------------------------------------- */

/* x is (d, n), c the number of its continuous columns, 0 for a density; `numbers`: band, local, corrected. Returns
 * vectors of n, and two of (c, n). */
static SEXP predict(SEXP pointer, SEXP x, SEXP c, SEXP numbers, SEXP level, SEXP seed)
{
    static const char *const names[] = {"mean", "se", "lower", "upper", "slopes", "slope_se", ""};
    const int rows = Rf_ncols(x), *n = INTEGER(numbers);
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
    for (int i = 0; i < 6; i++)
        SET_VECTOR_ELT(result, i,
                       i < 4 ? Rf_allocVector(REALSXP, rows) : Rf_allocMatrix(REALSXP, Rf_asInteger(c), rows));
    heed_scope *scope = heed_scope_begin();
    const heed_np_predict_options options = {.band = (heed_np_band)n[0],
                                             .level = Rf_asReal(level),
                                             .local = n[1],
                                             .corrected = n[2],
                                             .seed = (uint64_t)Rf_asReal(seed)};
    heed_np_prediction p = {0};
    heed_tensor *queries = tensor_of(x, rows, Rf_nrows(x));
    if (heed_error_code() == HEED_OK)
        (void)heed_np_predict(fit_of(pointer), queries, &options, &p);
    heed_tensor *const found[] = {p.mean, p.se, p.lower, p.upper, p.slopes, p.slope_se};
    for (int i = 0; i < 6; i++)
        copy(found[i], REAL(VECTOR_ELT(result, i)));
    leave(scope);
    UNPROTECT(1);
    return result;
}

/* Returns the probabilities of k classes at the columns of x, (d, n), as (k, n). */
static SEXP classify(SEXP pointer, SEXP x, SEXP k)
{
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, Rf_asInteger(k), Rf_ncols(x)));
    heed_scope *scope = heed_scope_begin();
    heed_tensor *queries = tensor_of(x, Rf_ncols(x), Rf_nrows(x)), *probabilities = NULL;
    if (heed_error_code() == HEED_OK)
        (void)heed_np_classify(fit_of(pointer), queries, &probabilities);
    copy(probabilities, REAL(result));
    leave(scope);
    UNPROTECT(1);
    return result;
}

/* Returns the quantiles at the columns of x, (d, n). */
static SEXP quantile(SEXP pointer, SEXP x, SEXP level)
{
    SEXP result = PROTECT(Rf_allocVector(REALSXP, Rf_ncols(x)));
    heed_scope *scope = heed_scope_begin();
    copy(heed_np_quantile(fit_of(pointer), tensor_of(x, Rf_ncols(x), Rf_nrows(x)), Rf_asReal(level)), REAL(result));
    leave(scope);
    UNPROTECT(1);
    return result;
}

/* x is (d, n); returns (n, draws). */
static SEXP bootstrap(SEXP pointer, SEXP x, SEXP resampling, SEXP draws, SEXP seed)
{
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, Rf_ncols(x), Rf_asInteger(draws)));
    heed_scope *scope = heed_scope_begin();
    const heed_np_bootstrap_options options = {.resampling = (heed_np_resampling)Rf_asInteger(resampling),
                                               .draws = Rf_asInteger(draws),
                                               .seed = (uint64_t)Rf_asReal(seed)};
    copy(heed_np_bootstrap(fit_of(pointer), tensor_of(x, Rf_ncols(x), Rf_nrows(x)), &options), REAL(result));
    leave(scope);
    UNPROTECT(1);
    return result;
}

static SEXP significance(SEXP pointer, SEXP column, SEXP draws, SEXP seed)
{
    const heed_np_significance_options options = {.draws = Rf_asInteger(draws), .seed = (uint64_t)Rf_asReal(seed)};
    const double p = heed_np_significance(fit_of(pointer), Rf_asInteger(column), &options);
    leave(NULL);
    return Rf_ScalarReal(p);
}

/* -- Registration -------------------------------------------------------------------------------------------------- */

static const R_CallMethodDef functions[] = {
    {"fit", (DL_FUNC)&fit, 7},
    {"is_alive", (DL_FUNC)&is_alive, 1},
    {"report", (DL_FUNC)&report, 1},
    {"bandwidths", (DL_FUNC)&bandwidths, 1},
    {"minima", (DL_FUNC)&minima, 1},
    {"of_rows", (DL_FUNC)&of_rows, 2},
    {"predict", (DL_FUNC)&predict, 6},
    {"classify", (DL_FUNC)&classify, 3},
    {"quantile", (DL_FUNC)&quantile, 3},
    {"bootstrap", (DL_FUNC)&bootstrap, 5},
    {"significance", (DL_FUNC)&significance, 4},
    {NULL, NULL, 0},
};

void R_init_heed(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, functions, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
