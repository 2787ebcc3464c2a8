/* SPDX-License-Identifier: MIT */
/* Every protocol of transactions of the source tree, in the order of the choices of `core.tx`; `heddle new unit` adds a line. */
#ifndef SIMT_CORE_TX_UNITS_H
#define SIMT_CORE_TX_UNITS_H

#include "tx/protocol.h"

/* clang-format off */
#define TX_UNITS(UNIT) \
    UNIT(tx, getm) \
    UNIT(tx, ideal) \
    UNIT(tx, kilo) \
    UNIT(tx, warptm_el) \
    UNIT(tx, eapg) \
    UNIT(tx, local) \
    /* the end */
/* clang-format on */

TX_UNITS(HD_UNIT_DECLARATION)

#endif
