/* SPDX-License-Identifier: MIT */
/* Parameter ssde: programs are kept from SIMT-induced deadlocks (ssde.h). */
#ifndef SIMT_CORE_DEADLOCK_REMOVAL_H
#define SIMT_CORE_DEADLOCK_REMOVAL_H

#include "hd_extension.h"

#define DEADLOCK_REMOVALS "off|rewritten"
enum deadlock_removal { REMOVAL_OFF, REMOVAL_REWRITTEN };

/* While the core is created; programs may be NULL. Nonzero: error holds one line. */
uint32_t deadlock_removal_require(const hd_programs *programs, uint64_t removal, char *error, size_t error_bytes);

#endif
