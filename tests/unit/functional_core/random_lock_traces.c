/* SPDX-License-Identifier: MIT */
/*
 * Random programs that take locks, with switches of the core: what a lane executes, without the switches, is a way through the program as it is,
 * from its entry to a return (ElTantawy 2018, appendix A). HEDDLE_RANDOM_LOCKS says how many, HEDDLE_RANDOM_SEED from which seed on.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_rig.h"
#include "random_locks_program.h"
#include "simt_core.h"

#define THREADS 24u
#define LANES 8u
#define CYCLES 4000000u

/* Where a lane is: the instruction of the program that it has executed last; NULL before the first and behind a return. */
typedef struct walk {
    const isa_instruction *last;
    uint32_t pc;
    uint64_t steps, switches, returns;
} walk;

static int is_return(const isa_program *program, uint32_t pc)
{
    const isa_instruction *instruction = isa_program_at(program, pc);
    return instruction && instruction->operation == ISA_OP_JALR;
}

/* Lanes that wait for each other at the return leave by one return, whichever their own is. */
static int is_at(const isa_program *program, uint32_t pc, uint32_t expected)
{
    return pc == expected || (is_return(program, pc) && is_return(program, expected));
}

static int leads_to(const walk *w, const isa_program *program, uint32_t pc)
{
    const isa_instruction *last = w->last;
    if (!last)
        return pc == CODE;
    const uint32_t target = w->pc + (uint32_t)last->immediate;
    if (last->operation == ISA_OP_JAL)
        return is_at(program, pc, target);
    return is_at(program, pc, w->pc + 4) || (last->instruction_class == ISA_CLASS_BRANCH && is_at(program, pc, target));
}

static void step(walk *w, const isa_program *program, uint32_t pc, uint64_t seed)
{
    if (pc % 4) {
        w->switches++;
        return;
    }
    cr_expect(leads_to(w, program, pc), "seed %" PRIu64 ": from 0x%x to 0x%x", seed, w->pc, pc);
    w->last = isa_program_at(program, pc);
    w->pc = pc;
    w->steps++;
    if (is_return(program, pc)) {
        w->returns++;
        w->last = NULL;
    }
}

/* Switches that lanes have come to. */
static uint64_t follow(uint64_t seed, const char *first)
{
    static uint32_t words[LOCKS_WORDS];
    static walk walks[THREADS];
    uint32_t count;
    uint64_t switches = 0;
    memset(walks, 0, sizeof walks);
    random_locks_program(seed, words);
    isa_program *program = program_of_words(words);
    rig_record(1);
    core_rig *rig = rig_create_of(&hd_simt_core_timed, (const char *[]){"lanes=8", "ssde=virtual", first, NULL}, words);
    rig_record(0);
    rig_launch(rig, THREADS, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), CYCLES));
    cr_expect(rig_done(rig), "seed %" PRIu64, seed);
    const kit_traced *all = kit_recorded(rig_kit(rig), &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(all[i].event, "issue"))
            continue;
        const char *number = strchr(all[i].track, '[');
        cr_assert(number, "%s", all[i].track);
        for (uint64_t left = all[i].values[1]; left; left &= left - 1) {
            const uint32_t thread = (uint32_t)atoi(number + 1) * LANES + (uint32_t)__builtin_ctzll(left);
            cr_assert_lt(thread, THREADS);
            step(&walks[thread], program, (uint32_t)all[i].values[0], seed);
        }
    }
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        cr_expect_eq(walks[thread].returns, 1, "seed %" PRIu64 ", thread %u", seed, thread);
        cr_expect_gt(walks[thread].steps, 8);
        switches += walks[thread].switches;
    }
    rig_destroy(rig);
    program_of_words_free(program);
    return switches;
}

Test(functional_core, lanes_that_come_to_switches_go_the_ways_of_the_program)
{
    const char *from = getenv("HEDDLE_RANDOM_SEED"), *so_many = getenv("HEDDLE_RANDOM_LOCKS");
    const uint64_t first = from ? strtoull(from, NULL, 0) : 1, count = so_many ? strtoull(so_many, NULL, 0) : 20;
    uint64_t switches = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        switches += follow(seed, "reconvergence.stack.first=taken");
        switches += follow(seed, "reconvergence.stack.first=not_taken");
    }
    fprintf(stderr, "traces of random locks: seeds %" PRIu64 " to %" PRIu64 "; %" PRIu64 " switches\n", first,
            first + count - 1, switches);
    cr_expect_gt(switches, 20 * count);
}
