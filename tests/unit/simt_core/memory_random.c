/* SPDX-License-Identifier: MIT */
/* Random runs (memory_random_run.h) of memory pipes of many shapes. HEDDLE_MEMORY_ACCESSES makes more of them. */
#include "memory_random_run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 1500u
#define COUNTERS (sizeof(memory_counters) / 8)

static void run_all(const memory_parameters *p, uint64_t first_seed, uint64_t *seen)
{
    for (uint64_t seed = first_seed; seed < first_seed + 6; ++seed) {
        printf("seed %llu\n", (unsigned long long)seed);
        random_run run = {*p, seed, STEPS, seed % 2 ? 200 : 3, 0};
        const uint64_t once = random_run_all(&run, seen);
        run.spurious = 1;
        cr_expect_eq(once, random_run_all(&run, NULL), "calls too many change something");
    }
}

static memory_parameters caching(void)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    return p;
}

TestSuite(memory_random, .timeout = 7200);

Test(memory_random, shows_each_thread_its_own_order_past_the_l1)
{
    memory_parameters p = rig_parameters();
    run_all(&p, 100, NULL);
    p.l1_private = L1_PRIVATE_BYPASS;
    run_all(&p, 150, NULL);
}

Test(memory_random, shows_each_thread_its_own_order_through_the_l1)
{
    const memory_parameters p = caching();
    run_all(&p, 200, NULL);
}

Test(memory_random, shows_each_thread_its_own_order_through_a_tiny_l1)
{
    uint64_t seen[COUNTERS] = {0};
    memory_parameters p = caching();
    p.l1_bytes = 768;
    p.l1_ways = 2; /* three sets */
    p.l1_mshrs = 3;
    p.l1_mshr_merges = 2;
    p.tickets = 9;
    p.responses = 1;
    run_all(&p, 300, seen);
    p.width = 16;
    p.atomic_request = ATOMIC_WORDS;
    p.l1_port_bytes = 64;
    p.l1_sector = 32;
    p.l1_write = L1_WRITE_THROUGH;
    p.l1_write_allocate = L1_ALLOCATE_VALIDATE;
    p.constant = (cache_parameters){
        .bytes = 64, .ways = 2, .line_bytes = 32, .mshrs = 1, .merges = 2, .replacement = &replacement_lru};
    p.texture = (cache_parameters){
        .bytes = 512, .ways = 2, .line_bytes = 32, .mshrs = 2, .merges = 2, .replacement = &replacement_lru};
    p.texture_latency = 9;
    p.code = (cache_parameters){.bytes = 512,
                                .ways = 2,
                                .line_bytes = 64,
                                .mshrs = 3,
                                .merges = 2,
                                .tags_only = 1,
                                .replacement = &replacement_lru};
    run_all(&p, 350, seen);
    p = caching();
    p.schedulers = 2;
    p.address_interval = 3;
    p.address_latency = 5;
    p.l1_write = L1_WRITE_THROUGH;
    p.l1_sector = 32;
    p.l1_allocate = L1_ON_FILL;
    run_all(&p, 370, seen);
    static const char *const names[] = {
#define COUNTER_NAME(name, unit, kind, doc) #name,
        MEMORY_STATISTICS(COUNTER_NAME)
#undef COUNTER_NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        cr_expect(seen[i] != 0 || strstr(names[i], "_transaction") || strstr(names[i], "_context"), "%s stays 0",
                  names[i]);
}

Test(memory_random, shows_each_thread_its_own_order_with_one_of_everything)
{
    memory_parameters p = caching();
    p.l1_bytes = 128;
    p.l1_ways = 1;
    p.l1_mshrs = 1;
    p.l1_mshr_merges = 1;
    p.tickets = 3;
    p.queue = 1;
    p.l1_latency = 1;
    p.scratchpad_latency = 1;
    run_all(&p, 400, NULL);
}

/* ---- Any shape ---- */

