/** The letters about an appointment, by who reads them; `person` is who carries it out, or did until now. */
export type AppointmentLetters = {
  customer:
    | 'booked'
    | 'assigned'
    | 'changed'
    | 'cancelled'
    | 'on_the_way'
    | 'no_person'
    | 'let_go'
    | 'called_off'
    | 'analyst_missed'
    | 'reminder_24h'
    | 'reminder_2h'
    | 'finished'
    | 'not_possible'
    | 'half_done'
    | 'no_show'
    | 'nobody_came'
    | 'fault_received'
  managers: 'no_person' | 'late_cancel' | 'nobody_came' | 'analyst_missed'
  /** `no_person` tells that they were taken off. */
  person:
    | 'assigned'
    | 'changed'
    | 'cancelled'
    | 'no_person'
    | 'called_off'
    | 'sheet_returned'
    | 'claim_reopened'
    | 'claim_declined'
}
export type To = keyof AppointmentLetters

/** How it was before a change: a start as ISO text, a municipality. Of a reminder, the start it was chosen for. */
export type Was = { startsAt?: string; zone?: string | null }

type AboutAppointment = {
  [Reader in To]: {
    letter: AppointmentLetters[Reader]
    appointmentId: string
    to: Reader
    was?: Was
  } & (Reader extends 'person' ? { personId?: string } : object)
}[To]

/** A slot held out to whoever waits for an earlier one, or another time because of an absence: rows of slot_offers and move_offers. */
export type AboutOffer = { letter: 'slot_offer' | 'move_offer'; offerId: string; to: 'customer' }

/** A row of time_off, asked for or answered. */
export type AboutTimeOff =
  | { letter: 'time_off_asked'; timeOffId: string; to: 'managers' }
  | { letter: 'time_off_answered'; timeOffId: string; to: 'person' }

/** A row of quotes. `maker` is whoever made it, and the managers where they are gone. */
export type AboutQuote =
  | {
      letter:
        | 'quote_sent'
        | 'quote_reminder_3d'
        | 'quote_reminder_1d'
        | 'quote_accepted'
        | 'quote_expired'
        | 'quote_withdrawn'
        | 'quote_cancelled'
        | 'quote_lapsed'
        | 'home_approved'
      quoteId: string
      to: 'customer'
    }
  | {
      letter:
        | 'quote_accepted'
        | 'quote_rejected'
        | 'quote_changes_requested'
        | 'quote_cancelled'
        | 'quote_renewal_asked'
        | 'quote_code_used'
      quoteId: string
      to: 'maker'
    }

/** A row of payments. */
export type AboutPayment =
  | {
      letter:
        | 'payment_due'
        | 'payment_reminder'
        | 'payment_received'
        | 'payment_corrected'
        | 'proof_rejected'
        | 'payment_expired'
        | 'voucher_made'
        | 'card_failed'
      paymentId: string
      to: 'customer'
    }
  | { letter: 'proof_received'; paymentId: string; to: 'managers' }

/** What a project is ready for, and whether we reach its home. */
export type AboutProject = {
  letter: 'installation_ready' | 'area_served' | 'area_outside'
  projectId: string
  to: 'customer'
}

/** A row of refunds. */
export type AboutRefund =
  | {
      letter: 'refund_requested' | 'refund_account' | 'refund_approved' | 'refund_paid' | 'refund_refused'
      refundId: string
      to: 'customer'
    }
  | { letter: 'refund_requested'; refundId: string; to: 'managers' }

/** Somebody's fiscal data. */
export type AboutFiscal =
  | { letter: 'fiscal_verified' | 'fiscal_rejected'; fiscalOf: string; to: 'customer' }
  | { letter: 'fiscal_submitted'; fiscalOf: string; to: 'managers' }

/** A row of invoices. */
export type AboutInvoice =
  | { letter: 'invoice_issued' | 'invoice_cancelled'; invoiceId: string; to: 'customer' }
  | { letter: 'invoice_requested'; invoiceId: string; to: 'managers' }

/** A row of cfe_cases. `since` is when the turn began that the letter tells of, as ISO text. */
export type AboutCase =
  | { letter: 'case_turn'; caseId: string; since: string; to: 'customer' | 'gester' }
  | { letter: 'case_given'; caseId: string; to: 'gester' }
  | { letter: 'cases_handed'; gesterId: string; count: number; to: 'gester' }

/** A letter about money. */
export type AboutMoney = AboutQuote | AboutPayment | AboutProject | AboutRefund | AboutFiscal | AboutInvoice

/** Somebody an ally registered; the token is the one of their invitation's link, kept nowhere else. */
export type AboutClient = { letter: 'client_invitation'; clientId: string; token: string; to: 'client' }

/** A row of codes. */
export type AboutCode =
  | { letter: 'code_to_approve'; codeId: string; to: 'managers' }
  | { letter: 'code_approved' | 'code_refused'; codeId: string; to: 'person' }

/** A row of commission_payouts. */
export type AboutPayout = { letter: 'commission_paid'; payoutId: string; to: 'allies' }

/** A row of webhook_endpoints that was switched off by itself. */
export type AboutWebhook = { letter: 'webhook_off'; endpointId: string; to: 'managers' }

/** A letter about what allies do. */
export type AboutAlly = AboutClient | AboutCode | AboutPayout | AboutWebhook

/**
 * What a letter's job carries. Without `personId` the person is whoever is confirmed when it is written; name somebody
 * who was, or may be, taken off.
 */
export type LetterJob = AboutAppointment | AboutOffer | AboutTimeOff | AboutMoney | AboutAlly | AboutCase
export type AppointmentLetterJob = AboutAppointment
