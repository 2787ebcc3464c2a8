/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"
#include "hd_unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t service_message(void *context, const char *name)
{
    return hd_engine_message(((node *)context)->engine, name);
}

static __attribute__((noinline)) hd_packet *refuse_alloc(node *self, uint32_t body_bytes)
{
    services_fault(self, self->now, "%s asks for a packet with a body of %u bytes, more than %u", self->name,
                   body_bytes, HD_PACKET_STREAM_MAX);
    return pool_alloc(&self->outbox->pool, HD_PACKET_BODY_MAX);
}

static hd_packet *service_alloc(void *context, uint32_t body_bytes)
{
    node *self = context;
    if (__builtin_expect(body_bytes > HD_PACKET_STREAM_MAX, 0))
        return refuse_alloc(self, body_bytes);
    return pool_alloc(&self->outbox->pool, body_bytes);
}

static __attribute__((noinline)) void refuse_free(node *self)
{
    services_fault(self, self->now, "%s frees a packet twice", self->name);
}

static void service_free(void *context, hd_packet *packet)
{
    node *self = context;
    if (packet && __builtin_expect(!pool_free(&self->outbox->pool, packet), 0))
        refuse_free(self);
}

static uint32_t service_route(void *context, uint32_t port, uint32_t endpoint)
{
    const node *self = context;
    const hd_engine *engine = self->engine;
    if (port >= self->block_class->port_count || endpoint >= engine->endpoint_count || !self->ports[port].route)
        return UINT32_MAX;
    return self->ports[port].route[endpoint];
}

static uint64_t service_random(void *context)
{
    return random_next(((node *)context)->random);
}

static void service_log(void *context, uint32_t severity, hd_time t, const char *format, ...)
{
    node *self = context;
    hd_engine *engine = self->engine;
    if (!engine->observer.log)
        return;
    char text[HD_FAULT_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const log_line line = {
        .t = t, .block = self->index, .sequence = self->sequence++, .severity = severity, .text = strdup(text)};
    pthread_mutex_lock(&engine->mutex);
    engine->logs = grow(engine->logs, engine->log_count, sizeof *engine->logs);
    engine->logs[engine->log_count++] = line;
    pthread_mutex_unlock(&engine->mutex);
}

static int compare_logs(const void *a, const void *b)
{
    const log_line *left = a, *right = b;
    if (left->t != right->t)
        return left->t < right->t ? -1 : 1;
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

void services_flush_logs(hd_engine *engine)
{
    if (engine->log_count == 0)
        return;
    qsort(engine->logs, engine->log_count, sizeof *engine->logs, compare_logs);
    for (uint32_t i = 0; i < engine->log_count; i++) {
        const log_line *line = &engine->logs[i];
        engine->observer.log(engine->observer.context, line->block, line->severity, line->t, line->text);
        free(line->text);
    }
    engine->log_count = 0;
}

static uint32_t is_first_fault(const hd_engine *engine, uint32_t block, hd_time t)
{
    if (!engine->has_fault)
        return 1;
    return t != engine->fault_time ? t < engine->fault_time : block < engine->fault_block;
}

static void keep_fault(hd_engine *engine, uint32_t block, hd_time t, const char *format, va_list arguments)
{
    pthread_mutex_lock(&engine->mutex);
    if (is_first_fault(engine, block, t)) {
        engine->has_fault = 1;
        engine->fault_time = t;
        engine->fault_block = block;
        vsnprintf(engine->fault_text, sizeof engine->fault_text, format, arguments);
    }
    pthread_mutex_unlock(&engine->mutex);
}

void services_fault(node *node, hd_time t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_fault(node->engine, node->index, t, format, arguments);
    va_end(arguments);
}

static void service_fault(void *context, hd_time t, const char *format, ...)
{
    node *self = context;
    va_list arguments;
    va_start(arguments, format);
    keep_fault(self->engine, self->index, t, format, arguments);
    va_end(arguments);
}

void hd_engine_report_fault(hd_engine *engine, uint32_t block, hd_time t, const char *text)
{
    if (!is_first_fault(engine, block, t))
        return;
    engine->has_fault = 1;
    engine->fault_time = t;
    engine->fault_block = block;
    snprintf(engine->fault_text, sizeof engine->fault_text, "%s", text);
}

static void service_progress(void *context, hd_time t)
{
    node *self = context;
    if (t > self->progress)
        self->progress = t;
}

static const void *service_extension(void *context, const char *id)
{
    const node *self = context;
    if (strcmp(id, HD_EXTENSION_RENDEZVOUS) == 0)
        return &self->rendezvous;
    if (strcmp(id, HD_EXTENSION_DIRECT) == 0)
        return self->engine->has_direct ? &self->direct : NULL;
    if (strcmp(id, HD_EXTENSION_TRACE) == 0)
        return trace_service(self);
    for (uint32_t i = 0; i < self->engine->provided_count; i++)
        if (strcmp(self->engine->provided[i].id, id) == 0)
            return self->engine->provided[i].extension;
    if (strcmp(id, HD_EXTENSION_CLASS) == 0)
        return self->block_class;
    if (strcmp(id, HD_EXTENSION_RECEIVERS) == 0)
        return &self->receivers;
    return strcmp(id, HD_EXTENSION_UNITS) == 0 ? &self->units : NULL;
}

void services_init(node *node)
{
    hd_services *services = &node->services;
    services->abi_version = HD_ABI_VERSION;
    services->struct_bytes = sizeof *services;
    services->context = node;
    services->name = node->name;
    services->endpoint = node->index;
    services->message = service_message;
    services->alloc = service_alloc;
    services->free = service_free;
    services->route = service_route;
    services->random = service_random;
    services->log = service_log;
    services->fault = service_fault;
    services->progress = service_progress;
    services->extension = service_extension;
    link_choose_services(node);
    rendezvous_init(node);
    units_init(node);
    direct_init(node);
}
