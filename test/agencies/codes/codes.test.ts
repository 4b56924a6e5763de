import { expireCodes } from '../../../src/agencies/client-invitations.ts'
import { codesToApprove, listCodes, moveCode } from '../../../src/agencies/codes.ts'
import { codeMessage } from '../../../src/agencies/rules/clients.ts'
import { codes } from '../../../src/platform/database/schema/agencies.ts'
import { agencies } from '../../../src/platform/database/schema/projects.ts'
import { addDays, localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { storeCode, storeTie } from '../../kit/agencies.ts'
import { emailsOf } from '../../kit/delivered.ts'
import {
  ally,
  customer,
  db,
  eventsAbout,
  expectScreen,
  fixture,
  gester,
  manager,
  newPerson,
  openOnce,
  post,
  rowWhere,
  sendJobsOnce,
  setRow,
  technician,
} from '../../kit/open.ts'
import { expectAnswered, expectPage, expectTwice, expectWords } from '../../kit/reading.ts'

openOnce()
sendJobsOnce()
beforeAll(async () => {
  await setRow(agencies, ally.agencyId!, { benefitKind: 'percent', benefitValue: 10_00 } as const)
})

const here = '/admin/alliate/codes'
const today = () => localDate(toMinutes(new Date()))
const create = (codeText: string, changes: Record<string, string> = {}) => {
  const benefit = { benefitKind: 'percent', benefitValue: '10 %', startsOn: today(), endsOn: '' }
  const form = { intent: 'codes.create', codeText, label: 'Mostrador', maxUses: '1,000', ...benefit }
  return post(here, { ...form, ...changes }, ally)
}
const codeOf = (code: string) => rowWhere(codes, { code })
const move = ({ id, version }: { id: string; version: number }, name: string, as = ally, path = here) =>
  post(path, { intent: `codes.${name}`, codeId: id, version: String(version) }, as)

test('an ally creates a code within the limit, active at once, one for the same form twice', async () => {
  expect((await create('carga-2 226')).location).toBe(here)
  await expectAnswered(create('CARGA2226'), 303)
  const benefit = { benefitKind: 'percent', benefitValue: 10_00, startsOn: today(), endsOn: null }
  expect(await codeOf('CARGA2226')).toMatchObject({
    ...benefit,
    ownerId: ally.id,
    label: 'Mostrador',
    askedAt: null,
    state: 'active',
    maxUses: 1000,
    uses: 0,
  })
  const other = await create('CARGA2226', { label: 'Redes' })
  expectPage(other, 409, 'Ese código ya existe. Escribe otro.', 'Redes')
})

test.each<[changes: Record<string, string>, words: string]>([
  [{ codeText: 'HOLA2' }, 'Usa de 6 a 12 letras y números, sin I, O, 0 ni 1.'],
  [{ codeText: 'OFERTA22' }, 'Usa de 6 a 12 letras y números, sin I, O, 0 ni 1.'],
  [{ benefitValue: '31' }, 'Usa como máximo 30\u00a0%.'],
  [{ benefitKind: 'gift' }, 'Elige qué da el código.'],
  [{ maxUses: '0' }, 'Escribe al menos 1.'],
  [{ maxUses: '10001' }, 'Usa como máximo 10,000.'],
  [{ startsOn: '2020-01-01' }, 'Elige un día de hoy en adelante, a dos años como máximo.'],
  [{ endsOn: '2020-01-01' }, 'Termina antes de empezar.'],
])('refuses a code with %j under its field: %s', async (changes, words) => {
  expectPage(await create('PRUEBA22', changes), 400, words)
  expect(await codeOf('PRUEBA22')).toBeUndefined()
})

test('a code beyond the limit waits for the managers, and is active once approved', async () => {
  await create('MUCHA2226', { benefitValue: '15' })
  const made = (await codeOf('MUCHA2226'))!
  expect(made).toMatchObject({ state: 'draft', askedAt: expect.any(Date) })
  expectPage(await move(made, 'activate'), 409, 'primero lo aprueba la gerencia')
  const page = `/admin/agency/${made.agencyId}/codigos`
  await expectScreen(page, manager, 'Por aprobar')
  await expectAnswered(move(made, 'approve', manager, page), 303)
  expect(await codeOf('MUCHA2226')).toMatchObject({ state: 'active', approvedBy: manager.id })
})

test('a refused code is revoked, and its ally is emailed the reason', async () => {
  const beyond = { state: 'draft', benefitKind: 'free_visit', askedAt: new Date() } as const
  const { id, version } = await storeCode(ally, beyond)
  const reason = 'La visita se cobra.'
  await moveCode(db, manager.actor, id, 'refuse', { version, reason }, new Date())
  const [email] = await emailsOf(db, { letter: 'code_refused', codeId: id, to: 'person' })
  expectWords(email!.text, `Motivo: ${reason}`)
  expect(await eventsAbout(id)).toMatchObject([{ name: 'refuse', fromState: 'draft', toState: 'revoked' }])
})

test('its owner pauses and resumes a code, each form once; a colleague only reads it', async () => {
  const made = await storeCode(ally)
  const colleague = await newPerson({ kind: 'alliate', agencyId: ally.agencyId! })
  await expectAnswered(move(made, 'pause', colleague), 403)
  await expectTwice(() => move(made, 'pause'))
  await expectAnswered(move(made, 'resume'), 409)
  await expectAnswered(move((await codeOf(made.code))!, 'resume'), 303)
  await expectScreen(here, colleague, made.code, 'Usos : quienes ya recibieron el beneficio.')
})

test('lists codes by usability with uses and clients, and finds them by text and by the state of today', async () => {
  const { actor, agencyId } = ally
  const over = await storeCode(ally, {
    endsOn: addDays(today(), -1),
    label: 'Feria de Toluca',
    uses: 1,
  })
  await storeTie(await newPerson(), over)
  const found = async (filters: Parameters<typeof listCodes>[3]) =>
    (await listCodes(db, actor, agencyId!, filters, new Date())).rows
  const line = { text: over.code, state: 'expired', uses: 1, clients: 1, isMine: true }
  expect(await found({ text: 'TÓLUCA' })).toMatchObject([line])
  for (const state of ['paused', 'revoked'] as const) await storeCode(ally, { state })
  const rank = { active: 0, paused: 1, expired: 2, revoked: 2 } as Record<string, number>
  const ranks = (await found({})).map(({ state }) => rank[state])
  expect(ranks).toEqual(ranks.toSorted())
  expect(new Set(ranks)).toEqual(new Set([0, 1, 2]))
  expect(await found({ state: 'expired' })).toContainEqual(expect.objectContaining(line))
  expect((await found({ state: 'active' })).map(({ text }) => text)).not.toContain(over.code)
  expect([await expireCodes(db, new Date()), await expireCodes(db, new Date())]).toEqual([1, 0])
  expect(await codeOf(over.code)).toMatchObject({ state: 'expired' })
})

test('hides the codes of an agency from allies of another, technicians, gesters and customers, and prints no card of a draft', async () => {
  const stranger = await newPerson({ kind: 'alliate', agencyId: (await fixture.agency()).id })
  const draft = { state: 'draft', benefitKind: 'free_visit', askedAt: new Date() } as const
  const waiting = await storeCode(ally, draft)
  for (const { actor } of [stranger, technician, gester, customer]) {
    const seen = [db, actor, ally.agencyId!] as const
    expect(await listCodes(...seen, {}, new Date())).toMatchObject({ rows: [], total: 0 })
    expect(await codesToApprove(...seen, new Date())).toEqual([])
  }
  await expectAnswered(fixture.visit(`/papers/code/${waiting.id}.pdf`, ally), 409)
})

test('words the message of an ally with the agency and the benefit, if there is one', () => {
  const message = {
    code: 'CARGA2226',
    agency: 'Agencia Norte',
    brand: 'Carga',
    address: 'https://carga.test/c',
  }
  expect(codeMessage({ ...message, benefit: 'Descuento de 10 %' })).toBe(
    'Instala tu cargador con Carga. Con mi código CARGA2226 te atienden como cliente de Agencia Norte y recibes descuento de 10 %. https://carga.test/c',
  )
  expect(codeMessage({ ...message, benefit: 'Sin beneficio' })).toContain('cliente de Agencia Norte. https')
})
