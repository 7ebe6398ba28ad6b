#include "tool/frontend/nvcc_line.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <iterator>
#include <string_view>

namespace hone::frontend {
namespace {

enum class Use {
  drop,          // says nothing about what the text means
  host,          // words for the host compiler, by comma
  rename,        // the host compiler's own option, called `host_name`, once for each of a list
  macro,         // a mode that headers ask for by the macro `host_name`
  meaning,       // of device code
  architecture,  // -arch
  code,          // -code
  generate,      // -gencode
  host_compiler,
  options_file,
  language,
};

struct Option {
  std::string_view name, twin;  // without dashes
  bool value = false;
  Use use = Use::drop;
  std::string_view host_name = {};
};

constexpr Option kOptions[] = {
    {"compiler-options", "Xcompiler", true, Use::host},
    {"compiler-bindir", "ccbin", true, Use::host_compiler},
    {"options-file", "optf", true, Use::options_file},
    {"x", "x", true, Use::language},
    {"gpu-architecture", "arch", true, Use::architecture},
    {"gpu-code", "code", true, Use::code},
    {"generate-code", "gencode", true, Use::generate},

    {"system-include", "isystem", true, Use::rename, "-isystem"},
    {"include-path", "I", true, Use::rename, "-I"},
    {"pre-include", "include", true, Use::rename, "-include"},
    {"define-macro", "D", true, Use::rename, "-D"},
    {"undefine-macro", "U", true, Use::rename, "-U"},

    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", false, Use::macro, "__CUDACC_RELAXED_CONSTEXPR__"},
    {"expt-extended-lambda", "expt-extended-lambda", false, Use::macro, "__CUDACC_EXTENDED_LAMBDA__"},
    {"extended-lambda", "extended-lambda", false, Use::macro, "__CUDACC_EXTENDED_LAMBDA__"},

    {"use_fast_math", "use_fast_math", false, Use::meaning},
    {"ftz", "ftz", true, Use::meaning},
    {"prec-div", "prec-div", true, Use::meaning},
    {"prec-sqrt", "prec-sqrt", true, Use::meaning},
    {"fmad", "fmad", true, Use::meaning},
    {"relocatable-device-code", "rdc", true, Use::meaning},
    {"default-stream", "default-stream", true, Use::meaning},

    {"output-file", "o", true},
    {"output-directory", "odir", true},
    {"dependency-output", "MF", true},
    {"dependency-target-name", "MT", true},
    {"machine", "m", true},
    {"library", "l", true},
    {"library-path", "L", true},
    {"libdevice-directory", "ldir", true},
    {"target-directory", "target-dir", true},
    {"archiver-binary", "arbin", true},
    {"cudart", "cudart", true},
    {"cudadevrt", "cudadevrt", true},
    {"linker-options", "Xlinker", true},
    {"archive-options", "Xarchive", true},
    {"ptxas-options", "Xptxas", true},
    {"nvlink-options", "Xnvlink", true},
    {"cudafe-options", "Xcudafe", true},
    {"fatbin-options", "Xfatbin", true},
    {"nvvm-options", "Xnvvm", true},
    {"opencc-options", "Xopencc", true},
    {"maxrregcount", "maxrregcount", true},
    {"entries", "e", true},
    {"threads", "t", true},
    {"split-compile", "split-compile", true},
    {"split-compile-extended", "split-compile-extended", true},
    {"diag-suppress", "diag-suppress", true},
    {"diag-warn", "diag-warn", true},
    {"diag-error", "diag-error", true},
    {"Werror", "Werror", true},
    {"brief-diagnostics", "brief-diag", true},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", true},
    {"ftemplate-depth", "ftemplate-depth", true},
    {"ofast-compile", "Ofc", true},
    {"opt-info", "opt-info", true},
    {"compress-mode", "compress-mode", true},
    {"jump-table-density", "jtd", true},
    {"static-global-template-stub", "static-global-template-stub", true},
    {"host-linker-script", "hls", true},
    {"keep-dir", "keep-dir", true},
    {"run-args", "run-args", true},
    {"time", "time", true},
    {"input-drive-prefix", "idp", true},
    {"dependency-drive-prefix", "ddp", true},
    {"drive-prefix", "dp", true},
    {"use-local-env", "use-local-env", false},

    {"device-debug", "G", false},
    {"device-c", "dc", false},
    {"device-w", "dw", false},
    {"device-link", "dlink", false},
    {"dlink-time-opt", "dlto", false},
    {"generate-line-info", "lineinfo", false},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", false},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", false},
    {"forward-unknown-opts", "forward-unknown-opts", false},
    {"resource-usage", "res-usage", false},
    {"restrict", "restrict", false},
    {"extra-device-vectorization", "extra-device-vectorization", false},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", false},
    {"source-in-ptx", "src-in-ptx", false},
    {"keep", "keep", false},
    {"keep-device-functions", "keep-device-functions", false},
    {"no-align-double", "no-align-double", false},
    {"no-exceptions", "noeh", false},
    {"no-device-link", "nodlink", false},
    {"dont-use-profile", "noprof", false},
    {"compress-all", "compress-all", false},
    {"ptx", "ptx", false},
    {"cubin", "cubin", false},
    {"fatbin", "fatbin", false},
    {"dryrun", "dryrun", false},
    {"lib", "lib", false},
    {"link", "link", false},
    {"run", "run", false},
    {"clean-targets", "clean", false},
    {"minimal", "minimal", false},
    {"ltoir", "ltoir", false},
    {"optix-ir", "optix-ir", false},
};

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

std::string_view without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word;
}

