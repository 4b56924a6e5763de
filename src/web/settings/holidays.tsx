import { longDate } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { SectionForm } from './catalogue-item.tsx'
import type { SettingsPartProps } from './settings.tsx'

/** The company's own holidays, one by one, and those of the law. */
export function HolidaysPage({ data: { settings, version, today, statutory } }: SettingsPartProps) {
  const toCome = settings.holidays.filter((date) => date >= today)
  const past = settings.holidays.filter((date) => date < today)
  const list = (dates: readonly string[]) => <OwnDays dates={dates} version={version} />
  return (
    <>
      {/* A new day leaves an empty box behind. */}
      <SectionForm key={version} intent="settings.holidays.add" version={version} submit="Agregar">
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
    </>
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
