import { sql } from 'drizzle-orm'
import { type Modules, noModules } from '../../src/access/rules/routes.ts'
import { giveCase, handOverCases, noteOnCase } from '../../src/cfe/commands.ts'
import { openCase, openNeededCases } from '../../src/cfe/open.ts'
import { caseFor, listCases, ownCasesOf, strandedCases } from '../../src/cfe/queries.ts'
import type { CaseFilters } from '../../src/cfe/rules/case.ts'
import { overviewOf, projectStatusesOf } from '../../src/customers/overview.ts'
import { documentSeen } from '../../src/documents/documents.ts'
import { dataReads, users } from '../../src/platform/database/schema/accounts.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { documents } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { cancelQuote } from '../../src/quotes/answers.ts'
import { addDays } from '../../src/shared/calendar.ts'
import { localDay, shortDate } from '../../src/shared/format.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import {
  acceptedOf,
  agreed,
  caseOf,
  complete,
  handIn,
  openedBy,
  openedCase,
  paperWords,
  review,
  saveFacts,
  walk,
} from '../kit/cfe.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  ally,
  analyst,
  customer2,
  db,
  expectEmails,
  expectNotOnPage,
  expectScreen,
  expectTrail,
  fixture,
  gester,
  manager,
  newPerson,
  openOnce,
  people,
  rowsWhere,
  rowWhere,
  sendJobsOnce,
  sentAbout,
  setRow,
  technician,
} from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { expectAnswered, expectRefusal } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

const now = new Date()
type Answers = Record<string, string | number | boolean>
const agreedBy = async (answers?: Answers) => {
  const customer = await newPerson({ name: 'Camila' })
  const { analyst: maker } = people
  return { customer, ...(await agreed({ customer, technician, maker }, answers)) }
}
const open = () => openNeededCases(db, now)
const cancel = ({ id }: { id: string }) =>
  cancelQuote(db, manager.actor, id, { version: 1, reason: 'Se muda.' }, now)
const pageOf = ({ id }: { id: string }) => `/admin/gesties/${id}`
const papersOf = ({ id: customerId }: Person) => rowsWhere(documents, { customerId })
const pending = (names: string) => names.split(' ').map((name) => `${name} pending`)

describe('opening', () => {
  test('opens the case that the report of an accepted quote needs, once for two rounds at once', async () => {
    const answers = { meterChoice: 'second', poleDistance: 40.5, needsUvie: true, supply: 'two' }
    const { customer, quote } = await agreedBy({ ...answers, meterNumber: 'M-1' })
    expect((await Promise.all([open(), open()])).toSorted()).toEqual([0, 1])
    const one = (await rowWhere(cfeCases, { customerId: customer.id }))!
    expect(one).toMatchObject({
      kind: 'second_meter',
      state: 'gathering',
      quoteId: quote.id,
      customerId: customer.id,
      gesterId: gester.id,
      openedBy: null,
      poleMetres: 40.5,
      needsUvie: true,
      meterNumber: 'M-1',
      waitingOn: 'customer',
      isThreePhase: false,
      folio: expect.stringMatching(/^GES-\d{4}-\d{5}$/),
    })
    expect(await paperWords(one)).toEqual(
      pending('official_id bill constancia property sketch charger_sheet uvie_report feasibility'),
    )
    await expectEmails(one, ['case_given to gester', 'case_turn to customer'])
    expect(await open()).toBe(0)
  })

  test('opens none where none is needed, nor again after it was cancelled', async () => {
    await agreedBy({ meterChoice: 'same', loadIncrease: false })
    expect(await open()).toBe(0)
    const { one } = await openedCase()
    await walk(manager, one, 'cancel')
    expect(await open()).toBe(0)
  })

  test('opens one beside a change of name, and another for the quote after a cancelled one', async () => {
    const { customer, quote, visit } = await agreedBy({ loadIncrease: true })
    await openCase(db, gester.actor, { folio: quote.folio, kind: 'name_change' }, now)
    expect(await openedBy()).toMatchObject({ kind: 'load_increase', customerId: customer.id })
    await cancel(quote)
    expect(await open()).toBe(0)
    const again = await acceptedOf(visit, analyst)
    expect(await openedBy()).toMatchObject({ kind: 'load_increase', quoteId: again.id })
    expect(await open()).toBe(0)
  })

  test('a gester opens one of each kind by the folio of a visit', async () => {
    const { visit } = await agreedBy({ meterChoice: 'same' })
    const { actor, id } = gester
    const ask = (folio: string) => openCase(db, actor, { folio, kind: 'name_change' }, now)
    expect(await ask(visit.folio)).toMatchObject({ gesterId: id, openedBy: id })
    await expectRefusal(ask(visit.folio), 'already-exists')
    await expectRefusal(ask('COT-2020-00000'), 'invalid-argument')
  })
})

