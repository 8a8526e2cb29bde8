"""What a call takes: prints microseconds for a function of three arrays and for one without arguments."""

import timeit

import numpy as np

import freehold
from test_calls import PROGRAM

module = freehold.compile(PROGRAM)
arrays = [np.zeros(4, "f4") for _ in range(3)]
three, nothing = module.three, module.nothing
for name, call in [("three arrays", lambda: three(*arrays)), ("none", nothing)]:
    times = timeit.repeat(call, number=20000, repeat=7)
    print(f"{name}: {min(times) / 20000 * 1e6:.2f} us")
