import type { HttpBindings } from '@hono/node-server'
import type { Actor } from '../../../domain/access/actor.ts'
import type { Session } from '../../accounts/session.ts'

/** What travels with a request through the host's middleware. */
export type HttpEnv = {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** The pattern of the screen that answered; empty where none did. */
    route: string
    session: Session | null
    clientAddress: string
  }
}

/** What a request from the work on site carries besides: who sends it. */
export type OnsiteEnv = HttpEnv & { Variables: { actor: Actor } }
