/* SPDX-License-Identifier: MIT */
/*
 * A trace as value change dump (IEEE 1364-2001 §18), with a resolution of 1 ps. A counter is a number of 64 bits; a span is one
 * too: its first value, or 1, and z while there is none; an instant is an event. The declarations have to stand first and
 * are known last: the changes go to a file of their own until then.
 */
#define _GNU_SOURCE /* asprintf */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_internal.h"

#define CODE_BYTES 8u
#define FIRST_CODE '!' /* codes are texts of the characters from here to '~' */
#define CODES ('~' - FIRST_CODE + 1)

typedef struct signal {
    uint32_t kind;
    uint32_t code;
} signal;

typedef struct vcd {
    char *path;
    output_file *changes;
    const trace_view *view;
    signal **signals; /* by track */
    uint32_t *signal_counts;
    uint32_t track_count;
    uint32_t last_code;
    hd_time now;
    uint32_t is_begun;
} vcd;

static void print(output_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(output_file *file, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int bytes = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    output_file_put(file, text, (size_t)bytes < sizeof text ? (size_t)bytes : sizeof text - 1);
}

static const char *code_text(uint32_t code, char text[CODE_BYTES])
{
    uint32_t length = 0;
    do {
        text[length++] = (char)(FIRST_CODE + code % CODES);
        code /= CODES;
    } while (code--);
    text[length] = '\0';
    return text;
}

static signal *signal_of(vcd *self, uint32_t track, uint32_t kind)
{
    if (track >= self->track_count) {
        self->signals = realloc(self->signals, (track + 1) * sizeof *self->signals);
        self->signal_counts = realloc(self->signal_counts, (track + 1) * sizeof *self->signal_counts);
        if (!self->signals || !self->signal_counts)
            abort();
        for (; self->track_count <= track; self->track_count++) {
            self->signals[self->track_count] = NULL;
            self->signal_counts[self->track_count] = 0;
        }
    }
    const uint32_t count = self->signal_counts[track];
    for (uint32_t i = 0; i < count; i++)
        if (self->signals[track][i].kind == kind)
            return &self->signals[track][i];
    self->signals[track] = realloc(self->signals[track], (count + 1) * sizeof **self->signals);
    if (!self->signals[track])
        abort();
    self->signals[track][count] = (signal){.kind = kind, .code = self->last_code++};
    self->signal_counts[track]++;
    return &self->signals[track][count];
}

/* ---- Changes ------------------------------------------------------------------------------------------------------- */

static void put_number(vcd *self, const signal *signal, uint64_t value)
{
    char digits[65], code[CODE_BYTES];
    uint32_t first = 64;
    digits[64] = '\0';
    do {
        digits[--first] = (char)('0' + (value & 1));
        value >>= 1;
    } while (value);
    print(self->changes, "b%s %s\n", digits + first, code_text(signal->code, code));
}

/* The innermost span of this kind that has not ended, or none. */
static void put_span(vcd *self, const signal *signal, uint32_t track)
{
    char code[CODE_BYTES];
    const trace_track *of = &self->view->tracks[track];
    for (uint32_t depth = of->depth; depth-- > 0;)
        if (of->spans[depth].kind == signal->kind) {
            put_number(self, signal, self->view->kinds[signal->kind].value_count ? of->spans[depth].values[0] : 1);
            return;
        }
    print(self->changes, "bz %s\n", code_text(signal->code, code));
}

static void vcd_put(void *writer, const trace_item *item)
{
    vcd *self = writer;
    char code[CODE_BYTES];
    const signal *changed = signal_of(self, item->track, item->kind);
    if (!self->is_begun || item->t != self->now)
        print(self->changes, "#%" PRIu64 "\n", item->t);
    self->is_begun = 1;
    self->now = item->t;
    if (item->form == HD_TRACED_COUNTER)
        put_number(self, changed, item->values[0]);
    else if (item->form == HD_TRACED_INSTANT)
        print(self->changes, "1%s\n", code_text(changed->code, code));
    else
        put_span(self, changed, item->track);
}

/* ---- Declarations -------------------------------------------------------------------------------------------------- */

static void declare_signals(const vcd *self, output_file *to, uint32_t track)
{
    char code[CODE_BYTES];
    for (uint32_t i = 0; i < self->signal_counts[track]; i++) {
        const signal *signal = &self->signals[track][i];
        const trace_kind *kind = &self->view->kinds[signal->kind];
        print(to, "$var %s %s %s $end\n", kind->form == HD_TRACE_INSTANT ? "event 1" : "wire 64",
              code_text(signal->code, code), kind->name);
    }
}

/* Tracks below `parent` that hold signals, or others that do: parents stand before what is below them. */
static void declare_below(const vcd *self, output_file *to, const uint8_t *is_used, uint32_t parent)
{
    for (uint32_t i = 0; i < self->track_count; i++) {
        if (!is_used[i] || self->view->tracks[i].parent != parent)
            continue;
        print(to, "$scope module %s $end\n", self->view->tracks[i].name);
        declare_signals(self, to, i);
        declare_below(self, to, is_used, i);
        print(to, "$upscope $end\n");
    }
}

static void declare_all(const vcd *self, output_file *to)
{
    uint8_t *is_used = calloc(self->track_count + 1, 1);
    if (!is_used)
        abort();
    for (uint32_t i = 0; i < self->track_count; i++)
        for (uint32_t track = i; self->signal_counts[i] && track != NO_TRACK; track = self->view->tracks[track].parent)
            is_used[track] = 1;
    print(to, "$comment heddle, %s $end\n$timescale 1 ps $end\n", self->view->machine);
    declare_below(self, to, is_used, NO_TRACK);
    print(to, "$enddefinitions $end\n");
    free(is_used);
}

/* Before the first change no span is open and every counter is 0. */
static void put_first_values(const vcd *self, output_file *to)
{
    char code[CODE_BYTES];
    print(to, "$dumpvars\n");
    for (uint32_t track = 0; track < self->track_count; track++)
        for (uint32_t i = 0; i < self->signal_counts[track]; i++) {
            const signal *signal = &self->signals[track][i];
            const uint32_t form = self->view->kinds[signal->kind].form;
            if (form != HD_TRACE_INSTANT)
                print(to, "b%c %s\n", form == HD_TRACE_COUNTER ? '0' : 'z', code_text(signal->code, code));
        }
    print(to, "$end\n");
}

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

static void *vcd_open(const char *path, const trace_view *view)
{
    vcd *self = calloc(1, sizeof *self);
    if (!self)
        abort();
    self->view = view;
    self->path = strdup(path);
    self->changes = output_file_open_unnamed(output_file_is_special(path) ? P_tmpdir "/" : path);
    return self;
}

static uint64_t vcd_bytes(const void *writer)
{
    return output_file_bytes(((const vcd *)writer)->changes);
}

static int vcd_error(const void *writer)
{
    return output_file_error(((const vcd *)writer)->changes);
}

static void vcd_abandon(void *writer)
{
    vcd *self = writer;
    for (uint32_t i = 0; i < self->track_count; i++)
        free(self->signals[i]);
    output_file_abandon(self->changes);
    free(self->signals);
    free(self->signal_counts);
    free(self->path);
    free(self);
}

static uint32_t vcd_finish(void *writer, hd_time t)
{
    vcd *self = writer;
    output_file *whole = output_file_open(self->path);
    if (!self->is_begun || t != self->now)
        print(self->changes, "#%" PRIu64 "\n", t);
    declare_all(self, whole);
    put_first_values(self, whole);
    output_file_copy(self->changes, whole);
    vcd_abandon(self);
    return output_file_finish(whole);
}

const trace_writer vcd_writer = {.open = vcd_open,
                                 .put = vcd_put,
                                 .bytes = vcd_bytes,
                                 .error = vcd_error,
                                 .finish = vcd_finish,
                                 .abandon = vcd_abandon};
