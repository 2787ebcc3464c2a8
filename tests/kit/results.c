/* SPDX-License-Identifier: MIT */
#include "kit_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_fnv.h"

const uint64_t kit_hash_start = HD_FNV_START;

uint64_t kit_hash(uint64_t hash, const void *data, size_t bytes)
{
    return hd_fnv_add(hash, data, bytes);
}

static void on_sent(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t)
{
    kit_block *kit = context;
    (void)block;
    kit->events = kit_grow(kit->events, kit->event_count, sizeof *kit->events);
    kit->events[kit->event_count++] =
        (kit_event){.t = t,
                    .port = port,
                    .element = element,
                    .packet = *packet,
                    .body_hash = kit_hash(kit_hash_start, hd_body_const(packet), packet->body_bytes)};
}

static void on_log(void *context, uint32_t block, uint32_t severity, hd_time t, const char *text)
{
    kit_block *kit = context;
    (void)block;
    (void)severity;
    (void)t;
    const size_t length = strlen(text);
    kit->log = realloc(kit->log, kit->log_bytes + length + 2);
    memcpy(kit->log + kit->log_bytes, text, length);
    memcpy(kit->log + kit->log_bytes + length, "\n", 2);
    kit->log_bytes += length + 1;
}

static void on_rendezvous(void *context, hd_time t, uint32_t what, uint64_t argument)
{
    kit_block *kit = context;
    kit->kept = kit_grow(kit->kept, kit->kept_count, sizeof *kit->kept);
    kit->kept[kit->kept_count++] = (kit_rendezvous){.t = t, .what = what, .argument = argument};
}

static void on_write_back(void *context, uint32_t block, uint64_t address, const void *data, uint32_t bytes)
{
    kit_block *kit = context;
    (void)block;
    if (kit->write_back)
        kit->write_back(kit, kit->write_back_context, address, data, bytes);
}

void kit_observe(kit_block *kit)
{
    const hd_observer observer = {.context = kit,
                                  .log = on_log,
                                  .rendezvous = on_rendezvous,
                                  .sent = on_sent,
                                  .write_back = on_write_back,
                                  .tracer = kit->is_traced ? &kit->tracer : NULL};
    hd_engine_observe(kit->engine, &observer);
}

void kit_clear_results(kit_block *kit)
{
    kit->event_count = kit->kept_count = 0;
    kit_clear_recorded(kit);
    kit->log_bytes = 0;
    kit->log[0] = 0;
}

/* A fault that nobody expects would else show as a reply that never comes. */
void kit_check_fault(kit_block *kit)
{
    hd_time t;
    const char *text = hd_engine_fault(kit->engine, &t, NULL);
    if (text && !kit->expect_fault)
        kit_die("fault at %llu ps: %s", (unsigned long long)t, text);
}

static uint32_t statistic_index(const kit_block *kit, const char *name)
{
    for (uint32_t i = 0; i < kit->block_class->statistic_count; i++)
        if (strcmp(kit->block_class->statistics[i].name, name) == 0)
            return i;
    kit_die("%s/%s has no statistic '%s'", kit->block_class->kind, kit->block_class->type, name);
}

uint64_t kit_statistic(kit_block *kit, const char *name)
{
    kit_start(kit);
    return hd_engine_counters(kit->engine, kit->block)[statistic_index(kit, name)];
}

hd_block *kit_instance(kit_block *kit)
{
    kit_start(kit);
    return hd_engine_block(kit->engine, kit->block);
}

uint64_t kit_calls(kit_block *kit)
{
    kit_start(kit);
    return hd_engine_calls(kit->engine, kit->block);
}

uint32_t kit_debug_read(kit_block *kit, uint64_t address, void *data, uint32_t bytes)
{
    hd_block *block = kit_instance(kit);
    return kit->block_class->debug_access ? kit->block_class->debug_access(block, address, data, bytes, 0) : 0;
}

uint32_t kit_debug_write(kit_block *kit, uint64_t address, const void *data, uint32_t bytes)
{
    hd_block *block = kit_instance(kit);
    return kit->block_class->debug_access
               ? kit->block_class->debug_access(block, address, (void *)(uintptr_t)data, bytes, 1)
               : 0;
}

static int compare_events(const void *a, const void *b)
{
    const kit_event *left = a, *right = b;
    if (left->t != right->t)
        return left->t < right->t ? -1 : 1;
    if (left->port != right->port)
        return left->port < right->port ? -1 : 1;
    return left->element < right->element ? -1 : left->element > right->element;
}

