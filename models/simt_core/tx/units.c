/* SPDX-License-Identifier: MIT */
#include "tx/tx.h"

#include "tx/getm/getm.h"
#include "tx/ideal/ideal.h"

const tx_unit *const tx_units[] = {NULL, &tx_getm, &tx_ideal};
