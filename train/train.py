"""Learns a value net for calculation by self-play: python train.py --stacks 3 --seconds 900 --out runs/s3

The games are played by the current net itself, in batches, and every state of theirs learns the lambda-return. With
--look the games look one draw ahead where candidates are close, which teaches the net what the search sees.
"""

import argparse
import copy
import json
import math
import pathlib
import time

import torch
from torch.nn.functional import binary_cross_entropy_with_logits

import net as nets
from game import WON, Game, deals
from play import Look, Memory, Player, Split, targets

BATCH = 16384
TUNING_DEALS = 100_001  # seeds from here on; 1..10000 are kept for the acceptance run


class Learner:
    """One step of AdamW on a fixed number of states; on the GPU recorded once and replayed."""

    def __init__(self, game, net, batch):
        self.game, self.net = game, net
        device = game.device
        self.rate = torch.tensor(0.0, device=device)
        self.optimizer = torch.optim.AdamW(
            net.parameters(), lr=self.rate, betas=(0.9, 0.99), weight_decay=1e-4, fused=True if device.type == "cuda" else None,
            capturable=device.type == "cuda",
        )
        self.rows = game.rows(batch)
        self.wanted = torch.zeros(batch, device=device)
        self.loss = torch.zeros((), device=device)
        self.graph = self.record() if device.type == "cuda" else None

    def step(self):
        with torch.autocast(self.game.device.type, self.game.half, enabled=self.game.device.type == "cuda", cache_enabled=False):
            rows = self.rows if self.game.device.type == "cuda" else [row.float() for row in self.rows]
            logits = self.net(*rows)
        loss = binary_cross_entropy_with_logits(logits.float(), self.wanted)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.loss.copy_(loss.detach())

    def record(self):
        for row in self.rows:
            row.zero_()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            self.step()
        # The rehearsal ran at rate 0; forget its moments too.
        for moments in self.optimizer.state.values():
            for moment in moments.values():
                moment.zero_()
        return graph

    def learn(self, states, wanted, rate):
        self.game.encode(states, into=self.rows)
        self.wanted.copy_(wanted)
        self.rate.fill_(rate)
        self.graph.replay() if self.graph else self.step()


def measured(won):
    share = won.float().mean().item()
    return {"won": round(share, 4), "plus_minus": round(1.96 * math.sqrt(share * (1 - share) / won.shape[0]), 4), "games": won.shape[0]}


