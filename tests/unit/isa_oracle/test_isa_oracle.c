/* SPDX-License-Identifier: MIT */
/*
 * models/isa against an engine that shares nothing with it: random sequences, every lane also executed by Unicorn.
 *
 * HEDDLE_ISA_SEQUENCES = how many (default 5000), HEDDLE_ISA_SEED = seed of the first (default 1; the next has the next
 * number). A failure names the seed of its sequence: HEDDLE_ISA_SEED=that HEDDLE_ISA_SEQUENCES=1 repeats it.
 */
#include "assemble.h"
#include "report.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define USUAL_SEQUENCES 5000u
#define SEQUENCES_PER_ORACLE 1000u /* Unicorn keeps all it ever translated, 15 KB a sequence */

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static uint64_t first_seed(void)
{
    return option("HEDDLE_ISA_SEED", 1);
}

static uint64_t sequence_count(void)
{
    return option("HEDDLE_ISA_SEQUENCES", USUAL_SEQUENCES);
}

static void compare_sequences(comparison *c, uint64_t first, uint64_t end)
{
    static sequence s;
    oracle *o = oracle_create();
    cr_assert(o, "Unicorn has no RV32");
    for (uint64_t i = first; i < end; i++) {
        sequence_make(&s, first_seed() + i);
        cr_assert_not(compare_sequence(c, o, &s), "sequence %" PRIu64 " differs\n%s", i + 1, c->report);
    }
    oracle_destroy(o);
}

Test(isa_oracle, random_sequences_agree_in_every_lane)
{
    static comparison c;
    uint64_t count = sequence_count();
    for (uint64_t i = 0; i < count; i += SEQUENCES_PER_ORACLE)
        compare_sequences(&c, i, count < i + SEQUENCES_PER_ORACLE ? count : i + SEQUENCES_PER_ORACLE);
    printf("%" PRIu64 " sequences from seed %" PRIu64 ": %" PRIu64 " lanes, %" PRIu64 " instructions agree\n", count,
           first_seed(), c.lanes, c.instructions);
}
