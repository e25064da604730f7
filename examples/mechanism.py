"""What a picture needs of a model file: bodies with their frames, joints, massless links.

Only as much of the file format is understood as the examples use: expressions of numbers, units and
parameters, and sub-assemblies that are placed once or repeated.
"""

import math
import re

import numpy as np
import yaml

UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "kg": 1.0, "g": 1e-3, "s": 1.0, "ms": 1e-3, "rad": 1.0,
         "deg": math.pi / 180.0, "rev": 2.0 * math.pi, "rpm": 2.0 * math.pi / 60.0, "N": 1.0, "kN": 1e3,
         "Pa": 1.0, "bar": 1e5}
FUNCTIONS = {name: getattr(math, name)
             for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "hypot", "pi")}


def evaluate(text, parameters):
    """The SI value of an expression of numbers, units and parameters."""
    if not isinstance(text, str):
        return float(text)

    def with_unit(match):
        number, units = match.group(1), match.group(2)
        product = re.sub(r"\s+", "*", units.strip())
        return f"({number}*{product})" if product else number

    names = "|".join(sorted(UNITS, key=len, reverse=True))
    code = re.sub(rf"(\d+\.?\d*(?:[eE][-+]?\d+)?)((?:\s+(?:{names})\b)+(?:/(?:{names})\b)?)", with_unit, text)
    scope = {**UNITS, **FUNCTIONS, **parameters}
    return float(eval(code.replace("^", "**"), {"__builtins__": {}}, scope))  # files of this folder only


def parameters_of(table, outer=None):
    """All parameters, whatever their order in the file."""
    known, waiting = dict(outer or {}), dict(table or {})
    while waiting:
        left = {}
        for name, text in waiting.items():
            try:
                known[name] = evaluate(text, {k: v for k, v in known.items() if k not in waiting})
            except (NameError, TypeError):
                left[name] = text
        if len(left) == len(waiting):
            break
        waiting = left
    return known


