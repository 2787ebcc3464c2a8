/* SPDX-License-Identifier: MIT */
/*
 * The validation unit of a memory partition, which validates each transactional access when it is made (GETM: Ren & Lis
 * 2018 §IV, §V). hd_getm.h has its messages.
 *
 * Requests are looked up in the tables (metadata/) one after the other. Stores, and loads that must be refused or stalled,
 * are decided then. Other loads go on to the slice; the final verdict is made when the slice accepts the load and calls the
 * tap. So verdict and sampling of the data are one event.
 */
#ifndef VALIDATION_UNIT_H
#define VALIDATION_UNIT_H

#include "hd_block.h"

extern const hd_block_class hd_validation_unit_getm;

#endif
