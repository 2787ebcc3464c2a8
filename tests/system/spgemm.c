/* SPDX-License-Identifier: MIT */
/* Products of sparse matrices: what the phases of the outer product fetch, and how their work grows. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "machine_run.h"
#include "stats.h"

#define SIZE 96
#define ELEMENTS 768

static machine_run run_outer(const char *netlist, const char *const *sets)
{
    machine_run run = run_machine(&(run_request){.netlist = netlist, .app = HEDDLE_APPS "/spgemm_outer", .sets = sets});
    cr_assert(!run.was_refused && run.outcome == HD_OUTCOME_PASS, "%s", run.message);
    return run;
}

/* A statistic of one of its launches. */
static int64_t of_launch(const machine_run *run, uint32_t launch, const char *statistic)
{
    const json_t *kernels = stats_at(run->results, "kernels");
    const json_t *statistics = json_object_get(json_array_get(kernels, launch), "statistics");
    return json_integer_value(stats_at(statistics, statistic));
}

enum { MULTIPLY, MERGE };

/* ---- Each element of both matrices comes once in multiply -------------------------------------------------------------- */

/* Lines of the arrays that both matrices are, which begin at lines. */
static int64_t lines_of_matrices(uint32_t line_bytes)
{
    const uint32_t firsts = ((SIZE + 1) * 4 + line_bytes - 1) / line_bytes;
    const uint32_t arrays = (ELEMENTS * 4 + line_bytes - 1) / line_bytes;
    return 2 * (firsts + 2 * arrays);
}

static int64_t lines_fetched_by_core(const char *l1_bytes)
{
    const char *const sets[] = {"core.count=1",     l1_bytes,     "app.matrix=uniform", "app.size=96",
                                "app.elements=768", "app.grid=1", "app.columns=16",     "app.heads=4",
                                "app.block=64",     NULL};
    machine_run run = run_outer(SYSTEM_MACHINES "/small.yaml", sets);
    const int64_t lines =
        of_launch(&run, MULTIPLY, "core/l1_global_misses") - of_launch(&run, MULTIPLY, "core/l1_global_merges");
    run_free(&run);
    return lines;
}

Test(spgemm, multiply_fetches_each_element_once)
{
    cr_expect_eq(lines_fetched_by_core("core.l1.bytes=96 KiB"), lines_of_matrices(128));
    cr_expect_gt(lines_fetched_by_core("core.l1.bytes=1536 B"), lines_of_matrices(128) * 5 / 4,
                 "the cache is too small for it");
}
