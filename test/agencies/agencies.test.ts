import type { listAgencies } from '../../src/agencies/agency-queries.ts'
import { sessions } from '../../src/platform/database/schema/accounts.ts'
import { agencies, events } from '../../src/platform/database/schema/projects.ts'
import {
  analyst,
  expectLastEvent,
  expectLed,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  markupOf,
  newPerson,
  openOnce,
  people,
  post,
  rowsWhere,
  rowWhere,
  storeRows,
} from '../kit/open.ts'
import { expectAnswered, expectPage, expectStatuses, expectWords, loaded } from '../kit/reading.ts'

openOnce()

const form = {
  name: 'Autos Ávila',
  phone: '55 1234 5678',
  municipality: 'Coyoacán',
  notes: 'Paga a 30 días',
  commissionKind: 'percent',
  commissionValue: '5.5',
  benefitKind: 'percent',
  benefitValue: '15',
}
const add = (changes: Record<string, string>) => post('/admin/agencies/add', { ...form, ...changes }, manager)
const row = async (id: string) => (await rowWhere(agencies, { id }))!

/** Adds one by the form; answers the page of its data. */
async function added(name: string): Promise<{ id: string; path: string }> {
  const screen = (await add({ name })).location!
  return { id: screen.split('/').at(-1)!, path: `${screen}/datos` }
}

test('a manager adds an agency, with amounts in hundredths and an event', async () => {
  const { id } = await added('Volta Sur')
  expect(await row(id)).toMatchObject({
    name: 'Volta Sur',
    phone: '5512345678',
    municipality: 'coyoacan',
    active: true,
    commissionValue: 550,
    benefitValue: 1500,
  })
  const [event] = await rowsWhere(events, { entityId: id })
  expect(event).toMatchObject({ entity: 'agency', name: 'create', actorId: manager.id })
})

test('refuses to add an agency with invalid values, or a name taken but for case and accents, also of two forms at once', async () => {
  const words = ['Escribe el nombre de la concesionaria.', 'Usa como máximo 30\u00a0%.']
  expectPage(await add({ name: '', benefitValue: '31' }), 400, ...words)
  expectStatuses(await Promise.all([add({}), add({})]), 303, 409)
  const taken = await add({ name: ' AUTOS  AVILA ', notes: 'Otra' })
  expectPage(taken, 409, 'Ya hay una concesionaria con ese nombre.', 'Otra')
})

test('shows inactive allies to managers only', async () => {
  const { id, path } = await added('Con gente')
  for (const active of [true, false])
    await newPerson({ kind: 'alliate', name: active ? 'Presente' : 'Ausente', agencyId: id, active })
  await expectScreen(path, manager, 'Presente', 'Ausente')
  await expectScreen(path, analyst, 'Presente')
  await expectNotOnPage(path, analyst, 'Ausente')
})

const edit = (path: string, changes: Record<string, string>) =>
  post(path, { ...form, intent: 'edit', version: '1', ...changes }, manager)

test('shows each change of an agency in its history; a stale form changes nothing and keeps what was typed', async () => {
  const { id, path } = await added('Antes')
  await edit(path, { name: 'Antes' })
  expect(await row(id)).toMatchObject({ version: 1 })
  const changes = { name: 'Después', commissionKind: 'amount', commissionValue: '$1,500' }
  await expectAnswered(edit(path, changes), 303, path)
  expect(await row(id)).toMatchObject({ name: 'Después', version: 2 })
  await expectTrail(id, ['create', 'update'])
  const data = { changes: { name: { from: 'Antes', to: 'Después' } } }
  await expectLastEvent(id, { data })
  const text = await markupOf(path, manager)
  expectWords(text.replace(/<[^>]*>/g, ''), 'Historial', 'Mariana Prueba', 'Comisión: 5.5\u00a0% → $1,500.00')
  const late = await edit(path, { name: 'Después', contact: 'Segunda' })
  expectPage(late, 409, 'Revisa lo que cambió', 'Segunda')
  expect(await row(id)).toMatchObject({ contact: null })
})

test('refuses to edit an agency with the name of another, an invalid field or an invalid version', async () => {
  const { path } = await added('Con nombre')
  const taken = await edit(path, { name: 'concesionaria de PRUEBA' })
  expectPage(taken, 409, 'Ya hay una concesionaria con ese nombre.')
  for (const wrong of [{ name: '' }, { version: '' }, { version: '1e400' }])
    await expectAnswered(edit(path, wrong), 400)
})

const switchTo = async (path: string, active: string, version: number) =>
  (await post(path, { intent: 'switch', active, version: String(version) }, manager)).status

test('deactivating an agency ends the sessions of its allies only, and says before how many', async () => {
  const { id, path } = await added('Se va')
  const ally = await newPerson({ kind: 'alliate', agencyId: id })
  await expectScreen(path, manager, 'La sesión de 1 aliado se cierra en este momento.')
  expect(await switchTo(path, 'no', 1)).toBe(303)
  await expectRowsIn(sessions, { userId: ally.id }, [])
  await expectLed('/admin', ally, '/signin')
  await expectLed('/admin', people.ally, null)
  await expectScreen(path, manager, 'Está inactiva')
})

test('deactivates and activates an agency once, and refuses stale and invalid forms', async () => {
  const { id, path } = await added('Va y viene')
  expect(await switchTo(path, 'no', 1)).toBe(303)
  expect(await switchTo(path, 'no', 1)).toBe(409)
  expect(await switchTo(path, 'no', 2)).toBe(409)
  expect(await switchTo(path, 'yes', 2)).toBe(303)
  expect(await row(id)).toMatchObject({ active: true, version: 3 })
  await expectTrail(id, ['create', 'deactivate', 'activate'])
  expect(await switchTo(path, 'quizá', 3)).toBe(400)
})

test('lists agencies in Spanish order, with the number of their active allies', async () => {
  const names = ['Ana', 'Ángel', 'Nube', 'Ñame', 'Ñandú', 'Óscar', 'Zócalo']
  const stored = await storeRows(
    agencies,
    names.toReversed().map((name) => ({ name })),
  )
  const agencyId = stored.at(-1)!.id
  for (const active of [true, false]) await newPerson({ kind: 'alliate', agencyId, active })
  type List = Awaited<ReturnType<typeof listAgencies>>
  const answer = await fixture.data('/admin/agencies', manager)
  const rows = loaded<List>(answer, 'agencies/screens/agencies').rows.filter(({ name }) =>
    names.includes(name),
  )
  expect(rows.map(({ name }) => name)).toEqual(names)
  expect(rows[0]).toMatchObject({ allies: 1 })
})
