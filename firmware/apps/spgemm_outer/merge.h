/* SPDX-License-Identifier: MIT */
/*
 * The second phase: the nodes of a row of C become one. A thread merges as many of them as it has room for heads. If a row has more, it is
 * split: other threads merge the other pieces, and what they make of them are the nodes that are merged next.
 */
#ifndef SPGEMM_MERGE_H
#define SPGEMM_MERGE_H

#include "args.h"
#include "simt.h"

static merge_head *head_at(uint32_t address)
{
    return (merge_head *)(uintptr_t)address;
}

static uint32_t *counter(const spgemm_outer_args *args, uint32_t number)
{
    return HD_POINTER(uint32_t, args->counters) + number;
}

/* Puts a head with a pair of the heap where it belongs: in front of the first with a greater column. Returns the foremost one. */
static uint32_t insert(uint32_t list, merge_head *head, const uint32_t *heap)
{
    const uint32_t column = heap[head->at + PAIR_COLUMN], own = (uint32_t)(uintptr_t)head;
    head->column = column;
    head->value = ((const float *)heap)[head->at + PAIR_VALUE];
    head->next = list;
    if (!list || head_at(list)->column > column)
        return own;
    merge_head *before = head_at(list);
    while (before->next && head_at(before->next)->column <= column)
        before = head_at(before->next);
    head->next = before->next;
    before->next = own;
    return list;
}

/* The foremost pairs of some nodes, by columns; how many pairs these have altogether; and the first node that there is no room for. */
typedef struct merge_list {
    uint32_t first, pairs;
    uint32_t rest;
} merge_list;

static merge_list begin_piece(const spgemm_outer_args *args, uint32_t node, merge_head *head)
{
    const uint32_t *heap = HD_POINTER(const uint32_t, args->heap);
    merge_list list = {0, 0, 0};
    for (uint32_t left = args->heads; node && left; left--) {
        const uint32_t length = heap[node + NODE_LENGTH];
        head->at = node + NODE_PAIRS;
        head->end = node + NODE_WORDS(length);
        list.first = insert(list.first, head++, heap);
        list.pairs += length;
        node = heap[node + NODE_NEXT];
    }
    list.rest = node;
    return list;
}

/* The row is split: the nodes from this one on are pieces for whoever takes them. Others see what atomics have written. */
static void leave_pieces(const spgemm_outer_args *args, uint32_t row, uint32_t node)
{
    const uint32_t *heap = HD_POINTER(const uint32_t, args->heap);
    merge_piece *pieces = HD_POINTER(merge_piece, args->pieces);
    for (uint32_t i = 0; node; node = heap[node + NODE_NEXT], i = i + 1 == args->heads ? 0 : i + 1) {
        if (i)
            continue;
        merge_piece *piece = pieces + simt_atomic_add(counter(args, COUNTER_PIECES), 1);
        simt_atomic_swap(&piece->row, row);
        simt_atomic_swap(&piece->node, node);
    }
    simt_atomic_swap(HD_POINTER(uint32_t, args->split) + simt_atomic_add(counter(args, COUNTER_SPLIT), 1), row);
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
            list = insert(list, head, heap);
    }
    heap[to + PAIR_COLUMN] = last;
    ((float *)heap)[to + PAIR_VALUE] = sum;
    return (to - begin) / PAIR_WORDS + 1;
}

/* Some nodes of the row become one, which is the row unless there are more pieces. */
static void merge_piece_of(const spgemm_outer_args *args, uint32_t row, uint32_t is_split, const merge_list *list)
{
    uint32_t *heap = HD_POINTER(uint32_t, args->heap);
    const uint32_t top = is_split ? COUNTER_ASIDE : COUNTER_TOP;
    const uint32_t node = simt_atomic_add(counter(args, top), NODE_WORDS(list->pairs));
    heap[node + NODE_LENGTH] = merge_into(heap, node + NODE_PAIRS, list->first);
    heap[node + NODE_NEXT] = simt_atomic_swap(&HD_POINTER(uint32_t, args->lists)[row], node);
}

/* What an item of work is: a row, a row that has been split before, or a piece. */
static void merge_item(const spgemm_outer_args *args, uint32_t source, uint32_t item, merge_head *heads)
{
    const merge_piece *piece = HD_POINTER(const merge_piece, args->pieces) + item;
    const uint32_t row = source == MERGE_ROWS    ? item
                         : source == MERGE_SPLIT ? simt_load_cg(HD_POINTER(const uint32_t, args->split) + item)
                                                 : simt_load_cg(&piece->row);
    const uint32_t first = source == MERGE_PIECES ? simt_load_cg(&piece->node)
                                                  : simt_atomic_swap(&HD_POINTER(uint32_t, args->lists)[row], 0);
    if (!first)
        return;
    const merge_list list = begin_piece(args, first, heads);
    if (source != MERGE_PIECES && list.rest)
        leave_pieces(args, row, list.rest);
    merge_piece_of(args, row, source == MERGE_PIECES || list.rest != 0, &list);
}

#endif
