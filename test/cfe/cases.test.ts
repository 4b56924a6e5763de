import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type Modules, noModules } from '../../src/domain/access/routes.ts'
import {
  giveCase,
  handOverCases,
  moveCase,
  noteOnCase,
  saveCaseFacts,
} from '../../src/server/cfe/commands.ts'
import { openCase, openNeededCases } from '../../src/server/cfe/open.ts'
import { caseFor, listCases, ownCasesOf, strandedCases, waitingCases } from '../../src/server/cfe/queries.ts'
import { documentSeen } from '../../src/server/documents/documents.ts'
import { dataReads, users } from '../../src/server/platform/database/schema/accounts.ts'
import { documents } from '../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { overviewOf, projectStatusesOf } from '../../src/server/projects/overview.ts'
import { cancelQuote } from '../../src/server/quotes/answers.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import {
  acceptedOf,
  agreed,
  caseOf,
  complete,
  handIn,
  newestCase,
  noLoad,
  openedBy,
  paperWords,
  review,
  walk,
} from '../kit/cfe.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout, refusalOf, rowsIn, trailOf } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

const now = new Date()
const client = () => world.person({ name: 'Camila' })
const agreedBy = async (answers?: Record<string, string | number | boolean>) => {
  const customer = await client()
  const { analyst: maker, technician } = people
  return { customer, ...(await agreed(world, { customer, technician, maker }, answers)) }
}
/** A case that the rule opened, with its customer. */
const opened = async (answers?: Record<string, string | number | boolean>) => {
  const deal = await agreedBy(answers)
  return { ...deal, one: await openedBy(world) }
}

describe('opening', () => {
  test('by rule, from the accepted quote whose report asks for it, once', async () => {
    const { customer, one, quote } = await opened({
      meterChoice: 'second',
      poleDistance: 40.5,
      needsUvie: true,
      supply: 'two',
      meterNumber: 'M-1',
    })
    expect(one).toMatchObject({
      kind: 'second_meter',
      state: 'gathering',
      quoteId: quote.id,
      customerId: customer.id,
      gesterId: people.gester.id,
      openedBy: null,
      poleMetres: 40.5,
      needsUvie: true,
      meterNumber: 'M-1',
      waitingOn: 'customer',
      isThreePhase: false,
    })
    expect(one.folio).toMatch(/^GES-\d{4}-\d{5}$/)
    expect(await paperWords(world, one)).toEqual(
      'official_id bill constancia property sketch charger_sheet uvie_report feasibility'
        .split(' ')
        .map((name) => `${name} pending`),
    )
    expect(await emailsAbout(world, one)).toEqual(['case_given to gester', 'case_turn to customer'])
    expect(await openNeededCases(world.db, now)).toBe(0)
  })

  test('two rounds at once open one', async () => {
    await agreedBy()
    const counts = await Promise.all([openNeededCases(world.db, now), openNeededCases(world.db, now)])
    expect(counts.toSorted()).toEqual([0, 1])
  })

  test('not where nothing is needed, nor again after it was cancelled', async () => {
    await agreedBy({ meterChoice: 'same', loadIncrease: false })
    expect(await openNeededCases(world.db, now)).toBe(0)
    const { one } = await opened({ loadIncrease: true })
    expect(one.kind).toBe('load_increase')
    await walk(world, people.manager, one, 'cancel')
    expect(await openNeededCases(world.db, now)).toBe(0)
  })

  test('also beside a change of name, and anew for what is agreed after a quote was cancelled', async () => {
    const { customer, quote, visit } = await agreedBy({ loadIncrease: true })
    await openCase(world.db, people.gester.actor, { folio: quote.folio, kind: 'name_change' }, now)
    expect(await openedBy(world)).toMatchObject({ kind: 'load_increase', customerId: customer.id })
    await cancelQuote(world.db, people.manager.actor, quote.id, { version: 1, reason: 'Se muda.' }, now)
    expect(await openNeededCases(world.db, now)).toBe(0)
    const again = await acceptedOf(world, visit, people.analyst)
    expect(await openedBy(world)).toMatchObject({ kind: 'load_increase', quoteId: again.id })
    expect(await openNeededCases(world.db, now)).toBe(0)
  })

  test('by hand, by the folio of a quote or of a visit; one open of a kind', async () => {
    const { quote, visit } = await agreedBy({ meterChoice: 'same' })
    const open = (folio: string, by = people.gester) =>
      openCase(world.db, by.actor, { folio, kind: 'name_change' }, now)
    expect(await open(visit.folio)).toMatchObject({ gesterId: people.gester.id, openedBy: people.gester.id })
    expect((await refusalOf(open(visit.folio)))[0]).toBe('already-exists')
    expect((await refusalOf(open('COT-2020-00000')))[0]).toBe('invalid-argument')
    for (const by of [people.analyst, people.technician, people.ally, people.customer])
      expect((await refusalOf(open(quote.folio, by)))[0]).toBe('permission-denied')
  })
})

