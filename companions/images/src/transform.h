/* images/src/transform.h - checked options of transforms, and the transform of one image.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IMAGES_TRANSFORM_H
#define HEED_IMAGES_TRANSFORM_H

#include <heed/images.h>

/* Checks options and replaces zeros by their meanings. Returns false after heed_fail. */
bool heed__transform_options(const char *where, const heed_images_transform_options *given,
                             heed_images_transform_options *options);

/* Returns the transformed image, as heed_images_transform does, with checked options. NULL after heed_fail. */
heed_tensor *heed__transform(const char *where, heed_tensor *image, const heed_images_transform_options *o,
                             const heed_images_draw *draw);

#endif
