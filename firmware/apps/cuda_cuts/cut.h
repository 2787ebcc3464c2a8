/* SPDX-License-Identifier: MIT */
/* The serial solver: flow along shortest paths to the sink, of one length after the other (Dinic 1970). */
#ifndef CUDA_CUTS_CUT_H
#define CUDA_CUTS_CUT_H

#include "image.h"

typedef struct cut {
    const image *image;
    uint64_t flow;
    uint32_t *source;                 /* [pixels], what the links still carry */
    uint32_t *sink;                   /* [pixels] */
    uint32_t *links[CUTS_DIRECTIONS]; /* [pixels] each */
    uint32_t *distance;               /* [pixels] to the sink, CUTS_UNREACHED: parted from it by the cut */
    uint32_t *queue;                  /* [pixels] */
    uint8_t *next;                    /* [pixels], the direction to try */
} cut;

static inline uint32_t cut_has_neighbour(const image *m, uint32_t pixel, uint32_t direction)
{
    switch (direction) {
    case CUTS_LEFT: return pixel % m->width != 0;
    case CUTS_UP: return pixel >= m->width;
    case CUTS_RIGHT: return pixel % m->width + 1 != m->width;
    default: return pixel + m->width < image_pixels(m);
    }
}

static inline uint32_t cut_neighbour(const image *m, uint32_t pixel, uint32_t direction)
{
    uint32_t distance = direction & 1 ? m->width : 1;
    return direction & 2 ? pixel + distance : pixel - distance;
}

static inline void cut_find_distances(cut *c)
{
    uint32_t tail = 0;
    for (uint32_t i = 0; i < image_pixels(c->image); i++) {
        c->next[i] = 0;
        c->distance[i] = c->sink[i] ? 1 : CUTS_UNREACHED;
        if (c->sink[i])
            c->queue[tail++] = i;
    }
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t to = c->queue[head];
        for (uint32_t d = 0; d < CUTS_DIRECTIONS; d++) {
            if (!cut_has_neighbour(c->image, to, d))
                continue;
            uint32_t from = cut_neighbour(c->image, to, d);
            if (c->distance[from] != CUTS_UNREACHED || !c->links[cuts_opposite(d)][from])
                continue;
            c->distance[from] = c->distance[to] + 1;
            c->queue[tail++] = from;
        }
    }
}

static inline uint32_t cut_leads_down(const cut *c, uint32_t pixel, uint32_t d)
{
    return cut_has_neighbour(c->image, pixel, d) && c->links[d][pixel] &&
           c->distance[cut_neighbour(c->image, pixel, d)] + 1 == c->distance[pixel];
}

/* One path from this pixel, on which each is nearer to the sink. Returns how many pixels it has; 0: there is none. */
static inline uint32_t cut_find_path(cut *c, uint32_t start, uint32_t *path)
{
    uint32_t length = 1;
    path[0] = start;
    for (;;) {
        uint32_t at = path[length - 1];
        if (c->distance[at] == 1 && c->sink[at])
            return length;
        while (c->next[at] < CUTS_DIRECTIONS && !cut_leads_down(c, at, c->next[at]))
            c->next[at]++;
        if (c->next[at] < CUTS_DIRECTIONS) {
            path[length++] = cut_neighbour(c->image, at, c->next[at]);
        } else {
            if (--length == 0)
                return 0;
            c->next[path[length - 1]]++;
        }
    }
}

static inline void cut_fill_path(cut *c, const uint32_t *path, uint32_t length)
{
    uint32_t first = path[0], last = path[length - 1];
    uint32_t flow = c->source[first] < c->sink[last] ? c->source[first] : c->sink[last];
    for (uint32_t i = 0; i + 1 < length; i++) {
        uint32_t room = c->links[c->next[path[i]]][path[i]];
        flow = room < flow ? room : flow;
    }
    for (uint32_t i = 0; i + 1 < length; i++) {
        uint32_t d = c->next[path[i]];
        c->links[d][path[i]] -= flow;
        c->links[cuts_opposite(d)][path[i + 1]] += flow;
    }
    c->source[first] -= flow;
    c->sink[last] -= flow;
    c->flow += flow;
}

/* All paths of the present lengths. Returns whether there was one. */
static inline uint32_t cut_fill_paths(cut *c, uint32_t *path)
{
    uint32_t found = 0;
    for (uint32_t start = 0; start < image_pixels(c->image); start++)
        while (c->source[start] && c->distance[start] != CUTS_UNREACHED) {
            uint32_t length = cut_find_path(c, start, path);
            if (!length)
                break;
            cut_fill_path(c, path, length);
            found = 1;
        }
    return found;
}

static inline uint32_t *cut_copy(const uint32_t *values, uint32_t count)
{
    uint32_t *copy = hd_host_alloc(count * sizeof(uint32_t));
    memcpy(copy, values, count * sizeof(uint32_t));
    return copy;
}

/* distance says which pixels the smallest cut leaves to the sink: there is one such set. */
static inline cut cut_solve(const image *m)
{
    uint32_t pixels = image_pixels(m);
    cut c = {.image = m,
             .source = cut_copy(m->source, pixels),
             .sink = cut_copy(m->sink, pixels),
             .links = {[CUTS_RIGHT] = cut_copy(m->right, pixels), [CUTS_DOWN] = cut_copy(m->down, pixels)},
             .distance = hd_host_alloc(pixels * sizeof(uint32_t)),
             .queue = hd_host_alloc(pixels * sizeof(uint32_t)),
             .next = hd_host_alloc(pixels)};
    c.links[CUTS_LEFT] = hd_host_alloc(pixels * sizeof(uint32_t));
    c.links[CUTS_UP] = hd_host_alloc(pixels * sizeof(uint32_t));
    memcpy(c.links[CUTS_LEFT] + 1, m->right, (pixels - 1) * sizeof(uint32_t));
    memcpy(c.links[CUTS_UP] + m->width, m->down, (pixels - m->width) * sizeof(uint32_t));
    do
        cut_find_distances(&c);
    while (cut_fill_paths(&c, c.queue));
    return c;
}

#endif
