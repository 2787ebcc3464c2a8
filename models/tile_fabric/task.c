/* SPDX-License-Identifier: MIT */
/*
 * Flushes and commits of a tile. Nothing of the tile is accepted meanwhile. Misses under way end; then the lines of each bank are
 * looked at, one in a cycle; then memory acknowledges what was written back; and settings hold after the time that crossbars need.
 */
#include "state.h"

uint32_t fabric_task_commits(const fabric_task *task)
{
    return task->what == HD_TILE_COMMIT || task->what == HD_TILE_COMMIT_FLUSHED || task->what == HD_TILE_SWITCH;
}

static uint32_t writes_back(const fabric_task *task)
{
    return task->what != HD_TILE_INVALIDATE;
}

static uint32_t drops(const fabric_task *task)
{
    return task->what != HD_TILE_WRITE_BACK;
}

/* Caches whose lines have to go. */
static uint32_t banks_of(tile_fabric *self, uint32_t tile, const fabric_task *task)
{
    const fabric_tile *of = &self->tile[tile];
    const fabric_reach *reach = &fabric_pe_of(self, tile, task->pe)->reach;
    uint32_t banks = 0;
    for (uint32_t b = 0; fabric_task_commits(task) && b < self->banks; b++)
        banks |= (uint32_t)(of->now.mode[b] == HD_TILE_CACHE && of->wanted.mode[b] != HD_TILE_CACHE) << b;
    for (uint32_t i = 0; !fabric_task_commits(task) && i < reach->cache_count; i++)
        banks |= UINT32_C(1) << reach->caches[i];
    return banks;
}

void fabric_begin_task(tile_fabric *self, uint32_t tile, uint32_t pe, uint32_t what)
{
    fabric_task *task = &self->tile[tile].task;
    char text[160];
    *task = (fabric_task){.phase = PHASE_DRAIN, .what = what, .pe = pe};
    fabric_wake(self, fabric_edge(self) + 1);
    if (fabric_task_commits(task) && fabric_settings_wrong(self, &self->tile[tile].wanted, text, sizeof text)) {
        const uint32_t asked = tile * self->pes + pe;
        task->phase = PHASE_NONE;
        fabric_mistake(self, asked, fabric_end_wait(self, asked), NULL, UINT64_MAX, "tile %u commits %s", tile, text);
        return;
    }
    fabric_trace_task(self, tile);
    task->banks = banks_of(self, tile, task);
    if (!fabric_task_commits(task))
        self->counters.flushes++;
}

/* ---- Lines -------------------------------------------------------------------------------------------------------- */

static void refuse_dirty(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    fabric_task *task = &self->tile[tile].task;
    const uint32_t asked = tile * self->pes + task->pe;
    fabric_trace_task_end(self, tile);
    task->phase = PHASE_NONE;
    fabric_mistake(self, asked, fabric_end_wait(self, asked), NULL, UINT64_MAX,
                   "tile %u makes bank %u a scratchpad, which has dirty bytes of the line at 0x%08x: it is not flushed",
                   tile, bank, (uint32_t)(self->tile[tile].banks[bank].tags.tags[place] * FABRIC_LINE));
}

/* 1: done with the line. 0: it has to be looked at again. */
static uint32_t work_line(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    fabric_tile *of = &self->tile[tile];
    const fabric_task *task = &of->task;
    fabric_bank *at = &of->banks[bank];
    if (cache_tags_is_empty(&at->tags, place))
        return 1;
    if (at->lines[place].dirty && task->what == HD_TILE_COMMIT_FLUSHED) {
        refuse_dirty(self, tile, bank, place);
        return 0;
    }
    if (at->lines[place].dirty && writes_back(task)) {
        if (!fabric_has_way(self, of, 1))
            return 0;
        self->counters.mode_write_backs += fabric_task_commits(task);
        fabric_write_back(self, tile, bank, place);
    }
    if (!at->lines[place].dirty && drops(task))
        fabric_drop_line(self, tile, bank, place);
    return 1;
}

static void scan(tile_fabric *self, uint32_t tile)
{
    fabric_task *task = &self->tile[tile].task;
    uint32_t done = 1;
    if (!task->banks)
        task->place = self->bank_lines;
    for (uint32_t b = 0; task->place < self->bank_lines && b < self->banks && task->phase == PHASE_SCAN; b++)
        if (task->banks >> b & 1)
            done &= work_line(self, tile, b, task->place);
    if (task->phase != PHASE_SCAN)
        return;
    task->place += done;
    if (task->place >= self->bank_lines)
        task->phase = PHASE_ACKNOWLEDGE;
}

/* ---- Settings ----------------------------------------------------------------------------------------------------- */

static void apply(tile_fabric *self, uint32_t tile)
{
    fabric_tile *of = &self->tile[tile];
    for (uint32_t b = 0; b < self->banks; b++)
        self->counters.mode_changes += of->now.mode[b] != of->wanted.mode[b];
    of->now = of->wanted;
    fabric_find_reach(self, tile);
    self->counters.reconfigurations++;
    self->is_changed = 1;
}

static void end(tile_fabric *self, uint32_t tile)
{
    fabric_task *task = &self->tile[tile].task;
    if (fabric_task_commits(task))
        apply(self, tile);
    fabric_trace_task_end(self, tile);
    task->phase = PHASE_NONE;
    self->services->progress(self->services->context, self->cursor.t);
    if (task->what == HD_TILE_SWITCH)
        fabric_end_switch(self, tile);
    else
        fabric_answer_register(self, tile * self->pes + task->pe, 0);
}

static void settle(tile_fabric *self, fabric_task *task)
{
    task->phase = PHASE_SETTLE;
    task->until = fabric_edge(self);
    if (!fabric_task_commits(task))
        return;
    task->until += fabric_value(self, PARAMETER_RECONFIGURE);
    self->counters.reconfigure_cycles += fabric_value(self, PARAMETER_RECONFIGURE);
}

void fabric_work_task(tile_fabric *self, uint32_t tile)
{
    fabric_tile *of = &self->tile[tile];
    fabric_task *task = &of->task;
    if (task->phase == PHASE_DRAIN && !of->mshrs.in_use)
        task->phase = PHASE_SCAN;
    if (task->phase == PHASE_SCAN)
        scan(self, tile);
    if (task->phase == PHASE_ACKNOWLEDGE && !of->write_backs)
        settle(self, task);
    if (task->phase == PHASE_SETTLE && fabric_edge(self) >= task->until)
        end(self, tile);
    if (task->phase == PHASE_SCAN)
        fabric_wake(self, fabric_edge(self) + 1);
    if (task->phase == PHASE_SETTLE)
        fabric_wake(self, task->until);
}
