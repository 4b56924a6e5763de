import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { post, world } from '../kit/open.ts'
import type { Answer, Visitor } from '../kit/visitor.ts'

type Asked = { challenge: string }
/** What differs from a right answer. */
type Odd = {
  origin?: string
  rpId?: string
  isVerified?: boolean
  counter?: number
  /** The statement of its maker, and whether it has a certificate. */
  fmt?: 'none' | 'packed' | 'android-key'
  isCertified?: boolean
}

const ours = 'http://carga.test'
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const hex = (text: string) => Buffer.from(text, 'hex')

const der = (tag: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const { length } = body
  return Buffer.concat([
    Buffer.from(length < 128 ? [tag, length] : [tag, 130, length >> 8, length & 255]),
    body,
  ])
}
const seq = (...parts: Buffer[]) => der(0x30, ...parts)

/** A certificate of android-key for a key and what it signs, whose list of revoked ones is elsewhere. */
function certificateOf(spki: Buffer, signed: Buffer) {
  const extension = (oid: string, value: Buffer) => seq(hex(oid), der(4, value))
  const origin = [hex('0201030a01010201040a0101'), der(4, signed), der(4), seq(), seq()]
  const address = der(0x86, Buffer.from('http://169.254.169.254/'))
  const extensions = seq(
    extension('060a2b06010401d679020111', seq(...origin)),
    extension('0603551d1f', seq(seq(der(0xa0, der(0xa0, address))))),
  )
  const ecdsa = seq(hex('06082a8648ce3d040302'))
  const [from, until] = ['200101000000Z', '400101000000Z'].map((time) => der(0x17, Buffer.from(time)))
  const head = [der(0xa0, hex('020102')), hex('020101'), ecdsa, seq(), seq(from!, until!), seq()]
  const signature = der(3, hex('00'), seq(hex('020101'), hex('020101')))
  return seq(seq(...head, spki, der(0xa3, extensions)), ecdsa, signature)
}

/** A device with one passkey of P-256: what a browser would send of it (WebAuthn Level 3, §6 and §7). */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const keyId = randomBytes(16)
  const id = keyId.toString('base64url')
  let uses = 0
  const dataOf = (
    { rpId = 'carga.test', isVerified = true, counter = ++uses }: Odd,
    made = Buffer.alloc(0),
  ) => {
    const head = Buffer.alloc(5)
    // User present, user verified, with a new key.
    head[0] = 1 | (isVerified ? 4 : 0) | (made.length > 0 ? 64 : 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, made])
  }
  const clientOf = (type: string, { challenge }: Asked, { origin = ours }: Odd) =>
    Buffer.from(JSON.stringify({ type, challenge, origin }))
  const credential = (parts: Record<string, Buffer>) => {
    const texts = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64url')])
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(texts),
    }
  }
  return {
    makes(asked: Asked, odd: Odd = {}) {
      // In COSE: EC2, ES256, P-256, x, y.
      const key = [
        hex('a5010203262001215820'),
        Buffer.from(x, 'base64url'),
        hex('225820'),
        Buffer.from(y, 'base64url'),
      ]
      const bytes = dataOf(odd, Buffer.concat([Buffer.alloc(16), Buffer.from([0, 16]), keyId, ...key]))
      const clientDataJSON = clientOf('webauthn.create', asked, odd)
      const { fmt = 'none', isCertified = false } = odd
      const statement = new Map<string, Buffer | Buffer[] | number>()
      const digest = sha256(clientDataJSON)
      if (fmt !== 'none') {
        statement.set('alg', -7).set('sig', sign('sha256', Buffer.concat([bytes, digest]), privateKey))
        const spki = publicKey.export({ type: 'spki', format: 'der' })
        if (isCertified) statement.set('x5c', [certificateOf(spki, digest)])
      }
      const parts = new Map<string, typeof fmt | typeof statement | Buffer>([
        ['fmt', fmt],
        ['attStmt', statement],
        ['authData', bytes],
      ])
      return credential({ clientDataJSON, attestationObject: Buffer.from(isoCBOR.encode(parts)) })
    },
    answers(asked: Asked, odd: Odd = {}) {
      const clientDataJSON = clientOf('webauthn.get', asked, odd)
      const authenticatorData = dataOf(odd)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return credential({ clientDataJSON, authenticatorData, signature: sign('sha256', signed, privateKey) })
    },
  }
}

export type Authenticator = ReturnType<typeof newAuthenticator>

/** An operation of passkeys, as a page asks for it. */
async function operate(name: string, fields: object, as: Visitor) {
  const headers = { 'content-type': 'application/json', origin: ours }
  const request = { method: 'POST', body: JSON.stringify(fields), headers }
  const answer = await world.send(`/v1/session/${name}`, as, request)
  return { ...answer, result: JSON.parse(answer.text) }
}

/** The challenge that a browser is given to sign in. */
export const challengeFor = async (as: Visitor): Promise<Asked> =>
  (await operate('ask-for-passkey', {}, as)).result.value

export const sendPasskey = (credential: object, as: Visitor) =>
  operate('sign-in-by-passkey', { credential: JSON.stringify(credential) }, as)

/** Signs in by a passkey. */
export const enterBy = async (key: Authenticator, as: Visitor = world.visitor()) =>
  sendPasskey(key.answers(await challengeFor(as)), as)

type Fields = Record<string, string>

/** Begins to add a passkey, by the account page's form. */
export const startAdding = (as: Visitor, fields: Fields, path: string): Promise<Answer> =>
  post(`${path}.data`, { intent: 'passkey-start', ...fields }, as)

/** What the browser then has to make. */
export const toMakeOf = ({ value }: Answer) => (value as { data: { toMake: Asked } }).data.toMake

/** Adds a passkey; answers the last form's answer. */
export async function addKey(key: Authenticator, as: Visitor, fields: Fields, path: string, odd?: Odd) {
  const made = key.makes(toMakeOf(await startAdding(as, fields, path)), odd)
  return post(path, { intent: 'passkey-add', credential: JSON.stringify(made) }, as)
}
