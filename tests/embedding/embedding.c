/* SPDX-License-Identifier: MIT */
#include "embedding.h"

#include <string.h>

heddle_settings small_machine(void)
{
    return (heddle_settings){.struct_bytes = sizeof(heddle_settings), .netlist = EMBEDDING_MACHINE};
}

heddle_machine *open_with(const heddle_settings *settings)
{
    heddle_machine *machine;
    REQUIRE(heddle_open(settings, &machine));
    REQUIRE(heddle_load(machine, EMBEDDING_KERNELS));
    default_queue(machine);
    return machine;
}

heddle_machine *open_small(void)
{
    const heddle_settings settings = small_machine();
    return open_with(&settings);
}

heddle_queue *default_queue(heddle_machine *machine)
{
    heddle_queue *queue;
    REQUIRE(heddle_default_queue(machine, &queue));
    return queue;
}

heddle_address zeroed_words(heddle_machine *machine, uint32_t n)
{
    heddle_address words;
    REQUIRE(heddle_allocate(machine, 4 * (uint64_t)n, &words));
    REQUIRE(heddle_fill(machine, words, 0, 4 * (size_t)n));
    return words;
}

heddle_error launch(heddle_machine *machine, heddle_queue *queue, const char *name, heddle_address data, uint32_t n,
                    uint32_t value)
{
    heddle_kernel *kernel;
    const array_args args = {.data = {data}, .n = n, .value = value};
    const heddle_size size = {.grid = {(n + 63) / 64, 1, 1}, .block = {64, 1, 1}};
    REQUIRE(heddle_kernel_named(machine, name, &kernel));
    return heddle_launch(queue, kernel, &size, &args, sizeof args, NULL);
}

uint64_t now(heddle_machine *machine)
{
    uint64_t time = 0;
    EXPECT(heddle_time(machine, &time));
    return time;
}

uint64_t value_of(heddle_machine *machine, const char *path)
{
    uint64_t value = 0;
    EXPECT(heddle_statistic_value(machine, path, &value));
    return value;
}

void expect_refusal(heddle_error error, heddle_error expected, const char *part)
{
    cr_expect(error == expected, "code %u (%s), expected %u; %s", error, heddle_error_text(error), expected,
              heddle_message());
    cr_expect(strstr(heddle_message(), part), "not said: %s\nsaid: %s", part, heddle_message());
}
