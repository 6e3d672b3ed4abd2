"""Makes a net from beginning to end: python recipe.py 2

The runs of its recipe one after the other, then the acceptance run. Everything lies in runs/ afterwards; a run whose net is there already is not
repeated, so an interrupted recipe goes on where it stopped. Nets for 2 and 4 stacks start from the one for 3: that of runs/s3 where it was made, else
the shipped one.
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
RUNS = HERE / "runs"
SHIPPED = HERE.parent / "crates/calculation/nets"

# By stacks: the runs as (name, what it starts from, settings of train.py).
RECIPES = {
    3: [
        ("scratch", None, "--seconds 545 --rate 1e-3 --seed 7"),
        ("s3", "scratch", "--seconds 480 --rate 6e-4 --seed 7"),
    ],
    4: [("s4", "s3", "--seconds 125 --rate 6e-4")],
    2: [
        ("s2-first", "s3", "--seconds 85 --rate 6e-4"),
        ("s2-second", "s2-first", "--seconds 380 --rate 6e-4 --seed 31 --split 0.5"),
        ("s2", "s2-second", "--seconds 430 --rate 7e-4 --seed 32 --split 0.6"),
    ],
}
# By stacks: how wide the acceptance run looks one draw ahead.
LOOKS = {2: ("4", "0.2"), 3: ("4", "0.2"), 4: ("4", "0.1")}


def start_of(name):
    made = RUNS / name / "net.pt"
    return made if made.exists() else SHIPPED / f"calculation-{name}.net"


def commands(stacks):
    """What is still to be run, in order."""
    for name, start, settings in RECIPES[stacks]:
        if not (RUNS / name / "net.pt").exists():
            begin = ["--start", str(start_of(start))] if start else []
            yield ["train.py", "--stacks", str(stacks), *settings.split(), *begin, "--out", str(RUNS / name)]
    net = str(RUNS / f"s{stacks}" / f"calculation-s{stacks}.net")
    yield ["evaluate.py", net]
    yield ["evaluate.py", net, "--look", *LOOKS[stacks]]


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("stacks", type=int, choices=sorted(RECIPES))
    # Each command is made when it is run: what it starts from may come from the one before.
    for command in commands(parse.parse_args().stacks):
        print("python", *command, flush=True)
        subprocess.run([sys.executable, *command], cwd=HERE, check=True)


if __name__ == "__main__":
    main()
