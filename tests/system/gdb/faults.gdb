continue
bt 1
print $lane
print/x $active_lanes
print args->first
info registers pc
x/i $pc
continue
