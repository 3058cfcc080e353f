/* bench/products.c - products of random or given sizes by heed and, if they are installed, by OpenBLAS and oneDNN: a
 * table, the sizes with the lowest ratio of heed to its best peer, and a picture.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heed/heed.h>

enum { LARGEST = 2048, MOST = 4096, WORST = 10, LEAST_SAMPLES = 5 };
enum { HEED, OPENBLAS, ONEDNN, LIBRARIES };

static const char *const names[LIBRARIES] = {"heed", "OpenBLAS", "oneDNN"};

static const char usage[] =
    "usage: bench_products [-n SIZES] [-t THREADS] [-s SECONDS for each size and library] [-o PICTURE]\n"
    "       bench_products -d LIST   products of square matrices, for example -d 256,512\n"
    "OPENBLAS_CORETYPE should name the CPU's widest vectors: see bench/README.md.\n";

typedef struct settings {
    int count, threads;
    double seconds;
    const char *picture;
    const char *squares; /* their sizes, separated by commas; NULL: random sizes */
} settings;

typedef struct product {
    int m, k, n;
    heed_tensor *a, *b, *c;
    double rate[LIBRARIES]; /* best, billions of operations per second; 0: no library */
} product;

/* -- The libraries ------------------------------------------------------------------------------------------------- */

typedef void cblas_sgemm_fn(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                            const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
typedef int dnnl_sgemm_fn(char transpose_a, char transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
                          const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc);

static cblas_sgemm_fn *cblas_sgemm;
static dnnl_sgemm_fn *dnnl_sgemm;

static void find_function(const char *library, const char *name, void *function)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), *found = handle ? dlsym(handle, name) : NULL;
    memcpy(function, &found, sizeof found);
}

/* The libraries read the number of threads when they are loaded. */
static void find_libraries(int threads)
{
    char number[16];
    snprintf(number, sizeof number, "%d", threads);
    setenv("OMP_NUM_THREADS", number, 1);
    setenv("OPENBLAS_NUM_THREADS", number, 1);
    find_function("libopenblas.so.0", "cblas_sgemm", &cblas_sgemm);
    static const char *const versions[] = {"libdnnl.so.3.6" /* Debian's version 3 */, "libdnnl.so.3", "libdnnl.so.2"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0] && !dnnl_sgemm; i++)
        find_function(versions[i], "dnnl_sgemm", &dnnl_sgemm);
}

static bool is_there(int library)
{
    return library == HEED || (library == OPENBLAS ? cblas_sgemm != NULL : dnnl_sgemm != NULL);
}

static void multiply(const product *p, int library)
{
    enum { ROW_MAJOR = 101, PLAIN = 111 };
    const float *a = heed_data_f32(p->a), *b = heed_data_f32(p->b);
    if (library == HEED) {
        heed_scope *scope = heed_no_grad_begin();
        heed_matmul(p->a, p->b);
        heed_scope_end(scope);
    } else if (library == OPENBLAS) {
        cblas_sgemm(ROW_MAJOR, PLAIN, PLAIN, p->m, p->n, p->k, 1, a, p->k, b, p->n, 0, heed_mutable_f32(p->c), p->n);
    } else {
        dnnl_sgemm('N', 'N', p->m, p->n, p->k, 1, a, p->k, b, p->n, 0, heed_mutable_f32(p->c), p->n);
    }
}

/* -- Timing -------------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds per call, over enough calls to take a tenth of a millisecond. */
static double sample(const product *p, int library)
{
    int calls = 0;
    double begin = now(), end;
    do {
        multiply(p, library);
        calls++;
        end = now();
    } while (end - begin < 1e-4);
    return (end - begin) / calls;
}

/* The libraries take turns, so that a noisy moment hits all of them. */
static void time_product(product *p, double seconds)
{
    const double end = now() + LIBRARIES * seconds, work = 2e-9 * p->m * p->k * p->n;
    for (int i = 0; i < LEAST_SAMPLES || now() < end; i++)
        for (int library = 0; library < LIBRARIES; library++)
            if (is_there(library))
                p->rate[library] = fmax(p->rate[library], work / sample(p, library));
}

static bool has_peer(void)
{
    return is_there(OPENBLAS) || is_there(ONEDNN);
}

/* heed's rate divided by the fastest peer's. There must be a peer. */
static double ratio(const product *p)
{
    return p->rate[HEED] / fmax(p->rate[OPENBLAS], p->rate[ONEDNN]);
}

/* -- Sizes --------------------------------------------------------------------------------------------------------- */

/* From 1 to LARGEST; every power of two is equally likely. */
static int draw_size(void)
{
    const double u = heed_item(heed_rand(HEED_F64, HEED_SCALAR));
    return (int)exp2(u * log2(LARGEST + 1));
}

