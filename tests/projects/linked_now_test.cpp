// What `hone cc` leaves in objects, and what `hone list` makes of it. Nothing is tuned: locks are written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/projects/project.h"
#include "tool/base/elf.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTwo = R"(namespace app {
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
}
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void shift(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] += 1;
}
int main() { return 0; }
)";
constexpr const char* kTriple = "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}\n";

class LinkedNow : public testing::Test {
 protected:
  void SetUp() override { project.write("two.cpp", kTwo); }

  std::string lock(const std::optional<std::string>& variant) const {
    return project.lock_variant("app::scale", "two.cpp", project.key_of_file("app::scale", "two.cpp"), variant);
  }
  Outcome hone(std::vector<std::string> words) const {
    words.insert(words.begin(), HONE_PROGRAM);
    return project.run(words, project.source());
  }
  json binary(const fs::path& file) const {
    const Outcome listed = hone({"list", "--json", "--binary", file.string()});
    EXPECT_TRUE(listed.ok()) << listed.all();
    return json::parse(listed.out)["binaries"][0]["units"][0]["kernels"];
  }
  // "app::scale stale", "shift untuned"
  std::vector<std::string> in_object() const {
    std::vector<std::string> words;
    for (const json& kernel : binary(project.object("two.cpp")))
      words.push_back(kernel["name"].get<std::string>() + " " +
                      (kernel["variant"].is_null() ? kernel["reason"].get<std::string>() : "variant"));
    return words;
  }
  Outcome list(std::vector<std::string> words) const {
    project.write_database("two.cpp",
                           {"g++", "-Wall", "-Wno-unknown-pragmas", "-c", (project.source() / "two.cpp").string(), "-o",
                            project.object("two.cpp").string()});
    words.insert(words.begin(), {"list", "-p", project.build().string()});
    return hone(words);
  }
  json listed(const std::string& kernel) const {
    const Outcome listed = list({"--json", kernel});
    EXPECT_TRUE(listed.ok()) << listed.all();
    return json::parse(listed.out)["kernels"][0];
  }

  Project project;
};

TEST_F(LinkedNow, NamesVariantAndWhyOriginalsStay) {
  const std::string digest = lock(kTriple);
  ASSERT_TRUE(project.compile("two.cpp").ok());
  EXPECT_THAT(in_object(), ElementsAre("app::scale variant", "shift untuned"));
  const json scale = binary(project.object("two.cpp"))[0];
  EXPECT_EQ(scale["variant"], digest);
  EXPECT_EQ(scale["file"], "two.cpp");
  EXPECT_EQ(scale["key"], project.key_of_file("app::scale", "two.cpp"));

  const Outcome table = hone({"list", "--binary", project.object("two.cpp").string(), "scale"});
  EXPECT_THAT(table.out, HasSubstr("app::scale  variant  " + digest.substr(0, 12)));
  EXPECT_THAT(table.out, Not(HasSubstr("shift")));
}

TEST_F(LinkedNow, SaysEachReason) {
  lock(std::nullopt);
  ASSERT_TRUE(project.compile("two.cpp").ok());
  EXPECT_EQ(in_object()[0], "app::scale kept");

  const std::string digest = lock(kTriple);
  fs::rename(project.blob(digest), project.source() / "aside");
  ASSERT_TRUE(project.compile("two.cpp").ok());
  EXPECT_EQ(in_object()[0], "app::scale missing");
  fs::rename(project.source() / "aside", project.blob(digest));

  ASSERT_TRUE(project.compile("two.cpp", {}, {"-O2"}).ok());
  EXPECT_EQ(in_object()[0], "app::scale elsewhere");

  std::string edited = kTwo;
  edited.replace(edited.find("*= 2"), 4, "*= 4");
  project.write("two.cpp", edited);
  ASSERT_TRUE(project.compile("two.cpp").ok());
  EXPECT_EQ(in_object()[0], "app::scale stale");
  project.write("two.cpp", kTwo);

  lock("void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] = no_such_name;\n}\n");
  ASSERT_TRUE(project.compile("two.cpp").ok());
  EXPECT_THAT(in_object()[0], testing::AnyOf("app::scale uncompilable", "app::scale refused"));

  const std::string text = project.read(project.lock());
  project.write("hone.lock", "{");
  ASSERT_TRUE(project.compile("two.cpp").ok());
  EXPECT_THAT(in_object(), ElementsAre("app::scale unreadable", "shift unreadable"));
}

