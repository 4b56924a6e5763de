import { sql } from 'drizzle-orm'
import { askForPaper } from '../../src/cfe/commands.ts'
import { caseFor, ownCasesOf } from '../../src/cfe/queries.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { documents } from '../../src/platform/database/schema/payments.ts'
import { blockDue } from '../../src/privacy/deletion.ts'
import {
  type Case,
  caseOf,
  complete,
  handIn,
  openedCase,
  paperWords,
  review,
  saveFacts,
  walk,
} from '../kit/cfe.ts'
import { emailsOf } from '../kit/delivered.ts'
import { fixture, openOnce, people, sendJobsOnce } from '../kit/open.ts'
import { secret } from '../kit/people.ts'
import { emailsAbout, expectRefusal, expectWords, rowsIn, setIn, trailOf } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

/** A case whose papers are all validated, ready to be filed. */
async function ready() {
  const made = await openedCase()
  await complete(people.gester, made.one)
  await walk(people.gester, made.one, 'complete')
  return made
}
async function observed(correctedBy: 'customer' | 'gester') {
  const made = await ready()
  await walk(people.gester, made.one, 'file', 'inspect', { move: 'observe', correctedBy })
  return made
}
const turn = async (one: Case) => {
  const { dueOn, state, waitingOn } = await caseOf(one)
  expect(dueOn).not.toBeNull()
  return `${state}: ${waitingOn}`
}
/** The emails about whose turn it is now. */
async function turnEmails(one: Case, to: 'customer' | 'gester' = 'customer') {
  const since = (await caseOf(one)).waitingSince.toISOString()
  return emailsOf(fixture.db, { letter: 'case_turn', caseId: one.id, since, to })
}
const emailText = async (one: Case) => (await turnEmails(one))[0]!.text
/** The emails that an act sends. */
async function emailsAfter(one: Case, act: () => Promise<unknown>) {
  const before = (await emailsAbout(fixture, one)).length
  await act()
  return (await emailsAbout(fixture, one)).slice(before).toSorted()
}

test('a paper returned before filing is the turn of the customer, then of the gester or, if inactive, the managers', async () => {
  const { customer, one } = await ready()
  const { gester, manager } = people
  expect(await turn(one)).toBe('ready_to_file: gester')
  const { text } = await fixture.visit(`/admin/gesties/${one.id}`, gester)
  // The way back is folded away.
  expect(text).toMatch(/<details(?![^>]* open)[^>]*>(?:(?!<\/details>).)*Sí, volver/s)

  const returned = await emailsAfter(one, () => review(gester, one, 'bill', 'Es de otro mes.'))
  expect(returned).toEqual(['case_turn to customer'])
  expect(await turn(one)).toBe('ready_to_file: customer')
  const words = ['Sigue: sube los documentos', 'Recibo de CFE sin adeudo', 'Es de otro mes.']
  expectWords(await emailText(one), ...words)
  const handedIn = await emailsAfter(one, () => handIn(customer, one, 'bill'))
  expect(handedIn).toEqual(['case_turn to customer', 'case_turn to gester'])
  expect(await turn(one)).toBe('ready_to_file: gester')
  expect(await emailText(one)).not.toContain('Recibo de CFE')
  for (const [active, reader] of [
    [true, gester],
    [false, manager],
  ] as const) {
    await setIn(fixture, users, gester, { active })
    expect((await turnEmails(one, 'gester')).map(({ to }) => to)).toEqual([reader.email])
  }
  await setIn(fixture, users, gester, { active: true })

  await saveFacts(gester, one, { holderName: 'Rosa Prueba' })
  expect(await paperWords(one)).toContain('power pending')
  expect(await turn(one)).toBe('ready_to_file: customer')
  expect(await emailText(one)).toContain('Carta poder firmada')
})

