import { bankName } from '../../../domain/banks.ts'
import { clabeInParts } from '../../../domain/clabe.ts'
import { type Concept, conceptLabels, methodLabels } from '../../../domain/payment.ts'
import type { Settings } from '../../../domain/settings.ts'
import { longDate, longDateTime, money } from '../../../domain/shared/format.ts'
import type { AboutPayment, AboutRefund } from '../jobs.ts'
import type { ToldPayment, ToldRefund } from '../payment-letters.ts'
import type { Fact } from '../told.ts'
import type { Words } from '../written.ts'

const whats: Record<Concept, string> = {
  visit_fee: 'tu visita técnica',
  deposit: 'tu anticipo',
  balance: 'tu finiquito',
  cfe_paperwork: 'tu trámite ante CFE',
  extra_work: 'tu trabajo adicional',
  refund: 'tu reembolso',
}
const what = ({ concept }: ToldPayment) => whats[concept]
const amount = ({ amount }: { amount: number }): Fact => ['Cantidad', money(amount)]
const due = ({ dueAt }: ToldPayment): Fact | null => dueAt && ['Págalo a más tardar', `el ${longDate(dueAt)}`]
const method = ({ method }: ToldPayment): Fact | null => method && ['Forma de pago', methodLabels[method]]
const why = (reason: string | null): Fact | null => (reason ? ['Motivo', reason] : null)
const transfer = ({ bank, trackingKey }: ToldPayment): Fact | null =>
  trackingKey ? ['Clave de rastreo', `${trackingKey}${bank ? `, de ${bankName(bank)}` : ''}`] : null

/** Where to transfer to; nothing while no account is set. */
function account({ folio }: ToldPayment, { bank, beneficiary, clabe }: Settings['spei']): (Fact | null)[] {
  if (!clabe) return []
  return [
    ['Transfiere a', `${beneficiary}, ${bank}`],
    ['CLABE', clabeInParts(clabe)],
    ['Concepto', folio],
  ]
}

type ToCustomer = Extract<AboutPayment, { to: 'customer' }>['letter']
type Said = (payment: ToldPayment, spei: Settings['spei']) => Words

/** What letters to its customer say of a payment. */
export const paymentWords: Record<ToCustomer, Said> = {
  payment_due: (payment, spei) => ({
    subject: `Ya puedes pagar ${what(payment)}`,
    heading: `Ya puedes pagar ${what(payment)}`,
    paragraphs: [
      payment.concept === 'deposit'
        ? 'Con tu anticipo pagado puedes agendar tu instalación.'
        : 'En tu cuenta ves cómo pagarlo.',
    ],
    facts: [amount(payment), due(payment), ...account(payment, spei)],
  }),
  payment_reminder: (payment, spei) => ({
    subject: `Te recordamos ${what(payment)}`,
    heading: `Falta pagar ${what(payment)}`,
    paragraphs: ['Si ya lo pagaste por transferencia, sube tu comprobante en tu cuenta.'],
    facts: [amount(payment), due(payment), ...account(payment, spei)],
  }),
  payment_received: (payment) => ({
    subject: 'Recibimos tu pago',
    heading: 'Recibimos tu pago. ¡Gracias!',
    paragraphs: ['Tu recibo está en tu cuenta.'],
    facts: [
      ['Por', conceptLabels[payment.concept]],
      amount(payment),
      method(payment),
      payment.paidAt && ['Fecha', longDateTime(payment.paidAt)],
      transfer(payment),
    ],
  }),
  payment_corrected: (payment) => ({
    subject: 'Corregimos un pago',
    heading: 'Corregimos un pago que registramos mal',
    paragraphs: ['Su recibo ya no vale. En tu cuenta ves lo que sí recibimos y lo que falta, si falta algo.'],
    facts: [
      ['Por', conceptLabels[payment.concept]],
      ['Habíamos registrado', money(payment.amount)],
      why(payment.corrected),
    ],
  }),
  proof_rejected: (payment) => ({
    subject: 'Tu comprobante no se pudo aceptar',
    heading: 'Revisa tu comprobante',
    paragraphs: ['Sube otro en tu cuenta. Si crees que es un error, escríbenos.'],
    facts: [amount(payment), why(payment.rejectedReason)],
  }),
  payment_expired: (payment) => ({
    subject: `Venció ${what(payment)}`,
    heading: `Se venció el plazo de ${what(payment)}`,
    paragraphs: ['Si ya pagaste, sube tu comprobante y lo registramos. Si todavía te interesa, escríbenos.'],
    facts: [amount(payment)],
  }),
  voucher_made: (payment) => ({
    subject: 'Tu ficha de OXXO está lista',
    heading: 'Paga tu ficha en OXXO',
    paragraphs: ['Cuando la pagues, nos avisan y te mandamos tu recibo. Puede tardar un día.'],
    facts: [
      amount(payment),
      payment.voucherExpiresAt && ['Págala antes de', longDateTime(payment.voucherExpiresAt)],
    ],
  }),
  card_failed: (payment) => ({
    subject: 'Tu pago no pasó',
    heading: 'Tu pago no pasó',
    paragraphs: ['No se te cobró nada. Intenta otra vez, o paga de otra forma.'],
    facts: [amount(payment)],
  }),
}

