/* SPDX-License-Identifier: MIT */
#include "core_profiled.h"

#include "hd_profile.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const hd_profile *ability(const core_profiled *profiled)
{
    return rig_class(profiled->rig)->extension(kit_instance(rig_kit(profiled->rig)), HD_EXTENSION_PROFILE);
}

static void note_conflict(void *context, uint32_t row, uint32_t winner, uint64_t lanes)
{
    core_conflict *conflict = context;
    *conflict = (core_conflict){.row = row, .winner = winner, .lanes = conflict->lanes + lanes};
}

core_profiled profiled_begin(core_rig *rig, const uint32_t *words)
{
    core_profiled profiled = {.rig = rig};
    const hd_profile *profile = ability(&profiled);
    cr_assert(profile);
    while (words[profiled.words])
        profiled.words++;
    profiled.counts = calloc(((size_t)profiled.words + 1) * profile->column_count, sizeof *profiled.counts);
    profiled.conflict = calloc(1, sizeof *profiled.conflict);
    profile->begin(kit_instance(rig_kit(rig)), &(hd_profile_table){.counts = profiled.counts,
                                                                   .first_pc = CODE,
                                                                   .words = profiled.words,
                                                                   .context = profiled.conflict,
                                                                   .conflict = note_conflict});
    return profiled;
}

void profiled_end(core_profiled *profiled)
{
    free(profiled->counts);
    free(profiled->conflict);
}

static const uint64_t *row(const core_profiled *profiled, uint32_t word)
{
    rig_class(profiled->rig)->counters(kit_instance(rig_kit(profiled->rig)));
    return profiled->counts + (size_t)word * ability(profiled)->column_count;
}

static uint32_t column_named(const hd_profile *profile, const char *name)
{
    uint32_t column = 0;
    while (column < profile->column_count && strcmp(profile->columns[column].name, name))
        column++;
    cr_assert_lt(column, profile->column_count, "no column '%s'", name);
    return column;
}

/* As it stands, to be looked at for every word: nothing happens meanwhile. */
typedef struct column {
    const uint64_t *counts; /* of the first word */
    uint32_t stride;
} column;

static column column_of(const core_profiled *profiled, const char *name)
{
    const hd_profile *profile = ability(profiled);
    return (column){.counts = row(profiled, 0) + column_named(profile, name), .stride = profile->column_count};
}

static uint64_t column_at(column c, uint32_t word)
{
    return c.counts[(size_t)word * c.stride];
}

uint64_t profiled_at(const core_profiled *profiled, uint32_t word, const char *name)
{
    return column_at(column_of(profiled, name), word);
}

uint64_t profiled_sum(const core_profiled *profiled, const char *name)
{
    const column c = column_of(profiled, name);
    uint64_t sum = 0;
    for (uint32_t word = 0; word <= profiled->words; word++)
        sum += column_at(c, word);
    return sum;
}

uint64_t profiled_fingerprint(const core_profiled *profiled)
{
    const size_t count = ((size_t)profiled->words + 1) * ability(profiled)->column_count;
    const uint64_t *counts = row(profiled, 0);
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ counts[i]) * 1099511628211u;
    return hash;
}

static uint32_t is_statistic(const hd_block_class *type, const char *name)
{
    for (uint32_t i = 0; i < type->statistic_count; i++) {
        if (!strcmp(type->statistics[i].name, name))
            return 1;
    }
    return 0;
}

/* What only a core with issue slots counts. */
static void expect_slots(const core_profiled *profiled, const char *what)
{
    const column slots = column_of(profiled, "slots_issued"), dual = column_of(profiled, "dual_issues"),
                 instructions = column_of(profiled, "warp_instructions");
    for (uint32_t word = 0; word <= profiled->words; word++)
        cr_expect_eq(column_at(slots, word) + column_at(dual, word), column_at(instructions, word), "%s: word %u", what,
                     word);
    cr_expect_eq(profiled_at(profiled, profiled->words, "slots_idle"),
                 kit_statistic(rig_kit(profiled->rig), "slots_idle"), "%s", what);
}

void profiled_expect_identities(const core_profiled *profiled, const char *what)
{
    const hd_profile *profile = ability(profiled);
    const hd_block_class *type = rig_class(profiled->rig);
    kit_block *kit = rig_kit(profiled->rig);
    for (uint32_t i = 0; i < profile->column_count; i++) {
        const char *name = profile->columns[i].name;
        if (is_statistic(type, name))
            cr_expect_eq(profiled_sum(profiled, name), kit_statistic(kit, name), "%s: %s: %lu, not %lu", what, name,
                         profiled_sum(profiled, name), kit_statistic(kit, name));
    }
    const column instructions = column_of(profiled, "warp_instructions"),
                 taken = column_of(profiled, "thread_instructions"), lost = column_of(profiled, "lost_lanes");
    for (uint32_t word = 0; word <= profiled->words; word++) {
        const uint64_t issued = column_at(instructions, word);
        const uint64_t lanes = column_at(taken, word) + column_at(lost, word);
        cr_expect(issued ? lanes % issued == 0 : lanes == 0, "%s: word %u", what, word);
    }
    if (is_statistic(type, "slots_idle"))
        expect_slots(profiled, what);
    cr_expect_eq(profiled_at(profiled, profiled->words, "warp_instructions"), 0, "%s", what);
}
