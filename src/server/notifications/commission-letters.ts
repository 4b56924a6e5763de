import { and, asc, eq } from 'drizzle-orm'
import { longDate, money } from '../../domain/shared/format.ts'
import { users } from '../database/account-schema.ts'
import { commissionPayouts } from '../database/ally-schema.ts'
import type { Db } from '../database/database.ts'
import { agencies } from '../database/office-schema.ts'
import type { AboutPayout } from './jobs.ts'
import type { Addressed } from './money-letters.ts'
import { reader } from './recipients.ts'
import type { House } from './told.ts'
import { laidOut, type Words } from './written.ts'

/** Tells an agency's allies what was transferred to it: the sum, and nothing of what it is for. */
export async function commissionLetters(db: Db, job: AboutPayout, house: House): Promise<Addressed[]> {
  const { amount, paidOn, reference } = commissionPayouts
  const [payout] = await db
    .select({ agencyId: agencies.id, agency: agencies.name, amount, paidOn, reference })
    .from(commissionPayouts)
    .innerJoin(agencies, eq(agencies.id, commissionPayouts.agencyId))
    .where(eq(commissionPayouts.id, job.payoutId))
  if (!payout) return []
  const words: Words = {
    subject: `Transferimos las comisiones de ${payout.agency}`,
    heading: 'Transferimos sus comisiones',
    paragraphs: [`Hicimos una transferencia a ${payout.agency} por sus comisiones aprobadas.`],
    facts: [
      ['Total', money(payout.amount)],
      ['Día', longDate(payout.paidOn)],
      ['Referencia', payout.reference],
    ],
  }
  const link = {
    label: 'Ver las comisiones',
    href: `${house.baseUrl}/admin/agency/${payout.agencyId}?seccion=comisiones`,
  }
  const allies = await db
    .select(reader)
    .from(users)
    .where(and(eq(users.agencyId, payout.agencyId), eq(users.kind, 'alliate'), users.active))
    .orderBy(asc(users.id))
  return allies.map((one) => ({ reader: one, letter: laidOut(words, one, house, link) }))
}
