/* SPDX-License-Identifier: MIT */
/* kernels.cl on machines: each result against what C computes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define N 1000u

static void check_vecadd(bench *b)
{
    float a[N], c[N];
    const uint32_t n = N;
    for (uint32_t i = 0; i < N; i++)
        a[i] = 0.25f * (float)i;
    const heddle_address in = bench_buffer(b, a, sizeof a), out = bench_buffer(b, NULL, sizeof c);
    bench_launch(b, "vecadd", &(bench_sizes){1, {0}, {8, 1, 1}, {128, 1, 1}},
                 (bench_value[]){BUFFER(in), BUFFER(in), BUFFER(out), VALUE(n)}, 4);
    bench_read(b, c, out, sizeof c);
    for (uint32_t i = 0; i < N; i++)
        cr_assert_eq(c[i], a[i] + a[i], "%u", i);
}

static void check_reduce(bench *b)
{
    uint32_t values[N], sum = 0, got;
    const uint32_t n = N;
    for (uint32_t i = 0; i < N; i++)
        sum += values[i] = i * 2654435761u;
    const heddle_address in = bench_buffer(b, values, sizeof values), out = bench_buffer(b, NULL, sizeof got);
    bench_launch(b, "reduce", &(bench_sizes){1, {0}, {3, 1, 1}, {128, 1, 1}},
                 (bench_value[]){BUFFER(in), VALUE(n), BUFFER(out), LOCAL(128 * 4)}, 4);
    bench_read(b, &got, out, sizeof got);
    cr_assert_eq(got, sum);
}

static void check_matmul(bench *b)
{
    enum { SIDE = 32 };
    static float a[SIDE][SIDE], c[SIDE][SIDE];
    const uint32_t n = SIDE;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        a[i / SIDE][i % SIDE] = (float)(i % 7) - 3;
    const heddle_address in = bench_buffer(b, a, sizeof a), out = bench_buffer(b, NULL, sizeof c);
    bench_launch(b, "matmul", &(bench_sizes){2, {0}, {2, 2, 1}, {16, 16, 1}},
                 (bench_value[]){BUFFER(in), BUFFER(in), BUFFER(out), VALUE(n)}, 4);
    bench_read(b, c, out, sizeof c);
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++) {
            float sum = 0;
            for (uint32_t k = 0; k < SIDE; k++)
                sum += a[i][k] * a[k][j];
            cr_assert_eq(c[i][j], sum, "%u %u", i, j);
        }
}

static void check_histogram(bench *b)
{
    enum { BINS = 50 };
    uint8_t values[N];
    uint32_t counts[BINS] = {0}, got[BINS];
    const uint32_t n = N, bins = BINS;
    for (uint32_t i = 0; i < N; i++)
        counts[values[i] = (uint8_t)(i * i % BINS)]++;
    const heddle_address in = bench_buffer(b, values, sizeof values), out = bench_buffer(b, NULL, sizeof got);
    bench_launch(b, "histogram", &(bench_sizes){1, {0}, {2, 1, 1}, {64, 1, 1}},
                 (bench_value[]){BUFFER(in), VALUE(n), BUFFER(out), VALUE(bins), LOCAL(BINS * 4)}, 5);
    bench_read(b, got, out, sizeof got);
    cr_assert_arr_eq(got, counts, sizeof counts);
}

typedef struct scaling {
    float scale[4];
    int32_t first;
    int8_t tag;
    int16_t pad[3];
} __attribute__((aligned(16))) scaling;

static float dot(const float *v)
{
    return fmaf(v[0], v[0], fmaf(v[1], v[1], fmaf(v[2], v[2], v[3] * v[3])));
}

static void check_float4(const float (*in)[4], const float (*out)[4], const scaling *s, const float *offsets,
                         const float *q)
{
    static const float weights[] = {0.5f, 0.25f, 2.0f, -1.0f};
    for (uint32_t i = 0; i < 64; i++) {
        float v[4];
        for (uint32_t k = 0; k < 4; k++)
            v[k] = in[i][k] * s->scale[k] + (k ? q[k - 1] : offsets[i & 3]);
        const float added[] = {dot(v), (float)s->tag, (float)s->pad[2], weights[i & 3]};
        for (uint32_t k = 0; k < 4; k++)
            cr_assert_float_eq(out[i][k], v[3 - k] + added[k], 1e-3, "%u.%u: %g", i, k, (double)out[i][k]);
    }
}

static void check_vectors(bench *b)
{
    float in[64][4], out[72][4];
    int32_t before[64][4], after[64][4];
    const float offsets[4] = {1, 2, 3, 4}, q[4] = {0.5f, -1, 8, 0};
    const scaling s = {{2, 1, 0.5f, -1}, 8, -5, {0, 0, 77}};
    const int8_t step = -3;
    for (int32_t i = 0; i < 256; i++) {
        in[i / 4][i % 4] = (float)(i % 13) / 4;
        before[i / 4][i % 4] = i;
    }
    const heddle_address from = bench_buffer(b, in, sizeof in), to = bench_buffer(b, NULL, sizeof out),
                         constant = bench_buffer(b, offsets, sizeof offsets),
                         integers = bench_buffer(b, before, sizeof before);
    bench_launch(
        b, "vectors", &(bench_sizes){1, {0}, {2, 1, 1}, {32, 1, 1}},
        (bench_value[]){BUFFER(from), BUFFER(to), VALUE(s), BUFFER(constant), VALUE(q), BUFFER(integers), VALUE(step)},
        7);
    bench_read(b, out, to, sizeof out);
    bench_read(b, after, integers, sizeof after);
    check_float4((const float(*)[4])in, (const float(*)[4])(out + 8), &s, offsets, q);
    for (int32_t i = 0; i < 64; i++)
        for (int32_t k = 0; k < 4; k++) {
            const int32_t added[] = {i, step, -step, 1}, value = before[i][k ^ 1] * 2 + added[k];
            cr_assert_eq(after[i][k], value > 100 ? -value : value, "%d.%d", i, k);
        }
}

/* By functions.cl's order; the standard allows errors of a few units in the last place, and native_ ones any. */
static void check_functions(bench *b)
{
    enum { COUNT = 64, FUNCTIONS = 10 };
    static const double allowed[FUNCTIONS] = {1e-6, 1e-6, 1e-6, 1e-6, 4e-6, 2e-6, 1e-6, 2e-6, 1e-4, 1e-5};
    float in[COUNT], out[FUNCTIONS][COUNT];
    const uint32_t n = COUNT;
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = 0.1f + 0.37f * (float)i;
    const heddle_address from = bench_buffer(b, in, sizeof in), to = bench_buffer(b, NULL, sizeof out);
    bench_launch(b, "functions", &(bench_sizes){1, {0}, {1, 1, 1}, {64, 1, 1}},
                 (bench_value[]){BUFFER(from), BUFFER(to), VALUE(n)}, 3);
    bench_read(b, out, to, sizeof out);
    for (uint32_t i = 0; i < COUNT; i++) {
        const double x = (double)in[i];
        const double expected[FUNCTIONS] = {
            sqrt(x), exp(-x), log(x),     sin(x), pow(x, 1.5), atan2(x, 2.0), (double)fmodf(in[i], 0.7f),
            tanh(x), cos(x),  1 / sqrt(x)};
        for (uint32_t f = 0; f < FUNCTIONS; f++)
            cr_assert_float_eq((double)out[f][i], expected[f], allowed[f] * (1 + fabs(expected[f])), "%u of %g: %g", f,
                               x, (double)out[f][i]);
    }
}

