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
  ModelBench();

  // `hone tune` for pretend_model (its arguments after LOG) and, unless `really`, pretend_worker.
  std::vector<std::string> tune(const std::string& model, const std::vector<std::string>& more = {},
                                bool really = false) const;

  // The recording's lines, its header left out; empty while there is none.
  std::vector<nlohmann::json> recording() const;
  std::filesystem::path recording_file() const;
  // What the search was asked and told, in that order, without what depends on the time: replies are left out, too.
  std::vector<nlohmann::json> course() const;
  // The seeds of the calls in the order in which they were begun.
  std::vector<std::string> calls() const;
  // The seeds of the calls whose answer is in the recording.
  std::set<std::string> answered() const;
  // Of the locked variant; "" without one.
  std::string variant() const;
  std::string variant_source() const;

  const SmallProject& project() const { return project_; }
  const std::filesystem::path& folder() const { return project_.folder(); }
  std::filesystem::path log() const { return folder() / "calls.log"; }

 private:
  SmallProject project_;
};

// The only kernel of a `hone tune --json -`.
nlohmann::json kernel_of(const Ended& ended);

}  // namespace hone
