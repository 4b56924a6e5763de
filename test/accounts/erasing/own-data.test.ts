import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accounts, sessions } from '../../../src/platform/database/schema/accounts.ts'
import { clients } from '../../../src/platform/database/schema/agencies.ts'
import { callMessages, calls, faults, files } from '../../../src/platform/database/schema/appointments.ts'
import { invoices, refunds } from '../../../src/platform/database/schema/payments.ts'
import { storeVisit } from '../../kit/appointments.ts'
import { storeFiscal } from '../../kit/invoices.ts'
import { db, fixture, fromNow, openBare, storeRows } from '../../kit/open.ts'
import type { Home, Person } from '../../kit/people.ts'
import { content, storeDraft, visited } from '../../kit/quotes.ts'
import { expectPage } from '../../kit/reading.ts'
import { fileRow, writeSheet } from '../../kit/reports.ts'
import { inDays, storePaper, storeTransfer } from '../holdings.ts'
import { memberOf, send } from '../own.ts'

const day = 24 * 60 * 60 * 1000
openBare()
let mine: Person
let theirs: Person
beforeAll(async () => {
  const { analyst, technician } = await fixture.people()
  mine = await customerWith('Mía', '5511110001', technician.id, analyst.id)
  theirs = await customerWith('Ajena', '5522220002', technician.id, analyst.id)
})

/** A customer with one thing of each kind, all with a word that says whose it is. */
async function customerWith(word: string, phone: string, assigneeId: string, analystId: string) {
  const person = await memberOf({ name: `Nombre${word}`, lastname: `Apellido${word}`, phone })
  const home = await fixture.home(person, { street: `Calle${word}`, receiverName: `Recibe${word}` })
  const start = fromNow((word === 'Mía' ? 3 : 4) * day)
  const visit = await storeVisit(fixture, person, home, start, {
    assigneeId,
    state: 'assigned',
    notes: `Nota${word}`,
  })
  await writeSheet(fixture, { ...visit, state: 'submitted' }, { panelBrand: `Tablero${word}` })
  const hash = (word === 'Mía' ? 'a' : 'b').repeat(64)
  await storeRows(files, { ...fileRow(visit.id, 'facade', assigneeId), sha256: hash })
  const later = new Date(start.getTime() + 20 * day)
  const next = await storeVisit(fixture, person, home, later, { assigneeId, state: 'cancelled' })
  const fault = { id: randomUUID(), appointmentId: next.id, customerId: person.id }
  await storeRows(faults, { ...fault, description: `Falla${word}` })
  await writeSheet(fixture, { ...next, state: 'draft' }, { panelBrand: `Borrador${word}` })
  const call = await storeVisit(fixture, person, home, new Date(start.getTime() - 10 * day), {
    service: 'videocall',
    state: 'done',
    assigneeId: analystId,
  })
  const written = { summary: `Resumen${word}`, nextSteps: `Sigue${word}`, notes: `Privada${word}` }
  await storeRows(calls, { appointmentId: call.id, ...written })
  const said = { appointmentId: call.id, authorId: analystId, side: 'analyst' as const }
  await storeRows(callMessages, { ...said, id: randomUUID(), text: `Chat${word}` })
  await moneyOf(word, person, home, assigneeId, analystId)
  const profile = { name: `Nombre${word}`, lastname: `Otro${word}`, phone, version: '1' }
  await send(person, 'profile', profile, '/cuenta')
  return person
}

