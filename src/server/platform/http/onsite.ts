import { Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Actor } from '../../../domain/access/actor.ts'
import { Refusal, refusals } from '../../../domain/shared/refusal.ts'
import { log } from '../../app/log.ts'
import { databaseRefusal } from '../database/faults.ts'
import type { HttpEnv } from './types.ts'

/** What a request from the work on site carries besides: who sends it. */
export type OnsiteEnv = HttpEnv & { Variables: { actor: Actor } }

/**
 * What a technician's phone sends by itself, whenever it has a network: JSON answers, and of every refusal its code and
 * its words. `parts` bring the addresses below /onsite.
 */
export function onsite(...parts: readonly Hono<OnsiteEnv>[]): Hono<OnsiteEnv> {
  const app = new Hono<OnsiteEnv>()
  app.use(forWhomItWasMade)
  for (const part of parts) app.route('/', part)
  app.all('*', () => {
    throw new Refusal('not-found')
  })
  app.onError((error, c) => {
    // The phone lost its network in the middle, and sends it again.
    if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
    const refusal = error instanceof Refusal ? error : (databaseRefusal(error) ?? new Refusal('internal'))
    if (refusal.code === 'internal')
      log.error({ err: error, req: c.get('requestId') }, 'the work on site failed')
    if (refusal.status === 503) c.header('retry-after', '2')
    const { code, title, description, details } = refusal
    return c.json({ code, title, description, details }, refusal.status as ContentfulStatusCode)
  })
  return app
}

const otherPerson = {
  code: 'other-person',
  title: 'Esto es de otra persona',
  description:
    'Se guardó en este teléfono con otra cuenta. Se enviará cuando esa persona inicie sesión aquí.',
}

/** What waited in a phone is its writer's: sent while somebody else is signed in there, it is nobody's. */
const forWhomItWasMade: MiddlewareHandler<OnsiteEnv> = async (c, next) => {
  c.header('cache-control', 'no-store')
  const actor = c.get('session')?.actor
  if (!actor) throw new Refusal('unauthenticated')
  if (c.req.header('x-person') !== actor.id) return c.json(otherPerson, 403)
  if (actor.kind !== 'tecnician') throw new Refusal('permission-denied')
  c.set('actor', actor)
  await next()
}
