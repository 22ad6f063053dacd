# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""Trains a small network with JAX; prints the loss and the time."""
import sys
import time

import jax
import jax.numpy as jnp

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
key = jax.random.PRNGKey(1)
sizes = [1024, 4096, 4096, 256]
weights = [jax.random.normal(key, (a, b)) * (2 / a) ** 0.5 for a, b in zip(sizes, sizes[1:])]
x = jax.random.normal(key, (2048, sizes[0]))
y = jax.random.normal(key, (2048, sizes[-1]))


def loss(weights):
    h = x
    for w in weights[:-1]:
        h = jax.nn.gelu(h @ w)
    return jnp.mean((h @ weights[-1] - y) ** 2)


@jax.jit
def step(weights):
    value, gradients = jax.value_and_grad(loss)(weights)
    return value, [w - 1e-3 * g for w, g in zip(weights, gradients)]


value, weights = step(weights)
value.block_until_ready()
start = time.perf_counter()
for _ in range(steps):
    value, weights = step(weights)
value.block_until_ready()
print(f"{steps} steps in {time.perf_counter() - start:.4f} s, loss {float(value):.17g}")
