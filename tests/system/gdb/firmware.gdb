info threads
tbreak hd_app_main
continue
next
next
tbreak host.c:26
continue
info locals
print in[7]
print/x args
watch watched
continue
continue
delete
stepi
print watched
rwatch watched
continue
delete
info registers mcause
set var watched = watched
print watched
continue
