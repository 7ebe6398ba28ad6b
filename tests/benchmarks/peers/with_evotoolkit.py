"""EvoToolkit's loop with its EvoEngineer on one kernel, one call at a time: with_evotoolkit.py ENDPOINT CALLS."""

import json
import os
import sys
import urllib.request
from pathlib import Path

from evotoolkit import EvaluationResult, Runner, TaskSpec
from evotoolkit.proposers import ChatProposer
from evotoolkit.strategies import EvoEngineerStrategy

sys.path.insert(0, str(Path(__file__).parent))
import judge


class Endpoint:
    """Its own client speaks https alone."""

    def __init__(self, url):
        self.url = url

    def get_response(self, messages):
        request = urllib.request.Request(f"{self.url}/chat/completions", headers={"Content-Type": "application/json"},
                                         data=json.dumps({"model": "peer", "messages": messages}).encode())
        with urllib.request.urlopen(request, timeout=3600) as answer:
            body = json.load(answer)
        return body["choices"][0]["message"]["content"], body["usage"]


class Evaluator:
    def __init__(self):
        self.spec = TaskSpec(os.environ["PEERS_KERNEL"], judge.task(), "C++", "candidate.cpp")

    def evaluate(self, files):
        verdict = judge.evaluate(files["candidate.cpp"])
        return EvaluationResult(verdict["right"], judge.score(verdict), judge.feedback(verdict))


if __name__ == "__main__":
    endpoint, calls = sys.argv[1], int(sys.argv[2])
    evaluator = Evaluator()
    Runner(evaluator=evaluator, proposer=ChatProposer(Endpoint(endpoint)), strategy=EvoEngineerStrategy(evaluator.spec),
           output_dir=str(Path(os.environ["PEERS_RUN"]) / "output"), budget=calls, max_calls=calls, propose_workers=1,
           eval_workers=1, seed=1).run()
