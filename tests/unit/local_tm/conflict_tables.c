/* SPDX-License-Identifier: MIT */
/* Both conflict tables cell by cell: verdict, next state, backup, owner, accesses of the bank (Villegas et al., Table 1). */
#include "area.h"

#include <criterion/criterion.h>

enum { SELF = 5, OTHER = 9, WORD = 3 };
#define UNTOUCHED 0xDEADu

/* Brings the word into a state; `owner` has done so. */
static void set_up(area *a, uint32_t state, uint32_t owner)
{
    const uint32_t is_dcd = a->ownership.algorithm == OWNERSHIP_DCD;
    if (state == WORD_READ)
        area_load(a, owner, WORD, CONFLICT_NONE, is_dcd ? 3 : 2);
    if (state == WORD_MODIFIED)
        area_store(a, owner, WORD, 7, CONFLICT_NONE, 4);
    if (state == WORD_SHARED) {
        area_load(a, owner, WORD, CONFLICT_NONE, 2);
        area_load(a, owner + 1, WORD, CONFLICT_NONE, a->ownership.release == OWNERSHIP_WARP_MAP ? 3 : 2);
    }
    cr_assert_eq(area_state(a, WORD), state);
    a->memory[shadow_backup(&a->ownership.layout, WORD)] = UNTOUCHED;
}

typedef struct cell {
    uint32_t state, owner, stores;
    uint32_t conflict, next, accesses, backs_up;
} cell;

static void expect_cell(uint32_t algorithm, const cell *c)
{
    area *a = area_create(algorithm, OWNERSHIP_WARP_MAP, 4, 4, 2);
    set_up(a, c->state, c->owner);
    const uint32_t before = a->memory[WORD], owner = area_owner(a, WORD);
    const ownership_verdict verdict = ownership_access(&a->ownership, SELF, WORD, c->stores, a->running);
#define SAME(left, right)                                                                                              \
    cr_expect_eq(left, right, "algorithm %u, state %u of %u, store %u", algorithm, c->state, c->owner, c->stores)
    SAME(verdict.conflict, c->conflict);
    SAME(verdict.accesses, c->accesses);
    SAME(area_state(a, WORD), c->next);
    SAME(area_backup(a, WORD), c->backs_up ? before : UNTOUCHED);
    SAME(a->memory[WORD], before);
    if (c->conflict != CONFLICT_NONE) {
        SAME(area_owner(a, WORD), owner);
        SAME(verdict.owner, c->state == WORD_SHARED ? OWNERSHIP_THREADS : c->owner);
    } else if (c->next != WORD_SHARED) {
        SAME(area_owner(a, WORD), SELF);
    } else if (c->state == WORD_READ) {
        SAME(area_owner(a, WORD), 1u << OTHER / 4 | 1u << SELF / 4);
    } else {
        SAME(area_owner(a, WORD), owner | 1u << SELF / 4);
    }
#undef SAME
    area_destroy(a);
}

Test(local_tables, dcd)
{
    static const cell cells[] = {
        {WORD_UNSET, OTHER, 0, CONFLICT_NONE, WORD_READ, 3, 1},
        {WORD_UNSET, OTHER, 1, CONFLICT_NONE, WORD_MODIFIED, 4, 1},
        {WORD_READ, SELF, 0, CONFLICT_NONE, WORD_READ, 2, 0},
        {WORD_READ, SELF, 1, CONFLICT_NONE, WORD_MODIFIED, 2, 0},
        {WORD_MODIFIED, SELF, 0, CONFLICT_NONE, WORD_MODIFIED, 2, 0},
        {WORD_MODIFIED, SELF, 1, CONFLICT_NONE, WORD_MODIFIED, 2, 0},
        {WORD_READ, OTHER, 0, CONFLICT_READ_READ, WORD_READ, 1, 0},
        {WORD_READ, OTHER, 1, CONFLICT_WRITE_AFTER_READ, WORD_READ, 1, 0},
        {WORD_MODIFIED, OTHER, 0, CONFLICT_READ_AFTER_WRITE, WORD_MODIFIED, 1, 0},
        {WORD_MODIFIED, OTHER, 1, CONFLICT_WRITE_AFTER_WRITE, WORD_MODIFIED, 1, 0},
    };
    for (uint32_t i = 0; i < sizeof cells / sizeof *cells; i++)
        expect_cell(OWNERSHIP_DCD, &cells[i]);
}

