/* SPDX-License-Identifier: MIT */
#include "loads.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"

uint32_t vec_loads_create(vec_loads *all, uint32_t capacity, uint32_t lines)
{
    all->capacity = capacity;
    all->loads = calloc(capacity + 1, sizeof *all->loads);
    if (!all->loads)
        return 0;
    for (uint32_t i = 0; i < capacity; i++) {
        all->loads[i].lines = calloc(lines, sizeof *all->loads[i].lines);
        all->loads[i].is_missing = calloc(lines, sizeof *all->loads[i].is_missing);
        if (!all->loads[i].lines || !all->loads[i].is_missing)
            return 0;
    }
    return 1;
}

void vec_loads_destroy(vec_loads *all)
{
    for (uint32_t i = 0; all->loads && i < all->capacity; i++) {
        free(all->loads[i].lines);
        free(all->loads[i].is_missing);
    }
    free(all->loads);
}

void vec_loads_reset(vec_loads *all)
{
    for (uint32_t i = 0; i < all->capacity; i++)
        all->loads[i].state = LOAD_FREE;
    all->used = 0;
}

/* ---- A load that enters ----------------------------------------------------------------------------------------------- */

static uint32_t are_here(const vec_core *self)
{
    for (uint32_t i = 0; i < self->plan.count; i++)
        if (!vec_caches_is_here(&self->caches, self->plan.lines[i]))
            return 0;
    return 1;
}

static uint32_t are_known(const vec_core *self)
{
    for (uint32_t i = 0; i < self->plan.count; i++)
        if (!vec_image_line(&self->image, self->plan.lines[i]))
            return 0;
    return 1;
}

enum ahead core_load_ahead(vec_core *self)
{
    if (!self->loads.capacity || are_here(self) || !are_known(self))
        return AHEAD_NOT;
    if (self->loads.used == self->loads.capacity)
        return AHEAD_FULL;
    for (uint32_t i = 0; i < self->plan.count; i++)
        memcpy(self->plan.bytes[i], vec_image_line(&self->image, self->plan.lines[i]), VEC_LINE_BYTES);
    return AHEAD_KNOWN;
}

void core_load_entered(vec_core *self)
{
    vec_load *load = self->loads.loads;
    while (load->state != LOAD_FREE)
        load++;
    load->state = LOAD_OPERANDS;
    load->order = self->loads.order++;
    load->place = self->window.last;
    load->count = self->plan.count;
    load->next = load->missing = load->has_waited = load->from_second = 0;
    memcpy(load->lines, self->plan.lines, load->count * sizeof *load->lines);
    self->loads.used++;
    self->counters.overlapped++;
}

/* ---- Looking up ----------------------------------------------------------------------------------------------------- */

/* Those whose operands have come. */
static void begin_loads(vec_core *self)
{
    for (uint32_t place; vec_window_next_begun(&self->window, &place);)
        for (uint32_t i = 0; i < self->loads.capacity; i++)
            if (self->loads.loads[i].state == LOAD_OPERANDS && self->loads.loads[i].place == place)
                self->loads.loads[i].state = LOAD_LINES;
}

static uint32_t look_up_lines(vec_core *self, vec_load *load, hd_time t)
{
    for (; load->next < load->count; load->next++) {
        enum vec_found found;
        if (!core_look_up(self, load->lines[load->next], NULL, &found, t))
            return 0;
        const uint32_t is_missing = found == VEC_MISSED || found == VEC_COMING;
        load->is_missing[load->next] = (uint8_t)is_missing;
        load->missing += is_missing;
        load->has_waited |= is_missing;
        load->from_second |= found != VEC_FOUND_FIRST;
    }
    return 1;
}

static void end_load(vec_core *self, vec_load *load)
{
    const uint64_t first = value_of(self, PARAMETER_DATA_LATENCY), second = value_of(self, PARAMETER_SECOND_LATENCY);
    const uint32_t is_far = load->from_second && !load->has_waited;
    load->state = LOAD_FREE;
    self->loads.used--;
    vec_window_answer(&self->window, load->place, (uint32_t)(is_far ? second : first),
                      load->has_waited ? self->cursor.n + first : 0);
}

/* The oldest one with lines that have not been looked up. */
static vec_load *first_to_look_up(vec_core *self)
{
    vec_load *first = NULL;
    for (uint32_t i = 0; i < self->loads.capacity; i++) {
        vec_load *load = &self->loads.loads[i];
        if (load->state == LOAD_LINES && load->next < load->count && (!first || load->order < first->order))
            first = load;
    }
    return first;
}

void core_advance_loads(vec_core *self, hd_time t)
{
    if (!self->loads.used)
        return;
    begin_loads(self);
    for (vec_load *load; (load = first_to_look_up(self)) && look_up_lines(self, load, t);)
        if (!load->missing) {
            end_load(self, load);
            begin_loads(self);
        }
}

/* ---- Lines that come -------------------------------------------------------------------------------------------------- */

static void deliver(vec_load *load, uint32_t line)
{
    for (uint32_t i = 0; i < load->next && load->missing; i++)
        if (load->is_missing[i] && load->lines[i] == line) {
            load->is_missing[i] = 0;
            load->missing--;
        }
}

void core_line_came(vec_core *self, uint32_t line)
{
    for (uint32_t i = 0; i < self->loads.capacity && self->loads.used; i++) {
        vec_load *load = &self->loads.loads[i];
        if (load->state != LOAD_LINES || !load->missing)
            continue;
        deliver(load, line);
        if (!load->missing && load->next == load->count)
            end_load(self, load);
    }
}
