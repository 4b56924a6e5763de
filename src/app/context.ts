import { createContext } from 'react-router'
import type { Viewer } from '../access/rules/actor.ts'
import { type Modules, noModules } from '../access/rules/routes.ts'
import type { OperationCaller } from '../accounts/auth.ts'
import type { Provider } from '../accounts/provider.ts'
import type { Source } from '../appointments/calendar.ts'
import type { Cards } from '../integrations/stripe/checkout-result.ts'
import type { Webhooks } from '../integrations/webhooks/send.ts'
import type { Db } from '../platform/database/client.ts'
import type { Streams } from '../platform/live/streams.ts'
import type { Drive } from '../platform/storage/drive.ts'
import type { Unseal } from '../privacy/blocked-accounts.ts'
import type { Env, Site } from './env.ts'

/** What a request carries to every loader and action. */
export const db = createContext<Db>()

/**
 * Chooses, once for a request, where it reads the office's lists, figures and exports: at a replica that holds all that
 * they must show, or at the primary. What does not ask for it reads from the primary.
 */
export const listsDb = createContext<() => Promise<Db>>()

/** The storage of photos. */
export const drive = createContext<Drive>()
export const actor = createContext<Viewer>(null)

/** The open projects of a customer, the one that they chose last first. */
export const openProjects = createContext<readonly string[]>([])

/** The session of the request; null when signed out. */
export const currentSession = createContext<{ id: string; endsAt: Date } | null>(null)

/**
 * Whether the user must turn on the second factor before anything else (REQUIRE_2FA): only its own screen answers then.
 */
export const secondFactorMissing = createContext(false)

/** The parts of the product that are switched on (MODULES). */
export const enabledModules = createContext<Modules>(noModules)

/** The nonce of the Content-Security-Policy; empty in development, where no policy is sent. */
export const nonce = createContext('')
export const site = createContext<Site>()

/** The sign-in provider; null where none is set. */
export const provider = createContext<Provider | null>(null)

/**
 * The path of this origin that receives sign-ins (AUTH_SYNC_PATH), and what creates the token sent there; null where
 * none is set.
 */
export const syncPath = createContext<string | null>(null)
export const newIdToken = createContext<(() => string | null) | null>(null)

/** The caller of a sign-in operation. */
export const caller = createContext<OperationCaller>()

/** Shown with unexpected errors so that a user can quote it. */
export const requestId = createContext('')

/** The pattern of the requested screen, such as `/admin/users/:id`; empty where there is none. */
export const route = createContext('')

/** The status of a failed answer: an internal error, or a database that could not be reached. */
export const fault = createContext(500)

/** A rendered page and the response made of it, so that sending it reads no body again; null where no page was rendered. */
export const document = createContext<{ answer: Response; html: string } | null>(null)

/** The brand and address of the product's calendars. */
export const calendarSource = createContext<Source>()

/** The folder of letters that the development page shows; null where there is no such page. */
export const outbox = createContext<string | null>(null)

/** Moves all that is open in the demo one day back, and returns in Spanish what moved; null outside a demo of this machine. */
export const advanceDay = createContext<Deps['advanceDay']>(null)

/** How cards are charged; null where none are. */
export const cards = createContext<Cards | null>(null)

/** The street map that is laid under the board's own; null where none is set. */
export const tiles = createContext<Env['tiles']>(null)

/** Where road times are asked; null where none is set. */
export const routing = createContext<string | null>(null)

/** The sender of notifications to agencies' own systems. */
export const webhooks = createContext<Webhooks>()

/** By which browsers know the sender of their notices. */
export const pushKey = createContext('')

/** Opens what was sealed of a blocked account. */
export const unsealBlocked = createContext<Unseal>()

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
