import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import type { Actor } from '../../../domain/access/actor.ts'
import {
  needsSecondFactor,
  opensWithoutSecondFactor,
  secondFactorPath,
} from '../../../domain/access/routes.ts'
import type { Env } from '../../app/env.ts'
import type { HttpEnv } from './types.ts'

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

/** Whether a person has to turn on the second factor before anything else is open to them (REQUIRE_2FA). */
export const isSecondFactorMissing = (
  { REQUIRE_2FA }: Pick<Env, 'REQUIRE_2FA'>,
  actor: Actor | undefined,
): boolean => REQUIRE_2FA && actor !== undefined && needsSecondFactor(actor)

/** What programs ask, and would not follow anywhere. */
const asked = /^\/(live|onsite|files|v1)(\/|$)/i

/**
 * The only check that a user must first turn on the second factor: until then their session opens only the screen for
 * it. Sockets of calls check `secondFactorMissing` themselves.
 */
export const untilSecondFactor =
  (env: Pick<Env, 'REQUIRE_2FA'>): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const isData = c.req.path.endsWith('.data')
    const path = isData ? c.req.path.slice(0, -'.data'.length) : c.req.path
    if (!isSecondFactorMissing(env, c.get('session')?.actor) || opensWithoutSecondFactor(path)) return next()
    c.header('cache-control', 'no-store')
    if (asked.test(path)) return c.text('Activa tu segundo factor en Mi cuenta para continuar.', 403)
    if (!isData) return c.redirect(secondFactorPath, 302)
    // How a response that the router did not make redirects it.
    c.header('x-remix-redirect', secondFactorPath)
    return c.body(null, 204)
  }

/** The address limits count by: the socket's, or the one that the outermost of so many trusted proxies wrote. What a client writes itself never counts. */
export function clientAddress(c: Context<HttpEnv>, proxies: number): string {
  const told = proxies > 0 ? c.req.header('x-forwarded-for')?.split(',') : undefined
  // Who came past an outer proxy was written down by fewer of them.
  const forwarded = told?.at(-Math.min(proxies, told.length))?.trim()
  return forwarded || c.env?.incoming?.socket.remoteAddress || '127.0.0.1'
}
