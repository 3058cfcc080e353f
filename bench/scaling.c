/* bench/scaling.c - predicts the speedup by many processes from shards that bench_team has measured, for 1 to 4,096
 * processes.
 *
 *     for m in "w7 16 1024 50" "w8 16 256 5" "block 2 2 3"; do
 *         HEED_NUM_THREADS=1 bench_team $m
 *     done | bench_scaling scaling.png
 *
 * With t the time of a shard, u the time of the update, G the bytes of the gradients, a step of S shards takes R
 * processes
 *
 *     T(R) = ceil(S / R) t + max(0, T_comm - 2/3 t) + u
 *     T_comm = 2 (R - 1) / R  G / B + 2 n log2(R) a      recursive halving: the least that an exchange can take
 *     T_comm = 2 (R - 1) (r BUCKET / B + r a)            heed's: the r runs of the process that has most come
 *     directly
 *
 * over a wire of B bytes per second with a seconds per message, in n buckets. The backward pass takes 2/3 of a
 * shard's time, and the messages travel during it. Prints T(1) / T(R), and draws it: the second form dashed.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <heed/heed.h>

enum { MOST = 8, POINTS = 13, RUNS_OF_A_BUCKET = 4 };
static const double bandwidth = 12.5e9, latency = 3e-6, bucket = 1 << 20, run_bytes = 1 << 18;

/* A curve for one of bench_team's models: the number of copies of the model in a row, and of shards in a batch. */
static const struct scene {
    const char *model, *label;
    double repeats, shards, cores;
} scenes[] = {
    {"w7", "0.2 M parameters, 256 shards of 64 images", 1.0, 256.0, 1.0},
    {"w8", "0.8 M, 256 shards of 1,024 tokens", 1.0, 256.0, 1.0},
    {"block", "95 M, 4,096 shards of 1,024 tokens", 12.0, 4096.0, 1.0},
    {"block", "the same, each process 64 cores", 12.0, 4096.0, 64.0},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };
static const uint32_t colors[SCENES] = {0x1f77b4, 0xff7f0e, 0x2ca02c, 0xd62728};

typedef struct measured {
    char model[16];
    double shard, update, bytes; /* seconds, seconds, of the gradients */
} measured;

static double at_least(double x, double least)
{
    return x > least ? x : least;
}

static double whole(double x) /* rounds a small positive number up */
{
    double down = (double)(int64_t)x;
    return down < x ? down + 1.0 : down;
}

static double exchange(double bytes, double processes, int doublings, bool direct)
{
    const double buckets = whole(bytes / bucket), others = processes - 1.0;
    if (!direct)
        return 2.0 * others / processes * bytes / bandwidth + 2.0 * buckets * doublings * latency;
    const double runs = whole(at_least(buckets * RUNS_OF_A_BUCKET / processes, 1e-9));
    return 2.0 * others * runs * (run_bytes / bandwidth + latency);
}

/* Seconds per step with 2^doublings processes. */
static double step_time(const measured *m, const struct scene *s, int doublings, bool direct)
{
    const double processes = (double)((int64_t)1 << doublings), t = s->repeats * m->shard / s->cores;
    const double sent = exchange(s->repeats * m->bytes, processes, doublings, direct);
    return whole(s->shards / processes) * t + at_least(sent - 2.0 / 3.0 * t, 0.0) + s->repeats * m->update / s->cores;
}

static double number(const json_t *line, const char *key)
{
    return json_number_value(json_object_get(line, key));
}

/* A step's time is processor time, which other processes do not lengthen; the share of the shards is from the clock. */
static int read_all(FILE *file, measured *all)
{
    int n = 0;
    for (json_t *line; n < MOST && (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)); n++) {
        const char *model = json_string_value(json_object_get(line, "model"));
        const double step = 1e-3 * number(line, "processor ms");
        const double in_shards = number(line, "shards ms") / at_least(number(line, "median ms"), 1e-9);
        snprintf(all[n].model, sizeof all[n].model, "%s", model ? model : "");
        all[n].shard = step * in_shards / at_least(number(line, "shards"), 1.0);
        all[n].update = step * (1.0 - in_shards);
        all[n].bytes = 4.0 * number(line, "parameters");
        json_decref(line);
    }
    return n;
}

