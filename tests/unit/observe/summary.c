/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "results.h"

static char *summary_of(const hd_results *results)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    hd_results_headline(results, out);
    hd_results_summary(results, out);
    fclose(out);
    return text;
}

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

Test(summary, has_a_row_per_kernel_function_and_stays_a_page)
{
    counting rig;
    hd_host_launch launches[24];
    counting_open(&rig);
    for (uint32_t i = 0; i < 24; i++) {
        launches[i] = (hd_host_launch){.kernel = names[i % 8],
                                       .grid_size = {2, 1, 1},
                                       .block_size = {32, 2, 1},
                                       .complete = 1,
                                       .start_cycle = 100,
                                       .end_cycle = 150};
        hd_statistics_kernel_begin(rig.statistics, i, 1000 * i);
        counting_values(&rig, 0)[COUNTING_EVENTS] += 10;
        hd_statistics_kernel_end(rig.statistics, i, 1000 * i + 500);
    }
    hd_statistics_finish(rig.statistics, 24000);
    hd_results results = {.statistics = rig.statistics,
                          .app = "many",
                          .status = "pass",
                          .message = "",
                          .launches = launches,
                          .launch_count = 24};
    char *text = summary_of(&results);
    cr_expect_eq(strncmp(text, "PASS  many on rig\n", 18), 0);
    cr_expect_not_null(
        strstr(text, "\na                           3         6         384           150              30   0.200"),
        "%s", text);
    cr_expect_not_null(strstr(text, "\nothers                      9"), "%s", text);
    cr_expect_null(strstr(text, "\ng "));
    free(text);
    counting_close(&rig);
}

Test(summary, of_a_run_that_did_not_end_says_so)
{
    counting rig;
    counting_open(&rig);
    hd_statistics_finish(rig.statistics, 2000);
    hd_results results = {.statistics = rig.statistics,
                          .app = "none",
                          .status = "deadlock",
                          .message = "stuck",
                          .partial = 1,
                          .simulated = 2000};
    char *text = summary_of(&results);
    cr_expect_eq(strncmp(text, "FAIL  none on rig\n", 18), 0);
    cr_expect_not_null(strstr(text, "2.00 ns, of which kernels 0 ps (partial)"), "%s", text);
    free(text);
    counting_close(&rig);
}

/* One launch of 32 threads that began at 1 ns; the machine has no command processor, whose clock would count its cycles. */
static char *summary_of_launch(uint32_t is_complete)
{
    counting rig;
    hd_host_launch launch = {.kernel = "k",
                             .grid_size = {1, 1, 1},
                             .block_size = {32, 1, 1},
                             .complete = is_complete,
                             .start_cycle = 10,
                             .end_cycle = 17};
    counting_open(&rig);
    hd_statistics_kernel_begin(rig.statistics, 0, 1000);
    counting_values(&rig, 0)[COUNTING_EVENTS] += 10;
    if (is_complete)
        hd_statistics_kernel_end(rig.statistics, 0, 1500);
    hd_statistics_finish(rig.statistics, 2000);
    hd_results results = {.statistics = rig.statistics,
                          .app = "one",
                          .status = is_complete ? "pass" : "deadlock",
                          .message = "",
                          .launches = &launch,
                          .launch_count = 1,
                          .partial = !is_complete};
    char *text = summary_of(&results);
    counting_close(&rig);
    return text;
}

/* What a launch reports when it ends, its cycles among it, is not there before. */
Test(summary, a_kernel_that_did_not_end_has_the_cycles_until_the_end_of_the_run)
{
    char *text = summary_of_launch(1);
    cr_expect_not_null(strstr(text, "\nk                           1         1          32             7 "), "%s",
                       text);
    free(text);
    text = summary_of_launch(0);
    cr_expect_not_null(strstr(text, "\nk                           1         1          32         1,000 "), "%s",
                       text);
    free(text);
}
