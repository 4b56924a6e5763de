import { Webhook } from 'standardwebhooks'
import { webhooksOf } from '../../../src/integrations/webhooks/endpoints.ts'
import { db, fixture, markupOf } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectPage, expectWords, sortedStatuses } from '../../kit/reading.ts'
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
} from '../../kit/webhooks.ts'

openExchange()

const pathOf = ({ agencyId }: House) => `/admin/agency/${agencyId}/integracion`
const send = (house: House, form: Record<string, string>) => fixture.post(pathOf(house), form, manager)
const add = (house: House, url = listener.url) => send(house, { intent: 'webhooks.add', url })

test('a manager adds an endpoint, sees its secret once, tests it and replays what failed', async () => {
  const house = await newAgency()
  const answer = await add(house)
  const secret = /whsec_[\w+/=]+/.exec(answer.text)?.[0] ?? expect.fail('no secret')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const { id } = await endpointOf(house)
  listener.replies.push(500)
  await expectAnswered(send(house, { intent: 'webhooks.test', endpointId: id, version: '1' }), 303)
  const failed = await tryAll(house)
  const page = await fixture.visit(pathOf(house), manager)
  expect(page.text).not.toContain('whsec_')
  expectWords(page.text, listener.url, 'Falla', 'No entregado', 'HTTP 500', 'Enviar de nuevo')
  await expectAnswered(send(house, { intent: 'webhooks.replay', deliveryId: failed.id }), 303)
  expect(await tryAll(house)).toMatchObject({ state: 'delivered' })
  for (const { body, headers } of listener.requests) new Webhook(secret).verify(body, headers)
  expectPage(await fixture.visit(pathOf(house), manager), 200, 'Encendido', 'Entregado', 'enviado otra vez')
})

test('refuses incomplete, private and http addresses, and keeps what was typed', async () => {
  const house = await newAgency()
  const strict = fixture.under({ WEBHOOK_ALLOW_PRIVATE: 'false' })
  for (const [url, words] of [
    ['sistema.example', 'Escribe una dirección completa'],
    ['http://sistema.example/', 'Usa https'],
    ['https://192.168.1.10/', 'red privada'],
  ] as const)
    expectPage(await strict.post(pathOf(house), { intent: 'webhooks.add', url }, manager), 400, words, url)
})

test('removes an endpoint with its deliveries, which can be added again', async () => {
  const house = await listeningAgency()
  await move(house)
  const remove = { intent: 'webhooks.remove', endpointId: house.endpointId, version: '1' }
  await expectAnswered(send(house, { ...remove, version: '7' }), 409)
  await expectAnswered(send(house, remove), 303)
  expect(await deliveriesOf(house)).toEqual([])
  expect(await markupOf(pathOf(house), manager)).not.toContain(`>${listener.url}<`)
  await move(house)
  await expectAnswered(add(house), 200)
})

test('lists an address once, also when sent twice at once, and five at most', async () => {
  const house = await newAgency()
  expect(sortedStatuses(await Promise.all([add(house), add(house)]))).toEqual([200, 409])
  for (const n of [2, 3, 4, 5]) await expectAnswered(add(house, `${listener.url}/${n}`), 200)
  expect((await add(house, `${listener.url}/6`)).text).toContain('5 destinos como máximo')
})

test('refuses a stale form, so that a page sent again renews no secret', async () => {
  const house = await listeningAgency()
  const renew = { intent: 'webhooks.renew', endpointId: house.endpointId, version: '1' }
  expect((await send(house, renew)).text).toContain('whsec_')
  const again = await send(house, renew)
  expect([again.status, again.text.includes('whsec_')]).toEqual([409, false])
  await expectAnswered(send(house, { ...renew, intent: 'webhooks.off', version: '2' }), 303)
  expectPage(await fixture.visit(pathOf(house), manager), 200, 'Lo apagó la gerencia')
})

test('does not find endpoints and deliveries of another agency', async () => {
  const house = await newAgency()
  const other = await listeningAgency()
  await move(other)
  const [delivery] = await deliveriesOf(other)
  const forms = [
    { intent: 'webhooks.off', endpointId: other.endpointId, version: '1' },
    { intent: 'webhooks.replay', deliveryId: delivery!.id },
  ]
  for (const form of forms) await expectAnswered(send(house, form), 404)
  expect((await endpointOf(other)).active).toBe(true)
})

test('pages deliveries by 25, for managers only', async () => {
  const house = await listeningAgency()
  for (let n = 0; n < 27; n++) await move(house)
  const read = (as: Person, before: string | null = null) =>
    webhooksOf(db, as.actor, house.agencyId, { before, now: new Date() })
  const first = await read(manager)
  const second = await read(manager, first!.older)
  expect([first?.deliveries.length, second?.deliveries.length, second?.older]).toEqual([25, 2, null])
  for (const person of [house.ally, await fixture.person({ kind: 'analyst' })]) {
    expect(await read(person)).toBeNull()
    expect((await fixture.data(pathOf(house), person)).text).not.toContain(listener.url)
  }
})
