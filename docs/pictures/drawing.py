"""Drawing aids for the pictures of the docs: plain SVG text, standard library only.

Screen coordinates are pixels with y downwards. `Space` projects three-dimensional points to them.
"""

import math
from pathlib import Path

INK = "#222222"
GREY = "#8a8a8a"
PALE = "#e8e8e8"
FIRST = "#4878a8"  # the first body, a
FIRST_FILL = "#cfe0ef"
SECOND = "#c8602a"  # the second body, b
SECOND_FILL = "#f8dcc8"
FORCE = "#b02030"
MOTION = "#2a8050"


W, H = 460, 280  # of a joint's picture


def legend(p, freedoms, a="first body a", b="second body b"):
    p.text((14, p.height - 14), a, FIRST, 13, "start")
    p.text((120, p.height - 14), b, SECOND, 13, "start")
    p.text((p.width - 14, p.height - 14), freedoms, MOTION, 13, "end")


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    # --- primitives ---------------------------------------------------------------------------------

    def add(self, element, **attributes):
        text = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
        self.parts.append(f"<{element} {text}/>")

    def line(self, a, b, color=INK, width=1.5, dash=None):
        more = {"stroke_dasharray": dash} if dash else {}
        self.add("line", x1=f"{a[0]:.1f}", y1=f"{a[1]:.1f}", x2=f"{b[0]:.1f}", y2=f"{b[1]:.1f}",
                 stroke=color, stroke_width=width, stroke_linecap="round", **more)

    def path(self, points, color=INK, width=1.5, fill="none", closed=False, dash=None):
        data = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points) + ("Z" if closed else "")
        more = {"stroke_dasharray": dash} if dash else {}
        self.add("path", d=data, stroke=color, stroke_width=width, fill=fill,
                 stroke_linejoin="round", stroke_linecap="round", **more)

    def circle(self, centre, radius, color=INK, width=1.5, fill="white"):
        self.add("circle", cx=f"{centre[0]:.1f}", cy=f"{centre[1]:.1f}", r=radius, stroke=color,
                 stroke_width=width, fill=fill)

    def box(self, corner, size, color=INK, width=1.5, fill="white", radius=0):
        self.add("rect", x=corner[0], y=corner[1], width=size[0], height=size[1], rx=radius,
                 stroke=color, stroke_width=width, fill=fill)

    def text(self, at, text, color=INK, size=15, anchor="middle", italic=False, bold=False):
        """Text with subscripts written as p_{b}."""
        style = ('font-style="italic" ' if italic else "") + ('font-weight="bold" ' if bold else "")
        spans, rest = "", text
        while "_{" in rest:
            before, _, after = rest.partition("_{")
            inside, _, rest = after.partition("}")
            spans += (f"{escape(before)}<tspan dy=\"4\" font-size=\"{size * 0.72:.0f}\">{escape(inside)}"
                      '</tspan><tspan dy="-4">&#8203;</tspan>')
        spans += escape(rest)
        self.parts.append(f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" fill="{color}" font-size="{size}" '
                          f'text-anchor="{anchor}" {style}>{spans}</text>')

    # --- compounds ----------------------------------------------------------------------------------

    def arrow(self, a, b, color=INK, width=2.0, head=9.0, both=False):
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        inner = 0.7 * head
        start = (a[0] + inner * ux, a[1] + inner * uy) if both else a
        self.line(start, (b[0] - inner * ux, b[1] - inner * uy), color, width)
        self.head(b, (ux, uy), color, head)
        if both:
            self.head(a, (-ux, -uy), color, head)

    def head(self, tip, direction, color, size):
        ux, uy = direction
        back = (tip[0] - size * ux, tip[1] - size * uy)
        side = 0.42 * size
        self.path([tip, (back[0] - side * uy, back[1] + side * ux),
                   (back[0] + side * uy, back[1] - side * ux)], color, 0.5, color, closed=True)

    def arc(self, centre, radius, start, end, color=INK, width=2.0, head=9.0):
        """Arc with an arrow head from angle `start` to `end` (degrees, counter-clockwise, y up)."""
        count = 40
        points = []
        for i in range(count + 1):
            angle = math.radians(start + (end - start) * i / count)
            points.append((centre[0] + radius * math.cos(angle), centre[1] - radius * math.sin(angle)))
        self.path(points if not head else points[:-2], color, width)
        if head:
            a, b = points[-5], points[-1]
            length = math.dist(a, b)
            self.head(b, ((b[0] - a[0]) / length, (b[1] - a[1]) / length), color, head)

    def bar(self, a, b, width=26, color=INK, fill=PALE):
        """A link with round ends."""
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        points = []
        for centre, first in ((b, angle - math.pi / 2), (a, angle + math.pi / 2)):
            for i in range(17):
                turn = first + math.pi * i / 16
                points.append((centre[0] + width / 2 * math.cos(turn),
                               centre[1] + width / 2 * math.sin(turn)))
        self.path(points, color, 1.8, fill, closed=True)

    def pin(self, at, radius=5):
        self.circle(at, radius, INK, 2, "white")

    def ground(self, a, b, depth=12):
        """Hatched line; the hatching lies to the right of the way from a to b (y downwards: below)."""
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        nx, ny = -uy, ux
        count = max(2, int(length / 9))
        for i in range(count + 1):
            x, y = a[0] + ux * length * i / count, a[1] + uy * length * i / count
            self.line((x, y), (x + depth * (nx - ux) * 0.7, y + depth * (ny - uy) * 0.7), GREY, 1.2)
        self.line(a, b, INK, 2.2)

    def pivot(self, at, size=20):
        """A support on the ground below the point."""
        x, y = at
        self.path([(x, y), (x - 0.7 * size, y + size), (x + 0.7 * size, y + size)], INK, 1.8, PALE,
                  closed=True)
        self.ground((x - size * 1.3, y + size), (x + size * 1.3, y + size))

    def axes(self, at, angle=0.0, length=44, color=INK, names=("x", "y"), size=14):
        """A planar frame, turned by `angle` degrees counter-clockwise."""
        for turn, name in ((0.0, names[0]), (90.0, names[1])):
            direction = math.radians(angle + turn)
            dx, dy = math.cos(direction), -math.sin(direction)
            self.arrow(at, (at[0] + length * dx, at[1] + length * dy), color, 1.8, 8)
            self.text((at[0] + (length + 11) * dx, at[1] + (length + 11) * dy + 5), name, color, size,
                      italic=True)

    def spring(self, a, b, coils=7, width=16, color=INK):
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        lead = 0.16 * length
        points = [a, (a[0] + lead * ux, a[1] + lead * uy)]
        active = length - 2 * lead
        for i in range(2 * coils):
            along = lead + active * (i + 0.5) / (2 * coils)
            side = width / 2 * (1 if i % 2 == 0 else -1)
            points.append((a[0] + along * ux - side * uy, a[1] + along * uy + side * ux))
        points += [(b[0] - lead * ux, b[1] - lead * uy), b]
        self.path(points, color, 2)

    def damper(self, a, b, width=18, color=INK):
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length

        def at(along, side):
            return (a[0] + along * ux - side * uy, a[1] + along * uy + side * ux)

        self.line(a, at(0.38 * length, 0), color, 2)
        self.path([at(0.62 * length, -width / 2), at(0.38 * length, -width / 2),
                   at(0.38 * length, width / 2), at(0.62 * length, width / 2)], color, 2)
        self.line(at(0.53 * length, -0.36 * width), at(0.53 * length, 0.36 * width), color, 2.5)
        self.line(at(0.53 * length, 0), b, color, 2)

    def write(self, folder):
        name = Path(folder) / f"{self.title.split(':')[0]}.svg"
        caption = self.title.split(":", 1)[1].strip()
        body = "\n".join(self.parts)
        name.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="Helvetica, Arial, sans-serif">\n'
            f"<title>{escape(caption)}</title>\n"
            f'<rect width="{self.width}" height="{self.height}" fill="white"/>\n{body}\n</svg>\n')


