"""Playing many games at once with the value net: greedily, or looking one draw ahead; and remembering for learning."""

from dataclasses import dataclass, field

import torch


@dataclass
class Look:
    """Look one draw ahead for the `most` best candidates whose chance is within `width` of the best."""

    most: int
    width: float


@dataclass
class Deep:
    """Then two draws, once at most `left` cards are unseen: for those still close, with so many ways to finish the turn between the draws."""

    root: Look
    inner: Look
    left: int = 51


@dataclass
class Roll:
    """Then games are played on, greedily, from the `most` best candidates with at least `near` of the best chance: `games` from each, on the same deals, for
    `draws` draws. What the net says there differs from what it said after the first of these draws; that, times `weight`, is added to what the look said."""

    games: int
    draws: int
    left: int = 32
    least: float = 0.01  # only where the best candidate has this chance
    most: int = 3
    near: float = 0.6
    weight: float = 0.7


@dataclass
class Memory:
    """What a batch of games leaves for learning, draw by draw."""

    games: list = field(default_factory=list)  # games still on before the draw
    value: list = field(default_factory=list)  # chance of the best candidate, 0 if all are dead
    strayed: list = field(default_factory=list)  # an exploratory move was made
    chosen: list = field(default_factory=list)  # (games, states) after the draw
    beside: list = field(default_factory=list)  # (states, chances): candidates looked at but not chosen
    splits: dict = field(default_factory=dict)  # by draw: (games that went on, their chances, which of these each new game came from)


