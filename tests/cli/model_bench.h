// A small project and what a model's search of it leaves behind, for the tests of `hone tune --proposer …`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {

class ModelBench {
 public:
  // Compiled without sanitizers unless the real worker is to judge: what pretend_worker judges is never run.
  explicit ModelBench(const std::string& compiler = UNSANITIZED);

  // `hone tune` for pretend_model (its arguments after LOG) and, unless `really`, pretend_worker.
  std::vector<std::string> tune(const std::string& model, const std::vector<std::string>& more = {},
                                bool really = false) const;

  // Three trials of right code, for a recording. What they gain depends on the prompt, and so on the machine.
  bool record(const std::vector<std::string>& more = {}) const;

  // The recording's lines, its header left out; empty while there is none.
  std::vector<nlohmann::json> recording() const;
  std::filesystem::path recording_file() const;
  // What the search was asked and told, in that order, without what depends on the time: replies are left out, too.
  std::vector<nlohmann::json> course() const;
  // What was asked, as text, in the order of asking.
  std::vector<std::string> prompts() const;
  // The replies by request.
  std::map<unsigned, std::string> replies() const;
  // Forgets the recordings and journals of earlier runs.
  void forget_runs() const;
  // The seeds of the calls in the order in which they were begun.
  std::vector<std::string> calls() const;
  // The same in the order in which they were answered.
  std::vector<std::string> ended() const;
  // The seeds of the calls whose answer is in the recording.
  std::set<std::string> answered() const;
  // Of the locked variant; "" without one.
  std::string variant() const;
  std::string variant_source() const;

  const SmallProject& project() const { return project_; }
  const std::filesystem::path& folder() const { return project_.folder(); }
  std::filesystem::path memory_file() const { return folder() / "cache" / "hone" / "memory.json"; }
  std::filesystem::path log() const { return folder() / "calls.log"; }

 private:
  std::vector<std::string> seeds_after(const std::string& word) const;

  SmallProject project_;
};

// The only kernel of a `hone tune --json -`.
nlohmann::json kernel_of(const Ended& ended);

}  // namespace hone
