#!/usr/bin/env python3
"""The official Azure clients for Python against a simulator alone: they know nothing of it but its
address. Signs in by secret and by certificate; makes, reads, lists, scales and deletes, and is
refused where Azure refuses.

usage: sim_clients.py ENDPOINTS.JSON
"""
import json
import os
import subprocess
import sys
import tempfile
import uuid

at = json.load(open(sys.argv[1]))
os.environ["REQUESTS_CA_BUNDLE"] = at["caFile"]

from azure.core import MatchConditions  # noqa: E402
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError  # noqa: E402
from azure.identity import CertificateCredential, ClientSecretCredential  # noqa: E402
from azure.mgmt.authorization import AuthorizationManagementClient  # noqa: E402
from azure.mgmt.compute import ComputeManagementClient  # noqa: E402
from azure.mgmt.containerservice import ContainerServiceClient  # noqa: E402
from azure.mgmt.network import NetworkManagementClient  # noqa: E402
from azure.mgmt.resource.resources import ResourceManagementClient  # noqa: E402

SUB, WHERE, N = at["subscriptionId"], "westeurope", "clients"
SCOPE = "https://management.azure.com/.default"
common = {"base_url": at["arm"], "credential_scopes": [SCOPE], "polling_interval": 1}


def credential(kind, proof, **more):
    return kind(at["tenantId"], at["clientId"], *proof, authority=at["authority"],
                disable_instance_discovery=True, **more)


secret = credential(ClientSecretCredential, [at["clientSecret"]])


def client(kind):
    return kind(secret, SUB, **common)


def check(what, ok):
    print(("ok    " if ok else "WRONG ") + what, flush=True)
    if not ok:
        sys.exit(1)


def refused(what, call, kind, code):
    try:
        call()
    except kind as e:
        check(f"{what}: {code}", e.error is not None and e.error.code == code)
        return
    check(f"{what}: was not refused", False)


def sign_in():
    pem = json.loads(at["azureCertificateCredentialsJson"])["clientCertificate"]
    cert = credential(CertificateCredential, [], certificate_data=pem.encode())
    check("sign-in by certificate", len(cert.get_token(SCOPE).token) > 40)
    try:
        credential(ClientSecretCredential, ["wrong"]).get_token(SCOPE)
        check("a wrong secret is refused", False)
    except Exception as e:  # ClientAuthenticationError, whose text is Entra's
        check("a wrong secret is refused", "AADSTS7000215" in str(e))


def catalogue(compute, aks):
    sizes = list(compute.resource_skus.list(filter=f"location eq '{WHERE}'"))
    check("sizes of a location, over pages", len(sizes) > 20 and any(
        s.name == "Standard_NV36ads_A10_v5" and s.family for s in sizes))
    usage = list(compute.usage.list(WHERE))
    check("quota of a location", any(u.name.value == "cores" and u.limit > 0 for u in usage))
    versions = aks.managed_clusters.list_kubernetes_versions(WHERE)
    check("versions have one default", sum(bool(v.is_default) for v in versions.values_property) == 1)


def network(net):
    v = net.virtual_networks.begin_create_or_update(N, "net", {
        "location": WHERE, "properties": {
            "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
            "subnets": [{"name": "nodes", "properties": {"addressPrefix": "10.0.0.0/20"}}]}}).result()
    check("network with a subnet", v.provisioning_state == "Succeeded" and len(v.subnets) == 1)
    check("it is in the list", [x.name for x in net.virtual_networks.list_all()] == ["net"])
    return v.subnets[0].id


def cluster_body(subnet):
    return {"location": WHERE, "tags": {"made-by": "test"}, "identity": {"type": "SystemAssigned"},
            "sku": {"name": "Base", "tier": "Standard"},
            "properties": {
                "kubernetesVersion": "1.35", "dnsPrefix": N, "nodeResourceGroup": N + "-nodes",
                "networkProfile": {"networkPlugin": "azure", "networkPluginMode": "overlay",
                                   "podCidr": "10.244.0.0/16", "serviceCidr": "10.96.0.0/16",
                                   "dnsServiceIP": "10.96.0.10"},
                "agentPoolProfiles": [{"name": "system", "mode": "System", "count": 1,
                                       "vmSize": "Standard_D4s_v5", "vnetSubnetID": subnet}]}}