@dataclass
class Split:
    """Where hardly any game is won, hardly any late table is worth knowing. At these numbers of unseen cards as many games as there were go on, from
    tables drawn by (chance / chance at the last such point) ** tilt, each with the unseen cards shuffled anew: promising tables several times, hopeless
    ones rarely."""

    tilt: float
    points: tuple = (44, 38, 32, 26, 20, 16, 12, 8, 5)

    def draw(self, gain, count, generator):
        """`count` indices, each as often as its weight deserves, to within one."""
        weights = gain.clamp_min(1e-9).pow(self.tilt).double().cumsum(0)
        offset = torch.rand(1, device=gain.device, generator=generator, dtype=torch.float64)
        marks = (torch.arange(count, device=gain.device) + offset) * (weights[-1] / count)
        return torch.searchsorted(weights, marks).clamp_max(gain.shape[0] - 1)


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

    def chances_ahead(self, states, left, inner=None, chunk=60000):
        """The same by the best candidate after each possible next card; with `inner`, the best candidates are looked into once more."""
        out = torch.zeros(states.shape[0], device=states.device)
        chunk = chunk // 40 if inner else chunk
        for at in range(0, states.shape[0], chunk):
            part = states[at : at + chunk]
            node, rank = (part[:, 8:21] > 0).nonzero(as_tuple=True)
            weight = part[node, 8 + rank].float() / left
            owners, leaves = self.game.expand(part[node], rank.to(torch.uint8))
            values = self.chances(leaves, left - 1)
            values, best, _ = self.best_alive(values, owners, leaves, node.shape[0])
            if inner and left > 2:
                close = self.close(inner, values, best, owners).nonzero()[:, 0]
                close = close[self.game.alive(leaves[close], self.budget)]
                deeper = self.chances_ahead(leaves[close], left - 1)
                best = torch.zeros_like(best).scatter_reduce_(0, owners[close], deeper, "amax")
            out[at : at + chunk].index_add_(0, node, weight * best.clamp_min(0))
        return out

    def close(self, look, values, best, owners):
        """Which candidates are looked into."""
        near = (values > 0) & (values >= best[owners] - look.width)
        return self.best_few(look.most, torch.where(near, values, torch.full_like(values, -1.0)), owners, best.shape[0])

    def best_few(self, most, values, owners, count):
        """Per owner the `most` best among the positive values."""
        kept = torch.zeros_like(values, dtype=torch.bool)
        for _ in range(most):
            top, first = best_of(values, owners, count)
            first = first[top > 0]
            kept[first] = True
            values[first] = -1.0
        return kept

    def looked(self, look, values, best, owners, after, left, inner=None):
        """Replaces the chances of close candidates by those one draw ahead (two with `inner`); all others leave the race."""
        kept = self.close(look, values, best, owners)
        rivals = torch.zeros_like(best).index_add_(0, owners, kept.float())
        chosen = (kept & (rivals[owners] > 1)).nonzero()[:, 0]
        chosen = chosen[self.game.alive(after[chosen], self.budget)]
        contested = rivals > 1
        ahead = torch.where(contested[owners], torch.full_like(values, -1.0), values)
        ahead[chosen] = self.chances_ahead(after[chosen], left, inner)
        return ahead, chosen

    def played_on(self, roll, values, best, owners, after, left, generator, chunk=600000):
        """Replaces the chances of the closest candidates by what becomes of games from there; all others leave the race."""
        near = (best >= roll.least)[owners] & (values >= roll.near * best[owners])
        kept = self.best_few(roll.most, torch.where(near, values, torch.full_like(values, -1.0)), owners, best.shape[0])
        contested = torch.zeros_like(best).index_add_(0, owners, kept.float()) > 1
        chosen = (kept & contested[owners]).nonzero()[:, 0]
        out = torch.where(contested[owners], torch.full_like(values, -1.0), values)
        # Candidates of one game stay together, so that they see the same deals.
        turns, turn = owners[chosen].unique(return_inverse=True)
        for at in range(0, turns.shape[0], max(1, chunk // (roll.games * roll.most))):
            part = (turn >= at) & (turn < at + max(1, chunk // (roll.games * roll.most)))
            gain = self.gain_by_playing_on(roll, after[chosen[part]], turn[part] - at, left, generator)
            out[chosen[part]] = (values[chosen[part]] + roll.weight * gain).clamp_min(1e-9)
        return out

    def gain_by_playing_on(self, roll, states, turn, left, generator):
        """By how much the net's opinion changes, on average, from the first draw of a game to its last one."""
        count, draws = int(turn.max()) + 1, min(roll.draws, left - 1)
        unseen = torch.zeros((count, 13), dtype=torch.long, device=states.device)
        unseen[turn] = states[:, 8:21].long()
        ranks = torch.arange(13, device=states.device).repeat(count)
        cards = ranks.repeat_interleave(unseen.flatten()).view(count, 1, left).expand(-1, roll.games, -1)
        order = torch.rand(cards.shape, device=states.device, generator=generator).argsort(2)
        decks = cards.gather(2, order[:, :, :draws])[turn].reshape(-1, draws).to(torch.uint8)
        games = torch.arange(states.shape[0], device=states.device).repeat_interleave(roll.games)
        now = states.repeat_interleave(roll.games, 0).contiguous()
        gain = torch.zeros(states.shape[0], device=states.device)
        for draw in range(draws):
            owners, after = self.game.expand(now, decks[:, draw].contiguous())
            values = self.chances(after, left - draw - 1)
            _, best, pick = self.best_alive(values, owners, after, now.shape[0])
            if draw == 0:
                gain.index_add_(0, games, -best.clamp_min(0))
            if draw == draws - 1:
                gain.index_add_(0, games, best.clamp_min(0))
            alive = best > 0
            now, games, decks = after[pick[alive]], games[alive], decks[alive]
            if games.shape[0] == 0:
                break
        return gain / roll.games

    @torch.no_grad()
    def play(self, decks, look=None, stray=0.0, generator=None, memory=None, split=None, deep=None, roll=None):
        """Plays every deck; cards on the foundations in the end, 0 for games given up as dead. With `split`, of the games that went on last."""
        game = self.game
        before = torch.ones(decks.shape[0], device=decks.device)
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
                if deep and 2 < left <= deep.left:
                    values, _ = self.looked(deep.root, values, best, owners, after, left, deep.inner)
                    best, pick = best_of(values, owners, count)
                if roll and 2 < left <= roll.left:
                    values = self.played_on(roll, values, best, owners, after, left, generator)
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
            if split and left in split.points and running.shape[0]:
                chance = values[pick[alive]].clamp_min(1e-9)
                parents = split.draw(chance / before[running], decks.shape[0], generator)
                memory.splits[draw] = (running, chance, parents)
                states, decks, before = states[parents], reshuffled(decks[running[parents]], draw + 1, generator), chance[parents]
                running = torch.arange(decks.shape[0], device=decks.device)
        result[running] = game.finish(states, decks[running, 51].contiguous())
        return result


def reshuffled(decks, first, generator):
    """The decks with the cards from place `first` on in a new order."""
    order = torch.rand(decks[:, first:].shape, device=decks.device, generator=generator).argsort(1)
    return torch.cat([decks[:, :first], decks[:, first:].gather(1, order)], 1)


def before_split(running, games, chance, parents):
    """Returns of the games before a split: the mean over those that came from one, its chance where none did, 0 for games that were over."""
    sums = torch.zeros_like(chance).index_add_(0, parents, running)
    count = torch.zeros_like(chance).index_add_(0, parents, torch.ones_like(running))
    out = torch.zeros_like(running)
    out[games] = torch.where(count > 0, sums / count.clamp_min(1), chance)
    return out


def targets(memory, outcome, blend):
    """Lambda-returns: the state after each draw learns a blend of what the net says later and of how the game ended.

    The blend is cut where an exploratory move was made: what follows it says nothing about good play.
    """
    running = outcome.clone()
    states, wanted = [], []
    draws = enumerate(zip(memory.games, memory.value, memory.strayed, memory.chosen))
    for draw, (games, value, strayed, (chosen, after)) in reversed(list(draws)):
        if draw in memory.splits:
            running = before_split(running, *memory.splits[draw])
            outcome = torch.zeros_like(outcome)
        states.append(after)
        wanted.append(running[chosen])
        # A game given up as dead keeps its outcome (which may be a consolation early in training).
        later = torch.where(value > 0, value, outcome[games])
        running[games] = torch.where(strayed, value, (1 - blend) * later + blend * running[games])
    for after, value in memory.beside:
        states.append(after)
        wanted.append(value)
    return torch.cat(states), torch.cat(wanted)
