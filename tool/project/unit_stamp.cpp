#include "tool/project/unit_stamp.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "tool/command/compiler_line.h"
#include "tool/os/files/files.h"
#include "tool/os/files/quick_replace.h"
#include "tool/os/files/this_program.h"
#include "tool/project/recorded_commands.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kVersion = 3;

// Folders of headers that Clang and GCC take from the environment.
constexpr std::array kVariables{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "SYSROOT"};

class Fields {
 public:
  void add(std::string_view field) { text_ += std::to_string(field.size()) + ':' + std::string(field); }
  cache::Digest digest() const { return cache::sha256(text_); }

 private:
  std::string text_;
};

std::string real_path_of_program(const std::string& name, const std::string& directory) {
  std::error_code error;
  if (name.find('/') != std::string::npos) return fs::canonical(fs::path(directory) / name, error).string();
  std::string_view path = std::getenv("PATH") ? std::getenv("PATH") : "";
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(path.size(), folder.size() + 1));
    const fs::path file = fs::path(folder) / name;
    if (::access(file.c_str(), X_OK) == 0) return fs::canonical(file, error).string();
  }
  return "";
}

// The compiler also says where its headers are.
std::string program_identity(const std::string& name, const std::string& directory) {
  const std::string path = real_path_of_program(name, directory);
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {}.{}", path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// What `-march=native` stands for.
const std::string& processor() {
  static const std::string text = [] {
    std::ifstream file("/proc/cpuinfo");
    std::string all;
    for (std::string line; std::getline(file, line) && !line.empty();)
      if (line.starts_with("model") || line.starts_with("flags") || line.starts_with("Features")) all += line + '\n';
    return all;
  }();
  return text;
}

// The command from its compiler on, as the launcher and the compilation database both have it: CMake leaves launchers
// and dependency files out of the database.
std::vector<std::string> meaning_words(const CompileCommand& command) {
  const auto line = read_compiler_line(command.arguments);
  if (!line) return command.arguments;
  std::vector<std::string> words{program_identity(line->arguments[line->compiler], command.directory)};
  for (std::size_t at = line->compiler; at < line->arguments.size(); ++at) {
    const std::string& word = line->arguments[at];
    if (word == "-MT" || word == "-MF" || word == "-MQ") ++at;
    if (!word.starts_with("-M")) words.push_back(word);
  }
  return words;
}

cache::Digest question(const CompileCommand& command) {
  Fields fields;
  fields.add(os::this_program());
  fields.add(command.directory);
  fields.add(command.file);
  for (const std::string& word : meaning_words(command)) {
    fields.add(word);
    if (word.find("native") != std::string::npos) fields.add(processor());
  }
  for (const char* variable : kVariables) fields.add(std::getenv(variable) ? std::getenv(variable) : "");
  return fields.digest();
}

json json_of(const std::vector<KeyField>& fields) {
  json list = json::array();
  for (const KeyField& field : fields) list.push_back({field.name, field.value, field.file, field.line});
  return list;
}

std::vector<KeyField> fields_of(const json& list) {
  std::vector<KeyField> fields;
  for (const json& field : list)
    fields.push_back({field.at(0).get<std::string>(), field.at(1).get<std::string>(), field.at(2).get<std::string>(),
                      field.at(3).get<unsigned>()});
  return fields;
}

json json_of(const KernelSpec& spec) {
  return {{"name", spec.name},
          {"qualified_name", spec.qualified_name},
          {"mangled_name", spec.mangled_name},
          {"signature", spec.signature},
          {"file", spec.file},
          {"line", spec.line},
          {"language", spec.language},
          {"target", spec.target},
          {"key", spec.key},
          {"key_dump", spec.key_dump},
          {"key_fields", json_of(spec.key_fields)},
          {"cuda", spec.cuda},
          {"global", spec.global},
          {"own_launch", {{"name", spec.own_launch.name}, {"why_not", spec.own_launch.why_not}}}};
}

KernelSpec kernel_of(const json& text) {
  KernelSpec spec;
  text.at("name").get_to(spec.name);
  text.at("qualified_name").get_to(spec.qualified_name);
  text.at("mangled_name").get_to(spec.mangled_name);
  text.at("signature").get_to(spec.signature);
  text.at("file").get_to(spec.file);
  text.at("line").get_to(spec.line);
  text.at("language").get_to(spec.language);
  text.at("target").get_to(spec.target);
  text.at("key").get_to(spec.key);
  text.at("key_dump").get_to(spec.key_dump);
  spec.key_fields = fields_of(text.at("key_fields"));
  text.at("cuda").get_to(spec.cuda);
  text.at("global").get_to(spec.global);
  text.at("own_launch").at("name").get_to(spec.own_launch.name);
  text.at("own_launch").at("why_not").get_to(spec.own_launch.why_not);
  return spec;
}

json json_of(const frontend::Diagnostic& diagnostic) {
  return {{"code", code_name(diagnostic.code)}, {"file", diagnostic.file},       {"line", diagnostic.line},
          {"column", diagnostic.column},        {"message", diagnostic.message}, {"rendered", diagnostic.rendered},
          {"warning", diagnostic.warning},      {"kernel", diagnostic.kernel}};
}

frontend::Diagnostic diagnostic_of(const json& text) {
  frontend::Diagnostic diagnostic;
  diagnostic.code = code_called(text.at("code").get_ref<const std::string&>());
  text.at("file").get_to(diagnostic.file);
  text.at("line").get_to(diagnostic.line);
  text.at("column").get_to(diagnostic.column);
  text.at("message").get_to(diagnostic.message);
  text.at("rendered").get_to(diagnostic.rendered);
  text.at("warning").get_to(diagnostic.warning);
  text.at("kernel").get_to(diagnostic.kernel);
  return diagnostic;
}

bool is_as_it_was(const json& stamp, FileDigests& now) {
  Fields contents;
  for (const json& path : stamp.at("read")) {
    const auto digest = now.of(path.get_ref<const std::string&>());
    if (!digest) return false;
    contents.add(*digest);
  }
  if (contents.digest() != stamp.at("files").get_ref<const std::string&>()) return false;
  return std::ranges::all_of(stamp.at("absent"),
                             [&](const json& path) { return now.is_absent(path.get_ref<const std::string&>()); });
}

StampedUnit unit_of(const json& stamp) {
  StampedUnit unit;
  stamp.at("checked").get_to(unit.checked);
  for (const json& kernel : stamp.at("kernels")) unit.kernels.push_back(kernel_of(kernel));
  for (const json& diagnostic : stamp.at("diagnostics")) unit.diagnostics.push_back(diagnostic_of(diagnostic));
  return unit;
}

}  // namespace

