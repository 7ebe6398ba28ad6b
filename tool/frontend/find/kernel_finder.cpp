// find_kernels(): one parse, then for each annotation the passes from the pragma's text to a KernelSpec.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "cache/digest.h"
#include "tool/command/annotated_headers.h"
#include "tool/command/cuda_architecture.h"
#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/describe/closure.h"
#include "tool/frontend/describe/description.h"
#include "tool/frontend/describe/effects.h"
#include "tool/frontend/describe/mistake_text.h"
#include "tool/frontend/describe/own_object.h"
#include "tool/frontend/describe/placement.h"
#include "tool/frontend/describe/text_facts.h"
#include "tool/frontend/describe/workload_function.h"
#include "tool/frontend/find/body_insertion.h"
#include "tool/frontend/find/brought_out.h"
#include "tool/frontend/find/captured_directive.h"
#include "tool/frontend/find/elsewhere.h"
#include "tool/frontend/find/files_read.h"
#include "tool/frontend/find/guard.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/find/launch_sites.h"
#include "tool/frontend/find/parsed_files.h"
#include "tool/frontend/find/placed_message.h"
#include "tool/frontend/find/recording_text.h"
#include "tool/frontend/find/request_key.h"
#include "tool/frontend/find/self_contained.h"
#include "tool/frontend/find/template_instance.h"
#include "tool/frontend/find/template_pattern.h"
#include "tool/frontend/find/uncloned.h"
#include "tool/frontend/parse/compiled_with.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/invocation.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/nvcc_line.h"
#include "tool/frontend/unit/launch_text.h"
#include "tool/frontend/unit/unit_checker.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr const char* annotated_twice = " is annotated twice; join the clauses in one annotation";

class Finder {
 public:
  // `asked`: the command as the build has it.
  Finder(const MainText& file, const CompileCommand& asked, const Options& options, Parser& parser,
         const TranslationUnit& unit)
      : file_(file),
        command_(file.command),
        options_(options),
        parser_(parser),
        unit_(unit),
        outline_(unit),
        compiled_with_(compiled_with(asked)),
        headers_(parser.main_file(), file.command.directory),
        others_(file.command, parser.cuda() ? Options() : options) {}

  // What other sources were read for the kernels.
  bool looked_elsewhere() const { return looked_elsewhere_; }
  const Elsewhere& elsewhere() const { return found_elsewhere_; }

  FoundKernels run() {
    for (const Annotation& annotation : unit_.annotations()) look_at(annotation);
    tell_namesakes_apart();
    warn_of_headers();
    return std::move(found_);
  }

 private:
  using Code = DiagnosticCode;
  void complain(Mistake mistake) { found_.diagnostics.push_back(diagnostic_in(file_, std::move(mistake), looked_at_)); }
  void complain(Code code, annotations::Location location, std::string message) {
    complain({code, location, std::move(message)});
  }

  std::string absolute(const std::string& file) const {
    return (std::filesystem::path(command_.directory) / file).lexically_normal().string();
  }

  void warn_of_headers() {
    for (const AnnotationElsewhere& annotation : unit_.annotations_elsewhere())
      if (headers_.contain(absolute(annotation.file)))
        found_.diagnostics.push_back(make_warning(
            annotation.text, annotation.file,
            {Code::header_not_included, annotation.location,
             "this header comes from the command line (-include, or a precompiled header), in front of all "
             "text that a variant could stand in; include it in the source files that call the kernel"}));
  }

  // Overloads share a name; the lock file and the user need one each: app::sum and app::sum become
  // "app::sum(const float *, int)" and "app::sum(const double *, int)". What two annotations call the same, with the
  // same parameters, has its function's name behind it: "hot(float *, int) of app::sum".
  void tell_namesakes_apart() {
    add_to_namesakes([](const KernelSpec& spec) {
      const std::size_t name = spec.signature.find(spec.qualified_name + '(');
      if (spec.built && name != std::string::npos) return spec.signature.substr(name + spec.qualified_name.size());
      std::string parameters = "(";
      for (const Parameter& parameter : spec.parameters)
        parameters += (&parameter == spec.parameters.data() ? "" : ", ") + parameter.type;
      return parameters + ')';
    });
    add_to_namesakes([](const KernelSpec& spec) { return " of " + spec.qualified_name; });
  }

