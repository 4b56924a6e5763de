import type { ReactNode } from 'react'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import type { Affected } from '../../appointments/staffing-change.ts'
import { Select, TextArea } from '../../kit/form/field.tsx'
import { Form, type FormResult, Submit, useOwnResult } from '../../kit/form/form.tsx'
import { counted, dateTime } from '../../shared/format.ts'
import { keepChoice, releaseChoice } from '../rules/staffing-change.ts'
import type { Schedule } from '../schedule.ts'

/** The appointments that a refused change has to settle first; none after any other refusal, or when accepted. */
function affectedIn(result: FormResult | undefined): readonly Affected[] {
  const details = result?.refusal?.details
  if (typeof details !== 'object' || details === null || !('affected' in details)) return []
  return details.affected as Affected[]
}

/**
 * The part of a form that settles the appointments its change touches; put it inside the form, above its button. Its
 * fields are read by `choicesIn`. Nothing when there are none.
 */
export function AffectedAppointments() {
  const affected = affectedIn(useOwnResult())
  if (affected.length === 0) return null
  return (
    <section
      aria-label="Citas por resolver"
      className="@container grid gap-4 border-wait max-sm:border-t max-sm:pt-4 sm:rounded-card sm:border sm:p-4"
    >
      <h3 className="font-semibold">{counted(affected.length, 'cita por resolver', 'citas por resolver')}</h3>
      <ul className="grid gap-4">
        {affected.map((one) => (
          <li key={one.id} className="grid gap-3 border-t border-line pt-4 @2xl:grid-cols-2 @2xl:gap-6">
            <Facts one={one} />
            <Choice one={one} />
          </li>
        ))}
      </ul>
      {affected.some(({ canKeep }) => canKeep) && (
        <TextArea
          label="Motivo para que la conserve"
          name="keepReason"
          optional
          maxLength={300}
          help="Solo si alguien conserva su cita aunque la regla diga que no."
        />
      )}
    </section>
  )
}

function Facts({ one: { folio, service, startsAt, customer, assignee, reasons } }: { one: Affected }) {
  return (
    <div className="grid content-start gap-0.5">
      <p className="font-semibold">{dateTime(startsAt)}</p>
      <p>
        {serviceFacts[service].label} <span className="whitespace-nowrap">{folio}</span> · {customer}
      </p>
      <p className="text-[0.9375rem] text-mute">
        {assignee}: {reasons.join('; ')}
      </p>
    </div>
  )
}

function Choice({ one: { id, folio, version, able, assignee, canKeep } }: { one: Affected }) {
  const kept = canKeep ? [{ value: keepChoice, label: `Que la conserve ${assignee}` }] : []
  const released = { value: releaseChoice, label: 'Dejarla sin persona y buscar a alguien más' }
  const first = able[0]?.id ?? (canKeep ? '' : releaseChoice)
  return (
    <div className="grid">
      <input type="hidden" name={`seen.${id}`} value={version} />
      <Select
        label={
          <>
            ¿Qué hacemos con <span className="whitespace-nowrap">{folio}</span>?
          </>
        }
        name={`choice.${id}`}
        {...(first === '' && { placeholder: 'Elige una opción' })}
        defaultValue={first}
        help={able.length === 0 ? 'Nadie más puede tomarla a esa hora.' : undefined}
        options={[
          ...(able.length > 0
            ? [
                {
                  label: 'Dársela a',
                  options: able.map((person) => ({ value: person.id, label: person.name })),
                },
              ]
            : []),
          ...(able.length > 0
            ? [{ label: 'Otra opción', options: [...kept, released] }]
            : [...kept, released]),
        ]}
      />
    </div>
  )
}

type ScheduleFormProps = {
  intent: string
  target?: Readonly<Record<string, string>>
  schedule: Pick<Schedule, 'version'>
  children?: ReactNode
  /** The words on its button. */
  submit: string
}

/** A form of a person's working time: its fields, then the appointments it would affect, then its button. */
export function ScheduleForm({ intent, target, schedule, children, submit }: ScheduleFormProps) {
  return (
    <Form intent={intent} target={target} version={schedule.version}>
      {children}
      <AffectedAppointments />
      <Submit className="sm:justify-self-start">{submit}</Submit>
    </Form>
  )
}
