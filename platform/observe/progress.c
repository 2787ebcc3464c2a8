/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include "results.h"

#define INTERVAL_SECONDS 0.25
#define ERASE "\r\033[K"

void hd_progress_begin(hd_progress *progress, FILE *out, double now)
{
    *progress = (hd_progress){.out = out, .started = now, .shown = now};
}

uint32_t hd_progress_due(const hd_progress *progress, double now)
{
    return progress->out && now - progress->shown >= INTERVAL_SECONDS;
}

void hd_progress_print(hd_progress *progress, const hd_progress_state *state, double now)
{
    char time[HD_QUANTITY_BYTES], rate[HD_QUANTITY_BYTES];
    double span = now - progress->shown;
    uint64_t instructions = state->warp_instructions - progress->instructions_shown;
    if (state->blocks && progress->first_block == 0)
        progress->first_block = progress->shown;
    fprintf(progress->out, ERASE "%s  %s warp instructions/s  %llu of %llu blocks",
            hd_print_time(time, state->simulated), hd_print_rate(rate, span > 0 ? (double)instructions / span : 0),
            (unsigned long long)state->blocks_done, (unsigned long long)state->blocks);
    if (state->blocks_done && state->blocks_done < state->blocks) {
        double each = (now - progress->first_block) / (double)state->blocks_done;
        uint64_t left = (uint64_t)(each * (double)(state->blocks - state->blocks_done));
        fprintf(progress->out, "  about %llu:%02llu left", (unsigned long long)(left / 60),
                (unsigned long long)(left % 60));
    }
    fflush(progress->out);
    progress->shown = now;
    progress->instructions_shown = state->warp_instructions;
    progress->is_shown = 1;
}

void hd_progress_end(hd_progress *progress)
{
    if (!progress->is_shown)
        return;
    fputs(ERASE, progress->out);
    fflush(progress->out);
    progress->is_shown = 0;
}
