#include "tool/frontend/parse/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

CompileCommand command_with(std::vector<std::string> arguments) {
  CompileCommand command;
  command.directory = std::filesystem::temp_directory_path();
  command.file = command.directory + "/snippet.cpp";
  command.arguments = std::move(arguments);
  return command;
}

std::vector<std::string> error_texts(const Parsed& parsed) {
  std::vector<std::string> texts;
  for (const Message& error : parsed.errors()) texts.push_back(error.file + ": " + error.text);
  return texts;
}

CompileCommand plain() {
  return command_with({"g++", "-O2", "-c", "snippet.cpp", "-o", "snippet.o"});
}

const clang::FunctionDecl* find(const Parsed& parsed, std::string_view name) {
  for (const clang::Decl* declaration : parsed.context().getTranslationUnitDecl()->decls())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      if (function->getNameAsString() == name) return function;
  return nullptr;
}

TEST(Parse, ParsesTextFromMemory) {
  auto parser = Parser::create(plain(), {});
  ASSERT_TRUE(parser) << parser.error().message();
  auto parsed = parser->parse("int twice(int x) { return 2 * x; }\n");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_THAT(error_texts(**parsed), testing::IsEmpty());
  ASSERT_NE(find(**parsed, "twice"), nullptr);
}

TEST(Parse, ParsesChangedTextsBehindSamePrologue) {
  auto parser = Parser::create(plain(), {});
  ASSERT_TRUE(parser);
  const std::string prologue = "#line 1 \"snippet.cpp\"\n#include <cmath>\n#include <vector>\n#define TWO 2\n";
  for (int i = 0; i < 4; ++i) {
    const std::string name = "f" + std::to_string(i);
    auto parsed = parser->parse(prologue + "float " + name + "(float x) { return std::sqrt(x) * TWO; }\n");
    ASSERT_TRUE(parsed);
    EXPECT_THAT(error_texts(**parsed), testing::IsEmpty());
    const clang::FunctionDecl* function = find(**parsed, name);
    ASSERT_NE(function, nullptr);
    EXPECT_TRUE(function->hasBody());
  }
}

// The units of one file's kernels, and a candidate that includes once more what they do.
TEST(Parse, PrecompilesWhatUnitsShareAlone) {
  const auto precompiled = [](const std::string& text, const CompileCommand& command = plain()) {
    auto parser = Parser::create(command, {});
    const auto parsed = parser->parse(text);
    const clang::FileID prologue = (*parsed)->sources().getPreambleFileID();
    return prologue.isValid() ? (*parsed)->sources().getBufferData(prologue).str() : std::string();
  };
  const std::string shared = "#line 1 \"snippet.cpp\"\n#include <cmath>\n";
  EXPECT_EQ(precompiled(shared + "\n    \n#line 7 \"snippet.cpp\"\nint f();\n"), shared);
  EXPECT_EQ(precompiled(shared + "#line 1 \"<candidate>\"\n#include <cmath>\nint g();\n"), shared);
  const std::string nothing = "#line 1 \"snippet.cpp\"\n";
  EXPECT_EQ(precompiled(nothing + "int h();\n", command_with({"g++", "-include", "cmath", "-c", "snippet.cpp"})),
            nothing)
      << "the command's own includes, as CUDA's are";
  EXPECT_EQ(precompiled("// A remark.\n#define ONE 1\nint h() { return ONE; }\n"), "") << "reading it is faster";
}

