/* tests/plot/test_plot_text.c - tests plots as text, on a terminal and elsewhere.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../src/plot/text_plot.h"
#include "fail_alloc.h"
#include "terminal.h"

static char text[100000];

/* Returns the plot as a string. */
static const char *plot(const heed_plot_series *series, int n, const heed_plot_text_options *options)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    heed_status status = heed_plot_text(series, n, file, options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

static int lines_of(const char *s)
{
    int lines = 0;
    for (; *s; s++)
        lines += *s == '\n';
    return lines;
}

START_TEST(a_rising_line)
{
    heed_plot_series s = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0, 1)};
    heed_plot_text_options o = {.columns = 20, .rows = 8, .xlim = {0, 1}, .ylim = {0, 1}};
    ck_assert_str_eq(plot(&s, 1, &o), "1.0 ┤            ⢀⠤⠊\n"
                                      "    │          ⡠⠔⠁\n"
                                      "    │       ⢀⠤⠊\n"
                                      "0.5 ┤     ⡠⠒⠁\n"
                                      "    │  ⢀⠔⠊\n"
                                      "0.0 ┤⡠⠒⠁\n"
                                      "    └┬─────────────┬\n"
                                      "     0             1\n");
}
END_TEST

START_TEST(names_stand_where_they_should)
{
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3), *z = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 3, 2, 1);
    heed_plot_series s[] = {{.y = y, .label = "up"}, {.y = z, .label = "down"}};
    const char *drawn = plot(
        s, 2,
        &(heed_plot_text_options){.columns = 40, .rows = 12, .title = "Title", .xlabel = "step", .ylabel = "loss"});
    ck_assert_int_eq(lines_of(drawn), 12);
    ck_assert_ptr_eq(strstr(drawn, "Title"), drawn + strspn(drawn, " "));
    ck_assert_ptr_nonnull(strstr(drawn, "\nloss                        1 up  2 down\n"));
    const char *one = strstr(drawn, " 1\n"), *two = strstr(drawn, " 2\n"), *axis = strstr(drawn, "└");
    ck_assert(one && two && axis && one < two && two < axis); /* series 1 ends above series 2 */
    ck_assert_ptr_nonnull(strstr(axis, " step\n"));
    ck_assert_ptr_null(strchr(drawn, '\x1b'));
}
END_TEST

START_TEST(exactly_as_many_lines)
{
    heed_plot_series s = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1e7, 2e7, 3e7), .label = "a"};
    for (int rows = 8; rows < 40; rows++)
        for (int i = 0; i < 16; i++) {
            heed_plot_text_options o = {.rows = rows, .columns = 20 + 5 * (rows % 9)};
            o.title = i & 1 ? "A title that is longer than twenty columns" : NULL;
            o.xlabel = i & 2 ? "A label of the x axis that is longer" : NULL;
            o.ylabel = i & 4 ? "A label of the y axis that is longer" : NULL;
            o.yscale = i & 8 ? HEED_AXIS_LOG : HEED_AXIS_LINEAR;
            ck_assert_int_eq(lines_of(plot(&s, 1, &o)), rows);
            for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
                int width = 0;
                for (const char *c = at; *c && *c != '\n'; c++)
                    width += ((unsigned char)*c & 0xc0) != 0x80;
                ck_assert_int_le(width, o.columns);
            }
        }
}
END_TEST

START_TEST(columns_and_bands)
{
    heed_plot_series bars = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, 1), .kind = HEED_PLOT_BARS};
    (void)plot(&bars, 1, &(heed_plot_text_options){.columns = 20, .rows = 10, .ylim = {0, 2}});
    int full = 0;
    for (const char *at = text; (at = strstr(at, "⣿")); at++)
        full++;
    ck_assert_int_eq(full, 6 * 8 + 6 * 4); /* one bar is twice as high as the other */
    heed_tensor *low = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0, 0), *high = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 1);
    heed_plot_series band = {.low = low, .high = high};
    (void)plot(&band, 1, &(heed_plot_text_options){.columns = 20, .rows = 10, .ylim = {0, 1}, .xlim = {0, 1}});
    ck_assert_ptr_nonnull(strstr(text, "⠉⠉⠉⠉⠉"));
    ck_assert_ptr_nonnull(strstr(text, "⣀⣀⣀⣀⣀"));
}
END_TEST

