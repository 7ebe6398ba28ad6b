#include "tool/frontend/infer/inference.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tool/frontend/describe/loop_bounds.h"
#include "tool/frontend/infer/array_accesses.h"
#include "tool/frontend/infer/hindrance.h"
#include "tool/frontend/infer/object_paths.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The largest of some ends, as C++; of two that may each be the larger, what is when the function is called. "": none,
// or too many to say.
std::string extent_of(const ArrayUse& access, const Bounds& bounds) {
  std::vector<Polynomial> largest;
  for (const Polynomial& end : access.ends) {
    if (std::ranges::any_of(largest, [&](const Polynomial& other) { return bounds.is_larger(other, end); })) continue;
    std::erase_if(largest, [&](const Polynomial& other) { return bounds.is_larger(end, other); });
    largest.push_back(end);
  }
  if (largest.empty() || largest.size() > 2) return "";
  const std::string first = bounds.text(bounds.plain(largest.front())),
                    last = bounds.text(bounds.plain(largest.back()));
  if (first.empty() || last.empty() || largest.size() == 1) return last;
  return "(" + first + " > " + last + " ? " + first + " : " + last + ")";
}

// The parameter that by its name says how long another one is: x_len, num_x, or n right behind x. null: none.
const ParmVarDecl* length_by_name(const FunctionDecl& function, const ParmVarDecl& array) {
  const std::string name = array.getNameAsString();
  constexpr std::array<std::string_view, 10> kUsual = {"n",   "len", "length", "size", "count",
                                                       "num", "sz",  "nbytes", "N",    "bytes"};
  for (const ParmVarDecl* other : function.parameters()) {
    if (!other->getType()->isIntegerType()) continue;
    const std::string own = other->getNameAsString();
    const bool next = other->getFunctionScopeIndex() == array.getFunctionScopeIndex() + 1;
    if (next && std::ranges::count(kUsual, own) > 0) return other;
    for (const std::string& part :
         {std::string("len"), std::string("length"), std::string("size"), std::string("count")})
      if (own == name + part || own == name + "_" + part) return other;
    if (own == "n_" + name || own == "num_" + name) return other;
  }
  return nullptr;
}

// How large a guessed problem's scalar is: what names usually mean, else a few million steps for so deep a nest.
int guessed_size(const std::string& name, unsigned depth) {
  constexpr std::array<std::pair<std::string_view, int>, 12> kUsual{{{"w", 640},
                                                                     {"width", 640},
                                                                     {"cols", 640},
                                                                     {"columns", 640},
                                                                     {"stride", 640},
                                                                     {"pitch", 640},
                                                                     {"h", 480},
                                                                     {"height", 480},
                                                                     {"rows", 480},
                                                                     {"channels", 3},
                                                                     {"radius", 3},
                                                                     {"taps", 16}}};
  for (const auto& [usual, size] : kUsual)
    if (name == usual) return size;
  constexpr std::array<int, 5> kByDepth{1 << 16, 1 << 16, 512, 128, 32};
  return kByDepth[std::min<std::size_t>(depth, kByDepth.size() - 1)];
}

template <class Declaration>
const Declaration* named(std::string_view name, const auto& declarations) {
  for (const Declaration* one : declarations)
    if (std::string_view(one->getName()) == name) return one;
  return nullptr;
}

QualType type_of(const ValueDecl* declaration) {
  return declaration ? declaration->getType() : QualType();
}

// Of an object's or a pointer's type; null: it has no such field of its own.
QualType type_of_field(QualType type, std::string_view name) {
  if (const QualType target = type->getPointeeType(); !target.isNull()) type = target;
  const RecordDecl* record = type->getAsRecordDecl();
  return record ? type_of(named<FieldDecl>(name, record->fields())) : QualType();
}

// The type of what clauses call so: n, grid->w, this->rows. Null: it is none of a parameter's or an object's own.
QualType type_of(const FunctionDecl& function, std::string_view name) {
  QualType type;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find_first_of(".-", at), name.size());
    const std::string_view part = name.substr(at, end - at);
    const auto* method = llvm::dyn_cast<CXXMethodDecl>(&function);
    if (at > 0)
      type = type_of_field(type, part);
    else if (method && part == "this")
      type = function.getASTContext().getRecordType(method->getParent());
    else
      type = type_of(named<ParmVarDecl>(part, function.parameters()));
    if (type.isNull()) return type;
    at = end + (name.substr(end).starts_with("->") ? 2 : 1);
  }
  return type;
}

