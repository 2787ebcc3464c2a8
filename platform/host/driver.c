/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_internal.h"

void operations_add(operations *list, host_operation *added)
{
    added->next = NULL;
    if (list->last)
        list->last->next = added;
    else
        list->first = added;
    list->last = added;
}

host_operation *operations_take(operations *list)
{
    host_operation *taken = list->first;
    if (!taken)
        return NULL;
    list->first = taken->next;
    if (!list->first)
        list->last = NULL;
    return taken;
}

host_driver *host_driver_create(hd_block *host)
{
    native *block = (native *)host;
    host_driver *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->block = block;
    for (uint32_t i = 0; i < HOST_LANES; i++) {
        transfer_add(block, &self->lanes[i].access);
        transfer_add(block, &self->lanes[i].collect);
    }
    transfer_add(block, &self->error);
    block->driver = self;
    return self;
}

void host_mark_release(host_mark *mark)
{
    if (mark && --mark->holders == 0)
        free(mark);
}

void host_operation_free(host_operation *operation)
{
    host_mark_release(operation->mark);
    host_mark_release(operation->returned);
    free(operation);
}

static void drop(operations *list)
{
    host_operation *operation;
    while ((operation = operations_take(list)))
        host_operation_free(operation);
}

void driver_reset(host_driver *self)
{
    for (uint32_t i = 0; i < HOST_LANES; i++) {
        lane *at = &self->lanes[i];
        const uint32_t access = at->access.number, collect = at->collect.number;
        drop(&at->waiting);
        drop(&at->running);
        *at = (lane){.access = {.number = access}, .collect = {.number = collect}};
    }
    drop(&self->finished);
    shared_memory_release(&self->shared);
    self->shared = (shared_memory){0};
    self->posted = self->failed = self->error_step = 0;
    self->error = (transfer){.number = self->error.number};
    self->launch_count = 0;
}

void driver_destroy(host_driver *self)
{
    if (!self)
        return;
    driver_reset(self);
    free(self->launches);
    free(self);
}

void driver_fail(host_driver *self, const char *format, ...)
{
    va_list arguments;
    if (self->failed)
        return;
    self->failed = 1;
    va_start(arguments, format);
    vsnprintf(self->failure, sizeof self->failure, format, arguments);
    va_end(arguments);
}

const char *host_driver_failure(const host_driver *self)
{
    return self->failed ? self->failure : NULL;
}

void host_driver_open_lane(host_driver *self, uint32_t number, uint32_t ring, uint32_t completion, uint32_t arguments)
{
    lane *at = &self->lanes[number];
    at->ring = ring;
    at->completion = completion;
    at->arguments = arguments;
    at->written = at->collected = 0;
}

void host_driver_post(host_driver *self, uint32_t number, host_operation *operation)
{
    operation->lane = number;
    operation->step = 0;
    operations_add(&self->lanes[number].waiting, operation);
    self->posted = 1;
}

host_operation *host_driver_take(host_driver *self)
{
    return operations_take(&self->finished);
}

uint32_t host_driver_is_idle(const host_driver *self, uint32_t number)
{
    return !self->lanes[number].waiting.first && !self->lanes[number].running.first;
}

uint64_t host_driver_share(host_driver *self, void *memory, uint64_t bytes)
{
    uint32_t no_memory;
    return shared_memory_add(&self->shared, memory, bytes, &no_memory);
}

void host_driver_unshare(host_driver *self, uint64_t address)
{
    shared_memory_remove(&self->shared, address);
}

uint8_t *driver_shared(const host_driver *self, uint64_t address, uint64_t bytes)
{
    return shared_memory_find(&self->shared, address, bytes);
}

uint32_t host_driver_record(host_driver *self, const hd_host_launch *launch)
{
    if (self->launch_count == self->launch_capacity) {
        const uint32_t capacity = 2 * self->launch_capacity + 16;
        hd_host_launch *launches = realloc(self->launches, capacity * sizeof *launches);
        if (!launches)
            return UINT32_MAX;
        self->launches = launches;
        self->launch_capacity = capacity;
    }
    self->launches[self->launch_count] = *launch;
    return self->launch_count++;
}

const hd_host_launch *host_driver_launches(const host_driver *self, uint32_t *count)
{
    *count = self->launch_count;
    return self->launches;
}
