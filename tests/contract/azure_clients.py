"""The official Azure clients against the simulator of this profile (FLIGHTDECK_STATE_DIR).

First they list what the console made, and the lists must equal the simulator's own inventory. Then,
once with a secret and once with a certificate, they make and remove a group, a network, a cluster,
a pool and a role assignment of their own.
"""
import json
import subprocess
import sys
import uuid

import azure.core.polling.base_polling
from azure.core.exceptions import ClientAuthenticationError, ResourceNotFoundError
from azure.identity import CertificateCredential, ClientSecretCredential
from azure.mgmt.authorization import AuthorizationManagementClient
from azure.mgmt.authorization.models import RoleAssignmentCreateParameters
from azure.mgmt.compute import ComputeManagementClient
from azure.mgmt.containerservice import ContainerServiceClient
from azure.mgmt.containerservice import models as aks
from azure.mgmt.network import NetworkManagementClient
from azure.mgmt.network import models as net
from azure.mgmt.resource.resources import ResourceManagementClient
from azure.mgmt.resource.resources.models import ResourceGroup
from azure.mgmt.resource.subscriptions import SubscriptionClient

LOCATION = "westeurope"
NETWORK_CONTRIBUTOR = "4d97b98b-1d4f-4787-a291-c67834d212e7"
OPERATION_S = 120
checks = 0


def check(what, got, want):
    global checks
    checks += 1
    if got != want:
        sys.exit(f"{what}: the clients have {got!r}, the simulator has {want!r}")


def ask(*words):
    """A verb of `flightdeck sim`, as JSON."""
    out = subprocess.run(["flightdeck", "sim", *words, "-o", "json"], check=True, timeout=60,
                         stdout=subprocess.PIPE).stdout
    return json.loads(out)


def delay(_self):
    """Pauses between polls: the simulator's clock runs a thousand times faster than Retry-After."""
    return 0.05


azure.core.polling.base_polling.LROBasePolling._extract_delay = delay


class Clients:
    """One client of each service, all with the same credential."""

    def __init__(self, where, credential):
        subscription, arm = where["subscriptionId"], where["arm"]
        same = {"base_url": arm, "connection_verify": where["caFile"],
                "credential_scopes": ["https://management.azure.com/.default"]}
        self.groups = ResourceManagementClient(credential, subscription, **same)
        self.network = NetworkManagementClient(credential, subscription, **same)
        self.aks = ContainerServiceClient(credential, subscription, **same)
        self.roles = AuthorizationManagementClient(credential, subscription, **same)
        self.compute = ComputeManagementClient(credential, subscription, **same)
        self.subscriptions = SubscriptionClient(credential, **same)
        self.subscription = subscription


def options(where):
    return {"authority": where["authority"], "connection_verify": where["caFile"],
            "disable_instance_discovery": True}


def by_secret(where, secret=None):
    return ClientSecretCredential(where["tenantId"], where["clientId"],
                                  secret or where["clientSecret"], **options(where))


def by_certificate(where):
    pem = json.loads(where["azureCertificateCredentialsJson"])["clientCertificate"]
    return CertificateCredential(where["tenantId"], where["clientId"],
                                 certificate_data=pem.encode(), **options(where))


# ---- what the console made ----

def low(text):
    return text.lower()


def pools_seen(clients, clusters):
    """Every pool, listed by itself; it must be the same that its cluster shows."""
    out = {}
    for cluster in clusters:
        group = cluster.id.split("/")[4]
        inside = {p.name: (p.count, p.vm_size, p.provisioning_state)
                  for p in cluster.properties.agent_pool_profiles}
        alone = {}
        for pool in clients.aks.agent_pools.list(group, cluster.name):
            p = pool.properties
            alone[pool.name] = (p.count, p.vm_size, p.provisioning_state)
            out[low(pool.id)] = (p.vm_size, p.count, p.provisioning_state)
        check(f"pools of {cluster.name}", alone, inside)
    return out


def roles_seen(clients, networks):
    out = set()
    for network in networks:
        for subnet in network.properties.subnets:
            for role in clients.roles.role_assignments.list_for_scope(subnet.id):
                out.add((role.name, low(role.scope), role.principal_id))
    return out


def compare_inventory(clients, inventory):
    groups = {g.name: (g.location, g.properties.provisioning_state, g.tags or {})
              for g in clients.groups.resource_groups.list()}
    check("resource groups", groups, {g["name"]: (g["location"], g["state"], g.get("tags", {}))
                                      for g in inventory["resourceGroups"]})
    networks = list(clients.network.virtual_networks.list_all())
    check("virtual networks",
          {low(v.id): (v.location, v.properties.provisioning_state, v.tags or {}) for v in networks},
          {low(v["id"]): (v["location"], v["state"], v.get("tags", {}))
           for v in inventory["virtualNetworks"]})
    clusters = list(clients.aks.managed_clusters.list())
    check("clusters",
          {low(c.id): (c.location, c.properties.provisioning_state,
                       c.properties.current_kubernetes_version, c.tags or {}) for c in clusters},
          {low(c["id"]): (c["location"], c["state"], c["version"], c.get("tags", {}))
           for c in inventory["managedClusters"]})
    check("pools", pools_seen(clients, clusters),
          {low(p["id"]): (p["vmSize"], p["count"], p["state"]) for p in inventory["agentPools"]})
    check("role assignments", roles_seen(clients, networks),
          {(r["name"], low(r["scope"]), r["principalId"]) for r in inventory["roleAssignments"]})
    for kind in ("resourceGroups", "virtualNetworks", "managedClusters", "agentPools", "roleAssignments"):
        check(f"the console made some {kind}", len(inventory[kind]) > 0, True)


