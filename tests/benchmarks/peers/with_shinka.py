"""ShinkaEvolve on one kernel: with_shinka.py ENDPOINT CALLS. Its defaults, but whole programs, one call at a time, no
embeddings (the endpoint has none), and no calls beside those that write programs."""

import os
import sys
from pathlib import Path

from shinka.core import EvolutionConfig, ShinkaEvolveRunner
from shinka.database import DatabaseConfig
from shinka.launch import LocalJobConfig

sys.path.insert(0, str(Path(__file__).parent))
import judge

if __name__ == "__main__":
    endpoint, calls = sys.argv[1], int(sys.argv[2])
    run = Path(os.environ["PEERS_RUN"])
    initial = run / "initial.cpp"
    initial.write_text(f"// EVOLVE-BLOCK-START\n{judge.original()}// EVOLVE-BLOCK-END\n")
    evolution = EvolutionConfig(
        task_sys_msg=judge.task(), patch_types=["full", "cross"], patch_type_probs=[0.75, 0.25],
        num_generations=calls + 1, max_patch_resamples=1, max_patch_attempts=1, job_type="local", language="cpp",
        llm_models=[f"local/peer@{endpoint}"], llm_dynamic_selection=None,
        llm_kwargs={"temperatures": [1.0], "max_tokens": 16384}, meta_rec_interval=None, embedding_model=None,
        init_program_path=str(initial), results_dir=str(run / "output"), max_novelty_attempts=1,
        use_text_feedback=True)
    ShinkaEvolveRunner(
        evo_config=evolution, db_config=DatabaseConfig(db_path="programs.sqlite"),
        job_config=LocalJobConfig(eval_program_path=str(Path(__file__).parent / "shinka_evaluator.py")),
        max_evaluation_jobs=1, max_proposal_jobs=1).run()
