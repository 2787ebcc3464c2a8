/* SPDX-License-Identifier: MIT */
/* Mistakes that a check has found: each place in the program once, with what it was like the first time. */
#ifndef HD_ACCESS_FINDINGS_H
#define HD_ACCESS_FINDINGS_H

#include "hd_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What makes two the same. */
typedef struct hd_access_finding_key {
    uint32_t module;
    uint32_t kind; /* the check's own */
    uint32_t pc[2];
} hd_access_finding_key;

struct hd_access_finding;
typedef struct hd_access_findings {
    struct hd_access_finding *items; /* in the order in which they were found */
    uint32_t count, capacity;
    uint64_t times; /* of all */
} hd_access_findings;

/* Once more. Returns 1 if it is new; then its lines are to be added, as printf, the first without indentation. */
uint32_t hd_access_findings_add(hd_access_findings *findings, const hd_access_finding_key *key);
void hd_access_findings_line(hd_access_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Of those found since the last call, the first few; returns how many there are. */
uint32_t hd_access_findings_print(hd_access_findings *findings, const hd_text_sink *sink);
void hd_access_findings_free(hd_access_findings *findings);

#ifdef __cplusplus
}
#endif

#endif
