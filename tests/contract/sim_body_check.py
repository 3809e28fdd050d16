#!/usr/bin/env python3
"""Checks every request body that the simulator wrote down (FLIGHTDECK_SIM_BODIES=1) against the
models of the official Python packages: an unknown member, one that is read-only, a wrong type, a
word that is not in its set and a missing required member are violations.

usage: sim_body_check.py BODIES.JSONL     exit 1 when there are violations
       sim_body_check.py --self-test      one fault of each kind must be found
"""
import json
import re
import sys
import typing

import azure.mgmt.authorization.v2022_04_01.models as roles
import azure.mgmt.containerservice.models as aks
import azure.mgmt.network.models as net
import azure.mgmt.resource.resources.models as res

AKS = r"/providers/Microsoft\.ContainerService/managedClusters/[^/]+"
NET = r"/providers/Microsoft\.Network/virtualNetworks/[^/]+"
ROUTES = [
    ("PUT", AKS + "$", aks.ManagedCluster), ("PATCH", AKS + "$", aks.TagsObject),
    ("PUT", AKS + "/agentPools/[^/]+$", aks.AgentPool), ("PUT", NET + "$", net.VirtualNetwork),
    ("PUT", NET + "/subnets/[^/]+$", net.Subnet),
    ("PUT", r"/roleAssignments/[^/]+$", roles.RoleAssignmentCreateParameters),
    ("PUT", r"/subscriptions/[^/]+/resourcegroups/[^/]+$", res.ResourceGroup),
    ("PATCH", r"/subscriptions/[^/]+/resourcegroups/[^/]+$", res.ResourceGroupPatchable),
]
# Members that the service insists on although the models do not say so (facts/azure.md 3.5).
ALSO_REQUIRED = {"ManagedClusterAgentPoolProfile": ["name"]}


def space(cls):
    module = sys.modules[cls.__module__]
    names = dict(vars(module))
    names["_models"] = sys.modules[cls.__module__.rsplit(".", 1)[0]]
    names["_types"] = typing
    return names


def fields(cls):
    """wire name -> (type, read-only, required) of a model of either generation."""
    if hasattr(cls, "_attribute_map"):
        flat = {}
        for attr, info in cls._attribute_map.items():
            rule = getattr(cls, "_validation", {}).get(attr, {})
            flat[info["key"]] = (info["type"], rule.get("readonly", False), rule.get("required", False))
        return flat
    try:
        cls()  # fills the tables in
    except TypeError:
        pass
    out = {}
    for attr, f in cls._attr_to_rest_field.items():
        owner = next(c for c in cls.__mro__ if attr in getattr(c, "__annotations__", {}))
        out[f._rest_name] = ((owner.__annotations__[attr], space(owner)), f._visibility == ["read"], False)
    return out


def resolve(kind, names):
    if isinstance(kind, str):
        kind = eval(kind, names)
    if isinstance(kind, typing.ForwardRef):
        kind = eval(kind.__forward_arg__, names)
    return kind


