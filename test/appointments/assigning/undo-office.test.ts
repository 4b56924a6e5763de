import { sql } from 'drizzle-orm'
import { endFeeOfCancelled } from '../../../src/appointments/cancel.ts'
import { slotWishes } from '../../../src/platform/database/schema/appointments.ts'
import {
  around,
  assign,
  assignVisit,
  book,
  bookVisit,
  customer,
  hour,
  minute,
  occupy,
  readAgain,
  slots,
  type Visit,
  visit,
  visitOf,
  visitsOf,
} from '../../kit/appointments.ts'
import {
  analyst,
  db,
  eventsAbout,
  expectEmails,
  expectLastEvent,
  expectNotOnPage,
  expectScreen,
  fixture,
  inParallel,
  manager,
  markupOf,
  newHome,
  newPerson,
  openEach,
  pageText,
  post,
  rowsWhere,
  runSql,
  sendJobs,
  sentAbout,
  technician,
  technician2,
} from '../../kit/open.ts'
import { refundsOf, rowsOf, set } from '../../kit/payments.ts'
import { expectAnswered, expectLeadsTo, expectTwice, expectWords, loaded } from '../../kit/reading.ts'
import { drop } from '../../kit/scheduling.ts'

openEach(bookVisit)
sendJobs()

const screen = () => `/admin/assignations/${visit.id}`
const undo = (changes = `${visit.id}:${visit.version}`, by = manager, back = '/admin/assignations') =>
  post('/admin/deshacer', { changes, back }, by)
/** What of a row an undone change leaves as it was. */
const lasting = ({ sequence, updatedAt, version, ...row }: Visit) => row
const overrideReason = 'Lo pide su cliente'
const moveBy = (by: number) =>
  post(
    `${screen()}/mover`,
    {
      version: String(visit.version),
      startsAt: around(visit, by).toISOString(),
      assigneeId: '',
      override: 'on',
      overrideReason,
    },
    manager,
  )
const mine = () => (visit.assigneeId === technician.id ? technician : technician2)
const other = () => (mine() === technician ? technician2 : technician)
const offer = 'Puedes deshacerlo todavía'
const emailsOut = (set: string) => db.execute(sql.raw(`update pgboss.job set ${set}`))

const changes: Record<string, () => Promise<{ status: number }>> = {
  'a confirmation': () => assign(manager, visit, technician),
  'a move of a provisional visit': () => moveBy(30 * minute),
}
const ofConfirmed: typeof changes = {
  'another technician, dropped on the board': () => drop(manager, visit, { to: other() }),
  'another hour, dropped on the board': () =>
    drop(manager, visit, { to: other(), startsAt: around(visit, hour), overrideReason }),
  'a release': () =>
    post(
      screen(),
      { intent: 'release', releaseReason: 'Se enfermó', version: String(visit.version) },
      manager,
    ),
}
test.each([...Object.keys(changes), ...Object.keys(ofConfirmed)])(
  'undoes %s and drops its emails, once',
  async (name) => {
    if (name in ofConfirmed) await assignVisit()
    const before = visit
    const emails = await sentAbout(visit)
    await expectAnswered((changes[name] ?? ofConfirmed[name])!(), 303)
    await readAgain()
    expect(visit.version).toBe(before.version + 1)
    expect((await sentAbout(visit)).length).toBeGreaterThan(emails.length)
    await expectTwice(() => undo(), 303, '/admin/assignations')
    await expectScreen('/admin/assignations', manager, 'Lo deshicimos')
    await readAgain()
    expect(lasting(visit)).toEqual(lasting(before))
    expect(visit.version).toBe(before.version + 2)
    await expectEmails(visit, emails)
    await expectLastEvent(visit, {
      actorId: manager.id,
      reason: 'Se deshizo el cambio',
      toState: before.state,
    })
  },
)

test('does not undo a change that was followed by another, or of another manager', async () => {
  await assignVisit()
  const first = `${visit.id}:${visit.version}`
  const colleague = await newPerson({ kind: 'manager' })
  await undo(first, colleague)
  await moveBy(30 * minute)
  await undo(first)
  await expectScreen('/admin/assignations', manager, 'Alguien más la cambió después')
  const reasons = (await eventsAbout(visit)).map(({ reason }) => reason)
  expect(reasons).not.toContain('Se deshizo el cambio')
})

