/* SPDX-License-Identifier: MIT */
/*
 * Messages between cores and the ticket office: one warp of the machine has the ticket, and is in a transaction alone. They pass by
 * the cores' links for transactions, which keep their order. All have `flow`, the warp's number in the machine.
 */
#ifndef TICKET_H
#define TICKET_H

#include "hd_block.h"

#define TICKET_ASK "toy.ticket_ask/1"         /* core: the warp wants the ticket */
#define TICKET_GRANTED "toy.ticket_granted/1" /* office: it has it. tag: how many have had it before, and 1 */
/* Core: the warp has committed this word. address; argument: value; tag: bytes of it, a bit each; epoch: the attempt. */
#define TICKET_WORD "toy.ticket_word/1"
#define TICKET_WRITTEN "toy.ticket_written/1" /* core: those were all. argument 1: it gives the ticket back */
#define TICKET_STORED "toy.ticket_stored/1"   /* office: they are in memory */

extern const hd_block_class ticket_office;
extern const struct hd_unit ticket_unit;

#endif
