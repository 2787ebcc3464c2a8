/* SPDX-License-Identifier: MIT */
/* For host programs and kernels. */
#ifndef GRANULE_H
#define GRANULE_H

#define GRANULE_BYTES 32u /* in which protocols look for conflicts: GETM §VI-B */

#endif
