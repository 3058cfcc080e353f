/* examples/gaussian_process.c - Gaussian process regression of a CSV file: the length scale of every input, the signal
 * and the noise are learned by exact gradients of the marginal likelihood.
 *
 *     gaussian_process --data examples/data/mcycle.csv --x times --y accel
 *     gaussian_process --data examples/data/airquality.csv --x Wind,Temp --y Ozone
 *
 * Shares training.c (command line, pictures) with other examples.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "training.h"

static const char about[] =
    "Gaussian process regression with the squared-exponential kernel. Draws fit_1.png, fit_2.png ...: the mean and "
    "the\n"
    "95 % band of new observations along every input, with the other inputs at their medians. Rows with a missing\n"
    "value are skipped.";

enum { MOST_INPUTS = 8, POINTS = 200 };

static const char *data, *x_names, *y_name;
static int64_t iterations = 200;
static const training_option options[] = {
    {"data", "FILE", "CSV file with a header line", .text = &data},
    {"x", "COLUMNS", "columns of the inputs, separated by commas, at most 8", .text = &x_names},
    {"y", "COLUMN", "column of the targets", .text = &y_name},
    {"iterations", "N", "most iterations of L-BFGS", .count = &iterations, .least = 1},
};

/* A table in units of its standard deviations: x (n, d) and y (n, 1), and the mean and deviation of every column. */
typedef struct table {
    const char *names[MOST_INPUTS + 1]; /* of the inputs, then of the target */
    int d;
    heed_tensor *x, *y;
    heed_tensor *mean, *deviation; /* (1, d + 1) */
} table;

/* The kernel k(a, b) = signal^2 exp(-sum over j of ((a_j - b_j) / length_j)^2 / 2), plus noise^2 for observations. The
 * parameters are logarithms, so that every number is allowed. */
typedef struct process {
    heed_tensor *lengths, *signal, *noise; /* (d), (), () */
    const table *seen;
} process;

/* -- The data ------------------------------------------------------------------------------------------------------ */

/* Splits --x into t->names, in a copy that stays until the process ends. */
static void split_names(table *t)
{
    static char copy[1024];
    if (strlen(x_names) >= sizeof copy)
        training_refuse("--x: longer than %zu bytes", sizeof copy - 1);
    memcpy(copy, x_names, strlen(x_names) + 1);
    for (char *name = copy, *end; name; name = end) {
        if ((end = strchr(name, ',')) != NULL)
            *end++ = '\0';
        if (t->d == MOST_INPUTS)
            training_refuse("--x %s: more than %d columns", x_names, MOST_INPUTS);
        t->names[t->d++] = name;
    }
    t->names[t->d] = y_name;
}

/* Reads the columns (n, d + 1). A mistake in the file or its names ends the process with code 2. */
static heed_tensor *read_columns(const table *t)
{
    heed_set_error_handler(NULL, NULL);
    heed_io_csv *csv = heed_io_csv_read(training_input(data), &(heed_io_csv_options){.guess_separator = true});
    if (!csv || heed_io_csv_skip_missing(csv, t->names, t->d + 1) != HEED_OK)
        training_refuse("%s", heed_error_message());
    const heed_io_csv_facts facts = heed_io_csv_get_facts(csv);
    if (facts.rows < 3)
        training_refuse("%s: has %" PRId64 " complete rows: must have 3 or more", data, facts.rows);
    heed_tensor *columns = heed_io_csv_matrix(csv, t->names, t->d + 1, HEED_F64);
    if (!columns)
        training_refuse("%s", heed_error_message());
    if (facts.skipped > 0)
        printf("%" PRId64 " rows skipped: a value is missing\n", facts.skipped);
    heed_io_csv_free(csv);
    heed_set_error_handler(heed_exit_on_error, NULL);
    return columns;
}

