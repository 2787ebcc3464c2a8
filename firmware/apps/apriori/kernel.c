/* SPDX-License-Identifier: MIT */
/*
 * Apriori, one length of sets at a time (Agrawal and Srikant 1994): frequent sets that differ in their last item are joined, and the
 * candidates counted in the records. Insertion into the hash tree and counting are transactions: Fung 2015 §4.3.
 */
#include "args.h"
#include "common/atomically.h"
#include "simt_synchronization.h"

/* What takes place at once: the insertion of a candidate, or the counting of those that a thread has found in its record. All
 * have the first item, and so the root, in common. */
typedef struct update {
    const uint32_t *set; /* all items of the candidate but the last */
    const uint32_t *last_item;
    uint32_t candidate;
    uint32_t root;
    uint32_t matches;
} update;

SIMT_INLINE volatile uint32_t *candidate_of(const apriori_args *args, uint32_t candidate)
{
    return HD_POINTER(volatile uint32_t, args->candidates) + candidate * args->candidate_words;
}

SIMT_INLINE volatile uint32_t *node_of(const apriori_args *args, uint32_t node)
{
    return HD_POINTER(volatile uint32_t, args->nodes) + node * args->node_words;
}

/* Chains are in the order of candidates. */
SIMT_INLINE void insert_into_leaf(const apriori_args *args, volatile uint32_t *leaf, uint32_t candidate)
{
    volatile uint32_t *link = leaf + NODE_FIRST;
    uint32_t next = *link;
    while (next && next < candidate + 1) {
        link = candidate_of(args, next - 1) + CANDIDATE_NEXT;
        next = *link;
    }
    candidate_of(args, candidate)[CANDIDATE_NEXT] = next;
    *link = candidate + 1;
    leaf[NODE_COUNT] += 1;
}

SIMT_INLINE void split_root(const apriori_args *args, uint32_t root)
{
    volatile uint32_t *node = node_of(args, root);
    uint32_t next = node[NODE_FIRST];
    node[NODE_FIRST] = 0;
    node[NODE_COUNT] = 0;
    node[NODE_IS_SPLIT] = 1;
    while (next) {
        volatile uint32_t *candidate = candidate_of(args, next - 1);
        uint32_t after = candidate[CANDIDATE_NEXT];
        insert_into_leaf(args, node_of(args, tree_child(root, candidate[CANDIDATE_ITEMS + 1])), next - 1);
        next = after;
    }
}

SIMT_INLINE void insert_candidate(const apriori_args *args, const update *u)
{
    volatile uint32_t *candidate = candidate_of(args, u->candidate), *node = node_of(args, u->root);
    uint32_t last = args->length - 1;
    for (uint32_t i = 0; i < last; i++)
        candidate[CANDIDATE_ITEMS + i] = u->set[i];
    candidate[CANDIDATE_ITEMS + last] = *u->last_item;

    uint32_t is_split = node[NODE_IS_SPLIT];
    if (!is_split && node[NODE_COUNT] == LEAF_CAPACITY) {
        split_root(args, u->root);
        is_split = 1;
    }
    if (is_split)
        node = node_of(args, tree_child(u->root, u->set[1]));
    insert_into_leaf(args, node, u->candidate);
}

/* Word i of this thread's list; those of a warp lie side by side. */
SIMT_INLINE uint32_t *match_of(uint32_t i)
{
    return &simt_scratchpad[i * simt_block_size_x() + simt_thread_x()];
}

SIMT_INLINE void count_matches(const apriori_args *args, const update *u)
{
    for (uint32_t i = 0; i < u->matches; i++)
        candidate_of(args, *match_of(i))[CANDIDATE_SUPPORT] += 1;
}

/* ---- Forms of synchronisation ----------------------------------------------------------------------------------------- */

typedef void change(const apriori_args *args, const update *u);
typedef void run(const apriori_args *args, const update *u, change *change);

SIMT_INLINE void run_serial(const apriori_args *args, const update *u, change *change)
{
    ATOMICALLY_ALONE(change(args, u));
}

SIMT_INLINE void run_tm(const apriori_args *args, const update *u, change *change)
{
    ATOMICALLY_TM(change(args, u));
}

SIMT_INLINE void run_locked(const apriori_args *args, const update *u, change *change, uint32_t number)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->locks) + number;
    ATOMICALLY_LOCKED(lock, change(args, u));
}

