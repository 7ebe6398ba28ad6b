#include "tool/frontend/find/elsewhere.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>

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
#include "tool/frontend/find/parsed_files.h"
#include "tool/frontend/find/placed_message.h"
#include "tool/frontend/find/request_key.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/outline.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/translation_unit.h"
#include "tool/frontend/unit/unit_builder.h"
#include "tool/os/files/files.h"

namespace hone::frontend {

namespace fs = std::filesystem;
using namespace clang;

// What is looked for, in the words of another parse.
struct Wanted {
  std::string word, qualified, linker_name;
  std::set<std::string> headers;  // the stems of the file that declares it and of those that include this one
  Need need = Need::emitted;
};

namespace {

// A word that stands in any source which defines it.
std::string word_of(const NamedDecl& declaration) {
  if (declaration.getDeclName().isIdentifier()) return declaration.getNameAsString();
  if (llvm::isa<CXXConstructorDecl, CXXDestructorDecl>(declaration))
    return llvm::cast<CXXMethodDecl>(declaration).getParent()->getNameAsString();
  return "operator";
}

// cluster_inc.h, cluster.h, …, but not the main file.
std::set<std::string> headers_of(const NamedDecl& declaration) {
  const SourceManager& sources = declaration.getASTContext().getSourceManager();
  std::set<std::string> stems;
  for (SourceLocation at = sources.getExpansionLoc(declaration.getLocation());
       at.isValid() && sources.getFileID(at) != sources.getMainFileID();
       at = sources.getIncludeLoc(sources.getFileID(at)))
    stems.insert(fs::path(sources.getFilename(at).str()).stem().string());
  return stems;
}

Wanted wanted(const NeededDefinition& needed) {
  const NamedDecl& declaration = *needed.declaration;
  return {word_of(declaration), declaration.getQualifiedNameAsString(), linker_name(declaration),
          headers_of(declaration), needed.need};
}

const NamedDecl* as_definition(const Decl& declaration) {
  if (const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration))
    return function->isThisDeclarationADefinition() && !function->isDependentContext() ? function : nullptr;
  const auto* variable = llvm::dyn_cast<VarDecl>(&declaration);
  const bool defines = variable && variable->isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
  return defines && !variable->isTemplated() ? variable : nullptr;
}

using Definitions = std::map<std::string, const NamedDecl*>;

// What a source defines for others, by the names that the linker sees.
Definitions definitions_in(const Outline& outline) {
  Definitions defined;
  for (const Item& item : outline.items())
    for (const Decl* declaration : item.declarations)
      if (const NamedDecl* defines = as_definition(*declaration); defines && defines->isExternallyVisible())
        defined.emplace(linker_name(*defines), defines);
  return defined;
}

// The same of the files that it includes, as C makes templates: sort_inc.h, once for each type.
void add_included(const DeclContext& context, const TranslationUnit& unit, Definitions& defined) {
  for (const Decl* declaration : context.decls()) {
    if (llvm::isa<NamespaceDecl, LinkageSpecDecl>(declaration))
      add_included(*llvm::cast<DeclContext>(declaration), unit, defined);
    const SourceLocation place = unit.sources().getExpansionLoc(declaration->getLocation());
    if (place.isInvalid() || unit.sources().isInSystemHeader(place) || unit.in_main_file(place)) continue;
    const NamedDecl* defines = as_definition(*declaration);
    const FunctionDecl* function = defines ? defines->getAsFunction() : nullptr;
    if (defines && defines->isExternallyVisible() && !(function && function->isInlined()))
      defined.emplace(linker_name(*defines), defines);
  }
}

}  // namespace

struct OtherSources::Source {
  CompileCommand command;
  Parser parser;
  std::unique_ptr<TranslationUnit> unit;
  std::unique_ptr<Outline> outline;
  Definitions defined;

  bool is_included(const NamedDecl& definition) const {
    return !unit->in_main_file(unit->sources().getExpansionLoc(definition.getLocation()));
  }
};

OtherSources::OtherSources(CompileCommand own, Options options) : own_(std::move(own)), options_(std::move(options)) {}
OtherSources::~OtherSources() = default;

