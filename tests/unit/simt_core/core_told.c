/* SPDX-License-Identifier: MIT */
#include "core_told.h"

#include <criterion/criterion.h>
#include <string.h>

static void tell(void *context, uint32_t endpoint, const hd_block_launch *block, const hd_access *access)
{
    core_told *told = context;
    (void)endpoint;
    cr_assert_lt(told->count, TOLD_MAX);
    const uint32_t at = told->count++;
    const uint32_t highest = access->lanes ? 63u - (uint32_t)__builtin_clzll(access->lanes) : 0;
    cr_expect(at == 0 || access->kind == HD_ACCESS_SAMPLED || access->t >= told->access[at - 1].t);
    told->access[at] = *access;
    told->address[at] = access->address ? access->address[highest] : 0;
    told->value[at] = access->value ? access->value[highest] : 0;
    told->block[at] = block->block_index[0];
    cr_expect_eq(access->value != NULL, access->kind == HD_ACCESS_STORE);
    cr_expect_eq(access->address != NULL, access->kind <= HD_ACCESS_ATOMIC);
}

const hd_accesses *told_begin(core_told *told)
{
    *told = (core_told){.extension = {.context = told, .told = tell}};
    return &told->extension;
}

uint32_t told_find(const core_told *told, uint32_t kind)
{
    uint32_t found = TOLD_MAX;
    for (uint32_t i = 0; i < told->count; i++)
        if (told->access[i].kind == kind) {
            cr_assert_eq(found, TOLD_MAX, "kind %u is reported twice", kind);
            found = i;
        }
    cr_assert_lt(found, TOLD_MAX, "kind %u is not reported", kind);
    return found;
}

#define FOUR_LANES UINT64_C(0xF)
static const char *const eight_lanes[] = {"warps=2", "lanes=8", NULL};

static uint64_t run(const hd_block_class *type, const hd_accesses *told)
{
    const uint32_t words[] = {lui(A3, DATA),
                              csrr(T1, 0xCC0),
                              slli(T1, T1, 2),
                              add(A4, A3, T1),
                              addi(T2, ZERO, 77),
                              sw(T2, 64, A4),
                              fence(),
                              amoswap_release(T0, T1, A3),
                              add(T0, T0, ZERO),
                              lw(T0, 128, A4),
                              bar_sync(0),
                              warp_sync(),
                              ret(),
                              0};
    rig_tells(told);
    core_rig *rig = rig_create_of(type, eight_lanes, words);
    rig_launch(rig, 4, 0);
    const uint64_t cycles = rig_finish(rig);
    rig_destroy(rig);
    rig_tells(NULL);
    return cycles;
}

static void expect_access(const core_told *told, uint32_t at, uint32_t word, uint32_t flags, uint32_t address)
{
    const hd_access *access = &told->access[at];
    cr_expect_eq(access->pc, CODE + 4 * word);
    cr_expect_eq(access->flags, flags);
    cr_expect_eq(access->bytes, 4);
    cr_expect_eq(access->lanes, FOUR_LANES);
    cr_expect_eq(told->address[at], address);
}

void told_expect_all(const hd_block_class *type)
{
    static const uint32_t order[] = {HD_ACCESS_BEGIN,   HD_ACCESS_STORE,     HD_ACCESS_FENCE,
                                     HD_ACCESS_ATOMIC,  HD_ACCESS_SAMPLED,   HD_ACCESS_LOAD,
                                     HD_ACCESS_BARRIER, HD_ACCESS_WARP_SYNC, HD_ACCESS_END};
    core_told told;
    const uint64_t cycles = run(type, told_begin(&told)), alone = run(type, NULL);
    cr_expect_eq(cycles, alone);
    cr_assert_eq(told.count, sizeof order / sizeof *order);
    for (uint32_t i = 0; i < told.count; i++) {
        cr_expect_eq(told.access[i].kind, order[i], "report %u", i);
        cr_expect_eq(told.access[i].warp_lanes, 8);
    }
    expect_access(&told, 1, 5, 0, DATA + 64 + 12);
    cr_expect_eq(told.value[1], 77);
    cr_expect_eq(told.access[2].lanes, FOUR_LANES);
    cr_expect_eq(told.access[2].flags, HD_ACCESS_ACQUIRE);
    expect_access(&told, 3, 7, HD_ACCESS_RELEASE, DATA);
    cr_expect_eq(told.access[4].ticket, told.access[3].ticket);
    cr_expect_eq(told.access[4].lanes, FOUR_LANES);
    expect_access(&told, 5, 9, 0, DATA + 128 + 12);
}
