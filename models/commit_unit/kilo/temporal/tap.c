/* SPDX-License-Identifier: MIT */
/* Temporal conflict detection, in the events in which the slice accepts an access: when has a transaction written what this one
 * loads (Fung 2015 §6.4)? A core lets a reader commit at once if nothing that it has read was written after its first load. */
#include "state.h"

static uint32_t is_of_transaction(const hd_packet *request)
{
    return request->epoch && request->traffic_class == HD_CLASS_TRANSACTION;
}

/* The beginning of the cycle. */
static hd_time cycle_of(const kilo_unit *self, hd_time t)
{
    const hd_clock clock = self->services->clock;
    const uint64_t n = hd_clock_index_at_or_after(clock, t);
    const hd_time edge = hd_clock_edge(clock, n);
    return edge == t || !n ? edge : hd_clock_edge(clock, n - 1);
}

/*
 * A transaction's writes become visible word by word. Between the first and the last a reader could see some of them, all written
 * before it began. Whoever writes has been in the history of every partition since it passed there. (The
 * paper leaves that open.)
 */
static uint32_t may_be_about_to_change(const kilo_unit *self, const hd_packet *load)
{
    for (uint64_t address = load->address / 4 * 4; address < load->address + load->argument; address += 4)
        if (kilo_unit_writer_of(self, address) >= self->retire_pointer)
            return 1;
    return 0;
}

static uint32_t on_sample(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    kilo_unit *self = (kilo_unit *)tap;
    const hd_packet *load = access->request;
    (void)element;
    if (!self->has_times || load->message != self->message.load || !load->epoch ||
        load->traffic_class != HD_CLASS_GLOBAL)
        return HD_TAP_PASS;
    const hd_time t = write_times_of(&self->times, (write_range){load->address, load->address + load->argument});
    const uint32_t is_pending = self->is_strict && may_be_about_to_change(self, load);
    self->counters.tcd_loads++;
    self->counters.tcd_pending += is_pending;
    *note = (t ? t + self->skew : 0) << 2 | (uint64_t)is_pending << 1 | 1;
    return HD_TAP_PASS;
}

static void note_words(kilo_unit *self, uint64_t first, uint64_t end, hd_time t)
{
    write_times_note(&self->times, (write_range){first, end}, cycle_of(self, t));
}

static void note_store(kilo_unit *self, const hd_packet *packet, hd_time t)
{
    const hd_store *store = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++)
        if (store->byte_mask[i / 32] >> i % 32 & 1)
            note_words(self, packet->address + i, packet->address + i + 1, t);
}

static void note_atomic(kilo_unit *self, const hd_packet *packet, hd_time t)
{
    const hd_atomic_operation *operations = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++)
        note_words(self, packet->address + 4 * operations[i].word, packet->address + 4 * operations[i].word + 4, t);
}

static uint32_t on_write(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    kilo_unit *self = (kilo_unit *)tap;
    const hd_packet *request = access->request;
    (void)element, (void)note;
    if (!self->has_times || (!self->notes_all && !is_of_transaction(request)))
        return HD_TAP_PASS;
    self->counters.tcd_writes++;
    if (request->message == self->message.atomic)
        note_atomic(self, request, access->t);
    else
        note_store(self, request, access->t);
    return HD_TAP_PASS;
}

static void release(hd_block *tap, uint32_t element, const hd_tap_release *release)
{
    const kilo_unit *self = (const kilo_unit *)tap;
    (void)element;
    if (!self->has_times || !(release->note & 1))
        return;
    const hd_kilo_written written = {.t = release->note >> 2, .is_pending = release->note >> 1 & 1};
    hd_tap_append(release->reply, &written, sizeof written, HD_KILO_WRITTEN_WIRE_BYTES);
}

const hd_tap kilo_unit_tap = {on_sample, on_write, release};
