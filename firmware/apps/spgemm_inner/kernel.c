/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* What the threads of a block share. */
typedef struct team {
    uint32_t row;
    uint32_t node;
    uint32_t found; /* elements of the row */
} team;

/* Elements of a row or of a column. */
typedef struct line {
    const uint32_t *index, *end;
    const float *value;
} line;

static line line_of(hd_device_ptr first, hd_device_ptr indices, hd_device_ptr values, uint32_t number)
{
    const uint32_t *firsts = HD_POINTER(const uint32_t, first), *index = HD_POINTER(const uint32_t, indices);
    return (line){index + firsts[number], index + firsts[number + 1], HD_POINTER(const float, values) + firsts[number]};
}

/* The sum of the products of elements that have the same place. 0: there are none, which a sum of 0 does not say. */
static uint32_t inner_product(line a, line b, float *sum)
{
    uint32_t matches = 0;
    *sum = 0;
    while (a.index != a.end && b.index != b.end) {
        const uint32_t at_a = *a.index, at_b = *b.index;
        if (at_a == at_b) {
            *sum += *a.value * *b.value;
            matches++;
        }
        const uint32_t step_a = at_a <= at_b, step_b = at_b <= at_a;
        a.index += step_a;
        a.value += step_a;
        b.index += step_b;
        b.value += step_b;
    }
    return matches;
}

static void take_row(const spgemm_inner_args *args, team *mine)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    uint32_t *counters = HD_POINTER(uint32_t, args->counters);
    mine->row = simt_atomic_add(&counters[COUNTER_ROW], 1);
    mine->found = 0;
    mine->node = 0;
    if (mine->row < args->rows && a_first[mine->row] != a_first[mine->row + 1])
        mine->node = simt_atomic_add(&counters[COUNTER_TOP], NODE_WORDS(args->columns));
}

static void multiply_row(const spgemm_inner_args *args, team *mine)
{
    uint32_t *pairs = HD_POINTER(uint32_t, args->heap) + mine->node + NODE_PAIRS;
    const line row = line_of(args->a_first, args->a_columns, args->a_values, mine->row);
    for (uint32_t column = simt_thread_x(); column < args->columns; column += simt_block_size_x()) {
        float sum;
        if (!inner_product(row, line_of(args->b_first, args->b_rows, args->b_values, column), &sum))
            continue;
        uint32_t *pair = pairs + PAIR_WORDS * simt_atomic_add(&mine->found, 1);
        pair[PAIR_COLUMN] = column;
        ((float *)pair)[PAIR_VALUE] = sum;
    }
}

static void end_node(const spgemm_inner_args *args, const team *mine)
{
    uint32_t *node = HD_POINTER(uint32_t, args->heap) + mine->node;
    if (!mine->found)
        return;
    node[NODE_NEXT] = 0;
    node[NODE_LENGTH] = mine->found;
    HD_POINTER(uint32_t, args->lists)[mine->row] = mine->node;
}

/* A block takes a row of A at a time, a thread a column of B. */
SIMT_KERNEL(spgemm_inner, const spgemm_inner_args *args)
{
    team *mine = (team *)simt_scratchpad;
    const uint32_t thread = simt_thread_x();
    uint32_t is_over = 0;
    while (!is_over) {
        if (thread == 0)
            take_row(args, mine);
        simt_barrier_number(0);
        is_over = mine->row >= args->rows;
        if (mine->node)
            multiply_row(args, mine);
        simt_barrier_number(1);
        if (thread == 0 && mine->node)
            end_node(args, mine);
    }
}
