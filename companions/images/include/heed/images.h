/* heed/images.h - reads PNG and JPEG images, transforms them, and makes a dataset of a folder of classes. It is a
 * separate library, libheed-images, so that heed itself does not depend on libpng and libjpeg.
 *
 *     heed_tensor *x = heed_images_read("cat.jpg", &(heed_images_read_options){.mode = HEED_IMAGES_RGB});    (3, H, W)
 *
 *     heed_dataset *train = heed_images_folder_new("train", &(heed_images_folder_options){
 *         .transform = {.random_resized_crop = HEED_SHAPE(224, 224), .horizontal_flip = 0.5}});
 *     heed_loader *loader = heed_loader_new(train, &(heed_loader_options){.batch_size = 32, .shuffle = true,
 *                                                                         .readers = 2});
 *
 * libpng and libjpeg-turbo decode the files. A damaged or truncated file is an error, not a partly grey image. All
 * functions may be called by several threads at once.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IMAGES_H
#define HEED_IMAGES_H

#include <heed/data.h>

HEED_BEGIN_DECLS

/* -- Reading ----------------------------------------------------------------------------------------------------------
 * An image is a tensor (C, H, W). The format is recognised by the first bytes of the file, not by its name. */

/* The channels of an image. Grey is (19595 R + 38470 G + 7471 B + 32768) / 65536, rounded down, or the luminance that a
 * JPEG file stores. A missing alpha is opaque; a superfluous alpha is dropped. */
typedef enum heed_images_mode {
    HEED_IMAGES_UNCHANGED = 0, /* the channels of the file: 1 to 4. A palette becomes colours, CMYK becomes RGB, and
                                  transparency in a PNG's tRNS chunk becomes alpha */
    HEED_IMAGES_GRAY,          /* C = 1 */
    HEED_IMAGES_GRAY_ALPHA,    /* C = 2 */
    HEED_IMAGES_RGB,           /* C = 3 */
    HEED_IMAGES_RGBA,          /* C = 4 */
} heed_images_mode;

typedef struct heed_images_read_options {
    heed_images_mode mode;
    heed_dtype dtype;      /* HEED_F32 or HEED_F64: 0 .. 1, the number in the file divided by 255, or by 65535 if the
                              file has 16 bits; HEED_I64: the number itself */
    bool exif_orientation; /* turns and mirrors the image as its EXIF data say, as viewers do */
    int64_t max_width;     /* limits of the file's image; a larger one is an error before memory is allocated */
    int64_t max_height;    /* 0: 65500 for the width and for the height */
    int64_t max_pixels;    /* width times height; 0: 2^27 */
    size_t max_bytes;      /* of the file; 0: 2^30 */
    HEED_RESERVED;
} heed_images_read_options;

/* Reads a PNG or JPEG file as a tensor (C, H, W). NULL options: the channels of the file, f32.
 *
 * PNG files of all colour types, of 1 to 16 bits, interlaced or not, are read exactly; numbers with less than 8 bits
 * are scaled to 0 .. 255. Gamma and colour profiles are ignored. JPEG files are baseline or progressive; grey, YCbCr,
 * RGB, CMYK or YCCK, the last two inverted, as Adobe's programs store them. They are decoded with libjpeg's default
 * options, the accurate integer DCT and smooth upsampling of colours.
 *
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       path is NULL; an option out of its range
 *     HEED_ERR_DTYPE          options.dtype is bool
 *     HEED_ERR_IO             the file cannot be read, or is not a regular file: path and cause
 *     HEED_ERR_FORMAT         neither PNG nor JPEG, or damaged: path and the message of libpng or libjpeg
 *     HEED_ERR_UNSUPPORTED    an image above the limits; a kind of JPEG that libjpeg does not decode
 *     HEED_ERR_NOMEM
 * torch: torchvision.io.decode_image */
HEED_API heed_tensor *heed_images_read(const char *path, const heed_images_read_options *options);

/* Reads an image from the bytes of a PNG or JPEG file in memory, as heed_images_read does.
 * Errors: as heed_images_read; HEED_ERR_ARGUMENT for NULL bytes. Messages begin with "image" instead of a path.
 * torch: torchvision.io.decode_image */
HEED_API heed_tensor *heed_images_decode(const void *bytes, size_t size, const heed_images_read_options *options);

/* -- Transforming -------------------------------------------------------------------------------------------------- */

/* The transforms are applied in the order of their fields. The values 0 and () leave a transform out. Sizes are (H, W),
 * or one number for a square.
 *
 * A random number depends only on the seed, the epoch and the number of the sample, not on the batch, the threads or
 * the processes. Without random numbers (in heed_images_transform with a NULL draw, and with
 * heed_images_folder_options.evaluate) crops are at the centre and nothing is flipped. */
