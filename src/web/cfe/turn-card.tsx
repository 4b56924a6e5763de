import type { ReactNode } from 'react'
import { caseTurnLabels, isOverdue } from '../../domain/cfe/case.ts'
import { relative, shortDate } from '../../domain/shared/format.ts'
import type { ShownCase } from '../../server/cfe/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { dueWords } from './due-words.ts'

type TurnCardProps = { shown: ShownCase; now: Date; today: string; className: string; children: ReactNode }

/** Whose turn it is, since when and until when, and what can be done about it. */
export function TurnCard({ shown: { dates, row }, now, today, className, children }: TurnCardProps) {
  const { dueOn, holdReason, reason, requestNumber, filedAt, waitingOn, waitingSince } = row
  const due = dueWords(waitingOn, dates)
  return (
    <Card
      title={waitingOn === 'none' ? 'Este trámite terminó' : `Turno: ${caseTurnLabels[waitingOn]}`}
      aside={isOverdue(dueOn, today) && <Badge tone="bad">Atrasado</Badge>}
      className={className}
    >
      <div className="grid gap-1">
        <p>
          Desde el {shortDate(waitingSince)}, {relative(waitingSince, now)}.
        </p>
        {due && <p className="text-[0.9375rem] text-mute">{due}</p>}
        {(holdReason ?? reason) && (
          <p className="wrap-anywhere">
            <b className="font-semibold">Motivo:</b> {holdReason ?? reason}
          </p>
        )}
        {filedAt && (
          <p className="text-[0.9375rem] text-mute">
            Ingresado el {shortDate(filedAt)}
            {requestNumber && `, solicitud ${requestNumber}`}.
          </p>
        )}
      </div>
      {children}
    </Card>
  )
}
