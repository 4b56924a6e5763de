import { type SQL, sql } from 'drizzle-orm'
import { type Retained, retentionDays } from '../../domain/accounts/privacy.ts'
import { doneStates } from '../../domain/appointments/appointment.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { listed } from '../platform/database/literals.ts'
import { forgetLine, isTold } from './forget-lines.ts'
import { forgetting } from './forget-words.ts'

/** The two others are files, and what takes several statements. */
type Rule = Exclude<Retained, 'letterFiles' | 'fiscal'>

/** Rows of a table whose id one of these is. Few enough at once that nobody waits for their locks. */
const piece = 2000
const chosen = (from: SQL) => sql`in (select id from ${from} limit ${piece})`

const visits = (
  days: SQL,
) => sql`(select files.id from files join appointments on appointments.id = files.appointment_id
    join projects on projects.id = appointments.project_id where ${days}) old`
const installed = sql`exists (select from appointments done where done.project_id = projects.id
    and done.service = 'installation' and done.state = 'done')`

const movements = (states: SQL, before: SQL) =>
  sql`${forgetLine} where id ${chosen(
    sql`bank_lines where state in (${states}) and created_at < ${before} and ${isTold}`,
  )}`

/** What each rule takes away that is older than `before`. Whatever it leaves is found again by the next round. */
const rules: Record<Rule, (before: SQL) => SQL> = {
  callChats: (before) =>
    sql`delete from call_messages where id ${chosen(sql`call_messages where at < ${before}`)}`,
  callSittings: (before) =>
    sql`delete from call_sittings where id ${chosen(sql`call_sittings where left_at < ${before}`)}`,
  appointmentNotes: (before) =>
    sql`update appointments set notes = null where id ${chosen(
      sql`appointments where notes is not null and starts_at < ${before} and state in (${listed(doneStates)})`,
    )}`,
  historyWords: (before) =>
    sql`update events set reason = null where id ${chosen(sql`events where reason is not null and at < ${before}`)}`,
  quoteAnswers: (before) =>
    sql`update quotes set reason = null where id ${chosen(
      sql`quotes where reason is not null and answered_at < ${before}`,
    )}`,
  taskWords: (
    before,
  ) => sql`update tasks set phone = null, result = '–', subject = regexp_replace(subject, ': «.*$', '')
    where id ${chosen(sql`tasks where done_at < ${before} and result <> '–'`)}`,
  photosWithoutInstallation: (before) =>
    sql`delete from files where id ${chosen(visits(sql`projects.closed_at < ${before} and not ${installed}`))}`,
  photosOfInstallations: (before) =>
    sql`delete from files where id ${chosen(
      visits(sql`appointments.starts_at < ${before} and projects.closed_at < ${before}`),
    )}`,
  messages: (before) =>
    sql`delete from whatsapp_messages where id ${chosen(sql`whatsapp_messages where created_at < ${before}`)}`,
  staffInvitations: (before) =>
    sql`delete from invitations where id ${chosen(
      sql`invitations where accepted_at is null and expires_at < ${before}`,
    )}`,
  unreadStatements: (before) =>
    sql`delete from bank_statements where id ${chosen(
      sql`bank_statements where read_at is null and created_at < ${before}`,
    )}`,
  otherMovements: (before) => movements(sql`'open', 'ignored'`, before),
  paidMovements: (before) => movements(sql`'settled', 'recorded'`, before),
  evidence: (before) =>
    sql`with gone as (delete from consents where id ${chosen(
      sql`consents where at < ${before} and user_id in (select id from users where deleted_at < ${before})`,
    )} returning 1) delete from data_reads where id ${chosen(sql`data_reads where at < ${before}`)}`,
}

/** Takes away what is too old, rule by rule; answers how many rows each took. The bytes of photos go with the sweep. */
export async function forgetOld(db: Db, now: Date): Promise<Partial<Record<Rule, number>>> {
  const counts: Partial<Record<Rule, number>> = {}
  for (const [name, rule] of Object.entries(rules) as [Rule, (typeof rules)[Rule]][]) {
    const before = sql`${now}::timestamptz - make_interval(days => ${retentionDays[name]})`
    let taken: number
    do {
      taken = await transaction(db, async (tx) => {
        await tx.execute(forgetting)
        return (await tx.execute(rule(before))).rowCount ?? 0
      })
      if (taken > 0) counts[name] = (counts[name] ?? 0) + taken
    } while (taken >= piece)
  }
  return counts
}
