/* SPDX-License-Identifier: MIT */
/* What the programs here have in common: they end with 1 at the first thing that is wrong, and say PASS otherwise. */
#ifndef CHECK_CUH
#define CHECK_CUH

#include <cstdio>
#include <cstdlib>

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t error = (call);                                                                              \
        if (error) {                                                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define EXPECT(condition, ...)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Numbers that look random and are the same each time. */
static inline unsigned next_random(unsigned *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

/* A copy on the device. */
template <class T> static T *to_device(const T *from, size_t count)
{
    T *to;
    CUDA(cudaMalloc(&to, count * sizeof *to));
    CUDA(cudaMemcpy(to, from, count * sizeof *to, cudaMemcpyHostToDevice));
    return to;
}

template <class T> static void from_device(T *to, const T *from, size_t count)
{
    CUDA(cudaMemcpy(to, from, count * sizeof *to, cudaMemcpyDeviceToHost));
}

static inline int passed()
{
    CUDA(cudaDeviceSynchronize());
    puts("PASS");
    return 0;
}

#endif
