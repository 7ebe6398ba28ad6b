#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tool/command/compiler_line.h"
#include "tool/command/nvcc_options.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/frontend/unit/launch_text.h"
#include "tool/transforms/clang_format.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/local_declarations.h"
#include "tool/transforms/code/needless_braces.h"
#include "tool/transforms/code/recipe_builder.h"
#include "tool/transforms/code/transformation.h"
#include "tool/transforms/cuda/own_kernels.h"
#include "tool/transforms/recipes.h"
#include "tool/transforms/workshop.h"

namespace hone::frontend {
namespace {

// The last definition in the candidate's text that bears the kernel's name; helpers stand in front of it.
const clang::FunctionDecl* find_definition(clang::ASTContext& ast, const std::string& name, std::size_t begin,
                                           std::size_t end) {
  struct Visitor : SyntaxVisitor {
    const clang::SourceManager& sources;
    const std::string& name;
    std::size_t begin, end;
    const clang::FunctionDecl* found = nullptr;
    Visitor(const clang::SourceManager& s, const std::string& n, std::size_t b, std::size_t e)
        : sources(s), name(n), begin(b), end(e) {}
    bool TraverseDecl(clang::Decl* declaration) {
      // Only what is in the main file can hold it; the headers' declarations are many.
      if (declaration && !llvm::isa<clang::TranslationUnitDecl>(declaration) &&
          !sources.isWrittenInMainFile(sources.getFileLoc(declaration->getLocation())) &&
          !sources.isWrittenInMainFile(sources.getFileLoc(declaration->getEndLoc())))
        return true;
      return SyntaxVisitor::TraverseDecl(declaration);
    }
    bool VisitFunctionDecl(clang::FunctionDecl* function) {
      if (!function->isThisDeclarationADefinition() || !function->getBody()) return true;
      auto where = sources.getFileLoc(function->getLocation());
      if (sources.getFileID(where) != sources.getMainFileID()) return true;
      std::size_t at = sources.getFileOffset(where);
      if (at >= begin && at < end && qualified_name(*function) == name) found = function;
      return true;
    }
  };
  Visitor visitor(ast.getSourceManager(), name, begin, end);
  for (clang::Decl* declaration : ast.getTranslationUnitDecl()->decls())
    if (!declaration->isFromASTFile()) visitor.TraverseDecl(declaration);
  return visitor.found;
}

bool may_bring_launch(const KernelSpec& spec) {
  return !spec.own_launch.name.empty() && spec.own_launch.why_not.empty();
}

// A __global__ kernel whose variants may bring launches of their own, as a launcher like any other: the kernel stands
// in front and stays, and what launches it is transformed.
KernelSpec as_launcher(KernelSpec spec) {
  const std::string name = spec.own_launch.name;
  const std::size_t kernel_name = name.size() - kOwnLaunchPrefix.size();
  spec.qualified_name.replace(spec.qualified_name.size() - kernel_name, kernel_name, name);
  spec.unit.opening += spec.unit.definition + "\n";
  spec.unit.definition = spec.own_launch.definition;
  spec.unit.without_branches.clear();
  return spec;
}

// nvcc's --use_fast_math.
bool asks_for_fast_math(const CompileCommand& command) {
  const auto line = read_compiler_line(command.arguments);  // which has read files of options
  return line && line->nvcc && std::ranges::any_of(line->arguments, [](const std::string& word) {
           const NvccOption* option = read_nvcc_word(word).option;
           return option && option->name == "--use_fast_math";
         });
}

std::string key_of(const Genome& genome) {
  std::string key;
  for (const Gene& gene : genome) {
    key += gene.transform + "@" + std::to_string(gene.site) + "(";
    for (int argument : gene.arguments) key += std::to_string(argument) + ",";
    key += ")";
  }
  return key;
}

class RealWorkshop final : public Workshop {
 public:
  // `kept`: what every candidate begins with, behind its includes.
  RealWorkshop(KernelSpec spec, Parser parser, const CompileCommand& command, std::string kept, Form form)
      : spec_(std::move(spec)),
        kept_(std::move(kept)),
        form_(form),
        layout_(spec_.file),
        parser_(std::move(parser)),
        fast_math_on_device_(asks_for_fast_math(command)) {}

  Result<void> start() {
    HONE_TRY(State original, parse(spec_.unit.active()));
    if (original.contexts.empty())
      return failure("cannot parse the kernel's unit: " + original.error,
                     spec_.file + ":" + std::to_string(spec_.line));
    if (spec_.cuda)
      if (auto text = with_own_kernels(original.contexts.front())) {
        HONE_TRY(State own, parse(std::move(*text)));
        if (!own.contexts.empty()) original = std::move(own);
      }
    if (!spec_.cuda)
      if (auto text = with_local_declarations(original.contexts.front())) {
        HONE_TRY(State moved, parse(std::move(*text)));
        if (!moved.contexts.empty()) original = std::move(moved);
      }
    states_.emplace(std::string(), std::make_unique<State>(std::move(original)));
    return {};
  }

