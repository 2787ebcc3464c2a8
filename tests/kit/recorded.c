/* SPDX-License-Identifier: MIT */
/* Trace events of the block under test, held against the rules of hd_trace.h. */
#include "kit_internal.h"

#include <string.h>

static void on_traced(void *context, const hd_traced *traced)
{
    kit_block *kit = context;
    if (traced->block != kit->block)
        return;
    kit->recorded = kit_grow(kit->recorded, kit->recorded_count, sizeof *kit->recorded);
    kit_traced *added = &kit->recorded[kit->recorded_count++];
    *added = (kit_traced){.t = traced->t,
                          .form = traced->form,
                          .event = kit->block_class->trace_events[traced->event].name,
                          .track = hd_engine_track_name(kit->engine, kit->block, traced->track)};
    memcpy(added->values, traced->values, sizeof added->values);
    const uint64_t digits[] = {traced->t,         traced->form,      traced->event,     traced->track,
                               traced->values[0], traced->values[1], traced->values[2], traced->values[3]};
    kit->recorded_hash = kit_hash(kit->recorded_hash, digits, sizeof digits);
}

void kit_record(kit_block *kit)
{
    if (kit->started)
        kit_die("kit_record after the block was created");
    kit->is_traced = 1;
    kit->tracer = (hd_tracer){.context = kit, .record = on_traced};
}

void kit_clear_recorded(kit_block *kit)
{
    kit->recorded_count = 0;
    kit->recorded_hash = kit_hash_start;
}

/* The span that this end belongs to: the last of its track that began and has not ended. */
static const kit_traced *begin_of(const kit_block *kit, uint32_t end)
{
    uint32_t depth = 0;
    for (uint32_t i = end; i-- > 0;) {
        const kit_traced *other = &kit->recorded[i];
        if (other->track != kit->recorded[end].track || other->form > HD_TRACED_END)
            continue;
        if (other->form == HD_TRACED_END)
            depth++;
        else if (depth-- == 0)
            return other;
    }
    return NULL;
}

static void check_nesting(const kit_block *kit)
{
    for (uint32_t i = 0; i < kit->recorded_count; i++) {
        const kit_traced *end = &kit->recorded[i];
        if (end->form != HD_TRACED_END)
            continue;
        const kit_traced *begin = begin_of(kit, i);
        if (!begin || strcmp(begin->event, end->event) != 0)
            kit_die("trace: at %llu ps, %s ends on track %s, on which %s", (unsigned long long)end->t, end->event,
                    end->track, begin ? begin->event : "nothing has begun");
    }
}

const kit_traced *kit_recorded(kit_block *kit, uint32_t *count)
{
    check_nesting(kit);
    *count = kit->recorded_count;
    return kit->recorded;
}

uint32_t kit_recorded_count(kit_block *kit, const char *event)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < kit->recorded_count; i++)
        found += strcmp(kit->recorded[i].event, event) == 0 && kit->recorded[i].form != HD_TRACED_END;
    return found;
}