static uint32_t one_of(uint64_t *state, const uint32_t *values, uint32_t count)
{
    return values[rig_random(state) % count];
}
#define ONE_OF(state, ...)                                                                                             \
    one_of(state, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static memory_parameters random_parameters(uint64_t *state)
{
    static const hd_unit *const policies[] = {REPLACEMENT_UNITS(HD_UNIT_POINTER)};
    memory_parameters p = rig_parameters();
    p.queue = ONE_OF(state, 1, 2, 4, 16);
    p.schedulers = ONE_OF(state, 1, 2, 4);
    p.address_interval = ONE_OF(state, 0, 0, 1, 4);
    p.address_latency = ONE_OF(state, 1, 8);
    p.width = ONE_OF(state, 0, 0, 16, 5);
    p.scratchpad_group = ONE_OF(state, 0, 0, 16, 7);
    p.tickets = ONE_OF(state, 2, 5, 16, 64);
    p.l1_replacement = policies[rig_random(state) % (sizeof policies / sizeof *policies)]->functions;
    p.l1_ways = p.l1_replacement == &replacement_plru ? ONE_OF(state, 1, 2, 4, 8) : ONE_OF(state, 1, 2, 3, 6, 8);
    p.l1_line = ONE_OF(state, 32, 64, 128);
    p.l1_lookups = ONE_OF(state, 1, 2, 3, 4);
    p.l1_sector = ONE_OF(state, 0, 0, 32, 64, 128);
    p.l1_sector = p.l1_sector > p.l1_line ? p.l1_line : p.l1_sector;
    p.l1_allocate = ONE_OF(state, L1_ON_MISS, L1_ON_MISS, L1_ON_FILL);
    p.l1_write = p.l1_line == 128 ? ONE_OF(state, L1_WRITE_EVICT, L1_WRITE_THROUGH) : L1_WRITE_EVICT;
    p.l1_write_allocate = p.l1_write ? ONE_OF(state, L1_ALLOCATE_NO, L1_ALLOCATE_VALIDATE) : L1_ALLOCATE_NO;
    p.l1_bytes = p.l1_ways * p.l1_line * ONE_OF(state, 1, 2, 3, 16);
    p.l1_set_hash = ONE_OF(state, CACHE_LINEAR, CACHE_MULTIPLICATIVE);
    p.l1_latency = ONE_OF(state, 1, 2, 30);
    p.l1_port_bytes = ONE_OF(state, 0, 0, 64, 20);
    p.l1_mshrs = ONE_OF(state, 1, 2, 8, 32);
    p.l1_mshr_merges = ONE_OF(state, 1, 2, 8);
    p.l1_global = ONE_OF(state, L1_GLOBAL_BYPASS, L1_GLOBAL_CACHE, L1_GLOBAL_CACHE);
    p.l1_private = ONE_OF(state, L1_PRIVATE_CACHE, L1_PRIVATE_CACHE, L1_PRIVATE_CACHE, L1_PRIVATE_BYPASS);
    p.sector_bytes = ONE_OF(state, 32, 64, 128);
    p.atomic_request = ONE_OF(state, ATOMIC_LINES, ATOMIC_WORDS, ATOMIC_SECTORS, ATOMIC_LANES);
    p.responses = ONE_OF(state, 0, 0, 1, 3);
    if (rig_random(state) % 2)
        p.constant = (cache_parameters){.bytes = 256,
                                        .ways = 2,
                                        .line_bytes = ONE_OF(state, 32, 64, 128),
                                        .mshrs = ONE_OF(state, 1, 4),
                                        .merges = ONE_OF(state, 1, 8),
                                        .replacement = &replacement_lru};
    if (rig_random(state) % 2)
        p.texture = (cache_parameters){.bytes = 512,
                                       .ways = ONE_OF(state, 1, 4),
                                       .line_bytes = ONE_OF(state, 32, 64, 128),
                                       .mshrs = ONE_OF(state, 1, 4),
                                       .merges = ONE_OF(state, 1, 8),
                                       .replacement = &replacement_lru};
    p.texture_latency = ONE_OF(state, 1, 20);
    return p;
}

Test(memory_random, shows_each_thread_its_own_order_whatever_the_shape)
{
    const char *wish = getenv("HEDDLE_MEMORY_ACCESSES");
    const uint64_t accesses = wish ? strtoull(wish, NULL, 10) : 60 * (uint64_t)STEPS;
    uint64_t done = 0;
    for (uint64_t seed = 1000; done < accesses; ++seed, done += STEPS) {
        uint64_t state = seed;
        random_run run = {random_parameters(&state), seed, STEPS, ONE_OF(&state, 0, 3, 40, 200), 0};
        if (!wish)
            printf("seed %llu\n", (unsigned long long)seed);
        const uint64_t once = random_run_all(&run, NULL);
        run.spurious = 1;
        if (seed % 8 == 0)
            cr_assert_eq(once, random_run_all(&run, NULL), "seed %llu: calls too many change something",
                         (unsigned long long)seed);
    }
    printf("random accesses: %llu warp accesses of %llu pipes agree with each thread's own order\n",
           (unsigned long long)done, (unsigned long long)(done / STEPS));
}
