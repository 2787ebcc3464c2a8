/* SPDX-License-Identifier: MIT */
/* docs/cards.md: a part of it for each card, between two comments, is written by a program. */
#ifndef CARDS_PAGE_H
#define CARDS_PAGE_H

/* What stands in the page between "<!-- measured: name -->" and the end, to be freed; asserted to be there. */
char *page_part(const char *name);
/* The three texts behind each other, to be freed. */
char *page_joined(const char *first, const char *second, const char *third);
/* Puts text there. */
void page_write(const char *name, const char *text);

#endif
