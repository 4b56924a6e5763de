import { describe, expect, test } from 'vitest'
import { apiScopes, scopeNames } from '../../../src/domain/agencies/integrations.ts'
import { hashOf } from '../../../src/server/accounts/limits.ts'
import { problems } from '../../../src/server/integrations/public-api/problems.ts'
import { routes } from '../../../src/server/integrations/public-api/routes.ts'
import { apiKeys } from '../../../src/server/platform/database/schema/agencies.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectWords, rowsIn } from '../../kit/reading.ts'

openOnce()

test('the page tells every operation, error and scope of the document, to anybody', async () => {
  const { status, text } = await world.visit('/api/v1')
  expect(status).toBe(200)
  for (const { operationId, path, summary } of routes) {
    expectWords(text, `id="${operationId}"`, path, summary)
  }
  for (const code of Object.keys(problems)) expect(text).toContain(`id="problema-${code}"`)
  for (const scope of scopeNames) expect(text).toContain(scope)
  expect(text).toContain('id="webhooks"')
  expect(text).not.toMatch(/undefined|\[object/)
})

describe('a key', () => {
  const page = () => `/admin/agency/${people.ally.agencyId}/integracion`
  const send = (form: Record<string, string>, as: Person = people.manager) => world.post(page(), form, as)
  const rows = () => rowsIn(world, apiKeys, { agencyId: people.ally.agencyId! })
  const ask = (key: string) =>
    world.send('/api/v1/codes', world.visitor(), { headers: { authorization: `Bearer ${key}` } })
  const wish = { intent: 'keys.make', name: ' CRM de ventas ', life: 'quarter', 'codes:read': 'on' }

  test('is shown once, opens what was ticked, and ends when it is revoked', async () => {
    const { status, text } = await send(wish)
    const [key = ''] = /cec_[\w-]{43}/.exec(text) ?? []
    expect([status, key.length]).toEqual([200, 47])
    const [row] = await rows()
    expect(row).toMatchObject({ name: 'CRM de ventas', scopes: ['codes:read'], madeBy: people.manager.id })
    expect([row!.keyHash, row!.prefix]).toEqual([hashOf(key), key.slice(0, 12)])
    expect(Math.round((row!.expiresAt!.getTime() - Date.now()) / 86_400_000)).toBe(90)
    const shown = await world.visit(page(), people.manager)
    expect(shown.text).toContain(`${row!.prefix}`)
    expect(shown.text).not.toContain(key)
    expect((await ask(key)).status).toBe(200)
    const { location } = await send({ intent: 'keys.revoke', keyId: row!.id })
    expect(location).toBe(page())
    expect((await ask(key)).status).toBe(401)
    const again = await send({ intent: 'keys.revoke', keyId: row!.id })
    expect([again.status, again.text.includes('Esa llave ya no servía.')]).toEqual([409, true])
  })

  test('for trying says so by its beginning and in the list, and is answered with examples', async () => {
    const { text } = await send({ ...wish, sandbox: 'on' })
    const [key = ''] = /cec_prueba_[\w-]{43}/.exec(text) ?? []
    expect(key).not.toBe('')
    expect((await rows()).find(({ keyHash }) => keyHash === hashOf(key))).toMatchObject({ sandbox: true })
    expect(text).toContain('>Prueba<')
    expect((await ask(key)).text).toContain('VERDE26')
  })

  test('without a name or any scope is not made, and what was typed stays', async () => {
    const before = (await rows()).length
    const { 'codes:read': _, ...without } = wish
    const bare = await send({ ...without, name: 'Mi sistema' })
    expect([bare.status, bare.text.includes('Elige al menos un permiso.')]).toEqual([400, true])
    expect(bare.text).toContain('value="Mi sistema"')
    const nameless = await send({ ...wish, name: ' ' })
    expect([nameless.status, nameless.text.includes('Escribe para qué sistema es la llave.')]).toEqual([
      400,
      true,
    ])
    expect(await rows()).toHaveLength(before)
  })

  test('is the manager’s to see', async () => {
    for (const person of [people.ally, people.analyst, people.technician]) {
      const { text } = await world.visit(page(), person)
      for (const words of ['cec_', 'Llaves de la API', apiScopes['codes:read']])
        expect(text).not.toContain(words)
      expect((await world.data(page(), person)).text).not.toContain('cec_')
    }
  })
})
