import { sql } from 'drizzle-orm'
import { toDate } from '../src/domain/calendar.ts'
import type { Tx } from '../src/server/database/database.ts'
import { documents, fiscalData } from '../src/server/database/money-schema.ts'
import { events, settings } from '../src/server/database/office-schema.ts'
import { type Drive, paperKey } from '../src/server/files/drive.ts'
import { settingsKey } from '../src/server/scheduling/roster.ts'
import { byTime, demoPaper, paperOf } from './paper.ts'
import type { WrittenDeal } from './stories.ts'

/** Of nobody's account; its last digit is right. Whoever invoices is one of the SAT's own test taxpayers. */
const service = {
  spei: { beneficiary: 'Carga en Casa (demostración)', bank: 'BBVA', clabe: '012180001234567899' },
  issuer: { rfc: 'EKU9003173C9', name: 'ESCUELA KEMPER URGATE', regime: '601', postalCode: '42501' },
}

/** Where transfers go in the demo world, and who invoices. */
export async function writeSettings(tx: Tx, managerId: string, now: Date): Promise<void> {
  const row = { value: service, updatedBy: managerId, updatedAt: now }
  await tx
    .insert(settings)
    .values({ key: settingsKey, ...row })
    .onConflictDoUpdate({ target: settings.key, set: { value: sql`${settings.value} || excluded.value` } })
}

type Taxpayer = Pick<
  typeof fiscalData.$inferSelect,
  'rfc' | 'legalName' | 'regime' | 'postalCode' | 'rejectedReason'
> & { state: 'submitted' | 'verified' | 'rejected' }

/** By the customer's place in the list: test taxpayers of the SAT's, one in each state that a review leads to. */
const taxpayers: ReadonlyMap<number, Taxpayer> = new Map<number, Taxpayer>([
  [
    11,
    {
      ...{ state: 'verified', rfc: 'CACX7605101P8', legalName: 'XOCHILT CASAS CHAVEZ', regime: '612' },
      ...{ postalCode: '36257', rejectedReason: null },
    },
  ],
  [
    13,
    {
      ...{ state: 'rejected', rfc: 'MISC491214B86', legalName: 'CECILIA MIRANDA SANCHEZ', regime: '612' },
      ...{ postalCode: '01010', rejectedReason: 'El código postal no es el de tu Constancia.' },
    },
  ],
  [
    39,
    {
      ...{
        state: 'submitted',
        rfc: 'URE180429TM6',
        legalName: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
        regime: '601',
      },
      ...{ postalCode: '86991', rejectedReason: null },
    },
  ],
])

/** Whom invoices are for, with their Constancias, which lie in `drive` where one is given. */
export async function writeFiscalData(tx: Tx, deals: readonly WrittenDeal[], drive?: Drive): Promise<void> {
  const told = deals.flatMap((deal) => {
    const taxpayer = taxpayers.get(deal.of)
    return taxpayer ? [rowsOf(deal, taxpayer)] : []
  })
  if (drive) await Promise.all(told.map(({ paper }) => drive.put(paperKey(paper), demoPaper, paper.type)))
  await tx.insert(documents).values(told.map(({ paper }) => paper))
  await tx.insert(fiscalData).values(told.map(({ row }) => row))
  await tx.insert(events).values(told.flatMap(({ trail }) => trail).sort(byTime))
}

function rowsOf({ customer, customerId, managerId, quote }: WrittenDeal, taxpayer: Taxpayer) {
  const submitted = quote.acceptedAt ?? quote.createdAt
  const reviewed = toDate(Math.floor(submitted.getTime() / 60_000) + 180)
  const paper = paperOf({ customerId, projectId: null }, 'constancia', customerId, submitted)
  const isReviewed = taxpayer.state !== 'submitted'
  const about = { entity: 'fiscal', entityId: customerId }
  return {
    paper,
    row: {
      ...{ ...taxpayer, customerId, cfdiUse: 'G03' as const, email: customer.email, constanciaId: paper.id },
      ...{ submittedAt: submitted, createdAt: submitted, updatedAt: isReviewed ? reviewed : submitted },
      ...(isReviewed && { reviewedBy: managerId, reviewedAt: reviewed, version: 2 }),
    },
    trail: [
      { ...about, actorId: customerId, name: 'submit', toState: 'submitted', at: submitted },
      ...(isReviewed
        ? [
            {
              ...{ ...about, actorId: managerId, name: taxpayer.state === 'verified' ? 'verify' : 'reject' },
              ...{ fromState: 'submitted', toState: taxpayer.state, reason: taxpayer.rejectedReason },
              at: reviewed,
            },
          ]
        : []),
    ],
  }
}
