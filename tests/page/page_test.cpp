// The page as a file: what holds whatever the data are.
#include "tool/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool/os/files/files.h"
#include "tool/page/embedded_assets.h"

namespace hone::page {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string markup = "</script><script>alert(1)</script><!-- & \u2028\u2029 @scripts@ é \"";

std::string page_of(const std::string& text, Use use = Use::file) {
  return html(json{{"report", 1}, {"project", text}}.dump(), use);
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += what.size()) ++found;
  return found;
}

// What stands between the element's tags.
std::string content_of(const std::string& page, const std::string& opening) {
  const std::size_t from = page.find(opening) + opening.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(Page, KeepsHostileTextInsideOfItsData) {
  EXPECT_EQ(count(page_of(markup), "</script"), count(page_of("mild"), "</script"));
  EXPECT_EQ(count(page_of(markup), "<script"), 4u);
  EXPECT_THAT(page_of(markup), Not(HasSubstr("alert(1)</script>")));
}

TEST(Page, GivesDataBackAsTheyWere) {
  const std::string data = content_of(page_of(markup), "<script type=\"application/json\" id=\"data\">");
  EXPECT_EQ(json::parse(data)["project"], markup);
  EXPECT_THAT(data, Not(testing::AnyOf(HasSubstr("<"), HasSubstr(">"), HasSubstr("&"), HasSubstr("\u2028"))));
}

TEST(Page, EndsNoElementFromWithinItsOwnScripts) {
  for (const auto* texts : {&embedded_libraries(), &embedded_scripts()})
    for (const EmbeddedText& script : *texts) {
      EXPECT_THAT(std::string(script.text), Not(HasSubstr("</script"))) << script.name;
      EXPECT_THAT(std::string(script.text), Not(HasSubstr("<!--"))) << script.name;
    }
}

TEST(Page, LoadsNothing) {
  const std::string page = page_of("mild");
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-")));
  EXPECT_THAT(page, Not(HasSubstr("connect-src")));
  for (const char* reference : {" src=\"", "<link rel=\"stylesheet", "@import", "url("})
    EXPECT_THAT(page.substr(0, page.find("id=\"data\"")), Not(HasSubstr(reference)));
}

TEST(Page, AsksItsServerOnlyWhereItIsServed) {
  EXPECT_THAT(page_of("mild", Use::served), HasSubstr("connect-src 'self'"));
  EXPECT_THAT(page_of("mild", Use::served), HasSubstr("<html lang=\"en\" data-live>"));
  EXPECT_THAT(page_of("mild"), HasSubstr("<html lang=\"en\">"));
}

// The reports in docs/, as who clones the repository opens them.
std::vector<std::string> flaws_of_report(const std::string& name) {
  const std::string page = os::read_file(HONE_SOURCE_DIR "/docs/report/" + name).value();
  const json data = json::parse(content_of(page, "<script type=\"application/json\" id=\"data\">"));
  std::vector<std::string> flaws;
  unsigned variants = 0;
  for (const json& kernel : data["kernels"]) {
    if (kernel["unconfirmed"] == true) flaws.push_back(kernel["name"].get<std::string>() + " is unconfirmed");
    if (kernel["variant"].is_null()) continue;
    ++variants;
    if (kernel["variant"].get<std::string>().find("// Faster: ") == std::string::npos)
      flaws.push_back(kernel["name"].get<std::string>() + " does not say what makes it faster");
  }
  if (variants == 0) flaws.emplace_back("there is no variant");
  return flaws;
}

TEST(ReportInDocs, OfImageShowsFinishedVariants) {
  EXPECT_THAT(flaws_of_report("image.html"), testing::IsEmpty()) << "make it again: tests/page/pictures.py says how";
}

TEST(ReportInDocs, OfCudaShowsFinishedVariants) {
  EXPECT_THAT(flaws_of_report("cuda.html"), testing::IsEmpty()) << "docs/BENCHMARKS.md, \"A report of CUDA kernels\"";
}

TEST(Page, CarriesTheLicenseOfEachLibrary) {
  const json licenses = json::parse(content_of(page_of("mild"), "<script type=\"application/json\" id=\"licenses\">"));
  for (const char* package : {"node-highlight-js", "node-diff", "node-d3-array", "node-d3-scale", "node-d3-shape"}) {
    ASSERT_TRUE(licenses.contains(package)) << package;
    EXPECT_THAT(licenses[package].get<std::string>(), HasSubstr("Copyright:")) << package;
  }
}

}  // namespace
}  // namespace hone::page
