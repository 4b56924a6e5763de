import { openedCase } from '../kit/cfe.ts'
import { sendFiscal } from '../kit/invoices.ts'
import { ally, fixture, manager, newPerson, openOnce, sendJobsOnce, technician } from '../kit/open.ts'
import { expectStatus, formsIn, readable, sentBy } from '../kit/reading.ts'
import { at } from '../kit/settings.ts'
import type { Visitor } from '../kit/visitor.ts'
import { sourcesOf } from '../sources.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

type Form = Record<string, string>
type Case = {
  /** Where the form is, and a field that no other form of the page has. */
  path: string
  field: string
  one: Visitor
  other: Visitor
  /** What each saves; `rival` is the second person's value of the first one's field. */
  theirs: Form
  mine: Form
  rival: Form
}

/** The form of a page that has a field, as a browser without JavaScript would send it. */
const formOf = (page: { text: string }, field: string): Form =>
  sentBy(formsIn(page).find((one) => one.includes(` name="${field}"`)))

const customerOf = async () => {
  const customer = await newPerson()
  await fixture.home(customer)
  return { customer, again: await fixture.secondBrowser(customer) }
}
const office = async () => ({ one: manager, other: await newPerson({ kind: 'manager' }) })
const settings = async (
  slug: string,
  field: string,
  theirs: Form,
  mine: Form,
  rival: Form,
): Promise<Case> => ({
  ...(await office()),
  path: at(slug),
  field,
  theirs,
  mine,
  rival,
})
const own = async (page: string, field: string, theirs: Form, mine: Form, rival: Form): Promise<Case> => {
  const { customer, again } = await customerOf()
  return { path: page, field, one: customer, other: again, theirs, mine, rival }
}
const ofUser = async (
  person: { id: string },
  field: string,
  theirs: Form,
  mine: Form,
  rival: Form,
): Promise<Case> => ({
  ...(await office()),
  path: `/admin/users/${person.id}`,
  field,
  theirs,
  mine,
  rival,
})

/** Every screen with a form that shows what is stored, by the file that draws the form. */
const screens: Record<string, () => Promise<Case>> = {
  'accounts/screens/account-cards.tsx': () =>
    own(
      '/cuenta',
      'lastname',
      { phone: '555 111 33 33' },
      { lastname: 'Corregido' },
      { phone: '555 111 44 44' },
    ),
  'accounts/screens/my-account.tsx': () => own('/cuenta', 'news', { news: 'on' }, { whatsapp: 'on' }, {}),
  'agencies/screens/agency-profile.tsx': async () => ({
    ...(await office()),
    path: `/admin/agency/${ally.agencyId}/datos`,
    field: 'contact',
    theirs: { contact: 'Ana' },
    mine: { address: 'Insurgentes 1' },
    rival: { contact: 'Eva' },
  }),
  'appointments/screens/technics-visit.tsx': () =>
    own(
      '/technics-visit',
      'vehicleModel',
      { vehicleBrand: 'Volvo' },
      { vehicleModel: 'EX30' },
      { vehicleBrand: 'BYD' },
    ),
  'cfe/screens/case-facts.tsx': async () => ({
    ...(await office()),
    path: `/admin/gesties/${(await openedCase()).one.id}`,
    field: 'meterNumber',
    theirs: { meterNumber: '11AA' },
    mine: { isThreePhase: 'on' },
    rival: { meterNumber: '22BB' },
  }),
  'invoices/screens/fiscal.tsx': async () => {
    const next = await own(
      '/fiscal',
      'rfc',
      { legalName: 'LUZ MAR' },
      { postalCode: '03100' },
      { legalName: 'EVA SOL' },
    )
    await sendFiscal(fixture, next.one as typeof manager, { intent: 'keep-fiscal' })
    return next
  },
  'customers/screens/address.tsx': () =>
    own(
      '/address?editar',
      'references',
      { street: 'Calle Uno' },
      { references: 'Portón' },
      { street: 'Calle Dos' },
    ),
  'customers/screens/customer-address.tsx': async () => {
    const { customer } = await customerOf()
    const next = await ofUser(
      customer,
      'references',
      { street: 'Uno' },
      { references: 'Reja' },
      { street: 'Dos' },
    )
    return { ...next, path: `${next.path}/cliente/domicilio` }
  },
  'settings/screens/catalogue-item.tsx': () =>
    settings(
      'catalogo/CAB-8',
      'unitPrice',
      { unitPrice: '37.00' },
      { unit: 'metro' },
      { unitPrice: '38.00' },
    ),
  'settings/screens/page-frame.tsx': () =>
    settings('visita', 'dailyMax', { minutes: '75' }, { dailyMax: '3' }, { minutes: '90' }),
  'settings/screens/travel.tsx': () =>
    settings('traslados', 'bothWays', { coyoacan: '41' }, { tlalpan: '42' }, { coyoacan: '43' }),
  'users/screens/affected.tsx': () => {
    const sunday = { 'shift.6.0.to': '13:00' }
    return ofUser(
      technician,
      'shift.6.0.from',
      { 'shift.6.0.from': '09:00', ...sunday },
      { 'shift.5.0.from': '09:30', 'shift.5.0.to': '12:00' },
      { 'shift.6.0.from': '10:00', ...sunday },
    )
  },
  'users/screens/person-cards.tsx': async () =>
    ofUser(
      await newPerson({ kind: 'gester' }),
      'lastname',
      { phone: '555 111 33 33' },
      { lastname: 'Corregido' },
      { phone: '555 111 44 44' },
    ),
  'users/screens/role-form.tsx': async () => {
    const person = await newPerson({ kind: 'analyst' })
    return await ofUser(person, 'role', { role: 'gester' }, {}, { role: 'tecnician' })
  },
}

