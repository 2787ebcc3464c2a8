/* SPDX-License-Identifier: MIT */
/* Statistics that are made of two others of a run: "core.lock_failures_inter_warp / core.locks_taken", failures for each lock. */
#ifndef EXPLORE_QUOTIENT_H
#define EXPLORE_QUOTIENT_H

/* What stands between the two. KERNEL/STATISTIC has no spaces. */
#define QUOTIENT_SIGN " / "

/* The name of a statistic, or of the two that one is made of. */
typedef struct quotient {
    char *dividend;
    const char *divisor; /* within the name; NULL: it is no quotient */
} quotient;

/* To be given to quotient_free. */
quotient quotient_of(const char *name);
void quotient_free(quotient *parts);

/*
 * SQL: (run, value) of a statistic; ?1 its dividend, ?2 its divisor, NULL if it has none. Runs whose divisor is 0 or not there
 * have no row.
 */
#define QUOTIENT_VALUES                                                                                                \
    "(SELECT run, value FROM"                                                                                          \
    " (SELECT dividend.run AS run, CASE WHEN ?2 IS NULL THEN dividend.value"                                           \
    "   ELSE CAST(dividend.value AS REAL) / CAST(divisor.value AS REAL) END AS value"                                  \
    "  FROM statistic AS dividend LEFT JOIN statistic AS divisor ON divisor.run = dividend.run"                        \
    "   AND divisor.name_id = (SELECT name_id FROM statistic_name WHERE name = ?2)"                                    \
    "  WHERE dividend.name_id = (SELECT name_id FROM statistic_name WHERE name = ?1))"                                 \
    " WHERE value IS NOT NULL)"

#endif
