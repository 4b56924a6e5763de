import type pg from 'pg'
import { sectionsOf } from '../../src/reports/rules/progress.ts'
import { completeAnswers } from '../../test/kit/complete-sheet.ts'
import { withDatabase } from './database.ts'

/** An appointment that the demo's technician carried out yesterday at the customer's; answers its id. */
export async function wasDone(client: pg.Client, email: string, service: 'technical_visit' | 'installation') {
  const { rows } = await client.query<{ id: string }>(
    `insert into appointments (folio, service, customer_id, project_id, assignee_id, starts_at, minutes, municipality, state,
       outcome, confirmed_at, started_at, finished_at, request_key, request_digest)
     select next_folio(case $2 when 'installation' then 'IN' else 'VT' end, 2026), $2, users.id, projects.id, (select id from users where email = 'tecnico@demo.mx'),
       now() - interval '1 day', 60, 'benito-juarez', 'done', 'completed', now(), now() - interval '1 day',
       now() - interval '23 hours', gen_random_uuid(), ''
     from users join projects on projects.customer_id = users.id where users.email = $1 returning id`,
    [email, service],
  )
  return rows[0]!.id
}

/** `photos`: each that is asked for, as a row without its picture. */
type VisitInput = { answers?: object; photos?: boolean; state?: 'approved' | 'submitted' }

/** A visit of the customer's, made yesterday, with its report approved, or still to be reviewed; answers its id. */
export const wasVisited = (
  email: string,
  { answers = {}, photos = false, state = 'approved' }: VisitInput = {},
) =>
  withDatabase(async (client) => {
    const id = await wasDone(client, email, 'technical_visit')
    await client.query(
      `insert into sheets (appointment_id, kind, state, submitted_at, submitted_by, reviewed_at, reviewed_by)
       select id, 'visit', $2, now(), assignee_id, case $2 when 'approved' then now() end,
         case $2 when 'approved' then assignee_id end
       from appointments where id = $1`,
      [id, state],
    )
    await client.query(
      `insert into sheet_answers (appointment_id, name, value, changed_at, changed_by)
       select $1, answer.key, answer.value, now(), assignee_id from appointments, jsonb_each($2) answer
       where id = $1 and answer.value <> 'null'`,
      [id, JSON.stringify({ ...completeAnswers.visit, ...answers })],
    )
    if (photos)
      await client.query(
        `insert into files (id, appointment_id, slot, sent_sha256, sha256, type, bytes, width, height, captured_at, uploaded_by)
         select gen_random_uuid(), id, slot, repeat('a', 64), repeat('a', 64), 'image/jpeg', 1, 4, 3, now() - interval '23 hours', assignee_id
         from appointments, unnest($2::text[]) slot where id = $1`,
        [id, sectionsOf.visit.flatMap(({ slots }) => slots)],
      )
    return id
  })
