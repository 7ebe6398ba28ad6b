"""The table of run, of what hone wrote as JSON into a folder: table.py OUT KERNEL…"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from row import geometric_mean, median_of, read


def gain(place):
    speedup = place.get("speedup")
    if not isinstance(speedup, dict):
        return "–"
    return f"{speedup['median']:.2f}× [{speedup['low']:.2f}, {speedup['high']:.2f}]"


def shares(recorded):
    """What each problem reaches of the bandwidth of the device's copies, as the verdict on the locked variant says."""
    verdict = (recorded.get("record") or {}).get("verdict") or {}
    found = re.findall(r"(\d+)% of the [\d.e+-]+ TB/s", verdict.get("detail") or "")
    return " · ".join(f"{share}%" for share in found) or "–"


def first(path):
    return (read(path).get("kernels") or [{}])[0]


def main(out, kernels):
    recorded = {kernel["name"]: kernel for kernel in read(f"{out}/report.json").get("kernels") or []}
    print("| kernel | outcome | gain of the search | verified afresh | trials (right, faster) | share of a copy's bandwidth |")
    print("|---|---|---|---|---|---|")
    searched, verified = [], []
    for kernel in kernels:
        tuned, again = first(f"{out}/{kernel}.tuned.json"), first(f"{out}/{kernel}.verified.json")
        trials = tuned.get("trials") or {}
        wrong = again.get("stage") and not again.get("right")
        print(f"| {kernel} | {tuned.get('outcome', 'no answer')} | {gain(tuned)} | "
              f"{'not right: ' + again.get('reason', '') if wrong else gain(again)} | "
              f"{trials.get('total', 0)} ({trials.get('right', 0)}, {trials.get('faster', 0)}) | "
              f"{shares(recorded.get(kernel, {}))} |")
        searched.append(median_of(tuned))
        verified.append(1.0 if wrong else median_of(again))
    print(f"\ngeometric mean, a kernel without a variant counted as 1: {geometric_mean(searched):.2f}× by the searches, "
          f"{geometric_mean(verified):.2f}× verified afresh")


main(sys.argv[1], sys.argv[2:])
