import type { HttpBindings } from '@hono/node-server'
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
