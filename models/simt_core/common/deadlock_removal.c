/* SPDX-License-Identifier: MIT */
#include "deadlock_removal.h"

#include "ssde.h"

uint32_t deadlock_removal_require(const hd_programs *programs, uint64_t removal, char *error, size_t error_bytes)
{
    if (!programs || removal != REMOVAL_REWRITTEN)
        return 0;
    return programs->transform(programs->context, &isa_ssde_rewrite, error, error_bytes);
}
