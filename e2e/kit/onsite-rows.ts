import { withDatabase } from './database.ts'

/** What the server has of the visit with this folio. */
export const onServer = (folio: string) =>
  withDatabase(async (client) => {
    const { rows: visits } = await client.query<{ id: string; state: string }>(
      'select id, state from appointments where folio = $1',
      [folio],
    )
    const [{ id, state }] = visits as [{ id: string; state: string }]
    const of = <Row extends object>(sql: string) =>
      client.query<Row & Record<string, unknown>>(sql, [id]).then(({ rows }) => rows)
    const answers = await of<{ name: string; value: unknown }>(
      'select name, value from sheet_answers where appointment_id = $1',
    )
    const files = await of<{ slot: string; captured_at: Date; arrived_at: Date; sent_sha256: string }>(
      'select slot, captured_at, arrived_at, sent_sha256 from files where appointment_id = $1 order by slot',
    )
    const sheets = await of<{ state: string }>('select state from sheets where appointment_id = $1')
    const moves = await of<{ name: string; pressed: string | null }>(
      `select name, data ->> 'pressedAt' as pressed from events
       where entity = 'appointment' and entity_id = $1 and to_state is not null order by id`,
    )
    return {
      id,
      state,
      files,
      sheets,
      moves,
      answers: Object.fromEntries(answers.map(({ name, value }) => [name, value])),
    }
  })

/** Answers of a report as its technician gave them on an earlier visit to the screen. */
export const answered = (folio: string, answers: Record<string, unknown>) =>
  withDatabase((client) =>
    client.query(
      `with begun as (insert into sheets (appointment_id, kind) select id, 'visit' from appointments where folio = $1)
       insert into sheet_answers (appointment_id, name, value, changed_at, changed_by)
       select appointments.id, key, value, now(), assignee_id from appointments, jsonb_each($2) where folio = $1`,
      [folio, JSON.stringify(answers)],
    ),
  )

/** Somebody at the office changes an answer. */
export const officeChanges = (folio: string, name: string, value: unknown) =>
  withDatabase((client) =>
    client.query(
      `update sheet_answers set value = $3, revision = revision + 1, changed_at = now(),
         changed_by = (select id from users where email = 'analista@demo.mx')
       where appointment_id = (select id from appointments where folio = $1) and name = $2`,
      [folio, name, JSON.stringify(value)],
    ),
  )

/** The pictures that the server has of an appointment, by slot, each with why it was kept nonetheless. */
export const keptOf = (folio: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ slot: string; kept_because: string | null }>(
      `select slot, kept_because from files join appointments on appointments.id = appointment_id
       where folio = $1 and replaced_at is null order by slot`,
      [folio],
    )
    return rows.map(({ slot, kept_because }) => [slot, kept_because])
  })
