// One parse of a user's file with what the preprocessor saw on the way: annotations, includes, macro uses, skipped
// text.
//
// "User's" are the main file and every file it includes that is not a system header. Offsets are bytes in a file.
// Owns the parse. One thread.
#pragma once

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/MacroInfo.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "annotations/directive.h"
#include "annotations/parser.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/source_tokens.h"

namespace clang {
class NamedDecl;
}

namespace hone::frontend {

struct MacroUse {
  clang::FileID file;  // where the outermost expansion stands
  std::size_t offset = 0;
  std::string name;
  const clang::MacroInfo* macro = nullptr;
};

struct IncludeLine {
  std::size_t begin = 0, end = 0;  // of the directive, newline left out
  bool system = false;
  bool repeated = false;  // the file was read in front of the main one already: it brings nothing
};

struct Annotation {
  std::size_t begin = 0, end = 0;  // of the directive or the _Pragma operator
  bool is_operator = false;        // _Pragma("hone …")
  std::variant<annotations::Directive, annotations::ParseError> content;
  std::vector<MacroUse> macros;    // that its expressions use, at any depth
  annotations::Location location;  // of the directive
};

// In one of the user's files that the main file includes.
struct AnnotationElsewhere {
  std::string file;  // as Clang opened it
  annotations::Location location;
  std::string_view text;  // of that file, as long as the unit
};

class TranslationUnit {
 public:
  static Result<std::unique_ptr<TranslationUnit>> parse(Parser& parser, std::string text);
  ~TranslationUnit();

  const Parsed& parsed() const { return *parsed_; }
  clang::ASTContext& context() const { return parsed_->context(); }
  clang::SourceManager& sources() const { return parsed_->sources(); }
  const std::string& text() const { return parsed_->text(); }
  const SourceTokens& tokens() const { return *tokens_; }  // of the main file
  const SourceTokens& tokens_of(clang::FileID file) const;

  const std::vector<Annotation>& annotations() const { return annotations_; }
  // Each place once, however often its file is included.
  const std::vector<AnnotationElsewhere>& annotations_elsewhere() const { return annotations_elsewhere_; }
  const std::vector<IncludeLine>& includes() const { return includes_; }   // of the main file
  const std::vector<MacroUse>& macro_uses() const { return macro_uses_; }  // in the user's files
  const std::vector<MacroUse>& condition_macros() const {
    return condition_macros_;
  }                                                               // named by an #if of the main file
  bool is_skipped(clang::FileID file, std::size_t offset) const;  // behind an #if that was not taken

  clang::FileID main_file() const;
  bool is_user_file(clang::FileID file) const;  // real files alone: not the command line, not built-in text
  bool in_main_file(clang::SourceLocation location) const;
  std::size_t offset(clang::SourceLocation location) const;  // of the place in the file where a macro is expanded

  // The main file's #include through which a system header came in; -1 where it did not (or through a user's header).
  int include_of(clang::SourceLocation location) const;

 private:
  class Recorder;
  class HoneHandler;
  TranslationUnit();
  void add_annotation(clang::Preprocessor& preprocessor, clang::SourceLocation introducer, bool is_operator,
                      clang::SourceLocation behind_hone, const std::vector<clang::Token>& tokens,
                      clang::SourceLocation end);
  void add_annotation_elsewhere(clang::SourceLocation introducer);
  void add_macros_behind(clang::Preprocessor& preprocessor, const clang::Token& token, Annotation& annotation);

  std::unique_ptr<Parsed> parsed_;
  clang::SourceManager* sources_ = nullptr;  // while parsing
  std::string_view main_text_;
  std::unique_ptr<SourceTokens> tokens_;
  mutable std::map<clang::FileID, std::unique_ptr<SourceTokens>> other_tokens_;
  std::vector<Annotation> annotations_;
  std::vector<AnnotationElsewhere> annotations_elsewhere_;
  std::vector<IncludeLine> includes_;
  std::vector<MacroUse> macro_uses_;
  std::vector<MacroUse> condition_macros_;
  std::map<clang::FileID, std::vector<std::pair<std::size_t, std::size_t>>> skipped_;
};

}  // namespace hone::frontend