// Parsers of one command share what is precompiled, as long as its files are the same.
TEST(Parse, ReadsChangedHeaderOfSharedPrologue) {
  const auto folder = os::TemporaryFolder::create("hone-parse").value();
  CompileCommand command = plain();
  command.directory = folder.path();
  command.file = command.directory + "/snippet.cpp";
  const auto errors_with = [&](const std::string& header) {
    EXPECT_TRUE(os::write_file_atomically(folder.path() / "shared.h", header));
    Parser parser = Parser::create(command, Options{}).value();
    return error_texts(*parser.parse("#include \"shared.h\"\nint x = value;\n").value());
  };
  EXPECT_THAT(errors_with("const int value = 1;\n"), testing::IsEmpty());
  EXPECT_THAT(errors_with("const int value = 22;\n"), testing::IsEmpty());
  EXPECT_THAT(errors_with("const int other = 333;\n"),
              testing::ElementsAre(testing::HasSubstr("undeclared identifier 'value'")));
}

TEST(Parse, ReportsErrorsAtPresumedLine) {
  auto parser = Parser::create(plain(), {});
  ASSERT_TRUE(parser);
  auto parsed = parser->parse("#line 40 \"other.cpp\"\nint f() { return  nowhere; }\n");
  ASSERT_TRUE(parsed);
  ASSERT_EQ((*parsed)->errors().size(), 1u);
  const Message& error = (*parsed)->errors().front();
  EXPECT_EQ(error.file, "other.cpp");
  EXPECT_EQ(error.line, 40u);
  EXPECT_EQ(error.column, 19u);
  EXPECT_EQ(error.text, "use of undeclared identifier 'nowhere'");
  EXPECT_EQ(error.source_line, "int f() { return  nowhere; }");
}

TEST(Parse, ReadsIncludesFromOverlay) {
  CompileCommand command = plain();
  Parser::Settings settings;
  settings.overlay[command.directory + "/only_in_memory.h"] = "inline int seven() { return 7; }\n";
  auto parser = Parser::create(command, {}, settings);
  ASSERT_TRUE(parser);
  auto parsed = parser->parse("#include \"only_in_memory.h\"\nint f() { return seven(); }\n");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(error_texts(**parsed), testing::IsEmpty());
}

TEST(Parse, IgnoresOptionsThatOnlyGccKnows) {
  auto parser = Parser::create(command_with({"/usr/bin/ccache",
                                             "/usr/bin/c++",
                                             "-fno-tree-vectorize",
                                             "-fivopts",
                                             "-mno-such-thing",
                                             "-fconserve-stack",
                                             "-Werror",
                                             "-Wall",
                                             "-Wno-maybe-uninitialized",
                                             "-fopenmp",
                                             "-march=native",
                                             "--param",
                                             "max-unroll=3",
                                             "-MD",
                                             "-MT",
                                             "x",
                                             "-MF",
                                             "x.d",
                                             "-std=gnu++20",
                                             "-o",
                                             "x.o",
                                             "-c",
                                             "snippet.cpp"}),
                               {});
  ASSERT_TRUE(parser) << parser.error().message();
  auto parsed = parser->parse(
      "#include <omp.h>\n#include <immintrin.h>\nint unused() { int y; return omp_get_max_threads(); }\n");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(error_texts(**parsed), testing::IsEmpty());
  EXPECT_EQ(parser->main_file(), "snippet.cpp");
}

TEST(Parse, FindsHeadersOfGccItselfInC) {
  CompileCommand command = command_with({"gcc", "-fopenmp", "-c", "snippet.c"});
  command.file = command.directory + "/snippet.c";
  auto parser = Parser::create(command, {});
  ASSERT_TRUE(parser) << parser.error().message();
  auto parsed =
      parser->parse("#include <omp.h>\n#include <stddef.h>\nint most(void) { return omp_get_max_threads(); }\n");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(error_texts(**parsed), testing::IsEmpty());
}

TEST(Parse, FallsBackToGenericProcessorWhenMarchIsUnknown) {
  auto parser = Parser::create(command_with({"g++", "-march=from-the-future", "-c", "snippet.cpp"}), {});
  ASSERT_TRUE(parser) << parser.error().message();
  EXPECT_TRUE(parser->parse("int x;\n"));
}

}  // namespace
}  // namespace hone::frontend