START_TEST(dots_have_their_bits)
{
    static const char *const expected[8] = {"⠁", "⠂", "⠄", "⡀", "⠈", "⠐", "⠠", "⢀"};
    heed__dots d;
    for (int i = 0; i < 8; i++) {
        char drawn[4];
        ck_assert(heed__dots_init(&d, 1, 1));
        heed__dots_set(&d, i / 4, i % 4, 0);
        heed__dots_set(&d, 2, 0, 0); /* outside */
        heed__dots_set(&d, -1, 4, 0);
        heed__dots_character(&d, 0, 0, drawn);
        ck_assert_str_eq(drawn, expected[i]);
        heed__dots_free(&d);
    }
    ck_assert(heed__dots_init(&d, 3, 2));
    heed__dots_line(&d, -1e9, -1e9, 1e9, 1e9, 7); /* the diagonal, in bounded time */
    for (int i = 0; i < 6; i++)
        ck_assert_int_ne(d.bits[i / 4 * 3 + i / 2] & (i % 2 ? 0xb8 : 0x47), 0);
    ck_assert_int_eq(d.bits[2], 0);
    heed__dots_free(&d);
}
END_TEST

/* Checks that every line has this number of columns, not counting colour codes. */
static void check_filled(const char *drawn, int columns)
{
    int width = 0;
    for (const char *at = drawn; *at; at++) {
        if (*at == '\x1b')
            at = strchr(at, 'm');
        else if (*at != '\n')
            width += ((unsigned char)*at & 0xc0) != 0x80;
        else {
            ck_assert_int_eq(width, columns);
            width = 0;
        }
    }
}

START_TEST(terminal_colors)
{
    FILE *screen = open_terminal();
    if (!screen)
        return;
    heed_plot_series s[] = {{.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2), .label = "a"},
                            {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, 1), .label = "b", .color = 0xff0000}};
    heed_plot_text_options o = {.rows = 8, .columns = 30};
    ck_assert_int_eq(unsetenv("NO_COLOR"), 0);
    ck_assert_int_eq(heed_plot_text(s, 2, screen, &o), HEED_OK);
    const char *drawn = read_terminal();
    ck_assert_ptr_nonnull(strstr(drawn, "\x1b[38;5;31m")); /* 1f77b4 */
    ck_assert_ptr_nonnull(strstr(drawn, "\x1b[38;5;196m2\x1b[0m b"));
    check_filled(drawn, 30);
    o.plain = true;
    ck_assert_int_eq(heed_plot_text(s, 2, screen, &o), HEED_OK);
    ck_assert_ptr_null(strchr(read_terminal(), '\x1b'));
    o.plain = false;
    ck_assert_int_eq(setenv("NO_COLOR", "1", 1), 0);
    ck_assert_int_eq(heed_plot_text(s, 2, screen, &o), HEED_OK);
    ck_assert_ptr_null(strchr(read_terminal(), '\x1b'));
    ck_assert_int_eq(unsetenv("NO_COLOR"), 0);
    close_terminal(screen);
}
END_TEST

