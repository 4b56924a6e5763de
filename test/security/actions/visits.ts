import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { files, sheets } from '../../../src/platform/database/schema/appointments.ts'
import { addresses, projects, tasks } from '../../../src/platform/database/schema/projects.ts'
import { calls, installations, readyHome } from '../../appointments/booking/services.ts'
import { minute, proposedVisit, slots, type Visit } from '../../kit/appointments.ts'
import { db, fixture, newHome, newPerson, setRow, storeRows } from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { insertIn } from '../../kit/reading.ts'
import { completeSheet, fileRow } from '../../kit/reports.ts'
import type { Everyone } from '../everyone.ts'
import { approvingAtHome } from './allies.ts'
import { caseUndo, ownPaperForm } from './cases.ts'
import {
  alike,
  answeringByPhone,
  faultForms,
  homes,
  moving as movingTime,
  ownPage,
} from './own-appointments.ts'
import { permitForm } from './own-quotes.ts'
import { acceptingAtHome } from './people.ts'
import { reviews } from './quotes.ts'
import {
  type Action,
  type Actions,
  analystFirst,
  byManager,
  customers,
  type Fields,
  formAt,
  type Heards,
  managerOnly,
} from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

const pendingPage = ({ id }: Pick<Visit, 'id'>) => `/admin/appointments-pending/${id}`
/** The manager and the analyst see every visit, and the agency's ally this one; the others' does not exist. */
const strange = { technician2: 404, ally2: 404 }

type Moving = {
  form?: Fields
  may?: Heards
  input?: Partial<Visit>
  /** Makes what the visit needs besides. */
  ready?: (visit: Visit) => Promise<unknown>
  after?: number
}
const moving = (
  move: string,
  state: Visit['state'],
  { after, form, may = { technician: 303 }, ready, input }: Moving = {},
): Action => ({
  name: `move ${move}`,
  async attempt(everyone) {
    const visit = await visitOfToday(everyone, state, input, after)
    await ready?.(visit)
    return { path: pendingPage(visit), form: { move, ...form } }
  },
  hears: strange,
  may,
})

const ofReport = (
  intent: string,
  form: Fields,
  answered: { may?: Heards; hears?: Heards },
  isComplete = false,
): Action => ({
  name: `sheet ${intent}`,
  async attempt(everyone) {
    const visit = await visitOfToday(everyone, 'in_progress')
    if (isComplete) await completeSheet(visit)
    return { path: pendingPage(visit), form: { intent, ...form } }
  },
  ...answered,
  hears: { ...strange, ...answered.hears },
})

/** About a visit that waits for its person's confirmation. */
const aboutProposal = (
  intent: string,
  path: string,
  form: (proposed: { id: string; version: number; assigneeId: string }) => Fields,
) => formAt(intent, path, async () => ({ intent, ...form(await proposedVisit()) }), managerOnly)
const confirmingAll = (path: string) =>
  aboutProposal('confirm-all', path, ({ assigneeId, id, version }) => ({
    proposed: `${id}:${version}:${assigneeId}`,
  }))

/** About a visit of today's, of its version; on its page of assignment unless told otherwise. */
const assigning = (
  name: string,
  state: Visit['state'],
  form: Fields | ((visit: Visit, everyone: Everyone) => Fields),
  path: (visit: Visit) => string = ({ id }) => `/admin/assignations/${id}`,
) =>
  byManager(name, async (everyone) => {
    const visit = await visitOfToday(everyone, state)
    const fields = typeof form === 'function' ? form(visit, everyone) : form
    return { path: path(visit), form: { version: '1', ...fields } }
  })
const board = () => '/admin/assignations'
const toTechnician = ({ technician }: Everyone) => ({
  assigneeId: technician.id,
  overrideReason: 'Lo pidió',
})

/** The manager may as well, and comes too late. */
const managerToo = { technician: 303, manager: 409 }
/** What is over leads to its other screen. */
const managerLater = { technician: 303, manager: 302 }
const notThere = { called: 'yes', calledAt: '00:00' }

/** The manager's answer to what was handed in of a visit that was cancelled meanwhile. */
const claimed = (intent: string) =>
  formAt(
    intent,
    '/admin',
    async (everyone) => {
      const visit = await visitOfToday(everyone, 'cancelled')
      const appointmentId = visit.id
      await completeSheet(visit)
      const claim = { claimedAt: new Date(), claimedBy: everyone.technician.id }
      await insertIn(fixture, sheets, { appointmentId, kind: 'visit', ...claim })
      const task = await insertIn(fixture, tasks, { subject: '¿Reabrir?', reason: 'claim', appointmentId })
      return { intent, taskId: task.id, words: 'Ya fue otra persona.' }
    },
    managerOnly,
  )

