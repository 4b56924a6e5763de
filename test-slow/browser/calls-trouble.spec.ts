import { enters, heard, pressInBar, says, theirPicture, trouble } from '../../e2e/kit/call-steps.ts'
import { expect, test } from '../../e2e/kit/call-test.ts'
import { bothWays, comesIn, measured, stopsComingIn, tells } from '../../e2e/kit/media.ts'
import { databaseOf, startOwnServer, startTime } from '../../e2e/kit/own-server.ts'
import { losable, startNetwork } from './kit/network.ts'

// Two web processes over one database, one for each side.
test.describe.configure({ mode: 'default' })

test.use({ losesNetwork: true })

const port = Number(process.env.E2E_PORT ?? 3210) + 500

let first: Awaited<ReturnType<typeof startOwnServer>>

let second: typeof first

let network: Awaited<ReturnType<typeof startNetwork>>

test.beforeAll(async () => {
  test.setTimeout(startTime(2))
  network = await startNetwork(port + 2, port)
  const shared = { AUTH_SECRET: 'of both of them, thirty-two letters' }
  first = await startOwnServer(port, { ...shared, BASE_URL: network.origin })
  second = await startOwnServer(port + 1, { ...shared, DATABASE_URL: await databaseOf(first.folder) })
})

test.afterAll(async () => {
  await second?.stop()
  await first?.stop()
  await network?.stop()
})

const apart = () => ({
  customer: { baseURL: network.origin },
  analyst: { baseURL: second.origin },
  folder: first.folder,
})

test('a customer who loses the network for 20 seconds returns to the call', async ({ newCall }) => {
  const { customer, analyst } = await newCall(apart())
  const hers = customer.page
  const his = analyst.page
  const media = await losable(hers)
  await enters(customer)
  await enters(analyst)
  await bothWays([hers, his])
  await pressInBar(his, 'Chat')
  network.lose()
  await media.lose()
  const lost = performance.now()
  await stopsComingIn(his, 'frames')
  await expect(trouble(his, 'Se perdió la conexión con Ana Prueba. Guardamos su lugar')).toBeVisible({
    timeout: 20_000,
  })
  tells('the loss is said after', performance.now() - lost)
  await expect(trouble(hers, 'Sin conexión con el servidor')).toBeVisible()
  await says(his, '¿Me oyes?')
  // The loss itself is what the test is about.
  await expect.poll(() => performance.now() - lost, { timeout: 25_000 }).toBeGreaterThan(20_000)
  network.find()
  await media.find()
  const found = performance.now()
  await bothWays([hers, his], 20_000)
  tells('media again after a loss of 20 s', performance.now() - found)
  await heard(hers, '¿Me oyes?')
  for (const page of [hers, his]) {
    await expect(theirPicture(page)).toHaveCount(1)
    await expect(page.getByText(/Se perdió la conexión|Sin conexión|Volviendo a conectar…/)).toHaveCount(0)
    // Nothing was lost of the page itself, nor was a second connection made.
    expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
    expect((await measured(page)).open).toBe(1)
  }
})

test('a customer and an analyst go on talking while the server restarts', async ({ newCall }) => {
  const { customer, analyst } = await newCall(apart())
  const hers = customer.page
  const his = analyst.page
  await enters(customer)
  await enters(analyst)
  await bothWays([hers, his])
  await pressInBar(his, 'Chat')
  const start = performance.now()
  const restarted = first.restart()
  await Promise.all([comesIn(hers), comesIn(his)])
  await expect(trouble(hers, 'Sin conexión con el servidor. La llamada sigue.')).toBeVisible()
  await says(hers, 'Sigo aquí')
  await restarted
  tells('server and database started again', performance.now() - start)
  await heard(his, 'Sigo aquí', 15_000)
  await says(his, 'Yo también')
  await heard(hers, 'Yo también')
  tells('chat both ways again', performance.now() - start)
  await bothWays([hers, his])
})
