/* SPDX-License-Identifier: MIT */
/*
 * Random programs on a core that is listened to (hd_debug.h). Whatever unit says which lanes run together: where a thread is said to go on,
 * there it does; an access that is watched is told of once of each lane, with what the lane had when its instruction issued; and none
 * of that changes what the core does.
 */
#include "core_alone.h"
#include "core_random_program.h"
#include "core_rig.h"
#include "functional_core.h"
#include "hd_debug.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAMS 4u
#define BLOCKS 3u
#define THREADS 70u
#define GROUPS 256u
#define OPEN 4096u /* accesses in flight */
#define REGISTERS 64u

typedef struct opened {
    uint32_t group, lane;
    uint64_t pc;
    uint32_t address;
    uint64_t value[REGISTERS];
    uint8_t is_known[REGISTERS];
} opened;

typedef struct debugged {
    const char *unit;
    const hd_debug *ability;
    hd_block *block;
    uint64_t random;
    uint32_t watching;
    uint64_t promised[GROUPS][HD_DEBUG_LANES_MAX]; /* where the thread goes on; 0: nothing was said */
    hd_debug_moment last;
    opened *open;
    uint32_t open_count;
    uint64_t told, moments;
} debugged;

static void expect_promises(debugged *d, uint32_t group)
{
    uint32_t owner;
    for (uint64_t left = d->ability->live(d->block, group, &owner); left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint64_t pc, *promised = &d->promised[group][lane];
        cr_assert(d->ability->read(d->block, group, lane, HD_DEBUG_PC, &pc), "%s: a pc is not known", d->unit);
        cr_assert(!*promised || *promised == pc, "%s: group %u, lane %u goes on at %lx, and then at %lx", d->unit,
                  group, lane, *promised, pc);
        *promised = pc;
    }
}

static void before(void *context, const hd_debug_moment *moment)
{
    debugged *d = context;
    const uint32_t is_same =
        moment->t == d->last.t && moment->pc == d->last.pc; /* of a path with lanes of several warps */
    for (uint32_t group = 0; group < d->ability->groups(d->block) && !is_same; group++)
        expect_promises(d, group);
    d->last = *moment;
    d->moments++;
    for (uint64_t left = moment->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint64_t *promised = &d->promised[moment->group][lane];
        cr_assert_eq(*promised, moment->pc, "%s: group %u, lane %u", d->unit, moment->group, lane);
        *promised = 0;
    }
}

static uint64_t watches(void *context, const hd_debug_moment *moment)
{
    debugged *d = context;
    const uint64_t watched = moment->lanes & kit_random(&d->random);
    for (uint64_t left = watched; left; left &= left - 1) {
        cr_assert_lt(d->open_count, OPEN);
        opened *o = &d->open[d->open_count++];
        o->group = moment->group;
        o->lane = (uint32_t)__builtin_ctzll(left);
        o->pc = moment->pc;
        o->address = moment->addresses[o->lane];
        for (uint32_t r = 0; r < REGISTERS; r++)
            o->is_known[r] = (uint8_t)d->ability->read(d->block, o->group, o->lane, r, &o->value[r]);
    }
    return watched;
}

/* Words whose destination is a register: loads, and atomics. */
static uint32_t destination(const uint32_t *words, uint64_t pc)
{
    const uint32_t word = words[(pc - CODE) / 4], opcode = word & 0x7F, number = word >> 7 & 31;
    return opcode == 0x23 || opcode == 0x27 ? 0 : number + (opcode == 0x07 ? 32 : 0);
}

static const uint32_t *program;

static void expect_as_it_was(const debugged *d, const opened *o)
{
    uint64_t value;
    cr_assert(d->ability->read(d->block, o->group, o->lane, HD_DEBUG_PC, &value) && value == o->pc);
    for (uint32_t r = 0; r < REGISTERS; r++) {
        const uint32_t is_known = d->ability->read(d->block, o->group, o->lane, r, &value);
        if (r && r == destination(program, o->pc))
            cr_assert(is_known, "%s: what it has loaded", d->unit);
        else
            cr_assert(is_known == o->is_known[r] && (!is_known || value == o->value[r]), "%s: register %u at %lx",
                      d->unit, r, o->pc);
    }
}

