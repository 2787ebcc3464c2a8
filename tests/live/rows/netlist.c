/* SPDX-License-Identifier: MIT */
/* Keys of netlists: the values are text that is laid over the run's machine. */
#include "../live.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define DEVICES HEDDLE_MACHINES "/../dram"
#define TABLES HEDDLE_MACHINES "/../energy"
#define REQUESTS "from: core.request, to: request_network.input, latency: 8 cycles, credits: 24"

/* clang-format off */
LIVE_TABLE(live_machine_keys, "machine",
    {"heddle", "heddle: 1 | heddle: 2", "integer", "refused: format version '2'"},
    {"name", "name: one | name: other", "integer", "/machine/name differs; time stays"},
    {"description", "description: one | description: other", "integer", "/machine/description differs; time stays"},
    {"extends", "extends: " SMALL " | extends: " HEDDLE_MACHINES "/gtx480.yaml", "crowd", "/machine/links differs; kernels shrinks"},
    {"remove", "remove: [] | remove: [{from: core.request, to: request_network.input}]", "integer", "refused: 'request'"},
    {"clocks", "clocks: {core: 1400 MHz} | clocks: {core: 700 MHz}", "integer", "kernels grows; simt_core.slots_issued stays"},
    {"address_map", "address_map: {interleave: 256 B} | address_map: {interleave: 100 B}", "integer", "refused: interleave"},
    {"blocks", "blocks: {core: {count: 2}} | blocks: {core: {count: 1}}", "crowd", "kernels grows"},
    {"links", "links: [{" REQUESTS "}] | links: [{" REQUESTS ", credit_latency: 1 us}]", "strided", "simt_core.stall_network grows"},
    {"watchdog", "watchdog: 2 ms | watchdog: 1 us", "everything", "fails: no progress"},
    {"launch_align", "launch_align: true | launch_align: false", "queues", "command_processor.aligned_launches shrinks"},
    {"limit", "limit: 1 s | limit: 1 us", "integer", "fails: the limit of simulated time"},
    {"perturb", "perturb: 0 | perturb: 1", "strided", "simt_core.load_latency_cycles grows"},
    {"energy", "energy: " TABLES "/gtx480.yaml | energy: " TABLES "/v100.yaml", "integer", "/energy/busy/categories_fj/total differs; time stays"},
    {"plugins", "plugins: [] | plugins: [./nowhere.so]", "integer", "refused: nowhere.so"});

LIVE_TABLE(live_address_map_keys, "address_map",
    {"partitions", "address_map: {partitions: l2} | address_map: {partitions: host}", "integer", "refused: no links lead from there to its replies"},
    {"interleave", "address_map: {interleave: 256 B} | address_map: {interleave: 4 KiB}", "strided", "/blocks/l2/instances differs"},
    {"hash", "address_map: {hash: none} | address_map: {hash: xor} | address_map: {hash: ipoly}", "strided", "/blocks/l2/instances differs"},
    {"sub_partitions", "address_map: {sub_partitions: 1} | address_map: {sub_partitions: 2, sub_interleave: 4 KiB}", "strided", "/blocks/l2/instances differs"},
    {"sub_interleave", "address_map: {sub_partitions: 2, sub_interleave: 256 B} | address_map: {sub_partitions: 2, sub_interleave: 2 KiB}", "strided", "/blocks/l2/instances differs"});

LIVE_TABLE(live_perturb_keys, "perturb",
    {"seed", "perturb: {seed: 0} | perturb: {seed: 1}", "strided", "simt_core.load_latency_cycles grows"},
    {"delay", "perturb: {seed: 1, delay: 1 ns} | perturb: {seed: 1, delay: 100 ns}", "strided", "simt_core.load_latency_cycles grows"});

LIVE_TABLE(live_block_keys, "block",
    {"kind", "blocks: {core: {kind: simt_core}} | blocks: {core: {kind: dram}}", "integer", "refused: timed"},
    {"type", "blocks: {reply_network: {type: round_robin}} | blocks: {reply_network: {type: ideal}}", "strided", "crossbar.queueing_cycles shrinks"},
    {"clock", "blocks: {l2: {clock: l2}} | blocks: {l2: {clock: core}}", "strided", "simt_core.load_latency_cycles shrinks"},
    {"count", "blocks: {core: {count: 2}} | blocks: {core: {count: 1}}", "crowd", "simt_core.sent.event.core.capacity shrinks"},
    {"parameters", "blocks: {core: {parameters: {warps: 16}}} | blocks: {core: {parameters: {warps: 4}}}", "crowd", "simt_core.maximum_warps shrinks"},
    {"parameters_from", "blocks: {dram: {parameters_from: " DEVICES "/gddr5.yaml}} | blocks: {dram: {parameters_from: " DEVICES "/gddr3.yaml}}", "memory", "dram.bus_busy_cycles grows"});

/* The keys about time and room are tried on every link of the small machine (keys.c). */
LIVE_TABLE(live_link_keys, "link",
    {"from", "links: [{" REQUESTS "}] | links: [{from: host.interrupt, to: request_network.input}]", "integer", "refused: 'host.interrupt' (receives messages) cannot be bound"},
    {"to", "links: [{" REQUESTS "}] | links: [{from: core.request, to: reply_network.input}]", "integer", "refused: 'core[0].request' is bound twice"},
    /* What they do beside models of SystemC is in system/model_options.c and asynchronous_models.c. */
    {"address", "links: [{" REQUESTS "}] | links: [{" REQUESTS ", address: machine}]", "integer", "refused: address on a link that is not of the memory protocol"},
    {"early_completion", "links: [{" REQUESTS "}] | links: [{" REQUESTS ", early_completion: false}]", "integer", "refused: early_completion on a link"},
    {"debug", "links: [{" REQUESTS "}] | links: [{" REQUESTS ", debug: absent}]", "integer", "refused: debug on a link"},
    {"answers_within", "links: [{" REQUESTS "}] | links: [{" REQUESTS ", answers_within: 10 s}]", "integer", "refused: answers_within on a link"},
    {"begins_within", "links: [{" REQUESTS "}] | links: [{" REQUESTS ", begins_within: 10 s}]", "integer", "refused: begins_within on a link"});
