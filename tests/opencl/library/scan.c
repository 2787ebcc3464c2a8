/* SPDX-License-Identifier: MIT */
/* Prefix sums: groups, then the sums of groups in the same way, then both together. */
#include "library.h"

enum { LEVELS_MAX = 4 };

/* The sums of each level are a part of one buffer. */
typedef struct levels {
    cl_mem memory;
    cl_mem parts[LEVELS_MAX];
    size_t counts[LEVELS_MAX];
    int count;
} levels;

static size_t groups_of(size_t count)
{
    return (count + GROUP - 1) / GROUP;
}

static void open_levels(levels *made, const library *of, cl_mem data, size_t count)
{
    const size_t alignment = part_alignment(of);
    size_t offsets[LEVELS_MAX], bytes = 0;
    *made = (levels){.parts = {data}, .counts = {count}, .count = 1};
    while (made->counts[made->count - 1] > 1) {
        made->counts[made->count] = groups_of(made->counts[made->count - 1]);
        offsets[made->count] = bytes;
        bytes += (made->counts[made->count] * sizeof(cl_uint) + alignment - 1) / alignment * alignment;
        made->count++;
    }
    made->memory = new_buffer(&of->rig, bytes ? bytes : alignment, NULL);
    for (int i = 1; i < made->count; i++)
        made->parts[i] = new_part(made->memory, offsets[i], made->counts[i] * sizeof(cl_uint));
}

static void close_levels(levels *gone)
{
    for (int i = 1; i < gone->count; i++)
        CHECK(clReleaseMemObject(gone->parts[i]));
    CHECK(clReleaseMemObject(gone->memory));
}

static void scan_down(chain *at, const levels *all, cl_kernel kernel)
{
    set_local(kernel, 3, GROUP * sizeof(cl_uint));
    for (int i = 0; i + 1 < all->count; i++) {
        set_buffer(kernel, 0, all->parts[i]);
        set_buffer(kernel, 1, all->parts[i + 1]);
        set_uint(kernel, 2, (cl_uint)all->counts[i]);
        chain_launch(at, kernel, all->counts[i], GROUP);
    }
}

static void add_up(chain *at, const levels *all, cl_kernel kernel)
{
    for (int i = all->count - 3; i >= 0; i--) {
        set_buffer(kernel, 0, all->parts[i]);
        set_buffer(kernel, 1, all->parts[i + 1]);
        set_uint(kernel, 2, (cl_uint)all->counts[i]);
        chain_launch(at, kernel, all->counts[i], GROUP);
    }
}

void scan_exclusive(chain *at, cl_mem data, size_t count)
{
    levels all;
    open_levels(&all, at->of, data, count);
    cl_kernel scan = kernel_named(&at->of->rig, "scan_groups"), add = kernel_named(&at->of->rig, "add_sums");
    if (count == 1)
        chain_fill(at, data, 0, sizeof(cl_uint)); /* which has none before it */
    scan_down(at, &all, scan);
    add_up(at, &all, add);
    CHECK(clReleaseKernel(add)); /* what is enqueued keeps them */
    CHECK(clReleaseKernel(scan));
    close_levels(&all);
}

/* ---- The workload: sizes around those of groups, each in a chain of its own ----------------------------------------------- */

static int is_exclusive_sum(const cl_uint *sums, const cl_uint *values, size_t count)
{
    cl_uint sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (sums[i] != sum)
            return 0;
        sum += values[i];
    }
    return 1;
}

void run_scan(const library *of)
{
    static const size_t counts[] = {1, 63, 64, 65, 4096, 4097, 10000};
    enum { COUNTS = sizeof counts / sizeof *counts };
    chain chains[COUNTS];
    cl_uint *values[COUNTS], *sums[COUNTS];
    uint32_t state = 5, result = 0;
    int is_right = 1;
    for (int i = 0; i < COUNTS; i++) {
        const size_t bytes = counts[i] * sizeof(cl_uint);
        values[i] = allocated(bytes);
        sums[i] = allocated(bytes);
        for (size_t k = 0; k < counts[i]; k++)
            values[i][k] = next_random(&state) % 100;
        cl_mem data = new_buffer(&of->rig, bytes, values[i]);
        chains[i] = chain_new(of);
        scan_exclusive(&chains[i], data, counts[i]);
        chain_read(&chains[i], data, sums[i], bytes);
        CHECK(clReleaseMemObject(data));
    }
    for (int i = 0; i < COUNTS; i++) {
        chain_finish(&chains[i]);
        is_right &= is_exclusive_sum(sums[i], values[i], counts[i]);
        result ^= digest(sums[i], counts[i] * sizeof(cl_uint));
        free(values[i]);
        free(sums[i]);
    }
    report("scan", is_right, result);
}
