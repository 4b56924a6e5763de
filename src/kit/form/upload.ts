import { randomId } from '../../ui/random-id.ts'

/** Bodies that were begun: a next try asks first how much of them has arrived. */
const begun = new Set<string>()

/** Milliseconds to answer how much has arrived. */
const patience = 30_000

/**
 * What is left to send of a body, and the headers that say so (platform/storage/broken-uploads.ts). Throws where the
 * server can't be asked.
 */
export async function restOf(id: string, whole: Blob, signal = AbortSignal.timeout(patience)) {
  const from = begun.has(id) ? await arrived(id, signal) : 0
  begun.add(id)
  return {
    from,
    body: whole.slice(from, whole.size, whole.type),
    headers: { 'x-body': id, 'x-body-from': String(from) },
  }
}

async function arrived(id: string, signal: AbortSignal): Promise<number> {
  const answer = await fetch(`/files/received/${id}`, { signal, headers: { 'x-body': id } })
  if (answer.status >= 500) throw new Error('not now')
  // Signed out meanwhile: the body's own answer says so.
  return answer.ok ? Number(await answer.text()) : 0
}

/** Encodes a form once: each call of the result makes a request of what is left to send. */
export async function inParts(form: FormData): Promise<(signal: AbortSignal) => Promise<RequestInit>> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const whole = await encoded.blob()
  const id = randomId()
  return async (signal) => {
    const { body, headers } = await restOf(id, whole, signal)
    return { body, headers: { ...headers, 'content-type': type } }
  }
}
