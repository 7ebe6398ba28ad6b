#include <set>

#include <fmt/format.h>

#include "tool/cli/command/command.h"
#include "tool/cli/command/interrupt.h"
#include "tool/cli/report_comment.h"
#include "tool/cli/report_sources.h"
#include "tool/diagnostics/diagnostic_code.h"
#include "tool/page/page.h"
#include "tool/page/server/page_server.h"

namespace hone::cli {
namespace {

// Whose work is counted unasked: it takes a look at each source, and half a second to measure the machine.
constexpr std::size_t few = 20;

struct ReportArguments {
  ProjectOptions project;
  std::string file = "hone-report.html";
  bool json = false, serve = false, roofline = false, markdown = false;
  int port = 0;
  std::string since;
};

void describe(CLI::App& app, ReportArguments& arguments, CLI::Option*& output) {
  arguments.project.add_build_to(app);
  output = app.add_option("-o", arguments.file, "Where it goes; - is stdout")->type_name("FILE")->capture_default_str();
  app.add_flag("--json", arguments.json, "The same data as JSON, on stdout unless -o names a file");
  auto* const serve =
      app.add_flag("--serve", arguments.serve, "Serve it on this machine, anew while a tuning runs, until interrupted");
  app.add_flag("--markdown", arguments.markdown,
               "A comment for a merge request on GitHub or GitLab instead, on stdout unless -o names a file")
      ->excludes(serve);
  app.add_option("--since", arguments.since,
                 "Of --markdown: only what changed between this revision of git's and the working tree\n"
                 "(default: all that is locked)")
      ->type_name("REV")
      ->needs("--markdown");
  app.add_option("--port", arguments.port, "Of --serve (default: any that is free)")
      ->needs(serve)
      ->check(CLI::Range(1, 65535));
  app.add_flag("--roofline", arguments.roofline,
               fmt::format("What this machine allows at best, of any number of kernels (default: of up to {})", few));
  app.footer(
      "Exit codes: 0 written; 2 usage; 3 the environment failed. What is damaged or missing is said in the report.");
}

// The data, gathered anew each time; what is wrong is said once.
class Report {
 public:
  explicit Report(ReportSources found) : found_(std::move(found)) {}

  std::string json(int indent = -1) {
    page::ProjectContent content = page::gather(found_.sources, [this](const std::string& line) {
      if (said_.insert(line).second) complain(line, done);
    });
    for (const page::KernelContent& kernel : content.kernels)
      if (kernel.record) found_.sources.least[kernel.listed.key] = kernel.least;
    content.missing.insert(content.missing.begin(), found_.missing.begin(), found_.missing.end());
    return page::to_json(content, indent);
  }

 private:
  ReportSources found_;
  std::set<std::string> said_;
};

int serve(Report& report, int port) {
  const auto listening = [](const std::string& address) {
    fmt::print(stderr, "hone: the report is at {} until you press Ctrl-C\n", address);
  };
  const Interrupt interrupt;
  const auto served = page::serve(
      {port}, [&] { return report.json(); }, listening, interrupt.token());
  return served ? done : complain(served.error(), environment);
}

int comment(const ReportArguments& arguments, const std::string& file) {
  int code = done;
  const auto gathered = gather_comment({arguments.project, arguments.since}, code);
  if (!gathered) return code;
  return write_answer(file, arguments.json ? report::comment_json(*gathered) : report::comment_markdown(*gathered))
             ? done
             : environment;
}

}  // namespace

int report_command(int argc, char** argv) {
  CLI::App app{
      "A project's results as one page for a browser: each kernel's code, evidence, search and cost. It is one file\n"
      "that loads nothing.",
      "hone report"};
  ReportArguments arguments;
  CLI::Option* output = nullptr;
  describe(app, arguments, output);
  if (const auto exit = parse(app, argc, argv)) return *exit;

  const std::string other_file = output->count() ? arguments.file : "-";
  if (app.count("--since") > 0 && arguments.since.empty())
    return complain(with_code("--since wants a revision, as main", DiagnosticCode::unknown_revision), usage);
  if (arguments.markdown) return comment(arguments, other_file);
  ReportSources found = report_sources(arguments.project);
  found.sources.most_rooflines = arguments.roofline ? found.sources.subjects.size() : few;
  Report report(std::move(found));
  if (arguments.serve) return serve(report, arguments.port);
  if (arguments.json) return write_answer(other_file, report.json(2) + '\n') ? done : environment;
  if (!write_answer(arguments.file, page::html(report.json(), page::Use::file))) return environment;
  if (arguments.file != "-") fmt::print(stderr, "hone: wrote {}; open it in a browser\n", arguments.file);
  return done;
}

}  // namespace hone::cli
