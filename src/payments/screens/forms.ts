import { randomUUID } from 'node:crypto'
import type { Actor } from '../../access/rules/actor.ts'
import { hasPassword } from '../../accounts/password.ts'
import { ownHomes } from '../../customers/overview.ts'
import { wrongPapers } from '../../documents/documents.ts'
import { cardPaymentStatuses } from '../../integrations/stripe/own-payment.ts'
import { ownInvoicing } from '../../invoices/queries.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { checked, form, type SentForm } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { shownSettings } from '../../settings/queries.ts'
import { refuse } from '../../shared/refusal.ts'
import { correctPayment } from '../correct.ts'
import {
  confirmProof,
  recordOfficePayment,
  rejectProof,
  replaceProof,
  sendProof,
  takeBackProof,
} from '../proofs.ts'
import { accountOf, agreedTermsOf, ownProjectId, payerOf } from '../queries.ts'
import { approveRefund, payRefund, refuseRefund, requestRefund, submitRefundAccount } from '../refunds.ts'
import { mayBeOf } from '../rules/banks.ts'
import { isWithdrawn, managesPayments, reviewPromise, seesPayments } from '../rules/payment.ts'
import { officePaymentInput, ownPaymentInput } from '../rules/schema.ts'
import { paymentsOfHomes } from '../sums.ts'
import { chosenProofPath } from './office-path.ts'

/** What a customer sends about payments: the proof of a transfer, a request for a refund, and its account. */
export function ownPaymentForms(context: LoaderContext, here: string) {
  const { db, actor, now, drive } = signedIn(context)
  return {
    'send-proof': form(
      ownPaymentInput['send-proof'],
      async (input, { file }) => {
        await sendProof(db, drive, actor, { ...input, file: file('file') }, now)
        return redirectWithToast(
          here,
          'Recibimos tu comprobante',
          `${reviewPromise} y te avisamos por correo.`,
        )
      },
      wrongPapers({ file: 'payment_proof' }),
    ),
    'replace-proof': form(ownPaymentInput['replace-proof'], async (input, { file }) => {
      await replaceProof(db, drive, actor, { ...input, file: file('file') }, now)
      return redirectWithToast(here, 'Cambiamos tu comprobante', `${reviewPromise}.`)
    }),
    'take-back-proof': form(ownPaymentInput['take-back-proof'], async (input) => {
      await takeBackProof(db, drive, actor, input, now)
      return redirectWithToast(here, 'Retiraste tu comprobante', 'Sube otro cuando lo tengas.', 'default')
    }),
    'refund-account': form(ownPaymentInput['refund-account'], async (input) => {
      await submitRefundAccount(db, actor, input, now)
      return redirectWithToast(
        here,
        'Guardamos tu cuenta',
        'Ahí te llega tu reembolso. Te lo confirmamos por correo.',
      )
    }),
    'ask-refund': form(ownPaymentInput['ask-refund'], async ({ projectId, reason, ...told }) => {
      await requestRefund(db, actor, projectId, { reason, told }, now)
      return redirectWithToast(here, 'Pedimos tu reembolso', 'Te avisamos por correo qué sigue.')
    }),
  }
}

/** The review of a proof of a transfer, for those who see payments. The list of proofs sends the `next` one to show. */
export function proofForms(context: LoaderContext, here: string) {
  const { db, actor, now } = signedIn(context)
  const schemas = officePaymentInput(now)
  const told = (id: string, words: string) => customerWords(db, { of: 'payments', id }, words)
  const then = ({ next }: SentForm['values']) => (next ? chosenProofPath(next) : here)
  const booked = async (id: string, { values }: SentForm) =>
    redirectWithToast(then(values), 'Pago registrado', await told(id, receiptWords))
  return checked(() => seesPayments(actor) || refuse('permission-denied'), {
    'confirm-proof': form(schemas['confirm-proof'], async (input, sent) => {
      await confirmProof(db, actor, input, now)
      return booked(input.paymentId, sent)
    }),
    'confirm-whole-proof': form(schemas['confirm-whole-proof'], async (input, sent) => {
      await confirmProof(db, actor, { ...input, amount: null }, now)
      return booked(input.paymentId, sent)
    }),
    'reject-proof': form(schemas['reject-proof'], async (input, { values }) => {
      await rejectProof(db, actor, input, now)
      const notified = await told(input.paymentId, 'Le avisamos al cliente por qué.')
      return redirectWithToast(then(values), 'Comprobante rechazado', notified)
    }),
  })
}

