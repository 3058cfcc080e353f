/* examples/nw_input.c - the command line and the data file of nw_regression. */

#include <inttypes.h>

#include "nw_input.h"

static nw_args args = {.lr = 0.5};

static const training_option options[] = {
    {"data", "FILE", "your data, with a header line", .text = &args.data},
    {"x", "COLUMN", "its column of inputs", .text = &args.x},
    {"y", "COLUMN", "its column of targets", .text = &args.y},
    {"log-width", "", "learn ln h from Silverman's rule, by the logarithm of the mean squared error",
     .flag = &args.log_width},
    {"epochs", "N", "passes over the data; 0: 5, with --log-width 500", .count = &args.epochs},
    {"lr", "R", "learning rate", .number = &args.lr},
    SAVING_OPTIONS,
};

nw_args nw_begin(int argc, char **argv)
{
    training_begin(
        argc, argv,
        "Nadaraya-Watson kernel regression: average pooling, a fixed width, and a width learned by SGD on\n"
        "leave-one-out sets. Without --data on the data of the book's chapter, which is random, and in the\n"
        "book's setting: w = 1 / h from U(0, 1), sum of squares. --log-width converges whatever the scale of\n"
        "the data.",
        TRAINING_OPTIONS(options));
    if (args.data ? !args.x || !args.y : args.x || args.y)
        training_refuse("--data, --x and --y go together");
    if (!(args.lr > 0.0))
        training_refuse("--lr 0: wants a number above 0");
    if (args.epochs == 0)
        args.epochs = args.log_width ? 500 : 5;
    return args;
}

static heed_tensor *column(const heed_io_csv *csv, const char *name)
{
    heed_tensor *t = heed_io_csv_column(csv, name, HEED_F64);
    if (!t)
        training_refuse("%s", heed_error_message());
    if (heed_item(heed_min(t)) == heed_item(heed_max(t)))
        training_refuse("%s: all of column \"%s\" are %g", args.data, name, heed_item(heed_min(t)));
    return t;
}

void nw_read_data(heed_tensor **x, heed_tensor **y)
{
    heed_set_error_handler(NULL, NULL); /* what is wrong with a file is what the user gave: code 2 */
    heed_io_csv *csv = heed_io_csv_read(args.data, NULL);
    if (!csv)
        training_refuse("%s", heed_error_message());
    if (heed_io_csv_rows(csv) < 3)
        training_refuse("%s: %" PRId64 " rows: wants 3 or more", args.data, heed_io_csv_rows(csv));
    heed_tensor *order = NULL;
    *x = heed_sort_axis(column(csv, args.x), 0, false, &order);
    *y = heed_index_select(column(csv, args.y), 0, order);
    heed_io_csv_free(csv);
    if (!*y)
        training_refuse("%s", heed_error_message());
    heed_set_error_handler(heed_exit_on_error, NULL);
}
