import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  type AppointmentState,
  interests,
  type Service,
  serviceFacts,
} from '../src/domain/appointments/appointment.ts'
import { sheetKindOf } from '../src/domain/reports/report.ts'
import { localDate, toDate } from '../src/domain/shared/calendar.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { appointments } from '../src/server/platform/database/schema/appointments.ts'
import { events } from '../src/server/platform/database/schema/projects.ts'
import type { Drive } from '../src/server/platform/storage/drive.ts'
import { type HeldCall, writeCalls } from './calls.ts'
import type { DemoCustomer } from './customers.ts'
import { type LeftSheet, writeSheets } from './sheets.ts'
import { type DemoState, type DemoVisit, minutesOf, reported, unrecorded } from './visits.ts'

/** A planned visit with the ids of related rows. */
export type RootedVisit = DemoVisit & {
  customer: DemoCustomer
  customerId: string
  projectId: string
  performerId: string
  managerId: string
}

type Step = {
  name: string
  from: AppointmentState | null
  to: AppointmentState
  by: 'customerId' | 'managerId' | 'performerId'
  at: (visit: DemoVisit) => number
}

const book: Step = {
  name: 'book',
  from: null,
  to: 'requested',
  by: 'customerId',
  at: ({ bookedAt }) => bookedAt,
}
const assign: Step = {
  name: 'assign',
  from: 'requested',
  to: 'assigned',
  by: 'managerId',
  at: ({ bookedAt }) => bookedAt + 3 * 60,
}
// A call is assigned at booking, and its analyst only has to begin it.
const bookCall: Step = { ...book, to: 'assigned' }
const setOut: Step = {
  name: 'setOut',
  from: 'assigned',
  to: 'en_route',
  by: 'performerId',
  at: ({ start }) => start - 30,
}
const start: Step = {
  name: 'start',
  from: 'en_route',
  to: 'in_progress',
  by: 'performerId',
  at: (visit) => visit.start,
}
const startCall: Step = { ...start, from: 'assigned' }
const finish: Step = {
  name: 'finish',
  from: 'in_progress',
  to: 'done',
  by: 'performerId',
  at: (visit) => visit.start + minutesOf(visit.service) - 10,
}
const cancel: Step = {
  name: 'cancel',
  from: 'assigned',
  to: 'cancelled',
  by: 'customerId',
  at: ({ bookedAt }) => bookedAt + 26 * 60,
}

/** The transitions that led each visit to its state, as the real commands would have recorded them. */
const steps: Record<DemoState, readonly Step[]> = {
  requested: [book],
  assigned: [book, assign],
  done: [book, assign, setOut, start, finish],
  cancelled: [book, assign, cancel],
}

const callSteps: Partial<Record<DemoState, readonly Step[]>> = {
  assigned: [bookCall],
  done: [bookCall, startCall, finish],
}

const stepsOf = ({ service, state }: DemoVisit) =>
  (service === 'videocall' ? callSteps[state] : null) ?? steps[state]

/** A call has none: its customer reads a summary instead. */
const closingNotes: Partial<Record<Service, readonly string[]>> = {
  technical_visit: [
    'Tablero con dos polos libres; el cargador queda a 12 m del medidor.',
    'Se midió la ruta por el estacionamiento. Falta confirmar con la administración del condominio.',
    'Instalación viable sin adecuaciones. Se tomaron fotos del medidor y del tablero.',
  ],
  installation: ['Cargador de 7.4 kW instalado y probado con el auto. Se explicó su uso.'],
}

/** A planned visit as stored. */
export type WrittenVisit = RootedVisit & { id: string }

/** The epoch minute at which a visit ended; null while it is not done. */
export const endOf = (visit: DemoVisit) => (visit.state === 'done' ? finish.at(visit) : null)

