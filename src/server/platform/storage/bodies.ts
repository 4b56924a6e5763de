import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { largestFile } from '../../../domain/reports/photos.ts'
import type { HttpEnv } from '../http/types.ts'
import { type Fields, fieldsOf, TooManyFields } from './fields.ts'
import { manyPhotos, openPlaces } from './places.ts'
import { receive } from './receive.ts'
import { turnstile } from './turnstile.ts'

const [kilobyte, megabyte] = [1024, 1024 * 1024]
/** A photo, and what else its form says. */
const largestForm = largestFile + megabyte
/** Forms with a photo are put together in memory, whole. */
const mostParsed = 3

/** A photo by itself is measured as it is taken in. */
const photo = /^\/onsite\/[^/]+\/files\/[^/]+$/
/** What phones send of a sheet, as JSON. */
const sheet = /^\/onsite\//
/** Screens whose forms carry a photo or a paper, and their data's address. */
const screens =
  /^\/(admin\/(appointments-(pending|done)|cotizations\/(detail-quote|cobros)|agency|gesties)\/[^/]+|admin\/payments|installation|payments|fiscal)(\.data)?$/
/** The builder of quotes sends three options of 72 lines, each in ten fields; the notes of a call are long texts. */
const long = /^\/admin\/(cotizations\/add-quote|appointment-(pending|done)-videocall)\/[^/]+(\.data)?$/

/** What a body may be: bytes, and fields, since the time to parse a form grows faster than their number. */
type Most = { bytes: number; fields: number }
const usual: Most = { bytes: 64 * kilobyte, fields: 2_000 }
const ofLong: Most = { bytes: 512 * kilobyte, fields: 4_000 }
const ofSheet: Most = { bytes: megabyte, fields: 2_000 }

/** Bodies are limited before anything parses them: 64 kB and 2,000 fields, but for photos and papers, the sheets of phones and the builder of quotes. */
export function bodies(): MiddlewareHandler<HttpEnv> {
  const places = openPlaces({ all: 16, each: 2, full: manyPhotos })
  const inTurn = turnstile(mostParsed)
  return async (c, next) => {
    if (c.req.method === 'PUT' && photo.test(c.req.path)) return next()
    const fields = fieldsOf(c.req.header('content-type'))
    const person = fields?.ofFiles && screens.test(c.req.path) ? c.get('session')?.actor.id : undefined
    if (c.req.method !== 'POST' || person === undefined) return inMemory(c, next, fields)
    await places.within(person, async () => {
      // To the disk first: a slow network holds no place among those that are parsed.
      const { discard, file } = await receive(c.req.raw.body, largestForm, counting(fields, usual.fields))
      try {
        const body = Readable.toWeb(createReadStream(file)) as ReadableStream
        c.req.raw = new Request(c.req.raw, { body, duplex: 'half' } as RequestInit)
        await inTurn(next)
      } finally {
        await discard()
      }
    })
  }
}

/** A body small enough to be looked at whole. */
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

/** What scripts ask, they hear as an operation's answer. */
function tooLarge(c: Context) {
  const error = {
    code: 'out-of-range',
    title: 'El texto es demasiado largo',
    description: 'Lo que escribiste es demasiado largo. Vuelve atrás, acórtalo y envíalo otra vez.',
  }
  return c.req.path.startsWith('/v1/') ? c.json({ ok: false, error }, 413) : c.text(error.description, 413)
}

/** Adds up the fields of a form as it comes, and refuses it once they are too many. */
function counting(fields: Fields | null | undefined, most: number) {
  const countIn = fields?.counter()
  let count = 0
  return (piece: Uint8Array) => {
    count += countIn?.(piece) ?? 0
    if (count > most) throw new TooManyFields()
  }
}