describe('papers', () => {
  test('the customer hands in theirs, the gester validates or gives back, and whose turn it is follows', async () => {
    const { customer, one } = await opened({ loadIncrease: true })
    const { gester } = people
    for (const name of ['official_id', 'bill', 'constancia'] as const)
      await handIn(world, customer, one, name)
    expect(await caseOf(world, one)).toMatchObject({ waitingOn: 'gester', state: 'gathering' })
    await review(world, gester, one, 'official_id')
    await review(world, gester, one, 'bill', 'Está borroso.')
    expect((await caseOf(world, one)).waitingOn).toBe('customer')
    expect(await paperWords(world, one)).toEqual([
      'official_id validated',
      'bill rejected',
      'constancia received',
      'charger_sheet pending',
    ])
    await handIn(world, customer, one, 'bill')
    await complete(world, gester, one)
    expect(await walk(world, gester, one, 'complete')).toMatchObject({
      state: 'ready_to_file',
      waitingOn: 'gester',
    })
    expect((await trailOf(world, one)).slice(0, 6)).toEqual([
      'open',
      'paper',
      'paper',
      'paper',
      'paper_validated',
      'paper_rejected',
    ])
  })

  test('not what is the gester’s to hand in, nor once it is validated; another file takes the place of the one before', async () => {
    const { customer, one } = await opened({ loadIncrease: true })
    expect((await refusalOf(handIn(world, customer, one, 'charger_sheet')))[0]).toBe('permission-denied')
    expect((await refusalOf(handIn(world, customer, one, 'sketch')))[0]).toBe('permission-denied')
    await handIn(world, customer, one, 'bill')
    await handIn(world, customer, one, 'bill')
    const before = await rowsIn(world, documents, { customerId: customer.id })
    expect(before).toHaveLength(1)
    await handIn(world, people.gester, one, 'bill', new File([`%PDF-1.7\notro`], 'otro.pdf'))
    const after = await rowsIn(world, documents, { customerId: customer.id })
    expect(after.map(({ replacedAt }) => replacedAt !== null).toSorted()).toEqual([false, true])
    // Who works on the case looked at what they hand in; sent twice it is one change.
    expect(await paperWords(world, one)).toContain('bill validated')
    await handIn(world, people.gester, one, 'bill', new File([`%PDF-1.7\notro`], 'otro.pdf'))
    expect(await rowsIn(world, documents, { customerId: customer.id })).toHaveLength(2)
    expect((await refusalOf(handIn(world, customer, one, 'bill')))[0]).toBe('failed-precondition')
  })

  test('only those whose case it is read them', async () => {
    const { customer, one } = await opened({ loadIncrease: true })
    await handIn(world, customer, one, 'official_id')
    const [paper] = await rowsIn(world, documents, { customerId: customer.id })
    const other = await world.person({ kind: 'gester', name: 'Gloria' })
    const { ally, analyst, customer2, gester, manager, technician } = people
    const sees = async (by: typeof customer) => (await documentSeen(world.db, by.actor, paper!.id)) !== null
    for (const by of [customer, gester, manager, analyst])
      expect([by.kind, await sees(by)]).toEqual([by.kind, true])
    for (const by of [other, technician, ally, customer2])
      expect([by.kind, await sees(by)]).toEqual([by.kind, false])
    expect(await caseFor(world.db, other.actor, one.id)).toBeNull()
    expect((await refusalOf(handIn(world, other, one, 'bill')))[0]).toBe('not-found')
    await world.db.update(users).set({ active: false }).where(eq(users.id, other.id))
  })

  test('its Constancia leaves a row for each look of the staff, as the one for invoices does; no other paper does', async () => {
    const { customer, one } = await opened({ loadIncrease: true })
    for (const name of ['constancia', 'bill'] as const) await handIn(world, customer, one, name)
    const papers = await rowsIn(world, documents, { customerId: customer.id })
    for (const by of [customer, people.gester, people.manager, people.technician])
      for (const { id } of papers) await world.visit(`/documents/${id}`, by)
    const rows = await rowsIn(world, dataReads, { customerId: customer.id })
    const subjectId = papers.find(({ name }) => name === 'constancia.pdf')!.id
    const looks = [people.gester, people.manager].map(({ id: readerId }) => ({
      readerId,
      subjectId,
      what: 'constancia',
    }))
    expect(rows).toMatchObject(looks)
  })

  test('what a case needs follows from what it says', async () => {
    const { one } = await opened({ loadIncrease: true })
    const facts = {
      holderName: 'Rosa Prueba',
      serviceNumber: '123456789012',
      meterNumber: null,
      poleMetres: 36,
      chargerKilowatts: 7.4,
      ...noLoad,
      isThreePhase: false,
      needsPermit: true,
      needsUvie: false,
    }
    const { version } = await caseOf(world, one)
    await saveCaseFacts(world.db, people.gester.actor, one.id, { ...facts, version }, now)
    const wanted = 'official_id bill constancia power condominium_permit charger_sheet feasibility'
    expect((await paperWords(world, one)).join()).toBe(
      wanted
        .split(' ')
        .map((name) => `${name} pending`)
        .join(),
    )
    expect(
      (await refusalOf(saveCaseFacts(world.db, people.gester.actor, one.id, { ...facts, version }, now)))[0],
    ).toBe('aborted')
    await saveCaseFacts(
      ...([
        world.db,
        people.gester.actor,
        one.id,
        { ...facts, holderName: null, version: version + 1 },
        now,
      ] as const),
    )
    expect(await paperWords(world, one)).not.toContain('power pending')
  })
})

