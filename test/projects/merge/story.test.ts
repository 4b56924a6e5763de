import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { moving } from '../../../src/customers/merge-references.ts'
import { undoMerge } from '../../../src/customers/unmerge.ts'
import { sendAccountEmail } from '../../../src/notifications/send.ts'
import { accounts, customerMerges, users } from '../../../src/platform/database/schema/accounts.ts'
import { clients } from '../../../src/platform/database/schema/agencies.ts'
import { appointments, faults, slotWishes } from '../../../src/platform/database/schema/appointments.ts'
import { cfeCases, whatsappMessages } from '../../../src/platform/database/schema/cfe.ts'
import {
  documents,
  fiscalData,
  invoices,
  payments,
  refunds,
} from '../../../src/platform/database/schema/payments.ts'
import { projects, tasks } from '../../../src/platform/database/schema/projects.ts'
import { joined } from '../../kit/agencies.ts'
import { book, hour, slots, storeVisit } from '../../kit/appointments.ts'
import { emailEnv } from '../../kit/delivered.ts'
import { mailServer, readEmail } from '../../kit/mail-server.ts'
import {
  ago,
  ally,
  analyst,
  db,
  expectCount,
  expectLed,
  expectNotOnPage,
  expectRow,
  expectRowsIn,
  expectScreen,
  expectTrail,
  expectUser,
  fixture,
  fromNow,
  manager,
  newHome,
  newPerson,
  openEach,
  pageText,
  people,
  post,
  rowsWhere,
  rowWhere,
  runSql,
  sendJobs,
  setRow,
  storeRows,
  technician,
} from '../../kit/open.ts'
import type { Home, Person } from '../../kit/people.ts'
import { sendDraft, storeDraft, visited } from '../../kit/quotes.ts'
import {
  expectAnswered,
  expectLocation,
  expectPage,
  expectWords,
  readable,
  refusalOf,
} from '../../kit/reading.ts'
import { changeActive } from '../../kit/users.ts'

let customer: Person
/** The same person again, as the office registered them by phone. */
let other: Person

openEach()
sendJobs()
beforeEach(async () => {
  customer = people.customer
  other = await twin()
})

const twin = (changes: Parameters<typeof fixture.person>[0] = {}) =>
  newPerson({ name: 'Camila', lastname: 'Repetida', emailVerified: false, ...changes })
const pageOf = ({ id }: Person) => `/admin/users/${id}/cliente`
const mergePage = (one: Person) => `${pageOf(one)}/unir`
const merge = (kept = customer, ended = other, form: Record<string, string> = {}, by: Person = manager) => {
  const chosen = { keptId: kept.id, endedId: ended.id, nameOf: 'kept', phoneOf: 'kept', confirmed: 'on' }
  return post(mergePage(kept), { intent: 'merge', ...chosen, ...form }, by)
}
const journalOf = async ({ id }: Person) => (await rowWhere(customerMerges, { keptId: id }))!
const undo = async (kept = customer) =>
  post(pageOf(kept), { intent: 'undo-merge', mergeId: (await journalOf(kept)).id }, manager)
const userOf = async ({ id }: Person) => (await rowWhere(users, { id }))!
const projectsOf = ({ id }: Person) => rowsWhere(projects, { customerId: id })
const soon = (whose: Person, home: Home) =>
  storeVisit(fixture, whose, home, fromNow(72 * hour), { assigneeId: technician.id })

