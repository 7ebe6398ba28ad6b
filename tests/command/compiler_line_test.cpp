#include "tool/command/compiler_line.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tool/command/nvcc_options.h"
#include "tool/os/files/files.h"

namespace hone {
namespace {

std::optional<CompilerLine> read(const std::string& words) {
  std::vector<std::string> arguments;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) arguments.push_back(word);
  return read_compiler_line(arguments);
}

// "compiler source output depfile", what matters of a line.
std::string summary(const std::string& words) {
  std::optional<CompilerLine> line = read(words);
  if (!line) return "no compile";
  return line->arguments[line->compiler] + " " + line->arguments[line->source] + " " + line->output + " " +
         (line->depfile.empty() ? "-" : line->depfile);
}

TEST(CompilerLine, ReadsCMakeCommand) {
  EXPECT_EQ(summary("/usr/bin/c++ -DX -I inc -O3 -MD -MT a.cpp.o -MF a.cpp.o.d -o dir/a.cpp.o -c /src/a.cpp"),
            "/usr/bin/c++ /src/a.cpp dir/a.cpp.o a.cpp.o.d");
}

TEST(CompilerLine, FindsCompilerAfterLaunchers) {
  EXPECT_EQ(summary("ccache g++ -c a.cpp -o a.o"), "g++ a.cpp a.o -");
  EXPECT_EQ(summary("env A=1 sccache clang++ -c a.cpp"), "clang++ a.cpp a.o -");
  EXPECT_EQ(summary("g++ a.cpp -c"), "g++ a.cpp a.o -");
  EXPECT_EQ(summary("nice -n 5 ccache --config-path=c g++-12 -c a.cpp"), "g++-12 a.cpp a.o -");
  EXPECT_EQ(summary("distcc -j4 /opt/aarch64-linux-gnu-g++ -c a.cpp"), "/opt/aarch64-linux-gnu-g++ a.cpp a.o -");
  EXPECT_EQ(summary("hone cc --lock cc -- ccache clang++ -c a.cpp"), "clang++ a.cpp a.o -");
  EXPECT_EQ(summary("ccache hone cc -- g++ -c a.cpp"), "g++ a.cpp a.o -");
  EXPECT_EQ(summary("my_compiler -x c++ -c cc"), "my_compiler cc cc.o -");
}

TEST(SourcesLine, DividesCompileOfSeveralSources) {
  const auto line = read_sources_line({"g++", "-O2", "-c", "a.cpp", "-I", "b.cpp", "c.cc"});
  ASSERT_TRUE(line && line->apart);
  ASSERT_EQ(line->sources.size(), 2u);
  EXPECT_EQ(line->command_for(line->sources[1]), (std::vector<std::string>{"g++", "-O2", "-c", "-I", "b.cpp", "c.cc"}));
}

TEST(SourcesLine, IsWhatMakesSomethingOfSourcesAndNoObjectOfOne) {
  EXPECT_FALSE(read_sources_line({"g++", "-c", "a.cpp"}));
  EXPECT_FALSE(read_sources_line({"g++", "a.o", "b.o", "-o", "app"}));
  EXPECT_FALSE(read_sources_line({"g++", "-E", "a.cpp", "b.cpp"}));
  for (const std::vector<std::string>& linked :
       std::vector<std::vector<std::string>>{{"g++", "a.cpp", "-o", "app"},
                                             {"g++", "-c", "a.cpp", "b.cpp", "-o", "both.o"},
                                             {"nvcc", "-c", "a.cu", "b.cu"}}) {
    const auto line = read_sources_line(linked);
    EXPECT_TRUE(line && !line->apart) << linked.back();
  }
}

TEST(CompilerLine, DerivesOutputNamesAsCompilerDoes) {
  EXPECT_EQ(summary("g++ -c src/a.b.cpp"), "g++ src/a.b.cpp a.b.o -");
  EXPECT_EQ(summary("g++ -S src/a.cpp"), "g++ src/a.cpp a.s -");
  EXPECT_EQ(summary("g++ -c src/a.cpp -MD"), "g++ src/a.cpp a.o a.d");
  EXPECT_EQ(summary("g++ -c a.cpp -MMD -o out/a.cpp.o"), "g++ a.cpp out/a.cpp.o out/a.cpp.d");
  EXPECT_EQ(summary("g++ -c a.cpp -oout/a.o -MMD -MFdeps"), "g++ a.cpp out/a.o deps");
  EXPECT_EQ(summary("g++ -c a.cpp -Wp,-MD,deps.d"), "g++ a.cpp a.o deps.d");
  EXPECT_EQ(summary("g++ -c a.cpp -Wp,-MMD,-MF,deps.d,-DX"), "g++ a.cpp a.o deps.d");
}

TEST(CompilerLine, KnowsLanguageByNamesAndWords) {
  const auto language = [](const std::string& words) { return read(words).value().language; };
  EXPECT_EQ(language("gcc -c a.c"), SourceLanguage::c);
  EXPECT_EQ(language("/usr/bin/aarch64-linux-gnu-gcc-12 -c a.c"), SourceLanguage::c);
  EXPECT_EQ(language("ccache clang-19 -c a.c"), SourceLanguage::c);
  EXPECT_EQ(language("g++ -c a.c"), SourceLanguage::c_plus_plus);
  EXPECT_EQ(language("/opt/bin/clang++-19 -c a.c"), SourceLanguage::c_plus_plus);
  EXPECT_EQ(language("gcc -c a.cc"), SourceLanguage::c_plus_plus);
  EXPECT_EQ(language("gcc -c a.C"), SourceLanguage::c_plus_plus);
  EXPECT_EQ(language("g++ -x c -c a.cpp"), SourceLanguage::c);
  EXPECT_EQ(language("gcc -xc++ -c a.c"), SourceLanguage::c_plus_plus);
  EXPECT_EQ(language("gcc -x c++ -x none -c a.c"), SourceLanguage::c);
  EXPECT_EQ(language("nvcc -c a.cu"), SourceLanguage::cuda);
}

TEST(CompilerLine, IgnoresCommandsWithoutSingleSource) {
  EXPECT_EQ(summary("g++ a.o b.o -o app"), "no compile");
  EXPECT_EQ(summary("g++ a.cpp -o app"), "no compile");
  EXPECT_EQ(summary("g++ -E a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -E -c a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -M -c a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -fsyntax-only -c a.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -c a.cpp b.cpp"), "no compile");
  EXPECT_EQ(summary("g++ -x c++-header -c pch.hxx"), "no compile");
  EXPECT_EQ(summary("g++ -x c++-header -o a.gch -c cmake_pch.hxx.cxx"), "no compile");
  EXPECT_EQ(summary("g++ -c -x c++ -"), "no compile");
  EXPECT_EQ(summary("g++ --version"), "no compile");
  EXPECT_EQ(summary("g++"), "no compile");
  EXPECT_EQ(summary(""), "no compile");
}

TEST(CompilerLine, DoesNotMistakeOptionValueForSource) {
  EXPECT_EQ(summary("g++ -include pre.cpp -D x.cpp -MT y.cpp -c a.cpp"), "g++ a.cpp a.o -");
  EXPECT_EQ(summary("clang++ -Xclang -include-pch -Xclang p.cpp -c a.cpp"), "clang++ a.cpp a.o -");
}

TEST(CompilerLine, FollowsExplicitLanguage) {
  EXPECT_EQ(summary("g++ -x c++ -c a.txt"), "g++ a.txt a.o -");
  EXPECT_EQ(summary("nvcc -x cu -c a.cu -o a.o"), "nvcc a.cu a.o -");
  EXPECT_EQ(summary("g++ -x c -c a.txt"), "g++ a.txt a.o -");
}

TEST(CompilerLine, ReadsCMakeCommandForNvcc) {
  EXPECT_EQ(summary("/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DX -isystem=/inc -O3 "
                    "--generate-code=arch=compute_90,code=[compute_90,sm_90] -Xcompiler=-fPIC -MD -MT a.cu.o "
                    "-MF a.cu.o.d -x cu -rdc=true -c /src/a.cu -o dir/a.cu.o"),
            "/usr/local/cuda/bin/nvcc /src/a.cu dir/a.cu.o a.cu.o.d");
  EXPECT_EQ(summary("ccache nvcc -ccbin g++-12 -x cu -dc a.cu -o a.o"), "nvcc a.cu a.o -");
}

TEST(CompilerLine, ReadsNvccOptionsByNvccRules) {
  EXPECT_EQ(summary("nvcc -G -c a.cu"), "nvcc a.cu a.o -");  // GCC's -G takes a value
  EXPECT_EQ(summary("nvcc --output-file out/a.o --compile a.cu -MMD"), "nvcc a.cu out/a.o out/a.d");
  EXPECT_EQ(summary("nvcc --maxrregcount 32 -gencode arch=compute_80,code=sm_80 -diag-suppress 177 -c a.cu"),
            "nvcc a.cu a.o -");
  EXPECT_EQ(summary("nvcc -Xcompiler -include,x.cpp -Iinc -DA -l b -c a.cu --dependency-output=deps -MD"),
            "nvcc a.cu a.o deps");
  EXPECT_EQ(summary("nvcc -x=cu -c a.txt -o=a.o"), "nvcc a.txt a.o -");
}

TEST(CompilerLine, IgnoresNvccCommandsWithoutObject) {
  for (const char* words :
       {"nvcc -ptx a.cu -o a.ptx", "nvcc --cubin a.cu", "nvcc -E a.cu", "nvcc -M -c a.cu", "nvcc -dlink a.o -o b.o",
        "nvcc a.cu -o app", "nvcc -shared a.o -o a.so", "nvcc --version", "nvcc -c a.cu b.cu", "nvcc -x c -c a.c"})
    EXPECT_EQ(summary(words), "no compile") << words;
}

TEST(CompilerLine, ReadsNvccOptionsFiles) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-line");
  ASSERT_TRUE(folder);
  const std::string includes = (folder->path() / "includes.rsp").string();
  std::ofstream(includes) << "-I\"a b\" -isystem=/inc\n";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--options-file", includes}, {"-optf=" + includes}, {"-optf", includes + ","}}) {
    std::vector<std::string> arguments{"nvcc"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    arguments.insert(arguments.end(), {"-c", "a.cu", "-o", "a.o"});
    std::optional<CompilerLine> line = read_compiler_line(arguments);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->arguments, (std::vector<std::string>{"nvcc", "-Ia b", "-isystem=/inc", "-c", "a.cu", "-o", "a.o"}));
  }
  // One that cannot be read is nvcc's to complain of.
  std::optional<CompilerLine> line = read_compiler_line({"nvcc", "--options-file", "/no/such", "-c", "a.cu"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->arguments, (std::vector<std::string>{"nvcc", "--options-file", "/no/such", "-c", "a.cu"}));
}

