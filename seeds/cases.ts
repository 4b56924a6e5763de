import { eq } from 'drizzle-orm'
import {
  type CaseKind,
  type CaseMoveName,
  type CaseState,
  dueDatesOf,
  isOpenCase,
  turnOf,
} from '../src/domain/cfe/case.ts'
import { owedByCustomer, type PaperState, papersFor } from '../src/domain/cfe/papers.ts'
import { nextCaseFolio } from '../src/server/cfe/rows.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { cfeCases, cfePapers } from '../src/server/platform/database/schema/cfe.ts'
import { documents, quotes } from '../src/server/platform/database/schema/payments.ts'
import { events } from '../src/server/platform/database/schema/projects.ts'
import { type Drive, paperKey } from '../src/server/platform/storage/drive.ts'
import type { RootedDeal } from './deals.ts'
import { demoPaper, paperOf } from './paper.ts'

/**
 * How far a case has come: its transitions, two days apart, and its papers while they are gathered (later all are
 * validated).
 */
type DemoCase = {
  kind: CaseKind
  state: CaseState
  moves: readonly CaseMoveName[]
  papers?: readonly PaperState[]
}

const gathered = ['complete', 'file'] as const
/** Cases in the state of gathering first: their customers' installation is still ahead. */
const demoCases: readonly DemoCase[] = [
  {
    kind: 'name_change',
    state: 'gathering',
    moves: [],
    papers: ['validated', 'rejected', 'received', 'pending'],
  },
  {
    kind: 'load_increase',
    state: 'gathering',
    moves: [],
    papers: ['received', 'validated', 'received', 'pending'],
  },
  { kind: 'second_meter', state: 'filed', moves: gathered },
  { kind: 'load_increase', state: 'observed', moves: [...gathered, 'inspect', 'observe'] },
  { kind: 'second_meter', state: 'approved', moves: [...gathered, 'inspect', 'approve'] },
  {
    kind: 'load_increase',
    state: 'closed',
    moves: [...gathered, 'inspect', 'approve', 'sign', 'installMeter', 'close'],
  },
]

const [hour, day] = [3_600_000, 86_400_000]
const plain = {
  isHolderOther: false,
  needsPermit: false,
  needsUvie: false,
  isThreePhase: false,
  poleMetres: 14.5,
}

type Beside = { gesterId: string; now: Date }

/** Writes cases with CFE in several states, for accepted deals; their papers are in `drive`, if given. */
export async function writeCases(
  tx: Tx,
  deals: readonly RootedDeal[],
  { gesterId, now }: Beside,
  drive?: Drive,
): Promise<void> {
  const { acceptedAt, projectId, state } = quotes
  const accepted = await tx.select({ acceptedAt, projectId }).from(quotes).where(eq(state, 'accepted'))
  const agreed = deals.flatMap((deal) => {
    const quote = accepted.find((one) => one.projectId === deal.projectId)
    return quote ? [{ ...deal, agreedAt: quote.acceptedAt! }] : []
  })
  const [coming, installed] = [
    agreed.filter(({ installation }) => !installation?.end),
    agreed.filter(({ installation }) => installation?.end),
  ]
  for (const [n, one] of demoCases.entries()) {
    const deal = n < 2 ? coming[n] : installed[n - 2]
    if (deal) await writeCase(tx, one, deal, { gesterId, now }, drive)
  }
}

async function writeCase(
  tx: Tx,
  { kind, moves, papers, state }: DemoCase,
  deal: RootedDeal & { agreedAt: Date },
  { gesterId, now }: Beside,
  drive?: Drive,
): Promise<void> {
  const agreedOn = deal.agreedAt.getTime() + hour
  // A recent date, however old the deal is: a case without transitions for months is no good example.
  const opened = new Date(Math.max(agreedOn, now.getTime() - (2 * moves.length + 3) * day))
  const at = (step: number) => new Date(Math.min(opened.getTime() + 2 * step * day, now.getTime()))
  const names = papersFor({ ...plain, kind })
  const states = names.map((_, n) => papers?.[n] ?? 'validated')
  const owes = owedByCustomer(names.map((name, n) => ({ name, state: states[n]! }))).length > 0
  const waitingOn = turnOf({ state, kind, correctedBy: 'gester', customerOwes: owes })
  const since = at(moves.length)
  const { customerId, projectId } = deal
  const [row] = await tx
    .insert(cfeCases)
    .values({
      folio: nextCaseFolio(opened),
      projectId,
      customerId,
      kind,
      state,
      gesterId,
      waitingOn,
      serviceNumber: '123456789012',
      meterNumber: '7K48X2',
      poleMetres: 14.5,
      chargerKilowatts: 7,
      ...(moves.length > 0 && { filedAt: at(2), requestNumber: 'SOL-4471' }),
      ...(state === 'observed' && { correctedBy: 'gester' as const, reason: 'El croquis no dice la calle.' }),
      waitingSince: since,
      dueOn: dueDatesOf(waitingOn, state, since)?.late ?? null,
      ...(!isOpenCase(state) && { closedAt: since }),
      createdAt: opened,
      updatedAt: since,
    })
    .returning({ id: cfeCases.id })
  const caseId = row!.id
  for (const [n, name] of names.entries()) {
    const paper = paperOf({ customerId, projectId }, 'cfe_paper', opened)
    const isIn = states[n] !== 'pending'
    if (isIn) await tx.insert(documents).values(paper)
    if (isIn && drive) await drive.put(paperKey(paper), demoPaper, paper.type)
    await tx.insert(cfePapers).values({
      caseId,
      name,
      state: states[n]!,
      documentId: isIn ? paper.id : null,
      receivedAt: isIn ? opened : null,
      reason: states[n] === 'rejected' ? 'Se ve borroso.' : null,
    })
  }
  const told = { entity: 'cfe_case', entityId: caseId }
  await tx
    .insert(events)
    .values([
      { ...told, name: 'open', at: opened },
      ...moves.map((name, n) => ({ ...told, name, actorId: gesterId, at: at(n + 1) })),
    ])
}