def start_net(options):
    if not options.start:
        return nets.Net(options.stacks, options.stack_units, options.units)
    if options.start.endswith(".net"):
        old = nets.load(options.start)
    else:
        parameters = torch.load(options.start, map_location="cpu")
        units, joined = parameters["join.weight"].shape
        stack_units = parameters["stack.weight"].shape[0] // 2
        old = nets.Net(joined // stack_units - 1, stack_units, units)
        old.load_state_dict(parameters)
    net = nets.Net(options.stacks, old.stack_units, old.units)
    net.load_state_dict(nets.restacked(old.state_dict(), options.stacks, old.stack_units))
    if (options.stack_units, options.units) != (net.stack_units, net.units):
        net = nets.widened(net, options.stack_units, options.units)
    return net


def train(options):
    began = time.time()
    torch.manual_seed(options.seed)
    game = Game(options.stacks, options.device)
    random = torch.Generator(device=game.device).manual_seed(options.seed)
    net = start_net(options).to(game.device)
    average = copy.deepcopy(net).requires_grad_(False)
    actor = nets.Actor(game, average)
    player = Player(game, actor, options.budget)
    learner = Learner(game, net, options.batch)
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    log = open(out / "log.jsonl", "a")

    def say(**line):
        print(json.dumps(line), flush=True)
        print(json.dumps(line), file=log, flush=True)

    say(settings=vars(options), parameters=sum(p.numel() for p in net.parameters()))
    exam = deals(TUNING_DEALS, options.exam).to(game.device)
    look = Look(*options.look) if options.look else None
    split = Split(options.split) if options.split else None
    scratch = not options.start
    games = steps = turn = 0
    said = examined = time.time()
    while (fraction := (time.time() - began) / options.seconds) < 1:
        # From scratch a lost game first earns a little for cards played: a random net never wins.
        consolation = max(0.0, 0.6 * (1 - fraction / 0.12)) if scratch else 0.0
        early = scratch and fraction < 0.06
        blend = 0.97 if early else options.blend
        keep = 0.98 if scratch and fraction < 0.15 else options.average
        stray = options.stray * (1 - fraction) + 0.002
        rate = options.rate * min(1, (turn + 1) / 5) * 0.5 * (1 + math.cos(math.pi * fraction)) + 2e-6

        clock = time.time()
        actor.take(average.parameters())
        memory = Memory()
        player.evaluations = 0
        played = player.play(game.shuffle(options.games, random), look, stray, random, memory, split)
        won = (played == WON).float()
        outcome = won + (1 - won) * consolation * (played.float() / WON) ** 3
        states, wanted = targets(memory, outcome, blend)
        if game.device.type == "cuda":
            torch.cuda.synchronize()
        playing = time.time() - clock

        clock = time.time()
        order = torch.randperm(states.shape[0], device=game.device)
        for at in range(0, states.shape[0] - options.batch + 1, options.batch):
            chosen = order[at : at + options.batch]
            learner.learn(states[chosen], wanted[chosen], rate)
            torch._foreach_lerp_(list(average.parameters()), [p.data for p in net.parameters()], 1 - keep)
            steps += 1
        loss = learner.loss.item()
        learning = time.time() - clock

        turn += 1
        games += options.games
        if turn <= 3 or time.time() - said > 10:
            said = time.time()
            say(seconds=round(said - began, 1), turn=turn, games=games, steps=steps, self_play=round(won.mean().item(), 4),
                loss=round(loss, 4), playing=round(playing, 3), learning=round(learning, 3), states=states.shape[0],
                evaluations=player.evaluations, rate=rate)
        if options.exam and time.time() - examined > options.every:
            actor.take(average.parameters())
            say(seconds=round(time.time() - began, 1), games=games, greedy=measured(player.play(exam) == WON))
            examined = time.time()
    actor.take(average.parameters())
    if options.exam:
        say(seconds=round(time.time() - began, 1), games=games, greedy=measured(player.play(exam) == WON))
    torch.save(average.cpu().state_dict(), out / "net.pt")
    nets.save(average, out / f"calculation-s{options.stacks}.net")


def arguments(given=None):
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--stacks", type=int, default=3)
    parse.add_argument("--seconds", type=float, default=900, help="the whole schedule follows this clock")
    parse.add_argument("--out", default="runs/s3")
    parse.add_argument("--start", help="a .net or .pt file to start from; with other stacks its stack block is copied")
    parse.add_argument("--stack-units", type=int, default=nets.STACK_UNITS, help="gated units of a stack; a smaller net is widened")
    parse.add_argument("--units", type=int, default=nets.UNITS, help="units of the other layers")
    parse.add_argument("--look", type=float, nargs=2, metavar=("MOST", "WIDTH"), help="look one draw ahead in self-play")
    parse.add_argument("--split", type=float, metavar="TILT", help="go on from promising tables more often than from hopeless ones; needs --start")
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--games", type=int, default=65536, help="games of one batch of self-play")
    parse.add_argument("--batch", type=int, default=BATCH)
    parse.add_argument("--rate", type=float, default=1e-3)
    parse.add_argument("--blend", type=float, default=0.75, help="lambda of the returns")
    parse.add_argument("--average", type=float, default=0.999, help="decay of the averaged weights, which play")
    parse.add_argument("--stray", type=float, default=0.02, help="share of exploratory moves at first")
    parse.add_argument("--budget", type=int, default=150, help="steps of the dead-state test")
    parse.add_argument("--exam", type=int, default=32768, help="tuning deals of the greedy examination")
    parse.add_argument("--every", type=float, default=60)
    parse.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parse.parse_args(given)
    if options.split and not options.start:
        parse.error("--split follows what the net says, so it needs a net to --start from")
    if options.look:
        options.look = (int(options.look[0]), options.look[1])
    return options


if __name__ == "__main__":
    torch.backends.cuda.matmul.allow_tf32 = True
    train(arguments())
