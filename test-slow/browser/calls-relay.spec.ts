import { findTurnserver } from '../../bin/system-tools.mjs'
import { enters, heard, pressInBar, says } from '../../e2e/kit/call-steps.ts'
import { expect, test } from '../../e2e/kit/call-test.ts'
import { withDatabase } from '../../e2e/kit/database.ts'
import { bothWays, measured, tells } from '../../e2e/kit/media.ts'
import { databaseOf, startOwnServer, startTime } from '../../e2e/kit/own-server.ts'
import { headingIn, press } from '../../e2e/kit/parts.ts'
import { startTurnServer, turnSecret } from './kit/turn-server.ts'

const coturn = findTurnserver()

test.skip(!coturn, 'coturn is not here: apt-get install coturn, or TURNSERVER=/path')

test.describe.configure({ mode: 'default' })

const port = Number(process.env.E2E_PORT ?? 3210) + 510

/** Calls of this server go through the relay or not at all. */
const relayOnly = (transport: string, TURN_SECRET = turnSecret) => ({
  TURN_URLS: `turn:127.0.0.1:${port}?transport=${transport}`,
  TURN_SECRET,
  CALL_RELAY_ONLY: 'true',
  AUTH_SECRET: 'of all of them, thirty-two letters',
})

type Server = Awaited<ReturnType<typeof startOwnServer>>

let relay: Awaited<ReturnType<typeof startTurnServer>> | undefined

let servers: Record<'udp' | 'tcp' | 'refused', Server>

test.beforeAll(async () => {
  test.setTimeout(startTime(3))
  if (!coturn) return
  relay = await startTurnServer(coturn, port)
  const udp = await startOwnServer(port + 1, relayOnly('udp'))
  const DATABASE_URL = await databaseOf(udp.folder)
  const tcp = await startOwnServer(port + 2, { ...relayOnly('tcp'), DATABASE_URL })
  const refused = await startOwnServer(port + 3, {
    ...relayOnly('udp', 'not what the relay knows'),
    DATABASE_URL,
  })
  servers = { udp, tcp, refused }
})

test.afterAll(async () => {
  // Backwards: the first one holds the database.
  for (const server of [servers?.refused, servers?.tcp, servers?.udp, relay]) await server?.stop()
})

const at = (name: keyof typeof servers) => ({ baseURL: servers[name].origin })

test('a customer and an analyst talk through a relay, by UDP and by TCP', async ({ newCall }) => {
  const { customer, analyst } = await newCall({
    customer: at('udp'),
    analyst: at('tcp'),
    folder: servers.udp.folder,
  })
  const hers = customer.page
  const his = analyst.page
  await enters(customer)
  await enters(analyst)
  tells('both through the relay', await bothWays([hers, his]))
  expect(await measured(hers)).toMatchObject({ ways: ['relay relay'], relays: ['udp'] })
  expect(await measured(his)).toMatchObject({ ways: ['relay relay'], relays: ['tcp'] })
})

test('a customer whose call finds no way goes on by chat and asks for a phone call', async ({ newCall }) => {
  const { id, customer, analyst } = await newCall({
    customer: at('refused'),
    analyst: at('refused'),
    folder: servers.udp.folder,
  })
  const hers = customer.page
  const his = analyst.page
  await enters(customer)
  await enters(analyst)
  const start = performance.now()
  for (const page of [hers, his])
    await expect(headingIn(page, 'No pudimos conectar el audio y el video')).toBeVisible({
      timeout: 40_000,
    })
  tells('no way is said after', performance.now() - start)
  await pressInBar(his, 'Chat')
  await press(hers, 'Seguir por chat')
  await says(hers, 'No te veo')
  await heard(his, 'No te veo')
  await press(hers, 'Llámenme por teléfono')
  await expect.poll(() => tasksOf(id)).toHaveLength(1)
})

const tasksOf = (id: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query('select from tasks where appointment_id = $1 and done_at is null', [
      id,
    ])
    return rows
  }, servers.udp.folder)
