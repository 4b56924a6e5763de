import { and, eq } from 'drizzle-orm'
import type { Actor } from '../src/access/rules/actor.ts'
import { handInCasePaper, reviewCasePaper, saveCaseFacts } from '../src/cfe/commands.ts'
import { moveCase } from '../src/cfe/moves.ts'
import { followGrant, openCase } from '../src/cfe/open.ts'
import { papersOf } from '../src/cfe/rows.ts'
import type { CaseKind, CaseMoveName } from '../src/cfe/rules/case.ts'
import { type CasePaperName, casePaperFacts, type PaperState } from '../src/cfe/rules/papers.ts'
import { cfeCases } from '../src/platform/database/schema/cfe.ts'
import { quotes } from '../src/platform/database/schema/payments.ts'
import { type PlannedDeal, unpaidDeal } from './deals.ts'
import { paperFile } from './files.ts'
import type { Stage, Story } from './past.ts'
import { gesterEmail } from './people.ts'

/**
 * How far a case has come: its transitions, two days apart, and its papers while they are gathered (later all are
 * validated).
 */
type DemoCase = {
  kind: CaseKind
  moves: readonly CaseMoveName[]
  papers?: readonly PaperState[]
  /** Since its last transition; few unless it says more. */
  days?: number
}

const gathered = ['complete', 'file'] as const
/** Those that still gather papers first: their customers' installation is still ahead. */
const demoCases: readonly DemoCase[] = [
  {
    kind: 'name_change',
    moves: [],
    papers: ['validated', 'rejected', 'received', 'pending'],
  },
  {
    kind: 'load_increase',
    moves: [],
    papers: ['received', 'validated', 'received', 'pending'],
  },
  { kind: 'second_meter', moves: gathered, days: 20 },
  { kind: 'second_meter', moves: [...gathered, 'inspect', 'observe'] },
  { kind: 'second_meter', moves: [...gathered, 'inspect', 'approve'] },
  {
    kind: 'load_increase',
    moves: [...gathered, 'inspect', 'approve', 'sign', 'installMeter', 'close'],
  },
]

const [hour, day] = [3_600_000, 86_400_000]
const facts = {
  holderName: null,
  serviceNumber: '123456789012',
  meterNumber: '7K48X2',
  poleMetres: 14.5,
  chargerKilowatts: 7,
  contractedKilowatts: 5,
  requestedKilowatts: 12,
  tariff: '1C',
  isThreePhase: false,
  needsPermit: false,
  needsUvie: false,
}

/** Cases with CFE in several states, of accepted deals. */
export function caseStories(deals: readonly PlannedDeal[], stage: Stage): Story[] {
  const agreed = deals.filter(({ deal }) => deal.versions.at(-1)!.state === 'accepted')
  const [coming, installed] = [
    agreed.filter(({ installed, of }) => installed === null && of !== unpaidDeal),
    agreed.filter(({ installed }) => installed !== null),
  ]
  return demoCases.map((one, n) => caseStory(one, n < 2 ? coming[n]! : installed[n - 2]!, stage))
}

async function* caseStory(
  { days = 3, kind, moves, papers }: DemoCase,
  deal: PlannedDeal,
  stage: Stage,
): Story {
  const { actor, now, past } = stage
  const [customer, gester] = [actor(deal.customer.email), actor(gesterEmail)]
  const agreedOn = (deal.visitStart + deal.deal.versions.at(-1)!.answered!) * 60_000
  // A recent date, however old the deal is: a case without transitions for months is no good example.
  const first = Math.max(agreedOn + hour, now.getTime() - (2 * moves.length + days) * day)
  const at = (step: number) => new Date(Math.min(first + 2 * step * day, now.getTime()))
  yield at(0)
  const theirs = and(eq(quotes.customerId, customer.id), eq(quotes.state, 'accepted'))
  const [quote] = await past.db.select().from(quotes).where(theirs)
  const { id, version } = await openCase(past.db, gester, { folio: quote!.folio, kind }, at(0))
  await saveCaseFacts(past.db, gester, id, { version, ...facts }, at(0))
  for (const [n, { name }] of (await papersOf(past.db, id)).entries()) {
    const by = casePaperFacts[name].from === 'customer' ? customer : gester
    await bringPaper({ id, name, by, state: papers?.[n] ?? 'validated' }, { ...stage, gester }, at(0))
  }
  for (const [n, move] of moves.entries()) {
    yield at(n + 1)
    const [row] = await past.db.select().from(cfeCases).where(eq(cfeCases.id, id))
    const seen = move === 'observe' ? 'El croquis no dice la calle.' : null
    const proof = { contractNumber: 'CT-20934', newMeterNumber: '9R21K7', label: null, day: null }
    const asked = { asked: 'sketch', correctedBy: 'gester', requestNumber: 'SOL-4471' } as const
    const step = { ...proof, ...asked, move, version: row!.version, reason: seen, approvedKilowatts: 15 }
    if (move === 'installMeter') {
      const photo = { caseId: id, name: 'meter_photo', file: paperFile() } as const
      await handInCasePaper(past.db, stage.drive, gester, photo, at(n + 1))
    }
    await moveCase(past.db, gester, id, step, at(n + 1))
    // The demo world sends no jobs.
    if (move === 'installMeter') await followGrant(past.db, { caseId: id, actorId: gester.id }, at(n + 1))
  }
}

type Brought = { id: string; name: CasePaperName; by: Actor; state: PaperState }

/** A paper is handed in and reviewed, as far as its state says. */
async function bringPaper(
  { by, id, name, state }: Brought,
  { drive, gester, past: { db } }: Stage & { gester: Actor },
  at: Date,
): Promise<void> {
  if (state === 'pending') return
  await handInCasePaper(db, drive, by, { caseId: id, name, file: paperFile() }, at)
  const paper = (await papersOf(db, id)).find((one) => one.name === name)!
  // What the gester hands in is validated with it.
  if (state === 'received' || state === paper.state) return
  const reason = state === 'rejected' ? 'Se ve borroso.' : null
  const seen = paper.documentId!
  await reviewCasePaper(db, gester, id, { name, reason, seen }, at)
}