static product measure(int m, int k, int n, double seconds)
{
    heed_scope *scope = heed_scope_begin();
    product p = {.m = m, .k = k, .n = n};
    p.a = heed_randn(HEED_F32, HEED_SHAPE(p.m, p.k));
    p.b = heed_randn(HEED_F32, HEED_SHAPE(p.k, p.n));
    p.c = heed_zeros(HEED_F32, HEED_SHAPE(p.m, p.n));
    time_product(&p, seconds);
    heed_scope_end(scope);
    return p;
}

/* The arguments of a call may be evaluated in any order, but the sizes must be the same with every compiler. */
static product draw(double seconds)
{
    const int m = draw_size(), k = draw_size(), n = draw_size();
    return measure(m, k, n, seconds);
}

/* Prints a dash for a library that is not installed, and for the ratio if no library is. */
static void print(const product *p)
{
    printf("%6d %6d %6d", p->m, p->k, p->n);
    for (int library = 0; library < LIBRARIES; library++)
        if (is_there(library))
            printf(" %9.2f", p->rate[library]);
        else
            printf(" %9s", "-");
    if (has_peer())
        printf(" %7.2f\n", ratio(p));
    else
        printf(" %7s\n", "-");
}

static int by_ratio(const void *a, const void *b)
{
    const double x = ratio(a), y = ratio(b);
    return (x > y) - (x < y);
}

static void draw_picture(const product *products, int n, const char *path)
{
    heed_tensor *work = heed_zeros(HEED_F64, HEED_SHAPE(n)), *ratios = heed_zeros(HEED_F64, HEED_SHAPE(n));
    for (int i = 0; i < n; i++) {
        heed_mutable_f64(work)[i] = 2.0 * products[i].m * products[i].k * products[i].n;
        heed_mutable_f64(ratios)[i] = ratio(&products[i]);
    }
    heed_tensor *ends = heed_linspace(HEED_F64, 1, 2.0 * LARGEST * LARGEST * LARGEST, 2);
    const heed_plot_series series[] = {
        {.x = work, .y = ratios, .style = HEED_LINE_NONE, .marker = HEED_MARKER_CIRCLE, .alpha = 0.5},
        {.x = ends, .y = heed_ones(HEED_F64, HEED_SHAPE(2)), .style = HEED_LINE_DASHED, .color = 0x808080},
    };
    heed_plot_lines(series, 2, path,
                    &(heed_plot_lines_options){.xlabel = "operations of a product",
                                               .ylabel = "heed / best other",
                                               .xscale = HEED_AXIS_LOG,
                                               .yscale = HEED_AXIS_LOG,
                                               .width = 600,
                                               .height = 350});
}

static void summarize(product *products, const settings *s)
{
    qsort(products, (size_t)s->count, sizeof *products, by_ratio);
    printf("\nthe worst, and the median\n");
    for (int i = 0; i < WORST && i < s->count; i++)
        print(&products[i]);
    print(&products[s->count / 2]);
    if (s->picture)
        draw_picture(products, s->count, s->picture);
}

static bool read_settings(int argc, char **argv, settings *s)
{
    for (int c; (c = getopt(argc, argv, "n:t:s:o:d:")) != -1;) {
        if (c == 'n')
            s->count = atoi(optarg);
        else if (c == 't')
            s->threads = atoi(optarg);
        else if (c == 's')
            s->seconds = atof(optarg);
        else if (c == 'o')
            s->picture = optarg;
        else if (c == 'd')
            s->squares = optarg;
        else
            return false;
    }
    return s->count >= 1 && s->count <= MOST && s->threads >= 1 && s->threads <= 256 && s->seconds >= 0;
}

static void time_random(const settings *s)
{
    static product products[MOST];
    for (int i = 0; i < s->count; i++) {
        products[i] = draw(s->seconds);
        print(&products[i]);
    }
    if (has_peer())
        summarize(products, s);
    else if (s->picture)
        fprintf(stderr, "There is no picture, since neither OpenBLAS nor oneDNN is installed.\n");
}

static void time_squares(const settings *s)
{
    for (const char *at = s->squares; at; at = strchr(at, ',')) {
        at += *at == ',';
        const int size = (int)strtol(at, NULL, 10);
        if (size < 1)
            break;
        const product p = measure(size, size, size, s->seconds);
        print(&p);
    }
}

int main(int argc, char **argv)
{
    settings s = {.count = 300, .threads = 1, .seconds = 0.05};
    if (!read_settings(argc, argv, &s)) {
        fputs(usage, stderr);
        return 2;
    }
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_set_num_threads(s.threads);
    find_libraries(s.threads);
    heed_manual_seed(1);
    printf("     m      k      n %9s %9s %9s   ratio\n", names[HEED], names[OPENBLAS], names[ONEDNN]);
    if (s.squares)
        time_squares(&s);
    else
        time_random(&s);
    heed_thread_cleanup();
    return 0;
}
