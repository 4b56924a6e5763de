import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { codeMessage } from '../../../src/domain/agencies/clients.ts'
import { addDays, localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { expireCodes } from '../../../src/server/agencies/client-invitations.ts'
import { codesToApprove, createCode, listCodes, moveCode } from '../../../src/server/agencies/codes.ts'
import type { CodeEmailJob } from '../../../src/server/notifications/jobs.ts'
import { codes } from '../../../src/server/platform/database/schema/agencies.ts'
import { agencies, events } from '../../../src/server/platform/database/schema/projects.ts'
import { storeCode, storeTie } from '../../kit/agencies.ts'
import { emailsOf } from '../../kit/delivered.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'
import { expectPage, readable, rowIn, rowsIn } from '../../kit/reading.ts'

openOnce()
sendJobsOnce()
beforeAll(async () => {
  const limit = { benefitKind: 'percent', benefitValue: 10_00 } as const
  await world.db.update(agencies).set(limit).where(eq(agencies.id, people.ally.agencyId!))
})

const here = '/admin/alliate/codes'
const today = () => localDate(toMinutes(new Date()))
const form = (codeText: string, changes: Record<string, string> = {}) => ({
  intent: 'codes.create',
  codeText,
  label: 'Mostrador',
  benefitKind: 'percent',
  benefitValue: '10 %',
  startsOn: today(),
  endsOn: '',
  maxUses: '1,000',
  ...changes,
})
const create = (codeText: string, changes?: Record<string, string>) =>
  world.post(here, form(codeText, changes), people.ally)
const codeOf = async (text: string) => await rowIn(world, codes, { code: text })
const letters = async (letter: CodeEmailJob['letter'], to: CodeEmailJob['to'], codeId: string) => {
  const sent = await emailsOf(world.db, { letter, codeId, to } as CodeEmailJob)
  return sent.map(({ subject, text, to }) => ({ subject, text, to }))
}

test('an ally makes a code within the limit, and it works at once; the same form twice makes one', async () => {
  expect((await create('carga-2 226')).location).toBe(here)
  expect((await create('CARGA2226')).status).toBe(303)
  expect(await codeOf('CARGA2226')).toMatchObject({
    state: 'active',
    benefitKind: 'percent',
    benefitValue: 10_00,
    maxUses: 1000,
    uses: 0,
    label: 'Mostrador',
    startsOn: today(),
    endsOn: null,
    askedAt: null,
    ownerId: people.ally.id,
  })
  const other = await create('CARGA2226', { label: 'Redes' })
  expectPage(other, 409, 'Ese código ya existe. Escribe otro.', 'Redes')
})

test.each<[changes: Record<string, string>, words: string]>([
  [{ codeText: 'HOLA' }, 'Usa de 6 a 12 letras y números, sin I, O, 0 ni 1.'],
  [{ codeText: 'OFERTA10' }, 'Usa de 6 a 12 letras y números, sin I, O, 0 ni 1.'],
  [{ benefitValue: '31' }, 'Usa como máximo 30\u00a0%.'],
  [{ benefitKind: 'amount', benefitValue: '' }, 'Escribe la cantidad como 12,345.50.'],
  [{ benefitKind: 'gift' }, 'Elige qué da el código.'],
  [{ maxUses: '0' }, 'Escribe al menos 1.'],
  [{ maxUses: '10001' }, 'Usa como máximo 10,000.'],
  [{ startsOn: '2020-01-01' }, 'Elige un día de hoy en adelante, a dos años como máximo.'],
  [{ endsOn: '2020-01-01' }, 'Termina antes de empezar.'],
])('%j is told under its box, and nothing is made', async (changes, words) => {
  const before = await world.db.$count(codes)
  const { status, text } = await create('PRUEBA22', changes)
  expect([status, text.includes(words)]).toEqual([400, true])
  expect(await world.db.$count(codes)).toBe(before)
})

test('one beyond the limit waits for the manager, who hears of it, and works once approved', async () => {
  await create('MUCHA2226', { benefitValue: '15' })
  const made = (await codeOf('MUCHA2226'))!
  expect(made).toMatchObject({ state: 'draft', askedAt: expect.any(Date) })
  const refused = await world.post(here, move(made, 'activate'), people.ally)
  expect([refused.status, refused.text.includes('primero lo aprueba la gerencia')]).toEqual([409, true])
  const [letter] = await letters('code_to_approve', 'managers', made.id)
  expect(letter).toMatchObject({ to: people.manager.email, subject: 'Hay un código por aprobar: MUCHA2226' })
  expect(letter!.text).toContain('15 % de descuento')
  const page = `/admin/agency/${made.agencyId}/codigos`
  const shown = await world.visit(page, people.manager)
  expect(shown.text).toContain('Por aprobar')
  expect((await world.post(page, move(made, 'approve'), people.manager)).status).toBe(303)
  expect(await codeOf('MUCHA2226')).toMatchObject({ state: 'active', approvedBy: people.manager.id })
  expect((await letters('code_approved', 'person', made.id))[0]!.to).toBe(people.ally.email)
  expect(await letters('code_to_approve', 'managers', made.id)).toEqual([])
})

const move = ({ id, version }: { id: string; version: number }, name: string) => ({
  intent: `codes.${name}`,
  codeId: id,
  version: String(version),
})

test('one that is refused says why to whoever asked, and is no code any more', async () => {
  const made = await storeCode(world, people.ally, {
    state: 'draft',
    benefitKind: 'free_visit',
    askedAt: new Date(),
  })
  const wish = { version: made.version, reason: 'La visita se cobra.' }
  await moveCode(world.db, people.manager.actor, made.id, 'refuse', wish, new Date())
  const [letter] = await letters('code_refused', 'person', made.id)
  expect(letter!.text).toContain('Motivo: La visita se cobra.')
  const trail = await rowsIn(world, events, { entityId: made.id })
  expect(trail).toMatchObject([{ name: 'refuse', fromState: 'draft', toState: 'revoked' }])
})

test('pausing, resuming and revoking: only its owner’s, each form once, none of another version', async () => {
  const made = await storeCode(world, people.ally)
  const colleague = await world.person({ kind: 'alliate', agencyId: people.ally.agencyId! })
  expect((await world.post(here, move(made, 'pause'), colleague)).status).toBe(403)
  for (const status of [303, 303])
    expect((await world.post(here, move(made, 'pause'), people.ally)).status).toBe(status)
  expect((await world.post(here, move(made, 'resume'), people.ally)).status).toBe(409)
  const paused = (await codeOf(made.code))!
  expect((await world.post(here, move(paused, 'resume'), people.ally)).status).toBe(303)
  expect((await world.visit(here, colleague)).text).toContain(made.code)
  const counts =
    'Usos : quienes ya recibieron el beneficio. Clientes : todos los que llegaron con el código, con cuenta o sin ella.'
  for (const [page, who] of [
    [here, colleague],
    [`/admin/agency/${made.agencyId}/codigos`, people.manager],
  ] as const)
    expect(readable(await world.visit(page, who))).toContain(counts)
})

test('the list tells uses and clients of each, as the clock has it, and finds them by text and state', async () => {
  const yesterday = addDays(today(), -1)
  const ended = await storeCode(world, people.ally, { endsOn: yesterday, label: 'Feria de Toluca', uses: 1 })
  await storeTie(world, await world.person(), ended)
  const found = (filters: Parameters<typeof listCodes>[3]) =>
    listCodes(world.db, people.ally.actor, people.ally.agencyId!, filters, new Date())
  const { rows } = await found({ text: 'TÓLUCA' })
  expect(rows).toMatchObject([{ text: ended.code, state: 'expired', uses: 1, clients: 1, isMine: true }])
  // Made before what never can be used again, and after what can: it stands between them.
  const waiting = await storeCode(world, people.ally, { state: 'paused' })
  await storeCode(world, people.ally, { state: 'revoked' })
  const states = (await found({})).rows.map(({ state }) => state)
  expect(states.lastIndexOf('active')).toBeLessThan(states.findIndex((state) => state !== 'active'))
  expect(states.indexOf('paused')).toBeGreaterThan(states.lastIndexOf('active'))
  expect(states.lastIndexOf('paused')).toBeLessThan(
    states.findIndex((state) => ['expired', 'revoked'].includes(state)),
  )
  expect((await found({ text: waiting.code })).rows).toHaveLength(1)
  expect((await found({ state: 'expired' })).rows.map(({ text }) => text)).toContain(ended.code)
  expect((await found({ state: 'active' })).rows.map(({ text }) => text)).not.toContain(ended.code)
  expect(await expireCodes(world.db, new Date())).toBe(1)
  expect(await expireCodes(world.db, new Date())).toBe(0)
  expect(await codeOf(ended.code)).toMatchObject({ state: 'expired' })
})

test('another agency’s ally, and whoever has no business with codes, sees none', async () => {
  const other = await world.agency({ name: 'Otra de códigos' })
  const stranger = await world.person({ kind: 'alliate', agencyId: other.id })
  const waiting = await storeCode(world, people.ally, {
    state: 'draft',
    benefitKind: 'free_visit',
    askedAt: new Date(),
  })
  for (const { actor } of [stranger, people.technician, people.gester, people.customer]) {
    const seen = await listCodes(world.db, actor, people.ally.agencyId!, {}, new Date())
    expect(seen).toMatchObject({ rows: [], total: 0 })
    expect(await codesToApprove(world.db, actor, people.ally.agencyId!, new Date())).toEqual([])
    await expect(createCode(world.db, stranger.actor, wishOf(waiting.code), new Date())).rejects.toThrow()
  }
  const card = await storeCode(world, people.ally)
  expect((await world.visit(`/papers/code/${card.id}.pdf`, stranger)).status).toBe(404)
  expect((await world.visit(`/papers/code/${waiting.id}.pdf`, people.ally)).status).toBe(409)
})

const wishOf = (codeText: string) => ({
  codeText,
  label: null,
  maxUses: 5,
  startsOn: today(),
  endsOn: null,
  activate: true,
  benefitKind: 'none' as const,
  benefitValue: 0,
})

test('what an ally writes with a code says whose client one is, and what one gets if there is something', () => {
  const shared = {
    code: 'CARGA2226',
    agency: 'Agencia Norte',
    brand: 'Carga',
    address: 'https://carga.test/c',
  }
  expect(codeMessage({ ...shared, benefit: 'Descuento de 10 %' })).toBe(
    'Instala tu cargador con Carga. Con mi código CARGA2226 te atienden como cliente de Agencia Norte y recibes descuento de 10 %. https://carga.test/c',
  )
  expect(codeMessage({ ...shared, benefit: 'Sin beneficio' })).toContain('cliente de Agencia Norte. https')
})
