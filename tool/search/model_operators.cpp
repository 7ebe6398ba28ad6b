#include "tool/search/model_operators.h"

namespace hone::search {
namespace {

constexpr auto candidate = RequestKind::candidate;
constexpr auto advice = RequestKind::advice;

constexpr ModelOperator model_operator_table[] = {
    {"init", candidate, 0, 0, 0, false,
     "write a faster version from the task (and the best so far, where it is shown)"},
    {"crossover", candidate, 2, 2, 4, false, "combine what makes the parents fast"},
    {"mutation", candidate, 1, 1, 1, false, "improve the parent by one change"},
    {"tune-constants", candidate, 1, 1, 1, false, "change the parent's numbers only, or declare them HONE_TUNABLE"},
    {"repair", candidate, 1, 1, 1, false, "put the failed parent right by its exact errors, keeping its idea"},
    {"i1", candidate, 0, 0, 0, false, "EoH: describe an algorithm in a sentence, then write it"},
    {"e1", candidate, 2, 1, 8, false, "EoH: something as different from the parents as possible"},
    {"e2", candidate, 2, 1, 8, false, "EoH: the parents' common idea, and from it something new"},
    {"m1", candidate, 1, 1, 1, false, "EoH: a modified version of the parent"},
    {"m2", candidate, 1, 1, 1, false, "EoH: the parent with other parameters"},
    {"next-version", candidate, 2, 1, 4, false, "FunSearch: the parents are v0, v1, … rising in score: write the next"},
    {"contrastive", candidate, 0, 0, 1, false,
     "CUDA-L1: explain why the faster of the shown win, then write a faster one"},
    {"universal", candidate, 1, 0, 2, false, "KernelEvolve: one operator for all, given by what the node remembers"},
    {"judge", advice, 1, 1, 1, false,
     "CudaForge: one bottleneck, method and plan as JSON; of a failed kernel one critical issue and fix"},
    {"coder", candidate, 1, 1, 1, true, "CudaForge: do what the judge's JSON says, and nothing else"},
    {"plan", advice, 1, 1, 1, false, "MTMC: name one macro action (tile, fuse, pipeline, reorder, …) and its region"},
    {"micro-step", candidate, 1, 1, 1, true, "MTMC: implement exactly the one planned action"},
    {"propose", advice, 1, 0, 1, false, "AI CUDA Engineer: numbered proposals for the parent, from what is shown"},
    {"implement", candidate, 1, 0, 1, true, "write the one proposal that was chosen"},
    {"techniques", advice, 1, 1, 1, false,
     "KernelBlaster: JSON list of {technique, predicted} for the parent's state, where the memory knows too few"},
    {"apply-technique", candidate, 1, 1, 1, false,
     "KernelBlaster: apply the one technique that was drawn from the memory"},
    {"post-mortem", advice, 1, 1, 1, false,
     "KernelBlaster: why a technique gained less than half of what was predicted, in a sentence or two"},
};

}  // namespace

std::span<const ModelOperator> model_operators() {
  return model_operator_table;
}

const ModelOperator* find_model_operator(std::string_view name) {
  for (const ModelOperator& known : model_operator_table)
    if (known.name == name) return &known;
  return nullptr;
}

}  // namespace hone::search
