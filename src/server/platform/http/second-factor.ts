import type { MiddlewareHandler } from 'hono'
import type { Actor } from '../../../domain/access/actor.ts'
import {
  needsSecondFactor,
  opensWithoutSecondFactor,
  secondFactorPath,
} from '../../../domain/access/routes.ts'
import type { Env } from '../../app/env.ts'
import type { HttpEnv } from './types.ts'

/** Whether somebody has to turn on the second factor before anything else is open to them (REQUIRE_2FA). */
export const isHeld = ({ REQUIRE_2FA }: Pick<Env, 'REQUIRE_2FA'>, actor: Actor | undefined): boolean =>
  REQUIRE_2FA && actor !== undefined && needsSecondFactor(actor)

/** What programs ask, and would not follow anywhere. */
const asked = /^\/(live|onsite|files|v1)(\/|$)/i

/**
 * The one place that holds whoever has to turn on the second factor: behind their session nothing is open but the screen
 * where they do. Sockets of calls ask `isHeld` themselves.
 */
export const untilSecondFactor =
  (env: Pick<Env, 'REQUIRE_2FA'>): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const isData = c.req.path.endsWith('.data')
    const path = isData ? c.req.path.slice(0, -'.data'.length) : c.req.path
    if (!isHeld(env, c.get('session')?.actor) || opensWithoutSecondFactor(path)) return next()
    c.header('cache-control', 'no-store')
    if (asked.test(path)) return c.text('Activa tu segundo factor en Mi cuenta para continuar.', 403)
    if (!isData) return c.redirect(secondFactorPath, 302)
    // How the router of our pages is told to go elsewhere by an answer that it did not make.
    c.header('x-remix-redirect', secondFactorPath)
    return c.body(null, 204)
  }
