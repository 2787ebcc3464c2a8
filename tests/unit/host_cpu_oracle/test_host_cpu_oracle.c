/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sequence.h"

#define FIRST_SEED 1u

static uint32_t sequence_count(void)
{
    const char *text = getenv("HEDDLE_HART_SEQUENCES");
    return text ? (uint32_t)strtoul(text, NULL, 10) : 5000;
}

static void print_code(const sequence *s)
{
    for (uint32_t at = 0; at < s->bytes;) {
        uint32_t word;
        memcpy(&word, s->ram + at, 4);
        const uint32_t bytes = rv64_bytes(word);
        const isa_instruction instruction = rv64_decode(bytes == 4 ? word : word & 0xFFFF);
        cr_log_error("  %08llx: %0*x %s rd %u rs1 %u rs2 %u imm %d", (unsigned long long)(CODE_PAGE + at),
                     (int)(2 * bytes), bytes == 4 ? word : word & 0xFFFF, rv64_mnemonic(instruction.operation),
                     instruction.rd, instruction.rs1, instruction.rs2, instruction.immediate);
        at += bytes;
    }
}

/* The first difference, as text; "" if there is none. */
static uint32_t differ(const outcome *subject, const outcome *oracle, char *text, size_t bytes)
{
    for (uint32_t i = 1; i < 32; i++)
        if (subject->registers[i] != oracle->registers[i])
            return (uint32_t)snprintf(text, bytes, "x%u is %llx, oracle has %llx", i,
                                      (unsigned long long)subject->registers[i],
                                      (unsigned long long)oracle->registers[i]);
    if (subject->stop != oracle->stop)
        return (uint32_t)snprintf(text, bytes, "stop %u, oracle has %u", subject->stop, oracle->stop);
    if (subject->stop == OUTCOME_COUNT && subject->pc != oracle->pc)
        return (uint32_t)snprintf(text, bytes, "pc %llx, oracle has %llx", (unsigned long long)subject->pc,
                                  (unsigned long long)oracle->pc);
    for (uint32_t i = 0; i < RAM_BYTES; i++)
        if (subject->ram[i] != oracle->ram[i])
            return (uint32_t)snprintf(text, bytes, "byte %x is %x, oracle has %x", i, subject->ram[i], oracle->ram[i]);
    return 0;
}

/* A program that writes its own code and does not say so (fence.i) may see either. */
static uint32_t wrote_code(const sequence *s, const outcome *result)
{
    return memcmp(s->ram, result->ram, PAGE_BYTES) != 0;
}

Test(host_cpu_oracle, random_sequences_agree)
{
    static sequence s;
    static outcome expected, got, at_once;
    static coverage c;
    const uint32_t count = sequence_count();
    uint32_t skipped = 0, missing = 0;
    char text[160];
    oracle *o = oracle_create();
    cr_assert_not_null(o, "Unicorn has no RV64");
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
        sequence_make(&s, seed);
        subject_run(&s, MAX_STEPS, &got, &c);
        if (got.exempt || wrote_code(&s, &got)) {
            skipped++;
            continue;
        }
        oracle_run(o, &s, MAX_STEPS, &expected);
        subject_run(&s, MAX_STEPS, &at_once, NULL);
        if (!differ(&got, &expected, text, sizeof text) && !differ(&at_once, &got, text, sizeof text))
            continue;
        print_code(&s);
        cr_assert_fail("sequence %llu: %s", (unsigned long long)seed, text);
    }
    oracle_destroy(o);
    for (uint32_t operation = 0; operation < RV64_OP_COUNT; operation++)
        if (rv64_decode(0).operation != operation && c.executed[operation] > 0)
            missing++;
    printf(
        "%u sequences from seed %u: %llu instructions of %u operations agree; stops: %llu at the count, %llu illegal, "
        "%llu data, %llu fetch; %u left out\n",
        count, FIRST_SEED, (unsigned long long)c.instructions, missing, (unsigned long long)c.stops[OUTCOME_COUNT],
        (unsigned long long)c.stops[OUTCOME_ILLEGAL], (unsigned long long)c.stops[OUTCOME_DATA],
        (unsigned long long)c.stops[OUTCOME_FETCH], skipped);
}
