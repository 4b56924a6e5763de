import type { Service } from '../../../domain/appointments/appointment.ts'
import { seal, sealingKey, unseal } from '../../accounts/block.ts'
import type { AccountEmailJob, EmailJob } from '../../notifications/jobs.ts'
import { currentContext } from '../telemetry/request-context.ts'
import { type Carrier, carrier } from '../telemetry/spans.ts'

/** The queues of e-mails. */
export const emailQueues = ['letter', 'account-letter'] as const

/** Each kind of job with what it carries: as little as serves, since what it tells is read when it runs. */
export type Jobs = {
  /** An e-mail to all of its readers, or to one of them. */
  letter: EmailJob & { reader?: string }
  'account-letter': AccountEmailJob
  'confirm-provisional': Record<string, never>
  'expire-moves': Record<string, never>
  'let-unverified-go': Record<string, never>
  'end-missed-calls': Record<string, never>
  remind: Record<string, never>
  'end-quotes': Record<string, never>
  /** A start that opened, as ISO text: for a person who would come earlier. `once`: it is not passed on to the next in line. */
  'offer-freed-slot': { service: Service; startsAt: string; once?: boolean }
  'look-for-earlier': Record<string, never>
  /** Demands whose time is over, and reminders of those that are due. */
  'end-payments': Record<string, never>
  /** Has an invoice stamped, where a person is set up for that. */
  'stamp-invoice': { invoiceId: string }
  'follow-invoices': Record<string, never>
  'clean-up': Record<string, never>
  'erase-accounts': Record<string, never>
  /** Whatever personal is older than there is a reason to keep it for. */
  'forget-old': Record<string, never>
  'sweep-files': Record<string, never>
  /** A refund that was approved, of a card payment. */
  'refund-card': { refundId: string }
  'reconcile-cards': Record<string, never>
  /** Codes whose last day is over. */
  'end-codes': Record<string, never>
  /** How far agencies' clients are, where something changed. */
  'follow-clients': Record<string, never>
  'follow-commissions': Record<string, never>
  /** Cases with CFE that accepted quotes need. */
  'open-cases': Record<string, never>
  'send-webhook': { deliveryId: string }
  /** A row of whatsapp_messages, with the e-mail that it goes with. */
  whatsapp: { messageId: string; letter: EmailJob }
}

/** Where jobs end that failed as often as they may. */
export const deadLetters = 'dead-letters'

/** Until a queue's job has failed this often, it is tried again, later each time. */
const patient = { retryLimit: 8, retryDelay: 15, retryBackoff: true }

/** Some four hours, at most a quarter of one between two tries: mail servers are down for longer than an hour. */
const enduring = { ...patient, retryLimit: 24, retryDelayMax: 900 }
export const queues = {
  letter: { ...enduring, deadLetter: deadLetters },
  // An e-mail may be inside: it is kept nowhere once it is sent, and not for long when it can't be.
  'account-letter': { ...patient, deleteAfterSeconds: 3600 },
  'confirm-provisional': { ...patient, deadLetter: deadLetters },
  'expire-moves': { ...patient, deadLetter: deadLetters },
  'let-unverified-go': { ...patient, deadLetter: deadLetters },
  // The next round does what one of them failed to.
  'end-missed-calls': { retryLimit: 0 },
  remind: { retryLimit: 0 },
  // The next round does what one of them failed to.
  'end-quotes': { retryLimit: 0 },
  'end-payments': { retryLimit: 0 },
  'offer-freed-slot': { ...patient, deadLetter: deadLetters },
  // The next look does what one of them failed to.
  'look-for-earlier': { retryLimit: 0 },
  'stamp-invoice': { ...patient, deadLetter: deadLetters },
  // The next round does what one of them failed to.
  'follow-invoices': { retryLimit: 0 },
  'clean-up': { ...patient, deadLetter: deadLetters },
  'erase-accounts': { ...patient, deadLetter: deadLetters },
  'forget-old': { ...patient, deadLetter: deadLetters },
  // The next round does what one of them failed to.
  'sweep-files': { retryLimit: 0 },
  'refund-card': { ...patient, deadLetter: deadLetters },
  // The next round does what one of them failed to.
  'reconcile-cards': { retryLimit: 0 },
  // The next round does what one of them failed to.
  'end-codes': { retryLimit: 0 },
  'follow-clients': { retryLimit: 0 },
  'follow-commissions': { retryLimit: 0 },
  'open-cases': { retryLimit: 0 },
  'send-webhook': { ...patient, deadLetter: deadLetters },
  // Its letter went anyway: what can't be sent is no work for anyone.
  whatsapp: patient,
} satisfies Record<keyof Jobs, object>
export const names = Object.keys(queues) as (keyof Jobs)[]

