/* SPDX-License-Identifier: MIT */
/* A radix sort of pairs that keeps the order of equal keys. */
#include "library.h"

enum { DIGITS = 16, DIGIT_BITS = 4, KEY_BITS = 24 };

typedef struct pairs {
    cl_mem keys, values;
} pairs;

typedef struct sorter {
    cl_kernel count, move;
    cl_mem counts;
    size_t pairs, groups;
} sorter;

static void open_sorter(sorter *made, const library *of, size_t pairs)
{
    const size_t groups = (pairs + GROUP - 1) / GROUP;
    *made = (sorter){.count = kernel_named(&of->rig, "count_digits"),
                     .move = kernel_named(&of->rig, "move_by_digit"),
                     .counts = new_buffer(&of->rig, DIGITS * groups * sizeof(cl_uint), NULL),
                     .pairs = pairs,
                     .groups = groups};
}

static void close_sorter(sorter *gone)
{
    CHECK(clReleaseMemObject(gone->counts));
    CHECK(clReleaseKernel(gone->move));
    CHECK(clReleaseKernel(gone->count));
}

static void pass(sorter *with, chain *at, const pairs *from, const pairs *to, cl_uint shift)
{
    set_buffer(with->count, 0, from->keys);
    set_buffer(with->count, 1, with->counts);
    set_uint(with->count, 2, (cl_uint)with->pairs);
    set_uint(with->count, 3, shift);
    chain_launch(at, with->count, with->pairs, GROUP);
    scan_exclusive(at, with->counts, DIGITS * with->groups);
    set_buffer(with->move, 0, from->keys);
    set_buffer(with->move, 1, from->values);
    set_buffer(with->move, 2, with->counts);
    set_buffer(with->move, 3, to->keys);
    set_buffer(with->move, 4, to->values);
    set_uint(with->move, 5, (cl_uint)with->pairs);
    set_uint(with->move, 6, shift);
    chain_launch(at, with->move, with->pairs, GROUP);
}

static pairs new_pairs(const library *of, size_t bytes, const void *keys, const void *values)
{
    return (pairs){new_buffer(&of->rig, bytes, keys), new_buffer(&of->rig, bytes, values)};
}

static void free_pairs(pairs *gone)
{
    CHECK(clReleaseMemObject(gone->keys));
    CHECK(clReleaseMemObject(gone->values));
}

/* The values of equal keys are in the order in which they were. */
static int are_sorted(const cl_uint *keys, const cl_uint *values, const cl_uint *first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (keys[i] != first[values[i]])
            return 0;
        if (i && (keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] >= values[i])))
            return 0;
    }
    return 1;
}

void run_sort(const library *of)
{
    enum { PAIRS = 2500 };
    static cl_uint keys[PAIRS], sorted[PAIRS], values[PAIRS];
    uint32_t state = 11;
    for (cl_uint i = 0; i < PAIRS; i++) {
        keys[i] = next_random(&state) % 3 ? next_random(&state) & 0xffffff : i % 7;
        values[i] = i;
    }
    pairs from = new_pairs(of, sizeof keys, keys, values), to = new_pairs(of, sizeof keys, NULL, NULL);
    sorter with;
    open_sorter(&with, of, PAIRS);
    chain at = chain_new(of);
    for (cl_uint shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
        pass(&with, &at, &from, &to, shift);
        const pairs other = from;
        from = to;
        to = other;
    }
    chain_read(&at, from.keys, sorted, sizeof sorted);
    chain_read(&at, from.values, values, sizeof values);
    chain_finish(&at);
    report("sort", are_sorted(sorted, values, keys, PAIRS), digest(values, sizeof values));
    close_sorter(&with);
    free_pairs(&from);
    free_pairs(&to);
}
