// `hone report --markdown`: what changed in a project's lock files, gathered for a merge request's comment.
//
// With a build folder all lock files of its targets count, and originals are read from its sources; without one the
// nearest hone.lock alone does, and a variant is shown without its original.
#pragma once

#include <optional>
#include <string>

#include "tool/cli/command/command.h"
#include "tool/report/merge_comment.h"

namespace hone::cli {

struct CommentRequest {
  ProjectOptions project;
  std::string since;  // a revision of git's, against the working tree; "": all that is locked
};

// On failure all is said and `code` set.
std::optional<report::MergeComment> gather_comment(const CommentRequest& request, int& code);

}  // namespace hone::cli
