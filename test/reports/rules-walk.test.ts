import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Actor } from '../../src/access/rules/actor.ts'
import { fallenSignatures } from '../../src/reports/rules/answer-words.ts'
import { type AnswerState, changeOutcome } from '../../src/reports/rules/answers.ts'
import { failedTests } from '../../src/reports/rules/limits.ts'
import { bearsWith, findingsOf, holding, limitIn, whyHeld } from '../../src/reports/rules/passport.ts'
import { signatureSlots, slotsOf } from '../../src/reports/rules/photos.ts'
import { missingIn, questionOf } from '../../src/reports/rules/progress.ts'
import {
  type Answers,
  type AnswerValue,
  type Condition,
  type SheetState,
  sheetMachine,
} from '../../src/reports/rules/report.ts'
import { isUnconfirmed } from '../../src/reports/rules/review.ts'
import { refuse } from '../../src/shared/refusal.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { answerOf, findings, step, walks } from '../kit/walks.ts'

const people = {
  technician: { id: 'technician', role: 'staff', kind: 'tecnician' } as Actor,
  analyst: { id: 'analyst', role: 'staff', kind: 'analyst' } as Actor,
  manager: { id: 'manager', role: 'staff', kind: 'manager' } as Actor,
}
type Reviewer = 'analyst' | 'manager'

type Record = {
  minute: number
  state: SheetState
  visit: Answers
  conditions: Condition[]
  answers: Map<string, AnswerState>
  changes: { at: Date; arrivedAt: Date; isOwn: boolean }[]
  signed: Map<string, Date>
  sentAt: Date | null
  corrections: { by: string; isConfirmed: boolean }[]
  approvedBy: string | null
}

const visits: readonly Answers[] = findings.map((found) => ({ ...completeAnswers.visit, ...found }))

const now = ({ minute }: Record) => new Date(minute * 60_000)
const isBlocking = ({ kind, limitAmps }: { kind: string; limitAmps: number | null }) =>
  limitAmps === null && (kind === 'load_increase' || kind === 'second_meter')
const conditionsOf = (visit: Answers): Condition[] =>
  findingsOf(visit).map((found) => ({
    ...found,
    isMet: false,
    heldAmps: null,
    blocksBooking: isBlocking(found),
  }))

const begin = (visit: Answers): Record => ({
  minute: 0,
  state: 'draft',
  visit,
  conditions: conditionsOf(visit),
  answers: new Map(
    Object.entries({
      ...completeAnswers.installation,
      asksReadings: true,
      deviationReason: 'Así fue.',
      limitWay: 'switch',
      worksDone: true,
    }).map(([name, value]) => [
      name,
      { value: value as AnswerValue, revision: 1, changedBy: 'technician', changedAt: new Date(0) },
    ]),
  ),
  changes: [],
  signed: new Map(signatureSlots.map((slot) => [slot, new Date(0)])),
  sentAt: null,
  corrections: [],
  approvedBy: null,
})

function answersIn({ answers, conditions }: Record): Answers {
  const held = conditions.find(({ blocksBooking, isMet }) => blocksBooking && !isMet)
  const given = Object.fromEntries([...answers].map(([name, { value }]) => [name, value]))
  return {
    ...given,
    agreedLimit: limitIn(conditions),
    agreedHeld: held ? whyHeld[held.kind] : null,
    agreedWorks: conditions.some(({ isMet, kind }) => kind === 'works' && !isMet) ? '' : null,
  }
}

const fallenIn = ({ changes, sentAt, signed, state }: Record) =>
  state === 'submitted' || state === 'approved'
    ? []
    : fallenSignatures(
        [...signed].map(([slot, at]) => ({ slot, capturedAt: at, arrivedAt: at })),
        changes,
        sentAt && { at: sentAt, arrivedAt: sentAt },
      )
const missing = (record: Record) => {
  const fallen = fallenIn(record)
  return missingIn(
    'installation',
    answersIn(record),
    new Set(slotsOf.installation.filter((slot) => !fallen.includes(slot))),
  )
}
const factsOf = ({ state }: Record) => ({
  state,
  assigneeId: 'technician',
  provisional: false,
  appointmentState: state === 'draft' ? ('in_progress' as const) : ('done' as const),
})

function write(record: Record, by: Actor, name: string, value: AnswerValue, base: number | null, at: Date) {
  const before = record.answers.get(name)!
  const outcome = changeOutcome(before, { value, base: base ?? before.revision, at, by: by.id })
  if (outcome !== 'write') return
  record.answers.set(name, { value, revision: before.revision + 1, changedBy: by.id, changedAt: at })
  record.changes.push({ at, arrivedAt: now(record), isOwn: by.id === 'technician' })
  if (by.id !== 'technician' && record.sentAt) record.corrections.push({ by: by.id, isConfirmed: false })
}