/* Insertion keeps packets of one element and time in order, and traces are nearly sorted as they come. */
static void sort_events(kit_event *events, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const kit_event event = events[i];
        uint32_t j = i;
        for (; j > 0 && compare_events(&event, &events[j - 1]) < 0; j--)
            events[j] = events[j - 1];
        events[j] = event;
    }
}

const kit_event *kit_trace(kit_block *kit, uint32_t *count)
{
    kit_start(kit);
    sort_events(kit->events, kit->event_count);
    *count = kit->event_count;
    return kit->events;
}

static uint64_t hash_event(uint64_t hash, const kit_block *kit, const kit_event *event)
{
    hd_packet packet = event->packet;
    const char *message = hd_engine_message_name(kit->engine, packet.message);
    packet.message = 0;
    hash = kit_hash(hash, &event->t, sizeof event->t);
    hash = kit_hash(hash, &event->port, sizeof event->port);
    hash = kit_hash(hash, &event->element, sizeof event->element);
    hash = kit_hash(hash, message, strlen(message));
    hash = kit_hash(hash, &packet, sizeof packet);
    return kit_hash(hash, &event->body_hash, sizeof event->body_hash);
}

uint64_t kit_fingerprint(kit_block *kit)
{
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    uint64_t hash = kit_hash_start;
    for (uint32_t i = 0; i < count; i++)
        hash = hash_event(hash, kit, &events[i]);
    hash = kit_hash(hash, hd_engine_counters(kit->engine, kit->block),
                    kit->block_class->statistic_count * sizeof(uint64_t));
    const uint64_t random = hd_engine_random_state(kit->engine, kit->block);
    const hd_time progress = hd_engine_progress(kit->engine);
    const char *fault = hd_engine_fault(kit->engine, NULL, NULL);
    hash = kit_hash(hash, &random, sizeof random);
    hash = kit_hash(hash, &progress, sizeof progress);
    hash = kit_hash(hash, kit->log, kit->log_bytes);
    for (uint32_t i = 0; i < kit->kept_count; i++)
        hash = kit_hash(hash, &kit->kept[i].t, sizeof kit->kept[i].t);
    hash = kit_hash(hash, &kit->recorded_hash, sizeof kit->recorded_hash);
    const uint64_t memory = kit_hash_memory(kit);
    if (kit->memory)
        hash = kit_hash(hash, &memory, sizeof memory);
    return kit_hash(hash, fault ? fault : "", fault ? strlen(fault) : 0);
}

void kit_expect_fault(kit_block *kit)
{
    kit->expect_fault = 1;
}

const char *kit_fault_text(kit_block *kit)
{
    return hd_engine_fault(kit->engine, NULL, NULL);
}

hd_time kit_fault_time(kit_block *kit)
{
    hd_time t = HD_NEVER;
    hd_engine_fault(kit->engine, &t, NULL);
    return t;
}

const char *kit_log(kit_block *kit)
{
    return kit->log;
}

static void write_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write_line(void *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(context, format, arguments);
    va_end(arguments);
    fputc('\n', context);
}

const char *kit_described(kit_block *kit)
{
    size_t bytes;
    free(kit->described);
    const hd_pending *pending = kit->block_class->extension(kit_instance(kit), HD_EXTENSION_PENDING);
    FILE *out = open_memstream(&kit->described, &bytes);
    pending->describe(kit_instance(kit), &(hd_text_sink){.context = out, .line = write_line});
    fclose(out);
    return kit->described;
}

hd_time kit_progress(kit_block *kit)
{
    return hd_engine_progress(kit->engine);
}

const kit_rendezvous *kit_rendezvous_kept(kit_block *kit, uint32_t *count)
{
    *count = kit->kept_count;
    return kit->kept;
}

static void direct_write_back(void *context, uint64_t address, const void *data, uint32_t bytes)
{
    on_write_back(context, 0, address, data, bytes);
}

void kit_align(kit_block *kit)
{
    hd_block *block = kit_instance(kit);
    const hd_align *align = kit->block_class->extension ? kit->block_class->extension(block, HD_EXTENSION_ALIGN) : NULL;
    if (!align)
        kit_die("%s/%s cannot align", kit->block_class->kind, kit->block_class->type);
    const hd_write_back_sink sink = {.context = kit, .write_back = direct_write_back};
    align->align(block, hd_engine_now(kit->engine), &sink);
    hd_engine_wake(kit->engine, kit->block);
}

void kit_on_write_back(kit_block *kit, kit_write_back *function, void *context)
{
    kit->write_back = function;
    kit->write_back_context = context;
}
