"""Print scored rows as aligned text or as Markdown, and count them."""
from measures import MEASURES

HEAD = ["case", "at", "sender"]


# Rows of a Markdown table; of a longer run only the wrong ones are listed.
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


def print_text(scored, out):
    lines = grid(scored)
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


def markdown(scored, same_verdict):
    """The table and its totals as a Markdown page."""
    lines = grid(scored)
    rows = lines[1:]
    if len(rows) > LISTED_MOST:  # of a live run only what is wrong
        rows = [line for line in rows if any(cell.endswith("BAD") for cell in line)]
    text = ["# Accuracy", "",
            "Made by `tests/score/score.py --write`: what the program says of captures whose",
            "truth is known from the kernel, the link emulator and the programs.  A value in",
            "brackets is the truth where it differs or where nothing is judged.  `at`: a is the",
            "client's host, m mid path behind the bottleneck, b the server's host.", ""]
    text.append("| " + " | ".join(lines[0]) + " |")
    text.append("|" + "---|" * len(lines[0]))
    text += ["| " + " | ".join(line) + " |" for line in rows]
    text += ["", "%d rows scored, %d listed." % (len(lines) - 1, len(rows))]
    text += ["", "| measure | right | wrong | not decided |", "|---|---|---|---|"]
    text += ["| %s | %d | %d | %d |" % (title, right, wrong, open_)
             for title, right, wrong, open_, _ in totals(scored)]
    text += ["", "Same cause at every point: %d of %d transfers." % same_verdict, ""]
    return "\n".join(text)
