/* SPDX-License-Identifier: MIT */
/*
 * The host runtime: what an app's host.c may call. Written once, it is built natively (a shared object that exports
 * hd_app_main) and as RV64 firmware; it assumes stdint, stddef and string of the C library and nothing else.
 *
 *     int hd_app_main(void)
 *     {
 *         uint32_t n = hd_option("n", 4096);
 *         uint32_t *host = hd_host_alloc(n * 4);
 *         ...
 *         hd_device_ptr a = hd_malloc(n * 4);
 *         hd_copy_to_device(a, host, n * 4);
 *         app_args args = {.a = a, .n = n};
 *         hd_launch(hd_kernel_named("double_all"), hd_1d((n + 255) / 256), hd_1d(256), 0, &args, sizeof args);
 *         hd_copy_from_device(host, a, n * 4);
 *         for (uint32_t i = 0; i < n; i++)
 *             hd_check(host[i] == 2 * i, "a[%u] is %u, expected %u", i, host[i], 2 * i);
 *         return HD_PASS;
 *     }
 *
 * Errors: no call returns an error. A misuse (out of memory, double free, a copy beyond an allocation, an unknown
 * kernel, a zero-sized grid) ends the program there with one line of text; the run then exits non-zero. Calls that end
 * the program do not return; what hd_host_alloc gave is released.
 *
 * Order: launches and copies of one queue run one after another, in the order of the calls; those of different queues may
 * overlap. Copies without a queue, fills and hd_free wait for all that was appended to any queue before them; what is
 * appended does not wait.
 *
 * Time: the host's own computation costs no simulated time when it runs natively; what it asks of the device does.
 */
#ifndef HEDDLE_RT_H
#define HEDDLE_RT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "heddle_args.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HD_RT_API __attribute__((visibility("default")))
#define HD_RT_FORMAT(string, first) __attribute__((format(printf, string, first)))
#define HD_RT_NORETURN __attribute__((noreturn))
#else
#define HD_RT_API
#define HD_RT_FORMAT(string, first)
#define HD_RT_NORETURN
#endif

/* ---- The program -------------------------------------------------------------------------------------------------- */

#define HD_PASS 0
#define HD_FAIL 1

/* The app's own: checks its result against a serial reference. 0 = PASS, anything else = FAIL. */
HD_RT_API int hd_app_main(void);

/* HD_FIRMWARE_STACK(bytes); once, outside of functions: the stack of the program as firmware, 256 KiB unless said. The bytes
 * are one number: 0x100000. Natively the stack is the process's. */
#if defined(__riscv)
#define HD_FIRMWARE_STACK(bytes) __asm__(".globl __stack_bytes\n.set __stack_bytes, " #bytes)
#else
#define HD_FIRMWARE_STACK(bytes) typedef char hd_firmware_stack[(bytes) > 0 ? 1 : -1]
#endif

/* Firmware for a CPU of several harts may have void hart_main(uint64_t hart): all but the first, which runs hd_app_main, begin there, each
 * on a stack of its own of HD_FIRMWARE_HART_STACK(bytes), a multiple of 16 below 2^31, 64 KiB unless said, and with its own thread-local
 * variables; whoever returns sleeps. Of this runtime and of malloc only the first hart may make use. Natively nobody calls it. */
#if defined(__riscv)
#define HD_FIRMWARE_HART_STACK(bytes) __asm__(".globl __hart_stack_bytes\n.set __hart_stack_bytes, " #bytes)
#else
#define HD_FIRMWARE_HART_STACK(bytes) typedef char hd_firmware_hart_stack[(bytes) > 0 ? 1 : -1]
#endif

/* Ends the program with FAIL and this text. Formats as printf: flags - 0 #, width, precision, d i u x X c s p %, with h,
 * l, ll, z; f, e and g only natively. */
HD_RT_API HD_RT_NORETURN void hd_fail(const char *format, ...) HD_RT_FORMAT(1, 2);
/* hd_check(condition, format, ...): hd_fail(format, ...) unless the condition holds. */
#define hd_check(condition, ...)                                                                                       \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            hd_fail(__VA_ARGS__);                                                                                      \
    } while (0)
/* A line for the user. */
HD_RT_API void hd_print(const char *format, ...) HD_RT_FORMAT(1, 2);

/* An option of the app, `--set app.NAME=VALUE`: decimal or 0x, with K, M or G (powers of 1000) or KiB, MiB, GiB. Not set:
 * the default. Read all options before the first launch: one that is set and has not been read by then is an error,
 * because it is misspelt. */
HD_RT_API uint64_t hd_option(const char *name, uint64_t standard);
/* The same for a text; it lives as long as the program. */
HD_RT_API const char *hd_option_text(const char *name, const char *standard);

/* A number of the app's own for the results, e.g. hd_report("edges", n). The last value of a name counts. */
HD_RT_API void hd_report(const char *name, uint64_t value);

/* Reproducible numbers (splitmix64): advances *state, returns the next number. Start from hd_option("seed", 1). */
static inline uint64_t hd_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Zeroed host memory, aligned for any type; released at the end of the program, or earlier by hd_host_free. */
HD_RT_API void *hd_host_alloc(size_t bytes);
HD_RT_API void hd_host_free(void *pointer); /* NULL is allowed */

