/* SPDX-License-Identifier: MIT */
#include "embedding.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(statistics, of_instances_add_up_to_those_of_blocks)
{
    uint32_t count;
    heddle_machine *machine = open_small();
    EXPECT(launch(machine, default_queue(machine), "add", zeroed_words(machine, 1000), 1000, 1));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_statistic_count(machine, &count));
    cr_expect_gt(count, 100);
    uint64_t instructions = 0;
    for (uint32_t i = 0; i < count; i++) {
        heddle_statistic at;
        char path[256];
        EXPECT(heddle_statistic_at(machine, i, &at));
        cr_expect(at.block[0] && at.name[0] && at.unit && at.doc[0]);
        snprintf(path, sizeof path, "%s.%s", at.block, at.name);
        cr_expect_eq(value_of(machine, path), at.value, "%s", path);
        if (!strncmp(at.block, "core[", 5) && !strcmp(at.name, "warp_instructions"))
            instructions += at.value;
    }
    cr_expect_gt(instructions, 0);
    cr_expect_eq(value_of(machine, "core.warp_instructions"), instructions);
    cr_expect_eq(value_of(machine, "core[0].warp_instructions") + value_of(machine, "core[1].warp_instructions"),
                 instructions);
    EXPECT(heddle_close(machine));
}

Test(statistics, stand_as_they_are_while_a_kernel_runs)
{
    heddle_machine *machine = open_small();
    EXPECT(launch(machine, default_queue(machine), "count", zeroed_words(machine, 64), 64, 1));
    uint64_t before = 0, between = 0;
    for (uint32_t i = 0; i < 50; i++) {
        EXPECT(heddle_advance_for(machine, 1000000));
        const uint64_t at = value_of(machine, "core.warp_instructions");
        cr_expect_geq(at, before);
        between += at > before;
        before = at;
    }
    cr_expect_gt(between, 5);
    EXPECT(heddle_wait(machine));
    cr_expect_gt(value_of(machine, "l2.mshr_maximum"), 0, "a maximum of an interval that has ended stays");
    EXPECT(heddle_close(machine));
}

Test(statistics, results_are_those_of_the_file)
{
    const char *text;
    heddle_machine *machine = open_small();
    EXPECT(launch(machine, default_queue(machine), "add", zeroed_words(machine, 1000), 1000, 1));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_report(machine, "words", 1));
    EXPECT(heddle_report(machine, "words", 1000));
    EXPECT(heddle_report(machine, "more", UINT64_C(1) << 40));
    EXPECT(heddle_results(machine, &text));
    char *first = strdup(text);
    EXPECT(heddle_results(machine, &text));
    cr_expect_str_eq(text, first, "looking changes nothing");
    free(first);
    json_error_t error;
    json_t *results = json_loads(text, 0, &error);
    cr_assert(results, "%s", error.text);
    json_int_t cycles, total, words, more;
    const char *status, *kernel;
    cr_assert_eq(json_unpack(results, "{s:s, s:[{s:s, s:I}], s:{s:{s:I, s:I}}, s:{s:I}}", "status", &status, "kernels",
                             "kernel", &kernel, "cycles", &cycles, "app", "reports", "words", &words, "more", &more,
                             "time", "total_ps", &total),
                 0);
    cr_expect_str_eq(status, "embedded");
    cr_expect_str_eq(kernel, "add");
    cr_expect(words == 1000 && more == (json_int_t)1 << 40);
    cr_expect_eq((uint64_t)total, now(machine));
    heddle_launch_record record;
    EXPECT(heddle_launch_info(machine, 0, &record));
    cr_expect_eq((uint64_t)cycles, record.end_cycle - record.start_cycle);
    json_decref(results);
    EXPECT(heddle_close(machine));
}
