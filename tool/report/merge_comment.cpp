#include "tool/report/merge_comment.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "tool/report/markdown_text.h"
#include "tool/report/text.h"

namespace hone::report {

bool holds_nothing(const MergeComment& comment) {
  return std::ranges::all_of(comment.locks,
                             [](const CommentLock& lock) { return lock.kernels.empty() && lock.unchanged == 0; });
}

namespace {

constexpr std::string_view kRuler = "| --- | --- | ---: | ---: | --- | --- |\n";
constexpr std::size_t kMostLocks = 20;      // that are named
constexpr std::size_t kLeastForOne = 1200;  // of a folded part, unless all of it is shorter

struct Row {
  const CommentLock* lock;
  const CommentKernel* kernel;
};

std::vector<Row> rows_of(const MergeComment& comment) {
  std::vector<Row> rows;
  for (const CommentLock& lock : comment.locks)
    for (const CommentKernel& kernel : lock.kernels) rows.push_back({&lock, &kernel});
  return rows;
}

std::string place_of(const CommentKernel& kernel) {
  return kernel.line == 0 ? kernel.file : fmt::format("{}:{}", kernel.file, kernel.line);
}

std::string figure_of(const std::optional<CommentEntry>& entry) {
  if (!entry) return "–";
  if (entry->variant.empty()) return "original kept";
  std::string text = interval(entry->speedup);
  for (const std::string& note : entry->notes) text += ", " + note;
  return text;
}

std::string row_text(const Row& row) {
  const CommentKernel& kernel = *row.kernel;
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", code_span(kernel.name), code_span(place_of(kernel)),
                     figure_of(kernel.before), figure_of(kernel.after),
                     kernel.machine.empty() ? "–" : code_span(kernel.machine), kernel.outcome);
}

// "2 new, 1 dropped, 12 unchanged"
std::string counts_in_words(const MergeComment& comment) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  std::size_t unchanged = 0;
  for (const CommentLock& lock : comment.locks) {
    unchanged += lock.unchanged;
    for (const CommentKernel& kernel : lock.kernels) {
      const auto known = std::ranges::find(counts, kernel.outcome, &std::pair<std::string, std::size_t>::first);
      if (known == counts.end())
        counts.emplace_back(kernel.outcome, 1);
      else
        ++known->second;
    }
  }
  if (!comment.since.empty()) counts.emplace_back("unchanged", unchanged);
  std::string text;
  for (const auto& [outcome, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, outcome);
  return text.empty() ? "nothing is locked" : text;
}

// Of the variants that stand in the table now.
std::string mean_in_words(const std::vector<Row>& rows) {
  double logarithms = 0;
  std::size_t count = 0;
  for (const Row& row : rows)
    if (row.kernel->after && !row.kernel->after->variant.empty() && row.kernel->after->speedup.median > 0) {
      logarithms += std::log(row.kernel->after->speedup.median);
      ++count;
    }
  if (count == 0) return "";
  return fmt::format("Geometric mean of {} variant{}: {}.\n", count, count == 1 ? "" : "s",
                     times(std::exp(logarithms / static_cast<double>(count))));
}

std::string opening(const MergeComment& comment, const std::vector<Row>& rows) {
  std::string text = fmt::format("{}\n### Hone: {}\n\n", comment_mark, counts_in_words(comment));
  std::size_t shown = 0;
  for (const CommentLock& lock : comment.locks) {
    if (++shown > kMostLocks) break;
    text += (shown > 1 ? "\n" : "") + code_span(lock.path);
    if (!comment.since.empty()) text += " since " + code_span(comment.since);
    text += lock.note.empty() ? ".\n" : ": " + lock.note + ".\n";
  }
  if (shown > kMostLocks) text += fmt::format("\nAnd {} more lock files.\n", comment.locks.size() - kMostLocks);
  if (holds_nothing(comment)) text += "\nBuild hone-tune, and commit the lock file and `hone/` beside it.\n";
  return text + '\n' + mean_in_words(rows);
}

std::string table_text(const std::vector<Row>& rows, std::size_t most) {
  if (rows.empty()) return "";
  std::string text = "\n| kernel | place | before | after | measured on | outcome |\n" + std::string(kRuler);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const std::string row = row_text(rows[at]);
    if (text.size() + row.size() > most)
      return text + fmt::format("\n{} more rows: `hone report --markdown --json` has them all.\n", rows.size() - at);
    text += row;
  }
  return text;
}

std::string problems_text(const CommentKernel& kernel) {
  if (kernel.problems.empty()) return "";
  std::string text = "\n| problem | speedup | original | variant | pairs |\n| --- | ---: | ---: | ---: | ---: |\n";
  for (const CommentProblem& problem : kernel.problems)
    text +=
        fmt::format("| {} | {} | {:.4g} ms | {:.4g} ms | {} |\n", code_span(problem.label), interval(problem.speedup),
                    problem.reference_seconds * 1e3, problem.candidate_seconds * 1e3, problem.pairs);
  return text;
}

