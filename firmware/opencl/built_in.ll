; SPDX-License-Identifier: MIT
; What OpenCL C has no words for: instructions of docs/isa.md.
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
target triple = "riscv32-unknown-unknown-elf"

; amocas.w, which libclc's atomic_cmpxchg calls (libclc.sed)
define { i32, i1 } @heddle_compare_swap(ptr %place, i32 %expected, i32 %desired) alwaysinline nounwind {
  %before = call i32 asm sideeffect ".insn r 0x2F, 2, 0x14, $0, $1, $2", "=&r,r,r,0,~{memory}"(ptr %place, i32 %desired, i32 %expected) nounwind
  %done = icmp eq i32 %before, %expected
  %first = insertvalue { i32, i1 } undef, i32 %before, 0
  %both = insertvalue { i32, i1 } %first, i1 %done, 1
  ret { i32, i1 } %both
}

; Fences between the instructions of a thread. Local memory is accessed in order.
define void @_Z9mem_fencej(i32 %flags) alwaysinline nounwind {
  %global = and i32 %flags, 2
  %is_global = icmp ne i32 %global, 0
  br i1 %is_global, label %fence, label %order
fence:
  call void asm sideeffect "fence rw, rw", "~{memory}"() nounwind
  ret void
order:
  call void asm sideeffect "", "~{memory}"() nounwind
  ret void
}
define void @_Z14read_mem_fencej(i32 %flags) alwaysinline nounwind {
  call void @_Z9mem_fencej(i32 %flags)
  ret void
}
define void @_Z15write_mem_fencej(i32 %flags) alwaysinline nounwind {
  call void @_Z9mem_fencej(i32 %flags)
  ret void
}

; For libclc's own use: calls in programs have numbers of their own (platform/kernelc/sites.c).
define void @_Z7barrierj(i32 %flags) alwaysinline convergent nounwind {
  call void @_Z9mem_fencej(i32 %flags)
  call void asm sideeffect "0:\09.insn i 0x0B, 3, x0, x0, 0\0A\09.pushsection .heddle.convergent\0A\09.word 0b, 0x80000000 + ${:uid}\0A\09.popsection", "~{memory}"() convergent nounwind
  ret void
}

; As clang calls libclc's function of that name, which is mangled otherwise
define void @_Z17wait_group_eventsiPU3AS49ocl_event(i32 %count, ptr %events) alwaysinline convergent nounwind {
  call void @_Z7barrierj(i32 3)
  ret void
}

; The special function unit (firmware/include/simt_special.h)
define float @heddle_special_reciprocal(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm ".insn r 0x2B, 7, 0, $0, $1, f0", "=f,f"(float %x) nounwind memory(none)
  ret float %value
}
define float @heddle_special_square_root(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm ".insn r 0x2B, 7, 1, $0, $1, f0", "=f,f"(float %x) nounwind memory(none)
  ret float %value
}
define float @heddle_special_reciprocal_root(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm ".insn r 0x2B, 7, 2, $0, $1, f0", "=f,f"(float %x) nounwind memory(none)
  ret float %value
}
define float @heddle_native_sin(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm ".insn r 0x2B, 7, 3, $0, $1, f0", "=f,f"(float %x) nounwind memory(none)
  ret float %value
}
define float @heddle_native_cos(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm ".insn r 0x2B, 7, 4, $0, $1, f0", "=f,f"(float %x) nounwind memory(none)
  ret float %value
}
define float @heddle_native_exp2(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm ".insn r 0x2B, 7, 5, $0, $1, f0", "=f,f"(float %x) nounwind memory(none)
  ret float %value
}
define float @heddle_native_log2(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm ".insn r 0x2B, 7, 6, $0, $1, f0", "=f,f"(float %x) nounwind memory(none)
  ret float %value
}
define float @heddle_native_exp(float %x) alwaysinline nounwind memory(none) {
  %scaled = fmul float %x, 0x3FF7154760000000 ; log2(e)
  %value = call float @heddle_native_exp2(float %scaled)
  ret float %value
}
define float @heddle_native_log(float %x) alwaysinline nounwind memory(none) {
  %binary = call float @heddle_native_log2(float %x)
  %value = fmul float %binary, 0x3FE62E4300000000 ; ln(2)
  ret float %value
}
define float @heddle_native_log10(float %x) alwaysinline nounwind memory(none) {
  %binary = call float @heddle_native_log2(float %x)
  %value = fmul float %binary, 0x3FD3441360000000 ; log10(2)
  ret float %value
}
; Scalars that libclc makes of an IEEE division or root
define float @_Z12native_recipf(float %x) alwaysinline nounwind memory(none) {
  %value = call float @heddle_special_reciprocal(float %x)
  ret float %value
}
define float @_Z11native_sqrtf(float %x) alwaysinline nounwind memory(none) {
  %value = call float @heddle_special_square_root(float %x)
  ret float %value
}
define float @_Z12native_rsqrtf(float %x) alwaysinline nounwind memory(none) {
  %value = call float @heddle_special_reciprocal_root(float %x)
  ret float %value
}
define float @_Z13native_divideff(float %x, float %y) alwaysinline nounwind memory(none) {
  %reciprocal = call float @heddle_special_reciprocal(float %y)
  %value = fmul float %x, %reciprocal
  ret float %value
}
