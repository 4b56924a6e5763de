import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type Acceptance, acceptQuote } from '../../src/server/quotes/accept.ts'
import { rejectQuote } from '../../src/server/quotes/answers.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { expectTrail, openEach, people, sendJobs, world } from '../kit/open.ts'
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
import { emailsAbout, expectRefusal } from '../kit/reading.ts'

openEach(sendOne)
sendJobs()

const accept = (
  changes: Partial<Acceptance> = {},
  quote = sent,
  now = new Date(),
  { actor } = people.customer,
) => acceptQuote(world.db, actor, quote.id, wishOf(quote, changes), now)
const project = () => projectOf(world, sent)
const asked = () => askedIn(world)

test('an acceptance stores the choice, its signature and address, and makes the deposit due', async () => {
  const now = new Date()
  await accept({ addOns: ['funda'] }, sent, now)
  expect(await quoteOf(world, sent)).toMatchObject({
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
  expect(await project()).toMatchObject({ quoteAcceptedAt: now, depositPaidAt: null, permitNeeded: false })
  expect(await asked()).toEqual(['deposit pending 145000'])
  expect(await emailsAbout(world, sent)).toEqual([
    'quote_sent to customer',
    'quote_accepted to customer',
    'quote_accepted to maker',
  ])
  const changed = world.db.execute(sql`update quotes set accepted_total = 1`)
  await expect(changed).rejects.toMatchObject({ cause: { constraint: 'quotes_frozen' } })
})

test('an acceptance requires the permit that the report found necessary', async () => {
  await world.db.execute(sql`insert into sheet_answers (appointment_id, name, value, changed_at, changed_by)
    values (${sent.appointmentId}, 'needsPermit', 'true', now(), ${people.technician.id})`)
  await accept()
  expect((await project()).permitNeeded).toBe(true)
})

test('an acceptance without a deposit leaves nothing to pay before the installation', async () => {
  const customer = await world.person()
  const { analyst: maker, technician } = people
  const wish = { content: content({ depositPercent: 0 }) }
  const free = await storeSent(world, { customer, technician, maker }, wish)
  await accept({}, free, new Date(), customer)
  expect((await projectOf(world, free)).depositPaidAt).not.toBeNull()
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

describe('at once', () => {
  test('of two options accepted one wins, and the other is told which', async () => {
    const both = await Promise.allSettled([
      accept({ option: 'essential' }),
      accept({ option: 'recommended' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { acceptedOption, acceptedTotal } = await quoteOf(world, sent)
    const lost = both.find((one) => one.status === 'rejected')!.reason
    const name = acceptedOption === 'essential' ? 'Esencial' : 'Recomendada'
    expect(lost.description).toContain(`Ya aceptaste la opción «${name}»`)
    expect(await asked()).toEqual([`deposit pending ${acceptedTotal! / 2}`])
  })

  test('one form sent five times is one acceptance', async () => {
    await Promise.all([1, 2, 3, 4, 5].map(() => accept({ addOns: ['funda'] })))
    await expectTrail(sent, ['send', 'accept'], 'quote')
    expect(await asked()).toEqual(['deposit pending 145000'])
    expect(await emailsAbout(world, sent)).toHaveLength(3)
  })

  test.each(['withdrawn', 'rejected'] as const)('it is accepted or %s, not both', async (state) => {
    const { id, version } = sent
    const now = new Date()
    const other =
      state === 'withdrawn'
        ? withdrawQuote(world.db, people.manager.actor, id, { version, reason: null }, now)
        : rejectQuote(world.db, people.customer.actor, id, { version, reason: 'No.' }, now)
    const both = await Promise.allSettled([accept(), other])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const isAccepted = (await quoteOf(world, sent)).state === 'accepted'
    expect(both[0].status).toBe(isAccepted ? 'fulfilled' : 'rejected')
    expect(await asked()).toEqual(isAccepted ? ['deposit pending 116000'] : [])
  })
})

describe('a newer version', () => {
  const sendNext = async () => {
    const dearer = content({ depositPercent: 100, options: [option('complete', { addOns: [] })] })
    const next = await storeNext(world, sent, people.analyst, { content: dearer })
    return sendDraft(world, people.analyst, next)
  }

  test('replaces the accepted one once it is accepted itself; payments stay with the project', async () => {
    await accept({ option: 'essential' })
    await payCash(world, 580_00)
    expect((await project()).depositPaidAt).not.toBeNull()
    const next = await sendNext()
    expect((await quoteOf(world, sent)).state).toBe('accepted')
    await accept({ option: 'complete' }, next)
    expect(await quoteOf(world, sent)).toMatchObject({ state: 'superseded', endedAt: expect.any(Date) })
    await expectTrail(sent, ['send', 'accept', 'replace'], 'quote')
    expect(await quoteOf(world, next)).toMatchObject({ state: 'accepted', depositAmount: 1160_00 })
    expect(await asked()).toEqual(['deposit paid 58000', 'deposit pending 58000'])
    expect((await project()).depositPaidAt).toBeNull()
  })

  test('is neither accepted nor sent once the installation began', async () => {
    await accept({ option: 'essential' })
    const next = await sendNext()
    await installationOf(sent, new Date(), { state: 'in_progress' })
    const words = 'La instalación ya empezó: su cotización ya no cambia.'
    await expectRefusal(accept({ option: 'complete' }, next), 'failed-precondition', words)
    await withdrawQuote(world.db, people.analyst.actor, next.id, { ...next, reason: null }, new Date())
    const third = await storeNext(world, next, people.analyst)
    await expectRefusal(sendDraft(world, people.analyst, third), 'failed-precondition', words)
    expect((await quoteOf(world, sent)).state).toBe('accepted')
    expect(await asked()).toEqual(['deposit pending 58000'])
  })
})

describe('extra work', () => {
  const extra = async (state: 'in_progress' | 'done') => {
    const installation = await installationOf(sent, new Date(), { state: 'in_progress' })
    const wish = { kind: 'extra_work' as const, content: content({ options: [option('essential')] }) }
    const draft = await storeDraft(world, installation, people.analyst, wish)
    const offered = await sendDraft(world, people.analyst, draft)
    await world.db.execute(sql`update appointments set state = ${state} where id = ${installation.id}`)
    return offered
  }

  test('is charged as a whole once it is accepted, beside the accepted quote', async () => {
    await accept()
    const offered = await extra('in_progress')
    const accepted = await accept({ option: 'essential' }, offered)
    expect(accepted).toMatchObject({ state: 'accepted', depositAmount: 0 })
    expect((await quoteOf(world, sent)).state).toBe('accepted')
    expect(await asked()).toEqual(['deposit pending 116000', 'extra_work pending 116000'])
  })

  test('is neither accepted nor offered once the installation is over', async () => {
    const offered = await extra('done')
    const words = 'La instalación ya terminó: ya no se le puede agregar trabajo.'
    await expectRefusal(accept({ option: 'essential' }, offered), 'failed-precondition', words)
    await withdrawQuote(world.db, people.analyst.actor, offered.id, { ...offered, reason: null }, new Date())
    const next = await storeNext(world, offered, people.analyst, { kind: 'extra_work' })
    await expectRefusal(sendDraft(world, people.analyst, next), 'failed-precondition', words)
  })
})
