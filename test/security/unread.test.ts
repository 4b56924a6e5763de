import { expect, test } from 'vitest'
import { openBare, world } from '../kit/open.ts'

openBare()

test('HEAD leaves no stream behind', async () => {
  const customer = await world.person()
  const statuses = []
  for (let n = 0; n < 60; n++) statuses.push((await world.send('/live', customer, { method: 'HEAD' })).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const stream = await world.open('/live', customer)
  expect([stream.status, stream.body !== null]).toEqual([200, true])
  await stream.body?.cancel()
})

test('HEAD answers for a page or an export as GET does, without its text', async () => {
  const { manager } = await world.people()
  for (const path of ['/admin/appointments-done.csv', '/admin', '/signin']) {
    const head = await world.send(path, manager, { method: 'HEAD' })
    const get = await world.visit(path, manager)
    expect([head.status, head.text]).toEqual([get.status, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  }
})
