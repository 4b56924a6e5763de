import {
  type MergeSide,
  mergeInWords,
  projectToClose,
  proposedToStand,
  undoneUntil,
  whyNotMerged,
} from '../../../src/customers/rules/merge.ts'
import { expectWords } from '../../kit/reading.ts'

const side = (id: string, changes: Partial<MergeSide> = {}): MergeSide => ({
  id,
  name: `Ana ${id}`,
  email: `${id}@prueba.mx`,
  role: 'customer',
  kind: null,
  active: true,
  emailVerified: false,
  isEntered: false,
  isLeaving: false,
  mergedIntoId: null,
  open: [],
  agency: null,
  hasFiscalData: false,
  ...changes,
})
const project = (id: string, work: string[] = [], hasAddress = false) => [{ id, work, hasAddress }]
const several = (count: number) => Array.from({ length: count }, (_, n) => project(`p${n}`, ['VT-1'])[0]!)
const norte = { id: 'n', name: 'Norte' }
const sur = { id: 's', name: 'Sur' }

const cases: [what: string, kept: Partial<MergeSide>, ended: Partial<MergeSide>, words: string | null][] = [
  ['nothing of two without sign-ins', {}, {}, null],
  ['only the one that stands has a verified mailbox', { emailVerified: true }, {}, null],
  [
    'only the one that would end has one',
    { isEntered: true },
    { emailVerified: true },
    'que quede esa ficha',
  ],
  ['one is of the staff', {}, { role: 'staff', kind: 'manager' }, 'es del equipo'],
  ['one was merged before', { mergedIntoId: 'x' }, {}, 'ya se unió'],
  ['one is inactive', {}, { active: false }, 'está desactivada'],
  ['one asked to be deleted', { isLeaving: true }, {}, 'pidió eliminar'],
  ['both have work', { open: project('p', ['VT-1']) }, { open: project('q', ['VT-2']) }, null],
  ['five together', { open: several(3) }, { open: several(2) }, null],
  ['six together', { open: several(3) }, { open: several(3) }, 'tendrían 6 proyectos'],
  ['both came from one dealership', { agency: norte }, { agency: norte }, null],
  ['they came from two', { agency: norte }, { agency: sur }, 'Norte'],
]
test.each(cases)('a merge where %s', (_what, kept, ended, words) => {
  const why = whyNotMerged(side('a', kept), side('b', ended))
  if (words === null) expect(why).toBeNull()
  else expect(why).toContain(words)
})

test('a record is not merged with itself', () =>
  expect(whyNotMerged(side('a'), side('a'))).toContain('la misma ficha'))

describe('the open project that is closed', () => {
  const cases: [what: string, kept: MergeSide['open'], ended: MergeSide['open'], closed: string | null][] = [
    ['none is open', [], [], null],
    ['both work: both stay', project('p', ['VT-1']), project('q', ['VT-2']), null],
    ['one has several: all stay', [...project('p'), ...project('r')], project('q'), null],
    ['the one that stands works', project('p', ['VT-1']), project('q', [], true), 'q'],
    ['the other works', project('p', [], true), project('q', ['VT-1']), 'p'],
    ['both are empty', project('p'), project('q'), 'q'],
    ['both are empty, and the other has a home', project('p'), project('q', [], true), 'p'],
    ['both are empty with a home', project('p', [], true), project('q', [], true), 'q'],
  ]
  test.each(cases)('%s', (_what, kept, ended, closed) =>
    expect(projectToClose(side('a', { open: kept }), side('b', { open: ended }))).toBe(closed),
  )
})

describe('the account that is proposed to stand', () => {
  const cases: [what: string, one: Partial<MergeSide>, other: Partial<MergeSide>, stands: 'a' | 'b'][] = [
    ['of two alike the one whose page is open', {}, {}, 'a'],
    ['the verified one', { isEntered: true }, { emailVerified: true }, 'b'],
    ['the one that was entered', {}, { isEntered: true }, 'b'],
    [
      'of two entered the one with work',
      { isEntered: true },
      { isEntered: true, open: project('q', ['VT-1']) },
      'b',
    ],
  ]
  test.each(cases)('%s', (_what, one, other, stands) =>
    expect(proposedToStand(side('a', one), side('b', other)).id).toBe(stands),
  )
})

test('words what a merge does, and nothing else', () => {
  const words = (kept: Partial<MergeSide>, ended: Partial<MergeSide>) =>
    mergeInWords(side('a', kept), side('b', ended)).join(' ')
  const plain = words({}, {})
  expectWords(
    plain,
    'b@prueba.mx pasa a la de a@prueba.mx: proyectos, citas',
    'Los enlaces de acceso que mandamos a b@prueba.mx dejan de servir',
  )
  expect(words({}, { email: 'b@sin-correo.invalid' })).not.toContain('enlaces de acceso')
  const more = { isEntered: true, emailVerified: true, agency: norte, hasFiscalData: true }
  const all = words({ ...more, open: project('p', ['VT-1']) }, { ...more, open: project('q') })
  for (const part of [
    'ya no se podrá entrar',
    'lo escribimos',
    'está vacío',
    'datos fiscales',
    'atribución',
  ]) {
    expect(all).toContain(part)
    expect(plain).not.toContain(part)
  }
  expect(words({ isEntered: true }, {})).toContain('reclamar')
})

test('words that both projects go on where both have work', () => {
  const of = (id: string, folio: string) => side(id, { open: project(id, [folio]) })
  expect(mergeInWords(of('a', 'VT-1'), of('b', 'VT-2')).join(' ')).toContain('siguen todos')
  expect(mergeInWords(of('a', 'VT-1'), side('b')).join(' ')).not.toContain('siguen todos')
})

test('can be undone within a day', () =>
  expect(undoneUntil(new Date('2026-03-01T10:00:00Z'))).toEqual(new Date('2026-03-02T10:00:00Z')))
