// A translation unit written in a test: a real folder with files, parsed by the real Clang.
//
// A main file called *.cu is compiled by nvcc, as CMake asks it to, and *.c by gcc.
// Marks in the text: `^name^` stands for a place and is taken out (at("name") gives its line and column).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tool/frontend/find/kernel_finder.h"
#include "tool/os/files/files.h"

namespace hone::frontend {

inline constexpr const char* kNvcc = "/usr/local/cuda/bin/nvcc";

class Snippet {
 public:
  explicit Snippet(std::string marked, std::vector<std::string> flags = {"-std=c++17"}, std::string main = "main.cpp");

  Snippet& with_file(const std::string& name, const std::string& content);
  Snippet& with_flags(std::vector<std::string> flags);
  void rewrite_main(std::string marked);

  CompileCommand command() const;
  std::pair<unsigned, unsigned> at(const std::string& mark) const;  // line, column
  const std::string& text() const { return text_; }
  std::filesystem::path folder() const { return folder_->path(); }

  FoundKernels find(bool units = true) const;             // asserts that Clang could parse it
  KernelSpec kernel(const std::string& name = "") const;  // the only one, or the one of that name
  std::vector<std::string> complaints() const;            // "line:column: message"
  std::string key() const;

 private:
  // CUDA snippets of one file that come after each other have the same folder: parsers of one process share what they
  // precompiled for the same command, and CUDA's headers take the most time.
  using Folder = std::unique_ptr<os::TemporaryFolder>;
  struct GiveBack {
    std::shared_ptr<std::vector<Folder>> to;  // outlives statics; null: the folder is not used again
    void operator()(os::TemporaryFolder* folder) const;
  };
  static std::shared_ptr<std::vector<Folder>> free_folders();
  static Folder some_folder();
  std::unique_ptr<os::TemporaryFolder, GiveBack> folder_;
  std::vector<std::string> flags_;
  std::string main_;
  std::string text_;
  std::map<std::string, std::pair<unsigned, unsigned>> marks_;
};

}  // namespace hone::frontend
