#include "tool/command/nvrtc_words.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "tool/command/nvcc_code.h"
#include "tool/command/nvcc_options.h"

namespace hone {
namespace {

// Options without a meaning in NvccMeaning that decide the code. NVRTC knows them by the same names.
constexpr std::string_view same[] = {"--ptxas-options",      "--maxrregcount",
                                     "--restrict",           "--extra-device-vectorization",
                                     "--jump-table-density", "--device-stack-protector"};
// Options for the host's passes or the linker alone.
constexpr std::string_view of_the_host[] = {"--allow-unsupported-compiler",
                                            "--forward-unknown-to-host-compiler",
                                            "--forward-unknown-opts",
                                            "--machine",
                                            "--m64",
                                            "--no-exceptions",
                                            "--cudart",
                                            "--cudadevrt",
                                            "--static-global-template-stub",
                                            "--device-entity-has-hidden-visibility",
                                            "--dont-use-profile",
                                            "--target-directory"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string_view number_of(std::string_view architecture) {
  const std::size_t at = architecture.find('_');
  return at == std::string_view::npos ? std::string_view() : architecture.substr(at + 1);
}

class Translator {
 public:
  std::optional<NvrtcWords> translate(const std::vector<std::string>& flags) {
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const NvccWord read = read_nvcc_word(flags[i]);
      std::string_view value = read.value;
      if (read.value_follows && i + 1 < flags.size()) value = flags[++i];
      if (read.option ? !take(*read.option, value) : !is_for_the_host(flags[i])) return std::nullopt;
    }
    for (const GeneratedCode& code : generated_code(flags))
      if (!add_images(code)) return std::nullopt;
    if (words_.images.empty()) return std::nullopt;
    return std::move(words_);
  }

 private:
  bool take(const NvccOption& option, std::string_view value) {
    switch (option.meaning) {
      case NvccMeaning::macro:
        return add(std::string(option.alias) + std::string(value));
      case NvccMeaning::standard:
        return add("--std=" + std::string(value));
      case NvccMeaning::optimization:  // the host's: device code is always optimized
        return true;
      case NvccMeaning::mode:  // what they allow NVRTC allows; headers ask which is meant
        return add(option.name == "--expt-relaxed-constexpr" ? "-D__CUDACC_RELAXED_CONSTEXPR__"
                                                             : "-D__CUDACC_EXTENDED_LAMBDA__");
      case NvccMeaning::device_code:
        return take_device_code(option, value);
      case NvccMeaning::architecture:  // images, of all of these together
      case NvccMeaning::gpu_code:
      case NvccMeaning::generated_code:
      case NvccMeaning::host_compiler:
        return true;
      case NvccMeaning::host_options: {
        const std::vector<std::string> parts = nvcc_list(value);
        return std::ranges::all_of(parts, [&](const std::string& part) { return is_for_the_host(part); });
      }
      default:
        if (is_one_of(option.name, same))
          return add(std::string(option.name) + (option.takes_value ? "=" + std::string(value) : ""));
        return is_one_of(option.name, of_the_host);
    }
  }

  bool take_device_code(const NvccOption& option, std::string_view value) {
    if (option.name == "--relocatable-device-code") return value == "false";
    if (option.name == "--default-stream") return true;
    return add(std::string(option.name) + (option.takes_value ? "=" + std::string(value) : ""));
  }

  // Macros are for both passes. What else the host's compiler is told does not reach device code, but for headers,
  // which are known by themselves (HeaderFlag).
  bool is_for_the_host(std::string_view word) {
    if (word.starts_with("-D") || word.starts_with("-U")) return add(std::string(word));
    return true;
  }

  // One that is compiled as another is, is other code than NVRTC makes for it.
  bool add_images(const GeneratedCode& generated) {
    for (const std::string& image : generated.images) {
      if (number_of(image).empty() || number_of(image) != number_of(generated.architecture)) return false;
      if (!image.starts_with("sm_") && !image.starts_with("compute_")) return false;
      if (std::ranges::find(words_.images, image) == words_.images.end()) words_.images.push_back(image);
    }
    return true;
  }

  bool add(std::string word) { return words_.options.push_back(std::move(word)), true; }

  NvrtcWords words_;
};

}  // namespace

std::optional<NvrtcWords> nvrtc_words(const std::vector<std::string>& nvcc_flags) {
  return Translator().translate(nvcc_flags);
}

void keep_images_for(const std::string& architecture, NvrtcWords& words) {
  std::vector<std::string> kept;
  for (const std::string& image : words.images)
    if (image.starts_with(architecture) && image.find_first_of("0123456789", architecture.size()) == std::string::npos)
      kept.push_back(image);
  if (!architecture.empty() && !kept.empty()) words.images = std::move(kept);
}

bool links_device_code(const std::vector<std::string>& nvcc_flags) {
  bool linked = false;
  for (std::size_t i = 0; i < nvcc_flags.size(); ++i) {
    const NvccWord read = read_nvcc_word(nvcc_flags[i]);
    std::string_view value = read.value;
    if (read.value_follows && i + 1 < nvcc_flags.size()) value = nvcc_flags[++i];
    if (read.option && read.option->name == "--relocatable-device-code") linked = value != "false";
    if (read.option && (read.option->name == "--dlink-time-opt" || read.option->name == "--lto")) return true;
  }
  return linked;
}

std::optional<std::string> nvrtc_header_word(const HeaderFlag& flag, const std::string& where) {
  if (flag.flag == "-include=" || flag.flag == "-include,") return "--pre-include=" + where;
  if (flag.flag == "-I=" || flag.flag == "-isystem=" || flag.flag == "-I," || flag.flag == "-isystem," ||
      flag.flag == "-iquote,")
    return "--include-path=" + where;
  return std::nullopt;
}

}  // namespace hone