test('papers that the customer corrected stay the gester’s turn after a review and a pause', async () => {
  const { customer, one } = await observed('customer')
  const { gester } = people
  expect(await turn(one)).toBe('observed: customer')
  await review(gester, one, 'charger_sheet', 'Falta la marca.')
  await handIn(gester, one, 'charger_sheet')
  expect(await turn(one)).toBe('observed: customer')
  await expectRefusal(walk(gester, one, { move: 'correct' }), 'failed-precondition', 'Falta 1 documento')
  expectWords(await emailText(one), 'Recibo de CFE sin adeudo (Porque sí.)')
  await review(gester, one, 'constancia', 'CFE la pide vigente.')
  await handIn(customer, one, 'bill')
  expect(await turn(one)).toBe('observed: customer')
  const sent = await emailsAfter(one, () => handIn(customer, one, 'constancia'))
  expect(sent).toEqual(['case_turn to customer', 'case_turn to gester'])
  expect(await turn(one)).toBe('observed: gester')
  for (const name of ['bill', 'constancia'] as const) await review(gester, one, name)
  await walk(gester, one, 'hold', 'resume')
  expect(await turn(one)).toBe('observed: gester')
  await walk(gester, one, 'correct', 'inspect', { move: 'observe', correctedBy: 'customer' })
  expect(await turn(one)).toBe('observed: customer')
})

test('a gester asks once for a known paper, or for any by its name, of the gester or the customer', async () => {
  const { gester } = people
  const { customer, one } = await openedCase({ loadIncrease: true, contractedKilowatts: 5, tariff: 'DAC' })
  expect(one).toMatchObject({ contractedKilowatts: 5, tariff: 'DAC' })
  await complete(gester, one)
  await walk(gester, one, 'complete', 'file', 'inspect', {
    move: 'observe',
    correctedBy: 'gester',
    asked: 'other',
    label: 'Acometida',
  })
  expect(await paperWords(one)).toContain('other_1 pending')
  const ask = (input: Partial<Parameters<typeof askForPaper>[3]> = {}) => {
    const paper = { asked: 'sketch', label: null, askedFrom: 'gester', ...input } as const
    return askForPaper(fixture.db, gester.actor, one.id, paper, new Date())
  }
  const turn = async () => (await caseOf(one)).waitingOn
  await ask()
  expect(await paperWords(one)).toContain('sketch pending')
  expect(await turn()).toBe('gester')
  await expectRefusal(ask(), 'already-exists')
  await handIn(gester, one, 'sketch')
  expect(await paperWords(one)).toContain('sketch validated')
  const other = { asked: 'other', label: 'Plano de la cochera', askedFrom: 'customer' } as const
  expect(await emailsAfter(one, () => ask(other))).toContain('case_turn to customer')
  expect(await turn()).toBe('customer')
  const [own] = await ownCasesOf(fixture.db, customer.actor, one.projectId)
  expect(own!.papers.map(({ label }) => label)).toContain('Plano de la cochera')
  await handIn(customer, one, 'other_2')
  expect(await turn()).toBe('gester')
  expect((await trailOf(fixture, one)).filter((name) => name === 'paper_asked')).toHaveLength(2)
  await walk(gester, one, 'correct')
  await expectRefusal(ask({ asked: 'property' }), 'failed-precondition')
})

test('erases the papers and numbers of a case with the account, and shows what is left to managers only', async () => {
  const { analyst, gester, manager } = people
  const now = new Date()
  const { customer, one } = await openedCase({ loadIncrease: true, cfeServiceNumber: '123456789012' })
  await handIn(customer, one, 'official_id')
  expect(one.serviceNumber).toBe('123456789012')
  await fixture.db.execute(sql`update appointments set state = 'cancelled', finished_at = null, outcome = null,
    started_at = null where customer_id = ${customer.id}`)
  await fixture.db.execute(sql`update addresses set archived_at = now() where project_id = ${one.projectId}`)
  await setIn(fixture, users, customer, { deletionRequestedAt: new Date('2020-01-01') })
  await blockDue(fixture.db, secret, now)
  expect(await paperWords(one)).toEqual([])
  expect(await caseOf(one)).toMatchObject({
    serviceNumber: null,
    state: 'cancelled',
    waitingOn: 'none',
    dueOn: null,
    closedAt: now,
  })
  const seen = async (by: typeof gester) => (await caseFor(fixture.db, by.actor, one.id)) !== null
  expect([await seen(gester), await seen(analyst), await seen(manager)]).toEqual([false, false, true])
  expect(await rowsIn(fixture, documents, { customerId: customer.id })).toEqual([])
})
