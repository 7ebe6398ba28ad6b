#include "tool/suggest/profile.h"

#include <elf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"
#include "tool/os/process/system_failure.h"
#include "tool/suggest/sampler/samples.h"

namespace hone::suggest {
namespace {

namespace fs = std::filesystem;

struct Mapping {
  std::uint64_t begin = 0, end = 0, offset = 0;
  std::string file;
};

// "begin-end rights offset device inode   file"
std::vector<Mapping> read_maps(const fs::path& path) {
  std::ifstream stream(path);
  std::vector<Mapping> maps;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode;
    words >> range >> rights >> offset >> device >> inode >> std::ws;
    Mapping mapping;
    std::getline(words, mapping.file);
    if (rights.size() < 3 || rights[2] != 'x' || !mapping.file.starts_with('/')) continue;
    char* rest = nullptr;
    mapping.begin = std::strtoull(range.c_str(), &rest, 16);
    mapping.end = *rest == '-' ? std::strtoull(rest + 1, nullptr, 16) : 0;
    mapping.offset = std::strtoull(offset.c_str(), nullptr, 16);
    maps.push_back(std::move(mapping));
  }
  return maps;
}

// Where a file's segments are, so that a place in the file has an address of its symbols'.
class Segments {
 public:
  explicit Segments(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    Elf64_Ehdr header{};
    if (!stream.read(reinterpret_cast<char*>(&header), sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(Elf64_Phdr))
      return;
    stream.seekg(static_cast<std::streamoff>(header.e_phoff));
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment{};
      if (!stream.read(reinterpret_cast<char*>(&segment), sizeof segment)) return;
      if (segment.p_type == PT_LOAD) loaded_.push_back(segment);
    }
  }
  std::uint64_t address_of(std::uint64_t place) const {
    for (const Elf64_Phdr& segment : loaded_)
      if (place >= segment.p_offset && place < segment.p_offset + segment.p_filesz)
        return place - segment.p_offset + segment.p_vaddr;
    return place;
  }

 private:
  std::vector<Elf64_Phdr> loaded_;
};

class ProfileReader {
 public:
  void add(const fs::path& samples) {
    const auto bytes = read_used(samples);
    if (bytes.size() * sizeof(std::uint64_t) < sizeof(SamplesHeader)) return;
    ++profile_.processes;
    maps_ = read_maps(fs::path(samples).replace_extension(".maps"));
    for (std::size_t at = sizeof(SamplesHeader) / sizeof(std::uint64_t); at < bytes.size();) {
      SampleHeader header;
      std::memcpy(&header, &bytes[at], sizeof header);
      if (header.frames == 0 || header.frames > most_frames) {  // one that was cut short by the end
        ++at;
        continue;
      }
      if (at + 1 + header.frames > bytes.size()) break;
      std::vector<Address> stack;
      for (unsigned i = 0; i < header.frames; ++i) stack.push_back(address_of(bytes[at + 1 + i]));
      stacks_[std::move(stack)] += header.weight * (static_cast<double>(sample_interval_ns) * 1e-9);
      at += 1 + header.frames;
    }
  }

  Profile take() {
    for (auto& [stack, seconds] : stacks_) {
      profile_.seconds += seconds;
      profile_.samples.push_back({stack, seconds});
    }
    return std::move(profile_);
  }

 private:
  // The words that hold samples: the file is sparse and large.
  std::vector<std::uint64_t> read_used(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    SamplesHeader header;
    if (!stream.read(reinterpret_cast<char*>(&header), sizeof header) || header.magic != samples_magic) return {};
    profile_.cut = profile_.cut || header.used > header.words;
    std::vector<std::uint64_t> words(std::min(header.used, header.words));
    stream.seekg(0);
    stream.read(reinterpret_cast<char*>(words.data()),
                static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    return words;
  }

  Address address_of(std::uint64_t address) {
    for (const Mapping& mapping : maps_) {
      if (address < mapping.begin || address >= mapping.end) continue;
      const auto [known, fresh] = modules_.try_emplace(mapping.file, static_cast<unsigned>(profile_.modules.size()));
      if (fresh) {
        profile_.modules.push_back(mapping.file);
        segments_.emplace_back(mapping.file);
      }
      return {known->second, segments_[known->second].address_of(address - mapping.begin + mapping.offset)};
    }
    return {};
  }

  Profile profile_{.modules = {""}};
  std::map<std::string, unsigned> modules_;
  std::vector<Segments> segments_{Segments("")};
  std::vector<Mapping> maps_;
  std::map<std::vector<Address>, double> stacks_;
};

}  // namespace

Result<os::ProgramEnd> run_profiled(const std::vector<std::string>& command, const fs::path& sampler,
                                    const fs::path& folder) {
  const std::string preload =
      sampler.string() + (std::getenv("LD_PRELOAD") ? ":" + std::string(std::getenv("LD_PRELOAD")) : "");
  return os::run_in_foreground(command, {{"LD_PRELOAD", preload}, {"HONE_SAMPLES", folder.string()}});
}

Result<Profile> read_profile(const fs::path& folder) {
  ProfileReader reader;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".samples") reader.add(entry.path());
  Profile profile = reader.take();
  if (profile.processes == 0)
    return coded_failure(
        DiagnosticCode::not_sampled, "the program took no sampler in", "",
        "it is linked statically, runs with another user's rights, or is of another kind of machine; profile a "
        "build that is linked dynamically");
  return profile;
}

}  // namespace hone::suggest
