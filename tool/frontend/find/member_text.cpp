#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>
#include <map>
#include <variant>

#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/describe/macro_frame.h"
#include "tool/frontend/find/brought_out.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

const CXXRecordDecl* record_of(const Decl& declaration) {
  if (const auto* pattern = llvm::dyn_cast<ClassTemplateDecl>(&declaration)) return pattern->getTemplatedDecl();
  return llvm::dyn_cast<CXXRecordDecl>(&declaration);
}

// Does a type name what only the class's own scope knows?
class ScopeFinder final : public SyntaxVisitor {
 public:
  bool found = false;
  bool VisitTypedefTypeLoc(TypedefTypeLoc type) override { return look(*type.getTypedefNameDecl()); }
  bool VisitTagTypeLoc(TagTypeLoc type) override { return look(*type.getDecl()); }
  bool VisitInjectedClassNameTypeLoc(InjectedClassNameTypeLoc) override { return found = true; }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) override {
    const TemplateDecl* pattern = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
    return pattern ? look(*pattern) : true;
  }

 private:
  bool look(const Decl& declaration) {
    found = found || declaration.getDeclContext()->isRecord();
    return true;
  }
};

// One definition's text behind its class.
class Definition {
 public:
  Definition(const CXXMethodDecl& method, std::size_t begin, const TranslationUnit& unit)
      : method_(method), begin_(begin), unit_(unit), tokens_(unit.tokens()) {}

  std::size_t body() const { return unit_.offset(method_.getBody()->getBeginLoc()); }
  std::size_t end() const { return end_of(method_.getBody()->getEndLoc()); }

  // "" or why it cannot be moved.
  std::string flaw() const {
    if (!llvm::isa<CompoundStmt>(method_.getBody())) return "has a try block for a body";
    if (!method_.getFunctionTypeLoc()) return "has no parameter list of its own";
    if (method_.getReturnType()->isUndeducedType()) return "has a return type that its body says";
    for (const DeclContext* context = method_.getParent(); context->isRecord(); context = context->getParent()) {
      const auto& record = *llvm::cast<CXXRecordDecl>(context);
      if (!record.getIdentifier()) return "is in a class without a name";
      if (context->getParent()->isFunctionOrMethod()) return "is in a class within a function";
      if (llvm::isa<ClassTemplateSpecializationDecl>(record)) return "is in a specialization of a class template";
      if (const ClassTemplateDecl* pattern = record.getDescribedClassTemplate())
        for (const NamedDecl* parameter : *pattern->getTemplateParameters())
          if (parameter->getName().empty()) return "is in a class template with a nameless parameter";
    }
    return "";
  }

  std::string text() {
    qualify();
    write_own_header();
    drop_specifiers();
    drop_default_arguments();
    write_result();
    if (!method_.isInlineSpecified() && !method_.isConstexpr()) write_inline();
    std::string out = headers();
    std::size_t at = begin_;
    for (const auto& [begin, change] : changes_) {
      if (begin < at) continue;
      out.append(unit_.text(), at, begin - at).append(change.second);
      at = change.first;
    }
    return out.append(unit_.text(), at, end() - at);
  }

 private:
  // A replaced range keeps its lines.
  void change(std::size_t begin, std::size_t end, const std::string& text) {
    const auto from = unit_.text().begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = unit_.text().begin() + static_cast<std::ptrdiff_t>(end);
    changes_[begin] = {end, text + std::string(static_cast<std::size_t>(std::count(from, to, '\n')), '\n')};
  }

  std::size_t end_of(SourceLocation last) const {
    const std::size_t index = tokens_.at_or_after(unit_.offset(last));
    return index < tokens_.size() ? tokens_[index].end : unit_.text().size();
  }

  std::string text_of(std::size_t begin, std::size_t end) const { return unit_.text().substr(begin, end - begin); }

