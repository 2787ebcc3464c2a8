info threads
tbreak kernel.c:10
continue
info registers a3
tbreak kernel.c:15
continue
print/x $active_lanes
thread 4
print {$block_x, $thread_x, $lane}
print $active_lanes
thread 5
print {$block_x, $thread_x, $lane}
info locals
print *args
print ((unsigned *)args->in.address)[3]
next
info locals
stepi
info registers fcsr
break *$pc
stepi
delete
next
next
next
print/x $active_lanes
next
next
next
print/x $active_lanes
info locals
print simt_scratchpad
print ((unsigned *)&simt_scratchpad)[3]
set var kept[1] = 77
print kept
next
thread
print/x $active_lanes
info locals
print {$block_x, $thread_x, $lane}
continue
