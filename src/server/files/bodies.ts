import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { largestFile } from '../../domain/photo-slots.ts'
import type { HttpEnv } from '../http/types.ts'
import { openPlaces } from './places.ts'
import { receive } from './receive.ts'
import { turnstile } from './turnstile.ts'

const megabyte = 1024 * 1024
/** A photo, and what else its form says. */
const largestForm = largestFile + megabyte
/** Forms with a photo are put together in memory, whole. */
const mostParsed = 3

/** A photo by itself is measured as it is taken in. */
const photo = /^\/onsite\/[^/]+\/files\/[^/]+$/
/** Screens whose forms carry a photo or a paper, and their data's address. */
const screens =
  /^\/(admin\/(appointments-(pending|done)|cotizations\/(detail-quote|cobros)|agency|gesties)\/[^/]+|admin\/payments|installation|payments|fiscal)(\.data)?$/

/** No body is larger than one megabyte, but photos and the forms that carry one, or a paper. */
export function bodies(): MiddlewareHandler<HttpEnv> {
  const usual = bodyLimit({
    maxSize: megabyte,
    onError: (c) => c.text('La solicitud es demasiado grande.', 413),
  })
  const places = openPlaces({ all: 16, each: 2 })
  const inTurn = turnstile(mostParsed)
  return async (c, next) => {
    if (c.req.method === 'PUT' && photo.test(c.req.path)) return next()
    const person = carriesPhoto(c) ? c.get('session')?.actor.id : undefined
    if (person === undefined) return usual(c, next)
    await places.within(person, async () => {
      // To the disk first: a slow network holds no place among those that are parsed.
      const { discard, file } = await receive(c.req.raw.body, largestForm)
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

const carriesPhoto = ({ req }: Context) =>
  req.method === 'POST' &&
  screens.test(req.path) &&
  /^multipart\/form-data\b/i.test(req.header('content-type') ?? '')
