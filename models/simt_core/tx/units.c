/* SPDX-License-Identifier: MIT */
#include "tx/tx.h"

#include "tx/getm/getm.h"

const tx_unit *const tx_units[] = {NULL, &tx_getm};
