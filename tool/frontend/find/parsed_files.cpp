#include "tool/frontend/find/parsed_files.h"

#include <clang/Basic/SourceManager.h>

#include <filesystem>
#include <map>

#include "cache/digest.h"
#include "tool/os/files/files.h"

namespace hone::frontend {

using namespace clang;

std::string digest_of_files(const SourceManager& sources) {
  std::string files;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const SrcMgr::ContentCache& content = entry.getFile().getContentCache();
    if (!content.OrigEntry) continue;
    const bool users = entry.getFile().getFileCharacteristic() == SrcMgr::C_User;
    const auto text = content.getBufferIfLoaded();
    files += content.OrigEntry->getName().str() + '\n' +
             (users && text ? cache::sha256(std::string_view(text->getBuffer()))
                            : std::to_string(content.OrigEntry->getSize()) + ' ' +
                                  std::to_string(content.OrigEntry->getModificationTime())) +
             '\n';
  }
  return cache::sha256(files);
}

std::vector<FileRead> files_read(const SourceManager& sources, const Parser& parser, const std::string& directory) {
  std::map<std::string, std::string> digests;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const SrcMgr::ContentCache& content = entry.getFile().getContentCache();
    if (!content.OrigEntry) continue;
    const std::string path = (std::filesystem::path(directory) / content.OrigEntry->getName().str()).string();
    const auto text = content.getBufferIfLoaded();
    if (!text || digests.contains(path)) continue;
    if (parser.in_memory(path)) {  // but for its pragma, CMake's list of precompiled headers is as the disk has it
      const Result<std::string> disk = os::read_file(path);
      if (disk && path.find("/cmake_pch.h") != std::string::npos) digests[path] = cache::sha256(*disk);
      continue;
    }
    digests[path] = cache::sha256(std::string_view(text->getBuffer()));
  }
  std::vector<FileRead> read;
  for (auto& [path, digest] : digests) read.push_back({path, digest});
  return read;
}

}  // namespace hone::frontend
