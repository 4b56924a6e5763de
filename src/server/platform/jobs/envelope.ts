import { seal, sealingKey, unseal } from '../../accounts/seal.ts'
import { currentCause } from '../telemetry/cause.ts'
import { type Carrier, carrier } from '../telemetry/spans.ts'

/** What travels with a job beside its data: the request that left it, the trace that goes on with it, and what nobody may read. */
type Envelope = { cause?: { request?: string } & Carrier; secrets?: string }

/** What opens something for whoever reads it: a letter's code, the token of a link. */
const isSecret = (name: string) => name === 'code' || name === 'token'

let key: Buffer | undefined

/** Jobs stay in the database when they have ended, or failed for good: from now on their secrets are sealed there. */
export function sealJobsWith(secret: string): void {
  key = sealingKey(secret, 'jobs')
}

/** A job's data as they are kept. What the clock asks for comes from nobody, and has nothing added. */
export function sealed<Data extends object>(data: Data): object {
  const fields = Object.entries(data)
  const secrets = fields.filter(([name, value]) => isSecret(name) && value !== undefined)
  const { request } = currentCause()
  const cause = { ...(request && { request }), ...carrier() }
  if (secrets.length === 0 && Object.keys(cause).length === 0) return data
  return {
    ...Object.fromEntries(fields.filter(([name]) => !isSecret(name))),
    ...(secrets.length > 0 && { secrets: seal(theKey(), JSON.stringify(Object.fromEntries(secrets))) }),
    ...(Object.keys(cause).length > 0 && { cause }),
  }
}

/** The data of a job as its handler knows them, and what came with them. Secrets sealed with another key are not there. */
export function opened<Data extends object>(
  kept: Data,
): {
  data: Data
  request: string | undefined
  carried: Carrier | undefined
} {
  const { cause, secrets, ...data } = kept as Data & Envelope
  const { request, ...carried } = cause ?? {}
  const found: object = JSON.parse((secrets && unseal(theKey(), secrets)) || '{}')
  return {
    data: { ...data, ...found } as unknown as Data,
    request,
    carried: carried.traceparent ? carried : undefined,
  }
}

function theKey(): Buffer {
  if (!key) throw new Error('jobs were given no key for their secrets')
  return key
}
