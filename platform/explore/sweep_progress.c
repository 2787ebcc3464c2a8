/* SPDX-License-Identifier: MIT */
#include "sweep_progress.h"

#define INTERVAL_SECONDS 0.25
#define ERASE "\r\033[K"

void sweep_progress_begin(sweep_progress *progress, FILE *out, double now)
{
    *progress = (sweep_progress){.out = out, .began = now, .shown = now - INTERVAL_SECONDS};
}

double sweep_time_left(const sweep_state *state, double seconds)
{
    size_t left = state->runs - state->had - state->done;
    return state->done ? seconds / (double)state->done * (double)left : -1;
}

static void put_time(FILE *out, double seconds)
{
    unsigned long long whole = (unsigned long long)(seconds + 0.5);
    if (whole >= 3600)
        fprintf(out, "  about %llu:%02llu:%02llu left", whole / 3600, whole / 60 % 60, whole % 60);
    else
        fprintf(out, "  about %llu:%02llu left", whole / 60, whole % 60);
}

void sweep_progress_print(sweep_progress *progress, const sweep_state *state, double now)
{
    if (!progress->out || now - progress->shown < INTERVAL_SECONDS)
        return;
    fprintf(progress->out, ERASE "%zu of %zu runs  %zu running", state->had + state->done, state->runs, state->running);
    if (state->failed)
        fprintf(progress->out, "  %zu failed", state->failed);
    double left = sweep_time_left(state, now - progress->began);
    if (left >= 0)
        put_time(progress->out, left);
    fflush(progress->out);
    progress->shown = now;
    progress->is_shown = 1;
}

void sweep_progress_end(sweep_progress *progress)
{
    if (!progress->is_shown)
        return;
    fputs(ERASE, progress->out);
    fflush(progress->out);
    progress->is_shown = 0;
}