test('a paper that was given back and is not needed any more keeps nothing up', async () => {
  const { customer, one } = await opened({ loadIncrease: true, needsUvie: false })
  const { gester } = people
  const facts = {
    holderName: 'Rosa Prueba',
    serviceNumber: null,
    meterNumber: null,
    poleMetres: null,
    chargerKilowatts: 7.4,
    ...noLoad,
    isThreePhase: false,
    needsPermit: false,
    needsUvie: false,
  }
  const save = async (wish: typeof facts | (Omit<typeof facts, 'holderName'> & { holderName: null })) => {
    const { version } = await caseOf(world, one)
    return saveCaseFacts(world.db, gester.actor, one.id, { ...wish, version }, now)
  }
  await save(facts)
  await handIn(world, customer, one, 'power')
  await review(world, gester, one, 'power', 'Falta la firma.')
  await save({ ...facts, holderName: null })
  for (const name of ['official_id', 'bill', 'constancia', 'charger_sheet'] as const)
    await handIn(world, gester, one, name)
  expect(await paperWords(world, one)).toContain('power rejected')
  expect((await caseOf(world, one)).waitingOn).toBe('gester')
  const [own] = await ownCasesOf(world.db, customer.actor, one.projectId)
  expect(own!.papers.map(({ name }) => name)).toEqual(['official_id', 'bill', 'constancia'])
  expect(await walk(world, gester, one, 'complete')).toMatchObject({ state: 'ready_to_file' })
})

