/* SPDX-License-Identifier: MIT */
/* A block that listens to every L2 slice of a machine, joined to them by the netlist. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "hd_tap.h"
#include "machine_run.h"
#include "measures.h"
#include "process.h"

enum { LISTENED = 16 };
enum { WITNESS_SAMPLES, WITNESS_WRITES, WITNESS_RELEASES, WITNESS_STATISTICS };

/* Faults if it is told out of order. */
typedef struct witness {
    const hd_services *services;
    uint64_t next[LISTENED]; /* number of the next access, by element */
    uint64_t open[LISTENED]; /* accepted and not yet released */
    hd_time last[LISTENED];
    hd_time advanced; /* all of its own work before is done */
    uint64_t counters[WITNESS_STATISTICS];
} witness;

static const hd_port ports[] = {{.name = "tap",
                                 .direction = HD_PORT_TAP,
                                 .minimum_count = 1,
                                 .maximum_count = LISTENED,
                                 .doc = "what slices accept"}};
static const hd_statistic statistics[] = {
    [WITNESS_SAMPLES] = {"samples", "accesses", HD_STATISTIC_COUNT, 0, "told before a sample"},
    [WITNESS_WRITES] = {"writes", "accesses", HD_STATISTIC_COUNT, 0, "told before a write"},
    [WITNESS_RELEASES] = {"releases", "accesses", HD_STATISTIC_COUNT, 0, "told when done"},
};

static void hear(witness *self, uint32_t element, const hd_tap_access *access, uint64_t note)
{
    if (access->t < self->advanced || access->t < self->last[element])
        self->services->fault(self->services->context, access->t, "%s: told of the past", self->services->name);
    self->last[element] = access->t;
    if (note) /* an atomic that was sampled */
        return;
    if (access->number != self->next[element]++)
        self->services->fault(self->services->context, access->t, "%s: an access is missing", self->services->name);
    self->open[element]++;
}

static uint32_t on_sample(hd_block *block, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    witness *self = (witness *)block;
    hear(self, element, access, *note);
    *note = 1;
    self->counters[WITNESS_SAMPLES]++;
    return HD_TAP_PASS;
}

static uint32_t on_write(hd_block *block, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    witness *self = (witness *)block;
    hear(self, element, access, *note);
    self->counters[WITNESS_WRITES]++;
    return HD_TAP_PASS;
}

static void on_release(hd_block *block, uint32_t element, const hd_tap_release *release)
{
    witness *self = (witness *)block;
    if (!self->open[element]--)
        self->services->fault(self->services->context, release->t, "%s: done twice", self->services->name);
    self->counters[WITNESS_RELEASES]++;
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values;
    (void)error;
    (void)error_bytes;
    witness *self = calloc(1, sizeof *self);
    self->services = services;
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block;
    (void)port;
    (void)element;
    (void)out;
    (void)in;
}

static void reset(hd_block *block)
{
    const hd_services *services = ((witness *)block)->services;
    *(witness *)block = (witness){.services = services};
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    witness *self = (witness *)block;
    (void)now;
    self->advanced = horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return ((witness *)block)->counters;
}

static void destroy(hd_block *block)
{
    free(block);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_tap tap = {on_sample, on_write, on_release};
    (void)block;
    return strcmp(id, HD_EXTENSION_TAP) == 0 ? &tap : NULL;
}

static const hd_block_class witness_class = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "witness",
    .type = "counting",
    .doc = "counts what slices accept",
    .source = "written for these tests",
    .port_count = 1,
    .statistic_count = WITNESS_STATISTICS,
    .ports = ports,
    .statistics = statistics,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};

static machine_run run_listened(const char *folder, uint32_t threads, uint32_t always, uint64_t disturbance)
{
    static const hd_block_class *const classes[] = {&witness_class};
    static const char *const sets[] = {"app.grid=4", "app.inserts=2", NULL};
    char *path = path_in(folder, "listened.yaml");
    FILE *file = fopen(path, "w");
    fputs("heddle: 1\nname: listened\nextends: " SYSTEM_MACHINES "/small.yaml\n"
          "blocks: {witness: {kind: witness, type: counting, clock: core}}\n"
          "links: [{from: l2.tap, to: witness.tap}]\n",
          file);
    fclose(file);
    run_request request = {.netlist = path,
                           .app = HEDDLE_APPS "/hashtable",
                           .sets = sets,
                           .more = {.classes = classes, .count = 1},
                           .disturbance = disturbance};
    request.tlm.always = always;
    request.tlm.threads = threads;
    const machine_run run = run_machine(&request);
    cr_assert(!run.was_refused, "%s", run.message);
    cr_assert_eq(run.outcome, HD_OUTCOME_PASS, "%s", run.message);
    free(path);
    return run;
}

static uint64_t sum_of(const machine_run *run, const char *kind, const char *name)
{
    uint64_t sum = 0;
    cr_assert(measures_sum(run->measures, kind, name, &sum), "%s", name);
    return sum;
}

Test(taps, a_block_hears_of_every_access_to_every_slice_once_and_in_order)
{
    char *folder = folder_new();
    machine_run run = run_listened(folder, 1, 0, 0);
    const uint64_t loads = sum_of(&run, "l2_slice", "loads"), stores = sum_of(&run, "l2_slice", "stores"),
                   atomics = sum_of(&run, "l2_slice", "atomics");
    cr_expect_gt(atomics, 0);
    cr_expect_eq(sum_of(&run, "witness", "samples"), loads + atomics);
    cr_expect_eq(sum_of(&run, "witness", "writes"), stores + atomics);
    cr_expect_eq(sum_of(&run, "witness", "releases"), loads + stores + atomics);
    run_free(&run);
    folder_remove(folder);
}

Test(taps, classes_that_are_added_stand_beside_the_built_in_ones)
{
    static hd_block_class other;
    static const hd_block_class *const classes[] = {&witness_class, &other};
    char *folder = folder_new(), *path = path_in(folder, "none.yaml");
    FILE *file = fopen(path, "w");
    other = witness_class;
    other.type = "other";
    fputs("heddle: 1\nname: none\nextends: " SYSTEM_MACHINES "/small.yaml\n"
          "blocks: {witness: {kind: witness, type: none, clock: core}, unit: {kind: validation_unit, type: none, "
          "clock: core}}\n",
          file);
    fclose(file);
    machine_run run = run_machine(
        &(run_request){.netlist = path, .app = HEDDLE_APPS "/vecadd", .more = {.classes = classes, .count = 2}});
    cr_assert(run.was_refused);
    cr_expect(strstr(run.message, "known here: 'counting', 'other'\n"), "%s", run.message);
    cr_expect(strstr(run.message, "known here: 'getm'\n"), "%s", run.message);
    run_free(&run);
    free(path);
    folder_remove(folder);
}

Test(taps, results_with_taps_depend_on_neither_transport_nor_threads_nor_windows)
{
    char *folder = folder_new();
    machine_run plain = run_listened(folder, 1, 0, 0);
    machine_run others[] = {run_listened(folder, 1, 1, 0), run_listened(folder, 3, 0, 0),
                            run_listened(folder, 1, 0, 9)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_expect(json_equal(plain.results, others[i].results), "run %zu", i);
        run_free(&others[i]);
    }
    run_free(&plain);
    folder_remove(folder);
}
