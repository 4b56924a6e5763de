import { readdirSync, readFileSync } from 'node:fs'
import { parseEnv } from '../../src/app/env.ts'
import { fixture, manager, openOnce } from '../kit/open.ts'
import { expectWords } from '../kit/reading.ts'

openOnce()

const set = {
  TILES_URL: 'https://tiles.test:8443/{z}/{x}/{y}.png?key=1',
  TILES_ATTRIBUTION: '© Quienes lo dibujaron',
}
const board = '/admin/assignations?mapa=todos'

test.each([
  ['TILES_URL', { TILES_URL: 'tiles/{z}/{x}/{y}.png' }],
  ['TILES_URL', { TILES_URL: 'ftp://tiles.test/{z}/{x}/{y}.png' }],
  ['TILES_URL', { TILES_URL: 'https://tiles.test/{z}/{x}.png' }],
  ['TILES_URL', { TILES_URL: 'https://{s}.tiles.test/{z}/{x}/{y}.png' }],
  ['TILES_URL', { TILES_ATTRIBUTION: '© X' }],
])('refuses to start with one line that names %s: %j', (name, environment) => {
  expect(() => parseEnv(environment)).toThrow(name)
  expect(() => parseEnv(environment)).toThrow(/^[^\n]{20,160}$/)
})

test('allows the tile server on the board only, if it is set, and loads its library later', async () => {
  const visit = async (under: Pick<typeof fixture, 'visit'>, path = board) => {
    const { headers, text } = await under.visit(path, manager)
    return { text, allowed: headers.get('content-security-policy')!.match(/(img|connect|worker)-src[^;]*/g)! }
  }
  const plain = await visit(fixture)
  expect(plain.allowed.join()).not.toMatch(/tiles|https:/)
  expect(plain.text).not.toContain('board-tiles')
  expect((await visit(fixture.under(set), '/admin/account')).allowed).toEqual(plain.allowed)
  const { allowed, text } = await visit(fixture.under(set))
  const [images, sockets, worker] = plain.allowed
  expect(allowed).toEqual([`${images} https://tiles.test:8443`, `${sockets} https://tiles.test:8443`, worker])
  expectWords(text, 'board-tiles', set.TILES_ATTRIBUTION)
  const named = readdirSync('build/client/assets').filter((name) => /^(board-tiles|maplibre-gl)/.test(name))
  expect(named.length).toBeGreaterThan(1)
  const cached = readFileSync('build/client/sw.js', 'utf8')
  for (const name of named) expect(text + cached).not.toContain(name)
})
