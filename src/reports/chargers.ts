import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, databaseFault, queryRows, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { chargers } from '../platform/database/schema/appointments.ts'
import { configures } from '../settings/rules/settings.ts'
import { localDay } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import { chargerState } from './rules/charger.ts'
import type { MovedCharger, ReceivedCharger } from './rules/schema.ts'

/** The most that the list shows: those of no home first, then the newest. */
const MOST = 500

export type ListedCharger = {
  id: string | null
  brand: string
  model: string | null
  serial: string
  cost: number | null
  receivedOn: string | null
  returnedOn: string | null
  holder: string | null
  appointmentId: string | null
  folio: string | null
}

/** The chargers with the installation whose record names each, and the serials of records that were never received. */
export async function listChargers(db: Db, actor: Actor) {
  if (!configures(actor)) refuse('permission-denied')
  const rows = await queryRows<[ListedCharger]>(
    db,
    sql`select json_build_object('id', c.id, 'brand', coalesce(c.brand, s.charger_brand), 'model', c.model,
        'serial', coalesce(c.serial, s.charger_serial), 'cost', c.cost, 'receivedOn', c.received_on, 'returnedOn', c.returned_on,
        'holder', u.full_name, 'appointmentId', a.id, 'folio', a.folio)
      from chargers c full join (select * from sheets where charger_serial is not null and charger_brand is not null) s
        on lower(s.charger_brand) = lower(c.brand) and upper(s.charger_serial) = upper(c.serial)
      left join users u on u.id = c.holder_id left join appointments a on a.id = s.appointment_id
      left join projects p on p.id = a.project_id
      where c.id is not null or s.created_at >= (select min(created_at) from chargers)
        and coalesce(p.charger->>'origin', '') not in ('own', 'dealership')
      order by c.id is null desc, a.id is not null, c.received_on desc, a.starts_at desc, c.id limit ${sql.raw(`${MOST}`)}`,
  )
  return rows.map(([row]) => ({ ...row, state: chargerState({ ...row, isReceived: row.id !== null }) }))
}

/** Whom a charger can be given to. */
export const chargerHolders = (db: Db) =>
  db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(and(eq(users.kind, 'tecnician'), users.active))
    .orderBy(asc(users.fullName))

/** Takes a charger into the store. */
export async function receiveCharger(db: Db, actor: Actor, received: ReceivedCharger): Promise<void> {
  if (!configures(actor)) refuse('permission-denied')
  try {
    await db.insert(chargers).values(received)
  } catch (error) {
    if (databaseFault(error).constraint !== 'chargers_serial_once') throw error
    const message = 'Esa serie de esa marca ya tiene entrada.'
    refuse('already-exists', message, { errors: { serial: message } })
  }
}

/** Gives a charger to a technician, or takes it back to the store or to who sold it; an installed one stays. */
export async function moveCharger(
  db: Db,
  actor: Actor,
  { chargerId, to }: MovedCharger,
  now: Date,
): Promise<void> {
  if (!configures(actor)) refuse('permission-denied')
  const holderId = to === 'store' || to === 'returned' ? null : to
  await transaction(db, async (tx) => {
    const [holder] = holderId
      ? await tx
          .select()
          .from(users)
          .where(and(eq(users.id, holderId), eq(users.kind, 'tecnician'), users.active))
      : []
    if (holderId && !holder) refuse('failed-precondition', 'Esa persona ya no instala. Elige otra.')
    const isFree = sql`not exists (select from sheets where lower(charger_brand) = lower(${chargers.brand})
      and upper(charger_serial) = upper(${chargers.serial}))`
    const moved = await tx
      .update(chargers)
      .set({ holderId, returnedOn: to === 'returned' ? localDay(now) : null })
      .where(and(eq(chargers.id, chargerId), isFree))
      .returning()
    if (moved.length === 0) refuse('failed-precondition', 'Ese cargador ya está instalado, o ya no está.')
  })
}
