import { createCipheriv, scrypt as scryptBy, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const scrypt = promisify<string, Buffer, number, object, Buffer>(scryptBy)

/** A Firebase project's parameters, as its console shows them ("Password hash parameters"); keys in Base64. */
export type FirebaseHashing = { signerKey: string; saltSeparator: string; rounds: number; memCost: number }

const mark = 'firebase-scrypt'

/**
 * How a password hashed by Firebase is kept here. Firebase encrypts the project's signer key (AES-256 in counter mode)
 * under what scrypt makes of the password; what is kept is the difference of both, the key stream, which only the same
 * password makes again. So the project's key is kept nowhere.
 */
export function keepFirebase(
  { signerKey, saltSeparator, rounds, memCost }: FirebaseHashing,
  of: Hashed,
): string {
  const [key, hash] = [Buffer.from(signerKey, 'base64'), Buffer.from(of.passwordHash, 'base64')]
  if (hash.length !== key.length || hash.length === 0)
    throw new Error('the hash is not as long as the signer key')
  const stream = hash.map((byte, at) => byte ^ key[at]!)
  const salt = Buffer.concat([Buffer.from(of.salt, 'base64'), Buffer.from(saltSeparator, 'base64')])
  return [mark, rounds, memCost, salt.toString('base64'), Buffer.from(stream).toString('base64')].join('$')
}

type Hashed = { passwordHash: string; salt: string }

/** Whether a kept password came from Firebase, and so is replaced by one of ours once it is typed. */
export const isFirebase = (kept: string) => kept.startsWith(`${mark}$`)

/** Whether somebody typed the password that is kept so. */
export async function matchesFirebase(kept: string, password: string): Promise<boolean> {
  const [, rounds, memCost, salt = '', stream = ''] = kept.split('$')
  const expected = Buffer.from(stream, 'base64')
  const cost = { N: 2 ** Number(memCost), r: Number(rounds), p: 1 }
  const maxmem = 256 * cost.N * cost.r
  const key = await scrypt(password, Buffer.from(salt, 'base64'), 32, { ...cost, maxmem })
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const made = Buffer.concat([cipher.update(Buffer.alloc(expected.length)), cipher.final()])
  return expected.length > 0 && timingSafeEqual(made, expected)
}
