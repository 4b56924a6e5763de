import { beforeAll, describe, expect, test } from 'vitest'
import routes from '../../src/web/routes.ts'
import { openBare, world } from '../kit/open.ts'
import { everyModule } from '../kit/world.ts'
import { type Cast, nameless, openCast, signedOut, type Who } from './cast.ts'
import { plantOutsideScreens } from './planted.ts'

openBare({ ...everyModule, ROLE: 'web' })
let cast: Cast
let rows: Record<string, string>
beforeAll(async () => {
  cast = await openCast(world)
  rows = await plantOutsideScreens(world, cast)
}, 60_000)

/**
 * Every address that is no screen, and who may read what it names. "-" is not found, a path is where whoever asks is led.
 * A visit of 31 days ago is its technician's no more, one in 61 days not yet, and whoever is chosen and not confirmed knows
 * of nothing. Sockets of calls are asked for in test/calls/outsiders.test.ts, the interface of dealerships in test/integrations/public-api.
 */
const table = `
address                                                customer customer2 manager analyst technician technician2 gester ally  ally2
/calendar/{visit}.ics                                  200      -         -       -       200        -           -      -     -
/calendar/{done}.ics                                   200      -         -       -       200        -           -      -     -
/calendar/{old}.ics                                    200      -         -       -       -          -           -      -     -
/calendar/{far}.ics                                    -        -         -       -       -          -           -      -     -
/calendar/{provisional}.ics                            -        -         -       -       -          -           -      -     -
/calendar/{nobody}.ics                                 -        -         -       -       -          -           -      -     -
/calendar/feed/{feed}.ics                              200      200       200     200     200        200         200    200   200
/calendar/feed/{nobody}.ics                            -        -         -       -       -          -           -      -     -
/visita/{shared}                                       200      200       200     200     200        200         200    200   200
/visita/{shared}/foto                                  200      200       200     200     200        200         200    200   200
/visita/{nobody}                                       -        -         -       -       -          -           -      -     -
/visita/{nobody}/foto                                  -        -         -       -       -          -           -      -     -
/garantia/{proof}                                      200      200       200     200     200        200         200    200   200
/garantia/{nobody}                                     -        -         -       -       -          -           -      -     -
/files/{photo}/full                                    -        -         200     200     200        -           -      -     -
/files/{oldPhoto}/list                                 200      -         200     200     -          -           200    -     -
/files/{visit}/portrait                                200      -         -       -       -          -           -      -     -
/files/{done}/portrait                                 -        -         -       -       -          -           -      -     -
/files/{provisional}/portrait                          -        -         -       -       -          -           -      -     -
/files/{technician}/portrait                           -        -         200     -       200        -           -      -     -
/documents/{document}                                  200      -         200     200     -          -           -      -     -
/handover/{installed}.pdf                              200      -         200     200     200        -           -      -     -
/handover/{done}.pdf                                   -        -         -       -       -          -           -      -     -
/papers/quote/{quote}.pdf                              200      -         200     200     -          -           -      -     -
/papers/receipt/{payment}.pdf                          200      -         200     200     -          -           -      -     -
/papers/code/{code}.pdf                                -        -         200     200     -          -           -      200   -
/papers/solicitud/{case}.pdf                           200      -         200     200     -          -           200    -     -
/papers/carta-poder/{case}.pdf                         200      -         200     200     -          -           200    -     -
/papers/tramites/{case}.pdf                            -        -         200     -       -          -           200    -     -
/papers/commissions/{agency}~{month}.pdf               -        -         200     -       -          -           -      200   -
/invoices/{invoice}.json                               -        -         200     200     -          -           -      -     -
/admin/agency/{agency}/comisiones.csv?mes={month}      -        -         200     -       -          -           -      200   -
/admin/agency/{agency}/clientes-por-etapa.csv          /        /         200     200     -          -           -      200   -
/admin/agency/{agency}/instalaciones-por-mes.csv       /        /         200     200     -          -           -      200   -
/admin/agency/{agency}/comisiones-por-mes.csv          /        /         200     -       -          -           -      200   -
/admin/appointments-pending.csv                        -        -         200     200     -          -           -      -     -
/admin/appointments-done.csv                           -        -         200     200     -          -           -      -     -
/admin/cotizations.csv                                 -        -         200     200     -          -           -      -     -
/admin/alliate/clients.csv                             -        -         -       -       -          -           -      200   200
/admin/payments.csv                                    -        -         200     200     -          -           -      -     -
/admin/gesties.csv                                     -        -         200     -       -          -           -      -     -
/admin/clients.csv                                     /        /         200     200     /admin     /admin      -      /admin /admin
/admin/cifras/dias-por-etapa.csv                       /        /         200     200     -          -           -      -     -
/admin/cifras/ingresos-por-mes.csv                     /        /         200     200     -          -           -      -     -
/admin/buscar.json?q=Camila                            /        /         200     200     200        200         200    200   200
/account/data                                          200      200       -       -       -          -           -      -     -
/account/data.zip                                      200      200       -       -       -          -           -      -     -
/onsite/day                                            403      403       403     403     200        200         403    403   403
/live                                                  200      200       200     200     200        200         200    200   200
/v1/session                                            200      200       200     200     200        200         200    200   200
/v1/token                                              -        -         -       -       -          -           -      -     -
`
const [header = [], ...lines] = table
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/))

