/* SPDX-License-Identifier: MIT */
/* A machine with a program in OpenCL C, and launches of its kernels, as a runtime would make them. */
#ifndef TESTS_KERNELC_BENCH_H
#define TESTS_KERNELC_BENCH_H

#include <criterion/criterion.h>

#include "heddle.h"
#include "kernelc.h"

/* Where kernels run. */
typedef struct bench_machine {
    const char *netlist;
    const char *overrides[5]; /* NULL behind the last */
} bench_machine;

typedef struct bench {
    heddle_machine *machine;
    heddle_queue *queue;
    kernelc_kernels kernels;
} bench;

/* What heddle_kernelc_compile makes of a file, without its cache. The test fails if that is not an image. */
kernelc_output bench_compile(const char *path, const char *options);
bench bench_open(const bench_machine *on, const char *path);
bench bench_open_with(const bench_machine *on, const char *path, const heddle_callbacks *callbacks);
void bench_close(bench *b);

/* A buffer with these bytes; data NULL: zeroes. */
heddle_address bench_buffer(bench *b, const void *data, size_t bytes);
void bench_read(bench *b, void *data, heddle_address from, size_t bytes);

/* An argument of a launch. */
typedef struct bench_value {
    const void *data; /* NULL: local memory */
    size_t bytes;
} bench_value;

#define BUFFER(address)                                                                                                \
    {                                                                                                                  \
        &(address), sizeof(heddle_address)                                                                             \
    }
#define VALUE(value)                                                                                                   \
    {                                                                                                                  \
        &(value), sizeof(value)                                                                                        \
    }
#define LOCAL(size)                                                                                                    \
    {                                                                                                                  \
        NULL, (size)                                                                                                   \
    }

typedef struct bench_sizes {
    uint32_t dimensions;
    uint32_t offset[3], groups[3], group[3];
} bench_sizes;

/* Cycles that it took. */
uint64_t bench_launch(bench *b, const char *kernel, const bench_sizes *sizes, const bench_value *values,
                      uint32_t count);

#endif
