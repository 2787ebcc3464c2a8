/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "energy.h"
#include "grow.h"
#include "recorder_state.h"
#include "results.h"

#define POWER_TRACK NETLIST_ENERGY_BLOCK
#define POWER_PREFIX "power."

/* ---- Events -------------------------------------------------------------------------------------------------------- */

static void set_item(hd_recorder *self, uint32_t form, uint32_t track, uint32_t kind, const uint64_t *values)
{
    recorder_put_item(self);
    if (!self->is_open)
        return;
    self->has_item = 1;
    self->item.t = self->now;
    self->item.form = form;
    self->item.track = track;
    self->item.kind = kind;
    self->item.arrow_count = 0;
    memcpy(self->item.values, values, sizeof self->item.values);
}

static void begin(hd_recorder *self, uint32_t index, uint32_t kind, const uint64_t *values)
{
    recorder_put_item(self);
    trace_track *track = &self->tracks[index];
    track->spans = observe_grow(track->spans, track->depth, &track->span_capacity, sizeof *track->spans);
    trace_span *span = &track->spans[track->depth++];
    span->kind = kind;
    memcpy(span->values, values, sizeof span->values);
    set_item(self, HD_TRACED_BEGIN, index, kind, values);
}

static void end(hd_recorder *self, uint32_t index, uint32_t kind)
{
    static const uint64_t none[HD_TRACE_VALUES_MAX];
    trace_track *track = &self->tracks[index];
    recorder_put_item(self);
    if (!track->depth)
        return;
    track->depth--;
    set_item(self, HD_TRACED_END, index, kind, none);
    recorder_put_item(self);
}

static void count(hd_recorder *self, uint32_t index, uint32_t kind, const uint64_t *values)
{
    trace_track *track = &self->tracks[index];
    uint32_t i = 0;
    while (i < track->level_count && track->levels[i].kind != kind)
        i++;
    if (i == track->level_count) {
        track->levels = realloc(track->levels, (i + 1) * sizeof *track->levels);
        if (!track->levels)
            abort();
        track->levels[track->level_count++] = (trace_level){.kind = kind};
    }
    if (track->levels[i].value == values[0])
        return;
    track->levels[i].value = values[0];
    set_item(self, HD_TRACED_COUNTER, index, kind, values);
    recorder_put_item(self);
}

static void add_arrow(hd_recorder *self, uint32_t kind, uint64_t number, uint32_t direction)
{
    trace_item *item = &self->item;
    const uint64_t id = self->has_item ? trace_flows_use(self->flows, self->kinds[kind].name, number, direction) : 0;
    if (!id)
        return;
    self->arrows = observe_grow(self->arrows, item->arrow_count, &self->arrow_capacity, sizeof *self->arrows);
    self->arrows[item->arrow_count++] = (trace_arrow){.id = id, .ends = direction == HD_TRACE_TO};
    item->arrows = self->arrows;
}

static void on_record(void *context, const hd_traced *traced)
{
    hd_recorder *self = context;
    if (self->has_ended)
        return;
    recorder_come_to(self, traced->t);
    const uint32_t track = self->first_track[traced->block] + traced->track;
    const uint32_t kind = self->first_kind[traced->block] + traced->event;
    switch (traced->form) {
    case HD_TRACED_BEGIN: begin(self, track, kind, traced->values); break;
    case HD_TRACED_END: end(self, track, kind); break;
    case HD_TRACED_INSTANT: set_item(self, HD_TRACED_INSTANT, track, kind, traced->values); break;
    case HD_TRACED_COUNTER: count(self, track, kind, traced->values); break;
    default: add_arrow(self, kind, traced->values[0], (uint32_t)traced->values[1]); break;
    }
    recorder_end_if_full(self);
}

static uint64_t on_events(void *context, hd_engine *engine, uint32_t block)
{
    hd_recorder *self = context;
    const hd_block_class *class = hd_engine_block_class(engine, block);
    uint64_t wanted = 0;
    self->engine = engine;
    for (uint32_t i = 0; i < class->trace_event_count; i++) {
        uint32_t is_wanted = !self->options.event_count && !class->trace_events[i].detail;
        for (size_t p = 0; p < self->options.event_count; p++) {
            const uint32_t matches = trace_matches(self->options.events[p], class->trace_events[i].name);
            is_wanted |= matches;
            self->used_events[p] |= matches;
        }
        wanted |= (uint64_t)is_wanted << i;
    }
    return wanted;
}

static uint32_t on_track(void *context, hd_engine *engine, uint32_t block, uint32_t track, const char *path)
{
    hd_recorder *self = context;
    (void)engine, (void)block, (void)track;
    for (size_t p = 0; p < self->options.unit_count; p++)
        self->used_units[p] |= trace_selects_path(self->options.units + p, 1, path);
    return trace_selects_path(self->options.units, self->options.unit_count, path);
}

