/* tests/promises/misuse/test_misuse_every_np.c - every function of heed/np.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"

static bool goes_on(const heed_np_progress *now, void *user)
{
    (void)user;
    return now->evaluations < 3 || any_flag();
}

static heed_tensor *some_or(heed_tensor *valid)
{
    if (one_in(16))
        return NULL;
    return one_in(4) ? any_tensor() : valid;
}

/* A fit of 12 rows and one or two columns, usually valid; every other one is a density. */
static heed_np *any_fit(int columns)
{
    static const double valid[] = {0.4, 0.3};
    const double drawn[] = {any_real(), any_real()};
    const heed_np_column kinds[] = {(heed_np_column)any_enum(3), HEED_NP_CONTINUOUS};
    heed_tensor *x = heed_rand(HEED_F64, columns == 1 ? HEED_SHAPE(12) : HEED_SHAPE(12, 2));
    const bool has_kinds = any_flag();
    if (has_kinds)
        x = heed_round(heed_mul_scalar(x, 4.0));
    heed_tensor *y = some_or(one_in(8) ? x : heed_rand(HEED_F32, HEED_SHAPE(12)));
    heed_np_options options = {.degree = any_flag() ? 0 : any_int(),
                               .kernel = (heed_nw_kernel)any_enum(HEED_NW_CONSTANT + 1),
                               .columns = has_kinds ? kinds : NULL,
                               .labels = (heed_np_labels)any_enum(2),
                               .criterion = (heed_np_criterion)any_enum(5),
                               .bandwidths = any_flag()   ? NULL
                                             : any_flag() ? valid
                                                          : drawn,
                               .weights = any_flag()  ? NULL
                                          : one_in(4) ? y
                                          : one_in(4) ? x
                                                      : some_or(heed_ones(HEED_F32, HEED_SHAPE(12))),
                               .nearest = any_flag() ? any_real() : 0.0,
                               .robust = any_flag() ? 0 : any_int(),
                               .starts = any_enum(3),
                               .max_evaluations = any_flag() ? 5 : any_enum(20),
                               .progress = any_flag() ? NULL : goes_on};
    const bool is_density = any_flag();
    if (is_density && any_flag()) { /* options that a density lacks */
        options.degree = options.robust = 0;
        options.criterion = HEED_NP_CV_LS;
        options.nearest = 0;
    }
    const heed_np_options *some = one_in(8) ? NULL : &options;
    heed_np *fit = is_density ? heed_np_fit_density(some_or(x), some) : heed_np_fit(some_or(x), y, some);
    ck_assert((fit != NULL) == (heed_error_code() == HEED_OK));
    judge_error(is_density ? "np_fit_density" : "np_fit");
    return fit;
}

static void fits(void)
{
    const int columns = 1 + any_flag();
    double bandwidths[8];
    for (int i = 0; i < 2; i++) /* twice, for every option to occur with every hostile value */
        heed_np_free(any_fit(columns));
    heed_np *fit = any_fit(columns), *some = one_in(8) ? NULL : fit;
    VALUE(heed_np_get_report(some));
    STATUS(heed_np_bandwidths(some, one_in(4) ? NULL : bandwidths, one_in(4) ? any_int() : columns));
    VALUE(heed_np_minimum(some, any_enum(2), one_in(4) ? NULL : bandwidths, one_in(4) ? any_int() : columns));
    POINTER(heed_np_fitted(some));
    POINTER(heed_np_residuals(some));
    POINTER(heed_np_leverages(some));
    POINTER(heed_np_robust_weights(some));
    heed_np_prediction at;
    heed_np_predict_options options = {.band = (heed_np_band)any_enum(3),
                                       .level = any_flag() ? 0.0 : any_real(),
                                       .local = any_flag(),
                                       .corrected = any_flag(),
                                       .seed = any_u64()};
    if (one_in(20)) /* ten thousand draws */
        options.band = HEED_NP_BAND_SIMULTANEOUS;
    else if (options.band == HEED_NP_BAND_SIMULTANEOUS)
        options.band = HEED_NP_BAND_POINTWISE;
    heed_tensor *x = heed_round(heed_rand(HEED_F64, columns == 1 ? HEED_SHAPE(3) : HEED_SHAPE(3, 2)));
    STATUS(heed_np_predict(some, some_or(x), one_in(8) ? NULL : &options, one_in(8) ? NULL : &at));
    POINTER(heed_np_quantile(some, some_or(x), any_flag() ? 0.5 : any_real()));
    const heed_np_bootstrap_options drawn = {
        .resampling = (heed_np_resampling)any_enum(2), .draws = any_flag() ? 3 : any_enum(40), .seed = any_u64()};
    POINTER(heed_np_bootstrap(some, some_or(x), one_in(8) ? NULL : &drawn));
    const heed_np_significance_options test = {.draws = any_flag() ? 3 : any_enum(40), .seed = any_u64()};
    VALUE(heed_np_significance(some, any_flag() ? any_int() : 0, one_in(8) ? NULL : &test));
    POINTER(heed_np_classify(some, some_or(x), NULL));
    POINTER(heed_np_classes(some));
    heed_np_free(some);
    judge_error("np_free");
    if (some == NULL)
        heed_np_free(fit);
}

