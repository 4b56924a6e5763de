import { eq, getTableColumns, sql } from 'drizzle-orm'
import { projectAccountPath } from '../../payments/rows.ts'
import { bankName } from '../../payments/rules/banks.ts'
import {
  type Concept,
  conceptLabels,
  methodLabels,
  type RefundState,
  restWords,
  reviewPromise,
} from '../../payments/rules/payment.ts'
import type { Db } from '../../platform/database/client.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import { payments, refunds } from '../../platform/database/schema/payments.ts'
import type { PaymentEmailJob, RefundEmailJob } from '../../platform/jobs/emails.ts'
import { longDate, longDateTime, money } from '../../shared/format.ts'
import {
  accountFacts,
  activeCustomer,
  activeManagers,
  chargesFacts,
  type Email,
  type EmailBody,
  type EmailsOf,
  type Fact,
  openChargesOf,
  proposedRefundOf,
  readySince,
  recipient,
  refundFacts,
  refundSentence,
  toBook,
  whereRefundGoes,
  withFollowing,
} from '../email.ts'

type PaymentFacts = NonNullable<Awaited<ReturnType<typeof loadPayment>>>
type PaymentRule = (payment: PaymentFacts, now: Date) => boolean

const isPending: PaymentRule = ({ state }) => state === 'pending'
const isInReview = ({ state }: PaymentFacts) => state === 'in_review'
const isReceived: PaymentRule = ({ reversedAt, state }) => state === 'paid' && !reversedAt
const isCorrected: PaymentRule = ({ reversedAt }) => reversedAt !== null
const isProofRejected: PaymentRule = ({ rejectedReason, state }) =>
  rejectedReason !== null && state !== 'in_review'
const isExpired: PaymentRule = ({ state }) => state === 'expired'
const hasVoucher: PaymentRule = ({ state, voucherExpiresAt }, now) =>
  state === 'pending' && voucherExpiresAt !== null && voucherExpiresAt > now