static const measured *find(const measured *all, int n, const char *model)
{
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].model, model) == 0)
            return &all[i];
    return NULL;
}

static heed_tensor *speedups(const measured *m, const struct scene *s, bool direct)
{
    heed_tensor *y = heed_zeros(HEED_F64, HEED_SHAPE(POINTS));
    for (int i = 0; i < POINTS; i++)
        heed_mutable_f64(y)[i] = step_time(m, s, 0, direct) / step_time(m, s, i, direct);
    return y;
}

static void print(const char *what, heed_tensor *numbers, int digits)
{
    printf("%-9s", what);
    for (int i = 0; i < POINTS; i++)
        printf(" %7.*f", digits, heed_data_f64(numbers)[i]);
    putchar('\n');
}

/* Prints a scene, and appends its two curves. */
static int show(const measured *m, const struct scene *s, heed_tensor *processes, uint32_t color,
                heed_plot_series *series)
{
    printf("%s; t %.3g ms, u %.3g ms\n", s->label, 1e3 * s->repeats * m->shard / s->cores,
           1e3 * s->repeats * m->update / s->cores);
    for (int direct = 0; direct < 2; direct++) {
        heed_tensor *y = speedups(m, s, direct);
        print(direct ? "  heed's" : "  halving", y, 1);
        series[direct] = (heed_plot_series){
            .x = processes, .y = y, .color = color, .style = direct ? HEED_LINE_DASHED : HEED_LINE_SOLID};
    }
    series[0].label = s->label;
    return 2;
}

/* Draws the speedup, and next to it the efficiency: the share of the processes' time that it uses. */
static void draw(const heed_plot_series *series, int n, heed_tensor *processes, const char *path)
{
    heed_plot_series shares[2 * SCENES + 1];
    for (int i = 0; i < n; i++) {
        shares[i] = series[i];
        shares[i].y = heed_div(series[i].y, processes);
    }
    const heed_plot_lines_options speedup = {.xlabel = "processes",
                                             .ylabel = "speedup",
                                             .xscale = HEED_AXIS_LOG,
                                             .yscale = HEED_AXIS_LOG,
                                             .ylim = {0.5, 3e5}}; /* leaves space for the legend */
    const heed_plot_lines_options share = {.xlabel = "processes",
                                           .ylabel = "speedup / processes",
                                           .xscale = HEED_AXIS_LOG,
                                           .ylim = {0.0, 1.05},
                                           .no_legend = true};
    const heed_plot_panel panels[] = {{.series = series, .count = n, .lines = &speedup},
                                      {.series = shares, .count = n, .lines = &share}};
    heed_plot_panels(panels, 2, path, &(heed_plot_panels_options){.panel_width = 560, .panel_height = 420});
}

int main(int argc, char **argv)
{
    measured all[MOST];
    heed_plot_series series[2 * SCENES + 1];
    int n = read_all(stdin, all), count = 1;
    if (argc != 2 || n == 0) {
        fprintf(stderr, "usage: bench_team MODEL ... | bench_scaling PICTURE\n");
        return 2;
    }
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_tensor *processes = heed_zeros(HEED_F64, HEED_SHAPE(POINTS));
    for (int i = 0; i < POINTS; i++)
        heed_mutable_f64(processes)[i] = (double)((int64_t)1 << i);
    print("processes", processes, 0);
    series[0] = (heed_plot_series){
        .x = processes, .y = processes, .style = HEED_LINE_DOTTED, .color = 0x808080, .label = "as many times"};
    for (int i = 0; i < SCENES; i++) {
        const measured *m = find(all, n, scenes[i].model);
        count += m ? show(m, &scenes[i], processes, colors[i], series + count) : 0;
    }
    draw(series, count, processes, argv[1]);
    heed_thread_cleanup();
    return 0;
}
