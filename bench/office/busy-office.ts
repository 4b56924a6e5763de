import { withDatabase } from '../../e2e/kit/database.ts'
import { firstDay, many, technician, visit } from '../../e2e/kit/team.ts'
import { addDays } from '../../src/shared/calendar.ts'

/**
 * What an office finds in the morning: a technician with six visits on a day and four colleagues who can stand in, and
 * seven assignments that wait for somebody to confirm them; with those of a full day they are nine. What was proposed
 * before is confirmed.
 */
export const busyOffice = () =>
  withDatabase(async (client) => {
    await client.query(
      `update appointments set state = 'assigned', confirmed_at = now() where state = 'requested' and assignee_id is not null and starts_at > now()`,
    )
    const date = firstDay(2, 7)
    const people: Awaited<ReturnType<typeof technician>>[] = []
    for (const name of many.slice(0, 5)) people.push(await technician(client, name, 2))
    const [ill, ...others] = people
    for (const [n, time] of ['09:00', '10:30', '12:00', '13:30', '15:00', '16:30'].entries())
      await visit(client, ill!.id, date, { time, name: many[n]! })
    const proposed = [
      ...[...others, ill!].map(({ id }) => [id, '11:00']),
      [others[0]!.id, '14:00'],
      [others[1]!.id, '14:00'],
    ]
    for (const [n, [id, time]] of proposed.entries())
      await visit(client, id!, addDays(date, 1), {
        time: time!,
        state: 'requested',
        name: many[(n + 6) % 12]!,
      })
    return { date, ill: ill! }
  })
