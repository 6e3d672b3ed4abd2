"""Checks of the training code that need no GPU: python -m unittest (from this folder)."""

import random
import unittest

import torch

import net as nets
import recipe
from game import Game, deals
from play import Look, Memory, Player, Roll, Split, before_split, best_of, targets
from train import arguments

ORDER = [[((p + 1) * (j + 1) + 12) % 13 for p in range(13)] for j in range(4)]


def slow_results(heads, stacks, drawn):
    """All ways to finish a turn, from the rules alone; tables as (heads, stacks), stacks in any order."""
    seen = set()

    def free(heads, stacks):
        table = (heads, tuple(sorted(stacks)))
        if table in seen:
            return
        seen.add(table)
        for s, stack in enumerate(stacks):
            for j in range(4):
                if stack and heads[j] < 13 and ORDER[j][heads[j]] == stack[-1]:
                    after = heads[:j] + (heads[j] + 1,) + heads[j + 1 :]
                    free(after, stacks[:s] + (stack[:-1],) + stacks[s + 1 :])

    for j in range(4):
        if heads[j] < 13 and ORDER[j][heads[j]] == drawn:
            free(heads[:j] + (heads[j] + 1,) + heads[j + 1 :], stacks)
    for s, stack in enumerate(stacks):
        free(heads, stacks[:s] + (stack + (drawn,),) + stacks[s + 1 :])
    return seen


def table_of(state, stacks):
    return tuple(state[:4]), tuple(tuple(state[24 + 40 * s : 24 + 40 * s + state[4 + s]]) for s in range(stacks))


