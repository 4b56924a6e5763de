import { post } from '../../../src/integrations/webhooks/send.ts'
import { isPublicAddress, leadsInside, publicLookup } from '../../../src/platform/outside.ts'
import { answerIn } from '../../kit/webhooks.ts'
import { type Listener, openListener } from './listener.ts'
import { openNameServer } from './name-server.ts'

const message = { headers: { 'content-type': 'application/json' }, body: '{}' }
const guarded = { allowPrivate: false }
const open = { allowPrivate: true }
const to = (url: string, how = guarded) => post('webhooks', { ...message, url }, how)

const names: Record<string, string[]> = {
  'dentro.example': ['10.1.2.3'],
  'una-de-dos.example': ['93.184.215.14', '169.254.169.254'],
  'seis.example': ['fd00:0:0:0:0:0:0:1'],
  'nadie.example': [],
}

let listener: Listener
let closeNames: () => Promise<void>
beforeAll(async () => {
  listener = await openListener()
  closeNames = await openNameServer(names)
})
afterAll(async () => {
  await closeNames()
  await listener.close()
})

test.each(['8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.0.1', '2606:2800:21f::1'])(
  'accepts the public address %s',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  'fc00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  'localhost',
  '',
  '1.2.3',
])('refuses the address %s', (address) => expect(isPublicAddress(address)).toBe(false))

describe('nothing leaves for', () => {
  test.each([
    'https://127.0.0.1/x',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest',
    'https://①②⑦.0.0.1/',
    'https://localhost/',
    'https://crm.local/',
    'https://intranet/',
    'http://93.184.215.14/',
  ])('%s', async (url) => expect(await to(url)).toEqual({ fault: 'private' }))

  test.each(['dentro.example', 'una-de-dos.example', 'seis.example'])(
    '%s, which leads inside',
    async (name) => expect(await to(`https://${name}/`)).toEqual({ fault: 'private' }),
  )

  test.each(['nadie.example', 'falta.example'])('%s, which leads nowhere', async (name) =>
    expect(await to(`https://${name}/`)).toEqual({ fault: 'unknown_host' }),
  )

  test.each([
    ['https://localhost/hook', true],
    ['https://dentro.example/', true],
    ['https://nadie.example/', false],
    ['https://8.8.8.8/', false],
  ])('%s, of which the form says that it leads inside: %s', async (url, inside) =>
    expect(await leadsInside(new URL(url))).toBe(inside),
  )

  test('this machine, where a server listens', async () => {
    await to(`https://127.0.0.1:${listener.port}/`)
    await to(`http://127.0.0.1:${listener.port}/`)
    expect(listener.requests).toEqual([])
  })
})

test('connects to the addresses that a public name resolves to', async () => {
  names['fuera.example'] = ['8.8.8.8', '2606:2800:21f:0:0:0:0:1']
  const found = await new Promise((resolve, reject) =>
    publicLookup('fuera.example', { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    ),
  )
  expect(found).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:2800:21f::1', family: 6 },
  ])
})

test('resolves a name again for each message', async () => {
  names['cambia.example'] = ['192.0.2.1']
  expect(await to('https://cambia.example/')).toEqual({ fault: 'private' })
  names['cambia.example'] = ['8.8.8.8', '10.0.0.1']
  expect(await to('https://cambia.example/')).toEqual({ fault: 'private' })
})

test('an answer is its status, and a redirection is not followed', async () => {
  listener.replies.push(500, { leadsTo: `http://127.0.0.1:${listener.port}/otra` })
  for (const status of [500, 307, 204]) expect(await to(listener.url, open)).toEqual({ status })
  expect(listener.requests).toHaveLength(3)
})

test('an answer that does not come in time, breaks off, or has no end', async () => {
  listener.replies.push('silent', 'cut', 'endless')
  const usual = answerIn(100)
  expect(await to(listener.url, open)).toEqual({ fault: 'timeout' })
  usual()
  expect(await to(listener.url, open)).toEqual({ fault: 'broken' })
  expect(await to(listener.url, open)).toEqual({ status: 200 })
})

test('an answer in another protocol is none, and is not waited for', async () => {
  listener.replies.push('switches')
  expect(await to(listener.url, open)).toEqual({ fault: 'broken' })
})

test('an answer of a server that is not there, or speaks no TLS', async () => {
  const gone = await openListener()
  await gone.close()
  expect(await to(gone.url, open)).toEqual({ fault: 'unreachable' })
  expect(await to(listener.url.replace('http:', 'https:'), open)).toEqual({ fault: 'certificate' })
})
