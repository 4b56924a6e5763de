import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Actor } from '../src/access/rules/actor.ts'
import { commissionFor } from '../src/agencies/commission-commands.ts'
import { assign, replaceProvisional } from '../src/appointments/assign.ts'
import { bookAppointment, bookForCaller } from '../src/appointments/book.ts'
import { cancel } from '../src/appointments/cancel.ts'
import { finishHeld, setOut, startWork } from '../src/appointments/field.ts'
import { interests, type Service } from '../src/appointments/rules/appointment.ts'
import { lockAppointment, transition } from '../src/appointments/transition.ts'
import { finishCall, writeNotes } from '../src/calls/outcomes.ts'
import type { CallSide } from '../src/calls/rules/room.ts'
import { loseProject } from '../src/customers/ending.ts'
import { createBalanceCharge } from '../src/payments/charges.ts'
import { transaction } from '../src/platform/database/client.ts'
import { callMessages, callSittings, calls } from '../src/platform/database/schema/appointments.ts'
import { riskNames } from '../src/reports/rules/installation-record.ts'
import { sheetKindOf } from '../src/reports/rules/report.ts'
import { toDate } from '../src/shared/calendar.ts'
import type { Stage, Story } from './past.ts'
import { type DemoCustomer, network } from './people.ts'
import { reportOf, reportStory } from './reports.ts'
import { type Booked, type DemoVisit, endOf, isFollowed, reportStateOf } from './visits.ts'

/** An appointment from its booking to its planned state, by the same commands that screens call. */
export async function* appointmentStory(
  visit: DemoVisit,
  { email }: DemoCustomer,
  performer: Actor,
  stage: Stage,
): Story {
  const { actor, manager, past } = stage
  const { bookedAt, of, service, state } = visit
  const [customer, booked, isCall] = [actor(email), toDate(bookedAt), service === 'videocall']
  yield booked
  const interest = isCall ? interests[of % interests.length]!.value : null
  const wish = { startsAt: toDate(visit.start), requestKey: randomUUID(), notes: null, interest }
  if (visit.isOutside) {
    const desk = { assigneeId: performer.id, overrideReason: agreed }
    await bookForCaller(past.db, manager, customer, service, { ...wish, ...desk }, booked)
    return
  }
  const { id } = await bookAppointment(past.db, customer, service, wish, { address: network, now: booked })
  if (state === 'requested') return keepPlace(id, performer, stage)
  if (!isCall) {
    // Before the next customer books: until then another person of the plan may hold it.
    const assigned = toDate(bookedAt + 5)
    yield assigned
    const choice = { assigneeId: performer.id, overrideReason: null, version: 1 }
    await assign(past.db, manager, id, choice, assigned)
  }
  if (state === 'cancelled') {
    const at = toDate(bookedAt + 26 * 60)
    yield at
    await cancel(past.db, customer, id, { reason: 'cliente_no_disponible', note: null, version: 2 }, at)
  }
  if (state === 'done') yield* (isCall ? callStory : workStory)({ visit, id, customer, performer }, stage)
}

/** Why the manager booked a visit outside the hours that are offered. */
const agreed = 'Solo puede ese día a esa hora; quien la hace está de acuerdo.'

/** A booking chooses its person by the ranking; the manager gives it to the person of the plan. */
const keepPlace = (id: string, { id: personId }: Actor, { manager, past: { db } }: Stage) =>
  transaction(db, async (tx) => {
    const held = await lockAppointment(tx, manager, id)
    if (held.assigneeId !== personId)
      await replaceProvisional(tx, manager, held, personId, 'Ese día trabaja cerca de ahí.')
  })

/** What the technician notes at the end, in agreement with the report of the same home. */
const closingNotes: Partial<Record<Service, readonly ((of: number) => string)[]>> = {
  technical_visit: [
    (of) =>
      `Tablero con ${reportOf(of).sparePoles} polos libres; el cargador queda a ${reportOf(of).chargerDistance} m del medidor.`,
    () => 'Se midió la ruta, con una jardinera a media ruta. No hace falta ningún permiso.',
    () => 'Instalación viable sin adecuaciones. Se tomaron fotos del medidor y del tablero.',
  ],
  installation: [() => 'Cargador de 7 kW instalado y probado con el auto. Te explicamos cómo usarlo.'],
}

