/* SPDX-License-Identifier: MIT */
#include "hart.h"

#include <stdlib.h>
#include <string.h>

#include "hart_internal.h"

#define RAM_SLACK 8u /* undoing writes 8 bytes, whatever was stored */

static uint32_t power_of_two_from(uint32_t n)
{
    uint32_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static void create_blocks(hart *self, uint32_t block_cache)
{
    const uint32_t operations = block_cache < HART_BLOCK_OPERATIONS ? HART_BLOCK_OPERATIONS : block_cache;
    const uint32_t blocks = power_of_two_from(operations / 2);
    self->blocks = calloc(blocks, sizeof *self->blocks);
    self->block_mask = blocks - 1;
    self->operations = calloc(operations, sizeof *self->operations);
    self->operation_capacity = operations;
    self->block_operations = HART_BLOCK_OPERATIONS;
}

uint32_t hart_create(hart *self, uint64_t ram_bytes, uint32_t block_cache, uint32_t undo_capacity)
{
    memset(self, 0, sizeof *self);
    self->ram_bytes = ram_bytes;
    self->ram = calloc(ram_bytes + RAM_SLACK, 1);
    self->ram_is_clear = 1;
    self->undo = calloc(undo_capacity, sizeof *self->undo);
    self->undo_capacity = undo_capacity;
    create_blocks(self, block_cache);
    return self->ram && self->undo && self->blocks && self->operations;
}

uint32_t hart_create_beside(hart *self, const hart *first, uint32_t number, uint32_t block_cache)
{
    memset(self, 0, sizeof *self);
    self->number = number;
    self->shares_ram = 1;
    self->ram = first->ram;
    self->ram_bytes = first->ram_bytes;
    self->ram_is_clear = 1;
    self->undo = first->undo;
    self->undo_capacity = first->undo_capacity;
    create_blocks(self, block_cache);
    return self->blocks && self->operations;
}

void hart_destroy(hart *self)
{
    if (!self->shares_ram) {
        free(self->ram);
        free(self->undo);
    }
    free(self->blocks);
    free(self->operations);
}

void hart_reset(hart *self, uint64_t pc)
{
    if (!self->ram_is_clear && !self->shares_ram)
        memset(self->ram, 0, self->ram_bytes);
    self->ram_is_clear = 1;
    self->state = (hart_state){.pc = pc,
                               .x = {[HART_A0] = self->number, [HART_A1] = self->ram_bytes},
                               .mstatus = HART_MSTATUS_MPP,
                               .privilege = HART_MACHINE,
                               .reservation = UINT64_MAX};
    hart_protection_reset(&self->protection);
    hart_triggers_reset(&self->triggers);
    self->is_guarded = 0;
    hart_forget_blocks(self);
    hart_keep(self);
}

void hart_keep(hart *self)
{
    self->kept = self->state;
    self->undo_count = 0;
}

void hart_go_back(hart *self)
{
    while (self->undo_count > 0) {
        const hart_undo *store = &self->undo[--self->undo_count];
        memcpy(self->ram + store->offset, &store->bytes, sizeof store->bytes);
    }
    self->state = self->kept;
}

static void set_level(hart_state *state, uint64_t bit, uint32_t level)
{
    state->mip = level ? state->mip | bit : state->mip & ~bit;
}

void hart_set_interrupt(hart *self, uint32_t line, uint32_t level)
{
    set_level(&self->state, UINT64_C(1) << line, level);
    set_level(&self->kept, UINT64_C(1) << line, level);
}

static void break_reservation(hart_state *state, uint64_t address, uint64_t bytes)
{
    if (state->reservation - address < bytes || address - state->reservation < 8)
        state->reservation = UINT64_MAX;
}

void hart_break_reservation(hart *self, uint64_t address, uint64_t bytes)
{
    break_reservation(&self->state, address, bytes);
}

void hart_memory_written(hart *self, uint64_t address, uint64_t bytes)
{
    self->ram_is_clear = 0;
    break_reservation(&self->state, address, bytes);
    break_reservation(&self->kept, address, bytes);
}
