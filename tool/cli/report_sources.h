// What `hone report` is about: the build's kernels with what `hone list` says of them, and the lock files.
//
// Unlike other commands it goes on without a build, without a kernel and with sources that cannot be parsed: then the
// report says what is not there.
#pragma once

#include <string>
#include <vector>

#include "tool/cli/command/command.h"
#include "tool/page/content/project_content.h"

namespace hone::cli {

struct ReportSources {
  page::Sources sources;
  std::vector<std::string> missing;  // sentences for the report
  bool flawed = false;               // some annotation or unit is wrong; said already
};

ReportSources report_sources(const ProjectOptions& options);

}  // namespace hone::cli
