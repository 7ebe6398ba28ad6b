"""`hone eval` as any system's evaluator: the score is the median speedup of what is right, else 0."""

import fcntl
import json
import os
import subprocess
import time
from pathlib import Path


def hone(*arguments, project=None, **options):
    return subprocess.run([os.environ["PEERS_HONE"], *arguments], capture_output=True, text=True,
                          cwd=project or os.environ["PEERS_PROJECT"], **options)


def judge(kernel, source):
    """The verdict of a candidate. Exit codes 0 and 1 are verdicts; any other is this machine's trouble."""
    run = hone("eval", "-p", "build", "--kernel", kernel, "--json", "-", input=source)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"hone eval: exit code {run.returncode}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def score(verdict):
    return verdict["speedup"]["median"] if verdict["right"] and verdict["speedup"] else 0.0


def feedback(verdict):
    if verdict["right"]:
        figures = "; ".join(f"{problem['label']}: {problem['speedup']['median']:.2f}x"
                            for problem in verdict["problems"] if problem["speedup"])
        return f"Right. {score(verdict):.2f} times as fast as the original ({figures}). {verdict['reason']}".strip()
    return f"Wrong or refused at stage {verdict['stage']}: {verdict['reason']}\n{verdict['detail'][:2000]}".strip()


def evaluate(source):
    """Judges a candidate of the run that the environment names, and writes down what came of it."""
    began = time.time()
    verdict = judge(os.environ["PEERS_KERNEL"], source)
    line = {"source": source, "seconds": time.time() - began, "score": score(verdict), "verdict": verdict}
    with open(Path(os.environ["PEERS_RUN"]) / "judged.jsonl", "a") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.write(json.dumps(line) + "\n")
    return verdict


def task():
    """Rules, function and machine, in the words of Hone's own prompt, without what it says of the reply's form."""
    text = (Path(os.environ["PEERS_RUN"]).parent.parent / f"{os.environ['PEERS_KERNEL']}.task").read_text()
    return (f"{text}\n\nYour candidate is the file's whole text: include lines, helpers, the complete definition, "
            "without the pragma. Its score is its speedup over the original, and 0 if it is wrong or refused.")


def original():
    return (Path(os.environ["PEERS_RUN"]).parent.parent / f"{os.environ['PEERS_KERNEL']}.original.cpp").read_text()