test('refuses malformed changes', async () => {
  for (const changes of ['', 'nada', `${visit.id}:0`, `${visit.id}`])
    expect([changes, (await undo(changes)).status]).toEqual([changes, 400])
})

test('the first of several changes is undone by itself, and the answer returns to the page it was on', async () => {
  await assignVisit()
  const change = `${visit.id}:${visit.version}`
  await expectAnswered(undo(`${change},${manager.id}:3`, manager, '/admin?x=1'), 303, '/admin?x=1')
  await readAgain()
  expect(visit.state).toBe('requested')
  await expectLeadsTo(undo(change, manager, 'https://elsewhere.example/'), '/admin')
})

test('the toast of a change offers to undo it', async () => {
  await assignVisit()
  const { location } = await moveBy(30 * minute)
  const text = await markupOf(location!, manager)
  expect(text).toMatch(new RegExp(`name="changes" value="${visit.id}:${visit.version + 1}"`))
})

test('pages offer to undo a change to the manager who made it until its emails go out', async () => {
  await assignVisit()
  const detail = `/admin/appointments-pending/${visit.id}`
  const isOffered = async (by = manager, path = screen()) => (await pageText(path, by)).includes(offer)
  expect([await isOffered(), await isOffered(manager, detail)]).toEqual([true, true])
  const panel = await fixture.data(`${screen()}?panel`, manager)
  const { undoable } = loaded<{ undoable: number }>(panel, 'dispatch/screens/assign')
  expect(undoable).toBeGreaterThan(0)
  expect(undoable).toBeLessThanOrEqual(30)
  expect(await isOffered(await newPerson({ kind: 'manager' }))).toBe(false)
  expect(await isOffered(analyst, detail)).toBe(false)
  await emailsOut(`state = 'active' where data ->> 'to' = 'person'`)
  expect(await isOffered()).toBe(false)
  await emailsOut(`state = 'created', start_after = now() - interval '1 second'`)
  expect(await isOffered()).toBe(false)
})

const page = () => `/admin/appointments-done/${visit.id}`
const toast = () => pageText('/admin/assignations', manager)

const cancelByHouse = ({ id }: Visit, version: number) => {
  const form = { intent: 'cancel-by-house', version: String(version), reason: 'clima', note: 'Llueve' }
  return post(`/admin/assignations/${id}`, form, manager)
}
async function cancelled() {
  await expectAnswered(cancelByHouse(visit, visit.version), 303)
  await readAgain()
  expect(visit.state).toBe('cancelled')
}

test.each([
  ['confirmed', assignVisit],
  ['provisional', readAgain],
])(
  'undoes the cancellation of a %s visit and of its place on the waiting list, without e-mails',
  async (_, prepare) => {
    await prepare()
    await expectAnswered(post('/technics-visit', { intent: 'ask-earlier' }, customer), 303)
    const before = visit
    const emails = await sentAbout(visit)
    const inputs = async () =>
      (await rowsWhere(slotWishes, { customerId: customer.id })).map(({ updatedAt, ...input }) => input)
    const wished = await inputs()
    await cancelled()
    expect(await inputs()).toMatchObject([{ endedBecause: 'appointment_over' }])
    expect((await sentAbout(visit)).length).toBeGreaterThan(emails.length)
    await expectAnswered(undo(), 303)
    expect(await toast()).toContain('Lo deshicimos')
    await readAgain()
    expect(lasting(visit)).toEqual(lasting(before))
    expect(visit.sequence).toBeGreaterThan(before.sequence)
    await expectEmails(visit, emails)
    expect(await inputs()).toEqual(wished)
    const waiting = sql`select from pgboss.job where name in ('end-fee', 'offer-freed-slot') and state = 'created'`
    expect((await db.execute(waiting)).rows).toEqual([])
    await expectLastEvent(visit, {
      name: 'undoCancel',
      actorId: manager.id,
      reason: 'Se deshizo el cambio',
    })
  },
)

