import { randomId } from '../ui/form.tsx'

/** Bodies that were begun: a next try asks first how much of them has arrived. */
const begun = new Set<string>()

/** What is left to send of a body, and the headers that say so (server/platform/storage/broken-uploads.ts). */
export async function restOf(id: string, whole: Blob) {
  const from = begun.has(id) ? await arrived(id) : 0
  begun.add(id)
  return {
    from,
    body: whole.slice(from, whole.size, whole.type),
    headers: { 'x-body': id, 'x-body-from': String(from) },
  }
}

async function arrived(id: string): Promise<number> {
  const answer = await fetch(`/files/received/${id}`).catch(() => null)
  return answer?.ok ? Number(await answer.text()) : 0
}

/** Encodes a form once: each call of the result makes a request of what is left to send. */
export async function inParts(form: FormData): Promise<() => Promise<RequestInit>> {
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const whole = await encoded.blob()
  const id = randomId()
  return async () => {
    const { body, headers } = await restOf(id, whole)
    return { body, headers: { ...headers, 'content-type': type } }
  }
}
