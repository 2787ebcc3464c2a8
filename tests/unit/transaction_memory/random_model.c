/* SPDX-License-Identifier: MIT */
#include "random_model.h"

#include <string.h>

void model_begin(model *self, uint32_t warp)
{
    memset(self->has_read[warp], 0, sizeof self->has_read[warp]);
    memset(self->is_doomed[warp], 0, sizeof self->is_doomed[warp]);
}

void model_read(model *self, uint32_t warp, uint32_t lane, uint32_t word)
{
    self->has_read[warp][lane][word] = 1;
}

/* Every reader but those that have committed, and lanes of the warp that take no part. */
static void doom(model *self, uint32_t word, uint32_t winner, uint64_t spared)
{
    for (uint32_t warp = 0; warp < MODEL_WARPS; warp++)
        for (uint32_t lane = 0; lane < MODEL_LANES; lane++) {
            const uint32_t is_spared = warp == winner && spared >> lane & 1;
            if (is_spared || !self->has_read[warp][lane][word] || self->is_doomed[warp][lane])
                continue;
            self->is_doomed[warp][lane] = 1;
            self->newly[warp] |= UINT64_C(1) << lane;
        }
}

static void write(model *self, const hd_ideal_write *write)
{
    uint32_t *word = &self->memory[write->address / 4];
    for (uint32_t byte = 0; byte < 4; byte++)
        if (write->byte_mask >> byte & 1)
            *word = (*word & ~(0xFFu << 8 * byte)) | (write->value & 0xFFu << 8 * byte);
}

uint64_t model_commit(model *self, uint32_t warp, uint64_t lanes, const hd_ideal_write *writes, uint32_t count)
{
    uint64_t committed = 0;
    memset(self->newly, 0, sizeof self->newly);
    for (uint32_t lane = 0; lane < MODEL_LANES; lane++) {
        if (!(lanes >> lane & 1) || self->is_doomed[warp][lane])
            continue;
        committed |= UINT64_C(1) << lane;
        for (uint32_t i = 0; i < count; i++)
            if (writes[i].lane == lane) {
                write(self, &writes[i]);
                doom(self, (uint32_t)writes[i].address / 4, warp, committed | ~lanes);
            }
    }
    model_begin(self, warp);
    return committed;
}
