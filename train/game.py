"""Calculation for many games at once: the kernels of kernels.cu behind tensors, and the seeded deals."""

import ctypes
import pathlib
import subprocess
import tempfile

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
HEIGHT = 40
CANDIDATES = 48
STACK_ROW = 1440
GLOBAL_ROW = 136
WON = 52


class HostKernels:
    """The kernels compiled for this machine's processor: slow, for tests without a GPU."""

    def __init__(self, stacks):
        folder = pathlib.Path(tempfile.mkdtemp())
        library = folder / f"kernels{stacks}.so"
        subprocess.run(
            ["c++", "-O2", "-shared", "-fPIC", "-x", "c++", f"-DSTACKS={stacks}", str(HERE / "kernels.cu"), "-o", str(library)],
            check=True,
        )
        self.library = ctypes.CDLL(str(library))

    def launch(self, name, count, *arguments, lanes=1):
        plain = [ctypes.c_void_p(a.data_ptr()) if torch.is_tensor(a) else ctypes.c_int(a) for a in arguments]
        getattr(self.library, name)(*plain, ctypes.c_int(count))


class DeviceKernels:
    """The kernels compiled for the GPU by NVRTC."""

    def __init__(self, stacks):
        import cupy

        source = (HERE / "kernels.cu").read_text()
        # Everything runs on the default stream; recorded steps launch none of these kernels.
        self.stream = cupy.cuda.Stream.null
        self.module = cupy.RawModule(code=source, options=("-std=c++17", f"-DSTACKS={stacks}"))
        self.kernels = {name: self.module.get_function(name) for name in ("expand", "apply", "finish", "alive", "encode", "gate")}

    def launch(self, name, count, *arguments, lanes=1):
        plain = [a.data_ptr() if torch.is_tensor(a) else np.int32(a) for a in arguments]
        with self.stream:
            self.kernels[name](((count * lanes + 127) // 128,), (128,), (*plain, np.int32(count)))


class Game:
    """Games with a given number of stacks on one device. States are rows of bytes, as kernels.cu describes."""

    def __init__(self, stacks, device):
        self.stacks = stacks
        self.device = torch.device(device)
        self.width = 24 + HEIGHT * stacks
        self.kernels = DeviceKernels(stacks) if self.device.type == "cuda" else HostKernels(stacks)
        # Acting runs in bf16 on the GPU; the host's tests read the same rows as f16, which torch can widen.
        self.half = torch.bfloat16 if self.device.type == "cuda" else torch.float16
        self.one = 0x3F80 if self.device.type == "cuda" else 0x3C00

    def start(self, count):
        states = torch.zeros((count, self.width), dtype=torch.uint8, device=self.device)
        states[:, 8:21] = 4
        return states

    def expand(self, states, drawn):
        """All results of drawing: (owner of each, the states, how many each owner has)."""
        count = states.shape[0]
        keys = torch.empty((count, CANDIDATES), dtype=torch.int64, device=self.device)
        counts = torch.empty(count, dtype=torch.int32, device=self.device)
        self.kernels.launch("expand", count, states, drawn, keys, counts)
        used = torch.arange(CANDIDATES, device=self.device) < counts[:, None]
        owners = used.nonzero()[:, 0]
        keys = keys[used]
        after = torch.empty((keys.shape[0], self.width), dtype=torch.uint8, device=self.device)
        if keys.shape[0]:
            self.kernels.launch("apply", keys.shape[0], states, drawn, owners.int(), keys, after)
        return owners, after

    def finish(self, states, drawn):
        """Most cards on the foundations once the last card is drawn."""
        best = torch.zeros(states.shape[0], dtype=torch.uint8, device=self.device)
        if states.shape[0]:
            self.kernels.launch("finish", states.shape[0], states, drawn, best)
        return best

    def alive(self, states, budget):
        """False where the stacks can never be unloaded, whatever comes."""
        out = torch.ones(states.shape[0], dtype=torch.uint8, device=self.device)
        if states.shape[0]:
            self.kernels.launch("alive", states.shape[0], states, budget, out)
        return out != 0

    def encode(self, states, into=None):
        """Inputs of the net: one row per stack, one row of globals."""
        count = states.shape[0]
        stacks, globals_ = into or self.rows(count)
        self.kernels.launch("encode", count * self.stacks, states, self.one, stacks, globals_, lanes=32)
        return stacks, globals_

    def rows(self, count):
        return (
            torch.empty((count * self.stacks, STACK_ROW), dtype=self.half, device=self.device),
            torch.empty((count, GLOBAL_ROW), dtype=self.half, device=self.device),
        )

    def shuffle(self, count, generator):
        order = torch.rand((count, 52), device=self.device, generator=generator).argsort(1)
        return (order % 13).to(torch.uint8)


def deals(first, count):
    """Seeded deals first, first+1, ...: splitmix64 and Fisher-Yates, the generator every player is measured on."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    seeds = np.arange(first, first + count, dtype=np.uint64)
    with np.errstate(over="ignore"):
        state = (seeds * golden) ^ np.uint64(0x1234567887654321)

        def word():
            nonlocal state
            state = state + golden
            z = state
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return z ^ (z >> np.uint64(31))

        word(), word()
        cards = np.tile(np.arange(52) % 13, (count, 1)).astype(np.uint8)
        rows = np.arange(count)
        for last in range(51, 0, -1):
            other = (((word() >> np.uint64(32)) * np.uint64(last + 1)) >> np.uint64(32)).astype(np.int64)
            swapped = cards[rows, other].copy()
            cards[rows, other] = cards[:, last]
            cards[:, last] = swapped
    return torch.from_numpy(cards)
