/* np/search.h - criteria for bandwidths, and the bandwidths that minimise them or that follow from a rule.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_SEARCH_H
#define HEED_NP_SEARCH_H

#include "np/local.h"

/* -- criterion.c --------------------------------------------------------------------------------------------------- */

typedef struct heed__np_value {
    double value;
    double trace; /* tr H */
    /* number of rows without another visible row; if any, CV.LS and the likelihood are infinite */
    int64_t isolated;
    double slopes[HEED_NP_MAX_COLUMNS]; /* derivatives with respect to theta */
} heed__np_value;

/* The criterion of heed_np_fit_density. */
#define HEED__NP_LIKELIHOOD ((heed_np_criterion)(HEED_NP_PLUG_IN + 1))

/* Converts the value of a criterion from the data's unit to the caller's. */
double heed__np_in_units(const heed__np_data *data, heed_np_criterion criterion, double value);

/* Evaluates a criterion, and with `derivatives` its slopes. Stores the fits at the keys in `locals`. Returns false
 * after heed_fail. */
bool heed__np_criterion(const heed__np_smoother *s, heed_np_criterion criterion, bool derivatives,
                        const heed__np_locals *locals, heed__np_value *out);

/* -- rule.c, plug_in.c --------------------------------------------------------------------------------------------- */

/* Returns true if a continuous column has more than one value, otherwise false after heed_fail. */
bool heed__np_varies(const heed__np_data *data, int column);

/* Returns the canonical bandwidth of a kernel, with which it smooths `smooth` columns as much as the Gaussian with h =
 * 1. */
double heed__np_canonical(heed_nw_kernel kernel, int smooth);

/* heed__np_rule sets s->h by the normal reference rule, and heed__np_plug_in by plug-in estimates. They return false
 * after heed_fail. */
bool heed__np_rule(heed__np_smoother *s);
bool heed__np_plug_in(heed__np_smoother *s);

/* -- search.c ------------------------------------------------------------------------------------------------------ */

typedef struct heed__np_minimum {
    double value, h[HEED_NP_MAX_COLUMNS];
} heed__np_minimum;

#define HEED__NP_MAX_MINIMA 32

typedef struct heed__np_search {
    int evaluations, minima;
    bool stopped;
    heed__np_minimum found[HEED__NP_MAX_MINIMA];
} heed__np_search;

/* Sets s->h to the bandwidths with the lowest criterion. Returns false after heed_fail. */
bool heed__np_find(heed__np_smoother *s, const heed_np_options *options, heed__np_search *search);

#endif
