/* SPDX-License-Identifier: MIT */
/* The figures of a report as files: Node.js runs the page's own drawing, without a browser. */
#ifndef EXPLORE_REPORT_PICTURES_H
#define EXPLORE_REPORT_PICTURES_H

#include <jansson.h>

/* folder: that of pictures.mjs. kept: store and page, which no picture may take the place of. svg, png: where files of that kind go; made if they are not there; NULL: none are wanted.
 * Returns 1 and *said, what was written; or 0 and *said, lines for the user. To be freed in both cases. */
int report_pictures(const char *folder, const json_t *data, const char *const kept[2], const char *svg, const char *png,
                    char **said);

#endif
