import { readFileSync } from 'node:fs'
import routes from '../../src/routes.ts'
import { everyModule, type Fixture } from '../kit/fixture.ts'
import { fixture, openBare } from '../kit/open.ts'
import { everyone, nameless, openEveryoneOnce, signedOut, type Who } from './everyone.ts'
import { plantOutsideScreens } from './planted.ts'

/** Only with these is there a webhook at all. */
const whatsapp = {
  WHATSAPP_TOKEN: 'a-token-of-tests',
  WHATSAPP_PHONE_ID: '1234567890',
  WHATSAPP_VERIFY_TOKEN: 'a-word-of-tests',
  WHATSAPP_APP_SECRET: 'a-secret-of-tests',
}
// Nobody works on jobs here, so it says it is a web process: otherwise it would not be ready.
const environment = { ...everyModule, ...whatsapp, ROLE: 'web' }

openBare(environment)
openEveryoneOnce()
let rows: Record<string, string>
beforeAll(async () => {
  rows = await plantOutsideScreens(everyone)
}, 60_000)

/**
 * Every address that is no screen, and those of a visit's screens, with the roles that may read it. Other roles get 404;
 * after "=" stands the address of a redirect, or the status of a refusal. A technician reads a visit until 30 days after it
 * and from 60 days before it, and not while the assignment is not confirmed. Sockets of calls are tested in
 * test/calls/outsiders.test.ts, the interface of dealerships in test/integrations/public-api.
 */
const lines = `
/admin/appointments-pending/{visit}                 customers=/ gester=/admin manager analyst technician ally
/admin/appointments-pending/{provisional}           customers=/ gester=/admin manager analyst ally
/admin/appointments-pending/{far}                   customers=/ gester=/admin manager analyst ally
/admin/appointments-pending/{nobody}                customers=/ gester=/admin
/admin/appointments-done/{done}                     customers=/ manager analyst technician ally gester
/admin/appointments-done/{old}                      customers=/ manager analyst ally gester
/admin/appointments-done/{nobody}                   customers=/
/admin/assignations/{provisional}                   customers=/ manager others=/admin
/admin/assignations/{nobody}                        customers=/ manager=404 others=/admin
/calendar/{visit}.ics                               customer technician
/calendar/{done}.ics                                customer technician
/calendar/{old}.ics                                 customer
/calendar/{far}.ics                                 nobody
/calendar/{provisional}.ics                         nobody
/calendar/{nobody}.ics                              nobody
/calendar/feed/{feed}.ics                           everybody
/calendar/feed/{nobody}.ics                         nobody
/visita/{shared}                                    everybody
/visita/{shared}/foto                               everybody
/visita/{nobody}                                    nobody
/visita/{nobody}/foto                               nobody
/garantia/{proof}                                   everybody
/garantia/{nobody}                                  nobody
/files/{photo}/full                                 manager analyst technician
/files/{oldPhoto}/list                              customer manager analyst gester
/files/{visit}/portrait                             customer
/files/{done}/portrait                              nobody
/files/{provisional}/portrait                       nobody
/files/{technician}/portrait                        manager technician
/documents/{document}                               customer manager analyst
/documents/{staffPaper}                             manager technician
/handover/{installed}.pdf                           customer manager analyst technician
/handover/{done}.pdf                                nobody
/papers/quote/{quote}.pdf                           customer manager analyst
/papers/receipt/{payment}.pdf                       customer manager analyst
/papers/code/{code}.pdf                             manager analyst ally
/papers/solicitud/{case}.pdf                        customer manager analyst gester
/papers/memoria/{case}.pdf                          nobody
/papers/carta-poder/{case}.pdf                      customer manager analyst gester
/papers/tramites/{case}.pdf                         manager gester
/papers/commissions/{agency}~{month}.pdf            manager ally
/invoices/{invoice}.json                            manager analyst
/admin/agency/{agency}/comisiones.csv?mes={month}   manager ally
/admin/agency/{agency}/clientes-por-etapa.csv       customers=/ manager analyst ally
/admin/agency/{agency}/instalaciones-por-mes.csv    customers=/ manager analyst ally
/admin/agency/{agency}/comisiones-por-mes.csv       customers=/ manager ally
/admin/appointments-pending.csv                     manager analyst
/admin/appointments-done.csv                        manager analyst
/admin/cotizations.csv                              manager analyst
/admin/alliate/clients.csv                          ally ally2
/admin/payments.csv                                 manager analyst
/admin/payments/cobrar.csv                          manager analyst
/admin/gesties.csv                                  manager
/admin/clients.csv                                  customers=/ manager analyst technician=/admin technician2=/admin ally=/admin ally2=/admin
/admin/cifras/dias-por-etapa.csv                    customers=/ manager analyst
/admin/cifras/ingresos-por-mes.csv                  customers=/ manager analyst
/admin/buscar.json?q=Camila                         customers=/ manager analyst technician technician2 gester ally ally2
/account/data                                       customer customer2
/account/data.zip                                   customer customer2
/onsite/day                                         technician technician2 others=403
/live                                               everybody
/v1/session                                         everybody
/v1/token                                           nobody
`
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/) as [pattern: string, ...readers: string[]])
const patterns = lines.map(([pattern]) => pattern)

const addressOf = (pattern: string) => pattern.replace(/\{(\w+)\}/g, (_, row: string) => rows[row]!)

