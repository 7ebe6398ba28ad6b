// Which language models a tuning of this project would ask, and whether that can work: endpoint, model, key, program.
//
// Sends nothing, and never says a key; probe_models() sends each of them one short question that holds nothing of the
// user's.
#pragma once

#include <string>
#include <vector>

#include "tool/cli/command/command.h"
#include "tool/cli/doctor_finding.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/project/tune_options.h"

namespace hone::cli {

struct ModelFindings {
  std::vector<DoctorFinding> findings;
  std::vector<llm::ModelSettings> models;  // each once, those that could be asked
};

// The models of all targets of the project; without one, of the working directory's hone.json.
ModelFindings find_models(const ProjectOptions& project, const project::TuneOptions& options);

std::vector<DoctorFinding> probe_models(const std::vector<llm::ModelSettings>& models);

}  // namespace hone::cli
