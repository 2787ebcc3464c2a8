/* SPDX-License-Identifier: MIT */
/*
 * Classes with the declarations of a small GPU and no behaviour: the netlist looks at tables only.
 */
#ifndef FAKE_BLOCKS_H
#define FAKE_BLOCKS_H

#include "netlist.h"

netlist_registry fake_registry(void);

#endif
