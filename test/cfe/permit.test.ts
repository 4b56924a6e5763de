import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveCaseFacts } from '../../src/server/cfe/commands.ts'
import { openCase } from '../../src/server/cfe/open.ts'
import { caseFor } from '../../src/server/cfe/queries.ts'
import { papersOf } from '../../src/server/cfe/rows.ts'
import { documents } from '../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { openProjectOf } from '../../src/server/projects/open-project.ts'
import { handInPermit } from '../../src/server/projects/permit.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { agreed, type Case, caseOf, complete, handIn, openedBy, review, walk } from '../kit/cfe.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { sendForm } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { emailsAbout, readable, refusalOf, trailOf } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

const now = new Date()
const permit = (name: string) => fileOf(pdf(`<</T(${name})>>`), `${name}.pdf`)

/** A project whose installation is paid and needs the permit, with its case. */
async function needing(
  answers: Record<string, string | boolean> = { loadIncrease: true, needsPermit: true },
) {
  const customer = await world.person({ name: 'Camila' })
  const { analyst: maker, technician } = people
  const { quote, visit } = await agreed(world, { customer, technician, maker }, answers)
  await world.db
    .update(projects)
    .set({ permitNeeded: true, quoteAcceptedAt: now, depositPaidAt: now })
    .where(eq(projects.id, visit.projectId!))
  return { customer, quote, one: await openedBy(world) }
}
const toInstallation = (by: Person, name: string) =>
  handInPermit(world.db, world.drive, by.actor, permit(name), new Date())
const projectOf = async (by: Person) => (await openProjectOf(world.db, by))!
const permitAt = async (one: Case) =>
  (await papersOf(world.db, one.id)).find(({ name }) => name === 'condominium_permit')
/** "received: otro.pdf", as whoever works on the case sees it. */
async function seen(one: Case) {
  const shown = await caseFor(world.db, people.gester.actor, one.id)
  const paper = shown?.papers.find(({ name }) => name === 'condominium_permit')
  return paper && `${paper.state}: ${paper.document?.name ?? 'no file'}`
}
const living = async ({ customerId }: Case) =>
  (
    await world.db
      .select({ name: documents.name })
      .from(documents)
      .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
  ).map(({ name }) => name)

test('handed in for the installation, it comes to the open case, and so does the one in its place', async () => {
  const { customer, one } = await needing()
  await toInstallation(customer, 'uno')
  expect(await seen(one)).toBe('received: uno.pdf')
  await review(world, people.gester, one, 'condominium_permit')
  await toInstallation(customer, 'uno')
  expect(await seen(one)).toBe('validated: uno.pdf')
  await toInstallation(customer, 'dos')
  expect(await seen(one)).toBe('received: dos.pdf')
  expect(await permitAt(one)).toMatchObject({ reason: null, reviewedBy: null, reviewedAt: null })
  expect(await trailOf(world, one)).toEqual(['open', 'paper', 'paper_validated', 'paper'])
  await review(world, people.gester, one, 'condominium_permit', 'Falta el sello.')
  await toInstallation(customer, 'tres')
  expect(await seen(one)).toBe('received: tres.pdf')
  expect(await living(one)).toEqual(['tres.pdf'])
})

test('whoever works on the case can validate it on the screen after it was replaced', async () => {
  const { customer, one } = await needing()
  await toInstallation(customer, 'uno')
  await toInstallation(customer, 'dos')
  const path = `/admin/gesties/${one.id}`
  const { documentId } = (await permitAt(one))!
  const page = await world.visit(path, people.gester)
  expect([readable(page).includes('dos.pdf'), page.text.includes(`value="${documentId}"`)]).toEqual([
    true,
    true,
  ])
  const form = { intent: 'case.validate', paper: 'condominium_permit', seen: documentId! }
  await sendForm(world, path, form, people.gester, null)
  expect(await seen(one)).toBe('validated: dos.pdf')
})

