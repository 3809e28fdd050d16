#include "backend/sim/body.h"

#include "model/base/macros.h"

/* Written by tests/contract/make_body_tables.py from the official models; do not edit. */

/* clang-format off */
static const struct body_member aks_ExtendedLocation_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "type", .type = M_STRING, .words = "EdgeZone" },
};
static const struct body_shape aks_ExtendedLocation = { aks_ExtendedLocation_m, ARRAY_LEN(aks_ExtendedLocation_m) };
static const struct body_member aks_DelegatedResource_m[] = {
	{ .name = "location", .type = M_STRING },
	{ .name = "referralResource", .type = M_STRING },
	{ .name = "resourceId", .type = M_STRING },
	{ .name = "tenantId", .type = M_STRING },
};
static const struct body_shape aks_DelegatedResource = { aks_DelegatedResource_m, ARRAY_LEN(aks_DelegatedResource_m) };
static const struct body_member aks_ManagedServiceIdentityUserAssignedIdentitiesValue_m[] = {
	{ .name = "clientId", .type = M_STRING, .read_only = true },
	{ .name = "principalId", .type = M_STRING, .read_only = true },
};
static const struct body_shape aks_ManagedServiceIdentityUserAssignedIdentitiesValue = { aks_ManagedServiceIdentityUserAssignedIdentitiesValue_m, ARRAY_LEN(aks_ManagedServiceIdentityUserAssignedIdentitiesValue_m) };
static const struct body_member aks_ManagedClusterIdentity_m[] = {
	{ .name = "delegatedResources", .type = M_OBJECT, .map = true, .sub = &aks_DelegatedResource },
	{ .name = "principalId", .type = M_STRING, .read_only = true },
	{ .name = "tenantId", .type = M_STRING, .read_only = true },
	{ .name = "type", .type = M_STRING, .words = "SystemAssigned|UserAssigned|None" },
	{ .name = "userAssignedIdentities", .type = M_OBJECT, .map = true, .sub = &aks_ManagedServiceIdentityUserAssignedIdentitiesValue },
};
static const struct body_shape aks_ManagedClusterIdentity = { aks_ManagedClusterIdentity_m, ARRAY_LEN(aks_ManagedClusterIdentity_m) };
static const struct body_member aks_ManagedClusterAADProfile_m[] = {
	{ .name = "adminGroupObjectIDs", .type = M_STRING, .list = true },
	{ .name = "clientAppID", .type = M_STRING },
	{ .name = "enableAzureRBAC", .type = M_BOOL },
	{ .name = "managed", .type = M_BOOL },
	{ .name = "serverAppID", .type = M_STRING },
	{ .name = "serverAppSecret", .type = M_STRING },
	{ .name = "tenantID", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterAADProfile = { aks_ManagedClusterAADProfile_m, ARRAY_LEN(aks_ManagedClusterAADProfile_m) };
static const struct body_member aks_ManagedClusterAddonProfileIdentity_m[] = {
	{ .name = "clientId", .type = M_STRING },
	{ .name = "objectId", .type = M_STRING },
	{ .name = "resourceId", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterAddonProfileIdentity = { aks_ManagedClusterAddonProfileIdentity_m, ARRAY_LEN(aks_ManagedClusterAddonProfileIdentity_m) };
static const struct body_member aks_ManagedClusterAddonProfile_m[] = {
	{ .name = "config", .type = M_STRING, .map = true },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "identity", .type = M_OBJECT, .read_only = true, .sub = &aks_ManagedClusterAddonProfileIdentity },
};
static const struct body_shape aks_ManagedClusterAddonProfile = { aks_ManagedClusterAddonProfile_m, ARRAY_LEN(aks_ManagedClusterAddonProfile_m) };
static const struct body_member aks_AgentPoolArtifactStreamingProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_AgentPoolArtifactStreamingProfile = { aks_AgentPoolArtifactStreamingProfile_m, ARRAY_LEN(aks_AgentPoolArtifactStreamingProfile_m) };
static const struct body_member aks_CreationData_m[] = {
	{ .name = "sourceResourceId", .type = M_STRING },
};
static const struct body_shape aks_CreationData = { aks_CreationData_m, ARRAY_LEN(aks_CreationData_m) };
static const struct body_member aks_AgentPoolGatewayProfile_m[] = {
	{ .name = "publicIPPrefixSize", .type = M_INT },
};
static const struct body_shape aks_AgentPoolGatewayProfile = { aks_AgentPoolGatewayProfile_m, ARRAY_LEN(aks_AgentPoolGatewayProfile_m) };
static const struct body_member aks_NvidiaGPUProfile_m[] = {
	{ .name = "managementMode", .type = M_STRING },
};
static const struct body_shape aks_NvidiaGPUProfile = { aks_NvidiaGPUProfile_m, ARRAY_LEN(aks_NvidiaGPUProfile_m) };
static const struct body_member aks_GPUProfile_m[] = {
	{ .name = "driver", .type = M_STRING, .words = "Install|None" },
	{ .name = "nvidia", .type = M_OBJECT, .sub = &aks_NvidiaGPUProfile },
};
static const struct body_shape aks_GPUProfile = { aks_GPUProfile_m, ARRAY_LEN(aks_GPUProfile_m) };
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
static const struct body_shape aks_KubeletConfig = { aks_KubeletConfig_m, ARRAY_LEN(aks_KubeletConfig_m) };
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
static const struct body_shape aks_SysctlConfig = { aks_SysctlConfig_m, ARRAY_LEN(aks_SysctlConfig_m) };
static const struct body_member aks_LinuxOSConfig_m[] = {
	{ .name = "swapFileSizeMB", .type = M_INT },
	{ .name = "sysctls", .type = M_OBJECT, .sub = &aks_SysctlConfig },
	{ .name = "transparentHugePageDefrag", .type = M_STRING },
	{ .name = "transparentHugePageEnabled", .type = M_STRING },
};
static const struct body_shape aks_LinuxOSConfig = { aks_LinuxOSConfig_m, ARRAY_LEN(aks_LinuxOSConfig_m) };
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
static const struct body_shape aks_LocalDNSOverride = { aks_LocalDNSOverride_m, ARRAY_LEN(aks_LocalDNSOverride_m) };
static const struct body_member aks_LocalDNSProfile_m[] = {
	{ .name = "kubeDNSOverrides", .type = M_OBJECT, .map = true, .sub = &aks_LocalDNSOverride },
	{ .name = "mode", .type = M_STRING, .words = "Preferred|Required|Disabled" },
	{ .name = "state", .type = M_STRING, .read_only = true },
	{ .name = "vnetDNSOverrides", .type = M_OBJECT, .map = true, .sub = &aks_LocalDNSOverride },
};
static const struct body_shape aks_LocalDNSProfile = { aks_LocalDNSProfile_m, ARRAY_LEN(aks_LocalDNSProfile_m) };
static const struct body_member aks_PortRange_m[] = {
	{ .name = "portEnd", .type = M_INT },
	{ .name = "portStart", .type = M_INT },
	{ .name = "protocol", .type = M_STRING },
};
static const struct body_shape aks_PortRange = { aks_PortRange_m, ARRAY_LEN(aks_PortRange_m) };
static const struct body_member aks_DRANETProfile_m[] = {
	{ .name = "mode", .type = M_STRING, .words = "Unmanaged|Managed" },
};
static const struct body_shape aks_DRANETProfile = { aks_DRANETProfile_m, ARRAY_LEN(aks_DRANETProfile_m) };
static const struct body_member aks_IPTag_m[] = {
	{ .name = "ipTagType", .type = M_STRING },
	{ .name = "tag", .type = M_STRING },
};
static const struct body_shape aks_IPTag = { aks_IPTag_m, ARRAY_LEN(aks_IPTag_m) };
static const struct body_member aks_AgentPoolNetworkProfile_m[] = {
	{ .name = "allowedHostPorts", .type = M_OBJECT, .list = true, .sub = &aks_PortRange },
	{ .name = "applicationSecurityGroups", .type = M_STRING, .list = true },
	{ .name = "dranet", .type = M_OBJECT, .sub = &aks_DRANETProfile },
	{ .name = "nodePublicIPTags", .type = M_OBJECT, .list = true, .sub = &aks_IPTag },
};
static const struct body_shape aks_AgentPoolNetworkProfile = { aks_AgentPoolNetworkProfile_m, ARRAY_LEN(aks_AgentPoolNetworkProfile_m) };
static const struct body_member aks_PowerState_m[] = {
	{ .name = "code", .type = M_STRING },
};
static const struct body_shape aks_PowerState = { aks_PowerState_m, ARRAY_LEN(aks_PowerState_m) };
static const struct body_member aks_AgentPoolSecurityProfile_m[] = {
	{ .name = "enableSecureBoot", .type = M_BOOL },
	{ .name = "enableVTPM", .type = M_BOOL },
	{ .name = "sshAccess", .type = M_STRING },
};
static const struct body_shape aks_AgentPoolSecurityProfile = { aks_AgentPoolSecurityProfile_m, ARRAY_LEN(aks_AgentPoolSecurityProfile_m) };
static const struct body_member aks_ErrorAdditionalInfo_m[] = {
	{ .name = "info", .type = M_ANY, .read_only = true },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
static const struct body_shape aks_ErrorAdditionalInfo = { aks_ErrorAdditionalInfo_m, ARRAY_LEN(aks_ErrorAdditionalInfo_m) };
static const struct body_member aks_ErrorDetail_m[] = {
	{ .name = "additionalInfo", .type = M_OBJECT, .list = true, .read_only = true, .sub = &aks_ErrorAdditionalInfo },
	{ .name = "code", .type = M_STRING, .read_only = true },
	{ .name = "details", .type = M_ANY, .list = true, .read_only = true },
	{ .name = "message", .type = M_STRING, .read_only = true },
	{ .name = "target", .type = M_STRING, .read_only = true },
};
static const struct body_shape aks_ErrorDetail = { aks_ErrorDetail_m, ARRAY_LEN(aks_ErrorDetail_m) };
static const struct body_member aks_AgentPoolStatus_m[] = {
	{ .name = "provisioningError", .type = M_OBJECT, .read_only = true, .sub = &aks_ErrorDetail },
};
static const struct body_shape aks_AgentPoolStatus = { aks_AgentPoolStatus_m, ARRAY_LEN(aks_AgentPoolStatus_m) };
static const struct body_member aks_AgentPoolUpgradeSettings_m[] = {
	{ .name = "drainTimeoutInMinutes", .type = M_INT },
	{ .name = "maxSurge", .type = M_STRING },
	{ .name = "maxUnavailable", .type = M_STRING },
	{ .name = "nodeSoakDurationInMinutes", .type = M_INT },
	{ .name = "undrainableNodeBehavior", .type = M_STRING, .words = "Cordon|Schedule" },
};
static const struct body_shape aks_AgentPoolUpgradeSettings = { aks_AgentPoolUpgradeSettings_m, ARRAY_LEN(aks_AgentPoolUpgradeSettings_m) };
static const struct body_member aks_VirtualMachineNodes_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "size", .type = M_STRING },
};
static const struct body_shape aks_VirtualMachineNodes = { aks_VirtualMachineNodes_m, ARRAY_LEN(aks_VirtualMachineNodes_m) };
static const struct body_member aks_AutoScaleProfile_m[] = {
	{ .name = "maxCount", .type = M_INT },
	{ .name = "minCount", .type = M_INT },
	{ .name = "size", .type = M_STRING },
};
static const struct body_shape aks_AutoScaleProfile = { aks_AutoScaleProfile_m, ARRAY_LEN(aks_AutoScaleProfile_m) };
static const struct body_member aks_ManualScaleProfile_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "size", .type = M_STRING },
};
static const struct body_shape aks_ManualScaleProfile = { aks_ManualScaleProfile_m, ARRAY_LEN(aks_ManualScaleProfile_m) };
static const struct body_member aks_ScaleProfile_m[] = {
	{ .name = "autoscale", .type = M_OBJECT, .list = true, .sub = &aks_AutoScaleProfile },
	{ .name = "manual", .type = M_OBJECT, .list = true, .sub = &aks_ManualScaleProfile },
};
static const struct body_shape aks_ScaleProfile = { aks_ScaleProfile_m, ARRAY_LEN(aks_ScaleProfile_m) };
static const struct body_member aks_VirtualMachinesProfile_m[] = {
	{ .name = "scale", .type = M_OBJECT, .sub = &aks_ScaleProfile },
};
static const struct body_shape aks_VirtualMachinesProfile = { aks_VirtualMachinesProfile_m, ARRAY_LEN(aks_VirtualMachinesProfile_m) };
static const struct body_member aks_AgentPoolWindowsProfile_m[] = {
	{ .name = "disableOutboundNat", .type = M_BOOL },
};
static const struct body_shape aks_AgentPoolWindowsProfile = { aks_AgentPoolWindowsProfile_m, ARRAY_LEN(aks_AgentPoolWindowsProfile_m) };
static const struct body_member aks_ManagedClusterAgentPoolProfile_m[] = {
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
static const struct body_shape aks_ManagedClusterAgentPoolProfile = { aks_ManagedClusterAgentPoolProfile_m, ARRAY_LEN(aks_ManagedClusterAgentPoolProfile_m) };
static const struct body_member aks_ManagedClusterAIToolchainOperatorProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterAIToolchainOperatorProfile = { aks_ManagedClusterAIToolchainOperatorProfile_m, ARRAY_LEN(aks_ManagedClusterAIToolchainOperatorProfile_m) };
static const struct body_member aks_ManagedClusterAPIServerAccessProfile_m[] = {
	{ .name = "authorizedIPRanges", .type = M_STRING, .list = true },
	{ .name = "disableRunCommand", .type = M_BOOL },
	{ .name = "enablePrivateCluster", .type = M_BOOL },
	{ .name = "enablePrivateClusterPublicFQDN", .type = M_BOOL },
	{ .name = "enableVnetIntegration", .type = M_BOOL },
	{ .name = "privateDNSZone", .type = M_STRING },
	{ .name = "subnetId", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterAPIServerAccessProfile = { aks_ManagedClusterAPIServerAccessProfile_m, ARRAY_LEN(aks_ManagedClusterAPIServerAccessProfile_m) };
static const struct body_member aks_ManagedClusterPropertiesAutoScalerProfile_m[] = {
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
static const struct body_shape aks_ManagedClusterPropertiesAutoScalerProfile = { aks_ManagedClusterPropertiesAutoScalerProfile_m, ARRAY_LEN(aks_ManagedClusterPropertiesAutoScalerProfile_m) };
static const struct body_member aks_ManagedClusterAutoUpgradeProfile_m[] = {
	{ .name = "nodeOSUpgradeChannel", .type = M_STRING, .words = "None|Unmanaged|NodeImage|SecurityPatch" },
	{ .name = "upgradeChannel", .type = M_STRING, .words = "rapid|stable|patch|node-image|none" },
};
static const struct body_shape aks_ManagedClusterAutoUpgradeProfile = { aks_ManagedClusterAutoUpgradeProfile_m, ARRAY_LEN(aks_ManagedClusterAutoUpgradeProfile_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileAppMonitoringAutoInstrumentation_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileAppMonitoringAutoInstrumentation = { aks_ManagedClusterAzureMonitorProfileAppMonitoringAutoInstrumentation_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileAppMonitoringAutoInstrumentation_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryLogsAndTraces_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "grpcPort", .type = M_INT },
	{ .name = "httpPort", .type = M_INT },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryLogsAndTraces = { aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryLogsAndTraces_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryLogsAndTraces_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryMetrics_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "grpcPort", .type = M_INT },
	{ .name = "httpPort", .type = M_INT },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryMetrics = { aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryMetrics_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryMetrics_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileAppMonitoring_m[] = {
	{ .name = "autoInstrumentation", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileAppMonitoringAutoInstrumentation },
	{ .name = "openTelemetryLogsAndTraces", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryLogsAndTraces },
	{ .name = "openTelemetryMetrics", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileAppMonitoringOpenTelemetryMetrics },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileAppMonitoring = { aks_ManagedClusterAzureMonitorProfileAppMonitoring_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileAppMonitoring_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileContainerInsights_m[] = {
	{ .name = "containerNetworkLogs", .type = M_STRING },
	{ .name = "disablePrometheusMetricsScraping", .type = M_BOOL },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "logAnalyticsWorkspaceResourceId", .type = M_STRING },
	{ .name = "syslogPort", .type = M_INT },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileContainerInsights = { aks_ManagedClusterAzureMonitorProfileContainerInsights_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileContainerInsights_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileMetricsControlPlane_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileMetricsControlPlane = { aks_ManagedClusterAzureMonitorProfileMetricsControlPlane_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileMetricsControlPlane_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileKubeStateMetrics_m[] = {
	{ .name = "metricAnnotationsAllowList", .type = M_STRING },
	{ .name = "metricLabelsAllowlist", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileKubeStateMetrics = { aks_ManagedClusterAzureMonitorProfileKubeStateMetrics_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileKubeStateMetrics_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfileMetrics_m[] = {
	{ .name = "controlPlane", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileMetricsControlPlane },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "kubeStateMetrics", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileKubeStateMetrics },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfileMetrics = { aks_ManagedClusterAzureMonitorProfileMetrics_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfileMetrics_m) };
static const struct body_member aks_ManagedClusterAzureMonitorProfile_m[] = {
	{ .name = "appMonitoring", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileAppMonitoring },
	{ .name = "containerInsights", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileContainerInsights },
	{ .name = "metrics", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfileMetrics },
};
static const struct body_shape aks_ManagedClusterAzureMonitorProfile = { aks_ManagedClusterAzureMonitorProfile_m, ARRAY_LEN(aks_ManagedClusterAzureMonitorProfile_m) };
static const struct body_member aks_ManagedClusterBootstrapProfile_m[] = {
	{ .name = "artifactSource", .type = M_STRING },
	{ .name = "containerRegistryId", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterBootstrapProfile = { aks_ManagedClusterBootstrapProfile_m, ARRAY_LEN(aks_ManagedClusterBootstrapProfile_m) };
static const struct body_member aks_ManagedClusterHostedSystemProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "nodeSubnetID", .type = M_STRING },
	{ .name = "systemNodeSubnetID", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterHostedSystemProfile = { aks_ManagedClusterHostedSystemProfile_m, ARRAY_LEN(aks_ManagedClusterHostedSystemProfile_m) };
static const struct body_member aks_ManagedClusterHTTPProxyConfig_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "httpProxy", .type = M_STRING },
	{ .name = "httpsProxy", .type = M_STRING },
	{ .name = "noProxy", .type = M_STRING, .list = true },
	{ .name = "trustedCa", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterHTTPProxyConfig = { aks_ManagedClusterHTTPProxyConfig_m, ARRAY_LEN(aks_ManagedClusterHTTPProxyConfig_m) };
static const struct body_member aks_UserAssignedIdentity_m[] = {
	{ .name = "clientId", .type = M_STRING },
	{ .name = "objectId", .type = M_STRING },
	{ .name = "resourceId", .type = M_STRING },
};
static const struct body_shape aks_UserAssignedIdentity = { aks_UserAssignedIdentity_m, ARRAY_LEN(aks_UserAssignedIdentity_m) };
static const struct body_member aks_ManagedClusterIngressProfileGatewayConfiguration_m[] = {
	{ .name = "installation", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterIngressProfileGatewayConfiguration = { aks_ManagedClusterIngressProfileGatewayConfiguration_m, ARRAY_LEN(aks_ManagedClusterIngressProfileGatewayConfiguration_m) };
static const struct body_member aks_ManagedClusterAppRoutingIstio_m[] = {
	{ .name = "mode", .type = M_STRING, .words = "Enabled|Disabled" },
};
static const struct body_shape aks_ManagedClusterAppRoutingIstio = { aks_ManagedClusterAppRoutingIstio_m, ARRAY_LEN(aks_ManagedClusterAppRoutingIstio_m) };
static const struct body_member aks_ManagedClusterWebAppRoutingGatewayAPIImplementations_m[] = {
	{ .name = "appRoutingIstio", .type = M_OBJECT, .sub = &aks_ManagedClusterAppRoutingIstio },
};
static const struct body_shape aks_ManagedClusterWebAppRoutingGatewayAPIImplementations = { aks_ManagedClusterWebAppRoutingGatewayAPIImplementations_m, ARRAY_LEN(aks_ManagedClusterWebAppRoutingGatewayAPIImplementations_m) };
static const struct body_member aks_ManagedClusterIngressProfileNginx_m[] = {
	{ .name = "defaultIngressControllerType", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterIngressProfileNginx = { aks_ManagedClusterIngressProfileNginx_m, ARRAY_LEN(aks_ManagedClusterIngressProfileNginx_m) };
static const struct body_member aks_ManagedClusterIngressProfileWebAppRouting_m[] = {
	{ .name = "dnsZoneResourceIds", .type = M_STRING, .list = true },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "gatewayAPIImplementations", .type = M_OBJECT, .sub = &aks_ManagedClusterWebAppRoutingGatewayAPIImplementations },
	{ .name = "identity", .type = M_OBJECT, .read_only = true, .sub = &aks_UserAssignedIdentity },
	{ .name = "nginx", .type = M_OBJECT, .sub = &aks_ManagedClusterIngressProfileNginx },
};
static const struct body_shape aks_ManagedClusterIngressProfileWebAppRouting = { aks_ManagedClusterIngressProfileWebAppRouting_m, ARRAY_LEN(aks_ManagedClusterIngressProfileWebAppRouting_m) };
static const struct body_member aks_ManagedClusterIngressProfile_m[] = {
	{ .name = "gatewayAPI", .type = M_OBJECT, .sub = &aks_ManagedClusterIngressProfileGatewayConfiguration },
	{ .name = "webAppRouting", .type = M_OBJECT, .sub = &aks_ManagedClusterIngressProfileWebAppRouting },
};
static const struct body_shape aks_ManagedClusterIngressProfile = { aks_ManagedClusterIngressProfile_m, ARRAY_LEN(aks_ManagedClusterIngressProfile_m) };
static const struct body_member aks_ContainerServiceSshPublicKey_m[] = {
	{ .name = "keyData", .type = M_STRING },
};
static const struct body_shape aks_ContainerServiceSshPublicKey = { aks_ContainerServiceSshPublicKey_m, ARRAY_LEN(aks_ContainerServiceSshPublicKey_m) };
static const struct body_member aks_ContainerServiceSshConfiguration_m[] = {
	{ .name = "publicKeys", .type = M_OBJECT, .list = true, .sub = &aks_ContainerServiceSshPublicKey },
};
static const struct body_shape aks_ContainerServiceSshConfiguration = { aks_ContainerServiceSshConfiguration_m, ARRAY_LEN(aks_ContainerServiceSshConfiguration_m) };
static const struct body_member aks_ContainerServiceLinuxProfile_m[] = {
	{ .name = "adminUsername", .type = M_STRING },
	{ .name = "ssh", .type = M_OBJECT, .sub = &aks_ContainerServiceSshConfiguration },
};
static const struct body_shape aks_ContainerServiceLinuxProfile = { aks_ContainerServiceLinuxProfile_m, ARRAY_LEN(aks_ContainerServiceLinuxProfile_m) };
static const struct body_member aks_ManagedClusterCostAnalysis_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterCostAnalysis = { aks_ManagedClusterCostAnalysis_m, ARRAY_LEN(aks_ManagedClusterCostAnalysis_m) };
static const struct body_member aks_ManagedClusterMetricsProfile_m[] = {
	{ .name = "costAnalysis", .type = M_OBJECT, .sub = &aks_ManagedClusterCostAnalysis },
};
static const struct body_shape aks_ManagedClusterMetricsProfile = { aks_ManagedClusterMetricsProfile_m, ARRAY_LEN(aks_ManagedClusterMetricsProfile_m) };
static const struct body_member aks_AdvancedNetworkingObservability_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_AdvancedNetworkingObservability = { aks_AdvancedNetworkingObservability_m, ARRAY_LEN(aks_AdvancedNetworkingObservability_m) };
static const struct body_member aks_AdvancedNetworkingPerformance_m[] = {
	{ .name = "accelerationMode", .type = M_STRING },
};
static const struct body_shape aks_AdvancedNetworkingPerformance = { aks_AdvancedNetworkingPerformance_m, ARRAY_LEN(aks_AdvancedNetworkingPerformance_m) };
static const struct body_member aks_AdvancedNetworkingSecurityTransitEncryption_m[] = {
	{ .name = "type", .type = M_STRING, .words = "WireGuard|None" },
};
static const struct body_shape aks_AdvancedNetworkingSecurityTransitEncryption = { aks_AdvancedNetworkingSecurityTransitEncryption_m, ARRAY_LEN(aks_AdvancedNetworkingSecurityTransitEncryption_m) };
static const struct body_member aks_AdvancedNetworkingSecurity_m[] = {
	{ .name = "advancedNetworkPolicies", .type = M_STRING },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "transitEncryption", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingSecurityTransitEncryption },
};
static const struct body_shape aks_AdvancedNetworkingSecurity = { aks_AdvancedNetworkingSecurity_m, ARRAY_LEN(aks_AdvancedNetworkingSecurity_m) };
static const struct body_member aks_AdvancedNetworking_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "observability", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingObservability },
	{ .name = "performance", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingPerformance },
	{ .name = "security", .type = M_OBJECT, .sub = &aks_AdvancedNetworkingSecurity },
};
static const struct body_shape aks_AdvancedNetworking = { aks_AdvancedNetworking_m, ARRAY_LEN(aks_AdvancedNetworking_m) };
static const struct body_member aks_ResourceReference_m[] = {
	{ .name = "id", .type = M_STRING },
};
static const struct body_shape aks_ResourceReference = { aks_ResourceReference_m, ARRAY_LEN(aks_ResourceReference_m) };
static const struct body_member aks_ManagedClusterLoadBalancerProfileManagedOutboundIPs_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "countIPv6", .type = M_INT },
};
static const struct body_shape aks_ManagedClusterLoadBalancerProfileManagedOutboundIPs = { aks_ManagedClusterLoadBalancerProfileManagedOutboundIPs_m, ARRAY_LEN(aks_ManagedClusterLoadBalancerProfileManagedOutboundIPs_m) };
static const struct body_member aks_ManagedClusterLoadBalancerProfileOutboundIPPrefixes_m[] = {
	{ .name = "publicIPPrefixes", .type = M_OBJECT, .list = true, .sub = &aks_ResourceReference },
};
static const struct body_shape aks_ManagedClusterLoadBalancerProfileOutboundIPPrefixes = { aks_ManagedClusterLoadBalancerProfileOutboundIPPrefixes_m, ARRAY_LEN(aks_ManagedClusterLoadBalancerProfileOutboundIPPrefixes_m) };
static const struct body_member aks_ManagedClusterLoadBalancerProfileOutboundIPs_m[] = {
	{ .name = "publicIPs", .type = M_OBJECT, .list = true, .sub = &aks_ResourceReference },
};
static const struct body_shape aks_ManagedClusterLoadBalancerProfileOutboundIPs = { aks_ManagedClusterLoadBalancerProfileOutboundIPs_m, ARRAY_LEN(aks_ManagedClusterLoadBalancerProfileOutboundIPs_m) };
static const struct body_member aks_ManagedClusterLoadBalancerProfile_m[] = {
	{ .name = "allocatedOutboundPorts", .type = M_INT },
	{ .name = "backendPoolType", .type = M_STRING },
	{ .name = "effectiveOutboundIPs", .type = M_OBJECT, .list = true, .read_only = true, .sub = &aks_ResourceReference },
	{ .name = "enableMultipleStandardLoadBalancers", .type = M_BOOL },
	{ .name = "idleTimeoutInMinutes", .type = M_INT },
	{ .name = "managedOutboundIPs", .type = M_OBJECT, .sub = &aks_ManagedClusterLoadBalancerProfileManagedOutboundIPs },
	{ .name = "outboundIPPrefixes", .type = M_OBJECT, .sub = &aks_ManagedClusterLoadBalancerProfileOutboundIPPrefixes },
	{ .name = "outboundIPs", .type = M_OBJECT, .sub = &aks_ManagedClusterLoadBalancerProfileOutboundIPs },
};
static const struct body_shape aks_ManagedClusterLoadBalancerProfile = { aks_ManagedClusterLoadBalancerProfile_m, ARRAY_LEN(aks_ManagedClusterLoadBalancerProfile_m) };
static const struct body_member aks_ManagedClusterManagedOutboundIPProfile_m[] = {
	{ .name = "count", .type = M_INT },
	{ .name = "countIPv6", .type = M_INT },
};
static const struct body_shape aks_ManagedClusterManagedOutboundIPProfile = { aks_ManagedClusterManagedOutboundIPProfile_m, ARRAY_LEN(aks_ManagedClusterManagedOutboundIPProfile_m) };
static const struct body_member aks_ManagedClusterNATGatewayProfileOutboundIpPrefixes_m[] = {
	{ .name = "publicIPPrefixes", .type = M_STRING, .list = true },
};
static const struct body_shape aks_ManagedClusterNATGatewayProfileOutboundIpPrefixes = { aks_ManagedClusterNATGatewayProfileOutboundIpPrefixes_m, ARRAY_LEN(aks_ManagedClusterNATGatewayProfileOutboundIpPrefixes_m) };
static const struct body_member aks_ManagedClusterNATGatewayProfileOutboundIPs_m[] = {
	{ .name = "publicIPs", .type = M_STRING, .list = true },
};
static const struct body_shape aks_ManagedClusterNATGatewayProfileOutboundIPs = { aks_ManagedClusterNATGatewayProfileOutboundIPs_m, ARRAY_LEN(aks_ManagedClusterNATGatewayProfileOutboundIPs_m) };
static const struct body_member aks_ManagedClusterNATGatewayProfile_m[] = {
	{ .name = "effectiveOutboundIPs", .type = M_OBJECT, .list = true, .read_only = true, .sub = &aks_ResourceReference },
	{ .name = "idleTimeoutInMinutes", .type = M_INT },
	{ .name = "managedOutboundIPProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterManagedOutboundIPProfile },
	{ .name = "outboundIPPrefixes", .type = M_OBJECT, .sub = &aks_ManagedClusterNATGatewayProfileOutboundIpPrefixes },
	{ .name = "outboundIPs", .type = M_OBJECT, .sub = &aks_ManagedClusterNATGatewayProfileOutboundIPs },
	{ .name = "sku", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterNATGatewayProfile = { aks_ManagedClusterNATGatewayProfile_m, ARRAY_LEN(aks_ManagedClusterNATGatewayProfile_m) };
static const struct body_member aks_ManagedClusterStaticEgressGatewayProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterStaticEgressGatewayProfile = { aks_ManagedClusterStaticEgressGatewayProfile_m, ARRAY_LEN(aks_ManagedClusterStaticEgressGatewayProfile_m) };
static const struct body_member aks_ContainerServiceNetworkProfile_m[] = {
	{ .name = "advancedNetworking", .type = M_OBJECT, .sub = &aks_AdvancedNetworking },
	{ .name = "dnsServiceIP", .type = M_STRING },
	{ .name = "ipFamilies", .type = M_STRING, .list = true },
	{ .name = "loadBalancerProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterLoadBalancerProfile },
	{ .name = "loadBalancerSku", .type = M_STRING, .words = "standard|basic" },
	{ .name = "natGatewayProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterNATGatewayProfile },
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
	{ .name = "staticEgressGatewayProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterStaticEgressGatewayProfile },
};
static const struct body_shape aks_ContainerServiceNetworkProfile = { aks_ContainerServiceNetworkProfile_m, ARRAY_LEN(aks_ContainerServiceNetworkProfile_m) };
static const struct body_member aks_ManagedClusterNodeProvisioningProfile_m[] = {
	{ .name = "defaultNodePools", .type = M_STRING },
	{ .name = "mode", .type = M_STRING, .words = "Manual|Auto" },
};
static const struct body_shape aks_ManagedClusterNodeProvisioningProfile = { aks_ManagedClusterNodeProvisioningProfile_m, ARRAY_LEN(aks_ManagedClusterNodeProvisioningProfile_m) };
static const struct body_member aks_ManagedClusterNodeResourceGroupProfile_m[] = {
	{ .name = "restrictionLevel", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterNodeResourceGroupProfile = { aks_ManagedClusterNodeResourceGroupProfile_m, ARRAY_LEN(aks_ManagedClusterNodeResourceGroupProfile_m) };
static const struct body_member aks_ManagedClusterOIDCIssuerProfile_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "issuerURL", .type = M_STRING, .read_only = true },
};
static const struct body_shape aks_ManagedClusterOIDCIssuerProfile = { aks_ManagedClusterOIDCIssuerProfile_m, ARRAY_LEN(aks_ManagedClusterOIDCIssuerProfile_m) };
static const struct body_member aks_ManagedClusterPodIdentityProvisioningErrorBody_m[] = {
	{ .name = "code", .type = M_STRING },
	{ .name = "details", .type = M_ANY, .list = true },
	{ .name = "message", .type = M_STRING },
	{ .name = "target", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterPodIdentityProvisioningErrorBody = { aks_ManagedClusterPodIdentityProvisioningErrorBody_m, ARRAY_LEN(aks_ManagedClusterPodIdentityProvisioningErrorBody_m) };
static const struct body_member aks_ManagedClusterPodIdentityProvisioningError_m[] = {
	{ .name = "error", .type = M_OBJECT, .sub = &aks_ManagedClusterPodIdentityProvisioningErrorBody },
};
static const struct body_shape aks_ManagedClusterPodIdentityProvisioningError = { aks_ManagedClusterPodIdentityProvisioningError_m, ARRAY_LEN(aks_ManagedClusterPodIdentityProvisioningError_m) };
static const struct body_member aks_ManagedClusterPodIdentityProvisioningInfo_m[] = {
	{ .name = "error", .type = M_OBJECT, .sub = &aks_ManagedClusterPodIdentityProvisioningError },
};
static const struct body_shape aks_ManagedClusterPodIdentityProvisioningInfo = { aks_ManagedClusterPodIdentityProvisioningInfo_m, ARRAY_LEN(aks_ManagedClusterPodIdentityProvisioningInfo_m) };
static const struct body_member aks_ManagedClusterPodIdentity_m[] = {
	{ .name = "bindingSelector", .type = M_STRING },
	{ .name = "identity", .type = M_OBJECT, .sub = &aks_UserAssignedIdentity },
	{ .name = "name", .type = M_STRING },
	{ .name = "namespace", .type = M_STRING },
	{ .name = "provisioningInfo", .type = M_OBJECT, .read_only = true, .sub = &aks_ManagedClusterPodIdentityProvisioningInfo },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
};
static const struct body_shape aks_ManagedClusterPodIdentity = { aks_ManagedClusterPodIdentity_m, ARRAY_LEN(aks_ManagedClusterPodIdentity_m) };
static const struct body_member aks_ManagedClusterPodIdentityException_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "namespace", .type = M_STRING },
	{ .name = "podLabels", .type = M_STRING, .map = true },
};
static const struct body_shape aks_ManagedClusterPodIdentityException = { aks_ManagedClusterPodIdentityException_m, ARRAY_LEN(aks_ManagedClusterPodIdentityException_m) };
static const struct body_member aks_ManagedClusterPodIdentityProfile_m[] = {
	{ .name = "allowNetworkPluginKubenet", .type = M_BOOL },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "userAssignedIdentities", .type = M_OBJECT, .list = true, .sub = &aks_ManagedClusterPodIdentity },
	{ .name = "userAssignedIdentityExceptions", .type = M_OBJECT, .list = true, .sub = &aks_ManagedClusterPodIdentityException },
};
static const struct body_shape aks_ManagedClusterPodIdentityProfile = { aks_ManagedClusterPodIdentityProfile_m, ARRAY_LEN(aks_ManagedClusterPodIdentityProfile_m) };
static const struct body_member aks_PrivateLinkResource_m[] = {
	{ .name = "groupId", .type = M_STRING },
	{ .name = "id", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "privateLinkServiceID", .type = M_STRING, .read_only = true },
	{ .name = "requiredMembers", .type = M_STRING, .list = true },
	{ .name = "type", .type = M_STRING },
};
static const struct body_shape aks_PrivateLinkResource = { aks_PrivateLinkResource_m, ARRAY_LEN(aks_PrivateLinkResource_m) };
static const struct body_member aks_SchedulerInstanceProfile_m[] = {
	{ .name = "schedulerConfigMode", .type = M_STRING },
};
static const struct body_shape aks_SchedulerInstanceProfile = { aks_SchedulerInstanceProfile_m, ARRAY_LEN(aks_SchedulerInstanceProfile_m) };
static const struct body_member aks_SchedulerProfile_m[] = {
	{ .name = "upstream", .type = M_OBJECT, .sub = &aks_SchedulerInstanceProfile },
};
static const struct body_shape aks_SchedulerProfile = { aks_SchedulerProfile_m, ARRAY_LEN(aks_SchedulerProfile_m) };
static const struct body_member aks_AzureKeyVaultKms_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "keyId", .type = M_STRING },
	{ .name = "keyVaultNetworkAccess", .type = M_STRING },
	{ .name = "keyVaultResourceId", .type = M_STRING },
};
static const struct body_shape aks_AzureKeyVaultKms = { aks_AzureKeyVaultKms_m, ARRAY_LEN(aks_AzureKeyVaultKms_m) };
static const struct body_member aks_ManagedClusterSecurityProfileDefenderSecurityGatingIdentity_m[] = {
	{ .name = "azureContainerRegistry", .type = M_STRING },
	{ .name = "identity", .type = M_OBJECT, .sub = &aks_UserAssignedIdentity },
};
static const struct body_shape aks_ManagedClusterSecurityProfileDefenderSecurityGatingIdentity = { aks_ManagedClusterSecurityProfileDefenderSecurityGatingIdentity_m, ARRAY_LEN(aks_ManagedClusterSecurityProfileDefenderSecurityGatingIdentity_m) };
static const struct body_member aks_ManagedClusterSecurityProfileDefenderSecurityGating_m[] = {
	{ .name = "allowSecretAccess", .type = M_BOOL },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "identities", .type = M_OBJECT, .list = true, .sub = &aks_ManagedClusterSecurityProfileDefenderSecurityGatingIdentity },
};
static const struct body_shape aks_ManagedClusterSecurityProfileDefenderSecurityGating = { aks_ManagedClusterSecurityProfileDefenderSecurityGating_m, ARRAY_LEN(aks_ManagedClusterSecurityProfileDefenderSecurityGating_m) };
static const struct body_member aks_ManagedClusterSecurityProfileDefenderSecurityMonitoring_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterSecurityProfileDefenderSecurityMonitoring = { aks_ManagedClusterSecurityProfileDefenderSecurityMonitoring_m, ARRAY_LEN(aks_ManagedClusterSecurityProfileDefenderSecurityMonitoring_m) };
static const struct body_member aks_ManagedClusterSecurityProfileDefender_m[] = {
	{ .name = "logAnalyticsWorkspaceResourceId", .type = M_STRING },
	{ .name = "securityGating", .type = M_OBJECT, .sub = &aks_ManagedClusterSecurityProfileDefenderSecurityGating },
	{ .name = "securityMonitoring", .type = M_OBJECT, .sub = &aks_ManagedClusterSecurityProfileDefenderSecurityMonitoring },
};
static const struct body_shape aks_ManagedClusterSecurityProfileDefender = { aks_ManagedClusterSecurityProfileDefender_m, ARRAY_LEN(aks_ManagedClusterSecurityProfileDefender_m) };
static const struct body_member aks_ManagedClusterSecurityProfileImageCleaner_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "intervalHours", .type = M_INT },
};
static const struct body_shape aks_ManagedClusterSecurityProfileImageCleaner = { aks_ManagedClusterSecurityProfileImageCleaner_m, ARRAY_LEN(aks_ManagedClusterSecurityProfileImageCleaner_m) };
static const struct body_member aks_KubernetesResourceObjectEncryptionProfile_m[] = {
	{ .name = "infrastructureEncryption", .type = M_STRING },
};
static const struct body_shape aks_KubernetesResourceObjectEncryptionProfile = { aks_KubernetesResourceObjectEncryptionProfile_m, ARRAY_LEN(aks_KubernetesResourceObjectEncryptionProfile_m) };
static const struct body_member aks_ManagedClusterSecurityProfileWorkloadIdentity_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterSecurityProfileWorkloadIdentity = { aks_ManagedClusterSecurityProfileWorkloadIdentity_m, ARRAY_LEN(aks_ManagedClusterSecurityProfileWorkloadIdentity_m) };
static const struct body_member aks_ManagedClusterSecurityProfile_m[] = {
	{ .name = "azureKeyVaultKms", .type = M_OBJECT, .sub = &aks_AzureKeyVaultKms },
	{ .name = "customCATrustCertificates", .type = M_ANY, .list = true },
	{ .name = "defender", .type = M_OBJECT, .sub = &aks_ManagedClusterSecurityProfileDefender },
	{ .name = "imageCleaner", .type = M_OBJECT, .sub = &aks_ManagedClusterSecurityProfileImageCleaner },
	{ .name = "kubernetesResourceObjectEncryptionProfile", .type = M_OBJECT, .sub = &aks_KubernetesResourceObjectEncryptionProfile },
	{ .name = "workloadIdentity", .type = M_OBJECT, .sub = &aks_ManagedClusterSecurityProfileWorkloadIdentity },
};
static const struct body_shape aks_ManagedClusterSecurityProfile = { aks_ManagedClusterSecurityProfile_m, ARRAY_LEN(aks_ManagedClusterSecurityProfile_m) };
static const struct body_member aks_IstioPluginCertificateAuthority_m[] = {
	{ .name = "certChainObjectName", .type = M_STRING },
	{ .name = "certObjectName", .type = M_STRING },
	{ .name = "keyObjectName", .type = M_STRING },
	{ .name = "keyVaultId", .type = M_STRING },
	{ .name = "rootCertObjectName", .type = M_STRING },
};
static const struct body_shape aks_IstioPluginCertificateAuthority = { aks_IstioPluginCertificateAuthority_m, ARRAY_LEN(aks_IstioPluginCertificateAuthority_m) };
static const struct body_member aks_IstioCertificateAuthority_m[] = {
	{ .name = "plugin", .type = M_OBJECT, .sub = &aks_IstioPluginCertificateAuthority },
};
static const struct body_shape aks_IstioCertificateAuthority = { aks_IstioCertificateAuthority_m, ARRAY_LEN(aks_IstioCertificateAuthority_m) };
static const struct body_member aks_IstioEgressGateway_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "gatewayConfigurationName", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "namespace", .type = M_STRING },
};
static const struct body_shape aks_IstioEgressGateway = { aks_IstioEgressGateway_m, ARRAY_LEN(aks_IstioEgressGateway_m) };
static const struct body_member aks_IstioIngressGateway_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "mode", .type = M_STRING, .words = "External|Internal" },
};
static const struct body_shape aks_IstioIngressGateway = { aks_IstioIngressGateway_m, ARRAY_LEN(aks_IstioIngressGateway_m) };
static const struct body_member aks_IstioComponents_m[] = {
	{ .name = "egressGateways", .type = M_OBJECT, .list = true, .sub = &aks_IstioEgressGateway },
	{ .name = "ingressGateways", .type = M_OBJECT, .list = true, .sub = &aks_IstioIngressGateway },
	{ .name = "proxyRedirectionMechanism", .type = M_STRING },
};
static const struct body_shape aks_IstioComponents = { aks_IstioComponents_m, ARRAY_LEN(aks_IstioComponents_m) };
static const struct body_member aks_IstioServiceMesh_m[] = {
	{ .name = "certificateAuthority", .type = M_OBJECT, .sub = &aks_IstioCertificateAuthority },
	{ .name = "components", .type = M_OBJECT, .sub = &aks_IstioComponents },
	{ .name = "revisions", .type = M_STRING, .list = true },
};
static const struct body_shape aks_IstioServiceMesh = { aks_IstioServiceMesh_m, ARRAY_LEN(aks_IstioServiceMesh_m) };
static const struct body_member aks_ServiceMeshProfile_m[] = {
	{ .name = "istio", .type = M_OBJECT, .sub = &aks_IstioServiceMesh },
	{ .name = "mode", .type = M_STRING, .words = "Istio|Disabled" },
};
static const struct body_shape aks_ServiceMeshProfile = { aks_ServiceMeshProfile_m, ARRAY_LEN(aks_ServiceMeshProfile_m) };
static const struct body_member aks_ManagedClusterServicePrincipalProfile_m[] = {
	{ .name = "clientId", .type = M_STRING },
	{ .name = "secret", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterServicePrincipalProfile = { aks_ManagedClusterServicePrincipalProfile_m, ARRAY_LEN(aks_ManagedClusterServicePrincipalProfile_m) };
static const struct body_member aks_ManagedClusterStatus_m[] = {
	{ .name = "provisioningError", .type = M_OBJECT, .read_only = true, .sub = &aks_ErrorDetail },
};
static const struct body_shape aks_ManagedClusterStatus = { aks_ManagedClusterStatus_m, ARRAY_LEN(aks_ManagedClusterStatus_m) };
static const struct body_member aks_ManagedClusterStorageProfileBlobCSIDriver_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterStorageProfileBlobCSIDriver = { aks_ManagedClusterStorageProfileBlobCSIDriver_m, ARRAY_LEN(aks_ManagedClusterStorageProfileBlobCSIDriver_m) };
static const struct body_member aks_ManagedClusterStorageProfileDiskCSIDriver_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterStorageProfileDiskCSIDriver = { aks_ManagedClusterStorageProfileDiskCSIDriver_m, ARRAY_LEN(aks_ManagedClusterStorageProfileDiskCSIDriver_m) };
static const struct body_member aks_ManagedClusterStorageProfileFileCSIDriver_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterStorageProfileFileCSIDriver = { aks_ManagedClusterStorageProfileFileCSIDriver_m, ARRAY_LEN(aks_ManagedClusterStorageProfileFileCSIDriver_m) };
static const struct body_member aks_ManagedClusterStorageProfileSnapshotController_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterStorageProfileSnapshotController = { aks_ManagedClusterStorageProfileSnapshotController_m, ARRAY_LEN(aks_ManagedClusterStorageProfileSnapshotController_m) };
static const struct body_member aks_ManagedClusterStorageProfile_m[] = {
	{ .name = "blobCSIDriver", .type = M_OBJECT, .sub = &aks_ManagedClusterStorageProfileBlobCSIDriver },
	{ .name = "diskCSIDriver", .type = M_OBJECT, .sub = &aks_ManagedClusterStorageProfileDiskCSIDriver },
	{ .name = "fileCSIDriver", .type = M_OBJECT, .sub = &aks_ManagedClusterStorageProfileFileCSIDriver },
	{ .name = "snapshotController", .type = M_OBJECT, .sub = &aks_ManagedClusterStorageProfileSnapshotController },
};
static const struct body_shape aks_ManagedClusterStorageProfile = { aks_ManagedClusterStorageProfile_m, ARRAY_LEN(aks_ManagedClusterStorageProfile_m) };
static const struct body_member aks_UpgradeOverrideSettings_m[] = {
	{ .name = "forceUpgrade", .type = M_BOOL },
	{ .name = "until", .type = M_ANY },
};
static const struct body_shape aks_UpgradeOverrideSettings = { aks_UpgradeOverrideSettings_m, ARRAY_LEN(aks_UpgradeOverrideSettings_m) };
static const struct body_member aks_ClusterUpgradeSettings_m[] = {
	{ .name = "overrideSettings", .type = M_OBJECT, .sub = &aks_UpgradeOverrideSettings },
};
static const struct body_shape aks_ClusterUpgradeSettings = { aks_ClusterUpgradeSettings_m, ARRAY_LEN(aks_ClusterUpgradeSettings_m) };
static const struct body_member aks_WindowsGmsaProfile_m[] = {
	{ .name = "dnsServer", .type = M_STRING },
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "rootDomainName", .type = M_STRING },
};
static const struct body_shape aks_WindowsGmsaProfile = { aks_WindowsGmsaProfile_m, ARRAY_LEN(aks_WindowsGmsaProfile_m) };
static const struct body_member aks_ManagedClusterWindowsProfile_m[] = {
	{ .name = "adminPassword", .type = M_STRING },
	{ .name = "adminUsername", .type = M_STRING },
	{ .name = "enableCSIProxy", .type = M_BOOL },
	{ .name = "gmsaProfile", .type = M_OBJECT, .sub = &aks_WindowsGmsaProfile },
	{ .name = "licenseType", .type = M_STRING },
};
static const struct body_shape aks_ManagedClusterWindowsProfile = { aks_ManagedClusterWindowsProfile_m, ARRAY_LEN(aks_ManagedClusterWindowsProfile_m) };
static const struct body_member aks_ManagedClusterWorkloadAutoScalerProfileKeda_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterWorkloadAutoScalerProfileKeda = { aks_ManagedClusterWorkloadAutoScalerProfileKeda_m, ARRAY_LEN(aks_ManagedClusterWorkloadAutoScalerProfileKeda_m) };
static const struct body_member aks_ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscaler_m[] = {
	{ .name = "enabled", .type = M_BOOL },
};
static const struct body_shape aks_ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscaler = { aks_ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscaler_m, ARRAY_LEN(aks_ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscaler_m) };
static const struct body_member aks_ManagedClusterWorkloadAutoScalerProfile_m[] = {
	{ .name = "keda", .type = M_OBJECT, .sub = &aks_ManagedClusterWorkloadAutoScalerProfileKeda },
	{ .name = "verticalPodAutoscaler", .type = M_OBJECT, .sub = &aks_ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscaler },
};
static const struct body_shape aks_ManagedClusterWorkloadAutoScalerProfile = { aks_ManagedClusterWorkloadAutoScalerProfile_m, ARRAY_LEN(aks_ManagedClusterWorkloadAutoScalerProfile_m) };
static const struct body_member aks_ManagedClusterProperties_m[] = {
	{ .name = "aadProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterAADProfile },
	{ .name = "addonProfiles", .type = M_OBJECT, .map = true, .sub = &aks_ManagedClusterAddonProfile },
	{ .name = "agentPoolProfiles", .type = M_OBJECT, .list = true, .sub = &aks_ManagedClusterAgentPoolProfile },
	{ .name = "aiToolchainOperatorProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterAIToolchainOperatorProfile },
	{ .name = "apiServerAccessProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterAPIServerAccessProfile },
	{ .name = "autoScalerProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterPropertiesAutoScalerProfile },
	{ .name = "autoUpgradeProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterAutoUpgradeProfile },
	{ .name = "azureMonitorProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterAzureMonitorProfile },
	{ .name = "azurePortalFQDN", .type = M_STRING, .read_only = true },
	{ .name = "bootstrapProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterBootstrapProfile },
	{ .name = "currentKubernetesVersion", .type = M_STRING, .read_only = true },
	{ .name = "disableLocalAccounts", .type = M_BOOL },
	{ .name = "diskEncryptionSetID", .type = M_STRING },
	{ .name = "dnsPrefix", .type = M_STRING },
	{ .name = "enableFIPS", .type = M_BOOL },
	{ .name = "enableRBAC", .type = M_BOOL },
	{ .name = "fqdn", .type = M_STRING, .read_only = true },
	{ .name = "fqdnSubdomain", .type = M_STRING },
	{ .name = "hostedSystemProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterHostedSystemProfile },
	{ .name = "httpProxyConfig", .type = M_OBJECT, .sub = &aks_ManagedClusterHTTPProxyConfig },
	{ .name = "identityProfile", .type = M_OBJECT, .map = true, .sub = &aks_UserAssignedIdentity },
	{ .name = "ingressProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterIngressProfile },
	{ .name = "kubernetesVersion", .type = M_STRING },
	{ .name = "linuxProfile", .type = M_OBJECT, .sub = &aks_ContainerServiceLinuxProfile },
	{ .name = "maxAgentPools", .type = M_INT, .read_only = true },
	{ .name = "metricsProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterMetricsProfile },
	{ .name = "networkProfile", .type = M_OBJECT, .sub = &aks_ContainerServiceNetworkProfile },
	{ .name = "nodeProvisioningProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterNodeProvisioningProfile },
	{ .name = "nodeResourceGroup", .type = M_STRING },
	{ .name = "nodeResourceGroupProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterNodeResourceGroupProfile },
	{ .name = "oidcIssuerProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterOIDCIssuerProfile },
	{ .name = "podIdentityProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterPodIdentityProfile },
	{ .name = "powerState", .type = M_OBJECT, .read_only = true, .sub = &aks_PowerState },
	{ .name = "privateFQDN", .type = M_STRING, .read_only = true },
	{ .name = "privateLinkResources", .type = M_OBJECT, .list = true, .sub = &aks_PrivateLinkResource },
	{ .name = "provisioningState", .type = M_STRING, .read_only = true },
	{ .name = "publicNetworkAccess", .type = M_STRING },
	{ .name = "resourceUID", .type = M_STRING, .read_only = true },
	{ .name = "schedulerProfile", .type = M_OBJECT, .sub = &aks_SchedulerProfile },
	{ .name = "securityProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterSecurityProfile },
	{ .name = "serviceMeshProfile", .type = M_OBJECT, .sub = &aks_ServiceMeshProfile },
	{ .name = "servicePrincipalProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterServicePrincipalProfile },
	{ .name = "status", .type = M_OBJECT, .sub = &aks_ManagedClusterStatus },
	{ .name = "storageProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterStorageProfile },
	{ .name = "supportPlan", .type = M_STRING, .words = "KubernetesOfficial|AKSLongTermSupport" },
	{ .name = "upgradeSettings", .type = M_OBJECT, .sub = &aks_ClusterUpgradeSettings },
	{ .name = "windowsProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterWindowsProfile },
	{ .name = "workloadAutoScalerProfile", .type = M_OBJECT, .sub = &aks_ManagedClusterWorkloadAutoScalerProfile },
};
static const struct body_shape aks_ManagedClusterProperties = { aks_ManagedClusterProperties_m, ARRAY_LEN(aks_ManagedClusterProperties_m) };
static const struct body_member aks_ManagedClusterSKU_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "tier", .type = M_STRING, .words = "Premium|Standard|Free" },
};
static const struct body_shape aks_ManagedClusterSKU = { aks_ManagedClusterSKU_m, ARRAY_LEN(aks_ManagedClusterSKU_m) };
static const struct body_member aks_SystemData_m[] = {
	{ .name = "createdAt", .type = M_ANY },
	{ .name = "createdBy", .type = M_STRING },
	{ .name = "createdByType", .type = M_STRING },
	{ .name = "lastModifiedAt", .type = M_ANY },
	{ .name = "lastModifiedBy", .type = M_STRING },
	{ .name = "lastModifiedByType", .type = M_STRING },
};
static const struct body_shape aks_SystemData = { aks_SystemData_m, ARRAY_LEN(aks_SystemData_m) };
static const struct body_member aks_ManagedCluster_m[] = {
	{ .name = "eTag", .type = M_STRING, .read_only = true },
	{ .name = "extendedLocation", .type = M_OBJECT, .sub = &aks_ExtendedLocation },
	{ .name = "id", .type = M_STRING, .read_only = true },
	{ .name = "identity", .type = M_OBJECT, .sub = &aks_ManagedClusterIdentity },
	{ .name = "kind", .type = M_STRING },
	{ .name = "location", .type = M_STRING },
	{ .name = "name", .type = M_STRING, .read_only = true },
	{ .name = "properties", .type = M_OBJECT, .sub = &aks_ManagedClusterProperties },
	{ .name = "sku", .type = M_OBJECT, .sub = &aks_ManagedClusterSKU },
	{ .name = "systemData", .type = M_OBJECT, .read_only = true, .sub = &aks_SystemData },
	{ .name = "tags", .type = M_STRING, .map = true },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
static const struct body_shape aks_ManagedCluster = { aks_ManagedCluster_m, ARRAY_LEN(aks_ManagedCluster_m) };
static const struct body_member aks_AgentPoolManagedClusterAgentPoolProfileProperties_m[] = {
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
static const struct body_shape aks_AgentPoolManagedClusterAgentPoolProfileProperties = { aks_AgentPoolManagedClusterAgentPoolProfileProperties_m, ARRAY_LEN(aks_AgentPoolManagedClusterAgentPoolProfileProperties_m) };
static const struct body_member aks_AgentPool_m[] = {
	{ .name = "id", .type = M_STRING, .read_only = true },
	{ .name = "name", .type = M_STRING, .read_only = true },
	{ .name = "properties", .type = M_OBJECT, .sub = &aks_AgentPoolManagedClusterAgentPoolProfileProperties },
	{ .name = "systemData", .type = M_OBJECT, .read_only = true, .sub = &aks_SystemData },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
static const struct body_shape aks_AgentPool = { aks_AgentPool_m, ARRAY_LEN(aks_AgentPool_m) };
static const struct body_member aks_TagsObject_m[] = {
	{ .name = "tags", .type = M_STRING, .map = true },
};
static const struct body_shape aks_TagsObject = { aks_TagsObject_m, ARRAY_LEN(aks_TagsObject_m) };
static const struct body_member net_ExtendedLocation_m[] = {
	{ .name = "name", .type = M_STRING },
	{ .name = "type", .type = M_STRING, .words = "EdgeZone" },
};
static const struct body_shape net_ExtendedLocation = { net_ExtendedLocation_m, ARRAY_LEN(net_ExtendedLocation_m) };
static const struct body_member net_IpamPoolPrefixAllocation_m[] = {
	{ .name = "allocatedAddressPrefixes", .type = M_STRING, .list = true, .read_only = true },
	{ .name = "numberOfIpAddresses", .type = M_STRING },
	{ .name = "pool", .type = M_ANY },
};
static const struct body_shape net_IpamPoolPrefixAllocation = { net_IpamPoolPrefixAllocation_m, ARRAY_LEN(net_IpamPoolPrefixAllocation_m) };
static const struct body_member net_AddressSpace_m[] = {
	{ .name = "addressPrefixes", .type = M_STRING, .list = true },
	{ .name = "ipamPoolPrefixAllocations", .type = M_OBJECT, .list = true, .sub = &net_IpamPoolPrefixAllocation },
};
static const struct body_shape net_AddressSpace = { net_AddressSpace_m, ARRAY_LEN(net_AddressSpace_m) };
static const struct body_member net_VirtualNetworkBgpCommunities_m[] = {
	{ .name = "regionalCommunity", .type = M_STRING, .read_only = true },
	{ .name = "virtualNetworkCommunity", .type = M_STRING },
};
static const struct body_shape net_VirtualNetworkBgpCommunities = { net_VirtualNetworkBgpCommunities_m, ARRAY_LEN(net_VirtualNetworkBgpCommunities_m) };
static const struct body_member net_SubResource_m[] = {
	{ .name = "id", .type = M_STRING },
};
static const struct body_shape net_SubResource = { net_SubResource_m, ARRAY_LEN(net_SubResource_m) };
static const struct body_member net_DhcpOptions_m[] = {
	{ .name = "dnsServers", .type = M_STRING, .list = true },
};
static const struct body_shape net_DhcpOptions = { net_DhcpOptions_m, ARRAY_LEN(net_DhcpOptions_m) };
static const struct body_member net_VirtualNetworkEncryption_m[] = {
	{ .name = "enabled", .type = M_BOOL },
	{ .name = "enforcement", .type = M_STRING },
};
static const struct body_shape net_VirtualNetworkEncryption = { net_VirtualNetworkEncryption_m, ARRAY_LEN(net_VirtualNetworkEncryption_m) };
static const struct body_member net_ManagedServiceIdentity_m[] = {
	{ .name = "principalId", .type = M_STRING, .read_only = true },
	{ .name = "tenantId", .type = M_STRING, .read_only = true },
	{ .name = "type", .type = M_STRING, .words = "SystemAssigned|UserAssigned|SystemAssigned, UserAssigned|None" },
	{ .name = "userAssignedIdentities", .type = M_ANY, .map = true },
};
static const struct body_shape net_ManagedServiceIdentity = { net_ManagedServiceIdentity_m, ARRAY_LEN(net_ManagedServiceIdentity_m) };
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
static const struct body_shape net_FlowLogPropertiesFormat = { net_FlowLogPropertiesFormat_m, ARRAY_LEN(net_FlowLogPropertiesFormat_m) };
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
static const struct body_shape net_FlowLog = { net_FlowLog_m, ARRAY_LEN(net_FlowLog_m) };
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
static const struct body_shape net_SubnetPropertiesFormat = { net_SubnetPropertiesFormat_m, ARRAY_LEN(net_SubnetPropertiesFormat_m) };
static const struct body_member net_Subnet_m[] = {
	{ .name = "etag", .type = M_STRING, .read_only = true },
	{ .name = "id", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "properties", .type = M_OBJECT, .sub = &net_SubnetPropertiesFormat },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
static const struct body_shape net_Subnet = { net_Subnet_m, ARRAY_LEN(net_Subnet_m) };
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
static const struct body_shape net_VirtualNetworkPeeringPropertiesFormat = { net_VirtualNetworkPeeringPropertiesFormat_m, ARRAY_LEN(net_VirtualNetworkPeeringPropertiesFormat_m) };
static const struct body_member net_VirtualNetworkPeering_m[] = {
	{ .name = "etag", .type = M_STRING, .read_only = true },
	{ .name = "id", .type = M_STRING },
	{ .name = "name", .type = M_STRING },
	{ .name = "properties", .type = M_OBJECT, .sub = &net_VirtualNetworkPeeringPropertiesFormat },
	{ .name = "type", .type = M_STRING, .read_only = true },
};
static const struct body_shape net_VirtualNetworkPeering = { net_VirtualNetworkPeering_m, ARRAY_LEN(net_VirtualNetworkPeering_m) };
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
static const struct body_shape net_VirtualNetworkPropertiesFormat = { net_VirtualNetworkPropertiesFormat_m, ARRAY_LEN(net_VirtualNetworkPropertiesFormat_m) };
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
static const struct body_shape net_VirtualNetwork = { net_VirtualNetwork_m, ARRAY_LEN(net_VirtualNetwork_m) };

const struct body_shape *const body_shapes[BODY__MAX] = {
	[BODY_CLUSTER] = &aks_ManagedCluster,
	[BODY_POOL] = &aks_AgentPool,
	[BODY_TAGS] = &aks_TagsObject,
	[BODY_VNET] = &net_VirtualNetwork,
	[BODY_SUBNET] = &net_Subnet,
};
/* clang-format on */
