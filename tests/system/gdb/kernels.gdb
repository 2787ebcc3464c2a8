info threads
tbreak kernel.c:13
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
next
next
next
next
print/x $active_lanes
next
next
next
print/x $active_lanes
info locals
next
thread
print/x $active_lanes
info locals
print {$block_x, $thread_x, $lane}
continue
