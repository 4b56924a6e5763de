import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type Service,
  serviceFacts,
  services,
  upcomingStates,
} from '../../domain/appointments/appointment.ts'
import { changeRights } from '../../domain/appointments/transitions.ts'
import type { Address } from '../../domain/projects/schema.ts'
import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { placementAt } from '../appointments/reschedule.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { candidates, nearestSlots, questionFor, type SlotQuestion } from '../scheduling/choose.ts'
import { openProjectOf } from './projects-queries.ts'

/** How what is booked follows its customer to another address: with its person, with a new one, or at another time. */
export type VisitMove = {
  visit: AppointmentRow
  /** Null when the municipality stays and nothing about the itinerary changes. */
  check: { question: SlotQuestion; start: number; personId: string } | null
}

/** What is carried out at the customer's address. */
export const bookedAtHome = services.filter((service) => serviceFacts[service].needsTravel)
const names: Partial<Record<Service, string>> = { technical_visit: 'visita', installation: 'instalación' }
export const nameOf = ({ folio, service }: Pick<AppointmentRow, 'folio' | 'service'>) =>
  `${names[service]} ${folio}`

/** What waits at the customer's address, while it may still be moved; the soonest first. */
export async function bookedVisitsOf(db: Db, actor: Actor): Promise<AppointmentRow[]> {
  const project = await openProjectOf(db, actor.id)
  if (!project) return []
  return db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, project.id),
        inArray(appointments.service, bookedAtHome),
        inArray(appointments.state, upcomingStates),
      ),
    )
    .orderBy(asc(appointments.startsAt))
}

/**
 * Decides who goes to the new address: at the promised time, or where nobody can then at `newStart`, which the customer
 * chose among what is free. A Refusal, with the nearest free times, when neither will do.
 */
export async function visitMovesFor(
  db: Db,
  actor: Actor,
  address: Address,
  newStart: Date | null,
  now: Date,
): Promise<VisitMove[]> {
  const moves: VisitMove[] = []
  for (const visit of await bookedVisitsOf(db, actor)) {
    if (address.area !== 'served')
      refuse(
        'failed-precondition',
        `Tu ${nameOf(visit)} está agendada y todavía no llegamos a ese código postal. Guarda sin moverla o pide ayuda.`,
      )
    moves.push(await moveOf(db, visit, address, newStart, now))
  }
  return moves
}

async function moveOf(
  db: Db,
  visit: AppointmentRow,
  address: Address,
  newStart: Date | null,
  now: Date,
): Promise<VisitMove> {
  if (visit.municipality === address.municipality) return { visit, check: null }
  const place = { municipality: address.municipality, address: null }
  const held = await choiceFor(db, visit, { start: toMinutes(visit.startsAt), promised: true, place }, now)
  if (held.personId === visit.assigneeId && held.personId)
    return { visit, check: { ...held, personId: held.personId } }
  refuseLate(visit, held.question, now)
  if (held.personId) return { visit, check: { ...held, personId: held.personId } }
  if (!newStart) return offerTimes(db, visit, place, now)
  const other = await choiceFor(db, visit, { start: toMinutes(newStart), place }, now)
  if (!other.personId) return offerTimes(db, visit, place, now)
  return { visit, check: { ...other, personId: other.personId } }
}

type At = Parameters<typeof placementAt>[1]

/** Its own person if that one can, else the best who can; null when nobody can. */
async function choiceFor(db: Db, visit: AppointmentRow, at: At, now: Date) {
  const question = await questionFor(db, placementAt(visit, at), now)
  const able = candidates(question, at.start)
  const best = able.find((one) => one.id === visit.assigneeId) ?? able[0]
  return { question, start: at.start, personId: best?.id ?? null }
}

/** After the cut-off a person or a time that was promised is changed by a call, not by a form. */
function refuseLate(visit: AppointmentRow, { staffing }: SlotQuestion, now: Date) {
  if (now <= changeRights(visit, staffing.settings).until) return
  refuse(
    'failed-precondition',
    `Quien hará tu ${nameOf(visit)} no alcanza a llegar a la nueva dirección, y ya pasó el límite para cambiarla por tu cuenta. Pide ayuda, o guarda sin moverla.`,
    { offers: 'help' },
  )
}

async function offerTimes(db: Db, visit: AppointmentRow, place: At['place'], now: Date): Promise<never> {
  const at = { start: toMinutes(visit.startsAt), ...(place && { place }) }
  const nearest = await nearestSlots(db, placementAt(visit, at), now)
  if (nearest.length === 0)
    refuse(
      'failed-precondition',
      `A la hora de tu ${nameOf(visit)} nadie alcanza a llegar a la nueva dirección, y ahí no hay horarios libres. Guarda sin moverla o pide ayuda.`,
      { offers: 'help' },
    )
  return refuse(
    'failed-precondition',
    `A la hora de tu ${nameOf(visit)} nadie alcanza a llegar a la nueva dirección. Elige otro horario aquí mismo; no cuenta entre tus cambios.`,
    { times: nearest.map((start) => toDate(start).toISOString()) },
  )
}
