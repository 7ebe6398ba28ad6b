#include "tool/frontend/find/elsewhere.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "cache/digest.h"
#include "tool/frontend/arguments/variable_uses.h"
#include "tool/frontend/describe/closure.h"
#include "tool/frontend/describe/effects.h"
#include "tool/frontend/find/file_digests.h"
#include "tool/frontend/find/request_key.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/outline.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/translation_unit.h"
#include "tool/frontend/unit/unit_builder.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

namespace fs = std::filesystem;
using namespace clang;

// What is looked for, in the words of another parse.
struct Wanted {
  std::string word, qualified, linker_name;
  std::string header;  // the stem of the file that declares it
  Need need = Need::emitted;
};

// A word that stands in any source which defines it.
std::string word_of(const NamedDecl& declaration) {
  if (declaration.getDeclName().isIdentifier()) return declaration.getNameAsString();
  if (llvm::isa<CXXConstructorDecl, CXXDestructorDecl>(declaration))
    return llvm::cast<CXXMethodDecl>(declaration).getParent()->getNameAsString();
  return "operator";
}

Wanted wanted(const NeededDefinition& needed) {
  const NamedDecl& declaration = *needed.declaration;
  const SourceManager& sources = declaration.getASTContext().getSourceManager();
  const fs::path file = sources.getFilename(sources.getExpansionLoc(declaration.getLocation())).str();
  return {word_of(declaration), declaration.getQualifiedNameAsString(), linker_name(declaration), file.stem().string(),
          needed.need};
}

const NamedDecl* as_definition(const Decl& declaration) {
  if (const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration))
    return function->isThisDeclarationADefinition() && !function->isDependentContext() ? function : nullptr;
  const auto* variable = llvm::dyn_cast<VarDecl>(&declaration);
  const bool defines = variable && variable->isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
  return defines && !variable->isTemplated() ? variable : nullptr;
}

// One of the project's other sources, parsed.
struct Source {
  CompileCommand command;
  Parser parser;
  std::unique_ptr<TranslationUnit> unit;
  std::unique_ptr<Outline> outline;
  std::map<std::string, const NamedDecl*> defined;  // by the names that the linker sees
  std::vector<std::pair<const NamedDecl*, Need>> used;
  Closure closure;
};

std::unique_ptr<Source> open(const CompileCommand& command, const Options& options) {
  Parser::Settings settings;
  settings.reuse_prologue = false;
  settings.overlay = options.overlay;
  auto parser = Parser::create(command, options, settings);
  if (!parser) return nullptr;
  const auto overlaid = options.overlay.find(command.file);
  auto text = overlaid == options.overlay.end() ? os::read_file(command.file) : Result<std::string>(overlaid->second);
  if (!text) return nullptr;
  auto source = std::make_unique<Source>(Source{command, std::move(*parser), nullptr, nullptr, {}, {}, {}});
  auto unit = TranslationUnit::parse(source->parser, std::move(*text));
  if (!unit || !(*unit)->parsed().errors().empty()) return nullptr;
  source->unit = std::move(*unit);
  source->outline = std::make_unique<Outline>(*source->unit);
  for (const Item& item : source->outline->items())
    for (const Decl* declaration : item.declarations)
      if (const NamedDecl* defines = as_definition(*declaration); defines && defines->isExternallyVisible())
        source->defined.emplace(linker_name(*defines), defines);
  return source;
}

class Search {
 public:
  Search(const CompileCommand& own, const Options& options) : own_(own), options_(options) {}

  Elsewhere run(const std::vector<NeededDefinition>& undefined) {
    add(undefined);
    for (; !open_.empty(); open_.pop_front()) {
      const Wanted& one = open_.front();
      if (Source* source = find(one))
        use(*source, *source->defined.at(one.linker_name), one.need);
      else if (one.need != Need::emitted)  // else nobody may ever ask for it
        found_.missing.push_back(one.qualified);
    }
    std::vector<std::vector<ReachedText>> reached;
    for (const auto& [file, source] : sources_)
      if (source && !source->used.empty()) reached.push_back(tell(*source));
    std::ranges::sort(reached);  // not by where the sources are
    for (const std::vector<ReachedText>& texts : reached)
      found_.reached.insert(found_.reached.end(), texts.begin(), texts.end());
    return std::move(found_);
  }

