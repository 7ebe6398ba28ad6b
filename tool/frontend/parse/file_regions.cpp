#include "tool/frontend/parse/file_regions.h"

namespace hone::frontend {

using namespace clang;

Region FileRegions::of(SourceLocation location) const {
  const SourceLocation place = sources_.getExpansionLoc(location);
  if (place.isInvalid()) return Region::neither;
  const FileID file = sources_.getFileID(place);
  if (file != sources_.getMainFileID()) return header(file).region;
  const PresumedLoc presumed = sources_.getPresumedLoc(place);
  if (presumed.isInvalid()) return Region::neither;
  const llvm::StringRef name = presumed.getFilename();
  return name == kCandidateFile ? Region::variant : name == kGlueFile ? Region::neither : Region::around;
}

unsigned FileRegions::main_line(SourceLocation location) const {
  const SourceLocation place = sources_.getExpansionLoc(location);
  if (place.isInvalid()) return 0;
  const FileID file = sources_.getFileID(place);
  if (file != sources_.getMainFileID()) return header(file).line;
  const PresumedLoc presumed = sources_.getPresumedLoc(place);
  return presumed.isInvalid() || llvm::StringRef(presumed.getFilename()) == kCandidateFile ? 0 : presumed.getLine();
}

// A header's place is that of the main file's #include that brought it.
const FileRegions::Header& FileRegions::header(FileID file) const {
  const auto [at, fresh] = headers_.try_emplace(file.getHashValue());
  if (!fresh) return at->second;
  SourceLocation include = sources_.getLocForStartOfFile(file);
  while (include.isValid() && sources_.getFileID(include) != sources_.getMainFileID())
    include = sources_.getIncludeLoc(sources_.getFileID(include));
  Header found;
  const bool users = sources_.getFileEntryRefForID(file).has_value() &&
                     sources_.getFileCharacteristic(sources_.getLocForStartOfFile(file)) == SrcMgr::C_User;
  if (include.isValid()) {
    found.line = main_line(include);
    if (users && of(include) == Region::around) found.region = Region::around;
  } else if (users) {
    found.region = Region::around;  // named by the command, in front of the file
  }
  return headers_[file.getHashValue()] = found;
}

}  // namespace hone::frontend
