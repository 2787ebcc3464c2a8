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

/* ---- On tiles: from memory, whatever PEs, tiles and the second level have of it in the meantime --------------------------- */

#define TILES HEDDLE_TILES "/tile_2x4.yaml"

static int64_t bytes_from_memory(const char *elements, const char *l0_bytes, const char *l1_bytes)
{
    const char *const sets[] = {"app.form=tiles_apart",
                                "app.grid=8",
                                "app.heads=25",
                                "app.matrix=uniform",
                                "app.size=96",
                                elements,
                                l0_bytes,
                                l1_bytes,
                                NULL};
    machine_run run = run_outer(TILES, sets);
    const int64_t bytes = of_launch(&run, MULTIPLY, "fabric/memory_bytes_read");
    run_free(&run);
    return bytes;
}

/* Stacks, arguments and what PEs tell each other come on top, as much for few elements as for many. */
static int64_t bytes_of_more(const char *l0_bytes, const char *l1_bytes)
{
    return bytes_from_memory("app.elements=1536", l0_bytes, l1_bytes) -
           bytes_from_memory("app.elements=192", l0_bytes, l1_bytes);
}

Test(spgemm, multiply_on_tiles_fetches_each_element_once)
{
    const int64_t index_and_value = 8, matrices = 2, more = 1536 - 192;
    cr_expect_eq(bytes_of_more("fabric.l0.bytes=64 KiB", "fabric.l1.bytes=64 KiB"), more * matrices * index_and_value);
    cr_expect_gt(bytes_of_more("fabric.l0.bytes=4 KiB", "fabric.l1.bytes=512 B"), more * matrices * index_and_value,
                 "the caches are too small for it");
}

/* Both phases in one launch and in two, with rows that are split, on the worked example and on others. */
Test(spgemm, phases_on_tiles_are_those_of_blocks)
{
    static const char *const forms[] = {"app.form=tiles", "app.form=tiles_apart"};
    static const char *const matrices[] = {"app.matrix=example", "app.matrix=diagonal", "app.matrix=power_law",
                                           "app.matrix=rmat",    "app.matrix=banded",   "app.elements=0"};
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
        for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
            const char *const sets[] = {forms[form],  "app.size=70", "app.elements=300", matrices[i],
                                        "app.grid=8", "app.heads=3", "app.columns=3",    NULL};
            machine_run run = run_outer(TILES, sets);
            run_free(&run);
        }
}

/* ---- The work of merge -------------------------------------------------------------------------------------------------- */

static double instructions_of_merge(const char *elements)
{
    const char *const sets[] = {"core.scratchpad.bytes=48 KiB",
                                "app.matrix=uniform",
                                "app.size=128",
                                elements,
                                "app.grid=4",
                                "app.block=32",
                                "app.heads=72",
                                NULL};
    machine_run run = run_outer(SYSTEM_MACHINES "/functional.yaml", sets);
    const int64_t instructions = of_launch(&run, MERGE, "core/thread_instructions");
    run_free(&run);
    return (double)instructions;
}

/* Twice as many lists of twice as many pairs: four times as many insertions, each of which goes half way through twice as long a list. */
Test(spgemm, merge_grows_with_the_cube_of_the_lists_of_a_row)
{
    const double few = instructions_of_merge("app.elements=2048"), many = instructions_of_merge("app.elements=4096");
    cr_expect(many / few > 5 && many / few < 8, "%g", many / few);
}
