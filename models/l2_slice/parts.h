/* SPDX-License-Identifier: MIT */
/* What the files of the slice do for each other, by file. */
#ifndef L2_SLICE_PARTS_H
#define L2_SLICE_PARTS_H

#include "state.h"

/* request.c: accepts at most one request at edge n, fairly over the ports. */
void slice_accept(struct slice *slice, uint64_t n, hd_time t);
/* Carries the request out on its line, and puts its reply into the pipeline. `tapped`: NULL without taps. */
void slice_carry_out(struct slice *slice, struct line *line, const struct access *access,
                     const struct tapped_access *tapped, uint64_t n, hd_time t);
/* Data-port cycles that so many bytes take. */
uint32_t slice_cycles_for_bytes(const struct slice *slice, uint32_t bytes);

/* atomic_unit.c */
/* First edge from n on at which the request can begin; *stall: why not at n, or NO_STALL. */
uint64_t slice_atomic_begin(const struct slice *slice, const hd_packet *request, uint64_t n, uint32_t *stall);
/* Begins it, at n or when it can and the data port is free: cycles of the data port until it is over. */
uint32_t slice_atomic_cycles(struct slice *slice, const hd_packet *request, uint64_t n);

/* direct.c: carries a request out where memory is held. */
void slice_carry_out_directly(struct slice *slice, const struct access *access, const struct tapped_access *tapped,
                              uint64_t n, hd_time t);

/* execute.c: carries a request out on its line, turns it into its reply. *written: words that it wrote, a bit each. */
hd_packet *slice_execute(struct slice *slice, struct line *line, hd_packet *request, uint32_t *written, hd_time t);
/* Of the line something has changed that programs share. */
void slice_report_progress(struct slice *slice, const struct line *line, hd_time t);

/* mistakes.c: what is wrong with a request, whose address is at the place; or NULL. */
const char *slice_mistake(const struct slice *slice, const hd_packet *request, const struct place *place);

/* sectors.c */
struct access slice_access(const struct slice *slice, hd_packet *request);

/* masks.c */
/* A store that is about to be carried out: the bytes that it writes are here, of sectors that are not. */
void slice_mark_store(struct slice *slice, struct line *line, const struct access *access);
/* The same of bytes of one sector. */
void slice_mark_bytes(struct slice *slice, struct line *line, uint32_t offset, uint32_t bytes);
/* What memory has of a run of sectors, beside what has been written meanwhile. They are not yet valid for that. */
void slice_merge(struct slice *slice, struct line *line, cache_run run, const uint8_t *data);
/* How many of so many bytes of a sector are here from the first on. */
uint32_t slice_held_bytes(const struct slice *slice, uint8_t valid, uint8_t partial, const uint32_t *written,
                          uint32_t offset, uint32_t bytes);
/* Byte enables of a write of these bytes to memory. */
void slice_enable_bytes(const struct slice *slice, const struct line *line, uint32_t begin, uint32_t bytes,
                        uint8_t *enables);

/* taps.c */
/* Asks the taps about a request that is about to be accepted. 0 if one took it. */
uint32_t slice_ask_taps(struct slice *slice, hd_packet *request, uint32_t port, struct tapped_access *tapped,
                        hd_time t);
void slice_notify_release(const struct slice *slice, const struct line *line, hd_packet *reply,
                          const struct tapped_access *tapped, uint32_t written, hd_time t);

/* tags.c */
/* Where the line of the address is, and in which partition. The bits that choose the partition are equal in all addresses of a slice. */
static inline struct place slice_place(const struct slice *slice, uint64_t address)
{
    uint32_t partition;
    const uint64_t line = line_address(address);
    const uint64_t offset = hd_interleave_offset(&slice->interleave, line, &partition);
    return (struct place){.address = line,
                          .offset = offset,
                          .set = cache_tags_set(&slice->tags, offset / HD_LINE_BYTES),
                          .partition = partition};
}
static inline struct line *slice_find_line(const struct slice *slice, const struct place *place)
{
    const uint32_t found = cache_tags_find(&slice->tags, place->set, place->address);
    return found == CACHE_NO_PLACE ? NULL : &slice->lines[found];
}
static inline void slice_touch(struct slice *slice, const struct line *line)
{
    cache_tags_use(&slice->tags, (uint32_t)(line - slice->lines));
}
/* Makes room in the set, evicting if it must, and installs the line: no sector is valid. */
struct line *slice_install(struct slice *slice, const struct place *place);
/* Takes the line out of its set, as it is, to where it is put together. */
void slice_move_out(struct slice *slice, struct line *line, struct line *to);
/* No lines; replacement as after reset. */
void slice_invalidate_all(struct slice *slice);

/* mshr.c */
struct miss *slice_find_miss(const struct slice *slice, uint64_t address); /* NULL: the line is not awaited */
struct miss *slice_take_mshr(struct slice *slice, uint64_t address);       /* one must be free */
void slice_release_mshr(struct slice *slice, struct miss *miss);
static inline uint32_t slice_mshr_of(const struct slice *slice, const struct miss *miss)
{
    return (uint32_t)(miss - slice->misses);
}
/* There must be room. */
void slice_add_target(struct slice *slice, struct miss *miss, const struct access *access,
                      const struct tapped_access *tapped);
