import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** A name, or an address, that leads into a private network. */
export class PrivateAddress extends Error {}
/** A name that leads nowhere. */
export class UnknownHost extends Error {}

/**
 * Asks name servers only: not this machine's own table of names, and none of the four threads that the system's way of
 * asking would hold as long as a server does not answer.
 */
export const resolver = new Resolver({ timeout: 2_000, tries: 2 })

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
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length === 0) throw new UnknownHost()
  if (!found.every(({ address }) => isPublicAddress(address))) throw new PrivateAddress()
  return found
}

/** Throws for an address that stands in the URL itself: it is connected to without being looked up. */
export function refusePrivate({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress()
}
