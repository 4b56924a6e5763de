import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { MIMEType } from 'node:util'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { largestFile } from '../../reports/rules/photos.ts'
import { Refusal } from '../../shared/refusal.ts'
import { networkOf } from '../http/network.ts'
import type { HttpEnv } from '../http/types.ts'
import { partOf } from './broken-uploads.ts'
import { turnstile } from './pictures.ts'
import { openPlaces } from './places.ts'
import { receive } from './receive.ts'

const kilobyte = 1024
const megabyte = 1024 * 1024

/** A photo, and the other fields of its form. */
const largestForm = largestFile + megabyte

/** Forms with a photo are parsed in memory, as a whole. */
const mostParsed = 3

/** A photo sent alone is limited during its upload. */
const photo = /^\/onsite\/[^/]+\/files\/[^/]+$/

/** The sheet data that phones send, as JSON. */
const sheet = /^\/onsite\//

/** Screens whose forms upload a photo or a document, their data addresses, and those that redirect to them. */
const screens =
  /^\/(admin\/(appointments-(pending|done)|cotizations\/(detail-quote|cobros)|gesties)\/[^/]+|admin\/agency\/[^/]+(\/comisiones)?|admin\/payments(\/banco)?|admin\/account|admin\/users\/[^/]+|installation|payments|fiscal)(\.data)?$/

/** The builder of quotes sends three options of 72 lines, each in ten fields; the notes of a call are long texts. */
const long = /^\/admin\/(cotizations\/add-quote|appointment-(pending|done)-videocall)\/[^/]+(\.data)?$/

/** The limits of a body: bytes, and fields, since the time to parse a form grows faster than their number. */
type Most = { bytes: number; fields: number }
const usual: Most = { bytes: 64 * kilobyte, fields: 2_000 }
const ofLong: Most = { bytes: 512 * kilobyte, fields: 4_000 }
const ofSheet: Most = { bytes: megabyte, fields: 2_000 }

/** Bodies are limited before anything parses them: 64 kB and 2,000 fields, but for photos and papers, the sheets of phones and the builder of quotes. */
export function bodies(): MiddlewareHandler<HttpEnv> {
  const receiving = openPlaces({ all: 24, each: 4, full: manyFiles })
  const ofNetwork = openPlaces({ all: 24, each: 12, full: manyFiles })
  const inTurn = turnstile(mostParsed)
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    if (c.req.method === 'PUT' && photo.test(c.req.path)) return next()
    const fields = fieldsOf(c.req.header('content-type'))
    const actor = fields?.ofFiles && screens.test(c.req.path) ? c.get('session')?.actor : undefined
    if (c.req.method !== 'POST' || !actor) return inMemory(c, next, fields)
    // Received to disk first: who sends slowly, or nothing, takes no turn from others.
    const part = partOf(actor, c.req.raw.headers)
    const toDisk = (body: Body) => receive(body, largestForm, counting(fields, usual.fields), part)
    const received = () =>
      receiving.within(actor.id, () =>
        actor.emailVerified && !receiving.isShort()
          ? toDisk(c.req.raw.body)
          : atLeastPace(c.req.raw.body, toDisk),
      )
    const network = networkOf(c.get('clientAddress'))
    const { discard, file } = await (actor.emailVerified ? received() : ofNetwork.within(network, received))
    try {
      const body = Readable.toWeb(createReadStream(file)) as ReadableStream
      c.req.raw = new Request(c.req.raw, { body, duplex: 'half' } as RequestInit)
      await inTurn(next, actor.id)
    } finally {
      await discard()
    }
  }
}

const manyFiles =
  'Estamos recibiendo muchos archivos. Intenta otra vez en un minuto; lo que escribiste sigue aquí.'

type Body = Request['body']

/** Milliseconds before a body's pace is looked at, and the bytes of each second that it needs from then on. */
const paceAfterMs = 10_000
const leastPace = 8 * kilobyte

/** Runs with a body that is cut off once it comes too slowly. */
async function atLeastPace<Result>(body: Body, run: (body: Body) => Promise<Result>): Promise<Result> {
  const slow = new AbortController()
  const began = performance.now()
  let bytes = 0
  const timer = setInterval(() => {
    const ms = performance.now() - began
    if (ms > paceAfterMs && (bytes * 1000) / ms < leastPace) slow.abort(new TooSlow())
  }, paceAfterMs / 4)
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, out) {
      bytes += piece.byteLength
      out.enqueue(piece)
    },
  })
  try {
    return await run(body?.pipeThrough(counted, { signal: slow.signal }) ?? null)
  } finally {
    clearInterval(timer)
  }
}