def rotation_of(entry):
    """Rotation matrix of an orientation whose numbers are evaluated."""
    if "quaternion" in entry:
        e0, v = entry["quaternion"][0], np.array(entry["quaternion"][1:])
        cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        return (e0 * e0 - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * e0 * cross
    c, s = math.cos(entry["angle"]), math.sin(entry["angle"])
    turns = {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
             "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}
    return np.array(turns[entry["axis"]], float)


def vector(entry, parameters):
    values = [evaluate(x, parameters) for x in entry]
    return np.array(values + [0.0] * (3 - len(values)))


def direction(entry, parameters):
    if entry is None:
        return np.array([1.0, 0.0, 0.0])
    if isinstance(entry, str):
        sign = -1.0 if entry.startswith("-") else 1.0
        return sign * np.eye(3)["xyz".index(entry.lstrip("-"))]
    return vector(entry, parameters)


class Mechanism:
    def __init__(self, planar, name):
        self.planar, self.name = planar, name
        self.bodies, self.joints, self.links = [], [], []
        self.frames = {"ground": np.zeros(3)}
        self.frame_turns = {}
        self.points, self.radii, self.boxes, self.sliders = {}, {}, {}, set()

    def frame(self, name):
        """Body and position in it."""
        body = name if name in self.bodies else name.rsplit(".", 1)[0]
        body = "ground" if name.split(".")[0] == "ground" else body
        return body, self.frames[name]

    def touch(self, name):
        body, local = self.frame(name)
        self.points.setdefault(body, []).append(local)
        return body, local

    def add_frames(self, owner, frames, parameters):
        for name, entry in (frames or {}).items():
            at, turn = entry, None
            if isinstance(entry, dict):
                at = entry.get("position", [0.0, 0.0])
                turn = entry.get("orientation") or ({"axis": "z", "angle": entry["angle"]}
                                                    if "angle" in entry else None)
            self.frames[f"{owner}.{name}"] = vector(at, parameters)
            if owner != "ground":
                self.points.setdefault(owner, []).append(self.frames[f"{owner}.{name}"])
            if turn:
                self.frame_turns[f"{owner}.{name}"] = rotation_of(
                    {"axis": turn["axis"], "angle": evaluate(turn["angle"], parameters)})

    def add_body(self, name, entry, parameters):
        self.bodies.append(name)
        self.frames[name] = np.zeros(3)
        self.add_frames(name, entry.get("frames"), parameters)
        shapes = entry.get("shape", [])
        for shape in shapes if isinstance(shapes, list) else [shapes]:
            at = vector(shape.get("position", [0, 0]), parameters)
            if "disc" in shape:
                self.radii[name] = evaluate(shape["disc"]["radius"], parameters)
            elif "box" in shape and not self.planar:
                self.boxes[name] = [evaluate(x, parameters) for x in shape["box"]["size"]]
            elif "rod" in shape:
                turn = rotation_of({"axis": "z", "angle": evaluate(shape.get("angle", 0), parameters)})
                half = turn @ np.array([0.5 * evaluate(shape["rod"]["length"], parameters), 0.0, 0.0])
                self.points.setdefault(name, []).extend([at - half, at + half])

    def add_joint(self, name, entry, parameters):
        self.joints.append({"name": name, "type": entry["type"], "between": entry["between"],
                            "axis": direction(entry.get("axis"), parameters),
                            "at": vector(entry["at"], parameters) if "at" in entry else None})

    def settle(self, poses):
        """What needs the poses of the start: points of joints in their bodies, rails."""
        for joint in self.joints:
            first, second = joint["between"]
            if joint["at"] is not None:
                place = joint["at"]
                locals_ = []
                for body in (first, second):
                    position, turn = poses.pose(body, 0)
                    self.points.setdefault(body, []).append(turn.T @ (place - position))
                    locals_.append((body, turn.T @ (place - position)))
                joint["first"], joint["second"] = locals_
            else:
                joint["first"], joint["second"] = self.touch(first), self.touch(second)
            if joint["type"] == "distance":
                self.links.append((first, second, "rod"))
            if joint["type"] in ("prismatic", "cylindrical"):
                turn = self.frame_turns.get(first, np.eye(3))
                body, local = joint["first"]
                joint["rail"] = body, local, turn @ joint["axis"]
                if self.planar:
                    self.sliders.add(joint["second"][0])
        for body, points in list(self.points.items()):
            spread = max(np.linalg.norm(p - points[0]) for p in points)
            if spread > 1e-9 or body in self.radii:
                self.sliders.discard(body)


def add_section(mechanism, prefix, section, parameters, place=np.zeros(3)):
    """Bodies and joints of a model or of one copy of a sub-assembly, whose origin lies at `place`."""
    for name, entry in (section.get("bodies") or {}).items():
        mechanism.add_body(prefix + name, entry, parameters)
    if prefix:  # ground.copy.name; the copy's origin is ground.copy
        mechanism.frames[f"ground.{prefix}"] = place
        for name, entry in ((section.get("ground") or {}).get("frames") or {}).items():
            at = entry.get("position", [0, 0]) if isinstance(entry, dict) else entry
            mechanism.frames[f"ground.{prefix}{name}"] = place + vector(at, parameters)
    for name, entry in (section.get("joints") or {}).items():
        between = [inside(prefix, frame) for frame in entry["between"]]
        mechanism.add_joint(prefix + name, {**entry, "between": between}, parameters)


def inside(prefix, frame):
    """Name of a frame of a copy in the whole model."""
    first, _, rest = frame.partition(".")
    return f"ground.{prefix}{rest}" if prefix and first == "ground" else prefix + frame


def read_mechanism(path):
    data = yaml.safe_load(path.read_text())
    parameters = parameters_of(data.get("parameters"))
    mechanism = Mechanism(data["space"] == "planar", data["name"])
    mechanism.add_frames("ground", (data.get("ground") or {}).get("frames"), parameters)
    for name, instance in (data.get("instances") or {}).items():
        assembly = data["assemblies"][instance["assembly"]]
        count = int(evaluate(instance["repeat"], parameters)) if "repeat" in instance else 0
        for i in range(1, max(count, 1) + 1):
            outer = {**parameters, "i": float(i)}
            own = {**outer, **{k: evaluate(v, outer) for k, v in instance.get("parameters", {}).items()}}
            prefix = f"{name}_{i}." if count else f"{name}."
            place = instance.get("place", [0, 0])
            place = place.get("position", [0, 0]) if isinstance(place, dict) else place
            add_section(mechanism, prefix, assembly, own, vector(place, outer))
    add_section(mechanism, "", data, parameters)
    forces = (data.get("forces") or {}).values()
    driven = {entry["coordinate"] for entry in (data.get("drives") or {}).values()}
    driven |= {entry["coordinate"] for entry in forces if entry["type"] == "hydraulic_cylinder"}
    for name, sensor in (data.get("sensors") or {}).items():
        if sensor["type"] == "distance" and name in driven:
            mechanism.links.append((*sensor["between"], "cylinder"))
    for entry in forces:
        if entry["type"] in ("spring", "polynomial_spring"):
            mechanism.links.append((*entry["between"], "spring"))
    for entry in (data.get("connections") or {}).values():
        ends = [end for element in entry["elements"].values() for end in element["between"]
                if end not in entry.get("nodes", {})]
        mechanism.links.append((ends[0], ends[-1], "rod"))
    for a, b, _ in mechanism.links:
        mechanism.touch(a), mechanism.touch(b)
    return mechanism