describe('the way of a case', () => {
  test('to its end, with a letter to the customer at every change of turn', async () => {
    const { customer, one } = await opened({ loadIncrease: true })
    const { gester } = people
    await complete(world, gester, one)
    expect(await walk(world, gester, one, 'complete', 'file')).toMatchObject({
      state: 'filed',
      waitingOn: 'cfe',
      requestNumber: 'S-123',
    })
    const observed = await walk(world, gester, one, 'inspect', 'observe')
    expect(observed).toMatchObject({ waitingOn: 'customer', reason: 'Porque sí.' })
    const held = await walk(world, gester, one, 'hold')
    expect(held).toMatchObject({ state: 'on_hold', heldFrom: 'observed', dueOn: null })
    await walk(world, gester, one, 'resume', 'correct', 'inspect', 'approve', 'sign', 'installMeter', 'close')
    expect(await caseOf(world, one)).toMatchObject({ state: 'closed', waitingOn: 'none', dueOn: null })
    const letters = (await emailsAbout(world, one)).filter((letter) => letter === 'case_turn to customer')
    // Opened, gathered, filed, observed, held, resumed, corrected, with CFE, approved, signed, installed, closed.
    expect(letters).toHaveLength(12)
    const job = { letter: 'case_turn', caseId: one.id, to: 'customer' } as const
    const { waitingSince } = await caseOf(world, one)
    const [last] = await emailsOf(world.db, { ...job, since: waitingSince.toISOString() })
    expect([last?.to, last?.subject]).toEqual([customer.email, `Tu trámite ante CFE terminó (${one.folio})`])
    expect(await emailsOf(world.db, { ...job, since: one.waitingSince.toISOString() })).toEqual([])
  })

  test('a form shown with an older version is refused', async () => {
    const { one } = await opened({ loadIncrease: true })
    await walk(world, people.gester, one, 'hold', 'resume')
    const wish = { move: 'cancel', reason: 'Ya no.', correctedBy: null, requestNumber: null } as const
    const late = moveCase(world.db, people.gester.actor, one.id, { ...wish, version: one.version }, now)
    expect((await refusalOf(late))[0]).toBe('aborted')
  })

  test('it ends with the quote as long as CFE has nothing of it', async () => {
    const [first, second] = [await opened({ loadIncrease: true }), await opened({ loadIncrease: true })]
    await complete(world, people.gester, second.one)
    await walk(world, people.gester, second.one, 'complete', 'file')
    for (const { quote } of [first, second])
      await cancelQuote(world.db, people.manager.actor, quote.id, { version: 1, reason: 'Se muda.' }, now)
    expect(await caseOf(world, first.one)).toMatchObject({ state: 'cancelled', waitingOn: 'none' })
    expect(await caseOf(world, second.one)).toMatchObject({ state: 'filed', waitingOn: 'cfe' })
  })

  test('once the installation is done, the project stands by its case, and is closed only after it', async () => {
    const { customer, one, visit } = await opened({ loadIncrease: true })
    const startsAt = new Date(now.getTime() - 3 * hour)
    const home = { projectId: visit.projectId!, address: visit.address } as Home
    await storeVisit(world, customer, home, startsAt, {
      service: 'installation',
      minutes: 60,
      state: 'done',
      outcome: 'completed',
      closingNote: 'Listo.',
      startedAt: startsAt,
      finishedAt: now,
      assigneeId: people.technician.id,
    })
    await world.db
      .update(projects)
      .set({ quoteAcceptedAt: now, depositPaidAt: now })
      .where(eq(projects.id, visit.projectId!))
    const standing = async () => (await projectStatusesOf(world.db, [customer.id], now))[0]
    expect(await standing()).toMatchObject({ stage: 'cfe', waitingOn: 'customer' })
    const here = async (on: Modules) => overviewOf(world.db, customer.actor, now, on)
    expect(await here(new Set(['gesties']))).toMatchObject({ stage: 'cfe', next: { to: '/installation' } })
    const off = await here(noModules)
    expect(off).toMatchObject({ stage: 'cfe', next: null })
    expect(off.line).toContain('Seguimos con tu trámite ante CFE')
    await complete(world, people.gester, one)
    await walk(world, people.gester, one, 'complete', 'file')
    expect(await standing()).toMatchObject({ stage: 'cfe', waitingOn: 'cfe' })
    await walk(world, people.manager, one, 'inspect', 'reject')
    expect(await standing()).toMatchObject({ stage: 'closed', waitingOn: 'none' })
  })
})

