import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseEnv } from '../../src/app/env.ts'
import { arrivalFor, roadMinutes } from '../../src/dispatch/arrival.ts'
import { arrivalOf, notBefore, wayByDistricts } from '../../src/dispatch/rules/arrival.ts'
import { zoneOf } from '../../src/scheduling/roster.ts'
import { defaultTravel, travelBetween } from '../../src/scheduling/rules/roster.ts'
import { minute, type Visit, visitAtHome } from '../kit/appointments.ts'
import { db, newPerson, openOnce, technician } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

openOnce()

const tomorrow = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 86_400_000
/** Minutes after ten in the morning of tomorrow, in Mexico City. */
const at = (minutes: number) => new Date(tomorrow + 16 * 60 * minute + minutes * minute)
const clock = ({ from, to }: { from: Date; to: Date }) =>
  [from, to].map((moment) => (moment.getTime() - at(0).getTime()) / minute)

test('announces no arrival before the time a technician gave', () => {
  const span = { from: at(20), to: at(35) }
  expect(clock(notBefore(span, at(40))!)).toEqual([40, 50])
  expect(notBefore(span, at(10))).toBe(span)
  expect(notBefore(span, null)).toBe(span)
  expect(notBefore(null, at(40))).toBeNull()
})

test.each<[what: string, minutes: number, now: number, from: number, to: number]>([
  ['just left', 48, 0, 50, 65],
  ['half way', 33, 20, 35, 45],
  ['late: it moves with now', 33, 47, 50, 60],
  ['next door', 0, 0, 5, 15],
  ['longer than is believed', 900, 0, 120, 160],
])('the time of arrival of a technician %s: %s minutes, at %s', (_, minutes, now, from, to) =>
  expect(clock(arrivalOf({ since: at(0), minutes }, at(now)))).toEqual([from, to]),
)

test('the time of arrival is never before now, on five minutes, and at least ten wide', () => {
  for (let now = 0; now < 240; now += 1.75)
    for (const minutes of [0, 12, 55.5, 300]) {
      const [from = 0, to = 0] = clock(arrivalOf({ since: at(0), minutes }, at(now)))
      expect(from).toBeGreaterThanOrEqual(now)
      expect(to - from).toBeGreaterThanOrEqual(10)
      expect([from % 5, to % 5]).toEqual([0, 0])
    }
})

test('the time of arrival is the agreed start without a visit before, if there is time', () => {
  const way = (between: number | null, setOut = 0) =>
    wayByDistricts({ setOutAt: at(setOut), startsAt: at(40) }, { between, within: 15 })
  expect([way(25), way(null), way(null, 50)]).toEqual([25, 40, 15])
})

type Reply = { status?: number; body: string; wait?: number }
let server: Server
let url: string
let reply: Reply
let asked: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url!)
    setTimeout(() => response.writeHead(reply.status ?? 200).end(reply.body), reply.wait ?? 0)
  })
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  asked = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const said = (seconds: number | null) => JSON.stringify({ code: 'Ok', durations: [[seconds]] })
let nth = 0
/** Two places not asked about yet. */
const places = () =>
  [
    { latitude: 19.3, longitude: -99.1 - ++nth / 1000 },
    { latitude: 19.4, longitude: -99.2 },
  ] as const
const ask = (now = at(0), [from, to] = places()) => roadMinutes(url, from, to, now)

test('road times are asked of OSRM’s table service, once in five minutes', async () => {
  reply = { body: said(1_530) }
  const pair = places()
  expect([await ask(at(0), pair), await ask(at(4), pair)]).toEqual([25.5, 25.5])
  expect(asked).toEqual([
    `/table/v1/driving/${pair[0].longitude.toFixed(4)},19.3000;-99.2000,19.4000?sources=0&destinations=1&annotations=duration`,
  ])
  await ask(at(6), pair)
  expect(asked).toHaveLength(2)
})

test.each<[string, Reply]>([
  ['no road', { body: said(null) }],
  ['an error', { status: 500, body: said(60) }],
  ['no JSON', { body: '<html>' }],
  ['another shape', { body: '{"durations":60}' }],
  ['a negative time', { body: said(-1) }],
  ['far too much', { body: `${said(60)}${' '.repeat(20_000)}` }],
  ['nothing in time', { body: said(60), wait: 4_000 }],
  ['elsewhere', { status: 302, body: '' }],
])('road times are unknown when the service answers %s', async (_, answer) => {
  reply = answer
  expect(await ask()).toBeNull()
})

test('road times refuse to start with a malformed ROUTING_URL', () => {
  expect(parseEnv({}).routing).toBeNull()
  expect(parseEnv({ ROUTING_URL: 'https://rutas.test/' }).routing).toBe('https://rutas.test')
  for (const wrong of ['rutas', 'ftp://rutas.test', 'https://rutas.test/?x=1'])
    expect(() => parseEnv({ ROUTING_URL: wrong })).toThrow('ROUTING_URL')
})

describe('a customer reads when their technician arrives', () => {
  let customer: Person
  let visit: Visit
  beforeAll(async () => {
    const { id: assigneeId } = technician
    const neighbour = await newPerson()
    customer = await newPerson()
    await visitAtHome(neighbour, at(-60), {
      assigneeId,
      state: 'done',
      municipality: 'tlalpan',
    })
    visit = await visitAtHome(customer, at(60), {
      assigneeId,
      state: 'en_route',
      setOutAt: at(5),
      municipality: 'coyoacan',
    })
  })
  const arrival = (routing: string | null = null, whose = customer, now = at(5)) =>
    arrivalFor(db, routing, whose.actor, visit.id, now)

  test('by district times from the visit before, by road where the service answers', async () => {
    const way = travelBetween(defaultTravel(), zoneOf('tlalpan'), zoneOf('coyoacan'))
    expect(await arrival()).toEqual(arrivalOf({ since: at(5), minutes: way }, at(5)))
    reply = { body: said(3_000) }
    expect(await arrival(url)).toEqual(arrivalOf({ since: at(5), minutes: 50 }, at(5)))
    expect(asked).toHaveLength(1)
    reply = { status: 503, body: '' }
    expect(await arrival(url, customer, at(30))).toEqual(arrivalOf({ since: at(5), minutes: way }, at(30)))
    expect(await arrival(null, await newPerson())).toBeNull()
  })
})
