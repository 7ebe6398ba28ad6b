// `hone show K --prompt`, `hone show K --call N`: what language models are or were told about a kernel.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tool/project/kernels.h"
#include "tool/project/tune_options.h"

namespace hone::cli {

struct PromptArguments {
  bool prompt = false;
  std::string operator_name;     // "": whichever comes next
  std::optional<unsigned> call;  // of the recorded run
  project::TuneOptions tune;     // strategy, seed, executor, resume, memory

  void add_to(CLI::App& app);
  bool wanted() const { return prompt || call; }
};

// Shows the prompts of each kernel. Returns the exit code.
int show_prompts(const std::vector<project::ProjectKernel>& kernels, const PromptArguments& arguments);

}  // namespace hone::cli
