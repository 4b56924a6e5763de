import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../../src/domain/settings/settings-schema.ts'
import {
  calendarFile,
  calendarLinks,
  customersEntry,
  type Dated,
  type Entry,
  invitation,
  performersEntry,
  subscription,
} from '../../../src/server/appointments/calendar.ts'
import type { AddressSnapshot } from '../../../src/server/platform/database/schema/projects.ts'
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
const entry = customersEntry(dated, { whole: true }, house)

/** The file as another library reads it. */
function read(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  const events = calendar.getAllSubcomponents('vevent')
  const event = (nth = 0) => new ICAL.Event(events[nth]!)
  const said = (name: string, nth = 0) => events[nth]!.getFirstPropertyValue(name)
  return { calendar, events, event, said, method: calendar.getFirstPropertyValue('method') }
}

const entryWith = (changes: Partial<Entry>) => ({ ...entry, ...changes })

describe('what a calendar program reads', () => {
  test('an invitation: the window’s start, to the last minute the work may take, and where', () => {
    const { event, said, method } = read(invitation(entry, 'REQUEST', ana, source))
    expect(method).toBe('REQUEST')
    expect(event()).toMatchObject({
      uid: '01900000-0000-7000-8000-000000000001@carga.example',
      sequence: 3,
      summary: 'Visita técnica · Carga en Casa',
      description:
        'Llegamos entre 10:00 y 10:30 a. m.\nTe atiende Teo Ruiz\nFolio VT-2026-00012\nVer mi cita: https://carga.example/technics-visit',
      location: 'Durango 45, Roma Norte, 06700 Cuauhtémoc',
    })
    expect(event().startDate.toJSDate()).toEqual(new Date('2026-11-24T16:00Z'))
    expect(event().endDate.toJSDate()).toEqual(new Date('2026-11-24T17:30Z'))
    expect(said('status')).toBe('CONFIRMED')
  })

  test('from us to the reader, with nothing to answer', () => {
    const { events } = read(invitation(entry, 'REQUEST', ana, source))
    const [organizer, attendee] = ['organizer', 'attendee'].map((name) => events[0]!.getFirstProperty(name)!)
    expect(organizer!.getFirstValue()).toBe('mailto:citas@carga.example')
    expect(organizer!.getParameter('cn')).toBe('Carga en Casa')
    expect(String(attendee!.getFirstValue()).toLowerCase()).toBe('mailto:ana@example.mx')
    expect(attendee!.getParameter('partstat')).toBe('ACCEPTED')
    expect(attendee!.getParameter('rsvp')).toBe('FALSE')
  })

  test('a cancellation takes the same entry out', () => {
    const file = read(invitation(entryWith({ sequence: 4 }), 'CANCEL', ana, source))
    expect(file.method).toBe('CANCEL')
    expect(file.said('status')).toBe('CANCELLED')
    expect(file.event().uid).toBe(read(invitation(entry, 'REQUEST', ana, source)).event().uid)
    expect(file.event().sequence).toBe(4)
  })

  test.each([
    ['requested', 'TENTATIVE'],
    ['assigned', 'CONFIRMED'],
    ['en_route', 'CONFIRMED'],
    ['done', 'CONFIRMED'],
    ['cancelled', 'CANCELLED'],
  ] as const)('%s is %s', (state, status) => {
    expect(read(calendarFile(entryWith({ state }), source)).said('status')).toBe(status)
  })

  test('a call starts on the minute; whoever carries it out sees the exact time and for whom', () => {
    const call = { ...dated, service: 'videocall' as const, address: null, municipality: null, minutes: 30 }
    const theirs = customersEntry(call, { whole: true }, house)
    expect(theirs.endsAt).toEqual(new Date('2026-11-24T16:30Z'))
    expect(theirs.lines[0]).toBe('Te atiende Teo Ruiz')
    expect(read(calendarFile(theirs, source)).said('location')).toBeNull()
    const mine = performersEntry({ ...dated, customer: 'Camila' }, { whole: true }, house)
    expect(mine).toMatchObject({
      summary: 'Visita técnica · Camila',
      endsAt: new Date('2026-11-24T17:00Z'),
      location: 'Durango 45, Roma Norte, 06700 Cuauhtémoc',
    })
  })

  test('a subscription has all of them, a name, and how often to ask again', () => {
    const second = entryWith({ id: '01900000-0000-7000-8000-000000000002' })
    const { calendar, events, event } = read(subscription([entry, second], 'Mis citas', source))
    expect(events).toHaveLength(2)
    expect(event(0).uid).not.toBe(event(1).uid)
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Mis citas')
    expect(calendar.getFirstPropertyValue('x-published-ttl')).toBe('PT1H')
    expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT1H')
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
  })

  test('nobody yet is an empty calendar', () => {
    expect(read(subscription([], 'Mis citas', source)).events).toEqual([])
  })
})

