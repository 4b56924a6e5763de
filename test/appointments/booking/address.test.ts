import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addresses, events, projects } from '../../../src/server/platform/database/schema/projects.ts'
import { expectScreen, openBare, world } from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import { expectAnswered, expectShown, rowsIn, statusesOf } from '../../kit/reading.ts'

openBare()
let customer: Person
beforeEach(async () => {
  customer = await world.person()
})

const save = (form: Record<string, string> = {}, as = customer) =>
  world.post('/address', { ...addressForm, ...form }, as)
const stored = async () => {
  const rows = await world.db
    .select({ address: addresses })
    .from(addresses)
    .innerJoin(projects, eq(projects.id, addresses.projectId))
    .where(eq(projects.customerId, customer.id))
  return rows.map(({ address }) => address)
}

test('the first address opens the project, each with its event', async () => {
  // State and region come from the postal code.
  const former = { municipality: 'Monterrey', state: 'nuevo-leon', regionGroup: 'edomex' }
  await expectAnswered(
    save({ ...former, receiverPhone: '+52 55 8765 4321', cfeServiceNumber: '123' }),
    303,
    '/technics-visit',
  )
  expect(await stored()).toMatchObject([
    {
      postalCode: '04000',
      municipality: 'coyoacan',
      regionGroup: 'cdmx',
      state: 'cdmx',
      area: 'served',
      receiverPhone: '5587654321',
      version: 1,
    },
  ])
  const trail = await rowsIn(world, events, { actorId: customer.id })
  expect(trail.map(({ entity, name }) => `${entity} ${name}`)).toEqual(['project open', 'address create'])
  await expectScreen(
    '/technics-visit',
    customer,
    'Guardamos tu domicilio',
    'El número de servicio de CFE tiene 12 dígitos',
    'Agendar visita',
  )
})

test('refuses a stale change each time it is sent and keeps what was typed', async () => {
  await save()
  await expectAnswered(save({ version: '1', street: 'Calle Nueva' }), 303)
  const typed = { street: 'Calle Vieja', references: 'Portón "verde"' }
  const stale = await save({ version: '1', ...typed })
  expectShown(
    stale,
    409,
    'Alguien más actualizó este registro',
    'value="Calle Vieja"',
    'Portón &quot;verde&quot;',
  )
  expect(await stored()).toMatchObject([{ street: 'Calle Nueva', references: null, version: 2 }])
  // The form keeps the version that its fields were read with: pressed again, it overwrites nothing.
  expect(stale.text.match(/<input[^>]*name="version"[^>]*>/)?.[0]).toContain('value="1"')
})

test('refuses a second first address and malformed versions', async () => {
  await save()
  for (const form of [{}, { version: '9' }]) await expectAnswered(save(form), 409)
  for (const version of ['x', '0', '1.5']) await expectAnswered(save({ version }), 400)
  expect(await stored()).toMatchObject([{ version: 1 }])
})

test('five first addresses sent at once make one project with one address', async () => {
  const answers = [1, 2, 3, 4, 5].map((n) => save({ outerNumber: String(n) }))
  expect(await statusesOf(...answers)).toEqual([303, 409, 409, 409, 409])
  expect(await stored()).toHaveLength(1)
  expect(await rowsIn(world, projects, { customerId: customer.id })).toHaveLength(1)
})

test('refuses wrong fields with their words and keeps what was typed', async () => {
  const answer = await save({ colonia: 'Se queda', street: ' ', dwelling: 'castillo', receiverPhone: '123' })
  expectShown(
    answer,
    400,
    'Escribe la calle.',
    'Elige el tipo de vivienda.',
    '10 dígitos',
    'value="Se queda"',
  )
  expect(await stored()).toEqual([])
})

test('a postal code outside the area is the only error, and is kept for the notice of arrival', async () => {
  for (const form of [{}, { colonia: '', street: '', outerNumber: '', dwelling: '', parking: '' }]) {
    const answer = await save({ postalCode: '64000', ...form })
    expectShown(answer, 400, 'Todavía no llegamos al 64000.', 'Avísame cuando lleguen', 'Agendar asesoría')
    expect(answer.text).not.toMatch(/Escribe la calle|Escribe el municipio|Elige tu estado/)
  }
  expect(await stored()).toEqual([])
  const notice = (postalCode: string) => world.post('/address', { intent: 'notice', postalCode }, customer)
  expectShown(await notice('00000'), 400, 'no existe')
  expectShown(await notice('04000'), 400, 'sí llegamos')
  expect(await notice('64000')).toMatchObject({ status: 303, location: '/address' })
  expect(await stored()).toMatchObject([
    {
      area: 'outside',
      postalCode: '64000',
      state: 'nuevo-leon',
      regionGroup: null,
      wantsNoticeAt: expect.any(Date),
    },
  ])
  for (const path of ['/address', '/', '/technics-visit'])
    await expectScreen(
      path,
      customer,
      'Te escribimos por correo cuando lleguemos',
      'Corregir mi código postal',
      'Agendar asesoría',
    )
  expect((await world.visit('/technics-visit', customer)).text).not.toContain('Agendar visita')
})

test('refuses a body that is not a form', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const path of ['/address', '/address.data'])
    await expectAnswered(world.post(path, addressForm, customer, { headers }), 400)
  expect(await stored()).toEqual([])
})
