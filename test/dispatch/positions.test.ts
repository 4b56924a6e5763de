import { hearPlaces, placeOnTheWay } from '../../src/dispatch/positions.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { minute, storeVisit, type Visit } from '../kit/appointments.ts'
import {
  db,
  expectNotOnPage,
  fixture,
  manager,
  openEach,
  setRow,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'

let customer: Person
let visit: Visit
/** The next full hour, at which the clock stands still. */
const start = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000)
const at = (minutes: number) => new Date(start.getTime() + minutes * minute)

openEach(async () => {
  customer = await fixture.person()
  const home = await fixture.home(customer)
  visit = await storeVisit(fixture, customer, home, at(60), {
    assigneeId: technician.id,
    state: 'en_route',
    setOutAt: at(0),
  })
  fixture.at(at(0))
})

/** Some eleven kilometres north of the home's municipality: half an hour. */
const far = { latitude: 19.45, longitude: -99.1622 }
const near = { latitude: 19.3501, longitude: -99.1621 }
const share = async (place: unknown, by: Person | null = technician) => {
  const headers = {
    origin: 'http://carga.test',
    'content-type': 'application/json',
    'x-person': by?.id ?? '',
  }
  const body = JSON.stringify({ place })
  const answer = await fixture.send(`/onsite/${visit.id}/position`, by ?? fixture.visitor(), {
    method: 'POST',
    body,
    headers,
  })
  return answer.status
}
const arrives = async () =>
  /Lleg(?:a|amos) entre [^.]*?(\d+:\d\d)/.exec(
    readable(await fixture.visit('/technics-visit', customer)),
  )?.[1]
const minutesOf = (from: string | undefined) => {
  const [hours = 0, minutes = 0] = (from ?? '').split(':').map(Number)
  return (hours % 12) * 60 + minutes
}
/** Minutes from now until the first moment that the page says. */
const minutesLeft = async () => (minutesOf(await arrives()) - (at(0).getUTCHours() + 6) * 60 + 7_200) % 720

test('moves the time of arrival with the phone’s position while it is shared', async () => {
  const unshared = await minutesLeft()
  expect(await share(far)).toBe(200)
  expect(await minutesLeft()).toBe(35)
  fixture.at(at(1))
  expect(await share(near)).toBe(200)
  // Five minutes are the least, from one minute later on.
  expect(await minutesLeft()).toBe(10)
  expect(await share(null)).toBe(200)
  expect(await minutesLeft()).toBe(unshared)
})

test('takes a position on earth from the technician on the way only', async () => {
  for (const [by, status] of [
    [technician2, 404],
    [manager, 403],
    [customer, 403],
    [null, 401],
  ] as const)
    expect(await share(near, by)).toBe(status)
  for (const wrong of [{ latitude: 91, longitude: 0 }, { latitude: 19 }, undefined])
    expect(await share(wrong)).toBe(400)
})

test('forgets the position when the work begins or setting out is undone, and stores it nowhere', async () => {
  await share({ latitude: 19.351234, longitude: -99.161234 })
  const { rows } = await db.$client.query<{ n: number }>(
    `select count(*)::int as n from events where data::text like '%351234%'`,
  )
  expect(rows[0]?.n).toBe(0)
  for (const state of ['in_progress', 'assigned'] as const) {
    await setRow(appointments, visit.id, { state })
    expect(await share(near)).toBe(409)
    await expectNotOnPage('/technics-visit', customer, 'Es un cálculo')
  }
  await setRow(appointments, visit.id, { state: 'en_route' })
  const forgotten = await minutesLeft()
  await share(far)
  fixture.at(at(3))
  expect(await minutesLeft()).toBe(forgotten)
})

test('passes a position to other processes, and its end', async () => {
  // This one's own memory: the application that was built has another.
  const stop = hearPlaces(db)
  const known = () => placeOnTheWay(db, visit.id, at(0))
  try {
    const sharing = async () => {
      const place = known()
      await share(null)
      await share(near)
      return place
    }
    await expect.poll(sharing).toMatchObject({ ...near, at: at(0) })
    await share(null)
    await expect.poll(known).toBeNull()
  } finally {
    await stop()
  }
})
