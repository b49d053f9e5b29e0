"""Line charts as SVG, for the pages of docs/."""

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 300, 62, 208, 34, 46


def ticks(low, high, count=5):
    raw = (high - low) / count
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= raw)
    return [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def panel(title, x_name, y_name, lines, x_range, y_range, x_ticks=None, markers=False, dashed=(), top=0, *,
          colors):
    """One set of axes as SVG; lines: {label: [(x, y), ...]}, colors: {label: color}."""
    (x0, x1), (y0, y1) = x_range, y_range
    across = lambda x: LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    down = lambda y: top + HEIGHT - BOTTOM - (min(max(y, y0), y1) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
    out = [f'<text x="{LEFT}" y="{top + 20}" font-weight="600">{title}</text>']
    for y in ticks(y0, y1):
        out.append(f'<path d="M{LEFT} {down(y):.1f}H{WIDTH - RIGHT}" stroke="#e3e7ec"/>'
                   f'<text x="{LEFT - 8}" y="{down(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x, text in x_ticks or [(x, f'{x:g}') for x in ticks(x0, x1)]:
        out.append(f'<path d="M{across(x):.1f} {down(y0):.1f}v5" stroke="#8a94a3"/>'
                   f'<text x="{across(x):.1f}" y="{down(y0) + 19:.1f}" text-anchor="middle">{text}</text>')
    out.append(f'<path d="M{LEFT} {down(y0):.1f}H{WIDTH - RIGHT}" stroke="#8a94a3"/>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{top + HEIGHT - 8}" text-anchor="middle">{x_name}</text>')
    middle = (down(y0) + down(y1)) / 2
    out.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{y_name}</text>')
    for i, (label, points) in enumerate(lines.items()):
        color = colors[label]
        dash = ' stroke-dasharray="5 4"' if label in dashed else ''
        path = 'M' + 'L'.join(f'{across(x):.1f} {down(y):.1f}' for x, y in points)
        out.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.8"{dash}/>')
        if markers:
            out += [f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="3" fill="{color}"/>' for x, y in points]
        y = top + TOP + 8 + 18 * i
        out.append(f'<path d="M{WIDTH - RIGHT + 12} {y}h18" stroke="{color}" stroke-width="3"{dash}/>'
                   f'<text x="{WIDTH - RIGHT + 36}" y="{y + 4}">{label}</text>')
    return '\n'.join(out)


def write(path, panels):
    height = HEIGHT * len(panels)
    body = '\n'.join(panels)
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
                    f'height="{height}" font-family="sans-serif" font-size="12" fill="#1d2733">\n'
                    f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n')
