#include "tool/transforms/code/edits.h"

#include <algorithm>

namespace hone::frontend {
namespace {

bool wants_semicolon(const clang::Stmt* node) {
  return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::DoStmt, clang::GotoStmt>(node) ||
         llvm::isa<clang::Expr>(node);
}

// The statement whose last token ends `node`: a `for` without braces ends where its body does.
const clang::Stmt* last_part(const clang::Stmt* node) {
  for (;;) {
    const clang::Stmt* inner = nullptr;
    if (auto* loop = llvm::dyn_cast<clang::ForStmt>(node)) inner = loop->getBody();
    if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(node)) inner = loop->getBody();
    if (auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(node)) inner = loop->getBody();
    if (auto* branch = llvm::dyn_cast<clang::IfStmt>(node))
      inner = branch->getElse() ? branch->getElse() : branch->getThen();
    if (auto* labeled = llvm::dyn_cast<clang::LabelStmt>(node)) inner = labeled->getSubStmt();
    if (auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(node)) inner = attributed->getSubStmt();
    if (auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(node))
      if (directive->hasAssociatedStmt()) inner = directive->getRawStmt();
    if (auto* captured = llvm::dyn_cast<clang::CapturedStmt>(node)) inner = captured->getCapturedStmt();
    if (!inner) return node;
    node = inner;
  }
}

}  // namespace

std::optional<TextRange> range_of(const clang::ASTContext& ast, clang::SourceRange tokens) {
  return range_in(ast, ast.getSourceManager().getMainFileID(), tokens);
}

std::optional<TextRange> range_in(const clang::ASTContext& ast, clang::FileID file, clang::SourceRange tokens) {
  const auto& sources = ast.getSourceManager();
  auto characters =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(tokens), sources, ast.getLangOpts());
  if (characters.isInvalid() || sources.getFileID(characters.getBegin()) != file) return std::nullopt;
  TextRange range{sources.getFileOffset(characters.getBegin()), sources.getFileOffset(characters.getEnd())};
  if (range.end < range.begin) return std::nullopt;
  return range;
}

std::optional<TextRange> range_of(const clang::ASTContext& ast, const clang::Stmt* node) {
  const clang::Stmt* last = last_part(node);
  auto range = range_of(ast, clang::SourceRange(node->getBeginLoc(), last->getEndLoc()));
  if (!range || !wants_semicolon(last)) return range;
  // An expression owns the semicolon only as a statement; as an operand none follows it, or it is the enclosing one's.
  if (llvm::isa<clang::Expr>(last)) {
    bool statement = last != node;
    for (const auto& parent : const_cast<clang::ASTContext&>(ast).getParents(*last)) {
      const auto* owner = parent.get<clang::Stmt>();
      if (!owner) continue;
      if (llvm::isa<clang::CompoundStmt, clang::CaseStmt, clang::DefaultStmt, clang::LabelStmt>(owner))
        statement = true;
      if (auto* branch = llvm::dyn_cast<clang::IfStmt>(owner))
        statement |= branch->getThen() == last || branch->getElse() == last;
      if (auto* loop = llvm::dyn_cast<clang::ForStmt>(owner)) statement |= loop->getBody() == last;
      if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(owner)) statement |= loop->getBody() == last;
      if (auto* loop = llvm::dyn_cast<clang::DoStmt>(owner)) statement |= loop->getBody() == last;
      if (auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(owner)) statement |= loop->getBody() == last;
    }
    if (!statement) return range;
  }
  const auto& sources = ast.getSourceManager();
  auto here = sources.getLocForStartOfFile(sources.getMainFileID()).getLocWithOffset(static_cast<int>(range->end));
  clang::Token token;
  if (!clang::Lexer::getRawToken(here, token, sources, ast.getLangOpts(), /*IgnoreWhiteSpace=*/true) &&
      token.is(clang::tok::semi))
    range->end = sources.getFileOffset(token.getEndLoc());
  return range;
}

void Substitution::replace(const clang::Stmt* node, std::string text) {
  replace(range_of(*ast_, node), std::move(text));
}

void Substitution::replace(std::optional<TextRange> range, std::string text) {
  if (!range) {
    spoiled_ = true;
    return;
  }
  auto [first, last] = at_.equal_range(range->begin);
  for (auto it = first; it != last; ++it)
    if (it->second.first == range->end && it->second.second == text) return;
  at_.emplace(range->begin, std::make_pair(range->end, std::move(text)));
}

void Substitution::insert(std::size_t at, std::string text) {
  at_.emplace(at, std::make_pair(at, std::move(text)));
}

void Substitution::insert_before(const clang::Stmt* node, std::string text) {
  auto range = range_of(*ast_, node);
  if (range) range->end = range->begin;
  replace(range, std::move(text));
}