  template <class What>
  void add_to_namesakes(const What& what) {
    std::map<std::string, unsigned> count;
    for (const FoundKernel& kernel : found_.kernels) ++count[kernel.spec.name];
    for (FoundKernel& kernel : found_.kernels)
      if (count[kernel.spec.name] > 1) kernel.spec.name += what(kernel.spec);
  }

  // From one annotation to a kernel, or to what is wrong with it.
  void look_at(const Annotation& annotation) {
    auto attached = attach(annotation, unit_, outline_);
    const auto* below = std::get_if<Attachment>(&attached);
    looked_at_ = below ? qualified_name(*below->function) : "";

    // 1. The clauses, as text.
    if (const auto* error = std::get_if<annotations::ParseError>(&annotation.content))
      return complain(error->code, error->location,
                      error->message + (error->expected.empty() ? "" : "; " + error->expected));
    const auto& written = std::get<annotations::Directive>(annotation.content);

    // 2. The function below.
    if (auto* why = std::get_if<Mistake>(&attached)) {
      if (!why->message.empty()) complain(std::move(*why));
      return;
    }
    const Attachment& attachment = std::get<Attachment>(attached);
    const annotations::Directive directive = with_plain_members(written, *attachment.function);
    if (!attachment.is_template && !directive.instantiations.empty() &&
        attachment.function->getTemplateSpecializationKind() != TSK_Undeclared)
      return complain(Code::instantiate_without_template, directive.instantiations.front().location,
                      "instantiate(…) belongs to a template; '" + attachment.function->getNameAsString() +
                          "' is a specialization of one, so drop the clause");
    if (attachment.is_template) return look_at_template(annotation, directive, attachment);
    if (!annotated_.insert(attachment.function).second)
      return complain(Code::annotated_twice, annotation.location,
                      "'" + attachment.function->getNameAsString() + "'" + annotated_twice);

    look_at({unit_, outline_, annotation, directive, attachment});
  }

  // Each instance is looked at in a copy of the file that has it as a function of its own.
  void look_at_template(const Annotation& annotation, const annotations::Directive& directive,
                        const Attachment& attachment) {
    if (!directive.fixed.empty())
      return complain(Code::fixed_unsupported, directive.fixed.front().location,
                      not_fixed(directive, *attachment.function, "it is a template"));
    const TemplateInstances instances =
        instances_of(attachment, directive, unit_, in_header(attachment.begin), parser_);
    for (const Mistake& mistake : instances.mistakes) complain(mistake);
    for (const TemplateInstance& instance : instances.instances)
      look_at_instance(instance, annotation, directive, attachment);
  }

  void look_at_instance(const TemplateInstance& instance, const Annotation& annotation,
                        annotations::Directive directive, const Attachment& attachment) {
    const std::string name = "'" + attachment.function->getNameAsString() + instance.arguments + "'";
    if (!instances_.emplace(attachment.function->getCanonicalDecl(), instance.arguments).second)
      return complain(Code::annotated_twice, instance.clause.location, name + annotated_twice);
    if (std::string reason = not_to_be_replaced(*attachment.function, instance, in_header(attachment.begin));
        !reason.empty())
      return complain(Code::instance_in_use, instance.clause.location, name + " " + reason);
    auto unit = TranslationUnit::parse(parser_, instance.text);
    if (!unit) return complain(Code::clang_refuses, instance.clause.location, unit.error().what);
    if (!(*unit)->parsed().errors().empty())
      return complain(Code::instance_in_use, instance.clause.location,
                      why_not_specialized(name, (*unit)->parsed().errors().front()));
    const Outline outline(**unit);
    const int item = outline.item_at(instance.begin);
    const auto own = std::ranges::find((*unit)->annotations(), annotation.begin, &Annotation::begin);
    const FunctionDecl* function =
        item < 0 ? nullptr : outline.items()[static_cast<std::size_t>(item)].declarations.front()->getAsFunction();
    if (!function || own == (*unit)->annotations().end())
      return complain(Code::clang_refuses, instance.clause.location,
                      name + " cannot be told apart from the code around it");
    const Item& definition = outline.items()[static_cast<std::size_t>(item)];
    const bool several = directive.instantiations.size() > 1;
    directive.instantiations = {instance.clause};
    if (several && directive.name) directive.name->text += instance.arguments;
    look_at({**unit, outline, *own, directive, {function, false, item, definition.begin, definition.end}, &instance});
  }

