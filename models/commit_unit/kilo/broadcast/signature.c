/* SPDX-License-Identifier: MIT */
/* 64 bits in which all words are that transactions read, and as many for those that they write (Ren & Lis 2018, fn. 3). */
#include "state.h"

void broadcast_sign(broadcast *broadcast, enum broadcast_set set, uint32_t address)
{
    broadcast->signature[set].words[hd_kilo_signature_bit(address)]++;
}

void broadcast_unsign(broadcast *broadcast, enum broadcast_set set, uint32_t address)
{
    broadcast->signature[set].words[hd_kilo_signature_bit(address)]--;
}

static uint64_t bits_of(const signature_count *signature)
{
    uint64_t bits = 0;
    for (uint32_t bit = 0; bit < HD_KILO_SIGNATURE_BITS; bit++)
        bits |= signature->words[bit] ? UINT64_C(1) << bit : 0;
    return bits;
}

uint32_t broadcast_signatures_differ(const broadcast *broadcast)
{
    uint32_t differ = 0;
    for (uint32_t set = 0; set < BROADCAST_SETS; set++)
        differ |= bits_of(&broadcast->signature[set]) != broadcast->signature[set].told;
    return differ;
}

void broadcast_tell_signatures(kilo_unit *self)
{
    broadcast *broadcast = &self->broadcast;
    for (uint32_t set = 0; set < BROADCAST_SETS; set++) {
        signature_count *signature = &broadcast->signature[set];
        const uint64_t bits = bits_of(signature);
        for (uint32_t i = 0; bits != signature->told && i < broadcast->receiver_count; i++)
            kilo_unit_send_signature(self, broadcast->receivers[i], (enum broadcast_set)set, bits);
        signature->told = bits;
    }
}
