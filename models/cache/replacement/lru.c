/* SPDX-License-Identifier: MIT */
#include "stamps.h"

const replacement_unit replacement_lru = {
    .create = stamps_create,
    .destroy = stamps_destroy,
    .reset = stamps_reset,
    .installed = stamps_set,
    .used = stamps_set,
    .victim = stamps_oldest,
    .transfer = stamps_transfer,
};

const hd_unit hd_replacement_lru = {
    HD_UNIT_HEAD(replacement, REPLACEMENT, lru),
    .doc = "least recently used: the line that was not used for longest",
    .source = "Fung 2015 Table 6.1 (sizes; no policy is named)",
};