/** Something in every table whose rows move. */
async function withEverything(customer: Person) {
  const visit = await visited(customer, technician)
  const { customerId, projectId } = visit
  const quote = await sendDraft(fixture, analyst, await storeDraft(fixture, visit, analyst))
  const row = { customerId, projectId }
  const folio = () => `P-${randomUUID().slice(0, 8)}`
  await storeRows(payments, { ...row, folio: folio(), concept: 'visit_fee', amount: 50_000 })
  await storeRows(tasks, { subject: 'Llamar', reason: 'otra', personId: customerId, projectId })
  const tax = { rfc: 'XAXX010101000', legalName: 'CAMILA', regime: '605', cfdiUse: 'S01' } as const
  await storeRows(fiscalData, { ...tax, customerId, postalCode: '04000', email: customer.email })
  await joined(customer, ally)
  await storeRows(refunds, { ...row, folio: folio(), amount: 100, reason: 'x' })
  await storeRows(invoices, { ...row, kind: 'income', request: {}, total: 100 })
  await storeRows(cfeCases, { ...row, folio: folio(), kind: 'load_increase' })
  const paper = { purpose: 'condominium_permit', name: 'p.pdf', type: 'application/pdf' } as const
  const file = { bytes: 1, sha256: 'a'.repeat(64), uploadedBy: customerId }
  await storeRows(documents, { ...row, ...paper, ...file })
  await storeRows(slotWishes, { ...row, service: 'installation' })
  const fault = { id: randomUUID(), appointmentId: visit.id, description: 'x' }
  await storeRows(faults, { ...fault, customerId })
  await storeRows(whatsappMessages, { letterId: randomUUID(), userId: customerId, template: 'cita_agendada' })
  return { visit, quote }
}

/** Tables that record what was done, or versions of it. */
const records = [
  'events',
  'customer_merges',
  'stage_checks',
  'sessions',
  'form_answers',
  'migrations',
  'letter_codes',
  'limits',
  'data_reads',
  'roster_version',
]

/** Every row of every other table. */
async function allRows(): Promise<Record<string, string[]>> {
  const { rows } = await runSql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const all: Record<string, string[]> = {}
  for (const { name } of rows.filter((one) => !records.includes(one.name))) {
    const table = sql.identifier(name)
    const found = await runSql<{
      row: string
    }>`select (to_jsonb(${table}) - 'version' - 'updated_at')::text as row from ${table} order by 1`
    all[name] = found.rows.map(({ row }) => row)
  }
  return all
}

test('a merge moves all rows and ends the other account, and the undo restores the same rows', async () => {
  await merge(other, await twin({ name: 'Antes' }))
  const { quote, visit } = await withEverything(other)
  const before = await allRows()
  expectLocation(await merge(customer, other, { nameOf: 'ended' }), pageOf(customer))
  const columns = moving.map(({ column, table }) => `${table}.${column}`)
  expect(Object.keys((await journalOf(customer)).moved).sort()).toEqual(columns.sort())
  for (const { column, table } of moving) {
    const of = sql.identifier(table)
    const name = sql.identifier(column)
    const left = await runSql`select 1 from ${of} where ${name} = ${other.id}`
    expect.soft([table, left.rows.length]).toEqual([table, 0])
  }
  expect(await userOf(other)).toMatchObject({ active: false, mergedIntoId: customer.id })
  expect(await userOf(customer)).toMatchObject({ lastname: 'Repetida', active: true })
  const words = ['Se unió con otra ficha', quote.folio, visit.folio, 'Deshacer la unión']
  await expectScreen(pageOf(customer), manager, ...words)

  expectLocation(await undo(), pageOf(other))
  expect(await allRows()).toEqual(before)
  await expectTrail(customer, ['merge', 'undo_merge'], 'user')
  await expectTrail(other, ['merge', 'merge_away', 'undo_merge'], 'user')
  await expectNotOnPage(pageOf(customer), manager, 'Deshacer la unión')
})

test('a merged account cannot sign in, be changed or be registered again; its pages redirect', async () => {
  const phone = '5598761234'
  other = await twin({ phone, emailVerified: true })
  await newHome(other)
  await merge()
  await expectLed('/', other, '/signin')
  await expectLed(pageOf(other), analyst, pageOf(customer))
  await expectLed(`/admin/users/${other.id}`, manager, `/admin/users/${customer.id}`)
  const hits = await fixture.visit(`/admin/buscar?q=${encodeURIComponent('+52 55 9876 1234')}`, manager)
  expectWords(hits.text, pageOf(customer))
  expect(hits.text).not.toContain(other.id)
  await changeActive(manager, other, 'yes')
  await expectUser(other, { active: false })
  const caller = { callOnly: 'on', name: 'Camila', lastname: 'Otra', phone, email: 'camila@otra.mx' }
  const form = { intent: 'create-customer', ...caller }
  expectPage(await post('/admin/assignations/nueva', form, manager), 409, `cliente=${customer.id}`)
})

