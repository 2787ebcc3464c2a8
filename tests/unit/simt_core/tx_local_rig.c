/* SPDX-License-Identifier: MIT */
#include "tx_local_rig.h"

#include <string.h>

core_rig *tx_local_create(const char *const *more, const uint32_t *words)
{
    const char *parameters[16] = {"tx=local",         "warps=8",
                                  "tx.concurrency=0", "tx.back_off.base=0 cycles",
                                  "lanes=32",         "scratchpad.latency=3 cycles"};
    uint32_t count = 6;
    for (uint32_t i = 0; more && more[i]; i++) {
        uint32_t at = 0;
        while (at < count && strncmp(parameters[at], more[i], strcspn(more[i], "=") + 1) != 0)
            at++;
        count += at == count;
        parameters[at] = more[i];
    }
    return rig_create(parameters, words);
}

void tx_local_launch(core_rig *rig, uint32_t threads, uint32_t scratchpad)
{
    rig_launch_grid(rig,
                    &(hd_grid){.grid_size = {1, 1, 1},
                               .block_size = {threads, 1, 1},
                               .scratchpad_bytes = scratchpad,
                               .private_bytes = 256},
                    (uint32_t[]){0, 0, 0}, 0);
}

core_rig *tx_local_run(const char *const *more, const uint32_t *words, uint32_t threads)
{
    core_rig *rig = tx_local_create(more, words);
    tx_local_launch(rig, threads, 1024);
    rig_finish(rig);
    return rig;
}

uint64_t tx_local_statistic(core_rig *rig, const char *name)
{
    return kit_statistic(rig_kit(rig), name);
}

void tx_local_ignore_word(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order)
{
    (void)context, (void)endpoint, (void)word, (void)order;
}

void tx_local_ignore_end(void *context, uint32_t endpoint, const hd_scratchpad_contents *contents)
{
    (void)context, (void)endpoint, (void)contents;
}