/** Where somebody is led, without the way back, or the status. */
async function answered(pattern: string, who: Who, to: Pick<Fixture, 'open'> = fixture) {
  const { id = '' } = everyone[who] as { id?: string }
  const answer = await to.open(addressOf(pattern), everyone[who], { 'x-person': id })
  await answer.body?.cancel()
  return answer.headers.get('location')?.split('?')[0] ?? String(answer.status)
}

const everybody = `customer customer2 manager analyst technician technician2 gester ally ally2`.split(
  ' ',
) as Who[]
const customers = ['customer', 'customer2']

/** What somebody is answered, by the readers of a line. */
function expected(who: Who, readers: readonly string[]): string {
  if (readers.includes(who) || readers.includes('everybody')) return '200'
  const names = [who, ...(customers.includes(who) ? ['customers'] : []), 'others']
  const others = readers.map((reader) => reader.split('=')).find(([name]) => names.includes(name!))
  return others?.[1] ?? '404'
}

test.each(lines)('%s is read by: %s %s %s %s %s %s %s', async (pattern, ...readers) => {
  for (const who of everybody) expect(await answered(pattern, who), who).toBe(expected(who, readers))
})

describe('where a second factor is required', () => {
  const strict = () => fixture.under({ ...environment, REQUIRE_2FA: 'true' })
  // They say who is signed in, and what an ally's secret link reads in any browser.
  const stays = ['/v1/session', '/calendar/feed/{feed}.ics']

  test.each(['manager', 'analyst'] as const)('a %s without one reads nothing of it', async (who) => {
    for (const pattern of patterns.filter((one) => !stays.includes(one)))
      expect(['/admin/account', '403'], pattern).toContain(await answered(pattern, who, strict()))
    for (const screen of ['/admin', '/', '/call/x/socket', '/nowhere', '/DOCUMENTS/x', '/%61dmin'])
      expect((await strict().visit(screen, everyone[who])).location, screen).toBe('/admin/account')
    expect((await strict().data('/admin/users', everyone[who])).location).toBe('/admin/account')
    for (const open of ['/admin/account', '/healthz', '/v1/session', '/v1/projects'])
      expect((await strict().visit(open, everyone[who])).status, open).toBe(200)
  })

  test('others are not held', async () => {
    for (const who of ['customer', 'technician', 'gester', 'ally'] as const)
      expect(await answered('/live', who, strict()), who).toBe('200')
  })
})

/** What says only who asks; and the links whose secret is what they ask for. */
const open = [
  '/v1/session',
  '/calendar/feed/{feed}.ics',
  '/visita/{shared}',
  '/visita/{shared}/foto',
  '/garantia/{proof}',
]
const closed = patterns.filter((pattern) => !open.includes(pattern))

test.each(signedOut)('%s reads nothing of it', async (who) => {
  for (const pattern of closed)
    expect(['/signin', '401', '404'], pattern).toContain(await answered(pattern, who))
})

test.each(nameless)('%s reads only what is their own, before a name is given', async (who) => {
  const own = ['/live', '/account/data', '/account/data.zip']
  for (const pattern of closed.filter((one) => !own.includes(one)))
    expect(['/completion', '403', '404'], pattern).toContain(await answered(pattern, who))
})

test('every route outside the layouts is in the table', () => {
  // They change something, lead somewhere, or are the same for everybody.
  const notRead =
    `signout v1/session/:operation * app.webmanifest robots.txt sitemap.xml session/provider/start
    session/callback/oidc session/provider/done`.split(/\s+/)
  const known = patterns.map((pattern) => pattern.slice(1).split('?')[0]!)
  const outside = routes.filter(({ children }) => !children).map(({ path = '' }) => path)
  expect(outside.length).toBeGreaterThan(20)
  const isKnown = (path: string) => {
    const shape = new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    return known.some((one) => shape.test(one))
  }
  expect(outside.filter((path) => !notRead.includes(path) && !isKnown(path))).toEqual([])
})

/** What the host itself answers a stranger and whoever is signed in, outside the screens. */
const endpoints = `
  /healthz 200 200
  /readyz 200 200
  /live 401 200
  /v1/projects 200 200
  /.well-known/security.txt 200 200
  /v1/session 200 200
  /favicon.svg 200 200
  /dev/correo 404 404
  /session/get-session 404 404
  /files 404 404
  /files/{nobody}/full 401 404
  /files/{nobody}/list 401 404
  /files/received/{nobody} 401 200
  /stripe 404 404
  /documents 404 404
  /documents/{nobody} 302 404
  /onsite 401 403
  /api/v1 200 200
  /api/v1/openapi.json 200 200
  /api/v1/clients 401 401
  /whatsapp 404 404
  /whatsapp/webhook 403 403`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' ') as [path: string, stranger: string, signedIn: string])

test.each(endpoints)(
  '%s answers a stranger %s, and whoever is signed in %s',
  async (address, stranger, signedIn) => {
    for (const [who, person] of Object.entries(everyone)) {
      const answer = await fixture.open(addressOf(address), person)
      await answer.body?.cancel()
      const isStranger = signedOut.some((one) => one === who)
      expect(String(answer.status), who).toBe(isStranger ? stranger : signedIn)
    }
  },
)

test('every address of the host is in the table', () => {
  const source = readFileSync('src/app/app.ts', 'utf8')
  const routes = [...source.matchAll(/app\.(?:get|post|put|patch|delete|on|route)\(\s*'([^']+)'/g)]
  // Mounted at the root are the files of the build, which test/app/built-files.test.ts asks for.
  const addresses = routes.map(([, address]) => address).filter((address) => address !== '/')
  for (const address of addresses) expect(endpoints.map(([known]) => known)).toContain(address)
})
