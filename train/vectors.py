"""Writes reference outputs of a net in plain f32, for the tests of other implementations:

python vectors.py calculation-s3.net 100 > vectors.jsonl

One line per table: the table in the project's notation and the logit. The tables come from games played by the net
with many exploratory moves, taken at random draws.
"""

import json
import sys

import torch

import net as nets
from game import Game, deals
from play import Memory, Player

RANKS = "A23456789TJQK"


def notation(state, stacks):
    heads = "".join("-" if count == 13 else RANKS[((count + 1) * (j + 1) + 12) % 13] for j, count in enumerate(state[:4]))
    piles = []
    for s in range(stacks):
        cards = state[24 + 40 * s : 24 + 40 * s + state[4 + s]]
        piles.append("".join(RANKS[card] for card in cards) or "-")
    return "/".join([heads, *piles])


def main():
    net = nets.load(sys.argv[1])
    count = int(sys.argv[2])
    game = Game(net.stacks, "cpu")
    actor = nets.Actor(game, net)
    random = torch.Generator().manual_seed(7)
    memory = Memory()
    Player(game, actor, 400).play(deals(100_001, 24), stray=0.2, generator=random, memory=memory)
    states = torch.cat([states for _, states in memory.chosen])
    states = states[torch.randperm(states.shape[0], generator=random)[:count]]
    for state, logit in zip(states.tolist(), actor.logits(states).tolist()):
        print(json.dumps({"table": notation(state, net.stacks), "logit": round(logit, 5)}))


if __name__ == "__main__":
    main()
