#include "backend/sim/body.h"

#include "model/base/macros.h"

/* Written by tests/contract/make_body_tables.py from the official models; do not edit. */

#define SHAPE(x) static const struct body_shape x = { x##_m, ARRAY_LEN(x##_m) }

/* clang-format off */
static const struct body_member aks_ExtendedLocation_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "type", .type = M_STRING, .words = "EdgeZone" },
};
SHAPE(aks_ExtendedLocation);
static const struct body_member aks_DelegatedResource_m[] = {
	{ .name = "location", .type = M_STRING },
	{ .name = "referralResource", .type = M_STRING },
	{ .name = "resourceId", .type = M_STRING },
	{ .name = "tenantId", .type = M_STRING },
};
SHAPE(aks_DelegatedResource);
static const struct body_member aks_ManagedServiceIdentityUserAssignedIdentitiesValue_m[] = {
	{ .name = "clientId", .type = M_STRING, .read_only = true },
	{ .name = "principalId", .type = M_STRING, .read_only = true },
};
SHAPE(aks_ManagedServiceIdentityUserAssignedIdentitiesValue);
static const struct body_member aks_MCIdentity_m[] = {
	{ .name = "delegatedResources", .type = M_OBJECT, .map = true, .sub = &aks_DelegatedResource },
	{ .name = "principalId", .type = M_STRING, .read_only = true },
	{ .name = "tenantId", .type = M_STRING, .read_only = true },
	{ .name = "type", .type = M_STRING, .words = "SystemAssigned|UserAssigned|None" },
	{ .name = "userAssignedIdentities", .type = M_OBJECT, .map = true, .sub = &aks_ManagedServiceIdentityUserAssignedIdentitiesValue },
};
SHAPE(aks_MCIdentity);
static const struct body_member aks_MCAADProfile_m[] = {
	{ .name = "adminGroupObjectIDs", .type = M_STRING, .list = true },
	{ .name = "clientAppID", .type = M_STRING },
	{ .name = "enableAzureRBAC", .type = M_BOOL },
	{ .name = "managed", .type = M_BOOL },
	{ .name = "serverAppID", .type = M_STRING },
	{ .name = "serverAppSecret", .type = M_STRING },
	{ .name = "tenantID", .type = M_STRING },
};
SHAPE(aks_MCAADProfile);
static const struct body_member aks_MCAddonProfileIdentity_m[] = {
	{ .name = "clientId", .type = M_STRING },
	{ .name = "objectId", .type = M_STRING },
	{ .name = "resourceId", .type = M_STRING },
};
SHAPE(aks_MCAddonProfileIdentity);
static const struct body_member aks_MCAddonProfile_m[] = {
	{ .name = "config", .type = M_STRING, .map = true },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "identity", .type = M_OBJECT, .read_only = true, .sub = &aks_MCAddonProfileIdentity },
};
SHAPE(aks_MCAddonProfile);
static const struct body_member aks_AgentPoolArtifactStreamingProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_AgentPoolArtifactStreamingProfile);
static const struct body_member aks_CreationData_m[] = {
	{ .name = "sourceResourceId", .type = M_STRING },
};
SHAPE(aks_CreationData);
static const struct body_member aks_AgentPoolGatewayProfile_m[] = {
	{ .name = "publicIPPrefixSize", .type = M_INT },
};
SHAPE(aks_AgentPoolGatewayProfile);
static const struct body_member aks_NvidiaGPUProfile_m[] = {
	{ .name = "managementMode", .type = M_STRING },
};
SHAPE(aks_NvidiaGPUProfile);
static const struct body_member aks_GPUProfile_m[] = {
	{ .name = "driver", .type = M_STRING, .words = "Install|None" },
	{ .name = "nvidia", .type = M_OBJECT, .sub = &aks_NvidiaGPUProfile },
};
SHAPE(aks_GPUProfile);
static const struct body_member aks_KubeletConfig_m[] = {
	{ .name = "allowedUnsafeSysctls", .type = M_STRING, .list = true },
	{ .name = "containerLogMaxFiles", .type = M_INT },
	{ .name = "containerLogMaxSizeMB", .type = M_INT },
	{ .name = "cpuCfsQuota", .type = M_BOOL },
	{ .name = "cpuCfsQuotaPeriod", .type = M_STRING },
	{ .name = "cpuManagerPolicy", .type = M_STRING },
	{ .name = "failSwapOn", .type = M_BOOL },
	{ .name = "imageGcHighThreshold", .type = M_INT },
	{ .name = "imageGcLowThreshold", .type = M_INT },
	{ .name = "podMaxPids", .type = M_INT },
	{ .name = "topologyManagerPolicy", .type = M_STRING },
};
SHAPE(aks_KubeletConfig);
static const struct body_member aks_SysctlConfig_m[] = {
	{ .name = "fsAioMaxNr", .type = M_INT },
	{ .name = "fsFileMax", .type = M_INT },
	{ .name = "fsInotifyMaxUserWatches", .type = M_INT },
	{ .name = "fsNrOpen", .type = M_INT },
	{ .name = "kernelThreadsMax", .type = M_INT },
	{ .name = "netCoreNetdevMaxBacklog", .type = M_INT },
	{ .name = "netCoreOptmemMax", .type = M_INT },
	{ .name = "netCoreRmemDefault", .type = M_INT },
	{ .name = "netCoreRmemMax", .type = M_INT },
	{ .name = "netCoreSomaxconn", .type = M_INT },
	{ .name = "netCoreWmemDefault", .type = M_INT },
	{ .name = "netCoreWmemMax", .type = M_INT },
	{ .name = "netIpv4IpLocalPortRange", .type = M_STRING },
	{ .name = "netIpv4NeighDefaultGcThresh1", .type = M_INT },
	{ .name = "netIpv4NeighDefaultGcThresh2", .type = M_INT },
	{ .name = "netIpv4NeighDefaultGcThresh3", .type = M_INT },
	{ .name = "netIpv4TcpFinTimeout", .type = M_INT },
	{ .name = "netIpv4TcpKeepaliveProbes", .type = M_INT },
	{ .name = "netIpv4TcpKeepaliveTime", .type = M_INT },
	{ .name = "netIpv4TcpMaxSynBacklog", .type = M_INT },
	{ .name = "netIpv4TcpMaxTwBuckets", .type = M_INT },
	{ .name = "netIpv4TcpTwReuse", .type = M_BOOL },
	{ .name = "netIpv4TcpkeepaliveIntvl", .type = M_INT },
	{ .name = "netNetfilterNfConntrackBuckets", .type = M_INT },
	{ .name = "netNetfilterNfConntrackMax", .type = M_INT },
	{ .name = "vmMaxMapCount", .type = M_INT },
	{ .name = "vmSwappiness", .type = M_INT },
	{ .name = "vmVfsCachePressure", .type = M_INT },
};
SHAPE(aks_SysctlConfig);
static const struct body_member aks_LinuxOSConfig_m[] = {
	{ .name = "swapFileSizeMB", .type = M_INT },
	{ .name = "sysctls", .type = M_OBJECT, .sub = &aks_SysctlConfig },
	{ .name = "transparentHugePageDefrag", .type = M_STRING },
	{ .name = "transparentHugePageEnabled", .type = M_STRING },
};
SHAPE(aks_LinuxOSConfig);
static const struct body_member aks_LocalDNSOverride_m[] = {
	{ .name = "cacheDurationInSeconds", .type = M_INT },
	{ .name = "forwardDestination", .type = M_STRING },
	{ .name = "forwardPolicy", .type = M_STRING },
	{ .name = "maxConcurrent", .type = M_INT },
	{ .name = "protocol", .type = M_STRING },
	{ .name = "queryLogging", .type = M_STRING },
	{ .name = "serveStale", .type = M_STRING },
	{ .name = "serveStaleDurationInSeconds", .type = M_INT },
};
SHAPE(aks_LocalDNSOverride);
static const struct body_member aks_LocalDNSProfile_m[] = {
	{ .name = "kubeDNSOverrides", .type = M_OBJECT, .map = true, .sub = &aks_LocalDNSOverride },
	{ .name = "mode", .type = M_STRING, .words = "Preferred|Required|Disabled" },
	{ .name = "state", .type = M_STRING, .read_only = true },
	{ .name = "vnetDNSOverrides", .type = M_OBJECT, .map = true, .sub = &aks_LocalDNSOverride },
};
SHAPE(aks_LocalDNSProfile);
static const struct body_member aks_PortRange_m[] = {
	{ .name = "portEnd", .type = M_INT },
	{ .name = "portStart", .type = M_INT },
	{ .name = "protocol", .type = M_STRING },
};
SHAPE(aks_PortRange);
static const struct body_member aks_DRANETProfile_m[] = {
	{ .name = "mode", .type = M_STRING, .words = "Unmanaged|Managed" },
};
SHAPE(aks_DRANETProfile);
static const struct body_member aks_IPTag_m[] = {
	{ .name = "ipTagType", .type = M_STRING },
	{ .name = "tag", .type = M_STRING },
};
SHAPE(aks_IPTag);
static const struct body_member aks_AgentPoolNetworkProfile_m[] = {
	{ .name = "allowedHostPorts", .type = M_OBJECT, .list = true, .sub = &aks_PortRange },
	{ .name = "applicationSecurityGroups", .type = M_STRING, .list = true },
	{ .name = "dranet", .type = M_OBJECT, .sub = &aks_DRANETProfile },
	{ .name = "nodePublicIPTags", .type = M_OBJECT, .list = true, .sub = &aks_IPTag },
};
SHAPE(aks_AgentPoolNetworkProfile);
static const struct body_member aks_PowerState_m[] = {
	{ .name = "code", .type = M_STRING },
};
SHAPE(aks_PowerState);
static const struct body_member aks_AgentPoolSecurityProfile_m[] = {
	{ .name = "enableSecureBoot", .type = M_BOOL },
	{ .name = "enableVTPM", .type = M_BOOL },
	{ .name = "sshAccess", .type = M_STRING },
};
SHAPE(aks_AgentPoolSecurityProfile);
static const struct body_member aks_ErrorAdditionalInfo_m[] = {
	{ .name = "info", .type = M_ANY, .read_only = true },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
SHAPE(aks_ErrorAdditionalInfo);
static const struct body_member aks_ErrorDetail_m[] = {
	{ .name = "additionalInfo", .type = M_OBJECT, .list = true, .read_only = true, .sub = &aks_ErrorAdditionalInfo },
	{ .name = "code", .type = M_STRING, .read_only = true },
	{ .name = "details", .type = M_ANY, .list = true, .read_only = true },
	{ .name = "message", .type = M_STRING, .read_only = true },
	{ .name = "target", .type = M_STRING, .read_only = true },
};
SHAPE(aks_ErrorDetail);
static const struct body_member aks_AgentPoolStatus_m[] = {
	{ .name = "provisioningError", .type = M_OBJECT, .read_only = true, .sub = &aks_ErrorDetail },
};
SHAPE(aks_AgentPoolStatus);
static const struct body_member aks_AgentPoolUpgradeSettings_m[] = {
	{ .name = "drainTimeoutInMinutes", .type = M_INT },
	{ .name = "maxSurge", .type = M_STRING },
	{ .name = "maxUnavailable", .type = M_STRING },
	{ .name = "nodeSoakDurationInMinutes", .type = M_INT },
	{ .name = "undrainableNodeBehavior", .type = M_STRING, .words = "Cordon|Schedule" },
};
SHAPE(aks_AgentPoolUpgradeSettings);
static const struct body_member aks_VirtualMachineNodes_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "size", .type = M_STRING },
};
SHAPE(aks_VirtualMachineNodes);
static const struct body_member aks_AutoScaleProfile_m[] = {
	{ .name = "maxCount", .type = M_INT },
	{ .name = "minCount", .type = M_INT },
	{ .name = "size", .type = M_STRING },
};
SHAPE(aks_AutoScaleProfile);
static const struct body_member aks_ManualScaleProfile_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "size", .type = M_STRING },
};
SHAPE(aks_ManualScaleProfile);
static const struct body_member aks_ScaleProfile_m[] = {
	{ .name = "autoscale", .type = M_OBJECT, .list = true, .sub = &aks_AutoScaleProfile },
	{ .name = "manual", .type = M_OBJECT, .list = true, .sub = &aks_ManualScaleProfile },
};
SHAPE(aks_ScaleProfile);
static const struct body_member aks_VirtualMachinesProfile_m[] = {
	{ .name = "scale", .type = M_OBJECT, .sub = &aks_ScaleProfile },
};
SHAPE(aks_VirtualMachinesProfile);
static const struct body_member aks_AgentPoolWindowsProfile_m[] = {
	{ .name = "disableOutboundNat", .type = M_BOOL },
};
SHAPE(aks_AgentPoolWindowsProfile);
static const struct body_member aks_MCAgentPoolProfile_m[] = {
	{ .name = "artifactStreamingProfile", .type = M_OBJECT, .sub = &aks_AgentPoolArtifactStreamingProfile },
	{ .name = "availabilityZones", .type = M_STRING, .list = true },
	{ .name = "capacityReservationGroupID", .type = M_STRING },
	{ .name = "count", .type = M_INT },
	{ .name = "creationData", .type = M_OBJECT, .sub = &aks_CreationData },
	{ .name = "currentOrchestratorVersion", .type = M_STRING, .read_only = true },
	{ .name = "eTag", .type = M_STRING, .read_only = true },
	{ .name = "enableAutoScaling", .type = M_BOOL },
	{ .name = "enableEncryptionAtHost", .type = M_BOOL },
	{ .name = "enableFIPS", .type = M_BOOL },
	{ .name = "enableNodePublicIP", .type = M_BOOL },
	{ .name = "enableUltraSSD", .type = M_BOOL },
	{ .name = "gatewayProfile", .type = M_OBJECT, .sub = &aks_AgentPoolGatewayProfile },
	{ .name = "gpuInstanceProfile", .type = M_STRING, .words = "MIG1g|MIG2g|MIG3g|MIG4g|MIG7g" },
	{ .name = "gpuProfile", .type = M_OBJECT, .sub = &aks_GPUProfile },
	{ .name = "hostGroupID", .type = M_STRING },
	{ .name = "kubeletConfig", .type = M_OBJECT, .sub = &aks_KubeletConfig },
	{ .name = "kubeletDiskType", .type = M_STRING },
	{ .name = "linuxOSConfig", .type = M_OBJECT, .sub = &aks_LinuxOSConfig },
	{ .name = "localDNSProfile", .type = M_OBJECT, .sub = &aks_LocalDNSProfile },
	{ .name = "maxCount", .type = M_INT },
	{ .name = "maxPods", .type = M_INT },
	{ .name = "messageOfTheDay", .type = M_STRING },
	{ .name = "minCount", .type = M_INT },
	{ .name = "mode", .type = M_STRING, .words = "System|User|Gateway" },
	{ .name = "name", .type = M_STRING },
	{ .name = "networkProfile", .type = M_OBJECT, .sub = &aks_AgentPoolNetworkProfile },
	{ .name = "nodeImageVersion", .type = M_STRING },
	{ .name = "nodeLabels", .type = M_STRING, .map = true },
	{ .name = "nodePublicIPPrefixID", .type = M_STRING },
	{ .name = "nodeTaints", .type = M_STRING, .list = true },
	{ .name = "orchestratorVersion", .type = M_STRING },
	{ .name = "osDiskSizeGB", .type = M_INT },
	{ .name = "osDiskType", .type = M_STRING, .words = "Managed|Ephemeral" },
	{ .name = "osSKU", .type = M_STRING },
	{ .name = "osType", .type = M_STRING, .words = "Linux|Windows" },
	{ .name = "podIPAllocationMode", .type = M_STRING },
	{ .name = "podSubnetID", .type = M_STRING },
	{ .name = "powerState", .type = M_OBJECT, .sub = &aks_PowerState },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "proximityPlacementGroupID", .type = M_STRING },
	{ .name = "scaleDownMode", .type = M_STRING, .words = "Delete|Deallocate" },
	{ .name = "scaleSetEvictionPolicy", .type = M_STRING, .words = "Delete|Deallocate" },
	{ .name = "scaleSetPriority", .type = M_STRING, .words = "Spot|Regular" },
	{ .name = "securityProfile", .type = M_OBJECT, .sub = &aks_AgentPoolSecurityProfile },
	{ .name = "spotMaxPrice", .type = M_NUMBER },
	{ .name = "status", .type = M_OBJECT, .sub = &aks_AgentPoolStatus },
	{ .name = "tags", .type = M_STRING, .map = true },
	{ .name = "type", .type = M_STRING, .words = "VirtualMachineScaleSets|AvailabilitySet|VirtualMachines" },
	{ .name = "upgradeSettings", .type = M_OBJECT, .sub = &aks_AgentPoolUpgradeSettings },
	{ .name = "virtualMachineNodesStatus", .type = M_OBJECT, .list = true, .sub = &aks_VirtualMachineNodes },
	{ .name = "virtualMachinesProfile", .type = M_OBJECT, .sub = &aks_VirtualMachinesProfile },
	{ .name = "vmSize", .type = M_STRING },
	{ .name = "vnetSubnetID", .type = M_STRING },
	{ .name = "windowsProfile", .type = M_OBJECT, .sub = &aks_AgentPoolWindowsProfile },
	{ .name = "workloadRuntime", .type = M_STRING },
};
SHAPE(aks_MCAgentPoolProfile);
static const struct body_member aks_MCAIToolchainOperatorProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCAIToolchainOperatorProfile);
static const struct body_member aks_MCAPIServerAccessProfile_m[] = {
	{ .name = "authorizedIPRanges", .type = M_STRING, .list = true },
	{ .name = "disableRunCommand", .type = M_BOOL },
	{ .name = "enablePrivateCluster", .type = M_BOOL },
	{ .name = "enablePrivateClusterPublicFQDN", .type = M_BOOL },
	{ .name = "enableVnetIntegration", .type = M_BOOL },
	{ .name = "privateDNSZone", .type = M_STRING },
	{ .name = "subnetId", .type = M_STRING },
};
SHAPE(aks_MCAPIServerAccessProfile);
static const struct body_member aks_MCPropertiesAutoScalerProfile_m[] = {
	{ .name = "balance-similar-node-groups", .type = M_STRING },
	{ .name = "daemonset-eviction-for-empty-nodes", .type = M_BOOL },
	{ .name = "daemonset-eviction-for-occupied-nodes", .type = M_BOOL },
	{ .name = "expander", .type = M_STRING },
	{ .name = "ignore-daemonsets-utilization", .type = M_BOOL },
	{ .name = "max-empty-bulk-delete", .type = M_STRING },
	{ .name = "max-graceful-termination-sec", .type = M_STRING },
	{ .name = "max-node-provision-time", .type = M_STRING },
	{ .name = "max-total-unready-percentage", .type = M_STRING },
	{ .name = "new-pod-scale-up-delay", .type = M_STRING },
	{ .name = "ok-total-unready-count", .type = M_STRING },
	{ .name = "scale-down-delay-after-add", .type = M_STRING },
	{ .name = "scale-down-delay-after-delete", .type = M_STRING },
	{ .name = "scale-down-delay-after-failure", .type = M_STRING },
	{ .name = "scale-down-unneeded-time", .type = M_STRING },
	{ .name = "scale-down-unready-time", .type = M_STRING },
	{ .name = "scale-down-utilization-threshold", .type = M_STRING },
	{ .name = "scan-interval", .type = M_STRING },
	{ .name = "skip-nodes-with-local-storage", .type = M_STRING },
	{ .name = "skip-nodes-with-system-pods", .type = M_STRING },
};
SHAPE(aks_MCPropertiesAutoScalerProfile);
static const struct body_member aks_MCAutoUpgradeProfile_m[] = {
	{ .name = "nodeOSUpgradeChannel", .type = M_STRING, .words = "None|Unmanaged|NodeImage|SecurityPatch" },
	{ .name = "upgradeChannel", .type = M_STRING, .words = "rapid|stable|patch|node-image|none" },
};
SHAPE(aks_MCAutoUpgradeProfile);
static const struct body_member aks_MCAzureMonitorProfileAppMonitoringAutoInstrumentation_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCAzureMonitorProfileAppMonitoringAutoInstrumentation);
static const struct body_member aks_MCAzureMonitorProfileAppMonitoringOpenTelemetryLogs_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "grpcPort", .type = M_INT },
	{ .name = "httpPort", .type = M_INT },
};
SHAPE(aks_MCAzureMonitorProfileAppMonitoringOpenTelemetryLogs);
static const struct body_member aks_MCAzureMonitorProfileAppMonitoringOpenTelemetryMetrics_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "grpcPort", .type = M_INT },
	{ .name = "httpPort", .type = M_INT },
};
SHAPE(aks_MCAzureMonitorProfileAppMonitoringOpenTelemetryMetrics);
static const struct body_member aks_MCAzureMonitorProfileAppMonitoring_m[] = {
	{ .name = "autoInstrumentation", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileAppMonitoringAutoInstrumentation },
	{ .name = "openTelemetryLogsAndTraces", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileAppMonitoringOpenTelemetryLogs },
	{ .name = "openTelemetryMetrics", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileAppMonitoringOpenTelemetryMetrics },
};
SHAPE(aks_MCAzureMonitorProfileAppMonitoring);
static const struct body_member aks_MCAzureMonitorProfileContainerInsights_m[] = {
	{ .name = "containerNetworkLogs", .type = M_STRING },
	{ .name = "disablePrometheusMetricsScraping", .type = M_BOOL },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "logAnalyticsWorkspaceResourceId", .type = M_STRING },
	{ .name = "syslogPort", .type = M_INT },
};
SHAPE(aks_MCAzureMonitorProfileContainerInsights);
static const struct body_member aks_MCAzureMonitorProfileMetricsControlPlane_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCAzureMonitorProfileMetricsControlPlane);
static const struct body_member aks_MCAzureMonitorProfileKubeStateMetrics_m[] = {
	{ .name = "metricAnnotationsAllowList", .type = M_STRING },
	{ .name = "metricLabelsAllowlist", .type = M_STRING },
};
SHAPE(aks_MCAzureMonitorProfileKubeStateMetrics);
static const struct body_member aks_MCAzureMonitorProfileMetrics_m[] = {
	{ .name = "controlPlane", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileMetricsControlPlane },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "kubeStateMetrics", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileKubeStateMetrics },
};
SHAPE(aks_MCAzureMonitorProfileMetrics);
static const struct body_member aks_MCAzureMonitorProfile_m[] = {
	{ .name = "appMonitoring", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileAppMonitoring },
	{ .name = "containerInsights", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileContainerInsights },
	{ .name = "metrics", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfileMetrics },
};
SHAPE(aks_MCAzureMonitorProfile);
static const struct body_member aks_MCBootstrapProfile_m[] = {
	{ .name = "artifactSource", .type = M_STRING },
	{ .name = "containerRegistryId", .type = M_STRING },
};
SHAPE(aks_MCBootstrapProfile);
static const struct body_member aks_MCHostedSystemProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "nodeSubnetID", .type = M_STRING },
	{ .name = "systemNodeSubnetID", .type = M_STRING },
};
SHAPE(aks_MCHostedSystemProfile);
static const struct body_member aks_MCHTTPProxyConfig_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "httpProxy", .type = M_STRING },
	{ .name = "httpsProxy", .type = M_STRING },
	{ .name = "noProxy", .type = M_STRING, .list = true },
	{ .name = "trustedCa", .type = M_STRING },
};
SHAPE(aks_MCHTTPProxyConfig);
static const struct body_member aks_UserAssignedIdentity_m[] = {
	{ .name = "clientId", .type = M_STRING },
	{ .name = "objectId", .type = M_STRING },
	{ .name = "resourceId", .type = M_STRING },
};
SHAPE(aks_UserAssignedIdentity);
static const struct body_member aks_MCIngressProfileGatewayConfig_m[] = {
	{ .name = "installation", .type = M_STRING },
};
SHAPE(aks_MCIngressProfileGatewayConfig);
static const struct body_member aks_MCAppRoutingIstio_m[] = {
	{ .name = "mode", .type = M_STRING, .words = "Enabled|Disabled" },
};
SHAPE(aks_MCAppRoutingIstio);
static const struct body_member aks_MCWebAppRoutingGatewayAPIImplementations_m[] = {
	{ .name = "appRoutingIstio", .type = M_OBJECT, .sub = &aks_MCAppRoutingIstio },
};
SHAPE(aks_MCWebAppRoutingGatewayAPIImplementations);
static const struct body_member aks_MCIngressProfileNginx_m[] = {
	{ .name = "defaultIngressControllerType", .type = M_STRING },
};
SHAPE(aks_MCIngressProfileNginx);
static const struct body_member aks_MCIngressProfileWebAppRouting_m[] = {
	{ .name = "dnsZoneResourceIds", .type = M_STRING, .list = true },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "gatewayAPIImplementations", .type = M_OBJECT, .sub = &aks_MCWebAppRoutingGatewayAPIImplementations },
	{ .name = "identity", .type = M_OBJECT, .read_only = true, .sub = &aks_UserAssignedIdentity },
	{ .name = "nginx", .type = M_OBJECT, .sub = &aks_MCIngressProfileNginx },
};
SHAPE(aks_MCIngressProfileWebAppRouting);
static const struct body_member aks_MCIngressProfile_m[] = {
	{ .name = "gatewayAPI", .type = M_OBJECT, .sub = &aks_MCIngressProfileGatewayConfig },
	{ .name = "webAppRouting", .type = M_OBJECT, .sub = &aks_MCIngressProfileWebAppRouting },
};
SHAPE(aks_MCIngressProfile);
static const struct body_member aks_ContainerServiceSshPublicKey_m[] = {
	{ .name = "keyData", .type = M_STRING },
};
SHAPE(aks_ContainerServiceSshPublicKey);
static const struct body_member aks_ContainerServiceSshConfig_m[] = {
	{ .name = "publicKeys", .type = M_OBJECT, .list = true, .sub = &aks_ContainerServiceSshPublicKey },
};
SHAPE(aks_ContainerServiceSshConfig);
static const struct body_member aks_ContainerServiceLinuxProfile_m[] = {
	{ .name = "adminUsername", .type = M_STRING },
	{ .name = "ssh", .type = M_OBJECT, .sub = &aks_ContainerServiceSshConfig },
};
SHAPE(aks_ContainerServiceLinuxProfile);
static const struct body_member aks_MCCostAnalysis_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCCostAnalysis);
static const struct body_member aks_MCMetricsProfile_m[] = {
	{ .name = "costAnalysis", .type = M_OBJECT, .sub = &aks_MCCostAnalysis },
};
SHAPE(aks_MCMetricsProfile);
static const struct body_member aks_AdvancedNetworkingObservability_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_AdvancedNetworkingObservability);
static const struct body_member aks_AdvancedNetworkingPerformance_m[] = {
	{ .name = "accelerationMode", .type = M_STRING },
};
SHAPE(aks_AdvancedNetworkingPerformance);
static const struct body_member aks_AdvancedNetworkingSecurityTransitEncryption_m[] = {
	{ .name = "type", .type = M_STRING, .words = "WireGuard|None" },
};
SHAPE(aks_AdvancedNetworkingSecurityTransitEncryption);
static const struct body_member aks_AdvancedNetworkingSecurity_m[] = {
	{ .name = "advancedNetworkPolicies", .type = M_STRING },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "transitEncryption", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingSecurityTransitEncryption },
};
SHAPE(aks_AdvancedNetworkingSecurity);
static const struct body_member aks_AdvancedNetworking_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "observability", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingObservability },
	{ .name = "performance", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingPerformance },
	{ .name = "security", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingSecurity },
};
SHAPE(aks_AdvancedNetworking);
static const struct body_member aks_ResourceReference_m[] = {
	{ .name = "id", .type = M_STRING },
};
SHAPE(aks_ResourceReference);
static const struct body_member aks_MCLoadBalancerProfileManagedOutboundIPs_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "countIPv6", .type = M_INT },
};
SHAPE(aks_MCLoadBalancerProfileManagedOutboundIPs);
static const struct body_member aks_MCLoadBalancerProfileOutboundIPPrefixes_m[] = {
	{ .name = "publicIPPrefixes", .type = M_OBJECT, .list = true, .sub = &aks_ResourceReference },
};
SHAPE(aks_MCLoadBalancerProfileOutboundIPPrefixes);
static const struct body_member aks_MCLoadBalancerProfileOutboundIPs_m[] = {
	{ .name = "publicIPs", .type = M_OBJECT, .list = true, .sub = &aks_ResourceReference },
};
SHAPE(aks_MCLoadBalancerProfileOutboundIPs);
static const struct body_member aks_MCLoadBalancerProfile_m[] = {
	{ .name = "allocatedOutboundPorts", .type = M_INT },
	{ .name = "backendPoolType", .type = M_STRING },
	{ .name = "effectiveOutboundIPs", .type = M_OBJECT, .list = true, .read_only = true, .sub = &aks_ResourceReference },
	{ .name = "enableMultipleStandardLoadBalancers", .type = M_BOOL },
	{ .name = "idleTimeoutInMinutes", .type = M_INT },
	{ .name = "managedOutboundIPs", .type = M_OBJECT, .sub = &aks_MCLoadBalancerProfileManagedOutboundIPs },
	{ .name = "outboundIPPrefixes", .type = M_OBJECT, .sub = &aks_MCLoadBalancerProfileOutboundIPPrefixes },
	{ .name = "outboundIPs", .type = M_OBJECT, .sub = &aks_MCLoadBalancerProfileOutboundIPs },
};
SHAPE(aks_MCLoadBalancerProfile);
static const struct body_member aks_MCManagedOutboundIPProfile_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "countIPv6", .type = M_INT },
};
SHAPE(aks_MCManagedOutboundIPProfile);
static const struct body_member aks_MCNATGatewayProfileOutboundIpPrefixes_m[] = {
	{ .name = "publicIPPrefixes", .type = M_STRING, .list = true },
};
SHAPE(aks_MCNATGatewayProfileOutboundIpPrefixes);
static const struct body_member aks_MCNATGatewayProfileOutboundIPs_m[] = {
	{ .name = "publicIPs", .type = M_STRING, .list = true },
};
SHAPE(aks_MCNATGatewayProfileOutboundIPs);
static const struct body_member aks_MCNATGatewayProfile_m[] = {
	{ .name = "effectiveOutboundIPs", .type = M_OBJECT, .list = true, .read_only = true, .sub = &aks_ResourceReference },
	{ .name = "idleTimeoutInMinutes", .type = M_INT },
	{ .name = "managedOutboundIPProfile", .type = M_OBJECT, .sub = &aks_MCManagedOutboundIPProfile },
	{ .name = "outboundIPPrefixes", .type = M_OBJECT, .sub = &aks_MCNATGatewayProfileOutboundIpPrefixes },
	{ .name = "outboundIPs", .type = M_OBJECT, .sub = &aks_MCNATGatewayProfileOutboundIPs },
	{ .name = "sku", .type = M_STRING },
};
SHAPE(aks_MCNATGatewayProfile);
static const struct body_member aks_MCStaticEgressGatewayProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCStaticEgressGatewayProfile);
static const struct body_member aks_ContainerServiceNetworkProfile_m[] = {
	{ .name = "advancedNetworking", .type = M_OBJECT, .sub = &aks_AdvancedNetworking },
	{ .name = "dnsServiceIP", .type = M_STRING },
	{ .name = "ipFamilies", .type = M_STRING, .list = true },
	{ .name = "loadBalancerProfile", .type = M_OBJECT, .sub = &aks_MCLoadBalancerProfile },
	{ .name = "loadBalancerSku", .type = M_STRING, .words = "standard|basic" },
	{ .name = "natGatewayProfile", .type = M_OBJECT, .sub = &aks_MCNATGatewayProfile },
	{ .name = "networkDataplane", .type = M_STRING },
	{ .name = "networkMode", .type = M_STRING },
	{ .name = "networkPlugin", .type = M_STRING, .words = "azure|kubenet|none" },
	{ .name = "networkPluginMode", .type = M_STRING, .words = "overlay" },
	{ .name = "networkPolicy", .type = M_STRING, .words = "none|calico|azure|cilium" },
	{ .name = "outboundType", .type = M_STRING, .words = "loadBalancer|userDefinedRouting|managedNATGateway|userAssignedNATGateway|none" },
	{ .name = "podCidr", .type = M_STRING },
	{ .name = "podCidrs", .type = M_STRING, .list = true },
	{ .name = "serviceCidr", .type = M_STRING },
	{ .name = "serviceCidrs", .type = M_STRING, .list = true },
	{ .name = "staticEgressGatewayProfile", .type = M_OBJECT, .sub = &aks_MCStaticEgressGatewayProfile },
};
SHAPE(aks_ContainerServiceNetworkProfile);
static const struct body_member aks_MCNodeProvisioningProfile_m[] = {
	{ .name = "defaultNodePools", .type = M_STRING },
	{ .name = "mode", .type = M_STRING, .words = "Manual|Auto" },
};
SHAPE(aks_MCNodeProvisioningProfile);
static const struct body_member aks_MCNodeResourceGroupProfile_m[] = {
	{ .name = "restrictionLevel", .type = M_STRING },
};
SHAPE(aks_MCNodeResourceGroupProfile);
static const struct body_member aks_MCOIDCIssuerProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "issuerURL", .type = M_STRING, .read_only = true },
};
SHAPE(aks_MCOIDCIssuerProfile);
static const struct body_member aks_MCPodIdentityProvisioningErrorBody_m[] = {
	{ .name = "code", .type = M_STRING },
	{ .name = "details", .type = M_ANY, .list = true },
	{ .name = "message", .type = M_STRING },
	{ .name = "target", .type = M_STRING },
};
SHAPE(aks_MCPodIdentityProvisioningErrorBody);
static const struct body_member aks_MCPodIdentityProvisioningError_m[] = {
	{ .name = "error", .type = M_OBJECT, .sub = &aks_MCPodIdentityProvisioningErrorBody },
};
SHAPE(aks_MCPodIdentityProvisioningError);
static const struct body_member aks_MCPodIdentityProvisioningInfo_m[] = {
	{ .name = "error", .type = M_OBJECT, .sub = &aks_MCPodIdentityProvisioningError },
};
SHAPE(aks_MCPodIdentityProvisioningInfo);
static const struct body_member aks_MCPodIdentity_m[] = {
	{ .name = "bindingSelector", .type = M_STRING },
	{ .name = "identity", .type = M_OBJECT, .sub = &aks_UserAssignedIdentity },
	{ .name = "name", .type = M_STRING },
	{ .name = "namespace", .type = M_STRING },
	{ .name = "provisioningInfo", .type = M_OBJECT, .read_only = true, .sub = &aks_MCPodIdentityProvisioningInfo },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
};
SHAPE(aks_MCPodIdentity);
static const struct body_member aks_MCPodIdentityException_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "namespace", .type = M_STRING },
	{ .name = "podLabels", .type = M_STRING, .map = true },
};
SHAPE(aks_MCPodIdentityException);
static const struct body_member aks_MCPodIdentityProfile_m[] = {
	{ .name = "allowNetworkPluginKubenet", .type = M_BOOL },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "userAssignedIdentities", .type = M_OBJECT, .list = true, .sub = &aks_MCPodIdentity },
	{ .name = "userAssignedIdentityExceptions", .type = M_OBJECT, .list = true, .sub = &aks_MCPodIdentityException },
};
SHAPE(aks_MCPodIdentityProfile);
static const struct body_member aks_PrivateLinkResource_m[] = {
	{ .name = "groupId", .type = M_STRING },
	{ .name = "id", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "privateLinkServiceID", .type = M_STRING, .read_only = true },
	{ .name = "requiredMembers", .type = M_STRING, .list = true },
	{ .name = "type", .type = M_STRING },
};
SHAPE(aks_PrivateLinkResource);
static const struct body_member aks_SchedulerInstanceProfile_m[] = {
	{ .name = "schedulerConfigMode", .type = M_STRING },
};
SHAPE(aks_SchedulerInstanceProfile);
static const struct body_member aks_SchedulerProfile_m[] = {
	{ .name = "upstream", .type = M_OBJECT, .sub = &aks_SchedulerInstanceProfile },
};
SHAPE(aks_SchedulerProfile);
static const struct body_member aks_AzureKeyVaultKms_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "keyId", .type = M_STRING },
	{ .name = "keyVaultNetworkAccess", .type = M_STRING },
	{ .name = "keyVaultResourceId", .type = M_STRING },
};
SHAPE(aks_AzureKeyVaultKms);
static const struct body_member aks_MCSecurityProfileDefenderSecurityGatingIdentity_m[] = {
	{ .name = "azureContainerRegistry", .type = M_STRING },
	{ .name = "identity", .type = M_OBJECT, .sub = &aks_UserAssignedIdentity },
};
SHAPE(aks_MCSecurityProfileDefenderSecurityGatingIdentity);
static const struct body_member aks_MCSecurityProfileDefenderSecurityGating_m[] = {
	{ .name = "allowSecretAccess", .type = M_BOOL },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "identities", .type = M_OBJECT, .list = true, .sub = &aks_MCSecurityProfileDefenderSecurityGatingIdentity },
};
SHAPE(aks_MCSecurityProfileDefenderSecurityGating);
static const struct body_member aks_MCSecurityProfileDefenderSecurityMonitoring_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCSecurityProfileDefenderSecurityMonitoring);
static const struct body_member aks_MCSecurityProfileDefender_m[] = {
	{ .name = "logAnalyticsWorkspaceResourceId", .type = M_STRING },
	{ .name = "securityGating", .type = M_OBJECT, .sub = &aks_MCSecurityProfileDefenderSecurityGating },
	{ .name = "securityMonitoring", .type = M_OBJECT, .sub = &aks_MCSecurityProfileDefenderSecurityMonitoring },
};
SHAPE(aks_MCSecurityProfileDefender);
static const struct body_member aks_MCSecurityProfileImageCleaner_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "intervalHours", .type = M_INT },
};
SHAPE(aks_MCSecurityProfileImageCleaner);
static const struct body_member aks_KubernetesResourceObjectEncryptionProfile_m[] = {
	{ .name = "infrastructureEncryption", .type = M_STRING },
};
SHAPE(aks_KubernetesResourceObjectEncryptionProfile);
static const struct body_member aks_MCSecurityProfileWorkloadIdentity_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCSecurityProfileWorkloadIdentity);
static const struct body_member aks_MCSecurityProfile_m[] = {
	{ .name = "azureKeyVaultKms", .type = M_OBJECT, .sub = &aks_AzureKeyVaultKms },
	{ .name = "customCATrustCertificates", .type = M_ANY, .list = true },
	{ .name = "defender", .type = M_OBJECT, .sub = &aks_MCSecurityProfileDefender },
	{ .name = "imageCleaner", .type = M_OBJECT, .sub = &aks_MCSecurityProfileImageCleaner },
	{ .name = "kubernetesResourceObjectEncryptionProfile", .type = M_OBJECT, .sub = &aks_KubernetesResourceObjectEncryptionProfile },
	{ .name = "workloadIdentity", .type = M_OBJECT, .sub = &aks_MCSecurityProfileWorkloadIdentity },
};
SHAPE(aks_MCSecurityProfile);
static const struct body_member aks_IstioPluginCertificateAuthority_m[] = {
	{ .name = "certChainObjectName", .type = M_STRING },
	{ .name = "certObjectName", .type = M_STRING },
	{ .name = "keyObjectName", .type = M_STRING },
	{ .name = "keyVaultId", .type = M_STRING },
	{ .name = "rootCertObjectName", .type = M_STRING },
};
SHAPE(aks_IstioPluginCertificateAuthority);
static const struct body_member aks_IstioCertificateAuthority_m[] = {
	{ .name = "plugin", .type = M_OBJECT, .sub = &aks_IstioPluginCertificateAuthority },
};
SHAPE(aks_IstioCertificateAuthority);
static const struct body_member aks_IstioEgressGateway_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "gatewayConfigurationName", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "namespace", .type = M_STRING },
};
SHAPE(aks_IstioEgressGateway);
static const struct body_member aks_IstioIngressGateway_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "mode", .type = M_STRING, .words = "External|Internal" },
};
SHAPE(aks_IstioIngressGateway);
static const struct body_member aks_IstioComponents_m[] = {
	{ .name = "egressGateways", .type = M_OBJECT, .list = true, .sub = &aks_IstioEgressGateway },
	{ .name = "ingressGateways", .type = M_OBJECT, .list = true, .sub = &aks_IstioIngressGateway },
	{ .name = "proxyRedirectionMechanism", .type = M_STRING },
};
SHAPE(aks_IstioComponents);
static const struct body_member aks_IstioServiceMesh_m[] = {
	{ .name = "certificateAuthority", .type = M_OBJECT, .sub = &aks_IstioCertificateAuthority },
	{ .name = "components", .type = M_OBJECT, .sub = &aks_IstioComponents },
	{ .name = "revisions", .type = M_STRING, .list = true },
};
SHAPE(aks_IstioServiceMesh);
static const struct body_member aks_ServiceMeshProfile_m[] = {
	{ .name = "istio", .type = M_OBJECT, .sub = &aks_IstioServiceMesh },
	{ .name = "mode", .type = M_STRING, .words = "Istio|Disabled" },
};
SHAPE(aks_ServiceMeshProfile);
static const struct body_member aks_MCServicePrincipalProfile_m[] = {
	{ .name = "clientId", .type = M_STRING },
	{ .name = "secret", .type = M_STRING },
};
SHAPE(aks_MCServicePrincipalProfile);
static const struct body_member aks_MCStatus_m[] = {
	{ .name = "provisioningError", .type = M_OBJECT, .read_only = true, .sub = &aks_ErrorDetail },
};
SHAPE(aks_MCStatus);
static const struct body_member aks_MCStorageProfileBlobCSIDriver_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCStorageProfileBlobCSIDriver);
static const struct body_member aks_MCStorageProfileDiskCSIDriver_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCStorageProfileDiskCSIDriver);
static const struct body_member aks_MCStorageProfileFileCSIDriver_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCStorageProfileFileCSIDriver);
static const struct body_member aks_MCStorageProfileSnapshotController_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCStorageProfileSnapshotController);
static const struct body_member aks_MCStorageProfile_m[] = {
	{ .name = "blobCSIDriver", .type = M_OBJECT, .sub = &aks_MCStorageProfileBlobCSIDriver },
	{ .name = "diskCSIDriver", .type = M_OBJECT, .sub = &aks_MCStorageProfileDiskCSIDriver },
	{ .name = "fileCSIDriver", .type = M_OBJECT, .sub = &aks_MCStorageProfileFileCSIDriver },
	{ .name = "snapshotController", .type = M_OBJECT, .sub = &aks_MCStorageProfileSnapshotController },
};
SHAPE(aks_MCStorageProfile);
static const struct body_member aks_UpgradeOverrideSettings_m[] = {
	{ .name = "forceUpgrade", .type = M_BOOL },
	{ .name = "until", .type = M_ANY },
};
SHAPE(aks_UpgradeOverrideSettings);
static const struct body_member aks_ClusterUpgradeSettings_m[] = {
	{ .name = "overrideSettings", .type = M_OBJECT, .sub = &aks_UpgradeOverrideSettings },
};
SHAPE(aks_ClusterUpgradeSettings);
static const struct body_member aks_WindowsGmsaProfile_m[] = {
	{ .name = "dnsServer", .type = M_STRING },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "rootDomainName", .type = M_STRING },
};
SHAPE(aks_WindowsGmsaProfile);
static const struct body_member aks_MCWindowsProfile_m[] = {
	{ .name = "adminPassword", .type = M_STRING },
	{ .name = "adminUsername", .type = M_STRING },
	{ .name = "enableCSIProxy", .type = M_BOOL },
	{ .name = "gmsaProfile", .type = M_OBJECT, .sub = &aks_WindowsGmsaProfile },
	{ .name = "licenseType", .type = M_STRING },
};
SHAPE(aks_MCWindowsProfile);
static const struct body_member aks_MCWorkloadAutoScalerProfileKeda_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCWorkloadAutoScalerProfileKeda);
static const struct body_member aks_MCWorkloadAutoScalerProfileVerticalPodAutoscaler_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
SHAPE(aks_MCWorkloadAutoScalerProfileVerticalPodAutoscaler);
static const struct body_member aks_MCWorkloadAutoScalerProfile_m[] = {
	{ .name = "keda", .type = M_OBJECT, .sub = &aks_MCWorkloadAutoScalerProfileKeda },
	{ .name = "verticalPodAutoscaler", .type = M_OBJECT, .sub = &aks_MCWorkloadAutoScalerProfileVerticalPodAutoscaler },
};
SHAPE(aks_MCWorkloadAutoScalerProfile);
static const struct body_member aks_MCProperties_m[] = {
	{ .name = "aadProfile", .type = M_OBJECT, .sub = &aks_MCAADProfile },
	{ .name = "addonProfiles", .type = M_OBJECT, .map = true, .sub = &aks_MCAddonProfile },
	{ .name = "agentPoolProfiles", .type = M_OBJECT, .list = true, .sub = &aks_MCAgentPoolProfile },
	{ .name = "aiToolchainOperatorProfile", .type = M_OBJECT, .sub = &aks_MCAIToolchainOperatorProfile },
	{ .name = "apiServerAccessProfile", .type = M_OBJECT, .sub = &aks_MCAPIServerAccessProfile },
	{ .name = "autoScalerProfile", .type = M_OBJECT, .sub = &aks_MCPropertiesAutoScalerProfile },
	{ .name = "autoUpgradeProfile", .type = M_OBJECT, .sub = &aks_MCAutoUpgradeProfile },
	{ .name = "azureMonitorProfile", .type = M_OBJECT, .sub = &aks_MCAzureMonitorProfile },
	{ .name = "azurePortalFQDN", .type = M_STRING, .read_only = true },
	{ .name = "bootstrapProfile", .type = M_OBJECT, .sub = &aks_MCBootstrapProfile },
	{ .name = "currentKubernetesVersion", .type = M_STRING, .read_only = true },
	{ .name = "disableLocalAccounts", .type = M_BOOL },
	{ .name = "diskEncryptionSetID", .type = M_STRING },
	{ .name = "dnsPrefix", .type = M_STRING },
	{ .name = "enableFIPS", .type = M_BOOL },
	{ .name = "enableRBAC", .type = M_BOOL },
	{ .name = "fqdn", .type = M_STRING, .read_only = true },
	{ .name = "fqdnSubdomain", .type = M_STRING },
	{ .name = "hostedSystemProfile", .type = M_OBJECT, .sub = &aks_MCHostedSystemProfile },
	{ .name = "httpProxyConfig", .type = M_OBJECT, .sub = &aks_MCHTTPProxyConfig },
	{ .name = "identityProfile", .type = M_OBJECT, .map = true, .sub = &aks_UserAssignedIdentity },
	{ .name = "ingressProfile", .type = M_OBJECT, .sub = &aks_MCIngressProfile },
	{ .name = "kubernetesVersion", .type = M_STRING },
	{ .name = "linuxProfile", .type = M_OBJECT, .sub = &aks_ContainerServiceLinuxProfile },
	{ .name = "maxAgentPools", .type = M_INT, .read_only = true },
	{ .name = "metricsProfile", .type = M_OBJECT, .sub = &aks_MCMetricsProfile },
	{ .name = "networkProfile", .type = M_OBJECT, .sub = &aks_ContainerServiceNetworkProfile },
	{ .name = "nodeProvisioningProfile", .type = M_OBJECT, .sub = &aks_MCNodeProvisioningProfile },
	{ .name = "nodeResourceGroup", .type = M_STRING },
	{ .name = "nodeResourceGroupProfile", .type = M_OBJECT, .sub = &aks_MCNodeResourceGroupProfile },
	{ .name = "oidcIssuerProfile", .type = M_OBJECT, .sub = &aks_MCOIDCIssuerProfile },
	{ .name = "podIdentityProfile", .type = M_OBJECT, .sub = &aks_MCPodIdentityProfile },
	{ .name = "powerState", .type = M_OBJECT, .read_only = true, .sub = &aks_PowerState },
	{ .name = "privateFQDN", .type = M_STRING, .read_only = true },
	{ .name = "privateLinkResources", .type = M_OBJECT, .list = true, .sub = &aks_PrivateLinkResource },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "publicNetworkAccess", .type = M_STRING },
	{ .name = "resourceUID", .type = M_STRING, .read_only = true },
	{ .name = "schedulerProfile", .type = M_OBJECT, .sub = &aks_SchedulerProfile },
	{ .name = "securityProfile", .type = M_OBJECT, .sub = &aks_MCSecurityProfile },
	{ .name = "serviceMeshProfile", .type = M_OBJECT, .sub = &aks_ServiceMeshProfile },
	{ .name = "servicePrincipalProfile", .type = M_OBJECT, .sub = &aks_MCServicePrincipalProfile },
	{ .name = "status", .type = M_OBJECT, .sub = &aks_MCStatus },
	{ .name = "storageProfile", .type = M_OBJECT, .sub = &aks_MCStorageProfile },
	{ .name = "supportPlan", .type = M_STRING, .words = "KubernetesOfficial|AKSLongTermSupport" },
	{ .name = "upgradeSettings", .type = M_OBJECT, .sub = &aks_ClusterUpgradeSettings },
	{ .name = "windowsProfile", .type = M_OBJECT, .sub = &aks_MCWindowsProfile },
	{ .name = "workloadAutoScalerProfile", .type = M_OBJECT, .sub = &aks_MCWorkloadAutoScalerProfile },
};
SHAPE(aks_MCProperties);
static const struct body_member aks_MCSKU_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "tier", .type = M_STRING, .words = "Premium|Standard|Free" },
};
SHAPE(aks_MCSKU);
static const struct body_member aks_SystemData_m[] = {
	{ .name = "createdAt", .type = M_ANY },
	{ .name = "createdBy", .type = M_STRING },
	{ .name = "createdByType", .type = M_STRING },
	{ .name = "lastModifiedAt", .type = M_ANY },
	{ .name = "lastModifiedBy", .type = M_STRING },
	{ .name = "lastModifiedByType", .type = M_STRING },
};
SHAPE(aks_SystemData);
static const struct body_member aks_MC_m[] = {
	{ .name = "eTag", .type = M_STRING, .read_only = true },
	{ .name = "extendedLocation", .type = M_OBJECT, .sub = &aks_ExtendedLocation },
	{ .name = "id", .type = M_STRING, .read_only = true },
	{ .name = "identity", .type = M_OBJECT, .sub = &aks_MCIdentity },
	{ .name = "kind", .type = M_STRING },
	{ .name = "location", .type = M_STRING },
	{ .name = "name", .type = M_STRING, .read_only = true },
	{ .name = "properties", .type = M_OBJECT, .sub = &aks_MCProperties },
	{ .name = "sku", .type = M_OBJECT, .sub = &aks_MCSKU },
	{ .name = "systemData", .type = M_OBJECT, .read_only = true, .sub = &aks_SystemData },
	{ .name = "tags", .type = M_STRING, .map = true },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
SHAPE(aks_MC);
static const struct body_member aks_AgentPoolMCAgentPoolProfileProperties_m[] = {
	{ .name = "artifactStreamingProfile", .type = M_OBJECT, .sub = &aks_AgentPoolArtifactStreamingProfile },
	{ .name = "availabilityZones", .type = M_STRING, .list = true },
	{ .name = "capacityReservationGroupID", .type = M_STRING },
	{ .name = "count", .type = M_INT },
	{ .name = "creationData", .type = M_OBJECT, .sub = &aks_CreationData },
	{ .name = "currentOrchestratorVersion", .type = M_STRING, .read_only = true },
	{ .name = "eTag", .type = M_STRING, .read_only = true },
	{ .name = "enableAutoScaling", .type = M_BOOL },
	{ .name = "enableEncryptionAtHost", .type = M_BOOL },
	{ .name = "enableFIPS", .type = M_BOOL },
	{ .name = "enableNodePublicIP", .type = M_BOOL },
	{ .name = "enableUltraSSD", .type = M_BOOL },
	{ .name = "gatewayProfile", .type = M_OBJECT, .sub = &aks_AgentPoolGatewayProfile },
	{ .name = "gpuInstanceProfile", .type = M_STRING, .words = "MIG1g|MIG2g|MIG3g|MIG4g|MIG7g" },
	{ .name = "gpuProfile", .type = M_OBJECT, .sub = &aks_GPUProfile },
	{ .name = "hostGroupID", .type = M_STRING },
	{ .name = "kubeletConfig", .type = M_OBJECT, .sub = &aks_KubeletConfig },
	{ .name = "kubeletDiskType", .type = M_STRING },
	{ .name = "linuxOSConfig", .type = M_OBJECT, .sub = &aks_LinuxOSConfig },
	{ .name = "localDNSProfile", .type = M_OBJECT, .sub = &aks_LocalDNSProfile },
	{ .name = "maxCount", .type = M_INT },
	{ .name = "maxPods", .type = M_INT },
	{ .name = "messageOfTheDay", .type = M_STRING },
	{ .name = "minCount", .type = M_INT },
	{ .name = "mode", .type = M_STRING, .words = "System|User|Gateway" },
	{ .name = "networkProfile", .type = M_OBJECT, .sub = &aks_AgentPoolNetworkProfile },
	{ .name = "nodeImageVersion", .type = M_STRING },
	{ .name = "nodeLabels", .type = M_STRING, .map = true },
	{ .name = "nodePublicIPPrefixID", .type = M_STRING },
	{ .name = "nodeTaints", .type = M_STRING, .list = true },
	{ .name = "orchestratorVersion", .type = M_STRING },
	{ .name = "osDiskSizeGB", .type = M_INT },
	{ .name = "osDiskType", .type = M_STRING, .words = "Managed|Ephemeral" },
	{ .name = "osSKU", .type = M_STRING },
	{ .name = "osType", .type = M_STRING, .words = "Linux|Windows" },
	{ .name = "podIPAllocationMode", .type = M_STRING },
	{ .name = "podSubnetID", .type = M_STRING },
	{ .name = "powerState", .type = M_OBJECT, .sub = &aks_PowerState },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "proximityPlacementGroupID", .type = M_STRING },
	{ .name = "scaleDownMode", .type = M_STRING, .words = "Delete|Deallocate" },
	{ .name = "scaleSetEvictionPolicy", .type = M_STRING, .words = "Delete|Deallocate" },
	{ .name = "scaleSetPriority", .type = M_STRING, .words = "Spot|Regular" },
	{ .name = "securityProfile", .type = M_OBJECT, .sub = &aks_AgentPoolSecurityProfile },
	{ .name = "spotMaxPrice", .type = M_NUMBER },
	{ .name = "status", .type = M_OBJECT, .sub = &aks_AgentPoolStatus },
	{ .name = "tags", .type = M_STRING, .map = true },
	{ .name = "type", .type = M_STRING, .words = "VirtualMachineScaleSets|AvailabilitySet|VirtualMachines" },
	{ .name = "upgradeSettings", .type = M_OBJECT, .sub = &aks_AgentPoolUpgradeSettings },
	{ .name = "virtualMachineNodesStatus", .type = M_OBJECT, .list = true, .sub = &aks_VirtualMachineNodes },
	{ .name = "virtualMachinesProfile", .type = M_OBJECT, .sub = &aks_VirtualMachinesProfile },
	{ .name = "vmSize", .type = M_STRING },
	{ .name = "vnetSubnetID", .type = M_STRING },
	{ .name = "windowsProfile", .type = M_OBJECT, .sub = &aks_AgentPoolWindowsProfile },
	{ .name = "workloadRuntime", .type = M_STRING },
};
SHAPE(aks_AgentPoolMCAgentPoolProfileProperties);
static const struct body_member aks_AgentPool_m[] = {
	{ .name = "id", .type = M_STRING, .read_only = true },
	{ .name = "name", .type = M_STRING, .read_only = true },
	{ .name = "properties", .type = M_OBJECT, .sub = &aks_AgentPoolMCAgentPoolProfileProperties },
	{ .name = "systemData", .type = M_OBJECT, .read_only = true, .sub = &aks_SystemData },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
SHAPE(aks_AgentPool);
static const struct body_member aks_TagsObject_m[] = {
	{ .name = "tags", .type = M_STRING, .map = true },
};
SHAPE(aks_TagsObject);
static const struct body_member net_ExtendedLocation_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "type", .type = M_STRING, .words = "EdgeZone" },
};
SHAPE(net_ExtendedLocation);
static const struct body_member net_IpamPoolPrefixAllocation_m[] = {
	{ .name = "allocatedAddressPrefixes", .type = M_STRING, .list = true, .read_only = true },
	{ .name = "numberOfIpAddresses", .type = M_STRING },
	{ .name = "pool", .type = M_ANY },
};
SHAPE(net_IpamPoolPrefixAllocation);
static const struct body_member net_AddressSpace_m[] = {
	{ .name = "addressPrefixes", .type = M_STRING, .list = true },
	{ .name = "ipamPoolPrefixAllocations", .type = M_OBJECT, .list = true, .sub = &net_IpamPoolPrefixAllocation },
};
SHAPE(net_AddressSpace);
static const struct body_member net_VirtualNetworkBgpCommunities_m[] = {
	{ .name = "regionalCommunity", .type = M_STRING, .read_only = true },
	{ .name = "virtualNetworkCommunity", .type = M_STRING },
};
SHAPE(net_VirtualNetworkBgpCommunities);
static const struct body_member net_SubResource_m[] = {
	{ .name = "id", .type = M_STRING },
};
SHAPE(net_SubResource);
static const struct body_member net_DhcpOptions_m[] = {
	{ .name = "dnsServers", .type = M_STRING, .list = true },
};
SHAPE(net_DhcpOptions);
static const struct body_member net_VirtualNetworkEncryption_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "enforcement", .type = M_STRING },
};
SHAPE(net_VirtualNetworkEncryption);
static const struct body_member net_ManagedServiceIdentity_m[] = {
	{ .name = "principalId", .type = M_STRING, .read_only = true },
	{ .name = "tenantId", .type = M_STRING, .read_only = true },
	{ .name = "type", .type = M_STRING, .words = "SystemAssigned|UserAssigned|SystemAssigned, UserAssigned|None" },
	{ .name = "userAssignedIdentities", .type = M_ANY, .map = true },
};
SHAPE(net_ManagedServiceIdentity);
static const struct body_member net_FlowLogPropertiesFormat_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "enabledFilteringCriteria", .type = M_STRING },
	{ .name = "flowAnalyticsConfiguration", .type = M_ANY },
	{ .name = "format", .type = M_ANY },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "recordTypes", .type = M_STRING },
	{ .name = "retentionPolicy", .type = M_ANY },
	{ .name = "storageId", .type = M_STRING },
	{ .name = "targetResourceGuid", .type = M_STRING, .read_only = true },
	{ .name = "targetResourceId", .type = M_STRING },
};
SHAPE(net_FlowLogPropertiesFormat);
static const struct body_member net_FlowLog_m[] = {
	{ .name = "etag", .type = M_STRING, .read_only = true },
	{ .name = "id", .type = M_STRING },
	{ .name = "identity", .type = M_OBJECT, .sub = &net_ManagedServiceIdentity },
	{ .name = "location", .type = M_STRING },
	{ .name = "name", .type = M_STRING, .read_only = true },
	{ .name = "properties", .type = M_OBJECT, .sub = &net_FlowLogPropertiesFormat },
	{ .name = "tags", .type = M_STRING, .map = true },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
SHAPE(net_FlowLog);
static const struct body_member net_SubnetPropertiesFormat_m[] = {
	{ .name = "addressPrefix", .type = M_STRING },
	{ .name = "addressPrefixes", .type = M_STRING, .list = true },
	{ .name = "applicationGatewayIPConfigurations", .type = M_ANY, .list = true },
	{ .name = "defaultOutboundAccess", .type = M_BOOL },
	{ .name = "delegations", .type = M_ANY, .list = true },
	{ .name = "ipAllocations", .type = M_ANY, .list = true },
	{ .name = "ipConfigurationProfiles", .type = M_ANY, .list = true, .read_only = true },
	{ .name = "ipConfigurations", .type = M_ANY, .list = true, .read_only = true },
	{ .name = "ipamPoolPrefixAllocations", .type = M_ANY, .list = true },
	{ .name = "natGateway", .type = M_ANY },
	{ .name = "networkSecurityGroup", .type = M_ANY },
	{ .name = "privateEndpointNetworkPolicies", .type = M_STRING },
	{ .name = "privateEndpoints", .type = M_ANY, .list = true, .read_only = true },
	{ .name = "privateLinkServiceNetworkPolicies", .type = M_STRING },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "purpose", .type = M_STRING, .read_only = true },
	{ .name = "resourceNavigationLinks", .type = M_ANY, .list = true, .read_only = true },
	{ .name = "routeTable", .type = M_ANY },
	{ .name = "serviceAssociationLinks", .type = M_ANY, .list = true, .read_only = true },
	{ .name = "serviceEndpointPolicies", .type = M_ANY, .list = true },
	{ .name = "serviceEndpoints", .type = M_ANY, .list = true },
	{ .name = "serviceGateway", .type = M_ANY },
	{ .name = "sharingScope", .type = M_STRING },
};
SHAPE(net_SubnetPropertiesFormat);
static const struct body_member net_Subnet_m[] = {
	{ .name = "etag", .type = M_STRING, .read_only = true },
	{ .name = "id", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "properties", .type = M_OBJECT, .sub = &net_SubnetPropertiesFormat },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
SHAPE(net_Subnet);
static const struct body_member net_VirtualNetworkPeeringPropertiesFormat_m[] = {
	{ .name = "allowForwardedTraffic", .type = M_BOOL },
	{ .name = "allowGatewayTransit", .type = M_BOOL },
	{ .name = "allowVirtualNetworkAccess", .type = M_BOOL },
	{ .name = "doNotVerifyRemoteGateways", .type = M_BOOL },
	{ .name = "enableOnlyIPv6Peering", .type = M_BOOL },
	{ .name = "localAddressSpace", .type = M_ANY },
	{ .name = "localSubnetNames", .type = M_STRING, .list = true },
	{ .name = "localVirtualNetworkAddressSpace", .type = M_ANY },
	{ .name = "peerCompleteVnets", .type = M_BOOL },
	{ .name = "peeringState", .type = M_STRING },
	{ .name = "peeringSyncLevel", .type = M_STRING },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "remoteAddressSpace", .type = M_ANY },
	{ .name = "remoteBgpCommunities", .type = M_ANY },
	{ .name = "remoteSubnetNames", .type = M_STRING, .list = true },
	{ .name = "remoteVirtualNetwork", .type = M_ANY },
	{ .name = "remoteVirtualNetworkAddressSpace", .type = M_ANY },
	{ .name = "remoteVirtualNetworkEncryption", .type = M_ANY, .read_only = true },
	{ .name = "resourceGuid", .type = M_STRING, .read_only = true },
	{ .name = "useRemoteGateways", .type = M_BOOL },
};
SHAPE(net_VirtualNetworkPeeringPropertiesFormat);
static const struct body_member net_VirtualNetworkPeering_m[] = {
	{ .name = "etag", .type = M_STRING, .read_only = true },
	{ .name = "id", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "properties", .type = M_OBJECT, .sub = &net_VirtualNetworkPeeringPropertiesFormat },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
SHAPE(net_VirtualNetworkPeering);
static const struct body_member net_VirtualNetworkPropertiesFormat_m[] = {
	{ .name = "addressSpace", .type = M_OBJECT, .sub = &net_AddressSpace },
	{ .name = "bgpCommunities", .type = M_OBJECT, .sub = &net_VirtualNetworkBgpCommunities },
	{ .name = "ddosProtectionPlan", .type = M_OBJECT, .sub = &net_SubResource },
	{ .name = "defaultPublicNatGateway", .type = M_OBJECT, .read_only = true, .sub = &net_SubResource },
	{ .name = "dhcpOptions", .type = M_OBJECT, .sub = &net_DhcpOptions },
	{ .name = "enableDdosProtection", .type = M_BOOL },
	{ .name = "enableVmProtection", .type = M_BOOL },
	{ .name = "encryption", .type = M_OBJECT, .sub = &net_VirtualNetworkEncryption },
	{ .name = "flowLogs", .type = M_OBJECT, .list = true, .read_only = true, .sub = &net_FlowLog },
	{ .name = "flowTimeoutInMinutes", .type = M_INT },
	{ .name = "ipAllocations", .type = M_OBJECT, .list = true, .sub = &net_SubResource },
	{ .name = "privateEndpointVNetPolicies", .type = M_STRING },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "resourceGuid", .type = M_STRING, .read_only = true },
	{ .name = "subnets", .type = M_OBJECT, .list = true, .sub = &net_Subnet },
	{ .name = "summarizedGatewayPrefixes", .type = M_OBJECT, .sub = &net_AddressSpace },
	{ .name = "virtualNetworkPeerings", .type = M_OBJECT, .list = true, .sub = &net_VirtualNetworkPeering },
};
SHAPE(net_VirtualNetworkPropertiesFormat);
static const struct body_member net_VirtualNetwork_m[] = {
	{ .name = "etag", .type = M_STRING, .read_only = true },
	{ .name = "extendedLocation", .type = M_OBJECT, .sub = &net_ExtendedLocation },
	{ .name = "id", .type = M_STRING },
	{ .name = "location", .type = M_STRING },
	{ .name = "name", .type = M_STRING, .read_only = true },
	{ .name = "properties", .type = M_OBJECT, .sub = &net_VirtualNetworkPropertiesFormat },
	{ .name = "tags", .type = M_STRING, .map = true },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
SHAPE(net_VirtualNetwork);

const struct body_shape *const body_shapes[BODY__MAX] = {
	[BODY_CLUSTER] = &aks_MC,
	[BODY_POOL] = &aks_AgentPool,
	[BODY_TAGS] = &aks_TagsObject,
	[BODY_VNET] = &net_VirtualNetwork,
	[BODY_SUBNET] = &net_Subnet,
};
/* clang-format on */
