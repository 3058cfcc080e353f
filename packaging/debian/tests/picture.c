/* debian/tests/picture.c - encodes a picture as PNG and decodes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>
#include <heed/images.h>

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    size_t size;
    void *bytes = heed_plot_png(heed_eye(HEED_F32, 3, 3), &size);
    heed_tensor *x = heed_images_decode(bytes, size, NULL);
    heed_free(bytes, size);
    bool equal =
        heed_rank(x) == 3 && heed_dim(x, 1) == 3 && heed_dim(x, 2) == 3 && heed_get(x, HEED_INDEX(0, 2, 2)) == 1;
    return equal ? 0 : 1;
}