const addressOf = (pattern: string) => pattern.replace(/\{(\w+)\}/g, (_, row: string) => rows[row]!)

async function answered(address: string, who: Who): Promise<number | string> {
  const { id } = cast[who] as { id?: string }
  const answer = await world.open(addressOf(address), cast[who], { 'x-person': id ?? '' })
  await answer.body?.cancel()
  return answer.headers.get('location') ?? answer.status
}

describe('who may read what no screen shows', () => {
  test.each(lines)('%s', async (pattern, ...cells) => {
    const people = header.slice(1) as Who[]
    const got = []
    for (const who of people) got.push([who, await answered(pattern!, who)])
    expect(got).toEqual(
      people.map((who, at) => [who, cells[at] === '-' ? 404 : Number(cells[at]) || cells[at]]),
    )
  })
})

describe('where a second factor is required', () => {
  // They say who is signed in, and what an ally's secret link reads in any browser.
  const stays = ['/v1/session', '/calendar/feed/{feed}.ics']

  test.each(['manager', 'analyst'] as const)('a %s without one reads nothing of it', async (who) => {
    const strict = world.under({ ...everyModule, ROLE: 'web', REQUIRE_2FA: 'true' })
    const { id } = cast[who]
    for (const [pattern] of lines.filter(([one]) => !stays.includes(one!))) {
      const answer = await strict.open(addressOf(pattern!), cast[who], { 'x-person': id })
      await answer.body?.cancel()
      const got = answer.headers.get('location') ?? answer.status
      expect([pattern, got]).toEqual([pattern, expect.toBeOneOf(['/admin/account', 403])])
    }
    for (const screen of [
      '/admin',
      '/',
      '/admin/users',
      '/call/x/socket',
      '/nowhere',
      '/DOCUMENTS/x',
      '/%61dmin',
    ])
      expect([screen, (await strict.visit(screen, cast[who])).location]).toEqual([screen, '/admin/account'])
    expect((await strict.data('/admin/users', cast[who])).location).toBe('/admin/account')
    for (const open of ['/admin/account', '/healthz', '/v1/session', '/v1/projects'])
      expect([open, (await strict.visit(open, cast[who])).status]).toEqual([open, 200])
  })

  test('others are not held', async () => {
    const strict = world.under({ ...everyModule, ROLE: 'web', REQUIRE_2FA: 'true' })
    for (const who of ['customer', 'technician', 'gester', 'ally'] as const) {
      const answer = await strict.open('/live', cast[who])
      await answer.body?.cancel()
      expect([who, answer.status]).toEqual([who, 200])
    }
  })
})

/** What is nobody's in particular, or says only who asks; and the links whose secret is what they ask for. */
const open = [
  '/v1/session',
  '/calendar/feed/{feed}.ics',
  '/visita/{shared}',
  '/visita/{shared}/foto',
  '/garantia/{proof}',
]

describe('whoever is signed out or has no name yet reads nothing of it', () => {
  const closed = lines.map(([pattern]) => pattern!).filter((pattern) => !open.includes(pattern))
  test.each(signedOut)('%s', async (who) => {
    for (const pattern of closed)
      expect([pattern, await answered(pattern, who)]).toEqual([
        pattern,
        expect.toBeOneOf(['/signin', 401, 404]),
      ])
  })

  test.each(nameless)('%s', async (who) => {
    // Their own, which tells of nobody else.
    const own = ['/live', '/account/data', '/account/data.zip']
    for (const pattern of closed.filter((one) => !own.includes(one)))
      expect([pattern, await answered(pattern, who)]).toEqual([
        pattern,
        expect.toBeOneOf(['/completion', 403, 404]),
      ])
  })
})

test('every route outside the layouts is in the table', () => {
  // They change something, or lead somewhere, and give nothing to read.
  const notRead = ['signout', 'v1/session/:operation', '*']
  // The same for everybody, but for the shortcuts of one's own menu.
  notRead.push('app.webmanifest', 'robots.txt', 'sitemap.xml')
  notRead.push('session/provider/start', 'session/callback/oidc', 'session/provider/done')
  const known = lines.map(([pattern]) => pattern!.slice(1).split('?')[0]!)
  const outside = routes.filter(({ children }) => !children).map(({ path = '' }) => path)
  expect(outside.length).toBeGreaterThan(20)
  const isKnown = (path: string) => {
    const shape = new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    return known.some((one) => shape.test(one))
  }
  expect(outside.filter((path) => !notRead.includes(path) && !isKnown(path))).toEqual([])
})