const receiptWords = 'El cliente recibe su recibo por correo.'

type Panel = {
  context: LoaderContext
  /** Finds the project that the screen shows; called only for users who may see its money. */
  of: (db: Db) => Promise<string | null>
  /** The screen that shows the panel. */
  here: string
}

/** What the office does with the money of a project that its screen has let it see. */
export function officePaymentForms({ context, here, of }: Panel) {
  const { db, actor } = signedIn(context)
  let projectId = ''
  const findProject = async () => {
    if (!seesPayments(actor)) refuse('permission-denied')
    projectId = (await of(db)) ?? refuse('not-found')
  }
  return checked(findProject, {
    ...proofForms(context, here),
    ...paymentForms(context, here, () => projectId),
    ...refundForms(context, here, () => projectId),
  })
}

function paymentForms(context: LoaderContext, here: string, projectId: () => string) {
  const { db, actor, now } = signedIn(context)
  const told = (id: string, words: string) => customerWords(db, { of: 'payments', id }, words)
  const schemas = officePaymentInput(now)
  return {
    'record-payment': form(schemas['record-payment'], async (input) => {
      const id = await recordOfficePayment(db, actor, { ...input, projectId: projectId() }, now)
      return redirectWithToast(here, 'Pago registrado', await told(id, receiptWords))
    }),
    'correct-payment': form(schemas['correct-payment'], async (input) => {
      await correctPayment(db, actor, input, now)
      const then = await told(input.paymentId, 'El cliente recibe un correo con el motivo.')
      return redirectWithToast(here, 'Pago corregido', then)
    }),
  }
}

function refundForms(context: LoaderContext, here: string, projectId: () => string) {
  const { db, actor, now, drive } = signedIn(context)
  const schemas = officePaymentInput(now)
  return {
    'propose-refund': form(schemas['propose-refund'], async ({ reason }) => {
      await requestRefund(db, actor, projectId(), { reason }, now)
      return redirectWithToast(here, 'Reembolso propuesto', 'Revísalo y apruébalo.')
    }),
    'approve-refund': form(schemas['approve-refund'], async (input) => {
      await approveRefund(db, actor, input, now)
      const then = input.sourceId ? 'Vuelve a su tarjeta.' : 'Falta la transferencia y su comprobante.'
      return redirectWithToast(here, 'Reembolso aprobado', then)
    }),
    'refuse-refund': form(schemas['refuse-refund'], async (input) => {
      await refuseRefund(db, actor, input, now)
      const whose = { of: 'refunds', id: input.refundId } as const
      const then = await customerWords(db, whose, 'Le avisamos al cliente por qué.')
      return redirectWithToast(here, 'El reembolso no procede', then)
    }),
    'pay-refund': form(
      schemas['pay-refund'],
      async (input, { file }) => {
        await payRefund(db, drive, actor, { ...input, file: file('file') }, now)
        return redirectWithToast(here, 'Reembolso pagado', 'El cliente ve el comprobante en su cuenta.')
      },
      wrongPapers({ file: 'refund_proof' }),
    ),
  }
}

type OwnAccount = Awaited<ReturnType<typeof ownPaymentsPage>>
export type OwnPayment = NonNullable<OwnAccount['account']>['payments'][number]
export type OwnRefund = NonNullable<OwnAccount['account']>['refunds'][number]

