import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Of IPv6 only this is given out: everything else lies outside the public network. */
const allocated = ipaddr.parseCIDR('2000::/3')

/** Whether an IP address is on the public network (IANA's registries of special addresses); false for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(allocated))
}