void Substitution::insert_after(const clang::Stmt* node, std::string text) {
  auto range = range_of(*ast_, node);
  if (range) range->begin = range->end;
  replace(range, std::move(text));
}

void Substitution::replace_name(const clang::NamedDecl* declaration, std::string text) {
  replace(range_in(*ast_, file_, clang::SourceRange(declaration->getLocation())), std::move(text));
}

void Substitution::rename(const clang::Stmt* within, const clang::ValueDecl* declaration, const std::string& text) {
  if (!within) return;
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(within)) {
    if (reference->getDecl() == declaration) replace(range_in(*ast_, file_, reference->getSourceRange()), text);
    return;
  }
  if (auto* statement = llvm::dyn_cast<clang::DeclStmt>(within)) {
    for (const clang::Decl* inner : statement->decls())
      if (inner == declaration) replace_name(declaration, text);
  }
  for (const clang::Stmt* child : within->children()) rename(child, declaration, text);
}

void Substitution::merge(const Substitution& other) {
  spoiled_ |= other.spoiled_;
  for (const auto& [begin, rest] : other.at_) replace(TextRange{begin, rest.first}, rest.second);
}

std::string Substitution::text(TextRange range) const {
  const auto& sources = ast_->getSourceManager();
  llvm::StringRef source = sources.getBufferData(file_);
  std::vector<std::tuple<std::size_t, std::size_t, const std::string*>> inside;
  for (auto it = at_.lower_bound(range.begin); it != at_.end() && it->first <= range.end; ++it)
    if (it->second.first <= range.end) inside.emplace_back(it->first, it->second.first, &it->second.second);
  // At one place: insertions first, then the longest replacement.
  std::stable_sort(inside.begin(), inside.end(), [](const auto& a, const auto& b) {
    if (std::get<0>(a) != std::get<0>(b)) return std::get<0>(a) < std::get<0>(b);
    bool insertion_a = std::get<0>(a) == std::get<1>(a), insertion_b = std::get<0>(b) == std::get<1>(b);
    if (insertion_a != insertion_b) return insertion_a;
    return std::get<1>(a) > std::get<1>(b);
  });
  std::string result;
  std::size_t position = range.begin;
  for (const auto& [begin, end, text] : inside) {
    if (begin < position) continue;  // inside a replaced one
    result += source.substr(position, begin - position);
    result += *text;
    position = end;
  }
  result += source.substr(position, range.end - position);
  return result;
}

std::string Substitution::text(const clang::Stmt* node) const {
  auto range = range_of(*ast_, node);
  if (!range) {
    spoiled_ = true;
    return {};
  }
  return text(*range);
}

void Edits::include(std::string_view header) {
  std::string line = "#include " + std::string(header) + "\n";
  if (context_->candidate.find(line) == std::string::npos && includes_.find(line) == std::string::npos)
    includes_ += line;
}

void Edits::helper(const std::string& text) {
  if (helpers_.find(text) == std::string::npos) helpers_ += text;
}

std::optional<std::string> Edits::candidate() const {
  if (spoiled_) return std::nullopt;
  const KernelContext& context = *context_;
  std::string includes = context.candidate.substr(0, context.includes_size) + includes_;
  std::size_t size = context.candidate.size() - context.includes_size;
  for (const auto& [begin, rest] : at_)
    if (begin < context.definition_begin || rest.first > context.definition_begin + size) return std::nullopt;
  Substitution all = *this;
  // In front of everything but the includes: whatever attributes or template<…> the kernel starts with stay attached.
  if (!helpers_.empty()) all.replace(TextRange{context.definition_begin, context.definition_begin}, helpers_);
  std::string definition = all.text(TextRange{context.definition_begin, context.definition_begin + size});
  if (all.spoiled()) return std::nullopt;
  return includes + definition;
}

std::string text_of(const clang::ASTContext& ast, const clang::Stmt* node) {
  return Substitution(ast).text(node);
}

std::string fresh_name(const KernelContext& context, const std::string& stem) {
  auto used = [&](const std::string& name) {
    for (std::size_t at = context.candidate.find(name); at != std::string::npos;
         at = context.candidate.find(name, at + 1)) {
      auto part = [&](std::size_t i) {
        return i < context.candidate.size() &&
               (std::isalnum(static_cast<unsigned char>(context.candidate[i])) || context.candidate[i] == '_');
      };
      if (!(at > 0 && part(at - 1)) && !part(at + name.size())) return true;
    }
    return false;
  };
  if (!used(stem)) return stem;
  for (unsigned n = 2;; ++n)
    if (std::string name = stem + "_" + std::to_string(n); !used(name)) return name;
}

std::string NewNames::make(const std::string& stem) {
  std::string name = fresh_name(*context_, stem);
  for (int number = 2; !made_.insert(name).second; ++number)
    name = fresh_name(*context_, stem + "_" + std::to_string(number));
  return name;
}

}  // namespace hone::frontend