class Rules(unittest.TestCase):
    def test_results_of_a_draw_are_those_of_the_rules(self):
        chance = random.Random(5)
        for stacks in (2, 3, 4):
            game = Game(stacks, "cpu")
            for deck in deals(400_001, 6):
                state = game.start(1)
                for draw in range(30):
                    card = deck[draw : draw + 1].contiguous()
                    _, after = game.expand(state, card)
                    rows = after.tolist()
                    found = {(heads, tuple(sorted(piles))) for heads, piles in (table_of(row, stacks) for row in rows)}
                    heads, piles = table_of(state[0].tolist(), stacks)
                    expected = slow_results(heads, piles, int(card))
                    if len(rows) < 48:
                        self.assertEqual(found, expected)
                    self.assertTrue(found <= expected)
                    # Mostly keep tables open by choosing at random.
                    state = after[chance.randrange(len(rows))][None].contiguous()

    def test_deals_are_the_named_ones(self):
        self.assertEqual(deals(1, 1)[0, :8].tolist(), [8, 4, 10, 7, 12, 7, 2, 6])
        self.assertTrue((deals(7, 50).long().sort(1)[0] == torch.arange(52) // 4).all())


class Files(unittest.TestCase):
    def test_a_net_survives_its_file(self):
        net = nets.Net(3)
        again = nets.from_bytes(nets.to_bytes(net))
        for one, other in zip(net.parameters(), again.parameters()):
            if one.shape == (256, 136):
                one, other = one[:, :134], other[:, :134]
            self.assertLess((one - other).abs().max().item(), 1e-3)
        damaged = bytearray(nets.to_bytes(net))
        damaged[1000] ^= 1
        self.assertRaises(ValueError, nets.from_bytes, bytes(damaged))

    def test_a_copied_stack_is_a_copied_block(self):
        net = nets.Net(3)
        wide = nets.restacked(net.state_dict(), 4)["join.weight"]
        self.assertTrue((wide[:, 512:768] == wide[:, 768:1024]).all())
        self.assertTrue((wide[:, 1024:] == net.join.weight[:, 768:]).all())


    def test_a_widened_net_says_the_same(self):
        torch.manual_seed(5)
        old = nets.Net(3)
        new = nets.widened(old, 272, 528)
        stacks = torch.randint(0, 2, (12, old.stack.weight.shape[1])).float()
        globals_ = torch.randint(0, 2, (4, old.table.weight.shape[1])).float()
        with torch.no_grad():
            self.assertLess((old(stacks, globals_) - new(stacks, globals_)).abs().max().item(), 1e-4)


def played(stacks, seed, count, look=None, stray=0.1, split=None):
    """Games of a net that knows nothing: the player, what it remembers, and how they ended."""
    game = Game(stacks, "cpu")
    torch.manual_seed(seed)
    player = Player(game, nets.Actor(game, nets.Net(stacks)), 100)
    memory = Memory()
    return player, memory, player.play(deals(500_001, count), look, stray, torch.Generator().manual_seed(1), memory, split)


class Playing(unittest.TestCase):
    def test_best_of_is_the_first_largest(self):
        best, first = best_of(torch.tensor([0.1, 0.7, 0.7, 0.2]), torch.tensor([0, 0, 0, 1]), 2)
        self.assertEqual(first.tolist(), [1, 3])
        self.assertAlmostEqual(best[0].item(), 0.7, places=6)

    def test_returns_blend_the_outcome_and_stop_at_exploration(self):
        one = torch.zeros((1, 4), dtype=torch.uint8)
        game = torch.tensor([0])
        memory = Memory([game] * 3, [torch.tensor([v]) for v in (0.5, 0.6, 0.8)], [torch.tensor([s]) for s in (False, True, False)],
                        [(game, one)] * 3, [])
        _, wanted = targets(memory, torch.tensor([1.0]), 0.75)
        # After the last draw the outcome; before it a blend; before the exploratory move the net's own opinion.
        for got, expected in zip(wanted.tolist(), [1.0, 0.25 * 0.8 + 0.75, 0.6]):
            self.assertAlmostEqual(got, expected, places=6)

    def test_a_game_is_played_to_its_end(self):
        player, memory, result = played(3, 3, 3, Look(2, 0.5))
        roll = Roll(8, 4, least=0.0)
        self.assertTrue((player.play(deals(500_001, 1), Look(2, 0.5), generator=torch.Generator().manual_seed(1), roll=roll) <= 52).all())
        self.assertTrue((result <= 52).all())
        states, wanted = targets(memory, (result == 52).float(), 0.8)
        self.assertEqual(states.shape[0], wanted.shape[0])
        self.assertTrue(((wanted >= 0) & (wanted <= 1)).all())
        # No card is lost: foundations, stacks and unseen cards make a deck.
        for state in states.tolist():
            self.assertEqual(sum(state[:4]) + sum(state[4:8]) + sum(state[8:21]), 52)

    def test_two_draws_ahead_are_what_they_are_defined_as(self):
        player, memory, _ = played(2, 5, 2, stray=0.2)
        game = player.game
        states = memory.chosen[30][1][:1]
        left = 51 - 30
        everything = Look(1000, 1.0)
        got = player.chances_ahead(states, left, everything).item()
        total = 0.0
        for rank in range(13):
            copies = states[0, 8 + rank].item()
            if copies:
                _, leaves = game.expand(states, torch.tensor([rank], dtype=torch.uint8))
                leaves = leaves[game.alive(leaves, 100)]
                best = max(player.chances_ahead(leaf[None], left - 1).item() for leaf in leaves) if len(leaves) else 0.0
                total += copies / left * best
        self.assertAlmostEqual(got, total, places=5)

    def test_games_that_are_played_on_gain_what_all_orders_gain(self):
        player, memory, _ = played(2, 5, 2, stray=0.2)
        state = memory.chosen[30][1][:1]
        left = 51 - 30

        def greedy(state, rank, left):
            owners, after = player.game.expand(state, torch.tensor([rank], dtype=torch.uint8))
            _, best, pick = player.best_alive(player.chances(after, left), owners, after, 1)
            return best.clamp_min(0).item(), after[pick]

        gains, shares = [], []
        for first in (rank for rank in range(13) if state[0, 8 + rank]):
            before, after = greedy(state, first, left - 1)
            for second in (rank for rank in range(13) if before and after[0, 8 + rank]):
                gains.append(greedy(after, second, left - 2)[0] - before)
                shares.append(state[0, 8 + first].item() / left * after[0, 8 + second].item() / (left - 1))
            if not before:
                gains.append(0.0)
                shares.append(state[0, 8 + first].item() / left)
        self.assertAlmostEqual(sum(shares), 1.0, places=6)
        mean = sum(gain * share for gain, share in zip(gains, shares))
        spread = sum((gain - mean) ** 2 * share for gain, share in zip(gains, shares)) ** 0.5
        games = 4000
        gain = lambda draws: player.gain_by_playing_on(Roll(games, draws), state, torch.tensor([0]), left, torch.Generator().manual_seed(2)).item()
        self.assertLess(abs(gain(2) - mean), 4 * spread / games**0.5)
        self.assertGreater(spread, 0)
        # Nothing but rounding: both opinions are the same one.
        self.assertLess(abs(gain(1)), 1e-5)

    def test_only_close_candidates_are_played_on(self):
        player, memory, _ = played(2, 5, 2, stray=0.2)
        after = memory.chosen[30][1][:1].repeat(4, 1)
        values, owners = torch.tensor([0.5, 0.4, 0.1, 0.3]), torch.tensor([0, 0, 0, 1])
        out = player.played_on(Roll(20, 3), values, torch.tensor([0.5, 0.3]), owners, after, 21, torch.Generator().manual_seed(2))
        # The third is too far behind, the fourth has no rival; equal tables on equal deals gain the same.
        self.assertEqual(out[2].item(), -1.0)
        self.assertAlmostEqual(out[3].item(), 0.3, places=6)
        self.assertAlmostEqual((out[0] - out[1]).item(), 0.1, places=5)
        faint = player.played_on(Roll(20, 3, least=0.6), values, torch.tensor([0.5, 0.3]), owners, after, 21, None)
        self.assertTrue((faint == values).all())

    def test_a_split_shares_returns_out(self):
        drawn = Split(1.0).draw(torch.tensor([0.1, 0.3, 0.0, 0.6]), 10, torch.Generator().manual_seed(1))
        counts = torch.bincount(drawn, minlength=4).tolist()
        for count, expected in zip(counts, [1, 3, 0, 6]):
            self.assertLessEqual(abs(count - expected), 1)
        # Of four games number 1 was over; 0 and 3 went on twice, 2 not at all.
        running = torch.tensor([1.0, 0.0, 1.0, 0.0])
        shared = before_split(running, torch.tensor([0, 2, 3]), torch.tensor([0.4, 0.3, 0.2]), torch.tensor([0, 0, 2, 2]))
        for got, expected in zip(shared.tolist(), [0.5, 0.0, 0.3, 0.5]):
            self.assertAlmostEqual(got, expected, places=6)

    def test_no_card_is_lost_in_a_split(self):
        _, memory, result = played(2, 3, 5, split=Split(0.5))
        self.assertTrue(memory.splits)
        states, wanted = targets(memory, (result == 52).float(), 0.8)
        self.assertTrue(((wanted >= 0) & (wanted <= 1)).all())
        for state in states.tolist():
            self.assertEqual(sum(state[:4]) + sum(state[4:8]) + sum(state[8:21]), 52)
            cards = state[8:21]
            for s in range(2):
                for rank in state[24 + 40 * s : 24 + 40 * s + state[4 + s]]:
                    cards[rank] += 1
            for j in range(4):
                for place in range(state[j]):
                    cards[ORDER[j][place]] += 1
            self.assertEqual(cards, [4] * 13)


class Recipes(unittest.TestCase):
    def test_every_recipe_ends_in_the_net_of_its_stacks(self):
        for stacks, runs in recipe.RECIPES.items():
            self.assertEqual(runs[-1][0], f"s{stacks}")
            known = {None, "s3"}
            for name, start, settings in runs:
                self.assertIn(start, known)
                known.add(name)
                arguments(["--stacks", str(stacks), *settings.split(), *(["--start", "x.net"] if start else [])])
            self.assertEqual([command[0] for command in recipe.commands(stacks)][-2:], ["evaluate.py", "evaluate.py"])


if __name__ == "__main__":
    unittest.main()
