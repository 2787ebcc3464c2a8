/* SPDX-License-Identifier: MIT */
/* What the slice says when it accepts an access: verdict on a load, or data of a commit that becomes visible. */
#include <inttypes.h>
#include <string.h>

#include "state.h"

static uint32_t is_transactional(const hd_packet *request)
{
    return request->traffic_class == HD_CLASS_TRANSACTION && request->epoch;
}

static void note_back(validation *self, const hd_packet *request, uint64_t granule)
{
    const hd_getm_access *access = hd_body_const(request);
    stall_line *line = access->woken ? stall_find(&self->stall, granule) : NULL;
    if (line && line->returned)
        line->returned--;
}

static uint32_t on_sample(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    validation *self = (validation *)tap;
    hd_packet *request = access->request;
    (void)element;
    (void)note;
    if (!is_transactional(request) || request->message != self->message.global_load)
        return HD_TAP_PASS;
    const uint64_t granule = granule_of(self, request->address);
    metadata_entry *entry = metadata_find(&self->metadata, granule);
    if (!entry) {
        self->services->fault(self->services->context, access->t,
                              "%s: granule %#" PRIx64 " of a load is not in the tables", self->services->name, granule);
        return HD_TAP_PASS;
    }
    const verdict_request asked = validation_request_of(request, 0);
    const verdict verdict = verdict_of(&self->rules, entry, &asked);
    const uint32_t passes = verdict.what == VERDICT_APPROVED || self->verdict == VERDICT_ARRIVAL;
    self->loads_under_way--;
    note_back(self, request, granule);
    if (!passes) {
        self->counters.late_verdicts++;
        request->message = self->message.load;
        request->unit = HD_DESTINATION_VALIDATION_UNIT;
        validation_resolve(self, entry, request, &verdict, access->t);
    } else if (self->verdict == VERDICT_SAMPLE) {
        validation_approve(self, entry, &asked, &verdict, access->t);
    }
    entry->pins--;
    validation_touched(self, entry);
    return passes ? HD_TAP_PASS : HD_TAP_TAKE;
}

static uint32_t is_reserved(const validation *self, uint64_t granule)
{
    const metadata_entry *entry = metadata_find(&self->metadata, granule);
    return entry && entry->reserved;
}

/* Isolation is weak: nothing keeps other accesses from what a transaction has reserved. They are counted. */
static void count_plain_write(validation *self, const hd_packet *request)
{
    if (!self->reserved_granules)
        return;
    uint32_t meets = 0;
    if (request->message == self->message.global_store) {
        const uint64_t last = granule_of(self, request->address + request->argument - 1);
        for (uint64_t granule = granule_of(self, request->address); granule <= last; granule++)
            meets |= is_reserved(self, granule);
    } else {
        const hd_atomic_operation *operations = hd_body_const(request);
        for (uint32_t i = 0; i < request->argument; i++)
            meets |= is_reserved(self, granule_of(self, request->address + 4 * operations[i].word));
    }
    self->counters.plain_writes += meets;
}

static uint32_t on_write(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    validation *self = (validation *)tap;
    const hd_packet *request = access->request;
    hd_getm_release release;
    (void)element;
    (void)note;
    if (!is_transactional(request) || request->message != self->message.global_store ||
        request->body_bytes < sizeof(hd_store) + request->argument + sizeof release) {
        count_plain_write(self, request);
        return HD_TAP_PASS;
    }
    memcpy(&release, hd_store_data_const(hd_body_const(request)) + request->argument, sizeof release);
    validation_release(self, request->address, &release, request->flow, request->epoch, access->t);
    return HD_TAP_PASS;
}

const hd_tap validation_tap = {on_sample, on_write, NULL};
