/* SPDX-License-Identifier: MIT */
#include "getm_machine.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "commit_unit.h"
#include "compose.h"
#include "crossbar.h"
#include "dram.h"
#include "hd_tap.h"
#include "kit_internal.h"
#include "kit_machine.h"
#include "l2_slice.h"
#include "oracle.h"
#include "validation_unit.h"

#define CORE_CLOCK                                                                                                     \
    (hd_clock)                                                                                                         \
    {                                                                                                                  \
        UINT64_C(1400000000)                                                                                           \
    }
#define SLICE_CLOCK                                                                                                    \
    (hd_clock)                                                                                                         \
    {                                                                                                                  \
        UINT64_C(700000000)                                                                                            \
    }
#define BASE UINT64_C(0x10000000)
#define LIMIT UINT64_C(2000000000) /* ps that no schedule takes unless it goes on for ever */

enum { PARTITIONS_MAX = 4 };
enum { INPUT, OUTPUT };
enum { SLICE_REQUEST, SLICE_REPLY, SLICE_MEMORY, SLICE_TAP };
enum {
    VALIDATION_REQUEST,
    VALIDATION_REPLY,
    VALIDATION_LOAD,
    VALIDATION_RELEASE,
    VALIDATION_RELEASED,
    VALIDATION_NEXT,
    VALIDATION_PREVIOUS,
    VALIDATION_TAP
};
enum { COMMIT_LOG, COMMIT_ACK, COMMIT_STORE, COMMIT_STORED, COMMIT_RELEASE, COMMIT_RELEASED };

struct getm_machine {
    shape shape;
    hd_engine *engine;
    const hd_block_class *slice_class;
    hd_address_map map;
    uint32_t slices[PARTITIONS_MAX], memories[PARTITIONS_MAX], validations[PARTITIONS_MAX], commits[PARTITIONS_MAX];
    uint32_t cores, up, down;
    oracle *oracle;
    uint32_t *memory;
    uint32_t global_store;
    audit audit;
    uint32_t is_audited;
    hd_time end;
};

static void join(getm_machine *self, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to,
                 uint32_t to_port, uint32_t to_element, uint32_t cycles)
{
    kit_machine_join(self->engine, from, from_port, from_element, to, to_port, to_element,
                     hd_clock_cycles(CORE_CLOCK, cycles));
}

/* The order of writes, as the slices accept them. */
static uint32_t note_write(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    getm_machine *self = (getm_machine *)context;
    const hd_packet *request = access->request;
    const hd_store *store = hd_body_const(request);
    (void)element, (void)note;
    if (self->is_audited && request->message == self->global_store)
        audit_note_store(&self->audit, request);
    for (uint32_t i = 0; request->message == self->global_store && i < request->argument; i += 4) {
        uint32_t value;
        memcpy(&value, hd_store_data_const(store) + i, 4);
        if (store->byte_mask[i / 32] >> i % 32 & 1)
            oracle_note_write(self->oracle, request->address + i, value);
    }
    return HD_TAP_PASS;
}
static const hd_tap writes = {.on_write = note_write};

static void add_partition(getm_machine *self, uint32_t i)
{
    static const char memory[][48] = {"latency=20 cycles"};
    const shape *shape = &self->shape;
    const uint32_t count = shape->partitions;
    self->slices[i] = kit_machine_add(self->engine, self->slice_class, "l2", i, count, SLICE_CLOCK, shape->slice, 8);
    self->memories[i] = kit_machine_add(self->engine, &hd_dram_fixed_latency, "dram", i, count, SLICE_CLOCK, memory, 1);
    self->validations[i] = kit_machine_add(self->engine, &hd_validation_unit_getm, "validation_unit", i, count,
                                           CORE_CLOCK, shape->validation, 24);
    self->commits[i] =
        kit_machine_add(self->engine, &hd_commit_unit_getm, "commit_unit", i, count, SLICE_CLOCK, shape->commit, 4);
}

