import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox, controlClass, Field, FieldNotes, useField } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFieldResult, useFormAnswered } from '../../kit/form/form.tsx'
import { clockText, dateSpan, weekdayName } from '../../shared/format.ts'
import { municipalitiesOf, regionGroups } from '../../shared/places.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { mostStretches, shiftStep } from '../rules/staffing-change.ts'
import type { Absence, Schedule, TimeOffRequest } from '../schedule.ts'
import { ScheduleForm } from './affected.tsx'

type Stretch = Schedule['shifts'][number]

/** The weekly hours, as times typed day by day. */
export function ShiftsCard({ schedule }: { schedule: Schedule }) {
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
      <ScheduleForm intent="staffing.shifts" schedule={schedule} submit="Guardar turnos">
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

/** One line per stretch, and one more that opens where it is wanted, with or without JavaScript. */
function Weekday({ weekday, stretches }: { weekday: number; stretches: readonly Stretch[] }) {
  const name = weekdayName(weekday)
  const lines = Math.max(stretches.length, 1)
  const line = (n: number) => (
    <StretchLine
      key={n}
      field={fieldOf(weekday, n)}
      label={`${name}, horario ${n + 1}`}
      stretch={stretches[n]}
    />
  )
  return (
    <fieldset className="grid gap-2 border-t border-line py-3 first:border-0 sm:grid-cols-[6rem_1fr] sm:items-start">
      <legend className="float-left font-semibold sm:pt-2.5">{name}</legend>
      <div className="grid gap-1 sm:col-start-2">
        {[...Array(lines).keys()].map(line)}
        {lines < mostStretches && (
          <OneMore field={fieldOf(weekday, lines)} label={`Agregar otro horario el ${name.toLowerCase()}`}>
            {line(lines)}
          </OneMore>
        )}
      </div>
    </fieldset>
  )
}

const fieldOf = (weekday: number, n: number) => `shift.${weekday}.${n}`

/** Open from the start when the text typed there was invalid. */
function OneMore({ field, label, children }: { field: string; label: string; children: ReactNode }) {
  const from = useFieldResult(`${field}.from`)
  const to = useFieldResult(`${field}.to`)
  return (
    <details open={Boolean(from.typed || to.typed)} className="group grid">
      <summary
        aria-label={label}
        className="inline-flex min-h-11 items-center gap-1 rounded-control text-[0.9375rem] font-medium text-mute select-none hover:text-ink lg:min-h-9 [&::-webkit-details-marker]:hidden"
      >
        <Plus aria-hidden className="size-4 group-open:hidden" />
        <span className="group-open:hidden">Agregar otro horario</span>
        <span className="hidden group-open:inline">Segundo horario del día</span>
      </summary>
      {children}
    </details>
  )
}

type StretchLineProps = { field: string; label: string; stretch: Stretch | undefined }

function StretchLine({ field, label, stretch }: StretchLineProps) {
  const from = `${field}.from`
  const to = `${field}.to`
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

type TimeBoxProps = { name: string; label: string; minutes: number | undefined; step: number }

/** A box for one time of a table, labelled for screen readers; `minutes` count from midnight. */
function TimeBox({ name, label, minutes, step }: TimeBoxProps) {
  const stored = minutes === undefined ? '' : clockText(minutes)
  const { described, id, merging, shown } = useField({ name, stored })
  const answered = useFormAnswered()
  return (
    <div className="grid gap-1">
      <input
        type="time"
        name={name}
        aria-label={label}
        step={step * 60}
        defaultValue={answered ? (shown ?? '') : stored}
        {...described}
        id={id}
        className={classNames(controlClass, 'max-sm:px-2')}
      />
      {merging}
    </div>
  )
}

/** The errors of the boxes of a line. */
function TimeNotes({ names }: { names: readonly [string, string] }) {
  const first = useFieldResult(names[0])
  const second = useFieldResult(names[1])
  return (
    <>
      {first.id && <FieldNotes id={first.id} error={first.error} />}
      {second.id && <FieldNotes id={second.id} error={second.error} />}
    </>
  )
}

/** The municipalities that a person serves. */
export function ZonesCard({ schedule }: { schedule: Schedule }) {
  return (
    <Card title="Zonas">
      <p className="text-[0.9375rem] text-mute">
        {schedule.zones.length === 0
          ? 'Ahora atiende todas las zonas. Marca algunas para limitarlas.'
          : `Ahora atiende ${schedule.zones.length} de 20 zonas. Sin ninguna marcada, atiende todas.`}
      </p>
      <ScheduleForm intent="staffing.zones" schedule={schedule} submit="Guardar zonas">
        {regionGroups.map((group) => (
          <fieldset key={group.id}>
            <legend className="mb-1 font-semibold">{group.label}</legend>
            <div className="grid sm:grid-cols-2">
              {municipalitiesOf(group.id).map(({ slug, label }) => (
                <Checkbox
                  key={slug}
                  label={label}
                  name={`zone.${slug}`}
                  defaultChecked={schedule.zones.includes(slug)}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </ScheduleForm>
    </Card>
  )
}

/** Time off and holidays of one person: those to come, and a form for one more. */
export function TimeOffCard({ schedule }: { schedule: Schedule }) {
  const { absences } = schedule
  return (
    <Card title="Permisos y vacaciones">
      <TimeOffRequests schedule={schedule} />
      {absences.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">No tiene permisos ni vacaciones por delante.</p>
      ) : (
        <ul className="grid">
          {absences.map((absence) => (
            <Taken key={absence.id} absence={absence} version={schedule.version} />
          ))}
        </ul>
      )}
      <ScheduleForm intent="staffing.timeOff" schedule={schedule} submit="Guardar permiso">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Desde el día" name="from" type="date" />
          <Field label="Desde la hora" name="fromTime" type="time" optional="unsaid" />
          <Field label="Hasta el día" name="to" type="date" />
          <Field label="Hasta la hora" name="toTime" type="time" optional="unsaid" />
          <Field
            label="Motivo"
            name="reason"
            maxLength={200}
            autoComplete="off"
            className="sm:col-span-2"
            help="Solo lo ve la gerencia. Sin horas, el permiso es de días completos."
          />
        </div>
      </ScheduleForm>
    </Card>
  )
}

type TakenProps = { absence: Absence; version: number }

function Taken({ absence: { id, from, to, reason }, version }: TakenProps) {
  const words = dateSpan(from, to)
  return (
    <li className="border-t border-line py-2 first:border-0 first:pt-0">
      <Form intent="staffing.removeTimeOff" target={{ timeOffId: id }} className="gap-2">
        <input type="hidden" name="version" value={version} />
        <div className="flex items-center justify-between gap-3">
          <div className="grid min-w-0 gap-0.5">
            <p className="font-semibold">{words}</p>
            {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
          </div>
          <Submit variant="ghost" aria-label={`Quitar ${words}`}>
            Quitar
          </Submit>
        </div>
      </Form>
    </li>
  )
}

/** The open time-off requests of a person: approve one, settling what it affects, or reject it with a reason. */
function TimeOffRequests({ schedule }: { schedule: Schedule }) {
  if (schedule.requests.length === 0) return null
  return (
    <ul className="grid gap-4">
      {schedule.requests.map((request) => (
        <li key={request.id} className="grid gap-4 border-b border-line pb-4">
          <Request request={request} schedule={schedule} />
        </li>
      ))}
    </ul>
  )
}

type RequestProps = { schedule: Schedule; request: TimeOffRequest }

function Request({ request: { id, from, reason, to }, schedule }: RequestProps) {
  const target = { timeOffId: id }
  return (
    <>
      <div className="grid gap-1">
        <p>
          <Badge tone="wait">Por aprobar</Badge>
        </p>
        <p className="font-semibold">{dateSpan(from, to)}</p>
        {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
      </div>
      <ScheduleForm intent="staffing.approveTimeOff" target={target} schedule={schedule} submit="Aprobar" />
      <FormDetails summary="Rechazar" intent="staffing.refuseTimeOff" target={target}>
        <Field
          label="Por qué no"
          name="refusal"
          maxLength={300}
          autoComplete="off"
          help="La persona lo lee."
        />
        <Submit variant="destructive">Rechazar</Submit>
      </FormDetails>
    </>
  )
}
