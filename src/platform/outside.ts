import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type DeliveryFault, httpsPorts } from '../agencies/rules/integrations.ts'
import {
  ask,
  ExternalFailure,
  type ExternalSystem,
  externalSystems,
  failureKindOf,
  NotAsked,
  noteFailure,
  type OutsideMessage,
} from './external.ts'

/**
 * Asks an address that a person, an agency or a browser chose, as `ask` does. It sends nothing into a private network:
 * only by https to the known ports of public addresses, unless `allowPrivate`.
 */
export async function askOutside(system: ExternalSystem, message: OutsideMessage, allowPrivate: boolean) {
  if (allowPrivate) return ask(system, message)
  const target = new URL(message.url)
  if (target.protocol !== 'https:' || !httpsPorts.includes(target.port)) throw new PrivateAddress()
  refusePrivate(target)
  return ask(system, { ...message, lookup: publicLookup })
}

const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']

/** Why an address chosen by a person gave no answer. */
export function outsideFault(error: unknown): DeliveryFault {
  if (!(error instanceof ExternalFailure)) return error instanceof PrivateAddress ? 'private' : 'broken'
  if (error.kind === 'timeout') return 'timeout'
  const { code = '' } = error.cause as NodeJS.ErrnoException
  if (code === unknownHost || code === 'ENOTFOUND') return 'unknown_host'
  if (/CERT|SIGNATURE|ISSUER|EPROTO|SSL/.test(code)) return 'certificate'
  return unreachable.includes(code) ? 'unreachable' : 'broken'
}

/** Of IPv6 only this is given out: everything else lies outside the public network. */
const allocated = ipaddr.parseCIDR('2000::/3')

/** Whether an IP address is on the public network (IANA's registries of special addresses); false for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(allocated))
}

/** A name, or an address, that leads into a private network. */
class PrivateAddress extends NotAsked {}

/** The code of a name that leads nowhere. */
const unknownHost = 'UNKNOWN_HOST'

/**
 * Asks name servers only: not this machine's own table of names, and none of the four threads that the system's way of
 * asking would hold as long as a server does not answer.
 */
export const resolver = new Resolver({
  timeout: externalSystems.names.answer,
  tries: externalSystems.names.tries,
})

/**
 * Finds out where a name leads, for the connection that is being made: what was looked at is what is connected to, so a
 * name can't lead elsewhere a moment later. One private address among public ones is enough to refuse.
 */
export const publicLookup: LookupFunction = (name, options, done) =>
  void addressesOf(name).then(
    (found) => (options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)),
    (error: Error) => done(error, []),
  )

async function addressesOf(name: string) {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  for (const answer of [four, six])
    if (answer.status === 'rejected' && failureKindOf(answer.reason) === 'timeout')
      noteFailure('names', 'timeout')
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length === 0) throw Object.assign(new Error('the name leads nowhere'), { code: unknownHost })
  if (!found.every(({ address }) => isPublicAddress(address))) throw new PrivateAddress()
  return found
}

/** Names that are given out inside a home or a machine only (RFC 6761, RFC 6762, RFC 8375), and those without a dot. */
const insideNames =
  /^[^.]*$|\.(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa)$/

/** Throws for an address that stands in the URL itself, which is connected to without being looked up, and for an inside name. */
function refusePrivate({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) === 0 ? insideNames.test(host) : !isPublicAddress(host)) throw new PrivateAddress()
}

/** Whether an address is, or leads to, one of a private network; false where its name leads nowhere yet. */
export async function leadsInside(url: URL): Promise<boolean> {
  try {
    refusePrivate(url)
    if (isIP(url.hostname) === 0 && !url.hostname.startsWith('[')) await addressesOf(url.hostname)
    return false
  } catch (error) {
    return error instanceof PrivateAddress
  }
}
