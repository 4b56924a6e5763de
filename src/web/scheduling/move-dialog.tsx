import { useMemo, useState } from 'react'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { customerPath } from '../../domain/projects/pipeline.ts'
import {
  type BoardDay,
  type BoardVisit,
  hoursOf,
  isBarred,
  judgeOf,
  type MoveVerdict,
  startsWithin,
} from '../../domain/scheduling/board.ts'
import { isHard, reasonWords } from '../../domain/scheduling/eligibility.ts'
import { minuteTime, shortDate } from '../../domain/shared/format.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { DialogWindow } from '../ui/dialog-window.tsx'
import { Select, TextArea } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'

export type WantedMove = { visit: BoardVisit; personId: string | null; start: number }
type MoveDialogProps = {
  board: BoardDay
  wanted: WantedMove
  /** The refusal of the same form. */
  result: Failure | undefined
  action: string
  onClose: () => void
}

/** The assignee of an appointment, and its time on that day: judged as it is chosen, before anything is sent. */
export function MoveDialog({ board, wanted, result, action, onClose }: MoveDialogProps) {
  const { visit } = wanted
  const judge = useMemo(() => judgeOf(board, visit), [board, visit])
  const [start, setStart] = useState(wanted.start)
  const people = peopleFor(board, visit, (id) => judge(id, start))
  const [personId, setPersonId] = useState(wanted.personId ?? people.find(({ able }) => able)?.id ?? '')
  const verdict = personId ? judge(personId, start) : null
  const name = board.people.find(({ id }) => id === visit.personId)?.name
  const [opened] = useState(visit.version)
  const version = result?.refusal?.code === 'aborted' ? visit.version : opened
  return (
    <DialogWindow
      onClose={onClose}
      // It may be in another lane by then.
      focusAfter={() => document.querySelector<HTMLElement>(`[data-block="${visit.id}"]`)}
      title={`${visit.customer} · ${serviceFacts[visit.service].label}`}
      description={`${visit.folio}. Ahora: ${shortDate(new Date(visit.start * 60_000))}, ${minuteTime(visit.start)}, ${name ? `con ${name}` : 'sin persona'}${name && !visit.confirmed ? ' (provisional)' : ''}.`}
    >
      <Form result={result} action={action} preventScrollReset>
        <input type="hidden" name="appointmentId" value={visit.id} />
        <input type="hidden" name="version" value={version} />
        <Select
          label="Persona"
          name="assigneeId"
          placeholder="Elige a una persona"
          options={people.map(({ id, label }) => ({ value: id, label }))}
          defaultValue={personId}
          onChange={({ currentTarget }) => setPersonId(currentTarget.value)}
        />
        <Select
          label="Hora"
          name="startsAt"
          options={hoursFor(board, visit)}
          defaultValue={String(start)}
          onChange={({ currentTarget }) => setStart(Number(currentTarget.value))}
        />
        {verdict && (
          <div aria-live="polite">
            <Alert tone={verdictTone(verdict)} title={verdictTitle(verdict)}>
              <p>{verdictWords(verdict).join('; ')}</p>
              {start !== visit.start && !isBarred(verdict) && (
                <p>A {visit.customer} le avisamos de su nueva hora.</p>
              )}
            </Alert>
          </div>
        )}
        {verdict && verdict.reasons.length > 0 && !isBarred(verdict) && (
          <TextArea label="¿Por qué lo haces de todos modos?" name="overrideReason" maxLength={300} />
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="flex flex-wrap gap-x-4">
            <Link to={`/admin/assignations/${visit.id}`} className={linkClass}>
              Ver la cita, u otro día
            </Link>
            <Link to={customerPath(visit.customerId)} className={linkClass}>
              Ver al cliente
            </Link>
          </span>
          <Submit className="max-sm:flex-1">Guardar</Submit>
        </div>
      </Form>
    </DialogWindow>
  )
}

const linkClass = 'inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-2'

/**
 * The people who do this work, with what prevents each. Always in the same order: options that change places lose
 * the choice made among them.
 */
function peopleFor(
  { people }: BoardDay,
  visit: BoardVisit,
  judge: (personId: string) => ReturnType<ReturnType<typeof judgeOf>>,
) {
  const kind = serviceFacts[visit.service].by
  return people
    .filter((person) => person.kind === kind)
    .map(({ id, name }) => {
      const against = verdictWords(judge(id))
      return { id, able: against.length === 0, label: [name, ...against].join(' · ') }
    })
}

function hoursFor(board: BoardDay, visit: BoardVisit) {
  const starts = startsWithin(board, hoursOf(board))
  const all = starts.includes(visit.start) ? starts : [...starts, visit.start].sort((a, b) => a - b)
  return all.map((start) => ({
    value: String(start),
    label: start === visit.start ? `${minuteTime(start)} (como está)` : minuteTime(start),
  }))
}

/** What is against a move, in words; first what the user can't override. */
export const verdictWords = ({ past, reasons }: MoveVerdict): string[] => [
  ...(past ? ['Esa hora ya pasó'] : []),
  ...reasons.toSorted((a, b) => Number(isHard(b)) - Number(isHard(a))).map(reasonWords),
]

/** How a move is judged: it can be made, with a reason, or not at all. */
export const verdictTitle = (verdict: MoveVerdict) =>
  isBarred(verdict) ? 'No se puede' : verdict.reasons.length > 0 ? 'Se puede con un motivo' : 'Puede tomarla'

export const verdictTone = (verdict: MoveVerdict) =>
  isBarred(verdict) ? 'bad' : verdict.reasons.length > 0 ? 'wait' : 'ok'
