/* SPDX-License-Identifier: MIT */
#include "words_in_commits.h"

#include <criterion/criterion.h>

#include "core.h"
#include "tx/eapg/eapg.h"

void expect_no_words_in_commits(hd_block *block)
{
    const simt_core *core = (const simt_core *)block;
    const transactions *t = core->tx.transactions;
    const tx_protocol *protocol = t ? t->of[TX_GLOBAL] : NULL;
    const eapg *e = protocol && protocol->unit == &tx_eapg ? (const eapg *)protocol->state : NULL;
    if (!e || e->late)
        return;
    cr_expect_eq(e->table.count, 0, "%s: %u words", core->services->name, e->table.count);
    for (uint32_t p = 0; e->signatures && p < e->kilo.partitions; p++)
        cr_expect_eq(e->signatures[p][0] | e->signatures[p][1], 0, "%s: partition %u", core->services->name, p);
}
