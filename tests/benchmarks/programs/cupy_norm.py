# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""Normalizes rows with CuPy; prints a checksum and the time."""
import sys
import time

import cupy as cp

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
x = cp.random.RandomState(1).standard_normal((4096, 4096), dtype=cp.float32)


def norm():
    return (x - x.mean(axis=1, keepdims=True)) / cp.sqrt((x * x).sum(axis=1, keepdims=True))


norm()
cp.cuda.Device().synchronize()
start = time.perf_counter()
for _ in range(rounds):
    y = norm()
cp.cuda.Device().synchronize()
print(f"{rounds} rounds in {time.perf_counter() - start:.4f} s, {float(y.astype(cp.float64).sum()):.17g}")