class Space:
    """Axonometric view: x to the right and towards the viewer, y to the right and away, z up."""

    def __init__(self, picture, origin, scale=1.0, turn=-32.0, tilt=24.0):
        self.picture, self.origin, self.scale = picture, origin, scale
        a, e = math.radians(turn), math.radians(tilt)
        self.right = (math.cos(a), -math.sin(a), 0.0)
        self.up = (math.sin(a) * math.sin(e), math.cos(a) * math.sin(e), math.cos(e))
        self.to_eye = (math.sin(a) * -math.cos(e), -math.cos(a) * math.cos(e), math.sin(e))

    def at(self, p):
        def dot(u):
            return sum(i * j for i, j in zip(u, p))

        return (self.origin[0] + self.scale * dot(self.right),
                self.origin[1] - self.scale * dot(self.up))

    def face(self, points, color, fill, width=1.5):
        self.picture.path([self.at(p) for p in points], color, width, fill, closed=True)

    def block(self, low, high, color, fill):
        """A box along the axes; its three visible faces."""
        (a, b, c), (d, e, f) = low, high
        x = d if self.to_eye[0] > 0 else a
        y = e if self.to_eye[1] > 0 else b
        z = f if self.to_eye[2] > 0 else c
        self.face([(x, b, c), (x, e, c), (x, e, f), (x, b, f)], color, shade(fill, 0.90))
        self.face([(a, y, c), (d, y, c), (d, y, f), (a, y, f)], color, shade(fill, 0.97))
        self.face([(a, b, z), (d, b, z), (d, e, z), (a, e, z)], color, shade(fill, 1.05))

    def cylinder(self, a, b, radius, color, fill, hole=0.0):
        """A cylinder along one axis from point a to b, the visible end drawn (with a hole)."""
        axis = [j - i for i, j in zip(a, b)]
        length = math.sqrt(sum(c * c for c in axis))
        n = [c / length for c in axis]
        helper = (1, 0, 0) if abs(n[0]) < 0.9 else (0, 1, 0)
        u = cross(n, helper)
        size = math.sqrt(sum(c * c for c in u))
        u = [c / size for c in u]
        w = cross(n, u)

        def ring(centre, r):
            points = []
            for i in range(48):
                t = 2 * math.pi * i / 48
                points.append([centre[k] + r * (math.cos(t) * u[k] + math.sin(t) * w[k])
                               for k in range(3)])
            return points

        first, second = [self.at(p) for p in ring(a, radius)], [self.at(p) for p in ring(b, radius)]
        self.picture.path(hull(first + second), color, 1.5, shade(fill, 0.95), closed=True)
        near = b if sum(i * j for i, j in zip(n, self.to_eye)) > 0 else a
        self.picture.path([self.at(p) for p in ring(near, radius)], color, 1.5, shade(fill, 1.05),
                          closed=True)
        if hole:
            self.picture.path([self.at(p) for p in ring(near, hole)], color, 1.5, "white", closed=True)

    def arrow(self, a, b, color=INK, width=2.0, head=9.0, both=False):
        self.picture.arrow(self.at(a), self.at(b), color, width, head, both)

    def line(self, a, b, color=INK, width=1.5, dash=None):
        self.picture.line(self.at(a), self.at(b), color, width, dash)

    def turn(self, centre, axis, radius, start, end, color=MOTION):
        """A circular arrow about an axis (0, 1, 2 for x, y, z) through `centre`."""
        points = []
        for i in range(41):
            t = math.radians(start + (end - start) * i / 40)
            p = list(centre)
            p[(axis + 1) % 3] += radius * math.cos(t)
            p[(axis + 2) % 3] += radius * math.sin(t)
            points.append(self.at(p))
        self.picture.path(points[:-2], color, 2.2)
        a, b = points[-4], points[-1]
        length = math.dist(a, b)
        self.picture.head(b, ((b[0] - a[0]) / length, (b[1] - a[1]) / length), color, 10)

    def label(self, p, text, color=INK, dx=0, dy=0, size=15, italic=False, anchor="middle"):
        x, y = self.at(p)
        self.picture.text((x + dx, y + dy), text, color, size, anchor, italic)

    def triad(self, p, length=40, color=INK, names=("x", "y", "z"), size=13):
        for k, name in enumerate(names):
            end = [c + (length if i == k else 0) for i, c in enumerate(p)]
            self.arrow(p, end, color, 1.6, 7)
            beyond = [c + (length + 11 if i == k else 0) for i, c in enumerate(p)]
            self.label(beyond, name, color, 0, 4, size, True)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def shade(color, factor):
    channels = [min(255, int(int(color[i : i + 2], 16) * factor)) for i in (1, 3, 5)]
    return "#" + "".join(f"{c:02x}" for c in channels)


def hull(points):
    """Convex hull (Andrew's monotone chain)."""
    points = sorted(set((round(x, 3), round(y, 3)) for x, y in points))

    def half(sequence):
        chain = []
        for p in sequence:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      - (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(points) + half(points[::-1])
