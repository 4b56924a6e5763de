import { eq, type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Db, Queryable } from '../platform/database/client.ts'
import { historyOf } from '../platform/database/lists.ts'
import { events, settings } from '../platform/database/schema/projects.ts'
import { heardSoFar } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { settingsKey } from '../scheduling/roster.ts'
import { defaultSettings, parseSettings, type Settings } from './rules/settings-schema.ts'

/** The id under which the history keeps the settings, of which there is one. */
export const settingsEntity = '00000000-0000-7000-8000-000000000001'

/** The settings with their version, for an editor; queried each time. */
export async function editedSettings(db: Queryable): Promise<{ settings: Settings; version: number }> {
  const [row] = await db.select().from(settings).where(eq(settings.key, settingsKey))
  return { settings: parseSettings(row?.value), version: row?.version ?? 1 }
}

/** The changes of the settings, newest first. */
/** That an event is of one part of the settings. */
export const isSection = (part: string): SQL => sql`${events.data} ->> 'section' = ${part}`

export const settingsHistory = (db: Db) => historyOf(db, 'settings', settingsEntity, 100)

type Known = { settings: Settings; heard: number | undefined }
const kept = new WeakMap<pg.Pool, Known>()

/**
 * The settings for public pages, without a query as long as no change was announced. When the database is unavailable,
 * the last known ones are returned: an error page, too, shows whom to call.
 */
export async function shownSettings(db: Db): Promise<Settings> {
  const known = kept.get(db.$client)
  const heard = heardSoFar(db)
  if (known && heard !== undefined && known.heard === heard) return known.settings
  try {
    const { settings } = await editedSettings(db)
    kept.set(db.$client, { settings, heard })
    return settings
  } catch (err) {
    log.warn({ err }, 'settings could not be read')
    return known?.settings ?? defaultSettings
  }
}
