#!/usr/bin/env python3
"""Writes backend/sim/body_tables.c: which members a request body may have.

Source: the models of the official Python packages (names, types and visibility of members are
facts of the public API). Run it in the virtual environment that contract_env.sh makes:

    python make_body_tables.py > backend/sim/body_tables.c
"""
import typing

import azure.mgmt.containerservice.models as aks
import azure.mgmt.network.models as net

ROOTS = [("BODY_CLUSTER", aks.ManagedCluster), ("BODY_POOL", aks.AgentPool),
         ("BODY_TAGS", aks.TagsObject), ("BODY_VNET", net.VirtualNetwork),
         ("BODY_SUBNET", net.Subnet)]
# Members whose value sets are closed on the server; others are open words.
ENUMS = {"osType", "mode", "scaleSetPriority", "scaleSetEvictionPolicy", "type", "driver",
         "networkPlugin", "networkPluginMode", "outboundType", "loadBalancerSku", "upgradeChannel",
         "nodeOSUpgradeChannel", "tier", "supportPlan", "scaleDownMode", "osDiskType",
         "undrainableNodeBehavior", "networkPolicy", "gpuInstanceProfile"}
KEEP_NET = 3  # depth below which network bodies are open

shapes = {}
order = []


def hints(cls):
    out = {}
    for c in reversed(cls.__mro__):
        mod = __import__(c.__module__, fromlist=["x"])
        ns = dict(vars(mod))
        ns["_models"] = aks if "containerservice" in c.__module__ else net
        ns.setdefault("_types", typing)
        for k, v in getattr(c, "__annotations__", {}).items():
            out[k] = (v, ns)
    return out


def resolve(t, ns):
    if isinstance(t, str):
        t = eval(t, ns)
    if isinstance(t, typing.ForwardRef):
        t = eval(t.__forward_arg__, ns)
    origin = typing.get_origin(t)
    if origin is typing.Union:
        parts = [resolve(x, ns) for x in typing.get_args(t) if x is not type(None)]
        models = [p for p in parts if p[0] == "M"]
        enums = [p for p in parts if p[0] == "E"]
        return (models or enums or parts)[0]
    if origin in (list, typing.List):
        return ("L", resolve(typing.get_args(t)[0], ns))
    if origin in (dict, typing.Dict):
        return ("D", resolve(typing.get_args(t)[1], ns))
    if isinstance(t, type) and hasattr(t, "__members__"):
        return ("E", [m.value for m in t])
    if isinstance(t, type) and hasattr(t, "_deserialize"):
        return ("M", t)
    return {str: ("S",), int: ("I",), float: ("F",), bool: ("B",)}.get(t, ("A",))


def flat(cls):
    """Members of a model: name, type, read-only."""
    try:
        obj = cls()
    except TypeError:
        obj = None
    notes = hints(cls)
    fields = getattr(cls, "_attr_to_rest_field", None)
    if fields is None:
        fields = {}
    for attr, f in fields.items():
        t, ns = notes.get(attr, (None, None))
        kind = resolve(t, ns) if t is not None else ("A",)
        vis = f._visibility
        yield f._rest_name, kind, vis == ["read"]


def shape(cls, depth, package):
    key = f"{package}_{cls.__name__}".replace("ManagedCluster", "MC").replace("ApplicationGateway", "AG").replace("Configuration", "Config").replace("AndTraces", "")
    if key in shapes:
        return key if key in order else None  # a type inside itself stays open
    shapes[key] = []
    rows = []
    for name, kind, ro in sorted(flat(cls), key=lambda x: x[0]):
        rows.append((name, kind, ro, describe(name, kind, depth + 1, package)))
    shapes[key] = rows
    order.append(key)
    return key


def describe(name, kind, depth, package):
    base = kind
    wrap = ""
    while base[0] in "LD":
        wrap += base[0]
        base = base[1]
    letter = base[0]
    sub = words = None
    if letter == "M":
        if package == "net" and depth > KEEP_NET:
            letter = "A"
        else:
            sub = shape(base[1], depth, package)
    if letter == "E":
        words = "|".join(base[1]) if name in ENUMS else None
        letter = "S"
    return wrap, letter, sub, words


TYPES = {"S": "M_STRING", "I": "M_INT", "F": "M_NUMBER", "B": "M_BOOL", "A": "M_ANY", "M": "M_OBJECT"}


def main():
    roots = [(n, shape(c, 0, "aks" if c.__module__.startswith("azure.mgmt.containerservice") else "net"))
             for n, c in ROOTS]
    print("#include \"backend/sim/body.h\"\n\n#include \"model/base/macros.h\"\n")
    print("/* Written by tests/contract/make_body_tables.py from the official models; do not edit. */\n")
    print("#define SHAPE(x) static const struct body_shape x = { x##_m, ARRAY_LEN(x##_m) }\n")
    print("/* clang-format off */")
    for key in order:
        rows = shapes[key]
        if not rows:
            continue
        print(f"static const struct body_member {key}_m[] = {{")
        for name, kind, ro, (wrap, letter, sub, words) in rows:
            extra = ""
            if "L" in wrap:
                extra += ", .list = true"
            if "D" in wrap:
                extra += ", .map = true"
            if ro:
                extra += ", .read_only = true"
            if words:
                extra += f", .words = \"{words}\""
            if sub and shapes[sub]:
                extra += f", .sub = &{sub}"
            kindname = TYPES[letter]
            if letter == "M" and not (sub and shapes[sub]):
                kindname = "M_ANY"
            print(f"\t{{ .name = \"{name}\", .type = {kindname}{extra} }},")
        print("};")
        print(f"SHAPE({key});")
    print("\nconst struct body_shape *const body_shapes[BODY__MAX] = {")
    for n, key in roots:
        print(f"\t[{n}] = &{key},")
    print("};\n/* clang-format on */")


main()
