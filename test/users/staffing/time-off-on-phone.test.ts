import { expect, test } from 'vitest'
import { timeOff } from '../../../src/server/platform/database/schema/accounts.ts'
import { hour, minute } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, rowsIn, trailOf } from '../../kit/reading.ts'
import { workday } from '../../kit/users.ts'

openEach()

const form = { from: workday(), to: workday(), reason: 'Boda de mi hermana' }
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

async function press(who: Person, move: string, form: object, at = ago(minute)) {
  const { status, text } = await world.send('/onsite/time-off', who, {
    method: 'POST',
    headers: { origin: 'http://carga.test', 'content-type': 'application/json', 'x-person': who.id },
    body: JSON.stringify({ move, at, form }),
  })
  return { status, said: JSON.parse(text) as { description?: string } }
}
const offOf = ({ id }: Person) => rowsIn(world, timeOff, { personId: id })

test('asked for on a phone, it is one however often it comes, and its reason is in no event', async () => {
  const { technician } = people
  const at = ago(20 * hour)
  expect((await press(technician, 'askTimeOff', form, at)).status).toBe(200)
  // The answer was lost; and another phone of the same person asked for the same.
  expect((await press(technician, 'askTimeOff', form, at)).status).toBe(200)
  expect((await press(technician, 'askTimeOff', form)).status).toBe(200)
  const [row, ...more] = await offOf(technician)
  expect([row?.reason, more]).toEqual([form.reason, []])
  expect(await emailsAbout(world, row!.id)).toEqual(['time_off_asked to managers'])
  const { rows } = await world.db.$client.query('select data from events where name = $1', ['ask_time_off'])
  expect(rows).toMatchObject([{ data: { pressedAt: at } }])
  expect(JSON.stringify(rows)).not.toContain(form.reason)
})

test('only who carries appointments out on site asks so, and for nobody else', async () => {
  const { analyst, customer, manager, technician, technician2 } = people
  for (const who of [analyst, customer, manager])
    expect((await press(who, 'askTimeOff', form)).status, who.email).toBe(403)
  const { status } = await press({ ...technician2, id: technician.id }, 'askTimeOff', form)
  expect([status, await offOf(technician), await offOf(technician2)]).toEqual([403, [], []])
})

test('what can’t be asked for is refused in words, and changes nothing', async () => {
  const { technician } = people
  const cases = [
    [{ ...form, from: '2024-01-02', to: '2024-01-03' }, ago(minute), 'Esas fechas ya pasaron.'],
    [form, ago(73 * hour), 'Llama a la gerencia para registrarlo.'],
    [form, ago(-hour), 'La hora de tu teléfono va adelantada.'],
  ] as const
  for (const [wish, at, words] of cases) {
    const { said, status } = await press(technician, 'askTimeOff', wish, at)
    expect([status >= 400, said.description]).toEqual([true, expect.stringContaining(words)])
  }
  expect(await offOf(technician)).toEqual([])
  await press(technician, 'askTimeOff', form)
  const longer = await press(technician, 'askTimeOff', { ...form, to: workday(1) })
  expect([longer.status, longer.said.description]).toEqual([409, expect.stringContaining('Elige otras')])
})

test('withdrawn on two phones, it is withdrawn once, when it was pressed first; an answered one stays', async () => {
  const { technician, technician2 } = people
  await press(technician, 'askTimeOff', form)
  const [row] = await offOf(technician)
  const wish = { timeOffId: row!.id }
  expect((await press(technician2, 'withdrawTimeOff', wish)).status).toBe(404)
  const at = ago(2 * hour)
  expect((await press(technician, 'withdrawTimeOff', wish, at)).status).toBe(200)
  expect((await press(technician, 'withdrawTimeOff', wish)).status).toBe(200)
  expect(await offOf(technician)).toMatchObject([{ withdrawnAt: new Date(at) }])
  expect(await trailOf(world, technician)).toEqual(['ask_time_off', 'withdraw_time_off'])

  await press(technician, 'askTimeOff', form)
  const again = (await offOf(technician)).find(({ withdrawnAt }) => withdrawnAt === null)!
  await world.db.$client.query('update time_off set refused_at = now(), refused_reason = $2 where id = $1', [
    again.id,
    'Ese día no.',
  ])
  const late = await press(technician, 'withdrawTimeOff', { timeOffId: again.id })
  expect([late.status, late.said.description]).toEqual([409, expect.stringContaining('Ya te respondieron')])
})
