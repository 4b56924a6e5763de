import { scopeNames } from '../../../src/agencies/rules/integrations.ts'
import { problems } from '../../../src/integrations/public-api/problems.ts'
import { routes } from '../../../src/integrations/public-api/routes.ts'
import { apiKeys } from '../../../src/platform/database/schema/agencies.ts'
import { hashOf } from '../../../src/platform/http/sealing.ts'
import { ally, fixture, manager, openOnce, rowsWhere } from '../../kit/open.ts'
import { expectAnswered, expectPage, expectWords } from '../../kit/reading.ts'

openOnce()

test('shows every operation, error and scope to anybody', async () => {
  const { status, text } = await fixture.visit('/api/v1')
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
  const page = () => `/admin/agency/${ally.agencyId}/integracion`
  const send = (form: Record<string, string>) => fixture.post(page(), form, manager)
  const rows = () => rowsWhere(apiKeys, { agencyId: ally.agencyId! })
  const ask = (key: string) =>
    fixture.send('/api/v1/codes', fixture.visitor(), { headers: { authorization: `Bearer ${key}` } })
  const input = { intent: 'keys.make', name: ' CRM de ventas ', life: 'quarter', 'codes:read': 'on' }

  test('is shown once, has the chosen scopes, and stops working once revoked', async () => {
    const { status, text } = await send(input)
    const [key = ''] = /cec_viva_[A-Za-z0-9]{43}/.exec(text) ?? []
    expect(status).toBe(200)
    const [row] = await rows()
    const made = { name: 'CRM de ventas', scopes: ['codes:read'], madeBy: manager.id }
    expect(row).toMatchObject({ ...made, keyHash: hashOf(key), prefix: key.slice(0, 17) })
    expect(Math.round((row!.expiresAt!.getTime() - Date.now()) / 86_400_000)).toBe(90)
    const shown = await fixture.visit(page(), manager)
    expect(shown.text).toContain(`${row!.prefix}`)
    expect(shown.text).not.toContain(key)
    await expectAnswered(ask(key), 200)
    const { location } = await send({ intent: 'keys.revoke', keyId: row!.id })
    expect(location).toBe(page())
    await expectAnswered(ask(key), 401)
    expectPage(await send({ intent: 'keys.revoke', keyId: row!.id }), 409, 'Esa llave ya no servía.')
  })

  test('is refused without a name or a scope, and the form keeps what was typed', async () => {
    const before = (await rows()).length
    const { 'codes:read': _, ...without } = input
    expectPage(
      await send({ ...without, name: 'Mi sistema' }),
      400,
      'Elige al menos un permiso.',
      'value="Mi sistema"',
    )
    expectPage(await send({ ...input, name: ' ' }), 400, 'Escribe para qué sistema es la llave.')
    expect(await rows()).toHaveLength(before)
  })
})