test('a merge e-mails an ended account that was signed in to after a day, unless it was undone', async () => {
  other = await twin({ emailVerified: true })
  await storeRows(accounts, { userId: other.id, providerId: 'x', accountId: other.id })
  await merge()
  const { id: mergeId } = await journalOf(customer)
  await merge(customer, await twin())
  const { rows } = await db.$client.query(`select data ->> 'mergeId' as merge,
    start_after > now() + interval '23 hours 59 minutes' as waits
    from pgboss.job where name = 'account-letter' and data ->> 'letter' = 'account_merged'`)
  expect(rows).toEqual([{ merge: mergeId, waits: true }])
  const sent = async () => {
    const { received, transport } = await mailServer()
    const job = { letter: 'account_merged', mergeId } as const
    await sendAccountEmail(db, emailEnv, transport, job, randomUUID())
    return Promise.all(received.map(({ source }) => readEmail(source)))
  }
  const text = expect.stringContaining(`Desde ahora entras con ${customer.email}`)
  expect(await sent()).toMatchObject([{ to: other.email, subject: 'Ahora tienes una sola cuenta', text }])
  await undoMerge(db, manager.actor, mergeId, new Date())
  expect(await sent()).toEqual([])
})

test('a merge ends the links of the ended account and the sign-ins of an unverified one', async () => {
  const made = await post(pageOf(other), { intent: 'access-link' }, manager)
  const code = /oobCode=([\w-]+)/.exec(made.text)![1]!
  const kept = await twin()
  await storeRows(accounts, { userId: kept.id, accountId: kept.id, providerId: 'credential', password: 'x' })
  await expectAnswered(merge(kept), 303)
  const opened = await fixture.visit(`/recover-password?mode=resetPassword&oobCode=${code}`)
  expectWords(readable(opened), 'Este enlace ya se usó')
  await expectRowsIn(accounts, { userId: kept.id }, [])
  expect((await fixture.data('/', kept)).location).toContain('/signin')
})

test('a merge closes an empty project and the second attribution to one agency; the undo reopens both', async () => {
  await setRow(users, other.id, { phone: '5577778888' })
  const kept = await joined(customer, ally)
  const ended = await joined(other, ally)
  const { projectId: id } = await newHome(customer)
  const visit = await soon(other, await newHome(other))
  await merge()
  const open = (await projectsOf(customer)).filter(({ closedAt }) => !closedAt)
  expect(open).toMatchObject([{ id: visit.projectId }])
  await expectRow(projects, { id }, { lostReason: 'duplicado' })
  await expectRow(clients, { id: kept }, { endedAt: null })
  await expectRow(clients, { id: ended }, { customerId: customer.id, endedAt: expect.any(Date) })
  await undo()
  await expectRow(projects, { id }, { closedAt: null, lostReason: null })
  await expectRow(clients, { id: ended }, { customerId: other.id, endedAt: null })
  await expectRow(appointments, { id: visit.id }, { customerId: other.id })
})

test('a merge keeps both projects open where both have work; the undo separates them', async () => {
  for (const one of [customer, other]) await visited(one, technician)
  const page = await pageText(`${mergePage(customer)}?otra=${other.id}`, manager)
  expectWords(page, 'siguen todos, cada uno con su domicilio')
  await expectAnswered(merge(), 303)
  const both = (await projectsOf(customer)).map(({ closedAt, place }) => [closedAt, place])
  expect(both.sort()).toEqual([
    [null, 1],
    [null, 2],
  ])
  await expectAnswered(undo(), 303)
  for (const one of [customer, other]) expect(await projectsOf(one)).toHaveLength(1)
})

