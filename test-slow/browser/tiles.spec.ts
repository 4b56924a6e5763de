import { createServer } from 'node:http'
import { startOwnServer, startTime } from '../../e2e/kit/own-server.ts'
import { exact, follow, linkIn, openScreenAs, reads, regionIn } from '../../e2e/kit/parts.ts'
import { expect, test } from '../../e2e/kit/test.ts'

// One application and one server of tiles for both.
test.describe.configure({ mode: 'default' })

// A tile that is missing stands on the browser's console, whoever asked for it.
test.use({ losesNetwork: true })

const port = Number(process.env.E2E_PORT ?? 3210) + 1200

const asked: string[] = []

let isBroken = false

/** A grey point, for every tile. */
const grey = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mO8c+fOfwAHkgNRZcO7VAAAAABJRU5ErkJggg==',
  'base64',
)

// The tests' own header makes the browser ask before each tile.
const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }

const tiles = createServer(({ method, url }, response) => {
  if (method === 'OPTIONS') return response.writeHead(204, allowed).end()
  asked.push(url!)
  response.writeHead(isBroken ? 503 : 200, { ...allowed, 'content-type': 'image/png' })
  return response.end(isBroken ? '' : grey)
})

let server: Awaited<ReturnType<typeof startOwnServer>> | undefined

test.beforeAll(async () => {
  test.setTimeout(startTime())
  await new Promise<void>((resolve) => tiles.listen(port + 10, resolve))
  server = await startOwnServer(port, {
    DEMO: 'true',
    TILES_URL: `http://localhost:${port + 10}/{z}/{x}/{y}.png`,
    TILES_ATTRIBUTION: '© Quienes lo dibujaron',
  })
})

test.afterAll(async () => {
  await server?.stop()
  tiles.close()
})

test('a manager sees streets under the map', async ({ arrive }) => {
  const page = await arrive({ baseURL: server!.origin })
  await openScreenAs(page, 'gerente@demo.mx', '/admin')
  await linkIn(page, 'Asignaciones de citas').first().click()
  await follow(page, 'Mapa', exact)
  const map = regionIn(page, 'Mapa del día')
  await reads(map, '© Quienes lo dibujaron')
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  for (const path of asked) expect(path).toMatch(/^\/\d+\/\d+\/\d+\.png$/)
  const streets = map.locator('canvas')
  const drawing = map.locator('svg.board-drawing')
  await expect(streets).toBeVisible()
  const below = (await streets.boundingBox())!
  const above = (await drawing.boundingBox())!
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(Math.abs(below[side] - above[side])).toBeLessThan(2)
  const { x, y } = above
  expect(
    await page.evaluate(([left, top]) => document.elementFromPoint(left!, top!)?.localName, [x + 40, y + 40]),
  ).toBe('svg')
})

test('a manager sees a plain ground where tiles fail', async ({ arrive }) => {
  isBroken = true
  asked.length = 0
  const page = await arrive({ baseURL: server!.origin })
  await openScreenAs(page, 'gerente@demo.mx', '/admin/assignations?mapa=todos')
  const map = regionIn(page, 'Mapa del día')
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await expect(map.locator('.board-tiles.is-broken')).toBeAttached()
  await expect(map.locator('svg.board-drawing')).toBeVisible()
})