static void check_wide(bench *b)
{
    int64_t integers[32], got[32];
    double reals[32], got_reals[32];
    const int64_t factor = 1234567891;
    const double scale = 0.3;
    for (int i = 0; i < 32; i++) {
        integers[i] = (int64_t)i * 987654321 - 40000;
        reals[i] = 1.25 * i * i;
    }
    const heddle_address a = bench_buffer(b, integers, sizeof integers), d = bench_buffer(b, reals, sizeof reals);
    bench_launch(b, "wide", &(bench_sizes){1, {0}, {1, 1, 1}, {32, 1, 1}},
                 (bench_value[]){BUFFER(a), BUFFER(d), VALUE(factor), VALUE(scale)}, 4);
    bench_read(b, got, a, sizeof got);
    bench_read(b, got_reals, d, sizeof got_reals);
    for (int i = 0; i < 32; i++) {
        const int64_t expected = integers[i] * factor / 7 + (integers[i] >> 3) + (int64_t)reals[i];
        cr_assert_eq(got[i], expected, "%d", i);
        cr_assert_float_eq(got_reals[i], sqrt(reals[i]) * scale + (double)expected, 1e-9 * fabs((double)expected), "%d",
                           i);
    }
}

static void check_places(bench *b)
{
    uint32_t out[32 * 6][4];
    const heddle_address to = bench_buffer(b, NULL, sizeof out);
    bench_launch(b, "places", &(bench_sizes){2, {5, 40, 0}, {4, 3, 1}, {8, 2, 1}}, (bench_value[]){BUFFER(to)}, 1);
    bench_read(b, out, to, sizeof out);
    for (uint32_t y = 0; y < 6; y++)
        for (uint32_t x = 0; x < 32; x++) {
            const uint32_t expected[4] = {x + 5 + 1000 * (y + 40), x % 8 + 1000 * (y % 2), x / 8 + 1000 * (y / 2),
                                          2 + 40 + 3000};
            cr_assert_arr_eq(out[y * 32 + x], expected, sizeof expected);
        }
}

