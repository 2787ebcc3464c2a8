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

uint64_t profiled_at(const core_profiled *profiled, uint32_t word, const char *column)
{
    return row(profiled, word)[column_named(ability(profiled), column)];
}

uint64_t profiled_sum(const core_profiled *profiled, const char *column)
{
    uint64_t sum = 0;
    for (uint32_t word = 0; word <= profiled->words; word++)
        sum += profiled_at(profiled, word, column);
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
    for (uint32_t word = 0; word <= profiled->words; word++)
        cr_expect_eq(profiled_at(profiled, word, "slots_issued") + profiled_at(profiled, word, "dual_issues"),
                     profiled_at(profiled, word, "warp_instructions"), "%s: word %u", what, word);
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
    for (uint32_t word = 0; word <= profiled->words; word++) {
        const uint64_t issued = profiled_at(profiled, word, "warp_instructions");
        const uint64_t lanes =
            profiled_at(profiled, word, "thread_instructions") + profiled_at(profiled, word, "lost_lanes");
        cr_expect(issued ? lanes % issued == 0 : lanes == 0, "%s: word %u", what, word);
    }
    if (is_statistic(type, "slots_idle"))
        expect_slots(profiled, what);
    cr_expect_eq(profiled_at(profiled, profiled->words, "warp_instructions"), 0, "%s", what);
}
