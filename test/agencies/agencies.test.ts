import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions } from '../../src/server/platform/database/schema/accounts.ts'
import { agencies, events } from '../../src/server/platform/database/schema/projects.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  expectAnswered,
  expectPage,
  expectWords,
  readable,
  rowIn,
  rowsIn,
  sortedStatuses,
  trailOf,
} from '../kit/reading.ts'

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
const add = (changes: Record<string, string>) =>
  world.post('/admin/agencies/add', { ...form, ...changes }, people.manager)
const row = async (id: string) => (await rowIn(world, agencies, { id }))!

/** Adds one by the form; answers the page of its data. */
async function added(name: string): Promise<{ id: string; path: string }> {
  const screen = (await add({ name })).location!
  return { id: screen.split('/').at(-1)!, path: `${screen}/datos` }
}

describe('adding', () => {
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
    const [event] = await rowsIn(world, events, { entityId: id })
    expect(event).toMatchObject({ entity: 'agency', name: 'create', actorId: people.manager.id })
  })

  test('refuses invalid values, and a name taken but for case and accents, also of two forms at once', async () => {
    expectPage(
      await add({ name: '', benefitValue: '31' }),
      400,
      'Escribe el nombre de la concesionaria.',
      'Usa como máximo 30\u00a0%.',
    )
    const answers = await Promise.all([add({}), add({})])
    expect(sortedStatuses(answers)).toEqual([303, 409])
    const taken = await add({ name: ' AUTOS  AVILA ', notes: 'Otra' })
    expectPage(taken, 409, 'Ya hay una concesionaria con ese nombre.', 'Otra')
  })
})

describe('reading', () => {
  test('shows inactive allies to managers only', async () => {
    const { id, path } = await added('Con gente')
    await world.person({ kind: 'alliate', name: 'Presente', agencyId: id })
    await world.person({ kind: 'alliate', name: 'Ausente', agencyId: id, active: false })
    const seenBy = async (person: Person) => {
      const { text } = await world.data(path, person)
      return ['Presente', 'Ausente'].filter((name) => text.includes(name))
    }
    expect(await seenBy(people.manager)).toEqual(['Presente', 'Ausente'])
    expect(await seenBy(people.analyst)).toEqual(['Presente'])
  })

  test('does not find an id that is no UUID', async () => {
    await expectAnswered(world.data('/admin/agency/x', people.manager), 404)
    await expectAnswered(world.post('/admin/agency/x/datos', form, people.manager), 404)
  })
})

describe('editing', () => {
  const edit = (path: string, changes: Record<string, string>) =>
    world.post(path, { ...form, intent: 'edit', version: '1', ...changes }, people.manager)

  test('shows each change in the history; a stale form changes nothing and keeps what was typed', async () => {
    const { id, path } = await added('Antes')
    await edit(path, { name: 'Antes' })
    expect(await row(id)).toMatchObject({ version: 1 })
    const changes = { name: 'Después', commissionKind: 'amount', commissionValue: '$1,500' }
    expect(await edit(path, changes)).toMatchObject({ status: 303, location: path })
    expect(await row(id)).toMatchObject({ name: 'Después', version: 2 })
    const [, changed, ...more] = await world.db
      .select()
      .from(events)
      .where(eq(events.entityId, id))
      .orderBy(events.id)
    expect(changed).toMatchObject({
      name: 'update',
      data: { changes: { name: { from: 'Antes', to: 'Después' } } },
    })
    expect(more).toEqual([])
    const { text } = await world.visit(path, people.manager)
    expectWords(text, 'Historial', 'Mariana Prueba')
    expect(text.replace(/<[^>]*>/g, '')).toContain('Comisión: 5.5\u00a0% → $1,500.00')
    const late = await edit(path, { name: 'Después', contact: 'Segunda' })
    expectPage(late, 409, 'Alguien más actualizó este registro.', 'Segunda')
    expect(await row(id)).toMatchObject({ contact: null })
  })

  test('refuses another agency’s name, an invalid field and an invalid version', async () => {
    const { path } = await added('Con nombre')
    const taken = await edit(path, { name: 'concesionaria de PRUEBA' })
    expectPage(taken, 409, 'Ya hay una concesionaria con ese nombre.')
    for (const wrong of [{ name: '' }, { version: '' }, { version: '1e400' }])
      await expectAnswered(edit(path, wrong), 400)
  })
})

describe('switching off', () => {
  const switchTo = async (path: string, active: string, version: number) =>
    (await world.post(path, { intent: 'switch', active, version: String(version) }, people.manager)).status

  test('ends the sessions of its allies only, and says before how many', async () => {
    const { id, path } = await added('Se va')
    const allies = [
      await world.person({ kind: 'alliate', agencyId: id }),
      await world.person({ kind: 'alliate', agencyId: id }),
    ]
    expect(readable(await world.visit(path, people.manager))).toContain(
      'Las sesiones de 2 aliados se cierran en este momento.',
    )
    expect(await switchTo(path, 'no', 1)).toBe(303)
    for (const person of allies) {
      expect(await rowsIn(world, sessions, { userId: person.id })).toEqual([])
      expect((await world.data('/admin', person)).location).toBe('/signin')
    }
    await expectAnswered(world.data('/admin', people.ally), 200)
    expect((await world.visit(path, people.manager)).text).toContain('Está inactiva')
  })

  test('switches each way once, and refuses stale and invalid forms', async () => {
    const { id, path } = await added('Va y viene')
    expect(await switchTo(path, 'no', 1)).toBe(303)
    expect(await switchTo(path, 'no', 1)).toBe(409)
    expect(await switchTo(path, 'no', 2)).toBe(409)
    expect(await switchTo(path, 'yes', 2)).toBe(303)
    expect(await row(id)).toMatchObject({ active: true, version: 3 })
    expect(await trailOf(world, id)).toEqual(['create', 'deactivate', 'activate'])
    expect(await switchTo(path, 'quizá', 3)).toBe(400)
  })
})
