import { events } from '../../src/platform/database/schema/projects.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { sectionFields } from '../../src/settings/screens/section-fields.ts'
import { givePassword, password } from '../accounts/own.ts'
import {
  analyst,
  customer,
  db,
  expectLed,
  expectScreen,
  fixture,
  inParallel,
  manager,
  markupOf,
  openEach,
  post,
  rowsWhere,
} from '../kit/open.ts'
import { expectPage, expectStatus, expectStatuses, expectWords } from '../kit/reading.ts'
import { at, expectSaved, save, stored, wordsOf } from '../kit/settings.ts'

openEach()

const settings = '/admin/account/configuracion'
const slots = { stepMinutes: '60', bufferMinutes: '20', arrivalWindowMinutes: '45' }
const history = () => rowsWhere(events, { entity: 'settings' })
/** A form under the version that its page showed. */
const send = (slug: string, section: string, form: object, version = '1') =>
  post(at(slug), { intent: `settings.${section}`, version, ...form }, manager)

// Whom they lead away: test/access/guards.test.ts.
test('opens every page to the manager, and links it to no analyst', async () => {
  await expectScreen('/admin/account', manager, 'Configuración del servicio')
  await expectScreen(settings, manager, '12,900.00')
  const slugs = 'horario agenda festivos traslados visita instalacion asesoria cambios confirmacion contacto'
  for (const slug of [...slugs.split(' '), 'estimado']) await expectScreen(at(slug), manager, 'Historial')
  expect(await markupOf('/admin/account', analyst)).not.toContain('Configuración del')
  for (const path of [at('nada'), at('catalogo/NO-HAY'), at('horario/x')])
    expect((await fixture.visit(path, manager)).status, path).toBe(404)
})

test.each([
  ['', ''],
  ['=__proto__', ''],
  ['=horario', '/horario'],
  ['=traslados&desde=toluca', '/traslados?desde=toluca'],
  ['=catalogo', '/catalogo'],
  ['=catalogo&partida=CAB-8', '/catalogo/CAB-8'],
  ['=catalogo&partida=..%2F..%2Fx', '/catalogo/..%2F..%2Fx'],
])('redirects the former address ?configuracion%s to %s, forms too', async (query, now) => {
  const before = `/admin/account?configuracion${query}`
  const read = await fixture.visit(before, manager)
  expect([read.status, read.location]).toEqual([301, settings + now])
  const sent = await post(before, { intent: 'settings.slots', version: '1' }, manager)
  expect([sent.status, sent.location]).toEqual([308, settings + now])
})

test('guards the former addresses too', async () => {
  const before = '/admin/account?configuracion=horario'
  expect((await fixture.data(before)).onward).toContain(encodeURIComponent(before))
  await expectLed(before, customer, '/')
  expectStatus(await post(before, { intent: 'settings.hours' }, customer), 403)
})

test('changes the account that customers pay to by the password of the manager only', async () => {
  const account = { beneficiary: 'Carga en Casa', bank: 'BBVA', clabe: '032180000118359719' }
  const change = (currentPassword: string) => send('transferencias', 'spei', { ...account, currentPassword })
  await expectScreen(at('transferencias'), manager, 'Tu contraseña')
  expectStatus(await change(password), 409)
  await givePassword(manager)
  for (const wrong of ['', 'otra-frase-larga']) expectStatus(await change(wrong), 400)
  expect((await stored()).spei).toEqual(defaultSettings.spei)
  expectStatus(await change(password), 303)
  expect((await stored()).spei).toEqual(account)
})

test('refuses wrong values of every section in its open form, and an unknown form', async () => {
  expectStatus(await send('agenda', 'nonsense', {}), 400)
  for (const [section, fields] of Object.entries(sectionFields))
    for (const wrong of ['', 'doce mil', '-5']) {
      const form = Object.fromEntries(fields.map(({ name }) => [name, wrong]))
      expect((await save(manager, section, form)).text, `${section} ${wrong}`).not.toContain('ya no sirve')
    }
  const rule = 'Los minutos deben caber un número exacto de veces en el día.'
  expectPage(await send('agenda', 'slots', { ...slots, stepMinutes: '7' }), 400, rule, 'value="7"')
  // Numbers that do not go together: the table is in test/settings/settings-form.test.ts.
  const visit = { minutes: '720', noticeHours: '24', horizonDays: '30', dailyMax: '4', freeChangeHours: '24' }
  expectStatus(await send('visita', 'technical_visit', visit), 400)
  expect(await stored()).toEqual(defaultSettings)
})

test('saves a section, whose history shows what was and what is', async () => {
  expectSaved(await save(manager, 'slots', slots), 'agenda')
  expect(await stored()).toEqual({
    ...defaultSettings,
    stepMinutes: 60,
    bufferMinutes: 20,
    arrivalWindowMinutes: 45,
  })
  const data = { section: 'slots', changes: { bufferMinutes: { from: 15, to: 20 } } }
  expect(await history()).toMatchObject([{ name: 'update', actorId: manager.id, data }])
  expectWords(wordsOf(await markupOf(at('agenda'), manager)), 'Tiempo entre dos citas (min): 15 → 20')
  expect(await markupOf(at('estimado'), manager)).not.toContain('15</span> → 20')
})

test('saves one of two forms at once; a stale one keeps what was typed', async () => {
  expectStatuses(await inParallel(2, () => send('agenda', 'slots', slots)), 303, 409)
  expect(await history()).toHaveLength(1)
  const late = await send('agenda', 'slots', { ...slots, bufferMinutes: '33' })
  expectPage(late, 409, 'Revisa lo que cambió', 'value="33"', 'Usar lo suyo', 'name="version" value="2"')
  expect((await stored()).bufferMinutes).toBe(20)
})

test('saves a form when another section changed, not under a version to come', async () => {
  const changes = { freeChangeAfterBookingMinutes: '10', rescheduleLimit: '3' }
  await save(manager, 'slots', slots)
  expectSaved(await send('cambios', 'changes', changes), 'cambios')
  expect(await stored()).toMatchObject({ bufferMinutes: 20, rescheduleLimit: 3 })
  expectStatus(await send('cambios', 'changes', changes, '9'), 409)
})

test('records no history of unchanged values', async () => {
  const same = { stepMinutes: '30', bufferMinutes: '15', arrivalWindowMinutes: '30' }
  expectSaved(await save(manager, 'slots', same), 'agenda')
  expect(await history()).toEqual([])
})

test('shows a new phone on the very next page, the not-found page included', async () => {
  const support = { phone: '5511112222', whatsapp: '5533334444', email: 'hola@ayuda.mx', hours: 'Siempre' }
  expectWords(await markupOf('/nada'), 'tel:+525555550100')
  expectSaved(await save(manager, 'support', support), 'contacto')
  for (const person of [undefined, customer])
    expectWords(await markupOf('/nada', person), 'tel:+525511112222', 'https://wa.me/525533334444', 'Siempre')
})

test('asks the database for the settings of a page only after an announcement', async () => {
  const asked = vi.spyOn(db.$client, 'query')
  const questions = async () => {
    asked.mockClear()
    await fixture.visit('/nada')
    return asked.mock.calls.length
  }
  // What was announced while the fixture was made is processed soon.
  await expect.poll(questions).toBe(0)
  for (let n = 0; n < 5; n++) expectWords(await markupOf('/nada'), 'tel:')
  expect(asked).not.toHaveBeenCalled()
  asked.mockRestore()
})
