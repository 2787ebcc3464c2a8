/* SPDX-License-Identifier: MIT */
#include "real_cores.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "compose.h"
#include "core_rig.h"
#include "dispatcher.h"
#include "kilo_shapes.h"
#include "kit_internal.h"
#include "kit_machine.h"
#include "reconvergence.h"
#include "words_in_commits.h"

struct real_cores {
    kilo_cores as;
    const hd_block_class *composed;
    isa_program *program;
    hd_programs programs;
    uint32_t threads, spread;
    kilo_commit *commits; /* of this run */
    uint32_t count, capacity;
    void (*told)(void *context, const hd_transaction *transaction);
    void *context;
};

/* ---- The program ---------------------------------------------------------------------------------------------------------- */

static const isa_program *find(void *context, uint32_t module)
{
    return module ? NULL : ((const real_cores *)context)->program;
}

static uint32_t require(void *context, const char *table, const struct isa_analysis *analysis, char *error,
                        size_t error_bytes)
{
    const real_cores *self = context;
    return (uint32_t)isa_program_require(self->program, analysis ? analysis : isa_analysis_named(table), error,
                                         error_bytes);
}

static uint32_t transform(void *context, const struct isa_transform *transform, char *error, size_t error_bytes)
{
    (void)context, (void)transform;
    snprintf(error, error_bytes, "this program stays as it is");
    return 1;
}

/* ---- What is committed ---------------------------------------------------------------------------------------------------- */

static void keep_words(kilo_word *to, uint32_t *count, const hd_transaction_word *from, uint32_t words)
{
    cr_assert_leq(words, KILO_OPERATIONS);
    for (*count = 0; *count < words; ++*count)
        to[*count] = (kilo_word){.address = from[*count].address, .value = from[*count].value};
}

/* Lanes that have taken IDs together are told with the first of these. */
static uint64_t place_of(const hd_transaction *told)
{
    return told->order == HD_NO_ORDER ? 0 : told->order * MAX_LANES + told->lane;
}

static void note(void *context, const hd_transaction *told)
{
    real_cores *self = context;
    if (self->count == self->capacity) {
        self->capacity = self->capacity ? 2 * self->capacity : 256;
        self->commits = realloc(self->commits, self->capacity * sizeof *self->commits);
    }
    kilo_commit *commit = &self->commits[self->count++];
    *commit = (kilo_commit){.id = place_of(told),
                            .warp = told->warp,
                            .lane = told->lane,
                            .epoch = told->epoch,
                            .attempt = (uint32_t)told->attempt,
                            .begun = told->begun,
                            .decided = told->committed};
    keep_words(commit->reads, &commit->read_count, told->reads, told->read_count);
    keep_words(commit->writes, &commit->write_count, told->writes, told->write_count);
    if (self->told)
        self->told(self->context, told);
}

static void provide(void *context, hd_engine *engine)
{
    real_cores *self = context;
    hd_engine_provide(engine, HD_EXTENSION_PROGRAMS, &self->programs);
}

static void attach(void *context, hd_engine *engine, uint32_t first, const shape *shape, hd_clock clock)
{
    const real_cores *self = context;
    char settings[4][KIT_SETTING_BYTES];
    snprintf(settings[0], sizeof settings[0], "threads=%u", self->threads);
    snprintf(settings[1], sizeof settings[1], "entry=%lu", (unsigned long)CODE);
    snprintf(settings[2], sizeof settings[2], "spread=%u", self->spread);
    settings[3][0] = '\0';
    const uint32_t dispatcher = kit_machine_add(engine, &scripted_dispatcher, "dispatcher", 0, 1, clock,
                                                (const char(*)[KIT_SETTING_BYTES])settings, 4);
    for (uint32_t i = 0; i < shape->cores; i++) {
        kit_machine_join(engine, dispatcher, DISPATCHER_DISPATCH, i, first + i, DISPATCH, 0, hd_clock_cycles(clock, 1));
        kit_machine_join(engine, first + i, EVENT, 0, dispatcher, DISPATCHER_EVENT, i, hd_clock_cycles(clock, 1));
    }
}

/* The checker has been told by the cores. */
static void gather(void *context, hd_engine *engine, uint32_t first, const shape *shape, kilo_oracle *oracle,
                   kilo_check *check)
{
    real_cores *self = context;
    (void)check;
    for (uint32_t i = 0; i < shape->cores; i++)
        expect_no_words_in_commits(hd_engine_block(engine, first + i));
    kilo_oracle_add(oracle, self->commits, self->count);
}

static void begin(void *context)
{
    ((real_cores *)context)->count = 0;
}

/* ---- Life ------------------------------------------------------------------------------------------------------------------ */

real_cores *real_cores_create(const uint32_t *words, uint32_t threads, uint32_t spread)
{
    real_cores *self = calloc(1, sizeof *self);
    self->composed = kit_compose(&hd_simt_core_timed);
    self->program = program_of_words(words);
    self->programs = (hd_programs){.context = self, .find = find, .require = require, .transform = transform};
    self->threads = threads;
    self->spread = spread;
    self->as = (kilo_cores){.block_class = self->composed,
                            .request = REQUEST,
                            .reply = REPLY,
                            .take = TRANSACTION_REQUEST,
                            .taken = TRANSACTION_REPLY,
                            .context = self,
                            .provide = provide,
                            .attach = attach,
                            .begin = begin,
                            .note = note,
                            .gather = gather};
    return self;
}

void real_cores_destroy(real_cores *self)
{
    units_release(self->composed);
    program_of_words_free(self->program);
    free(self->commits);
    free(self);
}

const kilo_cores *real_cores_as(const real_cores *self)
{
    return &self->as;
}

uint32_t real_cores_settings(kilo_settings settings, const char *protocol)
{
    uint32_t count = 0;
    KILO_SET(settings, "tx=%s", protocol);
    KILO_SET(settings, "blocks=1");
    KILO_SET(settings, "scratchpad.bytes=0 B");
    return count;
}

void real_cores_tell(real_cores *self, void (*told)(void *context, const hd_transaction *transaction), void *context)
{
    self->told = told;
    self->context = context;
}