// What fits into the type.
int fitting(int size, QualType type, const ASTContext& context) {
  if (type.isNull() || !type->isIntegerType() || type->isEnumeralType() || type->isDependentType()) return size;
  const auto most = llvm::APSInt::getMaxValue(context.getIntWidth(type), type->isUnsignedIntegerType());
  return static_cast<int>(most.getLimitedValue(static_cast<std::uint64_t>(size)));
}

// A template's instance that the file uses, and what its parameters are there.
struct Instance {
  const FunctionDecl* function = nullptr;  // the template itself, where the file has no instance's body
  std::string clause;                      // " instantiate(T=float, N=4)"; "": no template, or no instance is used
};

std::string instantiate_clause(const TemplateParameterList& parameters, const TemplateArgumentList& arguments,
                               const ASTContext& context) {
  std::string list;
  for (unsigned i = 0; i < arguments.size(); ++i)
    list += (i ? ", " : "") + parameters.getParam(i)->getNameAsString() + "=" + spelled(arguments.get(i), context);
  return " instantiate(" + list + ")";
}

const CXXMethodDecl* method_of_instance(const ClassTemplateSpecializationDecl& instance, const FunctionDecl& pattern) {
  for (const CXXMethodDecl* method : instance.methods()) {
    const FunctionDecl* from = method->getInstantiatedFromMemberFunction();
    if (from && from->getCanonicalDecl() == pattern.getCanonicalDecl()) return method;
  }
  return nullptr;
}

Instance instance_of(const FunctionDecl& function) {
  const ASTContext& context = function.getASTContext();
  Instance found{&function, ""};
  const auto take = [&](const FunctionDecl* one, const TemplateParameterList& parameters,
                        const TemplateArgumentList* arguments) {
    const FunctionDecl* body = nullptr;
    if (!one || !arguments || arguments->size() != parameters.size() || !found.clause.empty()) return;
    found.clause = instantiate_clause(parameters, *arguments, context);
    if (one->hasBody(body)) found.function = body;
  };
  if (const FunctionTemplateDecl* pattern = function.getDescribedFunctionTemplate()) {
    for (const FunctionDecl* one : pattern->specializations())
      take(one, *pattern->getTemplateParameters(), one->getTemplateSpecializationArgs());
  } else if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(&function)) {
    const ClassTemplateDecl* pattern = method->getParent()->getDescribedClassTemplate();
    if (!pattern) return found;
    for (const ClassTemplateSpecializationDecl* one : pattern->specializations())
      take(method_of_instance(*one, function), *pattern->getTemplateParameters(), &one->getTemplateArgs());
  }
  return found;
}

// Is the name in the text, as itself and not as a part or a member of something?
bool mentions(const std::string& text, const std::string& name) {
  const auto is_part = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  for (std::size_t at = text.find(name); !name.empty() && at != std::string::npos; at = text.find(name, at + 1)) {
    const char before = at > 0 ? text[at - 1] : ' ',
               behind = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    const bool member = before == '.' || (before == '>' && at > 1 && text[at - 2] == '-');
    if (!is_part(before) && !member && !is_part(behind)) return true;
  }
  return false;
}

// Puts an annotation together.
class Writer {
 public:
  Writer(const FunctionDecl& function, const ArrayAccesses& accesses) : function_(function), accesses_(accesses) {}

  Inferred run(const std::string& instantiate) {
    std::set<std::string> parameters;
    for (const ParmVarDecl* parameter : function_.parameters()) {
      parameters.insert(parameter->getNameAsString());
      add_parameter(*parameter);
    }
    for (const auto& [path, access] : accesses_.of)
      if (!parameters.contains(path)) add_section(path, &access, extent(path, &access, nullptr));
    inferred_.pragma = "#pragma hone kernel";
    for (const char* role : {"in", "out", "inout"})
      if (!sections_[role].empty()) inferred_.pragma += std::string(" ") + role + "(" + sections_[role] + ")";
    inferred_.pragma += instantiate;
    add_problem();
    return std::move(inferred_);
  }

