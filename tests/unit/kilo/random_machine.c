/* SPDX-License-Identifier: MIT */
#include "random_machine.h"

#include <stdio.h>

#include "kilo_shapes.h"
#include "real_cores.h"

static const char *protocol_of(const kind *kind)
{
    return kind->is_told ? "eapg" : "kilo";
}

/* What may be in the place of lanes that pause, and of words; at times that are short, long, or endless. */
static uint32_t draw_others(kilo_settings core, uint32_t count, uint64_t *seed, uint32_t signs)
{
    static const uint32_t time_outs[] = {0, 30, 500, 10000};
    KILO_SET(core, "tx.eapg.table=%s", signs ? "signatures" : "words");
    KILO_SET(core, "tx.eapg.table.cost=%s", kilo_pick(seed, 0, 1) ? "blocks" : "nothing");
    KILO_SET(core, "tx.eapg.pause=%s", kilo_pick(seed, 0, 1) ? "wait" : "stack");
    KILO_SET(core, "tx.eapg.pause.time_out=%u cycles", KILO_ONE_OF(seed, time_outs));
    return count;
}

/* What cores do with what they are told. Tables of a few words leave most of it out. */
static uint32_t draw_hints(kilo_settings core, uint32_t count, uint64_t *seed)
{
    static const uint32_t entries[] = {1, 3, 8, 3072};
    KILO_SET(core, "tx.eapg.early_abort=%s", kilo_pick(seed, 0, 2) ? "true" : "false");
    KILO_SET(core, "tx.eapg.pause=%s", kilo_pick(seed, 0, 3) ? "stack" : "off");
    KILO_SET(core, "tx.eapg.pause.repeats=%s", kilo_pick(seed, 0, 1) ? "true" : "false");
    KILO_SET(core, "tx.eapg.pause.in_branch=%s", kilo_pick(seed, 0, 2) ? "true" : "false");
    KILO_SET(core, "tx.eapg.store_hits=%s", kilo_pick(seed, 0, 1) ? "any" : "read");
    KILO_SET(core, "tx.eapg.table.entries=%u", KILO_ONE_OF(seed, entries));
    return count;
}

/* And what units tell. */
static void draw_broadcasts(kilo_settings unit, uint64_t *seed, uint32_t is_other, uint32_t signs)
{
    static const uint32_t entries[] = {1, 2, 9, 3072};
    uint32_t count = 0;
    while (unit[count][0])
        count++;
    KILO_SET(unit, "broadcast=%s", signs ? "signatures" : "words");
    if (is_other)
        KILO_SET(unit, "broadcast.cost=%u cycles", kilo_pick(seed, 0, 2));
    KILO_SET(unit, "broadcast.entries=%u", KILO_ONE_OF(seed, entries));
    KILO_SET(unit, "broadcast.counter_bits=%u", kilo_pick(seed, 0, 2));
    KILO_SET(unit, "broadcast.release=%s", kilo_pick(seed, 0, 1) ? "verdict" : "retirement");
    KILO_SET(unit, "broadcast.size=%s", kilo_pick(seed, 0, 1) ? "header" : "exact");
    KILO_SET(unit, "broadcast.interval=%u", 1 + kilo_pick(seed, 0, 1) * kilo_pick(seed, 0, 3));
}

