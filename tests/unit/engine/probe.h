/* SPDX-License-Identifier: MIT */
/* A block that does what the test tells it, for what no decent block does. */
#ifndef TEST_PROBE_H
#define TEST_PROBE_H

#include "engine_link.h"
#include "hd_extension.h"
#include "hd_tap.h"
#include "hd_trace.h"

#define PROBE_SCRIPT "test.script/1"
#define PROBE_CALLS_MAX 64u

typedef struct probe {
    const hd_services *services;
    const struct probe_script *script;
    hd_link *out[4];
    hd_link *in[4];
    hd_link *memory_out;
    hd_link *memory_in;
    const hd_trace *trace; /* NULL: not traced */
    uint32_t calls;
    hd_time now[PROBE_CALLS_MAX];
    hd_time horizon[PROBE_CALLS_MAX];
    uint64_t counters[1];
} probe;

/* Any function may be NULL. `self` tells the probes of one engine apart by services->name. */
typedef struct probe_script {
    void *context;
    hd_time (*advance)(probe *self, hd_time now, hd_time horizon);
    hd_time (*promise)(probe *self, hd_time now);
    void (*align)(probe *self, hd_time t, const hd_write_back_sink *sink);
    uint32_t (*has_work)(probe *self);
    hd_time (*computes_since)(probe *self, hd_time t, uint32_t anew);
    const hd_tap *tap; /* of its port PROBE_TAP */
} probe_script;

extern const hd_block_class probe_class;
extern const hd_block_class probe_forwarder_class;                   /* the same, declared to forward */
extern const hd_block_class probe_ahead_class;                       /* the same, declared to look ahead */
enum { PROBE_IN, PROBE_OUT, PROBE_MEMORY, PROBE_TAPPED, PROBE_TAP }; /* PROBE_TAPPED tells nobody anything */

enum { PROBE_WORK, PROBE_POINT, PROBE_LEVEL, PROBE_ARROW, PROBE_EVENTS }; /* a span, an instant, a counter, a flow */
#define PROBE_SLOTS 3u
#define PROBE_SLOT 1u /* tracks slot[0] ... */
/* No leaps: calls are those of windows. */
void probe_keep_to_windows(hd_engine *engine);

/* Adds a probe of 1 GHz; the script is provided to all probes of the engine. */
uint32_t probe_add(hd_engine *engine, const char *name);
probe *probe_of(hd_engine *engine, uint32_t block);
/* Elaborates and resets. */
void probe_start(hd_engine *engine, const probe_script *script);
void probe_link(hd_engine *engine, uint32_t from, uint32_t from_element, uint32_t to, uint32_t to_element,
                hd_time latency, hd_time credit_latency, uint32_t credits);
hd_packet *probe_packet(probe *self, uint64_t tag);

#endif