describe('who handles them', () => {
  test('the one with the fewest; the manager hands them over, also those of somebody who left', async () => {
    const { gester, manager } = people
    const other = await world.person({ kind: 'gester', name: 'Gisela' })
    const { one } = await opened({ loadIncrease: true })
    expect(one.gesterId).toBe(other.id)
    await giveCase(world.db, manager.actor, one.id, { gesterId: gester.id, version: one.version })
    const again = giveCase(world.db, gester.actor, one.id, { gesterId: other.id, version: one.version + 1 })
    expect((await refusalOf(again))[0]).toBe('permission-denied')
    await giveCase(world.db, manager.actor, one.id, { gesterId: other.id, version: one.version + 1 })
    await world.db.update(users).set({ active: false }).where(eq(users.id, other.id))
    expect(await strandedCases(world.db)).toContainEqual(expect.objectContaining({ id: other.id, open: 1 }))
    const over = (by: typeof gester) => handOverCases(world.db, by.actor, { from: other.id, to: gester.id })
    expect((await refusalOf(over(gester)))[0]).toBe('permission-denied')
    expect(await over(manager)).toBe(1)
    expect((await caseOf(world, one)).gesterId).toBe(gester.id)
    const job = { letter: 'cases_handed', gesterId: gester.id, count: 1, to: 'gester' } as const
    expect((await emailsOf(world.db, job))[0]?.subject).toBe('Te encargamos un trámite')
  })

  test('a list holds one’s own and nobody’s, what is due first at its head', async () => {
    const { analyst, gester, manager } = people
    const { rows, total } = await listCases(world.db, manager.actor, {})
    expect(rows.length).toBe(total)
    const due = rows.map(({ dueOn }) => dueOn ?? '9999')
    expect(due).toEqual(due.toSorted())
    const [last] = rows.slice(-1)
    expect((await listCases(world.db, manager.actor, {}, rows.at(-2)!.id)).rows).toEqual([last])
    const mine = await listCases(world.db, gester.actor, { turn: 'cfe' })
    expect(new Set(mine.rows.map(({ waitingOn }) => waitingOn))).toEqual(new Set(['cfe']))
    expect((await listCases(world.db, gester.actor, { text: rows[0]!.folio })).total).toBe(1)
    expect((await listCases(world.db, manager.actor, { over: '1' })).total).toBeGreaterThan(0)
    expect((await waitingCases(world.db, gester.actor, '2020-01-01')).late).toBe(0)
    expect((await refusalOf(listCases(world.db, analyst.actor, {})))[0]).toBe('not-found')
  })

  test('notes stay among those who work on it', async () => {
    const one = await newestCase(world)
    await noteOnCase(world.db, people.gester.actor, one.id, 'Hablé con CFE.')
    const shown = await caseFor(world.db, people.gester.actor, one.id)
    expect(shown?.history[0]).toMatchObject({ name: 'note', reason: 'Hablé con CFE.' })
    const customer = { ...people.customer.actor, id: one.customerId }
    const [own] = await ownCasesOf(world.db, customer, one.projectId)
    expect(JSON.stringify(own)).not.toContain('Hablé')
    expect((await refusalOf(noteOnCase(world.db, people.analyst.actor, one.id, 'Yo no.')))[0]).toBe(
      'permission-denied',
    )
  })
})
