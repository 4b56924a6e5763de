import type { data } from 'react-router'
import { z } from 'zod'
import type { Actor } from '../../domain/access/actor.ts'
import { catalogueCode, catalogueInput } from '../../domain/quotes/schema.ts'
import { travelRange } from '../../domain/scheduling/roster.ts'
import { type Change, sectionForms } from '../../domain/settings/schema.ts'
import { localDate, statutoryHolidays, toMinutes } from '../../domain/shared/calendar.ts'
import { relative } from '../../domain/shared/format.ts'
import { isMunicipality, municipalities } from '../../domain/shared/places.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { anyText, seenVersion, staleForm, ticked, wholeNumber } from '../../domain/shared/schema.ts'
import { choicesIn } from '../../domain/users/staffing-change.ts'
import { demandPassword } from '../../server/accounts/own-password.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { settleStopped, stoppedJobs } from '../../server/platform/jobs/dead-letters.ts'
import { editedCatalogue } from '../../server/quotes/benefit.ts'
import { addItem, editItem } from '../../server/quotes/catalogue-changes.ts'
import { addHoliday, changeSettings, removeHoliday } from '../../server/settings/changes.ts'
import { editedSettings, settingsHistory } from '../../server/settings/queries.ts'
import { editedTravelCount, editTravel, travelFrom } from '../../server/settings/travel.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { load } from '../lib/load.ts'
import { type Failure, submit } from '../lib/submit.ts'
import { newItem, pageNamed, type SettingsPage, settingsPath } from './pages.ts'

type Asked = { request: Request; db: Db; actor: Actor; now: Date }
type Answer = Promise<Response | ReturnType<typeof data<Failure>>>

const shownWith = z.object({
  version: seenVersion,
})
const prefix = 'settings.'

/** Whether a form belongs to the configuration. */
export const isOfSettings = (intent: unknown) => typeof intent === 'string' && intent.startsWith(prefix)

/** Answers every form of the configuration, told apart by `intent`: `settings.` and the section. */
export const settingsAction = ({ request, ...asked }: Asked): Answer =>
  load(async () => {
    // Said before a word of theirs is looked at.
    if (asked.actor.kind !== 'manager') refuse('permission-denied')
    const form = await formOf(request)
    const name = String(form.get('intent')).slice(prefix.length)
    if (isFormSection(name)) return saveSection(name, form, { request, ...asked })
    const answer = Object.hasOwn(others, name) ? others[name] : undefined
    return (answer ?? refuse('invalid-argument', staleForm))(form, { request, ...asked })
  })

type FormSection = keyof typeof sectionForms
const isFormSection = (name: string): name is FormSection => Object.hasOwn(sectionForms, name)

const saved = (page: SettingsPage, more = '') =>
  toast(settingsPath(page) + more, 'Guardamos los cambios', 'Valen desde ahora.')

function saveSection(section: FormSection, form: FormData, { request, db, actor, now }: Asked) {
  const typed: z.ZodType<Change, Record<string, unknown>> = sectionForms[section]
  const input = z.intersection(
    shownWith,
    typed.transform((change) => ({ change })),
  )
  return submit(request, input, async (wish) => {
    // Where everybody's money goes is not changed by a session alone.
    if (section === 'spei') await demandPassword(db, actor, String(form.get('currentPassword') ?? ''), now)
    await changeSettings(db, actor, { section, ...wish }, choicesIn(form), now)
    return saved(section)
  })
}

const holidayInput = shownWith.extend({ date: anyText(10) })
const from = z.string().refine(isMunicipality, 'Elige un municipio de la lista.')
const minutes = z.object(
  Object.fromEntries(municipalities.map(({ slug }) => [slug, wholeNumber(travelRange)])) as Record<
    (typeof municipalities)[number]['slug'],
    ReturnType<typeof wholeNumber>
  >,
)
const travelInput = z.intersection(
  shownWith.extend({ from, bothWays: ticked }),
  minutes.transform((all) => ({ minutes: all })),
)
const resetInput = shownWith.extend({ from, bothWays: ticked })

const itemInput = catalogueInput.extend({ code: catalogueCode })
const editedItemInput = itemInput.extend({ version: seenVersion })

const stoppedInput = z.object({ queue: anyText(100) })

const settle =
  (how: 'retry' | 'discard', title: string, then: string) =>
  (_: FormData, { request, db, actor }: Asked): Answer =>
    submit(request, stoppedInput, async ({ queue }) => {
      await settleStopped(db, actor, { queue, how })
      return toast(settingsPath(), title, then)
    })

const others: Record<string, (form: FormData, asked: Asked) => Answer> = {
  'holidays.add': (form, { request, db, actor, now }) =>
    submit(request, holidayInput, async (wish) => {
      await addHoliday(db, actor, wish, choicesIn(form), now)
      return saved('holidays')
    }),
  'holidays.remove': (_, { request, db, actor, now }) =>
    submit(request, holidayInput, async (wish) => {
      await removeHoliday(db, actor, wish, now)
      return saved('holidays')
    }),
  travel: (_, { request, db, actor, now }) =>
    submit(request, travelInput, async (wish) => {
      await editTravel(db, actor, wish, now)
      return saved('travel', `&desde=${wish.from}`)
    }),
  'travel.reset': (_, { request, db, actor, now }) =>
    submit(request, resetInput, async (wish) => {
      await editTravel(db, actor, { ...wish, minutes: null }, now)
      return saved('travel', `&desde=${wish.from}`)
    }),
  'jobs.retry': settle('retry', 'Se intentan otra vez', 'Si alguno vuelve a fallar, lo verás aquí.'),
  'jobs.discard': settle('discard', 'Los descartamos', 'Ya no se intentan.'),
  'catalogue.add': (_, { request, db, actor }) =>
    submit(request, itemInput, async (wish) => {
      await addItem(db, actor, wish)
      return toast(
        settingsPath('catalogue'),
        'Agregamos la partida',
        'Ya la puedes usar en tus cotizaciones.',
      )
    }),
  'catalogue.edit': (_, { request, db, actor }) =>
    submit(request, editedItemInput, async (wish) => {
      await editItem(db, actor, wish)
      return saved('catalogue')
    }),
}

/** What the configuration shows under `/admin/account?configuracion`; null when it is not asked for, or not by the manager. */
export async function loadSettings(db: Db, actor: Actor, url: URL, now: Date) {
  if (actor.kind !== 'manager' || !url.searchParams.has('configuracion')) return null
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
