import { type RouterContextProvider, redirect } from 'react-router'
import { configures } from '../../domain/settings/settings.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { editedSettings, settingsHistory } from '../../server/settings/queries.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { type SettingsPage, settingsPath } from './pages.ts'

type Context = Readonly<RouterContextProvider>

/** What a form of the configuration is answered with; refused to those who may not change it before a word is read. */
export function configuring(context: Context) {
  const actor = requireActor(context)
  if (!configures(actor)) refuse('permission-denied')
  return { db: context.get(db), actor, now: new Date() }
}

/** The settings as they stand, and what was changed of a page, or of all. Others are led to their account. */
export async function readSettings(context: Context, page: SettingsPage | null) {
  if (!configures(requireActor(context))) throw redirect('/admin/account')
  const database = context.get(db)
  const [edited, events] = await Promise.all([editedSettings(database), settingsHistory(database)])
  return {
    ...edited,
    events: events
      .map(({ data, ...event }) => ({ ...event, ...(data as { section: SettingsPage; changes: Changes }) }))
      .filter(({ section }) => !page || section === page),
  }
}

type Changes = Record<string, { from: unknown; to: unknown }>

export type PastChange = Awaited<ReturnType<typeof readSettings>>['events'][number]

/** Goes back to a page that was saved, or to the address of a part of it. */
export const saved = (page: SettingsPage, to = settingsPath(page)) =>
  redirectWithToast(to, 'Guardamos los cambios', 'Valen desde ahora.')
