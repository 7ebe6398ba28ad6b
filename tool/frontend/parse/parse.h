// Parses C++ text with Clang as a given compile command would, in memory, quietly, and fast the second time.
//
// A Parser translates the command once. Each parse() takes the main file's whole text; the file on disk is not read.
// With reuse_prologue the leading directives (the #includes) are precompiled at the first parse and reused as long as
// they stay the same to the byte: parsing then costs what stands behind them, a few milliseconds. Functions of system
// headers keep only their declarations (unless constexpr or of deduced type).
//
// Nothing is printed: errors are kept as messages, warnings are dropped. A text with errors still gives an AST.
// A Parser and what it parsed belong to one thread; different Parsers may work at once. A Parsed must go before its
// Parser.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
class FrontendAction;
class LangOptions;
class PrecompiledPreamble;
class Preprocessor;
class SourceManager;
}  // namespace clang

namespace hone::frontend {

struct CudaTarget;

// An error of Clang's, placed where #line says.
struct Message {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string text;         // one sentence
  std::string source_line;  // the line it points into, "" when there is none
};

class MessageCollector;

// One parsed text: the AST and everything it needs, alive as long as this is.
class Parsed {
 public:
  ~Parsed();
  clang::CompilerInstance& compiler() const { return *compiler_; }
  clang::ASTContext& context() const;
  clang::SourceManager& sources() const;
  clang::Preprocessor& preprocessor() const;
  const clang::LangOptions& language() const;
  const std::string& text() const { return text_; }  // of the main file
  const std::vector<Message>& errors() const;

  // What this parse itself declared at the top: without what a reused prologue brought, which loading would cost.
  const std::vector<clang::Decl*>& declarations() const { return declarations_; }

 private:
  friend class Parser;
  Parsed();
  std::string text_;
  std::shared_ptr<const clang::PrecompiledPreamble> prologue_;
  std::unique_ptr<MessageCollector> messages_;
  std::unique_ptr<clang::CompilerInstance> compiler_;
  std::unique_ptr<clang::FrontendAction> action_;
  std::vector<clang::Decl*> declarations_;
};

class Parser {
 public:
  struct Settings {
    bool reuse_prologue = true;                  // worth it from the second parse on; off for a single one
    std::map<std::string, std::string> overlay;  // absolute path → content, in front of the disk
  };

  static Result<Parser> create(const CompileCommand& command, const Options& options, Settings settings);
  static Result<Parser> create(const CompileCommand& command, const Options& options) {
    return create(command, options, Settings());
  }
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;
  ~Parser();

  // `attach`, if given, gets the preprocessor before the first token, to add its callbacks and pragma handlers; such a
  // parse never reuses a prologue. Error: Clang could not be set up at all; errors in the text are errors().
  Result<std::unique_ptr<Parsed>> parse(std::string text, const std::function<void(clang::Preprocessor&)>& attach = {});

  // Reads the text with the preprocessor alone: what comes back has no declarations.
  Result<std::unique_ptr<Parsed>> preprocess(std::string text, const std::function<void(clang::Preprocessor&)>& attach);

  void reuse_prologue(bool reuse);  // from the next parse on
  // With reuse_prologue: precompiles that of `text` now, so that a copy of this process need not.
  void prepare(const std::string& text);
  const clang::LangOptions& language() const;

  const std::string& main_file() const;  // as the command spells it
  const CudaTarget* cuda() const;        // what the command says of CUDA devices; null: its file is not CUDA

  // Absolute paths that Clang looked for and did not find, so far: a file that comes there may change the answer.
  std::vector<std::string> absent() const;
  bool in_memory(const std::string& path) const;  // the text of that path is the overlay's, not the disk's

 private:
  struct State;
  explicit Parser(std::unique_ptr<State> state);
  Result<std::unique_ptr<Parsed>> run(std::unique_ptr<Parsed> parsed, std::string text,
                                      const std::function<void(clang::Preprocessor&)>& attach);
  std::unique_ptr<State> state_;
};

}  // namespace hone::frontend
