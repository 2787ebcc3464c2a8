/* SPDX-License-Identifier: MIT */
#include "stamps.h"

static void ignore(replacement *unit, uint32_t line)
{
    (void)unit;
    (void)line;
}

const replacement_unit replacement_fifo = {
    .create = stamps_create,
    .destroy = stamps_destroy,
    .reset = stamps_reset,
    .installed = stamps_set,
    .used = ignore,
    .victim = stamps_oldest,
    .transfer = stamps_transfer,
};

const hd_unit hd_replacement_fifo = {
    HD_UNIT_HEAD(replacement, REPLACEMENT, fifo),
    .doc = "first in, first out: the line that came first, whatever its uses",
    .source = "Smith 1982 §2.4",
};
