/* SPDX-License-Identifier: MIT */
/* Memory that is spread by hashes and in groups: programs compute the same, and strides use as many slices as is known. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "process.h"
#include "stats.h"

enum { SETS = 12 };

/* A machine of so many slices and channels. */
typedef struct shape {
    const char *slices, *channels, *hash, *subs, *sub_interleave;
} shape;

static const shape shapes[] = {
    {"l2.count=8", "dram.count=8", "address_map.hash=ipoly", NULL, NULL},
    {"l2.count=8", "dram.count=4", "address_map.hash=xor", "address_map.sub_partitions=2", NULL},
    {"l2.count=12", "dram.count=6", "address_map.hash=none", "address_map.sub_partitions=2",
     "address_map.sub_interleave=128 B"},
    {"l2.count=12", "dram.count=6", "address_map.hash=ipoly", "address_map.sub_partitions=2",
     "address_map.sub_interleave=1 KiB"},
    {"l2.count=5", "dram.count=5", "address_map.hash=ipoly", NULL, NULL},
    {"l2.count=6", "dram.count=2", "address_map.hash=xor", "address_map.sub_partitions=3", NULL},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const char **sets_of(const shape *s, const char **sets, const char *const *more)
{
    const char **at = sets;
    *at++ = s->slices;
    *at++ = s->channels;
    *at++ = s->hash;
    if (s->subs)
        *at++ = s->subs;
    if (s->sub_interleave)
        *at++ = s->sub_interleave;
    while (*more)
        *at++ = *more++;
    *at = NULL;
    return sets;
}

static void expect_pass(const shape *s, const char *netlist, const char *app, const char *const *more)
{
    const char *sets[SETS];
    char *path = path_in(HEDDLE_APPS, app);
    machine_run run = run_machine(&(run_request){.netlist = netlist, .app = path, .sets = sets_of(s, sets, more)});
    cr_expect(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s with %s %s: %s", app, s->slices, s->hash,
              run.message);
    run_free(&run);
    free(path);
}

Test(maps, programs_compute_the_same_with_any)
{
    static const char *const small_l2[] = {"l2.bytes=4 KiB", "l2.set_hash=ipoly", NULL}, *const nothing[] = {NULL};
    for (uint32_t i = 0; i < SHAPES; i++) {
        expect_pass(&shapes[i], HEDDLE_MACHINES "/gtx480.yaml", "stream", small_l2);
        expect_pass(&shapes[i], HEDDLE_MACHINES "/gtx480.yaml", "hashtable", small_l2);
        expect_pass(&shapes[i], HEDDLE_MACHINES "/../variants/gtx480_functional.yaml", "reduce", nothing);
    }
}

Test(maps, transactions_find_their_partitions_with_any)
{
    static const char *const small[] = {"app.sync=tm", "app.accounts=64", "app.transfers=1024", NULL};
    for (uint32_t i = 0; i < SHAPES; i++) {
        if (strcmp(shapes[i].slices, "l2.count=8") != 0)
            continue;
        const shape s = {shapes[i].slices, "dram.count=8", shapes[i].hash, shapes[i].subs, shapes[i].sub_interleave};
        expect_pass(&s, HEDDLE_MACHINES "/../variants/gtx480_56_core_getm.yaml", "atm", small);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------------- */

static double bytes_per_activate(const char *machine, const char *change)
{
    const char *sets[] = {"app.n=65536", change, NULL};
    char *app = path_in(HEDDLE_APPS, "vecadd"), *netlist = path_in(HEDDLE_MACHINES, machine);
    machine_run run = run_machine(&(run_request){.netlist = netlist, .app = app, .sets = sets});
    cr_assert_eq(run.outcome, HD_OUTCOME_PASS, "%s: %s", machine, run.message);
    const json_t *dram = stats_at(run.results, "kernels/0/statistics/dram");
    const double bytes = json_number_value(json_object_get(dram, "bytes_read")) +
                         json_number_value(json_object_get(dram, "bytes_written"));
    const double activates = json_number_value(json_object_get(dram, "activates"));
    run_free(&run);
    free(netlist);
    free(app);
    return bytes / activates;
}

/* Three arrays 256 KiB apart (machines: K20): with the mapping of the machine, and with the one that closes rows early. */
Test(maps, streams_move_much_of_a_row)
{
    static const struct {
        const char *machine;
        double least;
    } known[] = {
        {"gtx480.yaml", 1600}, {"tesla_c2050.yaml", 800}, {"quadro_fx5800.yaml", 800},      {"gtx1080ti.yaml", 800},
        {"v100.yaml", 800},    {"v100_8_sm.yaml", 800},   {"southern_islands_cu.yaml", 800}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const double found = bytes_per_activate(known[k].machine, NULL);
        printf("%-26s %.0f bytes an activate\n", known[k].machine, found);
        cr_expect_geq(found, known[k].least, "%s: %.0f", known[k].machine, found);
    }
    cr_expect_lt(bytes_per_activate("gtx480.yaml", "dram.mapping=row column[..8] bank bank_group column[7..0]"), 600);
}

/* ---- Strides ---------------------------------------------------------------------------------------------------------- */

static uint32_t slices_used(const shape *s, uint32_t n)
{
    char stride[48], footprint[48];
    snprintf(stride, sizeof stride, "core.stride=%u B", 256u << n);
    snprintf(footprint, sizeof footprint, "core.footprint=%u B", 64 * (256u << n));
    const char *const traffic[] = {
        "core.type=traffic", "core.count=1", "core.pattern=stride", "core.requests=64", stride, footprint, NULL};
    const char *sets[SETS];
    machine_run run =
        run_machine(&(run_request){.netlist = HEDDLE_MACHINES "/gtx480.yaml", .sets = sets_of(s, sets, traffic)});
    cr_assert_eq(run.outcome, HD_OUTCOME_PASS, "%s", run.message);
    const json_t *slices = stats_at(run.results, "blocks/l2/instances"), *slice;
    uint32_t used = 0;
    json_int_t sum = 0;
    size_t i;
    json_array_foreach(slices, i, slice)
    {
        const json_int_t loads = json_integer_value(json_object_get(slice, "loads"));
        used += loads > 0;
        sum += loads;
    }
    cr_assert_eq(sum, 64);
    run_free(&run);
    return used;
}

Test(maps, strides_use_as_many_slices_as_known)
{
    static const struct {
        shape shape;
        uint8_t used[5]; /* with strides of 2^n * 256 B, n = 0, 1, 2, 3, 4 and more */
    } known[] = {
        {{"l2.count=8", "dram.count=8", "address_map.hash=none", NULL, NULL}, {8, 4, 2, 1, 1}},
        {{"l2.count=12", "dram.count=6", "address_map.hash=none", NULL, NULL}, {12, 6, 3, 3, 3}},
        {{"l2.count=12", "dram.count=6", "address_map.hash=none", "address_map.sub_partitions=2", NULL},
         {12, 6, 3, 3, 3}},
        {{"l2.count=22", "dram.count=11", "address_map.hash=none", NULL, NULL}, {22, 11, 11, 11, 11}},
        {{"l2.count=22", "dram.count=11", "address_map.hash=none", "address_map.sub_partitions=2",
          "address_map.sub_interleave=128 B"},
         {11, 11, 11, 11, 11}},
        {{"l2.count=64", "dram.count=32", "address_map.hash=ipoly", "address_map.sub_partitions=2", NULL},
         {64, 64, 64, 64, 64}},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (uint32_t n = 0; n < 10; n += n < 4 ? 1 : 5)
            cr_expect_eq(slices_used(&known[k].shape, n), known[k].used[n < 4 ? n : 4], "%s, %s, 2^%u: %u",
                         known[k].shape.slices, known[k].shape.hash, n, slices_used(&known[k].shape, n));
}
