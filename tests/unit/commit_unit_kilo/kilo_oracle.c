/* SPDX-License-Identifier: MIT */
#include "kilo_oracle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kilo_oracle {
    uint64_t base;
    uint32_t stride, words;
    kilo_commit *commits;
    uint32_t count, capacity;
    uint32_t *memory;
    uint8_t *edges; /* [from * count + to] */
};

kilo_oracle *kilo_oracle_create(uint64_t base, uint32_t stride, uint32_t words)
{
    kilo_oracle *self = calloc(1, sizeof *self);
    self->base = base;
    self->stride = stride;
    self->words = words;
    self->memory = calloc(words, sizeof *self->memory);
    return self;
}

void kilo_oracle_destroy(kilo_oracle *self)
{
    free(self->commits);
    free(self->memory);
    free(self->edges);
    free(self);
}

void kilo_oracle_reset(kilo_oracle *self)
{
    self->count = 0;
}

void kilo_oracle_add(kilo_oracle *self, const kilo_commit *commits, uint32_t count)
{
    while (self->count + count > self->capacity) {
        self->capacity = self->capacity ? 2 * self->capacity : 256;
        self->commits = realloc(self->commits, self->capacity * sizeof *self->commits);
    }
    memcpy(&self->commits[self->count], commits, count * sizeof *commits);
    self->count += count;
}

static uint32_t word_of(const kilo_oracle *self, uint64_t address)
{
    return (uint32_t)((address - self->base) / self->stride);
}

static int by_id(const void *left, const void *right)
{
    const kilo_commit *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static uint32_t replay_one(kilo_oracle *self, const kilo_commit *commit, char *wrong, uint32_t bytes)
{
    for (uint32_t i = 0; i < commit->read_count; i++) {
        const uint32_t value = self->memory[word_of(self, commit->reads[i].address)];
        if (value == commit->reads[i].value)
            continue;
        snprintf(wrong, bytes, "commit ID %" PRIu64 " of warp %u lane %u has read %#x at %#" PRIx64 ", which was %#x",
                 commit->id, commit->warp, commit->lane, commit->reads[i].value, commit->reads[i].address, value);
        return 0;
    }
    for (uint32_t i = 0; i < commit->write_count; i++)
        self->memory[word_of(self, commit->writes[i].address)] = commit->writes[i].value;
    return 1;
}

uint32_t kilo_oracle_replay(kilo_oracle *self, const uint32_t *memory, char *wrong, uint32_t bytes)
{
    memset(self->memory, 0, self->words * sizeof *self->memory);
    qsort(self->commits, self->count, sizeof *self->commits, by_id);
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->commits[i].id && i && self->commits[i].id == self->commits[i - 1].id) {
            snprintf(wrong, bytes, "I-1: commit ID %" PRIu64 " is taken twice", self->commits[i].id);
            return 0;
        }
        if (self->commits[i].id && !replay_one(self, &self->commits[i], wrong, bytes))
            return 0;
    }
    for (uint32_t word = 0; word < self->words; word++)
        if (memory[word] != self->memory[word]) {
            snprintf(wrong, bytes, "word %u is %#x in the end, and should be %#x", word, memory[word],
                     self->memory[word]);
            return 0;
        }
    return 1;
}

/* ---- Silent readers ----------------------------------------------------------------------------------------------------- */

static const kilo_word *last_write(const kilo_commit *commit, uint64_t address)
{
    for (uint32_t i = commit->write_count; i-- > 0;)
        if (commit->writes[i].address == address)
            return &commit->writes[i];
    return NULL;
}

static void add_edge(kilo_oracle *self, uint32_t from, uint32_t to)
{
    if (from != to)
        self->edges[(size_t)from * self->count + to] = 1;
}

/* The reader stands behind the writer of what it has read, and in front of the next. With an ID, all older are in front. 0: no commit has
 * left that value, though one may have written it on the way to another. */
static uint32_t add_read(kilo_oracle *self, uint32_t reader, const kilo_word *read)
{
    uint32_t is_behind = read->value == 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const kilo_word *write =
            self->commits[i].id && i != reader ? last_write(&self->commits[i], read->address) : NULL;
        if (!write)
            continue;
        if (is_behind) {
            add_edge(self, reader, i);
            return 1;
        }
        if (write->value == read->value) {
            add_edge(self, i, reader);
            is_behind = 1;
        }
    }
    return is_behind;
}

static void add_writes(kilo_oracle *self, uint32_t writer)
{
    for (uint32_t k = 0; k < self->commits[writer].write_count; k++)
        for (uint32_t i = writer + 1; i < self->count; i++)
            if (self->commits[i].id && last_write(&self->commits[i], self->commits[writer].writes[k].address)) {
                add_edge(self, writer, i);
                break;
            }
}

/* Takes whoever has nobody in front of it, until none is left. */
static uint32_t is_acyclic(const kilo_oracle *self, uint32_t *stuck)
{
    uint32_t *before = calloc(self->count + 1, sizeof *before), left = self->count, moved = 1;
    uint8_t *is_gone = calloc(self->count + 1, 1);
    for (uint32_t from = 0; from < self->count; from++)
        for (uint32_t to = 0; to < self->count; to++)
            before[to] += self->edges[(size_t)from * self->count + to];
    while (moved) {
        moved = 0;
        for (uint32_t i = 0; i < self->count; i++) {
            if (is_gone[i] || before[i])
                continue;
            is_gone[i] = 1;
            left--;
            moved = 1;
            for (uint32_t to = 0; to < self->count; to++)
                before[to] -= self->edges[(size_t)i * self->count + to];
        }
    }
    for (uint32_t i = 0; left && i < self->count; i++)
        if (!is_gone[i] && !self->commits[i].id)
            *stuck = i;
    free(before);
    free(is_gone);
    return !left;
}

uint32_t kilo_oracle_search(kilo_oracle *self, char *wrong, uint32_t bytes)
{
    uint32_t stuck = 0;
    free(self->edges);
    self->edges = calloc((size_t)self->count * self->count + 1, 1);
    for (uint32_t i = 0; i < self->count; i++) {
        for (uint32_t k = 0; k < self->commits[i].read_count; k++)
            if (!add_read(self, i, &self->commits[i].reads[k])) {
                snprintf(wrong, bytes, "warp %u lane %u has read %#x at %#" PRIx64 ", which nobody has left there",
                         self->commits[i].warp, self->commits[i].lane, self->commits[i].reads[k].value,
                         self->commits[i].reads[k].address);
                return 0;
            }
        add_writes(self, i);
    }
    if (is_acyclic(self, &stuck))
        return 1;
    snprintf(wrong, bytes, "the silent reader of warp %u lane %u has no place between the others",
             self->commits[stuck].warp, self->commits[stuck].lane);
    return 0;
}
