import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Acceptance, acceptQuote } from '../../src/server/quotes/accept.ts'
import { rejectQuote } from '../../src/server/quotes/answers.ts'
import { noteViewed, withdrawQuote } from '../../src/server/quotes/detail.ts'
import { storeVisit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  askedIn,
  content,
  option,
  payCash,
  projectOf,
  type Quote,
  quoteOf,
  sendDraft,
  storeDraft,
  storeNext,
  storeSent,
  wishOf,
} from '../kit/quotes.ts'
import { emailsAbout, refusalOf, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

let sent: Quote
beforeEach(async () => {
  const { analyst: maker, customer, technician } = people
  sent = await storeSent(world, { customer, technician, maker })
})

const accept = (
  changes: Partial<Acceptance> = {},
  by: Person = people.customer,
  quote = sent,
  now = new Date(),
) => acceptQuote(world.db, by.actor, quote.id, wishOf(quote, changes), now)
const project = () => projectOf(world, sent)
const asked = () => askedIn(world)

describe('an acceptance', () => {
  test('keeps what was agreed, by whom and from where, and makes the deposit due', async () => {
    const now = new Date()
    await accept({ addOns: ['funda'] }, people.customer, sent, now)
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
    const refused = world.db.execute(sql`update quotes set accepted_total = 1`)
    await expect(refused).rejects.toMatchObject({ cause: { constraint: 'quotes_frozen' } })
  })

  test('asks for the permit that the report found necessary', async () => {
    const answers = sql`insert into sheet_answers (appointment_id, name, value, changed_at, changed_by)
      values (${sent.appointmentId}, 'needsPermit', 'true', now(), ${people.technician.id})`
    await world.db.execute(answers)
    await accept()
    expect((await project()).permitNeeded).toBe(true)
  })

  test('without a deposit leaves nothing to pay before the installation', async () => {
    const other = await world.person()
    const offered = content({ depositPercent: 0 })
    const wish = { content: offered }
    const { analyst: maker, technician } = people
    const free = await storeSent(world, { customer: other, technician, maker }, wish)
    await accept({}, other, free)
    expect((await projectOf(world, free)).depositPaidAt).not.toBeNull()
    expect(await asked()).toEqual([])
  })

  test('after it was seen in the meantime is good: nothing of it changed', async () => {
    await noteViewed(world.db, people.customer.actor, sent.id, new Date())
    await accept()
    expect(await trailOf(world, sent, 'quote')).toEqual(['send', 'view', 'accept'])
  })

  test.each([
    ['of an option that is not there', { option: 'complete' }, 'invalid-argument', 'Elige una opción'],
    ['with an add-on that is not there', { addOns: ['nada'] }, 'invalid-argument', 'no es de la opción'],
    ['of something else than was sent', { digest: 'f'.repeat(64) }, 'aborted', 'Alguien más actualizó'],
    ['of another version of the form', { version: 7 }, 'aborted', 'Alguien más actualizó'],
  ] as const)('%s is refused', async (_what, changes, code, words) => {
    const [refused, said] = await refusalOf(accept(changes))
    expect(refused).toBe(code)
    expect(said).toContain(words)
    expect([await trailOf(world, sent, 'quote'), await asked()]).toEqual([['send'], []])
  })

  test('is its customer’s only', async () => {
    const { ally, analyst, customer2, gester, manager, technician, technician2 } = people
    for (const by of [analyst, manager, technician])
      expect((await refusalOf(accept({}, by)))[0]).toBe('permission-denied')
    for (const by of [ally, customer2, gester, technician2])
      expect((await refusalOf(accept({}, by)))[0]).toBe('not-found')
    expect((await quoteOf(world, sent)).state).toBe('sent')
  })

  test('comes too late after the last second, before anything said that it is over', async () => {
    const { validUntil } = sent
    const late = accept({}, people.customer, sent, new Date(validUntil!.getTime() + 1))
    expect(await refusalOf(late)).toEqual([
      'failed-precondition',
      'Esta cotización ya venció. Pide una nueva y te la preparamos.',
    ])
    await accept({}, people.customer, sent, validUntil!)
    expect((await quoteOf(world, sent)).state).toBe('accepted')
  })

  test.each([
    ['expired', 'Esta cotización ya venció.'],
    ['withdrawn', 'Retiramos esta cotización.'],
    ['superseded', 'Hay una versión más nueva de esta cotización.'],
    ['rejected', 'Esta cotización ya fue rechazada.'],
    ['changes_requested', 'Ya se pidieron cambios a esta cotización.'],
  ])('of one that is %s is refused with why', async (state, words) => {
    await world.db.execute(sql`update quotes set state = ${state}`)
    expect(await refusalOf(accept())).toEqual(['failed-precondition', words])
  })
})

describe('at once', () => {
  test('two tabs accept two options: one wins, and the other hears which', async () => {
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
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => accept({ addOns: ['funda'] })))
    expect(new Set(all.map(({ version }) => version)).size).toBe(1)
    expect(await trailOf(world, sent, 'quote')).toEqual(['send', 'accept'])
    expect(await asked()).toEqual(['deposit pending 145000'])
    expect(await emailsAbout(world, sent)).toHaveLength(3)
  })

  test.each(['withdrawn', 'rejected'] as const)('accepted while it is %s: one of the two', async (state) => {
    const { id, version } = sent
    const [by, now] = [people.manager.actor, new Date()]
    const other =
      state === 'withdrawn'
        ? withdrawQuote(world.db, by, id, { version, reason: null }, now)
        : rejectQuote(world.db, people.customer.actor, id, { version, reason: 'No.' }, now)
    const both = await Promise.allSettled([accept(), other])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const won = (await quoteOf(world, sent)).state
    expect(both[0].status).toBe(won === 'accepted' ? 'fulfilled' : 'rejected')
    expect(await asked()).toEqual(won === 'accepted' ? ['deposit pending 116000'] : [])
  })
})

