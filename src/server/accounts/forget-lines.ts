import { sql } from 'drizzle-orm'

/** What the bank wrote of a movement goes, often its payer's name, and why it was no payment; its day, amount and pair stay for the books. */
export const forgetLine = sql`update bank_lines set description = '', reference = '', tracking_key = null,
  reason = case when reason is not null then '–' end`

/** Of which movements something of it is left. */
export const isTold = sql`(description <> '' or reference <> '' or tracking_key is not null or reason <> '–')`
