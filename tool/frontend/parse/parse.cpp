#include "tool/frontend/parse/parse.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <shared_mutex>

#include "tool/frontend/parse/forked_call.h"
#include "tool/frontend/parse/invocation.h"
#include "tool/frontend/parse/prologue.h"
#include "tool/frontend/parse/system_header.h"
#include "tool/frontend/parse/whole_templates.h"

namespace hone::frontend {

using namespace clang;

// Keeps errors with their place; warnings and notes go. So do errors inside system headers (gcc's own use attributes
// that Clang has not): what the user's text needs of a declaration lost there is an error at that use.
class MessageCollector final : public DiagnosticConsumer {
 public:
  void HandleDiagnostic(DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < DiagnosticsEngine::Error) return;
    const bool dropped = level == DiagnosticsEngine::Error && in_system_header(diagnostic);
    if (dropped && first_dropped_) return;
    llvm::SmallString<256> text;
    diagnostic.FormatDiagnostic(text);
    Message message;
    message.text = std::string(text);
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) place(diagnostic, message);
    if (dropped) {
      first_dropped_ = std::move(message);
      return;
    }
    // Clang gives up over headers alone: the first of what was passed over says why.
    const bool gave_up = diagnostic.getID() == diag::fatal_too_many_errors;
    errors.push_back(gave_up && errors.empty() && first_dropped_ ? *first_dropped_ : std::move(message));
  }

  std::vector<Message> errors;

 private:
  std::optional<Message> first_dropped_;

  static bool in_system_header(const clang::Diagnostic& diagnostic) {
    return diagnostic.hasSourceManager() && diagnostic.getLocation().isValid() &&
           diagnostic.getSourceManager().isInSystemHeader(diagnostic.getLocation());
  }

  static void place(const clang::Diagnostic& diagnostic, Message& message) {
    const SourceManager& sources = diagnostic.getSourceManager();
    const SourceLocation location = sources.getFileLoc(diagnostic.getLocation());
    const PresumedLoc presumed = sources.getPresumedLoc(location);
    if (presumed.isInvalid()) return;
    message.file = presumed.getFilename();
    message.line = presumed.getLine();
    message.column = presumed.getColumn();
    const auto [file, offset] = sources.getDecomposedLoc(location);
    const StringRef buffer = sources.getBufferData(file);
    const std::size_t begin = buffer.rfind('\n', offset) + 1;  // npos + 1 is 0
    message.source_line = buffer.substr(begin, buffer.find_first_of("\r\n", offset) - begin).str();
  }
};

namespace {

thread_local int g_whole_templates = 0;

bool is_of_template(const Decl* declaration) {
  const FunctionDecl* function = declaration->getAsFunction();
  return function && function->isTemplated();
}

class Consumer final : public ASTConsumer {
 public:
  Consumer(std::vector<Decl*>& declarations, bool whole_templates)
      : declarations_(declarations), whole_templates_(whole_templates) {}
  bool shouldSkipFunctionBody(Decl* declaration) override {
    return in_system_header(declaration) && !(whole_templates_ && is_of_template(declaration));
  }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    declarations_.insert(declarations_.end(), group.begin(), group.end());
    return true;
  }
  // What is loaded of a prologue, at any time later too: somebody may be walking over those that were parsed.
  void HandleInterestingDecl(DeclGroupRef) override {}
  // In C, Clang's messages change how types are printed: `_Bool`, and `bool` from the first message on.
  void HandleTranslationUnit(ASTContext& context) override {
    PrintingPolicy policy = context.getPrintingPolicy();
    policy.Bool = context.getLangOpts().Bool;
    context.setPrintingPolicy(policy);
  }

 private:
  std::vector<Decl*>& declarations_;
  const bool whole_templates_;
};

class ParseAction final : public SyntaxOnlyAction {
 public:
  ParseAction(std::vector<Decl*>& declarations, bool whole_templates)
      : declarations_(declarations), whole_templates_(whole_templates) {}

 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(declarations_, whole_templates_);
  }

 private:
  std::vector<Decl*>& declarations_;
  const bool whole_templates_;
};

class PreprocessAction final : public PreprocessorFrontendAction {
 protected:
  void ExecuteAction() override {
    Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
    preprocessor.EnterMainSourceFile();
    Token token;
    do preprocessor.Lex(token);
    while (token.isNot(tok::eof));
  }
};

