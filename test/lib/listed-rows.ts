import { randomUUID } from 'node:crypto'
import { blockedAccounts, users } from '../../src/platform/database/schema/accounts.ts'
import { clients, codes } from '../../src/platform/database/schema/agencies.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { bankLines, bankStatements, payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { agencies, projects } from '../../src/platform/database/schema/projects.ts'
import { ally, analyst, fixture, fromNow, gester, manager, storeRows, technician } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content } from '../kit/quotes.ts'
import { insertIn } from '../kit/reading.ts'

/** The nth row of a list: its name holds what it is known and looked for by; its time and day grow with n, seven at a time. */
export type Row = { n: number; mark: string; name: string; at: Date; on: string }
type Owned = Row & { customerId: string; projectId: string }

const day = 24 * 3_600_000

/** The row whose name a spreadsheet would run, with accents and with what a pattern would read as anything. */
export const hostile = 31

export const rowsOf = (list: string, ...ns: number[]): Row[] =>
  ns.map((n) => {
    const at = fromNow((100 + Math.floor(n / 7)) * day)
    const mark = `${list}${String(n).padStart(3, '0')}`
    const name = n === hostile ? `=Íñigo ${mark} 100%\\_` : mark
    return { n, mark, name, at, on: at.toISOString().slice(0, 10) }
  })

/** One value for every so many rows, and another for the others. */
const every = <const One, const Other>(n: number, step: number, one: One, other: Other) =>
  n % step ? other : one

async function storeUsers(rows: Row[], isStaff = false) {
  const made = rows.map(({ mark, n, name }) => ({
    name,
    lastname: `Peña${n}`,
    email: `${mark}-${randomUUID()}@prueba.mx`,
    phone: `55${10_000_000 + n}`,
    emailVerified: true,
    ...(isStaff && every(n, 4, { role: 'staff', kind: 'analyst' }, null)),
    active: !isStaff || n % 3 !== 1,
  }))
  return storeRows(users, made)
}

/** Each with a customer of that name, and a project; most are of the ally's agency. */
async function owned(rows: Row[]): Promise<Owned[]> {
  const made = await storeUsers(rows)
  const agencyOf = ({ n }: Row) => every(n, 6, null, ally.agencyId)
  const of = await storeRows(
    projects,
    made.map(({ id: customerId }, index) => {
      const row = rows[index]!
      return { customerId, agencyId: agencyOf(row), createdAt: row.at }
    }),
  )
  return rows.map((row, index) => ({ ...row, customerId: made[index]!.id, projectId: of[index]!.id }))
}

const visitOf = ({ at, customerId, n, projectId }: Owned) => ({
  customerId,
  projectId,
  startsAt: at,
  folio: `VT-${randomUUID()}`,
  service: every(n, 3, 'installation', 'technical_visit'),
  municipality: every(n, 4, 'tlalpan', 'coyoacan'),
  minutes: 60,
  requestKey: randomUUID(),
  requestDigest: '',
})
const storeRequested = async (rows: Row[]) => storeRows(appointments, (await owned(rows)).map(visitOf))
async function storeDone(rows: Row[]) {
  const held = { state: 'done' as const, assigneeId: technician.id }
  return storeRows(
    appointments,
    (await owned(rows)).map((row) => ({ ...visitOf(row), ...held })),
  )
}

async function storeQuotes(rows: Row[]) {
  const made = (await storeDone(rows)).map(({ customerId, id, projectId, startsAt: at }, index) => ({
    customerId,
    projectId,
    appointmentId: id,
    folio: `COT-${randomUUID()}`,
    content: content(),
    madeBy: every(rows[index]!.n, 3, manager, analyst).id,
    lowestTotal: 1_234_567_05,
    state: every(rows[index]!.n, 5, 'viewed', 'sent'),
    digest: 'd',
    sentAt: at,
    sentBy: analyst.id,
    validUntil: at,
    createdAt: at,
  }))
  await storeRows(quotes, made)
}

async function storePayments(rows: Row[]) {
  const made = (await owned(rows)).map(({ at, customerId, n, projectId }) => ({
    customerId,
    projectId,
    folio: `PAG-${randomUUID()}`,
    concept: 'extra_work' as const,
    amount: 100_00,
    createdAt: at,
    ...every(n, 3, { state: 'paid', method: 'cash', paidAt: at }, null),
  }))
  await storeRows(payments, made)
}

async function storeMovements(rows: Row[]) {
  const statement = await insertIn(fixture, bankStatements, {
    name: 'x.csv',
    sha256: randomUUID(),
    head: 0,
    headWords: '',
    columns: {} as never,
    uploadedBy: manager.id,
    readAt: new Date(),
  })
  const made = rows.map(({ n, name, on }) => ({
    statementId: statement.id,
    hash: randomUUID(),
    rowNumber: n,
    bookedOn: on,
    amount: 100_00 + n,
    description: name,
    reference: '',
  }))
  await storeRows(bankLines, made)
}

async function storeCases(rows: Row[], { gester2 }: Others) {
  const made = (await owned(rows)).map(({ customerId, n, on, projectId }) => ({
    customerId,
    projectId,
    folio: `CFE-${randomUUID()}`,
    kind: every(n, 3, 'new_service', 'second_meter'),
    state: every(n, 4, 'filed', 'gathering'),
    waitingOn: every(n, 4, 'cfe', 'gester'),
    gesterId: every(n, 5, gester.id, every(n, 2, null, gester2.id)),
    dueOn: on,
  }))
  await storeRows(cfeCases, made)
}

async function storeClients(rows: Row[], { colleague }: Others) {
  const made = (await owned(rows)).map(({ at, customerId, n }) => ({
    customerId,
    agencyId: ally.agencyId!,
    allyId: every(n, 4, colleague, ally).id,
    source: 'link' as const,
    joinedAt: at,
    createdAt: at,
  }))
  await storeRows(clients, made)
}

async function storeCodes(rows: Row[]) {
  const made = rows.map(({ at, n, name }) => ({
    code: randomUUID().replace(/[-01]/g, '').slice(0, 12).toUpperCase(),
    label: name,
    agencyId: ally.agencyId!,
    ownerId: ally.id,
    maxUses: 5,
    startsOn: '2026-01-01',
    state: every(n, 3, 'paused', 'active'),
    createdAt: at,
  }))
  await storeRows(codes, made)
}

/** A blocked account is known by the folios of its appointments only. */
async function storeBlocked(rows: Row[]) {
  const made = await owned(rows)
  await storeRows(
    appointments,
    made.map((row) => ({ ...visitOf(row), folio: row.name, state: 'cancelled' as const })),
  )
  const kept = made.map(({ at, customerId }) => ({ customerId, blockedAt: at, suppressAt: at, sealed: 'x' }))
  await storeRows(blockedAccounts, kept)
}

/** People beside those of most stories: a second gester, a second ally of the agency, and an ally of another. */
export type Others = { gester2: Person; colleague: Person; stranger: Person }

/** Stores the rows of each list. */
export const storers = {
  requested: storeRequested,
  done: storeDone,
  quotes: storeQuotes,
  users: (rows: Row[]) => storeUsers(rows, true),
  agencies: (rows: Row[]) =>
    storeRows(
      agencies,
      rows.map(({ n, name }) => ({
        name,
        brand: `Marca ${n}`,
        contact: `Óscar ${n}`,
        active: n % 3 !== 0,
      })),
    ),
  projects: owned,
  payments: storePayments,
  movements: storeMovements,
  cases: storeCases,
  clients: storeClients,
  codes: storeCodes,
  blocked: storeBlocked,
}