ROUNDS_OF(fits)

/* Classes of 12 rows and one or two columns, usually valid. */
static void classes(void)
{
    static const double valid[] = {0.4, 0.3, 0.2};
    const double drawn[] = {any_real(), any_real(), any_real()};
    const heed_np_column kinds[] = {(heed_np_column)any_enum(3), (heed_np_column)any_enum(3)};
    const int columns = 1 + any_flag();
    heed_tensor *x =
        heed_round(heed_mul_scalar(heed_rand(HEED_F64, columns == 1 ? HEED_SHAPE(12) : HEED_SHAPE(12, 2)), 4));
    heed_tensor *labels = heed_round(heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(12)), 2.0));
    const heed_np_options options = {.degree = one_in(8) ? any_int() : 0,
                                     .kernel = (heed_nw_kernel)any_enum(HEED_NW_CONSTANT + 1),
                                     .columns = any_flag() ? NULL : kinds,
                                     .labels = (heed_np_labels)any_enum(2),
                                     .criterion = one_in(8) ? (heed_np_criterion)any_enum(5) : HEED_NP_CV_LS,
                                     .bandwidths = any_flag()   ? NULL
                                                   : any_flag() ? valid
                                                                : drawn,
                                     .weights = any_flag()  ? NULL
                                                : one_in(4) ? labels
                                                            : some_or(heed_ones(HEED_F32, HEED_SHAPE(12))),
                                     .nearest = one_in(4) ? any_real() : 0.0,
                                     .robust = one_in(4) ? any_int() : 0,
                                     .starts = any_enum(3),
                                     .max_evaluations = any_flag() ? 5 : any_enum(20),
                                     .progress = any_flag() ? NULL : goes_on};
    x = some_or(x);
    heed_np *fit = heed_np_fit_classes(x, one_in(8) ? x : some_or(labels), one_in(8) ? NULL : &options);
    ck_assert((fit != NULL) == (heed_error_code() == HEED_OK));
    judge_error("np_fit_classes");
    heed_tensor *p, *q = heed_rand(HEED_F64, columns == 1 ? HEED_SHAPE(3) : HEED_SHAPE(3, 2));
    POINTER(heed_np_classify(fit, some_or(q), any_flag() ? NULL : &p));
    POINTER(heed_np_classes(fit));
    heed_np_free(fit);
    judge_error("np_free");
}

ROUNDS_OF(classes)

/* The error for a freed fit, in every function that takes one. A sanitizer reports it first. */
START_TEST(a_freed_fit)
{
#if !defined(__SANITIZE_ADDRESS__)
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 9);
    heed_np *fit = heed_np_fit(x, x, &(heed_np_options){.bandwidths = (double[]){0.3}});
    double h;
    heed_np_prediction at;
    heed_np_free(fit);
    ck_assert_int_eq(heed_np_get_report(fit).columns, 0);
    ck_assert(strstr(heed_error_message(), "np_get_report: the fit") && strstr(heed_error_message(), "freed"));
    judge_error("np_get_report");
    STATUS(heed_np_bandwidths(fit, &h, 1));
    VALUE(heed_np_minimum(fit, 0, &h, 1));
    POINTER(heed_np_fitted(fit));
    POINTER(heed_np_residuals(fit));
    POINTER(heed_np_leverages(fit));
    POINTER(heed_np_robust_weights(fit));
    STATUS(heed_np_predict(fit, x, NULL, &at));
    POINTER(heed_np_quantile(fit, x, 0.5));
    POINTER(heed_np_bootstrap(fit, x, NULL));
    VALUE(heed_np_significance(fit, 0, NULL));
    POINTER(heed_np_classify(fit, x, NULL));
    POINTER(heed_np_classes(fit));
    heed_np_free(fit);
    ck_assert_int_eq(heed_error_code(), HEED_ERR_STATE);
    judge_error("np_free");
#endif
}
END_TEST

MISUSE_MAIN("every np misused", rounds_of_fits, rounds_of_classes, a_freed_fit)