  bool in_header(std::size_t at) const {
    return !file_.origins.one_file() && file_.origins.place(file_.text, at).file != parser_.main_file();
  }

  static std::string why_not_specialized(const std::string& name, const Message& error) {
    if (error.text.find("after instantiation") != std::string::npos)
      return name +
             " is used in front of the template's definition, where no variant can stand; define the template "
             "before its first use";
    return name + " cannot be compiled as a specialization of its own: " + error.text + " (" + where(error) + ")";
  }

  // What is looked at, and where: the file, or a copy with a template's instance in it.
  struct Sight {
    const TranslationUnit& unit;
    const Outline& outline;
    const Annotation& annotation;
    const annotations::Directive& directive;
    Attachment attachment;
    const TemplateInstance* instance = nullptr;
  };

  void look_at(const Sight& sight) {
    const auto& [unit, outline, annotation, directive, attachment, instance] = sight;
    // 3. What it takes and gives.
    FoundKernel kernel;
    identify(attachment, annotation, directive, kernel.spec);
    looked_at_ = kernel.spec.name;
    Description description = describe_with_captures(sight, kernel.spec);
    if (instance) description.template_parameters = instance->parameters;
    for (const Mistake& mistake : description.mistakes) complain(mistake);
    if (!description.mistakes.empty()) return;

    // 4. What it reaches.
    Closure closure;
    Elsewhere elsewhere = reach(sight, all_expressions(description), {}, closure);
    if (std::string reason = not_given(closure, description, *attachment.function); !reason.empty())
      return complain(Code::variable_undescribed,
                      directive.workload ? directive.workload->location : annotation.location, reason);
    if (std::string reason = not_self_contained(closure, elsewhere, *attachment.function); !reason.empty())
      return complain(Code::not_self_contained, annotation.location, reason);
    if (const std::string effect = effects_of(*attachment.function).effect; !effect.empty())
      return complain(Code::side_effect, annotation.location,
                      "'" + kernel.spec.qualified_name + "' does more than compute: " + effect +
                          "; a variant would not do that; move it out of the annotated function");
    if (!settle_device(*attachment.function, closure, directive, kernel.spec)) return;
    const TextFacts facts = facts_of(*attachment.function);
    kernel.spec.constants = facts.constants;
    kernel.spec.asks_for_nan = facts.asks_for_nan;
    if (directive.workload && !reach_workload(sight, description, kernel.spec, closure, elsewhere)) return;
    kernel.spec.called = elsewhere.units;

    // 5. What it is known by, and where it stands.
    add_request_key({unit, outline, closure, attachment.item, directive, elsewhere.reached},
                    {command_.arguments, compiled_with_, parser_.cuda()}, kernel.spec);
    place_key_fields(file_, kernel.spec);
    kernel.placement = place(unit, outline, attachment, parser_.main_file());
    kernel.placement.uncloned =
        uncloned(unit, attachment, in_header(instance ? instance->behind_template - 1 : attachment.begin));
    if (options_.recording)
      kernel.recording =
          recording_of(unit, *attachment.function, description, kernel.placement, instance != nullptr, kernel.spec);
    if (description.launch) look_for_launches(sight, *description.launch, kernel);
    const bool fixed = !directive.fixed.empty();
    if (kernel.spec.cuda || fixed) kernel.entrance = find_entrance(unit, *attachment.function, instance != nullptr);
    if (fixed) {
      if (!takes_guard(directive, *attachment.function, kernel.entrance)) return;
      kernel.guard = guard_of(*attachment.function, description, kernel.spec);
    }
    if (instance) kernel.placement.begin_line = kernel.placement.end_line = instance->line;

    // 6. The unit to judge variants in.
    if (options_.units && (options_.units_of.empty() || options_.units_of.contains(kernel.spec.key))) {
      UnitChecker checker(parser_, unit, outline, annotation);
      const std::vector<Mistake> mistakes =
          checker.build(attachment, closure, description, kernel.placement, kernel.spec);
      for (const Mistake& mistake : mistakes) complain(mistake);
      if (!mistakes.empty()) return;
    }
    if (instance) stand_behind(*instance, kernel.placement);
    kernel.spec.line = file_.origins.place_of_line(file_.text, kernel.spec.line).line;
    found_.kernels.push_back(std::move(kernel));
  }

