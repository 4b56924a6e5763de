import {
  forgetKeptWords,
  hasWordsOf,
  type KeptPage,
  keepPageWords,
  keptPage,
  placeOfWords,
} from '../../src/offline/kept-words.ts'

/** A storage of the browser; `isFull` keeps nothing more. */
function storage() {
  const kept = new Map<string, string>()
  return {
    isFull: false,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (this.isFull) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
    removeItem: (key: string) => void kept.delete(key),
    size: () => kept.size,
  }
}

let device = storage()
let tab = storage()
const day = 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 24) })
  device = storage()
  tab = storage()
  vi.stubGlobal('localStorage', device)
  vi.stubGlobal('sessionStorage', tab)
  vi.stubGlobal('location', { href: 'https://carga.test/' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const page = (owner: string, path = '/address'): KeptPage => ({
  owner,
  path,
  at: Date.now(),
  stays: false,
  forms: [{ which: '', nth: 0, version: '3', fields: [['street', 'Londres', null]], keys: null }],
})

test('keeps words by page and customer, whatever day or hour is chosen', () => {
  expect(placeOfWords('/agenda-videocall?dia=2026-11-24&hora=x')).toBe('/agenda-videocall')
  expect(placeOfWords('/?index')).toBe('/')
  expect(placeOfWords('/admin/assignations/nueva?cliente=1&dia=2026-11-24')).toBe(
    '/admin/assignations/nueva?cliente=1',
  )
})

test('keeps a person’s words on the device for that person and two weeks', () => {
  expect(keepPageWords('ana', '/address', page('ana'))).toBe(true)
  expect(keptPage('ana', '/address')).toEqual(page('ana'))
  expect([keptPage('tomas', '/address'), keptPage('ana', '/fiscal')]).toEqual([null, null])
  expect([hasWordsOf('/address?dia=2026-11-24'), hasWordsOf('/fiscal')]).toEqual([true, false])
  vi.advanceTimersByTime(14 * day - 1)
  expect(keptPage('ana', '/address')).not.toBeNull()
  vi.advanceTimersByTime(1)
  expect(keptPage('ana', '/address')).toBeNull()
  forgetKeptWords('ana')
  expect(device.size()).toBe(0)
})

test('deletes the kept words when another person signs in and when their owner signs out', () => {
  keepPageWords('ana', '/address', page('ana'))
  forgetKeptWords('ana')
  expect(keptPage('ana', '/address')).not.toBeNull()
  forgetKeptWords('tomas')
  expect(device.size()).toBe(0)
  keepPageWords('ana', '/address', page('ana'))
  forgetKeptWords('ana', true)
  expect(device.size()).toBe(0)
})

test('keeps the words of a visitor in the tab only, until they sign in', () => {
  keepPageWords('', '/signup', page('', '/signup'))
  expect([device.size(), tab.size()]).toEqual([0, 1])
  forgetKeptWords('')
  expect(keptPage('', '/signup')).not.toBeNull()
  forgetKeptWords('ana')
  expect(tab.size()).toBe(0)
})

test('deletes the words of an accepted form only', () => {
  keepPageWords('ana', '/address', page('ana'))
  keepPageWords('ana', '/fiscal', page('ana', '/fiscal'))
  keepPageWords('ana', '/address', null)
  expect([keptPage('ana', '/address'), keptPage('ana', '/fiscal')?.path]).toEqual([null, '/fiscal'])
})

test('reports that a full device keeps nothing', () => {
  device.isFull = true
  expect(keepPageWords('ana', '/address', page('ana'))).toBe(false)
  expect(keptPage('ana', '/address')).toBeNull()
})

test('ignores invalid stored data', () => {
  device.setItem('carga.drafts', '{nonsense')
  expect([keptPage('ana', '/address'), hasWordsOf('/address')]).toEqual([null, false])
})
