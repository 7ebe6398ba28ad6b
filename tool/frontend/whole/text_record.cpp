#include "tool/frontend/whole/text_record.h"

#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "tool/frontend/parse/file_regions.h"

namespace hone::frontend {
namespace {

using namespace clang;

void add(TextRecord& record, std::string text, SourceLocation at) {
  const Region region = record.regions->of(at);
  if (region == Region::variant) record.variant.push_back({std::move(text), at});
  if (region == Region::around) record.around.push_back({std::move(text), at});
}

class PragmaRecorder final : public PPCallbacks {
 public:
  PragmaRecorder(const SourceManager& sources, TextRecord& record) : sources_(sources), record_(record) {}

  void PragmaDirective(SourceLocation at, PragmaIntroducerKind) override {
    const SourceLocation place = sources_.getExpansionLoc(at);
    if (place.isInvalid() || record_.regions->of(place) == Region::neither) return;
    const auto [file, offset] = sources_.getDecomposedLoc(place);
    const StringRef rest = sources_.getBufferData(file).substr(offset);
    add(record_, rest.substr(0, rest.find_first_of("\r\n")).str(), at);
  }

 private:
  const SourceManager& sources_;
  TextRecord& record_;
};

}  // namespace

void attach(Preprocessor& preprocessor, TextRecord& record) {
  record.regions = std::make_unique<FileRegions>(preprocessor.getSourceManager());
  preprocessor.addPPCallbacks(std::make_unique<PragmaRecorder>(preprocessor.getSourceManager(), record));
  preprocessor.setTokenWatcher([&preprocessor, &record](const Token& token) {
    if (token.isAnnotation() || token.is(tok::eof) || token.is(tok::eod)) return;
    if (record.regions->of(token.getLocation()) == Region::neither) return;
    add(record, preprocessor.getSpelling(token), token.getLocation());
  });
}

}  // namespace hone::frontend
