/* SPDX-License-Identifier: MIT */
/*
 * The validation unit of a memory partition, which decides on each access of a transaction when it is made (GETM: Ren & Lis
 * 2018 §IV, §V). hd_getm.h has its messages.
 *
 * A request spends its cycles in the tables (metadata/), one after the other. A store is then decided on. So is a load, unless
 * nothing speaks against it: then it goes on to the slice, and the verdict is that of the moment at which the slice
 * takes it, by the tap. Verdict and sample are one event, whatever the slice does meanwhile.
 */
#ifndef VALIDATION_UNIT_H
#define VALIDATION_UNIT_H

#include "hd_block.h"

extern const hd_block_class hd_validation_unit_getm;

#endif