/** About a ticked line of the office's work. */
const tickedWork = (intent: string, form: Fields, path = '/admin') =>
  formAt(
    intent,
    path,
    async () => {
      const { id } = await insertIn(fixture, tasks, { subject: 'Llamar', reason: 'callback' })
      return { intent, ...form, [`row.${id}`]: 'task' }
    },
    { may: { analyst: 303, manager: 303 } },
  )

/** The other customer has nothing of that version. */
const customerOnly = { hears: { customer2: 409 }, may: { customer: 303 } }
const secondOnly = { hears: { customer: 409 }, may: { customer2: 303 } }

/** Addresses, visits and what must be done by hand. */
export const visits: Actions = {
  'customers/screens/address.tsx': [
    formAt(
      'save',
      '/address',
      async ({ customer }) => {
        await newHome(customer)
        return { ...addressForm, street: 'Calle Nueva', version: '1' }
      },
      customerOnly,
    ),
    formAt('ask for notice', '/address', { intent: 'notice' }, { hears: customers(409) }),
    formAt('archive', '/address', { intent: 'archive', version: '2' }, customerOnly),
    ...homes,
  ],
  'appointments/screens/pending.tsx': [
    aboutProposal('confirm-chosen', '/admin/appointments-pending', ({ assigneeId, id, version }) => ({
      [`row.${id}`]: `${version}:${assigneeId}`,
    })),
    aboutProposal('assign-chosen', '/admin/appointments-pending', ({ assigneeId, id, version }) => ({
      to: assigneeId,
      [`row.${id}`]: `${version}:`,
    })),
  ],
  'appointments/screens/book.tsx': [
    {
      name: 'book',
      async attempt({ customer2 }) {
        const { projectId } = await newHome(customer2)
        const [startsAt = ''] = await slots(customer2)
        const path = `/agenda-technics-visit?proyecto=${projectId}`
        return { path, form: { startsAt, requestKey: randomUUID() } }
      },
      ...secondOnly,
    },
    movingTime,
    formAt(
      'book an installation',
      installations.path,
      async ({ customer, customer2 }) => {
        // A home without an address leads there.
        const empty = and(eq(projects.customerId, customer.id), eq(projects.place, 4))
        await db.update(projects).set({ closedAt: new Date() }).where(empty)
        await readyHome(customer2)
        const [startsAt = ''] = await slots(customer2, 1, installations)
        return { startsAt, requestKey: randomUUID() }
      },
      // The first has no project that is ready.
      secondOnly,
    ),
    formAt(
      'book a call',
      calls.path,
      async () => {
        // Whoever has booked sees no agenda of their own any more.
        const [startsAt = ''] = await slots(await newPerson(), 0, calls)
        return { startsAt, interest: '01', requestKey: randomUUID() }
      },
      { may: { customer: 303, customer2: 409 } },
    ),
  ],
  'dispatch/screens/assignations.tsx': [
    assigning(
      'move',
      'requested',
      ({ id }, everyone) => ({ appointmentId: id, ...toTechnician(everyone) }),
      board,
    ),
    assigning(
      'take-slot',
      'requested',
      ({ id, startsAt }, everyone) => ({
        intent: 'take-slot',
        appointmentId: id,
        startsAt: String(startsAt.getTime() / minute + 10_080),
        ...toTechnician(everyone),
      }),
      board,
    ),
    assigning(
      'repair',
      'requested',
      ({ id }, everyone) => ({ intent: 'repair', appointmentId: id, ...toTechnician(everyone) }),
      board,
    ),
    confirmingAll('/admin/assignations'),
  ],
  'appointments/screens/installation.tsx': [
    ...alike('/installation'),
    ...faultForms,
    permitForm,
    ownPaperForm,
    formAt(
      'begin another project while one goes on',
      '/installation',
      async ({ customer, customer2 }) => {
        for (const one of [customer, customer2]) await readyHome(one)
        return { intent: 'start-another' }
      },
      { hears: customers(409) },
    ),
  ],
  'calls/screens/videocall.tsx': alike('/videocall'),
  'appointments/screens/technics-visit.tsx': [
    ...ownPage,
    formAt(
      'tell of car and charger',
      '/technics-visit',
      async ({ customer }) => {
        await setRow(projects, await readyHome(customer), { version: 7 })
        return { intent: 'equipment', version: '7', vehicleBrand: 'BYD' }
      },
      customerOnly,
    ),
  ],
  'dispatch/screens/assign.tsx': [
    assigning('assign', 'requested', (_, everyone) => ({ intent: 'give', ...toTechnician(everyone) })),
    assigning('release', 'assigned', { intent: 'release', releaseReason: 'Se enfermó' }),
    assigning('cancel-by-house', 'assigned', { intent: 'cancel-by-house', reason: 'clima' }),
    // It has no version.
    byManager('no-show', async (everyone) => {
      const { id } = await visitOfToday(everyone, 'assigned', {}, 20 * minute)
      return { path: `/admin/assignations/${id}`, form: { intent: 'no-show', ...notThere } }
    }),
    answeringByPhone('accept-move'),
    answeringByPhone('decline-move'),
  ],
  'appointments/screens/undo.tsx': [
    formAt(
      'undo',
      '/admin/deshacer',
      { changes: `${randomUUID()}:2`, back: '/admin' },
      {
        may: { manager: 303, analyst: 303, technician: 303, technician2: 303 },
      },
    ),
    caseUndo,
  ],
  'dispatch/screens/move.tsx': [
    assigning(
      'move to another hour',
      'assigned',
      ({ startsAt }, everyone) => ({
        ...toTechnician(everyone),
        startsAt: new Date(startsAt.getTime() + 15 * minute).toISOString(),
        override: 'on',
      }),
      ({ id }) => `/admin/assignations/${id}/mover`,
    ),
  ],
  'dispatch/screens/absence.tsx': [
    byManager('confirm an absence', async () => {
      const { id } = await newPerson({ kind: 'tecnician' })
      return { path: `/admin/assignations/ausencia?persona=${id}`, form: { version: '1' } }
    }),
  ],
  'appointments/screens/done-detail.tsx': reviews,
  'appointments/screens/pending-detail.tsx': [
    // The office corrects what it reads.
    ofReport(
      'section',
      { section: 'ruta', next: 'cargador', route: 'visible', 'revision.route': '0' },
      { may: { technician: 303, manager: 303, analyst: 303 } },
    ),
    // A picture travels in another kind of form, which e2e/technician-report sends.
    ofReport(
      'photo',
      { slot: 'facade' },
      { hears: { technician: 400, manager: 400, analyst: 400, ally: 404 } },
    ),
    ofReport('submit', {}, { may: { technician: 303 } }, true),
    moving('setOut', 'assigned'),
    moving('runLate', 'assigned', { form: { minutes: '30' }, may: { technician: 303, manager: 303 } }),
    moving('start', 'en_route'),
    moving('undoSetOut', 'en_route', { may: managerToo }),
    moving('undoStart', 'in_progress', { may: managerToo }),
    moving('pause', 'in_progress'),
    moving('resume', 'paused'),
    moving('callOff', 'en_route', { form: { reason: 'clima' }, may: managerLater }),
    moving('release', 'en_route', { form: { reason: 'Se ponchó una llanta.' }, may: managerToo }),
    moving('finish', 'in_progress', { form: { closingNote: 'Quedó todo bien.' }, ready: completeSheet }),
    moving('answerNobodyCame', 'assigned', {
      form: { answer: 'coming' },
      may: { manager: 303 },
      input: { timeSetAt: new Date(0), nobodyCameAt: new Date(1) },
    }),
    moving('noShow', 'in_progress', {
      form: notThere,
      may: managerLater,
      // The photo that shows it.
      ready: ({ assigneeId, id }) => storeRows(files, fileRow(id, 'no_show_facade', assigneeId!)),
      after: 20 * minute,
    }),
  ],
  'customers/screens/staff.tsx': [
    acceptingAtHome,
    formAt(
      'close a task',
      '/admin',
      async () => {
        const { id: taskId } = await insertIn(fixture, tasks, { subject: 'Llamar', reason: 'callback' })
        return { intent: 'close-task', taskId, result: 'Ya se llamó' }
      },
      analystFirst,
    ),
    aboutProposal('confirm', '/admin', ({ assigneeId, id, version }) => ({
      appointmentId: id,
      version: String(version),
      assigneeId,
    })),
    confirmingAll('/admin'),
    approvingAtHome,
    tickedWork('assign-work', { to: '' }),
    tickedWork('snooze-work', { until: '' }),
    tickedWork('return-work', {}, '/admin?todo=pospuestas'),
    claimed('reopen-claim'),
    claimed('decline-claim'),
    formAt('say whether we reach a home', '/admin', async () => (await askedArea()).form, analystFirst),
  ],
}

/** A home whose postal code does not decide, and the form that answers for it. */
export async function askedArea() {
  const customer = await newPerson()
  const { projectId } = await newHome(customer)
  await db.update(addresses).set({ area: 'to_verify' }).where(eq(addresses.projectId, projectId))
  const task = await insertIn(fixture, tasks, {
    subject: 'Verificar',
    reason: 'coverage',
    personId: customer.id,
    projectId,
  })
  return { customer, form: { intent: 'verify-area', taskId: task.id, version: '1', answer: 'yes' } }
}
