/* SPDX-License-Identifier: MIT */
/*
 * The part of a link that its two ends may look at: the oldest packet on it, and credits in hand. What a block asks most often
 * is read in place, without a call of the platform. The functions below answer as those of hd_services do, for the link and
 * a time within the call of advance; the latter remain, for whoever does not include this.
 *
 * Only the receiver may look at the head of a link, only the sender at the hand, and nobody but the platform writes either.
 */
#ifndef HD_LINK_H
#define HD_LINK_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a link begins. */
typedef struct hd_link_head {
    hd_time arrival;   /* of the oldest packet that has not been popped; HD_NEVER: the link is empty */
    hd_packet *packet; /* that one, which is the platform's; NULL: the link is empty */
} hd_link_head;

/* So many bytes behind the begin of a link, on a cache line of its own: the two ends may be on different threads. */
#define HD_LINK_HAND_OFFSET 64u
typedef struct hd_link_hand {
    uint32_t credits; /* at least so many; others may have arrived, which services->credits counts */
} hd_link_hand;

/* services->arrival */
static inline hd_time hd_link_arrival(const hd_link *link)
{
    return ((const hd_link_head *)link)->arrival;
}

/* services->peek */
static inline const hd_packet *hd_link_peek(const hd_link *link, hd_time t)
{
    const hd_link_head *head = (const hd_link_head *)link;
    return head->arrival <= t ? head->packet : NULL;
}

/* services->pop: a call only if there is something to pop. */
static inline hd_packet *hd_link_pop(const hd_services *services, hd_link *link, hd_time t)
{
    return hd_link_arrival(link) <= t ? services->pop(services->context, link, t) : NULL;
}

/* Whether services->credits is more than `count`: a call only if no more are in hand. */
static inline uint32_t hd_link_has_credits_beyond(const hd_services *services, hd_link *link, hd_time t, uint32_t count)
{
    const hd_link_hand *hand = (const hd_link_hand *)((const char *)link + HD_LINK_HAND_OFFSET);
    return hand->credits > count || services->credits(services->context, link, t) > count;
}

/* Whether there is one. */
static inline uint32_t hd_link_has_credit(const hd_services *services, hd_link *link, hd_time t)
{
    return hd_link_has_credits_beyond(services, link, t, 0);
}

#ifdef __cplusplus
}
#endif

#endif
