import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { adjustCommission, payCommissions } from '../src/agencies/commission-commands.ts'
import { approvableFrom } from '../src/agencies/rules/commissions.ts'
import { reviewFiscal, saveFiscal } from '../src/invoices/fiscal-data.ts'
import type { FiscalData } from '../src/invoices/rules/schema.ts'
import { visitCards } from '../src/platform/database/schema/accounts.ts'
import { commissions } from '../src/platform/database/schema/agencies.ts'
import { projects } from '../src/platform/database/schema/projects.ts'
import { changeSettings } from '../src/settings/commands.ts'
import type { Settings } from '../src/settings/rules/settings-schema.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../src/shared/calendar.ts'
import { saveDayStart } from '../src/users/day-start.ts'
import { invite } from '../src/users/invite.ts'
import { saveShifts, saveZones } from '../src/users/schedule.ts'
import { saveVisitCard } from '../src/users/visit-card.ts'
import type { PlannedDeal } from './deals.ts'
import { paperFile, portrait } from './files.ts'
import type { Stage, Story } from './past.ts'
import { invitedAnalyst, openFor, weekly, workers } from './people.ts'

/** An account of no customer with a valid check digit. The issuer is one of the SAT's own test taxpayers. */
const service = {
  spei: { beneficiary: 'Carga en Casa (demostración)', bank: 'BBVA', clabe: '012180001234567899' },
  issuer: {
    rfc: 'EKU9003173C9',
    name: 'ESCUELA KEMPER URGATE',
    regime: '601',
    postalCode: '42501',
    address: 'Calle Demo 1, Centro, Pachuca de Soto, Hidalgo',
  },
} as const
const [hour, day] = [3_600_000, 86_400_000]

/** The manager sets the office up, before the first customer comes, and invites an analyst. */
export async function* officeStory({ actor, drive, manager, now, past: { db } }: Stage): Story {
  const opened = new Date(now.getTime() - openFor * day)
  const decisions = { choices: {} }
  yield opened
  for (const { arrivesIn, email, startsFrom, zones } of workers) {
    const { id } = actor(email)
    await saveShifts(db, manager, id, { shifts: weekly, version: 1, decisions }, opened)
    await saveZones(db, manager, id, { zones, version: 2, decisions }, opened)
    if (startsFrom) await saveDayStart(db, manager, id, startsFrom)
    if (!arrivesIn) continue
    const { look, ...car } = arrivesIn
    await saveVisitCard({ db, drive }, manager, id, { ...car, withoutPhoto: false, photo: null }, opened)
    const photo = await portrait(look)
    const set = { photo, photoTag: createHash('sha256').update(photo).digest('hex').slice(0, 16) }
    await db.update(visitCards).set(set).where(eq(visitCards.userId, id))
  }
  for (const [n, section] of (['spei', 'issuer'] as const).entries()) {
    const change = (current: Settings) => ({ ...current, [section]: service[section] })
    await changeSettings(db, manager, { section, version: n + 1, change }, decisions, opened)
  }
  yield now
  await invite(db, manager, invitedAnalyst, now)
}

type Taxpayer = Omit<FiscalData, 'cfdiUse' | 'email'> & { state: 'submitted' | 'verified' | 'rejected' }

/** By the customer's position in the list: test taxpayers of the SAT, one in each state of a review. */
const taxpayers: ReadonlyMap<number, Taxpayer> = new Map<number, Taxpayer>([
  [
    11,
    {
      state: 'verified',
      rfc: 'CACX7605101P8',
      legalName: 'XOCHILT CASAS CHAVEZ',
      regime: '612',
      postalCode: '36257',
    },
  ],
  [
    13,
    {
      state: 'rejected',
      rfc: 'MISC491214B86',
      legalName: 'CECILIA MIRANDA SANCHEZ',
      regime: '612',
      postalCode: '01010',
    },
  ],
  [
    39,
    {
      state: 'submitted',
      rfc: 'URE180429TM6',
      legalName: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
      regime: '601',
      postalCode: '86991',
    },
  ],
])
const rejected = 'El código postal no es el de tu Constancia.'

/** Some customers enter their fiscal data when they accept; the office reviews them three hours later. */
export async function* fiscalStory(
  { customer: { email }, deal, of, visitStart }: PlannedDeal,
  { actor, drive, manager, past: { db } }: Stage,
): Story {
  const taxpayer = taxpayers.get(of)
  if (!taxpayer) return
  const { state, ...asked } = taxpayer
  const sent = toDate(visitStart + deal.versions.at(-1)!.answered!)
  yield sent
  const customer = actor(email)
  const data = { ...asked, email, cfdiUse: 'G03' as const }
  const form = {
    data,
    intent: 'submit-fiscal',
    version: null,
    constancia: paperFile('constancia.pdf'),
  } as const
  await saveFiscal(db, drive, customer, form, sent)
  if (state === 'submitted') return
  const reviewed = new Date(sent.getTime() + 3 * hour)
  yield reviewed
  const move =
    state === 'verified' ? { move: 'verify' as const } : { move: 'reject' as const, reason: rejected }
  await reviewFiscal(db, manager, { customerId: customer.id, version: 1, ...move }, reviewed)
}

/** By the customer's position in the list: the commission that is adjusted, and the last one of the transfer. */
const adjusted = { of: 21, amount: 150_00, reason: 'Se devolvió al cliente cable que no se usó.' }
const daysUntilPaid = 5
const lastPaid = 17

/** The noon some days after the approval of a commission, which the round makes as soon as it may. */
function afterApproval(deals: readonly PlannedDeal[], whose: number, days: number): Date {
  const { installed } = deals.find(({ of }) => of === whose)!
  return toDate(minuteAt(addDays(approvableFrom(toDate(installed!)), days), '12:30'))
}

/** One commission is adjusted, and the approved ones are paid by a transfer. */
export async function* commissionStory(
  deals: readonly PlannedDeal[],
  agencyId: string,
  { actor, drive, manager, past: { db } }: Stage,
): Story {
  const changed = afterApproval(deals, adjusted.of, 1)
  yield changed
  const { email } = deals.find(({ of }) => of === adjusted.of)!.customer
  const [row] = await db
    .select({ id: commissions.id, amount: commissions.amount })
    .from(commissions)
    .innerJoin(projects, eq(projects.id, commissions.projectId))
    .where(eq(projects.customerId, actor(email).id))
  const { amount, reason } = adjusted
  const wish = { commissionId: row!.id, standing: row!.amount, amount, reason, requestKey: randomUUID() }
  await adjustCommission(db, manager, agencyId, wish, changed)
  const paid = afterApproval(deals, lastPaid, daysUntilPaid)
  yield paid
  const rows = await db.select().from(commissions).where(eq(commissions.state, 'approved'))
  const sum = (some: typeof rows) => some.reduce((total, { amount }) => total + amount, 0)
  const lines = rows
    .filter(({ kind }) => kind === 'commission')
    .map(({ id }) => [id, sum(rows.filter((row) => row.id === id || row.adjustsId === id))] as const)
  const paidOn = localDate(toMinutes(paid))
  const transfer = { paidOn, reference: 'DEMO COMISIONES', file: paperFile(), requestKey: randomUUID() }
  const sent = { lines: new Map(lines), amount: sum(rows), ...transfer }
  await payCommissions(db, drive, manager, agencyId, sent)
}
