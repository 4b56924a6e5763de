import { eq } from 'drizzle-orm'
import { sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { catalogueItems, quotes } from '../../src/platform/database/schema/payments.ts'
import { fieldsOf, lineField, optionField, typedOf } from '../../src/quotes/rules/draft.ts'
import { visitAtHome } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { analyst, customer, db, eventsAbout, fixture, manager, openEach, technician } from '../kit/open.ts'
import { builderForm, content, option, visited } from '../kit/quotes.ts'
import { boxIn, expectAnswered, expectPage, expectShown, statusesOf } from '../kit/reading.ts'

let id: string
openEach(async () => {
  id = (await visited(customer, technician, undefined, completeAnswers.visit)).id
})

type Form = Record<string, string>
const path = () => `/admin/cotizations/add-quote/${id}`
const shown = () => builderForm(id)
const page = (who = analyst) => fixture.visit(path(), who)
const press = (form: Form, who = analyst) => fixture.post(path(), form, who)
const save = (form: Form, who = analyst) => press({ intent: 'save-quote', ...form }, who)
const send = (form: Form, who = analyst) => press({ intent: 'send-quote', ...form }, who)
const rows = () => db.select().from(quotes).orderBy(quotes.createdAt)
const changeItem = (code: string, to: Partial<typeof catalogueItems.$inferInsert>) =>
  db.update(catalogueItems).set(to).where(eq(catalogueItems.code, code))
const price = lineField(0, 'lines', 1, 'unitPrice')
/** The value of a box of a page. */
const valueIn = (page: { text: string }, name: string) =>
  / value="([^"]*)"/.exec(boxIn(page, name))?.[1] ?? ''

test('a draft begins with what the report requires, and is stored once it is saved', async () => {
  expectShown(await page(), 200, 'Esencial', 'Completa', 'Interruptor termomagnético de 2 polos, 40 A')
  expect(await rows()).toEqual([])
  await expectAnswered(save(await shown()), 303, path())
  const changed = { ...(await shown()), [price]: '40', depositPercent: '30 %' }
  await expectAnswered(save(changed, manager), 303)
  const [draft, ...more] = await rows()
  expect(more).toEqual([])
  expect(draft).toMatchObject({
    appointmentId: id,
    kind: 'installation',
    state: 'draft',
    revision: 1,
    version: 2,
    madeBy: analyst.id,
    customerId: customer.id,
    folio: expect.stringMatching(/^COT-\d{4}-00001$/),
    content: { depositPercent: 30, warrantyMonths: 12 },
  })
  expect(draft?.content.options[0]?.lines[1]).toMatchObject({ quantity: 45_000, unitPrice: 40_0000 })
  expect(await eventsAbout(draft!)).toMatchObject([
    { name: 'begin', actorId: analyst.id },
    { name: 'edit', actorId: manager.id },
  ])
})

test('a draft is one for a form sent twice at once; another form at once is refused and keeps what was typed', async () => {
  const form = await shown()
  expect(await statusesOf(save(form), save(form))).toEqual([303, 303])
  const late = await save({ ...form, [price]: '77.77' }, manager)
  expectPage(late, 409, 'Revisa lo que cambió', 'value="77.77"')
  expect(valueIn(late, 'version')).toBe('1')
  expect(await rows()).toMatchObject([{ version: 1 }])
})

test('a draft is discarded with its row, and its visit can be quoted again', async () => {
  await save(await shown())
  const discard = { intent: 'discard-quote', version: '1' }
  await expectAnswered(press({ ...discard, version: '9' }), 409)
  await expectAnswered(press(discard), 303, '/admin/cotizations?view=borradores')
  for (const [list, to] of [
    ['/admin/cotizations?view=cambios&order=sent', '/admin/cotizations?view=cambios&order=sent'],
    ['https://otra.mx/admin/cotizations?', '/admin/cotizations?view=borradores'],
  ] as const)
    await expectAnswered(press({ ...discard, list }), 303, to)
  expect(await rows()).toEqual([])
  await expectAnswered(save({ ...(await shown()), version: '1' }), 409)
  await expectAnswered(save(await shown()), 303)
})

test('a draft is refused with a wrong value, which is marked and stays typed', async () => {
  const answer = await save({ ...(await shown()), [price]: 'mucho' })
  expectPage(answer, 400, 'Escribe el precio como 1,250.50', 'value="mucho"')
  expect(answer.text).toMatch(/<\w+ [^>]*aria-invalid="true"/i)
  // Without scripts the list of errors has the focus, and leads to the field.
  expect(answer.text).toMatch(/role="alert"[^>]*autofocus/i)
  for (const odd of [{}, { ...(await shown()), version: '-1' }])
    expectPage(await save(odd), 400, 'Vuelve a abrir la página.')
  expect(await rows()).toEqual([])
})

test('a draft is edited and previewed without JavaScript, keeping everything typed', async () => {
  const form = { ...(await shown()), [price]: 'a medio escribir', notes: 'Por si acaso' }
  const edited = await press({ ...form, adding: 'PER-CON', edit: 'add.0.lines' })
  expectPage(edited, 200, 'value="a medio escribir"', 'Por si acaso')
  expect(valueIn(edited, lineField(0, 'lines', 9, 'description'))).toBe('Gestión del permiso del condominio')
  const asked = await press({ ...form, adding: 'pastilla 50', edit: 'add.all.lines' })
  expectPage(asked, 200, 'Elige cuál', 'value="pastilla 50"', 'value="add.all.lines.INT-3P-60"')
  expectPage(await save({ ...form, [price]: '1', adding: '8 awg' }), 400, 'agrégalo o bórralo')
  const preview = await press({ intent: 'preview-quote', ...(await shown()) })
  expectPage(preview, 200, 'Así la verá el cliente', 'Puedes agregar', `name="${price}"`)
  expect(await rows()).toEqual([])
})

