"""A row of run's table, of what hone wrote as JSON; with --mean, the rows' geometric means."""
import json
import math
import sys


def median_of(place):
    speedup = place.get("speedup")
    return speedup.get("median", 1.0) if isinstance(speedup, dict) else 1.0


def read(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def row(kernel, work):
    tuned = (read(f"{work}/tuned.json").get("kernels") or [{}])[0]
    verified = (read(f"{work}/verified.json").get("kernels") or [{}])[0]
    clang = median_of(read(f"{work}/clang.json"))
    gain = median_of(verified)
    interval = verified.get("speedup") or {}
    stays = f"{interval.get('low', 1):.2f}–{interval.get('high', 1):.2f}"
    if verified.get("right") is False:
        stays = f"refused: {verified.get('reason')}"
    trials = tuned.get("trials") or {}
    best = max(1.0, clang)
    print(f"| {kernel} | {gain:.2f}× | {stays} | "
          f"{trials.get('total', 0)} ({trials.get('right', 0)}, {trials.get('faster', 0)}) | {clang:.2f}× | "
          f"{gain / best:.2f}× |")


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def means(path):
    with open(path) as file:
        rows = [line.split("|") for line in file if "×" in line]
    for title, column in (("gain", 2), ("over the better of both", 6)):
        gains = [float(cells[column].strip(" ×")) for cells in rows]
        print(f"\ngeometric mean, {title}: {geometric_mean(gains):.2f}×")


if __name__ == "__main__":
    if sys.argv[1] == "--mean":
        means(sys.argv[2])
    else:
        row(sys.argv[1], sys.argv[2])
