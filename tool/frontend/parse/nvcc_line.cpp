#include "tool/frontend/parse/nvcc_line.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <string_view>

#include "tool/command/nvcc_options.h"

namespace hone::frontend {
namespace {

std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> parts(1);
  int open = 0;  // [compute_90,sm_90] is one
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '[') ++open;
    if (c == ']') --open;
    if (c == '\\' && i + 1 < list.size() && list[i + 1] == separator)
      parts.back() += list[++i];
    else if (c == separator && open == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  std::erase(parts, "");
  return parts;
}

// By which headers learn of a mode.
std::string macro_of(const NvccOption& mode) {
  return mode.name == "--expt-relaxed-constexpr" ? "__CUDACC_RELAXED_CONSTEXPR__" : "__CUDACC_EXTENDED_LAMBDA__";
}

class Reader {
 public:
  explicit Reader(const std::string& directory) : directory_(directory) {}

  Result<NvccLine> run(const std::vector<std::string>& arguments) {
    words_.assign(arguments.begin(), arguments.end());
    while (!words_.empty()) {
      const std::string word = next();
      const NvccWord read = read_nvcc_word(word);
      if (!read.option) {
        line_.arguments.push_back(word);
        continue;
      }
      const std::string value = read.value_follows ? next() : std::string(read.value);
      HONE_CHECK(take(*read.option, value));
    }
    return finish();
  }

 private:
  std::string next() {
    if (words_.empty()) return "";
    std::string word = std::move(words_.front());
    words_.pop_front();
    return word;
  }

  // Adds one option to the line. `flags` holds options under their long names.
  Result<void> take(const NvccOption& option, const std::string& value) {
    switch (option.meaning) {
      case NvccMeaning::options_file:
        return read_options(value);
      case NvccMeaning::relocatable:
        line_.flags.push_back("relocatable-device-code=true");
        break;
      case NvccMeaning::host_options:
        for (std::string& word : split(value, ',')) line_.arguments.push_back(std::move(word));
        break;
      case NvccMeaning::macro:
        pass_on(option, {value});
        break;
      case NvccMeaning::folder:
      case NvccMeaning::system_folder:
      case NvccMeaning::header:
        pass_on(option, split(value, ','));
        break;
      case NvccMeaning::standard:
        line_.arguments.push_back("-std=" + value);
        break;
      case NvccMeaning::optimization:
        line_.arguments.push_back("-O" + value);
        break;
      case NvccMeaning::mode:
        line_.arguments.push_back("-D" + macro_of(option));
        break;
      case NvccMeaning::device_code:
        line_.flags.push_back(std::string(option.name.substr(2)) + (option.takes_value ? "=" + value : ""));
        break;
      case NvccMeaning::architecture:
        virtual_ = value;
        break;
      case NvccMeaning::gpu_code:
        for (const std::string& one : split(value, ',')) add_architectures(one);
        code_given_ = true;
        break;
      case NvccMeaning::generated_code:
        add_generated(value);
        break;
      case NvccMeaning::host_compiler:
        line_.host_compiler = value;
        break;
      case NvccMeaning::language:
        line_.language = value;
        break;
      default:  // says nothing about what the text means
        break;
    }
    return {};
  }

  // The host compiler has an option of the same short name, for one value each.
  void pass_on(const NvccOption& option, const std::vector<std::string>& values) {
    for (const std::string& value : values)
      if (option.alias.size() == 2)
        line_.arguments.push_back(std::string(option.alias) + value);
      else
        line_.arguments.insert(line_.arguments.end(), {std::string(option.alias), value});
  }

  // sm_90, or [compute_90,sm_90].
  void add_architectures(std::string_view list) {
    if (list.starts_with('[') && list.ends_with(']')) list = list.substr(1, list.size() - 2);
    for (std::string& one : split(list, ',')) line_.architectures.push_back(std::move(one));
  }

  // arch=compute_90,code=[compute_90,sm_90]; without a code, that for the virtual one.
  void add_generated(std::string_view value) {
    std::string virtual_one, code;
    for (const std::string& part : split(value, ',')) {
      if (part.starts_with("arch=")) virtual_one = part.substr(5);
      if (part.starts_with("code=")) code = part.substr(5);
    }
    add_architectures(code.empty() ? virtual_one : code);
  }

  Result<void> read_options(const std::string& files) {
    for (const std::string& file : split(files, ',')) {
      const auto path = std::filesystem::path(directory_) / file;
      auto buffer = llvm::MemoryBuffer::getFile(path.string());
      if (!buffer || ++files_read_ > 100)
        return failure("cannot read a file of options of nvcc: " +
                           (buffer ? std::string("they include one another") : buffer.getError().message()),
                       path.string());
      llvm::BumpPtrAllocator memory;
      llvm::StringSaver saver(memory);
      llvm::SmallVector<const char*, 64> read;
      llvm::cl::TokenizeGNUCommandLine((*buffer)->getBuffer(), saver, read);
      words_.insert(words_.begin(), read.begin(), read.end());
    }
    return {};
  }

  // -arch=sm_90 alone stands for the code of both kinds; with -code it says only what that is made from.
  NvccLine finish() {
    if (!virtual_.empty() && !code_given_) {
      line_.architectures.push_back(virtual_);
      if (virtual_.starts_with("sm_")) line_.architectures.push_back("compute_" + virtual_.substr(3));
    }
    for (std::vector<std::string>* list : {&line_.architectures, &line_.flags}) {
      std::ranges::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return std::move(line_);
  }

  const std::string& directory_;
  std::deque<std::string> words_;
  std::string virtual_;
  bool code_given_ = false;
  unsigned files_read_ = 0;
  NvccLine line_;
};

}  // namespace

Result<NvccLine> read_nvcc_line(const std::vector<std::string>& arguments, const std::string& directory) {
  return Reader(directory).run(arguments);
}

}  // namespace hone::frontend
