"""OpenEvolve on one kernel: with_openevolve.py ENDPOINT CALLS. Its defaults, but whole programs, one call at a time."""

import os
import sys
from pathlib import Path

from openevolve import run_evolution
from openevolve.config import Config

sys.path.insert(0, str(Path(__file__).parent))
import judge

if __name__ == "__main__":
    endpoint, calls = sys.argv[1], int(sys.argv[2])
    run = Path(os.environ["PEERS_RUN"])
    (run / "initial.cpp").write_text(judge.original())
    config = Config.from_dict({
        "max_iterations": calls, "random_seed": 1, "language": "cpp", "file_suffix": ".cpp",
        "diff_based_evolution": False, "max_code_length": 40000,
        "llm": {"api_base": endpoint, "api_key": "none", "primary_model": "peer", "timeout": 3600, "retries": 0},
        "prompt": {"system_message": judge.task()},
        "evaluator": {"parallel_evaluations": 1, "cascade_evaluation": False, "timeout": 600, "max_retries": 0},
    })
    best = run_evolution(str(run / "initial.cpp"), str(Path(__file__).parent / "openevolve_evaluator.py"), config,
                         iterations=calls, output_dir=str(run / "output"), cleanup=False)
    print(best.best_score)
