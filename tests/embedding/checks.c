/* SPDX-License-Identifier: MIT */
/* Kernels that are checked while a program outside drives the machine. */
#include "embedding.h"

#include <string.h>

#define WORDS 60u /* its end is not that of a piece of memory */

/* Opens a machine that checks, with an array that is written as a whole. */
static heddle_machine *open_checked(uint32_t checks, heddle_address *words)
{
    heddle_settings settings = small_machine();
    settings.checks = checks;
    heddle_machine *machine = open_with(&settings);
    REQUIRE(heddle_allocate_at(machine, 4 * WORDS, "folder/program.c", 77, words));
    REQUIRE(heddle_fill(machine, *words, 0, 4 * WORDS));
    return machine;
}

static heddle_error run(heddle_machine *machine, const char *kernel, heddle_address words, uint32_t count)
{
    const heddle_error error = launch(machine, default_queue(machine), kernel, words, count, 1);
    return error ? error : heddle_wait(machine);
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})
static void expect_fault(heddle_machine *machine, heddle_error error, const char *const *parts)
{
    cr_expect_eq(error, HEDDLE_ERROR_FAULT, "%s", heddle_message());
    for (uint32_t i = 0; parts[i]; i++)
        cr_expect_not_null(strstr(heddle_message(), parts[i]), "no \"%s\" in: %s", parts[i], heddle_message());
    EXPECT(heddle_close(machine));
}

Test(checks, what_is_in_order_is_clean)
{
    heddle_address words;
    heddle_machine *machine = open_checked(HEDDLE_CHECK_MEMORY | HEDDLE_CHECK_RACES, &words);
    EXPECT(run(machine, "add", words, WORDS));
    EXPECT(run(machine, "add_from_table", words, WORDS));
    EXPECT(heddle_close(machine));
}

Test(checks, memory_out_of_bounds_names_the_allocation)
{
    heddle_address words;
    heddle_machine *machine = open_checked(HEDDLE_CHECK_MEMORY, &words);
    expect_fault(machine, run(machine, "add", words, WORDS + 1),
                 PARTS("4-byte load of", "0 bytes behind the end of allocation 1", "add+0x", "240 bytes at 0x"));
    machine = open_checked(HEDDLE_CHECK_MEMORY, &words);
    EXPECT(heddle_free_at(machine, words, "folder/program.c", 78));
    expect_fault(machine, run(machine, "add", words, WORDS),
                 PARTS("its allocation has been freed", "allocated at program.c:77, freed at program.c:78"));
}

Test(checks, memory_that_the_program_has_not_written)
{
    heddle_address words, more;
    heddle_machine *machine = open_checked(HEDDLE_CHECK_MEMORY, &words);
    REQUIRE(heddle_allocate(machine, 4 * WORDS, &more));
    expect_fault(machine, run(machine, "add", more, WORDS),
                 PARTS("has not been written since it was allocated", "allocation 2: 240 bytes at 0x"));
}

/* The default queue lies right before the first allocation. */
Test(checks, memory_of_a_queue)
{
    heddle_address words;
    heddle_machine *machine = open_checked(HEDDLE_CHECK_MEMORY, &words);
    expect_fault(machine, run(machine, "add", words - 4, 1), PARTS("belongs to the host runtime"));
}

Test(checks, races)
{
    heddle_address words;
    heddle_machine *machine = open_checked(HEDDLE_CHECK_RACES, &words);
    expect_fault(machine, run(machine, "add_to_one", words, WORDS),
                 PARTS("store", "byte 0 of allocation 1", "allocated at program.c:77"));
}

Test(checks, that_nobody_asks_for_find_nothing)
{
    heddle_address words;
    heddle_machine *machine = open_checked(0, &words);
    EXPECT(run(machine, "add_to_one", words, WORDS));
    EXPECT(run(machine, "add", words, WORDS + 1));
    EXPECT(heddle_close(machine));
}
