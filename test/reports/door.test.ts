import { expect, test } from 'vitest'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { newVisitor, type Visitor } from '../kit/visitor.ts'

openOnce()

const ask = async (as: Visitor, person?: Pick<Person, 'id'>, origin = 'http://carga.test') => {
  const headers = { origin, 'content-type': 'application/json', ...(person && { 'x-person': person.id }) }
  const answer = await world.send('/onsite/nothing', as, { method: 'POST', body: '{}', headers })
  return {
    ...answer,
    code: answer.text.startsWith('{') && (JSON.parse(answer.text) as { code: string }).code,
  }
}

test('what a phone sends is heard from its own technician only', async () => {
  const { customer, manager, technician, technician2 } = people
  expect(await ask(newVisitor(), technician)).toMatchObject({ status: 401, code: 'unauthenticated' })
  // Somebody else signed in on that phone.
  expect(await ask(technician2, technician)).toMatchObject({ status: 403, code: 'other-person' })
  expect(await ask(technician)).toMatchObject({ status: 403, code: 'other-person' })
  for (const other of [customer, manager])
    expect(await ask(other, other)).toMatchObject({ status: 403, code: 'permission-denied' })
})

test('what there is not is said as every refusal, and kept by nobody on the way', async () => {
  const { technician } = people
  const { code, headers, status, text } = await ask(technician, technician)
  expect([status, code, headers.get('cache-control')]).toEqual([404, 'not-found', 'no-store'])
  expect(JSON.parse(text)).toMatchObject({ title: expect.any(String), description: expect.any(String) })
})

test('another site’s page sends nothing in a technician’s name', async () => {
  const { technician } = people
  expect(await ask(technician, technician, 'https://evil.test')).toMatchObject({ status: 403, code: false })
})