/** A quote that was answered and one that is a draft, a payment, a refund, fiscal data, an invoice, a paper. */
async function moneyOf(word: string, person: Person, home: Home, assigneeId: string, analystId: string) {
  const maker = { ...person, id: analystId }
  const visit = await visited(person, { ...person, id: assigneeId }, home)
  const notes = content({ notes: `Partida${word}` })
  const sent = { sentAt: new Date(), validUntil: inDays(1), digest: 'd', content: notes }
  const reason = { state: 'rejected', reason: `Rechazo${word}`, addressee: `Para${word}` } as const
  const quote = await storeDraft(fixture, visit, maker, { ...sent, ...reason })
  await storeDraft(fixture, visit, maker, { reason: `Borrador${word}` })
  const { projectId } = home
  const whose = { customerId: person.id, projectId }
  await storeTransfer(person, projectId, {
    folio: `PAG-${word}`,
    quoteId: quote.id,
    amount: 12_345_67,
    bank: `Banco${word}`,
    trackingKey: `Rastreo${word}`,
    rejectedKeys: [`Rechazada${word}`],
    note: `Privada${word}`,
  })
  await storeRows(refunds, {
    ...whose,
    folio: `REE-${word}`,
    amount: 1_00,
    reason: `Devuelve${word}`,
    beneficiary: `Cobra${word}`,
  })
  await storeFiscal(person, { legalName: `Fiscal${word}`, email: `factura${word}@prueba.mx` })
  const Receptor = { Rfc: 'XAXX010101000', Nombre: `Receptor${word}` }
  await storeRows(invoices, { ...whose, kind: 'income', request: { Receptor }, total: 1_00 })
  const sha256 = (word === 'Mía' ? 'c' : 'd').repeat(64)
  await storePaper(person, 'constancia', { projectId, name: `papel${word}.pdf`, sha256 })
  const { id: agencyId } = await fixture.agency({ name: `Agencia${word}` })
  const tie = { agencyId, joinedAt: new Date(), source: 'manager', reason: `Motivo${word}` } as const
  await storeRows(clients, { customerId: person.id, ...tie })
}

const words = [
  'NombreMía',
  'CalleMía',
  'RecibeMía',
  'NotaMía',
  'ResumenMía',
  'SigueMía',
  'ChatMía',
  'TableroMía',
  'FallaMía',
  'RechazoMía',
  'ParaMía',
  'PAG-Mía',
  'RastreoMía',
  'BancoMía',
  'DevuelveMía',
  'CobraMía',
  'FiscalMía',
  'facturaMía@',
  'ReceptorMía',
  'papelMía.pdf',
  'AgenciaMía',
  'MotivoMía',
  '5511110001',
  '$12,345.67',
  '$1,160.00: Partida cable',
  'Cuenta: datos cambiados',
  'a'.repeat(64),
  'c'.repeat(64),
]

// That no one else reads it: test/security/json.test.ts.
test('shows everything we hold of a customer, in words', async () => {
  const page = await fixture.visit('/cuenta?datos', mine)
  expectPage(page, 200, mine.email, ...words)
  expect(page.text).not.toMatch(/Ajena|Privada|Borrador|b{64}|d{64}/)
})

test('gives the same as a file, without data of others, without any secret, never cached', async () => {
  const { status, text, headers } = await fixture.visit('/account/data', mine)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toContain('attachment')
  expect(headers.get('cache-control')).toContain('no-store')
  const file = JSON.parse(text) as Record<string, object[]>
  const counted = Object.entries(file).map(([heading, rows]) => heading + (rows.length > 0 ? '' : ': none'))
  expect(counted).toEqual([
    'Tu cuenta',
    'Cómo entras',
    'Sesiones abiertas',
    'Domicilios',
    'Tu auto y tu cargador: none',
    'Citas',
    'Chat de tus videollamadas',
    'Reportes de tu instalación',
    'Fallas que reportaste',
    'Fotos y firmas',
    'Cotizaciones',
    'Pagos',
    'Reembolsos',
    'Datos fiscales',
    'Facturas',
    'Documentos',
    'Tu concesionaria',
    'Llamadas y pendientes: none',
    'Tus consentimientos: none',
    'Mensajes de WhatsApp: none',
    'Quién consultó tus datos fiscales: none',
    'Historial',
  ])
  expect(text).not.toMatch(/Ajena|Privada|Borrador|b{64}|d{64}/)
  expect(text).not.toContain(theirs.id)
  const tokens = await db.select({ secret: sessions.token }).from(sessions)
  const hashes = await db.select({ secret: accounts.password }).from(accounts)
  for (const { secret } of [...tokens, ...hashes]) expect(text).not.toContain(secret)
  expect(text).not.toMatch(/Técnico|Tomás|Mariana/)
})

test('gives the same as an archive with its papers, each whole', async () => {
  const answer = await fixture.open('/account/data.zip', mine)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  // Read by another program: what we write has to be right for others.
  const read = `import io, json, sys, zipfile
z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert z.testzip() is None
print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))`
  const input = Buffer.from(await answer.arrayBuffer())
  const stdout = execFileSync('python3', ['-c', read], { input, encoding: 'utf8' })
  const inside = JSON.parse(stdout) as Record<string, string>
  expect(JSON.parse(inside['mis-datos.json']!)).toHaveProperty('Tu cuenta')
  expect(Object.values(inside)).toContain('x')
})
