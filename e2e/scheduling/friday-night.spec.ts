import path from 'node:path'
import {
  addDays,
  daysFrom,
  isHoliday,
  minuteAt,
  toDate,
  toMinutes,
} from '../../src/domain/shared/calendar.ts'
import { newestEmails } from '../../src/server/notifications/transport.ts'
import { withDatabase } from '../kit/database.ts'
import { movable, startOwnServer, startTime } from '../kit/own-server.ts'
import { newCustomer, signIn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

let server: Awaited<ReturnType<typeof startOwnServer>>
test.beforeAll(async () => {
  test.setTimeout(startTime())
  const port = Number(process.env.E2E_PORT ?? 3210) + 700
  server = await startOwnServer(port, { DEMO: 'true', ...movable })
})
test.afterAll(() => server?.stop())

/** A Friday of the next weeks whose Monday is no holiday. */
const friday = daysFrom(toMinutes(new Date()), 40).find(
  ({ date, weekday }, ahead) => ahead > 3 && weekday === 4 && !isHoliday(addDays(date, 3), []),
)!.date
const monday = addDays(friday, 3)

const clockTo = (date: string, time: string) => server.clockTo(toDate(minuteAt(date, time)))

/** The round that comes every five minutes, at once; over when this answers. */
const confirmingRound = () =>
  withDatabase(async (client) => {
    const made = await client.query<{ id: string }>(
      `insert into pgboss.job (name, data) select 'confirm-provisional', '{}' from pg_notify('jobs', '') returning id`,
    )
    await expect
      .poll(
        async () => {
          const { rows } = await client.query(`select state from pgboss.job where id = $1`, [
            made.rows[0]!.id,
          ])
          return rows[0]?.state
        },
        { timeout: 15_000 },
      )
      .toBe('completed')
  }, server.folder)

const lettersTo = async (email: string) =>
  (await newestEmails(path.join(server.folder, 'outbox')))
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject)

test('booked on a Friday night for Monday, and touched by nobody: on Sunday evening somebody is sure to come', async ({
  arrive,
}) => {
  await clockTo(friday, '22:30')
  const page = await arrive({ baseURL: server.origin })
  const email = await newCustomer(page)
  await page.goto(`/agenda-technics-visit?dia=${monday}`)
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(page).toHaveURL('/technics-visit?agendada')
  const folio = (await page.getByText(/^VT-\d{4}-\d{5}$/).textContent()) ?? ''
  const visit = page.getByRole('main')
  await clockTo(addDays(friday, 2), '12:00')
  await confirmingRound()
  await page.reload()
  await expect(visit).toContainText('Te avisamos quién te visita')

  await clockTo(addDays(friday, 2), '18:05')
  await confirmingRound()
  await expect(visit).not.toContainText('Te avisamos quién te visita')
  await expect
    .poll(() => lettersTo(email), { timeout: 15_000 })
    .toContain(`Ya sabemos quién te atiende en tu visita técnica (${folio})`)

  const { name, technicianEmail } = await withDatabase(async (client) => {
    const { rows } = await client.query(
      `select name, email as "technicianEmail" from users where id = (select assignee_id from appointments where folio = $1)`,
      [folio],
    )
    return rows[0]
  }, server.folder)
  await expect(visit).toContainText(name)
  const technician = await arrive({ baseURL: server.origin })
  await signIn(technician, technicianEmail)
  await technician.goto(`/admin/appointments-pending?text=${folio}`)
  await expect(technician.getByRole('link', { name: folio })).toBeVisible()
})
