"""What OpenEvolve loads as its evaluator."""

import sys
from pathlib import Path

from openevolve.evaluation_result import EvaluationResult

sys.path.insert(0, str(Path(__file__).parent))
import judge


def evaluate(program_path):
    verdict = judge.evaluate(Path(program_path).read_text())
    return EvaluationResult(metrics={"combined_score": judge.score(verdict)},
                            artifacts={"judge": judge.feedback(verdict)})
