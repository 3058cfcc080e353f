/* tests/planted_race.c - two threads write to one tensor without a lock, which no promise covers. Under the tsan preset a
 * test requires that this is reported: else the silence about the rest would say nothing. */

#include <pthread.h>
#include <stdio.h>

#include <heed/heed.h>

static void *write_shared(void *t)
{
    for (int i = 0; i < 1000; i++)
        heed_set(t, HEED_INDEX(0), i);
    return NULL;
}

int main(void)
{
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(1));
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, write_shared, t) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%g\n", heed_item(t));
    return 0;
}
