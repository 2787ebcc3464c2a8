/* SPDX-License-Identifier: MIT */
/* The second phase: the nodes of a row of C become one. */
#ifndef SPGEMM_MERGE_H
#define SPGEMM_MERGE_H

#include "args.h"
#include "simt.h"

static merge_head *head_at(uint32_t address)
{
    return (merge_head *)(uintptr_t)address;
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

/* Room for the heads of this node and of those behind it, which the scratchpad has none for. */
static merge_head *spill(const spgemm_outer_args *args, const uint32_t *heap, uint32_t node)
{
    uint32_t count = 0;
    for (; node; node = heap[node + NODE_NEXT])
        count++;
    return HD_POINTER(merge_head, args->spilled) +
           simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_SPILLED], count);
}

/* A list of the foremost pairs of all nodes of the row; and how many pairs they have altogether. */
typedef struct merge_list {
    uint32_t first, pairs;
} merge_list;

static merge_list begin_row(const spgemm_outer_args *args, uint32_t node, merge_head *head)
{
    const uint32_t *heap = HD_POINTER(const uint32_t, args->heap);
    merge_list list = {0, 0};
    for (uint32_t left = args->heads; node; node = heap[node + NODE_NEXT]) {
        const uint32_t length = heap[node + NODE_LENGTH];
        if (left-- == 0)
            head = spill(args, heap, node);
        head->at = node + NODE_PAIRS;
        head->end = node + NODE_WORDS(length);
        list.first = insert(list.first, head++, heap);
        list.pairs += length;
    }
    return list;
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

/* The nodes of a row, of which there is one at least, become one. */
static void merge_row(const spgemm_outer_args *args, uint32_t row, uint32_t first, merge_head *heads)
{
    uint32_t *heap = HD_POINTER(uint32_t, args->heap);
    const merge_list list = begin_row(args, first, heads);
    const uint32_t node = simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_TOP], NODE_WORDS(list.pairs));
    heap[node + NODE_NEXT] = 0;
    heap[node + NODE_LENGTH] = merge_into(heap, node + NODE_PAIRS, list.first);
    HD_POINTER(uint32_t, args->lists)[row] = node;
}

#endif
