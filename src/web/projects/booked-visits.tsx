import type { Service } from '../../domain/appointments/appointment.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { Help } from '../app/help.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult } from '../ui/form.tsx'

type Booked = { id: string; folio: string; service: Service; startsAt: Date }
type BookedVisitsProps = {
  booked: readonly Booked[]
  /** What came with a refusal: times to choose from, or that only a person can help. */
  details: unknown
}

const names: Partial<Record<Service, string>> = { technical_visit: 'visita', installation: 'instalación' }

/** Whether what is booked goes to this address, and when, if nobody can be there at its hour. */
export function BookedVisits({ booked, details }: BookedVisitsProps) {
  const [first] = booked
  if (!first) return null
  const times = timesIn(details)
  const all = booked.map(({ folio, service }) => `la ${names[service]} ${folio}`).join(' y ')
  return (
    <Card title={`Tienes ${names[first.service]} el ${dateTime(first.startsAt)}`}>
      <Checkbox
        label={`${all[0]?.toUpperCase()}${all.slice(1)} ${booked.length > 1 ? 'van' : 'va'} a esta dirección`}
        name="moveVisit"
        defaultChecked
      />
      {times.length > 0 && <OtherTime times={times} />}
      {needsHelp(details) && <Help about={`Hola, cambié de domicilio y tengo la cita ${first.folio}`} />}
    </Card>
  )
}

function OtherTime({ times }: { times: readonly string[] }) {
  const { error, typed } = useFieldResult('newStart')
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? 'newStart-error' : undefined}>
      <legend className="mb-2 font-semibold">Otro horario, en la nueva dirección</legend>
      {times.map((start) => (
        <label
          key={start}
          className="flex min-h-12 items-center gap-3 rounded-control border border-line px-3.5 py-2 has-checked:border-brand has-checked:bg-brand-soft"
        >
          <input
            type="radio"
            name="newStart"
            value={start}
            defaultChecked={typed === start}
            className="size-5 shrink-0 accent-brand"
          />
          {dateTime(new Date(start))}
        </label>
      ))}
      <FieldNotes id="newStart" error={error} help="No cuenta entre tus cambios." />
    </fieldset>
  )
}

const timesIn = (details: unknown): string[] =>
  typeof details === 'object' && details && 'times' in details ? (details.times as string[]) : []
const needsHelp = (details: unknown) =>
  typeof details === 'object' && details !== null && 'offers' in details && details.offers === 'help'
