/** The jobs of e-mails: their kinds by reader, and their data. All names are stored with the jobs. */
type About<Kinds extends Record<string, string>, Ids> = {
  [To in keyof Kinds]: { letter: Kinds[To]; to: To } & Ids
}[keyof Kinds]

/**
 * The values before a change: a start as ISO text, a municipality. Of a reminder, the start it was made for; of a delay, the
 * hour that was told.
 */
type Was = { startsAt?: string; zone?: string | null }

/**
 * `person` is the current or former assignee: the one confirmed when the e-mail is written, unless `personId` names
 * them, which is required where they were, or may be, removed. `no_person` notifies them of the removal.
 */
export type AppointmentEmailJob =
  | About<
      {
        customer:
          | 'booked'
          | 'assigned'
          | 'changed'
          | 'cancelled'
          | 'on_the_way'
          | 'running_late'
          | 'way_undone'
          | 'no_person'
          | 'let_go'
          | 'called_off'
          | 'analyst_missed'
          | 'reminder_24h'
          | 'reminder_2h'
          | 'finished'
          | 'call_summary'
          | 'not_possible'
          | 'half_done'
          | 'left_unsafe'
          | 'no_show'
          | 'nobody_came'
          | 'nobody_answered'
          | 'fault_received'
        managers: 'no_person' | 'late_cancel' | 'nobody_came' | 'analyst_missed'
      },
      { appointmentId: string; was?: Was }
    >
  | About<
      {
        person:
          | 'assigned'
          | 'changed'
          | 'cancelled'
          | 'no_person'
          | 'called_off'
          | 'sheet_returned'
          | 'claim_reopened'
          | 'claim_declined'
      },
      { appointmentId: string; was?: Was; personId?: string }
    >

/** A slot offered to a customer who waits for an earlier one (slot_offers), or another time because of an absence (move_offers). */
export type OfferEmailJob = About<{ customer: 'slot_offer' | 'move_offer' }, { offerId: string }>

/** A row of time_off. */
export type TimeOffEmailJob = About<
  { managers: 'time_off_asked'; person: 'time_off_answered' },
  { timeOffId: string }
>

/** A row of staff_papers. */
export type PaperEmailJob = About<{ person: 'paper_ends' }, { paperId: string }>

/** A row of quotes. `maker` is the user who sent it, or the managers where that user left. */
export type QuoteEmailJob = About<
  {
    customer:
      | 'quote_sent'
      | 'quote_reminder_3d'
      | 'quote_reminder_1d'
      | 'quote_reminder'
      | 'quote_accepted'
      | 'quote_expired'
      | 'quote_withdrawn'
      | 'quote_cancelled'
      | 'quote_lapsed'
      | 'home_approved'
    maker:
      | 'quote_accepted'
      | 'quote_rejected'
      | 'quote_changes_requested'
      | 'quote_cancelled'
      | 'quote_renewal_asked'
      | 'quote_code_used'
  },
  { quoteId: string }
>

/** A row of payments. */
export type PaymentEmailJob = About<
  {
    customer:
      | 'payment_due'
      | 'payment_reminder'
      | 'payment_received'
      | 'payment_corrected'
      | 'proof_received'
      | 'proof_rejected'
      | 'payment_expired'
      | 'voucher_made'
      | 'card_failed'
    managers: 'proof_received'
  },
  { paymentId: string }
>

/** A row of refunds. */
export type RefundEmailJob = About<
  {
    customer: 'refund_requested' | 'refund_account' | 'refund_approved' | 'refund_paid' | 'refund_refused'
    managers: 'refund_requested'
  },
  { refundId: string }
>

/** Whether a project is ready, and whether its home is in our area. */
export type ProjectEmailJob = About<
  { customer: 'installation_ready' | 'permit_returned' | 'area_served' | 'area_outside' },
  { projectId: string }
>

/** A customer's fiscal data. */
export type FiscalEmailJob = About<
  { customer: 'fiscal_verified' | 'fiscal_rejected'; managers: 'fiscal_submitted' },
  { fiscalOf: string }
>

/** A row of invoices. */
export type InvoiceEmailJob = About<
  { customer: 'invoice_issued' | 'invoice_cancelled'; managers: 'invoice_requested' },
  { invoiceId: string }
>

/** A row of cfe_cases. `since` is when the turn began that the e-mail is about, as ISO text. */
export type CaseEmailJob = About<{ gester: 'case_given' }, { caseId: string }> | CaseTurnEmailJob
export type CaseTurnEmailJob = About<
  { customer: 'case_turn'; gester: 'case_turn' },
  { caseId: string; since: string }
>
export type CasesHandedEmailJob = About<{ gester: 'cases_handed' }, { gesterId: string; count: number }>

/** A row of clients; the token is the one of their invitation's link, kept nowhere else. */
export type ClientEmailJob = About<{ client: 'client_invitation' }, { clientId: string; token: string }>

/** A row of codes; the person is its owner. */
export type CodeEmailJob = About<
  { managers: 'code_to_approve'; person: 'code_approved' | 'code_refused' },
  { codeId: string }
>

/** A row of commission_payouts. */
export type PayoutEmailJob = About<{ allies: 'commission_paid' }, { payoutId: string }>