/** Jobs that come by the clock of Mexico City, and once at the start: what fell due while no one ran is not left for the next round. */
export const schedules = {
  'confirm-provisional': '*/5 * * * *',
  'expire-moves': '* * * * *',
  'let-unverified-go': '*/5 * * * *',
  'end-missed-calls': '* * * * *',
  'look-for-earlier': '*/10 * * * *',
  remind: '* * * * *',
  'end-quotes': '*/5 * * * *',
  'end-payments': '*/5 * * * *',
  'follow-invoices': '*/10 * * * *',
  'clean-up': '17 * * * *',
  'erase-accounts': '37 * * * *',
  'forget-old': '11 4 * * *',
  'sweep-files': '41 3 * * *',
  'reconcile-cards': '*/5 * * * *',
  'end-codes': '*/5 * * * *',
  'follow-clients': '* * * * *',
  'follow-commissions': '23 * * * *',
  'open-cases': '* * * * *',
} as const

/** Queues of which a process has more than one job in hand: those that wait for another person's server. */
export const atOnce: Partial<Record<keyof Jobs, number>> = {
  letter: 4,
  'account-letter': 4,
  'send-webhook': 25,
  whatsapp: 25,
}

/** What travels with a job beside its data: the request that left it, the trace that goes on with it, and what no one may read. */
type Envelope = { cause?: { request?: string } & Carrier; secrets?: string }

/** What opens something for a person who reads it: a letter's code, the token of a link. */
const isSecret = (name: string) => name === 'code' || name === 'token'

let key: Buffer | undefined

/** Jobs stay in the database when they have ended, or failed for good: from now on their secrets are sealed there. */
export function setJobSecret(secret: string): void {
  key = sealingKey(secret, 'jobs')
}

/** A job's data as they are kept. What the clock asks for comes from no one, and has nothing added. */
export function wrapJob<Data extends object>(data: Data): object {
  const fields = Object.entries(data)
  const secrets = fields.filter(([name, value]) => isSecret(name) && value !== undefined)
  const { request } = currentContext()
  const cause = { ...(request && { request }), ...carrier() }
  if (secrets.length === 0 && Object.keys(cause).length === 0) return data
  return {
    ...Object.fromEntries(fields.filter(([name]) => !isSecret(name))),
    ...(secrets.length > 0 && { secrets: seal(theKey(), JSON.stringify(Object.fromEntries(secrets))) }),
    ...(Object.keys(cause).length > 0 && { cause }),
  }
}

/** The data of a job as its handler knows them, and what came with them. Secrets sealed with another key are not there. */
export function unwrapJob<Data extends object>(
  kept: Data,
): {
  data: Data
  request: string | undefined
  carried: Carrier | undefined
} {
  const { cause, secrets, ...data } = kept as Data & Envelope
  const { request, ...carried } = cause ?? {}
  const found: object = JSON.parse((secrets && unseal(theKey(), secrets)) || '{}')
  return {
    data: { ...data, ...found } as unknown as Data,
    request,
    carried: carried.traceparent ? carried : undefined,
  }
}

function theKey(): Buffer {
  if (!key) throw new Error('jobs were given no key for their secrets')
  return key
}
