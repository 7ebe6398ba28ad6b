#include "tool/frontend/parse/translation_unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <set>

namespace hone::frontend {

using namespace clang;

class TranslationUnit::Recorder final : public PPCallbacks {
 public:
  explicit Recorder(TranslationUnit& unit) : unit_(unit) {}

  void InclusionDirective(SourceLocation hash, const Token&, StringRef, bool, CharSourceRange name,
                          OptionalFileEntryRef file, StringRef, StringRef, const clang::Module*, bool,
                          SrcMgr::CharacteristicKind kind) override {
    if (!unit_.in_main_file(hash)) return;
    const FileID before = file ? unit_.sources_->translateFile(*file) : FileID();
    const bool repeated = before.isValid() && unit_.include_of(unit_.sources_->getLocForStartOfFile(before)) < 0;
    unit_.includes_.push_back({unit_.offset(hash), unit_.offset(name.getEnd()), SrcMgr::isSystem(kind), repeated});
  }

  void MacroExpands(const Token& name, const MacroDefinition& definition, SourceRange, const MacroArgs*) override {
    record(name, definition, unit_.macro_uses_);
  }
  void Ifdef(SourceLocation, const Token& name, const MacroDefinition& definition) override {
    condition(name, definition);
  }
  void Ifndef(SourceLocation, const Token& name, const MacroDefinition& definition) override {
    condition(name, definition);
  }
  void Defined(const Token& name, const MacroDefinition& definition, SourceRange) override {
    condition(name, definition);
  }

  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    const SourceManager& sources = *unit_.sources_;
    const FileID file = sources.getFileID(range.getBegin());
    if (unit_.is_user_file(file))
      unit_.skipped_[file].emplace_back(sources.getFileOffset(range.getBegin()), sources.getFileOffset(range.getEnd()));
  }

 private:
  void condition(const Token& name, const MacroDefinition& definition) {
    if (unit_.in_main_file(name.getLocation())) record(name, definition, unit_.condition_macros_);
  }

  void record(const Token& name, const MacroDefinition& definition, std::vector<MacroUse>& uses) {
    const MacroInfo* macro = definition.getMacroInfo();
    if (!macro || macro->isBuiltinMacro()) return;
    const auto [file, offset] = unit_.sources_->getDecomposedExpansionLoc(name.getLocation());
    if (!unit_.is_user_file(file)) return;
    uses.push_back({file, offset, name.getIdentifierInfo()->getName().str(), macro});
  }

  TranslationUnit& unit_;
};

// Takes every directive of the tool's namespace, unexpanded, as it stands in the main file.
class TranslationUnit::HoneHandler final : public PragmaHandler {
 public:
  explicit HoneHandler(TranslationUnit& unit) : PragmaHandler("hone"), unit_(unit) {}

  void HandlePragma(Preprocessor& preprocessor, PragmaIntroducer introducer, Token& hone) override {
    const SourceLocation behind_hone = hone.getEndLoc();
    std::vector<Token> tokens;
    Token token;
    for (preprocessor.LexUnexpandedToken(token); token.isNot(tok::eod); preprocessor.LexUnexpandedToken(token))
      tokens.push_back(token);
    if (!unit_.in_main_file(introducer.Loc)) return unit_.add_annotation_elsewhere(introducer.Loc);
    unit_.add_annotation(preprocessor, introducer.Loc, introducer.Kind != PIK_HashPragma, behind_hone, tokens,
                         token.getLocation());
  }

 private:
  TranslationUnit& unit_;
};

TranslationUnit::TranslationUnit() = default;
TranslationUnit::~TranslationUnit() = default;

Result<std::unique_ptr<TranslationUnit>> TranslationUnit::parse(Parser& parser, std::string text) {
  std::unique_ptr<TranslationUnit> unit(new TranslationUnit);
  TranslationUnit* self = unit.get();
  auto attach = [self](Preprocessor& preprocessor) {
    self->sources_ = &preprocessor.getSourceManager();
    self->main_text_ = self->sources_->getBufferData(self->sources_->getMainFileID());
    preprocessor.addPPCallbacks(std::make_unique<Recorder>(*self));
    preprocessor.AddPragmaHandler(new HoneHandler(*self));  // the preprocessor owns it
  };
  HONE_TRY(unit->parsed_, parser.parse(std::move(text), attach));
  unit->tokens_ = std::make_unique<SourceTokens>(unit->text(), unit->parsed_->language());
  return unit;
}

