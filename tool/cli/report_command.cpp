#include "tool/cli/command.h"
#include "tool/cli/report_comment.h"

namespace hone::cli {

int report_command(int argc, char** argv) {
  CLI::App app{"What a project's lock files say, for who reviews it: a merge request's comment.", "hone report"};
  CommentRequest comment;
  std::string file = "-";
  bool markdown = false, json = false;
  comment.project.add_build_to(app);
  app.add_flag("--markdown", markdown, "A comment for a merge request on GitHub or GitLab");
  app.add_option("--since", comment.since,
                 "With --markdown: only what changed between this revision of git's and the working tree\n"
                 "(default: all that is locked)")
      ->type_name("REV");
  app.add_option("-o", file, "Where it goes (default: stdout)")->type_name("FILE");
  app.add_flag("--json", json, "The same as JSON, and nothing cut");
  app.footer("Exit codes: 0 written; 2 usage; 3 the environment failed.");
  if (const auto exit = parse(app, argc, argv)) return *exit;
  if (!markdown) return complain("say what to write: hone report --markdown", usage);
  if (app.count("--since") > 0 && comment.since.empty()) return complain("--since wants a revision, as main", usage);
  int code = done;
  const auto gathered = gather_comment(comment, code);
  if (!gathered) return code;
  return write_answer(file, json ? report::comment_json(*gathered) : report::comment_markdown(*gathered)) ? done
                                                                                                          : environment;
}

}  // namespace hone::cli