describe('papers', () => {
  test('the customer hands in theirs, the gester validates or returns them, and the turn follows', async () => {
    const { customer, one } = await openedCase()
    for (const name of ['official_id', 'bill', 'constancia'] as const) await handIn(customer, one, name)
    expect(await caseOf(one)).toMatchObject({ waitingOn: 'gester', state: 'gathering' })
    await review(gester, one, 'official_id')
    await review(gester, one, 'bill', 'Está borroso.')
    expect((await caseOf(one)).waitingOn).toBe('customer')
    const words = 'official_id validated, bill rejected, constancia received, charger_sheet pending'
    expect((await paperWords(one)).join(', ')).toBe(words)
    await expectTrail(one, 'open paper paper paper paper_validated paper_rejected'.split(' '))
    await complete(gester, one)
    expect(await walk(gester, one, 'complete')).toMatchObject({
      state: 'ready_to_file',
      waitingOn: 'gester',
    })
  })

  test('a customer hands in neither the gester’s papers nor a validated one; another file replaces the one before', async () => {
    const { customer, one } = await openedCase()
    await expectRefusal(handIn(customer, one, 'charger_sheet'), 'permission-denied')
    for (let time = 0; time < 2; time++) await handIn(customer, one, 'bill')
    expect(await papersOf(customer)).toHaveLength(1)
    // What a gester hands in is validated, and sent twice it is one change.
    for (let time = 0; time < 2; time++)
      await handIn(gester, one, 'bill', fileOf(pdf('<</T(otro)>>'), 'otro.pdf'))
    expect(await paperWords(one)).toContain('bill validated')
    expect((await papersOf(customer)).filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1)
    await expectRefusal(handIn(customer, one, 'bill'), 'failed-precondition')
  })

  test('only the roles of a case read its papers; each look of the staff at a Constancia is recorded', async () => {
    const { customer, one } = await openedCase()
    for (const name of ['constancia', 'bill'] as const) await handIn(customer, one, name)
    const papers = await papersOf(customer)
    const { id: subjectId } = papers.find(({ name }) => name === 'constancia.pdf')!
    const other = await newPerson({ kind: 'gester' })
    const sees = async (by: Person) => (await documentSeen(db, by.actor, subjectId)) !== null
    for (const by of [customer, gester, manager, analyst]) expect(await sees(by)).toBe(true)
    for (const by of [other, technician, ally, customer2]) expect(await sees(by)).toBe(false)
    expect(await caseFor(db, other.actor, one.id)).toBeNull()
    await expectRefusal(handIn(other, one, 'bill'), 'not-found')
    await setRow(users, other, { active: false })
    for (const by of [customer, gester, manager, technician])
      for (const { id } of papers) await fixture.visit(`/documents/${id}`, by)
    expect(await rowsWhere(dataReads, { customerId: customer.id })).toMatchObject(
      [gester, manager].map(({ id: readerId }) => ({ readerId, subjectId, what: 'constancia' })),
    )
  })

  test('a case needs the papers that its facts ask for; one no longer needed holds nothing up', async () => {
    const { customer, one } = await openedCase()
    const { version } = one
    const facts = { holderName: 'Rosa Prueba', serviceNumber: '123456789012', poleMetres: 36 }
    await saveFacts(gester, one, { ...facts, needsPermit: true }, version)
    expect(await paperWords(one)).toEqual(
      pending('official_id bill constancia power condominium_permit charger_sheet feasibility'),
    )
    await expectRefusal(saveFacts(gester, one, facts, version), 'aborted')
    await handIn(customer, one, 'power')
    await review(gester, one, 'power', 'Falta la firma.')
    await saveFacts(gester, one, {})
    for (const name of ['official_id', 'bill', 'constancia', 'charger_sheet'] as const)
      await handIn(gester, one, name)
    expect(await paperWords(one)).toContain('power rejected')
    expect((await caseOf(one)).waitingOn).toBe('gester')
    const [own] = await ownCasesOf(db, customer.actor, one.projectId)
    expect(own!.papers.map(({ name }) => name)).toEqual(['official_id', 'bill', 'constancia'])
    expect(await walk(gester, one, 'complete')).toMatchObject({ state: 'ready_to_file' })
  })
})

