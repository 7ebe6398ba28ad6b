// Executors: where candidates are judged.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kExecutorRows[] = {
    {Code::executor_unknown, "executor-unknown", "`--executor` names no executor",
     R"(It is `local`, `slurm:` with a partition and options of srun, or `command:` with a command that reads a bundle.
Example: `--executor "command:ssh gpu-box hone-worker -"`, `--executor "slurm:gpu --gres=gpu:1"`. Correct the
word.)"},
    {Code::executor_unreachable, "executor-unreachable", "The executor does not start, or no worker answers there",
     R"(The command cannot be run, `srun` is not on PATH, or what answers is no `hone-worker`: a shell that prints a
greeting, a password prompt, another version. Call the command by hand; `hone doctor --executor …` says what
answers. HONE_WORKER names the worker of this machine.)"},
    {Code::executor_failed, "executor-failed", "The worker ended without a verdict",
     R"(The connection broke, the job was killed (time or memory of the partition), or the machine cannot judge: no
sandbox, no device. The message ends with its last words. Run `hone doctor` where it runs. `hone tune --resume`
goes on with what was judged.)"},
    {Code::executor_machine, "executor-machine", "The executor's machine does not fit",
     R"(Code for one processor or device is judged on another, or the machine changed within a search, whose figures
then could not be compared. Ask for machines of one kind (Slurm: `--constraint`), or let it run where such code
does: `--executor "command:ssh BOARD hone-worker -"`.)"},
};

}  // namespace

std::span<const Explanation> executor_explanations() {
  return kExecutorRows;
}

}  // namespace hone
