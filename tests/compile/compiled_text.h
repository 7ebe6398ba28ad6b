// A text as the compilers that are here make an object of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tool/os/files/files.h"
#include "tool/os/process/environment.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

inline std::string compiled(const std::string& program, const std::string& text, std::vector<std::string> flags = {}) {
  const auto folder = os::TemporaryFolder::create("hone-compiled-text");
  const auto source = folder->path() / "text.cpp", object = folder->path() / "text.o";
  EXPECT_TRUE(os::write_file_atomically(source, text));
  os::Process process;
  process.arguments = {program, "-std=c++17", "-O2", "-fPIC", "-w"};
  process.arguments.insert(process.arguments.end(), flags.begin(), flags.end());
  process.arguments.insert(process.arguments.end(), {"-c", source, "-o", object});
  const auto exit = os::PosixProcessRunner().run(process);
  EXPECT_TRUE(exit && exit->ok()) << (exit ? exit->err : exit.error().message()) << text;
  return os::read_file(object).value_or("");
}

// Those of them that are installed.
inline std::vector<std::string> compilers() {
  std::vector<std::string> found;
  const char* path = std::getenv("PATH");
  for (const char* program : {"g++", "clang++-19"})  // not run: each process of these tests asks a dozen times
    if (os::find_installed_program(program, path ? path : "")) found.emplace_back(program);
  return found;
}

}  // namespace hone::compile