/** Writes the visits in the order of their booking, so that folios rise with time, and then their history. */
export async function writeVisits(
  tx: Tx,
  visits: readonly RootedVisit[],
  drive?: Drive,
): Promise<WrittenVisit[]> {
  const inOrder = [...visits].sort((a, b) => a.bookedAt - b.bookedAt || a.start - b.start)
  const made = await tx.insert(appointments).values(inOrder.map(rowOf)).returning({ id: appointments.id })
  const history = inOrder.flatMap((visit, n) => eventsOf(visit, made[n]!.id))
  await tx.insert(events).values(history.sort((a, b) => a.at.getTime() - b.at.getTime()))
  const held = inOrder.flatMap((visit, n) => (isHeldCall(visit) ? [heldCall(visit, made[n]!.id)] : []))
  if (held.length > 0) await writeCalls(tx, held)
  const left = inOrder.flatMap((visit, n) => leftSheet(visit, made[n]!.id))
  if (left.length > 0) await writeSheets(tx, left, drive)
  return inOrder.map((visit, n) => ({ ...visit, id: made[n]!.id }))
}

/** The sheet of a visit or installation that has one. */
function leftSheet(visit: RootedVisit, appointmentId: string): LeftSheet[] {
  const { customer, managerId, of, performerId, service, start } = visit
  const [kind, state] = [sheetKindOf[service], reported.get(of)]
  if (visit.state !== 'done' || !kind || !state) return []
  if (kind === 'installation' && unrecorded.includes(of)) return []
  const customerName = `${customer.name} ${customer.lastname}`
  const whose = { performerId, reviewerId: managerId, customerName }
  return [{ appointmentId, of, kind, state, start, end: finish.at(visit), ...whose }]
}

const isHeldCall = ({ service, state }: DemoVisit) => service === 'videocall' && state === 'done'

const heldCall = (visit: RootedVisit, appointmentId: string): HeldCall => ({
  appointmentId,
  customerId: visit.customerId,
  performerId: visit.performerId,
  start: visit.start,
  end: finish.at(visit),
})

function rowOf(visit: RootedVisit, n: number) {
  const { service, state, bookedAt, customer } = visit
  const happened = stepsOf(visit)
  const isCall = service === 'videocall'
  const notes = closingNotes[service]
  const when = (step: Step) => (happened.includes(step) ? toDate(step.at(visit)) : null)
  const year = Number(localDate(bookedAt).slice(0, 4))
  return {
    folio: sql`next_folio(${serviceFacts[service].folioPrefix}, ${year})`,
    service,
    state,
    customerId: visit.customerId,
    projectId: visit.projectId,
    assigneeId: visit.performerId,
    confirmedAt: when(assign) ?? when(bookCall),
    startsAt: toDate(visit.start),
    minutes: minutesOf(service),
    municipality: isCall ? null : customer.address.municipality,
    address: isCall ? null : customer.address,
    interest: isCall ? interests[n % interests.length]!.value : null,
    setOutAt: when(setOut),
    startedAt: when(start) ?? when(startCall),
    finishedAt: when(finish),
    outcome: state === 'done' ? ('completed' as const) : null,
    closingNote: (state === 'done' && notes?.[n % notes.length]) || null,
    requestKey: randomUUID(),
    requestDigest: 'demo',
    createdAt: toDate(bookedAt),
    updatedAt: toDate(happened.at(-1)!.at(visit)),
    version: happened.length,
  }
}

function eventsOf(visit: RootedVisit, entityId: string) {
  const assigneeId = visit.performerId
  const told: Record<string, object> = {
    book: { assigneeId, startsAt: toDate(visit.start), minutes: minutesOf(visit.service) },
    assign: { from: assigneeId, assigneeId },
  }
  return stepsOf(visit).map((step) => ({
    entity: 'appointment',
    entityId,
    actorId: visit[step.by],
    name: step.name,
    fromState: step.from,
    toState: step.to,
    reason: step === cancel ? 'cliente_no_disponible' : null,
    data: told[step.name] ?? null,
    at: toDate(step.at(visit)),
  }))
}
