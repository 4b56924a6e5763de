import { withDatabase } from './database.ts'

/** Lets the analyst of a call sign in, with the demo data's password; answers the e-mail. */
export const analystOf = (call: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string; email: string }>(
      `update users set active = true, name = 'Andrea' from appointments
       where appointments.id = $1 and users.id = assignee_id returning users.id, users.email`,
      [call],
    )
    const { id, email } = rows[0]!
    await client.query(
      `insert into accounts (user_id, account_id, provider_id, password)
       select $1::uuid, $1::text, 'credential', password from accounts join users on users.id = user_id where email = 'analista@demo.mx'`,
      [id],
    )
    return email
  })
