#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include "tool/frontend/arguments/argument_plan.h"
#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/arguments/file_variable.h"

namespace hone::frontend {

// An expression, word by word; `at` is where a name may begin.
struct ArgumentPlan::Words {
  std::vector<std::string> all;
  std::size_t at = 0;

  bool is(std::size_t ahead, const std::string& word) const {
    return at + ahead < all.size() && all[at + ahead] == word;
  }
  bool is_name(std::size_t ahead) const { return at + ahead < all.size() && is_identifier(all[at + ahead]); }
  std::string take(std::size_t count) {
    std::string text;
    for (; count > 0 && at < all.size(); --count) text += all[at++];
    return text;
  }
  // What stands behind sizeof has no value.
  bool skip_size() {
    if (!is(0, "sizeof")) return false;
    std::size_t depth = 0;
    do {
      ++at;
      depth += is(0, "(");
      depth -= is(0, ")");
    } while (depth > 0 && at < all.size());
    return true;
  }
  // Behind ".", "->" or "::" stands no name of its own.
  bool begins_name() const {
    const bool inside = at > 0 && (all[at - 1] == "." || all[at - 1] == "->" || all[at - 1] == "::");
    return !inside && (is_name(0) || (is(0, "::") && is_name(1)));
  }
  std::string take_qualified() {
    std::string text = take(is(0, "::") ? 2 : 1);
    while (is(0, "::") && is_name(1)) text += take(2);
    return text;
  }
  std::string take_members() {
    std::string text;
    while ((is(0, ".") || is(0, "->")) && is_name(1)) text += take(2);
    return text;
  }
  // "[n]", "(0)"; "" where no such bracket stands, or a call takes more than one word.
  std::string take_brackets() {
    std::size_t depth = 0;
    std::string text;
    do {
      depth += is(0, "[");
      depth -= is(0, "]");
      text += take(1);
    } while (depth > 0 && at < all.size());
    return text;
  }
};

// x.size() of a std::array, whose type says it: no scalar of the kernel.
bool ArgumentPlan::note_length(const std::string& path) {
  const bool arrow = path.ends_with("->size()");
  if (!arrow && !path.ends_with(".size()")) return false;
  clang::QualType type;
  if (const auto parameter = parameter_named(path.substr(0, path.rfind(arrow ? "->" : ".")))) {
    type = declared(*parameter)->getType().getCanonicalType().getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
  } else {
    const Found found = find(path);
    const Place* place = std::get_if<Place>(&found);
    const Leaf* leaf = place ? leaf_of(place->object, place->member) : nullptr;
    if (!leaf || leaf->kind != Leaf::Kind::container) return false;
    type = leaf->type;
  }
  const auto container = container_type(type);
  if (!container || !container->length) return false;
  arguments_.names.push_back({words_of(path), 0, std::to_string(*container->length) + "ul"});
  return true;
}

// One name of an expression: the scalar that it means, if that is none of the function's own parameters.
std::optional<unsigned> ArgumentPlan::note(Words& words, std::string& flaw) {
  const auto looked_up = [&](const std::string& path, bool tell) -> std::optional<unsigned> {
    const Datum datum = scalar(path);
    if (const unsigned* index = std::get_if<unsigned>(&datum)) return *index;
    if (tell && flaw.empty()) flaw = "'" + path + "' " + std::get<std::string>(datum);
    return std::nullopt;
  };
  const std::string root = words.take_qualified();
  const auto parameter = parameter_named(root);
  std::string path = root + words.take_members();
  const bool member = path != root;
  if (words.is(0, "(")) {
    const std::size_t length = words.is(1, ")") ? 2 : words.is(2, ")") ? 3 : 0;
    if (!member || length == 0) return std::nullopt;
    path += words.take(length);
  }
  if (parameter && !member && words.is(0, "-") && words.is_name(1)) {  // last - first
    const auto first = parameter_named(words.all[words.at + 1]);
    const auto points = [&](unsigned i) { return is_pointer(i) && !arguments_.object_of.contains(i); };
    if (!first || !points(*parameter) || !points(*first)) return std::nullopt;
    words.take(1);
    return looked_up(path + "-" + words.take(1), true);
  }
  const bool own = !parameter && (root == "this" || is_member(root));
  if ((parameter || own) && words.is(0, "["))  // rows[n]
    return looked_up(path + words.take_brackets(), member || own);
  if (parameter && !member) return std::nullopt;
  std::size_t at = 0;
  const std::vector<std::string> name = words_of(root);
  const clang::VarDecl* variable = parameter || own ? nullptr : find_variable(function_, name, at);
  if (!parameter && !own && (!variable || !is_changeable(*variable))) return std::nullopt;
  if (variable && !member && !variable->getType()->isScalarType()) return std::nullopt;  // sizeof table
  if (!known(path) && note_length(path)) return std::nullopt;
  return looked_up(path, true);
}

std::vector<unsigned> ArgumentPlan::scalars_in(const std::string& expression, std::string& flaw) {
  Words words{words_of(expression), 0};
  std::vector<unsigned> data;
  while (words.at < words.all.size()) {
    if (words.skip_size() || !words.begins_name()) {
      ++words.at;
    } else if (const auto scalar = note(words, flaw)) {
      data.push_back(*scalar);
    }
  }
  return data;
}

}  // namespace hone::frontend
