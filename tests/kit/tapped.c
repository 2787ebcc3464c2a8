/* SPDX-License-Identifier: MIT */
/* An ordering point for a block that listens: it accepts what the test says. */
#include <stdlib.h>
#include <string.h>

#include "hd_tap.h"
#include "kit_internal.h"

typedef struct ordering_point {
    const hd_tap *tap;
    hd_block *listener;
    uint32_t element; /* of the listener's port */
    uint64_t none;
} ordering_point;

static const hd_port port = {.name = "tap",
                             .direction = HD_PORT_TAPPED,
                             .minimum_count = 1,
                             .maximum_count = 1,
                             .doc = "what the test says is accepted"};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)values, (void)error, (void)error_bytes;
    return calloc(1, sizeof(ordering_point));
}

static void reset(hd_block *block)
{
    (void)block;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return &((ordering_point *)block)->none;
}

static void destroy(hd_block *block)
{
    free(block);
}

static void attach(hd_block *block, uint32_t element, const hd_tap *tap, hd_block *listener, uint32_t listener_element)
{
    ordering_point *self = (ordering_point *)block;
    (void)element;
    self->tap = tap;
    self->listener = listener;
    self->element = listener_element;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_tapped tapped = {attach};
    (void)block;
    return strcmp(id, HD_EXTENSION_TAPPED) ? NULL : &tapped;
}

static const hd_block_class ordering_point_class = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "test_ordering_point",
    .type = "told",
    .doc = "accepts what the test says",
    .port_count = 1,
    .ports = &port,
    .create = create,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};

void kit_join_tap(kit_block *kit, uint32_t tap_port, uint32_t element)
{
    const uint32_t point =
        hd_engine_add_block(kit->engine, &ordering_point_class, "ordering point", 0, 1, kit->clock, NULL);
    hd_engine_add_link(
        kit->engine,
        &(hd_binding){.from_block = point, .to_block = kit->block, .to_port = tap_port, .to_element = element});
    kit->points = kit_grow(kit->points, kit->point_count, sizeof *kit->points);
    kit->points[kit->point_count++] = (kit_point_entry){tap_port, element, point};
}

static const ordering_point *point_of(kit_block *kit, uint32_t tap_port, uint32_t element)
{
    kit_start(kit);
    for (uint32_t i = 0; i < kit->point_count; i++)
        if (kit->points[i].port == tap_port && kit->points[i].element == element)
            return (const ordering_point *)hd_engine_block(kit->engine, kit->points[i].block);
    kit_die("%s listens to nothing at port %u, element %u", kit->block_class->kind, tap_port, element);
}

uint32_t kit_tap_sample(kit_block *kit, uint32_t tap_port, uint32_t element, const hd_tap_access *access,
                        uint64_t *note)
{
    const ordering_point *point = point_of(kit, tap_port, element);
    const uint32_t answer = point->tap->on_sample(point->listener, point->element, access, note);
    kit_wake(kit);
    return answer;
}

uint32_t kit_tap_write(kit_block *kit, uint32_t tap_port, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    const ordering_point *point = point_of(kit, tap_port, element);
    const uint32_t answer = point->tap->on_write(point->listener, point->element, access, note);
    kit_wake(kit);
    return answer;
}