/** Answered with 408, which is not among the store's statuses. */
class TooSlow extends Refusal {
  constructor() {
    super('out-of-range', {
      title: 'Tu conexión está muy lenta',
      description: 'El archivo no terminó de llegar. Intenta otra vez con mejor señal.',
    })
  }
  override get status() {
    return 408
  }
}

/** A body small enough to hold in memory. */
const inMemory = (c: Context<HttpEnv>, next: () => Promise<void>, fields: Fields | null) => {
  const most = mostAt(c)
  const limit = bodyLimit({ maxSize: most.bytes, onError: () => tooLarge(c) })
  return limit(c, async () => {
    if (fields && c.req.raw.body) {
      const body = new Uint8Array(await c.req.raw.arrayBuffer())
      counting(fields, most.fields)(body)
      c.req.raw = new Request(c.req.raw, { body })
    }
    await next()
  })
}

function mostAt(c: Context<HttpEnv>): Most {
  if (!c.get('session')) return usual
  if (long.test(c.req.path)) return ofLong
  return sheet.test(c.req.path) ? ofSheet : usual
}

/** Scripts receive the result format of an operation. */
function tooLarge(c: Context) {
  const error = {
    code: 'out-of-range',
    title: 'El texto es demasiado largo',
    description: 'Lo que escribiste es demasiado largo. Vuelve atrás, acórtalo y envíalo otra vez.',
  }
  return c.req.path.startsWith('/v1/') ? c.json({ ok: false, error }, 413) : c.text(error.description, 413)
}

/** Counts the fields of a form as it arrives, and refuses it once there are too many. */
function counting(fields: Fields | null | undefined, most: number) {
  const countIn = fields?.counter()
  let count = 0
  return (piece: Uint8Array) => {
    count += countIn?.(piece) ?? 0
    if (count > most) throw new TooManyFields()
  }
}

/** How the fields of a form are separated: `counter` creates a counter that reads piece by piece, without parsing. */
type Fields = { ofFiles: boolean; counter: () => (piece: Uint8Array) => number }

/** Answered with 413, which is not among the store's statuses. */
class TooManyFields extends Refusal {
  constructor() {
    super('out-of-range', {
      title: 'La solicitud es demasiado grande',
      description: 'Este formulario trae demasiados campos. Vuelve a abrir la página.',
    })
  }
  override get status() {
    return 413
  }
}

const headEnd = Buffer.from('\r\n\r\n')

/** The longest header of a part, in bytes: its field, and the name of its file. */
const longestHead = 16 * 1024

/** What separates the fields of a body of this type; null for what is no form. */
function fieldsOf(contentType = ''): Fields | null {
  // Of a list of types, parsers take the last or the first. No browser sends one.
  if (contentType.includes(',')) throw new Refusal('invalid-argument')
  const type = typeOf(contentType)
  if (type?.essence === 'application/x-www-form-urlencoded') return { ofFiles: false, counter: ampersands }
  if (type?.essence !== 'multipart/form-data') return null
  const boundary = type.params.get('boundary')
  if (!boundary) throw new Refusal('invalid-argument')
  return { ofFiles: true, counter: () => parts(Buffer.from(`--${boundary}`, 'latin1')) }
}

function typeOf(contentType: string): MIMEType | null {
  try {
    return new MIMEType(contentType)
  } catch {
    return null
  }
}

/** Counts ampersands, piece by piece. */
const ampersands = () => (piece: Uint8Array) =>
  piece.reduce((count, byte) => count + (byte === 0x26 ? 1 : 0), 0)

/** Counts parts by their boundary, piece by piece, and refuses one whose header is longer than any browser writes. */
function parts(boundary: Buffer) {
  let inHead = false
  let headLength = 0
  let tail = Buffer.alloc(0)
  return (piece: Uint8Array) => {
    const bytes = Buffer.concat([tail, piece])
    let at = 0
    let count = 0
    for (;;) {
      const mark = inHead ? headEnd : boundary
      const found = bytes.indexOf(mark, at)
      const until = found < 0 ? Math.max(at, bytes.length - mark.length + 1) : found
      headLength = inHead ? headLength + until - at : 0
      if (headLength > longestHead) throw new TooManyFields()
      at = until
      if (found < 0) break
      if (!inHead) count++
      inHead = !inHead
      at += mark.length
    }
    // A boundary may span two pieces.
    tail = Buffer.from(bytes.subarray(at))
    return count
  }
}
