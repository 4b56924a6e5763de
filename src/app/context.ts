import { createContext } from 'react-router'
import type { Viewer } from '../access/rules/actor.ts'
import type { Modules } from '../access/rules/routes.ts'
import type { OperationCaller } from '../accounts/auth.ts'
import type { Provider } from '../accounts/provider.ts'
import type { Source } from '../appointments/calendar.ts'
import type { Cards } from '../integrations/stripe/checkout-result.ts'
import type { Webhooks } from '../integrations/webhooks/send.ts'
import type { Db } from '../platform/database/client.ts'
import type { Streams } from '../platform/live/streams.ts'
import type { Drive } from '../platform/storage/drive.ts'
import type { Unseal } from '../privacy/blocked-accounts.ts'
import type { CalendarReader } from '../users/read-calendars.ts'
import type { Env, Site } from './env.ts'

/** What every loader and action has of a request; `screensHandler` fills it. */
export type ScreenRequest = {
  readonly db: Db
  /**
   * Chooses, once for a request, where it reads the office's lists, figures and exports: at a replica that holds all that
   * they must show, or at the primary. What does not ask for it reads from the primary.
   */
  readonly lists: () => Promise<Db>
  /** The storage of photos. */
  readonly drive: Drive
  /** Null when signed out. For a customer, the layout adds the project that the page is about. */
  actor: Viewer
  /** The moment at which it is read. */
  readonly now: Date
  /** The open projects of a customer, the one that they chose last first. */
  readonly openProjects: readonly string[]
  /** Null when signed out. */
  readonly session: { id: string; endsAt: Date } | null
  /** Whether the user must turn on the second factor before anything else (REQUIRE_2FA): only its own screen answers then. */
  readonly secondFactorMissing: boolean
  /** The parts of the product that are switched on (MODULES). */
  readonly modules: Modules
  /** The nonce of the Content-Security-Policy; empty in development, where no policy is sent. */
  readonly nonce: string
  readonly site: Site
  /** The sign-in provider; null where none is set. */
  readonly provider: Provider | null
  /**
   * The path of this origin that receives sign-ins (AUTH_SYNC_PATH), and what creates the token sent there; null where
   * none is set.
   */
  readonly syncPath: string | null
  readonly newIdToken: (() => string | null) | null
  /** The caller of a sign-in operation. */
  readonly caller: OperationCaller
  /** Shown with unexpected errors so that a user can quote it. */
  readonly requestId: string
  /** The brand and address of the product's calendars. */
  readonly calendarSource: Source
  /** The folder of letters that the development page shows; null where there is no such page. */
  readonly outbox: string | null
  /** Moves all that is open in the demo one day back, and returns in Spanish what moved; null outside a demo of this machine. */
  readonly advanceDay: Deps['advanceDay']
  /** How cards are charged; null where none are. */
  readonly cards: Cards | null
  /** The street map that is laid under the board's own; null where none is set. */
  readonly tiles: Env['tiles']
  /** Where road times are asked; null where none is set. */
  readonly routing: string | null
  /** The sender of notifications to agencies' own systems. */
  readonly webhooks: Webhooks
  /** What seals the addresses of staff's own calendars. */
  readonly calendars: CalendarReader
  /** By which browsers know the sender of their notices. */
  readonly pushKey: string
  /** Opens what was sealed of a blocked account. */
  readonly unsealBlocked: Unseal
  /** What the answering found out, for the response around it. */
  readonly outcome: {
    /** The pattern of the requested screen, such as `/admin/users/:id`; empty where there is none. */
    route: string
    /** The status of a failed answer: an internal error, or a database that could not be reached. */
    fault: number
    /** A rendered page and the response made of it, so that sending it reads no body again; null where no page was rendered. */
    document: { answer: Response; html: string } | null
  }
}

export const screenRequest = createContext<ScreenRequest>()

/**
 * The services of the application, opened once at the start. `assets` is the folder of built files, relative to the
 * process's working folder.
 */
export type Deps = {
  db: Db
  drive: Drive
  env: Env
  secret: string
  site: Site
  streams: Streams
  advanceDay: (() => Promise<string>) | null
  assets: string
}