TEST_F(LinkedNow, LeavesNothingInModeOffAndCodeAsItIs) {
  ASSERT_TRUE(project.compile("two.cpp", {"--mode", "off"}, {"-O2"}).ok());
  const std::string off = project.read(project.object("two.cpp"));
  ASSERT_TRUE(project.compile("two.cpp", {}, {"-O2"}).ok());
  const std::string noted = project.read(project.object("two.cpp"));
  const auto code = [](const std::string& object) {
    for (const ElfSection& section : elf_sections(object))
      if (section.name == ".text") return object.substr(section.offset, section.size);
    return std::string();
  };
  EXPECT_EQ(code(off), code(noted));
  EXPECT_THAT(off, Not(HasSubstr("Hone")));
  ASSERT_TRUE(project.compile("two.cpp", {"--mode", "off"}, {"-O2"}).ok());
  const Outcome none = hone({"list", "--binary", project.object("two.cpp").string()});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("it says nothing of kernels"));
}

TEST_F(LinkedNow, ComparesWithWhatTheNextBuildLinks) {
  EXPECT_EQ(listed("app::scale")["now"]["linked"], nullptr);
  EXPECT_THAT(listed("app::scale")["now"]["why"].get<std::string>(), HasSubstr("its object is not there"));

  ASSERT_TRUE(project.compile("two.cpp").ok());
  json scale = listed("app::scale");
  EXPECT_EQ(scale["now"]["linked"], "original");
  EXPECT_EQ(scale["now"]["reason"], "untuned");
  EXPECT_EQ(scale["next"], "");

  const std::string digest = lock(kTriple);
  scale = listed("app::scale");
  EXPECT_EQ(scale["linked"], true) << "by the next build";
  EXPECT_EQ(scale["now"]["linked"], "original");
  EXPECT_EQ(scale["next"], "the locked variant");
  EXPECT_EQ(scale["variants"], json({digest}));
  EXPECT_THAT(list({}).out,
              HasSubstr("'app::scale' is linked as the original (it was not tuned); the next build links the locked "
                        "variant"));

  ASSERT_TRUE(project.compile("two.cpp").ok());
  scale = listed("app::scale");
  EXPECT_EQ(scale["now"]["variants"], json({digest}));
  EXPECT_EQ(scale["next"], "");

  std::string edited = kTwo;
  edited.replace(edited.find("*= 2"), 4, "*= 4");
  project.write("two.cpp", edited);
  scale = listed("app::scale");
  EXPECT_EQ(scale["state"], "stale");
  EXPECT_EQ(scale["now"]["linked"], "variant");
  EXPECT_EQ(scale["next"], "the original");
}

// A header's kernel is in every object that includes it.
TEST_F(LinkedNow, NamesOtherObjectsThatHaveAnotherVersion) {
  project.write("two.h", std::string("#include <cstddef>\n") + kTwo);
  std::string header = project.read(project.source() / "two.h");
  header = header.substr(0, header.find("int main"));
  for (std::size_t at = 0; (at = header.find("void ", at)) != std::string::npos; at += 12) header.insert(at, "inline ");
  project.write("two.h", header);
  json database = json::array();
  for (const std::string name : {"a.cpp", "b.cpp"}) {
    project.write(
        name, "#include \"two.h\"\nvoid use_" + name.substr(0, 1) + "(float* x) { app::scale(x, 1); shift(x, 1); }\n");
    ASSERT_TRUE(project.compile(name).ok());
    database.push_back(
        {{"directory", project.source().string()},
         {"file", (project.source() / name).string()},
         {"output", project.object(name).string()},
         {"arguments", {"g++", "-Wall", "-Wno-unknown-pragmas", "-c", name, "-o", project.object(name).string()}}});
  }
  const auto list_both = [&](std::vector<std::string> words) {
    std::ofstream(project.build() / "compile_commands.json") << database.dump();
    words.insert(words.begin(), {"list", "-p", project.build().string()});
    return hone(words);
  };
  json scale = json::parse(list_both({"--json", "app::scale"}).out)["kernels"][0];
  ASSERT_EQ(scale["also"].size(), 1u) << scale;
  EXPECT_EQ(scale["also"][0]["object"], project.object("b.cpp").string());
  EXPECT_EQ(scale["also"][0]["reason"], "untuned");

  std::string variant = kTriple;
  project.lock_variant("app::scale", "two.h", scale["key"], "inline " + variant);
  ASSERT_TRUE(project.compile("a.cpp").ok());
  const Outcome table = list_both({});
  EXPECT_THAT(table.out,
              HasSubstr("in " + project.object("b.cpp").string() + " 'app::scale' is the original (it was not tuned)"));
}

