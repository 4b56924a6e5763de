import { CalendarCheck } from 'lucide-react'
import { absenceInput } from '../../domain/scheduling/schema.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { longDate } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { offersOf } from '../../server/scheduling/absences-queries.ts'
import { confirmAbsence } from '../../server/scheduling/confirm.ts'
import { absenceOf } from '../../server/scheduling/proposals.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { load } from '../lib/load.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/absence.ts'
import { AbsenceForm } from './absence-form.tsx'
import { AbsenceRecord } from './absence-record.tsx'
import { dateIn } from './board-query.ts'
import { OfferTable } from './offer-table.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

const asked = ({ searchParams }: URL, now: Date) => ({
  personId: searchParams.get('persona') ?? '',
  date: dateIn(searchParams.get('dia'), localDate(toMinutes(now))),
})

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const { date, personId } = asked(url, now)
    const plan = (await absenceOf(database, actor, personId, date, now)) ?? refuse('not-found')
    return { plan, offers: await offersOf(database, actor, personId, date, now) }
  })

export const action = ({ request, context, url }: Route.ActionArgs) =>
  submit(request, absenceInput, async (wish) => {
    const now = new Date()
    const { date, personId } = asked(url, now)
    const { offered } = await confirmAbsence(context.get(db), someone(context), personId, date, wish, now)
    const words =
      offered === 0
        ? 'No hizo falta mandar propuestas.'
        : offered === 1
          ? 'Mandamos 1 propuesta.'
          : `Mandamos ${offered} propuestas.`
    return toast(`${url.pathname}?persona=${personId}&dia=${date}`, 'Ausencia registrada', words)
  })

export default function Absence({ loaderData: { plan, offers }, actionData }: Route.ComponentProps) {
  const { date, person, recorded, span, underWay, visits } = plan
  const board = `/admin/assignations?dia=${date}`
  const isOpen = span !== null && !(recorded && visits.length === 0)
  useStepFocus(isOpen ? 'deciding' : 'recorded')
  return (
    <>
      <PageHeader
        title={isOpen ? `${person.name} no puede venir` : `Ausencia de ${person.name}`}
        subtitle={longDate(date)}
        back={{ to: board, label: 'Asignaciones de citas' }}
      />
      {underWay.map(({ id, folio, customer }) => (
        <Alert key={id} tone="info" title={`Está con ${customer} (${folio})`}>
          Su ausencia cuenta desde que termine esa cita.
        </Alert>
      ))}
      {isOpen ? (
        <AbsenceForm plan={plan} result={actionData} />
      ) : (
        <AbsenceRecord recorded={recorded} hasOffers={offers.length > 0} result={actionData} />
      )}
      {offers.length > 0 ? (
        <OfferTable offers={offers} />
      ) : (
        !isOpen && (
          <EmptyState icon={CalendarCheck} action={<LinkButton to={board}>Ver el tablero</LinkButton>}>
            No quedó ninguna propuesta por contestar.
          </EmptyState>
        )
      )}
    </>
  )
}