def look_around(clients):
    """What the wizard's choices are made of."""
    places = {p.name for p in clients.subscriptions.subscriptions.list_locations(clients.subscription)}
    check("the location is listed", LOCATION in places, True)
    sizes = {s.name for s in clients.compute.resource_skus.list(filter=f"location eq '{LOCATION}'")}
    check("a GPU size is listed", "Standard_NC24ads_A100_v4" in sizes, True)
    usages = {u.name.value for u in clients.compute.usage.list(LOCATION)}
    check("a quota is listed", "StandardNCADSA100v4Family" in usages, True)
    versions = clients.aks.managed_clusters.list_kubernetes_versions(LOCATION)
    return next(v.version for v in versions.values_property if v.is_default)


# ---- what the clients make themselves ----

def done(poller):
    poller.wait(OPERATION_S)
    if not poller.done():
        sys.exit(f"an operation is not done after {OPERATION_S} s: {poller.status()}")
    return poller.result()


def network_make(clients, name):
    made = done(clients.network.virtual_networks.begin_create_or_update(name, name, net.VirtualNetwork(
        location=LOCATION, properties=net.VirtualNetworkPropertiesFormat(
            address_space=net.AddressSpace(address_prefixes=["10.8.0.0/16"]),
            subnets=[net.Subnet(name="nodes", properties=net.SubnetPropertiesFormat(
                address_prefix="10.8.0.0/20"))]))))
    check("state of the network", made.properties.provisioning_state, "Succeeded")
    return made.properties.subnets[0].id


def cluster_make(clients, name, version, subnet):
    pool = aks.ManagedClusterAgentPoolProfile(
        name="system", mode="System", type="VirtualMachineScaleSets", os_type="Linux", count=1,
        vm_size="Standard_D4s_v5", vnet_subnet_id=subnet)
    made = done(clients.aks.managed_clusters.begin_create_or_update(name, name, aks.ManagedCluster(
        location=LOCATION, identity=aks.ManagedClusterIdentity(type="SystemAssigned"),
        properties=aks.ManagedClusterProperties(
            dns_prefix=name, kubernetes_version=version, agent_pool_profiles=[pool],
            network_profile=aks.ContainerServiceNetworkProfile(
                network_plugin="azure", network_plugin_mode="overlay", pod_cidr="10.244.0.0/16",
                service_cidr="10.96.0.0/16", dns_service_ip="10.96.0.10")))))
    check("state of the cluster", made.properties.provisioning_state, "Succeeded")
    keys = clients.aks.managed_clusters.list_cluster_admin_credentials(name, name)
    check("a kubeconfig is given", b"certificate-authority-data" in keys.kubeconfigs[0].value, True)
    return made.identity.principal_id


def pool_make(clients, name, count):
    made = done(clients.aks.agent_pools.begin_create_or_update(name, name, "gpu", aks.AgentPool(
        properties=aks.AgentPoolManagedClusterAgentPoolProfileProperties(
            mode="User", count=count, vm_size="Standard_NC24ads_A100_v4"))))
    check("nodes of the pool", made.properties.count, count)


def role_make(clients, subnet, principal):
    role = f"/subscriptions/{clients.subscription}/providers/Microsoft.Authorization/roleDefinitions/"
    name = str(uuid.uuid4())
    made = clients.roles.role_assignments.create(subnet, name, RoleAssignmentCreateParameters(
        role_definition_id=role + NETWORK_CONTRIBUTOR, principal_id=principal,
        principal_type="ServicePrincipal"))
    check("principal of the role assignment", made.principal_id, principal)
    return name


def make_and_remove(clients, name, version):
    clients.groups.resource_groups.create_or_update(name, ResourceGroup(location=LOCATION))
    check("the group is there", clients.groups.resource_groups.check_existence(name), True)
    subnet = network_make(clients, name)
    role = role_make(clients, subnet, cluster_make(clients, name, version, subnet))
    pool_make(clients, name, 1)
    pool_make(clients, name, 2)
    done(clients.aks.agent_pools.begin_delete(name, name, "gpu"))
    check("pools that are left", [p.name for p in clients.aks.agent_pools.list(name, name)], ["system"])
    clients.roles.role_assignments.delete(subnet, role)
    done(clients.aks.managed_clusters.begin_delete(name, name))
    try:
        clients.aks.managed_clusters.get(name, name)
        sys.exit("the cluster is still there")
    except ResourceNotFoundError as e:
        check("what is said of a cluster that has gone", e.error.code, "ResourceNotFound")
    done(clients.network.virtual_networks.begin_delete(name, name))
    done(clients.groups.resource_groups.begin_delete(name))
    check("the group has gone", clients.groups.resource_groups.check_existence(name), False)


def check_wrong_secret(where):
    try:
        by_secret(where, "not-the-secret").get_token("https://management.azure.com/.default")
        sys.exit("a wrong secret was taken")
    except ClientAuthenticationError as e:
        check("what is said of a wrong secret", "AADSTS7000215" in e.message, True)


def main():
    where = ask("endpoints")
    secret = Clients(where, by_secret(where))
    before = ask("inventory")
    compare_inventory(secret, before)
    version = look_around(secret)
    check_wrong_secret(where)
    make_and_remove(secret, "contract-secret", version)
    make_and_remove(Clients(where, by_certificate(where)), "contract-certificate", version)
    compare_inventory(secret, ask("inventory"))
    print(f"checks passed: {checks}; listed: " + ", ".join(
        f"{len(before[kind])} {kind}" for kind in
        ("resourceGroups", "virtualNetworks", "managedClusters", "agentPools", "roleAssignments")))


if __name__ == "__main__":
    main()
