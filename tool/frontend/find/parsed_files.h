// The files behind a parse, by their content. Pure.
#pragma once

#include <string>
#include <vector>

#include "tool/frontend/find/files_read.h"
#include "tool/frontend/parse/parse.h"

namespace clang {
class SourceManager;
}

namespace hone::frontend {

// As KernelsAndFiles::files.
std::string digest_of_files(const clang::SourceManager& sources);

// What a parse in `directory` read from the disk, each file once.
std::vector<FileRead> files_read(const clang::SourceManager& sources, const Parser& parser,
                                 const std::string& directory);

}  // namespace hone::frontend
