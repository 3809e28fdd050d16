"""Checks of a JSON body against the models of the official Azure packages.

Packages come in two generations: members as `_attr_to_rest_field` with type hints, or as
`_attribute_map` with `_validation`, where "properties.x" stands for nesting. Both become a Shape.
"""
import datetime
import enum
import sys
import typing


class Member:
    def __init__(self, kind, required, read_only):
        self.kind = kind  # see kind_of_hint
        self.required = required
        self.read_only = read_only


def is_model(t):
    return isinstance(t, type) and (hasattr(t, "_attribute_map") or hasattr(t, "_deserialize"))


def has_old_tables(cls):
    """The older generation does not say which words an enumeration has."""
    return hasattr(cls, "_attribute_map")


# ---- kinds: ("any",) ("str",) ("int",) ("float",) ("bool",) ("enum", words) ("list", kind)
#      ("map", kind) ("model", class) ("shape", {name: Member})

PLAIN = {str: "str", int: "int", float: "float", bool: "bool", bytes: "str"}
PLAIN_WORDS = {"str": "str", "int": "int", "float": "float", "bool": "bool", "iso-8601": "str"}


def names_of(cls):
    """What the type hints of a model may name."""
    module = sys.modules[cls.__module__]
    return {**vars(typing), **vars(module), "_models": sys.modules[cls.__module__.rsplit(".", 1)[0]],
            "datetime": datetime}


def kind_of_hint(hint, names):
    if isinstance(hint, typing.ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        hint = eval(hint, names)  # annotations of an installed package, not input
        return kind_of_hint(hint, names)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:
        kinds = [kind_of_hint(a, names) for a in args if a is not type(None)]
        for wanted in ("model", "enum"):
            for kind in kinds:
                if kind[0] == wanted:
                    return kind
        return kinds[0]
    if origin is list:
        return ("list", kind_of_hint(args[0], names))
    if origin is dict:
        return ("map", kind_of_hint(args[1], names))
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return ("enum", tuple(m.value for m in hint))
    if is_model(hint):
        return ("model", hint)
    return (PLAIN.get(hint, "any"),)


def kind_of_word(word, names):
    """Types of the older generation: "str", "[Model]", "{str}"."""
    if word[0] == "[":
        return ("list", kind_of_word(word[1:-1], names))
    if word[0] == "{":
        return ("map", kind_of_word(word[1:-1], names))
    if word in PLAIN_WORDS:
        return (PLAIN_WORDS[word],)
    found = names.get(word) or getattr(names["_models"], word, None)
    return ("model", found) if is_model(found) else ("any",)


def shape_new(cls):
    """A model of the newer generation. A member whose hint is not Optional is required."""
    try:
        cls()  # fills its tables
    except TypeError:
        pass
    shape = {}
    for attribute, field in cls._attr_to_rest_field.items():
        owner = next(c for c in cls.__mro__ if attribute in vars(c).get("__annotations__", {}))
        hint = owner.__annotations__[attribute]
        names = names_of(owner)
        seen = eval(hint, names) if isinstance(hint, str) else hint
        optional = type(None) in typing.get_args(seen)
        read_only = field._visibility == ["read"]
        shape[field._rest_name] = Member(kind_of_hint(hint, names), not optional and not read_only,
                                         read_only)
    return shape


def shape_old(cls):
    shape = {}
    for attribute, info in cls._attribute_map.items():
        rules = cls._validation.get(attribute, {})
        *above, name = info["key"].replace("\\.", "\0").split(".")
        inside = shape
        for step in above:
            inside = inside.setdefault(step, Member(("shape", {}), False, False)).kind[1]
        kind = kind_of_word(info["type"], names_of(cls))
        inside[name.replace("\0", ".")] = Member(kind, rules.get("required", False),
                                                 rules.get("readonly", False))
    return shape


shapes = {}


def shape_of(cls):
    if cls not in shapes:
        shapes[cls] = shape_old(cls) if has_old_tables(cls) else shape_new(cls)
    return shapes[cls]


class BodyCheck:
    """Violations of one body, as "path: what"; `members` counts what was looked at."""

    def __init__(self):
        self.violations = []
        self.members = 0

    def add(self, path, what):
        self.violations.append(f"{path or 'body'}: {what}")

    def check(self, kind, value, path=""):
        handler = getattr(self, "check_" + kind[0], None)
        if handler:
            handler(kind, value, path)
        elif kind[0] != "any":
            self.check_plain(kind[0], value, path)

    def check_plain(self, name, value, path):
        wanted = {"str": str, "int": int, "float": (int, float), "bool": bool}[name]
        if not isinstance(value, wanted) or (isinstance(value, bool) and name != "bool"):
            self.add(path, f"{type(value).__name__} where {name} is expected")

    def check_enum(self, kind, value, path):
        if value not in kind[1]:
            self.add(path, f"'{value}' is none of {', '.join(kind[1])}")

    def check_list(self, kind, value, path):
        if not isinstance(value, list):
            self.add(path, "no list")
            return
        for at, item in enumerate(value):
            self.check(kind[1], item, f"{path}[{at}]")

    def check_map(self, kind, value, path):
        if not isinstance(value, dict):
            self.add(path, "no map")
            return
        for key, item in value.items():
            self.check(kind[1], item, f"{path}.{key}")

    def check_model(self, kind, value, path):
        self.check_shape(("shape", shape_of(kind[1])), value, path)

    def check_shape(self, kind, value, path):
        if not isinstance(value, dict):
            self.add(path, "no object")
            return
        for name, member in kind[1].items():
            if member.required and name not in value:
                self.add(path, f"required member '{name}' is missing")
        for name, item in value.items():
            self.members += 1
            where = f"{path}.{name}" if path else name
            member = kind[1].get(name)
            if member is None:
                self.add(where, "unknown member")
            elif member.read_only:
                self.add(where, "read-only member")
            else:
                self.check(member.kind, item, where)


def body_check(model, body):
    check = BodyCheck()
    check.check(("model", model), body)
    return check
