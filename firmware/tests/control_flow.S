# SPDX-License-Identifier: MIT
# Shapes of control flow and where lanes that part must meet. flow_oracle checks, for each NAME:
#
#   parts NAME            in front of a branch or an indirect jump
#   meets NAME            in front of the instruction where its lanes meet, or
#   meets_at_return NAME  anywhere: they meet at the return of the function
        .option norelax
        .macro  marker name
        .type   \name, @object
        .size   \name, 0
\name:
        .endm
        .macro  parts name
        marker  \name\()_parts
        .endm
        .macro  meets name
        marker  \name\()_meets
        .endm
        .macro  meets_at_return name
        marker  \name\()_meets_at_return
        .endm
        .macro  function name
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .text

        function multiple_returns
        parts   one_of_three_returns
        beqz    a0, 1f
        parts   one_of_two_returns
        beqz    a1, 2f
        ret
1:      addi    a0, a0, 1
        ret
2:      addi    a0, a0, 2
        meets_at_return one_of_three_returns
        meets_at_return one_of_two_returns
        ret

        function call_that_traps
        parts   over_a_trap
        bnez    a0, 1f
        jal     ra, trap                # never comes back: its lanes are not waited for
1:      meets   over_a_trap
        addi    a0, a0, 1
        ret

        function call_that_loops
        parts   over_a_loop
        bnez    a0, 1f
        jal     ra, calls_endless
        ret
1:      meets   over_a_loop
        addi    a0, a0, 1
        ret

        function calls_endless
        addi    sp, sp, -16
        jal     ra, endless
        ret

        function trap
        ebreak

        function failed_assertion
        parts   over_an_assertion
        bnez    a0, 1f
        .word   0xC005700B              # assert.fail
1:      meets   over_an_assertion
        ret

        function endless
        meets   in_an_endless_loop
1:      addi    t0, t0, 1
        parts   in_an_endless_loop      # the next turn
        beqz    t0, 2f
        addi    t1, t1, 1
        j       1b
2:      addi    t1, t1, 2
        j       1b

        function into_an_endless_loop
        parts   return_or_for_ever
        beqz    a0, 1f
        meets_at_return return_or_for_ever
        ret
1:      j       1b

        function tail_call_in_one_arm
        parts   tail_call_or_return
        beqz    a0, 1f
        j       leaf                    # a jump at this depth: leaf returns for this function
1:      meets_at_return tail_call_or_return
        ret

        function tail_call_in_both_arms
        parts   into_the_callee
        beqz    a0, 1f
        addi    a1, a1, 1
        j       leaf
1:      addi    a1, a1, 2
        j       leaf

        function leaf
        meets   into_the_callee
        addi    a0, a0, 1
        parts   in_the_callee
        beqz    a1, 1f
        addi    a0, a0, 2
1:      meets   in_the_callee
        ret

        # Two functions end in one piece of code, as gcc's -msave-restore does.
        function first_with_shared_end
        parts   first_user
        beqz    a0, 1f
        j       shared_end
1:      addi    a0, a0, 1
        j       shared_end

        function second_with_shared_end
        parts   second_user
        beqz    a0, shared_end
        addi    a0, a0, 1
        j       shared_end

shared_end:
        meets   first_user
        meets   second_user
        lw      ra, 12(sp)
        addi    sp, sp, 16
        ret

        function switch_by_comparison
        li      t0, 1
        parts   case_0
        beqz    a0, 1f
        parts   case_1
        beq     a0, t0, 2f
        addi    a1, a1, 3
        j       3f
1:      addi    a1, a1, 1
        j       4f
2:      addi    a1, a1, 2
3:      meets   case_1
        addi    a1, a1, 4
4:      meets   case_0
        ret

        # Its targets are not known: a jump through a table leads to the return.
        function switch_by_table
        slli    t0, a0, 2
        lui     t1, %hi(table)
        add     t0, t0, t1
        lw      t0, %lo(table)(t0)
        parts   through_a_table
        jr      t0
        function case_a
        addi    a1, a1, 1
        j       1f
        function case_b
        parts   in_a_case
        beqz    a1, 1f
        addi    a1, a1, 2
1:      meets   in_a_case
        meets_at_return through_a_table
        ret

        function recursion
        parts   around_recursion
        beqz    a0, 1f
        addi    sp, sp, -16
        sw      ra, 12(sp)
        addi    a0, a0, -1
        jal     ra, recursion
        lw      ra, 12(sp)
        addi    sp, sp, 16
1:      meets   around_recursion
        ret

        # Neither returns but through the other.
        function ping
        parts   in_ping
        beqz    a0, 1f
        jal     ra, pong
1:      meets   in_ping
        ret
        function pong
        parts   in_pong
        beqz    a0, 1f
        jal     ra, ping
1:      meets   in_pong
        ret

        function function_pointers
        parts   around_a_pointer
        beqz    a0, 1f
        jalr    ra, 0(a1)               # whom it calls is not known: it comes back
        addi    a0, a0, 1
1:      meets   around_a_pointer
        parts   pointer_in_tail_position
        beqz    a1, 2f
        jr      a1
2:      meets_at_return pointer_in_tail_position
        ret

        function other_link_register
        parts   around_a_call_by_t0
        beqz    a0, 1f
        jal     t0, returns_by_t0
1:      meets   around_a_call_by_t0
        ret
        function returns_by_t0
        addi    a0, a0, 1
        jr      t0

        function far_jump
        parts   around_a_far_jump
        beqz    a0, 1f
.Lhalf: auipc   t1, %pcrel_hi(2f)
        jalr    x0, %pcrel_lo(.Lhalf)(t1)
        ret                             # never reached
1:      addi    a0, a0, 1
2:      meets   around_a_far_jump
        addi    a0, a0, 2
        ret

        function far_call_that_does_not_return
        parts   around_a_far_call
        beqz    a0, 1f
.Lcall: auipc   ra, %pcrel_hi(trap)
        jalr    ra, %pcrel_lo(.Lcall)(ra)
        ret
1:      meets   around_a_far_call
        addi    a0, a0, 1
        ret

        # The two halves stand together, but are jumped between: the target is not known.
        function jumped_between
        parts   around_one_half
        beqz    a0, 1f
.Lpair: auipc   t1, %pcrel_hi(2f)
        meets   around_one_half
        parts   between_the_halves
1:      jalr    x0, %pcrel_lo(.Lpair)(t1)
2:      meets_at_return between_the_halves
        ret

        function loop_with_two_exits
        addi    t0, x0, 8
1:      addi    t0, t0, -1
        parts   first_exit
        beqz    a0, 2f
        parts   second_exit
        bnez    t0, 1b
        addi    a1, a1, 1
2:      meets   first_exit
        meets   second_exit
        ret

        function loop_with_continue
1:      addi    t0, t0, -1
        parts   skip_the_rest
        beqz    a0, 2f
        addi    a1, a1, 1
2:      meets   skip_the_rest
        parts   loop_end
        bnez    t0, 1b
        meets   loop_end
        ret

        # A loop that is entered in two places.
        function irreducible_loop
        parts   two_ways_in
        beqz    a0, 2f
1:      addi    a1, a1, 1
        meets   two_ways_in
2:      addi    a1, a1, 2
        parts   once_more
        bnez    a1, 1b
        meets   once_more
        ret

        function loop_before_an_endless_one
1:      addi    t0, t0, -1
        parts   before_the_end
        bnez    t0, 1b
2:      meets   before_the_end
        addi    t1, t1, 1
        j       2b

        .section .rodata
table:  .word   case_a, case_b
