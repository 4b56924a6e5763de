import { createContext } from 'react-router'
import type { Viewer } from '../../domain/access/actor.ts'
import { type Modules, noModules } from '../../domain/access/routes.ts'
import type { OperationCaller } from '../accounts/auth.ts'
import type { Unseal } from '../accounts/blocked-list.ts'
import type { Provider } from '../accounts/provider.ts'
import type { Source } from '../appointments/calendar.ts'
import type { Cards } from '../integrations/stripe/checkout-result.ts'
import type { Webhooks } from '../integrations/webhooks/send.ts'
import type { Db } from '../platform/database/client.ts'
import type { Streams } from '../platform/live/streams.ts'
import type { Drive } from '../platform/storage/drive.ts'
import type { Env, Site } from './env.ts'

/** What a request carries to every loader and action. */
export const db = createContext<Db>()

/** Where the bytes of photos are. */
export const drive = createContext<Drive>()
export const actor = createContext<Viewer>(null)

/** The session that asks; null when no one is signed in. */
export const currentSession = createContext<{ id: string; endsAt: Date } | null>(null)

/** Whether they have to turn on the second factor before anything else (REQUIRE_2FA): only its own screen answers then. */
export const secondFactorMissing = createContext(false)

/** The parts of the product that are switched on (MODULES). */
export const enabledModules = createContext<Modules>(noModules)

/** Of the Content-Security-Policy; empty in development, where no policy is sent. */
export const nonce = createContext('')
export const site = createContext<Site>()

/** Null where none is set. */
export const provider = createContext<Provider | null>(null)

/** The path of this origin that hears of sign-ins (AUTH_SYNC_PATH), and what makes the token it hears them by; null where none is set. */
export const syncPath = createContext<string | null>(null)
export const newIdToken = createContext<(() => string | null) | null>(null)

/** A person who asks for a sign-in operation. */
export const caller = createContext<OperationCaller>()

/** Shown with unexpected errors so that a person can quote it. */
export const requestId = createContext('')

/** The pattern of the screen that was asked for, such as `/admin/users/:id`; empty where there is none. */
export const route = createContext('')

/** The status of an answer that failed: whether it was a bug, or a database that could not be reached. */
export const fault = createContext(500)

/** Whose calendars the product makes. */
export const calendarSource = createContext<Source>()

/** The folder of letters the development page shows; null where there is no such page. */
export const outbox = createContext<string | null>(null)

/** How cards are charged; null where none are. */
export const cards = createContext<Cards | null>(null)

/** How agencies' own systems are notified. */
export const webhooks = createContext<Webhooks>()

/** Opens what was sealed of a blocked account. */
export const unsealBlocked = createContext<Unseal>()

/** What the application stands on, opened once at the start. `assets` is the folder of built files, relative to the process's own. */
export type Deps = {
  db: Db
  drive: Drive
  env: Env
  secret: string
  site: Site
  streams: Streams
  assets: string
}