test('also while the case takes no papers: what CFE observes later can be corrected', async () => {
  const { customer, one } = await needing()
  await toInstallation(customer, 'uno')
  await complete(world, people.gester, one)
  await walk(world, people.gester, one, 'complete', 'file')
  await toInstallation(customer, 'dos')
  expect(await seen(one)).toBe('received: dos.pdf')
  expect((await caseOf(world, one)).waitingOn).toBe('cfe')
  await walk(world, people.gester, one, 'inspect', 'observe')
  await review(world, people.gester, one, 'condominium_permit', 'Falta el sello.')
  expect((await caseOf(world, one)).waitingOn).toBe('customer')
})

test('handed in for the case, the installation has it, and nobody is asked twice', async () => {
  const { customer, one } = await needing()
  await handIn(world, customer, one, 'condominium_permit', permit('uno'))
  expect((await projectOf(customer)).permitReceivedAt).not.toBeNull()
  expect(await emailsAbout(world, one.projectId)).toEqual(['installation_ready to customer'])
  const page = await world.visit('/installation', customer)
  expect(page.text.split(`/documents/${(await permitAt(one))!.documentId}`).length - 1).toBeGreaterThan(1)
  await handIn(world, people.gester, one, 'condominium_permit', permit('dos'))
  expect([await seen(one), await living(one)]).toEqual(['validated: dos.pdf', ['dos.pdf']])
  const again = handIn(world, customer, one, 'condominium_permit', permit('tres'))
  expect((await refusalOf(again))[0]).toBe('failed-precondition')
})

test('handed in for the case before a quote was accepted, it counts for the installation from then on', async () => {
  const { customer, one } = await needing()
  await world.db.update(projects).set({ permitNeeded: false }).where(eq(projects.id, one.projectId))
  await handIn(world, people.gester, one, 'condominium_permit', permit('uno'))
  expect((await projectOf(customer)).permitReceivedAt).not.toBeNull()
})

test('every open case of the project has the same one; what is over keeps what it had', async () => {
  const { customer, one, quote } = await needing()
  const by = people.gester.actor
  const more = await openCase(world.db, by, { folio: quote.folio, kind: 'new_service' }, now)
  await toInstallation(customer, 'uno')
  await walk(world, people.manager, more, 'cancel')
  const { documentId } = (await permitAt(more))!
  await handIn(world, customer, one, 'condominium_permit', permit('dos'))
  expect((await permitAt(more))!.documentId).toBe(documentId)
  const last = await openCase(world.db, by, { folio: quote.folio, kind: 'second_meter' }, now)
  expect(await seen(last)).toBe('received: dos.pdf')
  await handIn(world, customer, one, 'condominium_permit', permit('tres'))
  expect([await seen(one), await seen(last)]).toEqual(['received: tres.pdf', 'received: tres.pdf'])
})

test('a case that asks for it only later takes the one that is in', async () => {
  const { customer, one } = await needing({ loadIncrease: true })
  const saved = async (needsPermit: boolean) => {
    const facts = {
      holderName: null,
      serviceNumber: null,
      meterNumber: null,
      poleMetres: null,
      chargerKilowatts: 7.4,
      contractedKilowatts: null,
      requestedKilowatts: null,
      tariff: null,
      isThreePhase: false,
      needsPermit,
      needsUvie: false,
    }
    const { version } = await caseOf(world, one)
    await saveCaseFacts(world.db, people.gester.actor, one.id, { ...facts, version }, now)
  }
  await saved(false)
  expect(await seen(one)).toBeUndefined()
  await toInstallation(customer, 'uno')
  await saved(true)
  expect(await seen(one)).toBe('received: uno.pdf')
})

test('one that a case alone had gives way to the installation’s', async () => {
  const { customer, one } = await needing()
  await handIn(world, customer, one, 'condominium_permit', permit('uno'))
  const { documentId } = (await permitAt(one))!
  await world.db.update(documents).set({ purpose: 'cfe_paper' }).where(eq(documents.id, documentId!))
  await review(world, people.gester, one, 'condominium_permit')
  await toInstallation(customer, 'dos')
  expect([await seen(one), await living(one)]).toEqual(['received: dos.pdf', ['dos.pdf']])
})

test('handed in at both at once there is one', async () => {
  const { customer, one } = await needing()
  await Promise.all([
    toInstallation(customer, 'uno'),
    handIn(world, customer, one, 'condominium_permit', permit('dos')),
  ])
  const [name, ...more] = await living(one)
  expect([more, await seen(one)]).toEqual([[], `received: ${name}`])
})