const change = answerOf({
  insulation: [200, 200, 0.1],
  gfciOk: [true, true, false],
  loadTestAmps: [31, 12, 12],
  chargerSet: [32, 12, 12],
  breaker: [40, 40, 100],
  conductor: ['8', '8', '12'],
  worksDone: [true, false],
})
const reviewer = fc.constantFrom<Reviewer>('analyst', 'manager')

const deliveries = [
  step(
    'sign',
    fc.constantFrom(...signatureSlots),
    (record: Record, slot) => void record.signed.set(slot, now(record)),
  ),
  step('submit', fc.constant(null), (record: Record) => {
    const state = sheetMachine.next('submit', people.technician, factsOf(record))
    if (missing(record).length > 0) refuse('failed-precondition')
    Object.assign(record, { state, sentAt: now(record) })
    for (const one of record.corrections) one.isConfirmed = true
  }),
  step('approve', reviewer, (record: Record, by) => {
    const state = sheetMachine.next('approve', people[by], factsOf(record))
    const { chargerSet, worksDone } = answersIn(record)
    if (missing(record).length > 0 || holding(record.conditions, Number(chargerSet)).length > 0)
      refuse('failed-precondition')
    if (record.corrections.some((one) => isUnconfirmed({ name: '', ...one, isOwn: one.by === by })))
      refuse('failed-precondition')
    for (const one of record.conditions) {
      if (one.kind === 'works' && worksDone === true) one.isMet = true
      if (!one.isMet && one.limitAmps !== null) one.heldAmps = Number(chargerSet)
    }
    Object.assign(record, { state, approvedBy: by })
  }),
]

const steps = [
  step(
    'answer',
    fc.record({ change, early: fc.boolean() }),
    (record: Record, { early, change: { name, value } }) => {
      sheetMachine.next('write', people.technician, factsOf(record))
      const at = early ? new Date(Math.max(0, record.minute - 5) * 60_000) : now(record)
      write(record, people.technician, name, value, early ? 0 : null, at)
    },
  ),
  step('correct', fc.record({ change, by: reviewer }), (record: Record, { by, change: { name, value } }) => {
    sheetMachine.next('correct', people[by], factsOf(record))
    if (questionOf('installation', name)?.measured) refuse('failed-precondition')
    write(record, people[by], name, value, null, now(record))
  }),
  step('return', reviewer, (record: Record, by) => {
    record.state = sheetMachine.next('return', people[by], factsOf(record))
  }),
  step('grant', fc.constantFrom(9, 25), (record: Record, kilowatts) => {
    for (const one of record.conditions)
      if (one.kind === 'second_meter' || (one.kind === 'load_increase' && bearsWith(record.visit, kilowatts)))
        one.isMet = true
  }),
  step('inspect', fc.constant(null), (record: Record) => {
    for (const one of record.conditions) if (one.kind === 'uvie') one.isMet = true
  }),
  step('visit again', fc.constantFrom(...visits), (record: Record, visit) => {
    if (record.state !== 'approved') Object.assign(record, { visit, conditions: conditionsOf(visit) })
  }),
]

const ended = new Set<Record>()
function check(record: Record) {
  record.minute++
  if (record.state !== 'approved') return
  ended.add(record)
  const { approvedBy, changes, conditions, corrections, signed } = record
  const answers = answersIn(record)
  expect(failedTests(answers)).toEqual([])
  expect([answers.breaker, answers.conductor]).toEqual([40, '8'])
  for (const { heldAmps, isMet, limitAmps } of conditions)
    expect(isMet || (heldAmps !== null && heldAmps <= limitAmps!)).toBe(true)
  const own = changes.filter(({ isOwn }) => isOwn).map(({ at }) => +at)
  for (const at of signed.values()) expect(+at).toBeGreaterThanOrEqual(Math.max(0, ...own))
  expect(corrections.filter(({ by, isConfirmed }) => by === approvedBy && !isConfirmed)).toEqual([])
}

test('no order of steps approves what fails a test, the standard or a condition', async () => {
  const count = Number(process.env.RULE_WALKS ?? 3000)
  await walks({
    starts: visits,
    begin,
    steps: [...steps, ...deliveries, ...deliveries],
    check,
    count,
    length: 24,
  })
  expect(ended.size).toBeGreaterThan(count / 20)
})
