"""Figures in the paper's forms as SVG: scatter against a diagonal, stacked bars, boxes and lines."""
import math
from html import escape

WIDTH, HEIGHT = 380, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 30, 48
SHADES = ("#111", "#777", "#ccc")  # as in the paper: the first is better, alike, the second is better
LEGEND_ROOM = 1.4  # height of a bar chart over its highest bar
LINES = ("#0b5394", "#b45f06", "#38761d", "#741b47")


class Axis:
    """Maps values to pixels; a logarithmic one begins at `low` > 0."""

    def __init__(self, low, high, first, last, is_log=False):
        self.low, self.high, self.is_log = low, high if high > low else low + 1, is_log
        self.first, self.last = first, last

    def at(self, value):
        low, high, value = self.low, self.high, min(max(value, self.low), self.high)
        if self.is_log:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return self.first + (self.last - self.first) * (value - low) / (high - low)

    def ticks(self):
        if not self.is_log:
            return [self.low + i * (self.high - self.low) / 4 for i in range(5)]
        powers = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
        return [10.0 ** power for power in powers]


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(str(words))}</text>'


def line(x1, y1, x2, y2, more='stroke="#444"'):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {more}/>'


def rectangle(x, y, width, height, fill):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" stroke="#333"/>'


def axis_x(low, high, is_log=False):
    return Axis(low, high, LEFT, WIDTH - RIGHT, is_log)


def axis_y(low, high, is_log=False):
    return Axis(low, high, HEIGHT - BOTTOM, TOP, is_log)


def frame(title, x_label, y_label, body, x=None, y=None):
    """The whole figure; axes that are given get ticks."""
    base = HEIGHT - BOTTOM
    parts = [text(WIDTH / 2, 18, title, more='font-weight="bold"'), text((LEFT + WIDTH) / 2, HEIGHT - 8, x_label),
             text(14, HEIGHT / 2, y_label, more=f'transform="rotate(-90 14 {HEIGHT / 2})"'), line(LEFT, base, WIDTH - RIGHT, base),
             line(LEFT, TOP, LEFT, base)]
    for tick in x.ticks() if x else ():
        parts.append(line(x.at(tick), base, x.at(tick), base + 4) + text(x.at(tick), base + 17, f"{tick:.3g}"))
    for tick in y.ticks() if y else ():
        parts.append(line(LEFT - 4, y.at(tick), LEFT, y.at(tick)) + text(LEFT - 7, y.at(tick) + 4, f"{tick:.3g}", "end"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'font-family="sans-serif" font-size="11">' + "".join(parts) + "".join(body) + "</svg>\n")


def scatter(title, x_label, y_label, points, low, high, is_log):
    """A dot for each set, its name on hovering, and the diagonal of equal performance."""
    x, y = axis_x(low, high, is_log), axis_y(low, high, is_log)
    body = [line(x.at(low), y.at(low), x.at(high), y.at(high), 'stroke="#888" stroke-dasharray="5 4"')]
    body += [f'<circle cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="3" fill="{LINES[0]}" fill-opacity="0.55"><title>{escape(name)}</title></circle>'
             for name, a, b in points]
    return frame(title, x_label, y_label, body, x, y)


def bars(title, x_label, y_label, groups, legend):
    """Groups (label, counts): a bar per count, side by side, in the shades of the legend."""
    most = max([count for _, counts in groups for count in counts] + [1])
    y, body = axis_y(0, 4 * math.ceil(LEGEND_ROOM * most / 4)), []
    step = (WIDTH - LEFT - RIGHT) / max(len(groups), 1)
    for i, (label, counts) in enumerate(groups):
        width = 0.8 * step / len(counts)
        for j, count in enumerate(counts):
            left = LEFT + (i + 0.1) * step + j * width
            body.append(rectangle(left, y.at(count), width, y.at(0) - y.at(count), SHADES[j % len(SHADES)]))
        body.append(text(LEFT + (i + 0.5) * step, HEIGHT - BOTTOM + 17, label))
    for j, words in enumerate(legend):
        body.append(rectangle(LEFT + 8, TOP + 15 * j, 10, 10, SHADES[j % len(SHADES)]) + text(LEFT + 23, TOP + 9 + 15 * j, words, "start"))
    return frame(title, x_label, y_label, body, None, y)


def quantile(ordered, share):
    place = share * (len(ordered) - 1)
    low = int(place)
    return ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])


def boxes(title, x_label, y_label, groups, low, high):
    """Groups (label, values): quartiles, whiskers from least to greatest; logarithmic."""
    y, body = axis_y(low, high, True), []
    step = (WIDTH - LEFT - RIGHT) / max(len(groups), 1)
    for i, (label, values) in enumerate(groups):
        middle, half, ordered = LEFT + (i + 0.5) * step, min(0.3 * step, 30), sorted(values)
        body.append(text(middle, HEIGHT - BOTTOM + 17, label))
        if not ordered:
            continue
        least, q1, median, q3, most = (y.at(quantile(ordered, share)) for share in (0, 0.25, 0.5, 0.75, 1))
        body += [line(middle, least, middle, most), rectangle(middle - half, q3, 2 * half, max(q1 - q3, 1), "#ccc"),
                 line(middle - half, median, middle + half, median, 'stroke="#b00" stroke-width="2"')]
    return frame(title, x_label, y_label, body, None, y)


def steps(title, x_label, y_label, curves):
    """Curves (label, points) in the unit square, as steps: what a point reaches, one with more false positives reaches too."""
    x, y, body = axis_x(0, 1), axis_y(0, 1), []
    for i, (label, points) in enumerate(curves):
        colour, path = LINES[i % len(LINES)], f"M{x.at(0):.1f} {y.at(0):.1f}"
        for a, b in sorted(points):
            path += f"H{x.at(a):.1f}V{y.at(b):.1f}"
        body.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        body.append(text(WIDTH - RIGHT - 4, HEIGHT - BOTTOM - 10 - 14 * i, label, "end", f'fill="{colour}"'))
    return frame(title, x_label, y_label, body, x, y)
