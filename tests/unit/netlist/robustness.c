/* SPDX-License-Identifier: MIT */
/*
 * Whatever is done to a file, loading it gives a machine or an error in the usual form.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define SEED UINT64_C(0x9E3779B97F4A7C15)

static char *text;
static size_t length;

static void enter(void)
{
    FILE *file = fopen(NETLIST_MACHINE, "rb");
    cr_assert_not_null(file);
    FILE *out = open_memstream(&text, &length);
    for (int character; (character = fgetc(file)) != EOF;)
        fputc(character, out);
    fclose(file);
    fclose(out);
    bench_enter();
}

static void leave(void)
{
    bench_leave();
    free(text);
}

static void expect_form(const char *errors)
{
    static const char start[] = "mutant.yaml:";
    cr_assert_eq(strncmp(errors, start, strlen(start)), 0, "%s", errors);
    cr_assert_not_null(strstr(errors, ": error[N"), "%s", errors);
    cr_assert_eq(errors[strlen(errors) - 1], '\n', "%s", errors);
    cr_assert_null(strstr(errors, "N00"), "%s", errors);
}

/* Returns whether it is a machine. */
static int try_load(const char *bytes, size_t count)
{
    char *errors;
    bench_write("mutant.yaml", bytes, count);
    netlist *machine = netlist_load("mutant.yaml", fake_registry(), NULL, 0, &errors);
    int is_good = machine != NULL;
    if (!machine)
        expect_form(errors);
    free(errors);
    netlist_free(machine);
    return is_good;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

TestSuite(netlist_robustness, .init = enter, .fini = leave, .timeout = 100);

Test(netlist_robustness, the_machine_itself_loads)
{
    cr_expect(try_load(text, length));
}

Test(netlist_robustness, a_byte_order_mark_is_no_part_of_the_text)
{
    char *errors, *marked = malloc(length + 3);
    memcpy(marked, "\xEF\xBB\xBF", 3);
    memcpy(marked + 3, text, length);
    cr_expect(try_load(marked, length + 3));
    cr_expect_not(try_load(marked, 3));
    free(marked);
    bench_write("mutant.yaml", "\xEF\xBB\xBFhedle: 1\n", 12);
    cr_expect_null(netlist_load("mutant.yaml", fake_registry(), NULL, 0, &errors));
    cr_expect(strstr(errors, "mutant.yaml:1:1: error[N08]: unknown key 'hedle'"), "%s", errors);
    free(errors);
}

Test(netlist_robustness, the_file_may_end_at_any_byte)
{
    size_t good = 0;
    for (size_t end = 0; end < length; end++)
        good += try_load(text, end);
    cr_expect_gt(good, 0, "the last line end is not needed");
    cr_expect_lt(good, 10);
}

Test(netlist_robustness, any_byte_may_be_any_of_a_choice)
{
    static const char bytes[] = {0, ' ', ':', '{', '[', '\'', '"', '&', '*', '!', '-', '\n', '\t', '9', (char)0xC3};
    char *mutant = malloc(length);
    uint64_t random = SEED;
    for (size_t at = 0; at < length; at++) {
        memcpy(mutant, text, length);
        mutant[at] = bytes[next_random(&random) % sizeof bytes];
        try_load(mutant, length);
    }
    free(mutant);
}

Test(netlist_robustness, any_line_may_be_missing_or_doubled)
{
    char *mutant = malloc(2 * length);
    for (size_t start = 0; start < length;) {
        size_t end = start + strcspn(text + start, "\n") + 1;
        end = end > length ? length : end;
        memcpy(mutant, text, start);
        memcpy(mutant + start, text + end, length - end);
        try_load(mutant, length - (end - start));
        memcpy(mutant, text, end);
        memcpy(mutant + end, text + start, length - start);
        try_load(mutant, length + (end - start));
        start = end;
    }
    free(mutant);
}

Test(netlist_robustness, several_bytes_may_change_at_once)
{
    char *mutant = malloc(length);
    uint64_t random = SEED;
    printf("seed %llx\n", (unsigned long long)SEED);
    for (int round = 0; round < 2000; round++) {
        memcpy(mutant, text, length);
        for (uint64_t changes = 1 + next_random(&random) % 8; changes > 0; changes--)
            mutant[next_random(&random) % length] = text[next_random(&random) % length];
        try_load(mutant, length);
    }
    free(mutant);
}

Test(netlist_robustness, many_keys_links_and_brackets_take_no_long_time)
{
    size_t bytes = 4 * 1024 * 1024 - 16;
    char *large = malloc(bytes);
    memset(large, '[', bytes);
    cr_expect_not(try_load(large, bytes));
    memset(large, '\n', bytes);
    cr_expect_not(try_load(large, bytes));
    for (size_t i = 0; i < bytes; i++)
        large[i] = "- a\n"[i % 4];
    cr_expect_not(try_load(large, bytes));
    for (size_t i = 0; i < bytes; i++)
        large[i] = "0.00000000000"[i % 13];
    memcpy(large, "heddle: ", 8);
    cr_expect_not(try_load(large, bytes));
    free(large);
}

Test(netlist_robustness, a_flood_of_links_is_stopped)
{
    static const char head[] = BENCH_HEAD "blocks:\n"
                                          "  a: {kind: probe, type: plain, clock: core, count: 30000}\n"
                                          "  b: {kind: crossbar, type: round_robin, clock: core, count: 30000}\n"
                                          "links:\n";
    char *flood;
    size_t bytes;
    FILE *out = open_memstream(&flood, &bytes);
    fputs(head, out);
    for (int i = 0; i < 60; i++)
        fputs("  - {from: a.out, to: b.input}\n", out);
    fclose(out);
    cr_expect_not(try_load(flood, bytes));
    free(flood);
}

Test(netlist_robustness, overrides_may_be_anything)
{
    char mutant[64];
    uint64_t random = SEED;
    static const char letters[] = "core.warps=16[]{}*&!: \n\"'#,blocks.parameters\xC3\xA4";
    bench_write("mutant.yaml", text, length);
    for (int round = 0; round < 1000; round++) {
        size_t bytes = next_random(&random) % (sizeof mutant - 1);
        for (size_t i = 0; i < bytes; i++)
            mutant[i] = letters[next_random(&random) % (sizeof letters - 1)];
        mutant[bytes] = 0;
        const char *overrides[] = {"core.warps=16", mutant};
        char *errors;
        netlist *machine = netlist_load("mutant.yaml", fake_registry(), overrides, 2, &errors);
        cr_assert(machine || strstr(errors, "error[N"), "%s", mutant);
        free(errors);
        netlist_free(machine);
    }
}