  // What was captured stands for the clauses that are left out; where it fits the function no more, nothing does. The
  // key knows only what is written (decision 35).
  Description describe_with_captures(const Sight& sight, KernelSpec& spec) const {
    const FunctionDecl& function = *sight.attachment.function;
    const std::string folder = std::filesystem::path(spec.file).parent_path().string();
    const KernelSpec bare = spec;
    Description description = describe(function, sight.directive, folder, spec);
    if (options_.units && options_.captured && !sight.directive.workload) {
      KernelSpec filled = bare;
      const auto captured = with_captured(sight.directive, spec, options_.captured(spec.mangled_name));
      Description whole = describe(function, captured, folder, filled);
      if (whole.mistakes.empty()) std::tie(spec, description) = std::pair(std::move(filled), std::move(whole));
    }
    spec.captures = options_.captures;
    spec.lacks_problem = description.lacks_problem;
    return description;
  }

  // All that a kernel reaches, with what runs `beside` it: in its own file, and what other sources define of it.
  Elsewhere reach(const Sight& sight, const std::vector<annotations::Expression>& expressions,
                  std::vector<std::pair<const NamedDecl*, Need>> beside, Closure& closure) {
    for (;;) {
      closure = find_closure(sight.unit, sight.outline, sight.attachment, sight.annotation, expressions, beside);
      if (closure.undefined.empty()) return {};
      looked_elsewhere_ = true;
      Elsewhere found = others_.find(sight.outline, closure.undefined, sight.directive.workload.has_value());
      const std::size_t before = beside.size();
      for (const auto& back : found.called_back)
        if (std::ranges::find(beside, back) == beside.end()) beside.push_back(back);
      if (beside.size() > before) continue;
      found_elsewhere_.read.insert(found_elsewhere_.read.end(), found.read.begin(), found.read.end());
      found_elsewhere_.absent.insert(found_elsewhere_.absent.end(), found.absent.begin(), found.absent.end());
      found_elsewhere_.digest += found.digest;
      found_elsewhere_.missing.insert(found_elsewhere_.missing.end(), found.missing.begin(), found.missing.end());
      return found;
    }
  }