describe('moves', () => {
  test('a case goes on to its end by current forms, with an email to the customer at each change of turn', async () => {
    const { customer, one } = await openedCase()
    await complete(gester, one)
    expect(await walk(gester, one, 'complete', 'file')).toMatchObject({
      state: 'filed',
      waitingOn: 'cfe',
      requestNumber: 'S-123',
    })
    const observed = await walk(gester, one, 'inspect', 'observe')
    expect(observed).toMatchObject({ waitingOn: 'customer', reason: 'Porque sí.' })
    const held = await walk(gester, one, 'hold')
    expect(held).toMatchObject({ state: 'on_hold', heldFrom: 'observed', dueOn: null })
    await expectRefusal(walk(gester, one, { move: 'cancel', version: one.version }), 'aborted')
    await walk(gester, one, 'resume', 'correct', 'inspect', 'approve', 'sign', 'installMeter')
    const closed = await walk(gester, one, 'close')
    expect(closed).toMatchObject({ state: 'closed', waitingOn: 'none', dueOn: null })
    const toCustomer = await sentAbout(one, 'case_turn to customer')
    // Opened, gathered, filed, observed, held, resumed, corrected, with CFE, approved, signed, installed, closed.
    expect(toCustomer).toHaveLength(12)
    const emailsAt = ({ id: caseId, waitingSince }: typeof one) => {
      return emailsOf(db, { letter: 'case_turn', caseId, to: 'customer', since: waitingSince.toISOString() })
    }
    const [last] = await emailsAt(closed)
    expect([last?.to, last?.subject]).toEqual([customer.email, `Tu trámite ante CFE terminó (${one.folio})`])
    expect(await emailsAt(one)).toEqual([])
  })

  test('a step keeps its day, not before that of the one before, and what proves contract and meter', async () => {
    const { one } = await openedCase()
    const day = (ago: number) => localDay(new Date(now.getTime() - ago * 24 * hour))
    await setRow(cfeCases, one, { createdAt: new Date(now.getTime() - 999 * hour) })
    await complete(gester, one)
    await walk(gester, one, { move: 'complete', day: day(9) })
    const filed = await walk(gester, one, { move: 'file', day: day(8) })
    expect(filed).toMatchObject({ dueOn: addDays(day(8), 45), steppedOn: day(8) })
    for (const wrong of [day(9), day(-2)])
      await expectRefusal(walk(gester, one, { move: 'inspect', day: wrong }), 'invalid-argument', 'y hoy.')
    await walk(gester, one, { move: 'inspect', day: day(8) }, 'approve', 'sign')
    await expectRefusal(walk(gester, one, { move: 'installMeter' }), 'failed-precondition', 'Falta 1 doc')
    await walk(gester, one, 'installMeter')
    const job = sql`select from pgboss.job where name = 'follow-grant' and data ->> 'caseId' = ${one.id}`
    expect(await db.execute(job)).toMatchObject({ rowCount: 1 })
    expect(await paperWords(one)).toContain('meter_photo validated')
    const words = shortDate(day(8)).slice(4, -5)
    const line = `ingresado en CFE ${words} · en revisión de CFE ${words} · aprobado`
    await expectScreen(pageOf(one), gester, line, shortDate(day(8)), 'Anotado ', 'C-1', 'N-1')
  })

  test('a step is undone by its actor while its email waits, and the email of a step before goes out', async () => {
    const { one } = await openedCase()
    await complete(gester, one)
    const filed = await walk(gester, one, 'complete', 'file')
    const { undo: _, updatedAt: __, ...before } = await walk(gester, one, 'inspect')
    const { version } = await walk(gester, one, 'observe')
    const undo = async (by: Person) => {
      const changes = `tramite:${one.id}:${version}`
      await expectAnswered(fixture.post('/admin/deshacer', { changes, back: '/admin' }, by), 303)
      return caseOf(one)
    }
    const waiting = sql`select from pgboss.job where state = 'created' and data ->> 'caseId' = ${one.id}
      and start_after > now() + interval '9 seconds'`
    // Of the filing and of the observation.
    expect(await db.execute(waiting)).toMatchObject({ rowCount: 2 })
    await db.execute(sql`update pgboss.job set state = 'completed', completed_on = now()
      where data ->> 'since' = ${filed.waitingSince.toISOString()}`)
    await expectScreen(pageOf(one), gester, 'Puedes deshacerlo todavía')
    expect(await undo(manager)).toMatchObject({ state: 'observed' })
    expect(await undo(gester)).toMatchObject({ ...before, version: version + 1 })
    expect(await undo(gester)).toMatchObject({ version: version + 1 })
    expect(await paperWords(one)).toContain('bill validated')
    expect(await db.execute(waiting)).toMatchObject({ rowCount: 0 })
    expect((await sentAbout(one)).at(-1)).toBe('case_turn to customer')
    await expectNotOnPage(pageOf(one), gester, 'con observaciones ')
  })

  test('is cancelled with the quote until it is filed', async () => {
    const first = await openedCase()
    const second = await openedCase()
    await complete(gester, second.one)
    await walk(gester, second.one, 'complete', 'file')
    for (const { quote } of [first, second]) await cancel(quote)
    expect(await caseOf(first.one)).toMatchObject({ state: 'cancelled', waitingOn: 'none' })
    expect(await caseOf(second.one)).toMatchObject({ state: 'filed', waitingOn: 'cfe' })
  })

  test('keeps a project with a finished installation open until the case is over', async () => {
    const { customer, one, visit } = await openedCase()
    const startsAt = new Date(now.getTime() - 3 * hour)
    const home = { projectId: visit.projectId!, address: visit.address } as Home
    await storeVisit(fixture, customer, home, startsAt, {
      service: 'installation',
      state: 'done',
      outcome: 'completed',
      finishedAt: now,
    })
    await setRow(projects, visit.projectId!, { quoteAcceptedAt: now, depositPaidAt: now })
    const standing = async () => (await projectStatusesOf(db, [customer.id], now))[0]
    expect(await standing()).toMatchObject({ stage: 'cfe', waitingOn: 'customer' })
    const overview = (modules: Modules) => overviewOf(db, customer.actor, now, modules)
    const next = { to: '/installation' }
    expect(await overview(new Set(['gesties']))).toMatchObject({ stage: 'cfe', next })
    const line = expect.stringContaining('Seguimos con tu trámite ante CFE')
    expect(await overview(noModules)).toMatchObject({ stage: 'cfe', next: null, line })
    await complete(gester, one)
    await walk(gester, one, 'complete', 'file')
    expect(await standing()).toMatchObject({ stage: 'cfe', waitingOn: 'cfe' })
    await walk(manager, one, 'inspect', 'reject')
    expect(await standing()).toMatchObject({ stage: 'closed', waitingOn: 'none' })
  })
})

