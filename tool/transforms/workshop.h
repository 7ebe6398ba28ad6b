// The built-in proposer's transformations: source to source, on the Clang AST of the kernel's unit, one file each.
//
// A Workshop holds the parsed unit of one kernel; render() applies a genome gene by gene, each to the text that the
// genes before it left. A gene that does not apply there is skipped. A transformation may change meaning (the judge
// decides), but its result must compile nearly always.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/candidate.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct Rendered {
  std::string source;  // a whole candidate
  Genome applied;      // the genes that did something
};

// compact: what transformations write several times is written once, where that can be (KernelContext::compact). The
// same genome may fit elsewhere then, or not at all.
// shortest: compact where all genes that apply to the plain form apply to the compact one, else plain; plain for CUDA,
// where a device's compiler inlines as it likes.
enum class Form { plain, compact, shortest };

// Not thread-safe; make one per thread. Deterministic.
class Workshop {
 public:
  static Result<std::unique_ptr<Workshop>> open(const KernelSpec& spec, const CompileCommand& command,
                                                const Options& options, Form form = Form::plain);
  virtual ~Workshop() = default;
  // Where `stop` fires, a survey lists what it has found, the likeliest first, and no more genes are applied.
  virtual Catalog survey(std::stop_token stop = {}) = 0;
  virtual Rendered render(const Genome& genome, std::stop_token stop = {}) = 0;
  // Any candidate's text with a choice by size in front: these problems keep the original. nullopt: no size tells them
  // apart, or the text has other names for its parameters.
  virtual std::optional<std::string> with_choice(const std::string& candidate, const std::vector<int>& originals) = 0;
};

}  // namespace hone::frontend