static table read_table(void)
{
    table t = {.d = 0};
    split_names(&t);
    heed_tensor *columns = read_columns(&t);
    t.mean = heed_mean_axes(columns, HEED_AXES(0), true);
    t.deviation = heed_std(columns, HEED_AXES(0), 0, true);
    for (int j = 0; j <= t.d; j++)
        if (heed_get(t.deviation, HEED_INDEX(0, j)) == 0)
            training_refuse("%s: column \"%s\" is %g in every row", data, t.names[j],
                            heed_get(t.mean, HEED_INDEX(0, j)));
    heed_tensor *scaled = heed_div(heed_sub(columns, t.mean), t.deviation);
    t.x = heed_slice(scaled, 1, 0, t.d, 1);
    t.y = heed_slice(scaled, 1, t.d, HEED_END, 1);
    return t;
}

/* -- The process --------------------------------------------------------------------------------------------------- */

/* The kernel of all pairs of rows of a (n, d) and b (m, d): (n, m). */
static heed_tensor *kernel(const process *p, heed_tensor *a, heed_tensor *b)
{
    heed_tensor *scales = heed_exp(p->lengths);
    heed_tensor *apart = heed_sub(heed_unsqueeze(heed_div(a, scales), 1), heed_unsqueeze(heed_div(b, scales), 0));
    heed_tensor *squares = heed_sum_axes(heed_square(apart), HEED_AXES(2), false);
    return heed_exp(heed_sub(heed_mul_scalar(p->signal, 2.0), heed_mul_scalar(squares, 0.5)));
}

/* The Cholesky factor of the covariance of the observations. */
static heed_tensor *factor(const process *p)
{
    const int64_t n = heed_shape_of(p->seen->x).dims[0];
    heed_tensor *variance = heed_add_scalar(heed_exp(heed_mul_scalar(p->noise, 2.0)), 1e-10);
    heed_tensor *noise = heed_mul(heed_eye(HEED_F64, n, n), variance);
    return heed_cholesky(heed_add(kernel(p, p->seen->x, p->seen->x), noise), false);
}

/* -ln p(y) = |L^-1 y|^2 / 2 + sum ln L_ii + n / 2 ln(2 pi) */
static heed_tensor *loss(void *user)
{
    const process *p = user;
    heed_tensor *l = factor(p), *z = heed_solve_triangular(l, p->seen->y, NULL);
    heed_tensor *fit = heed_mul_scalar(heed_sum(heed_square(z)), 0.5);
    heed_tensor *volume = heed_sum(heed_log(heed_diagonal(l, 0, 0, 1)));
    const double n = (double)heed_shape_of(z).dims[0];
    return heed_add_scalar(heed_add(fit, volume), 0.5 * n * log(2.0 * 3.14159265358979323846));
}

static heed_tensor *parameter(heed_shape shape, double value)
{
    return heed_set_requires_grad(heed_full(HEED_F64, shape, value), true);
}

static process learn(const table *t)
{
    process p = {parameter(HEED_SHAPE(t->d), 0.0), parameter(HEED_SCALAR, 0.0), parameter(HEED_SCALAR, -1.0), t};
    heed_module *all = heed_nn_parameter_list_new(HEED_TENSORS(p.lengths, p.signal, p.noise));
    heed_optimizer *lbfgs = heed_optim_lbfgs(all, &(heed_optim_lbfgs_options){.max_iter = (int)iterations});
    double before;
    heed_optimizer_step_closure(lbfgs, loss, &p, &before);
    printf("log marginal likelihood %.4f, before learning %.4f\n", -heed_item(loss(&p)), -before);
    heed_optimizer_free(lbfgs);
    heed_module_free(all);
    return p;
}

/* The mean (m) of new observations at the rows of x (m, d), and their standard deviation. */
static heed_tensor *predict(const process *p, heed_tensor *x, heed_tensor **deviation)
{
    heed_tensor *l = factor(p), *k = heed_solve_triangular(l, kernel(p, p->seen->x, x), NULL);
    heed_tensor *z = heed_solve_triangular(l, p->seen->y, NULL);
    heed_tensor *known = heed_sum_axes(heed_square(k), HEED_AXES(0), false);
    heed_tensor *variance =
        heed_add(heed_exp(heed_mul_scalar(p->signal, 2.0)), heed_exp(heed_mul_scalar(p->noise, 2.0)));
    *deviation = heed_sqrt(heed_sub(variance, known));
    return heed_squeeze(heed_matmul(heed_transpose(k, 0, 1), z), 1);
}

