"""Measures a net on seeded deals: python evaluate.py calculation-s3.net --deals 1 10000 --look 4 0.2 --out wins.json"""

import argparse
import json
import time

import numpy as np
import torch

import net as nets
from game import WON, Game, deals
from play import Deep, Look, Player, Roll
from train import measured


class Exact:
    """The net in f32 instead of bf16, to tell what rounding costs."""

    def __init__(self, game, net):
        self.game, self.net = game, net.to(game.device).requires_grad_(False)

    def logits(self, states, chunk=65536):
        rows = (self.game.encode(part) for part in states.split(chunk))
        parts = [self.net(stacks.float(), globals_.float()) for stacks, globals_ in rows]
        return torch.cat(parts) if parts else torch.empty(0, device=states.device)


def main():
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument("net", help="a .net file, or a .pt file with full precision")
    parse.add_argument("--stacks", type=int, default=3, help="needed for a .pt file only")
    parse.add_argument("--deals", type=int, nargs=2, default=(1, 10000), metavar=("FIRST", "COUNT"))
    parse.add_argument("--look", type=float, nargs=2, metavar=("MOST", "WIDTH"))
    parse.add_argument("--deep", type=float, nargs=5, metavar=("MOST", "WIDTH", "INNER_MOST", "INNER_WIDTH", "LEFT"),
                       help="then two draws ahead, once at most LEFT cards are unseen; needs --look")
    parse.add_argument("--roll", type=float, nargs=2, metavar=("GAMES", "DRAWS"), help="then games are played on from the closest candidates; needs --look")
    parse.add_argument("--budget", type=int, default=400)
    parse.add_argument("--exact", action="store_true", help="f32 instead of bf16")
    parse.add_argument("--out", help="write the deals won as JSON")
    parse.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parse.parse_args()
    if options.net.endswith(".net"):
        net = nets.load(options.net)
    else:
        net = nets.Net(options.stacks)
        net.load_state_dict(torch.load(options.net, map_location="cpu"))
    game = Game(net.stacks, options.device)
    player = Player(game, (Exact if options.exact else nets.Actor)(game, net), options.budget)
    began = time.time()
    first, count = options.deals
    look = Look(int(options.look[0]), options.look[1]) if options.look else None
    deep = None
    if options.deep:
        most, width, inner_most, inner_width, left = options.deep
        deep = Deep(Look(int(most), width), Look(int(inner_most), inner_width), int(left))
    roll = Roll(int(options.roll[0]), int(options.roll[1])) if options.roll else None
    generator = torch.Generator(game.device).manual_seed(first)
    won = player.play(deals(first, count).to(game.device), look, generator=generator, deep=deep, roll=roll) == WON
    line = {"net": options.net, "stacks": net.stacks, "first": first, "look": options.look, "deep": options.deep, "roll": options.roll, "exact": options.exact, "budget": options.budget}
    line |= {"evaluations": player.evaluations / count} | measured(won)
    print(json.dumps(line | {"seconds": round(time.time() - began, 1)}), flush=True)
    if options.out:
        lost = (np.flatnonzero(~won.cpu().numpy()) + first).tolist()
        with open(options.out, "w") as file:
            json.dump(line | {"lost": lost}, file)


if __name__ == "__main__":
    main()