const Result<std::unique_ptr<OtherSources::Source>>& OtherSources::open(const CompileCommand& command) {
  const auto known = sources_.find(command.file);
  return known != sources_.end() ? known->second : sources_.emplace(command.file, parsed(command)).first->second;
}

Result<std::unique_ptr<OtherSources::Source>> OtherSources::parsed(const CompileCommand& command) const {
  Parser::Settings settings;
  settings.reuse_prologue = false;
  settings.overlay = options_.overlay;
  HONE_TRY(Parser parser, Parser::create(command, options_, settings));
  const auto overlaid = options_.overlay.find(command.file);
  HONE_TRY(std::string text,
           overlaid == options_.overlay.end() ? os::read_file(command.file) : Result<std::string>(overlaid->second));
  auto source = std::make_unique<Source>(Source{command, std::move(parser), nullptr, nullptr, {}});
  HONE_TRY(source->unit, TranslationUnit::parse(source->parser, std::move(text)));
  if (const auto& errors = source->unit->parsed().errors(); !errors.empty())
    return failure("Clang cannot parse it: " + errors.front().text, where(errors.front()));
  source->outline = std::make_unique<Outline>(*source->unit);
  source->defined = definitions_in(*source->outline);
  add_included(*source->unit->context().getTranslationUnitDecl(), *source->unit, source->defined);
  return source;
}

// One kernel's.
class OtherSources::Search {
 public:
  Search(OtherSources& sources, const Outline& own, bool sets_variables)
      : sources_(sources), own_defined_(definitions_in(own)), sets_variables_(sets_variables) {}

  Elsewhere run(const std::vector<NeededDefinition>& undefined) {
    add(undefined);
    for (; !open_.empty(); open_.pop_front()) {
      const Wanted one = open_.front();
      if (const auto own = own_defined_.find(one.linker_name); own != own_defined_.end())
        call_back(*own->second, one.need);
      else if (Source* source = find(one))
        use(*source, *source->defined.at(one.linker_name), one.need);
      else if (one.need != Need::emitted)  // else nobody may ever ask for it
        found_.missing.push_back(one.qualified);
    }
    std::vector<std::vector<ReachedText>> reached;
    for (const auto& [source, part] : parts_) reached.push_back(tell(*source, part));
    std::ranges::sort(reached);  // not by where the sources are
    for (const std::vector<ReachedText>& texts : reached)
      found_.reached.insert(found_.reached.end(), texts.begin(), texts.end());
    return std::move(found_);
  }

