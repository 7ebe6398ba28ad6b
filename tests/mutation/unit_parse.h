// A candidate parsed in its kernel's unit, and which of the unit's functions are its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/parse/parse.h"
#include "tool/model/kernel_spec.h"
#include "tool/transforms/code/edits.h"

namespace clang {
class FunctionDecl;
}

namespace hone::mutation {

class UnitParse {
 public:
  // Error: Clang's first, where there is one.
  static Result<UnitParse> create(const std::string& candidate, const KernelSpec& spec, const CompileCommand& command);

  const frontend::Parsed& parsed() const { return *parsed_; }
  frontend::TextRange candidate() const { return candidate_; }  // of the parsed text, its #includes left out
  const std::string& includes() const { return includes_; }
  std::vector<clang::FunctionDecl*> functions() const;         // defined in the candidate
  std::vector<clang::FunctionDecl*> functions_before() const;  // defined in the main file in front of it

 private:
  UnitParse(frontend::Parser parser) : parser_(std::move(parser)) {}
  std::vector<clang::FunctionDecl*> functions_in(frontend::TextRange range) const;

  frontend::Parser parser_;
  std::unique_ptr<frontend::Parsed> parsed_;
  frontend::TextRange candidate_;
  std::string includes_;
};

}  // namespace hone::mutation
