/* SPDX-License-Identifier: MIT */
/* What a trace shows of copies. */
#include "engine.h"
#include "rig.h"

#include <string.h>

#define LATE ((hd_time)1000000 * CYCLE)

/* The n-th record of this form and event. */
static const kit_traced *record_of(rig *rig, const char *event, uint32_t form, uint32_t n)
{
    uint32_t count;
    const kit_traced *all = kit_recorded(rig->kit, &count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].form == form && !strcmp(all[i].event, event) && n-- == 0)
            return &all[i];
    cr_assert_fail("%s: not recorded", event);
    return NULL;
}

static void expect_span(rig *rig, const char *event, const char *track, hd_time begin, hd_time end,
                        const uint64_t *values)
{
    const kit_traced *from = record_of(rig, event, HD_TRACED_BEGIN, 0), *to = record_of(rig, event, HD_TRACED_END, 0);
    cr_expect_str_eq(from->track, track);
    cr_expect_str_eq(to->track, track);
    cr_expect_eq(from->t, begin);
    cr_expect_eq(to->t, end);
    cr_expect_arr_eq(from->values, values, sizeof from->values);
}

Test(dma_engine, a_copy_is_a_span_of_its_channel_from_its_command_to_its_end)
{
    rig rig;
    rig_open(&rig, (const char *[]){"channels=2", NULL});
    kit_record(rig.kit);
    rig_start(&rig, 7, HD_COPY_TO_DEVICE, 64, 128, 100, 0);
    rig_start(&rig, 8, HD_COPY_FROM_DEVICE, 1024, 2048, 4096, 0);
    const uint64_t first = rig_expect_end(&rig, LATE);
    const hd_time first_end = kit_received_at(rig.kit) - LINK * CYCLE;
    cr_expect_eq(first, 7);
    rig_expect_end(&rig, LATE);
    const hd_time second_end = kit_received_at(rig.kit) - LINK * CYCLE;
    expect_span(&rig, "copy.to_device", "channel[0]", 0, first_end,
                (const uint64_t[]){7, 100, RIG_HOST + 64, RIG_DEVICE + 128});
    expect_span(&rig, "copy.from_device", "channel[1]", CYCLE, second_end,
                (const uint64_t[]){8, 4096, RIG_HOST + 1024, RIG_DEVICE + 2048});
    for (uint32_t i = 0; i < 2; i++) {
        const kit_traced *arrow = record_of(&rig, "copy.command", HD_TRACED_FLOW, i);
        cr_expect_eq(arrow->t, i * CYCLE);
        cr_expect_eq((uint32_t)arrow->values[0], 7 + i, "the arrow from the queue of this tag");
        cr_expect_eq(arrow->values[1], HD_TRACE_TO);
    }
    rig_close(&rig);
}

Test(dma_engine, a_trace_shows_fills_and_the_end_of_what_is_refused)
{
    rig rig;
    rig_open(&rig, (const char *[]){"channels=1", NULL});
    kit_record(rig.kit);
    rig_start(&rig, 1, HD_COPY_FILL, 0x5A, 0, 512, 0);
    rig_start(&rig, 2, HD_COPY_TO_DEVICE, 0, MEMORY_BYTES - 256, 1024, 0);
    rig_start(&rig, 3, HD_COPY_FILL + 1, 0, 0, 4, 0);
    for (uint32_t i = 0; i < 3; i++)
        kit_free(rig.kit, rig_ended(&rig, LATE));
    cr_expect_eq(kit_recorded_count(rig.kit, "copy.fill"), 2, "a command without meaning is shown as one");
    const kit_traced *end = record_of(&rig, "copy.to_device", HD_TRACED_END, 0);
    cr_expect_eq(end->t, record_of(&rig, "copy.fill", HD_TRACED_BEGIN, 1)->t, "what is refused gives the channel back");
    rig_close(&rig);
}

Test(dma_engine, a_trace_counts_bursts)
{
    rig rig;
    uint32_t count;
    uint64_t most = 0, last = 0;
    rig_open(&rig, (const char *[]){"outstanding=3", NULL});
    kit_record(rig.kit);
    rig_start(&rig, 1, HD_COPY_TO_DEVICE, 0, 0, 4096, 0);
    rig_expect_end(&rig, LATE);
    const kit_traced *all = kit_recorded(rig.kit, &count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].form == HD_TRACED_COUNTER) {
            cr_expect_neq(all[i].values[0], last, "only changes are recorded");
            last = all[i].values[0];
            most = last > most ? last : most;
        }
    cr_expect_eq(most, 3);
    cr_expect_eq(last, 0);
    rig_close(&rig);
}
