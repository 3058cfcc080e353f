/* io.c - examples of heed/io.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static const char houses[] = "rooms;area;city;sold\n"
                             "3;81,5;Bonn;2024-02-29\n"
                             "2;;Ulm;2024-03-01\n"
                             "4;120;Bonn;2024-03-01\n";

/* Options that read the table from memory; a program usually passes a path. */
static heed_io_csv_options table(heed_io_missing missing)
{
    return (heed_io_csv_options){
        .bytes = houses, .size = sizeof houses - 1, .guess_separator = true, .decimal = ',', .missing = missing};
}

static void example_csv(void)
{
    const heed_io_csv_options options = table(HEED_IO_MISSING_NAN);
    /* [heed_io_csv_read heed_io_csv_get_facts heed_io_csv_name heed_io_csv_free] */
    heed_io_csv *csv = heed_io_csv_read("houses.csv", &options);
    const heed_io_csv_facts facts = heed_io_csv_get_facts(csv);
    printf("%lld rows, separated by %c:", (long long)facts.rows, facts.separator);
    for (int i = 0; i < facts.columns; i++)
        printf(" %s", heed_io_csv_name(csv, i)); /* -> 3 rows, separated by ;: rooms area city sold */
    heed_io_csv_free(csv);
    /* [] */
}

static void example_columns(const heed_io_csv *csv)
{
    /* [heed_io_csv_matrix heed_io_csv_column heed_io_csv_dates] */
    heed_tensor *x = heed_io_csv_matrix(csv, HEED_NAMES("rooms", "area"), HEED_F32);
    heed_print(x, stdout);
    /* -> tensor([[  3.0000,  81.5000],
     *            [  2.0000,      nan],
     *            [  4.0000, 120.0000]], shape=(3, 2), dtype=f32) */
    heed_print(heed_io_csv_column(csv, "rooms", HEED_I64), stdout); /* -> tensor([3, 2, 4], shape=(3), dtype=i64) */
    heed_tensor *sold = heed_io_csv_dates(csv, "sold", HEED_IO_DAYS, HEED_I64);
    heed_print(heed_sub(sold, heed_min(sold)), stdout); /* -> tensor([0, 1, 1], shape=(3), dtype=i64) */
    /* [] */
}

static void example_codes(const heed_io_csv *csv)
{
    /* [heed_io_csv_categories heed_io_csv_codes] */
    heed_categories *cities = heed_io_csv_categories(csv, "city");
    heed_tensor *city = heed_io_csv_codes(csv, "city", cities);
    heed_print(city, stdout); /* -> tensor([0, 1, 0], shape=(3), dtype=i64) */
    heed_categories_free(cities);
    /* [] */
}

static void example_missing(void)
{
    const heed_io_csv_options options = table(HEED_IO_MISSING_ERROR);
    /* [heed_io_csv_skip_missing heed_io_csv_line heed_io_csv_field] */
    heed_io_csv *csv = heed_io_csv_read("houses.csv", &options);
    heed_io_csv_skip_missing(csv, HEED_NAMES("area"));
    for (int64_t row = 0; row < heed_io_csv_get_facts(csv).rows; row++)
        printf("line %lld: %s; ", (long long)heed_io_csv_line(csv, row), heed_io_csv_field(csv, row, 1));
    /* -> line 2: 81,5; line 4: 120; */
    heed_io_csv_free(csv);
    /* [] */
}

static void example_csv_dataset(void)
{
    const heed_io_csv_options options = table(HEED_IO_MISSING_SKIP);
    /* [heed_io_csv_dataset] */
    heed_categories *cities = NULL; /* the classes, found in the column "city" */
    heed_dataset *data = heed_io_csv_dataset("houses.csv", HEED_NAMES("rooms", "area"), "city",
                                             &(heed_io_csv_dataset_options){.csv = &options, .classes = &cities});
    printf("%lld samples, class 0 is %s\n", (long long)heed_dataset_size(data),
           heed_categories_name(cities, 0)); /* -> 2 samples, class 0 is Bonn */
    heed_categories_free(cities);
    heed_dataset_free(data);
    /* [] */
}

static void example_csv_write(heed_tensor *x, heed_tensor *y)
{
    /* [heed_io_csv_write] */
    heed_io_csv_write("manual.csv", HEED_NAMES("x", "y"), HEED_TENSORS(x, y), NULL);
    heed_io_csv *csv = heed_io_csv_read("manual.csv", NULL);
    printf("%s, %s\n", heed_io_csv_field(csv, 2, 0), heed_io_csv_field(csv, 2, 1)); /* -> 2, 0.2 */
    heed_io_csv_free(csv);
    /* [] */
    (void)remove("manual.csv");
}

static void example_same_file(const char *input, const char *output)
{
    /* [heed_io_same_file] */
    if (heed_io_same_file(input, output))
        printf("%s would be replaced\n", output);
    else
        printf("%s is a different file\n", output); /* -> fit.csv is a different file */
    /* [] */
}

static void example_idx(void)
{
    /* [heed_io_idx_read] */
    static const char images[] = "\0\0\x08\3"
                                 "\0\0\0\1"
                                 "\0\0\0\2"
                                 "\0\0\0\2"
                                 "\x00\x33\x66\xff"; /* one, 2 x 2 */
    const heed_io_idx_options options = {.bytes = images, .size = sizeof images - 1, .scale = 1.0 / 255};
    heed_print(heed_io_idx_read("train-images-idx3-ubyte", &options), stdout);
    /* -> tensor([[[0.0000, 0.2000],
     *             [0.4000, 1.0000]]], shape=(1, 2, 2), dtype=f32) */
    /* [] */
}

