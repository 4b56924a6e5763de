import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { webhooksOf } from '../../../src/server/integrations/webhooks/endpoints.ts'
import type { Person } from '../../kit/people.ts'
import { expectPage } from '../../kit/reading.ts'
import {
  deliveriesOf,
  endpointOf,
  type House,
  listener,
  listeningAgency,
  manager,
  move,
  newAgency,
  openExchange,
  tryAll,
  world,
} from '../../kit/webhooks.ts'

openExchange()

const pathOf = ({ agencyId }: House) => `/admin/agency/${agencyId}/integracion`
const send = (house: House, form: Record<string, string>) => world.post(pathOf(house), form, manager)
const add = (house: House, url = listener.url) => send(house, { intent: 'webhooks.add', url })

test('the manager adds an address, sees its secret this once, tries it, and sends again what failed', async () => {
  const house = await newAgency()
  const answer = await add(house)
  const secret = /whsec_[\w+/=]+/.exec(answer.text)?.[0] ?? expect.fail('no secret')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const { id } = await endpointOf(house)
  listener.manners.push(500)
  expect((await send(house, { intent: 'webhooks.test', endpointId: id, version: '1' })).status).toBe(303)
  const failed = await tryAll(house)
  const page = await world.visit(pathOf(house), manager)
  expect(page.text).not.toContain('whsec_')
  for (const words of [listener.url, 'Falla', 'No entregado', 'HTTP 500', 'Enviar de nuevo'])
    expect(page.text).toContain(words)
  expect((await send(house, { intent: 'webhooks.replay', deliveryId: failed.id })).status).toBe(303)
  expect(await tryAll(house)).toMatchObject({ state: 'delivered' })
  for (const { body, headers } of listener.heard) new Webhook(secret).verify(body, headers)
  const after = await world.visit(pathOf(house), manager)
  for (const words of ['Encendido', 'Entregado', 'enviado otra vez']) expect(after.text).toContain(words)
})

test.each([
  ['sistema.example', 'Escribe una dirección completa'],
  ['', 'Escribe una dirección completa'],
  ['https://ana:clave@sistema.example', 'Quita el usuario y la contraseña'],
])('%s is refused under its field, and is not lost', async (url, words) => {
  const house = await newAgency()
  const answer = await add(house, url)
  expectPage(answer, 400, words)
  if (url) expect(answer.text).toContain(url)
})

test('without leave of the operator, an address inside a network or without https is refused', async () => {
  const house = await newAgency()
  const strict = world.under({ WEBHOOK_ALLOW_PRIVATE: 'false' })
  for (const [url, words] of [
    ['http://sistema.example/', 'Usa https'],
    ['https://192.168.1.10/', 'red privada'],
    ['https://[::1]:8443/', 'red privada'],
    ['https://localhost/hook', 'red privada'],
    ['https://crm.localhost./hook', 'red privada'],
    ['https://ventas.internal/', 'red privada'],
    ['https://intranet/', 'red privada'],
  ] as const) {
    const answer = await strict.post(pathOf(house), { intent: 'webhooks.add', url }, manager)
    expect([answer.status, answer.text.includes(words)]).toEqual([400, true])
  }
})

test('a destination is removed with what was sent there, and can be added again', async () => {
  const house = await listeningAgency()
  await move(house)
  const remove = { intent: 'webhooks.remove', endpointId: house.endpointId, version: '1' }
  expect((await send(house, { ...remove, version: '7' })).status).toBe(409)
  expect((await send(house, remove)).status).toBe(303)
  expect(await deliveriesOf(house)).toEqual([])
  const { text } = await world.visit(pathOf(house), manager)
  expect(text).not.toContain(`>${listener.url}<`)
  // What is due there afterwards finds nothing to do, and a stage goes on changing.
  await move(house)
  expect((await add(house)).status).toBe(200)
})

test('an address is listed once, also when it is sent twice at once; five are the most', async () => {
  const house = await newAgency()
  const twice = await Promise.all([add(house), add(house)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  for (const n of [2, 3, 4, 5]) expect((await add(house, `${listener.url}/${n}`)).status).toBe(200)
  expect((await add(house, `${listener.url}/6`)).text).toContain('5 destinos como máximo')
})

test('a form that was shown before a change is refused, so that a page sent again changes no secret', async () => {
  const house = await listeningAgency()
  const renew = { intent: 'webhooks.renew', endpointId: house.endpointId, version: '1' }
  expect((await send(house, renew)).text).toContain('whsec_')
  const again = await send(house, renew)
  expect([again.status, again.text.includes('whsec_')]).toEqual([409, false])
  const off = { ...renew, intent: 'webhooks.off', version: '2' }
  expect((await send(house, off)).status).toBe(303)
  expect((await world.visit(pathOf(house), manager)).text).toContain('Lo apagó la gerencia')
})

test('of another agency there is no address and no delivery', async () => {
  const [house, other] = [await newAgency(), await listeningAgency()]
  await move(other)
  const [delivery] = await deliveriesOf(other)
  const forms = [
    { intent: 'webhooks.off', endpointId: other.endpointId, version: '1' },
    { intent: 'webhooks.replay', deliveryId: delivery!.id },
  ]
  for (const form of forms) expect((await send(house, form)).status).toBe(404)
  expect((await endpointOf(other)).active).toBe(true)
})

test('older deliveries are on the next page; nobody but the manager reads any', async () => {
  const house = await listeningAgency()
  for (let n = 0; n < 27; n++) await move(house)
  const read = (as: Person, before: string | null = null) =>
    webhooksOf(world.db, as.actor, house.agencyId, { before, now: new Date() })
  const first = await read(manager)
  const second = await read(manager, first!.older)
  expect([first?.deliveries.length, second?.deliveries.length, second?.older]).toEqual([25, 2, null])
  for (const person of [house.ally, await world.person({ kind: 'analyst' })]) {
    expect(await read(person)).toBeNull()
    expect((await world.data(pathOf(house), person)).text).not.toContain(listener.url)
  }
})
