/* tests/interop/interop.c - writes files for tests/interop/interop.py, which reads them with NumPy and Python's csv.
 *
 *     interop FOLDER
 *
 * Element i of each tensor, in row-major order, is i / 4 - 1; for i64 i - 3, for bool i % 3 == 0.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <heed/heed.h>

static heed_tensor *make(heed_dtype dtype, heed_shape shape)
{
    int64_t n = heed_shape_numel(shape);
    heed_tensor *t = heed_zeros(HEED_F64, HEED_SHAPE(n));
    for (int64_t i = 0; i < n; i++)
        heed_set_(t, HEED_INDEX(i),
                  dtype == HEED_I64    ? (double)(i - 3)
                  : dtype == HEED_BOOL ? i % 3 == 0
                                       : (double)i / 4 - 1);
    return heed_reshape(heed_to_dtype(t, dtype), shape);
}

static void fill(heed_dict *d)
{
    const heed_shape shapes[] = {
        HEED_SCALAR,      HEED_SHAPE(1),       HEED_SHAPE(5),       HEED_SHAPE(0, 3),
        HEED_SHAPE(3, 4), HEED_SHAPE(2, 3, 4), HEED_SHAPE(300, 70), HEED_SHAPE(1, 2, 1, 2, 1, 2, 1, 2)};
    char name[64];
    for (int dtype = 0; dtype < HEED_DTYPE_COUNT; dtype++)
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            (void)snprintf(name, sizeof name, "%s.%zu", heed_dtype_name((heed_dtype)dtype), i);
            heed_dict_set(d, name, make((heed_dtype)dtype, shapes[i]));
        }
    /* views: the file has the elements that they show */
    heed_dict_set(d, "view.f32", heed_transpose(make(HEED_F32, HEED_SHAPE(3, 4)), 0, 1));
    heed_dict_set(d, "größe \"\\\t/\xf0\x9f\x98\x80", make(HEED_F32, HEED_SHAPE(2)));
}

static const char *in(const char *folder, const char *name)
{
    static char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Numbers of every size, missing ones and infinities, texts that need quotes; and the numbers in .npy, to compare. */
static void write_tables(const char *folder)
{
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(500, 2));
    heed_tensor *f64 = heed_mul(x, heed_exp(heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(500, 2)), 100.0)));
    heed_tensor *f32 = heed_to_dtype(heed_slice(x, 1, 0, 1, 1), HEED_F32);
    heed_tensor *codes = heed_randint(-1, 4, HEED_SHAPE(500));
    heed_set_(f64, HEED_INDEX(0, 0), (double)NAN);
    heed_set_(f64, HEED_INDEX(1, 1), -(double)INFINITY);
    heed_categories *names = heed_categories_new(HEED_NAMES("plain", "a, b", "say \"no\"", "two\r\nlines"));
    const heed_categories *list[] = {NULL, NULL, names};
    for (int comma = 0; comma < 2; comma++)
        heed_io_csv_write(in(folder, comma ? "comma.csv" : "point.csv"), HEED_NAMES("a", "b;\"c\"", "größe", "text"),
                          HEED_TENSORS(f64, f32, codes),
                          &(heed_io_csv_write_options){.decimal = comma ? ',' : '.', .categories = list});
    heed_io_npy_write(in(folder, "f64.npy"), f64);
    heed_io_npy_write(in(folder, "f32.npy"), f32);
    heed_io_npy_write(in(folder, "codes.npy"), codes);
    heed_categories_free(names);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_dict *d = heed_dict_new();
    fill(d);
    char name[64];
    for (int64_t i = 0; i < heed_dict_size(d); i++) {
        (void)snprintf(name, sizeof name, "%d.npy", (int)i);
        heed_io_npy_write(in(argv[1], name), heed_dict_at(d, i));
    }
    heed_io_npz_write(in(argv[1], "stored.npz"), d, NULL);
    heed_io_npz_write(in(argv[1], "deflated.npz"), d, &(heed_io_npz_options){.compressed = true});
    heed_dict_set_text(d, "format", "pt");
    heed_dict_set_text(d, "größe \"\\\t", "\x01\x1f\x7f\xf0\x9f\x98\x80");
    heed_io_safetensors_write(in(argv[1], "a.safetensors"), d);
    heed_dict_free(d);
    write_tables(argv[1]);
    return EXIT_SUCCESS;
}
