#include "tests/projects/project.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "cache/bound_source.h"
#include "cache/store.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;

os::TemporaryFolder new_folder() {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-project");
  if (!folder) throw std::runtime_error(folder.error().message());
  return std::move(*folder);
}

}  // namespace

unsigned count(const std::string& text, const std::string& part) {
  unsigned found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

Project::Project(std::string name) : folder_(new_folder()), source_(std::move(name)) {
  fs::create_directories(source());
  fs::create_directories(build());
}

void Project::write(const std::string& file, const std::string& text) {
  fs::create_directories((source() / file).parent_path());
  std::ofstream(source() / file, std::ios::binary) << text;
}

std::string Project::read(const fs::path& file) const {
  return os::read_file(file).value_or("");
}

Outcome Project::run(std::vector<std::string> command, const fs::path& directory,
                     const std::vector<std::string>& extra) const {
  os::Process process;
  process.arguments = {"/usr/bin/env",
                       "-u",
                       "HONE_MODE",
                       "-u",
                       "MAKEFLAGS",
                       "-u",
                       "CCACHE_DISABLE",
                       "-u",
                       "HONE_CACHE_URL",
                       "LC_ALL=C",
                       "XDG_CACHE_HOME=" + (folder() / "user cache").string(),
                       "XDG_CONFIG_HOME=" + (folder() / "user settings").string(),
                       "CCACHE_DIR=" + (folder() / "ccache").string()};
  process.arguments.insert(process.arguments.end(), extra.begin(), extra.end());
  process.arguments.insert(process.arguments.end(), command.begin(), command.end());
  process.directory = directory.string();
  process.timeout = std::chrono::minutes(5);
  Result<os::Exit> exit = os::PosixProcessRunner().run(process);
  if (!exit) return {-1, "", exit.error().message()};
  return {exit->code, exit->out, exit->err};
}

Outcome Project::configure(const std::string& generator, std::vector<std::string> options,
                           const fs::path& binary) const {
  std::vector<std::string> command = {"cmake",
                                      "-S",
                                      source().string(),
                                      "-B",
                                      or_build(binary).string(),
                                      "-G",
                                      generator,
                                      std::string("-DHone_DIR=") + HONE_PACKAGE};
  command.insert(command.end(), options.begin(), options.end());
  return run(command, folder());
}

Outcome Project::build_target(const std::string& target, const fs::path& binary,
                              const std::vector<std::string>& extra) const {
  return run({"cmake", "--build", or_build(binary).string(), "--target", target, "--", "-j2"}, folder(), extra);
}

Outcome Project::program(const std::string& name, const fs::path& binary) const {
  return run({(or_build(binary) / name).string()}, folder());
}

Outcome Project::compile(const std::string& file, std::vector<std::string> options, std::vector<std::string> flags,
                         const std::vector<std::string>& extra) const {
  std::vector<std::string> command = {HONE_PROGRAM, "cc"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", "g++", "-Wall", "-Wno-unknown-pragmas"});
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-c", (source() / file).string(), "-o", object(file).string()});
  return run(command, source(), extra);
}

Outcome Project::link_and_run(const std::vector<std::string>& files) const {
  std::vector<std::string> command = {"g++", "-o", (build() / "program").string()};
  for (const std::string& file : files) command.push_back(object(file).string());
  Outcome linked = run(command, source());
  return linked.ok() ? program("program") : linked;
}

std::string Project::key(const std::string& kernel, const fs::path& binary) const {
  Outcome listed = run({HONE_PROGRAM, "list", "-p", or_build(binary).string(), "--json"}, folder());
  nlohmann::json kernels = nlohmann::json::parse(listed.out, nullptr, false);
  if (kernels.is_object())
    for (const nlohmann::json& entry : kernels.value("kernels", nlohmann::json::array()))
      if (entry.value("name", "") == kernel) {
        compiled_with_[entry.value("key", "")] = entry.value("compiled_with", "");
        return entry.value("key", "");
      }
  ADD_FAILURE() << "hone list knows no kernel " << kernel << ":\n" << listed.all();
  return "";
}

std::string Project::key_of_file(const std::string& kernel, const std::string& file,
                                 std::vector<std::string> flags) const {
  std::vector<std::string> command = {"g++", "-Wall", "-Wno-unknown-pragmas"};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-c", (source() / file).string(), "-o", object(file).string()});
  return key_of_command(kernel, file, command);
}

void Project::write_database(const std::string& file, const std::vector<std::string>& command) const {
  nlohmann::json entry = {{"directory", source().string()},
                          {"file", (source() / file).string()},
                          {"output", object(file).string()},
                          {"arguments", command}};
  std::ofstream(build() / "compile_commands.json") << nlohmann::json::array({entry}).dump();
}

std::string Project::key_of_command(const std::string& kernel, const std::string& file,
                                    const std::vector<std::string>& command) const {
  write_database(file, command);
  std::string found = key(kernel);
  fs::remove(build() / "compile_commands.json");
  return found;
}

std::string Project::lock_variant(const std::string& kernel, const std::string& file, const std::string& key,
                                  const std::optional<std::string>& variant, const std::string& measured_on) const {
  cache::LockEntry entry;
  entry.name = kernel;
  entry.file = file;
  entry.key = key;
  if (const auto known = compiled_with_.find(key); known != compiled_with_.end()) entry.compiled_with = known->second;
  entry.target = measured_on.empty() ? "x86_64" : "cuda compute_80 compute_90 sm_80 sm_90";
  entry.measured_on = measured_on;
  if (variant) {
    cache::Store store({{source() / "hone", true}}, [](const std::string& warning) { ADD_FAILURE() << warning; });
    Result<cache::Digest> digest = store.put_blob(cache::bound_blob(*variant, key));
    if (!digest)
      ADD_FAILURE() << digest.error().message();
    else
      entry.variant = *digest;
  }
  Result<void> written = cache::LockFile::update(lock(), [&](cache::LockFile& lock) { lock.put(entry); });
  if (!written) ADD_FAILURE() << written.error().message();
  return entry.variant.value_or("");
}

}  // namespace hone::tests