describe('gesters', () => {
  test('the one with the fewest open cases gets the next; managers give cases to others, one or all', async () => {
    const other = await newPerson({ kind: 'gester', name: 'Gisela' })
    const over = (await openedCase()).one
    await walk(manager, over, 'cancel')
    const { one } = await openedCase()
    expect([over.gesterId, one.gesterId]).toEqual([other.id, other.id])
    const listed = async (filters: CaseFilters) =>
      (await listCases(db, other.actor, filters)).rows.map(({ id }) => id)
    expect(await listed({ kind: 'load_increase' })).toEqual([one.id])
    expect(await listed({ kind: 'name_change' })).toEqual([])
    expect(await listed({ over: '1' })).toEqual([over.id])
    const give = async (by: Person, to: Person) => {
      const { version } = await caseOf(one)
      await giveCase(db, by.actor, one.id, { gesterId: to.id, version })
    }
    await give(manager, gester)
    await expectRefusal(give(gester, other), 'permission-denied')
    await give(manager, other)
    await setRow(users, other, { active: false })
    expect(await strandedCases(db)).toContainEqual(expect.objectContaining({ id: other.id, open: 1 }))
    const handing = { from: other.id, to: gester.id }
    const toThemselves = { from: gester.id, to: gester.id }
    await expectRefusal(handOverCases(db, manager.actor, toThemselves), 'invalid-argument')
    expect(await handOverCases(db, manager.actor, handing)).toBe(1)
    expect((await caseOf(one)).gesterId).toBe(gester.id)
  })

  test('read the notes of a case, which its customer does not', async () => {
    const { customer, one } = await openedCase()
    await noteOnCase(db, gester.actor, one.id, 'Hablé con CFE.')
    const shown = await caseFor(db, gester.actor, one.id)
    expect(shown?.history[0]).toMatchObject({ name: 'note', reason: 'Hablé con CFE.' })
    expect(JSON.stringify(await ownCasesOf(db, customer.actor, one.projectId))).not.toContain('Hablé')
  })
})