test('a booking at the same time of the ended record moves to the kept one or is refused, as is what begins later', async () => {
  other = await twin({ emailVerified: true })
  await newHome(other)
  const [start] = await slots(other)
  const [merged, booked] = await Promise.all([merge(), book(other, start!)])
  expect(merged.status).toBe(303)
  const visits = await rowsWhere(appointments)
  expect(visits.every(({ customerId }) => customerId === customer.id)).toBe(true)
  // Merged first, the session ended before the form came, or its insert was refused.
  if (visits.length === 0) expect(booked.location ?? '/signin').toContain('/signin')
  expect(await projectsOf(other)).toEqual([])
  const begun = storeRows(projects, { customerId: other.id })
  await expect(begun).rejects.toMatchObject({ cause: { constraint: 'customer_merged' } })
})

test.each([
  ['in opposite directions, of whom one is refused', true, [303, 409]],
  ['in the same direction, who both see it', false, [303, 303]],
])('two managers merge at once %s', async (_, isOpposite, statuses) => {
  other = await twin({ emailVerified: true })
  const second = await newPerson({ kind: 'manager' })
  const [kept, ended] = isOpposite ? [other, customer] : [customer, other]
  const answers = await Promise.all([merge(), merge(kept, ended, {}, second)])
  expect(answers.map(({ status }) => status).sort()).toEqual(statuses)
  await expectCount(customerMerges, {}, 1)
})

test('refuses to merge a verified account into another, staff, the same account, or without confirmation', async () => {
  expectWords(readable(await merge(other, customer)), 'que quede esa ficha')
  const page = await fixture.visit(`${mergePage(other)}?otra=${customer.id}&queda=${other.id}`, manager)
  expectWords(page.text, `queda=${customer.id}`)
  await expectAnswered(merge(customer, technician), 409)
  await expectAnswered(merge(customer, other, { confirmed: '' }), 400)
  await expectRowsIn(customerMerges, {}, [])
})

test('refuses to undo a merge after something was added, before a later merge was undone, and after a day', async () => {
  const third = await twin({ name: 'Tercera', emailVerified: true })
  const home = await newHome(other)
  await merge()
  const added = await soon(customer, home)
  expectWords(readable(await undo()), 'Desde que se unieron se agregó', added.folio)
  await db.delete(appointments).where(eq(appointments.id, added.id))
  await merge(third, customer)
  const { id } = await journalOf(customer)
  const [, words] = await refusalOf(undoMerge(db, manager.actor, id, new Date()))
  expectWords(words, 'deshaz primero esa unión')
  await expectAnswered(undo(third), 303)
  await db.update(customerMerges).set({ mergedAt: ago(25 * hour) })
  expectWords(readable(await undo()), 'Pasaron 24 horas')
})

test('an undo keeps a name that was corrected since', async () => {
  await merge(customer, other, { nameOf: 'ended', phoneOf: 'ended' })
  const version = String((await userOf(customer)).version)
  const words = { name: 'Camila', lastname: 'Corregida', phone: '5512345678' }
  await post(pageOf(customer), { intent: 'correct-profile', version, ...words }, manager)
  await undo()
  expect(await userOf(customer)).toMatchObject({ lastname: 'Corregida' })
})

test('proposes records with the same name, and finds others by a phone in any form', async () => {
  const same = await twin({ name: 'CÁMILA', lastname: 'Prueba', phone: '5566667777' })
  const far = await newPerson({ name: 'Zoé', lastname: 'Lejana', phone: '5544443333' })
  const page = await pageText(mergePage(customer), manager)
  expectWords(page, same.email, 'Mismo nombre')
  expect(page).not.toContain(far.email)
  const search = `${mergePage(customer)}?q=${encodeURIComponent('044 55 4444 3333')}`
  await expectScreen(search, manager, `otra=${far.id}`)
})
