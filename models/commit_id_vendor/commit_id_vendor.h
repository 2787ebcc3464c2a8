/* SPDX-License-Identifier: MIT */
/*
 * The vendor of commit IDs, one for all cores (Fung 2015 §4.2.5): warps take IDs for all lanes that commit, consecutive ones, in
 * the order in which they ask. Where the rings of commit units are limited it waits until all of them have room. Messages:
 * hd_kilo.h.
 */
#ifndef COMMIT_ID_VENDOR_H
#define COMMIT_ID_VENDOR_H

#include "hd_block.h"

extern const hd_block_class hd_commit_id_vendor_contiguous;

#endif