  static std::vector<const CXXRecordDecl*> classes_around(const CXXMethodDecl& method) {
    std::vector<const CXXRecordDecl*> classes;
    for (const DeclContext* context = method.getParent(); context->isRecord(); context = context->getParent())
      classes.insert(classes.begin(), llvm::cast<CXXRecordDecl>(context));
    return classes;
  }

  // Filter::Stage<T, N>::
  void qualify() {
    std::string qualifier;
    for (const CXXRecordDecl* record : classes_around(method_)) {
      qualifier += record->getNameAsString();
      if (const ClassTemplateDecl* pattern = record->getDescribedClassTemplate()) {
        std::string list;
        for (const NamedDecl* parameter : *pattern->getTemplateParameters())
          list +=
              (list.empty() ? "" : ", ") + parameter->getNameAsString() + (parameter->isParameterPack() ? "..." : "");
        qualifier += "<" + list + ">";
      }
      qualifier += "::";
    }
    const std::size_t name = unit_.offset(method_.getLocation());
    change(name, name, qualifier);
  }

  // template <class T, int N>, for each class template around it; without default arguments.
  std::string headers() const {
    std::string text;
    for (const CXXRecordDecl* record : classes_around(method_))
      if (const ClassTemplateDecl* pattern = record->getDescribedClassTemplate())
        text += header(*pattern->getTemplateParameters()) + " ";
    return text;
  }

  // In front of a word that may go, too.
  void write_inline() {
    const std::size_t at = behind_attributes();
    const auto there = changes_.find(at);
    if (there == changes_.end())
      change(at, at, "inline ");
    else
      there->second.second.insert(0, "inline ");
  }

  // Of a member that is a template itself; nullptr: it has no `template <…>` in front.
  const TemplateParameterList* own_parameters() const {
    const FunctionTemplateDecl* own = method_.getDescribedFunctionTemplate();
    const TemplateParameterList* parameters = own ? own->getTemplateParameters() : nullptr;
    return parameters && parameters->getRAngleLoc().isValid() ? parameters : nullptr;
  }

  void write_own_header() {
    if (const TemplateParameterList* own = own_parameters()) change(begin_, end_of_header(*own), header(*own));
  }

  std::size_t end_of_header(const TemplateParameterList& parameters) const {
    const Expr* constraint = parameters.getRequiresClause();
    return constraint ? end_of(constraint->getEndLoc()) : unit_.offset(parameters.getRAngleLoc()) + 1;
  }

  // [[nodiscard]] and its kin stand first.
  std::size_t behind_attributes() const {
    const TemplateParameterList* own = own_parameters();
    std::size_t i = tokens_.code_at_or_after(own ? end_of_header(*own) : begin_);
    while (tokens_.is(i, "[") && tokens_.is(i + 1, "[")) i = tokens_.behind_brackets(i);
    return tokens_[i].begin;
  }

  std::string header(const TemplateParameterList& parameters) const {
    std::string out;
    std::size_t at = unit_.offset(parameters.getTemplateLoc());
    for (const NamedDecl* parameter : parameters) {
      const std::size_t first = tokens_.at_or_after(unit_.offset(parameter->getLocation()));
      if (first + 1 >= tokens_.size() || !tokens_.is(first + 1, "=")) continue;
      const std::size_t last = unit_.offset(parameter->getSourceRange().getEnd());
      const std::size_t last_token = tokens_.at_or_after(last);
      out.append(text_of(at, tokens_[first].end));
      at = tokens_.is(last_token, ">>") ? last + 1 : tokens_[last_token].end;
    }
    out.append(text_of(at, end_of_header(parameters)));
    std::ranges::replace(out, '\n', ' ');
    return out;
  }

