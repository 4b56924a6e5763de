import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseEnv } from '../../src/server/app/env.ts'
import { openOnce, people, world } from '../kit/open.ts'
import { loaded } from '../kit/reading.ts'

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
])('%s stops the start with one line that names it: %j', (name, environment) => {
  expect(() => parseEnv(environment)).toThrow(name)
  expect(() => parseEnv(environment)).toThrow(/^[^\n]{20,160}$/)
})

test('only the board may ask where the tiles are, and only if they are set', async () => {
  const asked = async (under: Pick<typeof world, 'visit'>, path: string) => {
    const { headers, status } = await under.visit(path, people.manager)
    expect([path, status]).toEqual([path, 200])
    return headers.get('content-security-policy')!.match(/(img|connect|worker)-src[^;]*/g)
  }
  const plain = await asked(world, board)
  expect(plain!.join()).not.toMatch(/tiles|https:/)
  expect(await asked(world.under(set), '/admin/account')).toEqual(plain)
  const [images, sockets, worker] = plain!
  expect(await asked(world.under(set), board)).toEqual([
    `${images} https://tiles.test:8443`,
    `${sockets} https://tiles.test:8443`,
    worker,
  ])
})

test('the board knows its tiles if they are set; their library is in no list of files that comes by itself', async () => {
  type Board = { tiles: unknown }
  const tilesOf = async (under: Pick<typeof world, 'data'>) =>
    loaded<Board>(await under.data(board, people.manager), 'scheduling/assignations').tiles
  expect(await tilesOf(world)).toBeNull()
  expect(await tilesOf(world.under(set))).toMatchObject({
    url: set.TILES_URL,
    attribution: set.TILES_ATTRIBUTION,
  })
  const page = await world.under(set).visit(board, people.manager)
  expect(page.text).toContain('board-tiles')
  expect(page.text).toContain(set.TILES_ATTRIBUTION)
  expect((await world.visit(board, people.manager)).text).not.toContain('board-tiles')
  const named = readdirSync('build/client/assets').filter((name) => /^(board-tiles|maplibre-gl)/.test(name))
  expect(named.length).toBeGreaterThan(1)
  for (const name of named) {
    expect(page.text).not.toContain(name)
    expect(readFileSync('build/client/sw.js', 'utf8')).not.toContain(name)
  }
})
