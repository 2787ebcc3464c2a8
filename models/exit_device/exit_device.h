/* SPDX-License-Identifier: MIT */
/*
 * (exit_device, mailbox): how firmware ends the run, reads the options of the app and leaves results and texts.
 *
 *   0x000  EXIT     4 bytes, write: EXIT_PASS, EXIT_FAIL or EXIT_ERROR ends the program. Reads 0
 *   0x008  COMMAND  4 bytes, write: does one of the commands below, at once
 *   0x010  VALUE    8 bytes: a number that goes with the command
 *   0x018  STATUS   4 bytes, read: the answer of the last command
 *   0x100  TEXT     1024 bytes: a text that goes with the command; it ends at a zero byte, or at the end
 *
 *   MAILBOX_OPTION  TEXT is the name of an option. STATUS 1: it is set, and TEXT is its value now; 0: it is not
 *   MAILBOX_UNREAD  STATUS is how many options are set that nobody has asked for; TEXT is the name of the first
 *   MAILBOX_REPORT  VALUE is a result by the name in TEXT; the last value of a name counts. STATUS 0: no room for it
 *   MAILBOX_MESSAGE TEXT says why the program fails
 */
#ifndef EXIT_DEVICE_H
#define EXIT_DEVICE_H

#include "hd_block.h"
#include "hd_host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EXIT_PASS 0x5555u
#define EXIT_FAIL 0x3333u
#define EXIT_ERROR 0x7777u

#define MAILBOX_OPTION 1u
#define MAILBOX_UNREAD 2u
#define MAILBOX_REPORT 3u
#define MAILBOX_MESSAGE 4u

#define MAILBOX_TEXT_BYTES 1024u
#define MAILBOX_REPORTS_MAX 256u

extern const hd_block_class hd_exit_device_mailbox;

/* For the platform: the options, borrowed until destroy. Takes effect at the next reset. */
void hd_exit_device_set_options(hd_block *block, const hd_host_option *options, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