// An install tree brings Clang's builtin headers and may be moved; a build tree uses those it was built with.
std::string default_resource_dir() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto installed = (program.parent_path() / "../../" HONE_INSTALL_LIBDIR "/hone/clang").lexically_normal();
  if (std::filesystem::exists(installed / "include/stddef.h", ignored)) return installed.string();
  return HONE_CLANG_RESOURCE_DIR;
}

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

// Remembers what was asked for in vain.
class Witness final : public llvm::vfs::ProxyFileSystem {
 public:
  explicit Witness(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) : ProxyFileSystem(std::move(files)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::status(path);
    if (!found) remember(path);
    return found;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::openFileForRead(path);
    if (!found) remember(path);
    return found;
  }
  bool exists(const llvm::Twine& path) override {
    const bool found = ProxyFileSystem::exists(path);
    if (!found) remember(path);
    return found;
  }

  std::vector<std::string> absent() const { return {absent_.begin(), absent_.end()}; }

 private:
  void remember(const llvm::Twine& path) {
    llvm::SmallString<256> absolute;
    path.toVector(absolute);
    if (!makeAbsolute(absolute)) absent_.insert(std::string(absolute));
  }

  std::set<std::string> absent_;
};

FileSystem make_file_system(const std::string& directory, const std::map<std::string, std::string>& overlay) {
  FileSystem disk = llvm::vfs::createPhysicalFileSystem();  // has a working directory of its own
  disk->setCurrentWorkingDirectory(directory);
  if (overlay.empty()) return disk;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [path, content] : overlay)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(content, path));
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
  both->pushOverlay(memory);
  both->setCurrentWorkingDirectory(directory);
  return both;
}

// gcc keeps omp.h and quadmath.h among its own builtin headers, where Clang does not look. Of the installation that
// Clang found, each folder of headers tells: C++'s, and in C that of the target.
void add_gcc_headers(CompilerInvocation& invocation, llvm::vfs::FileSystem& files) {
  HeaderSearchOptions& search = invocation.getHeaderSearchOpts();
  for (const HeaderSearchOptions::Entry& entry : search.UserEntries) {
    const std::size_t up = entry.Path.find("/../../../../");
    if (up == std::string::npos || entry.Path.find("/gcc") > up) continue;
    const std::string folder = entry.Path.substr(0, up) + "/include";
    if (!files.exists(folder + "/stddef.h")) continue;
    search.AddPath(folder, clang::frontend::After, false, true);
    return;
  }
}

// A precompiled prologue does not bring its #line directives along: the main file is another one to the source manager.
void restore_line_directives(SourceManager& sources, const LangOptions& language, std::size_t prologue_size) {
  const FileID main = sources.getMainFileID();
  const SourceLocation begin = sources.getLocForStartOfFile(main);
  const StringRef text = sources.getBufferData(main);
  Lexer lexer(begin, language, text.data(), text.data(), text.data() + text.size());
  Token token;
  auto next = [&] { return lexer.LexFromRawLexer(token), !token.isAtStartOfLine(); };
  lexer.LexFromRawLexer(token);
  while (token.isNot(tok::eof) && sources.getFileOffset(token.getLocation()) < prologue_size) {
    const SourceLocation hash = token.getLocation();
    const bool directive = token.is(tok::hash) && token.isAtStartOfLine();
    if (!next() || !directive || !token.is(tok::raw_identifier) || token.getRawIdentifier() != "line") continue;
    unsigned line = 0;
    if (!next() || StringRef(token.getLiteralData(), token.getLength()).getAsInteger(10, line)) continue;
    int name = -1;
    if (next() && token.is(tok::string_literal) && token.getLength() > 2)
      name = static_cast<int>(
          sources.getLineTableFilenameID(StringRef(token.getLiteralData() + 1, token.getLength() - 2)));
    sources.AddLineNote(hash, line, name, false, false, SrcMgr::C_User);
  }
}

}  // namespace

WholeTemplates::WholeTemplates() {
  ++g_whole_templates;
}
WholeTemplates::~WholeTemplates() {
  --g_whole_templates;
}

struct Parser::State {
  Invocation translated;
  Settings settings;
  FileSystem files;
  llvm::IntrusiveRefCntPtr<Witness> witness;  // is `files`
  std::shared_ptr<CompilerInvocation> invocation;
  std::shared_ptr<PCHContainerOperations> containers = std::make_shared<PCHContainerOperations>();
  Prologue prologue;

