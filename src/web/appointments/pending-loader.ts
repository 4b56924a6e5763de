import { type RouterContextProvider, redirect } from 'react-router'
import type { Actor } from '../../domain/access/actor.ts'
import { appointmentStates, type Facts, isActive } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { appointmentMachine, type MoveName } from '../../domain/appointments/transitions.ts'
import { quoteBlockedReason, writesQuotes } from '../../domain/quotes/quote.ts'
import { asksFacade } from '../../domain/reports/photos.ts'
import { sheetKindOf } from '../../domain/reports/report.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { freeToTakeOver } from '../../server/appointments/assign.ts'
import { type AppointmentDetail, appointmentFor, factsFor } from '../../server/appointments/detail.ts'
import { nearestFreeSlots } from '../../server/appointments/transition.ts'
import { facadeOf } from '../../server/platform/storage/addresses.ts'
import { quotesFrom } from '../../server/quotes/detail.ts'
import { sheetFor } from '../../server/reports/queries.ts'
import { requireActor } from '../lib/require-actor.ts'

export type Asked = { context: Readonly<RouterContextProvider>; params: { id: string } }

const next = ['setOut', 'start'] as const satisfies readonly MoveName[]
const offered = [
  ...next,
  ...['undoSetOut', 'undoStart', 'undoCallStart', 'pause', 'resume'],
  ...['callOff', 'finish', 'noShow', 'takeOver'],
] as readonly MoveName[]
/** Moves whose wait is worth a word before it is over. */
const awaited = ['undoSetOut', 'undoStart', 'undoCallStart', 'noShow'] as const satisfies readonly MoveName[]

/**
 * An appointment to be carried out: what its screen shows of it, what the viewer may do with it now and what has to wait
 * until when. The facts that all of it follows from are not for the page.
 */
export async function loadPending({ context, params }: Asked) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const appointment =
    (await appointmentFor(database, actor, params.id, appointmentStates)) ?? refuse('not-found')
  // It ended while this screen was open, or its button was pressed twice.
  if (!isActive(appointment.state)) throw redirect(appointmentPath('done', appointment, actor.kind))
  const facts = (await factsFor(database, actor, params.id)) ?? refuse('not-found')
  const moves = offered.filter((name) => appointmentMachine.can(name, actor, facts, now))
  const shown = {
    appointment,
    canReassign: (['assign', 'reassign'] as const).some((name) =>
      appointmentMachine.can(name, actor, facts, now),
    ),
    moves,
    mayQuote: mayQuote(actor, appointment),
    ...waitsOf(actor, facts, now),
    sheet: await sheetFor(database, actor, params.id),
    extraWork:
      appointment.service === 'installation' ? await quotesFrom(database, actor, params.id, now) : null,
    facade:
      moves.includes('noShow') && sheetKindOf[appointment.service]
        ? {
            isAsked: asksFacade(actor, appointment.service),
            takenAt: (await facadeOf(database, actor, params.id))?.capturedAt ?? null,
          }
        : null,
    proposals: moves.includes('callOff') ? await nearestFreeSlots(database, appointment, now) : [],
    free:
      moves.includes('takeOver') && actor.kind === 'manager'
        ? await freeToTakeOver(database, appointment, now)
        : null,
  }
  return { shown, facts, now }
}

/** Whether more work may be quoted of an installation under way. */
const mayQuote = (actor: Actor, { service, state }: AppointmentDetail) =>
  service === 'installation' &&
  writesQuotes(actor) &&
  quoteBlockedReason({ service, state, report: null, isViable: true, isProjectClosed: false }) === null

function waitsOf(actor: Actor, facts: Facts, now: Date) {
  const words = (names: readonly MoveName[]) =>
    names
      .map((name) => appointmentMachine.blockedReason(name, actor, facts, now))
      .filter((line) => line !== null)
  const waiting = facts.customerWaitingSince ? words(['takeOver']) : []
  return { wait: words(next)[0] ?? null, waits: [...words(awaited), ...waiting] }
}

/** What the screen of an appointment to be carried out shows of it. */
export type Pending = Omit<Awaited<ReturnType<typeof loadPending>>['shown'], 'sheet'>