static void accessed(void *context, const hd_debug_moment *moment)
{
    debugged *d = context;
    for (uint64_t left = moment->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint32_t i = 0;
        while (i < d->open_count && (d->open[i].group != moment->group || d->open[i].lane != lane ||
                                     d->open[i].pc != moment->pc || d->open[i].address != moment->addresses[lane]))
            i++;
        cr_assert_lt(i, d->open_count, "%s: an access that nobody watches", d->unit);
        expect_as_it_was(d, &d->open[i]);
        d->open[i] = d->open[--d->open_count];
        d->told++;
    }
}

static uint64_t run(const hd_block_class *type, const char *const *parameters, const uint32_t *words, debugged *d)
{
    core_rig *rig = rig_create_of(type, parameters, words);
    const hd_grid grid = {.grid_size = {BLOCKS, 1, 1},
                          .block_size = {THREADS, 1, 1},
                          .scratchpad_bytes = THREADS * 4 + 32,
                          .private_bytes = 128};
    if (d) {
        d->block = kit_instance(rig_kit(rig));
        d->ability = rig_class(rig)->extension(d->block, HD_EXTENSION_DEBUG);
        cr_assert_leq(d->ability->groups(d->block), GROUPS);
        memset(d->promised, 0, sizeof d->promised);
        d->last = (hd_debug_moment){.pc = 0};
        d->ability->listen(
            d->block,
            &(hd_debug_listener){
                .context = d, .before = before, .watching = &d->watching, .watches = watches, .accessed = accessed});
    }
    for (uint32_t block = 0; block < BLOCKS; block++)
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    rig_finish(rig);
    const uint64_t fingerprint = kit_fingerprint(rig_kit(rig));
    rig_destroy(rig);
    return fingerprint;
}

static const struct {
    const char *name;
    const hd_block_class *type;
    const char *parameters[4];
} cores[] = {
    {"stack", &hd_simt_core_timed, {"reconvergence=stack"}},
    {"stack, loops", &hd_simt_core_timed, {"reconvergence=stack", "reconvergence.stack.likely_points=loops"}},
    {"mimd", &hd_simt_core_timed, {"reconvergence=mimd"}},
    {"aware", &hd_simt_core_timed, {"reconvergence=aware"}},
    {"mp", &hd_simt_core_timed, {"reconvergence=mp", "reconvergence.mp.early=true", "reconvergence.mp.delayed=true"}},
    {"dwf", &hd_simt_core_timed, {"reconvergence=dwf", "scheduler=dwf"}},
    {"dwf_wb", &hd_simt_core_timed, {"reconvergence=dwf_wb", "scheduler=dwf"}},
    {"block_stack", &hd_simt_core_timed, {"reconvergence=block_stack"}},
    {"block_stack, loops",
     &hd_simt_core_timed,
     {"reconvergence=block_stack", "reconvergence.block_stack.likely_points=loops"}},
    {"functional", &hd_simt_core_functional, {"reconvergence=stack"}},
    {"functional, mimd", &hd_simt_core_functional, {"reconvergence=mimd"}},
};

Test(simt_core_debug, threads_are_where_they_are_said_to_be)
{
    static uint32_t words[RANDOM_WORDS];
    program = words;
    for (uint32_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        debugged *d = calloc(1, sizeof *d);
        cr_assert_not_null(d);
        d->open = calloc(OPEN, sizeof *d->open);
        cr_assert_not_null(d->open);
        d->unit = cores[i].name;
        for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
            random_program(20261201 + seed, words);
            d->random = seed;
            d->watching = seed % 4 != 0;
            const uint64_t told = d->told, alone = run(cores[i].type, cores[i].parameters, words, NULL);
            cr_assert_eq(run(cores[i].type, cores[i].parameters, words, d), alone, "%s: it does something else",
                         cores[i].name);
            cr_assert_eq(d->open_count, 0, "%s: an access is not told of", cores[i].name);
            cr_assert_eq(d->told != told, d->watching);
        }
        cr_assert_gt(d->moments, 1000);
        free(d->open);
        free(d);
    }
}
