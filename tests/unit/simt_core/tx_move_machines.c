/* SPDX-License-Identifier: MIT */
#include "tx_move.h"

#include <criterion/criterion.h>

#define DEAD(which) "context.engine=stream", "context.dead=" which

const char *const tx_move_machines[TX_MOVE_MACHINES][9] = {
    {"tx.back_off.base=32 cycles", "tx.back_off.exponent=4", "write_back.width=1", DEAD("oracle"), NULL},
    {"tx.concurrency=1", "tx.back_off.base=200 cycles", "tx.back_off.exponent=0", "tx.checkpoint=30 cycles", NULL},
    {"tx.concurrency=1", "tx.token_hold=false", "tx.resolutions=1", "tx.store_blocking=false",
     "tx.back_off.base=32 cycles", "tx.back_off.exponent=4", NULL},
    {"tx.intra_warp=eager", "tx.log_traffic=none", "l1.bytes=768 B", "tx.watchdog=5000 cycles",
     "tx.back_off.base=32 cycles", "tx.back_off.exponent=4", DEAD("marks"), NULL},
};

void tx_move_combine(const char *parameters[TX_MOVE_PARAMETERS], const char *const *machine, const char *const *more)
{
    uint32_t count = 0;
    for (; *machine; machine++)
        parameters[count++] = *machine;
    for (; *more; more++) {
        cr_assert_lt(count, TX_MOVE_PARAMETERS - 1);
        parameters[count++] = *more;
    }
    parameters[count] = NULL;
}