describe('without the whole', () => {
  test('no address, no name, no phone; the part of town and the folio', () => {
    const texts = [
      calendarFile(customersEntry(dated, { whole: false }, house), source),
      calendarFile(performersEntry({ ...dated, customer: 'Camila' }, { whole: false }, house), source),
    ]
    for (const text of texts) {
      expect(text).not.toMatch(/Durango|Roma|\b06700\b|5512345678|clave 2580|Luz|Teo/)
      expectWords(text, 'LOCATION:Cuauhtémoc', 'VT-2026-00012')
    }
  })
})

describe('times', () => {
  test.each([
    ['2026-01-31T17:30-06:00', '2026-01-31T23:30:00Z', '2026-02-01T01:00:00Z'],
    ['2026-12-31T17:30-06:00', '2026-12-31T23:30:00Z', '2027-01-01T01:00:00Z'],
    ['2028-02-29T09:00-06:00', '2028-02-29T15:00:00Z', '2028-02-29T16:30:00Z'],
    // Summer: the city has had one time all year since 2022.
    ['2026-07-15T10:00-06:00', '2026-07-15T16:00:00Z', '2026-07-15T17:30:00Z'],
  ])('%s', (startsAt, start, end) => {
    const { event } = read(
      calendarFile(
        customersEntry({ ...dated, startsAt: new Date(startsAt) }, { whole: true }, house),
        source,
      ),
    )
    expect(event().startDate.toString()).toBe(start)
    expect(event().endDate.toString()).toBe(end)
  })

  test('the same entry makes the same file', () => {
    expect(calendarFile(entry, source)).toBe(calendarFile({ ...entry }, source))
  })
})

describe('what people typed', () => {
  const typed = fc.string({ unit: 'binary', maxLength: 300 })
  const nasty = fc.constantFrom(
    'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:falso',
    'coma, punto y coma; barra \\ y \\n literal',
    '👩‍🔧🔌 ñandú '.repeat(40),
    '"; ATTENDEE:mailto:eva@example.mx',
    '\u2028\u0085\u0000\u202e',
    '',
  )

  test('stays inside its value, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(typed, nasty), fc.oneof(typed, nasty), (street, name) => {
        const text = { ...address, street: `x${street}` }
        const whole = customersEntry({ ...dated, address: text, performer: name }, { whole: true }, house)
        const file = invitation(whole, 'REQUEST', { ...ana, name }, source)
        const { calendar, events, event } = read(file)
        expect(events).toHaveLength(1)
        expect(calendar.getAllProperties().map(({ name }) => name)).toEqual(['version', 'prodid', 'method'])
        expect(events[0]!.getAllProperties().map(({ name }) => name)).toEqual([
          'uid',
          'sequence',
          'dtstamp',
          'dtstart',
          'dtend',
          'summary',
          'location',
          'description',
          'organizer',
          'attendee',
          'url',
          'status',
          'last-modified',
        ])
        expect(event().summary).toBe('Visita técnica · Carga en Casa')
        for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(file).not.toMatch(/[^\r]\n|\r[^\n]/)
      }),
      { numRuns: 300 },
    )
  })

  test('comes back as it was typed', () => {
    const said = 'Calle “Ñ”, 3; esq. \\ Río, piso 2 🔌'
    const file = calendarFile(entryWith({ location: said, summary: said.repeat(8) }), source)
    expect(read(file).event().location).toBe(said)
    expect(read(file).event().summary).toBe(said.repeat(8))
  })
})

test('the links into calendars in a browser say what the file says', () => {
  const entry = customersEntry(dated, { whole: true }, house)
  const { google, outlook } = calendarLinks(entry)
  const asked = new URL(google).searchParams
  const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.000/g, '')
  expect(asked.get('dates')).toBe(`${stamp(entry.startsAt)}/${stamp(entry.endsAt)}`)
  expect(asked.get('text')).toBe(entry.summary)
  expect(asked.get('location')).toBe(entry.location)
  const composed = new URL(outlook).searchParams
  expect(composed.get('startdt')).toBe(entry.startsAt.toISOString())
  expect(composed.get('enddt')).toBe(entry.endsAt.toISOString())
  for (const body of [asked.get('details'), composed.get('body')])
    expect(body).toContain('Folio VT-2026-00012')
})
