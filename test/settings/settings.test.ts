import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { defaultSettings } from '../../src/domain/settings/settings-schema.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { sectionFields } from '../../src/web/settings/section-fields.ts'
import { givePassword, password } from '../accounts/own.ts'
import { openEach, people, world } from '../kit/open.ts'
import { expectPage, expectWords } from '../kit/reading.ts'
import { at, expectSaved, save, stored, wordsOf } from '../kit/settings.ts'

openEach()

const settings = '/admin/account/configuracion'
const slots = { stepMinutes: '60', bufferMinutes: '20', arrivalWindowMinutes: '45' }
const history = () => world.db.select().from(events).where(eq(events.entity, 'settings')).orderBy(events.id)

describe('who', () => {
  test('the manager finds every page; the others only their own account', async () => {
    const { manager, customer, ...staff } = people
    const pages = ['horario', 'agenda', 'festivos', 'traslados', 'visita', 'instalacion', 'asesoria']
    const more = ['cambios', 'confirmacion', 'contacto', 'estimado']
    expect((await world.visit('/admin/account', manager)).text).toContain('Configuración del servicio')
    expect((await world.visit(settings, manager)).text).toContain('12,900.00')
    for (const slug of [...pages, ...more]) {
      const { status, text } = await world.visit(at(slug), manager)
      expect([slug, status, text.includes('Historial')]).toEqual([slug, 200, true])
    }
    for (const path of [settings, at('estimado'), at('festivos'), at('traslados'), at('catalogo')]) {
      for (const person of [staff.analyst, staff.technician, staff.gester, staff.ally]) {
        expect((await world.visit(path, person)).location).toBe('/admin/account')
        expect((await world.data(path, person)).text).not.toMatch(/rangePercent|unitPrice|holidays/)
      }
      expect((await world.visit(path, customer)).location).toBe('/')
      expect((await world.visit(path)).onward).toBe(`/signin?next=${encodeURIComponent(path)}`)
    }
    expect((await world.visit('/admin/account', staff.analyst)).text).not.toContain('Configuración del')
  })

  test('a form that no part of it has is refused', async () => {
    const form = { intent: 'settings.nonsense' }
    expect((await world.post(at('agenda'), form, people.manager)).status).toBe(400)
  })

  test('a manager who still has to turn on the second factor configures nothing', async () => {
    const strict = world.under({ REQUIRE_2FA: 'true' })
    const form = { intent: 'settings.slots', version: '1', ...slots }
    for (const answer of [
      await strict.post(at('agenda'), form, people.manager),
      await strict.visit(at('agenda'), people.manager),
    ])
      expect([answer.status, answer.location]).toEqual([302, '/admin/account'])
    expect(await stored(world)).toEqual(defaultSettings)
  })
})

describe('the addresses of before', () => {
  test.each([
    ['', ''],
    ['=', ''],
    ['=nada', ''],
    ['=__proto__', ''],
    ['=horario', '/horario'],
    ['=festivos', '/festivos'],
    ['=traslados', '/traslados'],
    ['=traslados&desde=toluca', '/traslados?desde=toluca'],
    ['=catalogo', '/catalogo'],
    ['=catalogo&partida=CAB-8', '/catalogo/CAB-8'],
    ['=catalogo&partida=nueva', '/catalogo/nueva'],
    ['=catalogo&partida=..%2F..%2Fx', '/catalogo/..%2F..%2Fx'],
  ])('?configuracion%s leads to %s, also what is sent', async (query, now) => {
    const [before, after] = [`/admin/account?configuracion${query}`, settings + now]
    const read = await world.visit(before, people.manager)
    expect([read.status, read.location]).toEqual([301, after])
    const sent = await world.post(before, { intent: 'settings.slots', version: '1' }, people.manager)
    expect([sent.status, sent.location]).toEqual([308, after])
  })

  test('lead nobody past the guard', async () => {
    const before = '/admin/account?configuracion=horario'
    expect((await world.visit(before)).onward).toContain(
      '/signin?next=%2Fadmin%2Faccount%3Fconfiguracion%3Dhorario',
    )
    expect((await world.visit(before, people.customer)).location).toBe('/')
    expect((await world.post(before, { intent: 'settings.hours' }, people.customer)).status).toBe(403)
  })

  test('a page that does not exist is not found', async () => {
    for (const path of [at('nada'), at('catalogo/NO-HAY'), at('horario/x')])
      expect([path, (await world.visit(path, people.manager)).status]).toEqual([path, 404])
  })
})

describe('the account that customers pay to', () => {
  const account = { beneficiary: 'Carga en Casa', bank: 'BBVA', clabe: '032180000118359719' }
  const send = (currentPassword: string) =>
    world.post(
      at('transferencias'),
      { intent: 'settings.spei', version: '1', ...account, currentPassword },
      people.manager,
    )

  test('is not changed by a manager’s session alone', async () => {
    expect((await world.visit(at('transferencias'), people.manager)).text).toContain('Tu contraseña')
    expect((await send(password)).status).toBe(409)
    await givePassword(world, people.manager)
    for (const wrong of ['', 'otra-frase-larga']) expect((await send(wrong)).status).toBe(400)
    expect((await stored(world)).spei).toEqual(defaultSettings.spei)
    expect((await send(password)).status).toBe(303)
    expect((await stored(world)).spei).toEqual(account)
  })
})