static void join_partition(getm_machine *self, uint32_t i)
{
    const uint32_t count = self->shape.partitions, near = self->shape.link;
    const uint32_t slice = self->slices[i], validation = self->validations[i], commit = self->commits[i];
    join(self, self->up, OUTPUT, 3 * i, slice, SLICE_REQUEST, 0, 2);
    join(self, self->up, OUTPUT, 3 * i + 1, validation, VALIDATION_REQUEST, 0, 2);
    join(self, self->up, OUTPUT, 3 * i + 2, commit, COMMIT_LOG, 0, 2);
    join(self, validation, VALIDATION_LOAD, 0, slice, SLICE_REQUEST, 1, self->shape.load);
    join(self, commit, COMMIT_STORE, 0, slice, SLICE_REQUEST, 2, near);
    join(self, slice, SLICE_REPLY, 0, self->down, INPUT, 3 * i, 2);
    join(self, validation, VALIDATION_REPLY, 0, self->down, INPUT, 3 * i + 1, 2);
    join(self, commit, COMMIT_ACK, 0, self->down, INPUT, 3 * i + 2, 2);
    join(self, slice, SLICE_REPLY, 1, commit, COMMIT_STORED, 0, near);
    join(self, slice, SLICE_MEMORY, 0, self->memories[i], 0, 0, 2);
    join(self, commit, COMMIT_RELEASE, 0, validation, VALIDATION_RELEASE, 0, near);
    join(self, validation, VALIDATION_RELEASED, 0, commit, COMMIT_RELEASED, 0, near);
    join(self, validation, VALIDATION_NEXT, 0, self->validations[(i + 1) % count], VALIDATION_PREVIOUS, 0, 1);
    join(self, slice, SLICE_TAP, 0, validation, VALIDATION_TAP, 0, 1);
    hd_engine_add_tap(self->engine, slice, SLICE_TAP, 1, &writes, (hd_block *)self);
}

getm_machine *getm_machine_create(const shape *shape)
{
    static const char wide[][48] = {"latency=2 cycles"};
    getm_machine *self = calloc(1, sizeof *self);
    self->shape = *shape;
    self->engine = hd_engine_create();
    self->slice_class = kit_compose(&hd_l2_slice_write_back);
    self->oracle = oracle_create(BASE, shape->stride, shape->words);
    self->memory = calloc(shape->words, sizeof *self->memory);
    self->map = (hd_address_map){.partitions = shape->partitions, .interleave_bytes = 256, .endpoints = self->slices};
    hd_engine_provide(self->engine, HD_EXTENSION_ADDRESS_MAP, &self->map);
    for (uint32_t i = 0; i < shape->cores; i++) {
        const uint32_t core =
            kit_machine_add(self->engine, &scripted_core, "core", i, shape->cores, CORE_CLOCK, shape->core, 16);
        self->cores = i ? self->cores : core;
    }
    self->up = kit_machine_add(self->engine, &hd_crossbar_round_robin, "up", 0, 1, CORE_CLOCK, wide, 1);
    self->down = kit_machine_add(self->engine, &hd_crossbar_round_robin, "down", 0, 1, CORE_CLOCK, wide, 1);
    for (uint32_t i = 0; i < shape->partitions; i++)
        add_partition(self, i);
    for (uint32_t i = 0; i < shape->cores; i++) {
        join(self, self->cores + i, SCRIPTED_REQUEST, 0, self->up, INPUT, i, 2);
        join(self, self->down, OUTPUT, i, self->cores + i, SCRIPTED_REPLY, 0, 2);
    }
    for (uint32_t i = 0; i < shape->partitions; i++)
        join_partition(self, i);
    cr_assert_eq(hd_engine_elaborate(self->engine, NULL), 0);
    self->global_store = hd_engine_message(self->engine, HD_GLOBAL_STORE);
    return self;
}

void getm_machine_destroy(getm_machine *self)
{
    hd_engine_destroy(self->engine);
    units_release(self->slice_class);
    oracle_destroy(self->oracle);
    free(self->memory);
    free(self);
}

void getm_machine_disturb(getm_machine *self, uint64_t seed)
{
    hd_engine_disturb(self->engine, seed);
}

uint64_t getm_machine_end(const getm_machine *self)
{
    return self->end;
}

