/* bench/growth.c - how the time of a bandwidth search grows with the number of rows, from the figures of compare-np.
 *
 *     bench/compare-np --alone 10000,100000 --csv growth.csv; bench_growth growth.csv growth.png
 *
 * The table has columns, rows, heed (seconds), peer (seconds, or empty). Prints the exponent of the last step of
 * every line, and draws the lines on logarithmic axes, the peer's dashed.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>

#include <heed/heed.h>

enum { MOST = 8 };
static const uint32_t colors[] = {0x1f77b4, 0xff7f0e, 0x2ca02c, 0xd62728};

typedef struct line {
    char label[64];
    heed_tensor *rows, *seconds;
} line;

/* The rows of the table with `columns` columns and a number of seconds. */
static line line_of(heed_io_csv *csv, double columns, const char *name, bool is_peer)
{
    line one = {.rows = heed_zeros(HEED_F64, HEED_SHAPE(0))};
    one.seconds = one.rows;
    heed_tensor *all = heed_io_csv_column(csv, "columns", HEED_F64), *rows = heed_io_csv_column(csv, "rows", HEED_F64);
    heed_tensor *seconds = heed_io_csv_column(csv, is_peer ? "peer" : "heed", HEED_F64);
    for (int64_t i = 0; i < heed_numel(all); i++) {
        const double s = heed_get(seconds, HEED_INDEX(i));
        if (heed_get(all, HEED_INDEX(i)) != columns || isnan(s))
            continue;
        one.rows = heed_concat(HEED_TENSORS(one.rows, heed_slice(rows, 0, i, i + 1, 1)), 0);
        one.seconds = heed_concat(HEED_TENSORS(one.seconds, heed_slice(seconds, 0, i, i + 1, 1)), 0);
    }
    (void)snprintf(one.label, sizeof one.label, "%s, %g column%s", name, columns, columns > 1 ? "s" : "");
    return one;
}

static void print(const line *one)
{
    const int64_t n = heed_numel(one->rows);
    if (n < 2)
        return;
    const double grown = log(heed_get(one->seconds, HEED_INDEX(n - 1)) / heed_get(one->seconds, HEED_INDEX(n - 2)));
    const double more = log(heed_get(one->rows, HEED_INDEX(n - 1)) / heed_get(one->rows, HEED_INDEX(n - 2)));
    printf("%-24s %8.3f s for %g rows, as n^%.2f\n", one->label, heed_get(one->seconds, HEED_INDEX(n - 1)),
           heed_get(one->rows, HEED_INDEX(n - 1)), grown / more);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: bench_growth TABLE.csv PICTURE\n");
        return 2;
    }
    heed_set_error_handler(heed_exit_on_error, NULL);
    if (heed_io_same_file(argv[1], argv[2])) {
        (void)fprintf(stderr, "bench_growth: %s is the table that is read; name another picture\n", argv[2]);
        return 2;
    }
    heed_io_csv *csv = heed_io_csv_read(argv[1], &(heed_io_csv_options){.missing = HEED_IO_MISSING_NAN});
    heed_tensor *columns = heed_unique(heed_io_csv_column(csv, "columns", HEED_F64), NULL, NULL);
    line lines[MOST];
    heed_plot_series series[MOST];
    int n = 0;
    for (int64_t i = 0; i < heed_numel(columns) && n < MOST; i++)
        for (int peer = 0; peer < 2; peer++, n++) {
            lines[n] = line_of(csv, heed_get(columns, HEED_INDEX(i)), peer ? "statsmodels" : "heed", peer);
            print(&lines[n]);
            series[n] = (heed_plot_series){.x = lines[n].rows,
                                           .y = lines[n].seconds,
                                           .label = lines[n].label,
                                           .style = peer ? HEED_LINE_DASHED : HEED_LINE_SOLID,
                                           .marker = HEED_MARKER_CIRCLE,
                                           .color = colors[i % 4]};
        }
    heed_io_csv_free(csv);
    heed_plot_lines(series, n, argv[2],
                    &(heed_plot_lines_options){.xlabel = "rows",
                                               .ylabel = "seconds of a search from one start",
                                               .xscale = HEED_AXIS_LOG,
                                               .yscale = HEED_AXIS_LOG});
    return 0;
}
