"""A row of run's table, of what `hone verify --json` wrote, and the genome that `hone tune --json` names."""
import json
import sys


def first_of(path):
    try:
        with open(path) as file:
            return (json.load(file).get("kernels") or [{}])[0]
    except (OSError, ValueError):
        return {}


kernel, work = sys.argv[1:]
tuned, speedup = first_of(f"{work}/tuned.json"), first_of(f"{work}/verified.json").get("speedup")
gain = f"{speedup['median']:.2f}× | {speedup['low']:.2f}–{speedup['high']:.2f}" if speedup else "none | "
trials = tuned.get("trials") or {}
print(f"| {kernel} | {gain} | {trials.get('total', 0)} ({trials.get('right', 0)}, {trials.get('faster', 0)}) |")