static void read_memory(getm_machine *self)
{
    for (uint32_t word = 0; word < self->shape.words; word++) {
        const uint64_t address = BASE + (uint64_t)word * self->shape.stride;
        const uint32_t partition = hd_partition_of(&self->map, address);
        const uint32_t holders[] = {self->slices[partition], self->memories[partition]};
        self->memory[word] = kit_machine_word(self->engine, holders, 2, address);
    }
}

/* Stops at times that have nothing to do with what happens. */
static uint32_t run_audited(getm_machine *self, uint64_t seed, char *wrong, uint32_t bytes)
{
    hd_time t = 0;
    while (!hd_engine_fault(self->engine, NULL, NULL) && hd_engine_next(self->engine) < LIMIT) {
        t = hd_engine_next(self->engine) + kit_random(&seed) % 200000;
        self->end = hd_engine_run(self->engine, t);
        if (!audit_check(&self->audit, wrong, bytes))
            return 0;
    }
    return 1;
}

/* 1: everything has come to its end. */
static uint32_t run_to_end(getm_machine *self, uint64_t seed, char *wrong, uint32_t bytes)
{
    if (self->is_audited && !run_audited(self, seed, wrong, bytes))
        return 0;
    return kit_machine_run(self->engine, LIMIT, &self->end, wrong, bytes);
}

uint32_t getm_machine_run(getm_machine *self, uint64_t seed, char *wrong, uint32_t bytes)
{
    oracle_reset(self->oracle);
    hd_engine_reset(self->engine, seed);
    if (!run_to_end(self, seed, wrong, bytes))
        return 0;
    const scripted_history *history = scripted_core.extension(NULL, SCRIPTED_EXTENSION_HISTORY);
    for (uint32_t i = 0; i < self->shape.cores; i++) {
        uint32_t count;
        const scripted_commit *commits = history->commits(hd_engine_block(self->engine, self->cores + i), &count);
        oracle_add(self->oracle, commits, count);
    }
    if (getm_machine_statistic(self, "validation_unit", "lane_releases") !=
        getm_machine_statistic(self, "commit_unit", "lane_releases")) {
        snprintf(wrong, bytes, "I1: commit units have given back other counts than validation units took");
        return 0;
    }
    const hd_align *align = hd_validation_unit_getm.extension(NULL, HD_EXTENSION_ALIGN);
    for (uint32_t i = 0; i < self->shape.partitions; i++)
        align->align(hd_engine_block(self->engine, self->validations[i]), self->end, NULL);
    const char *fault = hd_engine_fault(self->engine, NULL, NULL);
    if (fault) {
        snprintf(wrong, bytes, "%s", fault);
        return 0;
    }
    read_memory(self);
    return oracle_search(self->oracle, wrong, bytes) && oracle_replay(self->oracle, self->memory, wrong, bytes);
}

uint32_t getm_machine_run_audited(getm_machine *self, uint64_t seed, char *wrong, uint32_t bytes)
{
    uint64_t granule = 32;
    for (uint32_t i = 0; self->shape.core[i][0]; i++)
        if (sscanf(self->shape.core[i], "granule=%" SCNu64, &granule) == 1)
            break;
    self->audit.engine = self->engine;
    self->audit.map = &self->map;
    self->audit.validations = self->validations;
    self->audit.commits = self->commits;
    self->audit.cores = self->cores;
    self->audit.core_count = self->shape.cores;
    self->audit.granule = granule;
    self->audit.first = BASE / granule;
    self->audit.granules = (uint32_t)((uint64_t)self->shape.words * self->shape.stride / granule) + 1;
    cr_assert_leq(self->audit.granules, AUDIT_GRANULES);
    self->is_audited = 1;
    audit_begin(&self->audit);
    const uint32_t is_good = getm_machine_run(self, seed, wrong, bytes);
    self->is_audited = 0;
    return is_good;
}

uint64_t getm_machine_audits(const getm_machine *self)
{
    return self->audit.checks;
}

uint64_t getm_machine_statistic(getm_machine *self, const char *kind, const char *name)
{
    return kit_machine_statistic(self->engine, kind, name);
}
