/* SPDX-License-Identifier: MIT */
/*
 * Programs whose thread moves among cores of all vector lengths, at random instructions where it is not pinned: what it leaves in
 * memory is the same to the bit. HEDDLE_VECTOR_MOVES: how many moves.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "kit_random.h"
#include "rig.h"

#define MEMORY (64u << 20)
#define USUAL 100000u
#define INSTRUCTIONS_MAX 400000000u

static const char *const programs[] = {"v_strlen", "v_strchr", "v_strcmp", "v_strcpy", "v_strstr", "v_spmv", "v_sssp"};
#define PROGRAMS (sizeof programs / sizeof *programs)

typedef struct plan_of_moves {
    uint64_t seed;
    uint32_t gap;    /* at most so many instructions from one attempt to the next; 0: it stays */
    uint32_t forced; /* only where it is pinned, to 128 bits and back */
    uint64_t moves;
} plan_of_moves;

static rig r;

static uint64_t count_of(const char *variable, uint64_t usual)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : usual;
}

static void start(const char *program, uint32_t bits, uint32_t calls, uint32_t words)
{
    rig_open(&r, bits, MEMORY);
    r.hart.thread.pc = image_load(program, r.memory, MEMORY);
    r.hart.thread.x[2] = RIG_BASE + MEMORY;
    r.hart.thread.x[10] = calls;
    r.hart.thread.x[11] = strncmp(program, "v_s", 3) == 0 && (program[3] == 'p' || program[3] == 's') ? 100000 : 1;
    r.hart.thread.x[12] = words;
}

static void attempt(plan_of_moves *plan)
{
    const uint32_t bits = 128u << kit_random(&plan->seed) % 5;
    const uint32_t is_pinned = hd_thread_is_pinned(&r.hart.thread);
    if (is_pinned != plan->forced)
        return;
    plan->moves += rig_move(&r, !plan->forced ? bits : r.hart.bits == 128 ? 1024 : 128, plan->forced);
}

/* What the program ends with, or 1000 and the cause of an exception. Moves are made while it measures. */
static uint32_t run(plan_of_moves *plan)
{
    uint32_t measures = 0, left = 0;
    for (uint32_t i = 0; i < INSTRUCTIONS_MAX; i++) {
        if (measures && plan->gap && left-- == 0) {
            attempt(plan);
            left = (uint32_t)(kit_random(&plan->seed) % plan->gap);
        }
        uint32_t word;
        const uint32_t offset = r.hart.thread.pc - RIG_BASE;
        if (offset >= MEMORY)
            return 1000 + VEC_CAUSE_FETCH_FAULT;
        memcpy(&word, r.memory + offset, sizeof word);
        if (word == 0x00000073) {
            if (r.hart.thread.x[17] == HD_CALL_EXIT)
                return r.hart.thread.x[10];
            measures = r.hart.thread.x[10];
        }
        const uint32_t cause = rig_step(&r, word);
        if (cause != VEC_NO_CAUSE)
            return 1000 + cause;
    }
    return 999;
}

static uint8_t *expected_memory(const char *program, uint32_t calls, uint32_t words)
{
    plan_of_moves stays = {.gap = 0};
    start(program, 256, calls, words);
    cr_assert_eq(run(&stays), 0, "%s", program);
    uint8_t *memory = r.memory;
    r.memory = NULL;
    rig_close(&r);
    return memory;
}

static uint64_t move_about(const char *program, uint64_t wanted, uint64_t seed)
{
    const uint32_t is_sparse = program[3] == 's' ? program[4] == 's' : program[3] == 'p';
    const uint32_t calls = is_sparse ? 200 : 2000, words = is_sparse ? 1 : 3;
    uint8_t *expected = expected_memory(program, calls, words);
    plan_of_moves plan = {.seed = seed, .gap = 3};
    while (plan.moves < wanted) {
        start(program, 128u << kit_random(&plan.seed) % 5, calls, words);
        cr_assert_eq(run(&plan), 0, "%s, seed %llu", program, (unsigned long long)seed);
        cr_assert_eq(memcmp(r.memory, expected, MEMORY), 0, "%s, seed %llu: memory differs", program,
                     (unsigned long long)seed);
        rig_close(&r);
    }
    free(expected);
    return plan.moves;
}

Test(vec_core, threads_move_where_they_are_not_pinned, .timeout = 600)
{
    const uint64_t wanted = count_of("HEDDLE_VECTOR_MOVES", USUAL), seed = count_of("HEDDLE_SEED", 1);
    uint64_t moves = 0;
    for (size_t i = 0; i < PROGRAMS; i++)
        moves += move_about(programs[i], wanted / PROGRAMS + 1, seed + i);
    printf("vector moves: %llu moves of 7 programs among 128 to 2048 bits, all memory the same, seed %llu\n",
           (unsigned long long)moves, (unsigned long long)seed);
}

/* The same, only where they are pinned: this is what pinning is for. */
Test(vec_core, threads_that_move_where_they_are_pinned_go_wrong, .timeout = 600)
{
    uint32_t wrong = 0;
    uint64_t moves = 0;
    for (size_t i = 0; i < PROGRAMS; i++) {
        plan_of_moves plan = {.seed = 7 + i, .gap = 40, .forced = 1};
        start(programs[i], 1024, 200, 20);
        wrong += run(&plan) != 0;
        moves += plan.moves;
        rig_close(&r);
    }
    printf("vector moves that are not allowed: %llu, and %u of 7 programs fail\n", (unsigned long long)moves, wrong);
    cr_expect_eq(wrong, PROGRAMS);
}
