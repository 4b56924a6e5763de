import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { openBare, world } from '../kit/open.ts'
import { cast, openCastOnce, signedOut, type Who } from './cast.ts'

/** Only with these is there a webhook at all. */
const whatsapp = {
  WHATSAPP_TOKEN: 'a-token-of-tests',
  WHATSAPP_PHONE_ID: '1234567890',
  WHATSAPP_VERIFY_TOKEN: 'a-word-of-tests',
  WHATSAPP_APP_SECRET: 'a-secret-of-tests',
}

// Nobody works on jobs here, so it says it is a web process: otherwise it would not be ready.
openBare({ ROLE: 'web', ...whatsapp })
openCastOnce()

/** Rows, by who may see them. "-" is not found, a path is where the guard leads. */
const table = `
row                                  customer customer2 manager analyst technician technician2 gester ally   ally2
/admin/appointments-pending/{today}  /        /         200     200     200        -           /admin 200    -
/admin/appointments-pending/{asked}  /        /         200     200     -          -           /admin 200    -
/admin/appointments-pending/{far}    /        /         200     200     -          -           /admin -      200
/admin/appointments-done/{done}      /        /         200     200     200        -           -      200    -
/admin/appointments-done/{old}       /        /         200     200     -          -           -      200    -
/admin/assignations/{asked}          /        /         200     /admin  /admin     /admin      /admin /admin /admin
/admin/appointments-pending/{nobody} /        /         -       -       -          -           /admin -      -
/admin/appointments-done/{nobody}    /        /         -       -       -          -           -      -      -
/admin/assignations/{nobody}         /        /         -       /admin  /admin     /admin      /admin /admin /admin
`

describe('who may see what', () => {
  const rows: Record<string, string> = { nobody: randomUUID() }
  beforeAll(async () => {
    const { ally, ally2, technician } = cast
    const visit = async (agencyId: string, daysAhead: number, wish: Partial<Visit>) => {
      const client = await world.person()
      const start = new Date(Date.now() + (24 * daysAhead + 5) * hour)
      const home = await world.home(client, {}, agencyId)
      return (await storeVisit(world, client, home, start, { assigneeId: technician.id, ...wish })).id
    }
    const own = ally.agencyId!
    const other = ally2.agencyId!
    rows.today = await visit(own, 0, {})
    rows.asked = await visit(own, 2, { state: 'requested', confirmedAt: null })
    rows.far = await visit(other, 61, {})
    rows.done = await visit(own, -2, { state: 'done' })
    rows.old = await visit(own, -31, { state: 'done' })
  })

  const [header = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  test.each(lines)('%s is shown to its readers only', async (pattern, ...cells) => {
    const address = pattern!.replace(/\{(\w+)\}/, (_, row: string) => rows[row]!)
    const people = header.slice(1) as Who[]
    const expected = people.map((who, at) => [who, cells[at] === '-' ? 404 : Number(cells[at]) || cells[at]])
    const open = async (who: Who, asData: boolean) => {
      const { status, location } = await (asData ? world.data : world.visit)(address, cast[who])
      return location ?? status
    }
    for (const asData of [false, true]) {
      const got = []
      for (const who of people) got.push([who, await open(who, asData)])
      expect(got).toEqual(expected)
      for (const who of signedOut) expect(await open(who, asData), who).toBe('/signin')
    }
  })
})

const id = randomUUID()
/** What the host itself answers a stranger and whoever is signed in, outside the screens. */
const endpoints = `
  /healthz 200 200
  /readyz 200 200
  /live 401 200
  /v1/projects 200 200
  /v1/session 200 200
  /favicon.svg 200 200
  /dev/correo 404 404
  /session/get-session 404 404
  /files 404 404
  /files/${id}/full 401 404
  /files/${id}/list 401 404
  /stripe 404 404
  /documents 404 404
  /documents/${id} 302 404
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
    for (const [who, person] of Object.entries(cast)) {
      const answer = await world.open(address, person)
      await answer.body?.cancel()
      const isStranger = signedOut.some((one) => one === who)
      expect(String(answer.status), who).toBe(isStranger ? stranger : signedIn)
    }
  },
)

test('every address of the host is in the table', () => {
  const source = readFileSync('src/server/app/app.ts', 'utf8')
  const routes = [...source.matchAll(/app\.(?:get|post|put|patch|delete|on|route)\(\s*'([^']+)'/g)]
  // Mounted at the root are the files of the build, which test/app/built-files.test.ts asks for.
  const addresses = routes.map(([, address]) => address).filter((address) => address !== '/')
  for (const address of addresses) expect(endpoints.map(([known]) => known)).toContain(address)
})
