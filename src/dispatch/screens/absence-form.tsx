import { type ReactNode, useState } from 'react'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { lateMinutes } from '../../appointments/rules/late.ts'
import { LateBadge } from '../../appointments/screens/office-notices.tsx'
import { StateIcons } from '../../appointments/screens/state-badge.tsx'
import { Field, FieldNotes, useField } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import type { Failure } from '../../kit/submit.ts'
import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import { counted, dateTime, duration, longDate, minuteTime } from '../../shared/format.ts'
import { ActionBar } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { AbsenceOption, AbsencePlan, Proposed } from '../absence-plan.ts'
import {
  type AbsenceChoice,
  absenceChoiceIn,
  absenceWords,
  choiceText,
  disruptionLevel,
} from '../rules/absence.ts'
import type { BoardDay, BoardOffer } from '../rules/board.ts'
import { BeforeAfter } from './before-after.tsx'

type AbsenceFormProps = {
  plan: AbsencePlan
  result: Failure | undefined
  /** Other days or times were typed than those shown. */
  isTypedOver: boolean
}

/** What happens to each appointment of the days, and what each day becomes; nothing happens before the manager confirms it. */
export function AbsenceForm({ isTypedOver, plan, result }: AbsenceFormProps) {
  const { boards, date, person, until, visits } = plan
  const version = useVersionSeen(person.version, result)
  const [picked, setPicked] = useState<Record<string, string>>({})
  const choiceFor = (visit: Proposed) =>
    absenceChoiceIn(picked[visit.id] ?? result?.values[`choice.${visit.id}`] ?? '') ?? firstChoice(visit)
  const decided = visits.map((visit) => ({ visit, state: visit.state, choice: choiceFor(visit) }))
  const when = until === date ? 'ese día' : 'esos días'
  return (
    <Form result={result}>
      <input type="hidden" name="version" value={version} />
      {visits.length > 0 && (
        <p className="max-w-prose text-mute">
          {`Tiene ${counted(visits.length, 'cita', 'citas')} ${when}.`} Buscamos la opción que menos afecta a
          cada cliente. Si conserva su hora, se asigna y se confirma en este momento; si cambia, primero le
          preguntamos.
        </p>
      )}
      <Card title={visits.length === 0 ? `No tiene citas ${when}` : 'Al confirmar'} className="max-w-5xl">
        {visits.length > 0 && <Outcome plan={plan} decided={decided} />}
        {visits.some(({ options }) => options.some(({ exception }) => exception)) && (
          <Field
            label="Motivo de las excepciones"
            name="keepReason"
            optional="unsaid"
            maxLength={300}
            autoComplete="off"
            defaultValue={`Ausencia de ${person.name}`}
            help="Si eliges a alguien con excepción. Queda en la historia de la cita."
          />
        )}
        <Field
          label="Motivo"
          name="reason"
          optional
          maxLength={200}
          autoComplete="off"
          help="Solo lo ve la gerencia."
        />
        <ActionBar>
          {isTypedOver ? (
            <p role="status">Cambiaste las fechas u horas: pulsa «Ver esos días» antes de confirmar.</p>
          ) : (
            <Submit>{visits.length === 0 ? 'Registrar la ausencia' : 'Confirmar todo y avisar'}</Submit>
          )}
        </ActionBar>
      </Card>
      <StateIcons />
      {boards.map((board) => {
        const own = visits
          .filter(({ start }) => isWithin(start, board.day))
          .toSorted((a, b) => a.start - b.start)
        return (
          <section key={board.day.date} className="grid grid-cols-1 gap-4">
            <h2 className={until === date ? 'sr-only' : 'text-lg font-semibold'}>
              {longDate(board.day.date)}
            </h2>
            <BeforeAfter before={board} after={afterAbsence(board, plan, decided)} />
            <ul className="grid max-w-5xl gap-4">
              {own.map((visit) => (
                <li key={visit.id}>
                  <Stranded
                    visit={visit}
                    now={board.now}
                    onChoose={(choice) => setPicked((all) => ({ ...all, [visit.id]: choice }))}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </Form>
  )
}

type Decided = { visit: Proposed; state: Proposed['state']; choice: AbsenceChoice }

const isWithin = (start: number, { end, start: from }: MinuteSpan) => start >= from && start < end

const firstChoice = ({ options: [best] }: Proposed): AbsenceChoice =>
  best && !best.isOffShift ? choiceOf(best) : { kind: 'release' }

/** What the press does, before it: it follows the choices. */
function Outcome({ plan: { person, sentAt }, decided }: { plan: AbsencePlan; decided: readonly Decided[] }) {
  const isOffered = decided.some(({ choice }) => choice.kind === 'offer')
  return (
    <div aria-live="polite" className="grid gap-1 text-[0.9375rem]">
      <ul className="list-disc pl-5">
        {absenceWords(person.name, decided).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <p className="text-mute">
        {isOffered && sentAt && `Las propuestas salen el ${dateTime(sentAt)} `}
        Esto no se puede deshacer: los avisos salen al confirmar.
      </p>
    </div>
  )
}

/** A day as the choices make it: what is given changes hands, what is offered is only asked about. */
function afterAbsence(board: BoardDay, plan: AbsencePlan, decided: readonly Decided[]): BoardDay {
  const { person, span } = plan
  const choices = new Map(decided.map(({ choice, visit }) => [visit.id, choice]))
  const given = (choice: AbsenceChoice) => (choice.kind === 'give' ? choice.personId : null)
  return {
    ...board,
    people: board.people.map((one) =>
      one.id === person.id && span ? { ...one, timeOff: [...one.timeOff, span] } : one,
    ),
    visits: board.visits.map((visit) => {
      const choice = choices.get(visit.id)
      return choice ? { ...visit, personId: given(choice) } : visit
    }),
    offers: plan.boards.flatMap(({ visits }) =>
      visits.flatMap((visit): BoardOffer[] => {
        const choice = choices.get(visit.id)
        if (choice?.kind !== 'offer') return []
        if (!isWithin(choice.start, board.day) && !isWithin(visit.start, board.day)) return []
        const { customer, end, id, service, start, surname, zone } = visit
        const place = { start: choice.start, end: choice.start + end - start, from: start, expiresAt: start }
        return [
          {
            id,
            customer,
            surname,
            service,
            zone,
            appointmentId: id,
            personId: choice.personId,
            absentId: person.id,
            ...place,
          },
        ]
      }),
    ),
  }
}

type StrandedProps = {
  visit: Proposed
  /** In epoch minutes. */
  now: number
  onChoose: (choice: string) => void
}

function Stranded({ visit, now, onChoose }: StrandedProps) {
  const late = lateMinutes(visit, now)
  const { id, customer, folio, options, service, start, version } = visit
  const name = `choice.${id}`
  const { described, error, id: fieldId, typed } = useField({ name })
  const chosen = typed ?? choiceText(firstChoice(visit))
  const same = { name, chosen, onChoose }
  const choices = [
    ...options.map((option) => (
      <Choice
        key={choiceText(choiceOf(option))}
        {...same}
        value={choiceText(choiceOf(option))}
        title={titleOf(option, late > 0)}
        aside={disruptionLevel(option.harm.total)}
      >
        {option.exception && `${option.exception}. `}
        {late > 0 && !option.isOffer ? 'Sale en cuanto lo lea.' : changesOf(option)} {whatHappens(option)}
      </Choice>
    )),
    <Choice key="release" {...same} value={choiceText({ kind: 'release' })} title="Dejarla sin persona">
      Conserva su hora y queda por asignar.
    </Choice>,
  ]
  return (
    <Card
      title={`${minuteTime(start)} · ${customer}`}
      aside={
        <span className="flex flex-wrap items-center gap-2 text-[0.9375rem] text-mute">
          {late > 0 && <LateBadge minutes={late} />}
          {`${serviceFacts[service].label} · ${folio}`}
        </span>
      }
    >
      <input type="hidden" name={`seen.${id}`} value={version} />
      <fieldset {...described} id={fieldId} className="grid gap-2">
        <legend className="sr-only">Qué hacemos con la cita de {customer}</legend>
        {options.length === 0 && (
          <p className="font-semibold text-bad">Nadie puede tomarla en los próximos días.</p>
        )}
        {options.length > 0 ? (
          <>
            {choices[0]}
            <details open={chosen !== choiceText(choiceOf(options[0]!))}>
              <summary className="flex min-h-11 items-center text-[0.9375rem] text-mute underline underline-offset-2 select-none hover:text-ink">
                Otras opciones
              </summary>
              <div className="grid gap-2">{choices.slice(1)}</div>
            </details>
          </>
        ) : (
          choices
        )}
        <FieldNotes id={fieldId} error={error} />
      </fieldset>
    </Card>
  )
}

type ChoiceProps = {
  name: string
  value: string
  chosen: string
  onChoose: StrandedProps['onChoose']
  title: string
  /** The drawback of the move, where it has one. */
  aside?: string
  children: ReactNode
}

function Choice({ name, value, chosen, onChoose, title, aside, children }: ChoiceProps) {
  return (
    <label className="flex min-h-14 items-start gap-3 rounded-control border border-line px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-soft">
      <input
        type="radio"
        name={name}
        value={value}
        defaultChecked={value === chosen}
        onChange={() => onChoose(value)}
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

const choiceOf = ({ exception, isOffer, personId, start }: AbsenceOption): AbsenceChoice =>
  isOffer ? { kind: 'offer', personId, start } : { kind: 'give', personId, isException: exception !== null }

const startOf = ({ start }: AbsenceOption) => new Date(start * 60_000)

const titleOf = (option: AbsenceOption, isLate: boolean) =>
  option.isOffer
    ? `Proponer ${dateTime(startOf(option))}, con ${option.name}`
    : `Asignar a ${option.name}, ${isLate ? 'que puede ir ahora' : 'a su hora'}${option.exception ? ', con excepción' : ''}`

const whatHappens = ({ endsAt, isOffer }: AbsenceOption) =>
  isOffer ? `Tiene hasta el ${dateTime(endsAt)} para contestar.` : 'Le avisamos quién va.'

/** What changes for the customer: "Misma hora, otra persona.", "1 h 30 min de diferencia, otra persona." */
function changesOf({ harm: { again, days, minutes, person } }: AbsenceOption): string {
  const hour = days > 0 ? 'Otro día' : minutes > 0 ? `${duration(minutes)} de diferencia` : 'Misma hora'
  const moved = again > 0 && ' Ya se le había cambiado la hora.'
  return [`${hour}, ${person > 0 ? 'otra' : 'la misma'} persona.`, moved].filter(Boolean).join('')
}

/**
 * The version that the values of a form belong to: the one it was opened on, or sent with, although the page may
 * have read a newer one since. Once the user was notified that it is stale, what they send next is meant for the
 * newest.
 */
function useVersionSeen(newest: number, result: Failure | undefined): number | string {
  const [opened] = useState(newest)
  if (!result) return opened
  return result.refusal?.code === 'aborted' ? newest : (result.values.version ?? newest)
}
