"""What ShinkaEvolve runs as its evaluator: shinka_evaluator.py --program_path FILE --results_dir DIR."""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import judge

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program_path")
    parser.add_argument("--results_dir")
    arguments = parser.parse_args()
    verdict = judge.evaluate(Path(arguments.program_path).read_text())
    results = Path(arguments.results_dir)
    results.mkdir(parents=True, exist_ok=True)
    (results / "metrics.json").write_text(json.dumps(
        {"combined_score": judge.score(verdict), "public": {"speedup": judge.score(verdict)}, "private": {},
         "text_feedback": judge.feedback(verdict)}))
    (results / "correct.json").write_text(json.dumps(
        {"correct": verdict["right"], "error": None if verdict["right"] else judge.feedback(verdict)}))
