import { modules } from '../src/domain/access/routes.ts'
import { addStaff, openSessions } from './crowd.ts'
import { addAppointments, addSought } from './lists-world.ts'
import { type Answer, type Client, connect, type Figures, figuresOf } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack, type Stack } from './stack.ts'

const sizes = sized([10_000, 1_000_000], [100, 400])
const rounds = sized(200, 2)
const warm = sized(20, 1)
const goal = { p99: 50, ratio: 1.5 }
/** A search names as many people as bear a name: their number grows with the rows. */
const searchGoal = { p95: 50, ratio: 4 }

const pending = '/admin/appointments-pending.data'
const done = '/admin/appointments-done.data'
const june2024 = `${Date.UTC(2024, 5, 3)}_0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f`

/** Every way of reading a list that the goal names, and the hard ones beside it. */
const cases: Record<string, string> = {
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
}

const search = '/admin/buscar.json?q='
/** The search over everything, by each thing that a caller says; common and rare. */
const searches: Record<string, string> = {
  'search, a phone': `${search}%2B52+1+55+1234+5678`,
  'search, a mailbox': `${search}lista777@`,
  'search, a folio': `${search}vt-2025-0000777`,
  'search, a bare number': `${search}777`,
  'search, a tracking key': `${search}clave000000500`,
  'search, a first name': `${search}maria`,
  'search, the beginning of many': `${search}mar`,
  'search, first and last name': `${search}in%C3%A9s+nu%C3%B1ez`,
  'search, a street and its number': `${search}londres+247`,
  'search, a colonia': `${search}narvarte`,
  'search, a postal code': `${search}06700`,
  'search, an action': `${search}optimizar`,
  "search, a receiver's phone": `${search}3300000001`,
  "search, an invited person's phone": `${search}8100000001`,
  'search, a code': `${search}benchxxxxy`,
  "search, a payout's reference": `${search}spei+comision+0000001`,
  'search, a key of the bank': `${search}movido00000001`,
  'search, nobody': `${search}zzzz`,
}
/** Those that find one row, which was put there for them: without it they would be quick for nothing. */
const findsOne = [
  "search, a receiver's phone",
  "search, an invited person's phone",
  'search, a code',
  "search, a payout's reference",
  'search, a key of the bank',
]

/** Whose lists are measured, and who else searches: what they may not see makes a search another one. */
const kinds = ['manager', 'analyst', 'tecnician', 'gester'] as const
type Kind = (typeof kinds)[number]
const searchedByAll = [
  'a phone',
  'a folio',
  'a first name',
  'first and last name',
  'a street and its number',
  'nobody',
]
const searchesBy = kinds.slice(1).flatMap((kind) =>
  searchedByAll.map((what) => ({
    what: `search, ${what}, ${kind}`,
    path: searches[`search, ${what}`]!,
    kind,
  })),
)

type World = { stack: Stack; client: Client; cookies: Record<Kind, string> }
const worlds: World[] = []
const measured = new Map<string, Figures[]>()
try {
  for (const size of sizes) {
    // Only what answers requests: the larger world has more work for the background too.
    const stack = await openStack(
      { shared_buffers: '512MB' },
      { role: 'web', environment: { MODULES: modules.join(',') } },
    )
    const world = { stack, client: connect(stack, 1), cookies: {} as World['cookies'] }
    worlds.push(world)
    await addAppointments(stack.pool, size)
    await addSought(stack.pool, size)
    for (const kind of kinds) {
      const [cookie] = await openSessions(stack.pool, [await addStaff(stack.pool, kind)])
      world.cookies[kind] = cookie!
    }
    for (const what of findsOne) {
      const ask = { path: searches[what]!, cookie: world.cookies.manager, plain: true }
      const { body } = await world.client.ask(ask)
      if (body.includes('"groups":[]')) throw new Error(`${what} found nothing among ${size} appointments`)
    }
  }
  for (const [what, path] of Object.entries({ ...cases, ...searches }))
    measured.set(what, await timed(path, 'manager'))
  for (const { kind, path, what } of searchesBy) measured.set(what, await timed(path, kind))
} finally {
  for (const { client, stack } of worlds) {
    client.close()
    await stack.close()
  }
}

/** One request at a time, after some that are not counted; by turns, so that other people's load is the same for both sizes. */
async function timed(path: string, kind: Kind): Promise<Figures[]> {
  const answers = worlds.map((): Answer[] => [])
  for (let round = -warm; round < rounds; round++)
    for (const [n, { client, cookies }] of worlds.entries()) {
      const answer = await client.ask({ path, cookie: cookies[kind] })
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      if (round >= 0) answers[n]!.push(answer)
    }
  return answers.map((some) => figuresOf(some, 1))
}

/** Whether a goal was met, and its words. */
function judged(of: typeof goal | typeof searchGoal, big: Figures, ratio: number) {
  const [share, most, took] =
    'p95' in of ? (['p95', of.p95, big.p95] as const) : (['p99', of.p99, big.p99] as const)
  return {
    goal: `${share} <= ${most} ms, p50 within ${of.ratio} times`,
    met: isFast(took <= most && ratio <= of.ratio),
  }
}

const [fewer, more] = sizes.map((size) => size.toLocaleString('en'))
const lines: Line[] = [...measured].map(([what, [small, big]]) => {
  const ratio = Math.round((big!.p50 / small!.p50) * 100) / 100
  return {
    what,
    [`p50 of ${fewer}`]: small!.p50,
    [`p99 of ${fewer}`]: small!.p99,
    [`p50 of ${more}`]: big!.p50,
    [`p95 of ${more}`]: big!.p95,
    [`p99 of ${more}`]: big!.p99,
    ratio,
    ...judged(what.startsWith('search') ? searchGoal : goal, big!, ratio),
  }
})
report(
  'lists',
  `Lists over HTTP (data requests of a manager, some searches of other staff), one at a time and by turns, ${rounds} of each: ${fewer} and ${more} appointments`,
  lines,
)