/* 16 combinations; the owner of an unset word is nobody's. */
Test(local_tables, smdcd)
{
    static const cell cells[] = {
        {WORD_UNSET, SELF, 0, CONFLICT_NONE, WORD_READ, 2, 0},
        {WORD_UNSET, OTHER, 0, CONFLICT_NONE, WORD_READ, 2, 0},
        {WORD_UNSET, SELF, 1, CONFLICT_NONE, WORD_MODIFIED, 4, 1},
        {WORD_UNSET, OTHER, 1, CONFLICT_NONE, WORD_MODIFIED, 4, 1},
        {WORD_READ, SELF, 0, CONFLICT_NONE, WORD_READ, 2, 0},
        {WORD_READ, SELF, 1, CONFLICT_NONE, WORD_MODIFIED, 4, 1},
        {WORD_READ, OTHER, 0, CONFLICT_NONE, WORD_SHARED, 3, 0},
        {WORD_READ, OTHER, 1, CONFLICT_WRITE_AFTER_READ, WORD_READ, 1, 0},
        {WORD_SHARED, SELF, 0, CONFLICT_NONE, WORD_SHARED, 2, 0},
        {WORD_SHARED, SELF, 1, CONFLICT_WRITE_AFTER_READ, WORD_SHARED, 0, 0},
        {WORD_SHARED, OTHER, 0, CONFLICT_NONE, WORD_SHARED, 3, 0},
        {WORD_SHARED, OTHER, 1, CONFLICT_WRITE_AFTER_READ, WORD_SHARED, 0, 0},
        {WORD_MODIFIED, SELF, 0, CONFLICT_NONE, WORD_MODIFIED, 2, 0},
        {WORD_MODIFIED, SELF, 1, CONFLICT_NONE, WORD_MODIFIED, 2, 0},
        {WORD_MODIFIED, OTHER, 0, CONFLICT_READ_AFTER_WRITE, WORD_MODIFIED, 1, 0},
        {WORD_MODIFIED, OTHER, 1, CONFLICT_WRITE_AFTER_WRITE, WORD_MODIFIED, 1, 0},
    };
    for (uint32_t i = 0; i < sizeof cells / sizeof *cells; i++)
        expect_cell(OWNERSHIP_SMDCD, &cells[i]);
}

Test(local_tables, a_word_is_as_it_was_before_several_stores)
{
    for (uint32_t algorithm = 0; algorithm < 2; algorithm++) {
        area *a = area_create(algorithm, OWNERSHIP_WARP_MAP, 4, 4, 2);
        area_store(a, SELF, 1, 1, CONFLICT_NONE, 4);
        area_store(a, SELF, 1, 2, CONFLICT_NONE, 2);
        area_load(a, SELF, 1, CONFLICT_NONE, 2);
        area_load(a, SELF, 6, CONFLICT_NONE, algorithm == OWNERSHIP_DCD ? 3 : 2);
        area_store(a, SELF, 6, 3, CONFLICT_NONE, algorithm == OWNERSHIP_DCD ? 2 : 4);
        area_store(a, SELF, 5, 4, CONFLICT_NONE, 4);
        cr_expect_eq(area_abort(a, SELF), 2, "words 1 and 5 are in one bank, 6 in another");
        for (uint32_t word = 0; word < 8; word++) {
            cr_expect_eq(a->memory[word], 100 + word);
            cr_expect_eq(area_state(a, word), WORD_UNSET);
        }
        cr_expect_eq(a->ownership.set_count, 0);
        area_store(a, OTHER, 1, 9, CONFLICT_NONE, 4);
        area_destroy(a);
    }
}

/* DCD has a backup of what was only read, and puts it back; SMDCD has none. */
Test(local_tables, what_was_read_is_let_go)
{
    for (uint32_t algorithm = 0; algorithm < 2; algorithm++) {
        area *a = area_create(algorithm, OWNERSHIP_WARP_MAP, 4, 4, 2);
        area_load(a, SELF, 2, CONFLICT_NONE, algorithm == OWNERSHIP_DCD ? 3 : 2);
        cr_expect_eq(area_abort(a, SELF), algorithm == OWNERSHIP_DCD);
        cr_expect_eq(area_state(a, 2), WORD_UNSET);
        cr_expect_eq(a->memory[2], 102);
        area_destroy(a);
    }
}

Test(local_tables, a_commit_keeps_what_was_stored)
{
    for (uint32_t algorithm = 0; algorithm < 2; algorithm++) {
        area *a = area_create(algorithm, OWNERSHIP_WARP_MAP, 4, 4, 2);
        area_store(a, SELF, 1, 1, CONFLICT_NONE, 4);
        area_store(a, OTHER, 2, 2, CONFLICT_NONE, 4);
        ownership_commit(&a->ownership, SELF);
        cr_expect_eq(a->memory[1], 1);
        cr_expect_eq(area_state(a, 1), WORD_UNSET);
        cr_expect_eq(area_state(a, 2), WORD_MODIFIED);
        cr_expect_eq(a->ownership.set_count, 1);
        area_destroy(a);
    }
}