TEST_F(LinkedNow, TellsHowObjectOfModeOffIsCompiledAnew) {
  const fs::path source = project.source() / "two.cpp";
  ASSERT_TRUE(project.compile("two.cpp", {"--mode", "off"}).ok());
  fs::last_write_time(source, fs::last_write_time(project.object("two.cpp")) - std::chrono::seconds(1));
  EXPECT_THAT(list({}).out, HasSubstr("touch " + source.string() + " and build it"));
  fs::last_write_time(source, fs::last_write_time(project.object("two.cpp")) + std::chrono::seconds(1));
  EXPECT_THAT(list({}).out, testing::AllOf(HasSubstr("; build it"), Not(HasSubstr("touch"))));
}

TEST_F(LinkedNow, TellsKernelOfCFromThatOfCxxInOneHeader) {
  project.write("both.h",
                "#pragma hone kernel inout(x[0:n]) problem(n=1000)\n"
                "static inline void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 2;\n}\n");
  json database;
  for (const auto& [name, compiler] : {std::pair{"a.c", "gcc"}, {"b.cpp", "g++"}}) {
    project.write(name, "#include \"both.h\"\n");
    database.push_back({{"directory", project.source().string()},
                        {"file", (project.source() / name).string()},
                        {"arguments", {compiler, "-O2", "-c", name, "-o", project.object(name).string()}}});
  }
  std::ofstream(project.build() / "compile_commands.json") << database.dump();
  EXPECT_THAT(hone({"list", "-p", project.build().string()}).out,
              testing::AllOf(HasSubstr("gcc -O2, gnu17"), HasSubstr("gcc -O2, gnu++17")));
}

TEST_F(LinkedNow, IsInProgramsAndBesideOtherOutputs) {
  lock(kTriple);
  const std::vector<std::string> hone_cc{HONE_PROGRAM, "cc", "--"};
  const auto through = [&](std::vector<std::string> words) {
    words.insert(words.begin(), hone_cc.begin(), hone_cc.end());
    return project.run(words, project.source());
  };
  ASSERT_TRUE(through({"g++", "-O2", "two.cpp", "-o", "program"}).ok());
  EXPECT_EQ(binary(project.source() / "program").size(), 2u);
  ASSERT_TRUE(project.run({"strip", "program"}, project.source()).ok());
  EXPECT_EQ(binary(project.source() / "program").size(), 2u);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"g++", "-S", "two.cpp", "-o", "two.s"},
                                             {"g++", "-E", "two.cpp", "-o", "two.ii"},
                                             {"g++", "-fsyntax-only", "two.cpp"},
                                             {"g++", "-M", "two.cpp"},
                                             {"g++", "-flto", "-c", "two.cpp", "-o", "two.o"}}) {
    const Outcome compiled = through(words);
    EXPECT_TRUE(compiled.ok()) << words[1] << compiled.all();
  }
  ASSERT_TRUE(project.run({"g++", "-flto", "two.o", "-o", "program"}, project.source()).ok());
  EXPECT_EQ(binary(project.source() / "program").size(), 2u);
}

TEST_F(LinkedNow, NamesWhatCannotBeReadOnce) {
  project.write("text", "no object\n");
  const Outcome text = hone({"list", "--binary", "text"});
  EXPECT_EQ(text.code, 3);
  EXPECT_EQ(text.err, "hone: text: it is no ELF file\n");
  EXPECT_EQ(hone({"list", "--binary", "gone"}).code, 3);
  EXPECT_EQ(hone({"list", "--binary", "."}).code, 3);
  EXPECT_EQ(hone({"list", "--binary"}).code, 2);
}

}  // namespace
}  // namespace hone::tests