/** What a customer's page of payments shows. */
export async function ownPaymentsPage(context: LoaderContext) {
  const { db, actor, openProjects } = signedIn(context)
  const [projectId, ownsPassword, { spei }] = await Promise.all([
    ownProjectId(db, actor),
    hasPassword(db, actor.id),
    shownSettings(db),
  ])
  const [{ account, byCard }, terms, invoicing] = projectId
    ? await Promise.all([
        accountWithCards(context, projectId),
        agreedTermsOf(db, projectId),
        ownInvoicing(db, actor, projectId),
      ])
    : [{ account: null, byCard: null }, null, null]
  return {
    /** Without one, the customer can't give a bank account. */
    hasPassword: ownsPassword,
    projectId,
    homes: openProjects.length > 1 ? await homesWithPayments(db, actor) : null,
    invoicing,
    terms,
    spei: spei.clabe ? spei : null,
    account: account && {
      ...account,
      payments: account.payments.map((payment) => ({
        ...shownPayment(payment),
        card: byCard?.get(payment.id) ?? { offer: null, voucher: null },
      })),
      refunds: account.refunds.map(shownRefund),
    },
  }
}

/** Of a customer with several homes, all payments of all of them, each with its home's name. */
async function homesWithPayments(database: Db, actor: Actor) {
  const homes = new Map((await ownHomes(database, actor.id, new Date())).map(({ id, name }) => [id, name]))
  const rows = await paymentsOfHomes(database, actor, [...homes.keys()])
  return { names: homes, rows: rows.map((row) => ({ ...row, home: homes.get(row.projectId)! })) }
}

async function accountWithCards(context: LoaderContext, projectId: string) {
  const { db, actor, cards } = signedIn(context)
  const account = await accountOf(db, actor, projectId)
  const byCard = await cardPaymentStatuses(db, cards, account?.payments ?? [])
  return { account, byCard }
}

type Account = NonNullable<Awaited<ReturnType<typeof accountOf>>>

/** Without its reviewer, and other data for the office only. */
function shownPayment(payment: Account['payments'][number]) {
  const { amount, bank, concept, dueAt, folio, followsId, id, method, paidAt, proof } = payment
  const { rejectedReason, reversedAt, reversesId, state, trackingKey, version } = payment
  const told = { amount, bank, concept, dueAt, folio, id, method, paidAt, proof, rejectedReason }
  // What follows a payment asks for the rest of it.
  return { ...told, isRest: followsId !== null, reversedAt, reversesId, state, trackingKey, version }
}

function shownRefund(refund: Account['refunds'][number]) {
  const { amount, beneficiary, clabe, folio, id, materials, method, paidAt, proof, reason } = refund
  const { refusedReason, state, version } = refund
  const told = { amount, beneficiary, clabe, folio, id, materials, method, paidAt, proof, reason }
  return { ...told, refusedReason, state, version, isWithdrawn: isWithdrawn(refund) }
}

export type OfficeAccount = NonNullable<Awaited<ReturnType<typeof officeAccount>>>

/** The money of a project for the office: null for a user who may not see it. */
export async function officeAccount(context: LoaderContext, projectId: string) {
  const { actor, db } = signedIn(context)
  if (!seesPayments(actor)) return null
  const [account, payer] = await Promise.all([accountOf(db, actor, projectId), payerOf(db, projectId)])
  if (!account) return null
  return {
    ...account,
    payer,
    refunds: account.refunds.map((refund) => ({
      ...refund,
      isWithdrawn: isWithdrawn(refund),
      /** Its customer, where the account seems to be another person's. */
      notOf: refund.beneficiary && !mayBeOf(refund.beneficiary, payer) ? payer : null,
    })),
    isManager: managesPayments(actor),
    now: new Date(),
    requestKey: randomUUID(),
  }
}
