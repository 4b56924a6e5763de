import { isIPv6 } from 'node:net'

/**
 * The network that an address counts as: a holder of an IPv6 address has at least 2^64, all with the same first half.
 * An IPv4 address in IPv6 form counts as itself.
 */
export const networkOf = (address: string): string => within(address, 64)

/** The same, where having many of those costs nothing: a provider gives each of its customers up to 65,536 of them. */
export const widerNetworkOf = (address: string): string => within(address, 48)

function within(address: string, bits: 48 | 64): string {
  const plain = address.split('%')[0]!.toLowerCase()
  if (!isIPv6(plain)) return address
  const four = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (four) return four
  const [before = '', after] = plain.split('::')
  const left = before.split(':').filter(Boolean)
  const right = (after ?? '').split(':').filter(Boolean)
  const gap = after === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const all = [...left, ...Array<string>(gap).fill('0'), ...right]
  return `${all
    .slice(0, bits / 16)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}::/${bits}`
}
