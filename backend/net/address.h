#ifndef BACKEND_NET_ADDRESS_H
#define BACKEND_NET_ADDRESS_H

/*
 * Which addresses a request may reach. URLs come from kubeconfigs, manifests and clouds' answers;
 * after the name is resolved, the address itself is judged, whatever spelling led to it: loopback,
 * link-local, unspecified, multicast, the clouds' metadata services, and IPv6 forms that carry an
 * IPv4 address inside (mapped, compatible, NAT64, 6to4) are refused. Private networks are allowed,
 * because private clusters live there.
 *
 * Threads: pure.
 */

#include <stdbool.h>
#include <sys/socket.h>

/* allow_loopback: practice, and nothing but 127.0.0.0/8 and ::1 is added by it. */
bool address_allowed(const struct sockaddr *sa, socklen_t n, bool allow_loopback);

#endif
