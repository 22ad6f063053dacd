# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""Trains a small convolutional net and a small transformer with PyTorch; prints the losses and the time.

    training.py [STEPS]
"""
import sys
import time

import torch
import torch.nn as nn

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
torch.manual_seed(1)
torch.backends.cudnn.benchmark = False
torch.backends.cudnn.deterministic = True
torch.backends.cuda.enable_mem_efficient_sdp(False)  # its backward adds in any order
torch.backends.cuda.enable_flash_sdp(False)
device = "cuda"

conv = nn.Sequential(
    nn.Conv2d(3, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.Conv2d(64, 128, 3, padding=1), nn.ReLU(),
    nn.MaxPool2d(2), nn.Conv2d(128, 128, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
    nn.Linear(128, 10)).to(device)
layer = nn.TransformerEncoderLayer(d_model=512, nhead=8, dim_feedforward=2048, batch_first=True, dropout=0.0)
transformer = nn.Sequential(nn.TransformerEncoder(layer, 2), nn.Linear(512, 512)).to(device)
images = torch.randn(128, 3, 64, 64, device=device)
labels = torch.randint(0, 10, (128,), device=device)
tokens = torch.randn(32, 256, 512, device=device)
sgd = torch.optim.SGD(conv.parameters(), lr=0.01)
adam = torch.optim.Adam(transformer.parameters(), lr=1e-4)


def step():
    with torch.cuda.nvtx.range("conv"):
        sgd.zero_grad()
        with torch.cuda.nvtx.range("forward"):
            loss = nn.functional.cross_entropy(conv(images), labels)
        with torch.cuda.nvtx.range("backward"):
            loss.backward()
        sgd.step()
    with torch.cuda.nvtx.range("transformer"):
        adam.zero_grad()
        with torch.cuda.nvtx.range("forward"):
            other = nn.functional.mse_loss(transformer(tokens), tokens)
        with torch.cuda.nvtx.range("backward"):
            other.backward()
        adam.step()
    return loss, other


for _ in range(3):
    step()
torch.cuda.synchronize()
start = time.perf_counter()
for _ in range(steps):
    loss, other = step()
torch.cuda.synchronize()
print(f"{steps} steps in {time.perf_counter() - start:.4f} s, losses {loss.item():.17g} {other.item():.17g}")
