import type { HttpBindings } from '@hono/node-server'
import type { Actor } from '../../../domain/access/actor.ts'
import type { Session } from '../../accounts/session.ts'

/** The variables of a request in the host's middleware. */
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

/** The same of a technician's phone: with its actor. */
export type OnsiteEnv = HttpEnv & { Variables: { actor: Actor } }
