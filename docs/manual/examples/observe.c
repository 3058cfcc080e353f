/* observe.c - examples of include/heed/observe.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

/* [heed_add_observer heed_remove_observer] */
static void show(const heed_event *event, void *user)
{
    if (event->kind == HEED_EVENT_FORWARD && event->depth == 0)
        fprintf(user, "%s: %lld multiply-adds\n", event->name, (long long)event->multiply_adds);
}
/* [] */

static void example_observer(void)
{
    /* [heed_add_observer heed_remove_observer] */
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3)), *w = heed_ones(HEED_F32, HEED_SHAPE(4, 3));
    int64_t id = heed_add_observer(&(heed_observer){.ended = show, .user = stdout});
    heed_relu(heed_linear(x, w, NULL));
    /* -> linear: 24 multiply-adds
     *    relu: 0 multiply-adds */
    heed_remove_observer(id);
    /* [] */
}

/* [heed_span_begin heed_span_end] */
static void show_span(const heed_event *event, void *user)
{
    if (event->kind == HEED_EVENT_SPAN)
        fprintf(user, "%s took %s\n", event->name, event->ended > event->began ? "some time" : "no time");
}
/* [] */

static void example_span(void)
{
    int64_t id = heed_add_observer(&(heed_observer){.ended = show_span, .user = stdout});
    /* [heed_span_begin heed_span_end] */
    heed_span span = heed_span_begin("validation");
    heed_exp(heed_ones(HEED_F32, HEED_SHAPE(1000)));
    heed_span_end(&span); /* -> validation took some time */
    /* [] */
    heed_remove_observer(id);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_observer();
    example_span();
    return 0;
}
