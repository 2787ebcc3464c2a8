/* SPDX-License-Identifier: MIT */
#ifndef HEDDLE_KIT_INTERNAL_H
#define HEDDLE_KIT_INTERNAL_H

#include "engine_link.h"
#include "hd_direct.h"
#include "kit.h"

#define KIT_ENDPOINTS 64u /* endpoint numbers that exist beside the block's own */
#define KIT_PARTITIONS_MAX 64u

typedef struct kit_queued {
    hd_packet *packet;
    hd_time t;
} kit_queued;

typedef struct kit_queue {
    kit_queued *items;
    uint32_t head;
    uint32_t tail;
} kit_queue;

typedef struct kit_element {
    hd_link_timing timing;
    uint32_t bound;
    uint32_t hold;
    uint32_t held;
    uint32_t is_last_set;
    hd_time last; /* of kit_send */
    hd_link *out; /* from the block */
    hd_link *in;  /* to the block */
    kit_queue arrived;
    kit_queue unsent;
} kit_element;

typedef struct kit_port {
    kit_element *elements;
    uint32_t count;
} kit_port;

typedef struct kit_route_entry {
    uint32_t port, endpoint, element;
} kit_route_entry;

typedef struct kit_tap_entry {
    uint32_t port, element;
    const struct hd_tap *tap;
    void *context;
} kit_tap_entry;

/* An ordering point of the kit's, to which the block listens. */
typedef struct kit_point_entry {
    uint32_t port, element, block;
} kit_point_entry;

typedef struct kit_memory kit_memory;

struct kit_block {
    const hd_block_class *block_class; /* with its units */
    hd_engine *engine;
    uint32_t block; /* its endpoint number */
    hd_value *values;
    char **texts; /* owned parameter texts */
    uint32_t text_count;
    char parameter_error[256];

    hd_clock clock;
    hd_clock other_clock;
    char *name;
    uint32_t index;
    uint32_t count;
    uint64_t seed;
    uint32_t endpoint;
    kit_port *ports;
    kit_route_entry *routes;
    uint32_t route_count;
    kit_tap_entry *taps;
    uint32_t tap_count;
    kit_point_entry *points;
    uint32_t point_count;
    hd_address_map address_map;
    uint32_t map_endpoints[KIT_PARTITIONS_MAX];
    uint32_t started;
    uint64_t disturbance;
    uint64_t renewal; /* state of the generator; 0 = off */
    uint32_t renewals;
    uint32_t only_stops;
    hd_time next_renewal;

    kit_responder *responder;
    void *responder_context;
    kit_write_back *write_back;
    void *write_back_context;
    hd_time received_at;
    hd_time last_event; /* when something last reached the test */

    kit_event *events;
    uint32_t event_count;
    kit_rendezvous *kept;
    uint32_t kept_count;
    char *log;
    size_t log_bytes;
    char *described;
    uint32_t expect_fault;
    uint32_t is_traced;
    hd_tracer tracer;
    kit_traced *recorded;
    uint32_t recorded_count;
    uint64_t recorded_hash;
    kit_memory *memory; /* NULL: none that is touched directly */
    hd_block_class direct;
};

extern const hd_block_class kit_placeholder;

/* The class with its units and that of kit_fit_unit; to be given to units_release. */
const hd_block_class *kit_compose(const hd_block_class *block_class);

_Noreturn void kit_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* NULL, or what is wrong with the text as a value of this parameter. */
const char *kit_parse_value(const hd_parameter *parameter, const char *text, hd_value *value);
/* Fills kit->values; what is wrong goes to kit->parameter_error. */
void kit_parse_parameters(kit_block *kit, const char *const *parameters);

/* As kit_start; 0 and a text if the block refuses. */
uint32_t kit_try_start(kit_block *kit, char *error, size_t error_bytes);
kit_element *kit_element_at(kit_block *kit, uint32_t port, uint32_t element);
void kit_empty_queues(kit_block *kit);
void kit_observe(kit_block *kit);
void kit_clear_results(kit_block *kit);
void kit_check_fault(kit_block *kit);
void kit_clear_memory(kit_block *kit);
void kit_clear_recorded(kit_block *kit);
uint64_t kit_hash_memory(const kit_block *kit);

extern const uint64_t kit_hash_start;
uint64_t kit_hash(uint64_t hash, const void *data, size_t bytes);

/* Gives the block something to listen to. */
void kit_join_tap(kit_block *kit, uint32_t port, uint32_t element);

/* Room for one element more than count. */
void *kit_grow(void *array, uint32_t count, size_t element_bytes);

#endif
