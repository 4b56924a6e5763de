import { redirect } from 'react-router'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { saveWords } from '../../shared/merging.ts'
import { refuse } from '../../shared/refusal.ts'
import { editedSettings, settingsHistory } from '../queries.ts'
import { type SettingsPage, settingsPath } from '../rules/pages.ts'
import { configures } from '../rules/settings.ts'

/** The answer to a form of the configuration; refused to users who may not change it before the form is read. */
export function configuring(context: LoaderContext) {
  const { actor, db, now } = signedIn(context)
  if (!configures(actor)) refuse('permission-denied')
  return { db, actor, now }
}

/** The current settings, and the changes of a page, or of all. Other users are redirected to their account. */
export async function readSettings(context: LoaderContext, page: SettingsPage | null) {
  const { actor, db } = signedIn(context)
  if (!configures(actor)) throw redirect('/admin/account')
  const [edited, events] = await Promise.all([editedSettings(db), settingsHistory(db)])
  const own = events
    .map(({ data, ...event }) => ({ ...event, ...(data as { section: SettingsPage; changes: Changes }) }))
    .filter(({ section }) => !page || section === page)
  const [last] = own
  const wasSaved = last && saveWords(`${last.actor} guardó`, last.at, new Date())
  return { ...edited, events: own, wasSaved }
}

type Changes = Record<string, { from: unknown; to: unknown }>

export type PastChange = Awaited<ReturnType<typeof readSettings>>['events'][number]

/** Goes back to a page that was saved, or to the address of a part of it. */
export const saved = (page: SettingsPage, to = settingsPath(page)) =>
  redirectWithToast(to, 'Guardamos los cambios', 'Valen desde ahora.')