test('a draft with metres that its lines lack is sent after a confirmation of these very metres', async () => {
  const form = { ...(await shown()), [optionField(0, 'metres')]: '20' }
  const first = await send(form, manager)
  expectPage(first, 409, 'Los metros no coinciden', 'Enviar así')
  expect(await rows()).toMatchObject([{ state: 'draft' }])
  const again = { ...form, version: '1' }
  await expectAnswered(send({ ...again, meant: 'essential 150' }, manager), 409)
  await expectAnswered(send({ ...again, meant: valueIn(first, 'meant') }, manager), 303)
  expect(await rows()).toMatchObject([{ state: 'sent' }])
})

test('a new version keeps its prices, names those that changed, and takes them by one press', async () => {
  await send({ ...(await shown()), [price]: '36' })
  const words = 'tiene otro precio en el catálogo'
  const { text } = await page()
  expect(text).not.toContain(words)
  expect(text).toContain('todavía puede aceptar la versión')
  await changeItem('CAB-8', { unitPrice: 50_0000 })
  const form = await shown()
  expect(form[price]).toBe('36.00')
  expectShown(await page(), 200, words, 'Cable de cobre THW calibre 8 AWG: de $36.00 a $50.00 por m')
  const taken = await press({ ...form, edit: 'prices' })
  expect(taken.text).not.toContain(words)
  expect(valueIn(taken, price)).toBe('50.00')
})

test('says that a version ends only where one does, and once why only the manager may send', async () => {
  await send(await shown())
  expect((await page()).text).toContain('Al enviarla termina la versión anterior')
  await db.update(quotes).set({ state: 'withdrawn', endedAt: new Date() })
  const { text } = await page()
  expect(text).not.toContain('termina la versión anterior')
  expect(text).toContain('sale en cuanto la envías: no se puede deshacer')
  const off = { id: '99', kind: 'discount', description: 'Promo', discount: '25 %' }
  const named = Object.entries(off).map(([name, value]) => [lineField(0, 'lines', 9, name), value])
  const refused = await send({ ...(await shown()), ...Object.fromEntries(named) })
  expectPage(refused, 409, 'Pedir autorización')
  // The orphaned one is hidden while its form shows it.
  const drawn = refused.text.replace(/<script.*?<\/script>|<div[^>]*data-orphaned.*?<\/div>/gs, '')
  expect(drawn.match(/descuentos? pasan? del 20/gi)).toHaveLength(1)
})

test('a catalogue that changed while a draft was open is stated once before it is sent', async () => {
  const form: Form = { ...(await shown()), catalogue: valueIn(await page(), 'catalogue') }
  await changeItem('CAB-8', { unitPrice: 37_0000 })
  await changeItem(form[lineField(0, 'lines', 0, 'code')]!, { active: false })
  const first = await send(form)
  expectShown(
    first,
    409,
    'El catálogo cambió mientras la hacías',
    'de $36.00 a $37.00 por m',
    'Hay partidas que el catálogo ya no tiene en uso',
  )
  await expectAnswered(send({ ...form, catalogue: valueIn(first, 'catalogue'), version: '1' }), 303)
  expect(await rows()).toMatchObject([{ state: 'sent' }])
})

test('a form sent twice sends once; another version replaces an open one only after a confirmation', async () => {
  const form = await shown()
  const answers = await Promise.all([send(form), send(form)])
  const late = await send(form)
  const [quote, ...more] = await rows()
  expect(more).toEqual([])
  expect(quote).toMatchObject({ state: 'sent', revision: 1 })
  for (const { location } of [...answers, late])
    expect(location).toBe(`/admin/cotizations/detail-quote/${quote!.id}`)
  const other = { ...form, [price]: '35' }
  const asked = await send(other)
  expectShown(asked, 409, 'Si esta la sustituye, envía otra vez.', 'Enviar y sustituir la versión 1')
  expect(await rows()).toMatchObject([{ state: 'sent' }, { state: 'draft', revision: 2 }])
  const replaces = valueIn(asked, 'replaces')
  expect(replaces).toBe(quote!.id)
  await expectAnswered(send({ ...other, version: '1', replaces }), 303)
  expect(await rows()).toMatchObject([{ state: 'superseded' }, { state: 'sent', revision: 2 }])
})

test.each([
  ['was not approved', { state: 'submitted' }, true, 'Primero hay que aprobar el reporte'],
  ['is not viable', { state: 'approved' }, 'not_viable', 'no es viable'],
] as const)('refuses to quote a report that %s', async (_, sheet, feasibility, words) => {
  const form = await shown()
  await db.update(sheets).set(sheet)
  await db.update(sheetAnswers).set({ value: feasibility }).where(eq(sheetAnswers.name, 'feasibility'))
  expectPage(await page(), 200, words)
  await expectAnswered(save(form), 409)
  expect(await rows()).toEqual([])
})

test('extra work is quoted while its installation is under way: one option, no deposit', async () => {
  const customer = await fixture.person()
  const input = { service: 'installation', state: 'in_progress', assigneeId: technician.id } as const
  id = (await visitAtHome(customer, new Date(), input)).id
  const form = await shown()
  expect(form).toMatchObject({ depositPercent: '0', 'options.0.id': 'essential' })
  const offered = content({ options: [option('essential')], depositPercent: 40 })
  await expectAnswered(send({ ...form, ...fieldsOf(typedOf(offered)) }), 303)
  expect(await rows()).toMatchObject([
    { kind: 'extra_work', state: 'sent', highestTotal: 1160_00, content: { depositPercent: 0 } },
  ])
})
