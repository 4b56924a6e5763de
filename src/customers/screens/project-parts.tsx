import type { ReactNode } from 'react'
import { isActive, serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { caseKindLabels, caseStateFacts, caseTurnSentence } from '../../cfe/rules/case.ts'
import { quoteStateFacts } from '../../quotes/rules/quote.ts'
import { dateTime, lowerFirst, money, relative, shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import type { ProjectFile } from '../queries.ts'

/** A part of a project in two lines, its state at the right. */
export const PartRow = ({
  children,
  note,
  badge,
}: {
  children: ReactNode
  note: ReactNode
  badge?: ReactNode
}) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
    <span className="grid min-w-0 gap-0.5">
      <span className="wrap-anywhere">{children}</span>
      <span className="text-sm text-mute wrap-anywhere">{note}</span>
    </span>
    {badge}
  </li>
)

type ProjectAppointmentsProps = {
  rows: ProjectFile['appointments']
  /** The addresses where they are moved, by their ids. */
  moves: Readonly<Record<string, string>>
}

/** Its visits, calls and installations, the latest first. */
export const ProjectAppointments = ({ moves, rows }: ProjectAppointmentsProps) => (
  <Card title="Citas">
    <ul className="grid gap-3">
      {rows.map(({ folio, id, person, service, startsAt, state }) => (
        <PartRow
          key={id}
          note={[folio, dateTime(startsAt), person].filter(Boolean).join(', ')}
          badge={<Badge tone={stateFacts[state].tone}>{stateFacts[state].label}</Badge>}
        >
          <Link to={appointmentPath(isActive(state) ? 'pending' : 'done', { id, service })}>
            {serviceFacts[service].label}
          </Link>
          {moves[id] && (
            <>
              {' · '}
              <Link to={moves[id]}>
                Mover<span className="sr-only"> {folio}</span>
              </Link>
            </>
          )}
        </PartRow>
      ))}
    </ul>
  </Card>
)

/** Its quotes; their amounts only where they were read. */
export const ProjectQuotes = ({ rows }: { rows: ProjectFile['quotes'] }) => (
  <Card title="Cotizaciones">
    <ul className="grid gap-3">
      {rows.map((quote) => (
        <PartRow
          key={quote.id}
          note={[totalOf(quote), quote.sentAt && `enviada ${shortDate(quote.sentAt)}`]
            .filter(Boolean)
            .join(', ')}
          badge={<Badge tone={quoteStateFacts[quote.state].tone}>{quoteStateFacts[quote.state].label}</Badge>}
        >
          <Link to={`/admin/cotizations/detail-quote/${quote.id}`}>
            {quote.revision > 1 ? `${quote.folio}, versión ${quote.revision}` : quote.folio}
          </Link>
        </PartRow>
      ))}
    </ul>
  </Card>
)

function totalOf({ acceptedTotal, highestTotal, lowestTotal }: ProjectFile['quotes'][number]): string | null {
  if (acceptedTotal !== null) return money(acceptedTotal)
  if (lowestTotal === null || highestTotal === null) return null
  return lowestTotal === highestTotal ? money(lowestTotal) : `${money(lowestTotal)} a ${money(highestTotal)}`
}

type ProjectCasesProps = { rows: ProjectFile['cases']; isLinked: boolean; now: Date }

/** Its cases with CFE, with whose turn it is. */
export const ProjectCases = ({ rows, isLinked, now }: ProjectCasesProps) => (
  <Card title="Trámites ante CFE">
    <ul className="grid gap-3">
      {rows.map(({ dueOn, folio, id, isMine, kind, state, waitingOn, waitingSince }) => (
        <PartRow
          key={id}
          note={[
            folio,
            waitingOn !== 'none' &&
              `${lowerFirst(caseTurnSentence(waitingOn, isMine))} ${relative(waitingSince, now)}`,
            dueOn && `para el ${shortDate(dueOn)}`,
          ]
            .filter(Boolean)
            .join(', ')}
          badge={<Badge tone={caseStateFacts[state].tone}>{caseStateFacts[state].label}</Badge>}
        >
          {isLinked ? <Link to={`/admin/gesties/${id}`}>{caseKindLabels[kind]}</Link> : caseKindLabels[kind]}
        </PartRow>
      ))}
    </ul>
  </Card>
)

type ProjectTasksProps = { tasks: NonNullable<ProjectFile['tasks']>; now: Date }

/** What the staff has to do by hand about it; it is closed at home. */
export const ProjectTasks = ({ tasks, now }: ProjectTasksProps) => (
  <Card title="Pendientes" aside={<Link to="/admin">Atenderlos</Link>}>
    <ul className="grid gap-3">
      {tasks.map(({ createdAt, id, subject, urgent }) => (
        <PartRow key={id} note={relative(createdAt, now)} badge={urgent && <Badge tone="bad">Urgente</Badge>}>
          {subject}
        </PartRow>
      ))}
    </ul>
  </Card>
)