fs::path stamp_file(const CompileCommand& command) {
  std::string object = command.output;
  const auto flag = std::ranges::find(command.arguments, "-o");
  if (flag != command.arguments.end() && flag + 1 != command.arguments.end()) object = *(flag + 1);
  if (object == "-" || object.starts_with("/dev/")) return {};
  return object.empty() ? fs::path() : fs::path(command.directory) / (object + ".hone.json");
}

void add_database(const fs::path& build, frontend::KernelsAndFiles& looked) {
  if (!looked.looked_elsewhere) return;
  const std::string database = fs::absolute(build / "compile_commands.json").lexically_normal().string();
  if (const auto text = os::read_file(database, largest_database))
    looked.read.push_back({database, cache::sha256(*text)});
  else
    looked.absent.push_back(database);
}

std::optional<StampedUnit> read_stamp(const CompileCommand& command, FileDigests& now) {
  const fs::path file = stamp_file(command);
  if (file.empty()) return std::nullopt;
  const auto text = os::read_file(file);
  if (!text) return std::nullopt;
  try {
    const json stamp = json::parse(*text);
    if (stamp.at("stamp") != kVersion || stamp.at("of") != question(command) || !is_as_it_was(stamp, now))
      return std::nullopt;
    return unit_of(stamp);
  } catch (const json::exception&) {
    return std::nullopt;  // another version's, or torn
  }
}

void write_stamp(const CompileCommand& command, const frontend::KernelsAndFiles& looked, bool checked) {
  const fs::path file = stamp_file(command);
  std::error_code error;
  if (looked.incomplete) fs::remove(file, error);
  if (file.empty() || looked.incomplete) return;
  json stamp = {{"stamp", kVersion},           {"of", question(command)}, {"checked", checked},
                {"absent", looked.absent},     {"read", json::array()},   {"kernels", json::array()},
                {"diagnostics", json::array()}};
  Fields contents;
  for (const frontend::FileRead& read : looked.read) {
    stamp["read"].push_back(read.path);
    contents.add(read.digest);
  }
  stamp["files"] = contents.digest();
  for (const frontend::FoundKernel& kernel : looked.found.kernels) stamp["kernels"].push_back(json_of(kernel.spec));
  for (const frontend::Diagnostic& diagnostic : looked.found.diagnostics)
    stamp["diagnostics"].push_back(json_of(diagnostic));
  (void)os::replace_quickly(file, stamp.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace hone::project
