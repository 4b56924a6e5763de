import { desc } from 'drizzle-orm'
import { handInCasePaper, reviewCasePaper, saveCaseFacts } from '../../src/cfe/commands.ts'
import { moveCase } from '../../src/cfe/moves.ts'
import { followGrant, openNeededCases } from '../../src/cfe/open.ts'
import { papersOf } from '../../src/cfe/rows.ts'
import type { CaseMoveName } from '../../src/cfe/rules/case.ts'
import type { CasePaperName } from '../../src/cfe/rules/papers.ts'
import type { CaseStep } from '../../src/cfe/rules/schema.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { db, fixture, people, rowWhere, technician } from './open.ts'
import type { Person } from './people.ts'
import { storeDraft, visited } from './quotes.ts'

export type Case = typeof cfeCases.$inferSelect
type Answers = Record<string, string | number | boolean>

const digest = 'a'.repeat(64)
const acceptance = {
  state: 'accepted' as const,
  digest,
  acceptedOption: 'essential',
  acceptedTotal: 1160_00,
  depositAmount: 580_00,
  acceptedName: 'Cliente',
  acceptedDigest: digest,
}

/** A customer who accepted the quote of a visit that found some things out. */
export async function agreed(
  { customer, technician, maker }: { customer: Person; technician: Person; maker: Person },
  answers: Answers = { meterChoice: 'second' },
) {
  const visit = await visited(customer, technician, undefined, answers)
  return { visit, quote: await acceptedOf(visit, maker) }
}

/** A quote of a visit that its customer accepts now. */
export function acceptedOf(visit: Awaited<ReturnType<typeof visited>>, maker: Person) {
  const now = new Date()
  const when = { acceptedAt: now, sentAt: now, validUntil: new Date(now.getTime() + 1e9) }
  return storeDraft(fixture, visit, maker, { ...acceptance, ...when, sentBy: maker.id })
}

/** Opens what is needed, as the round does, and answers the newest case. */
export async function openedBy(now = new Date()): Promise<Case> {
  await openNeededCases(db, now)
  return (await db.select().from(cfeCases).orderBy(desc(cfeCases.createdAt)).limit(1))[0]!
}

/** A new customer who accepted the quote of a visit with some findings, and the case that these opened. */
export async function openedCase(answers: Answers = { loadIncrease: true }) {
  const customer = await fixture.person({ name: 'Camila' })
  const { analyst: maker } = people
  const deal = await agreed({ customer, technician, maker }, answers)
  return { customer, ...deal, one: await openedBy() }
}

type Of = Pick<Case, 'id'>
export const caseOf = async ({ id }: Of): Promise<Case> => (await rowWhere(cfeCases, { id }))!

/** "official_id pending", of each paper. */
export const paperWords = async ({ id }: Of) =>
  (await papersOf(db, id)).map(({ name, state }) => `${name} ${state}`)

/** A user hands in a paper of a case, a file of its own each. */
export const handIn = (
  by: Person,
  { id: caseId }: Of,
  name: CasePaperName,
  file = fileOf(pdf(`<</T(${name})>>`), `${name}.pdf`),
) => handInCasePaper(db, fixture.drive, by.actor, { caseId, name, file }, new Date())

/** A user validates a paper, or returns it with a reason. */
export async function review(by: Person, { id }: Of, name: CasePaperName, reason: string | null = null) {
  const paper = (await papersOf(db, id)).find((one) => one.name === name)!
  return reviewCasePaper(db, by.actor, id, { name, reason, seen: paper.documentId ?? '' }, new Date())
}

/** Hands in and validates whatever is missing. */
export async function complete(by: Person, one: Of) {
  for (const { name, state } of await papersOf(db, one.id)) {
    // What a user who works on the case hands in is validated already.
    if (state === 'pending' || state === 'rejected') await handIn(by, one, name)
    const now = (await papersOf(db, one.id)).find((paper) => paper.name === name)?.state
    if (now !== 'validated') await review(by, one, name)
  }
}

type Step = CaseMoveName | ({ move: CaseMoveName } & Partial<CaseStep>)

const noStep = {
  day: null,
  asked: 'bill',
  label: null,
  correctedBy: 'customer',
  requestNumber: 'S-123',
  contractNumber: 'C-1',
  newMeterNumber: 'N-1',
  reason: 'Porque sí.',
} as const

/** A user makes moves, one after the other; CFE observes the bill, for the customer to correct. */
export async function walk(by: Person, one: Of, ...steps: Step[]) {
  for (const step of steps) {
    if (step === 'correct' || step === 'installMeter') await complete(by, one)
    const made = typeof step === 'string' ? { move: step } : step
    const { move } = made
    const { version } = await caseOf(one)
    const approvedKilowatts = move === 'approve' ? 25 : null
    await moveCase(db, by.actor, one.id, { ...noStep, version, approvedKilowatts, ...made }, new Date())
    const since = (await caseOf(one)).waitingSince.toISOString()
    const granted = { caseId: one.id, actorId: by.id, since }
    if (move === 'installMeter') await followGrant(db, granted, new Date())
  }
  return caseOf(one)
}

type Facts = Omit<Parameters<typeof saveCaseFacts>[3], 'version'>
const noFacts: Facts = {
  holderName: null,
  serviceNumber: null,
  meterNumber: null,
  poleMetres: null,
  chargerKilowatts: 7.4,
  contractedKilowatts: null,
  requestedKilowatts: null,
  tariff: null,
  isThreePhase: false,
  needsPermit: false,
  needsUvie: false,
}

/** The gester saves what a case says, at its version unless told otherwise. */
export async function saveFacts(by: Person, one: Of, input: Partial<Facts>, seen?: number) {
  const version = seen ?? (await caseOf(one)).version
  return saveCaseFacts(db, by.actor, one.id, { ...noFacts, ...input, version }, new Date())
}
