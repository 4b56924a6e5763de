import { sql } from 'drizzle-orm'
import type { FiscalData } from '../src/domain/invoices/schema.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
import { reviewFiscal, saveFiscal } from '../src/server/invoices/fiscal-data.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { settings } from '../src/server/platform/database/schema/projects.ts'
import { settingsKey } from '../src/server/scheduling/roster.ts'
import type { DealStage, RootedDeal } from './deals.ts'
import { paperFile } from './paper.ts'
import type { Story } from './past.ts'

/** An account of no customer with a valid check digit. The issuer is one of the SAT's own test taxpayers. */
const service = {
  spei: { beneficiary: 'Carga en Casa (demostración)', bank: 'BBVA', clabe: '012180001234567899' },
  issuer: { rfc: 'EKU9003173C9', name: 'ESCUELA KEMPER URGATE', regime: '601', postalCode: '42501' },
}

/** The account for transfers in the demo world, and the issuer of invoices. */
export async function writeSettings(tx: Tx, managerId: string, now: Date): Promise<void> {
  const row = { value: service, updatedBy: managerId, updatedAt: now }
  await tx
    .insert(settings)
    .values({ key: settingsKey, ...row })
    .onConflictDoUpdate({ target: settings.key, set: { value: sql`${settings.value} || excluded.value` } })
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
  { customer: { email }, customerId, deal, of, visitStart }: RootedDeal,
  { customer, drive, manager, past: { db } }: DealStage,
): Story {
  const taxpayer = taxpayers.get(of)
  if (!taxpayer) return
  const { state, ...asked } = taxpayer
  const sent = toDate(visitStart + deal.versions.at(-1)!.answered!)
  yield sent
  const data = { ...asked, email, cfdiUse: 'G03' as const }
  const form = {
    data,
    intent: 'submit-fiscal',
    version: null,
    constancia: paperFile('constancia.pdf'),
  } as const
  await saveFiscal(db, drive, customer, form, sent)
  if (state === 'submitted') return
  const reviewed = new Date(sent.getTime() + 3 * 3_600_000)
  yield reviewed
  const move =
    state === 'verified' ? { move: 'verify' as const } : { move: 'reject' as const, reason: rejected }
  await reviewFiscal(db, manager, { customerId, version: 1, ...move }, reviewed)
}