def pool_body(subnet, count, **more):
    return {"properties": {"mode": "User", "count": count, "vmSize": "Standard_NV36ads_A10_v5",
                           "vnetSubnetID": subnet, "nodeTaints": ["nvidia.com/gpu=true:NoSchedule"],
                           "gpuProfile": {"driver": "Install"}, **more}}


def clusters(aks, roles, subnet):
    put = aks.managed_clusters.begin_create_or_update
    missing = {"etag": "*", "match_condition": MatchConditions.IfMissing}
    refused("a cluster in no group", lambda: put("nowhere", N, cluster_body(subnet)),
            ResourceNotFoundError, "ResourceGroupNotFound")
    k = put(N, N, cluster_body(subnet), **missing).result()
    check("cluster", k.properties.provisioning_state == "Succeeded" and k.identity.principal_id)
    role = roles.role_assignments.create(subnet, str(uuid.uuid4()), {
        "properties": {"principalId": k.identity.principal_id, "principalType": "ServicePrincipal",
                       "roleDefinitionId": f"/subscriptions/{SUB}/providers/Microsoft.Authorization/"
                                           "roleDefinitions/4d97b98b-1d4f-4787-a291-c67834d212e7"}})
    check("role assignment", role.scope == subnet)
    refused("the same cluster, if it is missing", lambda: put(N, N, cluster_body(subnet), **missing),
            ResourceExistsError, "PreconditionFailed")


def pools(aks, subnet):
    put = aks.agent_pools.begin_create_or_update
    p = put(N, N, "gpua10", pool_body(subnet, 1)).result()
    check("pool", p.properties.provisioning_state == "Succeeded" and p.properties.count == 1)
    p = put(N, N, "gpua10", pool_body(subnet, 2), etag=p.properties.e_tag,
            match_condition=MatchConditions.IfNotModified).result()
    check("scaled", p.properties.count == 2)
    refused("another machine size",
            lambda: put(N, N, "gpua10", pool_body(subnet, 2, vmSize="Standard_NV72ads_A10_v5")),
            HttpResponseError, "PropertyChangeNotAllowed")
    refused("a size without quota",
            lambda: put(N, N, "nvl", pool_body(subnet, 1, vmSize="Standard_NC40ads_H100_v5")),
            HttpResponseError, "QuotaExceeded")
    refused("a restricted size",
            lambda: put(N, N, "h200", pool_body(subnet, 1, vmSize="Standard_ND96isr_H200_v5")),
            ResourceExistsError, "SkuNotAvailable")
    check("pools in the list", sorted(x.name for x in aks.agent_pools.list(N, N)) == ["gpua10", "system"])


def kubernetes(aks):
    config = aks.managed_clusters.list_cluster_admin_credentials(N, N).kubeconfigs[0].value
    with tempfile.NamedTemporaryFile() as f:
        f.write(bytes(config))
        f.flush()
        out = subprocess.run(["kubectl", "--kubeconfig", f.name, "get", "nodes", "-o", "json"],
                             capture_output=True, timeout=60)
        nodes = json.loads(out.stdout)["items"] if out.returncode == 0 else []
    check("kubectl sees three nodes", len(nodes) == 3)
    check("two of them for GPUs", sum("taints" in n["spec"] for n in nodes) == 2)


def main():
    groups, aks = client(ResourceManagementClient), client(ContainerServiceClient)
    net, roles = client(NetworkManagementClient), client(AuthorizationManagementClient)
    sign_in()
    catalogue(client(ComputeManagementClient), aks)
    check("no group yet", not groups.resource_groups.check_existence(N))
    groups.resource_groups.create_or_update(N, {"location": WHERE, "tags": {"made-by": "test"}})
    found = list(groups.resource_groups.list(filter="tagName eq 'made-by' and tagValue eq 'test'"))
    check("the group is found by its tag", [g.name for g in found] == [N])
    subnet = network(net)
    clusters(aks, roles, subnet)
    pools(aks, subnet)
    kubernetes(aks)
    check("the cluster is in the list", [k.name for k in aks.managed_clusters.list()] == [N])
    refused("the network before the cluster", lambda: net.virtual_networks.begin_delete(N, "net"),
            HttpResponseError, "InUseSubnetCannotBeDeleted")
    aks.agent_pools.begin_delete(N, N, "gpua10").result()
    aks.managed_clusters.begin_delete(N, N).result()
    check("no cluster is left", not list(aks.managed_clusters.list()))
    net.virtual_networks.begin_delete(N, "net").result()
    groups.resource_groups.begin_delete(N).result()
    check("no group is left", not list(groups.resource_groups.list()))


main()
