import { mostViews, viewQuery } from '../../src/users/rules/saved-view.ts'
import { viewsOf } from '../../src/users/saved-views.ts'
import {
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  manager,
  markupOf,
  openEach,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectStatus, expectStatuses } from '../kit/reading.ts'

openEach()

const send = (intent: string, fields: Record<string, string>, as: Person = manager) =>
  fixture.post('/admin/vistas', { intent, ...fields }, as)
const save = (name: string, query = 'state=requested', list = 'pending', as?: Person) =>
  send('save-view', { list, name, query }, as)
const own = async (as: Person = manager) =>
  (await viewsOf(db, as.actor)).map(({ list, name, query }) => `${list} ${name} ${query}`)

test('saves filters and order under a name, shown above their list, to their owner only', async () => {
  const list = '/admin/appointments-pending'
  const filtered = `${list}?state=requested&order=reverse`
  await expectScreen(filtered, manager, 'value="order=reverse&amp;state=requested"')
  const { location, status } = await save('Por confirmar', 'state=requested&order=reverse')
  expect([status, location]).toEqual([303, `${list}?order=reverse&state=requested`])
  await expectScreen(list, manager, `href="${list}?order=reverse&amp;state=requested"`, 'Por confirmar')
  // Under its filters it is the one that is open, and there is nothing to save.
  const open = await markupOf(location!, manager)
  expect(open).toMatch(/aria-current="true"[^>]*>(?:(?!<\/a>).)*Por confirmar/)
  expect(open).not.toContain('Guardar vista')
  for (const [path, who] of [
    [list, analyst],
    ['/admin/appointments-done', manager],
    ['/admin/vistas', analyst],
  ] as const)
    await expectNotOnPage(path, who, 'Por confirmar')
})

test('keeps neither search text nor page, and refuses a view without filters', async () => {
  await save('Suyas', 'text=Camila&page=3&after=x&trail=y&service=installation&state=&Mal=1')
  expect(await own()).toEqual(['pending Suyas service=installation'])
  for (const query of ['', 'text=Camila', `a=${'x'.repeat(600)}`])
    expectStatus(await save('Otra', query), 400)
  await expectNotOnPage('/admin/users?text=Camila', manager, 'Guardar vista')
  expect(await own()).toHaveLength(1)
})

test('replaces the view of the same name in its list, ignoring accents and capitals', async () => {
  await save('Técnicos')
  await save('TECNICOS', 'state=assigned')
  await save('Técnicos', 'kind=tecnician', 'users')
  expect(await own()).toEqual(['pending TECNICOS state=assigned', 'users Técnicos kind=tecnician'])
})

test('renames and removes a view of one’s own, not to a taken name', async () => {
  await save('Una')
  await save('Otra', 'state=assigned')
  const [{ id: viewId } = { id: '' }] = await viewsOf(db, manager.actor)
  const rename = (name: string, as?: Person) => send('rename-view', { viewId, name }, as)
  const remove = (as?: Person) => send('remove-view', { viewId }, as)
  expectStatus(await rename('Robada', analyst), 404)
  expectStatus(await remove(analyst), 404)
  expectStatus(await rename('úna'), 409)
  expectPage(await rename(' '), 400, 'Escribe un nombre para la vista.')
  expectStatus(await rename('Asignadas'), 303)
  expect(await own()).toEqual(['pending Asignadas state=assigned', 'pending Una state=requested'])
  expectStatus(await remove(), 303)
  expectStatus(await remove(), 404)
  expect(await own()).toEqual(['pending Una state=requested'])
})

test('refuses an unknown list, one that the role may not open, and a long name with what was typed', async () => {
  expectStatus(await save('Suya', 'state=paid', 'payments', technician), 403)
  expectStatus(await save('Mía', 'state=x', 'toString'), 400)
  expectStatus(await save('Mía', 'state=x', 'pending', customer), 403)
  const name = 'x'.repeat(41)
  const words = ['Guardar vista de Próximas citas', 'Usa como máximo 40 caracteres.', name]
  expectPage(await save(name), 400, ...words)
  expect([...(await own(technician)), ...(await own())]).toEqual([])
})

test(`limits a list to ${mostViews} views, also of two saved at once`, async () => {
  for (let n = 1; n < mostViews; n++) await save(`Vista ${n}`)
  expectStatuses(await Promise.all([save('Penúltima'), save('Última')]), 303, 409)
  expect(await own()).toHaveLength(mostViews)
  const page = await fixture.visit('/admin/appointments-pending?state=assigned', manager)
  expect(page.text).not.toContain('Guardar vista')
  expectStatus(await save('Vista 1', 'state=assigned'), 303)
  expectStatus(await save('Otra', 'state=done', 'done'), 303)
})

test('writes equal filters as equal texts', () => {
  expect(viewQuery('?b=2&a=1&a=3')).toBe('a=3&b=2')
  expect(viewQuery({ b: '2', a: '3', text: 'x' })).toBe('a=3&b=2')
  expect(viewQuery({})).toBe('')
})