describe('a wrong value', () => {
  test('is said beside its field, in every section, and never as a form to open again', async () => {
    for (const [section, fields] of Object.entries(sectionFields))
      for (const wrong of ['', 'doce mil', '-5']) {
        const form = Object.fromEntries(fields.map(({ name }) => [name, wrong]))
        const answer = await save(world, people.manager, section, form)
        expect([section, wrong, answer.text.includes('ya no sirve')]).toEqual([section, wrong, false])
      }
    const answer = await save(world, people.manager, 'estimate', { base: 'doce mil' })
    expect([answer.status, answer.text.includes('Escribe la cantidad como 12,345.50.')]).toEqual([400, true])
  })
})

describe('saving', () => {
  test('writes the section, and the history says what was and what is', async () => {
    expectSaved(await save(world, people.manager, 'slots', slots), 'agenda')
    expect(await stored(world)).toEqual({
      ...defaultSettings,
      stepMinutes: 60,
      bufferMinutes: 20,
      arrivalWindowMinutes: 45,
    })
    const [event] = await history()
    expect(event).toMatchObject({
      name: 'update',
      actorId: people.manager.id,
      data: { section: 'slots', changes: { bufferMinutes: { from: 15, to: 20 } } },
    })
    const { text } = await world.visit(at('agenda'), people.manager)
    expect(wordsOf(text)).toContain('Tiempo entre dos citas (min): 15 → 20')
    expect((await world.visit(at('estimado'), people.manager)).text).not.toContain('15</span> → 20')
  })

  test('sent twice, it is saved once: the second finds another version', async () => {
    const form = { intent: 'settings.slots', version: '1', ...slots }
    const answers = await Promise.all([
      world.post(at('agenda'), form, people.manager),
      world.post(at('agenda'), form, people.manager),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await history()).toHaveLength(1)
  })

  test('a stale form changes nothing and keeps what was typed', async () => {
    await save(world, people.manager, 'slots', slots)
    const late = { intent: 'settings.slots', version: '1', ...slots, bufferMinutes: '33' }
    const answer = await world.post(at('agenda'), late, people.manager)
    expectPage(answer, 409, 'Alguien más actualizó este registro.', 'value="33"')
    expect((await stored(world)).bufferMinutes).toBe(20)
    // Pressed again, it overwrites no more than before.
    expect(answer.text).toMatch(/name="version" value="1"/)
    expect(answer.text).not.toMatch(/name="version" value="2"/)
  })

  test('what changed elsewhere in the configuration does not stop a form', async () => {
    const changes = { freeChangeAfterBookingMinutes: '10', rescheduleLimit: '3' }
    await save(world, people.manager, 'slots', slots)
    const form = { intent: 'settings.changes', version: '1', ...changes }
    expectSaved(await world.post(at('cambios'), form, people.manager), 'cambios')
    expect(await stored(world)).toMatchObject({ bufferMinutes: 20, rescheduleLimit: 3 })
    // From a time that has not come.
    const odd = { ...form, version: '9' }
    expect((await world.post(at('cambios'), odd, people.manager)).status).toBe(409)
  })

  test('what is as it was makes no history', async () => {
    const same = { stepMinutes: '30', bufferMinutes: '15', arrivalWindowMinutes: '30' }
    expectSaved(await save(world, people.manager, 'slots', same), 'agenda')
    expect(await history()).toEqual([])
  })

  test('a wrong number is said under its field, and stays typed', async () => {
    const answer = await world.post(
      at('agenda'),
      { intent: 'settings.slots', version: '1', ...slots, stepMinutes: '7' },
      people.manager,
    )
    expectPage(answer, 400, 'Los minutos deben caber un número exacto de veces en el día.', 'value="7"')
  })

  test('numbers that do not go together are refused', async () => {
    const visit = {
      minutes: '720',
      noticeHours: '24',
      horizonDays: '30',
      dailyMax: '4',
      freeChangeHours: '24',
    }
    const long = await world.post(
      at('visita'),
      { intent: 'settings.technical_visit', version: '1', ...visit },
      people.manager,
    )
    expectPage(long, 400, 'Con 720 minutos no cabe ninguna visita técnica en el día.')
    expect(await stored(world)).toEqual(defaultSettings)
  })
})

describe('what everybody sees', () => {
  const support = { phone: '5511112222', whatsapp: '5533334444', email: 'hola@ayuda.mx', hours: 'Siempre' }

  test('a new phone stands on the very next page, the not-found page included', async () => {
    expect((await world.visit('/nada')).text).toContain('tel:+525555550100')
    expectSaved(await save(world, people.manager, 'support', support), 'contacto')
    for (const person of [undefined, people.customer]) {
      const { text } = await world.visit('/nada', person)
      expectWords(text, 'tel:+525511112222', 'https://wa.me/525533334444', 'Siempre')
    }
  })

  test('a page asks the database nothing for it until something is announced', async () => {
    await world.visit('/nada')
    // What was announced while this world was made is heard by now.
    await wait(100)
    await world.visit('/nada')
    const asked = vi.spyOn(world.db.$client, 'query')
    for (let n = 0; n < 5; n++) expect((await world.visit('/nada')).text).toContain('tel:')
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })
})