 private:
  // Once more where the need is stronger than it seemed.
  void add(const std::vector<NeededDefinition>& undefined) {
    for (const NeededDefinition& needed : undefined) {
      Wanted one = wanted(needed);
      const auto [seen, first] = seen_.emplace(one.linker_name, one.need);
      if (!first && seen->second >= one.need) continue;
      seen->second = one.need;
      open_.push_back(std::move(one));
    }
  }

  Source* find(const Wanted& one) {
    for (const auto& [file, source] : sources_)
      if (source && source->defined.contains(one.linker_name)) return source.get();
    if (!options_.sources_with) return nullptr;
    std::vector<CompileCommand> commands = options_.sources_with(one.word);
    // Of the same target and configuration, as far as the objects' folders tell; then by name.
    const auto folder = [](const CompileCommand& command) { return fs::path(command.output).parent_path().filename(); };
    std::ranges::stable_partition(commands, [&](const auto& command) { return folder(command) == folder(own_); });
    std::ranges::stable_partition(commands,
                                  [&](const auto& command) { return fs::path(command.file).stem() == one.header; });
    for (const CompileCommand& command : commands) {
      if (command.file == own_.file || sources_.contains(command.file)) continue;
      const auto& source = sources_[command.file] = open(command, options_);
      if (source && source->defined.contains(one.linker_name)) return source.get();
    }
    return nullptr;
  }

  void use(Source& source, const NamedDecl& definition, Need need) {
    source.used.emplace_back(&definition, need);
    source.closure = find_closure(*source.unit, *source.outline, source.used);
    add(source.closure.undefined);
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(&definition); function && need == Need::computed)
      object(source, *function);
  }

  // As to the kernel itself, as far as no clause could mend it.
  void object(const Source& source, const FunctionDecl& function) {
    if (!found_.objection.empty()) return;
    const std::string name = "'" + function.getQualifiedNameAsString() + "' of " + source.command.file;
    const std::string effect = effects_of(function).effect;
    const auto variables = variable_uses(function);
    const auto changing = std::ranges::find_if(
        source.closure.mutable_variables, [&](const std::string& variable) { return variables.contains(variable); });
    if (!effect.empty())
      found_.objection = name + " does more than compute: " + effect;
    else if (changing != source.closure.mutable_variables.end())
      found_.objection = name + " uses the variable '" + *changing + "', which other code can change";
    else if (source.closure.drives_device)
      found_.objection = name + " works on a CUDA device";
  }

  std::vector<ReachedText> tell(const Source& source) {
    const TranslationUnit& unit = *source.unit;
    std::vector<ReachedText> reached;
    found_.units.push_back({source.command.file, source.command.directory, source.command.arguments,
                            line_directive(1, source.command.file) +
                                reduced_text(unit, *source.outline, source.closure, Blanking::all_but_closure)});
    reached.push_back({"elsewhere compiled as", language_name(unit) + ' ' + target_name(unit) + ' ' +
                                                    flags_that_mean(unit, source.command.arguments)});
    for (ReachedText& text : reached_texts(unit, *source.outline, source.closure, -1)) {
      text.label = "elsewhere " + text.label;
      reached.push_back(std::move(text));
    }
    for (const int item : source.closure.items)
      for (const Decl* declaration : source.outline->items()[static_cast<std::size_t>(item)].declarations)
        if (const auto* variable = llvm::dyn_cast<VarDecl>(declaration); variable && as_definition(*variable))
          found_.variables.insert(variable->getQualifiedNameAsString());
    for (FileRead& file : files_read(unit.sources(), source.parser, source.command.directory))
      found_.read.push_back(std::move(file));
    for (std::string& path : source.parser.absent()) found_.absent.push_back(std::move(path));
    found_.digest = cache::sha256(found_.digest + digest_of_files(unit.sources()));
    return reached;
  }

  const CompileCommand& own_;
  const Options& options_;
  Elsewhere found_;
  std::map<std::string, Need> seen_;  // by linker name
  std::deque<Wanted> open_;
  std::map<std::string, std::unique_ptr<Source>> sources_;  // by file; null: Clang cannot parse it
};

}  // namespace

Elsewhere find_elsewhere(const std::vector<NeededDefinition>& undefined, const CompileCommand& own,
                         const Options& options) {
  return undefined.empty() ? Elsewhere() : Search(own, options).run(undefined);
}

}  // namespace hone::frontend