  // The workload is no part of the kernel: what it reaches is in the unit and in the key, and none of a candidate's.
  bool reach_workload(const Sight& sight, Description& description, const KernelSpec& spec, Closure& closure,
                      Elsewhere& elsewhere) {
    const annotations::Name& name = *sight.directive.workload;
    if (spec.cuda)
      return complain(Code::workload_on_device, name.location,
                      "workload(" + name.text +
                          ") is not supported yet for what works on a device; drop the clause, and pass pointers and "
                          "plain values"),
             false;
    std::vector<annotations::Expression> expressions = all_expressions(description);
    expressions.push_back({name.text, name.location});
    const auto found = find_workload(*sight.attachment.function, name);
    std::vector<std::pair<const NamedDecl*, Need>> beside;
    if (const auto* const* workload = std::get_if<const FunctionDecl*>(&found)) beside = {{*workload, Need::run}};
    elsewhere = reach(sight, expressions, std::move(beside), closure);
    define_variables(closure, elsewhere.variables, *sight.attachment.function, description.arguments);
    if (elsewhere.missing.empty()) return true;
    if (!elsewhere.unparsed.empty())
      return complain(Code::workload_undefined, name.location,
                      "'" + name.text + "' reaches '" + elsewhere.missing.front() +
                          "', which may be defined in a source that Hone cannot read: " + elsewhere.unparsed),
             false;
    return complain(Code::workload_undefined, name.location,
                    "'" + name.text + "' reaches '" + elsewhere.missing.front() +
                        "', which no source of the compile_commands.json defines; list that source there (CMake: "
                        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON), or put the definition where this file includes it"),
           false;
  }

  bool takes_guard(const annotations::Directive& directive, const FunctionDecl& function, const Entrance& entrance) {
    const std::string why = why_no_guard(function, entrance);
    if (!why.empty())
      complain(Code::fixed_unsupported, directive.fixed.front().location, not_fixed(directive, function, why));
    return why.empty();
  }

  static std::string not_fixed(const annotations::Directive& directive, const FunctionDecl& function,
                               const std::string& why) {
    return "fixed(" + directive.fixed.front().text + ") is not supported for '" + function.getNameAsString() +
           "': " + why + "; drop the clause, and the scalar is varied where variants are verified";
  }

  // May a variant bring launches of its own, and which would they replace?
  static void look_for_launches(const Sight& sight, const annotations::Launch& launch, FoundKernel& kernel) {
    const FunctionDecl& function = *sight.attachment.function;
    Launches found =
        sight.instance ? Launches{{}, "it is an instance of a template"} : find_launches(sight.unit, sight.attachment);
    kernel.spec.own_launch = own_launch_of(function, launch, found.why_not);
    if (!found.why_not.empty()) return;
    kernel.launches = starter_of(function, launch, kernel.spec.key);
    kernel.launches.sites = std::move(found.sites);
  }

  // In the file itself: the variant joins the template, which other instances go on using.
  void stand_behind(const TemplateInstance& instance, Placement& placement) const {
    placement.begin = placement.end = instance.behind_template;
    if (placement.includes_at > instance.behind_template) placement.includes_at = instance.behind_template;
    placement.includes_line =
        1 + static_cast<unsigned>(std::count(
                unit_.text().begin(), unit_.text().begin() + static_cast<std::ptrdiff_t>(placement.includes_at), '\n'));
  }

  void identify(const Attachment& attachment, const Annotation& annotation, const annotations::Directive& directive,
                KernelSpec& spec) const {
    const FunctionDecl& function = *attachment.function;
    spec.qualified_name = qualified_name(function);
    spec.name = directive.name ? directive.name->text : spec.qualified_name;
    spec.mangled_name = mangled_name(function);
    spec.signature = signature(function);
    spec.file = absolute(file_.origins.place_of_line(file_.text, annotation.location.line).file);
    spec.line = annotation.location.line;
    spec.language = language_name(unit_);
    spec.target = target_name(unit_);
  }

