import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addresses, events, projects } from '../../../src/server/platform/database/schema/projects.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import { expectWords, readable, rowsIn } from '../../kit/reading.ts'

openEach()
let customer: Person
beforeEach(() => {
  customer = people.customer
})

const save = (form: Record<string, string> = {}, as: Person | undefined = customer) =>
  world.post('/address', { ...addressForm, ...form }, as)
const stored = () =>
  world.db
    .select({ address: addresses })
    .from(addresses)
    .innerJoin(projects, eq(projects.id, addresses.projectId))
    .where(eq(projects.customerId, customer.id))
const onlyAddress = async () => {
  const rows = await stored()
  expect(rows).toHaveLength(1)
  return rows[0]!.address
}

test('the first address opens the project; each has its event', async () => {
  const answer = await save({ receiverPhone: '+52 55 8765 4321', cfeServiceNumber: '123' })
  expect([answer.status, answer.location]).toEqual([303, '/technics-visit'])
  const address = await onlyAddress()
  expect(address).toMatchObject({
    postalCode: '04000',
    municipality: 'coyoacan',
    regionGroup: 'cdmx',
    state: 'cdmx',
    area: 'served',
    receiverPhone: '5587654321',
    version: 1,
  })
  const trail = await rowsIn(world, events, { actorId: customer.id })
  expect(trail.map(({ entity, name }) => `${entity} ${name}`)).toEqual(['project open', 'address create'])
  const page = readable(await world.visit('/technics-visit', customer))
  expect(page).toContain('Guardamos tu domicilio')
  expect(page).toContain('El número de servicio de CFE tiene 12 dígitos')
  expect(page).toContain('Agendar visita')
})

test('a change carries its version; one that is stale changes nothing and loses nothing', async () => {
  await save()
  expect((await save({ version: '1', street: 'Calle Nueva' })).status).toBe(303)
  expect(await onlyAddress()).toMatchObject({ street: 'Calle Nueva', version: 2 })
  const stale = await save({ version: '1', street: 'Calle Vieja', references: 'Portón "verde"' })
  expect(stale.status).toBe(409)
  expect(readable(stale)).toContain('Alguien más actualizó este registro')
  expectWords(stale.text, 'value="Calle Vieja"', 'Portón &quot;verde&quot;')
  expect(await onlyAddress()).toMatchObject({ street: 'Calle Nueva', references: null, version: 2 })
  // What comes back is a form of the present version, so that sending it again is a choice.
  const [hidden] = stale.text.match(/<input[^>]*name="version"[^>]*>/) ?? []
  expect(hidden).toContain('value="2"')
  expect((await save({ version: '2', street: 'Calle Vieja' })).status).toBe(303)
})

test('a form without its version is a first address, and there is one already', async () => {
  await save()
  for (const form of [{}, { version: '9' }]) expect((await save(form)).status).toBe(409)
  for (const version of ['x', '0', '-1', '1.5']) expect((await save({ version })).status).toBe(400)
  expect(await onlyAddress()).toMatchObject({ version: 1 })
})

test('five first saves at once make one project with one address', async () => {
  const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => save({ outerNumber: String(n) })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409, 409])
  await onlyAddress()
  expect(await rowsIn(world, projects, { customerId: customer.id })).toHaveLength(1)
})

test.each([
  ['postalCode', '', 'Escribe el código postal.'],
  ['postalCode', '1234', 'El código postal tiene 5 dígitos.'],
  ['street', ' ', 'Escribe la calle.'],
  ['outerNumber', '', 'S/N si no tiene.'],
  ['dwelling', 'castillo', 'Elige el tipo de vivienda.'],
  ['receiverPhone', '123', '10 dígitos'],
])('%s %o is refused under its field, and what was typed stays', async (field, typed, words) => {
  const answer = await save({ colonia: 'Se queda', [field]: typed })
  expect(answer.status).toBe(400)
  expect(readable(answer)).toContain(words)
  expect(answer.text).toContain('value="Se queda"')
  expect(await stored()).toEqual([])
})

test('a new code overwrites what a former one filled in', async () => {
  const former = { municipality: 'Monterrey', state: 'nuevo-leon', regionGroup: 'edomex' }
  expect((await save({ postalCode: '04100', ...former })).status).toBe(303)
  expect(await onlyAddress()).toMatchObject({
    postalCode: '04100',
    municipality: 'coyoacan',
    state: 'cdmx',
    regionGroup: 'cdmx',
  })
})

test('a code we don’t reach is the only thing wrong, with three ways on; it is kept for the notice', async () => {
  for (const nothing of [{}, { colonia: '', street: '', outerNumber: '', dwelling: '', parking: '' }]) {
    const answer = await save({ postalCode: '64000', ...nothing })
    expect(answer.status).toBe(400)
    const words = readable(answer)
    for (const way of ['Todavía no llegamos al 64000.', 'Avísame cuando lleguen', 'Agendar asesoría'])
      expect(words).toContain(way)
    expect(words).not.toMatch(/Escribe la calle|Escribe el municipio|Elige tu estado/)
  }
  expect(await stored()).toEqual([])
  for (const [postalCode, words] of [
    ['00000', 'no existe'],
    ['99999', 'no existe'],
    ['04000', 'sí llegamos'],
  ] as const) {
    const refused = await world.post('/address', { intent: 'notice', postalCode }, customer)
    expect([refused.status, readable(refused)]).toEqual([400, expect.stringContaining(words)])
  }
  const asked = await world.post('/address', { intent: 'notice', postalCode: '64000' }, customer)
  expect([asked.status, asked.location]).toEqual([303, '/address'])
  expect(await onlyAddress()).toMatchObject({
    area: 'outside',
    postalCode: '64000',
    state: 'nuevo-leon',
    regionGroup: null,
    wantsNoticeAt: expect.any(Date),
  })
  for (const path of ['/address', '/', '/technics-visit'])
    for (const words of [
      'Te escribimos por correo cuando lleguemos',
      'Corregir mi código postal',
      'Agendar asesoría',
    ])
      expect(readable(await world.visit(path, customer))).toContain(words)
  expect((await world.visit('/technics-visit', customer)).text).not.toContain('Agendar visita')
})

test('staff, the signed out and bodies that are no form change nothing', async () => {
  const { manager, technician, analyst, gester, ally } = people
  for (const path of ['/address', '/address.data']) {
    expect((await world.post(path, addressForm)).location).toBe('/signin')
    for (const person of [manager, technician, analyst, gester, ally])
      expect((await world.post(path, addressForm, person)).status).toBe(403)
    const headers = { 'content-type': 'application/json' }
    expect((await world.post(path, addressForm, customer, { headers })).status).toBe(400)
  }
  expect(await world.db.select().from(projects)).toEqual([])
})

test('nobody writes another’s address', async () => {
  await save()
  const other = people.customer2
  await save({ street: 'Calle Ajena', version: '1' }, other)
  await save(
    { street: 'Calle Ajena', projectId: (await onlyAddress()).projectId, id: (await onlyAddress()).id },
    other,
  )
  expect(await onlyAddress()).toMatchObject({ street: 'Calle Ejemplo', version: 1 })
  expect((await world.visit('/address', other)).text).not.toContain('Calle Ejemplo')
})
