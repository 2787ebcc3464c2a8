/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* ---- Multiply ------------------------------------------------------------------------------------------------------------- */

/* What one thread takes for its block: columns of A, and where the nodes of their elements begin. */
typedef struct share {
    uint32_t column, end;
    uint32_t nodes;
} share;

/* Words of the nodes that a column makes: one for each of its elements, each as long as the row of B. */
static uint32_t words_of_column(const spgemm_outer_args *args, uint32_t column)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    const uint32_t *b_first = HD_POINTER(const uint32_t, args->b_first);
    const uint32_t length = b_first[column + 1] - b_first[column];
    return length ? (a_first[column + 1] - a_first[column]) * NODE_WORDS(length) : 0;
}

static share share_of(const spgemm_outer_args *args, uint32_t column)
{
    share taken = {column, simt_min(column + args->columns, args->inner), 0};
    uint32_t words = 0;
    for (; column < taken.end; column++)
        words += words_of_column(args, column);
    if (words)
        taken.nodes = simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_TOP], words);
    return taken;
}

/* One element of A times a row of B. Threads that have elements of one column read the same of B. */
static void make_node(const spgemm_outer_args *args, uint32_t node, uint32_t element, uint32_t begin, uint32_t length)
{
    const uint32_t *columns = HD_POINTER(const uint32_t, args->b_columns) + begin;
    const float *values = HD_POINTER(const float, args->b_values) + begin;
    uint32_t *words = HD_POINTER(uint32_t, args->heap) + node;
    const float a = HD_POINTER(const float, args->a_values)[element];
    const uint32_t row = HD_POINTER(const uint32_t, args->a_rows)[element];
    words[NODE_LENGTH] = length;
#pragma GCC unroll 1
    for (uint32_t i = 0; i < length; i++) {
        uint32_t *pair = words + NODE_PAIRS + PAIR_WORDS * i;
        pair[PAIR_COLUMN] = columns[i];
        ((float *)pair)[PAIR_VALUE] = a * values[i];
    }
    /* Nobody follows a list before this phase has ended: the link may come behind. */
    words[NODE_NEXT] = simt_atomic_swap(&HD_POINTER(uint32_t, args->lists)[row], node);
}

/* The elements of a thread come in ascending order: `at` goes on to the column of this one. */
static void multiply_element(const spgemm_outer_args *args, share *at, uint32_t element)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    const uint32_t *b_first = HD_POINTER(const uint32_t, args->b_first);
    for (; a_first[at->column + 1] <= element; at->column++)
        at->nodes += words_of_column(args, at->column);
    const uint32_t begin = b_first[at->column], length = b_first[at->column + 1] - begin;
    if (length)
        make_node(args, at->nodes + (element - a_first[at->column]) * NODE_WORDS(length), element, begin, length);
}

/* A block takes some columns at a time, a thread an element of them. */
SIMT_KERNEL(spgemm_multiply, const spgemm_outer_args *args)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    share *told = (share *)simt_scratchpad;
    const uint32_t thread = simt_thread_x();
    uint32_t is_over = 0;
    while (!is_over) {
        if (thread == 0)
            *told =
                share_of(args, simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_COLUMN], args->columns));
        simt_barrier_number(0);
        share mine = *told;
        simt_barrier_number(1);
        is_over = mine.column >= args->inner;
        const uint32_t end = is_over ? 0 : a_first[mine.end];
        for (uint32_t element = is_over ? 0 : a_first[mine.column] + thread; element < end;
             element += simt_block_size_x())
            multiply_element(args, &mine, element);
    }
}

/* ---- Merge ---------------------------------------------------------------------------------------------------------------- */

static merge_head *head_at(uint32_t address)
{
    return (merge_head *)(uintptr_t)address;
}

/* Puts a head with a pair of the heap where it belongs: in front of the first with a greater column. */
static void insert(uint32_t *list, merge_head *head, const uint32_t *heap)
{
    const uint32_t column = heap[head->at + PAIR_COLUMN];
    head->column = column;
    head->value = ((const float *)heap)[head->at + PAIR_VALUE];
    uint32_t *link = list, next = *link;
    while (next && head_at(next)->column <= column) {
        link = &head_at(next)->next;
        next = *link;
    }
    head->next = next;
    *link = (uint32_t)(uintptr_t)head;
}

/* Room for the heads of this node and of those behind it, which the scratchpad has none for. */
static merge_head *spill(const spgemm_outer_args *args, const uint32_t *heap, uint32_t node)
{
    uint32_t count = 0;
    for (; node; node = heap[node + NODE_NEXT])
        count++;
    return HD_POINTER(merge_head, args->spilled) +
           simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_SPILLED], count);
}

/* A list of the foremost pairs of all nodes of the row; how many pairs they have altogether. */
static uint32_t begin_row(const spgemm_outer_args *args, uint32_t node, merge_head *head, uint32_t *list)
{
    const uint32_t *heap = HD_POINTER(const uint32_t, args->heap);
    uint32_t pairs = 0, left = args->heads;
    for (*list = 0; node; node = heap[node + NODE_NEXT]) {
        const uint32_t length = heap[node + NODE_LENGTH];
        if (left-- == 0)
            head = spill(args, heap, node);
        head->at = node + NODE_PAIRS;
        head->end = node + NODE_WORDS(length);
        insert(list, head++, heap);
        pairs += length;
    }
    return pairs;
}

/* The pairs of a list of heads in order of their columns, those of one column added up. Returns how many. */
static uint32_t merge_into(uint32_t *heap, uint32_t to, uint32_t list)
{
    const uint32_t begin = to;
    uint32_t last = head_at(list)->column;
    float sum = 0;
    while (list) {
        merge_head *head = head_at(list);
        if (head->column != last) {
            heap[to + PAIR_COLUMN] = last;
            ((float *)heap)[to + PAIR_VALUE] = sum;
            to += PAIR_WORDS;
            last = head->column;
            sum = 0;
        }
        sum += head->value;
        list = head->next;
        head->at += PAIR_WORDS;
        if (head->at != head->end)
            insert(&list, head, heap);
    }
    heap[to + PAIR_COLUMN] = last;
    ((float *)heap)[to + PAIR_VALUE] = sum;
    return (to - begin) / PAIR_WORDS + 1;
}

/* The nodes of a row, of which there is one at least, become one. */
static void merge_row(const spgemm_outer_args *args, uint32_t row, uint32_t first, merge_head *heads)
{
    uint32_t *heap = HD_POINTER(uint32_t, args->heap), list;
    const uint32_t pairs = begin_row(args, first, heads, &list);
    const uint32_t node = simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_TOP], NODE_WORDS(pairs));
    heap[node + NODE_NEXT] = 0;
    heap[node + NODE_LENGTH] = merge_into(heap, node + NODE_PAIRS, list);
    HD_POINTER(uint32_t, args->lists)[row] = node;
}

/* A thread takes a row at a time, and has its heads in the scratchpad. */
SIMT_KERNEL(spgemm_merge, const spgemm_outer_args *args)
{
    uint32_t *counters = HD_POINTER(uint32_t, args->counters);
    const uint32_t *lists = HD_POINTER(const uint32_t, args->lists);
    merge_head *heads = (merge_head *)simt_scratchpad + simt_thread_x() * args->heads;
    uint32_t row;
    while ((row = simt_atomic_add(&counters[COUNTER_ROW], 1)) < args->rows) {
        const uint32_t first = simt_load_cg(&lists[row]);
        if (first)
            merge_row(args, row, first, heads);
    }
}