const Option* find_option(std::string_view word) {
  if (word.size() < 2 || word[0] != '-' || word.starts_with("---")) return nullptr;
  const bool is_long = word[1] == '-';
  const std::string_view name = without_dashes(word.substr(0, word.find('=')));
  const auto* found = std::ranges::find_if(
      kOptions, [&](const Option& option) { return name == option.name || (!is_long && name == option.twin); });
  return found == std::end(kOptions) ? nullptr : found;
}

class Reader {
 public:
  explicit Reader(const std::string& directory) : directory_(directory) {}

  Result<NvccLine> run(const std::vector<std::string>& arguments) {
    words_.assign(arguments.begin(), arguments.end());
    while (!words_.empty()) {
      const std::string word = next();
      const Option* option = find_option(word);
      if (!option) {
        standard_or_host(word);
        continue;
      }
      std::string value;
      if (const std::size_t equals = word.find('='); option->value && equals != std::string::npos)
        value = word.substr(equals + 1);
      else if (option->value)
        value = next();
      if (option->use == Use::options_file) {
        if (auto read = read_options(value); !read) return tl::unexpected(read.error());
      } else {
        take(*option, value);
      }
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

  // nvcc writes --std c++17 where others write -std=c++17.
  void standard_or_host(const std::string& word) {
    if (word == "--std" || word == "-std")
      line_.arguments.push_back("-std=" + next());
    else if (word.starts_with("--std="))
      line_.arguments.push_back(word.substr(1));
    else
      line_.arguments.push_back(word);
  }

  void take(const Option& option, const std::string& value) {
    switch (option.use) {
      case Use::drop:
        if (option.name == "device-c") line_.flags.push_back("relocatable-device-code=true");
        return;
      case Use::host:
        for (std::string& word : split(value, ',')) line_.arguments.push_back(std::move(word));
        return;
      case Use::rename:
        for (std::string& one : option.host_name == "-D" ? std::vector{value} : split(value, ','))
          line_.arguments.insert(line_.arguments.end(), {std::string(option.host_name), std::move(one)});
        return;
      case Use::macro:
        line_.arguments.push_back("-D" + std::string(option.host_name));
        return;
      case Use::meaning:
        line_.flags.push_back(std::string(option.name) + (option.value ? "=" + value : ""));
        return;
      case Use::architecture:
        virtual_ = value;
        return;
      case Use::code:
        for (const std::string& one : split(value, ',')) add_architectures(one);
        code_given_ = true;
        return;
      case Use::generate:
        return add_generated(value);
      case Use::host_compiler:
        line_.host_compiler = value;
        return;
      case Use::language:
        line_.language = value;
        return;
      case Use::options_file:
        return;
    }
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

bool is_nvcc(const std::string& program) {
  const std::string_view name = std::string_view(program).substr(program.rfind('/') + 1);
  return name == "nvcc" || name == "nvcc.exe" || name.starts_with("nvcc-");
}

unsigned architecture_number(const std::string& architecture) {
  const std::size_t digits = architecture.find('_') + 1;
  unsigned number = 0;
  for (std::size_t i = digits; digits > 0 && i < architecture.size() && std::isdigit(architecture[i]) && number < 1000;
       ++i)
    number = number * 10 + static_cast<unsigned>(architecture[i] - '0');
  return number;
}

}  // namespace hone::frontend
