import { beforeAll, expect, test } from 'vitest'
import { openOnce, people, world } from '../kit/open.ts'
import { storeDraft, visited } from '../kit/quotes.ts'
import { everyModule } from '../kit/world.ts'

openOnce(everyModule)
beforeAll(async () => {
  const { analyst, customer, technician } = people
  await storeDraft(world, await visited(world, customer, technician), analyst)
})

const ofAppointments = 'Folio,Servicio,Estado,Fecha,Hora,Cliente,Teléfono,Zona,Persona,Confirmada'

test.each([
  ['/admin/appointments-pending.csv', ofAppointments],
  ['/admin/appointments-done.csv', ofAppointments],
  [
    '/admin/cotizations.csv',
    'Folio,Versión,Tipo,Estado,Cliente,Zona,Analista,Creada,Enviada,Vence,Opción menor,Opción mayor,Total aceptado',
  ],
  ['/admin/clients.csv', 'Cliente,Teléfono,Etapa,Le toca a,Desde,Zona,Concesionaria,Cliente desde'],
  ['/admin/payments.csv', 'Folio,Fecha,Cliente,Concepto,Método,Estado,Cantidad'],
])('%s has for an analyst the columns of the screen, and for the manager more', async (path, columns) => {
  const headOf = async (who: typeof people.analyst) => {
    const { status, text } = await world.visit(path, who)
    expect(status).toBe(200)
    return text.replace('\ufeff', '').split('\r\n')[0]!
  }
  expect(await headOf(people.analyst)).toBe(columns)
  const all = (await headOf(people.manager)).split(',')
  expect(all.length).toBeGreaterThan(columns.split(',').length)
  expect(all).toEqual(expect.arrayContaining(columns.split(',')))
})

test('an analyst’s file holds no mailbox, and nobody whose account was deleted', async () => {
  const { analyst, customer, manager } = people
  const file = async (who = analyst) => (await world.visit('/admin/cotizations.csv', who)).text
  const [theirs, managers] = [await file(), await file(manager)]
  expect(theirs).toContain('Camila')
  expect(theirs).not.toContain('@')
  expect(managers).toContain(customer.actor.email)
  await world.db.$client.query('update users set deleted_at = now() where id = $1', [customer.id])
  const lines = (text: string) => text.trimEnd().split('\r\n').length
  expect([lines(await file()), lines(await file(manager))]).toEqual([1, 2])
})
