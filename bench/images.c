/* bench/images.c - the speed of loaders of JPEG files with 0 to 3 readers, and the cores that they use.
 *
 *     bench_images [IMAGES [SIDE [EPOCHS]]]      default: 10000 images of 256 x 256, 1 epoch per line
 *
 * Writes the files to a temporary folder of ten classes, reads every file once, and then measures. A sample is decoded,
 * cropped to a random part of 224 x 224, flipped and normalised; a batch has 32. Prints a line of JSON per number of
 * readers: images per second, and cores, the processor time of the process divided by the elapsed time.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jpeglib.h>

#include <heed/heed.h>
#include <heed/images.h>

enum { CLASSES = 10, BATCH = 32, QUALITY = 85, MAX_SIDE = 4096 };

static char folder[] = "/tmp/heed-bench-images-XXXXXX";

/* -- Files --------------------------------------------------------------------------------------------------------- */

static uint32_t noise = 1;

static int noisy(int level)
{
    noise = noise * 1664525U + 1013904223U;
    const int value = level + (int)(noise >> 28) - 8;
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* A smooth image with weak noise, of about 20 KB for 256 x 256. */
static void fill_row(unsigned char *row, int image, int y, int side)
{
    for (int x = 0; x < side; x++) {
        row[3 * x] = (unsigned char)noisy((x * (1 + image % 7) + 3 * y) % 256);
        row[3 * x + 1] = (unsigned char)noisy((x * x / (1 + side / 4) + y * (image % 5)) % 256);
        row[3 * x + 2] = (unsigned char)noisy((x + y * y / (1 + side / 8)) % 256);
    }
}

static bool write_image(const char *path, int image, int side)
{
    static unsigned char row[3 * MAX_SIDE];
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = jpeg.image_height = (JDIMENSION)side;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, QUALITY, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < side; y++) {
        JSAMPROW rows[] = {row};
        fill_row(row, image, y, side);
        (void)jpeg_write_scanlines(&jpeg, rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return fclose(file) == 0;
}

static void path_of(char path[128], int image)
{
    (void)snprintf(path, 128, "%s/%d/%d.jpg", folder, image % CLASSES, image);
}

static bool write_images(int images, int side)
{
    char path[128];
    bool ok = mkdtemp(folder) != NULL;
    for (int c = 0; c < CLASSES && ok; c++) {
        (void)snprintf(path, sizeof path, "%s/%d", folder, c);
        ok = mkdir(path, 0777) == 0;
    }
    for (int i = 0; i < images && ok; i++) {
        path_of(path, i);
        ok = write_image(path, i, side);
    }
    return ok;
}

static void remove_images(int images)
{
    char path[128];
    for (int i = 0; i < images; i++) {
        path_of(path, i);
        (void)unlink(path);
    }
    for (int c = 0; c < CLASSES; c++) {
        (void)snprintf(path, sizeof path, "%s/%d", folder, c);
        (void)rmdir(path);
    }
    (void)rmdir(folder);
}

/* -- Measuring ----------------------------------------------------------------------------------------------------- */

static double elapsed(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double used(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static bool read_epochs(const heed_dataset *data, int readers, int epochs)
{
    heed_loader *loader = heed_loader_new(
        data, &(heed_loader_options){.batch_size = BATCH, .shuffle = true, .drop_last = true, .readers = readers});
    const int64_t batches = heed_loader_batches(loader) * epochs;
    bool ok = loader != NULL;
    for (int64_t i = 0; i < batches && ok; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *batch[2];
        ok = heed_loader_next(loader, batch) == HEED_OK;
        (void)heed_scope_end(scope);
    }
    heed_loader_free(loader);
    return ok;
}

static bool measure(const heed_dataset *data, int readers, int epochs)
{
    const double images = (double)(heed_dataset_size(data) / BATCH * BATCH * epochs);
    const double began = elapsed(), cpu = used();
    const bool ok = read_epochs(data, readers, epochs);
    const double seconds = elapsed() - began, cores = (used() - cpu) / seconds;
    printf("{\"readers\": %d, \"images/s\": %.1f, \"cores\": %.3f}\n", readers, images / seconds, cores);
    return ok && fflush(stdout) == 0;
}

static bool run(int images, int side, int epochs)
{
    const heed_images_folder_options o = {.transform = {.random_resized_crop = HEED_SHAPE(224),
                                                        .horizontal_flip = 0.5,
                                                        .mean = {0.485, 0.456, 0.406},
                                                        .std = {0.229, 0.224, 0.225}}};
    heed_dataset *data = write_images(images, side) ? heed_images_folder_new(folder, &o) : NULL;
    bool ok = data && read_epochs(data, 0, 1);
    for (int readers = 0; readers < 4 && ok; readers++)
        ok = measure(data, readers, epochs);
    heed_dataset_free(data);
    remove_images(images);
    return ok;
}

int main(int argc, char **argv)
{
    const int images = argc > 1 ? atoi(argv[1]) : 10000, side = argc > 2 ? atoi(argv[2]) : 256;
    const int epochs = argc > 3 ? atoi(argv[3]) : 1;
    if (argc > 4 || images < BATCH || images > 1000000 || side < 8 || side > MAX_SIDE || epochs < 1) {
        (void)fprintf(stderr, "usage: bench_images [IMAGES [SIDE [EPOCHS]]], at least %d images of 8 to %d pixels\n",
                      BATCH, MAX_SIDE);
        return 2;
    }
    (void)heed_set_num_threads(1); /* the ops of a reader run in its own thread */
    const bool ok = run(images, side, epochs);
    if (!ok)
        (void)fprintf(stderr, "bench_images: %s\n", heed_error_message());
    return ok ? 0 : 1;
}
