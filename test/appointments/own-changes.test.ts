import { momentFor } from '../../src/appointments/rules/promise.ts'
import {
  agenda,
  around,
  assign,
  book,
  bookVisit,
  customer,
  expectVisit,
  hour,
  minute,
  occupy,
  readAgain,
  slots,
  storeVisit,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import {
  analyst,
  db,
  eventsAbout,
  expectEmails,
  expectTrail,
  fixture,
  manager,
  openEach,
  pageText,
  post,
  runSql,
  sentAbout,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { expectAnswered, expectShown, expectTwice, expectWords, statusesOf } from '../kit/reading.ts'
import { expectSaved, save } from '../kit/settings.ts'

const page = '/technics-visit'
openEach()
let free: string[]
let home: Home
beforeEach(async () => {
  const scout = await fixture.person()
  home = await fixture.home(scout)
  free = await slots(scout, 1)
  await bookVisit()
})

const change = (startsAt: string, form: Record<string, string> = {}) =>
  post(`${agenda}?cambiar=${visit.id}`, { startsAt, version: String(visit.version), ...form }, customer)
const cancel = (form: Record<string, string> = {}) =>
  post(
    page,
    {
      intent: 'cancel',
      appointmentId: visit.id,
      version: String(visit.version),
      reason: 'cliente_no_disponible',
      ...form,
    },
    customer,
  )
const set = (columns: string) => db.$client.query(`update appointments set ${columns}`)
const unchanged = async () => expect(await visitOf(customer)).toEqual(visit)
/** So many hours before the visit, the free half hour after booking being over. */
async function before(hours: number) {
  await set(`created_at = now() - interval '40 days'`)
  await readAgain()
  fixture.at(around(visit, -hours * hour))
}

test('a booking that its customer cancels within two minutes writes to nobody', async () => {
  await expectEmails(visit, ['booked to customer'])
  await cancel()
  await expectVisit({ state: 'cancelled' })
  await expectEmails(visit, [])
})

test('a customer books and moves as often a day as the settings allow', async () => {
  const limits = { emailsPerHour: '10', emailsPerDay: '20', invitationsPerDay: '300' }
  const form = { ...limits, bookingsPerDay: '1', movesPerDay: '1' }
  expectSaved(await save(manager, 'outward', form), 'avisos')
  const words = 'Hoy ya hiciste muchos cambios. Llámanos y lo vemos contigo.'
  await change(free[2]!)
  await readAgain()
  expectShown(await change(free[3]!), 429, words)
  await unchanged()
  await cancel()
  expectShown(await book(customer, free[4]!), 429, words)
  await expectVisit({ state: 'cancelled' })
})

test('a customer changes the time, once for a form sent several times; the technician stays', async () => {
  const answers = await Promise.all([change(free[2]!), change(free[2]!)])
  for (const answer of [...answers, await change(free[2]!)])
    expect([answer.status, answer.location]).toEqual([303, page])
  await expectVisit({
    state: 'requested',
    assigneeId: visit.assigneeId,
    startsAt: new Date(free[2]!),
    version: visit.version + 1,
    sequence: 1,
    movedByCustomer: 1,
    movedByUs: 0,
  })
  await expectEmails(visit, ['booked to customer', 'changed to customer'])
  expect((await eventsAbout(visit)).slice(1)).toMatchObject([
    {
      name: 'reschedule',
      actorId: customer.id,
      data: { startsAt: free[2], was: visit.startsAt.toISOString(), assigneeId: visit.assigneeId },
    },
  ])
})

/** A day with an hour that is no window's, outside a deadline. */
const bareHour = /(?<![Hh]asta el |antes del )\S{3} \d{1,2} \S{3} \d{4}, \d|A las? \d/

test('a customer reads the promised window of a visit on every page, and no minute', async () => {
  const reads = async (path: string, ...words: string[]) => {
    const text = await pageText(path, customer)
    expect(text).not.toMatch(bareHour)
    expectWords(text, ...words)
  }
  const promised = async () => momentFor(await visitOf(customer), 30).replaceAll('\u00a0', ' ')
  for (const path of ['/', page, `${page}?agendada`]) await reads(path)
  await reads('/address?editar', `Tienes visita el ${await promised()}`)
  await reads(`${agenda}?cambiar=${visit.id}`, `Tu cita actual: ${await promised()}`, 'Lo más pronto')
  await expectAnswered(change(free[2]!), 303)
  await reads(page, `Ahora es el ${await promised()} `)
  for (const state of ['cancelled', 'no_show', 'done']) {
    await set(`state = '${state}', finished_at = now()`)
    await reads(page)
  }
  await reads(agenda, 'Lo más pronto')
})

test('the open page of a change closes once the visit is cancelled in another tab, and says why', async () => {
  const open = `${agenda}?cambiar=${visit.id}`
  // A live page is read again although a start is chosen in it.
  expectShown(await fixture.visit(open, customer), 200, 'data-follows')
  await expectAnswered(cancel(), 303)
  await pageText(page, customer)
  await expectAnswered(fixture.visit(open, customer), 303, page)
  expectWords(await pageText(page, customer), 'Tu cita se canceló')
  await change(free[2]!)
  expectWords(await pageText(page, customer), 'Tu cita se canceló')
})

test('a connection lost during the change leaves nothing of it, and the same form then works once', async () => {
  const run = (text: string) => db.$client.query(text)
  await run(`create function cut() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger cut after update on appointments for each row execute function cut()`)
  const lost = await change(free[2]!)
  expectShown(lost, 503, 'Servicio no disponible')
  expect(lost.text).toContain(free[2]!)
  await unchanged()
  await run('drop trigger cut on appointments; drop function cut()')
  await expectTwice(() => change(free[2]!))
  await expectVisit({ version: visit.version + 1, movedByCustomer: 1 })
  await expectTrail(visit, ['book', 'reschedule'])
})

test('where the confirmed technician is busy another is provisional, and the former one is notified', async () => {
  await set(`state = 'assigned', confirmed_at = now()`)
  await occupy({ ...technician, id: visit.assigneeId! }, new Date(free[2]!))
  await expectAnswered(change(free[2]!), 303)
  const moved = await visitOf(customer)
  expect(moved).toMatchObject({ state: 'requested', confirmedAt: null })
  expect(moved.assigneeId).not.toBe(visit.assigneeId)
  await expectEmails(visit, ['booked to customer', 'changed to customer', 'no_person to person'])
})

test('refuses a time taken meanwhile with the nearest free ones, and one of another appointment of theirs', async () => {
  for (const one of [technician, technician2]) await occupy(one, new Date(free[2]!))
  expectShown(await change(free[2]!), 409, 'Estos están libres y son los más cercanos')
  await unchanged()
  const call = { service: 'videocall' as const, assigneeId: analyst.id, minutes: 30 }
  await storeVisit(fixture, customer, { ...home, projectId: visit.projectId }, new Date(free[8]!), call)
  expectShown(await change(free[8]!), 409, 'A esa hora ya tienes otra cita')
})

test('refuses a change after the cut-off and offers help', async () => {
  await before(23)
  expectShown(await change(free[2]!), 409, 'Tu cita sigue como está', 'Pedir ayuda')
  await unchanged()
  const text = await pageText(page, customer)
  expectWords(text, 'Cancelar de todos modos')
  expect(text).not.toContain('Cambiar de hora')
})

test('refuses a time off the grid, the present one, a stale version and malformed forms', async () => {
  const odd = around({ startsAt: new Date(free[2]!) }, 7 * minute).toISOString()
  await expectAnswered(change(odd), 400)
  await expectAnswered(change(visit.startsAt.toISOString()), 409)
  expectShown(await change(free[2]!, { version: '9' }), 409, 'Revisa lo que cambió')
  for (const form of [{ startsAt: 'mañana' }, { version: 'x' }])
    await expectAnswered(change(free[2]!, form), 400)
  for (const intent of ['', 'toString', '__proto__']) await expectAnswered(cancel({ intent }), 400)
  await unchanged()
})

test('a customer cancels in time with a reason, once, and books again', async () => {
  await runSql`update pgboss.job set state = 'completed', completed_on = now()`
  const send = () => cancel({ note: 'Salgo de viaje' })
  expect(await statusesOf(send(), send())).toEqual([303, 303])
  await expectVisit({
    state: 'cancelled',
    late: false,
    closingReason: 'cliente_no_disponible',
    closingNote: 'Salgo de viaje',
    sequence: 1,
  })
  await expectEmails(visit, ['booked to customer', 'cancelled to customer'])
  expect(await pageText(page, customer)).toMatch(/Motivo No podías a esa hora/)
  await expectAnswered(book(customer, free[2]!), 303)
})

test('a late cancellation needs its own confirmation and notifies the managers', async () => {
  await before(2)
  expectShown(await cancel({ note: 'Se me complicó' }), 409, 'Cancelar de todos modos', 'Se me complicó')
  await unchanged()
  await expectAnswered(cancel({ intent: 'cancel-late' }), 303)
  await expectVisit({ state: 'cancelled', late: true })
  expect(await sentAbout(visit)).toContain('late_cancel to managers')
})

test('refuses a late cancellation in time or on the way, and a cancellation without a valid reason', async () => {
  await expectAnswered(cancel({ intent: 'cancel-late' }), 409)
  for (const form of [{ reason: '' }, { reason: 'clima' }, { reason: 'otro', note: 'corto' }])
    await expectAnswered(cancel(form), 400)
  await unchanged()
  await set(`state = 'en_route', confirmed_at = now()`)
  await expectAnswered(cancel({ intent: 'cancel-late' }), 409)
})

test('of a change by the customer and an assignment by the manager at once one is refused', async () => {
  const reason = { overrideReason: 'Lo pidió' }
  for (let round = 0; round < 4; round++) {
    await set('moved_by_customer = 0')
    await readAgain()
    const { version } = visit
    const answers = [change(free[round + 5]!), assign(manager, visit, technician, reason)]
    expect(await statusesOf(...answers)).toEqual([303, 409])
    expect((await visitOf(customer)).version).toBe(version + 1)
  }
})
