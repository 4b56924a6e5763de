import { eq, sql } from 'drizzle-orm'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'
import { payments, refunds } from '../database/money-schema.ts'
import { addresses, projects } from '../database/project-schema.ts'
import { accountPath } from '../payments/place.ts'
import { editedSettings } from '../settings/queries.ts'
import type { AboutPayment, AboutProject, AboutRefund } from './jobs.ts'
import type { Addressed } from './money-letters.ts'
import { paymentWords, proofWords, refundAskedWords, refundWords } from './emails/payment.ts'
import { activeManagers, type Mailbox, reader } from './recipients.ts'
import type { House } from './told.ts'
import { laidOut, type Words } from './written.ts'

const payer = sql<string>`concat_ws(' ', ${users.name}, ${users.lastname})`

/** The letters about a payment; none where it no longer stands as they say. */
export async function paymentLetters(
  db: Db,
  job: AboutPayment,
  house: House,
  now: Date,
): Promise<Addressed[]> {
  const payment = await toldPayment(db, job.paymentId)
  if (!payment || !stillTrue[job.letter](payment, now)) return []
  if (job.to === 'managers') return toManagers(db, house, payment, proofWords(payment))
  const { settings } = await editedSettings(db)
  return toCustomer(house, payment, paymentWords[job.letter](payment, settings.spei))
}

/** The letters about a refund. */
export async function refundLetters(
  db: Db,
  job: AboutRefund,
  house: House,
  _now: Date,
): Promise<Addressed[]> {
  const refund = await toldRefund(db, job.refundId)
  const isTrue = job.letter === 'refund_account' ? refund?.clabe : `refund_${refund?.state}` === job.letter
  if (!refund || !isTrue) return []
  if (job.to === 'managers') return toManagers(db, house, refund, refundAskedWords(refund))
  return toCustomer(house, refund, refundWords[job.letter](refund))
}

type ProjectWords = { words: Words; link: { label: string; path: string } }
const projectWords: Record<AboutProject['letter'], ProjectWords> = {
  installation_ready: {
    words: {
      subject: 'Ya puedes agendar tu instalación',
      heading: 'Ya puedes agendar tu instalación',
      paragraphs: ['Tienes todo listo. Elige el día y la hora que mejor te queden.'],
      facts: [],
    },
    link: { label: 'Agendar mi instalación', path: '/agenda-installation' },
  },
  area_served: {
    words: {
      subject: 'Sí llegamos a tu domicilio',
      heading: 'Sí llegamos a tu domicilio',
      paragraphs: ['Ya lo revisamos. Elige el día y la hora de tu visita técnica.'],
      facts: [],
    },
    link: { label: 'Agendar mi visita', path: '/agenda-technics-visit' },
  },
  area_outside: {
    words: {
      subject: 'Todavía no llegamos a tu domicilio',
      heading: 'Todavía no llegamos a tu domicilio',
      paragraphs: [
        'Lo revisamos y por ahora no podemos ir. Si quieres, te avisamos en cuanto lleguemos a tu zona.',
        'Mientras tanto, una asesoría por video resuelve tus dudas desde donde estés.',
      ],
      facts: [],
    },
    link: { label: 'Avísenme cuando lleguen', path: '/address' },
  },
}

/** That an installation can be booked, or whether we reach a home; not where it is no longer so. */
export async function projectLetters(
  db: Db,
  job: AboutProject,
  house: House,
  _now: Date,
): Promise<Addressed[]> {
  const [project] = await db
    .select({
      customer: reader,
      installation_ready: isReady,
      area_served: isIn('served'),
      area_outside: isIn('outside'),
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .where(eq(projects.id, job.projectId))
  if (!project?.[job.letter] || !project.customer.active) return []
  const { words, link } = projectWords[job.letter]
  const there = { label: link.label, href: house.baseUrl + link.path }
  return [{ reader: project.customer, letter: laidOut(words, project.customer, house, there) }]
}

const isIn = (area: 'served' | 'outside') => sql<boolean>`exists (select 1 from ${addresses}
  where ${addresses.projectId} = ${projects.id} and ${addresses.archivedAt} is null and ${addresses.area} = ${area})`

const isReady = sql<boolean>`${projects.closedAt} is null and ${projects.quoteAcceptedAt} is not null
  and ${projects.depositPaidAt} is not null and (not ${projects.permitNeeded} or ${projects.permitReceivedAt} is not null)`

type About = { customer: Mailbox; folio: string; projectId: string }

function toCustomer(house: House, { customer, folio }: About, words: Words): Addressed[] {
  if (!customer.active) return []
  const subject = `${words.subject} (${folio})`
  const link = { label: 'Ver mis pagos', href: `${house.baseUrl}/payments` }
  return [{ reader: customer, letter: laidOut({ ...words, subject }, customer, house, link) }]
}

async function toManagers(
  db: Db,
  house: House,
  { folio, projectId }: About,
  words: Words,
): Promise<Addressed[]> {
  const subject = `${words.subject} (${folio})`
  const link = { label: 'Revisar', href: house.baseUrl + (await accountPath(db, projectId)) }
  return (await activeManagers(db)).map((one) => ({
    reader: one,
    letter: laidOut({ ...words, subject }, one, house, link),
  }))
}

const isPending = ({ state }: ToldPayment) => state === 'pending'
const stillTrue: Record<AboutPayment['letter'], (payment: ToldPayment, now: Date) => boolean> = {
  payment_due: isPending,
  payment_reminder: isPending,
  payment_received: ({ reversedAt, state }) => state === 'paid' && !reversedAt,
  payment_corrected: ({ reversedAt }) => reversedAt !== null,
  proof_rejected: (payment) => payment.rejectedReason !== null && payment.state !== 'in_review',
  payment_expired: ({ state }) => state === 'expired',
  voucher_made: (payment, now) =>
    isPending(payment) && payment.voucherExpiresAt !== null && payment.voucherExpiresAt > now,
  card_failed: isPending,
  proof_received: ({ state }) => state === 'in_review',
}

/** What the manager wrote when it was taken back. */
const whyCorrected = sql<
  string | null
>`(select back.note from payments back where back.reverses_id = ${payments.id})`

export type ToldPayment = NonNullable<Awaited<ReturnType<typeof toldPayment>>>

async function toldPayment(db: Db, id: string) {
  const { amount, bank, concept, dueAt, folio, method, paidAt, projectId, rejectedReason, state } = payments
  const { reversedAt, trackingKey, voucherExpiresAt } = payments
  const of = { amount, bank, concept, dueAt, folio, method, paidAt, projectId, rejectedReason, state }
  const [row] = await db
    .select({
      ...of,
      reversedAt,
      trackingKey,
      voucherExpiresAt,
      customer: reader,
      payer,
      corrected: whyCorrected,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(eq(payments.id, id))
  return row
}

export type ToldRefund = NonNullable<Awaited<ReturnType<typeof toldRefund>>>

async function toldRefund(db: Db, id: string) {
  const {
    accountAt,
    amount,
    beneficiary,
    clabe,
    folio,
    materials,
    method,
    paidAt,
    projectId,
    reason,
    refusedReason,
    state,
  } = refunds
  const [row] = await db
    .select({
      ...{ amount, clabe, folio, materials, method, paidAt, projectId, reason, refusedReason, state },
      ...{ accountAt, beneficiary },
      ...{ customer: reader, payer },
    })
    .from(refunds)
    .innerJoin(users, eq(users.id, refunds.customerId))
    .where(eq(refunds.id, id))
  return row
}