const paymentEmails = {
  customer: {
    payment_due: paymentToCustomer(isPending, (payment) => ({
      heading: `Ya puedes pagar ${what(payment)}`,
      paragraphs: [
        payment.concept === 'deposit'
          ? 'Con tu anticipo pagado puedes agendar tu instalación.'
          : 'En tu cuenta ves cómo pagarlo.',
      ],
      facts: chargesFacts({ charges: [payment], spei: payment.spei }),
    })),
    payment_reminder: paymentToCustomer(isPending, (payment) => ({
      subject: `Te recordamos ${what(payment)}`,
      heading: `Falta pagar ${what(payment)}`,
      paragraphs: ['Si ya lo pagaste por transferencia, sube tu comprobante en tu cuenta.'],
      facts: chargesFacts({ charges: [payment], spei: payment.spei }),
    })),
    payment_received: paymentToCustomer(isReceived, (payment) => ({
      subject: payment.isReady ? readyNow : 'Recibimos tu pago',
      heading: payment.isReady ? readyNow : 'Recibimos tu pago. ¡Gracias!',
      paragraphs: [
        ...restSentence(payment),
        ...(payment.isReady ? ['¡Gracias! Elige el día y la hora que mejor te queden.'] : []),
        ...refundSentence(payment),
        'Tu recibo está en tu cuenta.',
      ],
      ...(payment.isReady && { button: toBook }),
      facts: [
        ['Por', conceptLabels[payment.concept]],
        amountFact(payment),
        methodFact(payment),
        payment.paidAt && ['Fecha', longDateTime(payment.paidAt)],
        transferFact(payment),
        ...restFacts(payment),
        ...refundFacts(payment),
      ],
    })),
    payment_corrected: paymentToCustomer(isCorrected, (payment) => ({
      subject: 'Corregimos un pago',
      heading: 'Corregimos un pago que registramos mal',
      paragraphs: [
        'Fue un error nuestro al anotarlo y ya quedó bien: no se te cobró nada. El recibo de ese pago ya no vale. En tu cuenta ves lo que sí recibimos y lo que falta, si falta algo.',
        ...(payment.withdrawn
          ? [`El reembolso ${payment.withdrawn} se cancela, porque venía de ese error.`]
          : []),
        ...(payment.isReady ? ['Con lo que sí recibimos ya puedes agendar tu instalación.'] : []),
        ...refundSentence(payment),
      ],
      ...(payment.isReady && { button: toBook }),
      facts: [
        ['Por', conceptLabels[payment.concept]],
        ['Habíamos registrado', money(payment.amount)],
        reasonFact(payment.corrected),
        ...chargesFacts(payment),
        ...refundFacts(payment),
      ],
    })),
    proof_received: paymentToCustomer(isInReview, (payment) => ({
      heading: 'Recibimos tu comprobante',
      paragraphs: [`${reviewPromise} y te avisamos por correo. Si te equivocaste, cámbialo en tu cuenta.`],
      facts: [['Por', conceptLabels[payment.concept]], amountFact(payment), transferFact(payment)],
    })),
    proof_rejected: paymentToCustomer(isProofRejected, (payment) => ({
      subject: 'Tu comprobante no se pudo aceptar',
      heading: 'Revisa tu comprobante',
      paragraphs: [
        `${anotherProof(payment)} Si crees que es un error, escríbenos.`,
        ...(payment.state !== 'pending' && payment.charges.length > 0
          ? ['En tu cuenta te toca otro pago.']
          : []),
        ...refundSentence(payment),
      ],
      facts: [
        amountFact(payment),
        reasonFact(payment.rejectedReason),
        ...(payment.state === 'pending' ? [] : chargesFacts(payment)),
        ...refundFacts(payment),
      ],
    })),
    payment_expired: paymentToCustomer(isExpired, (payment) => ({
      subject: `Venció ${what(payment)}`,
      heading: `Se venció el plazo de ${what(payment)}`,
      paragraphs: [
        'Si ya pagaste, sube tu comprobante y lo registramos. Si todavía te interesa, escríbenos.',
      ],
      facts: [amountFact(payment)],
    })),
    voucher_made: paymentToCustomer(hasVoucher, (payment) => ({
      subject: 'Tu ficha de OXXO está lista',
      heading: 'Paga tu ficha en OXXO',
      paragraphs: ['Cuando la pagues, nos avisan y te mandamos tu recibo. Puede tardar un día.'],
      facts: [
        amountFact(payment),
        payment.voucherExpiresAt && ['Págala antes de', longDateTime(payment.voucherExpiresAt)],
      ],
    })),
    card_failed: paymentToCustomer(isPending, (payment) => ({
      heading: 'Tu pago no pasó',
      paragraphs: ['No se te cobró nada. Intenta otra vez, o paga de otra forma.'],
      facts: [amountFact(payment)],
    })),
  },
  managers: {
    proof_received: toManagers(loadPayment, {
      isRelevant: isInReview,
      compose: (payment) => ({
        heading: 'Hay un comprobante por revisar',
        paragraphs: ['Búscalo en la cuenta y escribe la cantidad que llegó.'],
        facts: [
          ['Cliente', payment.payer],
          ['Por', conceptLabels[payment.concept]],
          amountFact(payment),
          transferFact(payment),
        ],
      }),
    }),
  },
} satisfies EmailsOf<PaymentEmailJob>

type RefundFacts = NonNullable<Awaited<ReturnType<typeof loadRefund>>>
type RefundRule = (refund: RefundFacts) => boolean

const is =
  (wanted: RefundState): RefundRule =>
  ({ state }) =>
    state === wanted
const hasAccount: RefundRule = ({ clabe }) => Boolean(clabe)

