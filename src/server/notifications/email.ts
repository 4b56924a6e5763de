import type { Settings } from '../../domain/settings/settings-schema.ts'
import type { Db } from '../platform/database/client.ts'
import type { Recipient } from './recipients.ts'

/** What every e-mail is written with. */
export type EmailContext = {
  brand: string
  baseUrl: string
  /** The sender, whom calendars name as the organizer. */
  from: string
  settings: Pick<Settings, 'arrivalWindowMinutes' | 'support'>
}

export type Fact = readonly [label: string, value: string]
export type EmailLink = { label: string; href: string }

/** What an e-mail says. Values may hold anything a person typed. */
export type EmailContent = {
  heading: string
  /** The heading, where it has none of its own. */
  subject?: string
  /** Stands behind the subject. */
  folio?: string | null
  paragraphs: readonly string[]
  /** Those that are null are left out. */
  facts: readonly (Fact | null)[]
  link: EmailLink
  /** Further ones, above it. */
  links?: readonly EmailLink[]
  calendar?: CalendarAttachment | null
}
export type EmailBody = Omit<EmailContent, 'link' | 'folio' | 'calendar'>

export type CalendarAttachment = { method: 'REQUEST' | 'CANCEL'; content: string }

/** One kind of e-mail to one kind of reader. All of it runs when its job does, so that it says what is so by then. */
export type Email<Job, Facts = unknown> = {
  /** What it is about, as it stands now; nothing where that is gone. */
  load(db: Db, job: Job, now: Date): Promise<Facts | null | undefined>
  /** Whether it still says what is so: otherwise it is not sent. */
  isRelevant(facts: Facts, now: Date, job: Job): boolean
  recipients(db: Db, facts: Facts): readonly Recipient[] | Promise<readonly Recipient[]>
  compose(facts: Facts, recipient: Recipient, context: EmailContext): EmailContent
}

type KindsTo<Job, To> = Job extends { letter: infer Kind extends string; to: To } ? Kind : never

/** All e-mails of the jobs about something: by who reads them, then by kind. */
export type EmailsOf<Job extends { letter: string; to: string }> = {
  [To in Job['to']]: { [Kind in KindsTo<Job, To>]: Email<Job> }
}
