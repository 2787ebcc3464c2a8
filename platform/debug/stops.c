/* SPDX-License-Identifier: MIT */
#include "stops.h"

#include <string.h>

static uint32_t is_watchpoint(const debug_place *place)
{
    return place->kind >= 2;
}

static uint32_t find(const debug_stops *stops, const debug_place *place)
{
    uint32_t i = 0;
    while (i < stops->place_count && (stops->places[i].kind != place->kind || stops->places[i].bytes != place->bytes ||
                                      stops->places[i].address != place->address))
        i++;
    return i;
}

uint32_t stops_insert(debug_stops *stops, const debug_place *place)
{
    const uint32_t at = find(stops, place);
    if (at == STOPS_MAX)
        return 0;
    if (at == stops->place_count) {
        stops->place_count++;
        stops->watch_count += is_watchpoint(place);
    }
    stops->places[at] = *place;
    return 1;
}

void stops_remove(debug_stops *stops, const debug_place *place)
{
    const uint32_t at = find(stops, place);
    if (at == stops->place_count)
        return;
    stops->place_count--;
    stops->watch_count -= is_watchpoint(place);
    memmove(&stops->places[at], &stops->places[at + 1], (stops->place_count - at) * sizeof *stops->places);
}

void stops_resume(debug_stops *stops, uint64_t stopped, uint32_t step, uint64_t thread, uint64_t begin, uint64_t end)
{
    stops->interrupted = stops->has_stepped = 0;
    stops->step = step;
    stops->thread = thread;
    stops->begin = begin;
    stops->end = end;
    stops->leaves = stopped;
}

static debug_stop stop_of(enum stop_reason reason, uint64_t thread)
{
    return (debug_stop){.reason = reason, .thread = thread};
}

static uint64_t lowest(const debug_moment *moment)
{
    return moment->first + (uint64_t)__builtin_ctzll(moment->threads);
}

static uint32_t has_breakpoint(const debug_stops *stops, uint64_t pc)
{
    for (uint32_t i = 0; i < stops->place_count; i++)
        if (stops->places[i].kind <= 1 && stops->places[i].address == pc)
            return 1;
    return 0;
}

static uint32_t wants(uint32_t kind, uint32_t access)
{
    return (kind == 2 && access & ACCESS_WRITE) || (kind == 3 && access & ACCESS_READ) || (kind == 4 && access);
}

static const enum stop_reason reasons[] = {[2] = STOP_WATCH, [3] = STOP_READ_WATCH, [4] = STOP_ACCESS_WATCH};

debug_stop stops_watch(const debug_stops *stops, uint64_t thread, uint64_t address, uint32_t bytes, uint32_t access,
                       uint64_t from)
{
    debug_stop first = stop_of(STOP_NONE, 0);
    for (uint32_t i = 0; i < stops->place_count; i++) {
        const debug_place *place = &stops->places[i];
        const uint64_t common = address > place->address ? address : place->address;
        if (!wants(place->kind, access) || common - address >= bytes || common - place->address >= place->bytes ||
            common < from || (first.reason != STOP_NONE && common >= first.address))
            continue;
        first = (debug_stop){.reason = reasons[place->kind], .thread = thread, .address = common};
    }
    return first;
}

/* gdb wants to be told of an access when it has been made. */
static void watch(debug_stops *stops, const debug_moment *moment)
{
    const debug_stop stop =
        stops_watch(stops, lowest(moment), moment->address, moment->bytes, moment->access, moment->address);
    if (stop.reason != STOP_NONE)
        stops->watched = stop;
}

/* A thread that does not name one of those that execute steps with whoever executes. */
static uint64_t stepping_thread(const debug_stops *stops, const debug_moment *moment, const debug_target *target)
{
    if (moment_has(moment, stops->thread))
        return stops->thread;
    return target->is_alive(target->context, stops->thread) && stops->thread != TARGET_ANY ? 0 : lowest(moment);
}

static debug_stop look_at_step(const debug_stops *stops, const debug_moment *moment, const debug_target *target)
{
    if (stops->step == STEP_ALONE && stops->has_stepped)
        return stop_of(STOP_TRAP, target->is_alive(target->context, stops->thread) ? stops->thread : lowest(moment));
    if (stops->step != STEP_NEXT || moment->pc - stops->begin < stops->end - stops->begin)
        return stop_of(STOP_NONE, 0);
    const uint64_t thread = stepping_thread(stops, moment, target);
    return stop_of(thread ? STOP_TRAP : STOP_NONE, thread);
}

static debug_stop look(debug_stops *stops, const debug_moment *moment, const debug_target *target)
{
    debug_stop stop = stops->watched;
    stops->watched = stop_of(STOP_NONE, 0);
    if (stop.reason != STOP_NONE)
        return stop;
    if (stops->interrupted)
        return stop_of(STOP_INTERRUPT, lowest(moment));
    stop = look_at_step(stops, moment, target);
    if (stop.reason == STOP_NONE && has_breakpoint(stops, moment->pc))
        return stop_of(STOP_TRAP, moment_has(moment, stops->thread) ? stops->thread : lowest(moment));
    return stop;
}

debug_stop stops_look(debug_stops *stops, const debug_moment *moment, const debug_target *target)
{
    if (!stops->leaves || !moment_has(moment, stops->leaves)) {
        const debug_stop stop = look(stops, moment, target);
        if (stop.reason != STOP_NONE)
            return stop;
    }
    stops->leaves = 0;
    stops->has_stepped |= moment_has(moment, stops->thread) || stops->thread == TARGET_ANY;
    watch(stops, moment);
    return stop_of(STOP_NONE, 0);
}

debug_stop stops_look_between(debug_stops *stops, const debug_target *target)
{
    debug_stop stop = stops->watched;
    stops->watched = stop_of(STOP_NONE, 0);
    if (stop.reason != STOP_NONE)
        return stop;
    const uint64_t thread = stops->thread && target->is_alive(target->context, stops->thread)
                                ? stops->thread
                                : target->next_thread(target->context, 0);
    if (stops->interrupted)
        return stop_of(STOP_INTERRUPT, thread);
    if ((stops->step == STEP_ALONE && stops->has_stepped) || (stops->step != STEP_NONE && thread != stops->thread))
        return stop_of(STOP_TRAP, thread);
    return stop_of(STOP_NONE, 0);
}