class Checker:
    def __init__(self):
        self.found, self.members = [], 0

    def say(self, path, what):
        self.found.append(f"{path or '/'}: {what}")

    def model(self, cls, value, path):
        if not isinstance(value, dict):
            self.say(path, f"no object for {cls.__name__}")
            return
        table = fields(cls)
        nested = {k for k in table if "." in k.replace("\\.", "")}
        if nested:
            self.old(table, value, path)
            return
        for key in ALSO_REQUIRED.get(cls.__name__, []) + [k for k, f in table.items() if f[2]]:
            if key not in value:
                self.say(path, f"required member '{key}' is missing")
        for key, item in value.items():
            self.members += 1
            if key not in table:
                self.say(path, f"unknown member '{key}' of {cls.__name__}")
            elif table[key][1]:
                self.say(f"{path}/{key}", "is read-only")
            else:
                kind, _, _ = table[key]
                self.typed(kind, item, f"{path}/{key}")

    def old(self, table, value, path):
        """Models that flatten "properties.x"."""
        tops = {k.split(".")[0] for k in table}
        for key, item in value.items():
            self.members += 1
            if key not in tops:
                self.say(path, f"unknown member '{key}'")
            elif key in table:
                self.typed(table[key][0], item, f"{path}/{key}")
            else:
                inner = {k.split(".", 1)[1]: f for k, f in table.items() if k.startswith(key + ".")}
                for name, (_, _, required) in inner.items():
                    if required and name not in item:
                        self.say(f"{path}/{key}", f"required member '{name}' is missing")
                for name, sub in item.items():
                    self.members += 1
                    if name not in inner:
                        self.say(f"{path}/{key}", f"unknown member '{name}'")
                    elif inner[name][1]:
                        self.say(f"{path}/{key}/{name}", "is read-only")
                    else:
                        self.typed(inner[name][0], sub, f"{path}/{key}/{name}")

    def typed(self, kind, value, path):
        names = {}
        if isinstance(kind, str):
            self.plain(kind, value, path)
            return
        if isinstance(kind, tuple):
            kind, names = kind
        kind = resolve(kind, names)
        origin, args = typing.get_origin(kind), typing.get_args(kind)
        if origin is typing.Union:
            options = [resolve(a, names) for a in args if a is not type(None)]
            models = [o for o in options if isinstance(o, type) and hasattr(o, "_deserialize")]
            enums = [o for o in options if isinstance(o, type) and hasattr(o, "__members__")]
            if value is None:
                self.say(path, "is null")
            elif models:
                self.model(models[0], value, path)
            elif enums:
                if value not in [m.value for m in enums[0]]:
                    self.say(path, f"'{value}' is none of {enums[0].__name__}")
            else:
                self.typed((options[0], names), value, path)
        elif origin is list:
            if not isinstance(value, list):
                self.say(path, "is no list")
            for i, item in enumerate(value if isinstance(value, list) else []):
                self.typed((args[0], names), item, f"{path}[{i}]")
        elif origin is dict:
            if not isinstance(value, dict):
                self.say(path, "is no map")
            for key, item in (value if isinstance(value, dict) else {}).items():
                self.typed((args[1], names), item, f"{path}/{key}")
        elif isinstance(kind, type) and hasattr(kind, "_deserialize"):
            self.model(kind, value, path)
        elif kind in (str, int, float, bool):
            good = isinstance(value, (int, float)) and not isinstance(value, bool) if kind is float else \
                type(value) is kind
            if not good:
                self.say(path, f"{json.dumps(value)} is no {kind.__name__}")

    def plain(self, kind, value, path):
        want = {"str": str, "bool": bool, "int": int}.get(kind)
        if want and type(value) is not want:
            self.say(path, f"{json.dumps(value)} is no {kind}")
        if kind.startswith("{") and not isinstance(value, dict):
            self.say(path, "is no map")


def check_line(row, checker):
    for verb, pattern, cls in ROUTES:
        if row["method"] == verb and re.search(pattern, row["path"], re.I):
            before = len(checker.found)
            checker.model(cls, row["body"], "")
            checker.found[before:] = [f"{verb} {row['path'].rsplit('/', 2)[-2]} {f}" for f in checker.found[before:]]
            return True
    checker.found.append(f"{row['method']} {row['path']}: a body where none is known")
    return False


def self_test():
    pool = {"method": "PUT", "path": "/x/providers/Microsoft.ContainerService/managedClusters/a/agentPools/p"}
    faults = {
        "unknown": {"properties": {"bogus": 1}}, "read-only": {"properties": {"provisioningState": "Succeeded"}},
        "type": {"properties": {"count": "3"}}, "word": {"properties": {"mode": "Sytem"}},
    }
    for what, body in faults.items():
        c = Checker()
        check_line({**pool, "body": body}, c)
        if len(c.found) != 1:
            sys.exit(f"self-test: {what}: {c.found}")
    c = Checker()
    check_line({"method": "PUT", "path": "/x/roleAssignments/g", "body": {"properties": {"principalId": "p"}}}, c)
    if not any("required" in f for f in c.found):
        sys.exit(f"self-test: required: {c.found}")
    c = Checker()
    check_line({**pool, "body": {"properties": {"count": 3, "mode": "User", "nodeLabels": {"a": "b"}}}}, c)
    if c.found:
        sys.exit(f"self-test: a good body: {c.found}")
    print("self-test: each kind of fault is found")


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return 0
    checker, n = Checker(), 0
    for line in open(sys.argv[1], encoding="utf-8"):
        check_line(json.loads(line), checker)
        n += 1
    for f in checker.found:
        print("VIOLATION", f)
    print(f"{n} bodies, {checker.members} members, {len(checker.found)} violations")
    return 1 if checker.found or n == 0 else 0


sys.exit(main())
