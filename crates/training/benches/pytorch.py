"""Steps per second of PyTorch on the networks of examples/speed.rs, with the same loss and Adam.

    python pytorch.py fieldnet|stack [THREADS [BATCH [SECONDS]]]
"""

import sys
import time

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    def __init__(self, filters):
        super().__init__()
        self.first = nn.Conv2d(filters, filters, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(filters)
        self.second = nn.Conv2d(filters, filters, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(filters)

    def forward(self, x):
        y = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(x + self.second_norm(self.second(y)))


def convolution(inputs, filters, kernel):
    layer = nn.Conv2d(inputs, filters, kernel, padding=kernel // 2, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(filters), nn.ReLU())


class FieldNet(nn.Module):
    """Thesis 000: 16 filters, 3 blocks, 11 planes of 6 by 6, policy 36."""

    shape, policy_size = (11, 6, 6), 36

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(convolution(11, 16, 3), Block(16), Block(16), Block(16))
        self.policy = nn.Sequential(convolution(16, 6, 1), nn.Flatten(), nn.Linear(6 * 36, 36))
        hidden = nn.Sequential(nn.Flatten(), nn.Linear(8 * 36, 8), nn.ReLU())
        self.value = nn.Sequential(convolution(16, 8, 1), hidden, nn.Linear(8, 1), nn.Tanh())

    def forward(self, x):
        x = self.trunk(x)
        return self.policy(x), self.value(x)


class Stack(nn.Module):
    """Thesis 001: 3 convolutions of 64 filters over 2 planes of 8 by 8, 100 neurons, value."""

    shape, policy_size = (2, 8, 8), 0

    def __init__(self):
        super().__init__()
        layers = []
        for inputs in (2, 64, 64):
            layers += [nn.Conv2d(inputs, 64, 3, padding=1), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Flatten(), nn.Linear(64 * 64, 100), nn.ReLU(), nn.Linear(100, 1), nn.Tanh())

    def forward(self, x):
        return None, self.layers(x)


def main():
    arguments = sys.argv[1:]
    network = arguments[0] if arguments else "fieldnet"
    threads, count, seconds = [int(a) for a in arguments[1:4]] + [2, 128, 5][len(arguments[1:4]) :]
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    model = {"fieldnet": FieldNet, "stack": Stack}[network]()
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    weights = [parameter for parameter in model.parameters() if parameter.dim() > 1]
    inputs = torch.rand(count, *model.shape)
    values = torch.rand(count, 1)
    legal = torch.rand(count, model.policy_size) < 0.5
    if model.policy_size:
        legal[:, 0] = True
        target = torch.rand(count, model.policy_size) * legal
        target = target / target.sum(1, keepdim=True)

    def step():
        optimiser.zero_grad(set_to_none=True)
        logits, value = model(inputs)
        loss = functional.mse_loss(value, values) + 1e-4 * sum(weight.square().sum() for weight in weights)
        if logits is not None:
            masked = functional.log_softmax(logits.masked_fill(~legal, -1e9), 1)
            illegal = functional.softmax(logits, 1).masked_fill(legal, 0).sum(1)
            loss = loss - (target * masked).sum(1).mean() + illegal.mean()
        loss.backward()
        optimiser.step()

    for _ in range(5):
        step()
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        step()
        steps += 1
    rate = steps / (time.perf_counter() - begin)
    print(f"pytorch {torch.__version__} {network}, {threads} threads, batch {count}: {rate:.1f} steps/s, {rate * count:.0f} samples/s")


main()