const refundEmails = {
  customer: {
    refund_requested: refundToCustomer(is('requested'), (refund) => ({
      heading: 'Estamos viendo tu reembolso',
      paragraphs: [refund.clabe ? 'Te avisamos en cuanto se apruebe.' : whereRefundGoes],
      facts: [amountFact(refund), reasonFact(refund.reason)],
    })),
    refund_account: refundToCustomer(hasAccount, (refund) => ({
      subject: 'Tu reembolso va a otra cuenta',
      heading: 'Cambió la cuenta de tu reembolso',
      paragraphs: [
        'Si fuiste tú, o nos la diste, no tienes que hacer nada.',
        'Si no la reconoces, escríbenos hoy mismo y cambia tu contraseña: detenemos el reembolso.',
      ],
      facts: [
        amountFact(refund),
        refund.clabe ? ['A la CLABE que termina en', refund.clabe.slice(-4)] : null,
        refund.beneficiary ? ['A nombre de', refund.beneficiary] : null,
        refund.accountAt && ['Desde', longDateTime(refund.accountAt)],
      ],
    })),
    refund_approved: refundToCustomer(is('approved'), (refund) => ({
      heading: 'Tu reembolso se aprobó',
      paragraphs: [
        refund.method === 'card'
          ? 'Vuelve a la tarjeta con la que pagaste. Tu banco puede tardar de 5 a 10 días.'
          : 'Te avisamos cuando salga la transferencia.',
      ],
      facts: [
        amountFact(refund),
        refund.materials > 0 ? ['Descontamos material comprado', money(refund.materials)] : null,
        refund.method === 'spei' && refund.clabe
          ? ['A la CLABE que termina en', refund.clabe.slice(-4)]
          : null,
      ],
    })),
    refund_paid: refundToCustomer(is('paid'), (refund) => ({
      heading: 'Te hicimos tu reembolso',
      paragraphs: ['El comprobante está en tu cuenta.'],
      facts: [amountFact(refund), refund.paidAt && ['Fecha', longDate(refund.paidAt)]],
    })),
    refund_refused: refundToCustomer(is('refused'), (refund) => ({
      heading: 'Tu reembolso no procede',
      paragraphs: ['Si no estás de acuerdo, escríbenos y lo vemos contigo.'],
      facts: [amountFact(refund), reasonFact(refund.refusedReason)],
    })),
  },
  managers: {
    refund_requested: toManagers(loadRefund, {
      isRelevant: is('requested'),
      compose: (refund) => ({
        heading: 'Hay un reembolso por decidir',
        paragraphs: ['Apruébalo, o di por qué no procede.'],
        facts: [['Cliente', refund.payer], amountFact(refund), reasonFact(refund.reason)],
      }),
    }),
  },
} satisfies EmailsOf<RefundEmailJob>

/** The e-mails about payments and refunds. */
export const moneyEmails = {
  customer: { ...paymentEmails.customer, ...refundEmails.customer },
  managers: { ...paymentEmails.managers, ...refundEmails.managers },
}

function paymentToCustomer(
  isRelevant: PaymentRule,
  compose: (payment: PaymentFacts) => EmailBody & { button?: { label: string; path: string } },
): Email<PaymentEmailJob, PaymentFacts> {
  return {
    load: loadPayment,
    isRelevant,
    recipients: activeCustomer,
    compose(payment, _reader, { baseUrl }) {
      const { button = { label: 'Ver mis pagos', path: '/payments' }, ...body } = compose(payment)
      return { ...body, folio: payment.folio, link: { label: button.label, href: baseUrl + button.path } }
    },
  }
}

function refundToCustomer(
  isRelevant: RefundRule,
  compose: (refund: RefundFacts) => EmailBody,
): Email<RefundEmailJob, RefundFacts> {
  return {
    load: loadRefund,
    isRelevant,
    recipients: activeCustomer,
    compose: (refund, _reader, { baseUrl }) => ({
      ...withFollowing(compose(refund), refund, { baseUrl }),
      folio: refund.folio,
      link: { label: 'Ver mis pagos', href: `${baseUrl}/payments` },
    }),
  }
}

/** With the page of the project's account. */
function toManagers<Job, Facts extends { folio: string; projectId: string }>(
  find: (db: Db, job: Job) => Promise<Facts | undefined>,
  { compose, isRelevant }: { isRelevant: (facts: Facts) => boolean; compose: (facts: Facts) => EmailBody },
): Email<Job, Facts & { page: string }> {
  return {
    load: async (db, job) => {
      const facts = await find(db, job)
      return facts && { ...facts, page: await projectAccountPath(db, facts.projectId) }
    },
    isRelevant,
    recipients: activeManagers,
    compose: (facts, _reader, { baseUrl }) => ({
      ...compose(facts),
      folio: facts.folio,
      link: { label: 'Revisar', href: baseUrl + facts.page },
    }),
  }
}

