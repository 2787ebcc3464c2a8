/* SPDX-License-Identifier: MIT */
#include "stamps.h"

const replacement_unit replacement_lru = {
    .name = "lru",
    .source = "Fung 2015 Table 6.1 (sizes; no policy is named)",
    .refuses = stamps_refuse,
    .create = stamps_create,
    .destroy = stamps_destroy,
    .reset = stamps_reset,
    .installed = stamps_set,
    .used = stamps_set,
    .victim = stamps_oldest,
};