async function* workStory(booked: Booked, stage: Stage): Story {
  const { id, performer, visit } = booked
  const { db } = stage.past
  const [leaves, start, end] = [toDate(visit.start - 30), toDate(visit.start), toDate(endOf(visit))]
  const notes = closingNotes[visit.service] ?? []
  const note = notes[visit.of % notes.length]?.(visit.of) ?? null
  const [kind, state] = [sheetKindOf[visit.service], reportStateOf(visit)]
  yield leaves
  await setOut(db, performer, id, leaves)
  yield start
  if (kind && state) {
    await startWork(db, performer, id, start, riskNames)
    return yield* reportStory({ ...booked, kind, state, note }, stage)
  }
  // Older than reports, without which today's commands neither start nor finish it.
  await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, performer, id)
    await transition(tx, performer, held, 'start', start, { startedAt: start })
  })
  yield end
  const projectId = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, performer, id)
    await finishHeld(tx, performer, held, { outcome: 'completed', reason: null, closingNote: note }, end)
    if (visit.service !== 'installation') return held.projectId
    await commissionFor(tx, { appointmentId: id })
    await createBalanceCharge(tx, held.projectId, end, { isMailed: true })
    return null
  })
  const closed = toDate(endOf(visit) + daysUntilClosed * 1440)
  if (!projectId || closed > stage.now || isFollowed(visit)) return
  yield closed
  const why = { reason: 'sin_respuesta', note: 'Se le llamó tres veces después de su visita.' } as const
  await loseProject(db, stage.manager, { projectId, ...why }, closed)
}

/** After a visit that nothing followed, its project is closed. */
const daysUntilClosed = 45

/** What the held calls were about. */
const talks = [
  {
    summary:
      'Revisamos los trámites ante CFE para un segundo medidor.\n\nCon el recibo a su nombre no hace falta cambio de titular; el trámite tarda de 15 a 45 días.',
    nextSteps:
      'Agenda tu visita técnica desde tu cuenta.\nTen a la mano tu recibo de CFE y una identificación.',
    notes: 'Recibo a nombre de la esposa: confirmar titular.\nTarifa 1C, consumo alto en verano.',
    chat: [
      ['customer', 4, '¿Puedo usar el mismo medidor de la casa?'],
      ['analyst', 5, 'Sí, pero con uno aparte la tarifa del auto sale más barata.'],
      ['customer', 12, 'Perfecto, prefiero el segundo medidor.'],
    ],
  },
  {
    summary:
      'Comparamos cargar en 127 V y en 220 V: con un cargador de 7 kW tu auto queda listo en una noche.\n\nTu tablero parece suficiente; lo confirma el técnico en la visita.',
    nextSteps: 'Agenda tu visita técnica.\nNosotros te preparamos la cotización con lo que mida el técnico.',
    notes: 'Auto: BYD Dolphin, llega en enero.\nEstacionamiento propio a unos 12 m del medidor.',
    chat: [
      ['analyst', 2, '¿Me escuchas bien?'],
      ['customer', 2, 'Sí, ahora sí.'],
      ['customer', 15, '¿La visita tiene costo?'],
      ['analyst', 16, 'No, es gratis.'],
    ],
  },
] as const

/** By the customer's position in the list. */
const talkOf = ({ of }: DemoVisit) => talks[(of % 5) % talks.length]!

async function* callStory(booked: Booked, stage: Stage): Story {
  const { id, performer, visit } = booked
  const { db } = stage.past
  const { notes, nextSteps, summary } = talkOf(visit)
  const [start, end] = [toDate(visit.start), toDate(endOf(visit))]
  yield start
  await startWork(db, performer, id, start)
  yield end
  await writeNotes(db, performer, id, { notes, version: 0 }, end)
  const said = { summary, nextSteps, outcome: 'completed', reason: null, closingNote: null } as const
  await finishCall(db, performer, id, said, end)
  await writeRoom(booked, stage)
}

/** Minutes before the start at which each side entered; both stayed to the end. */
const early: Record<CallSide, number> = { customer: 4, analyst: 1 }

/** Who was in the room of a call, and its chat: rows, because sockets write them by their own clock. */
async function writeRoom({ customer, id, performer, visit }: Booked, { past: { db } }: Stage) {
  const { start } = visit
  const people: Record<CallSide, Actor> = { customer, analyst: performer }
  const left = { leftAt: toDate(endOf(visit)), leftBecause: 'ended' as const }
  const media = { audio: true, video: true, screen: false }
  const sides = ['customer', 'analyst'] as const
  await db
    .update(calls)
    .set({ metAt: toDate(start - early.analyst) })
    .where(eq(calls.appointmentId, id))
  await db.insert(callSittings).values(
    sides.map((side) => ({
      appointmentId: id,
      side,
      media,
      userId: people[side].id,
      sessionId: randomUUID(),
      pageId: randomUUID(),
      joinedAt: toDate(start - early[side]),
      ...left,
    })),
  )
  await db.insert(callMessages).values(
    talkOf(visit).chat.map(([side, after, text]) => ({
      id: randomUUID(),
      appointmentId: id,
      authorId: people[side].id,
      side,
      text,
      at: toDate(start + after),
    })),
  )
}