  void drop_specifiers() {
    const std::size_t name = unit_.offset(method_.getLocation());
    std::size_t i = tokens_.at_or_after(begin_);
    for (; i < tokens_.size() && tokens_[i].begin < name; ++i)
      if (tokens_.is(i, "static") || tokens_.is(i, "virtual") || tokens_.is(i, "explicit"))
        change(tokens_[i].begin, tokens_[i].end, "");
    for (i = tokens_.at_or_after(unit_.offset(method_.getFunctionTypeLoc().getRParenLoc()));
         i < tokens_.size() && tokens_[i].begin < body(); ++i)
      if (tokens_.is(i, "override") || tokens_.is(i, "final")) change(tokens_[i].begin, tokens_[i].end, "");
  }

  void drop_default_arguments() {
    for (const ParmVarDecl* parameter : method_.parameters()) {
      if (!parameter->hasDefaultArg()) continue;
      const std::size_t last = end_of(parameter->getSourceRange().getEnd());
      std::size_t i = tokens_.at_or_after(unit_.offset(parameter->getLocation()));
      while (i < tokens_.size() && tokens_[i].begin < last && !tokens_.is(i, "=")) ++i;
      if (i < tokens_.size() && tokens_[i].begin < last) change(tokens_[i].begin, last, "");
    }
  }

  // What only the class knows stands behind the parameters: auto Filter::size() -> Size.
  void write_result() {
    const FunctionTypeLoc type = method_.getFunctionTypeLoc();
    const auto* prototype = method_.getType()->getAs<FunctionProtoType>();
    ScopeFinder finder;
    finder.TraverseTypeLoc(type.getReturnLoc());
    if (!finder.found || (prototype && prototype->hasTrailingReturn())) return;
    const SourceRange range = type.getReturnLoc().getSourceRange();
    std::size_t first = tokens_.at_or_after(unit_.offset(range.getBegin()));
    while (first > 0 && tokens_[first - 1].begin >= begin_ &&
           (tokens_.is(first - 1, "const") || tokens_.is(first - 1, "volatile") || tokens_.is(first - 1, "typename")))
      --first;
    const std::size_t begin = tokens_[first].begin;
    // Behind `T const` and the `*` of a pointer: up to the name.
    std::size_t end = end_of(range.getEnd());
    for (std::size_t i = tokens_.at_or_after(end); tokens_.is(i, "const") || tokens_.is(i, "volatile"); ++i)
      end = tokens_[i].end;
    const std::string written = text_of(begin, end);
    change(begin, end, "auto");
    std::size_t at = body();
    for (std::size_t i = tokens_.at_or_after(unit_.offset(type.getRParenLoc())); tokens_[i].begin < body(); ++i)
      if (tokens_.is(i, "requires")) at = std::min(at, tokens_[i].begin);
    change(at, at, "-> " + written + " ");
  }

  const CXXMethodDecl& method_;
  const std::size_t begin_;
  const TranslationUnit& unit_;
  const SourceTokens& tokens_;
  std::map<std::size_t, std::pair<std::size_t, std::string>> changes_;
};

class MemberMover {
 public:
  MemberMover(const TranslationUnit& unit, const Outline& outline) : unit_(unit), outline_(outline) {}

  BroughtOut run() {
    for (const Annotation& annotation : unit_.annotations()) look_at(annotation);
    return std::move(out_);
  }

 private:
  // The declarations of a class and of those in it that begin at or behind `at`; the first of them.
  const Decl* first_in(const DeclContext& context, std::size_t at) const {
    const Decl* first = nullptr;
    const auto offer = [&](const Decl* one) {
      if (one && unit_.offset(one->getEndLoc()) >= at &&
          (!first || unit_.offset(one->getBeginLoc()) < unit_.offset(first->getBeginLoc())))
        first = one;
    };
    for (const Decl* one : context.decls()) {
      if (one->isImplicit() || !unit_.in_main_file(one->getBeginLoc())) continue;
      const CXXRecordDecl* inner = record_of(*one);
      const bool around = inner && unit_.offset(one->getBeginLoc()) < at && unit_.offset(one->getEndLoc()) >= at;
      offer(around ? first_in(*inner, at) : one);
    }
    return first;
  }

