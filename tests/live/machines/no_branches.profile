heddle branch profile 1
