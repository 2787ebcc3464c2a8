/* SPDX-License-Identifier: MIT */
/* The tables by themselves: hash functions, filter, and where entries go. */
#include <stdlib.h>

#include "bench.h"

static const metadata_parameters small = {
    .sets = 1,
    .ways = 4,
    .stash = 4,
    .max_kicks = 8,
    .eviction = EVICTION_EAGER,
    .overflow_cycles = 100,
    .overflow_lists = 1,
    .overflow_line = 1,
    .approximate = APPROXIMATE_BLOOM,
    .filter_sets = 64,
    .filter_ways = 4,
    .seed = 7,
    .keeps_new = 1,
};

static metadata *make(const metadata_parameters *parameters, validation_counters *counters)
{
    metadata *metadata = calloc(1, sizeof *metadata);
    *counters = (validation_counters){0};
    cr_assert(metadata_create(metadata, parameters, counters));
    metadata_reset(metadata);
    return metadata;
}

static void destroy(metadata *metadata)
{
    metadata_destroy(metadata);
    free(metadata);
}

static metadata_entry *look_up(metadata *metadata, uint64_t granule, uint32_t expected_cycles)
{
    uint32_t cycles;
    metadata_entry *entry = metadata_look_up(metadata, granule, &cycles);
    cr_assert_not_null(entry);
    cr_expect_eq(cycles, expected_cycles, "granule %u takes %u cycles", (unsigned)granule, cycles);
    cr_expect_eq(metadata_places(metadata, granule), 1);
    return entry;
}

Test(validation_unit_tables, the_filter_says_the_least_of_its_slots_and_never_too_little)
{
    recency_filter filter = {0};
    uint64_t seed = 3, true_written[200], true_read[200];
    cr_assert(recency_filter_create(&filter, 8, 4, &seed));
    recency_filter_reset(&filter);
    uint32_t exact = 0;
    for (uint64_t g = 0; g < 200; g++) {
        true_written[g] = kit_random(&seed) % 1000;
        true_read[g] = kit_random(&seed) % 1000;
        recency_filter_merge(&filter, g, (recency_times){true_written[g], true_read[g]});
        const recency_times now = recency_filter_read(&filter, g);
        exact += now.written == true_written[g];
        for (uint64_t k = 0; k <= g; k++) {
            const recency_times times = recency_filter_read(&filter, k);
            cr_assert(times.written >= true_written[k] && times.read >= true_read[k]);
        }
    }
    cr_expect(exact > 0 && exact < 200);
    recency_filter_destroy(&filter);
}

Test(validation_unit_tables, five_granules_for_four_slots_put_the_oldest_into_the_filter)
{
    validation_counters counters;
    metadata *metadata = make(&small, &counters);
    for (uint64_t g = 0; g < 5; g++)
        look_up(metadata, g, 1)->read = 40 + g;
    cr_expect_null(metadata_find(metadata, 0));
    cr_expect_eq(counters.evictions, 1);
    cr_expect_eq(look_up(metadata, 0, 1)->read, 40);
    cr_expect_eq(counters.table_misses, 6);
    destroy(metadata);
}

Test(validation_unit_tables, what_is_reserved_is_always_found)
{
    validation_counters counters;
    metadata *metadata = make(&small, &counters);
    for (uint64_t g = 0; g < 9; g++) {
        const uint32_t cycles = g < 4 ? 1 : g < 8 ? 9 : 109; /* eight kicks, and the list in memory */
        metadata_entry *entry = look_up(metadata, g, cycles);
        entry->reserved = 1;
        entry->written = 100 + g;
    }
    cr_expect_eq(metadata->table.used, 4);
    cr_expect_eq(metadata->stash.used, 4);
    cr_expect_eq(metadata->overflow.used, 1);
    for (uint64_t g = 0; g < 9; g++) {
        cr_assert_not_null(metadata_find(metadata, g));
        cr_expect_eq(metadata_find(metadata, g)->written, 100 + g);
        cr_expect_eq(metadata_places(metadata, g), 1);
    }
    cr_expect_eq(counters.evictions, 0);
    cr_expect_eq(counters.stash_maximum, 4);
    cr_expect_eq(counters.overflow_maximum, 1);
    cr_expect_neq(metadata_find_kept(metadata), NO_GRANULE);
    destroy(metadata);
}

