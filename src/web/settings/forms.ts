import type { RouterContextProvider } from 'react-router'
import { catalogueForms } from '../../domain/quotes/schema.ts'
import {
  type FormSection,
  holidayInput,
  sectionForms,
  sectionInput,
  stoppedJobsInput,
  travelInput,
} from '../../domain/settings/schema.ts'
import { configures } from '../../domain/settings/settings.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { choicesIn } from '../../domain/users/staffing-change.ts'
import { assertPassword } from '../../server/accounts/own-password.ts'
import { db, secondFactorMissing } from '../../server/app/context.ts'
import { settleStopped } from '../../server/platform/jobs/dead-letters.ts'
import { addItem, editItem } from '../../server/quotes/catalogue-changes.ts'
import { addHoliday, changeSettings, removeHoliday } from '../../server/settings/changes.ts'
import { editTravel } from '../../server/settings/travel.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { checked, form } from '../lib/submit.ts'
import { type SettingsPage, settingsPath } from './pages.ts'

type Context = Readonly<RouterContextProvider>

/** Every form of the configuration, for who may change it. */
export const settingsForms = (context: Context) =>
  checked(
    () =>
      (configures(requireActor(context)) && !context.get(secondFactorMissing)) || refuse('permission-denied'),
    {
      ...allSections(context),
      ...holidayForms(context),
      ...travelForms(context),
      ...itemForms(context),
      ...stoppedForms(context),
    },
  )

const saved = (page: SettingsPage, more = '') =>
  redirectWithToast(settingsPath(page) + more, 'Guardamos los cambios', 'Valen desde ahora.')

type SectionForms = Record<`settings.${FormSection}`, ReturnType<typeof sectionForm>>

/** The pages that are filled in as a whole. */
const allSections = (context: Context) =>
  Object.fromEntries(
    Object.keys(sectionForms).map((name) => [`settings.${name}`, sectionForm(context, name as FormSection)]),
  ) as SectionForms

const sectionForm = (context: Context, section: FormSection) =>
  form(sectionInput(section), async (wish, { values }) => {
    const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
    // Where everybody's money goes is not changed by a session alone.
    if (section === 'spei') await assertPassword(database, actor, values.currentPassword ?? '', now)
    await changeSettings(database, actor, { section, ...wish }, choicesIn(Object.entries(values)), now)
    return saved(section)
  })

function holidayForms(context: Context) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  return {
    'settings.holidays.add': form(holidayInput, async (wish, { values }) => {
      await addHoliday(database, actor, wish, choicesIn(Object.entries(values)), now)
      return saved('holidays')
    }),
    'settings.holidays.remove': form(holidayInput, async (wish) => {
      await removeHoliday(database, actor, wish, now)
      return saved('holidays')
    }),
  }
}

function travelForms(context: Context) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  return {
    'settings.travel': form(travelInput['settings.travel'], async (wish) => {
      await editTravel(database, actor, wish, now)
      return saved('travel', `&desde=${wish.from}`)
    }),
    'settings.travel.reset': form(travelInput['settings.travel.reset'], async (wish) => {
      await editTravel(database, actor, { ...wish, minutes: null }, now)
      return saved('travel', `&desde=${wish.from}`)
    }),
  }
}

function itemForms(context: Context) {
  const [database, actor, list] = [context.get(db), requireActor(context), settingsPath('catalogue')]
  return {
    'settings.catalogue.add': form(catalogueForms['settings.catalogue.add'], async (wish) => {
      await addItem(database, actor, wish)
      return redirectWithToast(list, 'Agregamos la partida', 'Ya la puedes usar en tus cotizaciones.')
    }),
    'settings.catalogue.edit': form(catalogueForms['settings.catalogue.edit'], async (wish) => {
      await editItem(database, actor, wish)
      return saved('catalogue')
    }),
  }
}

function stoppedForms(context: Context) {
  const [database, actor] = [context.get(db), requireActor(context)]
  return {
    'settings.jobs.retry': form(stoppedJobsInput, async ({ queue }) => {
      await settleStopped(database, actor, { queue, how: 'retry' })
      return redirectWithToast(
        settingsPath(),
        'Se intentan otra vez',
        'Si alguno vuelve a fallar, lo verás aquí.',
      )
    }),
    'settings.jobs.discard': form(stoppedJobsInput, async ({ queue }) => {
      await settleStopped(database, actor, { queue, how: 'discard' })
      return redirectWithToast(settingsPath(), 'Los descartamos', 'Ya no se intentan.')
    }),
  }
}
