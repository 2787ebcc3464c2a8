/* SPDX-License-Identifier: MIT */
/* The policies of this folder, which differ in their kind. */
#include "tables.h"
#include "usage.h"

#define PARAMETER(identifier, name_, type_, unit_, standard_, minimum_, maximum_, choices_, doc_)                      \
    {.name = (name_),                                                                                                  \
     .type = HD_TYPE_##type_,                                                                                          \
     .unit = HD_UNIT_##unit_,                                                                                          \
     .standard = (standard_),                                                                                          \
     .minimum = (minimum_),                                                                                            \
     .maximum = (maximum_),                                                                                            \
     .choices = (choices_),                                                                                            \
     .doc = (doc_)},
#define STATISTIC(identifier, policy, name_, unit_, kind_, doc_)                                                       \
    {.name = policy "_" name_,                                                                                         \
     .unit = (unit_),                                                                                                  \
     .kind = HD_STATISTIC_##kind_,                                                                                     \
     .when = HD_STATISTIC_SELDOM,                                                                                      \
     .doc = (doc_)},

#define LENGTH(table) (sizeof(table) / sizeof *(table))

#define UNIT(policy, doc_, messages_)                                                                                  \
    const hd_unit hd_thread_block_policy_##policy = {                                                                  \
        HD_UNIT_HEAD(thread_block_policy, THREAD_BLOCK_POLICY, policy),                                                \
        .doc = (doc_),                                                                                                 \
        .source = "Beaumont 2019 §3.4, §3.5",                                                                          \
        .parameter_count = LENGTH(policy##_parameters),                                                                \
        .parameters = policy##_parameters,                                                                             \
        .statistic_count = LENGTH(policy##_statistics),                                                                \
        .statistics = policy##_statistics,                                                                             \
        .message_count = LENGTH(messages_),                                                                            \
        .messages = (messages_),                                                                                       \
    };

#define FUNCTIONS                                                                                                      \
    .destroy = usage_destroy, .reset = usage_reset, .event = usage_event, .choose_core = usage_choose_core,            \
    .watch = usage_watch, .transfer = usage_transfer
#define PREEMPTING_FUNCTIONS                                                                                           \
    .choose_victim = usage_choose_victim, .choose_saved = usage_choose_saved, .next = usage_next, .saved_first = 1

static const hd_message_use levels[] = {THREAD_BLOCK_POLICY_LEVELS};
static const hd_message_use levels_and_moves[] = {THREAD_BLOCK_POLICY_LEVELS, THREAD_BLOCK_POLICY_MOVES};

/* ---- rut ------------------------------------------------------------------------------------------------------------------- */

static thread_block_policy *rut_create(const thread_block_policy_parameters *given)
{
    return usage_create(given, (usage_kind){.predicts = USAGE_OF_BLOCKS, .tracks = USAGE_OF_BLOCKS, .preempts = 1});
}
const thread_block_policy_unit thread_block_policy_rut = {.create = rut_create, FUNCTIONS, PREEMPTING_FUNCTIONS};
static const hd_parameter rut_parameters[] = {USAGE_LEVEL_PARAMETERS(PARAMETER) USAGE_PERIOD_PARAMETERS(
    PARAMETER) USAGE_PREEMPTION_PARAMETERS(PARAMETER) USAGE_TABLE_PARAMETERS(PARAMETER)};
static const hd_statistic rut_statistics[] = {USAGE_COMMON_STATISTICS(STATISTIC, "rut") USAGE_PREEMPTION_STATISTICS(
    STATISTIC, "rut") USAGE_TABLE_STATISTICS(STATISTIC, "rut")};
UNIT(rut,
     "a block is placed by the levels of the last one with its place in the resource-usage table, and leaves when its "
     "own rise beyond "
     "what its core has room for",
     levels_and_moves)

/* ---- rut_predict_only ------------------------------------------------------------------------------------------------------ */

static thread_block_policy *rut_predict_only_create(const thread_block_policy_parameters *given)
{
    return usage_create(given, (usage_kind){.predicts = USAGE_OF_BLOCKS, .tracks = USAGE_OF_BLOCKS});
}
const thread_block_policy_unit thread_block_policy_rut_predict_only = {.create = rut_predict_only_create, FUNCTIONS};
static const hd_parameter rut_predict_only_parameters[] = {
    USAGE_LEVEL_PARAMETERS(PARAMETER) USAGE_PERIOD_PARAMETERS(PARAMETER) USAGE_TABLE_PARAMETERS(PARAMETER)};
static const hd_statistic rut_predict_only_statistics[] = {USAGE_COMMON_STATISTICS(STATISTIC, "rut_predict_only")
                                                               USAGE_TABLE_STATISTICS(STATISTIC, "rut_predict_only")};
UNIT(rut_predict_only, "as rut, but no block leaves its core", levels)

/* ---- rut_preempt_only ------------------------------------------------------------------------------------------------------ */

static thread_block_policy *rut_preempt_only_create(const thread_block_policy_parameters *given)
{
    return usage_create(given, (usage_kind){.predicts = USAGE_OF_KERNELS, .tracks = USAGE_OF_BLOCKS, .preempts = 1});
}
const thread_block_policy_unit thread_block_policy_rut_preempt_only = {
    .create = rut_preempt_only_create, FUNCTIONS, PREEMPTING_FUNCTIONS};
static const hd_parameter rut_preempt_only_parameters[] = {
    USAGE_LEVEL_PARAMETERS(PARAMETER) USAGE_PERIOD_PARAMETERS(PARAMETER) USAGE_PREEMPTION_PARAMETERS(PARAMETER)};
static const hd_statistic rut_preempt_only_statistics[] = {
    USAGE_COMMON_STATISTICS(STATISTIC, "rut_preempt_only") USAGE_PREEMPTION_STATISTICS(STATISTIC, "rut_preempt_only")};
UNIT(rut_preempt_only, "as rut, but a block is placed by the mean of its kernel", levels_and_moves)

/* ---- static_oracle --------------------------------------------------------------------------------------------------------- */

static thread_block_policy *static_oracle_create(const thread_block_policy_parameters *given)
{
    return usage_create(given, (usage_kind){.predicts = USAGE_OF_PROFILE, .tracks = USAGE_OF_PROFILE});
}
const thread_block_policy_unit thread_block_policy_static_oracle = {.create = static_oracle_create,
                                                                    .destroy = usage_destroy,
                                                                    .reset = usage_reset,
                                                                    .event = usage_event,
                                                                    .choose_core = usage_choose_core,
                                                                    .transfer = usage_transfer};
static const hd_parameter static_oracle_parameters[] = {USAGE_LEVEL_PARAMETERS(PARAMETER)
                                                             USAGE_PROFILE_PARAMETERS(PARAMETER)};
static const hd_requirement static_oracle_needs[] = {
    {.what = HD_REQUIRES_FILE, .sentence = "needs a profile that can be read", .parameter = ".profile"}};
const hd_unit hd_thread_block_policy_static_oracle = {
    HD_UNIT_HEAD(thread_block_policy, THREAD_BLOCK_POLICY, static_oracle),
    .doc = "all blocks of a kernel count with what it has used on the average in another run, whose profile is read",
    .source = "Beaumont 2019 §3.5",
    .parameter_count = LENGTH(static_oracle_parameters),
    .parameters = static_oracle_parameters,
    .requirement_count = LENGTH(static_oracle_needs),
    .requirements = static_oracle_needs,
};

/* ---- kernel_profile -------------------------------------------------------------------------------------------------------- */

static thread_block_policy *kernel_profile_create(const thread_block_policy_parameters *given)
{
    return usage_create(given, (usage_kind){.predicts = USAGE_OF_KERNELS, .tracks = USAGE_OF_KERNELS, .preempts = 1});
}
const thread_block_policy_unit thread_block_policy_kernel_profile = {
    .create = kernel_profile_create, FUNCTIONS, PREEMPTING_FUNCTIONS};
static const hd_parameter kernel_profile_parameters[] = {
    USAGE_LEVEL_PARAMETERS(PARAMETER) USAGE_PERIOD_PARAMETERS(PARAMETER) USAGE_PREEMPTION_PARAMETERS(PARAMETER)};
static const hd_statistic kernel_profile_statistics[] = {USAGE_COMMON_STATISTICS(STATISTIC, "kernel_profile")
                                                             USAGE_PREEMPTION_STATISTICS(STATISTIC, "kernel_profile")};
UNIT(kernel_profile,
     "all blocks of a kernel count with the mean of its windows; where it rises beyond what a core has room for, the "
     "newest of them "
     "there leaves",
     levels_and_moves)
