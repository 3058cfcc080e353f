/* inspect.c - examples of include/heed/inspect.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_anomaly(void)
{
    /* [heed_set_anomaly] */
    heed_set_anomaly(true);
    if (!heed_log(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 0, 2)))
        printf("%.59s ...\n", heed_error_message());
    /* -> log: the result (3) has 1 of 3 elements that are not finite ... */
    heed_error_clear();
    heed_set_anomaly(false);
    /* [] */
}

static void example_summary(void)
{
    /* [heed_module_summary] */
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(8, 16, NULL), heed_nn_dropout_new(0.1), heed_nn_linear_new(16, 2, NULL)));
    heed_module_summary(&net->base, heed_ones(HEED_F32, HEED_SHAPE(4, 8)), stdout);
    /* -> module        type        result           parameters     multiply-adds        kept
     *    sequential    sequential  f32 (4, 2)                -                 -           -
     *    sequential.0  linear      f32 (4, 16)             144               512           -
     *    sequential.1  dropout     f32 (4, 16)               -                 -           -
     *    sequential.2  linear      f32 (4, 2)               34               128       256 B
     *    total                                             178               640       256 B */
    heed_module_free(&net->base);
    /* [] */
}

/* [heed_module_summary_with] */
static heed_tensor *of_pair(heed_module *m, void *user)
{
    heed_tensor **pair = user;
    return heed_add(heed_module_forward(m, pair[0]), heed_module_forward(m, pair[1]));
}
/* [] */

static void example_summary_with(void)
{
    heed_module *net = &heed_nn_linear_new(3, 2, NULL)->base;
    /* [heed_module_summary_with] */
    heed_tensor *pair[] = {heed_ones(HEED_F32, HEED_SHAPE(4, 3)), heed_ones(HEED_F32, HEED_SHAPE(1, 3))};
    heed_module_summary_with(net, of_pair, pair, stdout);
    /* -> module  type    result          parameters     multiply-adds        kept
     *    linear  linear  f32 (4, 2)               8                30        60 B
     *    total                                    8                30        60 B */
    /* [] */
    heed_module_free(net);
}

static void example_profile(void)
{
    FILE *table = tmpfile();
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(64, 64));
    char line[200] = "";
    /* [heed_profile_begin heed_profile_end] */
    heed_profile_begin(NULL, NULL); /* or a path for the trace */
    heed_matmul(x, x);
    heed_profile_end(table); /* usually stdout */
    /* [] */
    rewind(table);
    /* [heed_profile_begin heed_profile_end] */
    printf("%.8s\n", fgets(line, sizeof line, table) ? line : ""); /* -> op */
    /* [] */
    fclose(table);
}

static void example_explain(void)
{
    /* [heed_explain] */
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(3)), true);
    heed_tensor *y = heed_square(w);
    heed_explain(heed_sum(y), stdout);
    /* -> f32 (): 1 element, strides (), contiguous
     *    storage: 4 bytes, its own; never written in place
     *    gradient: required, because an input requires one
     *    computed by
     *      sum returned f32 ()
     *        square returned f32 (3)
     *          leaf f32 (3) */
    /* [] */
}

static void example_storage(void)
{
    /* [heed_storage_of] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 3)), *row = heed_select(x, 0, 1);
    heed_fill_(row, 1);
    heed_storage of_x = heed_storage_of(x), of_row = heed_storage_of(row);
    printf("%d: %zu bytes, written %lld times\n", of_x.address == of_row.address, of_x.bytes,
           (long long)of_x.version); /* -> 1: 24 bytes, written 1 times */
    /* [] */
}

int main(void)
{
    example_anomaly();
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_summary();
    example_summary_with();
    example_profile();
    example_explain();
    example_storage();
    return 0;
}
