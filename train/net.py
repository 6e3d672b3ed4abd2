"""The value net, its file, and how a net for one number of stacks starts another.

Each stack goes through one shared layer of gated units, relu(value) * relu(gate); the globals through a plain layer;
then one joining layer, residual blocks, and the logit of the chance to win.
"""

import struct
import zlib

import numpy as np
import torch
from torch import nn
from torch.nn.functional import linear, relu

from game import GLOBAL_ROW, STACK_ROW

MAGIC = b"KACHINET"
VERSION = 1
GLOBALS = 134
STACK_UNITS = 256
UNITS = 512
BLOCKS = 2


class Net(nn.Module):
    def __init__(self, stacks, stack_units=STACK_UNITS, units=UNITS, blocks=BLOCKS):
        super().__init__()
        self.stacks, self.stack_units, self.units, self.blocks = stacks, stack_units, units, blocks
        self.stack = nn.Linear(STACK_ROW, 2 * stack_units)
        self.table = nn.Linear(GLOBAL_ROW, stack_units)
        self.join = nn.Linear((stacks + 1) * stack_units, units)
        self.tower = nn.ModuleList(nn.Linear(units, units) for _ in range(2 * blocks))
        self.out = nn.Linear(units, 1)
        with torch.no_grad():
            # Gates start open and indifferent, residual branches small.
            self.stack.weight[stack_units:] *= 0.1
            self.stack.bias[stack_units:] = 1.0
            for second in self.tower[1::2]:
                second.weight *= 0.3
            self.out.weight *= 0.3

    def forward(self, stacks, globals_):
        value, gate = self.stack(stacks).chunk(2, dim=1)
        stack = (relu(value) * relu(gate)).view(globals_.shape[0], -1)
        return self.rest(torch.cat([stack, relu(self.table(globals_))], 1))

    def rest(self, joined):
        hidden = relu(self.join(joined))
        for first, second in zip(self.tower[::2], self.tower[1::2]):
            hidden = relu(hidden + second(relu(first(hidden))))
        return linear(hidden.float(), self.out.weight.float(), self.out.bias.float()).squeeze(1)


class Actor:
    """The net as the players use it: bf16 with fused layers on the GPU, plain f32 on the host."""

    def __init__(self, game, net):
        self.game = game
        fast = game.device.type == "cuda"
        self.net = Net(net.stacks, net.stack_units, net.units, net.blocks).to(game.device, game.half if fast else torch.float32)
        self.net.requires_grad_(False)
        self.forward = self.fused if fast else self.plain
        self.chunk = 131072
        self.buffers = game.rows(self.chunk) if fast else None
        self.take(net.parameters())

    @torch.no_grad()
    def take(self, parameters):
        for mine, theirs in zip(self.net.parameters(), parameters):
            mine.copy_(theirs)

    def plain(self, states):
        stacks, globals_ = self.game.encode(states)
        return self.net(stacks.float(), globals_.float())

    def fused(self, states):
        net, count = self.net, states.shape[0]
        stacks, globals_ = self.buffers[0][: count * net.stacks], self.buffers[1][:count]
        self.game.encode(states, into=(stacks, globals_))
        stacks = linear(stacks, net.stack.weight, net.stack.bias)
        globals_ = linear(globals_, net.table.weight, net.table.bias)
        joined = torch.empty((count, (net.stacks + 1) * net.stack_units), dtype=self.game.half, device=states.device)
        self.game.kernels.launch("gate", joined.numel() // 2, stacks, globals_, net.stack_units, joined)
        layer = lambda x, of: torch._addmm_activation(of.bias, x, of.weight.t())
        hidden = layer(joined, net.join)
        for first, second in zip(net.tower[::2], net.tower[1::2]):
            hidden = linear(layer(hidden, first), second.weight, second.bias).add_(hidden).relu_()
        return linear(hidden, net.out.weight, net.out.bias).squeeze(1).float()

    @torch.no_grad()
    def logits(self, states):
        parts = [self.forward(part) for part in states.split(self.chunk)]
        return torch.cat(parts) if parts else torch.empty(0, device=states.device)



def restacked(parameters, stacks, stack_units=STACK_UNITS):
    """Parameters of a net for another number of stacks: the joining layer's last stack is repeated or dropped."""
    wide = parameters["join.weight"]
    blocks = list(wide.split(stack_units, dim=1))
    old = len(blocks) - 1
    chosen = [blocks[min(slot, old - 1)] for slot in range(stacks)] + [blocks[old]]
    return {**parameters, "join.weight": torch.cat(chosen, 1)}


@torch.no_grad()
def widened(old, stack_units, units):
    """A net of the same stacks and blocks with more units that says the same: what the new units say counts for nothing yet."""
    net = Net(old.stacks, stack_units, units, old.blocks)
    parts = lambda count, narrow, wide: [part * wide + unit for part in range(count) for unit in range(narrow)]
    ours = parts(1, old.units, units)
    stack, joined = parts(2, old.stack_units, stack_units), parts(old.stacks + 1, old.stack_units, stack_units)
    everything = lambda layer: list(range(layer.weight.shape[1]))
    places = [(stack, everything(net.stack)), (parts(1, old.stack_units, stack_units), everything(net.table)), (ours, joined)]
    places += [(ours, ours) for _ in net.tower] + [([0], ours)]
    for mine, theirs, (outputs, inputs) in zip(layers(net), layers(old), places):
        mine.weight[outputs] = 0
        rows = mine.weight[outputs]
        rows[:, inputs] = theirs.weight
        mine.weight[outputs] = rows
        mine.bias[outputs] = theirs.bias
    return net


# The file: magic, version, stacks, units of a stack, units, blocks, number of parameters (u32 each, little endian);
# the parameters as f16, every weight matrix input by input; CRC-32 of all of it.


def layers(net):
    return [net.stack, net.table, net.join, *net.tower, net.out]


def to_bytes(net):
    flat = []
    for layer in layers(net):
        weight = layer.weight.detach().float().cpu()
        if layer is net.table:
            weight = weight[:, :GLOBALS]
        flat += [weight.t().contiguous().flatten(), layer.bias.detach().float().cpu()]
    values = torch.cat(flat)
    head = MAGIC + struct.pack("<6I", VERSION, net.stacks, net.stack_units, net.units, net.blocks, values.numel())
    body = head + values.numpy().astype("<f2").tobytes()
    return body + struct.pack("<I", zlib.crc32(body))


@torch.no_grad()
def from_bytes(data):
    body, (check,) = data[:-4], struct.unpack("<I", data[-4:])
    if data[:8] != MAGIC or zlib.crc32(body) != check:
        raise ValueError("not a net file, or damaged")
    version, stacks, stack_units, units, blocks, count = struct.unpack("<6I", data[8:32])
    if version != VERSION:
        raise ValueError(f"net file version {version}, expected {VERSION}")
    net = Net(stacks, stack_units, units, blocks)
    values = torch.from_numpy(np.frombuffer(data, "<f2", count, 32).astype(np.float32))
    at = 0
    for layer in layers(net):
        outputs, inputs = layer.weight.shape
        inputs = GLOBALS if layer is net.table else inputs
        layer.weight.zero_()
        layer.weight[:, :inputs] = values[at : at + inputs * outputs].view(inputs, outputs).t()
        at += inputs * outputs
        layer.bias.copy_(values[at : at + outputs])
        at += outputs
    if at != count:
        raise ValueError("the file's size does not fit its layers")
    return net


def load(path):
    with open(path, "rb") as file:
        return from_bytes(file.read())


def save(net, path):
    with open(path, "wb") as file:
        file.write(to_bytes(net))
