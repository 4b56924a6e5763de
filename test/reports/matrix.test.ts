import { randomUUID } from 'node:crypto'
import { files } from '../../src/platform/database/schema/appointments.ts'
import { noShowSlot } from '../../src/reports/rules/photos.ts'
import type { Visit } from '../kit/appointments.ts'
import { db, fixture, openBare, storeRows } from '../kit/open.ts'
import { completeSheet, fileRow } from '../kit/reports.ts'
import { visitOfToday } from '../security/actions/visit-of-today.ts'
import { everyone, openEveryoneOnce, signedOut, type Who } from '../security/everyone.ts'
import { fingerprint } from '../security/fingerprint.ts'

openBare()
openEveryoneOnce()
let visit: Visit
/** Visits to be ended otherwise than by their report. */
let halfDone: Visit | undefined
let calledOff: Visit | undefined
let missed: Visit | undefined
beforeAll(async () => {
  halfDone = await visitOfToday(everyone, 'in_progress')
  calledOff = await visitOfToday(everyone, 'en_route')
  missed = await visitOfToday(everyone, 'in_progress')
  await storeRows(files, fileRow(missed.id, noShowSlot, everyone.technician.id))
  visit = await visitOfToday(everyone, 'in_progress')
  await completeSheet(visit)
})

type Request = { path: string; body?: object }
const now = () => new Date().toISOString()
const move = (of: Visit | undefined, name: string, form?: object): Request => ({
  path: `${of?.id}/moves`,
  body: { move: name, at: now(), form },
})

/** Everything a phone sends, each with what it would change; in the order in which its technician may do it. */
const requests: Record<string, () => Request> = {
  answers: () => ({
    path: `${visit.id}/answers`,
    body: { changes: [{ name: 'notes', value: 'Otra cosa', base: 0, at: now() }] },
  }),
  pause: () => move(visit, 'pause'),
  resume: () => move(visit, 'resume'),
  submit: () => move(visit, 'submit'),
  'running late': () => move(visit, 'runLate', { minutes: '30' }),
  'half done': () => move(halfDone, 'finish', { outcome: 'partial', reason: 'clima' }),
  'call off': () => move(calledOff, 'callOff', { reason: 'clima' }),
  'no-show': () => move(missed, 'noShow', { called: 'yes', calledAt: '00:00' }),
  'take a picture out': () => ({ path: `${visit.id}/files/${randomUUID()}` }),
}

async function ask(who: Who, { body, path }: Request, as: string) {
  const headers = { origin: 'http://carga.test', 'content-type': 'application/json', 'x-person': as }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { method: 'DELETE', headers }
  return (await fixture.send(`/onsite/${path}`, everyone[who], init)).status
}

const idOf = (who: Who) => {
  const one = everyone[who]
  return 'id' in one ? one.id : randomUUID()
}
const heardBy = (who: Who) => {
  if (who === 'technician2') return 404
  return signedOut.some((one) => one === who) ? 401 : 403
}

test.each(Object.entries(requests))(
  'who sends what a phone sends: %s: nobody but the visit’s own technician',
  async (_name, make) => {
    const others = (Object.keys(everyone) as Who[]).filter((who) => who !== 'technician')
    const before = await fingerprint(db)
    const heard = []
    for (const who of others) heard.push([who, await ask(who, make(), idOf(who))])
    expect(heard).toEqual(others.map((who) => [who, heardBy(who)]))
    // What another person wrote on this phone is not sent in the technician's name.
    expect(await ask('technician', make(), idOf('technician2'))).toBe(403)
    expect(await fingerprint(db)).toEqual(before)
    expect(await ask('technician', make(), idOf('technician'))).toBe(200)
  },
)

const nothing = (origin = 'http://carga.test') =>
  fixture.send('/onsite/nothing', everyone.technician, {
    method: 'POST',
    body: '{}',
    headers: { origin, 'content-type': 'application/json', 'x-person': everyone.technician.id },
  })

test('refuses an unknown path in words, and stores no answer on the way', async () => {
  const { headers, status, text } = await nothing()
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  expect(JSON.parse(text)).toMatchObject({
    code: 'not-found',
    title: expect.any(String),
    description: expect.any(String),
  })
})

test('refuses what another site’s page sends in a technician’s name', async () => {
  expect((await nothing('https://evil.test')).status).toBe(403)
})
