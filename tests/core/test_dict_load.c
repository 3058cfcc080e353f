/* tests/core/test_dict_load.c - tests of heed_dict_load: it copies all values of one dict into the tensors of a second
 * dict, or none, and names all mismatches.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"

static void set(heed_dict *dict, const char *name, heed_tensor *t)
{
    ck_assert_msg(heed_dict_set(dict, name, t) == HEED_OK, "%s", heed_error_message());
}

/* "a" f32 (2), "b" f64 (), "c" i64 (3), "d" bool (2, 1), "e" f32 (0, 4), all filled with `value`. */
static heed_dict *five(double value)
{
    heed_dict *dict = heed_dict_new();
    set(dict, "a", heed_full(HEED_F32, HEED_SHAPE(2), value));
    set(dict, "b", heed_full(HEED_F64, HEED_SCALAR, value));
    set(dict, "c", heed_full(HEED_I64, HEED_SHAPE(3), value));
    set(dict, "d", heed_full(HEED_BOOL, HEED_SHAPE(2, 1), value));
    set(dict, "e", heed_full(HEED_F32, HEED_SHAPE(0, 4), value));
    return dict;
}

static double first(const heed_dict *dict, const char *name)
{
    heed_tensor *t = heed_dict_get(dict, name);
    return heed_item(heed_slice(heed_reshape(t, HEED_SHAPE(-1)), 0, 0, 1, 1));
}

static void check_all(const heed_dict *dict, double value)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(first(dict, names[i]), value);
}

static heed_status check_only(heed_dict *into, const heed_dict *from, const heed_dict_load_options *options)
{
    heed_dict_load_options o = options ? *options : (heed_dict_load_options){.check_only = false};
    o.check_only = true;
    return heed_dict_load(into, from, &o);
}

START_TEST(copies)
{
    heed_dict *into = five(0), *from = five(1);
    heed_set_requires_grad(heed_dict_get(into, "a"), true); /* loading writes without recording */
    ck_assert_int_eq(check_only(into, from, NULL), HEED_OK);
    check_all(into, 0);
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_OK);
    check_all(into, 1);
    ck_assert(heed_grad_enabled());
    ck_assert(!heed_shares_storage(heed_dict_get(into, "c"), heed_dict_get(from, "c")));
    ck_assert_int_eq(heed_dict_load(into, into, NULL), HEED_OK);
    check_all(into, 1);
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

/* NaN with a payload, -0, infinities, denormal numbers. */
static const uint64_t bits[] = {0x7ff8000000000123, 0xfff0000000000001, 0x8000000000000000, 0x7ff0000000000000, 1};
static const uint32_t bits32[] = {0x7fc00123, 0xff800001, 0x80000000, 0x7f800000, 1};

START_TEST(copies_bits)
{
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    set(into, "x", heed_zeros(HEED_F64, HEED_SHAPE(5)));
    set(into, "y", heed_zeros(HEED_F32, HEED_SHAPE(5)));
    set(from, "x", heed_from_array(HEED_F64, HEED_SHAPE(5), bits, 5));
    set(from, "y", heed_from_array(HEED_F32, HEED_SHAPE(5), bits32, 5));
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_OK);
    ck_assert_mem_eq(heed_data_f64(heed_dict_get(into, "x")), bits, sizeof bits);
    ck_assert_mem_eq(heed_data_f32(heed_dict_get(into, "y")), bits32, sizeof bits32);
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

/* Returns zeros (2, 5), stored by rows, by columns, or in every second element. */
static heed_tensor *laid_out(int how)
{
    heed_tensor *t = heed_zeros(HEED_F32, how == 0   ? HEED_SHAPE(2, 5)
                                          : how == 1 ? HEED_SHAPE(5, 2)
                                                     : HEED_SHAPE(2, 10));
    return how == 0 ? t : how == 1 ? heed_transpose(t, 0, 1) : heed_slice(t, 1, 0, HEED_END, 2);
}

