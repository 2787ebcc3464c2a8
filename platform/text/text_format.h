/* SPDX-License-Identifier: MIT */
/* How a list is written. */
#ifndef TEXT_FORMAT_H
#define TEXT_FORMAT_H

enum text_format { TEXT_PLAIN, TEXT_MARKDOWN };

#endif