  Catalog survey(std::stop_token stop) override {
    stop_ = std::move(stop);
    Catalog catalog;
    // What a kernel calls may have all of its loops, and those may run by pointers: both forms are looked at, and the
    // one with loops that all see comes first.
    const Genome opened = with_plain_loops();
    for (const auto& transformation : transformations_for(spec_)) {
      if (stop_.stop_requested()) break;
      auto entry = survey_of(*transformation, {});
      if (auto more = opened.empty() ? std::nullopt : survey_of(*transformation, opened);
          more && (!entry || entry->sites < more->sites))
        entry = std::move(more);
      if (entry) catalog.transforms.push_back(std::move(*entry));
    }
    catalog.recipes = recipes_behind(opened);
    if (const Genome tabulated = with_tables(opened); tabulated != opened)
      catalog.recipes = in_turn(recipes_behind(tabulated), catalog.recipes);
    if (!opened.empty())
      for (Genome& genome : recipes_behind({})) catalog.recipes.push_back(std::move(genome));
    return catalog;
  }

  Rendered render(const Genome& genome, std::stop_token stop) override {
    stop_ = std::move(stop);
    Rendered rendered;
    rendered.applied = applied(genome);
    const bool c89 = !parser_.language().CPlusPlus && !parser_.language().C99;
    const auto& contexts = state(rendered.applied).contexts;
    const SplitSource split =
        split_includes(c89 ? without_declaring_loops(contexts.front()) : without_needless_braces(contexts));
    rendered.source = layout_.laid_out(split.includes + kept_ + split.definition);
    return rendered;
  }

  std::optional<std::string> with_choice(const std::string& candidate, const std::vector<int>& originals) override {
    const auto state = parse(candidate);
    if (!state || state->contexts.empty()) return std::nullopt;
    const auto text = find_transformation(choice_by_size)->apply(state->contexts.front(), 0, originals);
    const auto parsed = text ? parse(*text) : Result<State>(State());
    if (!text || !parsed || parsed->contexts.empty()) return std::nullopt;
    return layout_.laid_out(*text);
  }

 private:
  struct State {
    std::shared_ptr<const std::string> text;  // contexts refer to it
    std::string error;                        // Clang's first, where there is no context
    std::unique_ptr<Parsed> parsed;
    // One, but for a launcher of several kernels one for each of them, whose sites are counted in this order.
    std::vector<KernelContext> contexts;
  };

  std::optional<TransformSite> survey_of(const Transformation& transformation, const Genome& behind) {
    TransformSite entry{.transform = std::string(transformation.name()), .sites = 0};
    entry.less_exact = transformation.is_less_exact();
    for (const KernelContext& context : state(behind).contexts) {
      const unsigned here = transformation.sites(context);
      if (entry.sites == 0 && here > 0) entry.argument_choices = transformation.argument_choices(context, 0);
      entry.sites += here;
    }
    return entry.sites ? std::optional(std::move(entry)) : std::nullopt;
  }

  // What is called in place of the calls, level by level, conditions for what is skipped, elements by
  // pointers, and loops that count.
  Genome with_plain_loops() {
    constexpr unsigned levels = 8, loops = 12;
    const StateOf state_of = state_behind({});
    RecipeBuilder builder(state_of);
    for (unsigned level = 0; level < levels && builder.once("inline_calls");) ++level;
    if (spec_.cuda) return with_plain_accesses(state_of, builder.genome());
    builder.once("no_continue");
    builder.once("member_locals");
    for (unsigned loop = 0; loop < loops && builder.once("canonical_loop");) ++loop;
    builder.once("member_locals");  // what iterators led to
    builder.once("scalar_replacement");
    builder.once("single_assignment");
    return builder.genome();
  }

  // Tables are either much of a gain or, where functions go as vectors, none: both are looked at.
  Genome with_tables(const Genome& opened) {
    if (spec_.cuda) return opened;
    const StateOf state_of = state_behind({});
    RecipeBuilder builder(state_of, 0, opened);
    constexpr unsigned levels = 4;
    for (unsigned level = 0; level < levels && builder.once("tabulate");) ++level;
    return builder.genome();
  }

