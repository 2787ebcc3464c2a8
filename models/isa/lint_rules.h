/* SPDX-License-Identifier: MIT */
#ifndef ISA_LINT_RULES_H
#define ISA_LINT_RULES_H

#include "lint.h"

/*
 * Loops that do nothing but wait: of kind ISA_LINT_DEADLOCK those that are left when an atomic succeeds, with a write to the
 * same address behind them; and all of ISA_LINT_STALE_SPIN. By ascending access_pc, each access once for each kind. 0 = done, and
 * *findings is to be freed; -1 = out of memory, and it is NULL.
 */
int lint_find_by_rules(const isa_program *program, isa_finding **findings, uint32_t *count);

/* All of ISA_LINT_DIVERGENT_BARRIER, each barrier once. Likewise. */
int lint_find_barriers(const isa_program *program, isa_finding **findings, uint32_t *count);

#endif
