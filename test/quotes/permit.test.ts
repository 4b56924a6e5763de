import { documents } from '../../src/platform/database/schema/payments.ts'
import { projects, tasks } from '../../src/platform/database/schema/projects.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import type { Visit } from '../kit/appointments.ts'
import {
  analyst,
  customer,
  expectEmails,
  expectScreen,
  fixture,
  manager,
  markupOf,
  openEach,
  rowsWhere,
  sendJobs,
  setRow,
  technician,
} from '../kit/open.ts'
import { sendForm } from '../kit/payments.ts'
import { projectOf, visited } from '../kit/quotes.ts'
import { expectAnswered, expectPage, expectTwice } from '../kit/reading.ts'

const path = '/installation'
let visit: Visit
openEach(async () => {
  visit = await visited(customer, technician)
})
sendJobs()

const project = () => projectOf(visit)
const needs = (set: Partial<typeof projects.$inferInsert> = {}) =>
  setRow(projects, visit.projectId!, { permitNeeded: true, quoteAcceptedAt: new Date(), ...set })
const handIn = (file: File | null = permit()) =>
  sendForm(fixture, path, { intent: 'hand-in-permit' }, customer, file, 'permit')
const permit = (name = 'permiso.pdf') => fileOf(pdf(name === 'permiso.pdf' ? '' : '<<>>'), name)

test('a customer hands in the permit where it is needed, once, and the office validates it', async () => {
  await expectAnswered(handIn(), 409)
  await needs({ depositPaidAt: new Date() })
  await expectScreen(path, customer, 'Entregar permiso')
  expectPage(await handIn(null), 400, 'Elige el archivo de tu permiso.')
  expectPage(await handIn(fileOf('<html>', 'permiso.pdf')), 400, 'No pudimos leer ese archivo')
  expect((await project()).permitReceivedAt).toBeNull()
  await expectTwice(() => handIn(), 303, path)
  const [first, ...more] = await rowsWhere(documents)
  expect(more).toEqual([])
  expect(first).toMatchObject({ purpose: 'condominium_permit', projectId: visit.projectId })
  const { permitReceivedAt } = await project()
  expect(permitReceivedAt).not.toBeNull()
  await expectScreen(path, customer, `/documents/${first!.id}`)

  await handIn(permit('otro.pdf'))
  expect((await project()).permitReceivedAt).toEqual(permitReceivedAt)
  await expectEmails(visit.projectId!, [])
  await expectScreen(path, customer, 'Revisamos el permiso de tu condominio.')
  const living = (await rowsWhere(documents)).filter(({ replacedAt }) => !replacedAt)
  expect(living).toMatchObject([{ name: 'otro.pdf' }])
})

test('the office asks for another permit, and validates the one that it looked at', async () => {
  const page = `/admin/appointments-done/${visit.id}`
  await needs({ depositPaidAt: new Date() })
  await handIn()
  const living = async () => (await rowsWhere(documents)).find((one) => !one.replacedAt)!.id
  const review = (intent: string, seen: string, reason = '') =>
    sendForm(fixture, page, { intent, seen, reason }, analyst)
  const first = await living()
  expectPage(await review('return-permit', first), 400, 'Escribe qué le falta al permiso.')
  await expectAnswered(review('return-permit', first, 'Falta el sello.'), 303, page)
  await expectEmails(visit.projectId!, ['permit_returned to customer'])
  await expectScreen(path, customer, 'Sube otro permiso de tu condominio: Falta el sello.')
  // The same file again is looked at again.
  await handIn()
  await expectScreen(path, customer, 'Revisamos el permiso de tu condominio.')
  await handIn(permit('otro.pdf'))
  await expectAnswered(review('validate-permit', first), 409)
  await expectAnswered(review('validate-permit', await living()), 303)
  expect((await project()).permitValidAt).not.toBeNull()
  await expectEmails(visit.projectId!, ['installation_ready to customer'], 'installation')
  const [open] = await rowsWhere(tasks, { projectId: visit.projectId!, reason: 'permit', doneAt: null })
  expect(open).toBeUndefined()
})

test('the office alone finds the permit on the visit', async () => {
  const page = `/admin/appointments-done/${visit.id}`
  await needs()
  await expectScreen(page, analyst, 'lo sube en su página de instalación')
  await handIn()
  const [{ id } = { id: '' }] = await rowsWhere(documents)
  for (const who of [manager, analyst]) await expectScreen(page, who, `/documents/${id}`)
  expect(await markupOf(page, technician)).not.toContain(`/documents/${id}`)
})
