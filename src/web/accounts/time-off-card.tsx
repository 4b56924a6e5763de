import { dateSpan } from '../../domain/shared/format.ts'
import { timeOffStates } from '../../domain/users/staffing-change.ts'
import type { OwnTimeOff } from '../../server/users/own-time-off.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type TimeOffCardProps = {
  own: readonly OwnTimeOff[]
}

/** One's own time off: what was asked for with its answer, and a form for more. */
export function TimeOffCard({ own }: TimeOffCardProps) {
  return (
    <Card id="permisos" title="Permisos y vacaciones">
      {own.length > 0 && (
        <ul className="grid divide-y divide-line">
          {own.map((one) => (
            <Asked key={one.id} one={one} />
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

function Asked({ one: { id, from, to, reason, refusedReason, state } }: { one: OwnTimeOff }) {
  const words = dateSpan(from, to)
  const { label, tone } = timeOffStates[state]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold">{words}</p>
        {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
        {refusedReason && <p className="text-[0.9375rem] wrap-anywhere">Respuesta: {refusedReason}</p>}
        <p>
          <Badge tone={tone}>{label}</Badge>
        </p>
      </div>
      {state === 'asked' && (
        <Form intent="time-off-withdraw" target={{ timeOffId: id }}>
          <Submit variant="ghost" aria-label={`Retirar ${words}`}>
            Retirar
          </Submit>
        </Form>
      )}
    </li>
  )
}