static uint32_t names_power(const char *pattern)
{
    for (uint32_t i = 0; i < NETLIST_ENERGY_SUMS; i++) {
        char name[HD_NAME_MAX];
        snprintf(name, sizeof name, POWER_PREFIX "%s", netlist_energy_sum_name(i));
        if (trace_matches(pattern, name))
            return 1;
    }
    return 0;
}

const char *hd_recorder_useless(const hd_recorder *self, const char **what)
{
    *what = "unit";
    for (size_t p = 0; p < self->options.unit_count; p++)
        if (!self->used_units[p] && !trace_selects_path(self->options.units + p, 1, "kernels") &&
            !(self->expects_power && trace_selects_path(self->options.units + p, 1, POWER_TRACK)))
            return self->options.units[p];
    *what = "event";
    for (size_t p = 0; p < self->options.event_count; p++)
        if (!self->used_events[p] && !(self->expects_power && names_power(self->options.events[p])))
            return self->options.events[p];
    return NULL;
}

/* ---- Power --------------------------------------------------------------------------------------------------------- */

static uint32_t kind_of_power(hd_recorder *self, char *name)
{
    const hd_trace_event event = {.name = name, .form = HD_TRACE_COUNTER, .unit = "mW"};
    for (uint32_t i = 0; i < self->kind_count; i++)
        if (self->kinds[i].owned && self->kinds[i].form == HD_TRACE_COUNTER && !strcmp(self->kinds[i].name, name)) {
            free(name);
            return i;
        }
    const uint32_t kind = recorder_add_kind(self, &event, POWER_TRACK);
    self->kinds[kind].owned = name;
    return kind;
}

static uint32_t shows_power(const hd_recorder *self, const char *name)
{
    uint32_t is_wanted = !self->options.event_count;
    for (size_t p = 0; p < self->options.event_count; p++)
        is_wanted |= trace_matches(self->options.events[p], name);
    return is_wanted && trace_selects_path(self->options.units, self->options.unit_count, POWER_TRACK);
}

void hd_recorder_expect_power(hd_recorder *self)
{
    self->expects_power = 1;
}

void hd_recorder_power(hd_recorder *self, const char *name, uint64_t milliwatts, hd_time t)
{
    char *whole = NULL;
    if (asprintf(&whole, POWER_PREFIX "%s", name) < 0)
        abort();
    if (self->has_ended || !shows_power(self, whole)) {
        free(whole);
        return;
    }
    recorder_come_to(self, t);
    if (self->power_track == NO_TRACK)
        self->power_track = recorder_add_track(self, POWER_TRACK, NO_TRACK, NULL);
    count(self, self->power_track, kind_of_power(self, whole), (const uint64_t[HD_TRACE_VALUES_MAX]){milliwatts});
    recorder_end_if_full(self);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------------- */

static uint32_t kind_of_kernel(hd_recorder *self, const char *name)
{
    const hd_trace_event event = {.name = name, .form = HD_TRACE_SPAN, .values = "launch"};
    for (uint32_t i = 0; i < self->kind_count; i++)
        if (self->kinds[i].category == self->options.machine && strcmp(self->kinds[i].name, name) == 0)
            return i;
    const uint32_t kind = recorder_add_kind(self, &event, self->options.machine);
    self->kinds[kind].name = self->kinds[kind].owned = strdup(name);
    return kind;
}

/* The track of the kernel: overlapping ones need several. */
static uint32_t lane_of(hd_recorder *self, uint32_t owner)
{
    uint32_t lane = 0;
    while (lane < self->lane_count && self->lanes[lane] != owner)
        lane++;
    if (lane < self->lane_count || owner)
        return lane;
    char *name = NULL;
    if (asprintf(&name, "kernels[%u]", lane) < 0)
        abort();
    const uint32_t track = recorder_add_track(self, name, NO_TRACK, name);
    if (!lane)
        self->kernels_track = track;
    self->lanes = realloc(self->lanes, (lane + 1) * sizeof *self->lanes);
    if (!self->lanes)
        abort();
    self->lanes[self->lane_count++] = 0;
    return lane;
}

void hd_recorder_kernel(hd_recorder *self, uint32_t launch, const char *name, uint32_t begins, hd_time t)
{
    if (self->has_ended)
        return;
    recorder_come_to(self, t);
    const uint32_t is_looked_at = trace_selects_kernel(self->options.kernels, self->options.kernel_count, launch, name);
    const uint32_t is_shown = trace_selects_path(self->options.units, self->options.unit_count, "kernels");
    if (begins) {
        self->kernels += is_looked_at;
        self->kernels_seen += is_looked_at;
        recorder_update_region(self, t);
    }
    const uint32_t lane = is_shown ? lane_of(self, begins ? 0 : launch + 1) : 0;
    if (is_shown && begins) {
        self->lanes[lane] = launch + 1;
        begin(self, self->kernels_track + lane, kind_of_kernel(self, name),
              (const uint64_t[HD_TRACE_VALUES_MAX]){launch});
    } else if (is_shown && lane < self->lane_count) {
        self->lanes[lane] = 0;
        end(self, self->kernels_track + lane, kind_of_kernel(self, name));
    }
    recorder_put_item(self);
    if (!begins) {
        self->kernels -= is_looked_at && self->kernels;
        recorder_update_region(self, t);
    }
}

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

static char *failure(const char *path, char *before)
{
    char *text = NULL;
    if (asprintf(&text, "%serror: the trace cannot be written to %s: %s\n", before ? before : "", path,
                 output_file_reason(errno)) < 0)
        abort();
    free(before);
    return text;
}

uint32_t hd_recorder_check(const hd_recorder_options *options, char **error)
{
    const char *const paths[] = {options->perfetto, options->vcd};
    *error = NULL;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] && !output_file_check(paths[i]))
            *error = failure(paths[i], *error);
    return !*error;
}

