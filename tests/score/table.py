"""Print scored rows as aligned text or as Markdown, and count them."""
import goals
import inference
from measures import MEASURES

HEAD = ["case", "at", "sender"]
# Rows of the table of counts; of a longer run only the wrong ones are listed.
LISTED_MOST = 200


def cell_text(cell):
    """"7 OK" when equal as text, "7 (truth 9) BAD", or both values without a mark."""
    if cell.ok is None:
        return cell.ours if cell.ours == cell.truth else "%s (%s)" % (cell.ours, cell.truth)
    mark = "OK" if cell.ok else "BAD"
    return "%s %s" % (cell.ours, mark) if cell.ok else "%s (%s) %s" % (cell.ours, cell.truth, mark)


def grid(scored):
    lines = [HEAD + [title for title, _, _ in MEASURES]]
    for row, cells in scored:
        key = row.flow.key
        lines.append([row.case.name, row.point, "%s:%d" % (key[0], key[1])] +
                     [cell_text(cell) for cell in cells])
    return lines


def listed(scored):
    """The grid; of a longer run only the lines with something wrong."""
    lines = grid(scored)
    if len(lines) > LISTED_MOST:
        lines = lines[:1] + [l for l in lines[1:] if any(cell.endswith("BAD") for cell in l)]
    return lines


def print_aligned(lines, out):
    """Rows of text, the first of them the titles."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        out.write("  ".join(text.ljust(w) for text, w in zip(line, widths)).rstrip() + "\n")


def totals(scored):
    """Per measure: title, right, wrong, not decided, must hold."""
    out = []
    for i, (title, _, must) in enumerate(MEASURES):
        marks = [cells[i].ok for _, cells in scored]
        out.append((title, marks.count(True), marks.count(False), marks.count(None), must))
    return out


def print_totals(scored, out):
    for title, right, wrong, open_, must in totals(scored):
        out.write("%-12s %4d OK %4d BAD %4d not decided%s\n" %
                  (title, right, wrong, open_, "" if must else "  (for information)"))


def markdown_rows(lines):
    return ["| " + " | ".join(lines[0]) + " |", "|" + "---|" * len(lines[0])] + \
        ["| " + " | ".join(line) + " |" for line in lines[1:]]


LIVE = ["Captures made live, every case of the lab and of tests/score/cases three times, each on",
        "another path: `tests/score/score.py ./tcpwhy --live --seeds 1,2,3 --vary --keep DIR`,",
        "then `--folder DIR/seed1 --folder DIR/seed2 --folder DIR/seed3`.  The machine was shared",
        "while they were made.  Only rows with something wrong are listed.", ""]


def markdown(scored, inferred, reached, problems, live):
    """Goals, inferred figures and counts as a Markdown page."""
    rows = listed(scored)
    text = ["# Accuracy, captures made live" if live else "# Accuracy", "", *(LIVE if live else []),
            "Made by `tests/score/score.py --write`: what the program says of captures whose",
            "truth is known from the kernel, the link emulator and the programs.  A value in",
            "brackets is the truth where it differs or where nothing is judged.  `at`: a is the",
            "client's host, m mid path behind the bottleneck, b the server's host.", "",
            "## Goals", "", *goals.markdown(reached), "",
            "## Inferred", "",
            "Flows of at least 50 segments.  The window's error is median / 95th percentile while",
            "the window is the limit, in segments and in percent of the kernel's; decreases are",
            "those by loss + time-out + congestion mark; rwnd points: ours minus the kernel's",
            "rwnd-limited part of its busy time.", "",
            *markdown_rows(inference.listed(inferred, LISTED_MOST)), "",
            "## Counted", "", *markdown_rows(rows),
            "", "%d rows scored, %d listed." % (len(scored), len(rows) - 1),
            "", "| measure | right | wrong | not decided |", "|---|---|---|---|"]
    text += ["| %s | %d | %d | %d |" % (title, right, wrong, open_)
             for title, right, wrong, open_, _ in totals(scored)]
    text += ["", *["* " + problem for problem in problems]] if problems else []
    return "\n".join(text + [""])
