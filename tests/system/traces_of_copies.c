/* SPDX-License-Identifier: MIT */
/* Copies beside kernels, and the host's side of them, in traces. */
#include <criterion/criterion.h>
#include <string.h>

#include "perfetto_reader.h"
#include "traced.h"

typedef struct stretch {
    uint64_t begin, end, count;
} stretch;

/* The spans of this name, as one. */
static stretch stretch_of(const perfetto_trace *trace, const char *name, const char *path)
{
    stretch of = {.begin = UINT64_MAX};
    for (size_t i = 0; i < trace->event_count; i++) {
        const trace_event *event = &trace->events[i];
        if (!event->name || strcmp(event->name, name) != 0 || !strstr(perfetto_track(trace, event->track)->path, path))
            continue;
        if (event->type == SLICE_BEGIN && event->t < of.begin)
            of.begin = event->t;
        of.count += event->type == SLICE_BEGIN;
        of.end = event->type == SLICE_END ? event->t : of.end;
    }
    return of;
}

static perfetto_trace trace_of_copies(const traced *at, const char *machine, const char *part)
{
    expect_pass(heddle("run", machine, SYSTEM_APPS "/copies", "--quiet", "--tlm=auto", "--set", part, "--trace",
                       at->perfetto, "--vcd", at->vcd));
    return perfetto_read(at->perfetto);
}

Test(traces, show_a_copy_of_the_dma_engine_beside_a_kernel)
{
    traced at = traced_new();
    perfetto_trace trace = trace_of_copies(&at, SYSTEM_MACHINES "/dma.yaml", "app.part=beside");
    const stretch kernel = stretch_of(&trace, "work", "/kernels[0]"),
                  there = stretch_of(&trace, "copy.to_device", "/dma/channel["),
                  back = stretch_of(&trace, "copy.from_device", "/dma/channel[");
    cr_assert(kernel.count == 1 && there.count == 1 && back.count == 1);
    cr_expect(there.begin > kernel.begin && there.begin < kernel.end, "it begins while the kernel runs");
    cr_expect_geq(back.begin, there.end);
    cr_expect_eq(trace.open_arrows, 0);
    size_t ends = 0;
    for (size_t i = 0; i < trace.event_count; i++)
        if (trace.events[i].type == SLICE_BEGIN && strstr(perfetto_track(&trace, trace.events[i].track)->path, "/dma/"))
            ends += trace.events[i].end_count;
    cr_expect_eq(ends, 2, "an arrow comes from the queue to each");
    perfetto_free(&trace);
    perfetto_trace serial = trace_of_copies(&at, SYSTEM_MACHINES "/dma.yaml", "app.part=serial");
    const stretch alone = stretch_of(&serial, "work", "/kernels[0]"),
                  after = stretch_of(&serial, "copy.to_device", "/dma/channel[");
    cr_expect_geq(after.begin, alone.end);
    perfetto_free(&serial);
    traced_free(&at);
}

Test(traces, show_the_host_cpu_and_what_interrupts_it)
{
    traced at = traced_new();
    perfetto_trace trace = trace_of_copies(&at, SYSTEM_MACHINES "/firmware_dma.yaml", "app.part=beside");
    cr_expect_gt(perfetto_count(&trace, "execute", "/cpu"), 0);
    cr_expect_gt(perfetto_count(&trace, "write", "/cpu"), 0);
    cr_expect_gt(perfetto_count(&trace, "read", "/bus/access["), 0);
    cr_expect_eq(perfetto_count(&trace, "copy.to_device", "/dma/channel["), 1);
    cr_expect_eq(trace.open_arrows, 0);
    perfetto_free(&trace);
    traced_free(&at);
}