static void example_idx_dataset(const char *path)
{
    /* [heed_io_idx_dataset] */
    heed_dataset *images = heed_io_idx_dataset(path, &(heed_io_idx_options){.scale = 1.0 / 255});
    heed_tensor *batch[1];
    heed_dataset_take(images, HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 1), batch); /* reads only this image */
    heed_print(batch[0], stdout);
    /* -> tensor([[0.4000, 1.0000]], shape=(1, 2), dtype=f32) */
    heed_dataset_free(images);
    /* [] */
}

static void example_npy(heed_tensor *x)
{
    /* [heed_io_npy_write heed_io_npy_read] */
    heed_io_npy_write("manual.npy", x); /* numpy.load reads it */
    heed_tensor *last = heed_io_npy_read("manual.npy", &(heed_io_read_options){.first = 2});
    heed_print(last, stdout); /* -> tensor([2.], shape=(1), dtype=f32) */
    /* [] */
}

static void example_npy_dataset(void)
{
    /* [heed_io_npy_dataset] */
    heed_dataset *rows = heed_io_npy_dataset("manual.npy");
    heed_tensor *batch[1];
    heed_dataset_take(rows, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0), batch); /* reads only these rows */
    heed_print(batch[0], stdout);
    /* -> tensor([2., 0.], shape=(2), dtype=f32) */
    heed_dataset_free(rows);
    /* [] */
    (void)remove("manual.npy");
}

static void example_npz(const heed_dict *dict)
{
    /* [heed_io_npz_write heed_io_npz_read heed_io_npz_dataset] */
    heed_io_npz_write("manual.npz", dict, NULL); /* numpy.load reads it */
    heed_io_read_options only_y = {.names = (const char *[]){"y"}, .name_count = 1};
    heed_dict *some = heed_io_npz_read("manual.npz", &only_y);
    heed_print(heed_dict_get(some, "y"), stdout);
    /* -> tensor([0.0000, 0.1000, 0.2000], shape=(3), dtype=f32) */
    heed_dict_free(some);
    heed_dataset *data = heed_io_npz_dataset("manual.npz", HEED_NAMES("x", "y")); /* the tensors stay in the file */
    printf("%lld samples\n", (long long)heed_dataset_size(data));                 /* -> 3 samples */
    heed_dataset_free(data);
    /* [] */
    (void)remove("manual.npz");
}

static void example_safetensors(const heed_dict *dict)
{
    /* [heed_io_safetensors_write heed_io_safetensors_read heed_io_safetensors_dataset] */
    heed_io_safetensors_write("manual.safetensors", dict);
    heed_dict *all = heed_io_safetensors_read("manual.safetensors", NULL); /* or "model.safetensors.index.json" */
    printf("%s, %s\n", heed_dict_name(all, 0), heed_dict_name(all, 1));    /* -> x, y */
    heed_dataset *data = heed_io_safetensors_dataset("manual.safetensors", HEED_NAMES("x", "y"));
    printf("%lld samples\n", (long long)heed_dataset_size(data)); /* -> 3 samples */
    heed_dataset_free(data);
    heed_dict_free(all);
    /* [] */
    (void)remove("manual.safetensors");
}

static void example_gguf(const void *bytes, size_t size)
{
    /* [heed_io_gguf_read] */
    const heed_io_read_options options = {.bytes = bytes, .size = size};
    heed_dict *model = heed_io_gguf_read("model.gguf", &options);
    printf("%lld tensors, architecture %s\n", (long long)heed_dict_size(model),
           heed_dict_text(model, "general.architecture")); /* -> 0 tensors, architecture llama */
    heed_dict_free(model);
    /* [] */
}

int main(void)
{
    static const char idx[] = "\0\0\x08\2"
                              "\0\0\0\2"
                              "\0\0\0\2"
                              "\x00\x33\x66\xff";
    static const char gguf[] = "GGUF\3\0\0\0"
                               "\0\0\0\0\0\0\0\0"
                               "\1\0\0\0\0\0\0\0"
                               "\x14\0\0\0\0\0\0\0general.architecture"
                               "\x08\0\0\0"
                               "\5\0\0\0\0\0\0\0llama";
    heed_set_error_handler(heed_exit_on_error, NULL);
    const heed_io_csv_options options = table(HEED_IO_MISSING_NAN);
    heed_io_csv *csv = heed_io_csv_read("houses.csv", &options);
    heed_tensor *x = heed_arange(HEED_F32, 0, 3, 1), *y = heed_mul_scalar(x, 0.1);
    heed_dict *dict = heed_dict_new();
    heed_dict_set(dict, "x", x);
    heed_dict_set(dict, "y", y);
    FILE *file = fopen("manual-idx2-ubyte", "wb");
    if (!file || fwrite(idx, 1, sizeof idx - 1, file) != sizeof idx - 1 || fclose(file) != 0)
        return 1;
    example_csv();
    example_columns(csv);
    example_codes(csv);
    example_missing();
    example_csv_dataset();
    example_csv_write(x, y);
    example_same_file("manual-idx2-ubyte", "fit.csv");
    example_idx();
    example_idx_dataset("manual-idx2-ubyte");
    example_npy(x);
    example_npy_dataset();
    example_npz(dict);
    example_safetensors(dict);
    example_gguf(gguf, sizeof gguf - 1);
    heed_dict_free(dict);
    heed_io_csv_free(csv);
    return remove("manual-idx2-ubyte");
}
