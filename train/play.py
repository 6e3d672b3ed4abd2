"""Playing many games at once with the value net: greedily, or looking one draw ahead; and remembering for learning."""

from dataclasses import dataclass, field

import torch


@dataclass
class Look:
    """Look one draw ahead for the `most` best candidates whose chance is within `width` of the best."""

    most: int
    width: float


@dataclass
class Memory:
    """What a batch of games leaves for learning, draw by draw."""

    games: list = field(default_factory=list)  # games still on before the draw
    value: list = field(default_factory=list)  # chance of the best candidate, 0 if all are dead
    strayed: list = field(default_factory=list)  # an exploratory move was made
    chosen: list = field(default_factory=list)  # (games, states) after the draw
    beside: list = field(default_factory=list)  # (states, chances): candidates looked at but not chosen


def best_of(values, owners, count):
    """Per owner the largest value and the index of its first occurrence."""
    best = torch.full((count,), -1e9, device=values.device).scatter_reduce_(0, owners, values, "amax")
    index = torch.arange(values.shape[0], device=values.device)
    index = torch.where(values >= best[owners], index, values.shape[0])
    first = torch.full((count,), values.shape[0], device=values.device).scatter_reduce_(0, owners, index, "amin")
    return best, first


class Player:
    def __init__(self, game, actor, budget):
        self.game, self.actor, self.budget = game, actor, budget
        self.evaluations = 0

    def chances(self, states, left):
        """Chance to win with `left` cards unseen, dead states not yet told; exact for the last card."""
        if left == 0:
            return (states[:, :4].sum(1) == 52).float()
        if left == 1:
            last = states[:, 8:21].argmax(1).to(torch.uint8)
            return (self.game.finish(states, last) == 52).float()
        self.evaluations += states.shape[0]
        return torch.sigmoid(self.actor.logits(states)).clamp_min(1e-12)

    def best_alive(self, values, owners, states, count):
        """Per owner the best candidate that is not dead. Only candidates about to be chosen are tested: most are alive."""
        best, pick = best_of(values, owners, count)
        doubtful = (best > 0).nonzero()[:, 0]
        for _ in range(8):
            dead = doubtful[~self.game.alive(states[pick[doubtful]], self.budget)]
            if dead.shape[0] == 0:
                return values, best, pick
            values[pick[dead]] = 0.0
            best, pick = best_of(values, owners, count)
            doubtful = dead[best[dead] > 0]
        return values, best, pick

    def chances_ahead(self, states, left, chunk=60000):
        """The same by the best candidate after each possible next card."""
        out = torch.zeros(states.shape[0], device=states.device)
        for at in range(0, states.shape[0], chunk):
            part = states[at : at + chunk]
            node, rank = (part[:, 8:21] > 0).nonzero(as_tuple=True)
            weight = part[node, 8 + rank].float() / left
            owners, leaves = self.game.expand(part[node], rank.to(torch.uint8))
            values = self.chances(leaves, left - 1)
            _, best, _ = self.best_alive(values, owners, leaves, node.shape[0])
            out[at : at + chunk].index_add_(0, node, weight * best.clamp_min(0))
        return out

    def looked(self, look, values, best, owners, after, left):
        """Replaces the chances of close candidates by those one draw ahead; all others leave the race."""
        count = best.shape[0]
        close = (values > 0) & (values >= best[owners] - look.width)
        rest = torch.where(close, values, torch.full_like(values, -1.0))
        kept = torch.zeros_like(close)
        for _ in range(look.most):
            top, first = best_of(rest, owners, count)
            first = first[top > 0]
            kept[first] = True
            rest[first] = -1.0
        rivals = torch.zeros(count, device=values.device).index_add_(0, owners, kept.float())
        chosen = (kept & (rivals[owners] > 1)).nonzero()[:, 0]
        chosen = chosen[self.game.alive(after[chosen], self.budget)]
        contested = rivals > 1
        ahead = torch.where(contested[owners], torch.full_like(values, -1.0), values)
        ahead[chosen] = self.chances_ahead(after[chosen], left)
        return ahead, chosen

    @torch.no_grad()
    def play(self, decks, look=None, stray=0.0, generator=None, memory=None):
        """Plays every deck; cards on the foundations in the end, 0 for games given up as dead."""
        game = self.game
        result = torch.zeros(decks.shape[0], dtype=torch.uint8, device=decks.device)
        running = torch.arange(decks.shape[0], device=decks.device)
        states = game.start(decks.shape[0])
        for draw in range(51):
            count, left = running.shape[0], 51 - draw
            if count == 0:
                return result
            owners, after = game.expand(states, decks[running, draw].contiguous())
            values = self.chances(after, left)
            values, best, pick = self.best_alive(values, owners, after, count)
            looked = None
            # With one card left the chances are exact already.
            if look and left > 1:
                values, looked = self.looked(look, values, best, owners, after, left)
                best, pick = best_of(values, owners, count)
            alive = best > 0
            if memory is not None:
                strayed = torch.rand(count, device=decks.device, generator=generator) < stray
                noise = torch.rand(values.shape[0], device=decks.device, generator=generator)
                _, other = best_of(torch.where(values > 0, noise, noise - 2), owners, count)
                strayed &= (other != pick) & alive
                pick = torch.where(strayed, other, pick)
                memory.games.append(running)
                memory.value.append(best.clamp_min(0))
                memory.strayed.append(strayed)
                memory.chosen.append((running[alive], after[pick[alive]]))
                if looked is not None:
                    spare = looked[pick[owners[looked]] != looked]
                    memory.beside.append((after[spare], values[spare]))
            states, running = after[pick[alive]], running[alive]
        result[running] = game.finish(states, decks[running, 51].contiguous())
        return result


def targets(memory, outcome, blend):
    """Lambda-returns: the state after each draw learns a blend of what the net says later and of how the game ended.

    The blend is cut where an exploratory move was made: what follows it says nothing about good play.
    """
    running = outcome.clone()
    states, wanted = [], []
    for games, value, strayed, (chosen, after) in reversed(list(zip(memory.games, memory.value, memory.strayed, memory.chosen))):
        states.append(after)
        wanted.append(running[chosen])
        # A game given up as dead keeps its outcome (which may be a consolation early in training).
        later = torch.where(value > 0, value, outcome[games])
        running[games] = torch.where(strayed, value, (1 - blend) * later + blend * running[games])
    for after, value in memory.beside:
        states.append(after)
        wanted.append(value)
    return torch.cat(states), torch.cat(wanted)
