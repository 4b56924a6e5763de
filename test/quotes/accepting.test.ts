import { isNull } from 'drizzle-orm'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { type Acceptance, acceptQuote } from '../../src/quotes/accept.ts'
import { askAnew, askChanges, rejectQuote } from '../../src/quotes/answers.ts'
import { withdrawQuote } from '../../src/quotes/detail.ts'
import {
  analyst,
  customer,
  db,
  expectEmails,
  expectRow,
  expectTrail,
  fixture,
  inParallel,
  manager,
  openEach,
  runSql,
  sendJobs,
  sentAbout,
  setRow,
  technician,
} from '../kit/open.ts'
import {
  askedIn,
  content,
  installationOf,
  option,
  payCash,
  projectOf,
  quoteOf,
  sendDraft,
  sendOne,
  sent,
  storeDraft,
  storeNext,
  storeSent,
  wishOf,
} from '../kit/quotes.ts'
import { expectOneDone, expectRefusal } from '../kit/reading.ts'

openEach(sendOne)
sendJobs()

const accept = (changes: Partial<Acceptance> = {}, quote = sent, now = new Date(), { actor } = customer) =>
  acceptQuote(db, actor, quote.id, wishOf(quote, changes), now)
const project = () => projectOf(sent)
const asked = () => askedIn()

test('an acceptance stores the choice, its signature and address, requires the permit of the report and makes the deposit due', async () => {
  await runSql`insert into sheet_answers (appointment_id, name, value, changed_at, changed_by)
    values (${sent.appointmentId}, 'needsPermit', 'true', now(), ${technician.id})`
  const now = new Date()
  await accept({ addOns: ['funda'] }, sent, now)
  expect(await quoteOf(sent)).toMatchObject({
    state: 'accepted',
    acceptedOption: 'recommended',
    acceptedAddOns: ['funda'],
    acceptedTotal: 2900_00,
    depositAmount: 1450_00,
    acceptedName: 'Camila Prueba',
    acceptedIp: '10.0.0.1',
    acceptedDigest: sent.digest,
    acceptedAt: now,
    answeredAt: now,
  })
  expect(await project()).toMatchObject({ quoteAcceptedAt: now, depositPaidAt: null, permitNeeded: true })
  expect(await asked()).toEqual(['deposit pending 145000'])
  await expectEmails(sent, [
    'quote_sent to customer',
    'quote_accepted to customer',
    'quote_accepted to maker',
  ])
  const changed = runSql`update quotes set accepted_total = 1`
  await expect(changed).rejects.toMatchObject({ cause: { constraint: 'quotes_frozen' } })
})

test('an acceptance without a deposit leaves nothing to pay before the installation', async () => {
  const customer = await fixture.person()
  const from = { customer, technician, maker: analyst }
  const free = await storeSent(from, { content: content({ depositPercent: 0 }) })
  await accept({}, free, new Date(), customer)
  expect(await projectOf(free)).toMatchObject({ depositPaidAt: expect.any(Date), permitNeeded: false })
  expect(await asked()).toEqual([])
})

test.each([
  ['an unknown option', { option: 'complete' }, 'invalid-argument', 'Elige una opción'],
  ['an unknown add-on', { addOns: ['nada'] }, 'invalid-argument', 'no es de la opción'],
  ['another content than was sent', { digest: 'f'.repeat(64) }, 'aborted', ''],
  ['another version of the form', { version: 7 }, 'aborted', ''],
] as const)('refuses to accept %s', async (_, changes, code, words) => {
  await expectRefusal(accept(changes), code, words)
  await expectTrail(sent, ['send'], 'quote')
  expect(await asked()).toEqual([])
})

test('is accepted until its last millisecond', async () => {
  const { validUntil } = sent
  const late = new Date(validUntil!.getTime() + 1)
  await expectRefusal(
    accept({}, sent, late),
    'failed-precondition',
    'Esta cotización ya venció. Pide una nueva',
  )
  expect(await accept({}, sent, validUntil!)).toMatchObject({ state: 'accepted' })
})

test('at once: of two options accepted one wins, and the other is told which', async () => {
  const both = await Promise.allSettled([accept({ option: 'essential' }), accept({ option: 'recommended' })])
  expectOneDone(both)
  const { acceptedOption, acceptedTotal } = await quoteOf(sent)
  const lost = both.find((one) => one.status === 'rejected')!.reason
  const name = acceptedOption === 'essential' ? 'Esencial' : 'Recomendada'
  expect(lost.description).toContain(`Ya aceptaste la opción «${name}»`)
  expect(await asked()).toEqual([`deposit pending ${acceptedTotal! / 2}`])
})

test('at once: one form sent five times is one acceptance', async () => {
  await inParallel(5, () => accept({ addOns: ['funda'] }))
  await expectTrail(sent, ['send', 'accept'], 'quote')
  expect(await asked()).toEqual(['deposit pending 145000'])
  expect(await sentAbout(sent)).toHaveLength(3)
})

test.each(['withdrawn', 'rejected'] as const)('at once: it is accepted or %s, not both', async (state) => {
  const { id, version } = sent
  const now = new Date()
  const other =
    state === 'withdrawn'
      ? withdrawQuote(db, manager.actor, id, { version, reason: null }, now)
      : rejectQuote(db, customer.actor, id, { version, reason: 'No.' }, now)
  const both = await Promise.allSettled([accept(), other])
  expectOneDone(both)
  const isAccepted = (await quoteOf(sent)).state === 'accepted'
  expect(both[0].status).toBe(isAccepted ? 'fulfilled' : 'rejected')
  expect(await asked()).toEqual(isAccepted ? ['deposit pending 116000'] : [])
})