std::string machines_text(const CommentKernel& kernel) {
  if (kernel.machines.empty()) return "";
  std::string text = "\n| on | speedup | there it |\n| --- | ---: | --- |\n";
  for (const CommentMachine& machine : kernel.machines)
    text += fmt::format(
        "| {} | {} | {} |\n", code_span(machine.name), machine.speedup ? interval(*machine.speedup) : "–",
        machine.standing == "wrong" || machine.standing == "even" ? "is " + machine.standing : machine.standing);
  return text;
}

std::string tried_text(const CommentKernel& kernel) {
  std::string lines;
  if (!kernel.evidence.empty()) lines += fmt::format("{:10} {}\n", "verified", shortened(kernel.evidence, 500));
  if (!kernel.built_as.empty()) lines += fmt::format("{:10} {}\n", "built as", shortened(kernel.built_as, 500));
  for (const TriedLine& line : kernel.tried)
    lines += fmt::format("{:10} {}\n", shortened(line.label, 40), shortened(line.text, 500));
  if (kernel.after && !kernel.after->variant.empty())
    lines += fmt::format("{:10} {}\n", "variant", kernel.after->variant);
  return lines.empty() ? "" : "\nWhat was tried:\n\n" + fenced(lines, "text");
}

// Whole lines of the code, as many as fit.
std::string code_text(const CommentKernel& kernel, std::size_t most) {
  std::string text = kernel.about_code.empty() ? "" : "\n" + kernel.about_code + "\n";
  if (kernel.code.empty()) return text;
  const char* const language = kernel.is_diff ? "diff" : "cpp";
  const std::string whole = text + "\n" + fenced(kernel.code, language);
  if (whole.size() <= most) return whole;
  const std::string rest = fmt::format("\nThe rest is cut: {} shows it.\n", code_span("hone show " + kernel.name));
  const std::size_t room = most > text.size() + rest.size() + 40 ? most - text.size() - rest.size() - 40 : 0;
  // Fences and what is shown in place of control characters take some of the room, so it is tried.
  for (std::size_t end = std::min(room, kernel.code.size());;) {
    const std::size_t newline = end == 0 ? std::string::npos : kernel.code.rfind('\n', end - 1);
    if (newline == std::string::npos) return text + rest;
    const std::string cut = text + "\n" + fenced(kernel.code.substr(0, newline + 1), language) + rest;
    if (cut.size() <= most) return cut;
    end = newline / 2;
  }
}

// At most that long; "": it says nothing in so little room.
std::string folded(const CommentKernel& kernel, std::size_t most) {
  const std::string head = fmt::format("\n<details><summary>{}: {}, {}</summary>\n", html_code(kernel.name),
                                       figure_of(kernel.after), kernel.outcome);
  const std::string tail = "\n</details>\n";
  std::string text = head;
  for (const std::string& part : {problems_text(kernel), machines_text(kernel), tried_text(kernel)})
    if (text.size() + part.size() + tail.size() <= most) text += part;
  if (text.size() + tail.size() < most) {
    const std::string code = code_text(kernel, most - text.size() - tail.size());
    if (text.size() + code.size() + tail.size() <= most) text += code;
  }
  return text == head ? "" : text + tail;
}

// How much each may take: what the short ones leave goes to the long ones.
std::size_t fair_share(std::vector<std::size_t> sizes, std::size_t room) {
  std::ranges::sort(sizes);
  std::size_t left = sizes.size();
  for (const std::size_t size : sizes) {
    if (size > room / left) return room / left;
    room -= size;
    --left;
  }
  return sizes.empty() ? 0 : sizes.back();
}

struct Folds {
  std::string text;
  std::size_t left_out = 0;  // that have something to say
};

Folds all_folded(const std::vector<Row>& rows, std::size_t room) {
  std::vector<const CommentKernel*> kernels;
  std::vector<std::size_t> sizes;
  std::size_t least = 0;  // that all of them take
  Folds folds;
  for (const Row& row : rows) {
    const std::size_t size = folded(*row.kernel, longest_comment).size();
    if (size == 0) continue;
    least += std::min(size, kLeastForOne);
    if (least > room) {
      ++folds.left_out;
      continue;
    }
    kernels.push_back(row.kernel);
    sizes.push_back(size);
  }
  const std::size_t share = fair_share(sizes, room);
  for (const CommentKernel* kernel : kernels) {
    const std::string one = folded(*kernel, share);
    folds.left_out += one.empty();
    folds.text += one;
  }
  return folds;
}

std::string reproduce_text(const MergeComment& comment) {
  if (comment.reproduce.empty()) return "";
  std::string lines;
  for (const std::string& command : comment.reproduce) lines += command + '\n';
  return "\n<details><summary>How to reproduce</summary>\n\n" + fenced(lines, "sh") + "\n</details>\n";
}

}  // namespace

std::string comment_markdown(const MergeComment& comment, std::size_t most) {
  const std::vector<Row> rows = rows_of(comment);
  const std::string last = reproduce_text(comment);
  std::string text = opening(comment, rows);
  text += table_text(rows, most / 2);
  const std::size_t taken = text.size() + last.size() + 200;  // 200: the line below
  const Folds folds = all_folded(rows, taken < most ? most - taken : 0);
  text += folds.text;
  if (folds.left_out > 0)
    text += fmt::format("\nThere is no room for {} more kernels: `hone show KERNEL` shows each.\n", folds.left_out);
  return text + last;
}

}  // namespace hone::report
