/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOBODY = UINT32_MAX };

/* Values that a word has had, in order; the first is 0 and was written by nobody. */
typedef struct versions {
    uint32_t *values;
    uint32_t *writers; /* commits */
    uint32_t count, capacity;
} versions;

struct oracle {
    uint64_t base, stride;
    uint32_t words;
    versions *versions;
    uint32_t *memory;
    scripted_commit *commits;
    uint32_t count, capacity;
    uint32_t *edges; /* pairs */
    uint32_t edge_count, edge_capacity;
};

static void *grow(void *array, uint32_t count, uint32_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    return realloc(array, *capacity * bytes);
}

oracle *oracle_create(uint64_t base, uint64_t stride, uint32_t words)
{
    oracle *self = calloc(1, sizeof *self);
    *self = (oracle){.base = base, .stride = stride, .words = words};
    self->versions = calloc(words, sizeof *self->versions);
    self->memory = calloc(words, sizeof *self->memory);
    oracle_reset(self);
    return self;
}

void oracle_destroy(oracle *self)
{
    for (uint32_t i = 0; i < self->words; i++) {
        free(self->versions[i].values);
        free(self->versions[i].writers);
    }
    free(self->versions);
    free(self->memory);
    free(self->commits);
    free(self->edges);
    free(self);
}

void oracle_reset(oracle *self)
{
    self->count = self->edge_count = 0;
    for (uint32_t i = 0; i < self->words; i++) {
        self->versions[i].count = 0;
        oracle_note_write(self, self->base + i * self->stride, 0);
    }
}

static uint32_t word_of(const oracle *self, uint64_t address)
{
    return (uint32_t)((address - self->base) / self->stride);
}

void oracle_note_write(oracle *self, uint64_t address, uint32_t value)
{
    versions *versions = &self->versions[word_of(self, address)];
    uint32_t capacity = versions->capacity;
    versions->values = grow(versions->values, versions->count, &capacity, sizeof *versions->values);
    versions->writers = grow(versions->writers, versions->count, &versions->capacity, sizeof *versions->writers);
    versions->values[versions->count] = value;
    versions->writers[versions->count++] = NOBODY;
}

void oracle_add(oracle *self, const scripted_commit *commits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        self->commits = grow(self->commits, self->count, &self->capacity, sizeof *self->commits);
        self->commits[self->count++] = commits[i];
    }
}

/* ---- Replay --------------------------------------------------------------------------------------------------------- */

#define COMPARE(member)                                                                                                \
    if (a->member != b->member)                                                                                        \
        return a->member < b->member ? -1 : 1;
static int in_order(const void *left, const void *right)
{
    const scripted_commit *a = left, *b = right;
    COMPARE(era)
    COMPARE(timestamp)
    COMPARE(warp)
    COMPARE(attempt)
    COMPARE(lane)
    return 0;
}

static int name(const scripted_commit *commit, char *text, uint32_t bytes)
{
    return snprintf(text, bytes, "era %u time %u warp %u attempt %u lane %u", (unsigned)commit->era,
                    (unsigned)commit->timestamp, commit->warp, (unsigned)commit->attempt, commit->lane);
}

uint32_t oracle_replay(oracle *self, const uint32_t *memory, char *wrong, uint32_t bytes)
{
    memset(self->memory, 0, self->words * sizeof *self->memory);
    if (self->count)
        qsort(self->commits, self->count, sizeof *self->commits, in_order);
    for (uint32_t i = 0; i < self->count; i++) {
        const scripted_commit *commit = &self->commits[i];
        for (uint32_t k = 0; k < commit->read_count; k++) {
            const uint32_t word = word_of(self, commit->reads[k].address);
            if (commit->reads[k].value == self->memory[word])
                continue;
            const int length = name(commit, wrong, bytes);
            snprintf(wrong + length, bytes - (uint32_t)length, " reads %#x in word %u, in order it is %#x",
                     commit->reads[k].value, word, self->memory[word]);
            return 0;
        }
        for (uint32_t k = 0; k < commit->write_count; k++)
            self->memory[word_of(self, commit->writes[k].address)] = commit->writes[k].value;
    }
    for (uint32_t word = 0; word < self->words; word++)
        if (memory[word] != self->memory[word]) {
            snprintf(wrong, bytes, "word %u is %#x in the end, in order it is %#x", word, memory[word],
                     self->memory[word]);
            return 0;
        }
    return 1;
}

