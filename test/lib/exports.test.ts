import { uploadStamped } from '../../src/invoices/issue.ts'
import { askForInvoice } from '../../src/invoices/queries.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { openedBy } from '../kit/cfe.ts'
import { everyModule } from '../kit/fixture.ts'
import { files, invoicesOf, issuer, pay, storeAccepted, storeFiscal, total, xmlOf } from '../kit/invoices.ts'
import {
  analyst,
  customer,
  db,
  fixture,
  manager,
  markupOf,
  newHome,
  newPerson,
  openOnce,
  type people,
  sendJobsOnce,
  setRow,
  technician,
} from '../kit/open.ts'
import { account, prove, set } from '../kit/payments.ts'
import { agreeOn, storeDraft, visited } from '../kit/quotes.ts'
import { insertIn } from '../kit/reading.ts'
import { readExcel } from './read-excel.ts'

openOnce(everyModule)
sendJobsOnce()
beforeAll(async () => {
  await set(fixture, { spei: account, issuer })
  await storeDraft(fixture, await visited(customer, technician), analyst)
})

const ofAppointments =
  'Folio,Servicio,Estado,Fecha,Hora,Minutos,Cliente,Teléfono,Zona,Domicilio (de varios),Persona,Confirmada'

test.each([
  ['/admin/appointments-pending.csv', ofAppointments],
  ['/admin/appointments-done.csv', ofAppointments],
  [
    '/admin/cotizations.csv',
    'Folio,Versión,Tipo,Estado,Cliente,Zona,Domicilio (de varios),Analista,Creada,Enviada,Vence,Opción menor,Opción mayor,Total aceptado',
  ],
  [
    '/admin/clients.csv',
    'Cliente,Teléfono,Etapa,Le toca a,Desde,Zona,Domicilio (de varios),Concesionaria,Cliente desde',
  ],
  ['/admin/payments.csv', 'Folio,Fecha,Cliente,Domicilio (de varios),Concepto,Método,Estado,Cantidad'],
])('%s has for an analyst the columns of the screen, and for the manager more', async (path, columns) => {
  const headOf = async (who: typeof people.analyst) => {
    const { status, text } = await fixture.visit(path, who)
    expect(status).toBe(200)
    return text.replace('\ufeff', '').split('\r\n')[0]!
  }
  expect(await headOf(analyst)).toBe(columns)
  const all = (await headOf(manager)).split(',')
  expect(all.length).toBeGreaterThan(columns.split(',').length)
  expect(all).toEqual(expect.arrayContaining(columns.split(',')))
})

test('a manager’s file for Excel has postal codes as text, counts as numbers and days as dates', async () => {
  const path = '/admin/appointments-done.csv?formato=excel'
  const [head, row] = await readExcel(await fixture.open(path, manager))
  const cell = (column: string) => row![head!.indexOf(column)]
  expect(['Código postal', 'Calle y número', 'Minutos'].map(cell)).toEqual(['04000', 'Calle Ejemplo 12', 60])
  expect(cell('Fecha')).toBeInstanceOf(Date)
  const text = await markupOf('/admin/appointments-done.csv', manager)
  const [day, month, year] = /(\d\d)\/(\d\d)\/(\d{4})/.exec(text)!.slice(1)
  expect((cell('Fecha') as Date).toISOString()).toBe(`${year}-${month}-${day}T00:00:00.000Z`)
})

test('an analyst’s file has no e-mail addresses and no deleted customers', async () => {
  const file = (who = analyst) => markupOf('/admin/cotizations.csv', who)
  const theirs = await file()
  expect(theirs).toContain('Camila')
  expect(theirs).not.toContain('@')
  expect(await file(manager)).toContain(customer.actor.email)
  await db.$client.query('update users set deleted_at = now() where id = $1', [customer.id])
  const lines = (text: string) => text.trimEnd().split('\r\n').length
  expect([lines(await file()), lines(await file(manager))]).toEqual([1, 2])
})

test('lists and files name the home of a row where its customer has several', async () => {
  const owner = await newPerson({ name: 'Dora' })
  const home = await newHome(owner, { street: 'Londres', outerNumber: '247' })
  const visit = await visited(owner, technician, home, { meterChoice: 'second' })
  await agreeOn(analyst, owner, await storeDraft(fixture, visit, analyst))
  await openedBy()
  const paths =
    `appointments-done cotizations?view=aceptadas payments/libro payments/cobrar clients gesties appointments-done.csv payments/cobrar.csv
    cotizations.csv payments.csv clients.csv gesties.csv`.split(/\s+/)
  const naming = async (who = manager) => {
    const pages = await Promise.all(paths.map((path) => fixture.visit(`/admin/${path}`, who)))
    return paths.filter((_, at) => pages[at]!.text.includes('Londres 247'))
  }
  expect(await naming()).toEqual(['appointments-done.csv'])
  const other = await insertIn(fixture, projects, { customerId: owner.id, place: 2 })
  expect(await naming()).toEqual(paths)
  expect(await naming(analyst)).toContain('payments.csv')
  expect(await naming(technician)).toEqual([])
  // Of what is under way, and in what goes back to what ended.
  await setRow(projects, other, { closedAt: new Date() })
  expect(await naming()).toEqual(paths.filter((path) => !/cobrar|clients/.test(path)))
  // And where its proof waits: it is owed until then.
  await prove(owner, home.projectId)
  expect(await markupOf('/admin/payments', manager)).toContain('Londres 247')
})

test('a manager’s files of payments have the RFC, the quote and the UUID of the stamped invoice', async () => {
  const customer = await newPerson({ name: 'Eulalia' })
  const { drive } = fixture
  const home = await newHome(customer)
  await storeFiscal(customer)
  const quote = await storeAccepted(customer, home)
  await pay(quote, total)
  await askForInvoice(db, customer.actor, quote.id)
  const asked = (await invoicesOf(home.projectId))[0]!
  const sent = { invoiceId: asked.id, version: asked.version, ...files(xmlOf(asked.request)) }
  await uploadStamped(db, drive, manager.actor, sent, new Date())
  const expected = ['CACX7605101P8', quote.folio, (await invoicesOf(home.projectId))[0]!.uuid]
  const file = (more = '') => fixture.open(`/admin/payments.csv?text=Eulalia${more}`, manager)
  const [head, row] = await readExcel(await file('&formato=excel'))
  const columns = ['RFC', 'Cotización', 'UUID de la factura']
  expect(columns.map((name) => row![head!.indexOf(name)])).toEqual(expected)
  expect((await (await file()).text()).split(/[\r\n,]+/)).toEqual(expect.arrayContaining(expected))
})