  void look_at(const Annotation& annotation) {
    const int index = outline_.item_at(annotation.begin);
    if (index < 0) return;
    const Item& item = outline_.items()[static_cast<std::size_t>(index)];
    const CXXRecordDecl* record = record_of(*item.declarations.front());
    if (!record || item.begin >= annotation.begin) return;
    const std::size_t token = outline_.active_token(annotation.end);
    if (token >= unit_.tokens().size()) return;
    const std::size_t begin = unit_.tokens()[token].begin;
    const Decl* declaration = first_in(*record, begin);
    if (std::string why = move(annotation, item, declaration, begin); !why.empty())
      out_.mistakes.push_back({DiagnosticCode::defined_in_class, annotation.location, std::move(why)});
  }

  std::string move(const Annotation& annotation, const Item& item, const Decl* declaration, std::size_t begin) {
    const auto* method = llvm::dyn_cast_or_null<CXXMethodDecl>(declaration ? declaration->getAsFunction() : nullptr);
    if (!method) return "no member function's definition follows this annotation; put it directly above one";
    const std::string name = "'" + method->getQualifiedNameAsString() + "'";
    if (!method->doesThisDeclarationHaveABody())
      return name + " is only declared here; put the annotation directly above its definition";
    if (llvm::isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(method))
      return name + " makes, ends or converts objects, which cannot be tuned; annotate a function that it calls";
    if (annotation.is_operator)
      return "_Pragma cannot annotate a function that is defined in its class; write #pragma hone kernel above it";
    Definition definition(*method, begin, unit_);
    if (const std::string flaw = definition.flaw(); !flaw.empty())
      return name + " " + flaw + "; define it outside of the class, with the annotation above the definition";
    add(annotation, item, definition, begin);
    return "";
  }

  void add(const Annotation& annotation, const Item& item, Definition& definition, std::size_t begin) {
    const std::string& text = unit_.text();
    const std::string pragma = text.substr(annotation.begin, annotation.end - annotation.begin);
    const std::size_t line = annotation.begin == 0 ? 0 : text.rfind('\n', annotation.begin - 1) + 1;
    const auto lines = static_cast<std::size_t>(std::ranges::count(pragma, '\n'));
    out_.annotations.push_back(annotation.location);
    out_.edits.push_back({annotation.begin, annotation.end, std::string(lines, '\n'), annotation.begin});
    out_.edits.push_back({definition.body(), definition.end(), ";", definition.body()});
    const std::size_t at = item.end;
    const MacroFrame frame = frame_for_move(unit_, annotation.begin, definition.end(), at);
    out_.edits.push_back({at, at, "\n" + frame.in_front, at});
    out_.edits.push_back({at, at, padding(text, line, annotation.begin) + pragma + "\n", line});
    out_.edits.push_back({at, at, definition.text() + "\n" + frame.behind, begin});
  }

  const TranslationUnit& unit_;
  const Outline& outline_;
  BroughtOut out_;
};

}  // namespace

bool calls_what_is_private(const TranslationUnit& unit) {
  const Outline outline(unit);
  return std::ranges::any_of(unit.annotations(), [&](const Annotation& annotation) {
    const auto attached = attach(annotation, unit, outline);
    const auto* attachment = std::get_if<Attachment>(&attached);
    const auto* method = attachment ? llvm::dyn_cast<CXXMethodDecl>(attachment->function) : nullptr;
    if (!method) return false;
    if (attachment->is_template) return true;  // its types may be named where only the class may
    for (const Decl* one = method->getCanonicalDecl(); one && one->getDeclContext()->isRecord();
         one = llvm::cast<Decl>(one->getDeclContext()))
      if (one->getAccess() != AS_public && one->getAccess() != AS_none) return true;
    return false;
  });
}

BroughtOut bring_out_members(const TranslationUnit& unit, const Outline& outline) {
  return MemberMover(unit, outline).run();
}

}  // namespace hone::frontend