  // Does it work on a device? An ordinary function of a CUDA file does not: nothing that it reaches drives one.
  bool settle_device(const FunctionDecl& function, const Closure& closure, const annotations::Directive& directive,
                     KernelSpec& spec) {
    spec.global = is_global(function);
    spec.cuda = spec.global || closure.drives_device;
    if (directive.stream && !spec.cuda)
      return complain(Code::stream_unused, directive.stream->location,
                      "'" + spec.qualified_name + "' launches nothing, so it has no use for a stream"),
             false;
    if (!spec.cuda) return true;
    for (Parameter& parameter : spec.parameters) parameter.null = false;  // memory of a device is always there
    if (spec.built)
      return complain(Code::device_arguments, directive.location,
                      "'" + spec.qualified_name +
                          "' works on a device; there Hone takes pointers and plain values only, no references, "
                          "classes or variables"),
             false;
    if (!parser_.cuda())
      return complain(Code::device_language, directive.location,
                      "'" + spec.qualified_name +
                          "' drives a CUDA device from a file that is not compiled as CUDA; move it into a .cu file"),
             false;
    for (const std::string& architecture : parser_.cuda()->architectures)
      if (architecture_number(architecture) == 0)
        return complain(Code::device_architecture, directive.location,
                        "'" + architecture +
                            "' does not say which GPU the code is for; name it, as in -arch=sm_90 "
                            "(CMAKE_CUDA_ARCHITECTURES=90)"),
               false;
    spec.target = device_target_name(*parser_.cuda(), command_.arguments, unit_);
    return true;
  }

  const MainText& file_;
  const CompileCommand& command_;
  const Options& options_;
  Parser& parser_;
  const TranslationUnit& unit_;
  const Outline outline_;
  const std::string compiled_with_;
  const ProjectHeaders headers_;
  FoundKernels found_;
  std::string looked_at_;  // the kernel, or its function
  OtherSources others_;
  bool looked_elsewhere_ = false;
  Elsewhere found_elsewhere_;
  std::set<const FunctionDecl*> annotated_;
  std::set<std::pair<const FunctionDecl*, std::string>> instances_;  // by their arguments
};

void add_elsewhere(const Elsewhere& elsewhere, KernelsAndFiles& all) {
  all.incomplete = !elsewhere.missing.empty();
  if (elsewhere.digest.empty()) return;
  for (const FileRead& file : elsewhere.read)
    if (std::ranges::find(all.read, file.path, &FileRead::path) == all.read.end()) {
      all.read.push_back(file);
      all.elsewhere.push_back(file.path);
    }
  all.absent.insert(all.absent.end(), elsewhere.absent.begin(), elsewhere.absent.end());
  all.files = cache::sha256(all.files + elsewhere.digest);
}

}  // namespace

Result<KernelsAndFiles> find_kernels_and_files(const CompileCommand& command, const Options& options) {
  KernelsAndFiles all;
  HONE_TRY(MainText file, read_main_text(command, options, [&](const Parsed& parsed, const Parser& parser) {
             all.read = files_read(parsed.sources(), parser, command.directory);
             all.absent = parser.absent();
           }));
  HONE_TRY(Parser parser, Parser::create(file.command, options, {.reuse_prologue = false, .overlay = options.overlay}));
  HONE_TRY(auto unit, TranslationUnit::parse(parser, file.text));
  if (!unit->parsed().errors().empty()) return unparsed(file, parser.main_file(), unit->parsed().errors().front());
  if (file.origins.one_file()) {
    all.read = files_read(unit->sources(), parser, command.directory);
    all.absent = parser.absent();
  }
  if (unit->annotations().empty() && unit->annotations_elsewhere().empty()) return all;
  all.files = digest_of_files(unit->sources());
  HONE_TRY(std::vector<Diagnostic> diagnostics, bring_out(file, options, parser, unit));
  // CUDA's headers take the most time of each parse, so they are precompiled for the check of units alone.
  parser.reuse_prologue(options.units && (options.goes_on || parser.cuda()));
  Finder finder(file, command, options, parser, *unit);
  all.found = finder.run();
  all.looked_elsewhere = finder.looked_elsewhere();
  add_elsewhere(finder.elsewhere(), all);
  put_in_front(diagnostics, all.found.diagnostics);
  all.found.file = std::move(file);
  return all;
}

Result<FoundKernels> find_kernels(const CompileCommand& command, const Options& options) {
  HONE_TRY(KernelsAndFiles both, find_kernels_and_files(command, options));
  return std::move(both.found);
}

}  // namespace hone::frontend
