import { randomInt, randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { commissionFor, type Paying, payCommissions } from '../../src/agencies/commission-commands.ts'
import { recordPayment } from '../../src/payments/record-payment.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import {
  clients,
  codes,
  commissionPayouts,
  commissions,
} from '../../src/platform/database/schema/agencies.ts'
import { agencies } from '../../src/platform/database/schema/projects.ts'
import { totalsOf } from '../../src/quotes/rules/totals.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { newEmail, password } from './accounts.ts'
import { around, hour, move, storeVisit } from './appointments.ts'
import { db, eventsAbout, fixture, fromNow, rowsWhere, runSql, setRow, technician } from './open.ts'
import { storeAccepted } from './payments.ts'
import type { Person } from './people.ts'
import { content, line, option } from './quotes.ts'
import { expectAnswered, insertIn } from './reading.ts'
import { completeSheet } from './reports.ts'

type StoredClient = Partial<typeof clients.$inferInsert>

/** A customer whom an ally brought. */
export async function joined(
  customer: Pick<Person, 'id'>,
  ally: Person,
  input: StoredClient = {},
): Promise<string> {
  const { id } = await insertIn(fixture, clients, {
    agencyId: ally.agencyId!,
    allyId: ally.id,
    source: 'link',
    customerId: customer.id,
    joinedAt: new Date(),
    ...input,
  })
  return id
}

/** A client as stored now. */
export const clientOf = async (id: string) => (await rowsWhere(clients, { id }))[0]!

/** What happened to a client, in order: what, from where, to where. */
export const clientTrailOf = async (id: string) =>
  (await eventsAbout(id, 'client')).map(({ fromState, name, toState }) =>
    [name, fromState, toState].filter(Boolean).join(' '),
  )

export type Code = typeof codes.$inferSelect
type Stored = Partial<typeof codes.$inferInsert>

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const anyText = () => Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')

/** A code of an ally's, active since yesterday for ten people, without a benefit unless told otherwise. */
export const storeCode = (ally: Person, input: Stored = {}): Promise<Code> =>
  insertIn(fixture, codes, {
    code: anyText(),
    agencyId: ally.agencyId!,
    ownerId: ally.id,
    state: 'active',
    maxUses: 10,
    startsOn: '2026-01-01',
    ...input,
  })

/** Ties a customer to a code's ally, as if they had used it. */
export function storeTie(customer: Pick<Person, 'id'>, code: Code) {
  const { agencyId, id: codeId, ownerId: allyId } = code
  const tied = { source: 'code', customerId: customer.id, joinedAt: new Date() } as const
  return insertIn(fixture, clients, { agencyId, allyId, codeId, ...tied })
}

export const day = 24 * 3_600_000

export type Terms = { commissionKind: 'percent' | 'amount'; commissionValue: number }

/** What an agency is paid from now on. */
export const agree = (agencyId: string, terms: Terms) => setRow(agencies, agencyId, terms)

type Sold = { finishedAt?: Date; net?: number; agencyId?: string | undefined }

/** A customer with an accepted quote of so many centavos without IVA, and its installation finished, of an agency or none. */
export async function sell({ agencyId, finishedAt = new Date(), net = 12_345_67 }: Sold) {
  const customer = await fixture.person({ name: 'Camila' })
  const home = await fixture.home(customer, {}, agencyId)
  const lines = [line('obra', { unitPrice: net * 100 })]
  const { total } = totalsOf(lines)
  const quote = await storeAccepted(customer, home, {
    content: content({ options: [option('recommended', { lines })] }),
    acceptedTotal: total,
    depositAmount: 0,
    acceptedAt: new Date(finishedAt.getTime() - 5 * day),
  })
  const installation = await installed(customer, home, finishedAt)
  return { customer, home, quote, installation, total, projectId: home.projectId }
}

export const installed = (customer: Person, home: Parameters<typeof storeVisit>[2], finishedAt: Date) =>
  storeVisit(fixture, customer, home, finishedAt, {
    service: 'installation',
    state: 'done',
    outcome: 'completed',
    finishedAt,
  })

/** The same while the technician is there, with a whole record; three hours after it began. */
export async function begunSale(agencyId: string) {
  const sale = await sell({ agencyId, finishedAt: new Date(Date.now() - 30 * day) })
  await runSql`delete from appointments where id = ${sale.installation.id}`
  const work = await storeVisit(fixture, sale.customer, sale.home, fromNow(hour), {
    service: 'installation',
    minutes: 240,
    assigneeId: technician.id,
  })
  fixture.at(around(work, 0))
  const risks = ['powerCut', 'lockedOut', 'protectiveEquipment', 'extinguisher', 'adultPresent']
  const ticked = Object.fromEntries(risks.map((risk) => [risk, 'on']))
  await expectAnswered(move(technician, work, 'start', ticked), 303)
  await completeSheet(work, { deviationReason: 'Otra ruta, más larga.' })
  fixture.at(around(work, 3 * hour))
  return { ...sale, work }
}

/** The same with what the agency earned, its customer's money in when it is `paid`. */
export async function earn({ isPaid = true, ...sold }: Sold & { isPaid?: boolean }) {
  const sale = await sell(sold)
  await transaction(db, (tx) => commissionFor(tx, { appointmentId: sale.installation.id }))
  if (isPaid) await payWhole(sale)
  const [row] = await rowsWhere(commissions, { appointmentId: sale.installation.id })
  return { ...sale, row: row! }
}

/** Their customer pays all of it. */
export const payWhole = ({ projectId, total }: { projectId: string; total: number }) =>
  transaction(db, (tx) =>
    recordPayment(
      tx,
      { projectId, paymentId: null, amount: total, method: 'cash', actorId: null, paidAt: new Date() },
      new Date(),
    ),
  )

export const commissionsOf = (agencyId: string) =>
  db
    .select()
    .from(commissions)
    .where(eq(commissions.agencyId, agencyId))
    .orderBy(asc(commissions.earnedAt), asc(commissions.id))

export const payoutsIn = (agencyId: string) => rowsWhere(commissionPayouts, { agencyId })

/** Pays some lines of an agency, as the form of its page does; `amount` is their sum unless told otherwise. */
export function payLines(
  manager: Person,
  agencyId: string,
  lines: Record<string, number>,
  input: Partial<Paying> = {},
): Promise<string> {
  const amount = Object.values(lines).reduce((a, b) => a + b, 0)
  const form = { lines: new Map(Object.entries(lines)), amount, paidOn: '2026-11-20', reference: 'SPEI 1' }
  const file = fileOf(pdf(), 'comprobante.pdf')
  return payCommissions(db, fixture.drive, manager.actor, agencyId, {
    ...form,
    file,
    requestKey: randomUUID(),
    ...input,
  })
}

/** Follows an invitation and signs up with it. `ties` are those of the new account to agencies. */
export async function signUpBy(link: string) {
  const as = fixture.visitor()
  const email = newEmail()
  await fixture.data(link, as)
  const query = new URL(link, 'http://x').searchParams
  const form = { codigo: query.get('codigo') ?? '', registro: query.get('registro') ?? '' }
  await fixture.post('/signup', { email, password, ...form }, as)
  const [user] = await rowsWhere(users, { email })
  return { user: user!, ties: await rowsWhere(clients, { customerId: user!.id }) }
}
