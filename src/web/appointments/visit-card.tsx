import type { AppointmentState } from '../../domain/appointment.ts'
import { arrivalWindow, dateTime } from '../format.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { StateBadge } from './state-badge.tsx'

type Visit = {
  folio: string
  state: AppointmentState
  startsAt: Date
  assignee: string | null
  closingNote?: string | null
}
type VisitCardProps = {
  title: string
  visit: Visit
  window: number
  place?: string | null
  children?: React.ReactNode
}

/** A booked visit as its customer sees it: when, whom to expect, and its folio. */
export function VisitCard({ title, visit, window, place, children }: VisitCardProps) {
  const { folio, state, startsAt, assignee, closingNote } = visit
  return (
    <Card title={title} aside={<StateBadge state={state} />}>
      <div>
        <p className="text-xl font-semibold">{dateTime(startsAt).split(',')[0]}</p>
        <p>{arrivalWindow(startsAt, window)}</p>
      </div>
      <DefinitionList
        items={[
          { term: 'Folio', value: folio },
          { term: 'Domicilio', value: place },
          {
            term: 'Técnico',
            value: assignee ?? (state === 'requested' ? 'Te confirmamos quién te visita' : null),
          },
          { term: 'Nota de cierre', value: closingNote },
        ]}
      />
      {children}
    </Card>
  )
}
