import { type PersonRow, rosterOf } from '../../src/scheduling/rules/roster.ts'
import { defaultSettings, type Settings } from '../../src/settings/rules/settings-schema.ts'
import { choicesIn, daysChanged, peopleChanged } from '../../src/users/rules/staffing-change.ts'

const ana: PersonRow = {
  id: 'ana',
  kind: 'tecnician',
  active: true,
  zones: [3],
  shifts: [{ weekday: 0, from: 540, to: 1080 }],
  timeOff: [{ start: 1000, end: 2000 }],
}
const beto: PersonRow = { ...ana, id: 'beto', shifts: [], timeOff: [] }

test.each<[string, PersonRow[], string[]]>([
  ['no one', [{ ...ana }, beto], []],
  ['an account closed', [{ ...ana, active: false }, beto], ['ana']],
  ['another kind', [ana, { ...beto, kind: 'analyst' }], ['beto']],
  ['zones', [{ ...ana, zones: [3, 4] }, beto], ['ana']],
  [
    'the same shift on another day',
    [{ ...ana, shifts: [{ weekday: 1, from: 540, to: 1080 }] }, beto],
    ['ana'],
  ],
  ['a shift more', [ana, { ...beto, shifts: ana.shifts }], ['beto']],
  ['time off that ends later', [{ ...ana, timeOff: [{ start: 1000, end: 2001 }] }, beto], ['ana']],
  ['a person who left', [beto], ['ana']],
  ['a new person in front', [{ ...beto, id: 'aaron' }, ana, beto], []],
])('names who differs in two rosters: %s', (_what, after, changed) =>
  expect(peopleChanged(rosterOf([ana, beto]), rosterOf(after))).toEqual(changed),
)

const holiday = { holidays: ['2026-12-24'] }
test.each<[string, Partial<Settings>, Partial<Settings>, string[] | 'all']>([
  ['a new holiday', {}, holiday, holiday.holidays],
  ['one that is statutory anyway', {}, { holidays: ['2026-12-25'] }, []],
  ['one removed', holiday, {}, []],
  ['other hours', {}, { hours: Array(7).fill(null) }, 'all'],
  ['numbers that rule new bookings only', {}, { bufferMinutes: 60 }, []],
])('names the days whose rules differ: %s', (_what, before, after, days) =>
  expect(daysChanged({ ...defaultSettings, ...before }, { ...defaultSettings, ...after })).toEqual(days),
)

test('reads choices, seen versions and one reason from a form, nothing else', () => {
  const form = new FormData()
  for (const [name, value] of [
    ['choice.a', 'release'],
    ['choice.b', ''],
    ['choice', 'x'],
    ['seen.a', '3'],
    ['seen.b', 'tres'],
    ['keepReason', '  Acordado '],
    ['name', 'Otro'],
  ] as const)
    form.append(name, value)
  form.append('choice.c', new File([], 'c'))
  expect(choicesIn(form)).toEqual({ choices: { a: 'release' }, seen: { a: 3 }, keepReason: 'Acordado' })
  expect(choicesIn([])).toEqual({ choices: {}, seen: {}, keepReason: null })
  const { choices } = choicesIn([['choice.__proto__', 'release']])
  expect([choices.constructor, Object.getPrototypeOf(choices)]).toEqual([Object, Object.prototype])
})
