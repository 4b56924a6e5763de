import { expect } from 'vitest'
import { editedSettings } from '../../src/settings/queries.ts'
import { type SettingsPage, settingsPath } from '../../src/settings/rules/pages.ts'
import type { Settings } from '../../src/settings/rules/settings-schema.ts'
import { db, fixture } from './open.ts'
import type { Person } from './people.ts'

/** Where the forms of a page are sent. */
export const at = (slug: string) => `/admin/account/configuracion/${slug}`

/** Sends a form of the configuration under the version that is current, or another. */
export async function save(as: Person, intent: string, form: Record<string, string>) {
  const { version } = await editedSettings(db)
  const page = settingsPath(intent.split('.')[0] as SettingsPage)
  return fixture.post(page, { intent: `settings.${intent}`, version: String(version), ...form }, as)
}

export const stored = async (): Promise<Settings> => (await editedSettings(db)).settings

/** The words of a page, without its tags. */
export const wordsOf = (text: string) => text.replace(/<[^>]*>/g, '')

/** Expects an answer to be a redirect back to a page. */
export const expectSaved = (
  { status, location }: { status: number; location: string | null },
  slug: string,
) => expect({ status, location }).toEqual({ status: 303, location: at(slug) })
