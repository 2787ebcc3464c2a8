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
 *   MAILBOX_OPTION  VALUE is a number from 0. STATUS 1: there are more options than that, and TEXT is "name=value"; 0: there
 *                   are not
 *   MAILBOX_REPORT  VALUE is a result by the name in TEXT; the last value of a name counts. STATUS 0: no room for it
 *   MAILBOX_MESSAGE TEXT says why the program fails
 *   MAILBOX_LAUNCH  TEXT is a mailbox_launch, VALUE its number: launches come in order. STATUS 0: no room for it
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
#define MAILBOX_REPORT 2u
#define MAILBOX_MESSAGE 3u
#define MAILBOX_LAUNCH 4u

#define MAILBOX_TEXT_BYTES 1024u
#define MAILBOX_REPORTS_MAX 256u
#define MAILBOX_LAUNCHES_MAX 65536u

/* One launch: what hd_host_launch (hd_host.h) says. */
typedef struct mailbox_launch {
    char kernel[64];
    uint32_t queue;
    uint32_t complete;
    uint32_t grid_size[3];
    uint32_t block_size[3];
    uint64_t start_cycle;
    uint64_t end_cycle;
} mailbox_launch;

/* Registers, from the first one on. */
#define MAILBOX_REGISTER_EXIT 0x000u
#define MAILBOX_REGISTER_COMMAND 0x008u
#define MAILBOX_REGISTER_VALUE 0x010u
#define MAILBOX_REGISTER_STATUS 0x018u
#define MAILBOX_REGISTER_TEXT 0x100u

extern const hd_block_class hd_exit_device_mailbox;

/* For the platform: the options, borrowed until destroy. Takes effect at the next reset. */
void hd_exit_device_set_options(hd_block *block, const hd_host_option *options, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
