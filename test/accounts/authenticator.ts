import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { post, world } from '../kit/open.ts'
import type { Answer, Visitor } from '../kit/visitor.ts'

type Asked = { challenge: string }
type Wish = { origin?: string; rpId?: string; isVerified?: boolean; counter?: number }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const isText = (text: string) => text.startsWith('{') || text.startsWith('[')

/** A device with one passkey of P-256: what a browser would send of it (WebAuthn Level 3, §6 and §7). */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let uses = 0
  const data = ({ rpId = 'carga.test', isVerified = true, counter = ++uses }: Wish, attested?: Buffer) => {
    const head = Buffer.alloc(5)
    // User present, user verified, with a new key.
    head[0] = 1 | (isVerified ? 4 : 0) | (attested ? 64 : 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)])
  }
  const said = (type: string, { challenge }: Asked, { origin = 'http://carga.test' }: Wish) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const told = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  })
  return {
    id: id.toString('base64url'),
    makes(asked: Asked, wish: Wish = {}) {
      // COSE: EC2, ES256, P-256, x, y.
      const key = Buffer.from(`a50102032620012158${'20'}`, 'hex')
      const [first, second] = [x, y].map((part) => Buffer.from(part!, 'base64url'))
      const cose = Buffer.concat([key, first!, Buffer.from('225820', 'hex'), second!])
      const bytes = data(wish, Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]))
      // CBOR: { fmt: 'none', attStmt: {}, authData: bytes }.
      const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex')
      return told({
        clientDataJSON: said('webauthn.create', asked, wish),
        attestationObject: Buffer.concat([head, Buffer.from([bytes.length]), bytes]),
      })
    },
    answers(asked: Asked, wish: Wish = {}) {
      const [clientDataJSON, authenticatorData] = [said('webauthn.get', asked, wish), data(wish)]
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return told({ clientDataJSON, authenticatorData, signature })
    },
  }
}

export type Authenticator = ReturnType<typeof newAuthenticator>

/** An operation of passkeys, as a page asks for it; its answer's value or error. */
async function operate(name: string, fields: object, as: Visitor) {
  const headers = { 'content-type': 'application/json', origin: 'http://carga.test' }
  const answer = await world.send(`/v1/session/${name}`, as, {
    method: 'POST',
    body: JSON.stringify(fields),
    headers,
  })
  if (!isText(answer.text)) throw new Error(answer.text)
  return { ...answer, said: JSON.parse(answer.text) }
}

/** The challenge that a browser is given to sign in. */
export const challengeFor = async (as: Visitor): Promise<Asked> =>
  (await operate('ask-for-passkey', {}, as)).said.value

export const sendPasskey = (credential: object, as: Visitor) =>
  operate('sign-in-by-passkey', { credential: JSON.stringify(credential) }, as)

/** Signs in by a passkey. */
export const enterBy = async (key: Authenticator, as: Visitor = world.visitor(), wish?: Wish) =>
  sendPasskey(key.answers(await challengeFor(as), wish), as)

type Fields = Record<string, string>

/** Begins to add a passkey, by the account page's form. */
export const startAdding = (as: Visitor, fields: Fields, path: string): Promise<Answer> =>
  post(`${path}.data`, { intent: 'passkey-start', ...fields }, as)

/** What the browser then has to make. */
export const toMakeOf = ({ value }: Answer) => (value as { data: { toMake: Asked } }).data.toMake

/** Adds a passkey; answers the last form's answer. */
export async function addKey(key: Authenticator, as: Visitor, fields: Fields, path: string, wish?: Wish) {
  const asked = toMakeOf(await startAdding(as, fields, path))
  return post(path, { intent: 'passkey-add', credential: JSON.stringify(key.makes(asked, wish)) }, as)
}
