/* SPDX-License-Identifier: MIT */
/* Findings of isa_lint for other programs. */
#ifndef HD_LINT_JSON_H
#define HD_LINT_JSON_H

#include <stdio.h>

#include "kernel_file.h"
#include "lint.h"

/* {"kernels", "unit", "findings": [...], "loops": {...}}: docs/simt-deadlock.md. */
void lint_json_print(const kernel_file *file, const char *unit, const isa_deadlock_options *options,
                     const isa_finding *findings, uint32_t count, FILE *out);

/* SARIF 2.1.0, which editors and code hosts show beside the lines. */
void lint_sarif_print(const kernel_file *file, const isa_finding *findings, uint32_t count, FILE *out);

#endif