SIMT_INLINE void run_locks(const apriori_args *args, const update *u, change *change)
{
    run_locked(args, u, change, u->root);
}

SIMT_INLINE void run_coarse(const apriori_args *args, const update *u, change *change)
{
    run_locked(args, u, change, 0);
}

/* ---- Generation --------------------------------------------------------------------------------------------------------- */

SIMT_INLINE void join_set(const apriori_args *args, uint32_t set, run *run)
{
    update u = {.set = HD_POINTER(const uint32_t, args->sets) + set * (args->length - 1),
                .candidate = HD_POINTER(const uint32_t, args->first_candidate)[set]};
    uint32_t end = u.candidate + HD_POINTER(const uint32_t, args->join_end)[set] - set - 1;
    u.last_item = u.set + args->length - 2;
    u.root = tree_root(u.set[0]);
    for (; u.candidate < end; u.candidate++) {
        u.last_item += args->length - 1;
        run(args, &u, insert_candidate);
    }
}

/* ---- Counting ----------------------------------------------------------------------------------------------------------- */

/* Does the record, from this place on, hold the items of the candidate from this one on? */
SIMT_INLINE uint32_t is_in_record(const apriori_args *args, const volatile uint32_t *items, uint32_t item,
                                  const uint32_t *place, const uint32_t *end)
{
    uint32_t length = args->length;
    while (item < length && place < end) {
        uint32_t wanted = items[item], found = *place++;
        if (found > wanted)
            place = end;
        item += found == wanted;
    }
    return item == length;
}

typedef struct search {
    const uint32_t *first; /* place of the first item in the record */
    const uint32_t *second;
    const uint32_t *end;
    uint32_t is_split; /* the root of the first item, so that leaves are of a second one, too */
    update update;
} search;

SIMT_INLINE uint32_t is_match(const apriori_args *args, const search *s, const volatile uint32_t *items)
{
    if (items[0] != *s->first || (s->is_split && items[1] != *s->second))
        return 0;
    return is_in_record(args, items, 1 + s->is_split, (s->is_split ? s->second : s->first) + 1, s->end);
}

SIMT_INLINE void search_leaf(const apriori_args *args, search *s, uint32_t leaf, run *run)
{
    uint32_t next = node_of(args, leaf)[NODE_FIRST];
    while (next) {
        const volatile uint32_t *candidate = candidate_of(args, next - 1);
        if (is_match(args, s, candidate + CANDIDATE_ITEMS))
            *match_of(s->update.matches++) = next - 1;
        next = candidate[CANDIDATE_NEXT];
        if (s->update.matches == MATCHES_MAX) {
            run(args, &s->update, count_matches);
            s->update.matches = 0;
        }
    }
}

SIMT_INLINE void count_record(const apriori_args *args, uint32_t record, run *run)
{
    const uint32_t *begin = HD_POINTER(const uint32_t, args->record_begin) + record;
    const uint32_t *items = HD_POINTER(const uint32_t, args->records);
    search s = {.end = items + begin[1]};
    for (s.first = items + begin[0]; s.first < s.end; s.first++) {
        uint32_t root = tree_root(*s.first);
        s.update = (update){.root = root};
        s.is_split = node_of(args, root)[NODE_IS_SPLIT];
        s.second = s.first + 1;
        uint32_t leaves = s.is_split ? (uint32_t)(s.end - s.second) : 1;
        for (; leaves > 0; leaves--) {
            search_leaf(args, &s, s.is_split ? tree_child(root, *s.second) : root, run);
            s.second++;
        }
        if (s.update.matches)
            run(args, &s.update, count_matches);
    }
}

#define KERNELS(form)                                                                                                  \
    SIMT_KERNEL(apriori_generate_##form, const apriori_args *args)                                                     \
    {                                                                                                                  \
        for (uint32_t i = simt_global_index(); i < args->set_count; i += simt_global_size())                           \
            join_set(args, i, run_##form);                                                                             \
    }                                                                                                                  \
    SIMT_NO_ALIAS(apriori_generate_##form);                                                                            \
    SIMT_KERNEL(apriori_count_##form, const apriori_args *args)                                                        \
    {                                                                                                                  \
        for (uint32_t i = simt_global_index(); i < args->record_count; i += simt_global_size())                        \
            count_record(args, i, run_##form);                                                                         \
    }                                                                                                                  \
    SIMT_NO_ALIAS(apriori_count_##form);

KERNELS(tm)
KERNELS(locks)
KERNELS(coarse)
KERNELS(serial)
