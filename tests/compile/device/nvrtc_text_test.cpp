#include "tool/compile/device/nvrtc_text.h"

#include <gtest/gtest.h>

namespace hone::compile {
namespace {

FrozenUnit unit(const std::string& prologue) {
  FrozenUnit unit;
  unit.prologue = prologue;
  unit.opening = "namespace a {\n";
  unit.definition = "__global__ void f();";
  unit.definition_line = 9;
  unit.file = "/src/a.cu";
  unit.closing_and_harness = "}\nvoid hone_call();\n";
  unit.device_closing = "}\n";
  return unit;
}

TEST(NvrtcText, PutsFirstIncludesBeforeLineDirectives) {
  EXPECT_EQ(device_text(unit("#line 1 \"/src/a.cu\"\n// A kernel.\n#include <a.h>\n#line 5 \"/src/a.cu\"\n/* of two\n"
                             "lines */\n#define A \\\n  1\n#include \"b.h\"\nint x;\n#include <late.h>\n"),
                        "__global__ void f() {}\n"),
            "// A kernel.\n#include <a.h>\n/* of two\nlines */\n#define A \\\n  1\n#include \"b.h\"\n"
            "#pragma nv_hdrstop\n#line 10 \"/src/a.cu\"\nint x;\n#include <late.h>\n"
            "namespace a {\n#line 1 \"candidate\"\n__global__ void f() {}\n}\n");
}

TEST(NvrtcText, LeavesUnitWithoutFirstIncludes) {
  const std::string prologue = "#line 1 \"/src/a.cu\"\nint x;\n#include <a.h>\n";
  EXPECT_FALSE(includes_first(unit(prologue)));
  EXPECT_EQ(device_text(unit(prologue), "__global__ void f();"),
            prologue + "namespace a {\n#line 9 \"/src/a.cu\"\n__global__ void f();\n}\n");
}

TEST(NvrtcText, PadsMarkToLengthOfNvccMark) {
  const std::string text = device_text(unit("#include <a.h>\n"), "__global__ void f();", "e3b9276c_7_unit_cu_dc40846c");
  EXPECT_EQ(text.substr(0, text.find("namespace")),
            "#include <a.h>\n#pragma nv_hdrstop\nextern \"C\" __device__ void hone_mar() {}\n");
}

}  // namespace
}  // namespace hone::compile
