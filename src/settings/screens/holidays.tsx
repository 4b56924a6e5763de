import { Field } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { localDate, statutoryHolidays, toMinutes } from '../../shared/calendar.ts'
import { longDate } from '../../shared/format.ts'
import { Card, Details } from '../../ui/card.tsx'
import { choicesIn } from '../../users/rules/staffing-change.ts'
import { addHoliday, removeHoliday } from '../commands.ts'
import { holidayInput } from '../rules/schema.ts'
import type { Route } from './+types/holidays.ts'
import { configuring, readSettings, saved } from './configuring.ts'
import { PageFrame, SectionForm } from './page-frame.tsx'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const today = localDate(toMinutes(new Date()))
    const year = Number(today.slice(0, 4))
    const statutory = [year, year + 1].flatMap(statutoryHolidays).filter((date) => date >= today)
    return { today, statutory, ...(await readSettings(context, 'holidays')) }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor, now } = configuring(context)
  return {
    'settings.holidays.add': form(holidayInput, async (input, { values }) => {
      await addHoliday(db, actor, input, choicesIn(Object.entries(values)), now)
      return saved('holidays')
    }),
    'settings.holidays.remove': form(holidayInput, async (input) => {
      await removeHoliday(db, actor, input, now)
      return saved('holidays')
    }),
  }
})

/** The company's own holidays, one by one, and those of the law. */
export default function Holidays({ loaderData }: Route.ComponentProps) {
  const { events, settings, version, today, statutory } = loaderData
  const toCome = settings.holidays.filter((date) => date >= today)
  const past = settings.holidays.filter((date) => date < today)
  const list = (dates: readonly string[]) => <OwnDays dates={dates} version={version} />
  return (
    <PageFrame page="holidays" events={events}>
      <SectionForm intent="settings.holidays.add" version={version} submit="Agregar">
        <Field
          label="Agregar un día"
          name="date"
          type="date"
          min={today}
          help="Si ese día ya hay citas, te las mostramos antes de guardar."
        />
      </SectionForm>
      <Card title="Días de la empresa">
        {toCome.length > 0 ? (
          list(toCome)
        ) : (
          <p className="text-[0.9375rem] text-mute">Todavía no agregas ninguno.</p>
        )}
      </Card>
      <Card title="Días de ley">
        <ul className="grid gap-2 text-[0.9375rem] sm:grid-cols-2">
          {statutory.map((date) => (
            <li key={date}>{sentence(date)}</li>
          ))}
        </ul>
      </Card>
      {past.length > 0 && <Details summary={`Ya pasaron (${past.length})`}>{list(past)}</Details>}
    </PageFrame>
  )
}

function OwnDays({ dates, version }: { dates: readonly string[]; version: number }) {
  return (
    <ul className="grid gap-1">
      {dates.map((date) => (
        <li key={date}>
          <Form intent="settings.holidays.remove" target={{ date }} className="gap-2">
            <div className="flex items-center justify-between gap-3">
              <span>{sentence(date)}</span>
              <input type="hidden" name="version" value={version} />
              <Submit variant="ghost">
                Quitar
                <span className="sr-only"> el {longDate(date)}</span>
              </Submit>
            </div>
          </Form>
        </li>
      ))}
    </ul>
  )
}

function sentence(date: string): string {
  const words = longDate(date)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
