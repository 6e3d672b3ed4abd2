"""Compares the extracted program with an independent brute force, and with test
vectors if a .jsonl file is given.  Usage: check.py PROGRAM [VECTORS]

The brute force knows only the rules.  A side is (ordinary cards, cut cards, goal);
a state is (mover, other, table), the table 0 (empty), a face, or CUT.  The value of
a state is True (the mover can force a win), False (the other player can) or None
(nobody can: endless play)."""
import itertools, json, random, subprocess, sys
from functools import lru_cache

CUT = "cut"


def minus(h, v):
    i = h.index(v)
    return h[:i] + h[i + 1:]


def size(s):
    return len(s[0]) + len(s[1])


def neg(w):
    return None if w is None else not w


def best(results):
    return True if True in results else (None if None in results else False)


def legal(m, r):
    """(move, the mover's side after it, the table after it) for all legal discards."""
    if r == CUT:
        return
    for v in sorted(set(m[0])):
        if v > r:
            yield v, (minus(m[0], v), m[1], m[2]), v
    for y in sorted(set(m[1])):
        if y > r:
            yield "c%d" % y, (m[0], minus(m[1], y), m[2]), CUT


@lru_cache(None)
def discards(m, o, r):
    """(move, value for the mover) for all legal discards of m."""
    return [(move, True if size(m2) <= m2[2] else neg(value(o, m2, t)))
            for move, m2, t in legal(m, r)]


@lru_cache(None)
def empty_table(a, b):
    """Values of (a, b, 0) and (b, a, 0).  The two states are linked by passing, so
    they are solved together as a least fixpoint; no other states form a cycle."""
    won = [None, None]
    while True:
        before = list(won)
        for i, (m, o) in enumerate(((a, b), (b, a))):
            if won[i] is None:
                won[i] = best([w for _, w in discards(m, o, 0)] + [neg(won[1 - i])])
        if won == before:
            return tuple(won)


@lru_cache(None)
def value(m, o, r):
    if r == 0:
        return empty_table(m, o)[0]
    return best([w for _, w in discards(m, o, r)] + [neg(empty_table(m, o)[1])])


def expected(m, o, r):
    """(winner, winning discards, does passing win)."""
    w = value(m, o, r)
    assert w is not None, "a draw: %r" % ((m, o, r),)
    return 0 if w else 1, [v for v, won in discards(m, o, r) if won], not empty_table(m, o)[1]


def reachable(state):
    """All states that are not over and can be reached from this one."""
    seen, queue = {state}, [state]
    while queue:
        m, o, r = queue.pop()
        after = [(o, m2, t) for _, m2, t in legal(m, r) if size(m2) > m2[2]] + [(o, m, 0)]
        queue += [s for s in after if s not in seen]
        seen.update(after)
    return seen


def hands(faces, low, high):
    return [h for n in range(low, high + 1)
            for h in itertools.combinations_with_replacement(range(1, faces + 1), n)]


def positions():
    """The positions to compare; a dict keeps each of them once, in a fixed order."""
    found = {}
    # no cut cards: hands of at most 4 cards from 4 faces; with goals at most 6 cards in all
    for X, Z in itertools.product(hands(4, 1, 4), repeat=2):
        for c, d in itertools.product(range(len(X)), range(len(Z))):
            if not (c or d) or len(X) + len(Z) <= 6:
                found.update(dict.fromkeys(((X, (), c), (Z, (), d), r) for r in range(5)))
    # cut cards: sides of at most 3 cards from 4 faces, at most 5 cards in all
    small = [(X, U, 0) for X in hands(4, 0, 3) for U in hands(4, 0, 3) if 1 <= len(X) + len(U) <= 3]
    for a, b in itertools.product(small, repeat=2):
        if size(a) + size(b) <= 5:
            found.update(dict.fromkeys((a, b, r) for r in (0, 1, 2, 3, 4, CUT)))
    # every way to deal the faces 1..5, each to one of the four hands or to nobody
    for owner in itertools.product(range(5), repeat=5):
        h = [tuple(f for f, k in enumerate(owner, 1) if k == i) for i in range(4)]
        if (h[0] or h[1]) and (h[2] or h[3]):
            a, b = (h[0], h[1], 0), (h[2], h[3], 0)
            found.update(dict.fromkeys((a, b, r) for r in (0, 1, 2, 3, 4, 5, CUT)))
    # random larger ones
    rng = random.Random(1)
    deal = lambda f, n: tuple(sorted(rng.randint(1, f) for _ in range(n)))
    for _ in range(3000):
        f = rng.randint(3, 12)
        X, Z = deal(f, rng.randint(1, 6)), deal(f, rng.randint(1, 6))
        goals = rng.random() < 0.4
        c, d = (rng.randrange(len(X)), rng.randrange(len(Z))) if goals else (0, 0)
        found[(X, (), c), (Z, (), d), rng.randint(0, f)] = None
    for _ in range(1500):
        f = rng.randint(3, 9)
        a = (deal(f, rng.randint(0, 4)), deal(f, rng.randint(1, 2)), 0)
        b = (deal(f, rng.randint(1, 4)), deal(f, rng.randint(0, 2)), 0)
        found[a, b, rng.randint(0, f)] = None
    # random deals with equal faces: everything that can be reached from them
    for _ in range(300):
        n, f = rng.randint(3, 8), rng.randint(2, 8)
        h = [[], [], [], []]
        for _ in range(n):
            h[rng.randrange(4)].append(rng.randint(1, f))
        a, b = [tuple(tuple(sorted(x)) for x in h[i:i + 2]) + (0,) for i in (0, 2)]
        if size(a) and size(b):
            start = (a, b, rng.randint(0, f))
            found.update(dict.fromkeys(sorted(reachable(start), key=repr)))
    return list(found)