  static std::vector<Genome> in_turn(const std::vector<Genome>& ones, const std::vector<Genome>& others) {
    std::vector<Genome> all;
    for (std::size_t at = 0; at < std::max(ones.size(), others.size()); ++at) {
      if (at < ones.size()) all.push_back(ones[at]);
      if (at < others.size()) all.push_back(others[at]);
    }
    return all;
  }

  static Genome with_plain_accesses(const StateOf& state_of, Genome genome) {
    for (std::size_t kernel = 0; kernel < state_of(genome).size(); ++kernel) {
      RecipeBuilder builder(state_of, kernel, std::move(genome));
      builder.once("plain_access");
      genome = builder.genome();
    }
    return genome;
  }

  // For genomes that go on from `start`, whose genes all apply.
  StateOf state_behind(const Genome& start) {
    const auto reach = [this, start](Genome& genome) -> const std::vector<KernelContext>& {
      Genome whole = start;
      whole.insert(whole.end(), genome.begin(), genome.end());
      whole = applied(whole);
      genome.assign(whole.begin() + static_cast<std::ptrdiff_t>(start.size()), whole.end());
      return state(whole).contexts;
    };
    return {reach, stop_};
  }

  std::vector<Genome> recipes_behind(const Genome& start) {
    const StateOf state_of = state_behind(start);
    std::vector<Genome> all = spec_.cuda ? device_recipes(state_of) : recipes(state_of);
    if (!start.empty()) all.emplace_back();
    for (Genome& genome : all) genome.insert(genome.begin(), start.begin(), start.end());
    return all;
  }

  Genome applied(const Genome& genome) {
    Genome genes;
    for (const Gene& gene : genome)
      if (auto next = apply(genes, gene)) genes.push_back(std::move(*next));
    return genes;
  }

  // The state that a genome of genes that all apply leads to. It was reached before, but its AST may have been let go.
  State& state(const Genome& applied) {
    auto& slot = states_.at(key_of(applied));
    if (slot->contexts.empty()) {
      auto again = parse(*slot->text);
      if (again) slot = std::make_unique<State>(std::move(*again));
      recent_.push_back(slot.get());
      forget_old();
    }
    return *slot;
  }

  // The gene as applied after `applied`; nullopt: it does nothing there, or what it makes does not parse.
  std::optional<Gene> apply(const Genome& applied, const Gene& gene) {
    Genome longer = applied;
    longer.push_back(gene);
    std::string key = key_of(longer);
    if (states_.contains(key)) return gene;
    if (rejected_.contains(key) || stop_.stop_requested()) return std::nullopt;
    auto next = transformed(state(applied), gene);
    if (stop_.stop_requested()) return std::nullopt;  // its places may have been counted in part
    if (!next) {
      rejected_.emplace(key, true);
      return std::nullopt;
    }
    auto& slot = states_.emplace(key, std::make_unique<State>(std::move(*next))).first->second;
    recent_.push_back(slot.get());
    forget_old();
    return gene;
  }

  std::optional<State> transformed(State& from, const Gene& gene) {
    const Transformation* transformation = find_transformation(gene.transform);
    if (!transformation) return std::nullopt;
    unsigned site = gene.site;
    for (const KernelContext& context : from.contexts) {
      const unsigned sites = transformation->sites(context);
      if (site >= sites) {
        site -= sites;
        continue;
      }
      auto text = transformation->apply(context, site, gene.arguments);
      if (!text || *text == *from.text) return std::nullopt;
      auto next = parse(std::move(*text));
      if (!next || next->contexts.empty()) return std::nullopt;
      return std::move(*next);
    }
    return std::nullopt;
  }

  Result<State> parse(std::string candidate) {
    SplitSource split = split_includes(candidate);
    candidate = split.includes + split.definition;
    const KernelUnit& unit = spec_.unit;
    std::string text = unit.prologue;
    if (!text.empty() && text.back() != '\n') text += '\n';
    std::size_t includes_begin = text.size();
    text += split.includes + unit.opening;
    std::size_t definition_begin = text.size();
    text += split.definition;
    std::size_t definition_end = text.size();
    text += "\n" + unit.closing;
    State state;
    HONE_TRY(state.parsed, parser_.parse(std::move(text)));
    state.text = std::make_shared<const std::string>(std::move(candidate));
    if (!state.parsed->errors().empty()) {
      state.error = state.parsed->errors().front().text;
      state.parsed.reset();
      return state;
    }
    auto& ast = state.parsed->context();
    const auto* kernel = find_definition(ast, spec_.qualified_name, definition_begin, definition_end);
    if (!kernel) {
      state.error = "no definition of " + spec_.qualified_name;
      return state;
    }
    std::vector<const clang::FunctionDecl*> functions{kernel};
    if (spec_.cuda)
      if (auto launched = launched_kernels(ast, kernel, definition_begin, definition_end); !launched.empty())
        functions = std::move(launched);
    // Asking for a node's parent must not walk (and load) every header.
    std::vector<clang::Decl*> scope{const_cast<clang::FunctionDecl*>(kernel)};
    for (const auto* function : functions) {
      if (function != kernel) scope.push_back(const_cast<clang::FunctionDecl*>(function));
      state.contexts.push_back({ast, function, spec_, *state.text, includes_begin, split.includes.size(),
                                definition_begin, function == kernel ? nullptr : kernel, form_ == Form::compact,
                                &state.parsed->preprocessor(), &stop_, fast_math_on_device_});
    }
    ast.setTraversalScope(scope);
    return state;
  }