START_TEST(nearest_colors)
{
    static const struct {
        uint32_t rgb;
        int code;
    } cases[] = {{0x000000, 16}, {0xffffff, 231}, {0xff0000, 196}, {0x0000ff, 21}, {0x808080, 244}, {0x5f87af, 67}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_int_eq(heed__text_plot_color(cases[i].rgb), cases[i].code);
}
END_TEST

START_TEST(text_cannot_move_the_cursor)
{
    heed_plot_series s = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2),
                          .label = "\x1b[2J\r\n\xff\xc2\x9b\xe2\x80\xae"};
    (void)plot(&s, 1, &(heed_plot_text_options){.title = "a\nb\x7f", .xlabel = "\t", .ylabel = "\xf0\x9f"});
    ck_assert_int_eq(lines_of(text), 20);
    ck_assert_ptr_nonnull(strstr(text, "\\xf0\\x9f"));
    ck_assert_ptr_nonnull(strstr(text, "\\u001b[2J\\r\\n\\xff\\u009b\\u202e"));
    ck_assert_ptr_nonnull(strstr(text, "a\\nb\\u007f"));
    for (const char *at = text; *at; at++)
        ck_assert(*at == '\n' || (unsigned char)*at >= ' ');
}
END_TEST

START_TEST(data_that_cannot_be_drawn)
{
    heed_tensor *const all[] = {
        heed_zeros(HEED_F64, HEED_SHAPE(0)),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 3),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 5, 5, 5),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1.7e308, 1.7e308, 0),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(3), (double)NAN, (double)INFINITY, (double)-INFINITY),
    };
    for (size_t i = 0; i < 3 * sizeof all / sizeof all[0]; i++)
        for (int log = 0; log < 2; log++) {
            heed_plot_series s = {.y = all[i / 3], .kind = (heed_plot_kind)(i % 3)};
            heed_plot_text_options o = {.yscale = (heed_axis_scale)log, .rows = 9};
            ck_assert_int_eq(lines_of(plot(&s, 1, &o)), 9);
        }
}
END_TEST

START_TEST(errors)
{
    heed_plot_series s = {.y = heed_ones(HEED_F64, HEED_SHAPE(3))};
    const heed_plot_text_options bad[] = {
        {.columns = 19}, {.columns = 1001}, {.rows = 7}, {.rows = -1}, {.columns = 80, .rows = 1001}};
    ck_assert_int_eq(heed_plot_text(NULL, 1, stdout, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "plot_text: series is NULL");
    ck_assert_int_eq(heed_plot_text(&s, 1, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "plot_text: file is NULL");
    ck_assert_int_eq(heed_plot_text(&s, 0, stdout, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "n is 0: must be at least 1");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(heed_plot_text(&s, 1, stdout, &bad[i]), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "must be in 20 .. 1000, and 8 .. 1000");
    }
    ck_assert_int_eq(heed_plot_text(&s, 1, stdout, &(heed_plot_text_options){.ylim = {1, 1}}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "plot_text: ylim is 1, 1");
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    ck_assert_int_eq(heed_plot_text(&s, 1, full, NULL), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "plot_text: the file cannot be written");
    (void)fclose(full);
}
END_TEST

static FILE *sink;

static bool draw_text(double *value)
{
    heed_tensor *y = heed_linspace(HEED_F32, 0, 1, 5);
    const heed_plot_series s[] = {{.y = y, .label = "a"}, {.y = y, .kind = HEED_PLOT_HISTOGRAM}};
    rewind(sink);
    bool done = y && heed_plot_text(s, 2, sink, NULL) == HEED_OK;
    *value = done ? (double)ftell(sink) : 0;
    return done;
}

START_TEST(no_memory)
{
    sink = tmpfile();
    ck_assert_ptr_nonnull(sink);
    fail_alloc_install();
    fail_alloc_sweep(draw_text);
    fail_alloc_uninstall();
    (void)fclose(sink);
}
END_TEST

HEED_TEST_MAIN("plot_text", a_rising_line, names_stand_where_they_should, exactly_as_many_lines, columns_and_bands,
               dots_have_their_bits, terminal_colors, nearest_colors, text_cannot_move_the_cursor,
               data_that_cannot_be_drawn, errors, no_memory)
