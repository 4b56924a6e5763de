import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { insertPerson, type Person } from '../kit/people.ts'
import { dataPath } from '../kit/visitor.ts'
import { type Listening, listening } from './listening.ts'

// Bodies that cost more to parse than to send: while one is answered, everybody else has to be.
let server: Listening
let customer: Person
beforeAll(async () => {
  server = await listening()
  customer = await insertPerson(server.db)
})
afterAll(() => server.close())
beforeEach(({ skip }) => skip(!existsSync('/proc/self/stat'), 'only Linux tells the time of a process'))

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=a'
const megabyte = 1024 * 1024
const parts = (count: number, head = 'Content-Disposition: form-data; name=""') =>
  `${`--a\r\n${head}\r\n\r\n\r\n`.repeat(count)}--a--\r\n`
const named = (name: string, file: string) =>
  `--a\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n%PDF-1.7 x\r\n--a--\r\n`

type Flood = { type: string; body: string }
const floods: Record<string, Flood> = {
  'a megabyte of empty fields': { type: urlencoded, body: 'a&'.repeat(500_000) },
  '60 kB of empty fields': { type: urlencoded, body: 'a&'.repeat(30_000) },
  'a type that says more than one thing': { type: `text/plain, ${urlencoded}`, body: 'a&'.repeat(30_000) },
  'a megabyte of empty parts': { type: multipart, body: parts(19_000) },
  '60 kB of empty parts': { type: multipart, body: parts(1_200) },
  'a part with a megabyte of headers': { type: multipart, body: parts(1, 'X: y\r\n'.repeat(170_000)) },
  'a name of a megabyte': { type: multipart, body: named('x'.repeat(megabyte - 200), 'b.pdf') },
  'a file name of a megabyte': { type: multipart, body: named('x', '.'.repeat(megabyte - 200)) },
}

const paths = [
  '/signin',
  '/completion',
  '/session/provider/start',
  '/signout',
  '/',
  '/nowhere',
  '/v1/session/signInWithEmail',
]

/** What was answered; without a status where the connection was ended before all was sent, which is an answer too. */
type Told = { status: number | null; text: string }

/** A request on a connection of its own: whoever is refused in the middle of sending loses it. */
function ask(path: string, headers: Record<string, string>, body?: string): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>()
  const told: Told = { status: null, text: '' }
  const method = body === undefined ? 'GET' : 'POST'
  const asked = request(server.base + path, { method, headers, agent: false }, (answer) => {
    told.status = answer.statusCode ?? null
    answer.setEncoding('utf8').on('data', (piece: string) => {
      told.text += piece
    })
    for (const end of ['end', 'error', 'close']) answer.on(end, () => resolve(told))
  })
  asked.on('error', () => resolve(told))
  asked.end(body)
  return promise
}

function post(path: string, { body, type }: Flood, as?: Person): Promise<Told> {
  const name = 'carga.session_token'
  const cookie = as && { cookie: `${name}=${as.cookies.get(name)}` }
  return ask(path, { 'content-type': type, origin: server.base, ...cookie }, body)
}

/** The processor's time that something takes, in milliseconds: of a machine that is busy otherwise it is the same. */
async function workOf(run: () => Promise<unknown>): Promise<number> {
  const before = server.worked()
  await run()
  return server.worked() - before
}

/** Floods a process, and expects it to work on that no longer than on forms without fields: meanwhile everybody waits. */
async function keepsNobodyWaiting(path: string, run: () => Promise<unknown>, as?: Person) {
  const usual = await workOf(async () => {
    for (let n = 0; n < 3; n++) await post(path, { type: urlencoded, body: '' }, as)
  })
  expect(await workOf(run)).toBeLessThan(Math.max(700, usual * 5))
}

describe.each(paths)('%s', (path) => {
  test.each(Object.entries(floods))('%s keeps nobody waiting', async (_, flood) =>
    keepsNobodyWaiting(path, async () => {
      for (const target of path.startsWith('/v1') ? [path] : [path, dataPath(path)])
        expect((await post(target, flood)).status).not.toBe(500)
    }),
  )
})

const large: Record<string, Flood> = {
  'seven megabytes of empty parts': { type: multipart, body: parts(130_000) },
  'twelve megabytes of text': {
    type: multipart,
    body: parts(1).replace('\r\n\r\n\r\n', `\r\n\r\n${' a'.repeat(6 * megabyte)}\r\n`),
  },
  'twelve megabytes of headers in one part': {
    type: multipart,
    body: parts(1, 'X: y\r\n'.repeat(2_000_000)),
  },
  'a file name of twelve megabytes': {
    type: multipart,
    body: named('constancia', '. '.repeat(6 * megabyte)),
  },
  'a boundary within a list of types': {
    type: `multipart/form-data; boundary=b, ${multipart}`,
    body: parts(130_000),
  },
}
test.each(Object.entries(large))('a form with papers: %s keeps nobody waiting', async (_, flood) =>
  keepsNobodyWaiting(
    '/fiscal',
    async () => expect([null, 400, 413]).toContain((await post('/fiscal', flood, customer)).status),
    customer,
  ),
)

test('what is too large is said in words, and a form of the usual size is read', async () => {
  for (const [body, status, words] of [
    [`email=${'x'.repeat(70_000)}`, 413, 'acórtalo'],
    ['a&'.repeat(2_500), 413, 'campos'],
    [`email=x&${'a&'.repeat(1_900)}`, 400, 'aria-invalid="true"'],
    [`email=${'x'.repeat(60_000)}`, 400, 'aria-invalid="true"'],
  ] as const)
    expect(await post('/signin', { type: urlencoded, body })).toEqual({
      status,
      text: expect.stringContaining(words),
    })
})

const room = 15_000

// "1   …x" is what no end of a pattern fits, after as many spaces as a head has room for.
test.each(['metros', 'cp', 'codigo', 'next', 'text', 'after'])('?%s= keeps nobody waiting', async (name) =>
  keepsNobodyWaiting('/signin', async () => {
    for (const path of ['/approach', '/signin'])
      expect((await ask(`${path}?${name}=1${'+'.repeat(room)}x`, {})).status).not.toBe(500)
  }),
)

const heads = `accept-encoding accept accept-language cookie content-type user-agent x-forwarded-for if-none-match
  authorization origin traceparent host`
test.each(heads.split(/\s+/))('%s keeps nobody waiting', async (name) =>
  keepsNobodyWaiting('/signin', async () => {
    for (const piece of [' ', ';', ', ', '; ', '=']) {
      const long = `gzip${piece.repeat(room / piece.length)}x`
      expect((await ask('/signin', { [name]: long })).status).not.toBe(500)
    }
  }),
)
