/* SPDX-License-Identifier: MIT */
#include "prediction.h"

#include <stddef.h>

void prediction_clear(prediction *p)
{
    p->count = 0;
    p->dropped = 0;
}

static prediction_entry *find(prediction *p, uint32_t pc)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->entries[i].pc == pc)
            return &p->entries[i];
    return NULL;
}

/* A free one, or the one that is least sure of those that are not known; NULL. */
static prediction_entry *room(prediction *p)
{
    prediction_entry *least = NULL;
    if (p->count < p->capacity)
        return &p->entries[p->count++];
    for (uint32_t i = 0; i < p->count; i++) {
        prediction_entry *entry = &p->entries[i];
        if (!entry->known && (!least || entry->confidence < least->confidence))
            least = entry;
    }
    return least;
}

static prediction_entry *insert(prediction *p, uint32_t pc)
{
    prediction_entry *entry = room(p);
    if (entry)
        *entry = (prediction_entry){.pc = pc};
    else
        p->dropped++;
    return entry;
}

static enum spin_verdict gain(prediction *p, prediction_entry *entry)
{
    entry->confidence++;
    entry->known = entry->confidence >= p->threshold;
    return entry->known ? SPIN_FOUND : SPIN_NOT;
}

enum spin_verdict prediction_take(prediction *p, uint32_t pc, uint32_t spins)
{
    prediction_entry *entry = find(p, pc);
    if (entry && entry->known)
        return SPIN_KNOWN;
    if (spins && !entry)
        entry = insert(p, pc);
    if (spins && entry)
        return gain(p, entry);
    if (entry && entry->confidence)
        entry->confidence--;
    return SPIN_NOT;
}

void prediction_transfer(prediction *p, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "entries of the prediction table", p->capacity);
    HD_STATE_VALUE(stream, p->count);
    HD_STATE_VALUE(stream, p->dropped);
    for (uint32_t i = 0; i < p->count; i++) {
        HD_STATE_VALUE(stream, p->entries[i].pc);
        HD_STATE_VALUE(stream, p->entries[i].confidence);
        HD_STATE_VALUE(stream, p->entries[i].known);
    }
}