START_TEST(copies_views)
{
    uint32_t ten[10] = {6, 7, 8, 9, 10};
    memcpy(ten + 5, bits32, sizeof bits32);
    heed_tensor *values = heed_from_array(HEED_F32, HEED_SHAPE(2, 5), ten, 10);
    for (int i = 0; i < 9; i++) {
        heed_dict *into = heed_dict_new(), *from = heed_dict_new();
        heed_tensor *to = laid_out(i / 3), *t = laid_out(i % 3);
        ck_assert_int_eq(heed_copy_(t, values), HEED_OK);
        set(into, "x", to);
        set(from, "x", t);
        ck_assert_int_eq(check_only(into, from, NULL), HEED_OK);
        ck_assert_double_eq(heed_get(to, HEED_INDEX(0, 0)), 0);
        ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_OK);
        ck_assert_mem_eq(heed_data_f32(heed_contiguous(to)), ten, sizeof ten);
        heed_dict_free(into);
        heed_dict_free(from);
    }
}
END_TEST

START_TEST(a_backward_pass_notices)
{
    heed_dict *into = five(0), *from = five(1);
    heed_tensor *a = heed_set_requires_grad(heed_dict_get(into, "a"), true), *loss = heed_sum(heed_mul(a, a));
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_OK);
    ck_assert_int_eq(heed_backward(loss), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "in place");
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

/* -- Names -------------------------------------------------------------------------------------------------------- */

