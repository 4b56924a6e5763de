import type { HttpBindings } from '@hono/node-server'
import type { Session } from '../accounts/session.ts'

/** What travels with a request through the host's middleware. */
export type HttpEnv = {
  Bindings: Partial<HttpBindings>
  Variables: { requestId: string; session: Session | null; clientAddress: string }
}
