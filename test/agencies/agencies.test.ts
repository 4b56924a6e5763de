import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions } from '../../src/server/platform/database/schema/accounts.ts'
import { agencies, events } from '../../src/server/platform/database/schema/projects.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectWords, rowIn, rowsIn } from '../kit/reading.ts'

openOnce()

const form = {
  name: 'Autos Ávila',
  brand: 'Marca Ejemplo',
  contact: 'Óscar Núñez',
  phone: '55 1234 5678',
  municipality: 'Coyoacán',
  notes: 'Paga a 30 días',
  commissionKind: 'percent',
  commissionValue: '5.5',
  benefitKind: 'percent',
  benefitValue: '15',
}
const add = (changes: Record<string, string>, as: Person) =>
  world.post('/admin/agencies/add', { ...form, ...changes }, as)
const row = async (id: string) => (await rowIn(world, agencies, { id })) ?? expect.fail('no such agency')

/** Adds one by the form; answers where its data are shown. */
async function added(name: string): Promise<{ id: string; path: string }> {
  const screen = (await add({ name }, people.manager)).location ?? ''
  return { id: screen.split('/').at(-1) ?? '', path: `${screen}/datos` }
}

describe('adding', () => {
  test('the manager adds one; it is kept in centavos and hundredths, with its event', async () => {
    const { id, path } = await added('Volta Sur')
    expect(path).toMatch(/^\/admin\/agency\/[0-9a-f-]{36}\/datos$/)
    expect(await row(id)).toMatchObject({
      name: 'Volta Sur',
      phone: '5512345678',
      municipality: 'coyoacan',
      active: true,
      commissionValue: 550,
      benefitValue: 1500,
    })
    const [event] = await rowsIn(world, events, { entityId: id })
    expect(event).toMatchObject({ entity: 'agency', name: 'create', actorId: people.manager.id })
  })

  test('a name that is taken, accents and case aside, is said under its field; the form keeps what was typed', async () => {
    await added('Autos Ávila')
    for (const name of ['Autos Ávila', 'autos avila', ' AUTOS  ÁVILA ']) {
      const answer = await add({ name, notes: 'Otra' }, people.manager)
      expectPage(answer, 409, 'Ya hay una concesionaria con ese nombre.', 'Otra')
    }
  })

  test('sent twice at once, it is made once', async () => {
    const name = 'Dos Veces'
    const answers = await Promise.all([add({ name }, people.manager), add({ name }, people.manager)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
  })

  test('what is wrong is said under its field', async () => {
    const answer = await add({ name: '', benefitValue: '31' }, people.manager)
    expectPage(answer, 400, 'Escribe el nombre de la concesionaria.', 'Usa como máximo 30\u00a0%.')
  })

  test('the others are told who does, and a form of theirs changes nothing', async () => {
    for (const person of [people.analyst, people.technician, people.gester, people.ally]) {
      const answer = await world.visit('/admin/agencies/add', person)
      expectPage(answer, 200, 'Solo la gerencia da de alta concesionarias')
      expect(answer.text).not.toContain('name="commissionValue"')
      for (const changes of [{ name: 'Intrusa' }, { name: '' }])
        expect((await add(changes, person)).status).toBe(403)
    }
    expect((await add({ name: 'Intrusa' }, people.customer)).status).toBe(403)
    expect(await rowsIn(world, agencies, { name: 'Intrusa' })).toEqual([])
  })
})

describe('reading', () => {
  test('what an agency is paid and our notes reach nobody but the manager', async () => {
    const { id, path } = await added('Condiciones')
    await world.db
      .update(agencies)
      .set({ commissionValue: 7777, notes: 'Muy secreto' })
      .where(eq(agencies.id, id))
    const ally = await world.person({ kind: 'alliate', agencyId: id })
    expect((await world.visit(path, people.manager)).text).toContain('77.77\u00a0%')
    for (const person of [people.analyst, people.technician, people.gester, ally])
      for (const answer of [await world.visit(path, person), await world.data(path, person)]) {
        expectPage(answer, 200, 'Condiciones')
        for (const secret of ['77.77', 'Muy secreto', 'Historial']) expect(answer.text).not.toContain(secret)
        // As a number of its own: a random id may hold these digits.
        expect(answer.text).not.toMatch(/(?<![\w-])7777(?![\w-])/)
      }
  })

  test('an ally sees their own agency and no other', async () => {
    const other = await added('Ajena')
    const own = `/admin/agency/${people.ally.agencyId}`
    const list = await world.visit('/admin/agencies', people.ally)
    expect(list.text).toContain('Concesionaria de prueba')
    expect(list.text).not.toContain('Ajena')
    expect(list.text).toContain('1 concesionaria')
    expect((await world.visit(own, people.ally)).status).toBe(200)
    expect((await world.visit(other.path, people.ally)).status).toBe(404)
    expect((await world.data(other.path, people.ally)).status).toBe(404)
    expect((await world.visit('/admin/agencies?text=Ajena', people.ally)).text).not.toContain('Ajena</')
    const stray = await world.person({ kind: 'alliate' })
    expect((await world.visit('/admin/agencies', stray)).text).toContain('0 concesionarias')
  })

  test('its allies are those that each may know of: somebody inactive is the manager’s to see', async () => {
    const { id, path } = await added('Con gente')
    await world.person({ kind: 'alliate', name: 'Presente', agencyId: id })
    await world.person({ kind: 'alliate', name: 'Ausente', agencyId: id, active: false })
    const seenBy = async (person: Person) => {
      const { text } = await world.visit(path, person)
      return ['Presente', 'Ausente'].filter((name) => text.includes(name))
    }
    expect(await seenBy(people.manager)).toEqual(['Presente', 'Ausente'])
    expect(await seenBy(people.analyst)).toEqual(['Presente'])
  })

  test('an id that is none is not found', async () => {
    expect((await world.visit('/admin/agency/x', people.manager)).status).toBe(404)
    expect((await world.post('/admin/agency/x/datos', form, people.manager)).status).toBe(404)
  })
})

describe('editing', () => {
  const edit = (path: string, changes: Record<string, string>, as: Person) =>
    world.post(path, { ...form, intent: 'edit', ...changes }, as)

  test('the manager edits; the history says who changed what', async () => {
    const { id, path } = await added('Antes')
    expect(await edit(path, { name: 'Después', version: '1' }, people.manager)).toMatchObject({
      status: 303,
      location: path,
    })
    expect(await row(id)).toMatchObject({ name: 'Después', version: 2 })
    const [, changed] = await world.db.select().from(events).where(eq(events.entityId, id)).orderBy(events.id)
    expect(changed).toMatchObject({
      name: 'update',
      data: { changes: { name: { from: 'Antes', to: 'Después' } } },
    })
    const { text } = await world.visit(path, people.manager)
    expectWords(text, 'Historial', 'Mariana Prueba')
  })

  test('a commission is told with its kind', async () => {
    const { path } = await added('Comisiones')
    const wish = { name: 'Comisiones', commissionKind: 'amount', commissionValue: '$1,500', version: '1' }
    await edit(path, wish, people.manager)
    const { text } = await world.visit(path, people.manager)
    expect(text.replace(/<[^>]*>/g, '')).toContain('Comisión: 5.5\u00a0% → $1,500.00')
  })

  test('saved without a change, nothing happened', async () => {
    const { id, path } = await added('Igual')
    await edit(path, { name: 'Igual', version: '1' }, people.manager)
    expect(await row(id)).toMatchObject({ version: 1 })
    expect(await rowsIn(world, events, { entityId: id })).toHaveLength(1)
  })

  test('a stale form changes nothing, and keeps what was typed', async () => {
    const { id, path } = await added('Dos manos')
    await edit(path, { name: 'Dos manos', contact: 'Primera', version: '1' }, people.manager)
    const late = await edit(path, { name: 'Dos manos', contact: 'Segunda', version: '1' }, people.manager)
    expectPage(late, 409, 'Alguien más actualizó este registro.', 'Segunda')
    expect(await row(id)).toMatchObject({ contact: 'Primera' })
  })

  test('another’s name, a wrong field and a form without a version are refused', async () => {
    const { path } = await added('Con nombre')
    const taken = await edit(path, { name: 'concesionaria de PRUEBA', version: '1' }, people.manager)
    expectPage(taken, 409, 'Ya hay una concesionaria con ese nombre.')
    expect((await edit(path, { name: '', version: '1' }, people.manager)).status).toBe(400)
    expect((await edit(path, {}, people.manager)).status).toBe(400)
    expect((await edit(path, { version: '1e400' }, people.manager)).status).toBe(400)
  })
})

describe('switching off', () => {
  const switchTo = (path: string, active: 'yes' | 'no', version: number, as = people.manager) =>
    world.post(path, { intent: 'switch', active, version: String(version) }, as)

  test('its allies’ sessions end with it, and how many is said before', async () => {
    const { id, path } = await added('Se va')
    const [ally, ally2] = [
      await world.person({ kind: 'alliate', name: 'Alba', agencyId: id }),
      await world.person({ kind: 'alliate', name: 'Álvaro', agencyId: id }),
    ]
    const before = await world.visit(path, people.manager)
    expect(before.text).toContain('Las sesiones de 2 aliados se cierran en este momento.')
    expect((await switchTo(path, 'no', 1)).status).toBe(303)
    for (const person of [ally, ally2]) {
      expect(await rowsIn(world, sessions, { userId: person.id })).toEqual([])
      expect((await world.visit('/admin', person)).location).toBe('/signin')
    }
    // Somebody else's ally stays.
    expect((await world.visit('/admin', people.ally)).status).toBe(200)
    expect((await world.visit(path, people.manager)).text).toContain('Está inactiva')
  })

  test('it comes back, once; a second press and a stale form are refused', async () => {
    const { id, path } = await added('Va y viene')
    expect((await switchTo(path, 'no', 1)).status).toBe(303)
    expect((await switchTo(path, 'no', 1)).status).toBe(409)
    expect((await switchTo(path, 'no', 2)).status).toBe(409)
    expect((await switchTo(path, 'yes', 2)).status).toBe(303)
    expect(await row(id)).toMatchObject({ active: true, version: 3 })
    const names = await world.db.select({ name: events.name }).from(events).where(eq(events.entityId, id))
    expect(names.map(({ name }) => name).sort()).toEqual(['activate', 'create', 'deactivate'])
    const odd = await world.post(path, { intent: 'switch', active: 'quizá', version: '3' }, people.manager)
    expect(odd.status).toBe(400)
  })
})
