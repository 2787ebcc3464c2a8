/* SPDX-License-Identifier: MIT */
#include "kilo_machine.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commit_id_vendor.h"
#include "commit_unit.h"
#include "compose.h"
#include "crossbar.h"
#include "dram.h"
#include "kilo_check.h"
#include "kilo_oracle.h"
#include "kit_internal.h"
#include "kit_machine.h"
#include "l2_slice.h"

#define LIMIT UINT64_C(4000000000) /* ps that no schedule takes unless it goes on for ever */

enum { PARTITIONS_MAX = 4, SETTINGS_MAX = sizeof(kilo_settings) / KIT_SETTING_BYTES };
enum { INPUT, OUTPUT };
enum { SLICE_REQUEST, SLICE_REPLY, SLICE_MEMORY, SLICE_TAP };
enum { UNIT_REQUEST, UNIT_REPLY, UNIT_ACCESS, UNIT_ACCESSED, UNIT_ROOM, UNIT_TAP };
enum { VENDOR_REQUEST, VENDOR_REPLY, VENDOR_ROOM };

struct kilo_machine {
    shape shape;
    kilo_cores by;
    hd_engine *engine;
    const hd_block_class *slice_class;
    hd_address_map map;
    uint32_t slices[PARTITIONS_MAX], memories[PARTITIONS_MAX], units[PARTITIONS_MAX];
    uint32_t cores, up, down, vendor;
    kilo_oracle *oracle;
    kilo_check *check;
    uint32_t *memory;
    hd_time end;
};

static hd_clock core_clock(const kilo_machine *self)
{
    return (hd_clock){self->shape.is_cfg_a ? UINT64_C(1300000000) : UINT64_C(1400000000)};
}
static hd_clock slice_clock(const kilo_machine *self)
{
    return (hd_clock){self->shape.is_cfg_a ? UINT64_C(650000000) : UINT64_C(700000000)};
}

static uint32_t add(kilo_machine *self, const hd_block_class *block_class, const char *name, uint32_t index,
                    uint32_t count, hd_clock clock, const char (*settings)[KIT_SETTING_BYTES])
{
    return kit_machine_add(self->engine, block_class, name, index, count, clock, settings, SETTINGS_MAX);
}

static void join(kilo_machine *self, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to,
                 uint32_t to_port, uint32_t to_element, uint32_t cycles)
{
    kit_machine_join(self->engine, from, from_port, from_element, to, to_port, to_element,
                     hd_clock_cycles(core_clock(self), cycles));
}

static void add_partition(kilo_machine *self, uint32_t i)
{
    static const char memory[][48] = {"latency=20 cycles", ""};
    const shape *shape = &self->shape;
    const uint32_t count = shape->partitions;
    self->slices[i] = add(self, self->slice_class, "l2", i, count, slice_clock(self), shape->slice);
    self->memories[i] = add(self, &hd_dram_fixed_latency, "dram", i, count, slice_clock(self), memory);
    self->units[i] = add(self, &hd_commit_unit_kilo, "commit_unit", i, count, slice_clock(self), shape->unit);
}

static void join_partition(kilo_machine *self, uint32_t i)
{
    const uint32_t near = self->shape.link, slice = self->slices[i], unit = self->units[i];
    const uint32_t far = 2 + (i ? self->shape.delay : 0);
    join(self, self->up, OUTPUT, 2 * i, slice, SLICE_REQUEST, 0, 2);
    join(self, self->up, OUTPUT, 2 * i + 1, unit, UNIT_REQUEST, 0, far);
    join(self, unit, UNIT_ACCESS, 0, slice, SLICE_REQUEST, 1, near);
    join(self, slice, SLICE_REPLY, 0, self->down, INPUT, 2 * i, 2);
    join(self, unit, UNIT_REPLY, 0, self->down, INPUT, 2 * i + 1, far);
    join(self, slice, SLICE_REPLY, 1, unit, UNIT_ACCESSED, 0, near);
    join(self, slice, SLICE_MEMORY, 0, self->memories[i], 0, 0, 2);
    join(self, unit, UNIT_ROOM, 0, self->vendor, VENDOR_ROOM, i, 3);
    join(self, slice, SLICE_TAP, 0, unit, UNIT_TAP, 0, 1);
}

