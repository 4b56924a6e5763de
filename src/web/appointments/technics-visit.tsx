import { CalendarPlus, House } from 'lucide-react'
import { db } from '../../server/context.ts'
import { overviewOf, streetLine } from '../../server/projects/overview.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { someone } from '../someone.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/technics-visit.ts'
import { VisitCard } from './visit-card.tsx'

export const handle = { announcesUpdates: true }

export const loader = async ({ context }: Route.LoaderArgs) => {
  const [overview, staffing] = await Promise.all([
    overviewOf(context.get(db), someone(context)),
    currentStaffing(context.get(db)),
  ])
  const visits = [overview.active, ...overview.past].filter((visit) => visit !== null)
  return {
    line: overview.line,
    canBook: overview.canBook,
    hasAddress: overview.address !== null,
    window: staffing.settings.arrivalWindowMinutes,
    visits: visits.map(({ id, folio, state, startsAt, assignee, closingNote, address }) => ({
      id,
      folio,
      state,
      startsAt,
      assignee,
      closingNote,
      place: address && streetLine(address),
    })),
  }
}

export default function TechnicsVisit({ loaderData }: Route.ComponentProps) {
  const { visits, line, canBook, hasAddress, window } = loaderData
  return (
    <>
      <PageHeader title="Visita técnica" subtitle={line} />
      {visits.length === 0 && (
        <EmptyState icon={canBook ? CalendarPlus : House}>
          Un técnico revisa tu instalación eléctrica y el lugar del cargador. Dura una hora y no tiene costo.
        </EmptyState>
      )}
      <div className="grid gap-4 lg:max-w-3xl">
        {visits.map((visit) => (
          <VisitCard
            key={visit.id}
            title="Visita técnica"
            visit={visit}
            window={window}
            place={visit.place}
          />
        ))}
      </div>
      {canBook && (
        <ActionBar>
          <LinkButton to="/agenda-technics-visit">Agendar visita</LinkButton>
        </ActionBar>
      )}
      {!hasAddress && (
        <ActionBar>
          <LinkButton to="/address">Dar mi domicilio</LinkButton>
        </ActionBar>
      )}
    </>
  )
}