  bool interpret(MessageCollector& messages);
  Prologue::Precompiled prologue_of(const llvm::MemoryBuffer& text, DiagnosticsEngine& diagnostics) {
    return prologue.of(text, *invocation, files, containers, diagnostics);
  }
};

// Runs Clang's driver over the arguments (no process is started). False: the target is not one that Clang knows.
bool Parser::State::interpret(MessageCollector& messages) {
  std::vector<const char*> arguments;
  for (const std::string& argument : translated.arguments) arguments.push_back(argument.c_str());
  CreateInvocationOptions options;
  options.VFS = files;
  options.RecoverOnError = true;
  options.Diags = CompilerInstance::createDiagnostics(new DiagnosticOptions, &messages, /*ShouldOwnClient=*/false);
  invocation = createInvocation(arguments, options);
  if (!invocation || invocation->getFrontendOpts().Inputs.empty()) return false;

  FrontendOptions& front = invocation->getFrontendOpts();
  front.DisableFree = false;
  front.SkipFunctionBodies = true;  // those that the consumer names
  front.ProgramAction = clang::frontend::ParseSyntaxOnly;
  front.Plugins.clear();
  front.AddPluginActions.clear();
  DiagnosticOptions& diagnostics = invocation->getDiagnosticOpts();
  diagnostics.IgnoreWarnings = true;
  diagnostics.ShowCarets = false;
  diagnostics.DiagnosticLogFile.clear();
  diagnostics.DiagnosticSerializationFile.clear();
  invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  invocation->getFileSystemOpts().WorkingDir = translated.directory;
  invocation->getLangOpts().SpellChecking = true;
  invocation->getPreprocessorOpts().AllowPCHWithCompilerErrors = true;
  add_gcc_headers(*invocation, *files);

  auto engine = CompilerInstance::createDiagnostics(new DiagnosticOptions, &messages, /*ShouldOwnClient=*/false);
  return TargetInfo::CreateTargetInfo(*engine, std::make_shared<TargetOptions>(invocation->getTargetOpts())) != nullptr;
}

// All that decides how a prologue is read, but where the compiler runs.
std::string command_of(const Invocation& translated, const std::map<std::string, std::string>& overlay) {
  std::string command;
  for (const std::string& argument : translated.arguments) command += argument + '\0';
  for (const auto& [path, text] : overlay) command += path + '\0' + text + '\0';
  return command;
}

Parser::Parser(std::unique_ptr<State> state) : state_(std::move(state)) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

const std::string& Parser::main_file() const {
  return state_->translated.main_file;
}

const CudaTarget* Parser::cuda() const {
  return state_->translated.cuda ? &*state_->translated.cuda : nullptr;
}

std::vector<std::string> Parser::absent() const {
  return state_->witness->absent();
}

bool Parser::in_memory(const std::string& path) const {
  return state_->translated.headers.contains(path) || state_->settings.overlay.contains(path);
}

Result<Parser> Parser::create(const CompileCommand& command, const Options& options, Settings settings) {
  auto state = std::make_unique<State>();
  HONE_TRY(state->translated,
           translate(command, options.resource_dir.empty() ? default_resource_dir() : options.resource_dir));
  state->settings = std::move(settings);
  std::map<std::string, std::string> overlay = state->settings.overlay;
  overlay.insert(state->translated.headers.begin(), state->translated.headers.end());
  state->witness = llvm::makeIntrusiveRefCnt<Witness>(make_file_system(command.directory, overlay));
  state->files = state->witness;
  state->prologue.set_command(command_of(state->translated, overlay));
  MessageCollector messages;
  if (!state->interpret(messages)) {
    // A processor that is newer than this Clang: the text still parses for a plain one.
    std::erase_if(state->translated.arguments, [](const std::string& argument) {
      return argument.starts_with("-march=") || argument.starts_with("-mcpu=") || argument.starts_with("-mtune=");
    });
    if (!state->interpret(messages))
      return failure("Clang cannot use this compile command" +
                         (messages.errors.empty() ? std::string() : ": " + messages.errors.front().text),
                     command.file);
  }
  return Parser(std::move(state));
}

const LangOptions& Parser::language() const {
  return state_->invocation->getLangOpts();
}

