// What applying says on stderr: one line an event, at its place, in the form that editors and build logs know.
//
//   src/blur.cpp:12: note: hone: 'blur3x3' is not tuned; … [hone-not-tuned]
//
// In a strict build each is an error (but for warnings of the frontend's), and strict_failure() says that the compile
// must fail. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/diagnostics/diagnostic_code.h"
#include "tool/frontend/describe/diagnostic.h"

namespace hone::apply {

class ApplyNotes {
 public:
  explicit ApplyNotes(std::string source) : source_(std::move(source)) {}
  void be_strict() { strict_ = true; }
  void be_without_targets() { targets_ = false; }  // no hone_target(): there is no target hone-tune to build

  // `line` 0: the file as a whole.
  // `decided`: it is as it should be, and no error in a strict build.
  void say(DiagnosticCode code, const std::string& file, unsigned line, const std::string& what, bool decided = false);
  // Where the error's own text has a code, there is `none`.
  void say(DiagnosticCode code, const Error& error);
  std::string text(DiagnosticCode code, unsigned line, const std::string& what) const;  // what say() would print
  void say(const frontend::Diagnostic& diagnostic);  // with the source line and the caret

  // Collects what the store warns of; the next say() ends with it.
  void remember(std::string warning) { warnings_.push_back(std::move(warning)); }

  const std::string& source() const { return source_; }
  bool said() const { return said_; }
  bool strict_failure() const { return strict_ && said_; }

 private:
  void print(DiagnosticCode code, const std::string& place, std::string what, const std::string& below = {},
             bool harmless = false);

  std::string source_;  // as spelled in the command
  std::vector<std::string> warnings_;
  bool strict_ = false;
  bool targets_ = true;
  bool said_ = false;
};

}  // namespace hone::apply