Test(validation_unit_tables, the_list_empties_by_itself)
{
    validation_counters counters;
    metadata *metadata = make(&small, &counters);
    for (uint64_t g = 0; g < 10; g++) {
        uint32_t cycles;
        metadata_entry *entry = metadata_look_up(metadata, g, &cycles);
        entry->reserved = 1;
        entry->written = 100 + g;
    }
    cr_expect_eq(metadata->overflow.used, 2);
    const uint64_t granule = metadata->overflow.nodes[0].entry.granule;
    metadata_entry *entry = metadata_find(metadata, granule);
    entry->reserved = 0;
    metadata_settle(metadata, entry);
    cr_expect_eq(metadata->overflow.used, 1);
    cr_expect_null(metadata_find(metadata, granule));
    cr_expect_geq(recency_filter_read(&metadata->filter, granule).written, 100 + granule);
    const uint64_t other = metadata->overflow.nodes[1].entry.granule;
    look_up(metadata, other, 1 + 100 + 8 + 100)->reserved = 1; /* a node walked, and no room again */
    cr_expect_eq(counters.overflow_hits, 1);
    destroy(metadata);
}

/* 40 entries behind eight: of one list, of one whose lines hold seven, and of lists that are told apart. */
Test(validation_unit_tables, what_a_look_up_in_memory_costs_depends_on_lists_and_lines)
{
    static const struct {
        uint32_t lists, line, absent_most;
    } cases[] = {{1, 1, 40}, {1, 7, 6}, {64, 7, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        metadata_parameters parameters = small;
        parameters.overflow_lists = cases[i].lists;
        parameters.overflow_line = cases[i].line;
        validation_counters counters;
        metadata *metadata = make(&parameters, &counters);
        uint32_t cycles, none = 0, most = 0;
        for (uint64_t g = 0; g < 48; g++)
            metadata_look_up(metadata, g, &cycles)->reserved = 1;
        cr_assert_eq(metadata->overflow.used, 40);
        for (uint64_t g = 0; g < 48; g++)
            cr_expect_eq(metadata_places(metadata, g), 1);
        for (uint64_t g = 1000; g < 1200; g++) {
            const uint32_t accesses = overflow_walk(&metadata->overflow, g);
            most = accesses > most ? accesses : most;
            none += !accesses;
        }
        cr_expect_eq(most, cases[i].absent_most);
        cr_expect_eq(none != 0, cases[i].lists > 1, "a list that is empty is known to be");
        metadata_look_up(metadata, 1000, &cycles);
        cr_expect_geq(counters.overflow_accesses, overflow_walk(&metadata->overflow, 1000));
        destroy(metadata);
    }
}

/* Entries come and go in any order, and each is found, where it is. */
Test(validation_unit_tables, lists_in_memory_lose_nothing)
{
    enum { GRANULES = 200 };
    uint64_t seed = 7, random = 11;
    overflow lists = {0};
    uint32_t is_in[GRANULES] = {0}, count = 0;
    cr_assert(overflow_create(&lists, 5, 2, &seed));
    overflow_reset(&lists);
    for (uint32_t i = 0; i < 20000; i++) {
        const uint64_t g = kit_random(&random) % GRANULES;
        metadata_entry *found = overflow_find(&lists, g);
        cr_assert_eq(found != NULL, is_in[g]);
        cr_assert(!found || (found->granule == g && found->written == 3 * g && overflow_holds(&lists, found)));
        const metadata_entry entry = metadata_new_entry(g, 3 * g, 0);
        if (found)
            overflow_remove(&lists, found);
        else
            overflow_push(&lists, &entry);
        is_in[g] = !is_in[g];
        count += is_in[g] ? 1u : -1u;
        cr_assert_eq(lists.used, count);
    }
    overflow_destroy(&lists);
}

Test(validation_unit_tables, an_entry_of_the_stash_that_is_free_makes_room)
{
    validation_counters counters;
    metadata *metadata = make(&small, &counters);
    uint32_t cycles;
    for (uint64_t g = 0; g < 8; g++)
        metadata_look_up(metadata, g, &cycles)->reserved = 1;
    metadata->stash.entries[2].reserved = 0;
    metadata_look_up(metadata, 8, &cycles)->reserved = 1;
    cr_expect_eq(metadata->overflow.used, 0);
    cr_expect_eq(counters.evictions, 1);
    destroy(metadata);
}

Test(validation_unit_tables, late_eviction_kicks_first)
{
    metadata_parameters parameters = small;
    parameters.eviction = EVICTION_LATE;
    validation_counters counters;
    metadata *metadata = make(&parameters, &counters);
    for (uint64_t g = 0; g < 4; g++)
        look_up(metadata, g, 1)->read = 40 + g;
    look_up(metadata, 4, 9);
    cr_expect_eq(counters.kicks, 8);
    cr_expect_eq(counters.evictions, 1);
    destroy(metadata);
}

/* The entry that is put in is free of reservations itself: it must not be what is pushed out in the end. */
Test(validation_unit_tables, what_is_put_in_is_there_afterwards)
{
    for (uint32_t keeps_new = 0; keeps_new < 2; keeps_new++) {
        metadata_parameters parameters = small;
        parameters.ways = 1;
        parameters.keeps_new = keeps_new;
        validation_counters counters;
        metadata *metadata = make(&parameters, &counters);
        uint32_t cycles;
        metadata_look_up(metadata, 0, &cycles)->reserved = 1;
        cr_expect_eq(metadata_look_up(metadata, 1, &cycles) != NULL, keeps_new);
        destroy(metadata);
    }
}

Test(validation_unit_tables, without_a_filter_nothing_is_forgotten)
{
    metadata_parameters parameters = small;
    parameters.approximate = APPROXIMATE_NONE;
    validation_counters counters;
    metadata *metadata = make(&parameters, &counters);
    uint32_t cycles;
    for (uint64_t g = 0; g < 20; g++)
        metadata_look_up(metadata, g, &cycles)->read = 40 + g;
    for (uint64_t g = 0; g < 20; g++)
        cr_expect_eq(metadata_find(metadata, g)->read, 40 + g);
    cr_expect_eq(counters.evictions, 0);
    cr_expect_eq(metadata->overflow.used, 12);
    destroy(metadata);
}

Test(validation_unit_tables, a_register_knows_the_latest_time_of_all)
{
    metadata_parameters parameters = small;
    parameters.approximate = APPROXIMATE_REGISTER;
    parameters.filter_sets = parameters.filter_ways = 1;
    validation_counters counters;
    metadata *metadata = make(&parameters, &counters);
    uint32_t cycles;
    for (uint64_t g = 0; g < 5; g++)
        metadata_look_up(metadata, g, &cycles)->read = 44 - g;
    cr_expect_eq(metadata_look_up(metadata, 99, &cycles)->read, 41, "%u",
                 (unsigned)metadata_look_up(metadata, 99, &cycles)->read);
    destroy(metadata);
}

/* Random look-ups, reservations and releases against tables that forget nothing. */
Test(validation_unit_tables, agree_with_exact_ones_on_what_is_reserved_and_never_say_too_little)
{
    enum { GRANULES = 64 };
    uint64_t seed = 2018;
    for (uint32_t round = 0; round < 40; round++) {
        metadata_parameters parameters = small;
        parameters.sets = 1 + (uint32_t)(kit_random(&seed) % 3);
        parameters.ways = 1 + (uint32_t)(kit_random(&seed) % 4);
        parameters.stash = (uint32_t)(kit_random(&seed) % 3);
        parameters.eviction = (uint32_t)(kit_random(&seed) % 2);
        parameters.approximate = (uint32_t)(kit_random(&seed) % 3);
        parameters.filter_sets = 1 + (uint32_t)(kit_random(&seed) % 4);
        parameters.overflow_lists = 1 + (uint32_t)(kit_random(&seed) % 3);
        parameters.overflow_line = 1 + (uint32_t)(kit_random(&seed) % 3);
        parameters.seed = kit_random(&seed);
        validation_counters counters;
        metadata *metadata = make(&parameters, &counters);
        metadata_entry exact[GRANULES];
        memset(exact, 0, sizeof exact);
        for (uint32_t i = 0; i < 2000; i++) {
            const uint64_t g = kit_random(&seed) % GRANULES;
            uint32_t cycles;
            metadata_entry *entry = metadata_look_up(metadata, g, &cycles);
            cr_assert_not_null(entry);
            cr_assert(entry->written >= exact[g].written && entry->read >= exact[g].read);
            cr_assert_eq(entry->reserved, exact[g].reserved);
            cr_assert_eq(metadata_places(metadata, g), 1);
            const uint64_t time = 1 + kit_random(&seed) % 100000;
            entry->read = exact[g].read = entry->read > time ? entry->read : time;
            entry->written = exact[g].written = entry->written > time / 2 ? entry->written : time / 2;
            entry->reserved = exact[g].reserved = exact[g].reserved ? 0 : kit_random(&seed) % 3 == 0;
            metadata_settle(metadata, entry);
        }
        destroy(metadata);
    }
}
