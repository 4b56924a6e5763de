import { expect, test } from 'vitest'
import { mostViews, viewQuery } from '../../src/domain/users/saved-view.ts'
import { viewsOf } from '../../src/server/users/saved-views.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectStatus, expectStatuses, expectWords, readable } from '../kit/reading.ts'

openEach()

const send = (intent: string, fields: Record<string, string>, as: Person = people.manager) =>
  world.post('/admin/vistas', { intent, ...fields }, as)
const save = (name: string, query = 'state=requested', list = 'pending', as?: Person) =>
  send('save-view', { list, name, query }, as)
const own = async (as: Person = people.manager) =>
  (await viewsOf(world.db, as.actor)).map(({ list, name, query }) => `${list} ${name} ${query}`)
const firstId = async () => (await viewsOf(world.db, people.manager.actor))[0]!.id

test('saves filters and order under a name, shown above their list, to their owner only', async () => {
  const narrowed = await world.visit(
    '/admin/appointments-pending?state=requested&order=reverse',
    people.manager,
  )
  expectWords(narrowed.text, 'value="order=reverse&amp;state=requested"')
  const { location, status } = await save('Por confirmar', 'state=requested&order=reverse')
  expect([status, location]).toEqual([303, '/admin/appointments-pending?order=reverse&state=requested'])
  const page = await world.visit('/admin/appointments-pending', people.manager)
  expectWords(page.text, 'href="/admin/appointments-pending?order=reverse&amp;state=requested"')
  expectWords(readable(page), 'Por confirmar')
  // Under its filters it is the one that is open, and there is nothing to save.
  const open = (await world.visit(location!, people.manager)).text
  expect(open).toMatch(/aria-current="true"[^>]*>(?:(?!<\/a>).)*Por confirmar/)
  expect(open).not.toContain('Guardar vista')
  for (const [path, who] of [
    ['/admin/appointments-pending', people.analyst],
    ['/admin/appointments-done', people.manager],
    ['/admin/vistas', people.analyst],
  ] as const)
    expect(readable(await world.visit(path, who))).not.toContain('Por confirmar')
})

test('keeps neither search text nor page, and refuses a view without filters', async () => {
  await save('Suyas', 'text=Camila&page=3&after=x&trail=y&service=installation&state=&Mal=1')
  expect(await own()).toEqual(['pending Suyas service=installation'])
  for (const query of ['', 'text=Camila', '?', `a=${'x'.repeat(600)}`])
    expectStatus(await save('Otra', query), 400)
  expect((await world.visit('/admin/users?text=Camila', people.manager)).text).not.toContain('Guardar vista')
  expect(await own()).toHaveLength(1)
})

test('replaces the view of the same name, ignoring accents and capitals', async () => {
  await save('Técnicos')
  await save('TECNICOS', 'state=assigned')
  await save('Técnicos', 'kind=tecnician', 'users')
  expect(await own()).toEqual(['pending TECNICOS state=assigned', 'users Técnicos kind=tecnician'])
})

test('renames a view, not to a taken name, and removes it', async () => {
  await save('Una')
  await save('Otra', 'state=assigned')
  const viewId = await firstId()
  expectStatus(await send('rename-view', { viewId, name: 'úna' }), 409)
  expectPage(await send('rename-view', { viewId, name: ' ' }), 400, 'Escribe un nombre para la vista.')
  expectStatus(await send('rename-view', { viewId, name: 'Asignadas' }), 303)
  expect(await own()).toEqual(['pending Asignadas state=assigned', 'pending Una state=requested'])
  expectStatus(await send('remove-view', { viewId }), 303)
  expectStatus(await send('remove-view', { viewId }), 404)
  expect(await own()).toEqual(['pending Una state=requested'])
})

test('refuses to rename or remove the view of another person', async () => {
  await save('Una')
  const viewId = await firstId()
  expectStatus(await send('rename-view', { viewId, name: 'Robada' }, people.analyst), 404)
  expectStatus(await send('remove-view', { viewId }, people.analyst), 404)
  expect(await own()).toEqual(['pending Una state=requested'])
})

test('refuses a view of an unknown list or of one that the role may not open', async () => {
  expectStatus(await save('Suya', 'state=paid', 'payments', people.technician), 403)
  expectStatus(await save('Mía', 'state=x', 'toString'), 400)
  expectStatus(await save('Mía', 'state=x', 'pending', people.customer), 403)
  expect([...(await own(people.technician)), ...(await own())]).toEqual([])
})

test(`limits a list to ${mostViews} views, also of two saved at once`, async () => {
  for (let n = 1; n < mostViews; n++) await save(`Vista ${n}`)
  const both = await Promise.all([save('Penúltima'), save('Última')])
  expectStatuses(both, 303, 409)
  expect(await own()).toHaveLength(mostViews)
  expect(
    (await world.visit('/admin/appointments-pending?state=assigned', people.manager)).text,
  ).not.toContain('Guardar vista')
  expectStatus(await save('Vista 1', 'state=assigned'), 303)
  expectStatus(await save('Otra', 'state=done', 'done'), 303)
})

test('shows the list and what was typed again after a refusal', async () => {
  expectPage(
    await save('x'.repeat(41)),
    400,
    'Guardar vista de Próximas citas',
    'Usa como máximo 40 caracteres.',
    'x'.repeat(41),
  )
})

test('writes equal filters as equal texts', () => {
  expect(viewQuery('?b=2&a=1&a=3')).toBe('a=3&b=2')
  expect(viewQuery({ b: '2', a: '3', text: 'x' })).toBe('a=3&b=2')
  expect(viewQuery({})).toBe('')
})