/* -- The output ---------------------------------------------------------------------------------------------------- */

/* Column j in the units of the file. */
static heed_tensor *in_units(const table *t, int j, heed_tensor *scaled)
{
    return heed_add_scalar(heed_mul_scalar(scaled, heed_get(t->deviation, HEED_INDEX(0, j))),
                           heed_get(t->mean, HEED_INDEX(0, j)));
}

static void print_parameters(const process *p)
{
    const table *t = p->seen;
    for (int j = 0; j < t->d; j++)
        printf("length scale of %s: %.4g\n", t->names[j],
               exp(heed_get(p->lengths, HEED_INDEX(j))) * heed_get(t->deviation, HEED_INDEX(0, j)));
    const double unit = heed_get(t->deviation, HEED_INDEX(0, t->d));
    printf("standard deviations of %s: signal %.4g, noise %.4g\n", t->names[t->d], exp(heed_item(p->signal)) * unit,
           exp(heed_item(p->noise)) * unit);
}

/* The median of every column, except column j, which runs from its least to its largest value: (POINTS, d). */
static heed_tensor *points_along(const table *t, int j)
{
    heed_tensor *columns[MOST_INPUTS];
    const int64_t n = heed_shape_of(t->x).dims[0];
    for (int i = 0; i < t->d; i++) {
        heed_tensor *sorted = heed_sort(heed_select(t->x, 1, i));
        const double least = heed_get(sorted, HEED_INDEX(0)), most = heed_get(sorted, HEED_INDEX(-1));
        columns[i] = i == j ? heed_linspace(HEED_F64, least, most, POINTS)
                            : heed_full(HEED_F64, HEED_SHAPE(POINTS), heed_get(sorted, HEED_INDEX(n / 2)));
    }
    return heed_stack(columns, t->d, 1);
}

static void plot_along(const process *p, int j)
{
    const table *t = p->seen;
    heed_tensor *x = points_along(t, j), *deviation, *mean = predict(p, x, &deviation);
    heed_tensor *width = heed_mul_scalar(deviation, 1.959963984540054), *at = in_units(t, j, heed_select(x, 1, j));
    const heed_plot_series all[] = {
        {.x = in_units(t, j, heed_select(t->x, 1, j)),
         .y = in_units(t, t->d, heed_select(t->y, 1, 0)),
         .style = HEED_LINE_NONE,
         .marker = HEED_MARKER_CIRCLE,
         .color = 0xff7f0e,
         .alpha = 0.5},
        {.x = at,
         .y = in_units(t, t->d, mean),
         .low = in_units(t, t->d, heed_sub(mean, width)),
         .high = in_units(t, t->d, heed_add(mean, width)),
         .label = "mean and 95 % band",
         .color = 0x1f77b4},
    };
    char name[32];
    (void)snprintf(name, sizeof name, "fit_%d.png", j + 1);
    heed_plot_lines(all, 2, training_picture(name),
                    &(heed_plot_lines_options){.xlabel = t->names[j], .ylabel = t->names[t->d]});
}

int main(int argc, char **argv)
{
    training_begin(argc, argv, about, TRAINING_OPTIONS(options));
    if (!data || !x_names || !y_name)
        training_refuse("--data, --x and --y are needed: see --help");
    const table t = read_table();
    process p = learn(&t);
    print_parameters(&p);
    heed_set_grad_enabled(false);
    for (int j = 0; j < t.d; j++)
        plot_along(&p, j);
    printf("pictures in %s\n", training_folder());
    heed_thread_cleanup();
    return 0;
}
