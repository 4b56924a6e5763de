import { modules } from '../src/access/rules/routes.ts'
import { addStaff, openSessions } from './crowd.ts'
import { addAppointments, addSought } from './lists-fixture.ts'
import { type Answer, type Client, connect, type Figures, figuresOf, hundredth } from './load.ts'
import { isFast, report, sized } from './report.ts'
import { openStack, type Stack } from './stack.ts'

const sizes = sized([10_000, 1_000_000], [100, 400])

/** How often something is asked, and what it may take over the larger fixture, and as a multiple of what the smaller takes. */
type Goal = { rounds: number; share: 'p95' | 'p99'; most: number; ratio?: number }
const listGoal: Goal = { rounds: sized(200, 2), share: 'p99', most: 50, ratio: 1.5 }
/** A search names as many people as bear a name: their number grows with the rows. */
const searchGoal: Goal = { ...listGoal, share: 'p95', ratio: 4 }
/** A board shows all of its day or week, and figures read all of their month. */
const officeGoal: Goal = { rounds: sized(20, 2), share: 'p95', most: 3_000 }

const pending = '/admin/appointments-pending.data'
const done = '/admin/appointments-done.data'
const june2024 = `${Date.UTC(2024, 5, 3)}_0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f`

/** Every way of reading a list that the goal names, and the hard ones beside it. */
const lists: Record<string, string> = {
  pending,
  done,
  'done, deep page': `${done}?after=${june2024}`,
  'pending, late': `${pending}?view=tarde`,
  'done, a month of any year': `${done}?month=2`,
  'done, rare: zone, no show, installation': `${done}?zone=milpa-alta&state=no_show&service=installation`,
  'text, a mailbox': `${done}?text=lista777@`,
  'text, a folio': `${done}?text=vt-2025-0000777`,
  'text, a phone': `${done}?text=5512345678`,
  'text, pending, a first name': `${pending}?text=maria`,
  'text, a first name': `${done}?text=maria`,
  'text, first and last name': `${done}?text=in%C3%A9s+nu%C3%B1ez`,
  'text, a first name in a zone': `${done}?text=maria&zone=milpa-alta`,
  'text, deep page': `${done}?text=maria&after=${june2024}`,
  'text, nobody': `${done}?text=zzzz`,
  'customers, a first name': '/admin/users.data?text=maria',
  'transfers that were paid': '/admin/payments/libro.data?state=paid',
}

const office: Record<string, string> = {
  'board of a day': '/admin/assignations.data',
  'board of a week': '/admin/assignations.data?vista=semana',
  'figures of a month': '/admin/cifras.data',
}

/** What every kind of staff searches: what they may not see makes a search another one. */
const searchedByAll: Record<string, string> = {
  'a phone': '%2B52+1+55+1234+5678',
  'a folio': 'vt-2025-0000777',
  'a first name': 'maria',
  'first and last name': 'in%C3%A9s+nu%C3%B1ez',
  'a street and its number': 'londres+247',
  nobody: 'zzzz',
}
/** One row each, which was put there for them: without it they would be quick for nothing. */
const findsOne: Record<string, string> = {
  "a receiver's phone": '3300000001',
  "an invited person's phone": '8100000001',
  'a code': 'benchxxxxy',
  "a payout's reference": 'spei+comision+0000001',
  'a key of the bank': 'movido00000001',
}
/** The other things that a caller says to a manager; common and rare. */
const searches: Record<string, string> = {
  'a mailbox': 'lista777@',
  'a bare number': '777',
  'a tracking key': 'clave000000500',
  'the beginning of many': 'mar',
  'a colonia': 'narvarte',
  'a postal code': '06700',
  'an action': 'optimizar',
}
const kinds = ['manager', 'analyst', 'tecnician', 'gester'] as const
type Kind = (typeof kinds)[number]
type Case = { what: string; path: string; kind: Kind; goal: Goal }

const search = (words: string) => `/admin/buscar.json?q=${words}`
const asManager = (paths: Record<string, string>, goal: Goal): Case[] =>
  Object.entries(paths).map(([what, path]) => ({ what, path, kind: 'manager', goal }))
const searchesOf = (kind: Kind, all: Record<string, string>): Case[] =>
  Object.entries(all).map(([what, words]) => ({
    what: `search, ${what}, ${kind}`,
    path: search(words),
    kind,
    goal: searchGoal,
  }))
const cases = [
  ...asManager(lists, listGoal),
  ...asManager(office, officeGoal),
  ...searchesOf('manager', { ...searches, ...findsOne }),
  ...kinds.flatMap((kind) => searchesOf(kind, searchedByAll)),
]

type Fixture = { stack: Stack; client: Client; cookies: Map<Kind, string> }

/** Only what answers requests: the larger fixture has more work for the background too. */
async function openFixture(size: number): Promise<Fixture> {
  const stack = await openStack(
    { shared_buffers: '512MB' },
    { role: 'web', environment: { MODULES: modules.join(',') } },
  )
  const client = connect(stack, 1)
  await addAppointments(stack.pool, size)
  await addSought(stack.pool, size)
  const cookies = new Map<Kind, string>()
  for (const kind of kinds) {
    const [cookie] = await openSessions(stack.pool, [await addStaff(stack.pool, kind)])
    cookies.set(kind, cookie!)
  }
  for (const [what, words] of Object.entries(findsOne)) {
    const { body } = await client.ask({ path: search(words), cookie: cookies.get('manager')!, plain: true })
    if (body.includes('"groups":[]')) throw new Error(`${what} found nothing among ${size} appointments`)
  }
  return { stack, client, cookies }
}

/** One request at a time, after a tenth that is not counted; by turns, so that other people's load is the same for both sizes. */
async function timed(
  fixtures: readonly Fixture[],
  { path, kind, goal: { rounds } }: Case,
): Promise<Figures[]> {
  const answers = fixtures.map((): Answer[] => [])
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++)
    for (const [n, { client, cookies }] of fixtures.entries()) {
      const answer = await client.ask({ path, cookie: cookies.get(kind)! })
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      if (round >= 0) answers[n]!.push(answer)
    }
  return answers.map((some) => figuresOf(some, 1))
}

function lineOf({ what, goal: { share, most, ratio: limit } }: Case, [small, big]: Figures[]) {
  const ratio = hundredth(big!.p50 / small!.p50)
  return {
    what,
    [`p50 of ${fewer}`]: small!.p50,
    [`p99 of ${fewer}`]: small!.p99,
    [`p50 of ${more}`]: big!.p50,
    [`p95 of ${more}`]: big!.p95,
    [`p99 of ${more}`]: big!.p99,
    ratio,
    goal: `${share} <= ${most} ms${limit ? `, p50 within ${limit} times` : ''}`,
    met: isFast(big![share] <= most && (!limit || ratio <= limit)),
  }
}

const [fewer, more] = sizes.map((size) => size.toLocaleString('en'))
const fixtures: Fixture[] = []
const lines = []
try {
  for (const size of sizes) fixtures.push(await openFixture(size))
  for (const one of cases) lines.push(lineOf(one, await timed(fixtures, one)))
} finally {
  for (const { client, stack } of fixtures) {
    client.close()
    await stack.close()
  }
}
report(
  'lists',
  `Lists, board, figures and searches over HTTP, one at a time and by turns: ${fewer} and ${more} appointments`,
  lines,
)
