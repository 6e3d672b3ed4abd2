"""Compares the extracted program with an independent brute force, and with test
vectors if a .jsonl file is given.  Usage: check.py PROGRAM [VECTORS]

Suits: winner and winning moves. Graphs (arcs and edge additions, no jokers, passes
or deletions): winner."""
import itertools, json, random, subprocess, sys
from functools import lru_cache

OTHER = {"L": "R", "R": "L"}


def held(p, suits):
    return sum(s.count(p) for s in suits)


@lru_cache(None)
def winner(suits, m):
    """Straight from the rules; suits is a sorted tuple of strings."""
    o = OTHER[m]
    if not held(m, suits):
        return m
    if not held(o, suits):
        return o
    return m if any(w for _, w in plays(suits, m)) else o


def plays(suits, m):
    """(index, does the play win) for all legal plays of m."""
    for i, s in enumerate(suits):
        if s[:1] == m:
            rest = suits[:i] + (s[1:],) + suits[i + 1:]
            yield i, winner(tuple(sorted(t for t in rest if t)), OTHER[m]) == m


def expected(suits, m):
    if not held("L", suits) and not held("R", suits):
        return "invalid"
    w = winner(tuple(sorted(s for s in suits if s)), m)
    over = not held("L", suits) or not held("R", suits)
    return w + ";" + ("" if over else " ".join(str(i) for i, won in plays(suits, m) if won))


def multisets(n, longest):
    """All multisets of nonempty strings with n cards in all, parts at most longest."""
    if n == 0:
        yield ()
        return
    for size in range(min(n, longest), 0, -1):
        words = ["".join(w) for w in itertools.product("LR", repeat=size)]
        for count in range(1, n // size + 1):
            for rest in multisets(n - size * count, size - 1):
                for chosen in itertools.combinations_with_replacement(words, count):
                    yield chosen + rest


def graph_winner(colour, arcs, adds, m):
    """colour: dict vertex -> L, R or W."""
    o = OTHER[m]
    if m not in colour.values():
        return m
    if o not in colour.values():
        return o
    for v in colour:
        present = arcs + [e for x, e in adds if colour[x] == "W"]
        if colour[v] == m and any(y == v and colour[x] == "W" for x, y in present):
            if graph_winner({**colour, v: "W"}, arcs, adds, o) == m:
                return m
    return o


def graph_line(colour, arcs, adds, m):
    of = lambda p: " ".join(str(v) for v in colour if colour[v] == p)
    return ";".join(["G", of("L"), of("R"), " ".join("%d>%d" % e for e in arcs),
                     " ".join("%d:%d>%d" % (x, *e) for x, e in adds), of("W"), m])


def random_graph(rnd):
    n = rnd.randint(2, 9)
    colour = {v: rnd.choice("LR") for v in range(n)}
    for v in range(rnd.randint(1, 2)):
        colour[rnd.randrange(n)] = "W"
    arc = lambda: (rnd.randrange(n), rnd.randrange(n))
    arcs = [arc() for _ in range(rnd.randint(n // 2, 2 * n))]
    if rnd.random() < 0.5:
        arcs += [(y, x) for x, y in arcs]
    adds = [(rnd.randrange(n), arc()) for _ in range(rnd.choice((0, 0, 2, 4)))]
    return colour, arcs, adds, rnd.choice("LR")


def vectors(path):
    for line in open(path):
        v = json.loads(line)
        q, a = v["request"], v.get("answer") or {}
        if "suits" in q and "winner" in a and "winning_moves" in a:
            yield (",".join(q["suits"]) + ";" + q["to_move"],
                   a["winner"] + ";" + " ".join(map(str, a["winning_moves"])))
        elif "vertices" in q and "winner" in a:
            if q.get("delete") or any((q.get("rights") or {}).values()) or any((q.get("passes") or {}).values()):
                continue
            if sum(c != "W" for c in q["vertices"]) > 10:
                continue  # the extracted search has no memory
            name = {"W": "W", "R": "L", "B": "R"}
            colour = {i: name[c] for i, c in enumerate(q["vertices"])}
            both = lambda e: [tuple(e)] if q.get("directed") else [tuple(e), tuple(e)[::-1]]
            arcs = [x for e in q["edges"] for x in both(e)]
            adds = [(d["when"], x) for d in q.get("add", []) for x in both(d["edge"])]
            yield graph_line(colour, arcs, adds, name[q["to_move"]]), name[a["winner"]]


def main():
    cases = [(",".join(p) + ";" + m, expected(p, m))
             for n in range(0, 10) for p in multisets(n, n) for m in "LR"]
    rnd = random.Random(7)
    for _ in range(6000):
        suits = [""] * rnd.randint(1, 6)
        for _ in range(rnd.randint(10, 15)):
            suits[rnd.randrange(len(suits))] += rnd.choice("LR")
        m = rnd.choice("LR")
        cases.append((",".join(suits) + ";" + m, expected(tuple(suits), m)))
    suit_cases = len(cases)
    while len(cases) < suit_cases + 3000:
        g = random_graph(rnd)
        if set(g[0].values()) != {"W"}:
            cases.append((graph_line(*g), graph_winner(*g)))
    made = len(cases)
    for path in sys.argv[2:]:
        cases += vectors(path)
    assert len(cases) > made or not sys.argv[2:], "no usable test vectors"
    out = subprocess.run([sys.argv[1]], input="\n".join(c for c, _ in cases) + "\n",
                         capture_output=True, text=True, check=True).stdout.splitlines()
    bad = [(c, w, o) for (c, w), o in zip(cases, out) if w != o]
    if bad or len(out) != len(cases):
        print("FAILED", len(bad), "of", len(cases), bad[:5])
        sys.exit(1)
    print("ok: %d suit positions, %d graph positions, %d test vectors"
          % (suit_cases, made - suit_cases, len(cases) - made))


main()