 private:
  // What is used of a source.
  struct Part {
    std::vector<std::pair<const NamedDecl*, Need>> used;
    Closure closure;
  };

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
    for (const auto& [source, part] : parts_)
      if (source->defined.contains(one.linker_name)) return source;
    if (!sources_.options_.sources_with) return nullptr;
    for (const CompileCommand& command : candidates(one)) {
      if (command.file == sources_.own_.file) continue;
      const auto& source = sources_.open(command);
      if (source && (*source)->defined.contains(one.linker_name)) return source->get();
      if (!source && found_.unparsed.empty()) found_.unparsed = source.error().message();
    }
    return nullptr;
  }

  // Those called like the header that declares it, of the same target and configuration first as far as the objects'
  // folders tell. The name may not stand in their texts, where macros put it together.
  std::vector<CompileCommand> candidates(const Wanted& one) const {
    std::vector<CompileCommand> commands = sources_.options_.sources_with(one.word);
    const auto folder = [](const CompileCommand& command) { return fs::path(command.output).parent_path().filename(); };
    std::ranges::stable_partition(commands,
                                  [&](const auto& command) { return folder(command) == folder(sources_.own_); });
    const auto is_headers = [&](const CompileCommand& command) {
      return one.headers.contains(fs::path(command.file).stem().string());
    };
    std::ranges::stable_partition(commands, is_headers);
    std::vector<CompileCommand> all = sources_.options_.sources_with("");
    for (CompileCommand& command : all)
      if (is_headers(command)) commands.push_back(std::move(command));
    return commands;
  }

  void use(Source& source, const NamedDecl& definition, Need need) {
    Part& part = parts_[&source];
    part.used.emplace_back(&definition, need);
    part.closure = find_closure(*source.unit, *source.outline, part.used);
    add(part.closure.undefined);
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(&definition); function && need == Need::computed)
      object(source, part.closure, *function);
  }

  void call_back(const NamedDecl& definition, Need need) {
    found_.called_back.emplace_back(&definition, need);
    const auto* function = llvm::dyn_cast<FunctionDecl>(&definition);
    if (!function || need != Need::computed || !found_.objection.empty()) return;
    if (const std::string effect = effects_of(*function).effect; !effect.empty())
      found_.objection =
          "'" + function->getQualifiedNameAsString() + "', which they call, does more than compute: " + effect;
  }

  static bool is_constant(const Source& source, const std::string& variable) {
    for (const Item& item : source.outline->items())
      for (const Decl* declaration : item.declarations)
        if (const auto* one = llvm::dyn_cast<VarDecl>(declaration); one && one->getQualifiedNameAsString() == variable)
          return is_never_written(*one);
    return false;
  }

  // As to the kernel itself, as far as no clause could mend it.
  void object(const Source& source, const Closure& closure, const FunctionDecl& function) {
    if (!found_.objection.empty()) return;
    const std::string name = "'" + function.getQualifiedNameAsString() + "' of " + source.command.file;
    const std::string effect = effects_of(function).effect;
    const auto uses = variable_uses(function);
    const auto changing = std::ranges::find_if(closure.mutable_variables, [&](const std::string& variable) {
      const auto use = uses.find(variable);
      if (use == uses.end()) return false;
      return use->second != VariableUse::read || !(sets_variables_ || is_constant(source, variable));
    });
    if (!effect.empty())
      found_.objection = name + " does more than compute: " + effect;
    else if (changing != closure.mutable_variables.end())
      found_.objection = name + (uses.at(*changing) == VariableUse::read ? " uses" : " changes") + " the variable '" +
                         *changing + "', which other code can change";
    else if (closure.drives_device)
      found_.objection = name + " works on a CUDA device";
  }

  std::vector<ReachedText> tell(const Source& source, const Part& part) {
    const TranslationUnit& unit = *source.unit;
    std::vector<ReachedText> reached;
    const auto text = [&](Blanking blanking) {
      return line_directive(1, source.command.file) + reduced_text(unit, *source.outline, part.closure, blanking);
    };
    const std::string whole = text(Blanking::only_main);
    // What is included may need anything of what stands around it.
    const bool included =
        std::ranges::any_of(part.used, [&](const auto& one) { return source.is_included(*one.first); });
    found_.units.push_back({source.command.file, source.command.directory, source.command.arguments,
                            included ? whole : text(Blanking::all_but_closure), whole});
    reached.push_back({"elsewhere compiled as", language_name(unit) + ' ' + target_name(unit) + ' ' +
                                                    flags_that_mean(unit, source.command.arguments)});
    for (ReachedText& text : reached_texts(unit, *source.outline, part.closure, -1)) {
      text.label = "elsewhere " + text.label;
      if (text.file.empty() && text.line > 0) text.file = source.command.file;
      reached.push_back(std::move(text));
    }
    for (const int item : part.closure.items)
      for (const Decl* declaration : source.outline->items()[static_cast<std::size_t>(item)].declarations)
        if (const auto* variable = llvm::dyn_cast<VarDecl>(declaration); variable && as_definition(*variable))
          found_.variables.insert(variable->getQualifiedNameAsString());
    for (FileRead& file : files_read(unit.sources(), source.parser, source.command.directory))
      found_.read.push_back(std::move(file));
    for (std::string& path : source.parser.absent()) found_.absent.push_back(std::move(path));
    found_.digest = cache::sha256(found_.digest + digest_of_files(unit.sources()));
    return reached;
  }

  OtherSources& sources_;
  const Definitions own_defined_;
  const bool sets_variables_;
  Elsewhere found_;
  std::map<std::string, Need> seen_;  // by linker name
  std::deque<Wanted> open_;
  struct ByFile {
    bool operator()(const Source* a, const Source* b) const { return a->command.file < b->command.file; }
  };
  std::map<Source*, Part, ByFile> parts_;
};

Elsewhere OtherSources::find(const Outline& outline, const std::vector<NeededDefinition>& undefined,
                             bool sets_variables) {
  return undefined.empty() ? Elsewhere() : Search(*this, outline, sets_variables).run(undefined);
}

}  // namespace hone::frontend
