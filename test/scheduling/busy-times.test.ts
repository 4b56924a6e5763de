import { type BusyQuestion, busyTimesIn } from '../../src/scheduling/busy-times.ts'
import { minuteAt } from '../../src/shared/calendar.ts'

const from = minuteAt('2026-11-30', '00:00')
const asked = { from, to: minuteAt('2027-01-29', '00:00'), allDay: false, host: 'carga.example' }

/** A calendar of entries, each given by its lines. */
const calendarOf = (...entries: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...entries.map(entryOf), 'END:VCALENDAR', ''].join('\r\n')
const entryOf = (lines: string) =>
  lines.startsWith('BEGIN')
    ? lines
    : `BEGIN:VEVENT\r\n${lines.trim().replace(/\n\s*/g, '\r\n')}\r\nEND:VEVENT`

const read = (entries: string[], more: Partial<BusyQuestion> = {}) => {
  const answer = busyTimesIn({ text: calendarOf(...entries), ...asked, ...more })
  return 'fault' in answer ? answer.fault : answer
}
/** "12-01 11:00 60": month and day, the wall clock here, and minutes. */
const spans = (entries: string[], more: Partial<BusyQuestion> = {}) => {
  const answer = read(entries, more)
  if (typeof answer === 'string') return answer
  return answer.busy.map(({ end, start }) => {
    const at = Temporal.Instant.fromEpochMilliseconds(start * 60_000).toZonedDateTimeISO(
      'America/Mexico_City',
    )
    return `${at.toString().slice(5, 16).replace('T', ' ')} ${end - start}`
  })
}
const zoned = (start: string, end: string, zone = 'America/Mexico_City') =>
  `DTSTART;TZID=${zone}:${start}\nDTEND;TZID=${zone}:${end}\n`
const one = zoned('20261201T110000', '20261201T120000')
const day = 'DTSTART;VALUE=DATE:20261202\nDTEND;VALUE=DATE:20261203\n'
/** As Outlook wrote it before 2022, when clocks still changed here. */
const oldZone = `BEGIN:VTIMEZONE\r\nTZID:America/Mexico_City\r\nBEGIN:DAYLIGHT\r\nTZOFFSETFROM:-0600\r\nTZOFFSETTO:-0500\r\nDTSTART:19700405T020000\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE`
const ownZone = `BEGIN:VTIMEZONE\r\nTZID:Mi zona\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:-0300\r\nTZOFFSETTO:-0300\r\nDTSTART:16010101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE`
const weekly = zoned('20261201T090000', '20261201T093000')

