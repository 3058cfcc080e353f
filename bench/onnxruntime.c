/* bench/onnxruntime.c - times W15 in onnxruntime: libheed-onnx writes the network to a file, onnxruntime reads it with
 * all optimisations and must compute heed's output. The options and the lines are those of heed_bench.
 *
 * The library libonnxruntime.so.1 is loaded at run time; LD_LIBRARY_PATH names its folder (bench/peers installs it).
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heed/onnx.h>
#include <onnxruntime_c_api.h>

#include "inference.h"

static const OrtApi *ort;

typedef struct session {
    OrtEnv *env;
    OrtSession *session;
    OrtMemoryInfo *memory;
    OrtValue *x, *y;
    heed_tensor *result; /* owns the memory of y */
} session;

static void fail(const char *message)
{
    fprintf(stderr, "bench_onnxruntime: %s\n", message);
    exit(1);
}

/* Ends the program if a call of onnxruntime has failed. */
static void check(OrtStatus *status)
{
    if (status)
        fail(ort->GetErrorMessage(status));
}

/* Loads the library and returns its version. */
static const char *load(void)
{
    void *library = dlopen("libonnxruntime.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "OrtGetApiBase") : NULL;
    if (!symbol)
        fail(dlerror());
    const OrtApiBase *(*base)(void);
    memcpy(&base, &symbol, sizeof base);
    ort = base()->GetApi(ORT_API_VERSION);
    if (!ort)
        fail("libonnxruntime.so.1 is older than the header onnxruntime_c_api.h of the build");
    return base()->GetVersionString();
}

/* Writes the network to a file and returns heed's output. */
static heed_tensor *export_network(const inference *i, const char *path)
{
    heed_onnx *model = heed_onnx_new(&(heed_onnx_options){.module = i->net});
    heed_onnx_input(model, "x", i->x);
    heed_tensor *y = heed_module_forward(i->net, i->x);
    heed_onnx_output(model, "y", y);
    heed_onnx_save(model, path);
    heed_onnx_free(model);
    return y;
}

static void open_session(session *s, const char *path, int threads)
{
    OrtSessionOptions *options;
    check(ort->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "bench", &s->env));
    check(ort->CreateSessionOptions(&options));
    check(ort->SetIntraOpNumThreads(options, threads));
    check(ort->SetInterOpNumThreads(options, 1));
    check(ort->SetSessionExecutionMode(options, ORT_SEQUENTIAL));
    check(ort->SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
    check(ort->CreateSession(s->env, path, options, &s->session));
    ort->ReleaseSessionOptions(options);
    check(ort->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &s->memory));
}

/* A value of onnxruntime that uses the memory of a contiguous f32 tensor. */
static OrtValue *share(const session *s, heed_tensor *t)
{
    const heed_shape shape = heed_shape_of(t);
    OrtValue *value;
    check(ort->CreateTensorWithDataAsOrtValue(s->memory, heed_mutable_f32(t), (size_t)heed_numel(t) * sizeof(float),
                                              shape.dims, (size_t)shape.rank, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
                                              &value));
    return value;
}

static void forward(void *context)
{
    session *s = context;
    const OrtValue *x = s->x;
    check(ort->Run(s->session, NULL, (const char *[]){"x"}, &x, 1, (const char *[]){"y"}, 1, &s->y));
}

static void close_session(session *s)
{
    ort->ReleaseValue(s->x);
    ort->ReleaseValue(s->y);
    ort->ReleaseMemoryInfo(s->memory);
    ort->ReleaseSession(s->session);
    ort->ReleaseEnv(s->env);
}

/* Ends the program if an element differs by more than 1e-5 of the largest one. */
static void compare(heed_tensor *y, heed_tensor *result)
{
    const double far = heed_item(heed_max(heed_abs(heed_sub(y, result)))), largest = heed_item(heed_max(heed_abs(y)));
    if (!(far <= 1e-5 * (largest > 1.0 ? largest : 1.0)))
        fail("the output differs from heed's");
}

static void time_network(const bench_case *c, const inference *i, const char *path)
{
    session s = {0};
    heed_tensor *y = export_network(i, path);
    open_session(&s, path, c->threads);
    s.x = share(&s, i->x);
    s.result = heed_zeros(HEED_F32, heed_shape_of(y));
    s.y = share(&s, s.result);
    forward(&s);
    compare(y, s.result);
    bench_time(c, &(bench_metric){"fwd us", .unit = 1e6}, forward, &s);
    close_session(&s);
}

void inference_run(const bench_case *c)
{
    char path[] = "/tmp/heed-bench-XXXXXX";
    bench_case peer = *c;
    peer.peer = "onnxruntime";
    peer.version = load();
    const int file = mkstemp(path);
    if (file < 0)
        fail("cannot create a file in /tmp");
    close(file);
    inference i = inference_new(c);
    heed_scope *quiet = heed_no_grad_begin();
    time_network(&peer, &i, path);
    heed_scope_end(quiet);
    heed_module_free(i.net);
    unlink(path);
}
