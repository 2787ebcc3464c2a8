/* SPDX-License-Identifier: MIT */
#include "statistics_internal.h"

static void transfer_open(hd_statistics *s, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, s->open_count);
    if (stream->is_restored)
        s->open = enlarged(s->open, count + 1, sizeof *s->open);
    for (uint32_t i = 0; i < count; i++) {
        if (stream->is_restored)
            s->open[i].at_begin = zeroed(s->value_count, sizeof *s->open[i].at_begin);
        HD_STATE_VALUE(stream, s->open[i].launch);
        HD_STATE_VALUE(stream, s->open[i].begin);
        HD_STATE_ARRAY(stream, s->open[i].at_begin, s->value_count);
    }
    s->open_count = count;
}

static void transfer_interval(const hd_statistics *s, hd_interval *interval, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, interval->begin);
    HD_STATE_VALUE(stream, interval->end);
    HD_STATE_VALUE(stream, interval->launch);
    HD_STATE_ARRAY(stream, (uint64_t *)interval->values, s->block_values);
}

static void transfer_kernels(hd_statistics *s, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, s->kernel_count);
    if (stream->is_restored)
        s->kernels = enlarged(s->kernels, count + 1, sizeof *s->kernels);
    for (uint32_t i = 0; i < count; i++) {
        if (stream->is_restored)
            s->kernels[i] = (hd_interval){.values = zeroed(s->block_values, sizeof *s->kernels[i].values)};
        transfer_interval(s, &s->kernels[i], stream);
    }
    s->kernel_count = count;
}

static void transfer_stretches(hd_interval *interval, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, interval->stretch_count);
    if (stream->is_restored && count)
        interval->stretches = enlarged((hd_stretch *)interval->stretches, count, sizeof *interval->stretches);
    HD_STATE_ARRAY(stream, (hd_stretch *)interval->stretches, count);
    interval->stretch_count = count;
}

void hd_statistics_transfer(hd_statistics *s, const hd_state_stream *stream)
{
    HD_STATE_ARRAY(stream, s->maxima, s->value_count);
    HD_STATE_ARRAY(stream, s->busy_now, s->value_count);
    HD_STATE_VALUE(stream, s->busy_begin);
    transfer_open(s, stream);
    transfer_kernels(s, stream);
    transfer_interval(s, &s->busy, stream);
    transfer_stretches(&s->busy, stream);
}