 private:
  void add_parameter(const ParmVarDecl& parameter) {
    const std::string name = parameter.getNameAsString();
    const QualType type = parameter.getType();
    const ArrayUse* access = accesses_.find(name);
    if (access && access->container) return add_section(name, access, extent(name, access, nullptr));
    if (!type->isPointerType() || is_put_together(type->getPointeeType(), function_.getASTContext())) return;
    std::string length = extent(name, access, access ? length_by_name(function_, parameter) : nullptr);
    add_section(name, access, std::move(length), type->getPointeeType().isConstQualified());
  }

  // "" of a container that no more is known of than that it has a size.
  std::string extent(const std::string& path, const ArrayUse* access, const ParmVarDecl* named) {
    std::string known = access && access->open.empty() ? extent_of(*access, accesses_.bounds) : "";
    if (access && access->container && (known.empty() || known == path + ".size()")) {
      sizes_.insert(path + ".size()");
      return "";
    }
    if (!known.empty()) return known;
    const std::string why = !access                 ? "the function does not use it"
                            : !access->open.empty() ? access->open
                            : access->ends.empty()  ? "nothing says how long it is"
                                                    : "its length is no sum of products";
    (named ? inferred_.guesses : inferred_.open)
        .push_back("'" + path + "': " + why +
                   (named ? "; '" + named->getNameAsString() + "' is its length by its name" : ""));
    return named ? named->getNameAsString() : "?";
  }

  void add_section(const std::string& path, const ArrayUse* access, std::string extent, bool constant = false) {
    const bool written = access && access->written && !access->constant && !constant;
    const char* role = !written ? "in" : access->read || access->partly ? "inout" : "out";
    std::string& section = sections_[role];
    section += (section.empty() ? "" : ", ") + path + (extent.empty() ? "" : "[0:" + extent + "]");
    extents_ += ' ' + std::move(extent) + ' ';
  }

  void add_problem() {
    const std::set<const ParmVarDecl*> bounds = loop_bounds(function_);
    for (const ParmVarDecl* parameter : function_.parameters()) {
      const std::string name = parameter->getNameAsString();
      if ((bounds.contains(parameter) || mentions(extents_, name)) && parameter->getType()->isIntegerType()) give(name);
    }
    std::set<std::string> others = accesses_.numbers;
    others.insert(sizes_.begin(), sizes_.end());
    for (const std::string& name : others)
      if (!is_size_of_sized(name)) give(name);
    inferred_.guessed_sizes = !problem_.empty();
    if (!problem_.empty()) inferred_.pragma += " problem(" + problem_ + ")";
  }

  // A container whose length is said by other numbers.
  bool is_size_of_sized(const std::string& name) const {
    constexpr std::string_view kSize = ".size()";
    if (!name.ends_with(kSize) || sizes_.contains(name) || mentions(extents_, name)) return false;
    return accesses_.find(name.substr(0, name.size() - kSize.size()));
  }

  void give(const std::string& name) {
    const std::size_t last = name.find_last_of(".>");
    const bool member = last != std::string::npos && !name.ends_with(".size()");
    const int size = guessed_size(member ? name.substr(last + 1) : name, accesses_.deepest);
    problem_ += (problem_.empty() ? "" : ", ") + name + "=" +
                std::to_string(fitting(size, type_of(function_, name), function_.getASTContext()));
  }

  const FunctionDecl& function_;
  const ArrayAccesses& accesses_;
  Inferred inferred_;
  std::map<std::string, std::string> sections_;  // by role
  std::string extents_, problem_;
  std::set<std::string> sizes_;  // of containers
};

}  // namespace

Inferred infer(const FunctionDecl& function) {
  const Instance instance = instance_of(function);
  const ArrayAccesses accesses = array_accesses(*instance.function);
  Inferred inferred = Writer(*instance.function, accesses).run(instance.clause);
  inferred.hindrance = hindrance_of(*instance.function);
  return inferred;
}

}  // namespace hone::frontend
