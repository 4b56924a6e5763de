import type { ReactNode } from 'react'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { type AbsenceChoice, choiceText, disruptionLevel } from '../../domain/scheduling/absence.ts'
import { dateTime, duration, minuteTime } from '../../domain/shared/format.ts'
import type { AbsenceOption, AbsencePlan, Proposed } from '../../server/scheduling/absence.ts'
import type { Failure } from '../lib/submit.ts'
import { ActionBar } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field, FieldNotes } from '../ui/field.tsx'
import { Form, Submit, useFieldResult } from '../ui/form.tsx'
import { useVersionSeen } from '../users/affected.tsx'

type AbsenceFormProps = { plan: AbsencePlan; result: Failure | undefined }

/** What happens to each appointment of the day, the best move first; nothing happens before the manager confirms it. */
export function AbsenceForm({ plan: { person, visits }, result }: AbsenceFormProps) {
  const version = useVersionSeen(person.version, result)
  return (
    <Form result={result} className="max-w-4xl">
      <input type="hidden" name="version" value={version} />
      {visits.length > 0 && (
        <p className="text-mute">
          {visits.length === 1 ? 'Tiene 1 cita ese día.' : `Tiene ${visits.length} citas ese día.`} Buscamos
          la opción que menos afecta a cada cliente. Si conserva su hora, se asigna en este momento; si
          cambia, primero le preguntamos.
        </p>
      )}
      <ul className="grid gap-4">
        {visits.map((visit) => (
          <li key={visit.id}>
            <Stranded visit={visit} />
          </li>
        ))}
      </ul>
      <Card title={visits.length === 0 ? 'No tiene citas ese día' : 'La ausencia'}>
        <Field
          label="Motivo"
          name="reason"
          optional
          maxLength={200}
          autoComplete="off"
          help="Solo lo ve la gerencia."
        />
      </Card>
      <ActionBar>
        <Submit>{visits.length === 0 ? 'Registrar la ausencia' : 'Confirmar todo y avisar'}</Submit>
      </ActionBar>
    </Form>
  )
}

function Stranded({ visit }: { visit: Proposed }) {
  const { id, customer, folio, options, service, start, version } = visit
  const name = `choice.${id}`
  const { error, typed } = useFieldResult(name)
  const [best] = options
  const chosen = typed ?? choiceText(best ? choiceOf(best) : { kind: 'release' })
  return (
    <Card
      title={`${minuteTime(start)} · ${customer}`}
      aside={
        <span className="text-[0.9375rem] text-mute">{`${serviceFacts[service].label} · ${folio}`}</span>
      }
    >
      <input type="hidden" name={`seen.${id}`} value={version} />
      <fieldset className="grid gap-2" aria-describedby={error ? `${name}-error` : undefined}>
        <legend className="sr-only">Qué hacemos con la cita de {customer}</legend>
        {!best && <p className="font-semibold text-bad">Nadie puede tomarla en los próximos días.</p>}
        {options.map((option) => (
          <Choice
            key={choiceText(choiceOf(option))}
            name={name}
            chosen={chosen}
            value={choiceText(choiceOf(option))}
            title={titleOf(option)}
            aside={disruptionLevel(option.harm.total)}
          >
            {changesOf(option)} {whatHappens(option)}
          </Choice>
        ))}
        <Choice
          name={name}
          chosen={chosen}
          value={choiceText({ kind: 'release' })}
          title="Dejarla sin persona"
        >
          Conserva su hora y queda por asignar.
        </Choice>
        <FieldNotes id={name} error={error} help={undefined} />
      </fieldset>
    </Card>
  )
}

type ChoiceProps = {
  name: string
  value: string
  chosen: string
  title: string
  /** The drawback of the move, where it has one. */
  aside?: string
  children: ReactNode
}

function Choice({ name, value, chosen, title, aside, children }: ChoiceProps) {
  return (
    <label className="flex min-h-14 items-start gap-3 rounded-control border border-line px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-soft">
      <input
        type="radio"
        name={name}
        value={value}
        defaultChecked={value === chosen}
        className="mt-1 size-5 shrink-0 accent-brand"
      />
      <span className="grid flex-1 gap-0.5">
        <span className="flex flex-wrap justify-between gap-x-4">
          <span className="font-semibold">{title}</span>
          {aside && (
            <span className="text-[0.9375rem] text-mute">
              Molestia para el cliente: <b className="font-semibold text-ink">{aside}</b>
            </span>
          )}
        </span>
        <span className="text-sm text-mute">{children}</span>
      </span>
    </label>
  )
}

const choiceOf = ({ isOffer, personId, start }: AbsenceOption): AbsenceChoice =>
  isOffer ? { kind: 'offer', personId, start } : { kind: 'give', personId }

const startOf = ({ start }: AbsenceOption) => new Date(start * 60_000)

const titleOf = (option: AbsenceOption) =>
  option.isOffer
    ? `Proponer ${dateTime(startOf(option))}, con ${option.name}`
    : `Asignar a ${option.name}, a su hora`

const whatHappens = ({ endsAt, isOffer }: AbsenceOption) =>
  isOffer ? `Tiene hasta el ${dateTime(endsAt)} para contestar.` : 'Le avisamos quién va.'

/** What changes for the customer: "Misma hora, otra persona.", "1 h 30 min de diferencia, otra persona." */
function changesOf({ harm: { again, days, minutes, person } }: AbsenceOption): string {
  const hour = days > 0 ? 'Otro día' : minutes > 0 ? `${duration(minutes)} de diferencia` : 'Misma hora'
  const moved = again > 0 && ' Ya se le había cambiado la hora.'
  return [`${hour}, ${person > 0 ? 'otra' : 'la misma'} persona.`, moved].filter(Boolean).join('')
}