const readyNow = 'Recibimos tu pago. Ya puedes agendar tu instalación'

const whats: Record<Concept, string> = {
  visit_fee: 'tu visita técnica',
  deposit: 'tu anticipo',
  balance: 'tu finiquito',
  cfe_paperwork: 'tu trámite ante CFE',
  extra_work: 'tu trabajo adicional',
  refund: 'tu reembolso',
}
const what = ({ concept }: PaymentFacts) => whats[concept]
/** What their page offers after a refused proof. */
const anotherProof = ({ state }: PaymentFacts) => {
  if (state === 'pending') return 'Sube otro en tu cuenta.'
  return state === 'expired' ? 'Si ya pagaste, sube otro en tu cuenta.' : 'Ya no hace falta este pago.'
}
const amountFact = ({ amount }: { amount: number }): Fact => ['Cantidad', money(amount)]
const methodFact = ({ method }: PaymentFacts): Fact | null =>
  method && ['Forma de pago', methodLabels[method]]
const reasonFact = (reason: string | null): Fact | null => (reason ? ['Motivo', reason] : null)
const transferFact = ({ bank, trackingKey }: PaymentFacts): Fact | null =>
  trackingKey ? ['Clave de rastreo', `${trackingKey}${bank ? `, de ${bankName(bank)}` : ''}`] : null

const restSentence = ({ concept, rest }: PaymentFacts) => (rest ? [restWords({ ...rest, concept })] : [])
const restFacts = ({ rest, spei }: PaymentFacts): Fact[] =>
  rest ? [['Te faltan', money(rest.amount)], ...accountFacts({ folio: rest.folio, spei })] : []
/** The manager's note of a reversal. */
const whyCorrected = sql<
  string | null
>`(select back.note from payments back where back.reverses_id = ${payments.id})`

/** The refund that was requested because of a wrong payment, and was withdrawn by its correction. */
const withdrawnRefund = sql<
  string | null
>`(select back.folio from refunds back where back.project_id = ${payments.projectId}
  and back.state = 'refused' and back.decided_by is null and back.decided_at = ${payments.reversedAt} limit 1)`

const restOf = sql<{ amount: number; folio: string } | null>`(
  select jsonb_build_object('amount', rest.amount, 'folio', rest.folio) from payments rest
  where rest.follows_id = ${payments.id} and rest.state = 'pending' limit 1)`

async function loadPayment(db: Db, { paymentId }: PaymentEmailJob) {
  const [row] = await db
    .select({
      ...getTableColumns(payments),
      customer: recipient,
      payer: users.fullName,
      corrected: whyCorrected,
      withdrawn: withdrawnRefund,
      rest: restOf,
      isReady: readySince(
        sql`cause.entity = 'payment' and cause.entity_id = ${payments.id}`,
        payments.projectId,
      ),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(eq(payments.id, paymentId))
  if (!row) return row
  const { projectId } = row
  return {
    ...row,
    ...(await openChargesOf(db, { projectId })),
    refund: await proposedRefundOf(db, projectId),
  }
}

async function loadRefund(db: Db, { refundId }: RefundEmailJob) {
  const [row] = await db
    .select({
      ...getTableColumns(refunds),
      customer: recipient,
      payer: users.fullName,
      isReady: readySince(
        sql`cause.entity = 'refund' and cause.entity_id = ${refunds.id}`,
        refunds.projectId,
      ),
    })
    .from(refunds)
    .innerJoin(users, eq(users.id, refunds.customerId))
    .where(eq(refunds.id, refundId))
  // The rest of a refund that was paid or refused is another one.
  return (
    row && { ...row, refund: row.state === 'requested' ? null : await proposedRefundOf(db, row.projectId) }
  )
}