const versioned = /<(Form|FormDetails|SectionForm|ScheduleForm)\b[^<]*?\sversion=/

test('lists every file that draws a form with a version', () => {
  const files = sourcesOf('screens')
    .filter(({ file, text }) => file.endsWith('.tsx') && versioned.test(text))
    .map(({ file }) => file)
  // A frame passes the version on to the form of `page-frame.tsx`; the builder is in test/quotes/builder.test.ts.
  const others = [
    'quotes/screens/build-editor.tsx',
    'settings/screens/holidays.tsx',
    'settings/screens/section.tsx',
  ]
  expect(files.toSorted()).toEqual([...Object.keys(screens), ...others].toSorted())
})

test.each(Object.entries(screens))('%s keeps what two people save', async (_file, declare) => {
  const { field, mine, one, other, path: here, rival, theirs } = await declare()
  const intent = here === '/fiscal' ? { intent: 'keep-fiscal' } : {}
  const send = (form: Form, by: Visitor) => fixture.post(here, { ...form, ...intent }, by)
  const read = formOf(await fixture.visit(here, one), field)
  expect(Object.keys(read)).toContain(`${field}.read`)
  expectStatus(await send({ ...read, ...theirs }, one), 303)

  const refused = await send({ ...read, ...mine }, other)
  expectStatus(refused, 409)
  const [saved] = /(\S+ \S+ guardó|Guardaste en otra ventana) a las? [\d:]+/.exec(readable(refused)) ?? []
  expect(JSON.stringify((await fixture.data(here, other)).value)).toContain(`"wasSaved":"${saved}`)
  expect(formOf(refused, field)).toMatchObject({ ...theirs, ...mine })

  const [name = ''] = Object.keys(rival)
  // Of a box to tick two people can't give two new values.
  const both = name ? await send({ ...read, ...mine, ...rival }, other) : refused
  expect(readable(both).includes('Los dos lo cambiaron')).toBe(name !== '')
  expect(formOf(both, field)[name]).toBe(rival[name])
  expectStatus(await send({ ...formOf(both, field), [`${name}.pick`]: 'theirs' }, other), 303)
  expect(formOf(await fixture.visit(here, one), field)).toMatchObject({ ...theirs, ...mine })
})

const elsewhere = { postalCode: '76000', municipality: 'Querétaro', state: 'queretaro' }

test('what is typed of another postal code is nobody’s change of the stored place', async () => {
  const { customer } = await customerOf()
  const here = `/admin/users/${customer.id}/cliente/domicilio`
  expectStatus(
    await fixture.post(
      here,
      { ...formOf(await fixture.visit(here, manager), 'street'), ...elsewhere },
      manager,
    ),
    303,
  )
  const read = formOf(await fixture.visit(here, manager), 'street')
  expectStatus(await fixture.post(here, { ...read, street: 'Uno' }, manager), 303)
  const typed = { postalCode: '37000', municipality: 'León', state: 'guanajuato' }
  const refused = await fixture.post(here, { ...read, ...typed }, manager)
  expectStatus(refused, 409)
  expect(formOf(refused, 'street')).toMatchObject({ ...typed, street: 'Uno' })
  expect(readable(refused)).not.toContain('Los dos lo cambiaron')
})

test('names who saved and when in every refusal of an earlier version', () => {
  const silent = sourcesOf('server')
    .filter(({ text }) => /version !== [\w.]+\) refuse\('aborted'\)/.test(text))
    .map(({ file }) => file)
  // Only the user who uploaded a bank's file works on it.
  expect(silent).toEqual(['payments/statement-drafts.ts'])
})