/** A row of webhook_endpoints that was disabled automatically. */
export type WebhookEmailJob = About<{ managers: 'webhook_off' }, { endpointId: string }>

/** The data of a job of the queue `letter`. */
export type EmailJob =
  | AppointmentEmailJob
  | OfferEmailJob
  | TimeOffEmailJob
  | PaperEmailJob
  | QuoteEmailJob
  | PaymentEmailJob
  | RefundEmailJob
  | ProjectEmailJob
  | FiscalEmailJob
  | InvoiceEmailJob
  | CaseEmailJob
  | CasesHandedEmailJob
  | ClientEmailJob
  | CodeEmailJob
  | PayoutEmailJob
  | WebhookEmailJob

/**
 * The data of a job of the queue `account-letter`. Whether `email` belongs to an account is checked when the job runs.
 */
export type AccountEmailJob = {
  letter:
    | 'reset_password'
    | 'verify_email'
    | 'claim_account'
    | 'password_changed'
    | 'invitation'
    | 'second_factor_on'
    | 'second_factor_off'
    | 'recovery_codes_renewed'
    | 'phone_code_used'
    | 'phone_changed'
    | 'provider_linked'
    | 'passkey_added'
    | 'passkey_removed'
    | 'change_email'
    | 'email_change_asked'
    | 'email_changed'
    | 'deletion_asked'
    | 'deletion_taken_back'
    | 'deletion_put_off'
    | 'account_deleted'
    | 'account_merged'
    | 'gathered'
  userId?: string
  email?: string
  invitationId?: string
  emailChangeId?: string
  mergeId?: string
  /** The window whose held back e-mails it gathers: its beginning as ISO text, and its minutes. */
  since?: string
  minutes?: number
  code?: string
}

export type EmailKind = (EmailJob | AccountEmailJob)['letter']

/** Within how long an e-mail, and its notices, are needed: the queues take what is for minutes first. */
export type Urgency = 'minutes' | 'hours' | 'days'

/**
 * The urgency of every e-mail. What is useless by now is not sent at all: each kind decides that itself, from current
 * data (`isRelevant`).
 */
const urgencies = {
  minutes: [
    // The visit of today is other than its reader thinks, or a person waits for an answer.
    'cancelled',
    'let_go',
    'called_off',
    'no_person',
    'on_the_way',
    'running_late',
    'way_undone',
    'reminder_2h',
    'left_unsafe',
    'late_cancel',
    'nobody_came',
    'nobody_answered',
    'analyst_missed',
    'slot_offer',
    'move_offer',
    'refund_account',
    // What opens or protects an account.
    'reset_password',
    'verify_email',
    'claim_account',
    'invitation',
    'password_changed',
    'second_factor_on',
    'second_factor_off',
    'recovery_codes_renewed',
    'phone_code_used',
    'phone_changed',
    'provider_linked',
    'passkey_added',
    'passkey_removed',
    'change_email',
    'email_change_asked',
    'email_changed',
  ],
  hours: [
    'booked',
    'assigned',
    'changed',
    'reminder_24h',
    'finished',
    'call_summary',
    'not_possible',
    'half_done',
    'no_show',
    'fault_received',
    'sheet_returned',
    'claim_reopened',
    'claim_declined',
    'time_off_asked',
    'time_off_answered',
    'quote_sent',
    'quote_accepted',
    'quote_withdrawn',
    'quote_cancelled',
    'quote_rejected',
    'quote_changes_requested',
    'quote_renewal_asked',
    'quote_code_used',
    'home_approved',
    'payment_due',
    'payment_received',
    'payment_corrected',
    'proof_received',
    'proof_rejected',
    'voucher_made',
    'card_failed',
    'refund_requested',
    'refund_approved',
    'refund_paid',
    'refund_refused',
    'installation_ready',
    'permit_returned',
    'fiscal_submitted',
    'case_given',
    'case_turn',
    'client_invitation',
    'webhook_off',
    'deletion_asked',
    'deletion_taken_back',
    'deletion_put_off',
    'account_deleted',
    'account_merged',
  ],
  days: [
    'gathered',
    'paper_ends',
    'quote_reminder_3d',
    'quote_reminder_1d',
    'quote_reminder',
    'quote_expired',
    'quote_lapsed',
    'payment_reminder',
    'payment_expired',
    'area_served',
    'area_outside',
    'fiscal_verified',
    'fiscal_rejected',
    'invoice_requested',
    'invoice_issued',
    'invoice_cancelled',
    'cases_handed',
    'code_to_approve',
    'code_approved',
    'code_refused',
    'commission_paid',
  ],
} as const satisfies Record<Urgency, readonly EmailKind[]>

type Declared = (typeof urgencies)[Urgency][number]
/** Does not compile where a kind of e-mail has no urgency. */
const urgencyOf: Record<Exclude<EmailKind, Declared>, never> & Record<string, Urgency> = Object.fromEntries(
  Object.entries(urgencies).flatMap(([urgency, kinds]) => kinds.map((kind) => [kind, urgency as Urgency])),
)

const priorities: Record<Urgency, number> = { minutes: 20, hours: 10, days: 0 }

/** The priority of a kind of e-mail in its queue: the higher ones are taken first. */
export const priorityOfEmail = (kind: EmailKind): number => priorities[urgencyOf[kind] ?? 'hours']
