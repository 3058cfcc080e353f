/* io/csv_dataset.c - a dataset from a CSV file in one call.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "io/csv.h"

static const char dataset_where[] = "io_csv_dataset";

/* The names of the inputs, followed by the target's name. If the caller passes no inputs, the inputs are all columns of
 * the file except the target. */
typedef struct dataset_names {
    const char **list; /* target last */
    int count, capacity;
} dataset_names;

static bool gather_names(dataset_names *all, const heed_io_csv *csv, const char *const *inputs, int k,
                         const char *target)
{
    all->capacity = (inputs ? k : csv->columns) + 1;
    all->list = heed_alloc((size_t)all->capacity * sizeof *all->list);
    if (!all->list)
        return false;
    for (int i = 0; i < all->capacity - 1; i++) {
        const char *name = inputs ? inputs[i] : heed_io_csv_name(csv, i);
        if (inputs || strcmp(name, target) != 0)
            all->list[all->count++] = name;
    }
    all->list[all->count++] = target;
    return true;
}

/* Creates the tensors in the open scope. If new categories are made for the target, *learned is set to them; they
 * belong to the caller, even after a failure. */
static heed_dataset *build_dataset(heed_io_csv *csv, const dataset_names *all, const heed_io_csv_dataset_options *o,
                                   heed_categories **learned)
{
    const char *target = all->list[all->count - 1];
    if (heed__csv_find(csv, dataset_where, target) < 0)
        return NULL;
    if (all->count == 1)
        return heed_fail_null(HEED_ERR_ARGUMENT, dataset_where,
                              "%s has no column except the target: at least one input is needed", csv->source.s);
    if (o->csv && o->csv->missing == HEED_IO_MISSING_SKIP &&
        heed_io_csv_skip_missing(csv, all->list, all->count) != HEED_OK)
        return NULL;
    heed_tensor *x = heed_io_csv_matrix(csv, all->list, all->count - 1, o->dtype), *y = NULL;
    if (x && o->classes) {
        heed_categories *classes = *o->classes ? *o->classes : heed_io_csv_categories(csv, target);
        *learned = *o->classes ? NULL : classes;
        y = classes ? heed_io_csv_codes(csv, target, classes) : NULL;
    } else if (x) {
        y = heed_io_csv_column(csv, target, o->dtype);
    }
    return y ? heed_dataset_new(HEED_TENSORS(x, y)) : NULL;
}

heed_dataset *heed_io_csv_dataset(const char *path, const char *const *inputs, int k, const char *target,
                                  const heed_io_csv_dataset_options *options)
{
    HEED_ENTER(dataset_where);
    heed_io_csv_dataset_options o = options ? *options : (heed_io_csv_dataset_options){.dtype = HEED_F32};
    if (!target)
        return heed_fail_null(HEED_ERR_ARGUMENT, dataset_where, "the target's name is NULL");
    if (!inputs && k != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, dataset_where, "k is %d, but inputs is NULL: must be 0", k);
    if (inputs && (k < 1 || k >= HEED_CSV_MAX_COLUMNS))
        return heed_fail_null(HEED_ERR_ARGUMENT, dataset_where, "k is %d inputs: must be 1 to %d", k,
                              HEED_CSV_MAX_COLUMNS - 1);
    heed_io_csv_options csv_options = o.csv ? *o.csv : (heed_io_csv_options){.separator = '\0'};
    if (csv_options.missing == HEED_IO_MISSING_SKIP) /* build_dataset skips rows by the used columns only */
        csv_options.missing = HEED_IO_MISSING_ERROR;
    heed_io_csv *csv = heed_io_csv_read(path, &csv_options);
    heed_scope *scope = csv ? heed_scope_begin() : NULL;
    dataset_names all = {.list = NULL};
    heed_categories *learned = NULL;
    heed_dataset *d =
        scope && gather_names(&all, csv, inputs, k, target) ? build_dataset(csv, &all, &o, &learned) : NULL;
    if (d && learned)
        *o.classes = learned;
    else
        heed_categories_free(learned);
    heed_free(all.list, (size_t)all.capacity * sizeof *all.list);
    if (scope)
        heed_scope_end(scope);
    heed_io_csv_free(csv);
    return d;
}
