import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Role, StaffKind } from '../../domain/access/actor.ts'
import { isId } from '../platform/database/ids.ts'
import { escapeLike } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/account-schema.ts'

/** What narrows a list of people. `text` is looked for in name, last name, e-mail and phone, without regard to accents. */
export type UserFilters = { text?: string; role?: Role; kind?: StaffKind; active?: boolean; agency?: string }

/** The condition that filters are. */
export const within = ({ text = '', role, kind, active, agency }: UserFilters): SQL | undefined =>
  and(
    ...wordsOf(text).map(mentions),
    role && eq(users.role, role),
    kind && eq(users.kind, kind),
    active === undefined ? undefined : eq(users.active, active),
    agency === undefined ? undefined : isId(agency) ? eq(users.agencyId, agency) : sql`false`,
  )

/** The words to look for, each somewhere; a phone is one word however its digits are grouped. */
function wordsOf(text: string): string[] {
  if (/^[\d\s()+.-]+$/.test(text)) return [text.replace(/\D/g, '')].filter(Boolean)
  return text.split(/\s+/).filter(Boolean).slice(0, 8)
}

const searchable = sql.raw('users.searchable')
const mentions = (word: string) => sql`${searchable} like '%' || plain_text(${escapeLike(word)}) || '%'`

const lastname = sql`coalesce(${users.lastname}, '') collate es`
const key = sql`(${users.name} is null), (coalesce(${users.name}, '') collate es), (${lastname}), ${users.id}`

/** By name and last name as a Mexican dictionary does; whoever has no name yet comes last. */
export const byName = [key]

/** What comes after the user of that id, in that order. */
export const afterUser = (id: string): SQL =>
  isId(id) ? sql`row(${key}) > (select ${key} from users where users.id = ${id}::uuid)` : sql`true`