def vectors(path):
    """(position, expected) for the test vectors the program can answer."""
    for text in open(path):
        j = json.loads(text)
        q, ans = j["request"], j.get("answer")
        if ans is None or "winner" not in ans or "hands" not in q:
            continue
        U, V = q.get("cuts", [[], []])
        c, d = q.get("goal", [0, 0])
        if (U or V or q["table"] == CUT) and (c or d):
            continue
        moves = ans["winning_moves"]
        side = lambda x, u, goal: (tuple(x), tuple(u), goal)
        yield ((side(q["hands"][0], U, c), side(q["hands"][1], V, d), q["table"]),
               (ans["winner"], [v for v in moves if v != "pass"], "pass" in moves))


def questions(m, o, r):
    """The input lines for a position, each with the test its answer has to pass."""
    show = lambda h: " ".join(map(str, h))
    if r == CUT:  # the program knows no cut card on the table: ask after the forced pass
        line = ";".join(["0", *map(show, (*o[:2], *m[:2]))])
        yield line, lambda got, want: int(got.split(";")[0]) == 1 - want[0]
        return
    if not m[2] and not o[2]:
        yield ";".join([str(r), *map(show, (*m[:2], *o[:2]))]), same_with_cuts
    if not m[1] and not o[1]:
        line = "%d %d %d;%s;%s" % (m[2], o[2], r, show(m[0]), show(o[0]))
        yield line, lambda got, want: same_plain(got, want, any(v > r for v in m[0]))


def same_with_cuts(got, want):
    win, good, cuts, p = got.split(";")
    found = [int(x) for x in good.split()] + ["c" + x for x in cuts.split()]
    return (int(win), found, p == "1") == want


def same_plain(got, want, can_discard):
    win, good, p, move = got.split(";")
    if (int(win), [int(x) for x in good.split()], p == "1") != want:
        return False
    if want[0] == 1:
        return move == "none"
    if can_discard:
        return move != "pass" and int(move) in want[1]
    return move == "pass" and want[2]


def main():
    cases = [(p, expected(*p)) for p in positions()]
    brute = len(cases)
    for path in sys.argv[2:]:
        cases += vectors(path)
    given = len(cases) - brute
    assert given or not sys.argv[2:], "no usable test vectors"
    asked = [(line, test, want) for p, want in cases for line, test in questions(*p)]
    out = subprocess.run([sys.argv[1]], input="".join(a[0] + "\n" for a in asked),
                         capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(out) == len(asked)
    wrong = [(line, want, got) for (line, test, want), got in zip(asked, out)
             if got == "invalid" or not test(got, want)]
    for line, want, got in wrong[:9]:
        print("DIFFERENT", line, "want", want, "got", got)
    cuts = sum(1 for (m, o, r), _ in cases[:brute] if m[1] or o[1] or r == CUT)
    print("brute force: %d positions without and %d with cut cards; test vectors: %d; differences: %d"
          % (brute - cuts, cuts, given, len(wrong)))
    sys.exit(1 if wrong else 0)


main()
