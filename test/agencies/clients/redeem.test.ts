import { users } from '../../../src/platform/database/schema/accounts.ts'
import { clients, codes } from '../../../src/platform/database/schema/agencies.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { payments, quotes } from '../../../src/platform/database/schema/payments.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { newEmail, password } from '../../kit/accounts.ts'
import { type Code, joined, storeCode } from '../../kit/agencies.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import {
  ally,
  analyst,
  customer,
  expectCount,
  expectRow,
  expectRowsIn,
  expectScreen,
  expectTrail,
  fixture,
  fromNow,
  inParallel,
  newHome,
  newPerson,
  openOnce,
  post,
  realClockAfterEach,
  rowsWhere,
  rowWhere,
  runSql,
  storeRows,
  technician,
} from '../../kit/open.ts'
import { storeAccepted } from '../../kit/payments.ts'
import type { Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { expectPage, expectStatuses, readable, trailOf } from '../../kit/reading.ts'
import type { Visitor } from '../../kit/visitor.ts'

openOnce()
let other: Person
beforeAll(async () => {
  other = await newPerson({ kind: 'alliate', name: 'Olga', agencyId: (await fixture.agency()).id })
})
realClockAfterEach()

const give = (code: string, as: Visitor) => post('/quote', { intent: 'redeem-code', codigo: code }, as)
const statusOf = async (code: string, as: Visitor) => (await give(code, as)).status
const codeNow = async ({ id }: Code) => (await rowWhere(codes, { id }))!
const tiesOf = ({ id }: { id: string }) => rowsWhere(clients, { customerId: id })
const userOf = (email: string) => rowWhere(users, { email })
const signUp = (codigo: string, as = fixture.visitor(), email = newEmail()) =>
  post('/signup', { email, password, codigo }, as).then((answer) => ({ answer, as, email }))

test('redeeming a code ties the customer, project, visits and quotes to the agency once, and shows the benefit', async () => {
  const customer = await newPerson()
  const visit = await visited(customer, technician)
  const draft = await storeDraft(fixture, visit, analyst)
  const code = await storeCode(ally, { benefitKind: 'percent', benefitValue: 1000 })
  const typed = `${code.code.slice(0, 3)}-${code.code.slice(3)} `.toLowerCase()
  expect((await give(typed, customer)).location).toBe('/quote')
  const [tie] = await tiesOf(customer)
  const { agencyId, id: allyId } = ally
  expect(tie).toMatchObject({ agencyId, allyId, codeId: code.id, source: 'code', name: null })
  await expectRow(projects, { id: visit.projectId }, { agencyId })
  await expectRow(appointments, { id: visit.id }, { agencyId })
  await expectRow(quotes, { id: draft.id }, { agencyId })
  expect(JSON.stringify(await rowWhere(quotes, { id: draft.id }))).toContain('benefit')
  expect(await trailOf(fixture, tie!.id)).toContain('join')
  await expectScreen('/quote', customer, `Tu código ${code.code} : 10 % de descuento`)
  expect(await statusOf(code.code, customer)).toBe(303)
  expect((await codeNow(code)).uses).toBe(1)
})

test('gives the last use of a code to one of eight customers at once', async () => {
  const code = await storeCode(ally, { maxUses: 3, uses: 2 })
  const eight = await inParallel(8, () => newPerson())
  const answers = await Promise.all(eight.map((person) => give(code.code, person)))
  const refused = answers.filter(({ status }) => status !== 303)
  expect(refused).toHaveLength(7)
  for (const answer of refused) expectPage(answer, 409, 'Ese código ya se agotó.')
  expect(await codeNow(code)).toMatchObject({ uses: 3, state: 'exhausted' })
  await expectCount(clients, { codeId: code.id }, 1)
  await expectTrail(code.id, ['exhaust'])
})

test('takes one of two codes that a customer sends at once', async () => {
  for (const owner of [ally, other]) {
    const customer = await newPerson()
    const two = [await storeCode(ally), await storeCode(owner)]
    expectStatuses(await Promise.all(two.map(({ code }) => give(code, customer))), 303, 409)
    expect(await tiesOf(customer)).toHaveLength(1)
    const uses = await Promise.all(two.map(async (code) => (await codeNow(code)).uses))
    expect(uses.toSorted()).toEqual([0, 1])
  }
})

test('redeeming a code ties a project that is opened at the same time', async () => {
  const { code } = await storeCode(ally, { maxUses: 100 })
  const opened = Array.from({ length: 8 }, async () => {
    const customer = await newPerson()
    const [{ projectId }] = await Promise.all([newHome(customer), give(code, customer)])
    await expectRow(projects, { id: projectId }, { agencyId: ally.agencyId })
  })
  await Promise.all(opened)
})

// Each state and day of a code: test/agencies/attribution.test.ts.
test('refuses a code of an inactive ally or agency, of an ally who changed agency, and an expired one, with what was typed', async () => {
  const customer = await newPerson()
  const agencyId = ally.agencyId!
  const closed = await fixture.agency({ active: false })
  for (const [owner, set, words] of [
    [await newPerson({ kind: 'alliate', agencyId, active: false }), {}, 'no existe'],
    [await newPerson({ kind: 'alliate', agencyId: closed.id }), {}, 'no existe'],
    [other, { agencyId }, 'no existe'],
    [ally, { endsOn: '2026-01-02' }, 'venció'],
  ] as const) {
    const { code } = await storeCode(owner, set)
    expectPage(await give(code, customer), 409, words, code)
  }
  expect(await tiesOf(customer)).toEqual([])
})

test('adds one code to a customer of its agency, none of another agency and no second', async () => {
  const customer = await newPerson()
  const id = await joined(customer, ally)
  const mine = await storeCode(ally)
  const second = await storeCode(ally)
  const theirs = await storeCode(other)
  expectPage(await give(theirs.code, customer), 409, 'otra concesionaria')
  expect(await statusOf(mine.code, customer)).toBe(303)
  expect(await tiesOf(customer)).toMatchObject([{ id, codeId: mine.id }])
  expectPage(await give(second.code, customer), 409, 'solo puedes usar uno')
  expect([(await codeNow(theirs)).uses, (await codeNow(second)).uses]).toEqual([0, 0])
})

test('refuses an ally’s own phone or mailbox without saying whose it is', async () => {
  const code = await storeCode(ally)
  const email = ally.email.replace('@', '+mio@')
  for (const input of [{ phone: '5598123456' }, { email, phone: '5511119999' }]) {
    const answer = await give(code.code, await newPerson(input))
    expectPage(answer, 409, 'no se puede usar con tu cuenta')
    expect(readable(answer)).not.toMatch(/aliado|concesionaria\./)
  }
  expect((await codeNow(code)).uses).toBe(0)
})

test('refuses a code once the quote is accepted, and does not ask for one', async () => {
  const customer = await newPerson()
  await storeAccepted(customer, await newHome(customer))
  const answer = await give((await storeCode(ally)).code, customer)
  expectPage(answer, 409, 'antes de aceptar')
  expect(answer.text).not.toContain('¿Tienes un código?')
})

test('a redeemed code cancels the fee of a visit that it makes free', async () => {
  const customer = await newPerson()
  const home = await newHome(customer)
  const visit = await storeVisit(fixture, customer, home, fromNow(48 * hour), {
    assigneeId: technician.id,
  })
  await storeRows(payments, {
    folio: `PAG-${visit.id.slice(-8)}`,
    projectId: home.projectId,
    customerId: customer.id,
    appointmentId: visit.id,
    concept: 'visit_fee',
    amount: 500_00,
  })
  expect(await statusOf((await storeCode(ally, { benefitKind: 'free_visit' })).code, customer)).toBe(303)
  await expectRowsIn(payments, { appointmentId: visit.id }, [{ state: 'cancelled' }])
})

test('wrong codes are limited to 5 in 10 minutes for an account and 30 for an address, right ones are not', async () => {
  const customer = await newPerson()
  const right = await storeCode(ally)
  const answers = await inParallel(12, () => statusOf('ZZZZ9999', customer))
  expect(answers.filter((status) => status === 409)).toHaveLength(5)
  expectPage(await give(right.code, customer), 429, '10 minutos')
  const elsewhere = await fixture.secondBrowser(customer)
  const at = async (address: string) => ({ ...(await newPerson()), address })
  expect(await statusOf(right.code, elsewhere)).toBe(429)
  expect(await statusOf(right.code, await at(customer.address))).toBe(303)
  await runSql`update limits set count = 30 where key like 'wrong codes by address %'`
  expect(await statusOf(right.code, await at(customer.address))).toBe(429)
  for (let n = 0; n < 6; n++) expect(await statusOf(right.code, await at('198.51.100.7'))).toBe(303)
  fixture.at(new Date(Date.now() + 10 * 60_000 + 1000))
  expect(await statusOf(right.code, customer)).toBe(303)
})

test('a link ties the account that signs up by the first link followed, for 90 days', async () => {
  const first = await storeCode(ally)
  const later = await storeCode(other)
  const as = fixture.visitor()
  const page = await fixture.visit(`/approach?codigo=${first.code}`, as)
  expect(page.cookies.join('\n')).toMatch(/^first-touch=.*Max-Age=7776000.*HttpOnly/im)
  await expectScreen(`/signup?codigo=${later.code}`, as, `value="${first.code}"`)
  const { answer, email } = await signUp(first.code, as)
  expect(answer.location).toBe('/completion')
  expect(await tiesOf((await userOf(email))!)).toMatchObject([{ codeId: first.id, source: 'link' }])
  // Someone else may sign up in the same browser next.
  expect(as.cookies.has('first-touch')).toBe(false)
  await expectScreen('/completion', as, `Tu código ${first.code}`)
})

test('a link gives way to a typed code; a wrong one makes no account and keeps what was typed', async () => {
  const linked = await storeCode(ally)
  const typed = await storeCode(other)
  const as = fixture.visitor()
  await fixture.visit(`/approach?codigo=${linked.code}`, as)
  const wrong = await signUp('ZZZZ9999', as)
  expectPage(wrong.answer, 409, 'no existe', wrong.email)
  expect(await userOf(wrong.email)).toBeUndefined()
  const { email } = await signUp(typed.code, as, wrong.email)
  expect(await tiesOf((await userOf(email))!)).toMatchObject([{ codeId: typed.id, source: 'code' }])
})

test('a link uses no code for an email that has an account', async () => {
  const code = await storeCode(ally)
  const { answer } = await signUp(code.code, fixture.visitor(), customer.email)
  expectPage(answer, 409, 'Ya hay una cuenta con este correo')
  expect((await codeNow(code)).uses).toBe(0)
})

test('the profile takes a code, and ends the attribution of an ally’s own phone', async () => {
  const code = await storeCode(ally)
  const profile = { name: 'Eva', lastname: 'Luna', phone: '5511112222', role: '' }
  const provided = await newPerson({ name: null })
  expectPage(await post('/completion', { ...profile, codigo: 'ZZZZ9999' }, provided), 409, 'Luna')
  expect((await userOf(provided.email))!.name).toBeNull()
  await post('/completion', { ...profile, codigo: code.code }, provided)
  expect(await tiesOf(provided)).toMatchObject([{ codeId: code.id, endedAt: null }])

  const { as, email } = await signUp(code.code)
  const user = (await userOf(email))!
  expect(await tiesOf(user)).toMatchObject([{ endedAt: null }])
  await post('/completion', { ...profile, phone: '5598123456' }, as)
  expect(await tiesOf(user)).toMatchObject([{ endedReason: 'self_referral' }])
  expect((await codeNow(code)).uses).toBe(1)
})
