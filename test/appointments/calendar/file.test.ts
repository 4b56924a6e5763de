import fc from 'fast-check'
import ICAL from 'ical.js'
import {
  calendarFile,
  calendarLinks,
  customersEntry,
  type Dated,
  invitation,
  performersEntry,
  subscription,
} from '../../../src/appointments/calendar.ts'
import type { AddressSnapshot } from '../../../src/platform/database/schema/projects.ts'
import { defaultSettings } from '../../../src/settings/rules/settings-schema.ts'
import { expectWords } from '../../kit/reading.ts'

const source = {
  brand: 'Carga en Casa',
  baseUrl: 'https://carga.example',
  from: 'Carga en Casa <citas@carga.example>',
}
const house = { ...source, settings: defaultSettings }
const ana = { name: 'Ana', email: 'ana@example.mx' }
const address: AddressSnapshot = {
  postalCode: '06700',
  regionGroup: 'cdmx',
  municipality: 'cuauhtemoc',
  state: 'cdmx',
  area: 'served',
  colonia: 'Roma Norte',
  street: 'Durango',
  outerNumber: '45',
  innerNumber: null,
  betweenStreets: null,
  references: null,
  receiverName: 'Luz',
  receiverPhone: '5512345678',
  dwelling: 'house',
  parking: 'own_covered',
  gateNotes: 'clave 2580',
  cfeServiceNumber: null,
}
const dated: Dated = {
  id: '01900000-0000-7000-8000-000000000001',
  folio: 'VT-2026-00012',
  service: 'technical_visit',
  state: 'assigned',
  minutes: 60,
  sequence: 3,
  municipality: 'cuauhtemoc',
  address,
  startsAt: new Date('2026-11-24T10:00-06:00'),
  updatedAt: new Date('2026-11-20T09:00-06:00'),
  performer: 'Teo Ruiz',
}
const entryOf = (changes: Partial<Dated> = {}, whole = true) =>
  customersEntry({ ...dated, ...changes }, { whole }, house)
const performers = (whole: boolean) => performersEntry({ ...dated, customer: 'Camila' }, { whole }, house)
const entry = entryOf()

/** The file as another library reads it. */
function read(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  const components = calendar.getAllSubcomponents('vevent')
  const events = components.map((one) => new ICAL.Event(one))
  const method = calendar.getFirstPropertyValue('method')
  return {
    calendar,
    events,
    event: events[0]!,
    component: components[0]!,
    method,
    status: components[0]?.getFirstPropertyValue('status'),
  }
}

test('a calendar program reads: an invitation with the window’s start, the last minute of work and the address', () => {
  const { component, event, method, status } = read(invitation(entry, 'REQUEST', ana, source))
  expect([method, status]).toEqual(['REQUEST', 'CONFIRMED'])
  expect(event).toMatchObject({
    uid: '01900000-0000-7000-8000-000000000001@carga.example',
    sequence: 3,
    summary: 'Visita técnica · Carga en Casa',
    description:
      'Llegamos entre 10:00 y 10:30 a. m.\nTe atiende Teo Ruiz\nFolio VT-2026-00012\nVer mi cita: https://carga.example/technics-visit',
    location: 'Durango 45, Roma Norte, 06700 Cuauhtémoc',
  })
  const organizer = component.getFirstProperty('organizer')!
  const attendee = component.getFirstProperty('attendee')!
  expect(organizer.getFirstValue()).toBe('mailto:citas@carga.example')
  expect(organizer.getParameter('cn')).toBe('Carga en Casa')
  expect(String(attendee.getFirstValue()).toLowerCase()).toBe('mailto:ana@example.mx')
  // There is nothing to answer.
  expect(attendee.getParameter('partstat')).toBe('ACCEPTED')
  expect(attendee.getParameter('rsvp')).toBe('FALSE')
})

test.each([
  ['assigned', 'CONFIRMED'],
  ['done', 'CONFIRMED'],
  ['cancelled', 'CANCELLED'],
] as const)('a calendar program reads: %s as %s', (state, status) =>
  expect(read(calendarFile({ ...entry, state }, source)).status).toBe(status),
)

