import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { modules } from '../../src/access/rules/routes.ts'
import { type Env, parseEnv, type Site } from '../../src/app/env.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { isLocalDemo } from '../../src/platform/http/security.ts'
import { emptied, freshDatabase, leave } from './fresh-database.ts'
import {
  insertAgency,
  insertHome,
  insertPeople,
  insertPerson,
  openSession,
  type Person,
  type PersonInput,
  secret,
} from './people.ts'
import { browserOf, newVisitor } from './visitor.ts'

/** For a fixture with everything that is off unless it is switched on. */
export const everyModule = { MODULES: modules.join() }

export type Fixture = ReturnType<typeof fixtureOver>

const built = new URL('../../build/server/app.js', import.meta.url)

// The build is what people meet. Its own copies of the modules hold the state, so it is all that a fixture starts.
const application = async (): Promise<typeof import('../../src/app/app.ts')> => {
  if (!existsSync(built)) throw new Error('Build first: these tests visit the built application.')
  return import(/* @vite-ignore */ built.href)
}

/**
 * A database of its own and the real application over it, asked without a network. One for each test file, closed at
 * its end. Job queues are open but no one works on them, so what was sent can be looked at.
 */
export async function openFixture(
  environment: Record<string, string> = {},
  open: () => Promise<Db> = freshDatabase,
): Promise<Fixture> {
  const base = await openBase(open)
  const fixture = fixtureOver(base.app, base.db, environment)
  return {
    ...fixture,
    async close() {
      await fixture.close()
      await base.close()
    },
  }
}

/** The database and the queues of a file whose tests each begin without rows. */
export async function openBase(open: () => Promise<Db> = freshDatabase) {
  const app = await application()
  const db = await open()
  app.setJobSecret(secret)
  await app.startJobs(db)
  return {
    app,
    db,
    /** An application over the database, without the rows of the test before. */
    emptyFixture: async () => fixtureOver(app, await emptied(db)),
    async close() {
      await app.stopJobs()
      await leave(db)
    },
  }
}

function fixtureOver(
  app: Awaited<ReturnType<typeof application>>,
  db: Db,
  environment: Record<string, string> = {},
) {
  const streams = app.openStreams(db, app.livingSessions)
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-files-'))
  const under = (changes: Record<string, string>) => {
    const env = parseEnv({
      BASE_URL: 'http://carga.test',
      DEMO: 'false',
      DATA_DIR: folder,
      ...environment,
      ...changes,
    })
    const drive = app.openDrive(env.storage)
    return {
      ...browserOf(
        app.createApp({
          advanceDay: isLocalDemo(env) ? async () => '1 cita' : null,
          db,
          drive,
          env,
          secret,
          site: siteOf(env),
          streams,
          assets: 'build/client',
        }),
        env.baseUrl,
      ),
      drive,
      env,
    }
  }
  return {
    db,
    ...under({}),
    /** The same fixture through an application started with another environment. */
    under,
    /** A browser without a session. */
    visitor: newVisitor,
    person: (input?: PersonInput) => insertPerson(db, input),
    people: () => insertPeople(db),
    agency: (input?: Parameters<typeof insertAgency>[1]) => insertAgency(db, input),
    home: (customer: Person, form?: Partial<Record<string, string>>, agencyId?: string) =>
      insertHome(db, customer, form, agencyId),
    /** Another browser of the same person's, signed in. */
    async secondBrowser({ id }: Person) {
      const visitor = newVisitor()
      visitor.cookies.set('carga.session_token', await openSession(db, id))
      return visitor
    },
    /** Moves the application's clock, and no timer. The database's own now() stays. */
    at(time: Date | string) {
      vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] })
    },
    async close() {
      vi.useRealTimers()
      await streams.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const siteOf = (env: Env): Site => ({
  brand: env.BRAND,
  legalLine: env.LEGAL_LINE,
  privacyUrl: env.PRIVACY_URL,
  termsUrl: env.TERMS_URL,
  host: new URL(env.baseUrl).hostname,
  demo: env.demo ? [] : null,
  modules: [...env.MODULES],
})