TEST(NvccOptions, SplitsListsAtCommasOutsideQuotes) {
  EXPECT_EQ(nvcc_list("-iquote,\"/a, b\",-O2,,x\\,y"),
            (std::vector<std::string>{"-iquote", "\"/a, b\"", "-O2", "x\\,y"}));
  EXPECT_EQ(nvcc_host_word("/a, b"), "\"/a, b\"");
  EXPECT_EQ(nvcc_host_word("/a$b"), "") << "a shell would read it";
}

TEST(CompilerLine, ReadsResponseFiles) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-line");
  ASSERT_TRUE(folder);
  std::string inner = (folder->path() / "inner.rsp").string(), outer = (folder->path() / "outer.rsp").string();
  std::ofstream(inner) << "-c 'with space.cpp'\n";
  std::ofstream(outer) << "-DNAME=\\\"x\\\" -I\"a b\" @" << inner;
  std::optional<CompilerLine> line = read_compiler_line({"g++", "@" + outer, "-o", "x.o"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->arguments,
            (std::vector<std::string>{"g++", "-DNAME=\"x\"", "-Ia b", "-c", "with space.cpp", "-o", "x.o"}));
  EXPECT_EQ(line->arguments[line->source], "with space.cpp");
}

TEST(CompilerLine, RejectsResponseFileThatIncludesItself) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::create("hone-line");
  ASSERT_TRUE(folder);
  std::string self = (folder->path() / "self.rsp").string();
  std::ofstream(self) << "-c a.cpp @" << self;
  EXPECT_FALSE(read_compiler_line({"g++", "@" + self}));
}

}  // namespace
}  // namespace hone
