import { openCase } from '../../src/cfe/open.ts'
import { handInPermit } from '../../src/cfe/permit.ts'
import { caseFor } from '../../src/cfe/queries.ts'
import { papersOf } from '../../src/cfe/rows.ts'
import { documents } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { openProjectOf } from '../../src/projects/open-project.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { type Case, caseOf, complete, handIn, openedCase, review, saveFacts, walk } from '../kit/cfe.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  db,
  expectEmails,
  expectTrail,
  fixture,
  gester,
  manager,
  markupOf,
  openOnce,
  rowsWhere,
  sendJobsOnce,
  sentAbout,
  setRow,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectRefusal, expectWords } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

const now = new Date()
const permit = (name: string) => fileOf(pdf(`<</T(${name})>>`), `${name}.pdf`)

/** A project whose installation is paid and needs the permit, with its case. */
async function needing(answers: Record<string, boolean> = { loadIncrease: true, needsPermit: true }) {
  const made = await openedCase(answers)
  const paid = { permitNeeded: true, quoteAcceptedAt: now, depositPaidAt: now }
  await setRow(projects, made.one.projectId, paid)
  return made
}
const toInstallation = (by: Person, name: string) =>
  handInPermit(db, fixture.drive, by.actor, permit(name), new Date())
const toCase = (by: Person, one: Case, name: string) => handIn(by, one, 'condominium_permit', permit(name))
const reviewed = (one: Case, reason?: string) => review(gester, one, 'condominium_permit', reason)
const permitAt = async (one: Case) =>
  (await papersOf(db, one.id)).find(({ name }) => name === 'condominium_permit')
/** "received: otro.pdf", as the gester sees it. */
async function seen(one: Case) {
  const shown = await caseFor(db, gester.actor, one.id)
  const paper = shown?.papers.find(({ name }) => name === 'condominium_permit')
  return paper && `${paper.state}: ${paper.document?.name}`
}
const living = async ({ customerId }: Case) =>
  (await rowsWhere(documents, { customerId }))
    .filter(({ replacedAt }) => replacedAt === null)
    .map(({ name }) => name)

test('a permit for the installation comes to the open case, where each other file is reviewed again', async () => {
  const { customer, one } = await needing()
  await toInstallation(customer, 'uno')
  expect(await seen(one)).toBe('received: uno.pdf')
  await reviewed(one)
  await toInstallation(customer, 'uno')
  expect(await seen(one)).toBe('validated: uno.pdf')
  await toInstallation(customer, 'dos')
  expect(await seen(one)).toBe('received: dos.pdf')
  expect(await permitAt(one)).toMatchObject({ reason: null, reviewedBy: null, reviewedAt: null })
  await expectTrail(one, ['open', 'paper', 'paper_validated', 'paper'])
  const text = await markupOf(`/admin/gesties/${one.id}`, gester)
  expectWords(text, 'dos.pdf', `value="${(await permitAt(one))!.documentId}"`)
  await reviewed(one, 'Falta el sello.')
  await toInstallation(customer, 'tres')
  expect(await seen(one)).toBe('received: tres.pdf')
  expect(await living(one)).toEqual(['tres.pdf'])
})

test('a permit comes to a filed case too, and can be returned once CFE observes it', async () => {
  const { customer, one } = await needing()
  await toInstallation(customer, 'uno')
  await complete(gester, one)
  await walk(gester, one, 'complete', 'file')
  await toInstallation(customer, 'dos')
  expect(await seen(one)).toBe('received: dos.pdf')
  expect((await caseOf(one)).waitingOn).toBe('cfe')
  await walk(gester, one, 'inspect', 'observe')
  await reviewed(one, 'Falta el sello.')
  expect((await caseOf(one)).waitingOn).toBe('customer')
})

test('a permit for the case counts for the installation once the gester validates it', async () => {
  const { customer, one } = await needing()
  await toCase(customer, one, 'uno')
  await expectEmails(one.projectId, [], 'installation')
  await reviewed(one)
  expect((await openProjectOf(db, customer))!.permitValidAt !== null).toBe(true)
  await expectEmails(one.projectId, ['installation_ready to customer'], 'installation')
  const page = await fixture.visit('/installation', customer)
  expect(page.text.split(`/documents/${(await permitAt(one))!.documentId}`).length).toBeGreaterThan(2)
  await toCase(gester, one, 'dos')
  expect([await seen(one), await living(one)]).toEqual(['validated: dos.pdf', ['dos.pdf']])
  await expectRefusal(toCase(customer, one, 'tres'), 'failed-precondition')
})

test('the last paper, a permit from the gester, is one email: the installation can be booked', async () => {
  const { one } = await needing()
  for (const { name, state } of await papersOf(db, one.id))
    if (state === 'pending' && name !== 'condominium_permit') await handIn(gester, one, name)
  expect((await caseOf(one)).waitingOn).toBe('customer')
  await toCase(gester, one, 'uno')
  const since = (await caseOf(one)).waitingSince.toISOString()
  expect(await sentAbout(since)).toEqual(['case_turn to customer'])
  expect(await emailsOf(db, { letter: 'case_turn', caseId: one.id, since, to: 'customer' })).toEqual([])
  expect(await sentAbout(one.projectId, 'installation')).toEqual(['installation_ready to customer'])
})

test('all open cases of a project share the permit, closed ones keep theirs, and new ones take it over', async () => {
  const { customer, one, quote } = await needing()
  const open = (kind: 'new_service' | 'second_meter') =>
    openCase(db, gester.actor, { folio: quote.folio, kind }, now)
  const over = await open('new_service')
  await toInstallation(customer, 'uno')
  await walk(manager, over, 'cancel')
  const { documentId } = (await permitAt(over))!
  await toCase(customer, one, 'dos')
  expect((await permitAt(over))!.documentId).toBe(documentId)
  const last = await open('second_meter')
  expect(await seen(last)).toBe('received: dos.pdf')
  await toCase(customer, one, 'tres')
  expect([await seen(one), await seen(last)]).toEqual(['received: tres.pdf', 'received: tres.pdf'])
})

test('a case that needs the permit only later takes the one handed in', async () => {
  const { customer, one } = await needing({ loadIncrease: true })
  await saveFacts(gester, one, {})
  expect(await seen(one)).toBeUndefined()
  await toInstallation(customer, 'uno')
  await saveFacts(gester, one, { needsPermit: true })
  expect(await seen(one)).toBe('received: uno.pdf')
})

test('the permit of an installation replaces a file that only the case had', async () => {
  const { customer, one } = await needing()
  await toCase(customer, one, 'uno')
  const { documentId } = (await permitAt(one))!
  await setRow(documents, documentId!, { purpose: 'cfe_paper' })
  await reviewed(one)
  await toInstallation(customer, 'dos')
  expect([await seen(one), await living(one)]).toEqual(['received: dos.pdf', ['dos.pdf']])
})

test('of two permits handed in at both places at once one is kept', async () => {
  const { customer, one } = await needing()
  await Promise.all([toInstallation(customer, 'uno'), toCase(customer, one, 'dos')])
  const [name, ...more] = await living(one)
  expect([more, await seen(one)]).toEqual([[], `received: ${name}`])
})
