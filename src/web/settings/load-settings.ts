import type { Actor } from '../../domain/access/actor.ts'
import { configures } from '../../domain/settings/settings.ts'
import { localDate, statutoryHolidays, toMinutes } from '../../domain/shared/calendar.ts'
import { relative } from '../../domain/shared/format.ts'
import { isMunicipality } from '../../domain/shared/places.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { stoppedJobs } from '../../server/platform/jobs/dead-letters.ts'
import { editedCatalogue } from '../../server/quotes/benefit.ts'
import { editedSettings, settingsHistory } from '../../server/settings/queries.ts'
import { editedTravelCount, travelFrom } from '../../server/settings/travel.ts'
import { newItem, pageNamed, type SettingsPage } from './pages.ts'

/** What the configuration shows under `/admin/account?configuracion`; null when it is not asked for, or not by the manager. */
export async function loadSettings(db: Db, actor: Actor, url: URL, now: Date) {
  if (!configures(actor) || !url.searchParams.has('configuracion')) return null
  const page = pageNamed(url.searchParams.get('configuracion'))
  const [edited, travelEdited, events, travel, catalogue, stopped] = await Promise.all([
    editedSettings(db),
    page ? 0 : editedTravelCount(db),
    settingsHistory(db),
    page === 'travel' ? travelOf(db, url) : null,
    page === 'catalogue' ? catalogueOf(db, url) : null,
    page ? [] : stoppedJobs(db, actor),
  ])
  const today = localDate(toMinutes(now))
  const year = Number(today.slice(0, 4))
  return {
    ...edited,
    page,
    travel,
    travelEdited,
    catalogue,
    stopped: stopped.map(({ since, ...jobs }) => ({ ...jobs, since: relative(since, now) })),
    today,
    statutory: [year, year + 1].flatMap(statutoryHolidays).filter((date) => date >= today),
    events: events
      .map(({ data, ...event }) => ({ ...event, ...(data as { section: SettingsPage; changes: Changes }) }))
      .filter(({ section }) => !page || section === page),
  }
}

type Changes = Record<string, { from: unknown; to: unknown }>

/** What `Settings` takes. */
export type SettingsData = NonNullable<Awaited<ReturnType<typeof loadSettings>>>

async function travelOf(db: Db, url: URL) {
  const asked = url.searchParams.get('desde') ?? ''
  const from = isMunicipality(asked) ? asked : 'alvaro-obregon'
  return { from, rows: await travelFrom(db, from) }
}

/** The items, and the one that is edited: null adds another, undefined none. */
async function catalogueOf(db: Db, url: URL) {
  const items = await editedCatalogue(db)
  const asked = url.searchParams.get('partida')
  return { items, item: asked === newItem ? null : items.find(({ code }) => code === asked) }
}
