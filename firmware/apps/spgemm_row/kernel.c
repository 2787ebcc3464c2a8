/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* What the threads of a block share, in front of their table. */
typedef struct team {
    uint32_t row;
    uint32_t most; /* products of the row, or all columns: as many as it may have in C */
    uint32_t found;
    uint32_t node;
} team;

static uint32_t add_products(const spgemm_row_args *args, uint32_t begin, uint32_t end)
{
    const uint32_t *a_columns = HD_POINTER(const uint32_t, args->a_columns);
    const uint32_t *b_first = HD_POINTER(const uint32_t, args->b_first);
    uint32_t products = 0;
    for (uint32_t i = begin + simt_thread_x(); i < end; i += simt_block_size_x())
        products += b_first[a_columns[i] + 1] - b_first[a_columns[i]];
    return products;
}

/* A key comes into an empty slot. Returns what was there. A thread that is alone needs no atomic, which would go past its caches. */
static uint32_t put_key(row_slot *slot, uint32_t key)
{
    if (simt_block_size_x() != 1)
        return simt_atomic_cas(&slot->key, 0, key);
    const uint32_t before = slot->key;
    if (before == 0)
        slot->key = key;
    return before;
}

static uint32_t take_key(row_slot *slot)
{
    if (simt_block_size_x() != 1)
        return simt_atomic_swap(&slot->key, 0);
    const uint32_t key = slot->key;
    slot->key = 0;
    return key;
}

/* The slot of a column. Others may be putting theirs in. */
static row_slot *slot_of(row_slot *table, uint32_t mask, uint32_t column)
{
    uint32_t at = column * 0x9E3779B1u >> 7 & mask, key;
    while ((key = put_key(&table[at], column + 1)) != 0 && key != column + 1)
        at = (at + 1) & mask;
    return &table[at];
}

/* A row of B, times an element of A. Its columns differ, so no two threads have one slot. */
static void add_row(const spgemm_row_args *args, row_slot *table, uint32_t mask, uint32_t element)
{
    const uint32_t *b_first = HD_POINTER(const uint32_t, args->b_first);
    const uint32_t k = HD_POINTER(const uint32_t, args->a_columns)[element];
    const float a = HD_POINTER(const float, args->a_values)[element];
    const uint32_t end = b_first[k + 1];
    for (uint32_t i = b_first[k] + simt_thread_x(); i < end; i += simt_block_size_x()) {
        volatile float *value = &slot_of(table, mask, HD_POINTER(const uint32_t, args->b_columns)[i])->value;
        *value = *value + a * HD_POINTER(const float, args->b_values)[i];
    }
}

/* What is in the table goes to the row's node, in any order, and the table is empty again. */
static void write_row(const spgemm_row_args *args, team *mine, row_slot *table, uint32_t mask)
{
    uint32_t *pairs = HD_POINTER(uint32_t, args->heap) + mine->node + NODE_PAIRS;
    for (uint32_t at = simt_thread_x(); at <= mask; at += simt_block_size_x()) {
        const uint32_t key = take_key(&table[at]);
        if (key == 0)
            continue;
        uint32_t *pair = pairs + PAIR_WORDS * simt_atomic_add(&mine->found, 1);
        pair[PAIR_COLUMN] = key - 1;
        ((float *)pair)[PAIR_VALUE] = ((volatile row_slot *)table)[at].value;
        ((volatile row_slot *)table)[at].value = 0;
    }
}

static void take_row(const spgemm_row_args *args, team *mine)
{
    mine->row = simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_ROW], 1);
    mine->most = 0;
    mine->found = 0;
}

static void begin_node(const spgemm_row_args *args, team *mine)
{
    mine->most = simt_min(mine->most, args->columns);
    if (mine->most)
        mine->node = simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_TOP], NODE_WORDS(mine->most));
}

static void end_node(const spgemm_row_args *args, const team *mine)
{
    uint32_t *node = HD_POINTER(uint32_t, args->heap) + mine->node;
    node[NODE_NEXT] = 0;
    node[NODE_LENGTH] = mine->found;
    HD_POINTER(uint32_t, args->lists)[mine->row] = mine->node;
}

/* The table of a row with so many columns: in the scratchpad, unless it is too large. */
static row_slot *table_of(const spgemm_row_args *args, uint32_t slots, row_slot *own)
{
    return slots <= args->slots ? own : HD_POINTER(row_slot, args->tables) + simt_block_x() * args->table_slots;
}

/* A block takes a row of C at a time. Its threads share the rows of B, one after the other. */
SIMT_KERNEL(spgemm_row, const spgemm_row_args *args)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    team *mine = (team *)simt_scratchpad;
    const uint32_t thread = simt_thread_x();
    uint32_t is_over = 0;
    while (!is_over) {
        if (thread == 0)
            take_row(args, mine);
        simt_barrier_number(0);
        const uint32_t row = mine->row;
        is_over = row >= args->rows;
        const uint32_t begin = is_over ? 0 : a_first[row], end = is_over ? 0 : a_first[row + 1];
        simt_atomic_add(&mine->most, add_products(args, begin, end));
        simt_barrier_number(1);
        if (thread == 0)
            begin_node(args, mine);
        simt_barrier_number(2);
        const uint32_t slots = row_slots(mine->most);
        row_slot *table = table_of(args, slots, (row_slot *)(mine + 1));
        for (uint32_t element = begin; element < end; element++) {
            add_row(args, table, slots - 1, element);
            if (simt_block_size_x() != 1)
                simt_fence();
            simt_barrier_number(3);
        }
        if (mine->most)
            write_row(args, mine, table, slots - 1);
        simt_fence();
        simt_barrier_number(4);
        if (thread == 0 && mine->most)
            end_node(args, mine);
    }
}