const sendNext = async () => {
  const dearer = content({ depositPercent: 100, options: [option('complete', { addOns: [] })] })
  return sendDraft(fixture, analyst, await storeNext(sent, analyst, { content: dearer }))
}

test('a newer version replaces the accepted one once it is accepted itself; payments stay with the project', async () => {
  await accept({ option: 'essential' })
  await payCash(580_00)
  expect((await project()).depositPaidAt).not.toBeNull()
  const next = await sendNext()
  expect((await quoteOf(sent)).state).toBe('accepted')
  await accept({ option: 'complete' }, next)
  expect(await quoteOf(sent)).toMatchObject({ state: 'superseded', endedAt: expect.any(Date) })
  await expectTrail(sent, ['send', 'accept', 'replace'], 'quote')
  expect(await quoteOf(next)).toMatchObject({ state: 'accepted', depositAmount: 1160_00 })
  expect(await asked()).toEqual(['deposit paid 58000', 'deposit pending 58000'])
  expect((await project()).depositPaidAt).toBeNull()
})

test('a newer version is neither accepted nor sent once the installation began', async () => {
  await accept({ option: 'essential' })
  const next = await sendNext()
  await installationOf(sent, new Date(), { state: 'in_progress' })
  const words = 'La instalación ya empezó: su cotización ya no cambia.'
  await expectRefusal(accept({ option: 'complete' }, next), 'failed-precondition', words)
  await withdrawQuote(db, analyst.actor, next.id, { ...next, reason: null }, new Date())
  const third = await storeNext(next, analyst)
  await expectRefusal(sendDraft(fixture, analyst, third), 'failed-precondition', words)
  expect((await quoteOf(sent)).state).toBe('accepted')
  expect(await asked()).toEqual(['deposit pending 58000'])
})

const extra = async (state: 'in_progress' | 'done') => {
  const installation = await installationOf(sent, new Date(), { state: 'in_progress' })
  const input = { kind: 'extra_work' as const, content: content({ options: [option('essential')] }) }
  const draft = await storeDraft(fixture, installation, analyst, input)
  const offered = await sendDraft(fixture, analyst, draft)
  await setRow(appointments, installation, { state })
  return offered
}

test('extra work is charged as a whole once it is accepted, beside the accepted quote', async () => {
  await accept()
  const accepted = await accept({ option: 'essential' }, await extra('in_progress'))
  expect(accepted).toMatchObject({ state: 'accepted', depositAmount: 0 })
  expect((await quoteOf(sent)).state).toBe('accepted')
  expect(await asked()).toEqual(['deposit pending 116000', 'extra_work pending 116000'])
})

test('extra work is neither accepted nor offered once the installation is over', async () => {
  const offered = await extra('done')
  const words = 'La instalación ya terminó: ya no se le puede agregar trabajo.'
  await expectRefusal(accept({ option: 'essential' }, offered), 'failed-precondition', words)
  await withdrawQuote(db, analyst.actor, offered.id, { ...offered, reason: null }, new Date())
  const next = await storeNext(offered, analyst, { kind: 'extra_work' })
  await expectRefusal(sendDraft(fixture, analyst, next), 'failed-precondition', words)
})

const openTasks = () => db.select().from(tasks).where(isNull(tasks.doneAt))

test.each([
  ['rejects', rejectQuote, 'reject', 'rejected', 'ya fue rechazada.'],
  ['requests changes to', askChanges, 'askChanges', 'changes_requested', 'Ya se pidieron cambios'],
] as const)(
  'a customer %s a quote once: its author is emailed, and the next version closes the task',
  async (_, change, name, state, already) => {
    const answer = (reason = 'Sin el tablero.', { version } = sent) =>
      change(db, customer.actor, sent.id, { version, reason }, new Date())
    await expectRefusal(answer('No.', { ...sent, version: 7 }), 'aborted')
    await Promise.all([answer(), answer()])
    expect(await quoteOf(sent)).toMatchObject({ state, reason: 'Sin el tablero.' })
    await expectTrail(sent, ['send', name], 'quote')
    expect(await sentAbout(sent)).toContain(`quote_${state} to maker`)
    expect(await openTasks()).toEqual([
      expect.objectContaining({
        quoteId: sent.id,
        personId: customer.id,
        phone: '5512345678',
        subject: expect.stringContaining(`${sent.folio}, versión 1): «Sin el tablero.»`),
      }),
    ])
    await expectRefusal(answer('Otra cosa.'), 'failed-precondition', already)
    await sendDraft(fixture, manager, await storeNext(sent, manager))
    expect((await quoteOf(sent)).state).toBe('superseded')
    expect(await openTasks()).toEqual([])
    const closed = { result: 'Se envió la versión 2.', takenBy: manager.id }
    await expectRow(tasks, { quoteId: sent.id }, closed)
  },
)

test('a customer requests another quote once the sent one is over, which makes one task and one email', async () => {
  const afterwards = sent.validUntil!.getTime() + 60_000
  const ask = (now: Date) => askAnew(db, customer.actor, sent.id, now)
  await expectRefusal(ask(new Date()), 'failed-precondition', 'Esta cotización ya se envió.')
  await Promise.all([ask(new Date(afterwards)), ask(new Date(afterwards))])
  await ask(new Date(afterwards + 60_000))
  await expectTrail(sent, ['send', 'expire', 'askAnew'], 'quote')
  expect(await sentAbout(sent)).toContain('quote_renewal_asked to maker')
  expect((await openTasks()).map(({ reason }) => reason)).toEqual(['quote_renewal'])
})
