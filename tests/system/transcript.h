/* SPDX-License-Identifier: MIT */
/* Golden transcripts of sessions. */
#ifndef SYSTEM_TRANSCRIPT_H
#define SYSTEM_TRANSCRIPT_H

/* Line by line; "..." in the golden one is any text. */
void expect_alike(const char *transcript, const char *golden);

#endif
