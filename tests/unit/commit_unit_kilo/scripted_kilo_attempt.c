/* SPDX-License-Identifier: MIT */
/* Attempts until their lanes have reached the end. */
#include <stdlib.h>
#include <string.h>

#include "scripted_kilo_state.h"

static void draw_program(const core *self, lane *lane)
{
    const uint32_t reads_only = draw(self, 100) < parameter(self, SCRIPT_READERS);
    lane->length = 1 + draw(self, parameter(self, SCRIPT_OPERATIONS));
    for (uint32_t i = 0; i < lane->length; i++)
        lane->program[i] = (operation){!reads_only && draw(self, 2), draw(self, parameter(self, SCRIPT_WORDS))};
}

void script_begin_transaction(core *self, warp *warp)
{
    warp->todo = 0;
    for (uint32_t i = 0; i < parameter(self, SCRIPT_LANES); i++) {
        draw_program(self, &warp->lanes[i]);
        warp->todo |= 1u << i;
    }
    warp->phase = PHASE_BACK_OFF;
}

/* Changes nothing, and is a write to whoever listens to the slice. */
static void send_plain(core *self, warp *warp, uint64_t n)
{
    const uint64_t address = word_address(self, draw(self, parameter(self, SCRIPT_WORDS)));
    hd_packet *packet = script_packet(self, warp, self->message.atomic, (uint32_t)sizeof(hd_atomic_operation));
    *(hd_atomic_operation *)hd_body(packet) =
        (hd_atomic_operation){.operation = HD_ATOMIC_OR, .word = (uint8_t)(address % HD_LINE_BYTES / 4)};
    packet->traffic_class = HD_CLASS_ATOMIC;
    packet->epoch = 0;
    packet->address = address / HD_LINE_BYTES * HD_LINE_BYTES;
    packet->argument = 1;
    packet->wire_bytes += 4;
    script_send(self, packet, hd_partition_of(self->map, address), HD_DESTINATION_L2_SLICE, n);
}

static void begin_attempt(core *self, warp *warp, uint64_t n)
{
    warp->epoch = warp->epoch % 255 + 1;
    warp->attempts++;
    warp->begun = hd_cursor_time_of(&self->cursor, n);
    warp->phase = PHASE_RUN;
    warp->live = warp->todo;
    warp->step = 0;
    for (uint32_t i = 0; i < KILO_LANES; i++) {
        lane *lane = &warp->lanes[i];
        lane->read_count = lane->write_count = 0;
        lane->first = HD_NEVER;
        lane->conflicts = lane->fails = 0;
        lane->touched = lane->written = lane->awaited = 0;
    }
    if (draw(self, 100) < parameter(self, SCRIPT_PLAIN))
        send_plain(self, warp, n);
}

static const log_entry *find_write(const lane *lane, uint32_t word)
{
    for (uint32_t i = lane->write_count; i-- > 0;)
        if (lane->writes[i].word == word)
            return &lane->writes[i];
    return NULL;
}

static void send_load(core *self, warp *warp, uint32_t number, uint32_t word, uint64_t n)
{
    hd_packet *packet = script_packet(self, warp, self->message.load, 0);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->tag |= number;
    packet->address = word_address(self, word);
    packet->argument = 4;
    warp->outstanding++;
    script_send(self, packet, partition_of(self, word), HD_DESTINATION_L2_SLICE, n);
}

static void execute(core *self, warp *warp, uint32_t number, uint64_t n)
{
    lane *lane = &warp->lanes[number];
    if (warp->step >= lane->length)
        return;
    const operation *operation = &lane->program[warp->step];
    const uint32_t values = parameter(self, SCRIPT_VALUES);
    if (operation->is_store)
        lane->writes[lane->write_count++] =
            (log_entry){operation->word, values ? draw(self, values) : self->next_value++};
    else if (!find_write(lane, operation->word))
        send_load(self, warp, number, operation->word, n);
}

static uint32_t is_at_the_end(const warp *warp)
{
    for (uint32_t left = warp->live; left; left &= left - 1)
        if (warp->step < warp->lanes[__builtin_ctz(left)].length)
            return 0;
    return 1;
}

void script_step(core *self, warp *warp, uint64_t n)
{
    if (warp->phase == PHASE_BACK_OFF && warp->wake <= n)
        begin_attempt(self, warp, n);
    while (warp->phase == PHASE_RUN && !warp->outstanding) {
        if (is_at_the_end(warp)) {
            script_commit(self, warp, n);
            return;
        }
        for (uint32_t left = warp->live; left; left &= left - 1)
            execute(self, warp, (uint32_t)__builtin_ctz(left), n);
        warp->step++;
    }
}

void script_note_first(core *self, const hd_packet *load, hd_time t)
{
    if (load->message != self->message.load)
        return;
    lane *lane = &self->warps[load->tag >> 8].lanes[load->tag & 0xFF];
    lane->first = lane->first == HD_NEVER ? t : lane->first;
}

void script_take_load(core *self, const hd_packet *packet, uint64_t n)
{
    warp *warp = &self->warps[packet->tag >> 8];
    lane *lane = &warp->lanes[packet->tag & 0xFF];
    log_entry *entry = &lane->reads[lane->read_count++];
    entry->word = (uint32_t)((packet->address - word_address(self, 0)) / (parameter(self, SCRIPT_STRIDE) / 4 * 4));
    memcpy(&entry->value, hd_body_const(packet), sizeof entry->value);
    hd_kilo_written written = {.t = HD_NEVER};
    if (packet->body_bytes >= packet->argument + sizeof written)
        memcpy(&written, (const uint8_t *)hd_body_const(packet) + packet->argument, sizeof written);
    lane->conflicts |= written.t > lane->first || (parameter(self, SCRIPT_PENDING) && written.is_pending);
    warp->outstanding--;
    (void)n;
}

void script_keep_commit(core *self, const warp *warp, uint32_t number, uint64_t id)
{
    const lane *lane = &warp->lanes[number];
    if (self->commit_count == self->commit_capacity) {
        self->commit_capacity = self->commit_capacity ? 2 * self->commit_capacity : 64;
        self->commits = realloc(self->commits, self->commit_capacity * sizeof *self->commits);
    }
    kilo_commit *commit = &self->commits[self->commit_count++];
    *commit = (kilo_commit){.id = id,
                            .first = lane->first,
                            .warp = warp->number,
                            .lane = number,
                            .epoch = warp->epoch,
                            .attempt = warp->attempts,
                            .begun = warp->begun,
                            .decided = id ? lane->decided : self->cursor.t,
                            .read_count = lane->read_count,
                            .write_count = lane->write_count};
    for (uint32_t i = 0; i < lane->read_count; i++)
        commit->reads[i] = (kilo_word){word_address(self, lane->reads[i].word), lane->reads[i].value};
    for (uint32_t i = 0; i < lane->write_count; i++)
        commit->writes[i] = (kilo_word){word_address(self, lane->writes[i].word), lane->writes[i].value};
    self->counters[id ? COUNT_COMMITS : COUNT_SILENT]++;
}

void script_end_attempt(core *self, warp *warp, uint64_t n)
{
    warp->wake = n + 1 + draw(self, 4 * parameter(self, SCRIPT_DELAY));
    warp->phase = PHASE_BACK_OFF;
    if (warp->todo)
        return;
    if (++warp->transactions == parameter(self, SCRIPT_TRANSACTIONS))
        warp->phase = PHASE_DONE;
    else
        script_begin_transaction(self, warp);
}