hd_recorder *hd_recorder_create(const hd_recorder_options *options)
{
    hd_recorder *self = calloc(1, sizeof *self);
    if (!self)
        abort();
    self->options = *options;
    self->power_track = NO_TRACK;
    self->tracer = (hd_tracer){.context = self, .record = on_record, .events = on_events, .track = on_track};
    self->view = (trace_view){.machine = options->machine, .picoseconds = options->picoseconds};
    self->flows = trace_flows_create();
    self->used_units = calloc(options->unit_count + 1, 1);
    self->used_events = calloc(options->event_count + 1, 1);
    if (!self->used_units || !self->used_events)
        abort();
    self->writers[0] = &perfetto_writer;
    self->writers[1] = &vcd_writer;
    self->paths[0] = options->perfetto;
    self->paths[1] = options->vcd;
    for (uint32_t i = 0; i < WRITERS; i++)
        if (self->paths[i])
            self->writer[i] = self->writers[i]->open(self->paths[i], &self->view);
    return self;
}

const hd_tracer *hd_recorder_tracer(hd_recorder *recorder)
{
    return &recorder->tracer;
}

void hd_recorder_destroy(hd_recorder *self)
{
    if (!self)
        return;
    for (uint32_t i = 0; i < WRITERS; i++)
        if (self->writer[i])
            self->writers[i]->abandon(self->writer[i]);
    for (uint32_t i = 0; i < self->kind_count; i++) {
        for (uint32_t v = 0; v < self->kinds[i].value_count; v++)
            free(self->kinds[i].value_names[v]);
        free(self->kinds[i].owned);
    }
    for (uint32_t i = 0; i < self->track_count; i++) {
        free(self->tracks[i].spans);
        free(self->tracks[i].levels);
        free(self->tracks[i].owned);
    }
    trace_flows_destroy(self->flows);
    free(self->kinds);
    free(self->tracks);
    free(self->first_kind);
    free(self->first_track);
    free(self->lanes);
    free(self->arrows);
    free(self->used_units);
    free(self->used_events);
    free(self);
}

static char *describe_limit(const hd_recorder *self)
{
    char time[HD_QUANTITY_BYTES], bytes[HD_QUANTITY_BYTES], *text = NULL;
    if (asprintf(&text, "note: the trace ends at %s of simulated time, where it has reached %s\n",
                 hd_print_time(time, self->ended), hd_print_bytes(bytes, (double)self->options.limit)) < 0)
        abort();
    return text;
}

uint32_t hd_recorder_finish(hd_recorder *self, hd_time t, char **note, char **error)
{
    *error = NULL;
    if (!self->has_ended && t >= self->now)
        recorder_come_to(self, t);
    recorder_put_item(self);
    const hd_time end = self->has_ended ? self->ended : self->now;
    if (self->is_open)
        recorder_close_region(self, end);
    for (uint32_t i = 0; i < WRITERS; i++) {
        if (self->writer[i] && !self->writers[i]->finish(self->writer[i], end))
            *error = failure(self->paths[i], *error);
        self->writer[i] = NULL;
    }
    self->has_ended = 1;
    self->ended = end;
    *note = self->is_full                                       ? describe_limit(self)
            : self->options.kernel_count && !self->kernels_seen ? strdup("note: the trace is empty: no kernel of the "
                                                                         "names or numbers given has run\n")
                                                                : NULL;
    return !*error;
}
