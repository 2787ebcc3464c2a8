/* SPDX-License-Identifier: MIT */
/* Where the page of a report goes. Each returns 1, or 0 and *error, lines for the user, to be freed; nothing is left half done. */
#ifndef EXPLORE_REPORT_FILE_H
#define EXPLORE_REPORT_FILE_H

#include <stddef.h>

/* Whether it could be written now. */
int report_file_check(const char *path, char **error);
int report_file_write(const char *path, const char *page, size_t bytes, char **error);

#endif
