import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { files, sheets } from '../../../src/server/platform/database/schema/appointments.ts'
import { addresses, projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { calls, installations, readyHome } from '../../appointments/booking/services.ts'
import { minute, proposedVisit, slots, type Visit } from '../../kit/appointments.ts'
import { addressForm } from '../../kit/people.ts'
import { completeSheet } from '../../kit/reports.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { ownPaperForm } from './cases.ts'
import { approvingAtHome } from './codes.ts'
import { faultForms } from './faults.ts'
import { alike, answeringByPhone, homes, moving as movingTime, ownPage } from './own-appointments.ts'
import { permitForm } from './own-quotes.ts'
import { acceptingAtHome } from './people.ts'
import { reviews } from './reviews.ts'
import type { Action, Actions } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

type Moving = {
  form?: Record<string, string>
  may?: Action['may']
  after?: number
  complete?: true
  wish?: Partial<Visit>
}

const moving = (
  move: string,
  state: Visit['state'],
  { after, complete, form, may = { technician: 303 }, wish = {} }: Moving = {},
): Action => ({
  name: `move ${move}`,
  async attempt(world, cast) {
    const visit = await visitOfToday(world, cast, state, wish, after)
    if (complete) await completeSheet(world, visit)
    return { path: `/admin/appointments-pending/${visit.id}`, form: { move, ...form } }
  },
  // The manager and the analyst see every visit, and the agency's ally this one; the others' does not exist.
  hears: { technician2: 404, ally2: 404 },
  may,
})

type OfSheet = { complete?: true; may?: Action['may']; hears?: Action['hears'] }

const ofSheet = (
  intent: string,
  form: Record<string, string>,
  { complete, may, hears }: OfSheet,
): Action => ({
  name: `sheet ${intent}`,
  async attempt(world, cast) {
    const visit = await visitOfToday(world, cast, 'in_progress')
    if (complete) await completeSheet(world, visit)
    return { path: `/admin/appointments-pending/${visit.id}`, form: { intent, ...form } }
  },
  hears: { technician2: 404, ally2: 404, ...hears },
  ...(may && { may }),
})

const confirmingAll = (path: string): Action => ({
  name: 'confirm-all',
  async attempt(world) {
    const { assigneeId, id, version } = await proposedVisit(world)
    return { path, form: { intent: 'confirm-all', proposed: `${id}:${version}:${assigneeId}` } }
  },
  may: { manager: 303 },
})

const sectionForm = { section: 'ruta', next: 'cargador', route: 'visible', 'revision.route': '0' }
const nothingSent = { technician: 400, manager: 400, analyst: 400, ally: 404 }

/** The manager may as well, and comes too late. */
const managerToo = { technician: 303, manager: 409 }
/** What is over leads to its other screen. */
const managerLater = { technician: 303, manager: 302 }

/** With the photo that shows it. */
async function notThere(world: World, cast: Cast) {
  const { id } = await visitOfToday(world, cast, 'assigned', {}, 20 * minute)
  const hash = 'a'.repeat(64)
  await world.db.insert(files).values({
    id: randomUUID(),
    appointmentId: id,
    slot: 'no_show_facade',
    uploadedBy: cast.technician.id,

    sha256: hash,
    sentSha256: hash,
    type: 'image/jpeg',
    bytes: 9,
    width: 9,
    height: 9,
    capturedAt: new Date(),
  })
  const form = { move: 'noShow', called: 'yes', calledAt: '00:00' }
  return { path: `/admin/appointments-pending/${id}`, form }
}

/** The manager's answer to what was handed in of a visit that was cancelled meanwhile. */
const claimed = (intent: string): Action => ({
  name: intent,
  async attempt(world, cast) {
    const visit = await visitOfToday(world, cast, 'cancelled')
    await completeSheet(world, visit)
    await world.db.insert(sheets).values({
      appointmentId: visit.id,
      kind: 'visit',
      claimedAt: new Date(),
      claimedBy: cast.technician.id,
    })
    const [task] = await world.db
      .insert(tasks)
      .values({ subject: '¿Reabrir?', reason: 'claim', appointmentId: visit.id })
      .returning()
    return { path: '/admin', form: { intent, taskId: task!.id, words: 'Ya fue otra persona.' } }
  },
  may: { manager: 303 },
})

/** Addresses, visits and what must be done by hand. */
export const visits: Actions = {
  'projects/address.tsx': [
    {
      name: 'save',
      async attempt(world, { customer }) {
        await world.home(customer)
        return { path: '/address', form: { ...addressForm, street: 'Calle Nueva', version: '1' } }
      },
      // The other customer has no address of that version.
      hears: { customer2: 409 },
      may: { customer: 303 },
    },
    {
      name: 'ask for notice',
      attempt: async () => ({ path: '/address', form: { intent: 'notice' } }),
      hears: { customer2: 409, customer: 409 },
    },
    {
      name: 'archive',
      attempt: async () => ({ path: '/address', form: { intent: 'archive', version: '2' } }),
      hears: { customer2: 409 },
      may: { customer: 303 },
    },
    ...homes,
  ],
  'appointments/pending.tsx': [
    {
      name: 'confirm-chosen',
      async attempt(world) {
        const { assigneeId, id, version } = await proposedVisit(world)
        const form = { intent: 'confirm-chosen', [`row.${id}`]: `${version}:${assigneeId}` }
        return { path: '/admin/appointments-pending', form }
      },
      may: { manager: 303 },
    },
    {
      name: 'assign-chosen',
      async attempt(world) {
        const { assigneeId, id, version } = await proposedVisit(world)
        const form = { intent: 'assign-chosen', to: assigneeId, [`row.${id}`]: `${version}:` }
        return { path: '/admin/appointments-pending', form }
      },
      may: { manager: 303 },
    },
  ],
  'appointments/book.tsx': [
    {
      name: 'book',
      async attempt(world, { customer2 }) {
        await world.home(customer2)
        const [startsAt = ''] = await slots(world, customer2)
        return { path: '/agenda-technics-visit', form: { startsAt, requestKey: randomUUID() } }
      },
      // The first has taken the address away again.
      hears: { customer: 409 },
      may: { customer2: 303 },
    },
    movingTime,
    {
      name: 'book an installation',
      async attempt(world, { customer2 }) {
        await readyHome(world, customer2)
        const [startsAt = ''] = await slots(world, customer2, 1, installations)
        return { path: installations.path, form: { startsAt, requestKey: randomUUID() } }
      },
      // The first has no project that is ready.
      hears: { customer: 409 },
      may: { customer2: 303 },
    },
    {
      name: 'book a call',
      async attempt(world) {
        // Whoever has booked sees no agenda of their own any more.
        const [startsAt = ''] = await slots(world, await world.person(), 0, calls)
        return { path: calls.path, form: { startsAt, interest: '01', requestKey: randomUUID() } }
      },
      may: { customer: 303, customer2: 409 },
    },
  ],
  'scheduling/assignations.tsx': [
    {
      name: 'move',
      async attempt(world, cast) {
        const { id, version } = await visitOfToday(world, cast, 'requested')
        const form = { appointmentId: id, version: String(version), assigneeId: cast.technician.id }
        return { path: '/admin/assignations', form: { ...form, overrideReason: 'Lo pidió' } }
      },
      may: { manager: 303 },
    },
    {
      name: 'take-slot',
      async attempt(world, cast) {
        const { id, startsAt, version } = await visitOfToday(world, cast, 'requested')
        const start = String(startsAt.getTime() / 60_000 + 10_080)
        const form = { intent: 'take-slot', appointmentId: id, version: String(version), startsAt: start }
        return {
          path: '/admin/assignations',
          form: { ...form, assigneeId: cast.technician.id, overrideReason: 'Lo pidió' },
        }
      },
      may: { manager: 303 },
    },
    confirmingAll('/admin/assignations'),
  ],
  'appointments/installation.tsx': [
    ...alike('/installation'),
    ...faultForms,
    permitForm,
    ownPaperForm,
    {
      name: 'begin another project while one goes on',
      async attempt(world, { customer, customer2 }) {
        for (const one of [customer, customer2]) await readyHome(world, one)
        return { path: '/installation', form: { intent: 'start-another' } }
      },
      hears: { customer: 409, customer2: 409 },
    },
  ],
  'appointments/videocall.tsx': alike('/videocall'),
  'appointments/technics-visit.tsx': [
    ...ownPage,
    {
      name: 'tell of car and charger',
      async attempt(world, { customer }) {
        const id = await readyHome(world, customer)
        await world.db.update(projects).set({ version: 7 }).where(eq(projects.id, id))
        const form = { intent: 'equipment', version: '7', vehicleBrand: 'BYD' }
        return { path: '/technics-visit', form }
      },
      // The other one's own project is of another version.
      hears: { customer2: 409 },
      may: { customer: 303 },
    },
  ],
  'scheduling/assign.tsx': [
    {
      name: 'assign',
      async attempt(world, cast) {
        const { id, version } = await visitOfToday(world, cast, 'requested')
        const person = { assigneeId: cast.technician.id, overrideReason: 'Lo pidió' }
        const form = { intent: 'give', version: String(version), ...person }
        return { path: `/admin/assignations/${id}`, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'release',
      async attempt(world, cast) {
        const { id, version } = await visitOfToday(world, cast, 'assigned')
        const form = { intent: 'release', version: String(version), releaseReason: 'Se enfermó' }
        return { path: `/admin/assignations/${id}`, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'cancel-by-house',
      async attempt(world, cast) {
        const { id, version } = await visitOfToday(world, cast, 'assigned')
        const form = { intent: 'cancel-by-house', version: String(version), reason: 'clima' }
        return { path: `/admin/assignations/${id}`, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'no-show',
      async attempt(world, cast) {
        const { id } = await visitOfToday(world, cast, 'assigned', {}, 20 * minute)
        const form = { intent: 'no-show', called: 'yes', calledAt: '00:00' }
        return { path: `/admin/assignations/${id}`, form }
      },
      may: { manager: 303 },
    },
    answeringByPhone('accept-move'),
    answeringByPhone('decline-move'),
  ],
  'appointments/undo.tsx': [
    {
      name: 'undo',
      attempt: async () => ({
        path: '/admin/deshacer',
        form: { changes: `${randomUUID()}:2`, back: '/admin' },
      }),
      may: { manager: 303 },
    },
  ],
  'scheduling/move.tsx': [
    {
      name: 'move to another hour',
      async attempt(world, cast) {
        const { id, startsAt, version } = await visitOfToday(world, cast, 'assigned')
        const later = new Date(startsAt.getTime() + 15 * minute).toISOString()
        const form = { version: String(version), startsAt: later, assigneeId: cast.technician.id }
        const why = { override: 'on', overrideReason: 'Lo pide su cliente' }
        return { path: `/admin/assignations/${id}/mover`, form: { ...form, ...why } }
      },
      may: { manager: 303 },
    },
  ],
  'scheduling/absence.tsx': [
    {
      name: 'confirm an absence',
      async attempt(world) {
        const { id } = await world.person({ kind: 'tecnician' })
        return { path: `/admin/assignations/ausencia?persona=${id}`, form: { version: '1' } }
      },
      may: { manager: 303 },
    },
  ],
  'appointments/done-detail.tsx': reviews,
  'appointments/pending-detail.tsx': [
    // The office corrects what it reads.
    ofSheet('section', sectionForm, { may: { technician: 303, manager: 303, analyst: 303 } }),
    // A picture travels in another kind of form, which test/reports/section-form sends.
    ofSheet('photo', { slot: 'facade' }, { hears: nothingSent }),
    ofSheet('submit', {}, { complete: true, may: { technician: 303 } }),
    moving('setOut', 'assigned'),
    moving('runLate', 'assigned', { form: { minutes: '30' }, may: { technician: 303, manager: 303 } }),
    moving('start', 'en_route'),
    moving('undoSetOut', 'en_route', { may: managerToo }),
    moving('undoStart', 'in_progress', { may: managerToo }),
    moving('pause', 'in_progress'),
    moving('resume', 'paused'),
    moving('callOff', 'en_route', { form: { reason: 'clima' }, may: managerLater }),
    moving('finish', 'in_progress', { form: { closingNote: 'Quedó todo bien.' }, complete: true }),
    moving('answerNobodyCame', 'assigned', {
      form: { answer: 'coming' },
      may: { manager: 303 },
      wish: { timeSetAt: new Date(0), nobodyCameAt: new Date(1) },
    }),
    {
      ...moving('noShow', 'assigned', { may: managerLater }),
      attempt: notThere,
    },
  ],
  'projects/staff.tsx': [
    acceptingAtHome,
    {
      name: 'close a task',
      async attempt(world) {
        const [task] = await world.db
          .insert(tasks)
          .values({ subject: 'Llamar', reason: 'callback' })
          .returning()
        return { path: '/admin', form: { intent: 'close-task', taskId: task!.id, result: 'Ya se llamó' } }
      },
      may: { analyst: 303, manager: 409 },
    },
    {
      name: 'confirm',
      async attempt(world) {
        const { assigneeId, id, version } = await proposedVisit(world)
        const form = { intent: 'confirm', appointmentId: id, version: String(version), assigneeId }
        return { path: '/admin', form }
      },
      may: { manager: 303 },
    },
    confirmingAll('/admin'),
    approvingAtHome,
    ...(['reopen-claim', 'decline-claim'] as const).map(claimed),
    {
      name: 'say whether we reach a home',
      attempt: async (world) => ({ path: '/admin', form: (await askedArea(world)).form }),
      may: { analyst: 303, manager: 409 },
    },
  ],
}

/** A home whose postal code does not decide, and the form that answers for it. */
export async function askedArea(world: World) {
  const customer = await world.person()
  const { projectId } = await world.home(customer)
  await world.db.update(addresses).set({ area: 'to_verify' }).where(eq(addresses.projectId, projectId))
  const [task] = await world.db
    .insert(tasks)
    .values({ subject: 'Verificar', reason: 'coverage', personId: customer.id, projectId })
    .returning()
  return { customer, form: { intent: 'verify-area', taskId: task!.id, version: '1', answer: 'yes' } }
}