test('emails and the offer of the freed start wait half a minute', async () => {
  await assignVisit()
  await cancelled()
  const { rows } = await runSql`select name from pgboss.job
    where start_after > now() + interval '20 seconds' and (data ->> 'letter' = 'cancelled' or name <> 'letter') order by name`
  expect(rows.map(({ name }) => name)).toEqual(['letter', 'letter', 'offer-freed-slot'])
})

test('the fee stays open while the cancellation can be undone, and ends afterwards', async () => {
  await set(fixture, {
    visitFee: { amount: 500_00, keptOnLateCancel: true, keptOnNoShow: true, keptOnNotViable: true },
  })
  const payer = await newPerson()
  await newHome(payer)
  await expectAnswered(book(payer, (await slots(payer))[5]!, { fee: '50000' }), 303)
  const held = await visitOf(payer)
  const fees = () => rowsOf(held.projectId)
  const before = await fees()
  expect(before).toMatchObject([{ state: 'pending', feeOutcome: null }])
  await expectAnswered(cancelByHouse(held, held.version), 303)
  expect(await fees()).toEqual(before)
  await undo(`${held.id}:${held.version + 1}`)
  // The job may have begun before the change was undone.
  await endFeeOfCancelled(db, { appointmentId: held.id }, new Date())
  expect(await fees()).toEqual(before)
  await expectAnswered(cancelByHouse(held, held.version + 2), 303)
  for (let tries = 0; tries < 2; tries++) await endFeeOfCancelled(db, { appointmentId: held.id }, new Date())
  expect(await fees()).toMatchObject([{ state: 'cancelled' }])
  expect(await refundsOf(held.projectId)).toEqual([])
})

test.each<[string, string, () => Promise<unknown>]>([
  [
    'another visit took its place',
    'Otra cita tomó su lugar mientras tanto',
    () => occupy(technician, visit.startsAt),
  ],
  [
    'its customer booked another',
    'Su cliente ya tiene otra cita de ese servicio',
    async () => book(customer, (await slots(customer, 1))[4]!),
  ],
  [
    'an email went out',
    'Los avisos ya salieron',
    () => runSql`update pgboss.job set start_after = now() - interval '1 second'`,
  ],
])('does not undo a cancellation once %s', async (_, words, happen) => {
  await assignVisit()
  await cancelled()
  await happen()
  const before = visit
  const emails = await sentAbout(visit)
  await expectAnswered(undo(), 303)
  expectWords(await toast(), 'No se pudo deshacer', words)
  expect((await visitsOf(customer)).find(({ id }) => id === before.id)).toEqual(before)
  await expectEmails(before, emails)
  if (words === 'Los avisos ya salieron') await expectNotOnPage(page(), manager, offer)
})

test('undone while four customers book its time, no technician has two visits at once', async () => {
  await assignVisit()
  await cancelled()
  const shoppers = await inParallel(4, () => newPerson())
  for (const shopper of shoppers) await newHome(shopper)
  const start = visit.startsAt.toISOString()
  await Promise.all([undo(), ...shoppers.map((shopper) => book(shopper, start))])
  const { rows } = await runSql`select a.id from appointments a join appointments b
    on a.assignee_id = b.assignee_id and a.id < b.id and a.during && b.during
    and 'cancelled' not in (a.state, b.state)`
  expect(rows).toEqual([])
})

test('a customer’s own cancellation is sent at once and cannot be undone', async () => {
  const form = { intent: 'cancel', appointmentId: visit.id, version: String(visit.version) }
  await post('/technics-visit', { ...form, reason: 'cliente_se_arrepiente', note: '' }, customer)
  await readAgain()
  expect(visit.state).toBe('cancelled')
  const { rows } = await runSql`select from pgboss.job where start_after > now() + interval '5 seconds'
    and data ->> 'letter' = 'cancelled'`
  expect(rows).toEqual([])
  await undo()
  expect(await toast()).toContain('Los avisos ya salieron')
  await readAgain()
  expect(visit.state).toBe('cancelled')
})
