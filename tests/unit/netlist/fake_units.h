/* SPDX-License-Identifier: MIT */
/* Units of the fake core, with requirements of every sort and no behaviour. */
#ifndef FAKE_UNITS_H
#define FAKE_UNITS_H

#include "hd_unit.h"

#define FAKE_TX_INTERFACE "fake.tx/1"
#define FAKE_PROTOCOLS 2u
extern const hd_unit *const fake_protocols[FAKE_PROTOCOLS];

/* Of whichever of them. */
#define FAKE_TX_REQUIREMENTS 6u
extern const hd_requirement fake_tx_requirements[FAKE_TX_REQUIREMENTS];

#endif
