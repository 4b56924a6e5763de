import { desc, eq } from 'drizzle-orm'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'
import { fiscalData, quotes } from '../database/money-schema.ts'
import type { AboutFiscal } from './jobs.ts'
import type { Addressed } from './money-letters.ts'
import { activeManagers, reader } from './recipients.ts'
import type { House } from './told.ts'
import { laidOut, type Words } from './written.ts'

type Standing = NonNullable<Awaited<ReturnType<typeof standingOf>>>

/** What state a letter tells of: in any other it is no longer true. */
const tellsOf = {
  fiscal_submitted: 'submitted',
  fiscal_verified: 'verified',
  fiscal_rejected: 'rejected',
} as const satisfies Record<AboutFiscal['letter'], Standing['state']>

/** The letters about somebody's fiscal data. What they say to the SAT stands in none of them. */
export async function fiscalLetters(
  db: Db,
  job: AboutFiscal,
  house: House,
  _now: Date,
): Promise<Addressed[]> {
  const standing = await standingOf(db, job.fiscalOf)
  if (!standing || standing.state !== tellsOf[job.letter] || !standing.customer.active) return []
  if (job.letter === 'fiscal_submitted') return toManagers(db, standing, house)
  const { customer } = standing
  const words = job.letter === 'fiscal_verified' ? verified : rejected(standing)
  const link = { label: 'Ver mis datos fiscales', href: `${house.baseUrl}/fiscal` }
  return [{ reader: customer, letter: laidOut(words, customer, house, link) }]
}

async function toManagers(db: Db, { customer, lastname }: Standing, house: House): Promise<Addressed[]> {
  const [quote] = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(eq(quotes.customerId, customer.id))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  const page = quote ? `/admin/cotizations/detail-quote/${quote.id}` : '/admin/cotizations'
  const link = { label: 'Revisarlos', href: house.baseUrl + page }
  const words: Words = {
    subject: 'Hay datos fiscales por revisar',
    heading: 'Hay datos fiscales por revisar',
    paragraphs: ['Compáralos con la Constancia antes de verificarlos. Están en su cotización.'],
    facts: [['Cliente', [customer.name, lastname].filter(Boolean).join(' ')]],
  }
  return (await activeManagers(db)).map((manager) => ({
    reader: manager,
    letter: laidOut(words, manager, house, link),
  }))
}

const verified: Words = {
  subject: 'Verificamos tus datos fiscales',
  heading: 'Tus datos fiscales están listos',
  paragraphs: ['Los usaremos en tus facturas. Si cambian, edítalos y los revisamos otra vez.'],
  facts: [],
}

const rejected = ({ customer, rejectedReason }: Standing): Words => ({
  subject: 'Corrige tus datos fiscales',
  heading: 'Hay algo que corregir en tus datos fiscales',
  paragraphs: ['Sin ellos no podemos hacer tu factura. Corrígelos y los revisamos otra vez.'],
  facts: [rejectedReason && customer.emailVerified ? ['Qué corregir', rejectedReason] : null],
})

async function standingOf(db: Db, customerId: string) {
  const [row] = await db
    .select({
      state: fiscalData.state,
      rejectedReason: fiscalData.rejectedReason,
      customer: reader,
      lastname: users.lastname,
    })
    .from(fiscalData)
    .innerJoin(users, eq(users.id, fiscalData.customerId))
    .where(eq(fiscalData.customerId, customerId))
  return row
}
