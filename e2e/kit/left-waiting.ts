import { daysFrom, toMinutes } from '../../src/shared/calendar.ts'
import { withDatabase } from './database.ts'

/** In the first minutes of a day of Mexico City: what was so long ago was another day's, as a room that closes with it. */
export function isRightAfterMidnight(minutes = 15): boolean {
  const now = toMinutes(new Date())
  return now - daysFrom(now, 1)[0]!.start < minutes
}

/** A call of a customer's in an hour, with an analyst whom nobody else can book; answers its id. */
export const callInAnHour = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `with analyst as (
         insert into users (email, email_verified, name, lastname, phone, role, kind, active)
         values (gen_random_uuid() || '@example.mx', true, 'Ausencio', 'Prueba', '5512345678', 'staff', 'analyst', false) returning id
       ), opened as (insert into projects (customer_id) select id from users where email = $1 returning id, customer_id)
       insert into appointments (folio, service, state, customer_id, project_id, assignee_id, confirmed_at, starts_at, minutes,
         interest, request_key, request_digest)
       select next_folio('AV', 2026), 'videocall', 'assigned', customer_id, opened.id, analyst.id, now(), now() + interval '1 hour', 30,
         '01', gen_random_uuid(), '' from opened, analyst returning id`,
      [email],
    )
    return rows[0]!.id
  })

/** Moves such a call so that its customer has been alone in its room for so many minutes, from its start on. */
export const aloneFor = (id: string, minutes: number) =>
  withDatabase((client) =>
    client.query(
      `with since as (select now() - make_interval(secs => $2) as at)
       update appointments set starts_at = since.at, customer_came_at = since.at, customer_waiting_since = since.at from since where id = $1`,
      [id, minutes * 60],
    ),
  )