  // ASTs are megabytes: a handful is kept, texts stay.
  void forget_old() {
    while (recent_.size() > kept) {
      recent_.front()->contexts.clear();
      recent_.front()->parsed.reset();
      recent_.erase(recent_.begin());
    }
  }

  static constexpr std::size_t kept = 24;
  KernelSpec spec_;
  std::string kept_;
  Form form_;
  Layout layout_;
  Parser parser_;
  const bool fast_math_on_device_;
  std::stop_token stop_;  // of the call that is under way
  std::map<std::string, std::unique_ptr<State>> states_;
  std::map<std::string, bool> rejected_;
  std::vector<State*> recent_;  // with an AST, oldest first; not the original
};

// Which moves a recipe makes, wherever it makes them.
std::set<std::string> moves_of(const Genome& genome) {
  std::set<std::string> moves;
  for (Gene gene : genome) {
    gene.site = 0;
    moves.insert(key_of({gene}));
  }
  return moves;
}

// The plain form's recipes, each as the compact form has it. Where a move finds no place in that, both stay, the
// longer text some trials later: a budget may end before.
std::vector<Genome> joined(const std::vector<Genome>& plain, const std::vector<Genome>& compact) {
  std::vector<Genome> all;
  const auto add = [&](const Genome& genome) {
    if (std::ranges::find(all, genome) == all.end()) all.push_back(genome);
  };
  constexpr std::size_t later = 2;
  for (std::size_t place = 0; place < std::max(plain.size() + later, compact.size()); ++place) {
    if (place < compact.size()) add(compact[place]);
    if (place < later || place - later >= plain.size()) continue;
    const Genome& longer = plain[place - later];
    if (std::ranges::find(compact, moves_of(longer), moves_of) == compact.end()) add(longer);
  }
  return all;
}

class ShortestWorkshop final : public Workshop {
 public:
  ShortestWorkshop(std::unique_ptr<Workshop> plain, std::unique_ptr<Workshop> compact)
      : plain_(std::move(plain)), compact_(std::move(compact)) {}

  Catalog survey(std::stop_token stop) override {
    Catalog catalog = plain_->survey(stop);
    catalog.recipes = joined(catalog.recipes, compact_->survey(stop).recipes);
    return catalog;
  }

  Rendered render(const Genome& genome, std::stop_token stop) override {
    Rendered once = compact_->render(genome, stop);
    if (once.applied == genome) return once;
    Rendered plain = plain_->render(genome, stop);
    return once.applied == plain.applied ? once : plain;
  }

  std::optional<std::string> with_choice(const std::string& candidate, const std::vector<int>& originals) override {
    return plain_->with_choice(candidate, originals);
  }

 private:
  std::unique_ptr<Workshop> plain_, compact_;
};

}  // namespace

Result<std::unique_ptr<Workshop>> Workshop::open(const KernelSpec& spec, const CompileCommand& command,
                                                 const Options& options, Form form) {
  if (form == Form::shortest) {
    HONE_TRY(auto plain, open(spec, command, options, Form::plain));
    if (spec.cuda) return plain;
    HONE_TRY(auto compact, open(spec, command, options, Form::compact));
    return std::make_unique<ShortestWorkshop>(std::move(plain), std::move(compact));
  }
  if (may_bring_launch(spec)) {
    HONE_TRY(Parser parser, Parser::create(command, options));
    auto workshop = std::make_unique<RealWorkshop>(as_launcher(spec), std::move(parser), command,
                                                   spec.unit.definition + "\n", form);
    if (workshop->start()) return workshop;  // else a clause means something else where the kernel stands
  }
  HONE_TRY(Parser parser, Parser::create(command, options));
  auto workshop = std::make_unique<RealWorkshop>(spec, std::move(parser), command, "", form);
  HONE_CHECK(workshop->start());
  return workshop;
}

}  // namespace hone::frontend
