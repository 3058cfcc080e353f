/* debian/tests/log.c - writes a log for TensorBoard.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>
#include <heed/tensorboard.h>

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_tensorboard *log = heed_tensorboard_open("runs/1", NULL);
    heed_tensorboard_scalar(log, "loss", 1, 0.5);
    heed_tensorboard_histogram(log, "weights", 1, heed_rand(HEED_F32, HEED_SHAPE(4, 4)));
    heed_tensorboard_image(log, "eye", 1, heed_eye(HEED_F32, 3, 3));
    return heed_tensorboard_close(log) == HEED_OK ? 0 : 1;
}