static void gather_scripted(void *context, hd_engine *engine, uint32_t first, const shape *shape, kilo_oracle *oracle,
                            kilo_check *check)
{
    const kilo_history *history = scripted_kilo.extension(NULL, KILO_EXTENSION_HISTORY);
    (void)context;
    for (uint32_t i = 0; i < shape->cores; i++) {
        uint32_t count;
        const kilo_commit *commits = history->commits(hd_engine_block(engine, first + i), &count);
        kilo_oracle_add(oracle, commits, count);
        kilo_check_add(check, commits, count);
    }
}

static const kilo_cores scripted = {.block_class = &scripted_kilo,
                                    .request = KILO_REQUEST,
                                    .reply = KILO_REPLY,
                                    .take = KILO_TAKE,
                                    .taken = KILO_TAKEN,
                                    .kind = "scripted_core",
                                    .verdicts = "verdicts",
                                    .committed = "committed",
                                    .gather = gather_scripted};

static void add_cores(kilo_machine *self)
{
    const shape *shape = &self->shape;
    if (self->by.provide)
        self->by.provide(self->by.context, self->engine);
    for (uint32_t i = 0; i < shape->cores; i++) {
        const uint32_t core = add(self, self->by.block_class, "core", i, shape->cores, core_clock(self), shape->core);
        self->cores = i ? self->cores : core;
    }
}

static void join_core(kilo_machine *self, uint32_t i)
{
    const kilo_cores *by = &self->by;
    join(self, self->cores + i, by->request, 0, self->up, INPUT, i, 2);
    join(self, self->down, OUTPUT, i, self->cores + i, by->reply, 0, 2);
    join(self, self->cores + i, by->take, 0, self->vendor, VENDOR_REQUEST, i, 1);
    join(self, self->vendor, VENDOR_REPLY, i, self->cores + i, by->taken, 0, 1);
}

kilo_machine *kilo_machine_create(const shape *shape)
{
    static const char wide[][48] = {"latency=2 cycles", ""};
    kilo_machine *self = calloc(1, sizeof *self);
    self->shape = *shape;
    self->by = shape->by ? *shape->by : scripted;
    self->engine = hd_engine_create();
    self->slice_class = kit_compose(&hd_l2_slice_write_back);
    self->oracle = kilo_oracle_create(KILO_BASE, shape->stride, shape->words);
    self->memory = calloc(shape->words, sizeof *self->memory);
    self->map = (hd_address_map){.partitions = shape->partitions, .interleave_bytes = 256, .endpoints = self->slices};
    hd_engine_provide(self->engine, HD_EXTENSION_ADDRESS_MAP, &self->map);
    add_cores(self);
    self->up = add(self, &hd_crossbar_round_robin, "up", 0, 1, core_clock(self), wide);
    self->down = add(self, &hd_crossbar_round_robin, "down", 0, 1, core_clock(self), wide);
    self->vendor = add(self, &hd_commit_id_vendor_contiguous, "vendor", 0, 1, core_clock(self), shape->vendor);
    for (uint32_t i = 0; i < shape->partitions; i++)
        add_partition(self, i);
    for (uint32_t i = 0; i < shape->cores; i++)
        join_core(self, i);
    for (uint32_t i = 0; i < shape->partitions; i++)
        join_partition(self, i);
    if (self->by.attach)
        self->by.attach(self->by.context, self->engine, self->cores, shape, core_clock(self));
    if (shape->late)
        hd_engine_perturb(self->engine, shape->late_seed, hd_clock_cycles(core_clock(self), shape->late));
    self->check = kilo_check_create(self->engine, self->slices, shape->partitions, SLICE_TAP);
    kilo_check_tell(self->check, self->by.note, self->by.context);
    cr_assert_eq(hd_engine_elaborate(self->engine, NULL), 0);
    return self;
}

void kilo_machine_destroy(kilo_machine *self)
{
    hd_engine_destroy(self->engine);
    units_release(self->slice_class);
    kilo_oracle_destroy(self->oracle);
    kilo_check_destroy(self->check);
    free(self->memory);
    free(self);
}