test('a calendar program reads: a call to the minute, and for who carries out a visit the exact time and the customer', () => {
  const call = entryOf({ service: 'videocall', address: null, municipality: null, minutes: 30 })
  expect(call.endsAt).toEqual(new Date('2026-11-24T16:30Z'))
  expect(call.lines[0]).toBe('Te atiende Teo Ruiz')
  expect(read(calendarFile(call, source)).component.getFirstPropertyValue('location')).toBeNull()
  expect(performers(true)).toMatchObject({
    summary: 'Visita técnica · Camila',
    endsAt: new Date('2026-11-24T17:00Z'),
    location: 'Durango 45, Roma Norte, 06700 Cuauhtémoc',
  })
})

test('a calendar program reads: a subscription of any number of entries, with its name and interval', () => {
  const second = { ...entry, id: '01900000-0000-7000-8000-000000000002' }
  const { calendar, events, method } = read(subscription([entry, second], 'Mis citas', source))
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(2)
  expect(method).toBe('PUBLISH')
  expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Mis citas')
  for (const name of ['x-published-ttl', 'refresh-interval'])
    expect(String(calendar.getFirstPropertyValue(name))).toBe('PT1H')
  expect(read(subscription([], 'Mis citas', source)).events).toEqual([])
})

test.each([
  ['2026-12-31T17:30-06:00', '2026-12-31T23:30:00Z', '2027-01-01T01:00:00Z'],
  // The city has had no summer time since 2022.
  ['2026-07-15T10:00-06:00', '2026-07-15T16:00:00Z', '2026-07-15T17:30:00Z'],
])('a calendar program reads: %s as %s to %s', (startsAt, start, end) => {
  const { event } = read(calendarFile(entryOf({ startsAt: new Date(startsAt) }), source))
  expect([event.startDate, event.endDate].map(String)).toEqual([start, end])
})

test('an entry without the whole has municipality and folio, no address, name or phone', () => {
  for (const short of [entryOf({}, false), performers(false)]) {
    const text = calendarFile(short, source)
    expect(text).not.toMatch(/Durango|Roma|\b06700\b|5512345678|clave 2580|Luz|Teo/)
    expectWords(text, 'LOCATION:Cuauhtémoc', 'VT-2026-00012')
  }
})

const typed = fc.string({ unit: 'binary', maxLength: 300 })
const nasty = fc.constantFrom(
  'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:falso',
  'coma, punto y coma; barra \\ y \\n literal',
  '👩‍🔧🔌 ñandú '.repeat(40),
  '"; ATTENDEE:mailto:eva@example.mx',
  '\u2028\u0085\u0000\u202e',
  '',
)
const properties =
  'uid sequence dtstamp dtstart dtend summary location description organizer attendee url status last-modified'

test('typed text stays inside its value', () => {
  fc.assert(
    fc.property(fc.oneof(typed, nasty), fc.oneof(typed, nasty), (street, name) => {
      const whole = entryOf({ address: { ...address, street: `x${street}` }, performer: name })
      const file = invitation(whole, 'REQUEST', { ...ana, name }, source)
      const { calendar, component, event, events } = read(file)
      const namesOf = (one: ICAL.Component) => one.getAllProperties().map(({ name }) => name)
      expect(events).toHaveLength(1)
      expect(namesOf(calendar)).toEqual(['version', 'prodid', 'method'])
      expect(namesOf(component).join(' ')).toBe(properties)
      expect(event.summary).toBe('Visita técnica · Carga en Casa')
      for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(file).not.toMatch(/[^\r]\n|\r[^\n]/)
    }),
    { numRuns: 300 },
  )
})

test('typed text is read as it was typed', () => {
  const location = 'Calle “Ñ”, 3; esq. \\ Río, piso 2 🔌'
  const summary = location.repeat(8)
  const { event } = read(calendarFile({ ...entry, location, summary }, source))
  expect([event.location, event.summary]).toEqual([location, summary])
})

test('the links to calendars in a browser hold what the file holds', () => {
  const [google, outlook] = Object.values(calendarLinks(entry)).map((link) => new URL(link).searchParams)
  const { endsAt, location, startsAt, summary } = entry
  const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.000/g, '')
  const dates = `${stamp(startsAt)}/${stamp(endsAt)}`
  expect(Object.fromEntries(google!)).toMatchObject({ dates, text: summary, location })
  expect(Object.fromEntries(outlook!)).toMatchObject({
    startdt: startsAt.toISOString(),
    enddt: endsAt.toISOString(),
  })
  for (const body of [google!.get('details'), outlook!.get('body')])
    expect(body).toContain('Folio VT-2026-00012')
})
