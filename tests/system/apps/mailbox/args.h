/* SPDX-License-Identifier: MIT */
#ifndef MAILBOX_ARGS_H
#define MAILBOX_ARGS_H

#include "heddle_args.h"

/* Words of the mailbox: what an initiator outside of the cores does with it. */
#define MAILBOX_STATE 0u  /* 1 = it is asked, 2 = it is done */
#define MAILBOX_SOURCE 1u /* address of an array */
#define MAILBOX_COUNT 2u  /* its words */
#define MAILBOX_RESULT 3u /* where three times each word goes */
#define MAILBOX_SUM 4u    /* of the result */
#define MAILBOX_WORDS 5u

typedef struct mailbox_args {
    hd_device_ptr mailbox;
    hd_device_ptr source;
    hd_device_ptr result;
    hd_device_ptr wrong; /* uint32_t: words that a thread did not find as they should be */
    uint32_t count;
    uint32_t first;
} mailbox_args;
HD_ARGUMENT_BLOCK(mailbox_args, 24);

#endif