const cases: Record<string, [entries: string[], found: string[], more?: Partial<BusyQuestion>]> = {
  'an hour': [[one], ['12-01 11:00 60']],
  'folded lines, broken words, and nothing of an alarm inside': [
    [
      `BEGIN:VEVENT\n${one.replace('T1100', 'T\n 1100')}SUMMARY:Cita\ny otra\nBEGIN:VALARM\nDURATION:PT9H\nEND:VALARM\nEND:VEVENT`,
    ],
    ['12-01 11:00 60'],
  ],
  'a duration': [['DTSTART:20261201T170000Z\nDURATION:PT1H30M'], ['12-01 11:00 90']],
  'nothing of a moment without an end': [['DTSTART:20261201T170000Z'], []],
  'nothing that is free': [[`${one}TRANSP:TRANSPARENT`, `${one}X-MICROSOFT-CDO-BUSYSTATUS:FREE`], []],
  'nothing that was cancelled': [[`${one}STATUS:CANCELLED`], []],
  'what is tentative': [[`${one}STATUS:TENTATIVE\nX-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE`], ['12-01 11:00 60']],
  'nothing of our own': [[`UID:1@carga.example\n${one}`], []],
  'no whole day, as birthdays are': [[day], []],
  'a whole day out of office': [[`${day}X-MICROSOFT-CDO-BUSYSTATUS:OOF`], ['12-02 00:00 1440']],
  'whole days of who wants that, but for free ones': [
    [day, 'DTSTART;VALUE=DATE:20261210\nTRANSP:TRANSPARENT', 'DTSTART;TZID=UTC;VALUE=DATE:20261205'],
    ['12-02 00:00 1440', '12-05 00:00 1440'],
    { allDay: true },
  ],
  'no whole day that Outlook writes with hours': [
    [`${zoned('20261202T000000', '20261203T000000')}X-MICROSOFT-CDO-ALLDAYEVENT:TRUE`],
    [],
  ],
  'a zone by our data, not by the file’s old summer time': [
    [oldZone, zoned('20270701T110000', '20270701T120000')],
    ['07-01 11:00 60'],
    { to: minuteAt('2027-08-01', '00:00') },
  ],
  'a Windows name of a zone': [
    [zoned('20261201T110000', '20261201T120000', 'Eastern Standard Time')],
    ['12-01 10:00 60'],
  ],
  'a maker’s name of a zone': [
    [zoned('20261201T110000', '20261201T120000', '/mozilla.org/20050126_1/America/Cancun')],
    ['12-01 10:00 60'],
  ],
  'an unknown zone by its usual offset': [
    [ownZone, zoned('20261201T110000', '20261201T120000', 'Mi zona')],
    ['12-01 08:00 60'],
  ],
  'a floating time as here': [['DTSTART:20261201T110000\nDTEND:20261201T120000'], ['12-01 11:00 60']],
  'a series of years ago, near to now': [
    [`${zoned('20100105T090000', '20100105T093000')}RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU`],
    ['12-01 09:00 30', '12-15 09:00 30', '12-29 09:00 30', '01-12 09:00 30', '01-26 09:00 30'],
  ],
  'a series until an instant, by its own clock': [
    [`${zoned('20261201T200000', '20261201T210000')}RRULE:FREQ=DAILY;UNTIL=20261203T020000Z`],
    ['12-01 20:00 60', '12-02 20:00 60'],
  ],
  'a series until a day': [
    [`${weekly}RRULE:FREQ=DAILY;UNTIL=20261202`],
    ['12-01 09:00 30', '12-02 09:00 30'],
  ],
  'a meeting of others across a change of their clocks': [
    [`${zoned('20261019T100000', '20261019T110000', 'Europe/Madrid')}RRULE:FREQ=WEEKLY;COUNT=8`],
    ['11-30 03:00 60', '12-07 03:00 60'],
  ],
  'no day taken out, in each way of writing it': [
    [
      `${weekly}RRULE:FREQ=DAILY;COUNT=6
      EXDATE;TZID=America/Mexico_City:20261202T090000,20261203T090000
      EXDATE:20261204T150000Z
      EXDATE;VALUE=DATE:20261205`,
    ],
    ['12-01 09:00 30', '12-06 09:00 30'],
  ],
  'no whole day taken out by a midnight': [
    [`${day}RRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261203T000000\nEXDATE:20261204T060000Z`],
    ['12-02 00:00 1440', '12-05 00:00 1440'],
    { allDay: true },
  ],
  'dates added to a series': [
    [`${weekly}RDATE;TZID=America/Mexico_City:20261209T090000`],
    ['12-01 09:00 30', '12-09 09:00 30'],
  ],
  'an occurrence that was moved, and none that was called off': [
    [
      `UID:a\n${weekly}RRULE:FREQ=DAILY;COUNT=3`,
      `UID:a\nRECURRENCE-ID;TZID=America/Mexico_City:20261202T090000\n${zoned('20261202T160000', '20261202T170000')}`,
      `UID:a\nRECURRENCE-ID:20261203T150000Z\n${weekly}STATUS:CANCELLED`,
      `UID:b\nRECURRENCE-ID:20261203T150000Z\n${zoned('20261211T160000', '20261211T170000')}`,
    ],
    ['12-01 09:00 30', '12-02 16:00 60', '12-11 16:00 60'],
  ],
  'adjacent ones as one, the shortest not': [
    [
      one,
      zoned('20261201T113000', '20261201T130000'),
      zoned('20261201T130000', '20261201T133000'),
      zoned('20261203T110000', '20261203T110900'),
    ],
    ['12-01 11:00 150'],
  ],
  'only what is within the days asked for': [
    [zoned('20261129T200000', '20261130T010000'), zoned('20270129T100000', '20270129T110000')],
    ['11-30 00:00 60'],
  ],
}

test.each(Object.entries(cases))('reads %s', (_, [entries, found, more]) =>
  expect(spans(entries, more)).toEqual(found),
)

test('reads the rest where an entry cannot be read, and counts it', () => {
  const broken = ['DTSTART:mañana', 'SUMMARY:x', `${one}RRULE:FREQ=NEVER`, `${one}RRULE:FREQ=SECONDLY`]
  expect(read([...broken, weekly])).toMatchObject({ busy: [{}], unread: 4 })
})

test('takes no page of a sign-in, half a file, or more entries than a person has', () => {
  const answers = ['<html>', calendarOf(one).slice(0, -20)].map((text) => busyTimesIn({ text, ...asked }))
  expect(answers).toEqual([{ fault: 'not_calendar' }, { fault: 'not_calendar' }])
  expect(read(Array(20_001).fill(one))).toBe('too_many')
})
