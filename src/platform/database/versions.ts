import { and, desc, eq, notInArray, type SQL } from 'drizzle-orm'
import { isAlly, isStaff, type Mover } from '../../access/rules/actor.ts'
import { deskEvents } from '../../accounts/rules/security.ts'
import { saveWords } from '../../shared/merging.ts'
import { Refusal } from '../../shared/refusal.ts'
import type { Queryable } from './client.ts'
import { users } from './schema/accounts.ts'
import { events } from './schema/projects.ts'

/** Events that leave the version of an account or a quote as it was. */
const aside = [
  'add_calendar',
  'ask_email_change',
  'ask_time_off',
  'cancel_email_change',
  'change_day_start',
  'change_password',
  'change_visit_card',
  'close_other_sessions',
  'make_access_link',
  'remove_calendar',
]
const asides = [
  ...aside,
  ...deskEvents,
  'close_session',
  'link_provider',
  'unlink_provider',
  'put_off_deletion',
  'renew_recovery_codes',
  'enter_by_phone_code',
  'add_passkey',
  'remove_passkey',
  'resend_access',
  'turn_on_second_factor',
  'view',
  'remind',
  'withdraw_time_off',
]

type Record = { entity: string; id: string; within?: SQL | undefined }

/** Who saved a record last, and when, as far as the actor reads names; undefined where it has no history. */
export async function lastSave(
  db: Queryable,
  actor: Mover,
  { entity, id, within }: Record,
): Promise<string | undefined> {
  const [last] = await db
    .select({ by: events.actorId, at: events.at, name: users.fullName })
    .from(events)
    .leftJoin(users, eq(users.id, events.actorId))
    .where(and(eq(events.entity, entity), eq(events.entityId, id), notInArray(events.name, asides), within))
    .orderBy(desc(events.id))
    .limit(1)
  return last && saveWords(nameFor(actor, last), last.at, new Date())
}

function nameFor(actor: Mover, { by, name }: { by: string | null; name: string | null }): string {
  if (by === null) return 'El sistema guardó'
  if (actor !== 'system' && by === actor.id) return 'Guardaste en otra ventana'
  return actor !== 'system' && isStaff(actor) && !isAlly(actor) && name
    ? `${name} guardó`
    : 'Alguien más guardó'
}

/** Refuses what was meant for an earlier version: who saved since, and when. */
export async function refuseVersion(db: Queryable, actor: Mover, about: Record): Promise<never> {
  const saved = await lastSave(db, actor, about)
  throw new Refusal('aborted', saved ? { description: `${saved.replace(/\.$/, '')}. ${overtakenWords}` } : {})
}

const overtakenWords = 'Revisa lo que cambió y vuelve a intentarlo.'

/** Refuses a form that was read in another version of a record than the one that is stored. */
export async function assertVersion(
  db: Queryable,
  actor: Mover,
  entity: string,
  { id, version }: { id: string; version: number | null },
  seen: number | null,
): Promise<void> {
  if (version !== seen) await refuseVersion(db, actor, { entity, id })
}
