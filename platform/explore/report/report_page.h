/* SPDX-License-Identifier: MIT */
/* One page that holds everything: the text of page/, the plotting library with its licences, and the data. */
#ifndef EXPLORE_REPORT_PAGE_H
#define EXPLORE_REPORT_PAGE_H

#include <jansson.h>
#include <stddef.h>

/* The folder of page.html and of what it names. A line `<!-- insert KIND FILE -->` of page.html stands for a file of the
 * folder: KIND is `style`, `script`, or `text` (what HTML would take for its own is escaped); `<!-- insert data -->` for the
 * data. Returns the page, to be freed, and its length; or NULL and *error, lines for the user, to be freed. */
char *report_page(const char *folder, const json_t *data, size_t *bytes, char **error);

/* The data as text that may stand in a script of a page: ASCII, without a '<'. To be freed. */
char *report_data_text(const json_t *data);

#endif
