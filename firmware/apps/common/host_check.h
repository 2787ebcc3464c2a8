/* SPDX-License-Identifier: MIT */
/*
 * What every host.c needs: options with a range, reproducible inputs, device arrays, comparing with the reference.
 */
#ifndef HOST_CHECK_H
#define HOST_CHECK_H

#include "heddle_rt.h"

/* An option that must lie in minimum .. maximum. */
static inline uint32_t host_option(const char *name, uint32_t standard, uint32_t minimum, uint32_t maximum)
{
    uint64_t value = hd_option(name, standard);
    hd_check(value >= minimum && value <= maximum, "option %s is %llu; it must be %u to %u", name,
             (unsigned long long)value, minimum, maximum);
    return (uint32_t)value;
}

/* A one-dimensional grid of enough blocks for this many threads. */
static inline hd_dim3 host_blocks(uint32_t threads, uint32_t block)
{
    return hd_1d((threads + block - 1) / block);
}

/* A two-dimensional grid of enough blocks of this size for this many columns and rows. */
static inline hd_dim3 host_blocks_2d(uint32_t columns, uint32_t rows, uint32_t block_x, uint32_t block_y)
{
    return hd_2d((columns + block_x - 1) / block_x, (rows + block_y - 1) / block_y);
}

/* A new device array with these contents. Messages about it name the line of the call. */
#define host_upload(data, bytes) host_upload_at(data, bytes, __FILE__, __LINE__)
static inline hd_device_ptr host_upload_at(const void *data, size_t bytes, const char *file, uint32_t line)
{
    hd_device_ptr pointer = hd_malloc_at(bytes, file, line);
    hd_copy_to_device(pointer, data, bytes);
    return pointer;
}

/* A new device array with every byte of this value. */
#define host_filled(value, bytes) host_filled_at(value, bytes, __FILE__, __LINE__)
static inline hd_device_ptr host_filled_at(uint32_t value, size_t bytes, const char *file, uint32_t line)
{
    hd_device_ptr pointer = hd_malloc_at(bytes, file, line);
    hd_fill(pointer, value, bytes);
    return pointer;
}

/* A new device array for a result: an element that no thread writes is seen. */
#define host_poisoned(bytes) host_filled(0xA5, bytes)

/* A copy of a device array, for the host. */
static inline void *host_download(hd_device_ptr pointer, size_t bytes)
{
    void *data = hd_host_alloc(bytes);
    hd_copy_from_device(data, pointer, bytes);
    return data;
}

/* hd_launch by name. */
static inline hd_launched host_launch(const char *kernel, hd_dim3 grid, hd_dim3 block, uint32_t scratchpad_bytes,
                                      const void *args, uint32_t args_bytes)
{
    return hd_launch(hd_kernel_named(kernel), grid, block, scratchpad_bytes, args, args_bytes);
}

/* So many times, one after the other: what a launch takes does not depend on how fast the host appends the next one. */
static inline void host_launch_times(uint32_t times, const char *kernel, hd_dim3 grid, hd_dim3 block,
                                     uint32_t scratchpad_bytes, const void *args, uint32_t args_bytes)
{
    hd_launched last = {0};
    for (uint32_t i = 0; i < times; i++) {
        if (i)
            hd_wait(last);
        last = host_launch(kernel, grid, block, scratchpad_bytes, args, args_bytes);
    }
}

/* Uniform in 0 .. below - 1. */
static inline uint32_t host_random_below(uint64_t *state, uint32_t below)
{
    return (uint32_t)((hd_random(state) >> 32) * below >> 32);
}

/* A multiple of 1/256 in -4 .. 4: products and short sums are exact in double. */
static inline float host_random_float(uint64_t *state)
{
    return ((float)host_random_below(state, 2049) - 1024) / 256;
}

static inline void host_check_word(const char *array, uint32_t index, uint32_t got, uint32_t expected)
{
    hd_check(got == expected, "%s[%u] is %u, expected %u", array, index, got, expected);
}

static inline uint32_t host_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Equal to the bit. */
static inline void host_check_float(const char *array, uint32_t index, float got, float expected)
{
    hd_check(host_bits_of(got) == host_bits_of(expected), "%s[%u] is 0x%08x, expected 0x%08x (float)", array, index,
             host_bits_of(got), host_bits_of(expected));
}

#endif
