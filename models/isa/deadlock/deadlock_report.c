/* SPDX-License-Identifier: MIT */
#include "deadlock_search.h"

#include <stdlib.h>

static uint32_t *pcs_of(deadlock_search *s, const uint32_t *nodes, uint32_t count)
{
    uint32_t *pcs = malloc(count * sizeof *pcs);
    s->failed |= !pcs;
    for (uint32_t i = 0; pcs && i < count; i++)
        pcs[i] = deadlock_pc(&s->graph, nodes[i]);
    return pcs;
}

/* How well a pair explains the finding: 0 not at all, because the two cannot meet. */
static uint32_t rank_of(deadlock_search *s, uint32_t read, uint32_t write)
{
    if (!deadlock_is_awaited(s, read, write))
        return 0;
    return 1 + (read != write) + 2u * (deadlock_do_meet(&s->memory, read, write) != 0);
}

/* The pair that is told: the first of those that explain best. */
static void choose_pair(deadlock_search *s, isa_deadlock *deadlock, uint32_t write_count)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < s->read_count; i++)
        for (uint32_t k = 0; k < write_count; k++) {
            const uint32_t rank = rank_of(s, s->reads[i], s->kept[k]);
            if (rank <= best)
                continue;
            best = rank;
            deadlock->read = deadlock_pc(&s->graph, s->reads[i]);
            deadlock->write = deadlock_pc(&s->graph, s->kept[k]);
        }
}

static int all_give_back(deadlock_search *s, uint32_t read, uint32_t write_count)
{
    for (uint32_t i = 0; i < write_count; i++)
        if (!deadlock_gives_back(&s->locks, read, s->kept[i]))
            return 0;
    return 1;
}

/* Fills in the reads that take what all of the writes give back, if that is what is waited for. */
static void find_locks(deadlock_search *s, isa_deadlock *deadlock, uint32_t write_count)
{
    const deadlock_locks *locks = &s->locks;
    if (s->options->keep_own_locks || s->read_count != 1 ||
        !deadlock_waits_for_lock(&s->locks, &s->slice, s->reads[0]) || !all_give_back(s, s->reads[0], write_count))
        return;
    deadlock->locks = malloc(locks->count * sizeof *deadlock->locks);
    s->failed |= !deadlock->locks;
    for (uint32_t i = 0; deadlock->locks && i < locks->count; i++)
        if (all_give_back(s, locks->locks[i].read, write_count))
            deadlock->locks[deadlock->lock_count++] = deadlock_pc(&s->graph, locks->locks[i].read);
}

static void set_body(isa_deadlock *deadlock)
{
    if (!deadlock->body)
        return;
    qsort(deadlock->body, deadlock->body_count, sizeof *deadlock->body, deadlock_ascending);
    deadlock->loop = deadlock->body[0];
    deadlock->loop_end = deadlock->body[deadlock->body_count - 1];
}

void deadlock_report(deadlock_search *s, const uint32_t *loop, uint32_t size, uint32_t write_count)
{
    isa_deadlocks *result = s->result;
    if (result->count == s->capacity) {
        const uint32_t capacity = 2 * s->capacity + 8;
        isa_deadlock *found = realloc(result->found, capacity * sizeof *found);
        s->failed |= !found;
        if (!found)
            return;
        result->found = found;
        s->capacity = capacity;
    }
    isa_deadlock *deadlock = &result->found[result->count++];
    *deadlock = (isa_deadlock){
        .branch = deadlock_pc(&s->graph, s->branch),
        .side = deadlock_pc(&s->graph, s->side),
        .meeting = s->meeting == s->graph.count ? ISA_RECONVERGE_AT_RETURN : deadlock_pc(&s->graph, s->meeting),
        .body = pcs_of(s, loop, size),
        .body_count = size,
        .reads = pcs_of(s, s->reads, s->read_count),
        .read_count = s->read_count,
        .writes = pcs_of(s, s->kept, write_count),
        .write_count = write_count,
    };
    set_body(deadlock);
    find_locks(s, deadlock, write_count);
    choose_pair(s, deadlock, write_count);
}

static int compare(const void *a, const void *b)
{
    const isa_deadlock *x = a, *y = b;
    if (x->branch != y->branch)
        return x->branch > y->branch ? 1 : -1;
    if (x->side != y->side)
        return x->side > y->side ? 1 : -1;
    const uint32_t bytes_x = x->loop_end - x->loop, bytes_y = y->loop_end - y->loop;
    return bytes_x != bytes_y ? (bytes_x > bytes_y) - (bytes_x < bytes_y) : (x->loop > y->loop) - (x->loop < y->loop);
}

void deadlock_sort(isa_deadlocks *deadlocks)
{
    if (deadlocks->count)
        qsort(deadlocks->found, deadlocks->count, sizeof *deadlocks->found, compare);
}

void isa_deadlocks_free(isa_deadlocks *deadlocks)
{
    for (uint32_t i = 0; i < deadlocks->count; i++) {
        free(deadlocks->found[i].body);
        free(deadlocks->found[i].reads);
        free(deadlocks->found[i].writes);
        free(deadlocks->found[i].locks);
    }
    free(deadlocks->found);
    *deadlocks = (isa_deadlocks){0};
}