static void check_atomics(bench *b)
{
    enum { THREADS = 96 };
    int32_t words[10] = {0, 0, 0, 0, 0, 0, -1, 0, 0, 0}, expected[10] = {0, 0, 0, 0, 0, 0, -1, 0, 0, 7};
    uint32_t more[2] = {0, 0};
    for (int32_t i = 0; i < THREADS; i++) {
        expected[0] += i;
        expected[1] -= i;
        expected[2]++;
        expected[3]--;
        expected[4] = -i;
        expected[5] = i;
        expected[6] &= ~(1 << (i & 7));
        expected[7] = (int32_t)((uint32_t)expected[7] | 1u << (i & 31));
        expected[8] ^= i;
    }
    const heddle_address in = bench_buffer(b, words, sizeof words), too = bench_buffer(b, more, sizeof more);
    bench_launch(b, "atomics", &(bench_sizes){1, {0}, {3, 1, 1}, {32, 1, 1}}, (bench_value[]){BUFFER(in), BUFFER(too)},
                 2);
    bench_read(b, words, in, sizeof words);
    bench_read(b, more, too, sizeof more);
    cr_assert_arr_eq(words, expected, sizeof words);
    cr_assert_eq(more[0], UINT32_MAX);
    cr_assert_eq(more[1], 3u * THREADS);
}

static void check_helpers(bench *b)
{
    enum { THREADS = 96 };
    uint32_t out[THREADS];
    const heddle_address to = bench_buffer(b, NULL, sizeof out);
    for (uint32_t turns = 2; turns < 4; turns++) {
        bench_launch(b, "helpers", &(bench_sizes){1, {0}, {1, 1, 1}, {THREADS, 1, 1}},
                     (bench_value[]){BUFFER(to), VALUE(turns), LOCAL(THREADS * 4)}, 3);
        bench_read(b, out, to, sizeof out);
        for (uint32_t i = 0; i < THREADS; i++)
            cr_assert_eq(out[i], (i + (turns > 2 ? 1 : 2) + 3) % THREADS, "%u: %u", i, out[i]);
    }
}

