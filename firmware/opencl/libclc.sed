# SPDX-License-Identifier: MIT
# What of libclc's text for NVIDIA's devices is another thing on Heddle's.
#
# Atomics order nothing beside themselves: fences and barriers do. A compare and swap is one instruction, not a loop.
/ = atomicrmw /s/ seq_cst/ monotonic/
s/ = cmpxchg (volatile )?ptr (%[^,]*), i32 ([^,]*), i32 ([^ ]*) seq_cst seq_cst.*/ = call { i32, i1 } @heddle_compare_swap(ptr \2, i32 \3, i32 \4)/
# The native_ functions are those of the special function unit; nothing else calls these.
/^declare float @llvm\.(sin|cos|exp2|log2|exp|log|log10)\.f32\(/d
s/@llvm\.(sin|cos|exp2|log2|exp|log|log10)\.f32\(/@heddle_native_\1(/
# A library is linked for what a program calls of it: all of it has to be there.
s/^define linkonce_odr /define /
$a\
declare { i32, i1 } @heddle_compare_swap(ptr, i32, i32)\
declare float @heddle_native_sin(float)\
declare float @heddle_native_cos(float)\
declare float @heddle_native_exp(float)\
declare float @heddle_native_exp2(float)\
declare float @heddle_native_log(float)\
declare float @heddle_native_log2(float)\
declare float @heddle_native_log10(float)