describe('a newer version', () => {
  const sendNext = async () => {
    const dearer = content({ depositPercent: 100, options: [option('complete', { addOns: [] })] })
    const next = await storeNext(world, sent, people.analyst, { content: dearer })
    return sendDraft(world, people.analyst, next)
  }

  test('replaces what was accepted only once it is accepted; what was paid stays with the project', async () => {
    await accept({ option: 'essential' })
    await payCash(world, 580_00)
    expect((await project()).depositPaidAt).not.toBeNull()
    const next = await sendNext()
    expect((await quoteOf(world, sent)).state).toBe('accepted')
    await accept({ option: 'complete' }, people.customer, next)
    expect(await quoteOf(world, sent)).toMatchObject({ state: 'superseded', endedAt: expect.any(Date) })
    expect(await trailOf(world, sent, 'quote')).toEqual(['send', 'accept', 'replace'])
    expect(await quoteOf(world, next)).toMatchObject({ state: 'accepted', depositAmount: 1160_00 })
    expect(await asked()).toEqual(['deposit paid 58000', 'deposit pending 58000'])
    expect((await project()).depositPaidAt).toBeNull()
  })

  test.each(['in_progress', 'done'] as const)(
    'is neither accepted nor sent once its installation is %s: its balance stays what it was',
    async (state) => {
      await accept({ option: 'essential' })
      const next = await sendNext()
      const home = { projectId: sent.projectId, addressId: '', address: sent.address } as never
      await storeVisit(world, people.customer, home, new Date(), {
        service: 'installation',
        state,
        assigneeId: people.technician.id,
        ...(state === 'done' && { outcome: 'completed' }),
      })
      const words = 'La instalación ya empezó: su cotización ya no cambia.'
      expect((await refusalOf(accept({ option: 'complete' }, people.customer, next)))[1]).toContain(words)
      const { id, version } = next
      await withdrawQuote(world.db, people.analyst.actor, id, { version, reason: null }, new Date())
      const third = await storeNext(world, next, people.analyst)
      const again = sendDraft(world, people.analyst, third)
      expect((await refusalOf(again))[1]).toContain(words)
      expect((await quoteOf(world, sent)).state).toBe('accepted')
      expect(await asked()).toEqual(['deposit pending 58000'])
    },
  )

  test('that is rejected leaves what was accepted', async () => {
    await accept()
    const next = await sendNext()
    const no = { version: next.version, reason: 'Prefiero la de antes.' }
    await rejectQuote(world.db, people.customer.actor, next.id, no, new Date())
    expect((await quoteOf(world, sent)).state).toBe('accepted')
    expect((await project()).quoteAcceptedAt).not.toBeNull()
  })
})

describe('extra work', () => {
  const extra = async (state: 'in_progress' | 'done') => {
    const { analyst, customer, technician } = people
    const home = { projectId: sent.projectId, addressId: '', address: sent.address } as never
    const installation = await storeVisit(world, customer, home, new Date(), {
      service: 'installation',
      state: 'in_progress',
      assigneeId: technician.id,
    })
    const wish = { kind: 'extra_work' as const, content: content({ options: [option('essential')] }) }
    const draft = await storeDraft(world, installation, analyst, wish)
    const offered = await sendDraft(world, analyst, draft)
    await world.db.execute(sql`update appointments set state = ${state} where id = ${installation.id}`)
    return offered
  }

  test('is charged as a whole once it is accepted; what was agreed before stands', async () => {
    await accept()
    const offered = await extra('in_progress')
    await accept({ option: 'essential' }, people.customer, offered)
    expect(await quoteOf(world, offered)).toMatchObject({ state: 'accepted', depositAmount: 0 })
    expect((await quoteOf(world, sent)).state).toBe('accepted')
    expect(await asked()).toEqual(['deposit pending 116000', 'extra_work pending 116000'])
  })

  test('is not accepted, nor offered, once the installation is over', async () => {
    const offered = await extra('done')
    const words = 'La instalación ya terminó: ya no se le puede agregar trabajo.'
    expect(await refusalOf(accept({ option: 'essential' }, people.customer, offered))).toEqual([
      'failed-precondition',
      words,
    ])
    const { id, version } = offered
    await withdrawQuote(world.db, people.analyst.actor, id, { version, reason: null }, new Date())
    const next = await storeNext(world, offered, people.analyst, { kind: 'extra_work' })
    const again = sendDraft(world, people.analyst, next)
    expect((await refusalOf(again))[1]).toBe(words)
  })
})
