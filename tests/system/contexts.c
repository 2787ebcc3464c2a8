/* SPDX-License-Identifier: MIT */
/* What it takes to move a thread block, beside the published latencies (Beaumont 2019, Table 3.2). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "folder.h"
#include "measures.h"
#include "process.h"
#include "stats.h"

#define CORE_MHZ 1600.0

static const struct row {
    const char *variant, *registers;
    double bytes, microseconds; /* registers and scratchpad */
} rows[] = {{"app.variant=BFS", "core.registers_per_thread=32", 16384, 3.0},
            {"app.variant=DMR", "core.registers_per_thread=32", 65536, 11.8},
            {"app.variant=MST", "core.registers_per_thread=34", 34816, 6.2},
            {"app.variant=PTA", "core.registers_per_thread=28", 111192, 20.1},
            {"app.variant=SSSP", "core.registers_per_thread=32", 32768, 5.9},
            {"app.variant=SGD", "core.registers_per_thread=26", 1732, 0.3}};
#define ROWS (sizeof rows / sizeof *rows)

static double sum(json_t *measures, const char *name)
{
    uint64_t value = 0;
    cr_expect(measures_sum(measures, "simt_core", name, &value), "%s", name);
    return (double)value;
}

static void check(const struct row *row, const char *path)
{
    finished run =
        heddle("run", "v100_8_sm", "ctx_sweep", "--stats", path, "--set", row->variant, "--set", row->registers,
               "--set", "app.rounds=300", "--set", "core.blocks=1", "--set", "core.context.engine=stream", "--set",
               "core.context.storage=memory", "--set", "core.context.bytes_per_cycle=7 B", "--set",
               "tb_scheduler.policy=time_slice", "--set", "tb_scheduler.policy.time_slice.slice=3000 cycles");
    cr_assert_eq(run.code, 0, "%s: %s", row->variant, run.err);
    finished_free(&run);
    json_t *stats = stats_read(path), *measures = measures_of_results(stats);
    const double saved = sum(measures, "blocks_saved"), restored = sum(measures, "blocks_restored");
    const double bytes = sum(measures, "context_bytes") / (saved + restored);
    const double cycles = 2 * sum(measures, "context_cycles") / (saved + restored);
    const double waits =
        sum(measures, "context_stop_cycles") / saved + 2 * sum(measures, "context_answer_cycles") / (saved + restored);
    const double microseconds = cycles / CORE_MHZ * row->bytes / bytes;
    fprintf(stderr,
            "%-5s %3.0f moves of %6.0f B and %4.0f B of control: %6.3f us (%4.1f published), %6.3f us with control, "
            "%6.3f us with stop and answers\n",
            row->variant + 12, saved, row->bytes, bytes - row->bytes, microseconds, row->microseconds,
            cycles / CORE_MHZ, (cycles + waits) / CORE_MHZ);
    cr_expect_gt(saved, 7);
    cr_expect_float_eq(microseconds / row->microseconds, 1, 0.05);
    cr_expect(bytes > row->bytes && bytes < row->bytes + 200 * 32);
    json_decref(measures);
    json_decref(stats);
}

/* Within 5 %, as far as registers and scratchpad go; the published sizes have no program counters, masks and stacks. */
Test(contexts, blocks_move_as_fast_as_published, .timeout = 600)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    for (size_t i = 0; i < ROWS; i++)
        check(&rows[i], path);
    free(path);
    folder_remove(folder);
}
