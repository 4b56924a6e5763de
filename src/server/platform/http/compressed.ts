import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

// An export may be larger than the memory: it passes as it comes.
const textual = /^(text\/(?!event-stream|csv)|application\/json)/
/** Below this one packet carries it either way. */
const smallest = 1_000
// Half the time of the next two steps, for a page of 50 rows that is 7 % larger.
// A window of 256 kB holds any page; the usual one would take megabytes for each.
const strength = { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 }
const encoders = [
  ['br', (body: Uint8Array) => brotliCompressSync(body, { params: strength })],
  ['gzip', (body: Uint8Array) => gzipSync(body, { level: 3 })],
] as const

/** The body of a whole answer, compressed where that helps and the browser takes it; sets its headers. Others pass as they are. */
export async function compressed(answer: Response, headers: Headers, accepted = '') {
  if (!answer.body || headers.has('content-encoding') || !textual.test(headers.get('content-type') ?? ''))
    return answer.body
  headers.append('vary', 'accept-encoding')
  const body = new Uint8Array(await answer.arrayBuffer())
  const taken = body.length < smallest ? undefined : encoders.find(([name]) => accepts(accepted, name))
  if (!taken) return body
  const [name, encode] = taken
  headers.set('content-encoding', name)
  headers.delete('content-length')
  return new Uint8Array(encode(body))
}

const accepts = (accepted: string, name: string) =>
  accepted.split(',').some((part) => {
    const [coding, ...options] = part
      .toLowerCase()
      .split(';')
      .map((word) => word.trim())
    return coding === name && !options.some((option) => /^q=0(\.0*)?$/.test(option))
  })
