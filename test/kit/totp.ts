import { createHmac } from 'node:crypto'
import { base32 } from '@better-auth/utils/base32'

/** The code an authenticator shows for a secret in base 32, `steps` of thirty seconds from now. */
export function codeOf(secret: string, steps = 0, now = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000) + steps))
  const digest = createHmac('sha1', base32.decode(secret)).update(counter).digest()
  return String((digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
