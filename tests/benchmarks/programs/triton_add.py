# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""Runs two Triton kernels; prints a checksum and the time."""
import sys
import time

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def softmax_kernel(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    values = tl.load(x + row * columns + at, mask=mask, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + at, values / tl.sum(values, axis=0), mask=mask)


rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
torch.manual_seed(1)
n = 1 << 24
x, y, out = (torch.randn(n, device="cuda") for _ in range(3))
rows = x.view(8192, 2048)
soft = torch.empty_like(rows)


def both():
    add_kernel[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
    softmax_kernel[(8192,)](rows, soft, 2048, BLOCK=2048)


both()
torch.cuda.synchronize()
start = time.perf_counter()
for _ in range(rounds):
    both()
torch.cuda.synchronize()
print(f"{rounds} rounds in {time.perf_counter() - start:.4f} s, {out.sum().item():.17g} {soft.sum().item():.17g}")