/* Carries out on the line, in order, the targets that nothing is missing for any more. */
void slice_serve_targets(struct slice *slice, struct miss *miss, struct line *line, uint64_t n, hd_time t);

/* uncached.c */
/* Nonzero: out of memory. */
int slice_uncached_create(struct slice *slice, uint32_t limit);
void slice_uncached_destroy(struct slice *slice);
void slice_uncached_reset(struct slice *slice);
static inline uint32_t slice_is_uncached(const struct slice *slice, const hd_packet *request)
{
    return request->message == slice->message.uncached_load || request->message == slice->message.uncached_store;
}
/* Why none can be accepted now, or NO_STALL. */
uint32_t slice_uncached_stall(const struct slice *slice);
/* Takes the request over. */
void slice_begin_uncached(struct slice *slice, hd_packet *request, uint64_t n, hd_time t);
/* Memory has answered one. */
void slice_answer_uncached(struct slice *slice, const hd_packet *response, uint64_t n, hd_time t);

/* buffers.c */
/* Nonzero: out of memory. */
int slice_buffers_create(struct slice *slice, uint32_t lines);
void slice_buffers_destroy(struct slice *slice);
void slice_buffers_reset(struct slice *slice);
static inline uint32_t slice_is_buffered(const struct slice *slice, const hd_packet *request)
{
    return request->message == slice->message.buffer_load || request->message == slice->message.buffer_store;
}
/* What is wrong with such a request; NULL: nothing. */
const char *slice_buffer_mistake(const struct slice *slice, const hd_packet *request);
/* Takes the request over. There is room for its reply. */
void slice_begin_buffered(struct slice *slice, hd_packet *request, uint64_t n, hd_time t);

/* memory.c */
/* Reads and writes leave in the order in which they are put here. */
void slice_put_memory(struct slice *slice, hd_packet *packet, uint64_t address, uint32_t bytes);
/* Can one more line be evicted, now or when an outstanding miss is filled? */
uint32_t slice_has_write_back_room(const struct slice *slice);
/* Fetches sectors, on behalf of a request of this class. */
void slice_fetch(struct slice *slice, struct miss *miss, uint8_t sectors, uint32_t traffic_class);
/* Sends what is dirty to memory; nothing is dirty any more. */
void slice_write_back(struct slice *slice, struct line *line);
/* The first of what goes to memory, if it has a credit. There is one. */
void slice_send_memory(struct slice *slice, hd_time t);

/* fill.c: takes a response of memory. One must have arrived by t. */
void slice_take_response(struct slice *slice, uint64_t n, hd_time t);

/* Tags of memory requests: an MSHR and the first of the sectors, or a write-back. */
#define TAG_WRITE_BACK (UINT64_C(1) << 32)
#define TAG_UNCACHED (UINT64_C(1) << 33) /* and its place */
#define TAG_SECTOR_SHIFT 24

/* reply.c */
/* The data port is taken for so many cycles, from edge n or from when it is free. */
void slice_take_port(struct slice *slice, uint32_t cycles, uint64_t n);
/* A reply that was its request goes back to whoever has sent that. */
static inline void slice_turn_back(const struct slice *slice, hd_packet *reply)
{
    reply->destination = reply->source;
    reply->source = (uint16_t)slice->services->endpoint;
    reply->unit = HD_DESTINATION_DEFAULT;
}
/* A reply leaves `latency` cycles after the data port has moved it, that of an atomic `atomic_latency` later. */
void slice_put_reply(struct slice *slice, hd_packet *reply, uint32_t port_cycles, uint64_t n, hd_time t);
void slice_send_replies(struct slice *slice, uint64_t n, hd_time t);
/* Edge from which the first reply of a queue that has some may leave. */
static inline uint64_t slice_ready_of(const struct reply_queue *queue)
{
    return queue->replies[queue->ring.first].ready;
}
/* The queue whose first leaves next, or NULL. */
static inline struct reply_queue *slice_next_reply(struct reply_port *port)
{
    struct reply_queue *plain = &port->queues[QUEUE_PLAIN], *atomic = &port->queues[QUEUE_ATOMIC];
    if (!atomic->ring.count)
        return plain->ring.count ? plain : NULL;
    return plain->ring.count && slice_ready_of(plain) < slice_ready_of(atomic) ? plain : atomic;
}

/* untimed.c */
/* What was written without time since memory was asked for the run, over what memory answers. */
void slice_lay_newer(const struct slice *slice, const struct miss *miss, cache_run run, uint8_t *data);
uint32_t slice_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);

/* fast_forward.c */
extern const hd_fast_forward slice_fast_forward;

/* extension.c */
const void *slice_extension(hd_block *block, const char *id);

/* slice.c: time */
/* create.c: life */
uint32_t slice_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
hd_block *slice_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
hd_block *slice_create_write_through(const hd_services *services, const hd_value *values, char *error,
                                     size_t error_bytes);
void slice_attach(hd_block *block, uint32_t element, const hd_tap *tap, hd_block *listener, uint32_t listener_element);
void slice_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void slice_reset(hd_block *block);
/* Arbiters and reservations as after reset. */
void slice_forget_use(struct slice *slice);
hd_time slice_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time slice_promise(hd_block *block, hd_time now);
void slice_destroy(hd_block *block);

/* checkpoint.c */
extern const hd_state slice_state;

#endif