START_TEST(prefixes)
{
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    heed_tensor *w = heed_zeros(HEED_F32, HEED_SHAPE(1));
    set(into, "w", w);
    set(from, "net.w", heed_ones(HEED_F32, HEED_SHAPE(1)));
    set(from, "w", heed_ones(HEED_F32, HEED_SHAPE(9)));
    set(from, "net", heed_ones(HEED_F32, HEED_SHAPE(9)));
    ck_assert_int_eq(heed_dict_load(into, from, &(heed_dict_load_options){.prefix = "net."}), HEED_OK);
    ck_assert_double_eq(heed_item(w), 1);
    ck_assert_int_eq(heed_dict_load(into, from, &(heed_dict_load_options){.prefix = "other."}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: 1 missing: other.w");
    set(from, "net.", w);
    ck_assert_int_eq(heed_dict_load(into, from, &(heed_dict_load_options){.prefix = "net."}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "1 unexpected: net.");
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

static void check_refused(heed_dict *into, const heed_dict *from, heed_dict_load_options o, const char *message)
{
    ck_assert_int_eq(heed_dict_load(into, from, &o), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
    ck_assert_int_eq(check_only(into, from, &o), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(strchr(heed_error_message(), ':'), strchr(message, ':'));
    heed_error_clear();
    check_all(into, 0);
}

static void check_skipped(const heed_dict *skipped, const char *name, const char *reason)
{
    const char *text = heed_dict_text(skipped, name);
    ck_assert_msg(text && strcmp(text, reason) == 0, "%s: %s", name, text ? text : "not skipped");
}

/* Entries that do not fit keep their values and are listed, also by a check. */
START_TEST(skips_what_does_not_fit)
{
    heed_dict *into = heed_dict_new(), *from = heed_dict_new(), *skipped = heed_dict_new(), *same = heed_dict_new();
    heed_tensor *good = heed_zeros(HEED_F32, HEED_SHAPE(2)), *head = heed_zeros(HEED_F32, HEED_SHAPE(3));
    set(into, "good", good);
    set(into, "head", head);
    set(into, "type", heed_zeros(HEED_F64, HEED_SCALAR));
    set(into, "absent", heed_zeros(HEED_F32, HEED_SCALAR));
    set(from, "net.good", heed_ones(HEED_F32, HEED_SHAPE(2)));
    set(from, "net.head", heed_ones(HEED_F32, HEED_SHAPE(4)));
    set(from, "net.type", heed_ones(HEED_F32, HEED_SCALAR));
    set(from, "net.more", heed_ones(HEED_F32, HEED_SCALAR));
    set(from, "net.", heed_ones(HEED_F32, HEED_SCALAR));
    set(from, "other", heed_ones(HEED_F32, HEED_SCALAR));
    heed_dict_load_options o = {.prefix = "net.", .allow_missing = true, .allow_unexpected = true, .skipped = skipped};
    ck_assert_int_eq(heed_dict_load(into, from, &o), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "net.head is f32 (4): must be f32 (3), net.type is f32 (): must be f64 () "
                                       "(.allow_unlike leaves them as they are)");
    ck_assert_int_eq(heed_dict_text_count(skipped), 0);
    o.allow_unlike = true;
    for (int check = 1; check >= 0; check--) {
        o.check_only = check;
        ck_assert_int_eq(heed_dict_load(into, from, &o), HEED_OK);
        ck_assert_double_eq(heed_get(good, HEED_INDEX(1)), check ? 0 : 1);
        ck_assert_int_eq(heed_dict_text_count(skipped), 5);
    }
    ck_assert_double_eq(heed_get(head, HEED_INDEX(0)), 0.0);
    check_skipped(skipped, "head", "is f32 (4): must be f32 (3)");
    check_skipped(skipped, "type", "is f32 (): must be f64 ()");
    check_skipped(skipped, "absent", "missing");
    check_skipped(skipped, "more", "unexpected");
    check_skipped(skipped, "net.", "unexpected"); /* nothing is left without the prefix */
    /* a skipped tensor overwrites no other tensor */
    set(same, "good", head);
    set(same, "head", good);
    ck_assert_int_eq(heed_dict_load(into, same, &(heed_dict_load_options){.allow_unlike = true, .allow_missing = true}),
                     HEED_OK);
    heed_dict_free(skipped);
#if !defined(__SANITIZE_ADDRESS__) /* which reports the read of the freed block itself */
    o.skipped = skipped;
    ck_assert_int_eq(heed_dict_load(into, from, &o), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "dict_load: the dict");
#endif
    heed_dict_free(into);
    heed_dict_free(from);
    heed_dict_free(same);
}
END_TEST

START_TEST(reports_mismatches)
{
    heed_dict *into = five(0), *from = heed_dict_new();
    set(from, "b", heed_ones(HEED_F32, HEED_SCALAR));
    set(from, "x", heed_ones(HEED_F32, HEED_SCALAR));
    set(from, "c", heed_ones(HEED_I64, HEED_SHAPE(3)));
    set(from, "a", heed_ones(HEED_F32, HEED_SHAPE(1, 2)));
    set(from, "y", heed_ones(HEED_F32, HEED_SCALAR));
    const char *missing = "2 missing: d e", *unexpected = "2 unexpected: x y";
    const char *unlike =
        "2 with a different dtype or shape: b is f32 (): must be f64 (), a is f32 (1, 2): must be f32 (2)";
    char text[HEED_ERROR_MESSAGE_MAX];
    snprintf(text, sizeof text, "dict_load: %s; %s; %s", missing, unexpected, unlike);
    check_refused(into, from, (heed_dict_load_options){.prefix = NULL}, text);
    snprintf(text, sizeof text, "dict_load: %s; %s", unexpected, unlike);
    check_refused(into, from, (heed_dict_load_options){.allow_missing = true}, text);
    snprintf(text, sizeof text, "dict_load: %s; %s", missing, unlike);
    check_refused(into, from, (heed_dict_load_options){.allow_unexpected = true}, text);
    snprintf(text, sizeof text, "dict_load: %s (.allow_unlike leaves them as they are)", unlike);
    check_refused(into, from, (heed_dict_load_options){.allow_missing = true, .allow_unexpected = true}, text);
    set(from, "a", heed_ones(HEED_F32, HEED_SHAPE(2)));
    set(from, "b", heed_ones(HEED_F64, HEED_SCALAR));
    ck_assert_int_eq(
        heed_dict_load(into, from, &(heed_dict_load_options){.allow_missing = true, .allow_unexpected = true}),
        HEED_OK);
    ck_assert_double_eq(first(into, "c"), 1);
    ck_assert_double_eq(first(into, "d"), 0);
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

/* The counts include the names that the list leaves out. */
START_TEST(lists_are_cut)
{
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    heed_tensor *one = heed_ones(HEED_F32, HEED_SHAPE(1)), *two = heed_ones(HEED_F32, HEED_SHAPE(2));
    char name[1200];
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "layer.%d.weight", i);
        set(i % 3 == 0 ? into : from, name, one);
        if (i % 3 == 2)
            set(into, name, two);
    }
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: 100 missing: layer.0.weight layer.3.weight");
    ck_assert_int_eq(heed_dict_load(into, from, &(heed_dict_load_options){.allow_missing = true}), HEED_ERR_ARGUMENT);
    ck_assert_msg(strstr(heed_error_message(), " ...") != NULL, "%s", heed_error_message());
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: 100 unexpected: layer.1.weight");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    heed_dict_free(into);
    into = heed_dict_new();
    set(into, name, one);
    set(into, "m", one);
    set(from, name, two);
    ck_assert_int_eq(heed_dict_load(into, from, &(heed_dict_load_options){.allow_unexpected = true}),
                     HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: 1 missing: m; 1 with a different dtype or shape: ...");
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

/* Of two long names with a prefix, only the missing one is listed. */
START_TEST(finds_long_names)
{
    char given[1200] = "p.", none[1200];
    memset(given + 2, 'n', sizeof given - 3);
    memcpy(none, given, sizeof none);
    none[1100] = 'x';
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    heed_tensor *one = heed_ones(HEED_F32, HEED_SCALAR);
    set(into, given + 2, one);
    set(into, "b", one);
    set(from, given, one);
    ck_assert_int_eq(heed_dict_load(into, from, &(heed_dict_load_options){.prefix = "p."}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: 1 missing: p.b");
    set(into, none + 2, one);
    ck_assert_int_eq(heed_dict_load(into, from, &(heed_dict_load_options){.prefix = "p."}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: 2 missing: p.b ...");
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

START_TEST(refuses)
{
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_OK);
    ck_assert_int_eq(heed_dict_load(NULL, from, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: the dict to load into is NULL");
    ck_assert_int_eq(heed_dict_load(into, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: the dict to load from is NULL");
    set(into, "x", heed_ones(HEED_F32, HEED_SHAPE(2, 3)));
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dict_load: 1 missing: x");
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

/* No order of copying gets these views right; the tensor before them stays unchanged. */
START_TEST(refuses_views)
{
    heed_tensor *square = heed_reshape(heed_arange(HEED_F32, 0, 4, 1), HEED_SHAPE(2, 2)),
                *a = heed_zeros(HEED_F32, HEED_SCALAR);
    heed_tensor *narrow = heed_zeros(HEED_F32, HEED_SHAPE(2, 1));
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    set(into, "a", a);
    set(from, "a", heed_ones(HEED_F32, HEED_SCALAR));
    set(into, "x", square);
    set(from, "x", heed_transpose(square, 0, 1));
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "dict_load: x would be copied to a different view of the same elements");
    set(into, "x", heed_expand(narrow, HEED_SHAPE(2, 2)));
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "dict_load: x would be copied to a view with overlapping elements");
    ck_assert_double_eq(heed_item(a), 0);
    ck_assert_int_eq(heed_dict_load(from, from, NULL), HEED_OK); /* the same view */
    ck_assert_double_eq(heed_get(narrow, HEED_INDEX(1, 0)), 0);
    ck_assert_double_eq(heed_get(square, HEED_INDEX(0, 1)), 1);
    heed_dict_free(into);
    heed_dict_free(from);
}
END_TEST

static heed_dict *pair(heed_tensor *x, heed_tensor *y)
{
    heed_dict *dict = heed_dict_new();
    set(dict, "x", x);
    set(dict, "y", y);
    return dict;
}

/* The tensor under one name would be overwritten before it is read for the other name. */
START_TEST(refuses_to_swap)
{
    heed_tensor *a = heed_full(HEED_F64, HEED_SHAPE(2), 1), *b = heed_full(HEED_F64, HEED_SHAPE(2), 2);
    heed_dict *into = pair(a, b), *swapped = pair(b, a), *both = pair(a, a),
              *clones = pair(heed_clone(b), heed_clone(a));
    for (int i = 0; i < 2; i++) { /* a refusal changes nothing */
        ck_assert_int_eq(heed_dict_load(into, swapped, NULL), HEED_ERR_UNSUPPORTED);
        ck_assert_error(HEED_ERR_UNSUPPORTED,
                        "dict_load: x lies in memory that the tensor of a different name overwrites");
        ck_assert(heed_get(a, HEED_INDEX(0)) == 1 && heed_get(b, HEED_INDEX(0)) == 2);
    }
    ck_assert_int_eq(heed_dict_load(into, clones, NULL), HEED_OK);
    ck_assert(heed_get(a, HEED_INDEX(0)) == 2 && heed_get(b, HEED_INDEX(0)) == 1);
    ck_assert_int_eq(heed_dict_load(into, both, NULL), HEED_OK); /* a is not written */
    ck_assert(heed_get(a, HEED_INDEX(0)) == 2 && heed_get(b, HEED_INDEX(0)) == 2);
    heed_tensor *whole = heed_arange(HEED_F64, 0, 4, 1), *half = heed_slice(whole, 0, 0, 2, 1);
    heed_tensor *rest = heed_slice(whole, 0, 2, 4, 1);
    heed_dict *halves = pair(half, rest), *turned = pair(rest, half);
    ck_assert_int_eq(heed_dict_load(halves, turned, NULL), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "x would be copied to a different view of the same elements");
    ck_assert_int_eq(heed_dict_load(halves, clones, NULL), HEED_OK);
    ck_assert(heed_get(whole, HEED_INDEX(0)) == 2 && heed_get(whole, HEED_INDEX(3)) == 1);
    heed_dict *all[] = {into, swapped, both, clones, halves, turned};
    for (int i = 0; i < 6; i++)
        heed_dict_free(all[i]);
}
END_TEST

/* The tensors have no other owners, like tensors read from a file. */
START_TEST(needs_no_memory)
{
    fail_alloc_install();
    heed_scope *scope = heed_scope_begin();
    heed_dict *into = five(0), *from = five(1);
    set(into, "f", laid_out(1));
    set(from, "f", heed_clone(laid_out(2)));
    heed_scope_end(scope);
    fail_alloc.count = 0;
    fail_alloc.from_then_on = true;
    fail_alloc.fail_at = 1;
    ck_assert_int_eq(check_only(into, from, NULL), HEED_OK);
    ck_assert_int_eq(heed_dict_load(into, from, NULL), HEED_OK);
    heed_dict_load(into, from, &(heed_dict_load_options){.prefix = "none."});
    fail_alloc.fail_at = 0;
    ck_assert_int_eq(fail_alloc.count, 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "6 missing: none.a none.b none.c none.d none.e none.f");
    check_all(into, 1);
    heed_dict_free(into);
    heed_dict_free(from);
    fail_alloc_uninstall();
}
END_TEST

START_TEST(is_refused_memory)
{
    fail_alloc_install();
    heed_dict *into = five(0), *from = five(1);
    heed_status status = HEED_ERR_NOMEM;
    for (int64_t at = 1; status != HEED_OK; at++) {
        check_all(into, 0);
        fail_alloc.count = 0;
        fail_alloc.fail_at = at;
        ck_assert_int_eq(check_only(into, from, NULL), heed_error_code());
        ck_assert(heed_error_code() == HEED_OK || strstr(heed_error_message(), "dict_load: cannot allocate") != NULL);
        heed_error_clear();
        fail_alloc.count = 0;
        status = heed_dict_load(into, from, NULL);
        fail_alloc.fail_at = 0;
        ck_assert_int_eq(heed_error_code(), status);
        ck_assert(status == HEED_OK ? at > 1 : strstr(heed_error_message(), "dict_load: cannot allocate") != NULL);
        heed_error_clear();
    }
    check_all(into, 1);
    heed_dict_free(into);
    heed_dict_free(from);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("dict_load", copies, copies_bits, copies_views, a_backward_pass_notices, prefixes,
               skips_what_does_not_fit, reports_mismatches, lists_are_cut, finds_long_names, refuses, refuses_views,
               refuses_to_swap, needs_no_memory, is_refused_memory)