typedef struct heed_images_transform_options {
    heed_shape resize;              /* one number: the size of the shorter side; the longer side keeps the proportion,
                                       rounded down. Two numbers: the size. Bilinear as heed_interpolate, without
                                       antialiasing */
    heed_shape random_resized_crop; /* size to which a random part of the image is resized. Its share of the area is
                                       uniform in scale, its width divided by its height log-uniform in ratio. After ten
                                       parts that do not fit, and without random numbers, the largest part at the centre
                                       whose proportion is in ratio */
    double scale[2];                /* 0, 0: 0.08 to 1 */
    double ratio[2];                /* 0, 0: 3/4 to 4/3 */
    int64_t padding;                /* zeros around the image before random_crop; none without random numbers */
    heed_shape random_crop;         /* a part of this size, all positions equally likely */
    heed_shape center_crop;         /* a part of this size at the centre, whose begin is rounded to even halves, as in
                                       torchvision; zeros surround a smaller image */
    double horizontal_flip;         /* probability that left and right are exchanged */
    double vertical_flip;           /* probability that top and bottom are exchanged */
    double mean[4], std[4];         /* per channel: (x - mean) / std; a std of 0 means 1 */
    HEED_RESERVED;
} heed_images_transform_options;

/* Determines the random numbers of a transform. */
typedef struct heed_images_draw {
    uint64_t seed;
    int64_t epoch, sample;
} heed_images_draw;

/* Transforms an image (C, H, W), f32 or f64, with at most 4 channels if it is normalised. Not differentiable.
 * `draw` NULL: without random numbers, as for evaluation and predictions. NULL options: returns a copy.
 *
 * Errors: NULL with HEED_ERR_SHAPE unless image is (C, H, W) with H, W > 0, and if random_crop is larger than the
 * padded image; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for NULL, a size of more than two numbers or below 1, a probability
 * outside [0, 1], a negative or infinite option, a scale above 1, padding without random_crop, and scale or ratio
 * without random_resized_crop; HEED_ERR_NOMEM.
 * torch: torchvision.transforms.v2.Compose */
HEED_API heed_tensor *heed_images_transform(heed_tensor *image, const heed_images_transform_options *options,
                                            const heed_images_draw *draw);

/* -- A folder of classes as a dataset ------------------------------------------------------------------------------ */

typedef struct heed_images_folder_options {
    heed_images_read_options read; /* mode HEED_IMAGES_UNCHANGED: RGB */
    heed_images_transform_options transform;
    uint64_t seed; /* of the random numbers of the transforms */
    bool evaluate; /* transforms without random numbers */
    HEED_RESERVED;
} heed_images_folder_options;

/* Returns a dataset of the images in the sub-folders of a folder, in which every sub-folder is a class:
 * FOLDER/cat/1.png, FOLDER/dog/b/2.jpg.
 *
 * Its tensors are the images, (n, C, H, W), f32 or f64 as options.read.dtype says, and the numbers of their classes,
 * i64 (n). Classes are numbered in the order of their names. Samples are ordered by class, then by folder, then by
 * name, all byte by byte. Files in folders below a class belong to the class. Images end in .png, .jpg or .jpeg, in
 * upper or lower case. Other files are ignored, and so are files and folders whose names begin with '.'.
 *
 * The call lists the files; an image is read when its sample is requested. An unreadable file is then an error of
 * heed_dataset_take or heed_loader_next, which names it. After the transforms all images of a batch must have the same
 * size.
 *
 * With a loader an epoch has its own random numbers; they are the same for any number of readers and of processes of
 * heed_data_parallel_new. Free the dataset with heed_dataset_free.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL and as heed_images_read and heed_images_transform for options;
 * HEED_ERR_IO if a folder cannot be listed: path and cause; HEED_ERR_FORMAT if the folder lacks sub-folders, or a class
 * lacks images; HEED_ERR_UNSUPPORTED for folders more than 32 deep; HEED_ERR_NOMEM.
 * torch: torchvision.datasets.ImageFolder */
HEED_API HEED_NODISCARD heed_dataset *heed_images_folder_new(const char *folder,
                                                             const heed_images_folder_options *options);

/* Returns the names of the classes of a folder, numbered as in the dataset of heed_images_folder_new.
 * Free them with heed_categories_free; heed_categories_save saves them with a model.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL; HEED_ERR_IO, HEED_ERR_FORMAT, HEED_ERR_NOMEM as heed_images_folder_new.
 * torch: torchvision.datasets.ImageFolder */
HEED_API HEED_NODISCARD heed_categories *heed_images_folder_classes(const char *folder);

HEED_END_DECLS

#endif
