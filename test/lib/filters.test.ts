import { describe, expect, test } from 'vitest'
import { anId, listQuery, oneOf, pageLinks, readFilters, searched } from '../../src/web/lib/lists.tsx'

describe('an address', () => {
  const id = '0197f9a0-0000-7000-8000-000000000001'
  const schema = { state: oneOf(['open', 'done']), agency: anId, text: searched(10) }
  const read = (query: string) => readFilters(schema, new URL(`https://localhost/list?${query}`))

  test('holds filters and a place', () => {
    expect(read(`state=done&agency=${id}&text=%20dos%20%20casas&after=${id}&other=1`)).toEqual({
      filters: { state: 'done', agency: id, text: 'dos casas' },
      after: id,
    })
  })

  test.each([
    'state=',
    'state=toString',
    'agency=1',
    'text=',
    'text=12345678901',
    'text=%00%20%E2%80%8B',
    'after=x',
  ])('%s holds none', (query) => {
    expect(read(query)).toEqual({ filters: {}, after: undefined })
  })

  test('carries filters to the other pages', () => {
    expect(listQuery({})).toBe('')
    expect(pageLinks({}, undefined, null)).toEqual({ first: null, next: null })
    expect(pageLinks({}, id, null)).toEqual({ first: '?', next: null })
    expect(pageLinks({ text: 'ñ' }, id, 'b')).toEqual({ first: '?text=%C3%B1', next: '?text=%C3%B1&after=b' })
  })
})