// A macro that an expression names, and those its body names: what they stand for is part of the annotation.
void TranslationUnit::add_macros_behind(Preprocessor& preprocessor, const Token& token, Annotation& annotation) {
  std::vector<const IdentifierInfo*> pending;
  std::set<const MacroInfo*> seen;
  auto look_at = [&](const Token& candidate) {
    if (candidate.isAnyIdentifier() || candidate.getIdentifierInfo()) pending.push_back(candidate.getIdentifierInfo());
  };
  look_at(token);
  while (!pending.empty()) {
    const IdentifierInfo* name = pending.back();
    pending.pop_back();
    const MacroInfo* macro = name->hasMacroDefinition() ? preprocessor.getMacroInfo(name) : nullptr;
    if (!macro || macro->isBuiltinMacro() || !seen.insert(macro).second) continue;
    annotation.macros.push_back({main_file(), annotation.begin, name->getName().str(), macro});
    for (const Token& inner : macro->tokens()) look_at(inner);
  }
}

void TranslationUnit::add_annotation(Preprocessor& preprocessor, SourceLocation introducer, bool is_operator,
                                     SourceLocation behind_hone, const std::vector<Token>& tokens, SourceLocation end) {
  Annotation annotation;
  annotation.begin = offset(introducer);
  annotation.is_operator = is_operator;
  const PresumedLoc place =
      sources_->getPresumedLoc(sources_->getExpansionLoc(introducer), /*UseLineDirectives=*/false);
  annotation.location = {place.getLine(), place.getColumn()};
  for (const Token& token : tokens) add_macros_behind(preprocessor, token, annotation);
  if (is_operator) {
    std::string content;  // it stands in no file as such: joined from its tokens, all placed at the operator
    for (const Token& token : tokens) content.append(" ").append(preprocessor.getSpelling(token));
    annotation.end = offset(introducer);
    annotation.content = annotations::parse(content, annotation.location);
  } else {
    annotation.end = offset(end);
    const std::size_t begin = offset(behind_hone);
    annotations::Location origin{sources_->getLineNumber(main_file(), static_cast<unsigned>(begin)),
                                 sources_->getColumnNumber(main_file(), static_cast<unsigned>(begin))};
    annotation.content = annotations::parse(main_text_.substr(begin, annotation.end - begin), origin);
  }
  annotations_.push_back(std::move(annotation));
}

void TranslationUnit::add_annotation_elsewhere(SourceLocation introducer) {
  const SourceLocation expanded = sources_->getExpansionLoc(introducer);
  const FileID file = sources_->getFileID(expanded);
  const PresumedLoc place = sources_->getPresumedLoc(expanded, /*UseLineDirectives=*/false);
  if (!is_user_file(file) || place.isInvalid()) return;
  const annotations::Location location{place.getLine(), place.getColumn()};
  const bool known = std::ranges::any_of(annotations_elsewhere_, [&](const AnnotationElsewhere& other) {
    return other.file == place.getFilename() && other.location == location;
  });
  if (!known) annotations_elsewhere_.push_back({place.getFilename(), location, sources_->getBufferData(file)});
}

FileID TranslationUnit::main_file() const {
  return sources_->getMainFileID();
}

bool TranslationUnit::is_user_file(FileID file) const {
  if (file.isInvalid()) return false;
  bool invalid = false;
  const SrcMgr::SLocEntry& entry = sources_->getSLocEntry(file, &invalid);
  return !invalid && entry.isFile() && !SrcMgr::isSystem(entry.getFile().getFileCharacteristic()) &&
         sources_->getFileEntryForID(file) != nullptr;
}

bool TranslationUnit::in_main_file(SourceLocation location) const {
  return location.isValid() && sources_->getFileID(sources_->getExpansionLoc(location)) == main_file();
}

std::size_t TranslationUnit::offset(SourceLocation location) const {
  return sources_->getDecomposedExpansionLoc(location).second;
}

const SourceTokens& TranslationUnit::tokens_of(FileID file) const {
  if (file == main_file()) return *tokens_;
  std::unique_ptr<SourceTokens>& tokens = other_tokens_[file];
  if (!tokens) tokens = std::make_unique<SourceTokens>(sources_->getBufferData(file), parsed_->language());
  return *tokens;
}

bool TranslationUnit::is_skipped(FileID file, std::size_t at) const {
  const auto found = skipped_.find(file);
  return found != skipped_.end() &&
         std::ranges::any_of(found->second, [&](const auto& range) { return range.first <= at && at < range.second; });
}

int TranslationUnit::include_of(SourceLocation location) const {
  FileID file = sources_->getFileID(sources_->getExpansionLoc(location));
  while (file.isValid() && file != main_file()) {
    const SourceLocation included = sources_->getIncludeLoc(file);
    if (included.isInvalid()) return -1;
    const auto [includer, at] = sources_->getDecomposedExpansionLoc(included);
    if (includer == main_file()) {
      for (std::size_t i = 0; i < includes_.size(); ++i)
        if (includes_[i].begin <= at && at < includes_[i].end) return static_cast<int>(i);
      return -1;
    }
    file = includer;
  }
  return -1;
}

}  // namespace hone::frontend
