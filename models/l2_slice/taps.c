/* SPDX-License-Identifier: MIT */
/* Who listens to what is accepted (hd_tap.h). */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

void slice_attach(hd_block *block, uint32_t element, const hd_tap *tap, hd_block *listener, uint32_t listener_element)
{
    struct slice *slice = (struct slice *)block;
    slice->listeners[element] = (struct listener){tap, listener, listener_element};
    slice->listener_count = element + 1;
    if (slice->tapped)
        return;
    slice->tapped = calloc((size_t)slice->mshrs.count * slice->mshrs.targets, sizeof *slice->tapped);
    if (!slice->tapped)
        abort();
}

static uint32_t samples(const struct slice *slice, const hd_packet *request)
{
    return request->message != slice->message.store;
}

static uint32_t writes(const struct slice *slice, const hd_packet *request)
{
    return request->message != slice->message.load;
}

static uint32_t verdict(const struct slice *slice, const struct listener *listener, const hd_tap_access *access,
                        uint64_t *note)
{
    const hd_tap *tap = listener->tap;
    *note = 0;
    if (samples(slice, access->request) && tap->on_sample &&
        tap->on_sample(listener->block, listener->element, access, note) != HD_TAP_PASS)
        return HD_TAP_TAKE;
    if (writes(slice, access->request) && tap->on_write)
        return tap->on_write(listener->block, listener->element, access, note);
    return HD_TAP_PASS;
}

uint32_t slice_ask_taps(struct slice *slice, hd_packet *request, uint32_t port, struct tapped_access *tapped, hd_time t)
{
    const hd_services *services = slice->services;
    const hd_tap_access access = {.request = request, .t = t, .number = slice->accepted, .port = port};
    tapped->number = slice->accepted;
    for (uint32_t i = 0; i < slice->listener_count; i++) {
        if (verdict(slice, &slice->listeners[i], &access, &tapped->notes[i]) == HD_TAP_PASS)
            continue;
        if (i == 0)
            return 0;
        services->fault(services->context, t, "%s: tap %u takes a request, which only tap 0 may", services->name, i);
    }
    slice->accepted++;
    return 1;
}

void slice_notify_release(const struct slice *slice, const struct line *line, hd_packet *reply,
                          const struct tapped_access *tapped, uint32_t written, hd_time t)
{
    hd_tap_release release = {.reply = reply, .line = line->data, .t = t, .number = tapped->number, .written = written};
    for (uint32_t i = 0; i < slice->listener_count; i++) {
        const struct listener *listener = &slice->listeners[i];
        release.note = tapped->notes[i];
        if (listener->tap->release)
            listener->tap->release(listener->block, listener->element, &release);
    }
}
