import {
  againstOtherHome,
  homeNames,
  meantProject,
  mostOpenProjects,
  withProject,
} from '../../src/projects/rules/homes.ts'
import { sourcesOf } from '../sources.ts'

test.each([
  ['no project yet', true, 0, null],
  ['an unverified customer has one', false, 1, 'Confirma tu correo'],
  ['four', true, mostOpenProjects - 1, null],
  ['five', true, mostOpenProjects, '5 proyectos en curso'],
] as const)('another home is begun: %s', (_, isVerified, open, against) => {
  const words = againstOtherHome(isVerified, open)
  if (against) expect(words).toContain(against)
  else expect(words).toBeNull()
})

test.each([
  [[], null, { id: null }],
  [['a'], null, { id: 'a' }],
  [['a'], 'b', 'over'],
  [[], 'b', 'over'],
  [['a', 'b'], null, 'unsaid'],
  [['a', 'b'], 'b', { id: 'b' }],
])('the project that a request is about with %j open and %j named', (open, named, expected) => {
  expect(meantProject(open, named)).toEqual(expected)
})

test.each([
  ['/', '/?proyecto=p'],
  ['/quote', '/quote?proyecto=p'],
  ['/quote#total', '/quote?proyecto=p#total'],
  ['/videocall?llamada', '/videocall?llamada&proyecto=p'],
  ['/payments/tarjeta/1?x=2#y', '/payments/tarjeta/1?x=2&proyecto=p#y'],
  ['?dia=2026-11-30', '?dia=2026-11-30&proyecto=p'],
  ['/quote?proyecto=q', '/quote?proyecto=q'],
  ['#menu', '#menu'],
  ['', ''],
  ['/signin', '/signin'],
  ['/papers/visita/1.pdf', '/papers/visita/1.pdf'],
  ['/admin/users', '/admin/users'],
  ['//example.com/quote', '//example.com/quote'],
])('adds the project to the address %s', (to, expected) => {
  expect(withProject(to, 'p')).toBe(expected)
  expect(withProject(to, null)).toBe(to)
})

test('names homes by street and number, and counts chargers at the same one', () => {
  const at = (id: string, street: string | null, outerNumber: string | null) => ({ id, street, outerNumber })
  const names = homeNames([
    at('a', 'Londres', '247'),
    at('b', 'Madero', 'S/N'),
    at('c', 'Londres', '247'),
    at('d', null, null),
  ])
  expect([...names]).toEqual([
    ['a', 'Londres 247'],
    ['b', 'Madero S/N'],
    ['c', 'Londres 247, cargador 2'],
    ['d', 'Domicilio nuevo'],
  ])
})

/**
 * Where the open projects of a customer are asked for, and why none is picked there. Code that needs one of them asks
 * `openProjectOf` or `heldProject`, which refuse where there are several and none is named.
 */
const known: Record<string, string> = {
  'src/projects/open-project.ts': 'what refuses to pick; and all of them, by their places',
  'src/customers/merge.ts': 'all of both customers',
  'src/customers/overview.ts': 'all of each',
  'src/app/search.ts': 'the home of a hit that was looked for, to be read',
  'src/customers/office-work.ts': 'the only one, for what names none',
  'src/accounts/session.ts': 'the ids of all',
  'src/accounts/email-change.ts': 'all end',
  'src/privacy/deletion.ts': 'whether any is in the way',
  'src/agencies/join.ts': 'all are locked, and attributed',
  'src/agencies/redeem.ts': 'whether any has an accepted quote',
  'src/appointments/booking-request.ts': 'refuses to pick, as openProjectOf',
  'src/notifications/send.ts': 'all, to tell the homes apart',
  'src/users/invite.ts': 'whether there is any',
  'src/users/queries.ts': 'how many there are',
}

const ofCustomer = /\b(projects|p|later|other)\.customer(Id|_id)|\bproject\.customer_id/
const isOpen = /closed(At|_at)\}?\)?( is null|\))/

/** Whether some query asks for both, within a few lines. */
function asksForOpen(source: string): boolean {
  const lines = source.split('\n')
  return lines.some((line, at) => {
    return ofCustomer.test(line) && isOpen.test(lines.slice(Math.max(0, at - 4), at + 5).join('\n'))
  })
}

test('no query picks one of a customer’s open projects', () => {
  const found = sourcesOf('server')
    .filter(({ text }) => asksForOpen(text))
    .map(({ file }) => `src/${file}`)
  expect(found.toSorted()).toEqual(Object.keys(known).toSorted())
})
