import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { fixture, post } from '../kit/open.ts'
import type { Answer, Visitor } from '../kit/visitor.ts'

type Asked = { challenge: string }
/** What differs from a right answer. */
type Odd = { origin?: string; rpId?: string; isVerified?: boolean; counter?: number } & Statement
/** Of its maker. */
type Statement = { fmt?: string; isCertified?: boolean }

const ours = 'http://carga.test'
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** A maker's certificate, whose list of revoked ones is at http://169.254.169.254/. */
const certificate =
  'MIIBXTCCAQOgAwIBAgIUacu0xgrf/KPUb31kWwt7CsF2OxUwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEZGVtbzAeFw0yNjExMzAwNDA3MTFaFw00NjExMjUwNDA3MTFaMA8xDTALBgNVBAMMBGRlbW8wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARBifCq6W5hWXtgDOV1/0ZUG7vgAmcDhKLVBpg8fmbjrvvuZd7L2PcPR34yqZXHCjxjS7ijdSnxoahBC6BXoTw9oz0wOzAPBgNVHRMBAf8EBTADAQH/MCgGA1UdHwQhMB8wHaAboBmGF2h0dHA6Ly8xNjkuMjU0LjE2OS4yNTQvMAoGCCqGSM49BAMCA0gAMEUCIE/JVnQUtk4yTYdRX/H8T3SCuFWUnRh81EmhqwSYrgDGAiEAyydtkTR08HovUNy7ztI4Cin5lLFd8ace5VS9uvkUN48='

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
      const point = ['a5010203262001215820', x, '225820', y].map((part, n) =>
        Buffer.from(part, n % 2 ? 'base64url' : 'hex'),
      )
      const bytes = dataOf(odd, Buffer.concat([Buffer.alloc(16), Buffer.from([0, 16]), keyId, ...point]))
      const clientDataJSON = clientOf('webauthn.create', asked, odd)
      const signed = sha256(clientDataJSON)
      const fmt = odd.fmt ?? 'none'
      const statement = new Map<string, Buffer | Buffer[] | number>()
      if (fmt !== 'none')
        statement.set('alg', -7).set('sig', sign('sha256', Buffer.concat([bytes, signed]), privateKey))
      if (odd.isCertified) statement.set('x5c', [Buffer.from(certificate, 'base64')])
      const made = { fmt, attStmt: statement, authData: bytes }
      const attestationObject = Buffer.from(isoCBOR.encode(new Map(Object.entries(made))))
      return credential({ clientDataJSON, attestationObject })
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
  const answer = await fixture.send(`/v1/session/${name}`, as, request)
  return { ...answer, result: JSON.parse(answer.text) }
}

/** The challenge that a browser is given to sign in. */
export const challengeFor = async (as: Visitor): Promise<Asked> =>
  (await operate('ask-for-passkey', {}, as)).result.value

export const sendPasskey = (credential: object, as: Visitor) =>
  operate('sign-in-by-passkey', { credential: JSON.stringify(credential) }, as)

/** Signs in by a passkey. */
export const enterBy = async (key: Authenticator, as: Visitor = fixture.visitor()) =>
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