/* ---- Device memory ------------------------------------------------------------------------------------------------ */

/* bytes >= 1; aligned to 256 bytes; contents undefined. */
HD_RT_API hd_device_ptr hd_malloc(uint64_t bytes);
HD_RT_API void hd_free(hd_device_ptr pointer); /* as returned by hd_malloc; null is allowed */
/* The same on behalf of a place in the program, which messages of `heddle run --check-memory` name. hd_malloc and hd_free
 * name where they stand; a function that allocates for others may name its caller. file lives as long as the program. */
HD_RT_API hd_device_ptr hd_malloc_at(uint64_t bytes, const char *file, uint32_t line);
HD_RT_API void hd_free_at(hd_device_ptr pointer, const char *file, uint32_t line);
#define hd_malloc(bytes) hd_malloc_at(bytes, __FILE__, __LINE__)
#define hd_free(pointer) hd_free_at(pointer, __FILE__, __LINE__)

/* Within one allocation; bytes may be 0. */
HD_RT_API void hd_copy_to_device(hd_device_ptr destination, const void *source, size_t bytes);
HD_RT_API void hd_copy_from_device(void *destination, hd_device_ptr source, size_t bytes);
/* Sets every byte to the low 8 bits of value, as memset. */
HD_RT_API void hd_fill(hd_device_ptr destination, uint32_t value, size_t bytes);

/* ---- Queues ------------------------------------------------------------------------------------------------------- */

/* Of launches and copies. 0 is there from the start. */
typedef struct hd_queue {
    uint32_t number;
} hd_queue;
#define HD_DEFAULT_QUEUE ((hd_queue){0})
HD_RT_API hd_queue hd_queue_create(void);

/*
 * Appends a copy to a queue: it begins when what was appended before has ended. Within one allocation; bytes may be 0. Until
 * it has been waited for, its source stays as it is, its destination is not looked at, and neither is freed. On a machine
 * without a DMA engine the call itself waits for the queue, and copies.
 */
typedef struct hd_copied {
    hd_queue queue;
    uint32_t commands; /* of the queue, up to this copy, mod 2^32 */
} hd_copied;
HD_RT_API hd_copied hd_copy_to_device_on(hd_queue queue, hd_device_ptr destination, const void *source, size_t bytes);
HD_RT_API hd_copied hd_copy_from_device_on(hd_queue queue, void *destination, hd_device_ptr source, size_t bytes);

/* Until this copy, all of this queue, or all of every queue is complete. */
HD_RT_API void hd_wait_copy(hd_copied copy);
HD_RT_API void hd_wait_queue(hd_queue queue);
HD_RT_API void hd_synchronize(void);

/* ---- Kernels ------------------------------------------------------------------------------------------------------ */

typedef struct hd_dim3 {
    uint32_t x, y, z;
} hd_dim3;
static inline hd_dim3 hd_3d(uint32_t x, uint32_t y, uint32_t z)
{
    hd_dim3 size = {x, y, z};
    return size;
}
static inline hd_dim3 hd_2d(uint32_t x, uint32_t y)
{
    return hd_3d(x, y, 1);
}
static inline hd_dim3 hd_1d(uint32_t x)
{
    return hd_3d(x, 1, 1);
}

/* A function of the app's kernel program. */
typedef struct hd_kernel {
    uint32_t module;
    uint32_t entry_pc;
    const char *name; /* as passed to hd_kernel_named */
} hd_kernel;
/* By the name of its entry function. */
HD_RT_API hd_kernel hd_kernel_named(const char *name);

/* A variable of the app's kernel program, by its name; copies may reach it as an allocation. */
HD_RT_API hd_device_ptr hd_symbol(const char *name);

/* Stack of every thread of later launches, in bytes, rounded up to 128; 4096 unless set here. */
HD_RT_API void hd_set_stack(uint32_t bytes_per_thread);

/* One launch. */
typedef struct hd_launched {
    uint32_t number; /* of the launch in this run, from 0 */
} hd_launched;

/*
 * Appends a launch to the default queue, or to a queue. grid: blocks in x, y, z; block: threads in x, y, z, all >= 1.
 * scratchpad_bytes: per block. The argument block is copied at the call; argument_bytes 0..HD_ARGUMENT_BYTES_MAX, and
 * arguments may be NULL when it is 0. Waits only when the queue is full.
 */
HD_RT_API hd_launched hd_launch(hd_kernel kernel, hd_dim3 grid, hd_dim3 block, uint32_t scratchpad_bytes,
                                const void *arguments, uint32_t argument_bytes);
HD_RT_API hd_launched hd_launch_on(hd_queue queue, hd_kernel kernel, hd_dim3 grid, hd_dim3 block,
                                   uint32_t scratchpad_bytes, const void *arguments, uint32_t argument_bytes);

/* Until this launch is complete. */
HD_RT_API void hd_wait(hd_launched launch);
/* Cycles of the command processor's clock from start to end of a launch; waits for it first. */
HD_RT_API uint64_t hd_launch_cycles(hd_launched launch);

#ifdef __cplusplus
}
#endif

#endif