/** What those who look proofs over read. */
export const proofWords = (payment: ToldPayment): Words => ({
  subject: 'Hay un comprobante por revisar',
  heading: 'Hay un comprobante por revisar',
  paragraphs: ['Búscalo en la cuenta y escribe la cantidad que llegó.'],
  facts: [
    ['Cliente', payment.payer],
    ['Por', conceptLabels[payment.concept]],
    amount(payment),
    transfer(payment),
  ],
})

type RefundToCustomer = Extract<AboutRefund, { to: 'customer' }>['letter']

/** What letters to its customer say of a refund. */
export const refundWords: Record<RefundToCustomer, (refund: ToldRefund) => Words> = {
  refund_requested: (refund) => ({
    subject: 'Estamos viendo tu reembolso',
    heading: 'Estamos viendo tu reembolso',
    paragraphs: [
      refund.clabe
        ? 'Te avisamos en cuanto se apruebe.'
        : 'Entra a tu cuenta y dinos a qué CLABE lo mandamos. Si pagaste con tarjeta, puede volver a ella.',
    ],
    facts: [amount(refund), why(refund.reason)],
  }),
  refund_account: (refund) => ({
    subject: 'Tu reembolso va a otra cuenta',
    heading: 'Cambió la cuenta de tu reembolso',
    paragraphs: [
      'Si fuiste tú, o nos la diste, no tienes que hacer nada.',
      'Si no la reconoces, escríbenos hoy mismo y cambia tu contraseña: detenemos el reembolso.',
    ],
    facts: [
      amount(refund),
      refund.clabe ? ['A la CLABE que termina en', refund.clabe.slice(-4)] : null,
      refund.beneficiary ? ['A nombre de', refund.beneficiary] : null,
      refund.accountAt && ['Desde', longDateTime(refund.accountAt)],
    ],
  }),
  refund_approved: (refund) => ({
    subject: 'Tu reembolso se aprobó',
    heading: 'Tu reembolso se aprobó',
    paragraphs: [
      refund.method === 'card'
        ? 'Vuelve a la tarjeta con la que pagaste. Tu banco puede tardar de 5 a 10 días.'
        : 'Te avisamos cuando salga la transferencia.',
    ],
    facts: [
      amount(refund),
      refund.materials > 0 ? ['Descontamos material comprado', money(refund.materials)] : null,
      refund.method === 'spei' && refund.clabe ? ['A la CLABE que termina en', refund.clabe.slice(-4)] : null,
    ],
  }),
  refund_paid: (refund) => ({
    subject: 'Te hicimos tu reembolso',
    heading: 'Te hicimos tu reembolso',
    paragraphs: ['El comprobante está en tu cuenta.'],
    facts: [amount(refund), refund.paidAt && ['Fecha', longDate(refund.paidAt)]],
  }),
  refund_refused: (refund) => ({
    subject: 'Tu reembolso no procede',
    heading: 'Tu reembolso no procede',
    paragraphs: ['Si no estás de acuerdo, escríbenos y lo vemos contigo.'],
    facts: [amount(refund), why(refund.refusedReason)],
  }),
}

/** What the managers read of one that is asked for. */
export const refundAskedWords = (refund: ToldRefund): Words => ({
  subject: 'Hay un reembolso por decidir',
  heading: 'Hay un reembolso por decidir',
  paragraphs: ['Apruébalo, o di por qué no procede.'],
  facts: [['Cliente', refund.payer], amount(refund), why(refund.reason)],
})
