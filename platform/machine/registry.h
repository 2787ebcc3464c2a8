/* SPDX-License-Identifier: MIT */
/* The block classes that every netlist may use. */
#ifndef HD_REGISTRY_H
#define HD_REGISTRY_H

#include "netlist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Composed with the units that are compiled in (hd_unit.h). They live as long as the process. */
netlist_registry hd_builtin_classes(void);

#ifdef __cplusplus
}
#endif

#endif
