/* debian/tests/picture.c - writes a picture to a PNG file and reads it. */
#include <heed/heed.h>
#include <heed/images.h>

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_plot_png(heed_eye(HEED_F32, 3, 3), "eye.png", NULL);
    heed_tensor *x = heed_images_read("eye.png", NULL);
    return heed_rank(x) == 3 && heed_dim(x, 1) == heed_dim(x, 2) ? 0 : 1;
}