void kilo_machine_disturb(kilo_machine *self, uint64_t seed)
{
    hd_engine_disturb(self->engine, seed);
}

uint64_t kilo_machine_end(const kilo_machine *self)
{
    return self->end;
}

uint32_t kilo_machine_word(kilo_machine *self, uint32_t word)
{
    const uint64_t address = KILO_BASE + (uint64_t)word * self->shape.stride;
    const uint32_t partition = hd_partition_of(&self->map, address);
    const uint32_t holders[] = {self->slices[partition], self->memories[partition]};
    return kit_machine_word(self->engine, holders, 2, address);
}

static void read_memory(kilo_machine *self)
{
    for (uint32_t word = 0; word < self->shape.words; word++)
        self->memory[word] = kilo_machine_word(self, word);
}

/* As many messages as there have to be, and no more (Fung 2015 §4.2.5, §6.2). */
static uint32_t check_messages(kilo_machine *self, char *wrong, uint32_t bytes)
{
    const kilo_cores *by = &self->by;
    const uint64_t verdicts = kilo_machine_statistic(self, by->kind ? by->kind : "commit_unit",
                                                     by->verdicts ? by->verdicts : "packets.verdict");
    const uint64_t committed = kilo_machine_statistic(self, by->kind ? by->kind : "commit_unit",
                                                      by->committed ? by->committed : "packets.committed");
    const uint64_t warps = kilo_machine_statistic(self, "commit_id_vendor", "requests");
    const struct {
        const char *name;
        uint64_t expected;
    } counts[] = {{"packets.verdict", verdicts},
                  {"packets.outcome", verdicts},
                  {"packets.committed", committed},
                  {"packets.done_skip", warps * self->shape.partitions}};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const uint64_t count = kilo_machine_statistic(self, "commit_unit", counts[i].name);
        if (count == counts[i].expected)
            continue;
        snprintf(wrong, bytes, "%s is %llu, and should be %llu", counts[i].name, (unsigned long long)count,
                 (unsigned long long)counts[i].expected);
        return 0;
    }
    return 1;
}

/* The platform's checker agrees with the oracle. It leaves alone what is also written plainly. */
static uint32_t compare_check(kilo_machine *self, uint32_t is_right, char *wrong, uint32_t bytes)
{
    char report[4096];
    const uint32_t accepts = kilo_check_end(self->check, report, sizeof report);
    if (is_right && !accepts)
        snprintf(wrong, bytes, "the checker says: %s", report);
    else if (!is_right && accepts && !self->shape.is_mixed)
        strncat(wrong, ", which the checker accepts", bytes - strlen(wrong) - 1);
    return accepts;
}

void kilo_machine_begin(kilo_machine *self, uint64_t seed)
{
    kilo_oracle_reset(self->oracle);
    kilo_check_begin(self->check, KILO_BASE, self->shape.stride, self->shape.words);
    if (self->by.begin)
        self->by.begin(self->by.context);
    hd_engine_reset(self->engine, seed);
}

uint32_t kilo_machine_step(kilo_machine *self, hd_time limit)
{
    self->end = hd_engine_run(self->engine, limit);
    return hd_engine_status(self->engine, 0) == HD_RUN_DONE;
}

uint32_t kilo_machine_run(kilo_machine *self, uint64_t seed, char *wrong, uint32_t bytes)
{
    kilo_machine_begin(self, seed);
    if (!kit_machine_run(self->engine, LIMIT, &self->end, wrong, bytes))
        return 0;
    self->by.gather(self->by.context, self->engine, self->cores, &self->shape, self->oracle, self->check);
    read_memory(self);
    if (!check_messages(self, wrong, bytes))
        return 0;
    const uint32_t is_right = kilo_oracle_replay(self->oracle, self->memory, wrong, bytes) &&
                              (!self->shape.is_silent || kilo_oracle_search(self->oracle, wrong, bytes));
    return compare_check(self, is_right, wrong, bytes) && is_right;
}

uint64_t kilo_machine_statistic(kilo_machine *self, const char *kind, const char *name)
{
    return kit_machine_statistic(self->engine, kind, name);
}
