/* SPDX-License-Identifier: MIT */
/* Between the files of the recorder: all that it knows. */
#ifndef HD_RECORDER_STATE_H
#define HD_RECORDER_STATE_H

#include "recorder_internal.h"

#define WRITERS 2u

struct hd_recorder {
    hd_recorder_options options;
    hd_tracer tracer;
    hd_engine *engine;
    trace_view view;
    trace_kind *kinds;
    uint32_t kind_count, kind_capacity;
    trace_track *tracks;
    uint32_t track_count, track_capacity;
    uint32_t *first_kind; /* by block */
    uint32_t *first_track;
    trace_flows *flows;
    trace_item item; /* to be written, when it is known what arrows it has */
    trace_arrow *arrows;
    uint32_t arrow_capacity;
    uint32_t has_item; /* 0: it is outside of the region, or there is none */
    hd_time now;       /* everything before has been told */
    uint32_t kernels;  /* that are looked at and run */
    uint32_t is_open;  /* inside of the region */
    uint32_t has_ended;
    hd_time ended;
    uint32_t is_full; /* it has ended because of the limit */
    uint32_t kernels_track;
    uint32_t expects_power;
    uint32_t power_track; /* NO_TRACK: there is none yet */
    uint32_t lane_count;
    uint32_t *lanes; /* of overlapping kernels: launch + 1, or 0 */
    const trace_writer *writers[WRITERS];
    void *writer[WRITERS];
    const char *paths[WRITERS];
    uint8_t *used_units; /* by pattern: it names something */
    uint8_t *used_events;
    uint32_t kernels_seen; /* that are looked at */
};

/* recorder_tracks.c */
uint32_t recorder_add_kind(hd_recorder *self, const hd_trace_event *event, const char *category);
/* owned: the name, if it is to be freed with the track. */
uint32_t recorder_add_track(hd_recorder *self, const char *name, uint32_t parent, char *owned);
/* The blocks are there, with all of their tracks. */
void recorder_learn_machine(hd_recorder *self);

/* recorder_region.c */
/* Writes the item that waits, if there is one. */
void recorder_put_item(hd_recorder *self);
/* Something happens at t, and nothing earlier any more. */
void recorder_come_to(hd_recorder *self, hd_time t);
/* Opens or closes the region as is due at t. */
void recorder_update_region(hd_recorder *self, hd_time t);
/* What is under way ends, innermost first. */
void recorder_close_region(hd_recorder *self, hd_time t);
/* Ends the trace where the limit is reached or a file cannot be written. */
void recorder_end_if_full(hd_recorder *self);

#endif