static void draw_core(shape *shape, uint64_t *seed, const kind *kind, uint32_t resolves, uint32_t is_aggregate,
                      uint32_t signs)
{
    static const char *const resolutions[] = {"2pcr", "2pcr", "scr", "perfect", "eager"};
    static const char *const caches[] = {"48 KiB", "768 B", "1536 B"};
    static const char *const laws[] = {"exponential", "linear", "published"};
    static const uint32_t tables[] = {0, 16, 256, 4096};
    uint32_t count = real_cores_settings(shape->core, protocol_of(kind));
    for (uint32_t i = 0; i < sizeof kind->core / sizeof *kind->core && kind->core[i]; i++)
        KILO_SET(shape->core, "%s", kind->core[i]); /* the first setting of a parameter counts */
    KILO_SET(shape->core, "lanes=%u", shape->is_cfg_a ? 4 : 8);
    KILO_SET(shape->core, "warps=4");
    KILO_SET(shape->core, "tx.concurrency=%u", kilo_pick(seed, 0, 3));
    KILO_SET(shape->core, "tx.token_hold=%s", kilo_pick(seed, 0, 1) ? "true" : "false");
    KILO_SET(shape->core, "tx.intra_warp=%s", resolves ? KILO_ONE_OF(seed, resolutions) : "protocol");
    KILO_SET(shape->core, "tx.ownership=%u B", KILO_ONE_OF(seed, tables));
    KILO_SET(shape->core, "tx.resolutions=%u", kilo_pick(seed, 0, 2));
    KILO_SET(shape->core, "tx.log_traffic=%s", kilo_pick(seed, 0, 1) ? "l1" : "none");
    KILO_SET(shape->core, "tx.own_reads=%s", kilo_pick(seed, 0, 3) ? "log" : "validate");
    KILO_SET(shape->core, "tx.log_bytes=512 B");
    KILO_SET(shape->core, "tx.back_off.law=%s", KILO_ONE_OF(seed, laws));
    KILO_SET(shape->core, "tx.back_off.base=%u cycles", 16 * kilo_pick(seed, 0, 4));
    KILO_SET(shape->core, "tx.back_off.maximum=400 cycles");
    KILO_SET(shape->core, "tx.watchdog=%u cycles", kilo_pick(seed, 0, 3) ? 0 : 20000);
    KILO_SET(shape->core, "tx.%s.aggregate=%s", protocol_of(kind), is_aggregate ? "true" : "false");
    KILO_SET(shape->core, "tx.%s.tcd=%s", protocol_of(kind), shape->is_silent ? "true" : "false");
    KILO_SET(shape->core, "l1.bytes=%s", KILO_ONE_OF(seed, caches));
    KILO_SET(shape->core, "memory.accesses=%u", 2 << kilo_pick(seed, 0, 4));
    if (kind->is_told == 2)
        count = draw_others(shape->core, count, seed, signs);
    if (kind->is_told)
        count = draw_hints(shape->core, count, seed);
}

shape random_machine_draw(uint64_t *seed, const kind *kind)
{
    static const uint32_t blocks[] = {0, 32, 64, 128};
    static const uint32_t strides[] = {4, 4, 32, 64, 128, 256, 256};
    static const uint32_t lateness[] = {0, 3, 30, 150};
    shape shape = {.cores = kilo_pick(seed, 1, 3)};
    shape.partitions = kilo_pick(seed, 1, 3);
    shape.link = kilo_pick(seed, 1, 8);
    const uint32_t is_warp_level = kind->is_warp_level == 2 || (kind->is_warp_level && kilo_pick(seed, 0, 1));
    const uint32_t is_aggregate = is_warp_level && (kind->is_warp_level == 2 || kilo_pick(seed, 0, 1));
    const uint32_t block = is_warp_level ? KILO_ONE_OF(seed, blocks) : 0;
    shape.is_silent = kind->is_silent;
    shape.is_cfg_a = kilo_pick(seed, 0, 1);
    shape.words = kilo_pick(seed, 3, 24);
    shape.stride = KILO_ONE_OF(seed, strides);
    shape.delay = kilo_pick(seed, 0, 1) ? kilo_pick(seed, 0, 100) : 0;
    shape.late = KILO_ONE_OF(seed, lateness);
    shape.late_seed = 1 + kit_random(seed) / 2;
    const uint32_t signs = kind->is_told == 2 && kilo_pick(seed, 0, 1);
    draw_core(&shape, seed, kind, !kind->is_unresolved && (is_aggregate || block || kilo_pick(seed, 0, 2) == 0),
              is_aggregate, signs);
    kilo_draw_partitions(&shape, seed, is_aggregate, block, kind->is_tiny, kind->unit);
    if (kind->is_told)
        draw_broadcasts(shape.unit, seed, kind->is_told == 2, signs);
    return shape;
}