static void check_halves(bench *b)
{
    enum { COUNT = 64 };
    uint16_t in[COUNT], back[COUNT];
    float out[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = (uint16_t)(i * 997); /* subnormal numbers, infinities and others */
    const heddle_address from = bench_buffer(b, in, sizeof in), to = bench_buffer(b, NULL, sizeof out),
                         again = bench_buffer(b, NULL, sizeof back);
    bench_launch(b, "halves", &(bench_sizes){1, {0}, {2, 1, 1}, {32, 1, 1}},
                 (bench_value[]){BUFFER(from), BUFFER(to), BUFFER(again)}, 3);
    bench_read(b, out, to, sizeof out);
    bench_read(b, back, again, sizeof back);
    for (uint32_t i = 0; i < COUNT; i++) {
        _Float16 half, got;
        memcpy(&half, &in[i], sizeof half);
        memcpy(&got, &back[i], sizeof got);
        cr_assert(out[i] == (float)half || half != half, "%u: %g", i, (double)out[i]);
        cr_assert(got == (_Float16)((float)half * 1.0009765f) || half != half, "%u: %g", i, (double)(float)got);
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void check_arms(bench *b)
{
    enum { COLUMNS = 50, STEPS = 3, THREADS = 64 };
    uint32_t in[STEPS + 1][COLUMNS], out[COLUMNS], ways[2][COLUMNS + 2];
    const uint32_t columns = COLUMNS, steps = STEPS;
    memset(ways, 0x7F, sizeof ways); /* as far */
    for (uint32_t i = 0; i < (STEPS + 1) * COLUMNS; i++)
        in[i / COLUMNS][i % COLUMNS] = i * 7919 % 1009;
    memcpy(&ways[0][1], in[0], sizeof in[0]);
    for (uint32_t step = 0; step < STEPS; step++)
        for (uint32_t i = 1; i <= COLUMNS; i++) {
            const uint32_t *from = ways[step % 2];
            ways[1 - step % 2][i] = least(least(from[i - 1], from[i + 1]), from[i]) + in[step + 1][i - 1];
        }
    const heddle_address from = bench_buffer(b, in, sizeof in), to = bench_buffer(b, NULL, sizeof out);
    bench_launch(b, "arms_before_a_loop", &(bench_sizes){1, {0}, {1, 1, 1}, {THREADS, 1, 1}},
                 (bench_value[]){BUFFER(from), BUFFER(to), VALUE(columns), VALUE(steps), LOCAL(THREADS * 4)}, 5);
    bench_read(b, out, to, sizeof out);
    cr_assert_arr_eq(out, &ways[STEPS % 2][1], sizeof out);
}

static void run_file(const bench_machine *on, const char *path)
{
    static void (*const checks[])(bench *) = {check_vecadd,  check_reduce,    check_matmul, check_histogram,
                                              check_vectors, check_functions, check_wide,   check_places,
                                              check_atomics, check_helpers,   check_halves, check_arms};
    bench b = bench_open(on, path);
    for (size_t i = 0; i < COUNT_OF(checks); i++)
        checks[i](&b);
    bench_close(&b);
}

static void run_all(const bench_machine *on)
{
    run_file(on, KERNELC_SOURCES "/kernels.cl");
}

Test(opencl_kernels, run_on_the_gtx480)
{
    run_all(&(bench_machine){KERNELC_MACHINES "/gtx480.yaml", {NULL}});
}

Test(opencl_kernels, run_with_any_number_of_lanes)
{
    static const char *const lanes[] = {"core.lanes=8", "core.lanes=16", "core.lanes=32", "core.lanes=64"};
    static const char *const types[] = {"core.type=timed", "core.type=functional"};
    static const char *const ways[] = {"core.reconvergence=stack", "core.reconvergence=mimd"};
    for (size_t i = 0; i < COUNT_OF(lanes) * COUNT_OF(types) * COUNT_OF(ways); i++)
        run_all(&(bench_machine){KERNELC_SMALL, {lanes[i / 4], types[i / 2 % 2], ways[i % 2], "core.warps=32"}});
}

Test(opencl_kernels, run_on_other_machines)
{
    static const char *const machines[] = {"/quadro_fx5800.yaml", "/tesla_c2050.yaml", "/v100_8_sm.yaml"};
    for (size_t i = 0; i < COUNT_OF(machines); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s%s", KERNELC_MACHINES, machines[i]);
        run_all(&(bench_machine){path, {NULL}});
    }
}

#ifdef KERNELC_SPIRV /* words that make a program in SPIR-V of one in LLVM's bitcode, and of one in OpenCL C */
Test(opencl_kernels, run_from_spirv)
{
    char folder[] = "/tmp/heddle-spirv-XXXXXX", words[2048], path[512];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/kernels.spv", folder);
    snprintf(words, sizeof words,
             KERNELC_SPIRV_CLANG " -x cl -cl-std=CL1.2 --target=spir-unknown-unknown -cl-kernel-arg-info -O1 -w"
                                 " -Xclang -disable-llvm-passes -c -emit-llvm %s/kernels.cl -o %s/kernels.bc"
                                 " && " KERNELC_SPIRV " %s/kernels.bc -o %s",
             KERNELC_SOURCES, folder, folder, path);
    cr_assert_eq(system(words), 0, "%s", words);
    run_file(&(bench_machine){KERNELC_SMALL, {"core.warps=32"}}, path);
    snprintf(words, sizeof words, "rm -r %s", folder);
    cr_expect_eq(system(words), 0);
}
#endif