void Parser::reuse_prologue(bool reuse) {
  state_->settings.reuse_prologue = reuse;
}

void Parser::prepare(const std::string& text) {
  if (!state_->settings.reuse_prologue) return;
  const std::shared_lock under_way(parsing());
  MessageCollector messages;
  auto diagnostics = CompilerInstance::createDiagnostics(&state_->invocation->getDiagnosticOpts(), &messages,
                                                         /*ShouldOwnClient=*/false);
  state_->prologue_of(*llvm::MemoryBuffer::getMemBuffer(text, state_->translated.main_file), *diagnostics);
}

Result<std::unique_ptr<Parsed>> Parser::parse(std::string text,
                                              const std::function<void(clang::Preprocessor&)>& attach) {
  std::unique_ptr<Parsed> parsed(new Parsed);
  parsed->action_ = std::make_unique<ParseAction>(parsed->declarations_, g_whole_templates > 0);
  return run(std::move(parsed), std::move(text), attach);
}

Result<std::unique_ptr<Parsed>> Parser::preprocess(std::string text,
                                                   const std::function<void(clang::Preprocessor&)>& attach) {
  std::unique_ptr<Parsed> parsed(new Parsed);
  parsed->action_ = std::make_unique<PreprocessAction>();
  return run(std::move(parsed), std::move(text), attach);
}

// `parsed` has the action that is to run.
Result<std::unique_ptr<Parsed>> Parser::run(std::unique_ptr<Parsed> parsed, std::string text,
                                            const std::function<void(clang::Preprocessor&)>& attach) {
  const std::shared_lock under_way(parsing());
  parsed->text_ = std::move(text);
  parsed->messages_ = std::make_unique<MessageCollector>();
  auto buffer = llvm::MemoryBuffer::getMemBuffer(parsed->text_, state_->translated.main_file);

  auto invocation = std::make_shared<CompilerInvocation>(*state_->invocation);
  FileSystem files = state_->files;
  // Each its own: an engine remembers the source manager of the compiler that had it, and a prologue's is gone when
  // this one's target is made, which may have something to say.
  const auto engine = [&] {
    return CompilerInstance::createDiagnostics(&invocation->getDiagnosticOpts(), parsed->messages_.get(),
                                               /*ShouldOwnClient=*/false);
  };
  const auto prologue = state_->settings.reuse_prologue && !attach ? state_->prologue_of(*buffer, *engine()) : nullptr;
  const auto diagnostics = engine();
  parsed->prologue_ = prologue;
  if (prologue)
    prologue->AddImplicitPreamble(*invocation, files, buffer.get());
  else
    invocation->getPreprocessorOpts().addRemappedFile(invocation->getFrontendOpts().Inputs[0].getFile(), buffer.get());

  parsed->compiler_ = std::make_unique<CompilerInstance>(state_->containers);
  CompilerInstance& compiler = *parsed->compiler_;
  compiler.setInvocation(invocation);
  compiler.setDiagnostics(diagnostics.get());
  compiler.createFileManager(files);
  // Only an action that has begun ends.
  auto action = std::move(parsed->action_);
  if (!compiler.createTarget()) return failure("Clang cannot set up the target", main_file());
  if (!action->BeginSourceFile(compiler, compiler.getFrontendOpts().Inputs[0]))
    return failure("Clang cannot open the file", main_file());
  parsed->action_ = std::move(action);
  buffer.release();  // the source manager's now
  if (prologue)
    restore_line_directives(compiler.getSourceManager(), compiler.getLangOpts(), prologue->getBounds().Size);
  if (attach) attach(compiler.getPreprocessor());
  if (llvm::Error error = parsed->action_->Execute()) return failure(llvm::toString(std::move(error)), main_file());
  return parsed;
}

Parsed::Parsed() = default;

Parsed::~Parsed() {
  if (action_) action_->EndSourceFile();
  action_.reset();
  compiler_.reset();
}

ASTContext& Parsed::context() const {
  return compiler_->getASTContext();
}
SourceManager& Parsed::sources() const {
  return compiler_->getSourceManager();
}
Preprocessor& Parsed::preprocessor() const {
  return compiler_->getPreprocessor();
}
const LangOptions& Parsed::language() const {
  return compiler_->getLangOpts();
}
const std::vector<Message>& Parsed::errors() const {
  return messages_->errors;
}

}  // namespace hone::frontend
