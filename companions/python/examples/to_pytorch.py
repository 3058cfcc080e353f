#!/usr/bin/env python3
"""companions/python/examples/to_pytorch.py - trains with heed and continues with PyTorch, on the same memory.

    python3 to_pytorch.py

Exit code: 0 if PyTorch computes heed's results and sees heed's writes, 1 if not, 77 if PyTorch is not installed.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import sys

import heed
from heed import nn, optim

try:
    import torch
except ImportError:
    print("PyTorch is not installed")
    sys.exit(77)

heed.manual_seed(1)
x = heed.rand(200, 1) * 6
y = x.sin()
net = nn.Sequential(nn.Linear(1, 32), heed.tanh, nn.Linear(32, 1))
adam = optim.Adam(net, lr=0.01)
for step in range(500):
    loss = heed.mse_loss(net(x), y)
    adam.zero_grad()
    loss.backward()
    adam.step()
print(f"heed: loss {loss.item():.5f}")

# PyTorch's parameters are heed's memory: DLPack passes the address, and nothing is copied.
twin = torch.nn.Sequential(torch.nn.Linear(1, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
for name, parameter in twin.named_parameters():
    parameter.data = torch.from_dlpack(net.state_dict()[name].detach())
with torch.no_grad():
    found = twin(torch.from_dlpack(x))
with heed.no_grad():
    difference = abs(net(x).numpy() - found.numpy()).max()
print(f"PyTorch {torch.__version__}: largest difference from heed {difference:.1e}")

torch.from_dlpack(net[2].bias.detach()).fill_(7.0)
print(f"PyTorch wrote {net[2].bias.item()} to a parameter of heed")
sys.exit(int(difference > 1e-6 or net[2].bias.item() != 7.0))
