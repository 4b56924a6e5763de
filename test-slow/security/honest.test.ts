import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStack, type Stack } from '../../bench/stack.ts'
import { typed } from '../../test/kit/invoices.ts'
import { paper } from '../../test/kit/payments.ts'
import { browserOf, newVisitor, type Visitor } from '../../test/kit/visitor.ts'

// A server of its own, so that attackers and customers meet only there.
let stack: Stack
let browser: ReturnType<typeof browserOf>
beforeAll(async () => {
  stack = await openStack({}, { environment: { TRUST_PROXY: 'true', DEMO: 'true', LOG_LEVEL: 'error' } })
  browser = browserOf(
    {
      fetch: (request, bindings) => {
        const { incoming } = bindings as { incoming: { socket: { remoteAddress: string } } }
        const headers = new Headers(request.headers)
        headers.set('x-forwarded-for', incoming.socket.remoteAddress)
        return fetch(new Request(request, { headers, redirect: 'manual' }))
      },
    },
    stack.origin,
  )
}, 180_000)
afterAll(() => stack.close())

const password = 'una-frase-de-prueba'
let people = 0

type Account = Visitor & { email: string }

/** A signed-in customer with a name; `proved` since two days ago. */
async function newAccount(address?: string, proved = false): Promise<Account> {
  const as = Object.assign(newVisitor(address), { email: `persona${++people}@prueba.mx` })
  expect((await browser.post('/signup', { email: as.email, password, terms: 'on' }, as)).status).toBe(303)
  const profile = { name: 'Ana', lastname: 'Prueba', phone: '5512345678' }
  expect((await browser.post('/completion', profile, as)).status).toBe(303)
  if (proved)
    await stack.pool.query(
      `update users set email_verified = true, created_at = now() - interval '2 days' where email = $1`,
      [as.email],
    )
  return as
}

const newAccounts = async (count: number, address: string) => {
  const all: Account[] = []
  for (let n = 0; n < count; n++) all.push(await newAccount(address))
  return all
}

/** A customer whose e-mail is confirmed, signed out in the browser that they always use. */
async function newCustomer() {
  const who = await newAccount(undefined, true)
  await browser.post('/signout', {}, who)
  return who
}

const valueIn = (text: string, name: string) =>
  new RegExp(`name="${name}"[^>]*value="([^"]+)"`).exec(text)?.[1] ?? ''

/** Books the first free hour; another one where somebody was faster. */
async function book(who: Account, tries = 10): Promise<{ status: number }> {
  const { text } = await browser.visit('/agenda-videocall', who)
  const of = { requestKey: valueIn(text, 'requestKey'), startsAt: valueIn(text, 'startsAt') }
  const answer = await browser.post('/agenda-videocall', { ...of, interest: '01' }, who)
  return answer.status === 409 && tries > 1 ? book(who, tries - 1) : answer
}

function upload(who: Account) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ intent: 'submit-fiscal', ...typed })) form.set(name, value)
  form.set('constancia', paper())
  return browser.send('/fiscal', who, { method: 'POST', body: form, headers: { origin: stack.origin } })
}

type Times = Record<string, number>

/** How many milliseconds each step of a customer takes; each has to succeed. */
async function honest(who: Account): Promise<Times> {
  const steps = {
    'sign in': () => browser.post('/signin', { email: who.email, password }, who),
    book: () => book(who),
    upload: () => upload(who),
  }
  const times: Times = {}
  for (const [name, step] of Object.entries(steps)) {
    const started = performance.now()
    const { status } = await step()
    times[name] = Math.round(performance.now() - started)
    expect([name, status]).toEqual([name, 303])
  }
  return times
}

/** Sends again and again from so many at once, until it is stopped; returns how many were answered. */
function repeated(atOnce: number, send: (nth: number) => Promise<unknown>) {
  let isOn = true
  let count = 0
  const all = Array.from({ length: atOnce }, async (_, nth) => {
    while (isOn) {
      await send(nth).catch(() => sleep(100))
      count++
    }
  })
  return async () => {
    isOn = false
    await Promise.all(all)
    return count
  }
}

type Attack = (attackers: readonly Account[], victim: Account) => () => unknown

const attacks: Record<string, Attack> = {
  'uploads that never go on': (attackers) => {
    const { hostname, host, port } = new URL(stack.origin)
    const drip = (as: Account) => {
      const socket = createConnection(Number(port), hostname)
      socket.on('error', () => undefined)
      const cookie = [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const head = `Host: ${host}\r\nOrigin: ${stack.origin}\r\nX-Forwarded-For: ${as.address}\r\nCookie: ${cookie}`
      const type = 'Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: 1000000'
      socket.write(`POST /payments HTTP/1.1\r\n${head}\r\n${type}\r\n\r\n--xx\r\n`)
      const timer = setInterval(() => socket.writable && socket.write('x'), 1_000)
      return () => {
        clearInterval(timer)
        socket.destroy()
      }
    }
    const ends = [...attackers, ...attackers].map(drip)
    return () => ends.forEach((end) => void end())
  },
  'passwords changed in a loop': (attackers) =>
    repeated(32, (nth) => {
      const form = { intent: 'password', currentPassword: password, newPassword: password }
      return browser.post('/cuenta', form, attackers[nth % 8]!)
    }),
  'pages read by 160 at once': () =>
    repeated(160, () => browser.visit('/signin?next=/quote', newVisitor('198.51.100.9'))),
  'pages that do not exist': () => repeated(160, () => browser.visit('/nada', newVisitor('198.51.100.9'))),
  'files that do not exist': () => repeated(40, () => browser.visit('/assets/nada')),
  'wrong sign-ins at the same address': (_, { address }) =>
    repeated(9, (nth) =>
      browser.post(
        '/signin',
        { email: `nadie${nth}@prueba.mx`, password: 'verano2026' },
        newVisitor(address),
      ),
    ),
  'bookings and cancellations': (attackers) =>
    repeated(8, async (nth) => {
      const as = attackers[nth]!
      await book(as, 1)
      const { text } = await browser.visit('/videocall', as)
      const form = { intent: 'cancel', reason: 'cliente_se_arrepiente', note: '' }
      const of = { appointmentId: valueIn(text, 'appointmentId'), version: valueIn(text, 'version') }
      await browser.post('/videocall', { ...form, ...of }, as)
    }),
  'forms sent in a loop': (attackers) =>
    repeated(16, (nth) => browser.post('/cuenta', { intent: 'keys', singleKeys: 'on' }, attackers[nth % 8]!)),
}

let attackers: Account[]
let alone: Times
beforeAll(async () => {
  attackers = await newAccounts(8, '198.51.100.9')
  await honest(await newCustomer())
  alone = await honest(await newCustomer())
}, 60_000)

test.each(Object.entries(attacks))(
  'a customer signs in, books and uploads within 3 s or five times the usual beside %s',
  async (name, attack) => {
    const victim = await newCustomer()
    const end = attack(attackers, victim)
    await sleep(2_000)
    const beside = await honest(victim)
    const answered = await end()
    console.info(`${name}: ${JSON.stringify({ alone, beside, answered })}`)
    for (const [step, ms] of Object.entries(beside))
      expect([step, ms <= Math.max(3_000, 5 * alone[step]!)]).toEqual([step, true])
  },
  60_000,
)
