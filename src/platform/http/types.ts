import type { HttpBindings } from '@hono/node-server'
import type { Actor } from '../../access/rules/actor.ts'

/**
 * `issuedAt`: when it began or was last renewed; `stale`: it is time to extend it; `unseen`: its last use was recorded
 * a while ago.
 */
export type Session = {
  actor: Actor
  /** The customer's open projects, the one that they chose last first. */
  openProjects: readonly string[]
  sessionId: string
  issuedAt: Date
  endsAt: Date
  stale: boolean
  unseen: boolean
}

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
