/* SPDX-License-Identifier: MIT */
/*
 * Accesses of which a debugger is told when they have been made. Their threads have gone on by then; with each access is kept what its
 * threads were when its instruction issued, so that the debugger sees them there.
 */
#ifndef SIMT_CORE_WATCHED_H
#define SIMT_CORE_WATCHED_H

#include "debug.h"
#include "memory/access.h"

/* An access has been submitted, while HEARS_DEBUGGER. `address`: as the program gave them. */
void watched_submit(simt_core *core, const memory_access *access, const uint32_t *address, uint32_t ticket);
/* Lanes of an access with TICKET_WATCHED have their values, or, of a store, have none to wait for; last: it is complete. */
void watched_done(simt_core *core, uint32_t ticket, uint64_t mask, uint32_t last);
/* Nothing is in flight. */
void watched_forget(simt_core *core);

/* Lanes of the row that are shown at an access. */
uint64_t watched_shown_lanes(const simt_core *core, uint32_t row);
/* That access has written this register: it is as it is now. */
uint32_t watched_has_loaded(const simt_core *core, uint32_t number);
/* Others of such a lane, and pc: 0: not known. */
uint32_t watched_read(const simt_core *core, uint32_t lane, uint32_t number, uint64_t *value);
uint8_t watched_fcsr(const simt_core *core, uint32_t lane);

#endif
