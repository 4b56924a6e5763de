import { useMovesOnPhone } from '../../appointments/screens/day/phone-steps.ts'
import { Field } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import type { MoveRow } from '../../offline/outbox/rows.ts'
import { dateSpan } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { OwnTimeOff } from '../own-time-off.ts'
import { timeOffStates } from '../rules/staffing-change.ts'

type OwnTimeOffProps = {
  own: readonly OwnTimeOff[]
  /** Whose phone keeps what is asked for here; null where none does. */
  personId: string | null
}

/** The user's own time off: the requests with their answers and those that wait on the phone, and a form for more. */
export function OwnTimeOffCard({ own, personId }: OwnTimeOffProps) {
  const open = useMovesOnPhone(personId).filter(({ state }) => state !== 'sent')
  const asked = open.filter(({ move }) => move === 'askTimeOff')
  const withdrawn = new Map(
    open.flatMap((row) => (row.move === 'withdrawTimeOff' ? [[row.form?.timeOffId, row] as const] : [])),
  )
  return (
    <Card id="permisos" title="Permisos y vacaciones">
      {own.length + asked.length > 0 && (
        <ul className="grid divide-y divide-line">
          {asked.map((row) => (
            <AskedHere key={row.id} row={row} />
          ))}
          {own.map((one) => (
            <Asked key={one.id} one={one} withdrawal={withdrawn.get(one.id)} />
          ))}
        </ul>
      )}
      <Form intent="time-off-ask" key={own[0]?.id}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Desde el día" name="from" type="date" />
          <Field label="Desde la hora" name="fromTime" type="time" optional />
          <Field label="Hasta el día" name="to" type="date" />
          <Field label="Hasta la hora" name="toTime" type="time" optional />
          <Field
            label="Motivo"
            name="reason"
            maxLength={200}
            autoComplete="off"
            className="sm:col-span-2"
            help="Solo lo ve la gerencia. Sin horas, son días completos."
          />
        </div>
        <Submit className="sm:justify-self-start">Pedir permiso</Submit>
      </Form>
    </Card>
  )
}

type AskedProps = { one: OwnTimeOff; withdrawal: MoveRow | undefined }

function Asked({ one: { id, from, to, reason, refusedReason, state }, withdrawal }: AskedProps) {
  const words = dateSpan(from, to)
  const { label, tone } = timeOffStates[state]
  const isLeaving = withdrawal?.state === 'waiting'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold">{words}</p>
        {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
        {refusedReason && <p className="text-[0.9375rem] wrap-anywhere">Respuesta: {refusedReason}</p>}
        <p>
          {isLeaving ? <Badge tone="wait">Retirada, por enviar</Badge> : <Badge tone={tone}>{label}</Badge>}
        </p>
        {withdrawal?.problem && (
          <p className="text-[0.9375rem] wrap-anywhere">
            No se aceptó que la retiraras. {withdrawal.problem.description}
          </p>
        )}
      </div>
      {state === 'asked' && !isLeaving && (
        <Form intent="time-off-withdraw" target={{ timeOffId: id }}>
          <input type="hidden" name="dates" value={words} />
          <Submit variant="ghost" aria-label={`Retirar ${words}`}>
            Retirar
          </Submit>
        </Form>
      )}
    </li>
  )
}

/** A request that this phone has not sent yet, or that the server refused. */
const AskedHere = ({ row: { form, problem } }: { row: MoveRow }) => (
  <li className="grid gap-1 py-3 first:pt-0">
    <p className="font-semibold">{form?.dates}</p>
    <p className="text-[0.9375rem] wrap-anywhere text-mute">{form?.reason}</p>
    <p>
      <Badge tone={problem ? 'bad' : 'wait'}>{problem ? 'No se aceptó' : 'Por enviar'}</Badge>
    </p>
    {problem && (
      <p className="text-[0.9375rem] wrap-anywhere">{problem.description} Bórrala en «Por enviar».</p>
    )}
  </li>
)
