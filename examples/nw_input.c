/* examples/nw_input.c - the command line and the data file of nw_regression.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nw_input.h"

static nw_args args = {.lr = 0.5};
static const char *separator, *decimal, *thousands, *comment, *missing_text, *missing = "refuse";
static int64_t skip_lines;
static bool no_header;

static const training_option options[] = {
    {"data", "FILE", "CSV file with a header line", .text = &args.data},
    {"x", "COLUMN", "column of the inputs", .text = &args.x},
    {"y", "COLUMN", "column of the targets", .text = &args.y},
    {"separator", "C", "separator of fields: a character, tab or space (default: guessed)", .text = &separator},
    {"decimal", "C", "decimal sign, . or , (default: .)", .text = &decimal},
    {"thousands", "C", "sign between groups of three digits", .text = &thousands},
    {"skip-lines", "N", "lines to ignore before the header", .count = &skip_lines},
    {"comment", "C", "ignore lines that begin with this character", .text = &comment},
    {"no-header", "", "the first line is a row, and the columns are V1, V2, ...", .flag = &no_header},
    {"missing-text", "TEXT", "means a missing value, like NA, NaN, null and an empty field", .text = &missing_text},
    {"missing", "WHAT", "if x or y is missing (empty, NA, NaN, null): refuse, skip (the row), or a number to fill in",
     .text = &missing},
    {"log-width", "", "learn ln h, starting from Silverman's rule, with the logarithm of the mean squared error",
     .flag = &args.log_width},
    {"epochs", "N", "passes over the data; 0: 5, with --log-width 500", .count = &args.epochs},
    {"lr", "R", "learning rate", .number = &args.lr},
    SAVING_OPTIONS,
};

nw_args nw_begin(int argc, char **argv)
{
    training_begin(argc, argv,
                   "Nadaraya-Watson kernel regression: average pooling, a fixed width, and a width learned by SGD on\n"
                   "leave-one-out sets. Without --data it uses the random data and the setting of Dive into Deep\n"
                   "Learning: w = 1 / h from U(0, 1), sum of squares. --log-width converges for any scale of the data.",
                   TRAINING_OPTIONS(options));
    if (args.data ? !args.x || !args.y : args.x || args.y)
        training_refuse("--data, --x and --y must be used together");
    if (!args.data && (separator || decimal || thousands || comment || missing_text || skip_lines || no_header ||
                       strcmp(missing, "refuse") != 0))
        training_refuse("the options of the table, such as --separator, --decimal and --missing, need --data");
    if (!(args.lr > 0.0))
        training_refuse("--lr 0: must be above 0");
    if (args.epochs == 0)
        args.epochs = args.log_width ? 500 : 5;
    return args;
}

/* -- The file ----------------------------------------------------------------------------------------------------- */

static char one_character(const char *option, const char *text)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        return '\t';
    if (strcmp(text, "space") == 0)
        return ' ';
    if (strlen(text) != 1)
        training_refuse("--%s %s: must be one character, tab or space", option, text);
    return *text;
}

static heed_io_csv_options reading(void)
{
    static const char *missing_texts[] = {"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", NULL};
    heed_io_csv_options o = {.guess_separator = !separator};
    o.separator = separator ? one_character("separator", separator) : '\0';
    o.decimal = decimal ? one_character("decimal", decimal) : '\0';
    o.thousands = thousands ? one_character("thousands", thousands) : '\0';
    o.comment = comment ? one_character("comment", comment) : '\0';
    o.skip_lines = skip_lines < INT_MAX ? (int)skip_lines : INT_MAX;
    o.no_header = no_header;
    if (missing_text) {
        missing_texts[8] = missing_text;
        o.missing_texts = missing_texts;
        o.missing_text_count = 9;
    }
    if (strcmp(missing, "refuse") == 0 || strcmp(missing, "skip") == 0)
        return o;
    char *end;
    errno = 0;
    o.missing = HEED_IO_MISSING_FILL;
    o.fill = strtod(missing, &end);
    if (end == missing || *end || errno || !isfinite(o.fill))
        training_refuse("--missing %s: must be refuse, skip or a number", missing);
    return o;
}

/* Prints the pending error and, for a missing value, how to handle it. */
static _Noreturn void refuse_data(heed_io_csv *csv)
{
    char message[HEED_ERROR_MESSAGE_MAX];
    (void)snprintf(message, sizeof message, "%s", heed_error_message());
    heed_error_clear();
    if (!csv || !strstr(message, "is a missing value") ||
        heed_io_csv_skip_missing(csv, HEED_NAMES(args.x, args.y)) != HEED_OK)
        training_refuse("%s", message);
    const heed_io_csv_facts facts = heed_io_csv_get_facts(csv);
    training_refuse("%s\n(--missing skip leaves out the rows without a value, %" PRId64 " of %" PRId64
                    "; --missing 0 fills in 0)",
                    message, facts.skipped, facts.skipped + facts.rows);
}

static heed_tensor *column(heed_io_csv *csv, const char *name)
{
    heed_tensor *t = heed_io_csv_column(csv, name, HEED_F64);
    if (!t)
        refuse_data(csv);
    if (heed_item(heed_min(t)) == heed_item(heed_max(t)))
        training_refuse("%s: column \"%s\" is %g in every row", args.data, name, heed_item(heed_min(t)));
    return t;
}

/* Reports the rows and columns that were skipped or ignored. */
static heed_io_csv *open_data(void)
{
    const heed_io_csv_options o = reading();
    heed_io_csv *csv = heed_io_csv_read(training_input(args.data), &o);
    if (!csv)
        refuse_data(NULL);
    char found = heed_io_csv_get_facts(csv).separator;
    if (!separator && found == '\t')
        printf("separated by tabs\n");
    else if (!separator && found != ',')
        printf("separated by '%c'\n", found);
    if (strcmp(missing, "skip") == 0 && heed_io_csv_skip_missing(csv, HEED_NAMES(args.x, args.y)) != HEED_OK)
        refuse_data(csv);
    const heed_io_csv_facts facts = heed_io_csv_get_facts(csv);
    if (facts.skipped > 0)
        printf("%" PRId64 " rows skipped: a value is missing\n", facts.skipped);
    if (facts.rows >= 3)
        return csv;
    heed_io_csv_free(csv);
    training_refuse("%s: has %" PRId64 " rows: must have 3 or more", args.data, facts.rows);
}

void nw_read_data(heed_tensor **x, heed_tensor **y)
{
    heed_set_error_handler(NULL, NULL); /* a bad file is the user's mistake: exit code 2 */
    heed_io_csv *csv = open_data();
    heed_tensor *order = NULL;
    *x = heed_sort_axis(column(csv, args.x), 0, false, &order);
    *y = heed_index_select(column(csv, args.y), 0, order);
    if (!*y)
        refuse_data(csv);
    heed_io_csv_free(csv);
    heed_set_error_handler(heed_exit_on_error, NULL);
}