/* ---- The graph ------------------------------------------------------------------------------------------------------ */

static void add_edge(oracle *self, uint32_t from, uint32_t to)
{
    if (from == NOBODY || to == NOBODY || from == to)
        return;
    self->edges = grow(self->edges, self->edge_count, &self->edge_capacity, 2 * sizeof *self->edges);
    self->edges[2 * self->edge_count] = from;
    self->edges[2 * self->edge_count++ + 1] = to;
}

static uint32_t version_of(const versions *versions, uint32_t value)
{
    uint32_t i = 0;
    while (i < versions->count && versions->values[i] != value)
        i++;
    return i;
}

/* 0: a value that was never there, or a write that never came. */
static uint32_t name_writers(oracle *self, char *wrong, uint32_t bytes)
{
    for (uint32_t c = 0; c < self->count; c++) {
        const scripted_commit *commit = &self->commits[c];
        for (uint32_t k = 0; k < commit->write_count; k++) {
            versions *versions = &self->versions[word_of(self, commit->writes[k].address)];
            const uint32_t version = version_of(versions, commit->writes[k].value);
            if (version == versions->count) {
                snprintf(wrong, bytes, "%#x was committed and not written", commit->writes[k].value);
                return 0;
            }
            versions->writers[version] = c;
        }
    }
    for (uint32_t word = 0; word < self->words; word++)
        for (uint32_t v = 1; v < self->versions[word].count; v++) {
            if (self->versions[word].writers[v] == NOBODY) {
                snprintf(wrong, bytes, "I8: %#x was written to word %u and not committed",
                         self->versions[word].values[v], word);
                return 0;
            }
            add_edge(self, self->versions[word].writers[v - 1], self->versions[word].writers[v]);
        }
    return 1;
}

static uint32_t add_reads(oracle *self, char *wrong, uint32_t bytes)
{
    for (uint32_t c = 0; c < self->count; c++)
        for (uint32_t k = 0; k < self->commits[c].read_count; k++) {
            const scripted_word *read = &self->commits[c].reads[k];
            const versions *versions = &self->versions[word_of(self, read->address)];
            const uint32_t version = version_of(versions, read->value);
            if (version == versions->count) {
                snprintf(wrong, bytes, "%#x was read and never written", read->value);
                return 0;
            }
            add_edge(self, versions->writers[version], c);
            if (version + 1 < versions->count)
                add_edge(self, c, versions->writers[version + 1]);
        }
    return 1;
}

/* Takes away who has nobody before him, until nobody is left, or only circles are. */
static uint32_t find_left(const oracle *self)
{
    uint32_t *before = calloc(self->count + 1, sizeof *before), *gone = calloc(self->count + 1, sizeof *gone);
    uint32_t left = self->count, changed = 1, found = NOBODY;
    while (changed) {
        changed = 0;
        memset(before, 0, self->count * sizeof *before);
        for (uint32_t e = 0; e < self->edge_count; e++)
            if (!gone[self->edges[2 * e]])
                before[self->edges[2 * e + 1]]++;
        for (uint32_t c = 0; c < self->count; c++)
            if (!gone[c] && !before[c]) {
                gone[c] = changed = 1;
                left--;
            }
    }
    for (uint32_t c = 0; left && c < self->count && found == NOBODY; c++)
        if (!gone[c])
            found = c;
    free(before);
    free(gone);
    return found;
}

uint32_t oracle_search(oracle *self, char *wrong, uint32_t bytes)
{
    self->edge_count = 0;
    if (!name_writers(self, wrong, bytes) || !add_reads(self, wrong, bytes))
        return 0;
    const uint32_t found = find_left(self);
    if (found == NOBODY)
        return 1;
    const int length = snprintf(wrong, bytes, "a circle of conflicts, before or with ");
    name(&self->commits[found], wrong + length, bytes - (uint32_t)length);
    return 0;
}
