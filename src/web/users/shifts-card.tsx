import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { weekdayName } from '../../domain/shared/format.ts'
import { mostStretches, shiftStep } from '../../domain/users/staffing-change.ts'
import type { Schedule } from '../../server/users/schedule.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { useFieldResult } from '../ui/form.tsx'
import { intents } from './intents.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { TimeBox, TimeNotes } from './time-box.tsx'

type ShiftsCardProps = { schedule: Schedule; result: Failure | undefined }
type Stretch = Schedule['shifts'][number]

/** The weekly hours, as times typed day by day. */
export function ShiftsCard({ schedule, result }: ShiftsCardProps) {
  return (
    <Card title="Turnos">
      {schedule.shifts.length === 0 && (
        <Alert tone="wait" title="Todavía no tiene turnos">
          Sin turnos no se ofrece ningún horario con esta persona.
        </Alert>
      )}
      <p className="text-[0.9375rem] text-mute">
        Horas en punto o y media. Deja vacíos los días que no trabaja.
      </p>
      <ScheduleForm intent={intents.shifts} schedule={schedule} result={result} submit="Guardar turnos">
        <div className="grid">
          {[0, 1, 2, 3, 4, 5, 6].map((weekday) => (
            <Weekday
              key={weekday}
              weekday={weekday}
              stretches={schedule.shifts.filter((shift) => shift.weekday === weekday)}
            />
          ))}
        </div>
      </ScheduleForm>
    </Card>
  )
}

/** One line a stretch, and one more that opens where it is wanted, with or without JavaScript. */
function Weekday({ weekday, stretches }: { weekday: number; stretches: readonly Stretch[] }) {
  const name = weekdayName(weekday)
  const lines = Math.max(stretches.length, 1)
  const line = (n: number) => (
    <StretchLine
      key={n}
      field={fieldOf(weekday, n)}
      label={`${name}, tramo ${n + 1}`}
      stretch={stretches[n]}
    />
  )
  return (
    <fieldset className="grid gap-2 border-t border-line py-3 first:border-0 sm:grid-cols-[6rem_1fr] sm:items-start">
      <legend className="float-left font-semibold sm:pt-2.5">{name}</legend>
      <div className="grid gap-1 sm:col-start-2">
        {[...Array(lines).keys()].map(line)}
        {lines < mostStretches && (
          <OneMore field={fieldOf(weekday, lines)} label={`Otro tramo el ${name.toLowerCase()}`}>
            {line(lines)}
          </OneMore>
        )}
      </div>
    </fieldset>
  )
}

const fieldOf = (weekday: number, n: number) => `shift.${weekday}.${n}`

/** Open from the start when something was typed there that did not pass. */
function OneMore({ field, label, children }: { field: string; label: string; children: ReactNode }) {
  const [from, to] = [useFieldResult(`${field}.from`), useFieldResult(`${field}.to`)]
  return (
    <details open={Boolean(from.typed || to.typed)} className="group grid">
      <summary
        aria-label={label}
        className="inline-flex min-h-11 items-center gap-1 rounded-control text-[0.9375rem] font-medium text-mute select-none hover:text-ink lg:min-h-9 [&::-webkit-details-marker]:hidden"
      >
        <Plus aria-hidden className="size-4 group-open:hidden" />
        <span className="group-open:hidden">Otro tramo</span>
        <span className="hidden group-open:inline">Segundo horario del día</span>
      </summary>
      {children}
    </details>
  )
}

type StretchLineProps = { field: string; label: string; stretch: Stretch | undefined }

function StretchLine({ field, label, stretch }: StretchLineProps) {
  const [from, to] = [`${field}.from`, `${field}.to`]
  return (
    <div className="grid gap-1">
      <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
        <TimeBox name={from} label={`${label}, entrada`} minutes={stretch?.from} step={shiftStep} />
        <span className="text-mute">a</span>
        <TimeBox name={to} label={`${label}, salida`} minutes={stretch?.to} step={shiftStep} />
      </div>
      <TimeNotes names={[from, to]} />
    </div>
  )
}
