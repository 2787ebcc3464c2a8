/* SPDX-License-Identifier: MIT */
#include "audit.h"

#include <stdio.h>
#include <string.h>

#include "scripted_core.h"
#include "validation_unit/state.h"

static void give_back(audit *self, uint64_t address, const hd_getm_release *release)
{
    for (uint32_t i = 0; i < sizeof release->count / sizeof *release->count; i++)
        if (release->count[i])
            self->given_back[(address + i * HD_GETM_GRANULE_MIN) / self->granule - self->first] += release->count[i];
}

void audit_note_store(audit *self, const hd_packet *request)
{
    const hd_store *store = hd_body_const(request);
    hd_getm_release release;
    if (!request->epoch || request->body_bytes < sizeof *store + request->argument + sizeof release)
        return;
    memcpy(&release, hd_store_data_const(store) + request->argument, sizeof release);
    give_back(self, request->address, &release);
}

static uint32_t index_of(const uint32_t *blocks, uint32_t count, uint32_t block)
{
    uint32_t i = 0;
    while (i < count && blocks[i] != block)
        i++;
    return i;
}

static void note_log(audit *self, const hd_packet *packet)
{
    const hd_getm_region *regions = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++)
        self->sent[regions[i].address / self->granule - self->first] += regions[i].count;
}

static void note_release(audit *self, uint32_t partition, const hd_packet *packet)
{
    audit_release *release = &self->releases[self->release_count++ % AUDIT_RELEASES];
    *release = (audit_release){.address = packet->address, .tag = packet->tag, .partition = partition};
    memcpy(&release->release, hd_body_const(packet), sizeof release->release);
}

static void note_released(audit *self, uint32_t partition, const hd_packet *packet)
{
    for (uint32_t i = 0; i < AUDIT_RELEASES; i++) {
        audit_release *release = &self->releases[i];
        if (release->address && release->partition == partition && release->tag == packet->tag) {
            give_back(self, release->address, &release->release);
            release->address = 0;
            return;
        }
    }
}

static void on_sent(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t)
{
    audit *self = context;
    (void)port, (void)element, (void)t;
    if (packet->message == self->log && block - self->cores < self->core_count)
        note_log(self, packet);
    else if (packet->message == self->release)
        note_release(self, index_of(self->commits, self->map->partitions, block), packet);
    else if (packet->message == self->released)
        note_released(self, index_of(self->validations, self->map->partitions, block), packet);
}

void audit_begin(audit *self)
{
    memset(self->sent, 0, sizeof self->sent);
    memset(self->given_back, 0, sizeof self->given_back);
    memset(self->releases, 0, sizeof self->releases);
    self->release_count = 0;
    self->log = hd_engine_message(self->engine, HD_GETM_LOG);
    self->release = hd_engine_message(self->engine, HD_GETM_RELEASE);
    self->released = hd_engine_message(self->engine, HD_GETM_RELEASED);
    self->observer = (hd_observer){.context = self, .sent = on_sent};
    hd_engine_observe(self->engine, &self->observer);
}

static int64_t reserved(const audit *self, uint64_t granule)
{
    const uint32_t partition = hd_partition_of(self->map, granule * self->granule);
    const validation *unit = (const validation *)hd_engine_block(self->engine, self->validations[partition]);
    const metadata_entry *entry = metadata_find(&unit->metadata, granule);
    return entry ? entry->reserved : 0;
}

uint32_t audit_check(audit *self, char *wrong, uint32_t bytes)
{
    const scripted_history *history = scripted_core.extension(NULL, SCRIPTED_EXTENSION_HISTORY);
    for (uint32_t i = 0; i < self->granules; i++) {
        const uint64_t granule = self->first + i;
        int64_t logged = self->sent[i] - self->given_back[i], asked = 0;
        for (uint32_t core = 0; core < self->core_count; core++) {
            hd_block *block = hd_engine_block(self->engine, self->cores + core);
            logged += history->logged(block, granule);
            asked += history->asked(block, granule);
        }
        const int64_t held = reserved(self, granule);
        self->checks++;
        if (held >= logged && held <= logged + asked)
            continue;
        snprintf(wrong, bytes, "I1: granule %u: %d stores are reserved, %d are in logs, %d unanswered", i, (int)held,
                 (int)logged, (int)asked);
        return 0;
    }
    return 1;
}
