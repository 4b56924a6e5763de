import type { RouterContextProvider } from 'react-router'
import type { Service } from '../../domain/appointments/appointment.ts'
import { areaNotices } from '../../domain/projects/address.ts'
import { db, enabledModules } from '../../server/app/context.ts'
import { allowedActionsOf } from '../../server/appointments/change-time.ts'
import { type OwnAppointment, overviewOf, streetLine } from '../../server/projects/overview.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { waitingOf } from '../../server/scheduling/waiting-list.ts'
import { requireActor } from '../lib/require-actor.ts'
import type { ShownAppointment } from './appointment-card.tsx'

export type OwnServicePage = Awaited<ReturnType<typeof ownService>>

/** What a customer's page of one service shows. */
export async function ownService(context: Readonly<RouterContextProvider>, service: Service) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const [overview, { settings }] = await Promise.all([
    overviewOf(database, actor, now, context.get(enabledModules)),
    currentStaffing(database),
  ])
  const { active, past, hindrance, moveOffer } = overview.services[service]
  const [rights, waiting] = await Promise.all([
    active && allowedActionsOf(database, actor, active.id, now),
    waitingOf(database, actor, service, now),
  ])
  return {
    service,
    stage: overview.stage,
    line: overview.line,
    asked: overview.asked,
    hindrance,
    notice: hindrance === 'area' && overview.area !== 'none' ? areaNotices[overview.area] : null,
    ready: service === 'installation' ? overview.ready : [],
    minutes: settings.services[service].minutes,
    visitPrice: settings.visitFee.amount,
    window: settings.arrivalWindowMinutes,
    rights,
    waiting,
    moveOffer,
    now,
    call: service === 'videocall' ? overview.call : null,
    next: overview.next,
    active: active && shown(active),
    past: past.map(shown),
  }
}

/** An appointment without what its customer's pages don't show. */
export const shown = ({
  id,
  folio,
  service,
  state,
  startsAt,
  minutes,
  assignee,
  interest,
  outcome,
  closingReason,
  closingNote,
  address,
  summary,
  nextSteps,
  customerCameAt,
}: OwnAppointment): ShownAppointment => ({
  ...{
    id,
    folio,
    service,
    state,
    startsAt,
    minutes,
    assignee,
    interest,
    outcome,
    closingReason,
    closingNote,
    summary,
    nextSteps,
  },
  isMissed: closingReason === 'analista_no_disponible' && customerCameAt !== null,
  place: address && streetLine(address),
})
